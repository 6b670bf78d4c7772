"""Causes at their limits: each constant and each exception of the rules decides a case of its own.

The labelled pairs allow one in twenty to be found otherwise; here every one has its cause.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.kernel.mistakes import is_part
from docassay.matching.case import Layouts, make_case
from docassay.metrics.causes import (
    EXTRA,
    FACTOR,
    FORMATTING,
    HALLUCINATED,
    HALLUCINATED_ROW,
    LOOK_ALIKE,
    MISSING,
    MISSING_ROW,
    OTHER,
    SIGN,
    SPLIT,
    TRANSPOSED,
    TRUNCATED,
    UNPARSED,
    WRONG_FIELD,
    WRONG_ROW,
)
from docassay.metrics.causes.corrections import corrections
from docassay.metrics.causes.losses import largest_remainder
from docassay.metrics.causes.rows import pairs_of
from docassay.metrics.causes.values import cause_of
from docassay.model.schema import Field, Schema
from docassay.schema.source import load_schema
from docassay.values.field import BoundField
from tests.metrics.causes.test_labels import document_pairs, value_pairs

LABELLED_OTHERWISE = {
    "exact 'Rp 25.000' 'Rp 25'": FORMATTING,
    "price from the row above: items.price": WRONG_FIELD,
}
"""What a reader of the documents calls otherwise, and what the rules say."""


def test_every_labelled_pair_has_its_cause() -> None:
    otherwise = {
        what: cause for what, label, cause in (*value_pairs(), *document_pairs()) if label != cause
    }
    assert otherwise == LABELLED_OTHERWISE


def of(gold: str, pred: str, kind: str = "exact") -> str:
    return cause_of(gold, pred, BoundField(Field("f", kind), Schema()))


@pytest.mark.parametrize(
    ("gold", "pred", "kind", "cause"),
    [
        pytest.param("tea", "steak", "exact", EXTRA, id="three letters inside another text"),
        pytest.param("te", "stek", "exact", OTHER, id="two letters inside are chance"),
        pytest.param("steak", "tea", "exact", TRUNCATED, id="three letters of a longer text"),
        pytest.param("stek", "te", "exact", OTHER, id="two letters of a longer text are chance"),
        pytest.param("te", "tek", "exact", EXTRA, id="two letters at the beginning are no chance"),
        pytest.param("ek", "tek", "exact", EXTRA, id="two letters at the end are no chance"),
        pytest.param("t", "tek", "exact", EXTRA, id="one letter at the beginning"),
        pytest.param("", "tek", "exact", OTHER, id="nothing is no part of a text"),
        pytest.param("tek", "", "exact", OTHER, id="a text with nothing left is not cut short"),
        pytest.param("a b c d", "a c d", "text", TRUNCATED, id="words in order, one left out"),
        pytest.param("a b c d", "c a d", "text", OTHER, id="words in another order"),
        pytest.param("1243", "1234", "id", TRANSPOSED, id="neighbours exchanged"),
        pytest.param("1423", "1324", "id", OTHER, id="digits apart exchanged"),
        pytest.param("1243", "1244", "id", OTHER, id="one digit changed"),
        pytest.param("124356", "123465", "id", OTHER, id="two pairs exchanged"),
        pytest.param("A12", "A21", "id", TRANSPOSED, id="neighbours exchanged beside a letter"),
        pytest.param(
            "1A2", "2A1", "id", TRANSPOSED, id="neighbouring digits with a letter between"
        ),
        pytest.param("12", "21", "number", TRANSPOSED, id="neighbours of a number"),
        pytest.param("2.00", "2.50", "money", OTHER, id="another cent is no extra text"),
        pytest.param("2.50", "2.00", "money", OTHER, id="nor a missing one"),
        pytest.param("INV-100", "INV-1OO", "id", LOOK_ALIKE, id="letters for digits"),
        pytest.param("modern", "modem", "exact", LOOK_ALIKE, id="rn for m"),
        pytest.param("claw", "davv", "exact", LOOK_ALIKE, id="cl for d and w for vv"),
        pytest.param("5O", "50", "exact", LOOK_ALIKE, id="a letter became a digit"),
        pytest.param("cat", "cab", "exact", OTHER, id="letters that do not look alike"),
        pytest.param("é", "e", "exact", LOOK_ALIKE, id="an accent left out"),
        pytest.param("1,000.00", "1000", "number", FORMATTING, id="one number written twice"),
        pytest.param("10", "-10", "number", SIGN, id="a sign more"),
        pytest.param("10 CR", "10 DR", "money", SIGN, id="credit and debit"),
        pytest.param("0", "00", "number", FORMATTING, id="nought is nought"),
        pytest.param("0", "10", "number", EXTRA, id="nought has no digits to shift"),
        pytest.param("1.5", "15", "number", FACTOR, id="ten times as much"),
        pytest.param("1.5", "0.15", "number", FACTOR, id="a tenth"),
        pytest.param("$5", "£5", "money", OTHER, id="currencies that are never one"),
        pytest.param("$5", "AUD 5", "money", FORMATTING, id="a mark that may be the currency"),
        pytest.param("5 kg", "5 lb", "quantity", OTHER, id="another unit"),
        pytest.param("1/2/2020", "2/1/2020", "date", TRANSPOSED, id="day for month"),
        pytest.param("2020-03-04", "4 March 2020", "text", FORMATTING, id="a date in a text"),
        pytest.param("2020-03-04", "4 March 2020", "id", OTHER, id="an identifier is no date"),
        pytest.param("Smith, John", "John Smith", "text", FORMATTING, id="names turned round"),
        pytest.param("|ight", "1ight", "exact", LOOK_ALIKE, id="a stroke is an l"),
    ],
)
def test_the_rules_hold_to_their_limits(gold: str, pred: str, kind: str, cause: str) -> None:
    assert of(gold, pred, kind) == cause


def test_a_unit_longer_than_any_unit_is_a_word() -> None:
    unit = "x" * 12
    assert of(f"5 {unit}", f"50 {unit}", "quantity") == FACTOR
    assert of(f"5 {unit}x", f"50 {unit}x", "quantity") == OTHER


@pytest.mark.parametrize(
    ("part", "whole", "expected"),
    [
        (("a",), ("a", "b"), True),
        (("b",), ("a", "b"), True),
        (("a", "b"), ("a", "b"), False),
        ((), ("a",), False),
        (("b", "a"), ("a", "b", "c"), False),
        (("a", "c"), ("a", "b", "c"), True),
        (("a", "a"), ("a", "b", "c"), False),
    ],
)
def test_a_part_has_some_words_in_order(
    part: tuple[str, ...], whole: tuple[str, ...], expected: bool
) -> None:
    assert is_part(part, whole) is expected


SCHEMA = load_schema(
    {
        "fields": {"total": "money", "tax": "money", "paid": "boolean", "name": "text"},
        "groups": {
            "items": {"fields": {"name": "text", "code": "id", "price": "money"}},
            "lone": {"fields": {"name": "text"}},
        },
    }
)


def causes(gold: object, pred: object) -> dict[str, Counter[str]]:
    case = make_case("x", gold, pred, Layouts(SCHEMA))
    found: dict[str, Counter[str]] = {}
    for entry in corrections(case, pairs_of(case)):
        found.setdefault(entry.fate.field.path, Counter())[entry.cause] += 1
    return found


def rows(*entries: dict[str, str]) -> dict[str, object]:
    return {"items": [*entries]}


def test_rows_of_one_field_that_are_unlike_are_one_wrong_value() -> None:
    found = causes(rows({"name": "Walnut"}), rows({"name": "Spirit"}))
    assert found == {"items.name": Counter({OTHER: 1})}


def test_rows_of_two_fields_that_are_unlike_do_not_stand_for_each_other() -> None:
    found = causes(
        rows({"name": "Walnut", "price": "81.35"}), rows({"name": "Spirit", "price": "4.09"})
    )
    assert {cause for field in found.values() for cause in field} <= {MISSING_ROW, HALLUCINATED_ROW}
    assert set(found) == {"items.name", "items.price"}


def test_rows_that_are_half_alike_stand_for_each_other() -> None:
    found = causes(
        rows({"name": "Walnut", "price": "81.35"}), rows({"name": "Spirit", "price": "813.5"})
    )
    assert found == {"items.name": Counter({OTHER: 1}), "items.price": Counter({FACTOR: 1})}


def test_a_row_with_one_right_value_is_no_stranger() -> None:
    found = causes(
        rows({"name": "Walnut", "code": "A1", "price": "81.35"}),
        rows({"name": "Spirit", "code": "A1", "price": "4.09"}),
    )
    assert found == {"items.name": Counter({OTHER: 1}), "items.price": Counter({OTHER: 1})}


@pytest.mark.parametrize(("text", "cause"), [("777", WRONG_FIELD), ("77", HALLUCINATED)])
def test_a_copied_value_tells_from_three_characters_on(text: str, cause: str) -> None:
    found = causes({"total": text}, {"total": text, "name": text})
    assert found == {"name": Counter({cause: 1})}


def test_a_short_value_that_its_own_field_misses_is_in_the_wrong_field() -> None:
    assert causes({"total": "7"}, {"tax": "7"}) == {
        "total": Counter({WRONG_FIELD: 1}),
        "tax": Counter({WRONG_FIELD: 1}),
    }


def test_a_boolean_is_never_taken_from_another_field() -> None:
    found = causes({"name": "true"}, {"name": "true", "paid": "true"})
    assert found == {"paid": Counter({HALLUCINATED: 1})}


def test_a_cell_of_the_row_beside_it_is_in_the_wrong_row() -> None:
    gold = rows({"name": "Tea", "price": "3.20"}, {"name": "Rye bread", "price": "7.95"})
    pred = rows({"name": "Tea", "price": "3.20"}, {"name": "Rye bread", "price": "3.20"})
    assert causes(gold, pred) == {"items.price": Counter({WRONG_ROW: 1})}


def test_a_short_cell_of_the_row_beside_it_is_chance() -> None:
    gold = rows({"name": "Tea", "price": "3"}, {"name": "Rye bread", "price": "8"})
    pred = rows({"name": "Tea", "price": "3"}, {"name": "Rye bread", "price": "3"})
    assert causes(gold, pred) == {"items.price": Counter({LOOK_ALIKE: 1})}


def test_a_row_cut_in_two_is_split_on_both_sides() -> None:
    whole = {"name": "Garden edging steel", "price": "14.00"}
    pieces = [{"name": "Garden edging"}, {"name": "steel", "price": "14.00"}]
    assert causes(rows(whole), rows(*pieces)) == {"items.name": Counter({SPLIT: 2})}
    assert causes(rows(*pieces), rows(whole)) == {"items.name": Counter({SPLIT: 2})}


def test_words_of_two_rows_that_overlap_are_no_split() -> None:
    whole = {"name": "Garden edging", "price": "14.00"}
    pieces = [{"name": "Garden edging steel"}, {"name": "steel", "price": "14.00"}]
    found = causes(rows(whole), rows(*pieces))
    assert SPLIT not in {cause for field in found.values() for cause in field}


def test_a_lone_object_is_no_row() -> None:
    found = causes({"name": "Acme", "lone": {"name": "Tea"}}, {"name": "Acme"})
    assert found == {"lone.name": Counter({MISSING: 1})}


@pytest.mark.parametrize("pred", [None, {}, [], "text"])
def test_no_prediction_at_all_is_unparsed(pred: object) -> None:
    assert causes({"name": "Acme"}, pred) == {"name": Counter({UNPARSED: 1})}


@given(
    st.dictionaries(
        st.tuples(st.sampled_from("abcdef"), st.sampled_from("xyz")),
        st.fractions(0, 10, max_denominator=7),
        max_size=12,
    ),
    st.integers(0, 50),
)
def test_shares_are_whole_add_up_and_are_less_than_one_from_their_quota(
    shares: dict[tuple[str, str], Fraction], total: int
) -> None:
    found = largest_remainder(shares, total)
    weight = sum(shares.values())
    assert sum(found.values()) == (total if weight else 0)
    assert all(count > 0 for count in found.values())
    if not weight:
        return
    quotas = {key: share * total / weight for key, share in shares.items()}
    assert all(abs(found.get(key, 0) - quota) < 1 for key, quota in quotas.items())
    rounded_up = [key for key, quota in quotas.items() if found.get(key, 0) > quota]
    rounded_down = [key for key, quota in quotas.items() if found.get(key, 0) < quota]
    for up in rounded_up:
        for down in rounded_down:
            assert (quotas[up] % 1, down) >= (quotas[down] % 1, up)


def test_what_is_left_over_goes_to_the_largest_remainder_and_then_by_name() -> None:
    third = Fraction(1, 3)
    even = {("a", "x"): third, ("b", "x"): third, ("c", "x"): third}
    assert largest_remainder(even, 4) == {("a", "x"): 2, ("b", "x"): 1, ("c", "x"): 1}
    assert largest_remainder(even, 5) == {("a", "x"): 2, ("b", "x"): 2, ("c", "x"): 1}
    uneven = {("a", "x"): Fraction(1), ("b", "x"): Fraction(2)}
    assert largest_remainder(uneven, 1) == {("b", "x"): 1}
    assert largest_remainder(uneven, 2) == {("a", "x"): 1, ("b", "x"): 1}
