"""The arithmetic of guaranteed thresholds against sums of binomial chances, one by one."""

from __future__ import annotations

from hashlib import blake2b
from math import ceil, comb, floor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.analysis.thresholds.guarantee import (
    BEYOND,
    SPARE,
    STEPS,
    STRICTEST,
    Evidence,
    RankedValues,
    draw,
    error_bound,
    fewest_values,
    fixed_sequence,
    guarantee,
    passes,
)
from docassay.analysis.thresholds.outcomes import Told

from .made import D, R, S, made


def chance(wrong: int, values: int, rate: float) -> float:
    """Return the chance of at most so many errors."""
    return sum(
        comb(values, number) * rate**number * (1 - rate) ** (values - number)
        for number in range(wrong + 1)
    )


RATES = st.sampled_from([0.02, 0.05, 0.1, 0.3])
ALPHAS = st.sampled_from([0.01, 0.05, 0.2])


@given(wrong=st.integers(0, 12), values=st.integers(1, 150), target=RATES, alpha=ALPHAS)
def test_a_test_passes_where_so_few_errors_are_unlikely_enough(
    wrong: int, values: int, target: float, alpha: float
) -> None:
    expected = wrong < values and chance(wrong, values, target) <= alpha
    assert passes(wrong, values, target, alpha) is expected
    assert (error_bound(wrong, values, alpha) <= target) is expected


@given(wrong=st.integers(0, 12), values=st.integers(1, 150), alpha=ALPHAS)
def test_at_the_bound_so_few_errors_have_the_chance_that_is_allowed(
    wrong: int, values: int, alpha: float
) -> None:
    bound = error_bound(wrong, values, alpha)
    if wrong >= values:
        assert bound == 1.0
    else:
        assert chance(wrong, values, bound) == pytest.approx(alpha, rel=1e-6)


@given(wrong=st.integers(0, 6), target=RATES, alpha=ALPHAS)
def test_the_fewest_values_are_the_first_that_pass(wrong: int, target: float, alpha: float) -> None:
    fewest = fewest_values(target, alpha, wrong=wrong)
    assert passes(wrong, fewest, target, alpha)
    assert not any(passes(wrong, values, target, alpha) for values in range(fewest))


@pytest.mark.parametrize(
    ("target", "alpha", "fewest"),
    [(0.1, 0.05, 29), (0.05, 0.05, 59), (0.01, 0.1, 230), (0.9, 0.2, 1)],
)
def test_without_errors_the_fewest_values_are_those_of_the_textbooks(
    target: float, alpha: float, fewest: int
) -> None:
    assert fewest_values(target, alpha) == fewest


def test_with_a_rate_of_errors_it_takes_more_and_at_the_target_no_number_is_enough() -> None:
    fewest = fewest_values(0.1, 0.05, rate=0.05)
    assert passes(ceil(0.05 * fewest), fewest, 0.1, 0.05)
    assert fewest == 116
    assert fewest_values(0.1, 0.05, rate=0.1) >= BEYOND


def plain_sequence(sample: RankedValues, target: float, alpha: float) -> tuple[float | None, int]:
    """Return the laxest threshold before the first that fails, and what was tested."""
    least = fewest_values(target, alpha)
    roomy = [fewest_values(target, alpha, wrong=spare) for spare in range(1, SPARE + 1)]
    start = max((size for size in roomy if size <= STRICTEST * sample.size), default=least)
    # a threshold ends after the last of equal confidences
    ends = [
        place + 1
        for place in range(sample.size)
        if place + 1 == sample.size or sample.confidence[place] != sample.confidence[place + 1]
    ]
    sizes = []
    for step in range(STEPS):
        wanted = floor(start + (sample.size - start) * step / (STEPS - 1) + 1e-9)
        sizes.append(min(end for end in ends if end >= wanted))
    passed = None
    for size in dict.fromkeys(sizes):
        if not passes(int(sample.wrong[size - 1]), size, target, alpha):
            if passed is None:
                return None, size
            break
        passed = size
    assert passed is not None
    return float(sample.confidence[passed - 1]), passed


