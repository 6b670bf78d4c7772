"""How alike values are, and why."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest

from docassay.model.document import Unread
from docassay.values.comparator import COMPARATORS, _guard_batch
from docassay.values.read.number import Amount
from docassay.values.similarity import similarity

DEGREES = [
    ("text", "Acme Corp", "ACME CORPORATION", 0.5625),
    ("text", "Test Company Pty Ltd", "Test Compnay Pty Ltd", 0.9),
    ("text", "ABC Corp", "Test Company Pty Ltd", 0.2),
    ("words", "fish and chips", "fish chips", 2 / 3),
    ("words", "a b", "c d", 0.0),
    ("contains", "Acme Pty Ltd", "acme", 0.9),
    ("contains", "Acme", "Acme Pty Ltd", 0.9),
    ("contains", "Pear", "Pea", 0.0),
    ("contains", "Acme, Inc.", "acme inc", 0.9),
    ("phone", "02 9876 5432", "02 9876 5433", 0.8),
    ("phone", "02 9876 5432", "02 9876 5499", 0.8),
    ("phone", "02 9876 5432", "02 9876 1999", 0.5),
    ("phone", "02 9876 5432", "13 11 14", 0.0),
    ("phone", "02 9876 5432", "03 1111 1111", 0.0),
    ("address", "4, Main St.", "40 Main St.", 0.0),
    ("address", "12 Main St", "12 Maine St", 1 - 1 / 8),
    ("name", "Pear", "Pea", 0.75),
]
REASONS = [
    ("money", "$5", "5.00", "equal as amounts of money"),
    ("money", "$5", "€5", "currencies differ: USD and EUR"),
    ("money", "5", "50", "amounts differ by a factor of 10"),
    ("money", "5", "-5", "the signs differ"),
    ("money", "5", "7", "amounts differ: 5 and 7"),
    ("money", "12.50", "12.5O", "'12.5O' is not an amount of money"),
    ("money", "12.5O", "12.5o", "the same text, not readable"),
    ("number", "2", "2.0", "equal as numbers"),
    ("quantity", "2 kg", "2 g", "units differ: kg and g"),
    ("date", "03/04/2025", "04/03/2025", "day and month are swapped"),
    ("date", "03/04/2025", "03/04/2024", "the years differ: 2025 and 2024"),
    ("date", "July 2025", "1 July 2025", "one date is less precise: 2025-07 and 2025-07-01"),
    ("date", "1 July 2025", "2025-07-01", "equal as dates"),
    ("date_range", "1-31 May 2025", "1-30 May 2025", "the ends differ: the days differ: 31 and 30"),
    ("id", "INV-O01", "INV-001", "differs only by look-alike characters"),
    ("id", "AB 123", "CD 123", "the values differ"),
    ("phone", "02 9876 5432", "02 9876 5433", "9 of 10 digits are equal"),
    ("phone", "+61 2 9876 5432", "+64 2 9876 5432", "countries differ: +61 and +64"),
    ("phone", "02 9876 5432 x1", "02 9876 5432", "one number has an extension"),
    ("address", "4 Main St", "40 Main St", "house numbers differ: 4 and 40"),
    ("address", "4 Main St 2000", "4 Main St 3000", "numbers differ: 2000 and 3000"),
    ("address", "4 Main St", "4 High St", "words differ: main and high"),
    ("text", "Pear", "Pea", "1 of 4 characters differ"),
    ("words", "a b c", "a b d", "2 of 4 words are shared"),
    ("contains", "Acme Pty", "Acme", "gold contains pred"),
]


@pytest.mark.parametrize(("type", "gold", "pred", "degree"), DEGREES)
def test_partial_similarity(type: str, gold: str, pred: str, degree: float) -> None:
    assert similarity(gold, pred, type=type).value == pytest.approx(degree)


def test_strip_gives_the_similarity_of_the_stripped_texts() -> None:
    found = similarity("Acme Corp", "ACME CORPORATION", type="text", strip=",$%() ")
    assert found.value == pytest.approx(0.5333, abs=5e-5)


@pytest.mark.parametrize(("type", "gold", "pred", "reason"), REASONS)
def test_the_reason_says_what_differs(type: str, gold: str, pred: str, reason: str) -> None:
    assert similarity(gold, pred, type=type).reason == reason


def test_a_relative_tolerance_is_measured_on_gold() -> None:
    assert similarity("100", "101", type="money", relative="0.01").value == 1.0
    assert similarity("101", "99.98", type="money", relative="0.01").value == 0.0
    assert similarity("100", "101", type="money", relative="0.01").reason == (
        "amounts within the tolerance"
    )


@pytest.mark.parametrize("option", ["relative", "absolute"])
def test_with_a_tolerance_no_key_stands_for_a_number(option: str) -> None:
    key = COMPARATORS.get("money").key
    assert callable(key)
    assert key(Amount(Decimal(5), "USD")) == "5"
    assert key(Amount(Decimal(5), "USD"), **{option: Decimal("0.01")}) is None


def test_a_column_too_large_for_whole_numbers_is_compared_one_by_one() -> None:
    batch = COMPARATORS.get("within").batch
    assert callable(batch)
    huge = Decimal("1e40")
    assert batch([huge, Decimal(1)], [huge, Decimal("1.0000000000000000001")]).tolist() == [
        [1.0, 0.0],
        [0.0, 0.0],
    ]


def test_a_value_that_cannot_be_read_leaves_the_others_to_the_batch() -> None:
    asked = []

    def batch(golds: list[object], preds: list[object]) -> np.ndarray:
        asked.append((golds, preds))
        return np.full((len(golds), len(preds)), 0.5)

    found = _guard_batch(batch)([1, Unread("x"), 2], [Unread("x"), 3, Unread("y")])
    assert asked == [([1, 2], [3])]
    assert found.tolist() == [[0, 0.5, 0], [1, 0, 0], [0, 0.5, 0]]


@pytest.mark.parametrize("name", ["edit", "within", "money"])
def test_a_batch_of_nothing_is_an_empty_matrix(name: str) -> None:
    batch = COMPARATORS.get(name).batch
    assert callable(batch)
    assert batch([], []).shape == (0, 0)
    assert batch([Decimal(1)], []).shape == (1, 0)


# three edits apart is a match to the one, and a text without an amount never is to the other
RELEASED_QUIRKS = {"vrdu_address", "vrdu_price"}


@pytest.mark.parametrize("name", [n for n in COMPARATORS.names() if n not in RELEASED_QUIRKS])
def test_any_comparator_takes_the_values_of_any_reader(name: str) -> None:
    function = COMPARATORS.get(name).function
    assert function("x", "x") == 1.0
    assert function("x", "y") == 0.0
