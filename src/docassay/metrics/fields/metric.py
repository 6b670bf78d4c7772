"""The metric `fields`: every field of a document scored by six methods, rows by correlation."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple
from weakref import WeakKeyDictionary

from docassay.matching.case import Case
from docassay.metrics.fields.contrast import NOWHERE, Contrast, contrasts
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
    readouts,
)
from docassay.metrics.fields.unseen import UNSEEN
from docassay.metrics.metric import metric
from docassay.model.schema import METHODS
from docassay.model.stats import PARTS, Counts, Parts, Stats, Table, f1
from docassay.schema.layout import Layout

CORRELATION, ORDERED = "correlation_f1", "order_aware_f1"
AGREED = all_right(0)
"""What a field gets that is absent on both sides, where that counts."""

PLAIN_METHODS = len(METHODS) - 1
"""The methods that a field is marked by alone; the last, correlation, asks for its rows."""
NOT_SCORED: tuple[Counts, Counts] = (
    (0,) * len(FIELDS),
    (1, *(0,) * (len(FIELDS) - 1)),
)
"""The row of a field that was not scored: of one that was not expected, of one that was."""


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


Scored = tuple[ScoredColumn, Contrast, Marks | None]
"""One field of one document, and its marks if it was scored."""
Columns = dict[tuple[str, str], ScoredColumn]
"""By field and group, as far as documents have had them."""

_judges: WeakKeyDictionary[Layout, dict[Rules, dict[str, Judge]]] = WeakKeyDictionary()
_columns: WeakKeyDictionary[Layout, dict[tuple[str, Rules], Columns]] = WeakKeyDictionary()


@metric(
    "fields",
    version=2,
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
    scored, unlisted = _score(case, method, rules, count_absent=count_absent)
    groups = _correlations(case, scored, rules, every_column=not unlisted)
    table: dict[str, Counts] = {}
    evaluated: list[Marks] = []
    shared: dict[str, float] = {}
    by_unit: dict[str, float] = {}
    judged: list[str] = []
    parted = 0
    for column, contrast, marks in scored:
        path = column.path
        if marks is None:
            table[path] = NOT_SCORED[column.expected]
            continue
        group = contrast.group
        evaluated.append(marks)
        judged.append(path)
        parted += marks.parted
        correlation = groups[group] if group else marks.f1
        accuracy = correlation if column.method == PLAIN_METHODS else marks[column.method]
        shared[group or path] = correlation
        by_unit[column.unit] = accuracy
        present = (contrast.golds > 0, contrast.preds > 0)
        table[path] = _counts(
            column.expected, present, marks, (correlation, accuracy), matched_above
        )
    rates = [*zip(*evaluated, strict=True)][:PLAIN_METHODS] or [()] * PLAIN_METHODS
    means = [_mean(column) for column in (*rates, shared.values(), by_unit.values())]
    return {
        "fields": table,
        "groups": {path: (1, _parts(value)) for path, value in groups.items()},
        **_document(case, means, (unlisted, parted), judged),
    }


def _mean(rates: Collection[float]) -> float | None:
    return sum(rates) / len(rates) if rates else None


def _columns_of(layout: Layout, method: str, rules: Rules) -> Columns:
    """Return the columns of a layout so far."""
    return _columns.setdefault(layout, {}).setdefault((method, rules), {})


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
    counted, _ = _counted(case, method, rules)
    groups: Mapping[str, float] = {}
    if any(column.method == PLAIN_METHODS for column, _ in counted):
        scored, _ = _score(case, method, rules, count_absent=count_absent)
        groups = _correlations(case, scored, rules)
    scores = {}
    for column, contrast in counted:
        if not contrast.golds and not contrast.preds:
            if not count_absent:
                continue
            score = 1.0
        elif column.method == PLAIN_METHODS and contrast.group:
            score = groups[contrast.group]
        else:
            own = METHODS[column.method]
            score = column.judge.score(contrast, "f1" if own == CORRELATION else own)
        scores[column.unit] = score
    return scores


def _counted(
    case: Case, method: str, rules: Rules
) -> tuple[list[tuple[ScoredColumn, Contrast]], int]:
    """Return every field that counts, and how many other fields were predicted."""
    layout = case.layout
    present = contrasts(case.gold.root, case.pred.root)
    columns = _columns_of(layout, method, rules)
    counted = []
    extra = 0
    for path in {**dict.fromkeys(case.expected), **present}:
        contrast = present.get(path, NOWHERE)
        column = columns.get((path, contrast.group)) or _column(
            layout, path, contrast.group, method, rules
        )
        if column.counts:
            counted.append((column, contrast))
        else:
            extra += 1
    return counted, extra


def _score(
    case: Case, method: str, rules: Rules, *, count_absent: bool
) -> tuple[list[Scored], int]:
    """Return every field that counts with its marks, and how many others were predicted."""
    counted, extra = _counted(case, method, rules)
    absent = AGREED if count_absent else None
    scored: list[Scored] = []
    for column, contrast in counted:
        marks = absent
        if contrast is not NOWHERE:
            right = not contrast.gold_cells and contrast.same_places
            marks = all_right(contrast.golds) if right else column.judge.judge(contrast)
        scored.append((column, contrast, marks))
    return scored, extra


def judge_of(layout: Layout, path: str, rules: Rules) -> Judge:
    """Return who judges the values of a field."""
    judges = _judges.setdefault(layout, {}).setdefault(rules, {})
    judge = judges.get(path)
    if judge is None:
        judge = judges[path] = Judge(layout.field(path), rules)
    return judge


def _correlations(
    case: Case, scored: Sequence[Scored], rules: Rules, *, every_column: bool = False
) -> dict[str, float]:
    """Return for each group the mean of its columns' F1 (their mean) and of its rows' F1.

    `every_column`: no field was left out, so that rows are right as the matching counts them.
    """
    columns: dict[str, list[float]] = {}
    in_order = True
    for _, contrast, marks in scored:
        group = contrast.group
        if group and marks is not None:
            columns.setdefault(group, []).append(marks.f1)
            in_order = in_order and marks.exact == 1.0 and contrast.same_places
    rows: Mapping[str, float] = {}
    if not in_order:  # where all columns are exactly right in their places, so is every row
        tallied = every_column and not rules.item_similarity and not rules.item_words
        rows = _tallied_scores(case) if tallied and _is_flat(case) else _row_scores(case, scored)
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
    expected: bool,
    present: tuple[bool, bool],
    marks: Marks,
    scores: tuple[float, float],
    matched_above: float,
) -> Counts:
    """Return the row of a field by its marks, and by its correlation and its accuracy.

    Few rows make up most of a run, so they are kept.
    """
    gold, pred = present
    correlation, accuracy = scores
    return (
        int(expected),
        int(gold),
        int(pred),
        int(gold or pred),
        1,
        int(accuracy > matched_above),
        marks.tp,
        marks.fp,
        marks.fn,
        *[round(rate * PARTS) for rate in marks[:PLAIN_METHODS]],
        round(correlation * PARTS),
        round(accuracy * PARTS),
        round(accuracy * accuracy * PARTS),
    )


def _document(
    case: Case,
    means: Sequence[float | None],
    left: tuple[int, int],
    evaluated: Iterable[str],
) -> Stats:
    """Return the tables of the document from its means by method and its accuracy.

    `left` counts fields unlisted and lists in parts.
    """
    accuracy = means[-1]
    scored = int(accuracy is not None)
    tally = case.tally()
    wrong = not tally.exact and _any_wrong(tally.fields, evaluated)
    perfect = int(accuracy is not None and not wrong)
    parts = [_parts(mean or 0.0) for mean in means]
    stats: dict[str, Table] = {"documents": {"": (scored, perfect, *left, *parts)}}
    if case.layout.schema.types:
        stats["types"] = {case.gold_type: (scored, _parts(accuracy or 0.0))}
        confusion: dict[Parts, Counts] = {(case.gold_type, case.pred_type): (1,)}
        stats["confusion"] = confusion
    return stats


def _any_wrong(tallied: Mapping[str, Sequence[int]], paths: Iterable[str]) -> bool:
    """Whether anything but right values was counted for some fields."""
    for path in paths:
        counts = tallied.get(path)
        if counts is not None and any(counts[1:]):
            return True
    return False


def _parts(value: float) -> int:
    return round(value * PARTS)
