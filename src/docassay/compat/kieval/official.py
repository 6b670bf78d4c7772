"""The metric `kieval_official`: the numbers of the code released with the KIEval paper.

Where that code departs from the paper, this metric departs with it; each such place is named in
docs/reference/kieval-official.md. Four whole numbers a row carry all that the tool keeps: a label
is a true positive or a false negative, and what is wrong on both sides is unmatched on neither.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from docassay.compat.kieval.cells import EMPTY, Row, filled, parts, present, read_cells
from docassay.errors import UnknownName
from docassay.metrics.metric import Context, Readout, Totals, metric
from docassay.model.report import GROUP, SHARE, ReadoutSpec, hidden
from docassay.model.stats import Counts, Parts, Stats, parts_table, text_table

if TYPE_CHECKING:
    from docassay.matching.case import Case

COLUMNS = ("tp", "fp", "fn", "wrong")
ZEROS = (0, 0, 0, 0)
TABLES = {
    **dict.fromkeys(("values", "cells", "rows"), COLUMNS),
    "documents": ("exact", "scored"),
}
"""Values outside groups by field, cells by group type and field, rows by group type."""

Scores = NDArray[np.int64]
Pairs = list[tuple[int, int]]


def _hungarian(scores: Scores) -> Pairs:
    # the tool's own call: which of several best assignments comes back is part of its numbers
    gold, pred = linear_sum_assignment(-scores)
    return list(zip(gold.tolist(), pred.tolist(), strict=True))


def _greedy(scores: Scores) -> Pairs:
    order = sorted(np.ndindex(scores.shape), key=lambda pair: -scores[pair])
    golds: set[int] = set()
    preds: set[int] = set()
    pairs = []
    for gold, pred in order:
        if gold not in golds and pred not in preds:
            golds.add(gold)
            preds.add(pred)
            pairs.append((gold, pred))
    return pairs


STRATEGIES: Mapping[str, Callable[[Scores], Pairs]] = {
    "hungarian": _hungarian,
    "max_em_score": _greedy,
}


class GroupResult(NamedTuple):
    """What a group type of one document adds to the counts, and whether it is flawless."""

    cells: list[tuple[str, Counts]]
    rows: Counts
    exact: bool


def score_group(gold: list[Row], pred: list[Row], *, strategy: str, split: bool) -> GroupResult:
    """Pair the rows of one group type and count their cells."""
    scores = _scores(gold, pred, split)
    pairs = STRATEGIES[strategy](scores)
    cells = [cell for i, j in pairs for cell in _paired(gold[i], pred[j], split)]
    missed = _left_out(gold, {i for i, _ in pairs})
    extra = _left_out(pred, {j for _, j in pairs})
    cells += [(field, _count(texts, [])) for row in missed for field, texts in _alone(row, split)]
    cells += [(field, _count([], texts)) for row in extra for field, texts in _alone(row, split)]
    same = sum(filled(gold[i]) == filled(pred[j]) for i, j in pairs)
    wrong = len(pairs) - same
    rows = (same, wrong + len(extra), wrong + len(missed), wrong)
    overlap = any(scores[pair] for pair in pairs)
    return GroupResult(cells, rows, overlap and not any(fp or fn for _, (_, fp, fn, _) in cells))


def _left_out(rows: list[Row], paired: set[int]) -> list[Row]:
    return [row for index, row in enumerate(rows) if index not in paired]


def _count(gold: list[str], pred: list[str]) -> Counts:
    tp = (Counter(gold) & Counter(pred)).total()
    fp, fn = len(pred) - tp, len(gold) - tp
    return tp, fp, fn, min(fp, fn)


def _scores(gold: list[Row], pred: list[Row], split: bool) -> Scores:
    """Return the number of equal values of each pair of rows, a line a gold row."""
    scores = np.zeros((len(gold), len(pred)), dtype=np.int64)
    holders: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for j, row in enumerate(pred):
        for value, count in _values(row, split).items():
            holders.setdefault(value, []).append((j, count))
    for i, row in enumerate(gold):
        for value, count in _values(row, split).items():
            for j, held in holders.get(value, ()):
                scores[i, j] += min(count, held)
    return scores


def _values(row: Row, split: bool) -> Counter[tuple[str, str]]:
    return Counter((field, part) for field, text in row.items() for part in present(text, split))


def _paired(gold: Row, pred: Row, split: bool) -> Iterator[tuple[str, Counts]]:
    # an empty part of a filled cell ("A||<empty>") counts as a value here, and only here
    golds = {field: parts(text, split) for field, text in filled(gold).items()}
    preds = {field: parts(text, split) for field, text in filled(pred).items()}
    for field in golds | preds:
        yield field, _count(golds.get(field, []), preds.get(field, []))


def _alone(row: Row, split: bool) -> Iterator[tuple[str, list[str]]]:
    # when splitting, the tool opens a row of zeros also for the empty cells of an unpaired row
    for field, text in row.items():
        if split or text != EMPTY:
            yield field, present(text, split)


def _outside(gold: str | None, pred: str | None, split: bool) -> Counts:
    if gold is None:
        return 0, 1, 0, 0  # one value however many it merges: the tool splits only what gold has
    return _count(present(gold, split), [] if pred is None else present(pred, split))


_SHARES = ("macro_f1", "recall", "precision", "accuracy", "aligned")
_COUNTS = ("label", "wrong_match", "no_match", "exact_match")
SPECS = (
    ReadoutSpec("entity_f1", label="official F1", column=87),
    *hidden(*_SHARES, unit=SHARE),
    *hidden(*_COUNTS, "documents_exact"),
    ReadoutSpec("group_f1", GROUP, label="official F1", column=80),
    *hidden("group_entity_f1", *(f"group_{name}" for name in _SHARES), kind=GROUP, unit=SHARE),
    *hidden(*(f"group_{name}" for name in _COUNTS), kind=GROUP),
)


def readouts(totals: Totals, context: Context) -> Iterator[Readout]:
    """Yield the tool's total rows, its rows by entity key and group type, and exact documents."""
    values = text_table(totals, "values")
    cells = parts_table(totals, "cells")
    rows = text_table(totals, "rows")
    exact, scored = text_table(totals, "documents").get("", (0, 0))
    entities = _entity_rows(values, cells)
    overall, grouping = _totals(entities, values, cells, rows)
    # with nothing but empty documents the tool stops on a division by zero
    yield from _read("", "", overall if scored else None)
    yield from _read("group_", "", grouping if scored else None)
    yield Readout("documents_exact", "", exact if scored else None, scored)
    for key, row in sorted(entities.items()):
        yield from _read("", key, Measured(row.counts))
    for kind, counts in sorted(rows.items()):
        yield from _read("group_", kind, Measured(counts))


