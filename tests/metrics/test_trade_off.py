"""The automation trade-off against its definition, and calibration against plain computation."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import docassay as da
from docassay.metrics.confidence import auroc, brier, ece, reliability
from docassay.metrics.trade_off import Tally, area, at_tau, curve, with_the_unsure
from docassay.model.document import Number
from docassay.model.problem import ProblemCode

CONFIDENCES = st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.8, 0.99, 1.0])
TALLIES = st.lists(
    st.tuples(CONFIDENCES, st.tuples(*[st.integers(0, 4)] * 3)), min_size=1, max_size=8
)
ADDITIONS = st.integers(0, 5)


def values(tallies: list[Tally]) -> list[tuple[float, int]]:
    """Every predicted value with its outcome: 0 right, 1 substituted, 2 deleted."""
    return [
        (confidence, outcome)
        for confidence, counts in tallies
        for outcome, count in enumerate(counts)
        for _ in range(count)
    ]


def by_definition(tallies: list[Tally], additions: int, tau: float) -> tuple[float, float | None]:
    predicted = values(tallies)
    auto = 1 - sum(c < tau for c, _ in predicted) / len(predicted)
    wrong = sum(c >= tau and outcome > 0 for c, outcome in predicted)
    left = len(predicted) - sum(c < tau and outcome == 2 for c, outcome in predicted)
    whole = left + additions
    return auto, 1 - (wrong + additions) / whole if whole else None


@given(tallies=TALLIES, additions=ADDITIONS, tau=st.floats(0, 1))
def test_a_threshold_gives_what_the_definition_says(
    tallies: list[Tally], additions: int, tau: float
) -> None:
    point = at_tau(tallies, additions, tau)
    if not values(tallies):
        assert point is None
        return
    assert point is not None
    auto, aligned = by_definition(tallies, additions, tau)
    assert point.auto_rate == pytest.approx(auto)
    assert point.aligned == (None if aligned is None else pytest.approx(aligned))


@given(tallies=TALLIES, additions=ADDITIONS)
def test_nothing_is_reviewed_at_0_and_everything_at_the_end(
    tallies: list[Tally], additions: int
) -> None:
    points = curve(tallies, additions)
    if points:
        assert points[0].tau == 0
        assert points[0].auto_rate == 1
        assert points[-1].auto_rate == pytest.approx(0)
        rates = [point.auto_rate for point in points]
        assert rates == sorted(rates, reverse=True)


@given(tallies=TALLIES, additions=ADDITIONS)
def test_without_additions_reviewing_more_never_makes_it_worse(
    tallies: list[Tally], additions: int
) -> None:
    heights = [point.aligned for point in curve(tallies, 0) if point.aligned is not None]
    assert heights == sorted(heights)


@given(tallies=TALLIES, additions=ADDITIONS)
def test_the_area_lies_between_the_lowest_and_the_highest_point(
    tallies: list[Tally], additions: int
) -> None:
    points = curve(tallies, additions)
    heights = [point.aligned for point in points if point.aligned is not None]
    found = area(points)
    if found is not None:
        assert min(heights) - 1e-12 <= found <= max(heights) + 1e-12


def test_the_area_of_two_values_is_that_of_its_two_trapezoids() -> None:
    # sure and right, unsure and wrong: (1, 1/2), (1/2, 1), (0, 1)
    assert area(curve([(0.9, (1, 0, 0)), (0.2, (0, 1, 0))], 0)) == pytest.approx(0.375 + 0.5)


def test_values_without_confidence_count_as_not_sure_at_all() -> None:
    assert with_the_unsure([(0.9, (1, 0, 0))], (3, 1, 0)) == [(0.0, (2, 1, 0)), (0.9, (1, 0, 0))]


def leaf(value: str, confidence: float) -> dict[str, object]:
    return {"value": value, "confidence": confidence}


GOLD = {"a": "1", "b": "2", "c": "3", "d": "4"}
PRED = {"a": leaf("1", 0.9), "b": leaf("x", 0.3), "c": leaf("3", 0.3), "e": leaf("y", 0.6)}


def test_a_run_gives_the_trade_off_at_a_threshold_overall_and_by_field() -> None:
    report = da.score({"x": GOLD}, {"x": PRED}, settings={"kieval.tau": 0.5})
    # four predictions, two below 0.5; of the others e is deleted, and d is added
    assert report["kieval.auto_rate"].value == pytest.approx(0.5)
    assert report["kieval.aligned_tau"].value == pytest.approx(1 - (1 + 1) / (4 + 1))
    assert report["kieval.auto_rate@b"].value == 0
    assert report["kieval.auto_rate@a"].value == 1


def test_at_0_the_trade_off_is_aligned() -> None:
    report = da.score({"x": GOLD}, {"x": PRED}, settings={"kieval.tau": 0})
    assert report["kieval.aligned_tau"].value == pytest.approx(report["kieval.aligned"].value)
    assert report["kieval.auto_rate"].value == 1


def test_without_confidences_there_is_no_area() -> None:
    report = da.score({"x": GOLD}, {"x": {"a": "1"}})
    assert report["kieval.area"].value is None
    assert report["kieval.area"].support == 1


def test_of_equal_values_the_surest_takes_the_match() -> None:
    pred = {"a": [leaf("1", 0.2), leaf("1", 0.8)]}
    settings = {"kieval.tau": 0.5}
    report = da.score({"x": {"a": "1"}}, {"x": pred}, settings=settings)
    assert report["kieval.aligned_tau"].value == 1


@pytest.mark.parametrize("tau", ["high", "-0.1", "1.5", "nan"])
def test_a_threshold_that_is_none_stops_the_run_before_it_starts(tau: str) -> None:
    with pytest.raises(da.ConfigurationError, match=r"kieval\.tau"):
        da.score({"x": GOLD}, {"x": PRED}, settings={"kieval.tau": tau})


def test_a_confidence_outside_its_range_is_reported_and_the_nearer_end_is_used() -> None:
    pred = {"a": leaf("1", 1.7), "b": leaf("2", -3)}
    report = da.score({"x": GOLD}, {"x": pred}, metrics=["confidence"])
    assert [one.message for one in report.problems] == [
        "confidence 1.7 is outside 0..1: 1 is used",
        "confidence -3 is outside 0..1: 0 is used",
    ]
    assert {problem.code for problem in report.problems} == {ProblemCode.CONFIDENCE_RANGE}
    assert report["confidence.brier"].value == pytest.approx(0.5)


def test_each_value_with_a_confidence_outside_its_range_is_reported_once() -> None:
    # rows that are equal on both sides are not read in long lists; 1.0000001 is shown whole
    rows = [{"n": {"value": str(i), "confidence": Number("0.5")}} for i in range(40)]
    odd = [*rows[:-1], {"n": {"value": "39", "confidence": Number("1.0000001")}}]
    report = da.score({"x": {"rows": rows}}, {"x": {"rows": odd}})
    assert [(one.code, one.field, one.message) for one in report.problems] == [
        ("confidence-range", "rows.n", "confidence 1.0000001 is outside 0..1: 1 is used")
    ]
    both = da.score({"x": {"rows": odd}}, {"x": {"rows": odd}})
    assert [(one.side, one.code) for one in both.problems] == [
        ("gold", "confidence-range"),
        ("pred", "confidence-range"),
    ]


@given(tallies=TALLIES)
def test_auroc_is_how_often_a_right_value_is_the_surer_one(tallies: list[Tally]) -> None:
    right = [c for c, outcome in values(tallies) if outcome == 0]
    wrong = [c for c, outcome in values(tallies) if outcome > 0]
    wins = sum((r > w) + (r == w) / 2 for r, w in product(right, wrong))
    expected = wins / (len(right) * len(wrong)) if right and wrong else None
    assert auroc(tallies) == (None if expected is None else pytest.approx(expected))


@given(tallies=TALLIES)
def test_brier_is_the_mean_squared_distance_to_the_outcome(tallies: list[Tally]) -> None:
    found = values(tallies)
    expected = (
        sum(((outcome == 0) - c) ** 2 for c, outcome in found) / len(found) if found else None
    )
    assert brier(tallies) == (None if expected is None else pytest.approx(expected))


def test_ece_by_hand() -> None:
    # bin 0.9..1: three values, sure 0.95 on average, two right; bin 0.2: one value, wrong
    tallies: list[Tally] = [(0.95, (2, 1, 0)), (0.2, (0, 0, 1))]
    assert ece(tallies) == pytest.approx((abs(2 - 3 * 0.95) + 0.2) / 4)
    assert [one.values for one in reliability(tallies)] == [0, 0, 1, 0, 0, 0, 0, 0, 0, 3]


def test_a_confidence_of_1_belongs_to_the_last_bin() -> None:
    assert reliability([(1.0, (1, 0, 0))])[-1].values == 1


def test_without_confidences_calibration_is_undefined() -> None:
    report = da.score({"x": GOLD}, {"x": {"a": "1"}}, metrics=["confidence"])
    for name in ("ece", "brier", "auroc"):
        assert report[f"confidence.{name}"].value is None
    assert report["confidence.without_confidence"].value == 1
