"""Assignment with several aims in order of importance, exact and independent of how ties fall.

The aims are whole-number matrices to be maximised, the first before the second and so on. They are
packed into one cost as digits of a mixed-radix number as long as every sum stays exact in a float
(below 2^53). Beyond that the aims are settled one after the other: an optimal solution of one aim
gives prices (dual values) for rows and columns, the pairs whose price equals their worth are
exactly those that any optimal solution may use, and the next aim chooses among them only.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul

import numpy as np
from numpy.typing import NDArray

from docassay.matching.solver import solver

Matrix = NDArray[np.int64]
EXACT = 2**53


def assign(aims: Sequence[Matrix]) -> list[tuple[int, int]]:
    """Return the row-column pairs, min(rows, columns) of them, best by the aims in order."""
    rows, columns = aims[0].shape
    if rows == 0 or columns == 0:
        return []
    if rows == 1 or columns == 1:
        ranks = zip(*(aim.ravel().tolist() for aim in aims), strict=True)
        best = max(enumerate(ranks), key=lambda pair: (pair[1], -pair[0]))[0]
        return [divmod(best, columns)]
    packed = pack(aims)
    return _solve(packed) if packed is not None else _solve_in_stages(aims)


def assign_few(worths: Sequence[Sequence[tuple[int, ...]]]) -> list[tuple[int, int]]:
    """Do the same for a few rows whose aims stand together, pair by pair, in plain lists."""
    if len(worths) == 1:
        return [(0, _first_best(worths[0]))]
    if len(worths[0]) == 1:
        return [(_first_best([row[0] for row in worths]), 0)]
    count = len(worths[0][0])
    size = min(len(worths), len(worths[0]))
    factors = [1] * count
    for k in range(count - 1, 0, -1):
        most = max(worth[k] for row in worths for worth in row)
        factors[k - 1] = factors[k] * (most * size + 1)
    if factors[0] * (size * max(worth[0] for row in worths for worth in row) + 1) >= EXACT:
        return assign([np.array([[w[k] for w in row] for row in worths]) for k in range(count)])
    packed = [[sum(map(mul, worth, factors)) for worth in row] for row in worths]
    return _solve(np.array(packed, dtype=np.int64))


def _first_best(worths: Sequence[tuple[int, ...]]) -> int:
    return worths.index(max(worths))


def pack(aims: Sequence[Matrix]) -> Matrix | None:
    """Return one matrix whose best assignment is best by the aims in order; None if too big."""
    size = min(aims[0].shape)
    packed = aims[-1]
    radix = int(packed.max()) * size + 1
    for aim in reversed(aims[:-1]):
        packed = packed + aim * radix
        radix *= int(aim.max()) * size + 1
        if radix >= EXACT:
            return None
    return packed


def _solve(worth: Matrix) -> list[tuple[int, int]]:
    rows, columns = solver()(worth, maximize=True)
    return list(zip(rows.tolist(), columns.tolist(), strict=True))


def _solve_in_stages(aims: Sequence[Matrix]) -> list[tuple[int, int]]:
    rows, columns = aims[0].shape
    size = max(rows, columns)
    allowed = np.ones((size, size), dtype=np.bool_)
    chosen = np.arange(size)
    for aim in aims:
        cost = np.zeros((size, size), dtype=np.float64)
        cost[:rows, :columns] = -aim
        cost[~allowed] = np.inf
        chosen = solver()(cost)[1]
        allowed &= _tight(cost, chosen)
    return [(row, int(chosen[row])) for row in range(rows) if chosen[row] < columns]


def _tight(cost: NDArray[np.float64], chosen: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Return the pairs that some optimal assignment uses, by the prices of an optimal one."""
    size = len(cost)
    spare = cost - cost[np.arange(size), chosen][:, None]
    prices = np.zeros(size)
    while True:
        # shortest paths in the exchange graph; no negative cycle, since the assignment is optimal
        better = np.minimum(prices, (prices[chosen][:, None] + spare).min(axis=0))
        if np.array_equal(better, prices):
            break
        prices = better
    tight: NDArray[np.bool_] = prices[chosen][:, None] + spare == prices[None, :]
    return tight
