"""Details of values that wider tests pass over, each computed by hand."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest

from docassay.values.compare import within
from docassay.values.read.date import parse_date
from docassay.values.read.number import Amount, _fraction

# ---------------------------------------------------------------- comparing


def test_numbers_that_fit_are_compared_all_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("compared pair by pair")

    monkeypatch.setattr(within, "pairwise", refuse)
    golds, preds = [Decimal("1.5"), Decimal(10**15)], [Decimal("1.50"), Decimal(2)]
    assert np.array_equal(within.numbers_batch(golds, preds), [[1.0, 0.0], [0.0, 0.0]])
    with pytest.raises(AssertionError):
        within.numbers_batch([Decimal(10**17)], [Decimal("0.5")], relative=Decimal("0.01"))


def test_a_unit_that_is_left_open_agrees_with_any() -> None:
    five = [Amount(Decimal(5), unit) for unit in ("kg", "m", None)]
    assert np.array_equal(
        within.numbers_batch(five, five), [[1.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, 1.0, 1.0]]
    )


# ---------------------------------------------------------------- reading


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1/2", "0.5" + "0" * 29),
        ("3 1/4", "3.25" + "0" * 28),
        ("1/3", None),
        ("1/0", None),
    ],
)
def test_a_fraction_is_written_with_thirty_places(text: str, number: str | None) -> None:
    assert _fraction(text) == number


def test_a_day_or_month_has_at_most_two_digits() -> None:
    assert str(parse_date("12/04", day_first=False)) == "--12-04"
    assert parse_date("012/04", day_first=False) is None
