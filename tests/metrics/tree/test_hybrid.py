"""The metric `hybrid`: F1 and nearness of texts in one number."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

import docassay as da
from docassay.errors import ConfigurationError
from docassay.model.report import Report
from docassay.report.table import render

WORD = st.sampled_from(["tea", "tee", "cake", "cape", "take", "x", "ab", "aba", "ba"])


def report_of(gold: object, pred: object, *, schema: object = None, **settings: object) -> Report:
    told = {f"hybrid.{name}": value for name, value in settings.items()}
    return da.score({"x": gold}, {"x": pred}, metrics=["hybrid"], schema=schema, settings=told)


def test_the_score_is_f1_and_nearness_by_weight() -> None:
    gold, pred = {"a": "cake", "b": "tea"}, {"a": "cape", "b": "tea"}
    report = report_of(gold, pred, weight=0.25)
    assert report["hybrid.f1"].value == 0.5
    assert report["hybrid.ned"].value == (1 / 4 + 0) / 2
    assert report["hybrid.score"].value == pytest.approx(0.25 * 0.5 + 0.75 * 0.875)
    assert report["hybrid.score@a"].value == pytest.approx(0.75 * 0.75)
    assert report.settings["hybrid.weight"] == 0.25


def test_a_missing_or_extra_value_is_as_far_as_can_be() -> None:
    report = report_of({"a": ["x", "y"]}, {"a": ["y"], "b": "z"})
    assert report["hybrid.ned@a"].value == 0.5
    assert report["hybrid.ned@b"].value == 1.0
    assert report["hybrid.ned"].value == pytest.approx(2 / 3)
    assert report["hybrid.ned"].support == 3


def test_f1_goes_by_type_and_nearness_by_the_text_as_found() -> None:
    report = report_of({"a": "7.00"}, {"a": "$7"}, schema={"fields": {"a": "money"}})
    assert report["hybrid.f1"].value == 1.0
    assert report["hybrid.ned"].value == 1.0


def test_values_pair_up_within_a_field_whatever_their_row() -> None:
    gold = {"menu": [{"nm": "tea", "p": "3"}, {"nm": "cake", "p": "4"}]}
    pred = {"menu": [{"nm": "cape", "p": "3"}, {"nm": "tea", "p": "4"}]}
    report = report_of(gold, pred)
    assert report["hybrid.ned@menu.nm"].value == 0.125
    assert report["hybrid.ned@menu.p"].value == 0.0


def test_of_several_right_texts_the_nearest_counts() -> None:
    report = report_of({"a": [{"any_of": ["cake", "pie"]}, "tea"]}, {"a": ["tea", "pies"]})
    assert report["hybrid.ned"].value == 0.125


@given(gold=st.lists(WORD, max_size=4), pred=st.lists(WORD, max_size=4))
def test_no_pairing_is_cheaper(gold: list, pred: list) -> None:
    few, many = sorted((gold, pred), key=len)
    least = min(
        sum(Levenshtein.normalized_distance(*pair) for pair in zip(few, chosen, strict=True))
        for chosen in permutations(many, len(few))
    )
    found = report_of({"a": gold}, {"a": pred})["hybrid.ned"]
    assert found.support == len(many)
    if many:
        expected = (least + len(many) - len(few)) / len(many)
        assert found.value == pytest.approx(expected, abs=1e-8)


def test_nothing_on_either_side_is_undefined() -> None:
    report = report_of({}, {})
    assert {one.value for one in report.scores} == {None}


def test_a_field_with_too_many_values_to_pair_is_named_and_keeps_its_f1() -> None:
    report = report_of({"a": ["x", "y", "z"]}, {"a": ["x", "y", "u"]}, max_pairs=8)
    assert report["hybrid.ned"].value is None
    assert report["hybrid.f1"].value == pytest.approx(2 / 3)
    assert "a has too many values for hybrid.max_pairs" in report.problems[0].message


@pytest.mark.parametrize("weight", [-0.1, 1.5])
def test_a_weight_that_is_none_stops_the_run_before_it_starts(weight: float) -> None:
    with pytest.raises(ConfigurationError, match="is no weight"):
        report_of({"a": "x"}, {"a": "x"}, weight=weight)


def test_the_weight_is_printed_beside_the_score() -> None:
    report = report_of({"a": "cake", "b": "tea"}, {"a": "cape", "b": "tea"}, weight=0.25)
    assert "0.25 × F1 0.5000 + 0.75 × (1 − NED 0.1250)" in render(report)
