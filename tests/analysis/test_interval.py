"""Intervals: what is drawn, what is added on the worse side, and where Wilson steps in."""

from __future__ import annotations

from collections.abc import Iterator
from math import nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.analysis import intervals as module
from docassay.analysis.intervals import DRAWS, FEWEST, intervals, wilson
from docassay.metrics.metric import Context, Metric, Readout, Totals
from docassay.model.report import HIGHER, LOWER, LazyInterval, ReadoutSpec, Score
from docassay.model.stats import Counts, ratio, text_table, total
from docassay.run.plan import BoundMetric
from docassay.run.score import Row

SPECS = {
    "share": ReadoutSpec("share", better=HIGHER),
    "error": ReadoutSpec("error", better=LOWER),
    "neither": ReadoutSpec("neither", better=None),
    "wrong": ReadoutSpec("wrong", unit="count"),
}


def readouts(totals: Totals, context: Context) -> Iterator[Readout]:
    fields = text_table(totals, "fields")
    for key, (right, wrong) in {"": total(fields.values(), 2), **fields}.items():
        whole = right + wrong
        yield Readout("share", key, ratio(right, whole), whole)
        yield Readout("error", key, ratio(wrong, whole), whole)
        yield Readout("neither", key, ratio(right, whole), whole)
        yield Readout("wrong", key, wrong, whole)


METRIC = BoundMetric(
    Metric("counts", lambda case: {}, 1, {"fields": ("right", "wrong")}, readouts), {}, {}
)


def rows(counts: list[Counts | None], *, key: str = "total") -> list[Row]:
    return [
        Row(f"d{i}", "", "", {}, {"counts": {"fields": {} if pair is None else {key: pair}}}, ())
        for i, pair in enumerate(counts)
    ]


def ends(
    counts: list[Counts | None], *, seed: int = 0, name: str = "share", key: str = ""
) -> tuple[float, float]:
    return intervals(METRIC, rows(counts), Context(len(counts), None, {}), SPECS, seed=seed)[
        name, key
    ]


def drawn_plainly(
    counts: list[Counts | None], seed: int, *, worse: str | None = "low"
) -> tuple[float, float]:
    """Draw documents one by one, with one more that is all wrong on the worse side."""
    number = len(counts) + 1
    present = sum(pair is not None and any(pair) for pair in counts)
    lows, highs = [], []
    for row in np.random.default_rng(seed).integers(number, size=(DRAWS, number)):
        taken = [counts[i] for i in row if i < len(counts)]
        right = sum(pair[0] for pair in taken if pair is not None)
        whole = sum(sum(pair) for pair in taken if pair is not None)
        share = right / whole if whole else nan
        added = int((row == len(counts)).sum()) / present
        lows.append(share / (1 + added) if worse == "low" else share)
        highs.append(share)
    return float(np.nanpercentile(lows, 2.5)), float(np.nanpercentile(highs, 97.5))


@given(
    counts=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=FEWEST, max_size=9),
    seed=st.integers(0, 3),
)
def test_an_interval_is_that_of_drawing_documents_one_by_one(
    counts: list[Counts | None], seed: int
) -> None:
    defined = [pair for pair in counts if any(pair)]
    if len(defined) < FEWEST or all(0 in pair for pair in defined):
        return
    share = sum(pair[0] for pair in defined) / sum(map(sum, defined))
    low, high = drawn_plainly(counts, seed)
    assert ends(counts, seed=seed) == pytest.approx((min(low, share), max(high, share)))
    # the errors are the complement, with the document that is all wrong at the other end
    expected = (1 - max(high, share), 1 - min(low, share))
    assert ends(counts, seed=seed, name="error") == pytest.approx(expected)


def test_nothing_is_added_where_neither_more_nor_less_is_better() -> None:
    counts: list[Counts | None] = [(i, 6 - i) for i in range(1, 6)]
    expected = drawn_plainly(counts, 0, worse=None)
    assert ends(counts, name="neither") == pytest.approx(expected)


def test_a_count_has_an_interval_for_as_many_documents() -> None:
    counts: list[Counts | None] = [(1, 0), (1, 2), (1, 4), (1, 1), (1, 3), (1, 2)] * 10
    low, high = ends(counts, name="wrong")
    half = 1.96 * float(np.std([pair[1] for pair in counts if pair])) * 60**0.5
    assert low < 120 < high
    assert (high - low) / 2 == pytest.approx(half, rel=0.2)


