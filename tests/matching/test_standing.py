"""Where values stand in a text: by the comparison of their type, between words, in bounded work."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.matching import standing
from docassay.matching.standing import Finder, SourcePlace
from docassay.model.original import OriginalText, OriginalWord
from docassay.schema.layout import Layout
from docassay.schema.source import load_schema

TEXT = """ACME Trading
Pty Ltd (ABN 51 824 753 556)
Invoice No. INV-2024-001   Date:5 March 2024
Total: $1,234.50  of 10% in 3x4
Carrier Inter-
national Ship, Mr. John A. Smith
Tel +61 2 9876 5432; due (3.50) 2 h
東京都千代田区 Deutschland 12 High St
at 14:30 from 01/02/2024 to 05/03/2024, 7,00 EUR"""


def find(value: str, type: object, source: str = TEXT) -> SourcePlace | None:
    field = Layout(load_schema({"fields": {"f": type}}), None).field("f")
    reading = field.readings[value]
    assert reading is not None
    return Finder(OriginalText(source)).find(field, reading)


STANDS = [
    ("ACME Trading Pty Ltd", "exact", 1),
    ("acme trading pty ltd", "text", 1),
    ("ACME Trading Pty Ltd", "name", 1),
    ("51824753556", "id", 2),
    ("51 824 753 556", "id", 2),
    ("INV-2024-001", "id", 3),
    ("2024-03-05", "date", 3),
    ("05/03/2024", "date", 9),
    ("1234.5", "money", 4),
    ("USD 1,234.50", "money", 4),
    ("10 %", "percent", 4),
    ("International Ship", "text", 5),
    ("John A Smith", "name", 6),
    ("(02) 9876 5432", "phone", 7),
    ("-3.50", "money", 7),
    ("千代田区", "text", 8),
    ("DE", "country", 8),
    ("12 High Street", "address", 8),
    ("2:30 pm", "time", 9),
    ("2024-02-01/2024-03-05", "date_range", 9),
    ("7.00 €", "money", 9),
    ("1200", {"type": "money", "relative": "0.03"}, 4),
    ("Carrier Internatonal Ship", {"type": "text", "accept": 0.7}, 5),
]
NOWHERE = [
    ("acme trading pty ltd", "exact"),
    ("234.50", "money"),
    ("1,234", "number"),
    ("024", "exact"),
    ("2024-03-06", "date"),
    ("12345", "id"),
    ("cme", "text"),
    ("hip", "text"),
    ("John B Smith-Jones", "name"),
    ("France", "country"),
    ("1200", "money"),
    ("9876 5431", "phone"),
    ("14 High Street", "address"),
    ("Completely other words", {"type": "text", "accept": 0.7}),
]


@pytest.mark.parametrize(("value", "type", "line"), STANDS)
def test_a_value_stands_where_its_type_says_so(value: str, type: object, line: int) -> None:
    place = find(value, type)
    assert place is not None
    assert place.line == line
    assert TEXT[place.start : place.end] == place.text


@pytest.mark.parametrize(("value", "type"), NOWHERE)
def test_another_value_or_a_part_of_a_word_or_number_stands_nowhere(
    value: str, type: object
) -> None:
    assert find(value, type) is None


def test_any_of_the_values_that_gold_accepts_may_stand() -> None:
    field = Layout(load_schema({"fields": {"f": "text"}}), None).field("f")
    first, second = field.readings["elsewhere"], field.readings["Deutschland"]
    assert first is not None
    assert second is not None
    both = first.located(alternatives=(first, second))
    place = Finder(OriginalText(TEXT)).find(field, both)
    assert place is not None
    assert place.text == "Deutschland"


def test_fields_of_one_type_share_what_was_read_and_keep_their_values_apart() -> None:
    layout = Layout(load_schema({"fields": {"a": "date", "b": "date"}}), None)
    finder = Finder(OriginalText("issued 5 March 2024, due 6 March 2024"))
    for path, value, text in (("a", "2024-03-05", "5 March 2024"), ("b", "2024-03-06", "6 March")):
        field = layout.field(path)
        reading = field.readings[value]
        assert reading is not None
        place = finder.find(field, reading)
        assert place is not None
        assert place.text.startswith(text)


def test_a_place_has_the_page_and_the_box_around_its_words() -> None:
    words = (
        OriginalWord(0, 3, 1, (0.1, 0.1, 0.2, 0.2)),
        OriginalWord(4, 7, 2, (0.1, 0.3, 0.2, 0.4)),
        OriginalWord(8, 11, 2, (0.3, 0.32, 0.4, 0.42)),
    )
    field = Layout(load_schema({"fields": {"f": "text"}}), None).field("f")
    reading = field.readings["two six"]
    assert reading is not None
    place = Finder(OriginalText("one\ftwo six", words)).find(field, reading)
    assert place is not None
    assert (place.page, place.line, place.box) == (2, 1, (0.1, 0.3, 0.4, 0.42))


def test_digits_of_other_scripts_are_digits() -> None:
    assert find("1234", "number", "المبلغ ١٢٣٤ فقط") is not None


@pytest.mark.parametrize("type", ["date", "money", "number", "phone", "quantity", "country"])
def test_stretches_read_for_a_value_are_bounded(type: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standing, "MOST_STRETCHES", 500)
    field = Layout(load_schema({"fields": {"f": type}}), None).field("f")
    values = {"date": "2024-03-05", "phone": "+61 2 9876 5432", "country": "France"}
    reading = field.readings[values.get(type, "77")]
    assert reading is not None
    finder = Finder(OriginalText("5 77 1 5432 x " * 5_000 + "05.13.2024"))
    finder.find(field, reading)
    assert finder.steps <= 600


def test_neighbours_of_a_common_word_are_bounded() -> None:
    field = Layout(load_schema({"fields": {"f": {"type": "text", "accept": 0.9}}}), None).field("f")
    reading = field.readings["smith of nowhere at all"]
    assert reading is not None
    finder = Finder(OriginalText("of smith " * 10_000))
    assert finder.find(field, reading) is None
    assert finder.steps <= standing.MOST_NEIGHBOURS


@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=12), max_size=6))
def test_a_text_between_blanks_stands_in_its_text(parts: list[str]) -> None:
    source = " ".join(parts)
    for word in source.split():
        field = Layout(load_schema({"fields": {"f": "exact"}}), None).field("f")
        reading = field.readings[word]
        if reading is not None:
            assert Finder(OriginalText(source)).find(field, reading) is not None, word
