"""Guaranteed thresholds: what is tested, in which order, and that the promise is kept."""

from __future__ import annotations

import importlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from docassay.analysis.thresholds.curves import VALUES
from docassay.analysis.thresholds.guarantee import (
    Evidence,
    draw,
    error_bound,
    fewest_values,
    guarantee,
)
from docassay.analysis.thresholds.outcomes import Outcomes, Told

from .made import TOLD, R, S, made, one_field

BENCHMARKS = Path(__file__).resolve().parents[3] / "benchmarks"


def found(outcomes: Outcomes, *, target: float = 0.1, alpha: float = 0.05) -> dict[str, Evidence]:
    return guarantee(outcomes, outcomes.fields, target=target, alpha=alpha)


@given(told=TOLD)
def test_at_most_one_value_of_a_field_is_drawn_from_a_document(told: list[Told]) -> None:
    outcomes = made(told)
    for path, values in outcomes.fields.items():
        assert draw(values, path, outcomes.ids).size <= len(np.unique(values.document))


@given(told=TOLD)
def test_where_values_are_independent_all_are_drawn(told: list[Told]) -> None:
    outcomes = made(told)
    for path, values in outcomes.fields.items():
        assert draw(values, path, outcomes.ids, independent=VALUES).size == len(values.document)


def test_every_value_has_the_same_chance_to_be_drawn() -> None:
    # documents of one, two and four values: a quarter of the values of each kind is drawn
    told: list[Told] = [
        (at, "f", R, size / 4, 1)
        for at in range(6_000)
        for size in [(1, 2, 4)[at % 3]] * ((1, 2, 4)[at % 3])
    ]
    outcomes = made(told, 6_000)
    sample = draw(outcomes.fields["f"], "f", outcomes.ids)
    for size in (1, 2, 4):
        drawn = int((sample.confidence == size / 4).sum())
        assert drawn / (2_000 * size) == pytest.approx(0.25, abs=0.02)


def test_what_is_drawn_does_not_depend_on_what_is_right() -> None:
    told: list[Told] = [(at, "f", R, 0.1 * k, 1) for at in range(50) for k in range(5)]
    spoilt: list[Told] = [(at, path, S, sure, times) for at, path, _, sure, times in told]
    one, other = (made(part, 50) for part in (told, spoilt))
    assert np.array_equal(
        draw(one.fields["f"], "f", one.ids).confidence,
        draw(other.fields["f"], "f", other.ids).confidence,
    )


def test_a_field_that_is_always_right_is_left_alone_from_its_lowest_confidence() -> None:
    outcomes = one_field([(0.3 + at / 1000, R) for at in range(100)])
    one = found(outcomes)["f"]
    assert one == Evidence(0.3, 100, error_bound(0, 100, 0.05))


def test_the_threshold_lies_above_the_errors() -> None:
    values = [(0.5, S)] * 40 + [(0.9 + at / 10_000, R) for at in range(200)]
    assert found(one_field(values))["f"].threshold == 0.9


def test_too_few_values_say_how_many_documents_are_missing() -> None:
    # 29 values without an error are the least: 0.9 ** 29 < 0.05 < 0.9 ** 28
    one = found(one_field([(0.9, R)] * 20))["f"]
    assert fewest_values(0.1, 0.05) == 29
    assert one == Evidence(
        None, 20, more_documents=9, why="it takes 29 tested values even if none is wrong"
    )


def test_errors_among_the_surest_values_ask_for_more_documents() -> None:
    values = [(0.99, S if at % 25 == 0 else R) for at in range(50)]
    one = found(one_field(values))["f"]
    assert one.threshold is None
    assert one.why == "2 of the 50 surest tested values wrong"
    assert one.more_documents == fewest_values(0.1, 0.05, rate=0.04) - 50


def test_where_the_surest_values_are_wrong_too_often_nobody_can_tell_what_it_takes() -> None:
    one = found(one_field([(0.99, S if at % 5 == 0 else R) for at in range(500)]))["f"]
    assert (one.threshold, one.more_documents) == (None, None)


@pytest.mark.parametrize("outcome", [R, S], ids=["right", "wrong"])
def test_with_one_confidence_for_all_it_is_all_or_nothing(outcome: int) -> None:
    one = found(one_field([(0.8, outcome)] * 60))["f"]
    assert one.threshold == (0.8 if outcome == R else None)
    assert one.tested == 60


def test_the_allowance_is_split_over_the_fields_that_can_pass() -> None:
    told: list[Told] = [(at, path, R, 0.9, 1) for at in range(40) for path in ("a", "b")]
    told += [(0, "rare", R, 0.9, 1)]
    outcomes = made(told, 40)
    alone = guarantee(outcomes, {"a": outcomes.fields["a"]}, target=0.1, alpha=0.05)
    both = found(outcomes)
    assert alone["a"].bound == error_bound(0, 40, 0.05)
    assert both["a"].bound == both["b"].bound == error_bound(0, 40, 0.025)
    assert (
        both["rare"].why
        == f"it takes {fewest_values(0.1, 0.05 / 3)} tested values even if none is wrong"
    )


def test_no_more_fields_are_tested_than_the_allowance_was_split_over() -> None:
    # at a third of the allowance 39 values are needed, at half of it 36: `c` has 37
    sizes = {"a": 45, "b": 40, "c": 37}
    told: list[Told] = [(at, path, R, 0.9, 1) for path, size in sizes.items() for at in range(size)]
    outcomes = made(told, 45)
    thresholds = {path: one.threshold for path, one in found(outcomes).items()}
    assert thresholds == {"a": 0.9, "b": 0.9, "c": None}


def test_the_promise_is_kept_on_documents_not_yet_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    trial = importlib.import_module("thresholds").trial
    tried = trial("drawn", seeds=40, docs=400, further=10_000, target=0.02)
    assert tried["guaranteed"].failed <= 40 * 0.05
    assert tried["guaranteed"].auto_rate > 0.2
    assert tried["naive"].failed > 20
