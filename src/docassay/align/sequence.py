"""The best pairs that keep the order of two sequences: their total weight, overall and by category.

The table of best totals is filled a row at a time. A total carried over from the left is a running
maximum, so no loop over cells is needed. An edit distance is the same question: with insertions and
deletions at cost 1, a pair of cost c saves 2 - c of the n + m edits that replace everything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

CELLS = 1 << 21
"""The cells of a matrix that are held at once where rows come one after the other."""

Weights = NDArray[np.int32]
"""Layers x gold x pred; the layers are independent questions about the same sequences."""
Totals = NDArray[np.int64]
PairWeights = Callable[[str, int, int], Weights]
"""(category, from, to) -> the weights of these gold items of the category to all its pred items."""


def best_in_order(
    gold: Sequence[str], pred: Sequence[str], weights: PairWeights, *, layers: int, other: int
) -> dict[str | None, list[int]]:
    """Return the best total of each layer, by category and for all together (None).

    `gold` and `pred` are the categories of the items in order, and `other` is the weight of a pair
    of different categories.
    """
    theirs = places(pred)
    totals: dict[str | None, Totals] = {
        category: np.zeros((layers, len(where) + 1), dtype=np.int64)
        for category, where in theirs.items()
    }
    whole = totals[None] = np.zeros((layers, len(pred) + 1), dtype=np.int64)
    done = dict.fromkeys(theirs, 0)
    for start, stop in row_blocks(len(gold), len(pred) * layers):
        rows = np.full((layers, stop - start, len(pred)), other, dtype=np.int32)
        for category, where in places(gold[start:stop]).items():
            if category not in theirs:
                continue
            first = done[category]
            done[category] = first + len(where)
            found = weights(category, first, done[category])
            advance(totals[category], found)
            rows[:, where[:, None], theirs[category]] = found
        advance(whole, rows)
    return {category: total[:, -1].tolist() for category, total in totals.items()}


def advance(totals: Totals, weights: Weights) -> None:
    """Carry the best totals on by the rows of a matrix, in place."""
    before, after = totals[:, :-1], totals[:, 1:]
    paired = np.empty_like(after)
    add, higher, run = np.add, np.maximum, np.maximum.accumulate
    for row in range(weights.shape[1]):
        add(before, weights[:, row], out=paired)
        higher(after, paired, out=after)
        run(totals, axis=1, out=totals)


def places(categories: Sequence[str]) -> dict[str, NDArray[np.intp]]:
    """Return where each category stands."""
    found: dict[str, list[int]] = {}
    for place, category in enumerate(categories):
        found.setdefault(category, []).append(place)
    return {category: np.array(where, dtype=np.intp) for category, where in found.items()}


def row_blocks(rows: int, columns: int) -> Iterator[tuple[int, int]]:
    """Yield the rows of a matrix in stretches that hold a bounded number of cells."""
    size = max(1, CELLS // max(1, columns))
    for start in range(0, rows, size):
        yield start, min(rows, start + size)
