"""Correlation coefficients with their p-values.

With few points a p-value by Student's t is far too bold (three points in line would give 0), so up
to seven points every order of one side is tried and the share of orders at least as extreme is the
p-value; beyond that it is the one by Student's t with n - 2 degrees of freedom.
"""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

FEWEST = 3
"""Points below which a coefficient says nothing: two always lie on a line."""
FEW = 7
"""Points up to which every order is tried."""
ROUNDING = 1e-9

Values = NDArray[np.float64]


class Coefficient(NamedTuple):
    """A correlation coefficient and its two-sided p-value."""

    value: float
    p: float


def correlate(one: Values, other: Values) -> Coefficient | None:
    """Return Pearson's coefficient of two columns, undefined when either is constant."""
    if len(one) < FEWEST or np.ptp(one) == 0 or np.ptp(other) == 0:
        return None
    x, y = _standard(one), _standard(other)
    value = max(-1.0, min(1.0, float(x @ y)))
    return Coefficient(value, _p_by_orders(x, y) if len(x) <= FEW else _p_by_t(value, len(x)))


def ranks(values: Values) -> Values:
    """Return the rank of each value from 1, equal values sharing the mean of their ranks."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray((last - (counts - 1) / 2)[place], dtype=np.float64)


def _standard(values: Values) -> Values:
    """Return the values with mean 0 and length 1."""
    # scaled first, so that squares of tiny values do not vanish
    centred = values - values.mean()
    centred /= np.abs(centred).max()
    return np.asarray(centred / math.sqrt(float(centred @ centred)), dtype=np.float64)


def _p_by_orders(x: Values, y: Values) -> float:
    found = np.abs(y[_orders(len(y))] @ x)
    return float(np.mean(found >= abs(float(x @ y)) - ROUNDING))


@lru_cache(maxsize=FEW)
def _orders(size: int) -> NDArray[np.int64]:
    return np.array([*permutations(range(size))], dtype=np.int64)


def _p_by_t(value: float, points: int) -> float:
    from scipy.special import betainc  # imported late: most commands never need it

    return float(betainc((points - 2) / 2, 0.5, 1 - value * value))
