"""The metric `fields`: every field of a document scored by six methods, rows by correlation."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple
from weakref import WeakKeyDictionary

from docassay.matching.case import Case
from docassay.matching.tally import Tally
from docassay.metrics.fields.contrast import Contrast, contents
from docassay.metrics.fields.display import (
    SPECS,
    checklist,
    facts,
    headline,
    pictures,
    sections,
)
from docassay.metrics.fields.levels import documents
from docassay.metrics.fields.methods import STRICT, Judge, Marks, Rules, all_right
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
from docassay.model.stats import PARTS, Counts, Parts, Stats, Table, f1
from docassay.schema.layout import Layout

CORRELATION, ORDERED = "correlation_f1", "order_aware_f1"
PLAIN_METHODS = len(METHODS) - 1
"""The methods that a field is marked by alone; the last, correlation, asks for its rows."""


class ScoredColumn(NamedTuple):
    """What a field's score counts for, and who judges it."""

    path: str
    counts: bool
    """Whether the field belongs to the document type."""
    expected: bool
    method: int
    unit: str
    """The field itself, or its group: a group's columns share one correlation, counted once."""
    judge: Judge


Columns = dict[tuple[str, str], ScoredColumn]
"""By field and group, as far as documents have had them."""
Scored = tuple[ScoredColumn, Contrast, Marks]


class CountedFields(NamedTuple):
    """The fields of a document that count."""

    right: list[str]
    """Those of the document itself with one value, the same on both sides."""
    others: list[tuple[ScoredColumn, Contrast]]
    absent: list[str]
    """Those that are expected, and that neither side has."""
    unlisted: int
    """How many fields do not count."""
    flat: bool
    """Whether it is known that no row has rows inside."""


_judges: WeakKeyDictionary[Layout, dict[Rules, dict[str, Judge]]] = WeakKeyDictionary()
_columns: WeakKeyDictionary[Layout, dict[tuple[str, Rules], Columns]] = WeakKeyDictionary()


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
    rules = Rules(item_similarity, item_words, substitution == "fn")
    counted = _counted(case, method, rules)
    scored: list[Scored] = []
    for column, contrast in counted.others:
        right = not contrast.gold_cells and contrast.same_places
        marks = all_right(contrast.golds) if right else column.judge.judge(contrast)
        scored.append((column, contrast, marks))
    groups = _correlations(case, counted, scored, rules)
    table = _settled_rows(case.layout, counted, matched_above, count_absent=count_absent)
    shared: dict[str, float] = {}
    by_unit: dict[str, float] = {}
    for column, contrast, marks in scored:
        path, group = column.path, contrast.group
        correlation = groups[group] if group else marks.f1
        accuracy = correlation if column.method == PLAIN_METHODS else marks[column.method]
        shared[group or path] = correlation
        by_unit[column.unit] = accuracy
        flags = column.expected, contrast.golds > 0, contrast.preds > 0, accuracy > matched_above
        table[path] = _counts(flags, marks, correlation, accuracy)
    perfect = len(counted.right) + (len(counted.absent) if count_absent else 0)
    rates = [*zip(*[marks for _, _, marks in scored], strict=True)] or NO_RATES
    means = [
        _mean(column, perfect)
        for column in (*rates[:PLAIN_METHODS], shared.values(), by_unit.values())
    ]
    left = counted.unlisted, sum(rates[-1])
    return {
        "fields": table,
        "groups": {path: (1, _parts(value)) for path, value in groups.items()},
        **_document(case, means, left, table),
    }


def _settled_rows(
    layout: Layout, counted: CountedFields, matched_above: float, *, count_absent: bool
) -> dict[str, Counts]:
    """Return the rows of fields that need no judge: those that are right, and those absent."""
    matched, expected = matched_above < 1.0, layout.listing.expected_paths
    rows = [
        _counts((False, True, True, matched), all_right(1), 1.0, 1.0),
        _counts((True, True, True, matched), all_right(1), 1.0, 1.0),
    ]
    table = {path: rows[path in expected] for path in counted.right}
    if counted.absent:
        agreed = _counts((True, False, False, matched), all_right(0), 1.0, 1.0)
        table |= dict.fromkeys(counted.absent, agreed if count_absent else NOT_SCORED)
    return table


NO_RATES: list[tuple[float, ...]] = [()] * len(Marks._fields)
NOT_SCORED: Counts = (1, *(0,) * (len(FIELDS) - 1))
"""The row of a field that is expected and not scored."""


def _mean(rates: Collection[float], perfect: int) -> float | None:
    """Return the mean of rates and of so many more that are 1."""
    number = len(rates) + perfect
    return (sum(rates) + perfect) / number if number else None


def _columns_of(layout: Layout, method: str, rules: Rules) -> Columns:
    """Return the columns of a layout so far."""
    of_layout = _columns.get(layout)
    if of_layout is None:
        of_layout = _columns[layout] = {}
    return of_layout.setdefault((method, rules), {})


