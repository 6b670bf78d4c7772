"""Thresholds chosen on the documents at hand, against trying all of them."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.analysis.thresholds import curves as choose
from docassay.analysis.thresholds.curves import Prices, candidates, cheapest, naive, within_budget
from docassay.analysis.thresholds.outcomes import FieldValues, Outcomes, Told

from .made import TOLD, D, R, S, made, one_field

PRICES = st.builds(Prices, *[st.sampled_from([0.0, 0.25, 0.5, 1.0, 2.0, 10.0])] * 3)


def predicted(outcomes: Outcomes) -> dict[str, FieldValues]:
    return {path: one for path, one in outcomes.fields.items() if len(one.document)}


def left_alone(values: FieldValues, tau: float | None) -> list[bool]:
    """Whether each unreviewed value is wrong."""
    return [
        outcome != R
        for sure, outcome in zip(values.confidence, values.outcome, strict=True)
        if tau is not None and sure >= tau
    ]


@given(told=TOLD)
def test_an_option_leaves_the_values_that_are_at_least_so_sure(told: list[Told]) -> None:
    for values in predicted(made(told)).values():
        for tau, unreviewed, wrong in zip(*candidates(values), strict=True):
            assert (len(left_alone(values, tau)), sum(left_alone(values, tau))) == (
                unreviewed,
                wrong,
            )


@given(told=TOLD, target=st.sampled_from([0.0, 0.25, 0.5, 1.0]))
def test_naive_is_the_laxest_threshold_within_the_target(told: list[Told], target: float) -> None:
    for values in predicted(made(told)).values():
        chosen = naive(candidates(values), target)
        found = left_alone(values, chosen)
        assert sum(found) <= target * len(found)
        for tau in values.confidence:
            if chosen is None or tau < chosen:
                laxer = left_alone(values, float(tau))
                assert sum(laxer) > target * len(laxer)


def cost(values: FieldValues, tau: float | None, prices: Prices) -> float:
    missed = sum(left_alone(values, tau))
    reviewed = len(values.document) - len(left_alone(values, tau))
    caught = int(values.wrong.sum()) - missed
    return prices.review * reviewed + prices.correction * caught + prices.missed * missed


@given(told=TOLD, prices=PRICES)
def test_no_threshold_is_cheaper_than_the_cheapest(told: list[Told], prices: Prices) -> None:
    for values in predicted(made(told)).values():
        every = candidates(values)
        chosen = cheapest(every, prices)
        costs = [cost(values, tau, prices) for tau in every.thresholds]
        assert cost(values, chosen, prices) == min(costs)
        assert every.thresholds.index(chosen) == costs.index(min(costs))


@given(told=TOLD, share=st.sampled_from([0.0, 0.1, 0.3, 0.5, 0.9, 1.0]))
def test_no_thresholds_within_the_budget_catch_more_or_review_less(
    told: list[Told], share: float
) -> None:
    fields = {path: candidates(one) for path, one in predicted(made(told)).items()}
    total = sum(int(one.unreviewed[0]) for one in fields.values())
    chosen = within_budget(fields, share)
    places = [one.thresholds.index(chosen[path]) for path, one in fields.items()]

    def outcome(at: tuple[int, ...]) -> tuple[int, int]:
        pairs = [*zip(fields.values(), at, strict=True)]
        return (
            sum(int(one.reviewed[i]) for one, i in pairs),
            sum(int(one.caught[i]) for one, i in pairs),
        )

    every = map(outcome, product(*[range(len(one.thresholds)) for one in fields.values()]))
    within = [(caught, -reviewed) for reviewed, caught in every if reviewed <= share * total]
    reviewed, caught = outcome(tuple(places))
    assert (caught, -reviewed) == max(within)


def test_a_budget_goes_where_most_errors_are_found_for_a_review() -> None:
    told: list[Told] = [
        (0, "good", R, 0.2, 5),
        (0, "bad", S, 0.8, 5),
        (0, "bad", R, 0.9, 10),
        (0, "good", R, 0.9, 10),
    ]
    fields = {path: candidates(one) for path, one in made(told).fields.items()}
    assert within_budget(fields, 0.25) == {"bad": 0.9, "good": 0.2}


def test_a_small_catch_does_not_use_up_the_budget_of_a_large_one() -> None:
    told: list[Told] = [(0, "small", S, 0.5, 1), (0, "large", S, 0.5, 9), (0, "large", R, 0.5, 1)]
    fields = {path: candidates(one) for path, one in made(told).fields.items()}
    assert within_budget(fields, 10 / 11) == {"large": None, "small": 0.5}


def test_many_thresholds_are_thinned_within_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    values = one_field([(at / 100, S) for at in range(100)]).fields["f"]
    monkeypatch.setattr(choose, "CELLS", 10)
    monkeypatch.setattr(choose, "FEWEST_TRIED", 3)
    chosen = within_budget({"f": candidates(values)}, 0.5)["f"]
    assert chosen is not None
    assert 0.45 <= chosen <= 0.5


def test_what_is_right_is_not_reviewed_for_the_sake_of_the_budget() -> None:
    values = one_field([(0.1, S), (0.5, R), (0.9, R)]).fields["f"]
    assert within_budget({"f": candidates(values)}, 1.0) == {"f": 0.5}


def test_values_of_equal_confidence_are_reviewed_together() -> None:
    values = one_field([(0.5, S), (0.5, R), (0.5, D), (0.9, R)]).fields["f"]
    assert candidates(values).thresholds == (0.5, 0.9, None)
