"""The one-pair question, as users ask it."""

from __future__ import annotations

import pytest

from docassay.errors import ConfigurationError, UnknownName
from docassay.values.comparator import COMPARATORS
from docassay.values.similarity import Similarity, explaining, similarity

LEAVES = [
    (None, None, "money", 1.0, "both absent"),
    (None, 5, "money", 0.0, "gold is absent"),
    (5, None, "money", 0.0, "pred is absent"),
    ("", "NOT_FOUND", "date", 1.0, "both absent"),
    (5, "5.00", "money", 1.0, "equal as amounts of money"),
    (1.5, "1.50", "number", 1.0, "equal as numbers"),
    (True, "yes", "boolean", 1.0, "equal"),
    (False, "x", "boolean", 0.0, "the values differ"),
    (0, "0", "number", 1.0, "equal as numbers"),
]


@pytest.mark.parametrize(("gold", "pred", "type", "value", "reason"), LEAVES)
def test_any_json_leaf_can_be_compared(
    gold: object, pred: object, type: str, value: float, reason: str
) -> None:
    found = similarity(gold, pred, type=type)
    assert (found.value, found.reason) == (value, reason)


def test_the_answer_shows_what_each_side_was_read_as() -> None:
    assert similarity("$1,234.56", "1234.56", type="money") == Similarity(
        1.0, "1234.56 USD", "1234.56", "equal as amounts of money"
    )


def test_options_go_to_the_reader_and_to_the_comparator() -> None:
    found = similarity("A$100", "101", type="money", currency="AUD", relative=0.01)
    assert found.value == 1.0


def test_an_unknown_type_lists_what_exists() -> None:
    with pytest.raises(UnknownName, match="did you mean 'money'"):
        similarity("1", "1", type="mony")


def test_an_unknown_option_lists_what_exists() -> None:
    with pytest.raises(UnknownName, match="there is: absolute, credit_negative, currency"):
        similarity("1", "1", type="money", tolerance=1)


def test_an_option_of_the_wrong_kind_is_an_error() -> None:
    with pytest.raises(ConfigurationError, match="is not a number"):
        similarity("1", "1", type="money", relative="much")


@pytest.mark.parametrize(
    ("tolerance", "message"),
    [(-1, "a number of at least 0"), (float("nan"), "finite"), (float("inf"), "finite")],
)
def test_a_tolerance_that_cannot_work_is_an_error(tolerance: float, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        similarity("1", "2", type="money", relative=tolerance)


def test_a_tree_is_no_value() -> None:
    with pytest.raises(ConfigurationError, match="is no value"):
        similarity({"a": 1}, "1")


def test_two_values_that_were_read_can_be_explained() -> None:
    assert explaining(COMPARATORS.get("same"), {})("ab1", "abl") == (
        "differs only by look-alike characters"
    )