def _column(layout: Layout, path: str, group: str, method: str, rules: Rules) -> ScoredColumn:
    own = method_of(layout, path, group, method)
    column = ScoredColumn(
        path,
        layout.listing.expects(path),
        path in layout.listing.expected_paths,
        METHODS.index(own),
        _unit(path, group, own),
        judge_of(layout, path, rules),
    )
    _columns_of(layout, method, rules)[path, group] = column
    return column


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
    rules = Rules(item_similarity, item_words, substitution == "fn")
    counted = _counted(case, method, rules)
    groups: Mapping[str, float] = {}
    if any(
        column.method == PLAIN_METHODS and contrast.group for column, contrast in counted.others
    ):
        scored = [
            (column, contrast, column.judge.judge(contrast)) for column, contrast in counted.others
        ]
        groups = _correlations(case, counted, scored, rules)
    scores = dict.fromkeys([*counted.right, *(counted.absent if count_absent else ())], 1.0)
    for column, contrast in counted.others:
        if column.method == PLAIN_METHODS and contrast.group:
            scores[column.unit] = groups[contrast.group]
        else:
            own = METHODS[column.method]
            score = column.judge.score(contrast, "f1" if own == CORRELATION else own)
            scores[column.unit] = score
    return scores


def _counted(case: Case, method: str, rules: Rules) -> CountedFields:
    """Return the fields of a document that count."""
    layout = case.layout
    right, present, flat = contents(case.gold.root, case.pred.root)
    seen = {*right, *present}
    absent = [path for path in case.expected if path not in seen]
    if layout.kind is not None:
        right = [path for path in right if layout.listing.expects(path)]
    columns = _columns_of(layout, method, rules)
    others = []
    for path, contrast in present.items():
        column = columns.get((path, contrast.group)) or _column(
            layout, path, contrast.group, method, rules
        )
        if column.counts:
            others.append((column, contrast))
    return CountedFields(right, others, absent, len(seen) - len(right) - len(others), flat)


def judge_of(layout: Layout, path: str, rules: Rules) -> Judge:
    """Return who judges the values of a field."""
    judges = _judges.setdefault(layout, {}).setdefault(rules, {})
    judge = judges.get(path)
    if judge is None:
        judge = judges[path] = Judge(layout.field(path), rules)
    return judge


def _correlations(
    case: Case, counted: CountedFields, scored: Sequence[Scored], rules: Rules
) -> dict[str, float]:
    """Return for each group the mean of its columns' F1 (their mean) and of its rows' F1."""
    columns: dict[str, list[float]] = {}
    in_order = True
    for _, contrast, marks in scored:
        group = contrast.group
        if group:
            columns.setdefault(group, []).append(marks.f1)
            in_order = in_order and marks.exact == 1.0 and contrast.same_places
    rows: Mapping[str, float] = {}
    if not in_order:  # where all columns are exactly right in their places, so is every row
        # where no field was left out, rows are right as the matching counts them
        every_column = not counted.unlisted and (counted.flat or _is_flat(case))
        tallied = every_column and not rules.item_similarity and not rules.item_words
        rows = _tallied_scores(case) if tallied else _row_scores(case, scored)
    return {
        group: (sum(scores) / len(scores) + rows.get(group, 1.0)) / 2
        for group, scores in columns.items()
    }


def _tallied_scores(case: Case) -> dict[str, float]:
    """Return the F1 of rows by group type, where a row is right if the matching says so."""
    return {
        path: f1(right, extra, missing) or 0.0
        for path, (right, extra, missing, _) in case.tally().groups.items()
    }


def _row_scores(case: Case, scored: Sequence[Scored]) -> dict[str, float]:
    """Return the F1 of rows by group type, where a row is right if its judges say so."""
    from docassay.metrics.fields.rows import row_scores

    judges = {column.path: column.judge for column, _, _ in scored}
    return row_scores(case, judges.get)


def _is_flat(case: Case) -> bool:
    """Whether no row of a document has rows inside."""
    for document in (case.gold, case.pred):
        for rows in document.root.groups.values():
            if any([row.groups for row in rows]):
                return False
    return True


@lru_cache(4096)
def _counts(
    flags: tuple[bool, bool, bool, bool], marks: Marks, correlation: float, accuracy: float
) -> Counts:
    """Return the row of a field, kept because a few rows make up most of a run.

    `flags`: whether it is expected, in gold, in pred, and matched.
    """
    expected, gold, pred, matched = map(int, flags)
    return (
        *(expected, gold, pred, gold | pred, 1, matched),
        *(marks.tp, marks.fp, marks.fn),
        *[_parts(rate) for rate in marks[:PLAIN_METHODS]],
        _parts(correlation),
        _parts(accuracy),
        _parts(accuracy * accuracy),
    )


def _document(
    case: Case,
    means: Sequence[float | None],
    left: tuple[int, int],
    table: Mapping[str, Counts],
) -> Stats:
    """Return the tables of the document from its means by method and its accuracy.

    `left` counts fields unlisted and lists in parts.
    """
    accuracy = means[-1]
    tally = case.tally()
    perfect = int(accuracy is not None and (tally.exact or not _any_wrong(tally, table)))
    number = int(accuracy is not None)
    parts = [_parts(mean or 0.0) for mean in means]
    stats: dict[str, Table] = {"documents": {"": (number, perfect, *left, *parts)}}
    if case.layout.schema.types:
        stats["types"] = {case.gold_type: (number, _parts(accuracy or 0.0))}
        confusion: dict[Parts, Counts] = {(case.gold_type, case.pred_type): (1,)}
        stats["confusion"] = confusion
    return stats


def _any_wrong(tally: Tally, table: Mapping[str, Counts]) -> bool:
    """Whether anything but right values was counted for a field in a table."""
    for path, (_, substituted, added, deleted) in tally.fields.items():
        if (substituted or added or deleted) and path in table:
            return True
    return False


def _parts(value: float) -> int:
    return round(value * PARTS)
