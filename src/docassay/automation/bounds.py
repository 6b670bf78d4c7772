"""Exact binomial bounds: what a number of errors among so many values says about the true rate."""

from __future__ import annotations

import math

BEYOND = 1_000_000_000
"""A number of values that nobody has."""


def error_bound(wrong: int, values: int, alpha: float) -> float:
    """Return what the true error rate exceeds with a chance of at most alpha (Clopper, Pearson)."""
    if wrong >= values:
        return 1.0
    from scipy.special import betaincinv

    return float(betaincinv(wrong + 1, values - wrong, 1 - alpha))


def passes(wrong: int, values: int, target: float, alpha: float) -> bool:
    """Say whether so few errors show that the true rate is at most the target.

    The same as `error_bound(wrong, values, alpha) <= target`, as a test: at the target, so few
    errors have a chance of at most alpha.
    """
    from scipy.special import bdtr

    return wrong < values and bool(bdtr(wrong, values, target) <= alpha)


def fewest_values(target: float, alpha: float, *, wrong: int = 0, rate: float = 0.0) -> int:
    """Return how many values it takes to pass with so many errors, and with this rate of errors.

    Without errors that is log(alpha) / log(1 - target). It is BEYOND or more where the rate is too
    near the target.
    """
    without_errors = max(1, math.ceil(math.log(alpha) / math.log1p(-target)))
    if not wrong and not rate:
        return without_errors

    def enough(values: int) -> bool:
        return passes(wrong + math.ceil(rate * values - 1e-9), values, target, alpha)

    low, high = 0, without_errors
    while high < BEYOND and not enough(high):
        low, high = high, 2 * high
    while high < BEYOND and high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
