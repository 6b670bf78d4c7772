"""Forecasts: documents needed, what documents show, and what both rest on."""

from __future__ import annotations

import math
from itertools import count
from statistics import stdev

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import docassay as da
from docassay.analysis.power import (
    DifferenceShape,
    PowerQuestion,
    documents_needed,
    fewest_documents,
    power_with,
    smallest_difference,
)
from docassay.errors import ConfigurationError, DataError, UnknownName

ASKED = PowerQuestion(0.1, 0.8, 0.05)


@pytest.mark.parametrize(
    ("effect", "power", "alpha", "needed"),
    [
        # of the paired t test, by G*Power
        (0.2, 0.8, 0.05, 199),
        (0.5, 0.8, 0.05, 34),
        (0.5, 0.95, 0.05, 54),
        (0.5, 0.8, 0.01, 51),
        (1.0, 0.8, 0.05, 10),
    ],
)
def test_of_normal_differences_it_is_about_that_of_a_t_test(
    effect: float, power: float, alpha: float, needed: int
) -> None:
    forecast = documents_needed(DifferenceShape(1.0), PowerQuestion(effect, power, alpha))
    assert forecast == pytest.approx(needed, rel=0.2)


SHAPES = st.builds(
    lambda deviation, skewness, above: DifferenceShape(
        deviation, skewness, 1 + skewness**2 + above
    ),
    st.floats(0.01, 2),
    st.floats(-3, 3),
    st.floats(0, 20),
)
QUESTIONS = st.builds(
    PowerQuestion, st.floats(0.05, 0.9), st.floats(0.5, 0.95), st.sampled_from([0.01, 0.05, 0.1])
)


@given(SHAPES, QUESTIONS)
def test_the_documents_needed_are_the_fewest_with_the_power(
    shape: DifferenceShape, question: PowerQuestion
) -> None:
    needed = documents_needed(shape, question)
    assert power_with(needed, shape, question) >= question.power
    assert needed == 1 or power_with(needed - 1, shape, question) < question.power
    assert needed >= fewest_documents(question.alpha)


@given(SHAPES, st.integers(10, 500))
def test_the_smallest_difference_is_the_least_that_is_shown(
    shape: DifferenceShape, documents: int
) -> None:
    smallest = smallest_difference(documents, shape, ASKED)
    if smallest is None:
        assert power_with(documents, shape, ASKED._replace(difference=1.0)) < ASKED.power
    else:
        asked = ASKED._replace(difference=smallest)
        assert power_with(documents, shape, asked) >= ASKED.power - 1e-9


@pytest.mark.parametrize(("alpha", "fewest"), [(0.05, 6), (0.0625, 5), (0.01, 8), (0.5, 2)])
def test_below_the_fewest_documents_nothing_is_significant(alpha: float, fewest: int) -> None:
    """Two of the 2**n ways to swap n documents are as extreme as all on one side."""
    assert fewest_documents(alpha) == fewest
    assert fewest == next(n for n in count(1) if 2 / 2**n <= alpha)
    asked = ASKED._replace(alpha=alpha)
    assert power_with(fewest - 1, DifferenceShape(0.001), asked) == 0
    assert smallest_difference(fewest - 1, DifferenceShape(0.001), asked) is None


def test_where_few_documents_differ_enough_of_them_must_be_drawn() -> None:
    rare = DifferenceShape(0.01, differing=0.05)
    needed = documents_needed(rare, ASKED)
    drawn = np.random.default_rng(1).binomial(needed, 0.05, size=4_000)
    assert (drawn >= 6).mean() == pytest.approx(0.8, abs=0.03)
    assert documents_needed(rare._replace(differing=1.0), ASKED) < needed / 10


def test_differences_that_lean_to_the_effect_are_seen_with_fewer_documents() -> None:
    asked = PowerQuestion(0.5)
    plain, leaning, averse = (
        documents_needed(DifferenceShape(1.0, skewness, 4.0), asked) for skewness in (0, 1, -1)
    )
    assert leaning < plain < averse


# --- runs ---------------------------------------------------------------------------------------


def report(*wrong: int, documents: int = 30) -> da.Report:
    """Return a run of documents with one value each, some of them wrong."""
    gold = {f"{at:02}": {"total": f"{at}"} for at in range(documents)}
    pred = {**gold, **{f"{at:02}": {"total": "x"} for at in wrong}}
    return da.score(gold, pred, metrics=["kieval"], types="text")


def test_of_a_mean_the_deviation_is_that_of_its_documents() -> None:
    line = da.power(report(1, 2, 3))["aligned"]
    own = stdev([0.0] * 3 + [1.0] * 27)
    assert line.deviation == pytest.approx(own * math.sqrt(2))
    assert line.needed == documents_needed(DifferenceShape(own * math.sqrt(2)), PowerQuestion())
    assert (line.values, line.observed, line.documents) == ((0.9,), None, 30)
    assert line.needed_for_observed is None