class EntityRow(NamedTuple):
    """The counts that the tool prints for an entity key, and the lists of F1s it enters."""

    counts: Counts
    in_group_macro: bool
    in_value_macro: bool


class Measured(NamedTuple):
    """Counts, and the F1s whose mean is the macro F1; None for a row that stands alone."""

    counts: Counts
    f1s: tuple[float, ...] | None = None


def _entity_rows(
    values: Mapping[str, Counts], cells: Mapping[Parts, Counts]
) -> dict[str, EntityRow]:
    """Return the rows by the tool's names: of two groups with one key the later one is kept."""
    rows: dict[str, EntityRow] = {}
    for (kind, field), counts in sorted(cells.items(), key=lambda cell: _group_order(cell[0][0])):
        if "." in field:
            rows[field] = EntityRow(counts, in_group_macro=True, in_value_macro=True)
        else:
            name = f"{field}.{kind}.group"
            rows[name] = EntityRow(counts, in_group_macro=False, in_value_macro=False)
    for field, counts in values.items():
        grouped = field in rows
        rows[field] = EntityRow(counts, in_group_macro=grouped, in_value_macro=True)
    return rows


def _group_order(kind: str) -> tuple[int, str]:
    return (int(kind), "") if kind.isdecimal() else (-1, kind)


