"""The metric `effort`: minutes a correction and a document, as hours and money for 1,000."""

from __future__ import annotations

import pytest

import docassay as da
from docassay import ConfigurationError

GOLD = {"a": {"total": "1", "tax": "2", "date": "3"}, "b": {"total": "5"}}
PRED = {"a": {"total": "9", "tax": "2", "fee": "7"}, "b": {"total": "5"}}
# in two documents one substitution (total), one addition (date) and one deletion (fee)


def score(**options: float | str) -> da.Report:
    told = {f"effort.{name}": value for name, value in options.items()}
    return da.score(GOLD, PRED, metrics=["effort"], settings=told)


def test_minutes_become_hours_for_a_thousand_documents() -> None:
    report = score(
        substitution_minutes=6, addition_minutes=12, deletion_minutes=3, review_minutes=1.5
    )
    assert report["effort.hours_per_1000"].value == pytest.approx((6 + 12 + 3 + 2 * 1.5) / 60 * 500)
    assert report["effort.hours_per_1000@date"].value == pytest.approx(12 / 60 * 500)
    assert report["effort.hours_per_1000@tax"].value == 0


def test_the_worst_field_is_the_one_that_takes_longest() -> None:
    report = score(substitution_minutes=6, addition_minutes=12, deletion_minutes=3)
    worst = report["effort.worst_field_hours_per_1000"]
    assert worst.value == report["effort.hours_per_1000@date"].value


def test_a_rate_makes_money_of_hours_and_without_one_cost_is_undefined() -> None:
    assert score()["effort.cost_per_1000"].value is None
    report = score(hourly_rate=40)
    hours = report["effort.hours_per_1000"].value
    assert report["effort.cost_per_1000"].value == pytest.approx(40 * hours)


def test_looking_at_perfect_documents_takes_time() -> None:
    report = da.score(GOLD, GOLD, metrics=["effort"])
    assert report["effort.hours_per_1000"].value == pytest.approx(1000 / 60)
    assert report["effort.worst_field_hours_per_1000"].value == 0


@pytest.mark.parametrize(
    ("minutes", "message"), [("-1", "at least 0"), ("nan", "finite"), ("inf", "finite")]
)
def test_times_below_zero_are_refused(minutes: str, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        score(review_minutes=minutes)
