"""Likeness of texts: the best pairs of a few, and what better ones may come to."""

from __future__ import annotations

from collections.abc import Callable, Iterable


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


def likeness_of_few(
    golds: list[str], preds: list[str], score: Callable[[str, str], float]
) -> list[list[float]]:
    """Return how alike the texts of each pair are, a row a text of gold."""
    return [[score(gold, pred) for pred in preds] for gold in golds]


def from_floor(likeness: list[list[float]], floor: float) -> list[list[float]]:
    """Return the same table with 0 for what is less than the floor."""
    return [[direct if direct >= floor else 0.0 for direct in row] for row in likeness]


def chain_bounds(
    golds: list[str],
    preds: list[str],
    likeness: list[list[float]],
    lengths: Iterable[int] | None = None,
) -> list[list[float]]:
    """Return what a text of gold and one of pred may be worth that go with others instead.

    One goes with a text that both sides have, whose own partner goes with another, and so on to the
    last, for which such a text is left alone. The edits of all these steps are at least as many as
    between the two texts, and as a text between them is longer than they are, and each step is
    divided by no more than the longest of them. Only these `lengths` need be known of them; where
    they are not, those are assumed that are worth most.
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
            if lengths is None:
                # up to this length both edits are as few as can be, beyond it they become more
                peak = int((edits + own + other) / 2.0)
                most = _chain_worth(peak, own, other, edits, most)
                most = _chain_worth(peak + 1, own, other, edits, most)
            else:
                for length in lengths:
                    most = _chain_worth(length, own, other, edits, most)
            bound.append(most)
        bounds.append(bound)
    return bounds


def _chain_worth(length: int, own: int, other: int, edits: float, least: float) -> float:
    """Return what two texts are worth with one of a length between them, if more than this."""
    if length <= own or length <= other:
        return least
    worth = 1.0 - max(edits, 2.0 * length - own - other) / length
    return worth if worth > least else least
