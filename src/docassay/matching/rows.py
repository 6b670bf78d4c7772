"""All pairs of rows as matrices: how many values they share, and how many could be right."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from docassay.kernel.alike import add_shared, kinds
from docassay.kernel.rows import Row, overlap
from docassay.matching.assignment import Matrix


def overlap_table(
    golds: Sequence[Row], preds: Sequence[Row]
) -> tuple[Matrix, tuple[list[int], list[int]]]:
    """Return the overlaps by kinds of rows, and the kind of each row: its fields and how many.

    Most rows have the same fields, so there are few kinds.
    """
    (gold_kinds, gold_models), (pred_kinds, pred_models) = kinds(golds), kinds(preds)
    table = [[overlap(gold, pred) for pred in pred_models] for gold in gold_models]
    return np.array(table, dtype=np.int64), (gold_kinds, pred_kinds)


def overlaps(golds: Sequence[Row], preds: Sequence[Row]) -> Matrix:
    """Return the overlap of every pair of rows; one number where that is the same for all."""
    table, kinds = overlap_table(golds, preds)
    return table if table.size == 1 else table[np.ix_(*kinds)]


FEW_CELLS = 1000
"""Up to so many pairs that share a token, one after the other is faster than an array of them."""


def shared_tokens(golds: Sequence[Row], preds: Sequence[Row]) -> tuple[Matrix, Matrix]:
    """Return how many tokens each pair of rows shares, and how long these are together."""
    shape = (len(golds), len(preds))
    equal, length = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    cells = (equal.reshape(-1).data, length.reshape(-1).data)
    for left, right, size in add_shared(*cells, golds, preds, FEW_CELLS):
        pairs = np.ix_(left, right)
        equal[pairs] += 1
        length[pairs] += size
    return equal, length
