"""The metric `fields`: every field of a document scored by six methods, rows by correlation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from docassay.kernel.columns import Contrast
from docassay.kernel.marks import (
    BY_ROWS,
    DocumentMarks,
    Scored,
    ScoredField,
    all_right,
    any_wrong,
    are_in_order,
    correlations,
    count_known,
    counting_fields,
    judged,
    parts_of,
    row_of,
    settled_rows,
    tabulate,
)
from docassay.matching.case import Case
from docassay.metrics.fields.contrast import contents
from docassay.metrics.fields.display import (
    SPECS,
    checklist,
    facts,
    headline,
    pictures,
    sections,
)
from docassay.metrics.fields.levels import documents
from docassay.metrics.fields.methods import STRICT, Judge, Rules
from docassay.metrics.fields.readouts import (
    AUTO,
    CONFUSION,
    DOCUMENTS,
    FIELDS,
    GROUPS,
    TYPES,
    check,
    flaws,
    overall,
    readouts,
)
from docassay.metrics.fields.unseen import UNSEEN
from docassay.metrics.metric import metric
from docassay.model.schema import METHODS
from docassay.model.stats import Counts, Parts, Stats, Table, f1
from docassay.schema.layout import Layout

CORRELATION, ORDERED = "correlation_f1", "order_aware_f1"


class CountedFields(NamedTuple):
    """The fields of a document that count."""

    right: list[str]
    """Those of the document itself with one value, the same on both sides."""
    others: list[tuple[ScoredField, Contrast]]
    absent: list[str]
    """Those that are expected, and that neither side has."""
    unlisted: int
    """How many fields do not count."""
    flat: bool
    """Whether it is known that no row has rows inside."""


@metric(
    "fields",
    version=3,
    tables={
        "fields": FIELDS,
        "groups": GROUPS,
        "documents": DOCUMENTS,
        "types": TYPES,
        "confusion": CONFUSION,
    },
    readouts=readouts,
    flaws=flaws,
    check=check,
    specs=SPECS,
    headline=headline,
    sections=sections,
    pictures=pictures,
    facts=facts,
    checklist=checklist,
    documents=documents,
    alternatives={
        "method": METHODS,
        "substitution": ("fn",),
        "item_similarity": (0.75,),
        "item_words": (0.75,),
    },
    unseen=UNSEEN,
    overall=overall,
)
def fields(
    case: Case,
    *,
    method: str = AUTO,
    substitution: str = "both",
    matched_above: float = 0.9,
    item_similarity: float = STRICT.item_similarity,
    item_words: float = STRICT.item_words,
    count_absent: bool = False,
) -> Stats:
    """Field-level accuracy by exact, ANLS, F1, order-aware F1, correction cost and correlation."""
    rules = _rules(item_similarity, item_words, substitution)
    counted = _counted(case, method, rules)
    scored = judged(counted.others)
    groups = correlations(scored, _scores_of_rows(case, counted, scored, rules))
    table = _settled_rows(case.layout, counted, matched_above < 1.0, count_absent)
    perfect = len(counted.right) + (len(counted.absent) if count_absent else 0)
    marks = tabulate(table, scored, groups, matched_above, perfect)
    return {
        "fields": table,
        "groups": {path: (1, parts_of(value)) for path, value in groups.items()},
        **_document(case, marks, counted.unlisted, table),
    }


@lru_cache
def _rules(item_similarity: float, item_words: float, substitution: str) -> Rules:
    return Rules(item_similarity, item_words, substitution == "fn")


def _settled_rows(
    layout: Layout, counted: CountedFields, matched: bool, count_absent: bool
) -> dict[str, Counts]:
    """Return the rows of fields that need no judge: those that are right, and those absent."""
    listed, unlisted = _settled_row(True, True, matched), _settled_row(False, True, matched)
    table = settled_rows(counted.right, layout.listing.expected_paths, listed, unlisted)
    if counted.absent:
        agreed = _settled_row(True, False, matched) if count_absent else NOT_SCORED
        table |= dict.fromkeys(counted.absent, agreed)
    return table


@lru_cache
def _settled_row(expected: bool, present: bool, matched: bool) -> Counts:
    """Return the row of a field that is right on both sides, or absent from both."""
    return row_of(all_right(int(present)), 1.0, 1.0, expected, present, present, matched)


NOT_SCORED: Counts = (1, *(0,) * (len(FIELDS) - 1))
"""The row of a field that is expected and not scored."""


def _scored_field(layout: Layout, method: str, rules: Rules, path: str, group: str) -> ScoredField:
    own = method_of(layout, path, group, method)
    return ScoredField(
        path,
        layout.listing.expects(path),
        path in layout.listing.expected_paths,
        METHODS.index(own),
        _unit(path, group, own),
        judge_of(layout, path, rules),
    )


def method_of(layout: Layout, path: str, group: str, method: str) -> str:
    """Return the method of a field: its own, the run's, or by `auto` whether its order counts.

    The order of a column is that of its rows, so the group decides about it.
    """
    field = layout.field(path).spec
    if field.method or method != AUTO:
        return field.method or method
    ordered = (layout.group(group).spec if group else field).match == "order"
    return ORDERED if ordered else "f1"


def _unit(path: str, group: str, method: str) -> str:
    """Return what a score counts for: a group's columns share one correlation, counted once."""
    return group if method == CORRELATION and group else path


