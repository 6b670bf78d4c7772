"""What thresholds do to a run, counted one value at a time."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.analysis.thresholds.analysis import operate
from docassay.analysis.thresholds.curves import Prices
from docassay.analysis.thresholds.outcomes import Told, pooled

from .made import PLACES, TOLD, D, R, S, made

TAUS = st.sampled_from([0.0, 0.2, 0.5, 0.6, 0.99, 1.0, None])
PRICES = Prices(review=2, correction=3, missed=50)


def share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


@given(told=TOLD, taus=st.tuples(TAUS, TAUS, TAUS))
def test_values_below_their_threshold_are_reviewed_and_put_right(
    told: list[Told], taus: tuple[float | None, ...]
) -> None:
    outcomes = made(told)
    of_field = dict(zip(("a", "b", "c.d"), taus, strict=True))
    fields = {path: values for path, values in outcomes.fields.items() if len(values.document)}
    if not fields:
        return
    predicted = reviewed = caught = missed = removed = added = 0
    touched, spoilt = set(), set()
    for at, path, outcome, sure, times in told:
        if outcome is None:
            added += times
            spoilt |= {at} if times else set()
            continue
        tau = of_field[path]
        low = math.inf if tau is None else tau
        below = (sure or 0.0) < low
        predicted += times
        if times:
            touched |= {at} if below else set()
            spoilt |= {at} if outcome != R else set()
        if below:
            reviewed += times
            caught += times * (outcome != R)
            removed += times * (outcome == D)
        else:
            missed += times * (outcome != R)
    found = operate(outcomes, fields, of_field, "way", PRICES)
    left = predicted - removed + added
    free = {*range(PLACES)} - touched
    assert found.way == "way"
    assert found.auto_rate == pytest.approx(1 - reviewed / predicted)
    assert found.error_rate == pytest.approx(share(missed, predicted - reviewed))
    assert found.aligned == pytest.approx(share(left - missed - added, left))
    assert found.touchless == pytest.approx(len(free) / PLACES)
    assert found.touchless_right == pytest.approx(share(len(free - spoilt), len(free)))
    assert found.cost == pytest.approx(2 * reviewed + 3 * caught + 50 * missed)
    assert operate(outcomes, fields, of_field, "way").cost is None


def test_all_fields_together_hold_every_value() -> None:
    outcomes = made([(0, "a", R, 0.5, 2), (1, "b", S, None, 1), (1, "b", None, None, 4)])
    whole = pooled(outcomes)
    assert whole.document.tolist() == [0, 0, 1]
    assert whole.confidence.tolist() == [0.5, 0.5, 0.0]
    assert whole.outcome.tolist() == [R, R, S]
    assert whole.stated.tolist() == [True, True, False]
    assert whole.additions == 4
    assert pooled(made([])).document.tolist() == []