def test_documents_that_hold_more_values_weigh_more() -> None:
    counts: list[Counts | None] = [(1, 3), (16, 4), (2, 2), (3, 1), (9, 1)]
    assert ends(counts) == pytest.approx(drawn_plainly(counts, 0))


def test_documents_without_the_field_do_not_narrow_its_interval() -> None:
    counts: list[Counts | None] = [(2, 8), (4, 6), (6, 4), (8, 2), (9, 1), (3, 7)]
    alone = ends(counts, key="total")
    among = ends([*counts, *[None] * 50], key="total")
    assert among[1] - among[0] > 0.8 * (alone[1] - alone[0])


@pytest.mark.parametrize("shares", [[1.0] * 8, [0.0] * 8, [0.0, 1.0, 1.0, 1.0] * 2])
def test_where_every_document_is_right_or_wrong_the_interval_is_wilsons(
    shares: list[float],
) -> None:
    counts: list[Counts | None] = [(3, 0) if share else (0, 3) for share in shares]
    assert ends(counts) == pytest.approx(wilson(sum(shares) / 8, 8))


def test_documents_that_are_right_or_wrong_but_of_other_sizes_are_drawn() -> None:
    counts: list[Counts | None] = [(9, 0), (0, 1), (9, 0), (0, 1), (9, 0), (0, 1)]
    assert ends(counts) == pytest.approx(drawn_plainly(counts, 0))


def test_below_five_documents_there_is_no_interval() -> None:
    context = Context(9, None, {})
    few: list[Counts | None] = [(1, 2), (3, 1), (2, 2), (5, 1)]
    assert intervals(METRIC, rows(few), context, SPECS) == {}
    field = [*rows([*few, None, None, None]), *rows([(1, 1)] * 5, key="other")]
    keys = {key for _, key in intervals(METRIC, field, context, SPECS)}
    assert keys == {"", "other"}
    assert {key for _, key in intervals(METRIC, rows([*few, (1, 1)]), context, SPECS)} == {
        "",
        "total",
    }


def test_the_same_seed_draws_the_same_documents_and_another_does_not() -> None:
    counts: list[Counts | None] = [(i, 9 - i) for i in range(1, 9)]
    assert ends(counts) == ends(counts)
    assert ends(counts) != ends(counts, seed=1)


def test_drawing_in_portions_draws_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    counts: list[Counts | None] = [(i, 9 - i) for i in range(1, 9)]
    whole = ends(counts)
    for cells in (1, 8, 9 * 300):
        monkeypatch.setattr(module, "MOST_CELLS", cells)
        assert ends(counts) == whole


@pytest.mark.parametrize("limit", ["MOST_DOCUMENTS", "MOST_COUNTS"])
def test_many_documents_are_drawn_in_blocks(limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(2)
    counts: list[Counts | None] = [
        (int(right), 10 - int(right)) for right in generator.integers(5, 11, size=600)
    ]
    whole = ends(counts)
    monkeypatch.setattr(module, limit, 599)
    monkeypatch.setattr(module, "BLOCKS", 200)
    low, high = ends(counts)
    assert (low, high) != whole
    assert (high - low) == pytest.approx(whole[1] - whole[0], rel=0.2)


def test_about_95_of_100_intervals_hold_the_truth() -> None:
    dice = np.random.default_rng(3)
    samples = [dice.binomial(20, dice.beta(4, 1, size=80)).tolist() for _ in range(100)]
    held = sum(
        low <= 0.8 <= high
        for low, high in (ends([(right, 20 - right) for right in sample]) for sample in samples)
    )
    assert 90 <= held <= 100


def test_a_sample_without_the_rare_bad_document_still_holds_the_truth() -> None:
    # one document in twenty is all wrong, the others have nine of ten right: the truth is 0.855
    counts: list[Counts | None] = [(9, 1)] * 10 + [(10, 0)] * 5 + [(8, 2)] * 5
    low, high = ends(counts)
    assert low < 0.855 < high
    assert high - low < 0.2


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


def test_an_interval_is_worked_out_when_it_is_first_read_and_only_once() -> None:
    calls: list[int] = []

    def work_out() -> tuple[float, float]:
        calls.append(1)
        return (0.25, 0.75)

    score = Score("m", "r", "", "", 0.5, 1, LazyInterval(work_out))
    assert not calls
    assert (score.low, score.high) == (0.25, 0.75)
    assert len(calls) == 1
    assert score == Score("m", "r", "", "", 0.5, 1, LazyInterval.of(0.25, 0.75))