def accuracies(
    case: Case,
    *,
    method: str,
    substitution: str,
    item_similarity: float,
    item_words: float,
    count_absent: bool,
) -> dict[str, float]:
    """Return the scores whose mean is a document's accuracy, by field (or group, see `_unit`)."""
    rules = _rules(item_similarity, item_words, substitution)
    counted = _counted(case, method, rules)
    groups: Mapping[str, float] = {}
    if any(column.method == BY_ROWS and contrast.group for column, contrast in counted.others):
        scored = judged(counted.others)
        groups = correlations(scored, _scores_of_rows(case, counted, scored, rules))
    scores = dict.fromkeys([*counted.right, *(counted.absent if count_absent else ())], 1.0)
    for column, contrast in counted.others:
        if column.method == BY_ROWS and contrast.group:
            scores[column.unit] = groups[contrast.group]
        else:
            own = METHODS[column.method]
            judge = judge_of(case.layout, column.path, rules)
            scores[column.unit] = judge.score(contrast, "f1" if own == CORRELATION else own)
    return scores


def _counted(case: Case, method: str, rules: Rules) -> CountedFields:
    """Return the fields of a document that count."""
    layout = case.layout
    right, present, flat = contents(case)
    number = len(right) + len(present)
    listed = layout.listing.expected_paths
    listed_right = count_known(right, listed)
    absent: list[str] = []
    if listed_right + count_known(present, listed) < len(listed):
        seen = {*right, *present}
        absent = [path for path in case.expected if path not in seen]
    if listed_right < len(right):
        right = [path for path in right if layout.listing.expects(path)]
    others = _counting_fields(present, layout, method, rules)
    return CountedFields(right, others, absent, number - len(right) - len(others), flat)


def _counting_fields(
    present: dict[str, Contrast], layout: Layout, method: str, rules: Rules
) -> list[tuple[ScoredField, Contrast]]:
    """Return those of these fields that count, with what is known of each."""
    place = (fields, method, rules)
    known = layout.kept.get(place)
    if known is None:
        known = layout.kept[place] = {}
    assert isinstance(known, dict)
    counting = counting_fields(present, known)
    if counting is None:
        for path, contrast in present.items():
            if (path, contrast.group) not in known:
                field = _scored_field(layout, method, rules, path, contrast.group)
                known[path, contrast.group] = field
        counting = counting_fields(present, known)
        assert counting is not None
    return counting


def judge_of(layout: Layout, path: str, rules: Rules) -> Judge:
    """Return who judges the values of a field."""
    place = (Judge, rules, path)
    judge = layout.kept.get(place)
    if judge is None:
        judge = layout.kept[place] = Judge(layout.field(path), rules)
    assert isinstance(judge, Judge)
    return judge


def _scores_of_rows(
    case: Case, counted: CountedFields, scored: list[Scored], rules: Rules
) -> dict[str, float]:
    """Return the F1 of rows by group type, but where every row is right."""
    if are_in_order(scored):  # where all columns are exactly right in their places, so is every row
        return {}
    # where no field was left out, rows are right as the matching counts them
    every_column = not counted.unlisted and (counted.flat or _is_flat(case))
    tallied = every_column and not rules.item_similarity and not rules.item_words
    return _tallied_scores(case) if tallied else _row_scores(case, scored, rules)


def _tallied_scores(case: Case) -> dict[str, float]:
    """Return the F1 of rows by group type, where a row is right if the matching says so."""
    return {
        path: f1(right, extra, missing) or 0.0
        for path, (right, extra, missing, _) in case.tally().groups.items()
    }


def _row_scores(case: Case, scored: Sequence[Scored], rules: Rules) -> dict[str, float]:
    """Return the F1 of rows by group type, where a row is right if its judges say so."""
    from docassay.metrics.fields.rows import row_scores

    judges = {field.path: judge_of(case.layout, field.path, rules) for field, _, _ in scored}
    return row_scores(case, judges.get)


def _is_flat(case: Case) -> bool:
    """Whether no row of a document has rows inside."""
    for document in (case.gold, case.pred):
        for rows in document.root.groups.values():
            if any([row.groups for row in rows]):
                return False
    return True


def _document(
    case: Case, marks: DocumentMarks, unlisted: int, table: dict[str, Counts]
) -> dict[str, Table]:
    """Return the tables of the document from what its fields come to."""
    tally = case.tally()
    perfect = marks.any and (tally.exact or not any_wrong(tally.fields, table))
    row = (int(marks.any), int(perfect), unlisted, marks.parted, *marks.means)
    stats: dict[str, Table] = {"documents": {"": row}}
    if case.layout.schema.types:
        gold_type = case.gold_type
        stats["types"] = {gold_type: (int(marks.any), marks.means[-1])}
        confusion: dict[Parts, Counts] = {(gold_type, case.pred_type): (1,)}
        stats["confusion"] = confusion
    return stats
