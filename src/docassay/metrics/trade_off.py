"""The automation trade-off: how right the rest is when the least sure values are reviewed.

With a threshold tau, every predicted value whose confidence lies below it goes to a person, who
puts it right. What is missing altogether is never reviewed, so the curve ends below 1 where gold
has values that nobody predicted (KIEval, appendix C).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from docassay.model.stats import Counts, Parts

TALLIES = ("right", "substituted", "deleted")

Tally = tuple[float, Counts]
"""A confidence, and how many values of it were right, substituted and deleted."""


class Point(NamedTuple):
    """One threshold: what share of values is left to the machine, and how right the result is."""

    tau: float | None
    """None: above every confidence, so that all values are reviewed."""
    auto_rate: float
    aligned: float | None


def tally_key(path: str, confidence: float) -> Parts:
    """Return the key of a field's values of one confidence."""
    return path, repr(confidence)


def by_field(table: Mapping[Parts, Counts]) -> dict[str, list[Tally]]:
    """Return the tallies of a table by field, least sure first."""
    fields: dict[str, list[Tally]] = {}
    for (path, confidence), counts in table.items():
        fields.setdefault(path, []).append((float(confidence), counts))
    return {path: sorted(tallies) for path, tallies in fields.items()}


def with_the_unsure(tallies: Sequence[Tally], predicted: Counts) -> list[Tally]:
    """Return tallies with the values that state no confidence, which count as not sure at all."""
    stated = [sum(counts[i] for _, counts in tallies) for i in range(len(TALLIES))]
    rest = tuple(all_ - part for all_, part in zip(predicted, stated, strict=True))
    return [(0.0, rest), *tallies] if any(rest) else [*tallies]


def curve(tallies: Iterable[Tally], additions: int) -> list[Point]:
    """Return the trade-off at 0, at every distinct confidence and above them all."""
    at: dict[float, list[int]] = {0.0: [0, 0, 0]}
    for confidence, counts in tallies:
        sums = at.setdefault(confidence, [0, 0, 0])
        for i, count in enumerate(counts):
            sums[i] += count
    total = sum(map(sum, at.values()))
    if not total:
        return []
    wrong = sum(substituted + deleted for _, substituted, deleted in at.values())
    reviewed = gone = 0
    points = []
    for tau in (*sorted(at), None):
        left = total - gone + additions
        aligned = 1 - (wrong + additions) / left if left else None
        points.append(Point(tau, 1 - reviewed / total, aligned))
        if tau is not None:
            right, substituted, deleted = at[tau]
            reviewed += right + substituted + deleted
            wrong -= substituted + deleted
            gone += deleted
    return points


def at_tau(tallies: Iterable[Tally], additions: int, tau: float) -> Point | None:
    """Return the trade-off at one threshold, None where nothing was predicted."""
    points = curve(tallies, additions)
    # the curve changes only at the confidences: tau is as good as the next one above it
    reached = (point for point in points if point.tau is None or point.tau >= tau)
    return next(reached, None)


def area(points: Sequence[Point]) -> float | None:
    """Return the area under aligned over auto_rate, from all reviewed to none."""
    heights = [point.aligned for point in points]
    if not heights or any(height is None for height in heights):
        return None
    return sum(
        (first.auto_rate - other.auto_rate) * ((first.aligned or 0.0) + (other.aligned or 0.0)) / 2
        for first, other in pairwise(points)
    )
