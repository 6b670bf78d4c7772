"""The best one-to-one assignment in which ties fall to the first: rows and columns in their order.

Every row first takes the first free column among its best ones. Rows that went away empty-handed
then push others aside along shortest paths (the Hungarian method), in order, the first column first
among equals. Scores of released tools that depend on how ties fall can only be met this way.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Costs = NDArray[np.float64]


def assign_first_come(costs: Costs) -> list[tuple[int, int]]:
    """Return the row-column pairs of least total cost, as many as can be, in order of rows."""
    rows, columns = costs.shape
    if rows > columns:
        return sorted((row, column) for column, row in assign_first_come(costs.T))
    least = costs.min(axis=1)
    owners = [-1] * (columns + 1)
    left = []
    for row, best in enumerate(costs == least[:, None]):
        free = next((column for column in best.nonzero()[0].tolist() if owners[column] < 0), None)
        if free is None:
            left.append(row)
        else:
            owners[free] = row
    prices = np.zeros(columns)
    for row in left:
        _push(costs, least, prices, owners, row)
    return sorted((row, column) for column, row in enumerate(owners[:-1]) if row >= 0)


def _push(costs: Costs, least: Costs, prices: Costs, owners: list[int], row: int) -> None:
    """Give a row its column, along the cheapest path of others that make room."""
    columns = len(prices)
    distance = np.full(columns, np.inf)
    open_ = np.ones(columns, dtype=np.bool_)
    came_from = np.full(columns, columns)
    owners[columns] = row
    reached, at = [], columns
    while owners[at] >= 0:
        here = owners[at]
        reduced = costs[here] - least[here] - prices
        nearer = open_ & (reduced < distance)
        distance[nearer] = reduced[nearer]
        came_from[nearer] = at
        reached.append(here)
        at = int(np.where(open_, distance, np.inf).argmin())
        step = distance[at]
        least[reached] += step
        prices[~open_] -= step
        distance[open_] -= step
        open_[at] = False
    while at != columns:
        before = int(came_from[at])
        owners[at] = owners[before]
        at = before
