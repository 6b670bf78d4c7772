"""Checksums: numbers that are known to be right, and mistakes that a scheme is sure to catch."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.schema.rules.functions import CHECKSUMS, abn

RIGHT = [
    *(("abn", text) for text in ("51824753556", "53004085616", "83914571673", "33051775556")),
    *(("acn", text) for text in ("004085616", "010499966", "051775556", "000000019")),
    *(("iban", text) for text in ("de89370400440532013000", "gb29nwbk60161331926819")),
    *(("iban", text) for text in ("nl91abna0417164300", "no9386011117947")),
    *(("luhn", text) for text in ("4111111111111111", "378282246310005", "79927398713")),
    *(("gtin", text) for text in ("4006381333931", "96385074", "036000291452", "00012345600012")),
    *(("isbn", text) for text in ("0306406152", "080442957x", "9780306406157")),
    *(("creditor_reference", text) for text in ("rf18539007547034", "rf712348231")),
]
CATCHES_EVERY_DIGIT = sorted(set(CHECKSUMS) - {"acn"})
"""An ACN is weighed by even numbers modulo ten, which hides a change by five."""


@pytest.mark.parametrize(("name", "text"), RIGHT)
def test_a_number_that_is_known_to_be_right_passes(name: str, text: str) -> None:
    assert CHECKSUMS[name].function(text)


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("abn", "5182475355", "too short"),
        ("abn", "051824753556", "too long"),
        ("abn", "5182475355o", "a letter"),
        ("abn", "00000000012", "begins with 0"),
        ("abn", "٥١٨٢٤٧٥٣٥٥٦", "other digits"),
        ("acn", "004085617", "a wrong check digit"),
        ("iban", "de8937040044053201300", "a digit short"),
        ("iban", "89de370400440532013000", "no country"),
        ("luhn", "0", "a single digit"),
        ("luhn", "", "nothing"),
        ("gtin", "4006381333930", "a wrong check digit"),
        ("gtin", "40063813339310", "fourteen digits that are not a GTIN"),
        ("isbn", "4006381333931", "a bar code of no book"),
        ("isbn", "x306406152", "an x that is not last"),
        ("creditor_reference", "de18539007547034", "no RF"),
    ],
)
def test_what_is_no_such_number_fails(name: str, text: str, reason: str) -> None:
    assert not CHECKSUMS[name].function(text), reason


@pytest.mark.parametrize(
    ("name", "text"), [(name, text) for name, text in RIGHT if name in CATCHES_EVERY_DIGIT]
)
def test_every_change_of_a_single_digit_is_caught(name: str, text: str) -> None:
    changed = [
        text[:place] + digit + text[place + 1 :]
        for place, old in enumerate(text)
        if old.isdecimal()
        for digit in "0123456789"
        if digit != old
    ]
    assert [one for one in changed if CHECKSUMS[name].function(one)] == []


@pytest.mark.parametrize(
    ("name", "text"),
    [(name, text) for name, text in RIGHT if name in ("abn", "iban", "creditor_reference")],
)
def test_every_swap_of_neighbours_is_caught_where_the_scheme_says_so(name: str, text: str) -> None:
    swapped = [
        text[:i] + text[i + 1] + text[i] + text[i + 2 :]
        for i in range(len(text) - 1)
        if text[i] != text[i + 1]
    ]
    assert [one for one in swapped if CHECKSUMS[name].function(one)] == []


@given(st.integers(0, 10**9 - 1), st.integers(0, 10), st.integers(1, 9))
def test_an_abn_made_from_its_formula_passes_and_its_neighbours_do_not(
    rest: int, place: int, by: int
) -> None:
    # the two leading digits make up for what the others leave over
    weights = (3, 5, 7, 9, 11, 13, 15, 17, 19)
    digits = [int(one) for one in f"{rest:09}"]
    lead = 10 + (89 - sum(map(int.__mul__, digits, weights)) % 89)
    text = f"{lead}{rest:09}"
    assert abn(text)
    wrong = (int(text[place]) + by) % 10
    assert not abn(text[:place] + str(wrong) + text[place + 1 :])


@pytest.mark.parametrize("name", sorted(CHECKSUMS))
@given(text=st.text(max_size=40))
def test_any_text_passes_or_fails(name: str, text: str) -> None:
    assert CHECKSUMS[name].function(text) in (True, False)