def _totals(
    entities: Mapping[str, EntityRow],
    values: Mapping[str, Counts],
    cells: Mapping[Parts, Counts],
    rows: Mapping[str, Counts],
) -> tuple[Measured, Measured | None]:
    """Return the tool's total.kieval and total.grouping; a part without gold labels vanishes."""
    value_counts, cell_counts = _sum(values.values()), _sum(cells.values())
    f1s: list[float] = []
    labelled = []
    if _label(value_counts) > 0:
        labelled.append(value_counts)
        f1s += [_f1(row.counts) for row in entities.values() if row.in_value_macro]
        f1s += [_f1(counts) for counts in rows.values()]
    if _label(cell_counts) == 0:
        return Measured(_sum(labelled), tuple(f1s)), None
    labelled.append(cell_counts)
    f1s += [_f1(row.counts) for row in entities.values() if row.in_group_macro]
    every = tuple(_f1(row.counts) for row in entities.values())
    return Measured(_sum(labelled), tuple(f1s)), Measured(_sum(rows.values()), every)


def _sum(parts: Iterable[Counts]) -> Counts:
    return tuple(map(sum, zip(ZEROS, *parts, strict=True)))


def _label(counts: Counts) -> int:
    tp, _, fn, _ = counts
    return tp + fn


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def _f1(counts: Counts) -> float:
    # from precision and recall, not from counts: equal to the tool's to the last digit
    tp, fp, fn, _ = counts
    precision, recall = _share(tp, tp + fp), _share(tp, tp + fn)
    return _share(2 * (precision * recall), precision + recall)


def _numbers(measured: Measured) -> dict[str, float | int]:
    tp, fp, fn, wrong = measured.counts
    f1 = _f1(measured.counts)
    f1s = (f1,) if measured.f1s is None else measured.f1s
    return {
        "entity_f1": f1,
        "macro_f1": _share(math.fsum(f1s), len(f1s)),
        "recall": _share(tp, tp + fn),
        "precision": _share(tp, tp + fp),
        "accuracy": _share(tp, tp + fp + fn),
        "aligned": _share(tp, tp + fp + fn - wrong),
        "label": tp + fn,
        "wrong_match": wrong,
        "no_match": fp + fn - 2 * wrong,
        "exact_match": tp,
    }


def _read(prefix: str, key: str, measured: Measured | None) -> Iterator[Readout]:
    numbers = _numbers(Measured(ZEROS) if measured is None else measured)
    for name, number in numbers.items():
        value = None if measured is None else number
        yield Readout(f"{prefix}{name}", key, value, int(numbers["label"]))
        if prefix and name == "entity_f1":
            # the tool names the column kieval_entity_f1 also in its rows of groups
            yield Readout("group_f1", key, value, int(numbers["label"]))


def _check(*, strategy: str, **_: object) -> None:
    if strategy not in STRATEGIES:
        raise UnknownName("strategy of kieval_official", strategy, STRATEGIES)


@metric(
    "kieval_official",
    version=1,
    tables=TABLES,
    readouts=readouts,
    specs=SPECS,
    check=_check,
)
def kieval_official(
    case: Case, *, keys: tuple[str, ...] = (), strategy: str = "hungarian", split: bool = True
) -> Stats:
    """Count as the code released with the KIEval paper does, quirks and all."""
    pred = read_cells(case.pred.tree, keys)
    gold = read_cells(case.gold.tree, keys, pred.texts())
    cells: list[tuple[Parts, Counts]] = []
    rows: dict[str, Counts] = {}
    values: dict[str, Counts] = {}
    exact: list[bool] = []
    for kind in gold.groups | pred.groups:
        group = score_group(
            gold.groups.get(kind, []), pred.groups.get(kind, []), strategy=strategy, split=split
        )
        cells += [((kind, field), counts) for field, counts in group.cells]
        rows[kind] = group.rows
        exact.append(group.exact)
    for field in gold.values | pred.values:
        counts = _outside(gold.values.get(field), pred.values.get(field), split)
        values[field] = counts
        exact.append(counts[0] > 0 and counts[1] + counts[2] == 0)
    # a document without anything on either side is left out of the tool's count of documents
    documents = {"": (int(bool(exact) and all(exact)), int(bool(exact)))}
    tables: Stats = {
        **({"cells": _summed(cells)} if cells else {}),
        **({"rows": rows} if rows else {}),
        **({"values": values} if values else {}),
        "documents": documents,
    }
    return tables


def _summed(cells: Iterable[tuple[Parts, Counts]]) -> dict[Parts, Counts]:
    sums: dict[Parts, Counts] = {}
    for key, counts in cells:
        sums[key] = _sum((sums.get(key, ZEROS), counts))
    return sums
