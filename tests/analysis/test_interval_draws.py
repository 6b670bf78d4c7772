"""Intervals against the plainest way to draw: one document at a time, in Python."""

from __future__ import annotations

import zlib
from math import nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.analysis import intervals as module
from docassay.analysis.intervals import intervals, wilson
from docassay.model.stats import PARTS, Stats

MEANS = {"accuracy": ("fields", 0, 1), "rate": ("others", 1, 0)}


def stats(value: float | None, other: float | None = None, times: int = 1) -> Stats:
    found: dict[str, dict[str, tuple[int, ...]]] = {"fields": {}, "others": {}}
    if value is not None:
        found["fields"]["total"] = (round(value * times * PARTS), times)
    if other is not None:
        found["others"]["total"] = (1, round(other * PARTS))
    return found


def drawn_plainly(values: list[tuple[float, int]], seed: int, draws: int) -> tuple[float, float]:
    """Draw documents, add up sums and counts, and take the middle 95 % of the means."""
    number = len(values)
    taken = np.random.default_rng(seed).integers(number, size=(draws, number))
    means = []
    for row in taken:
        total = sum(values[i][0] for i in row)
        count = sum(values[i][1] for i in row)
        means.append(total / count if count else nan)
    low, high = np.nanpercentile(means, (2.5, 97.5))
    return float(low), float(high)


@given(
    values=st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=2, max_size=9),
    seed=st.integers(0, 3),
)
def test_the_interval_is_that_of_drawing_one_by_one(values: list[float], seed: int) -> None:
    documents = [(f"d{i}", stats(value, 1 - value)) for i, value in enumerate(values)]
    found = intervals(documents, MEANS, seed=seed)
    mean = sum(values) / len(values)
    if len({*values}) == 1 or {*values} <= {0.0, 1.0}:
        assert found["accuracy", "total"] == pytest.approx(wilson(mean, len(values)))
        return
    low, high = drawn_plainly([(value, 1) for value in values], seed, module.DRAWS)
    expected = (min(low, mean), max(high, mean))
    assert found["accuracy", "total"] == pytest.approx(expected)
    # the other readout is the complement, drawn from the same documents
    assert found["rate", "total"] == pytest.approx((1 - expected[1], 1 - expected[0]))


def test_documents_that_count_more_than_once_weigh_more() -> None:
    values = [(0.25, 1), (0.5, 4), (1.0, 2), (0.75, 1)]
    documents = [(f"d{i}", stats(value, times=times)) for i, (value, times) in enumerate(values)]
    sums = [(value * times, times) for value, times in values]
    found = intervals(documents, MEANS)["accuracy", "total"]
    assert found == pytest.approx(drawn_plainly(sums, 0, module.DRAWS))


def test_draws_without_the_field_do_not_count() -> None:
    documents = [("a", stats(0.25)), ("b", stats(0.5)), ("c", stats(None)), ("d", stats(None))]
    sums = [(0.25, 1), (0.5, 1), (0.0, 0), (0.0, 0)]
    found = intervals(documents, MEANS)["accuracy", "total"]
    assert found == pytest.approx(drawn_plainly(sums, 0, module.DRAWS))


def test_drawing_in_portions_draws_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    documents = [(f"d{i}", stats(i / 7)) for i in range(8)]
    whole = intervals(documents, MEANS)
    for cells in (1, 8, 8 * 300):
        monkeypatch.setattr(module, "MOST_CELLS", cells)
        assert intervals(documents, MEANS) == whole


def test_blocks_hold_the_documents_of_their_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_DOCUMENTS", 8)
    monkeypatch.setattr(module, "BLOCKS", 5)
    few = [(f"d{i}", stats(i / 8)) for i in range(8)]
    at_limit = drawn_plainly([(i / 8, 1) for i in range(8)], 0, module.DRAWS)
    assert intervals(few, MEANS)["accuracy", "total"] == pytest.approx(at_limit)
    more = [(f"d{i}", stats(i / 9)) for i in range(9)]
    blocks = [(0.0, 0)] * 5
    for i in range(9):
        at = zlib.crc32(f"d{i}".encode()) % 5
        blocks[at] = (blocks[at][0] + i / 9, blocks[at][1] + 1)
    found = intervals(more, MEANS)["accuracy", "total"]
    assert found == pytest.approx(drawn_plainly(blocks, 0, module.DRAWS))


@given(st.integers(0, 40), st.integers(1, 40))
def test_wilsons_ends_are_the_roots_of_its_equation(right: int, number: int) -> None:
    share = min(right, number) / number
    low, high = wilson(share, number)
    assert 0 <= low <= share <= high <= 1
    for root in (low, high):
        error = 1.959963984540054 * (root * (1 - root) / number) ** 0.5
        assert abs(root - share) == pytest.approx(error, abs=1e-9)


def test_wilsons_ends_by_hand() -> None:
    # z² = 3.841459; none of 4: 0 to z² / (4 + z²)
    assert wilson(0.0, 4) == pytest.approx((0.0, 3.841459 / 7.841459), abs=1e-6)
    assert wilson(1.0, 4) == pytest.approx((4 / 7.841459, 1.0), abs=1e-6)
