"""Digits tell texts apart: by their definition, and the same in both forms of the kernel."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.values.read.number import COUNTED
from tests.kernel.forms import FORMS, Form

BOTH = pytest.mark.parametrize("form", FORMS, ids=["imported", "source"])
TEXT = st.text("0129 eE+-//m3.\x00ashtwo\u00e9\u00bd\u00bf\u00c0\u027f\u0280\u0663\u4e09\ud800")
MOST = 63
"""Digits of a text whose figures are told."""


def told_digits(text: str) -> str | None:
    """Return the digits as the rule says, in as few words as it can be said."""
    power = re.search("[0-9][eE][+-]?[0-9]|[mM][23][\x00- ]*$", text)
    fraction = len(re.findall("(?<=[0-9])/(?=[0-9])", text)) == 1
    other_script = re.search("[^\x00-\x7f\u00c0-\u027f]", text)
    if power is not None or fraction or other_script is not None:
        return None
    digits = re.sub("[^0-9]", "", text)
    if not digits:
        return None if text[:3].lower() in {word[:3] for word in COUNTED} else ""
    return digits.strip("0") or "0"


@BOTH
@given(TEXT)
def test_digits_are_told_without_zeros_unless_reading_may_come_to_others(
    form: Form, text: str
) -> None:
    assert form.digits.digits_of(text) == told_digits(text)


@BOTH
@pytest.mark.parametrize("word", ["three", "Seventy", "ONE", "twelve (12)", "tense"])
def test_the_digits_of_what_may_be_a_number_in_words_are_not_told(form: Form, word: str) -> None:
    assert form.digits.digits_of(word) == told_digits(word)
    assert form.digits.digits_of("thirst") is None
    assert form.digits.digits_of("pump") == ""


@BOTH
@given(st.text("0123456789 a", max_size=70), st.text("0123456789 a", max_size=70))
def test_texts_have_the_same_figures_if_they_have_each_digit_as_often(
    form: Form, text: str, other: str
) -> None:
    figures = form.digits.figures_in
    digits = re.sub("[^0-9]", "", text)
    assert figures(text) == figures("".join(reversed(text)))
    assert (figures(text) is None) == (len(digits) > MOST)
    if figures(text) is not None:
        same = sorted(digits) == sorted(re.sub("[^0-9]", "", other))
        assert (figures(text) == figures(other)) == same


@BOTH
@pytest.mark.parametrize("digit", "0123456789")
def test_no_digit_counts_as_another_however_often_it_is_there(form: Form, digit: str) -> None:
    figures = form.digits.figures_in
    amounts = {figures(digit * times) for times in range(1, MOST + 1)}
    assert len(amounts) == MOST
    assert amounts.isdisjoint(figures(other) for other in "0123456789" if other != digit)
    assert figures(digit * (MOST + 1)) is None


@BOTH
@given(TEXT | st.text())
def test_digits_and_letters_of_any_script_are_counted(form: Form, text: str) -> None:
    assert form.digits.count_digits(text) == sum(map(str.isdigit, text))
    assert form.digits.count_letters(text) == sum(map(str.isalpha, text))
