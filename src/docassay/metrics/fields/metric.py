"""The metric `fields`: every field of a document scored by six methods, rows by correlation."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

from docassay.matching.case import Case, Matching
from docassay.metrics.fields.display import (
    SPECS,
    checklist,
    facts,
    headline,
    pictures,
    sections,
)
from docassay.metrics.fields.levels import documents
from docassay.metrics.fields.methods import ABSENT, STRICT, Items, Judge, Marks, Rules, items_of
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
from docassay.model.document import Group
from docassay.model.schema import METHODS
from docassay.model.stats import PARTS, Counts, Parts, Stats, Table, f1
from docassay.schema.layout import Layout

if TYPE_CHECKING:
    from docassay.matching.case import Case


CORRELATION, ORDERED = "correlation_f1", "order_aware_f1"
AGREED = Marks(1.0, 1.0, 1.0, 1.0, 1.0, 0, 0, 0)
"""What a field gets that is absent on both sides, where that counts."""

PLAIN_METHODS = len(METHODS) - 1
"""The methods that a field is marked by alone; the last, correlation, asks for its rows."""
ALL_RIGHT = (1.0,) * PLAIN_METHODS
NOT_SCORED: tuple[Counts, Counts] = (
    (0,) * len(FIELDS),
    (1, *(0,) * (len(FIELDS) - 1)),
)
"""The row of a field that was not scored: of one that was not expected, of one that was."""

_judges: WeakKeyDictionary[Layout, dict[Rules, dict[str, Judge]]] = WeakKeyDictionary()


class Scored(NamedTuple):
    """One field of one document: its items on both sides, and its marks if it was scored."""

    gold: Items
    pred: Items
    marks: Marks | None


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
    scored, unlisted = _score(case, rules, count_absent=count_absent)
    groups = _correlations(case, scored, rules, every_column=not unlisted)
    columns = _columns_of(case.layout, method)
    table: dict[str, Counts] = {}
    evaluated: list[Marks] = []
    shared: dict[str, float] = {}
    by_unit: dict[str, float] = {}
    parted = 0
    for path, (gold, pred, marks) in scored.items():
        group = gold.group or pred.group
        column = columns.get((path, group)) or _column(case.layout, path, group, method)
        if marks is None:
            table[path] = NOT_SCORED[column.expected]
            continue
        evaluated.append(marks)
        parted += marks.parted
        correlation = groups.get(group, marks.f1)
        accuracy = correlation if column.method == PLAIN_METHODS else marks[column.method]
        shared[group or path] = correlation
        by_unit[column.unit] = accuracy
        table[path] = _counts(
            column.expected, (gold, pred), marks, (correlation, accuracy), matched_above
        )
    rates = [*zip(*evaluated, strict=True)][:PLAIN_METHODS] or [()] * PLAIN_METHODS
    means = [_mean(column) for column in (*rates, shared.values(), by_unit.values())]
    judged = [path for path, score in scored.items() if score.marks is not None]
    return {
        "fields": table,
        "groups": {path: (1, _parts(value)) for path, value in groups.items()},
        **_document(case, means, (unlisted, parted), judged),
    }


class ScoredColumn(NamedTuple):
    """What a field's score counts for."""

    expected: bool
    method: int
    unit: str
    """The field itself, or its group: a group's columns share one correlation, counted once."""


_columns: WeakKeyDictionary[Layout, dict[str, dict[tuple[str, str], ScoredColumn]]] = (
    WeakKeyDictionary()
)


def _columns_of(layout: Layout, method: str) -> dict[tuple[str, str], ScoredColumn]:
    """Return the columns of a layout so far, by field and group."""
    return _columns.setdefault(layout, {}).setdefault(method, {})


def _column(layout: Layout, path: str, group: str, method: str) -> ScoredColumn:
    own = method_of(layout, path, group, method)
    column = ScoredColumn(
        path in layout.listing.expected_paths, METHODS.index(own), _unit(path, group, own)
    )
    _columns_of(layout, method)[path, group] = column
    return column


def _mean(rates: Collection[float]) -> float | None:
    return sum(rates) / len(rates) if rates else None


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
    counted, _ = _counted(case)
    methods = {
        path: method_of(case.layout, path, gold.group or pred.group, method)
        for path, (gold, pred) in counted.items()
    }
    groups: Mapping[str, float] = {}
    if CORRELATION in methods.values():
        scored, _ = _score(case, rules, count_absent=count_absent)
        groups = _correlations(case, scored, rules)
    scores = {}
    for path, (gold, pred) in counted.items():
        if not (gold.readings or pred.readings or count_absent):
            continue
        group, own = gold.group or pred.group, methods[path]
        if not gold.readings and not pred.readings:
            score = 1.0
        elif own == CORRELATION and group:
            score = groups[group]
        else:
            judge = judge_of(case.layout, path, rules)
            score = judge.score(gold, pred, "f1" if own == CORRELATION else own)
        scores[_unit(path, group, own)] = score
    return scores


def _counted(case: Case) -> tuple[dict[str, tuple[Items, Items]], int]:
    """Return the items of every field that counts, and how many other fields were predicted."""
    golds, preds = items_of(case.gold.root), items_of(case.pred.root)
    layout = case.layout
    seen = dict.fromkeys((*golds, *preds))
    extra = {path for path in seen if not layout.listing.expects(path)}
    counted = {
        path: (golds.get(path, ABSENT), preds.get(path, ABSENT))
        for path in dict.fromkeys((*case.expected, *seen))
        if path not in extra
    }
    return counted, len(extra)


