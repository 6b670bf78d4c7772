"""Coefficients and p-values, against scipy and by hand."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from docassay.analysis.study.correlation import correlate, ranks

Column = NDArray[np.float64]
COLUMNS = st.integers(8, 40).flatmap(
    lambda size: st.tuples(
        *(st.lists(st.integers(0, 6), min_size=size, max_size=size) for _ in range(2))
    )
)


def column(*values: float) -> Column:
    return np.array(values, dtype=np.float64)


def test_a_small_example_by_hand() -> None:
    # deviations -1 0 1 and -2 1 1: 3 / sqrt(2 * 6)
    found = correlate(column(1, 2, 3), column(1, 4, 4))
    assert found is not None
    assert found.value == pytest.approx(3 / 12**0.5)
    # of the six orders of (1 4 4), three distinct: two at +-0.866, one at 0
    assert found.p == pytest.approx(4 / 6)


def test_a_column_correlates_wholly_with_itself() -> None:
    values = column(*np.linspace(0, 1, 30) ** 3)
    for other, sign in ((values, 1), (-values, -1), (5 + 1e-9 * values, 1)):
        found = correlate(values, other)
        assert found is not None
        assert found.value == pytest.approx(sign)
        assert found.p == pytest.approx(0, abs=1e-12)


@given(COLUMNS)
def test_more_than_a_few_points_give_what_scipy_gives(lists: tuple[list[int], list[int]]) -> None:
    one, other = (column(*values) for values in lists)
    assume(np.ptp(one) > 0 and np.ptp(other) > 0)
    for found, wanted in (
        (correlate(one, other), stats.pearsonr(one, other)),
        (correlate(ranks(one), ranks(other)), stats.spearmanr(one, other)),
    ):
        assert found is not None
        assert found.value == pytest.approx(wanted.statistic, abs=1e-9)
        assert found.p == pytest.approx(wanted.pvalue, abs=1e-6)


@given(st.lists(st.integers(0, 9), max_size=20))
def test_ranks_are_those_of_scipy(values: list[int]) -> None:
    assert ranks(column(*values)).tolist() == stats.rankdata(values).tolist()


def test_three_points_in_line_are_no_proof() -> None:
    found = correlate(column(1, 2, 3), column(2, 4, 6))
    assert found is not None
    assert found.p == pytest.approx(2 / 6)


def test_a_few_points_give_the_share_of_orders_at_least_as_extreme() -> None:
    random = np.random.default_rng(4)
    one, other = random.random(5), random.random(5)
    seen = abs(stats.pearsonr(one, other).statistic)
    extreme = [
        abs(stats.pearsonr(order, other).statistic) > seen - 1e-9 for order in permutations(one)
    ]
    found = correlate(one, other)
    assert found is not None
    assert found.p == pytest.approx(sum(extreme) / len(extreme))


@pytest.mark.parametrize(
    ("one", "other"),
    [((1, 1, 1), (1, 2, 3)), ((1, 2, 3), (0, 0, 0)), ((1, 2), (1, 2)), ((), ())],
    ids=["the first is constant", "the second is constant", "two points", "none"],
)
def test_what_cannot_correlate_is_undefined(
    one: tuple[float, ...], other: tuple[float, ...]
) -> None:
    assert correlate(column(*one), column(*other)) is None


def test_tiny_values_do_not_vanish() -> None:
    tiny = column(1, 2, 3, 5) * 1e-200
    found = correlate(tiny, column(1, 2, 3, 5))
    assert found is not None
    assert found.value == pytest.approx(1)
