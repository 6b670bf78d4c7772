"""The cause of a substitution by its two texts: always one of those that texts can show."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.kernel.mistakes import UNTOLD, usual_difference
from docassay.metrics.causes import (
    EXTRA,
    FACTOR,
    FORMATTING,
    LOOK_ALIKE,
    OTHER,
    SIGN,
    TRANSPOSED,
    TRUNCATED,
    values,
)
from docassay.metrics.causes.values import (
    BY_DIFFERENCE,
    _any_cause,
    _has_a_word,
    _kinds,
    _number,
    cause_of,
    words_of,
)
from docassay.model.schema import Field, Schema
from docassay.values.field import BoundField
from docassay.values.read.date import parse_date
from docassay.values.reader import type_names

BY_TEXT = {FORMATTING, SIGN, FACTOR, TRANSPOSED, LOOK_ALIKE, TRUNCATED, EXTRA, OTHER}


def of(gold: str, pred: str, kind: str = "exact") -> str:
    return cause_of(gold, pred, BoundField(Field("f", kind), Schema()))


@pytest.mark.parametrize(
    ("gold", "pred", "kind", "cause"),
    [
        pytest.param("-10", "100", "number", FACTOR, id="a factor goes before digits"),
        pytest.param("12", "-12", "number", SIGN, id="a sign goes before all but formatting"),
        pytest.param("18", "81", "number", TRANSPOSED, id="exchanged before look-alike"),
        pytest.param("1", "11", "id", EXTRA, id="a digit more"),
        pytest.param("100", "1OO", "number", LOOK_ALIKE, id="letters for digits are no unit"),
        pytest.param(
            "INV-001", "INV-010", "exact", TRANSPOSED, id="a number in a text is no value"
        ),
        pytest.param("12.5", "125", "id", FORMATTING, id="an identifier has no decimal point"),
        pytest.param("12 of 34", "34 of 12", "text", OTHER, id="numbers in another order"),
        pytest.param("kr 5", "$5", "money", OTHER, id="another currency"),
        pytest.param("$5", "USD 5", "exact", FORMATTING, id="one currency by two names"),
        pytest.param("5 kg", "5", "quantity", FORMATTING, id="a unit left open"),
    ],
)
def test_the_first_rule_that_holds_decides(gold: str, pred: str, kind: str, cause: str) -> None:
    assert of(gold, pred, kind) == cause


@pytest.mark.parametrize("kind", type_names())
@given(gold=st.text(max_size=30), pred=st.text(max_size=30))
def test_any_two_texts_have_one_cause(kind: str, gold: str, pred: str) -> None:
    assert of(gold, pred, kind) in BY_TEXT


@given(st.decimals(-10_000, 10_000, places=2), st.decimals(-10_000, 10_000, places=2))
def test_any_two_amounts_have_one_cause(gold: object, pred: object) -> None:
    assert of(str(gold), str(pred), "money") in BY_TEXT


@pytest.mark.parametrize("kind", ["number", "money", "text", "quantity"])
@given(
    st.decimals(-10_000, 10_000, places=3).map(str),
    st.from_regex(r"-?(0|[1-9][0-9]{0,4})(\.[0-9]{1,4})?", fullmatch=True),
)
def test_a_number_written_as_usual_is_the_same_with_white_space_around_it(
    kind: str, gold: str, pred: str
) -> None:
    assert of(gold, pred, kind) == of(f" {gold}", f"{pred} ", kind)


@pytest.mark.parametrize("gold", ["9" * 900, "1e999", "0" * 900 + ".1"])
def test_numbers_of_any_length_have_a_cause(gold: str) -> None:
    assert of(gold, "1", "number") in BY_TEXT
    assert of("1", gold, "money") in BY_TEXT


WORDY = st.lists(
    st.sampled_from(
        [
            "4",
            "March",
            "2020",
            "of",
            "the",
            "2nd",
            "three",
            "and",
            "Pump",
            "PO",
            "May",
            "12:30",
            "&",
        ]
    ),
    max_size=5,
).map(" ".join)


@given(WORDY)
def test_only_what_is_no_date_is_told_by_its_words(text: str) -> None:
    if _has_a_word(text, words_of(text)):
        assert parse_date(text, day_first=True) is None
    assert not _has_a_word("4 March 2020", ("4", "march", "2020"))
    assert _has_a_word("4 Pump 2020", ("4", "pump", "2020"))


@given(
    st.lists(
        st.sampled_from(["US", "dollar", "Rs", "-", "Heavy-duty", "EUR", "DR", "Pump", "(", "%"])
    ),
    st.sampled_from(["5", "1,200", "5.50)", "", "4 of 5"]),
)
def test_only_what_is_no_number_is_told_by_its_first_word(words: list[str], number: str) -> None:
    text = " ".join([*words, number])
    with pytest.MonkeyPatch.context() as patch:
        found = _number(text, "text")
        patch.setattr(values, "_begins_with_a_word", lambda _: False)
        assert _number(text, "text") == found


SPELT = st.one_of(
    st.from_regex(r"-?[0-9]{1,4}([.,][0-9]{1,3})?", fullmatch=True),
    st.from_regex(r"[$-]?(EUR |no\. |total )?[0-9.,]{1,6}( kg|%)?", fullmatch=True),
    st.from_regex(r"[0-9]{1,2}[./-][0-9]{1,2}[./-](20)?[0-9]{2}", fullmatch=True),
    st.lists(
        st.sampled_from(
            ["may", "Red", "rnug", "mug", "A-12", "21", "1", "of", "clay", "day", "mon:"]
        )
        | st.text("01lO|!&.é -", max_size=3),
        max_size=4,
    ).map(" ".join),
)


@pytest.mark.parametrize("kind", [*type_names(), "vrdu_price", "words"])
@given(gold=SPELT, pred=SPELT, cut=st.integers(0, 9))
def test_usual_differences_are_those_that_a_closer_look_finds(
    kind: str, gold: str, pred: str, cut: int
) -> None:
    exchanged = gold[:cut] + gold[cut : cut + 2][::-1] + gold[cut + 2 :]
    for other in (pred, gold[cut:], gold[:cut] + pred, exchanged, f"-{gold}", f"{gold}0"):
        difference = usual_difference(gold, other, _kinds(kind))
        if difference != UNTOLD:
            assert BY_DIFFERENCE[difference] == _any_cause(gold, other, kind, "day-first")


@pytest.mark.parametrize(
    ("gold", "pred", "kind", "told"),
    [
        ("12.5", "125", "number", True),
        ("12.5", "12,5", "number", False),
        ("12,5", "12.5", "number", False),
        ("1.250", "125", "money", False),  # which may be thousands
        ("12.50", "125", "money", True),
        ("red mug", "mug red", "text", True),
        ("red mug", "12", "text", True),
        ("12", "red mug", "text", False),
        ("EUR 5", "5", "text", False),
        ("12 mugs", "12 mug", "text", False),
        ("red mug: 5", "mug", "text", False),
        ("may", "mai", "text", False),
        ("may", "mai", "id", True),
        ("r|d", "red", "text", False),
        ("red", "r!d", "text", False),
        ("réd", "red", "text", False),
        ("red", "réd", "text", False),
    ],
)
def test_usual_differences_are_of_numbers_and_of_texts_that_are_neither_number_nor_date(
    gold: str, pred: str, kind: str, told: bool
) -> None:
    assert (usual_difference(gold, pred, _kinds(kind)) != UNTOLD) == told