def _score(case: Case, rules: Rules, *, count_absent: bool) -> tuple[dict[str, Scored], int]:
    """Return every field that counts, and how many others were predicted."""
    counted, extra = _counted(case)
    judges = _judges_of(case.layout, rules)
    scored = {}
    for path, (gold, pred) in counted.items():
        marks = AGREED if count_absent else None
        if gold.readings or pred.readings:
            judge = judges.get(path) or judge_of(case.layout, path, rules)
            marks = judge.judge(gold, pred)
        scored[path] = Scored(gold, pred, marks)
    return scored, extra


def judge_of(layout: Layout, path: str, rules: Rules) -> Judge:
    """Return who judges the values of a field."""
    judges = _judges_of(layout, rules)
    judge = judges.get(path)
    if judge is None:
        judge = judges[path] = Judge(layout.field(path), rules)
    return judge


def _judges_of(layout: Layout, rules: Rules) -> dict[str, Judge]:
    """Return the judges of a layout so far, by field."""
    return _judges.setdefault(layout, {}).setdefault(rules, {})


def _correlations(
    case: Case, scored: Mapping[str, Scored], rules: Rules, *, every_column: bool = False
) -> dict[str, float]:
    """Return for each group the mean of its columns' F1 (their mean) and of its rows' F1.

    `every_column`: no field was left out, so that rows are right as the matching counts them.
    """
    columns: dict[str, list[Scored]] = {}
    for column in scored.values():
        group = column.gold.group or column.pred.group
        if group:
            columns.setdefault(group, []).append(column)
    if not columns:
        return {}
    rows: Mapping[str, float] = {}
    if not all(_in_order(column) for scores in columns.values() for column in scores):
        if every_column and not rules.item_similarity and not rules.item_words and is_flat(case):
            rows = {
                path: f1(right, extra, missing) or 0.0
                for path, (right, extra, missing, _) in case.tally().groups.items()
            }
        else:
            judges = _judges_of(case.layout, rules)
            rows = row_scores(case, lambda path: judges[path] if path in scored else None)
    scores = {}
    for group, ones in columns.items():
        marks = [column.marks.f1 for column in ones if column.marks is not None]
        scores[group] = (sum(marks) / len(marks) + rows.get(group, 1.0)) / 2
    return scores


def is_flat(case: Case) -> bool:
    """Whether no row of a document has rows inside."""
    return not any(
        row.groups
        for document in (case.gold, case.pred)
        for rows in document.root.groups.values()
        for row in rows
    )


def _in_order(one: Scored) -> bool:
    """Whether a column is exactly right where it stands: if all are, so is every row."""
    return (
        one.marks is not None
        and one.marks.exact == 1.0
        and one.gold.positions == one.pred.positions
    )


def _counts(
    expected: bool,
    items: tuple[Items, Items],
    marks: Marks,
    scores: tuple[float, float],
    matched_above: float,
) -> Counts:
    """Return the row of a field by its marks, and by its correlation and its accuracy."""
    gold, pred = bool(items[0].readings), bool(items[1].readings)
    correlation, accuracy = scores
    if accuracy == 1.0 and marks[:PLAIN_METHODS] == ALL_RIGHT:
        # most fields of most documents are wholly right
        parts = PARTS if correlation == 1.0 else round(correlation * PARTS)
        matched = int(matched_above < 1.0)
        evaluated = int(gold or pred)
        return (
            *(int(expected), int(gold), int(pred), evaluated, 1, matched, marks.tp, 0, 0),
            *(PARTS, PARTS, PARTS, PARTS, PARTS, parts, PARTS, PARTS),
        )
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
    tallied = tally.fields
    wrong = not tally.exact and any(sum(tallied[path][1:]) for path in evaluated if path in tallied)
    perfect = int(accuracy is not None and not wrong)
    parts = (_parts(mean or 0.0) for mean in means)
    stats: dict[str, Table] = {"documents": {"": (scored, perfect, *left, *parts)}}
    if case.layout.schema.types:
        stats["types"] = {case.gold_type: (scored, _parts(accuracy or 0.0))}
        confusion: dict[Parts, Counts] = {(case.gold_type, case.pred_type): (1,)}
        stats["confusion"] = confusion
    return stats


def _parts(value: float) -> int:
    return round(value * PARTS)


JudgeOf = Callable[[str], Judge | None]
"""Field path -> who judges its values, None for a field that does not count."""


def row_scores(case: Case, judge_of: JudgeOf) -> dict[str, float]:
    """Return the F1 of rows by group type, rows paired as `kieval` pairs them.

    A row answers for its own cells; rows inside it are rows of their own type.
    """
    matching = case.matching()
    counts: dict[str, list[int]] = {}
    _count(matching, matching.gold, matching.pred, judge_of, counts)
    return {
        path: f1(right, preds - right, golds - right) or 0.0
        for path, (right, golds, preds) in counts.items()
    }


def _count(
    matching: Matching,
    gold: Group | None,
    pred: Group | None,
    judge_of: JudgeOf,
    counts: dict[str, list[int]],
) -> None:
    for path, matched in matching.inside(gold, pred):
        own = counts.setdefault(path, [0, 0, 0])
        settled = matched.settled.pairs
        for i in range(3):
            own[i] += len(settled)
        for gold_row, pred_row in settled:
            if gold_row.groups:
                _count(matching, gold_row, pred_row, judge_of, counts)
        for row, partner in matched.others:
            own[0] += row is not None and partner is not None and _right(row, partner, judge_of)
            own[1] += row is not None
            own[2] += partner is not None
            _count(matching, row, partner, judge_of, counts)


def _right(gold: Group, pred: Group, judge_of: JudgeOf) -> bool:
    for path in gold.values.keys() | pred.values.keys():
        judge = judge_of(path)
        if judge is None:
            continue
        if not judge.all_match(gold.values.get(path, ()), pred.values.get(path, ())):
            return False
    return True
