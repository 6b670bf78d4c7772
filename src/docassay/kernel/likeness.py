"""Likeness of texts: the best pairs of a few, and what better ones may come to."""

from __future__ import annotations

from collections.abc import Iterable


def best_of_few(rows: list[list[float]]) -> float:
    """Return the greatest sum of one-to-one pairs in a small table: all ways are tried."""
    if len(rows) > len(rows[0]):
        rows = [list(column) for column in zip(*rows, strict=True)]
    return _best_below(rows, 0, 0, 0.0)


def _best_below(rows: list[list[float]], place: int, taken: int, total: float) -> float:
    """Return the greatest sum from a row on; the bits of `taken` are columns that are gone."""
    if place == len(rows):
        return total
    row = rows[place]
    best = 0.0
    for at in range(len(row)):
        if not taken >> at & 1:
            value = _best_below(rows, place + 1, taken | 1 << at, total + row[at])
            if value > best:
                best = value
    return best


def chain_bounds(
    golds: list[str], preds: list[str], likeness: list[list[float]], lengths: Iterable[int]
) -> list[list[float]]:
    """Return what a text of gold and one of pred may be worth that go with others instead.

    One goes with a text that both sides have, whose own partner goes with another, and so on to the
    last, for which such a text is left alone. The edits of all these steps are at least as many as
    between the two texts, and as a text between them is longer than they are, and each step is
    divided by no more than the longest of them. Only these `lengths` need be known of them.
    """
    bounds: list[list[float]] = []
    for i in range(len(golds)):
        own = len(golds[i])
        row = likeness[i]
        bound: list[float] = []
        for j in range(len(preds)):
            other = len(preds[j])
            longer = max(own, other)
            most: float = row[j]
            edits = (1.0 - most) * longer
            for length in lengths:
                if length > longer:
                    worth = 1.0 - max(edits, 2.0 * length - own - other) / length
                    if worth > most:
                        most = worth
            bound.append(most)
        bounds.append(bound)
    return bounds
