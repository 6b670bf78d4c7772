"""Intervals: what is drawn, where Wilson steps in, and how often they hold the truth."""

from __future__ import annotations

import numpy as np
import pytest

from docassay.analysis.intervals import intervals, wilson
from docassay.model.stats import PARTS, Stats

MEANS = {"accuracy": ("fields", 0, 1)}


def documents(values: list[float]) -> list[tuple[str, Stats]]:
    return [
        (f"d{i}", {"fields": {"total": (round(value * PARTS), 1)}})
        for i, value in enumerate(values)
    ]


def interval(values: list[float], *, seed: int = 0) -> tuple[float, float]:
    return intervals(documents(values), MEANS, seed=seed)["accuracy", "total"]


def test_the_interval_lies_around_the_mean_and_is_as_wide_as_its_error_says() -> None:
    values = np.random.default_rng(1).beta(4, 1, size=200).tolist()
    low, high = interval(values)
    half = 1.96 * float(np.std(values, ddof=1)) / 200**0.5
    assert low < np.mean(values) < high
    assert (high - low) / 2 == pytest.approx(half, rel=0.15)


def test_the_same_seed_draws_the_same_documents_and_another_does_not() -> None:
    values = np.random.default_rng(4).beta(4, 1, size=30).tolist()
    assert interval(values) == interval(values)
    assert interval(values) != interval(values, seed=1)


@pytest.mark.parametrize(
    ("values", "share"),
    [
        pytest.param([1.0] * 8, 1.0, id="all right"),
        pytest.param([0.0] * 8, 0.0, id="all wrong"),
        pytest.param([0.5] * 8, 0.5, id="all the same"),
        pytest.param([0.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0], 0.75, id="right or wrong"),
    ],
)
def test_where_documents_agree_or_are_right_or_wrong_the_interval_is_wilsons(
    values: list[float], share: float
) -> None:
    assert interval(values) == pytest.approx(wilson(share, 8))


def test_wilsons_interval_is_that_of_the_textbooks() -> None:
    # 8 of 10: the roots of |p - 0.8| = 1.96 sqrt(p (1 - p) / 10)
    low, high = wilson(0.8, 10)
    for root in (low, high):
        assert abs(root - 0.8) == pytest.approx(1.959964 * (root * (1 - root) / 10) ** 0.5)
    assert low < 0.8 < high


def test_a_readout_that_no_document_has_gets_no_interval() -> None:
    stats: Stats = {"fields": {"total": (0, 0)}}
    assert intervals([("a", stats)], MEANS) == {}


def test_documents_without_the_field_do_not_narrow_the_interval() -> None:
    values = [0.2, 0.4, 0.6, 0.8, 1.0, 0.3]
    others: list[tuple[str, Stats]] = [(f"x{i}", {"fields": {}}) for i in range(50)]
    alone = intervals(documents(values), MEANS)["accuracy", "total"]
    among = intervals([*documents(values), *others], MEANS)["accuracy", "total"]
    assert among[1] - among[0] > 0.8 * (alone[1] - alone[0])


def test_many_documents_are_drawn_in_blocks_and_give_about_the_same_interval() -> None:
    values = np.random.default_rng(2).beta(4, 1, size=25_000).tolist()
    low, high = interval(values)
    half = 1.96 * float(np.std(values, ddof=1)) / 25_000**0.5
    assert low < np.mean(values) < high
    assert (high - low) / 2 == pytest.approx(half, rel=0.2)


def test_about_95_of_100_intervals_hold_the_true_mean() -> None:
    dice = np.random.default_rng(3)
    held = sum(
        low <= 0.8 <= high
        for low, high in (interval(dice.beta(4, 1, size=80).tolist()) for _ in range(100))
    )
    assert 88 <= held <= 100
