"""Rows with their tokens: which are identical, which clearly belong together, and their order.

A row becomes a set of tokens, one for each value (its key, numbered when it repeats), so that the
number of equal values of two rows is the number of tokens they share.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from docassay.kernel.rows import (
    GroupPairs,
    Row,
    are_twins,
    overlap,
    pair_unrepeated,
    places,
    token_length,
)
from docassay.matching.assignment import Matrix
from docassay.model.document import Group


def nested(rows: Sequence[Row]) -> bool:
    """Whether any of the rows has rows inside."""
    return any(row.groups for _, row in rows)


def pair_identical(golds: list[Row], preds: list[Row]) -> tuple[GroupPairs, list[Row], list[Row]]:
    """Return the pairs of identical rows, and the rows that remain of either side."""
    if nested(golds) or nested(preds):
        return _pair_repeated(golds, preds)
    # of rows that stand once on either side, which is most, there is no choice
    paired = pair_unrepeated(golds, preds)
    if paired is not None:
        return paired
    repeated = _repeated(golds) | _repeated(preds)
    pairs, left, right = _pair_repeated(
        [row for row in golds if row[0] in repeated],
        [row for row in preds if row[0] in repeated],
    )
    paired = pair_unrepeated(
        [row for row in golds if row[0] not in repeated],
        [row for row in preds if row[0] not in repeated],
    )
    assert paired is not None
    return pairs + paired[0], left + paired[1], right + paired[2]


def _repeated(rows: list[Row]) -> set[frozenset[str]]:
    """Return the tokens of rows that stand several times."""
    return {tokens for tokens, times in Counter(row[0] for row in rows).items() if times > 1}


def _pair_repeated(golds: list[Row], preds: list[Row]) -> tuple[GroupPairs, list[Row], list[Row]]:
    left = _by_identity(golds)
    right = _by_identity(preds)
    pairs: GroupPairs = []
    rest: list[Row] = []
    for identity, gold_rows in left.items():
        pred_rows = right.get(identity, [])
        if len(gold_rows) > 1 or len(pred_rows) > 1:
            sort_by_content(gold_rows)
            sort_by_content(pred_rows)
        same = min(len(gold_rows), len(pred_rows))
        pairs += ((gold_rows[i][1], pred_rows[i][1]) for i in range(same))
        rest += gold_rows[same:]
        del pred_rows[:same]
    return pairs, rest, [row for rows in right.values() for row in rows]


def _by_identity(rows: list[Row]) -> dict[object, list[Row]]:
    alike: dict[object, list[Row]] = {}
    for row in rows:
        tokens, group = row
        identity = (tokens, group.content()[1]) if group.groups else tokens
        alike.setdefault(identity, []).append(row)
    return alike


def sort_by_content(rows: list[Row]) -> None:
    """Sort rows by content, so that ties do not depend on their order in the file."""
    alike: dict[frozenset[str], list[Row]] = {}
    for row in rows:
        alike.setdefault(row[0], []).append(row)
    rows.clear()
    for tokens in sorted(alike, key=sorted):
        first, *others = same = alike[tokens]
        # rows that hold the same readings stay as they stand
        if others and not all(are_twins(first[1], row) for _, row in others):
            same.sort(key=_content)
        rows += same


def _content(row: Row) -> tuple[object, ...]:
    """Sort key: canonical forms, then texts, then the more confident first."""
    entities = sorted(
        (field, reading.canonical, reading.text, -(reading.confidence or 0.0))
        for field, _, reading in row[1].entities()
    )
    return (
        tuple(entity[:2] for entity in entities),
        tuple(entity[2] for entity in entities),
        tuple(entity[3] for entity in entities),
    )


def overlap_table(
    golds: Sequence[Row], preds: Sequence[Row]
) -> tuple[Matrix, tuple[list[int], list[int]]]:
    """Return the overlaps by kinds of rows, and the kind of each row: its fields and how many.

    Most rows have the same fields, so there are few kinds.
    """
    (gold_kinds, gold_models), (pred_kinds, pred_models) = _kinds(golds), _kinds(preds)
    table = [[overlap(gold, pred) for pred in pred_models] for gold in gold_models]
    return np.array(table, dtype=np.int64), (gold_kinds, pred_kinds)


def _kinds(rows: Sequence[Row]) -> tuple[list[int], list[Group]]:
    numbers: dict[tuple[object, ...], int] = {}
    models: list[Group] = []
    kinds: list[int] = []
    for _, row in rows:
        values = row.values
        kind = (*values,) if row.single else (*values, *map(len, values.values()))
        if kind not in numbers:
            numbers[kind] = len(numbers)
            models.append(row)
        kinds.append(numbers[kind])
    return kinds, models


def overlaps(golds: Sequence[Row], preds: Sequence[Row]) -> Matrix:
    """Return the overlap of every pair of rows."""
    table, kinds = overlap_table(golds, preds)
    return table[np.ix_(*kinds)]


FEW_CELLS = 1000
"""Up to so many pairs that share a token, a list of them is faster than an index into a matrix."""


def shared_tokens(golds: Sequence[Row], preds: Sequence[Row]) -> tuple[Matrix, Matrix]:
    """Return how many tokens each pair of rows shares, and how long these are together."""
    width = len(preds)
    there = places(preds)
    cells: list[int] = []
    sizes: list[int] = []
    common: list[tuple[list[int], list[int], int]] = []
    for token, left in places(golds).items():
        right = there.get(token)
        if right is None:
            continue
        if len(left) * len(right) > FEW_CELLS:
            common.append((left, right, token_length(token)))
            continue
        cells += [i * width + j for i in left for j in right]
        sizes += [token_length(token)] * (len(left) * len(right))
    flat = np.array(cells, dtype=np.intp)
    shape = (len(golds), width)
    equal = np.bincount(flat, minlength=len(golds) * width).reshape(shape)
    weights = np.array(sizes, dtype=np.float64)
    length = np.bincount(flat, weights=weights, minlength=equal.size).astype(np.int64)
    length = length.reshape(shape)
    for left, right, size in common:
        pairs = np.ix_(left, right)
        equal[pairs] += 1
        length[pairs] += size
    return equal, length