@pytest.mark.parametrize("distinct", [1000, 30, 3])
@pytest.mark.parametrize("seed", range(12))
def test_thresholds_are_tried_from_strict_to_lax_until_one_fails(seed: int, distinct: int) -> None:
    dice = np.random.default_rng(seed)
    size = int(dice.integers(30, 500))
    confidence = np.sort(dice.integers(0, distinct, size) / distinct)[::-1]
    wrong = dice.random(size) < 0.3 * (1 - confidence) ** 2
    sample = RankedValues(confidence, np.cumsum(wrong))
    found = fixed_sequence(sample, target=0.1, alpha=0.05, documents=size)
    assert (found.threshold, found.tested) == plain_sequence(sample, 0.1, 0.05)
    errors = int(sample.wrong[found.tested - 1])
    assert found.bound == pytest.approx(error_bound(errors, found.tested, 0.05))
    assert (found.threshold is None) is (found.bound is not None and found.bound > 0.1)


def sample_of(size: int, wrong: int) -> RankedValues:
    errors = np.zeros(size, dtype=np.int64)
    errors[:wrong] = 1
    return RankedValues(np.linspace(1, 0.5, size), np.cumsum(errors))


def test_too_few_values_are_told_how_many_documents_more_it_takes() -> None:
    # 29 values are needed; 10 values came from 20 documents, so it takes 58 of them
    found = fixed_sequence(sample_of(10, 0), target=0.1, alpha=0.05, documents=20)
    assert found[:4] == Evidence(None, 10, None, 38)[:4]
    assert "29" in found.why
    exactly = fixed_sequence(sample_of(29, 0), target=0.1, alpha=0.05, documents=29)
    assert exactly.threshold == 0.5
    one_short = fixed_sequence(sample_of(28, 0), target=0.1, alpha=0.05, documents=28)
    assert (one_short.threshold, one_short.more_documents) == (None, 1)


def test_a_strictest_threshold_that_fails_says_what_it_saw() -> None:
    found = fixed_sequence(sample_of(100, 30), target=0.1, alpha=0.05, documents=100)
    assert found.threshold is None
    assert f"30 of the {found.tested} surest" in found.why
    assert found.more_documents is None


def test_fields_with_too_few_values_take_no_part_of_the_allowance() -> None:
    def outcomes(*sizes: int) -> dict[str, Evidence]:
        told: list[Told] = [
            (at, path, R, 0.9, 1)
            for path, size in zip("abc", sizes, strict=False)
            for at in range(size)
        ]
        whole = made(told, max(sizes))
        return guarantee(whole, whole.fields, target=0.1, alpha=0.05)

    # alone it takes 29 values, with half the allowance 36, with a third 39
    both = outcomes(36, 36)
    assert [found.bound for found in both.values()] == [error_bound(0, 36, 0.025)] * 2
    one = outcomes(36, 35)
    assert one["a"].bound == error_bound(0, 36, 0.05)
    assert one["b"].threshold is None
    assert "36" in one["b"].why
    three = outcomes(39, 39, 39)
    assert {found.bound for found in three.values()} == {error_bound(0, 39, 0.05 / 3)}
    none = outcomes(28, 20)
    assert all("29" in found.why for found in none.values())


def test_the_value_that_is_drawn_from_a_document_follows_from_field_and_id() -> None:
    told: list[Told] = [(at, "f", R, 0.1 * k, 1) for at in range(40) for k in range(3)]
    told += [(40, "f", D, 0.95, 1)]
    outcomes = made(told, 41)
    expected = []
    for at in range(41):
        digest = blake2b(f"f\0doc-{at}".encode(), digest_size=8).digest()
        slot = int.from_bytes(digest, "big") % 3
        own = [0.0, 0.1, 0.2] if at < 40 else [0.95]
        expected += own[slot : slot + 1]
    sample = draw(outcomes.fields["f"], "f", outcomes.ids)
    assert sample.confidence.tolist() == pytest.approx(sorted(expected, reverse=True))


def test_errors_are_counted_from_the_surest_on() -> None:
    outcomes = made([(0, "f", R, 0.5, 1), (1, "f", S, 0.9, 1), (2, "f", D, 0.1, 1)], 3)
    sample = draw(outcomes.fields["f"], "f", outcomes.ids)
    assert sample.confidence.tolist() == [0.9, 0.5, 0.1]
    assert sample.wrong.tolist() == [1, 1, 2]
