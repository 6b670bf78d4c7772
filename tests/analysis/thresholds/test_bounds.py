"""Exact binomial bounds against sums of exact chances."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, comb, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.analysis.thresholds.guarantee import BEYOND, error_bound, fewest_values, passes

TARGETS = st.sampled_from([0.01, 0.05, 0.125, 0.5])
ALPHAS = st.sampled_from([0.05, 0.01, 0.0025])


def chance_of_so_few(wrong: int, values: int, rate: float) -> Fraction:
    p = Fraction(rate)
    return sum(
        (comb(values, k) * p**k * (1 - p) ** (values - k) for k in range(wrong + 1)), Fraction(0)
    )


@given(values=st.integers(1, 60), wrong=st.integers(0, 60), target=TARGETS, alpha=ALPHAS)
def test_so_few_errors_pass_when_their_chance_at_the_target_is_within_alpha(
    values: int, wrong: int, target: float, alpha: float
) -> None:
    expected = wrong < values and chance_of_so_few(wrong, values, target) <= Fraction(alpha)
    assert passes(wrong, values, target, alpha) == expected


@given(values=st.integers(1, 60), wrong=st.integers(0, 60), alpha=ALPHAS)
def test_at_the_bound_so_few_errors_have_a_chance_of_alpha(
    values: int, wrong: int, alpha: float
) -> None:
    bound = error_bound(min(wrong, values), values, alpha)
    if wrong >= values:
        assert bound == 1
    else:
        assert float(chance_of_so_few(wrong, values, bound)) == pytest.approx(alpha, rel=1e-6)


@given(values=st.integers(1, 200), wrong=st.integers(0, 20), target=TARGETS, alpha=ALPHAS)
def test_what_passes_has_its_bound_within_the_target(
    values: int, wrong: int, target: float, alpha: float
) -> None:
    bound = error_bound(min(wrong, values), values, alpha)
    if bound != pytest.approx(target, rel=1e-9):
        assert passes(wrong, values, target, alpha) == (bound < target)


@given(target=TARGETS, alpha=ALPHAS)
def test_without_errors_it_takes_what_the_formula_says(target: float, alpha: float) -> None:
    assert fewest_values(target, alpha) == ceil(log(alpha) / log(1 - target))


@given(target=TARGETS, alpha=ALPHAS, wrong=st.integers(0, 8))
def test_fewest_values_pass_and_one_less_does_not(target: float, alpha: float, wrong: int) -> None:
    fewest = fewest_values(target, alpha, wrong=wrong)
    assert passes(wrong, fewest, target, alpha)
    assert not passes(wrong, fewest - 1, target, alpha)


def test_a_rate_of_errors_takes_more_values_the_nearer_it_is_to_the_target() -> None:
    sizes = [fewest_values(0.02, 0.01, rate=rate) for rate in (0.0, 0.005, 0.01, 0.015)]
    assert sizes == sorted(set(sizes))


def test_one_error_so_far_is_not_taken_for_none() -> None:
    # at 1 of 400 the next 400 values bring another: rounding down would ask for fewer than 400
    assert fewest_values(0.01, 0.01, rate=1 / 400) > fewest_values(0.01, 0.01)


@pytest.mark.parametrize("rate", [0.02, 0.5, 0.02 - 1e-12], ids=["at it", "above", "a hair below"])
def test_a_rate_that_is_not_below_the_target_takes_more_than_anybody_has(rate: float) -> None:
    assert fewest_values(0.02, 0.01, rate=rate) >= BEYOND


def test_the_smallest_target_can_be_asked_for() -> None:
    assert fewest_values(1e-12, 0.05) == pytest.approx(log(0.05) / -1e-12, rel=1e-6)