def test_of_two_runs_the_deviation_is_that_of_their_differences() -> None:
    study = da.power(report(1, 2), report(2, 3, 4, 5, 6, 7, 8, 9), difference=0.1)
    line = study["kieval.aligned"]
    differences = [1.0] + [0.0] * 22 + [-1.0] * 7
    assert line.observed == pytest.approx(-6 / 30)
    assert line.deviation == pytest.approx(stdev(differences))
    parts = (np.array(differences) + 0.2) / np.std(differences)
    shape = DifferenceShape(
        stdev(differences), -(parts**3).mean(), (parts**4).mean(), differing=8 / 30
    )
    assert line.needed == documents_needed(shape, PowerQuestion(0.1))
    assert line.needed_for_observed == documents_needed(shape, PowerQuestion(line.observed * -1))
    assert line.power_now == pytest.approx(power_with(30, shape, PowerQuestion(0.1)))
    assert line.resolves == smallest_difference(30, shape, PowerQuestion(0.1))
    assert study.correlation is None
    field = study["aligned@total"]
    assert (field.needed, field.needed_together) == (line.needed, line.needed)
    assert line.needed_together is None


def test_fields_tested_together_need_more_documents() -> None:
    gold = {str(at): {"a": "1", "b": "1"} for at in range(30)}
    pred = {id: {"a": "1", "b": "2" if int(id) < 9 else "1"} for id in gold}
    runs = [da.score(gold, own, metrics=["kieval"], types="text") for own in (gold, pred)]
    line = da.power(*runs)["aligned@b"]
    alone = da.power(*runs, alpha=0.025)["aligned@b"]
    assert line.needed_together == alone.needed
    assert (line.needed or 0) < (alone.needed or 0)


def test_the_more_two_runs_fail_together_the_fewer_documents_they_need() -> None:
    run = report(1, 2, 3)
    needs = [da.power(run, correlation=own)["aligned"].needed or 0 for own in (-0.5, 0, 0.5, 0.9)]
    assert needs == sorted(needs, reverse=True)
    assert da.power(run).correlation == 0
    assert da.power(run)["aligned"].needed == needs[1]


@pytest.mark.parametrize(
    ("runs", "why"),
    [
        ((report(), report()), "both runs say the same"),
        ((report(),), "all documents say the same"),
        ((report(1, documents=4),), "fewer than 5 documents have it"),
    ],
)
def test_where_there_is_no_forecast_it_says_why(runs: tuple[da.Report, ...], why: str) -> None:
    line = da.power(*runs)["aligned"]
    assert (line.why, line.needed, line.resolves) == (why, None, None)


def test_documents_of_one_cluster_count_as_one() -> None:
    gold = {f"{at:02}": {"total": f"{at}", "kind": "ab"[at % 2]} for at in range(30)}
    kinds = {kind: {"fields": ["total", "kind"]} for kind in "ab"}
    fields = {name: {"type": "text"} for name in ("total", "kind")}
    schema = {"types": kinds, "type_field": "kind", "fields": fields}
    pred = {**gold, "01": {"total": "x", "kind": "b"}}
    run = da.score(gold, pred, metrics=["kieval"], schema=schema)
    assert da.power(run, cluster="type")["aligned"].why.startswith("fewer than 5")


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"difference": 0.0}, "a difference of 0"),
        ({"difference": math.nan}, "a difference of nan"),
        ({"difference": 1.5}, "a difference of 1.5"),
        ({"power": 1.0}, "a power of 1"),
        ({"alpha": 0.0}, "a level alpha of 0"),
        ({"correlation": 1.0}, "a correlation of 1"),
    ],
)
def test_a_question_without_an_answer_is_refused(options: dict[str, float], what: str) -> None:
    with pytest.raises(ConfigurationError, match=what):
        da.power(report(1), **options)


def test_runs_that_cannot_be_planned_with_are_refused() -> None:
    for runs in ((), (report(1),) * 3):
        with pytest.raises(ConfigurationError, match="runs are given"):
            da.power(*runs)
    with pytest.raises(ConfigurationError, match="where only one run is given"):
        da.power(report(1), report(2), correlation=0.5)
    tree = {"01": {"total": "9"}}
    other = da.score(tree, tree, metrics=["kieval"], types="text")
    with pytest.raises(DataError, match="gold differs") as refused:
        da.power(report(1), other)
    assert "against the same gold" in (refused.value.hint or "")
    with pytest.raises(UnknownName, match="unknown score 'alined'"):
        da.power(report(1))["alined"]
