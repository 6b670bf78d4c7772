"""Prints tell texts apart: by their definition, and the same in both forms of the kernel."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernel.forms import FORMS, Form
from tests.kernel.test_digits import TEXT, told_digits

BOTH = pytest.mark.parametrize("form", FORMS, ids=["imported", "source"])
UNTOLD, NO_DIGITS = -1, 0
WORDS = st.text("aAbB1. éÉß½&", max_size=4)
NUMBER = st.from_regex(r"[0-9]{1,9}(\.[0-9]{1,4})?", fullmatch=True)


def words(text: str) -> str | None:
    """Return what the print of a text is made of, None where it has none."""
    if re.search("[^\x00-\x7f\xc0-\xff]", text) is not None:
        return None
    return re.sub("[^a-z0-9]", "", text.lower().replace("ß", "ss"))


@BOTH
@given(TEXT, TEXT)
def test_numbers_have_a_print_for_their_digits(form: Form, text: str, other: str) -> None:
    of = form.prints.DigitsPrinter().of
    assert (of(text) == UNTOLD) == (told_digits(text) is None)
    assert (of(text) == NO_DIGITS) == (told_digits(text) == "")
    assert (of(text) == of(other)) == (told_digits(text) == told_digits(other))


@BOTH
@pytest.mark.parametrize(
    ("text", "other", "same"),
    [
        ("1,050.00", "0105", True),
        ("1050", "155", False),
        ("000", "0", True),
        ("0", "10", False),
        ("12", "21", False),
    ],
)
def test_zeros_count_between_other_digits_alone(
    form: Form, text: str, other: str, same: bool
) -> None:
    of = form.prints.DigitsPrinter().of
    assert (of(text) == of(other)) == same


@BOTH
@given(st.lists(TEXT, max_size=6), TEXT)
def test_texts_are_found_by_their_prints(form: Form, texts: list[str], text: str) -> None:
    printer = form.prints.DigitsPrinter()
    assert form.prints.places_of(printer.of(text), printer, [*texts, text]) == [
        place for place, other in enumerate([*texts, text]) if printer.of(other) == printer.of(text)
    ]


@BOTH
@given(WORDS, WORDS)
def test_texts_have_a_print_for_their_letters_and_digits(form: Form, text: str, other: str) -> None:
    of = form.prints.WORDS.of
    assert (of(text) == UNTOLD) == (words(text) is None)
    assert (of(text) == of(other)) == (words(text) == words(other))


@BOTH
@given(WORDS, WORDS)
def test_texts_of_one_print_start_alike(form: Form, text: str, other: str) -> None:
    printer = form.prints.WORDS
    no_start = form.prints.NO_START
    starts = printer.start(text), printer.start(other)
    for start, line in zip(starts, (text, other), strict=True):
        assert (start == no_start) == (not line.isascii())
        first = (words(line) or "")[:1]
        if start != no_start and first:
            assert start == "0123456789abcdefghijklmnopqrstuvwxyz".index(first)
    if no_start not in starts and starts[0] != starts[1]:
        assert printer.of(text) != printer.of(other)
    assert form.prints.DigitsPrinter().start(text) == no_start


@BOTH
def test_digits_and_words_have_other_prints(form: Form) -> None:
    assert form.prints.DigitsPrinter().of("12") != form.prints.WORDS.of("12")


@BOTH
@given(st.text("0012 a", max_size=5), st.text("0012 a", max_size=5))
def test_addresses_have_a_print_for_their_digits_in_any_order(
    form: Form, text: str, other: str
) -> None:
    of = form.prints.FiguresPrinter(("first",)).of
    digits, others = (sorted(re.sub("[^0-9]", "", line)) for line in (text, other))
    assert (of(text) == of(other)) == (digits == others)
    assert (of(text) == NO_DIGITS) == (not digits)
    assert of(f"{text} First Street") == of(f"{text}é") == UNTOLD


@BOTH
@pytest.mark.parametrize(
    ("text", "like"),
    [
        *(("PO 12", "po12"), ("12 pumps", "12-PUMPS"), ("123", "12.3"), ("853.1", "8531")),
        *(("$1,190.90", "119090"), ("$20", "20")),
    ],
)
def test_what_is_no_date_has_a_print_for_its_words(form: Form, text: str, like: str) -> None:
    of = form.prints.DatePrinter(frozenset({"march"})).of
    assert of(text) == form.prints.WORDS.of(like)


@BOTH
@given(st.integers(1000, 2999), *[st.integers(1, 31)] * 2, st.sampled_from("./-"), st.booleans())
def test_a_day_in_figures_has_one_print_in_whatever_order(
    form: Form, year: int, one: int, other: int, mark: str, padded: bool
) -> None:
    of = form.prints.DatePrinter(frozenset()).of
    first, second = (f"{number:02}" if padded else str(number) for number in (one, other))
    told = of(f"{year}-{one:02}-{other:02}")
    assert told > 0
    assert told == of(mark.join((str(year), second, first)))
    assert told == of(mark.join((first, second, str(year))))
    assert told != of(f"{year}-{one:02}-{other + 1:02}")
    assert told != of(f"{year + 1}-{one:02}-{other:02}")


@BOTH
@pytest.mark.parametrize(
    "text", ["1/2020/3", "1/2/3/4", "2020-3-123", "2020-2021-1", "2020-1", "01.02.20", "2020--1-1"]
)
def test_figures_that_are_no_day_and_year_have_no_print(form: Form, text: str) -> None:
    assert form.prints.DatePrinter(frozenset()).of(text) == UNTOLD


@BOTH
@pytest.mark.parametrize(
    "text", ["4 March 2020", "3/4/20", "20200304", "pumps: 3", "é", "1.2345", "$4 2020"]
)
def test_what_may_be_a_date_has_no_print(form: Form, text: str) -> None:
    assert form.prints.DatePrinter(frozenset({"march"})).of(text) == UNTOLD


@BOTH
@given(NUMBER)
def test_numbers_that_may_be_less_than_a_date_share_one_print(form: Form, text: str) -> None:
    of = form.prints.DatePrinter(frozenset()).of
    whole, _, decimals = text.partition(".")
    if len(decimals) > 3 or (not decimals and len(whole) > 7):
        assert of(text) == UNTOLD
    elif len(whole) == 4 or (decimals and len(whole) < 3):
        assert of(text) == of("2020")
    else:
        assert of(text) == form.prints.WORDS.of(text)


@BOTH
@pytest.mark.parametrize("text", ["EUR", "euro EUR", "$", "12 eur", "+", "€"])
def test_what_may_be_a_currency_has_no_print(form: Form, text: str) -> None:
    printer = form.prints.CurrencyPrinter(frozenset({"eur", "euro"}))
    assert printer.apart
    assert printer.of(text) == UNTOLD


@BOTH
@pytest.mark.parametrize("text", ["EURX", "eur pump", "12.50", "-12", "12, (3) [4]", "-3.50"])
def test_what_is_no_currency_has_a_print_for_its_words(form: Form, text: str) -> None:
    printer = form.prints.CurrencyPrinter(frozenset({"eur", "euro"}))
    assert printer.of(text) == form.prints.WORDS.of(text)
