"""Thresholds chosen on the documents at hand: the naive way, by a budget of reviews, by prices.

None of these says anything about documents not yet seen.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from docassay.automation.outcomes import Values
from docassay.model.automation import Prices

CELLS = 20_000_000
"""About how many cells of a field's table are filled for a budget: of more thresholds than that
takes, so many evenly spaced ones are tried."""
FEWEST_TRIED = 100
"""But no fewer than these."""


class Options(NamedTuple):
    """Every threshold of a field from lax to strict, the last one None, and what it leaves."""

    thresholds: tuple[float | None, ...]
    unreviewed: NDArray[np.int64]
    wrong: NDArray[np.int64]
    """How many of the unreviewed are wrong."""

    @property
    def reviewed(self) -> NDArray[np.int64]:
        """How many values a threshold sends to review."""
        reviewed: NDArray[np.int64] = self.unreviewed[0] - self.unreviewed
        return reviewed

    @property
    def caught(self) -> NDArray[np.int64]:
        """How many wrong values it sends to review."""
        caught: NDArray[np.int64] = self.wrong[0] - self.wrong
        return caught


def options(values: Values) -> Options:
    """Return the thresholds that differ, each a confidence that occurs."""
    taus, place = np.unique(values.confidence, return_inverse=True)
    counts = np.bincount(place, minlength=len(taus))
    wrong = np.bincount(place, weights=values.wrong, minlength=len(taus)).astype(np.int64)
    return Options((*map(float, taus), None), _from_here(counts), _from_here(wrong))


def _from_here(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.append(np.cumsum(counts[::-1])[::-1], 0)


def naive(one: Options, target: float) -> float | None:
    """Return the laxest threshold whose error rate, as observed, is within the target."""
    fine = np.flatnonzero(one.wrong <= target * one.unreviewed)
    return one.thresholds[int(fine[0])]


def cheapest(one: Options, prices: Prices) -> float | None:
    """Return the threshold of least cost, of equal ones the laxest."""
    costs = (
        prices.review * one.reviewed + prices.correction * one.caught + prices.missed * one.wrong
    )
    # rounded, so that the last digit of a sum does not decide
    return one.thresholds[int(np.argmin(np.round(costs, 9)))]


def within_budget(fields: Mapping[str, Options], share: float) -> dict[str, float | None]:
    """Return the thresholds that catch most errors with reviews of a share of all values.

    A knapsack, field by field: with how few reviews each number of errors can be caught. Of equally
    good thresholds those with fewest reviews are taken: nobody reviews what is right for nothing.
    """
    budget = int(share * sum(int(one.unreviewed[0]) for one in fields.values()) + 1e-9)
    fewest = np.zeros(1, dtype=np.int64)
    steps = []
    for one in fields.values():
        fewest, taken = _with_field(fewest, one, budget)
        steps.append(taken)
    caught = len(fewest) - 1
    chosen: dict[str, float | None] = {}
    for path, taken in zip(reversed([*fields]), reversed(steps), strict=True):
        at = int(taken[caught])
        chosen[path] = fields[path].thresholds[at]
        caught -= int(fields[path].caught[at])
    return {path: chosen[path] for path in fields}


def _with_field(
    fewest: NDArray[np.int64], one: Options, budget: int
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the fewest reviews for each number of errors with one field more, and its part.

    Its part is the place of its threshold.
    """
    # only a threshold that catches more than laxer ones is worth its reviews
    useful = np.unique(one.caught, return_index=True)[1]
    useful = useful[one.reviewed[useful] <= budget]
    most = max(FEWEST_TRIED, CELLS // len(fewest))
    if len(useful) > most:
        useful = useful[np.linspace(0, len(useful) - 1, most).astype(np.intp)]
    found = np.full(len(fewest) + int(one.caught[useful[-1]]), budget + 1)
    taken = np.zeros(len(found), dtype=np.int32)
    for at in useful:
        part = slice(int(one.caught[at]), int(one.caught[at]) + len(fewest))
        reviews = fewest + one.reviewed[at]
        better = reviews < found[part]
        found[part][better] = reviews[better]
        taken[part][better] = at
    last = int(np.flatnonzero(found <= budget)[-1])
    return found[: last + 1], taken[: last + 1]
