"""A normalised value beside a printed text: when it is the reading, and when the text is."""

from __future__ import annotations

import pytest

from docassay.model.document import Number, Reading
from docassay.model.schema import Field, Schema
from docassay.values.field import BoundField

SETTLED = [
    ("date", "03/04/2025", "2025-03-04", "2025-03-04"),
    ("date", "03/04/2025", "2025-03-04T00:00:00", "2025-03-04"),
    ("date", "03/04/2025", "2025-04-03", "2025-04-03"),
    ("date", "03/04/2025", "2024-03-04", "2025-04-03"),
    ("date", "16/07/2025", "2025-07-15", "2025-07-16"),
    ("date", "the ides of March", "2025-03-15", "2025-03-15"),
    ("date", "the ides of March", "soon", "the ides of march"),
    ("date_range", "01/02/2025 - 03/02/2025", "2025-01-02/2025-03-02", "2025-01-02/2025-03-02"),
    ("money", "$8.20", "8.20 SGD", "8.2 SGD"),
    ("money", "$8.20", "8.20 EUR", "8.2 USD"),
    ("money", "8.20", "8.20 SGD", "8.2"),
    ("money", "60.125", "60.125 USD", "60.125"),
    ("money", "60.125", Number("60.125"), "60.125"),
    ("money", "60.125", 60.125, "60.125"),
    ("money", "60.125", 60125, "60125"),
    ("money", "$60.125", "60.125 SGD", "60.125 SGD"),
    ("money", "60.125", 61, "60125"),
    ("money", "about six", "6 EUR", "6 EUR"),
    ("number", "1,234", Number("1.234"), "1.234"),
    ("number", "1,234", 1234, "1234"),
    ("quantity", "1,234 kg", "1.234", "1.234 kg"),
    ("time", "half past two", "14:30:00", "14:30"),
    ("text", "03/04/2025", "2025-03-04", "03/04/2025"),
    ("exact", "03/04/2025", "2025-03-04", "03/04/2025"),
    ("boolean", "maybe", True, "maybe"),
]


def bound(type: str, **options: object) -> BoundField:
    return BoundField(Field(path="f", type=type, options=options), Schema())


def read(field: BoundField, text: str) -> Reading:
    reading = field.readings[text]
    assert reading is not None
    return reading


@pytest.mark.parametrize(("type", "printed", "stated", "canonical"), SETTLED)
def test_a_normalised_value_settles_what_a_text_leaves_open(
    type: str, printed: str, stated: object, canonical: str
) -> None:
    field = bound(type)
    reading = field.normalised(read(field, printed), stated)
    assert (reading.text, reading.canonical) == (printed, canonical)
    assert reading.normalised is (canonical != read(field, printed).canonical)
    assert (reading.problem is None) is (type != "boolean" and stated != "soon")


def test_a_settled_reading_has_no_key_and_still_equals_its_own_text() -> None:
    field = bound("date")
    printed = read(field, "03/04/2025")
    settled = field.normalised(printed, "2025-03-04")
    march, april = read(field, "4 March 2025"), read(field, "3 April 2025")
    assert settled.key is None
    assert not settled.tame
    for other, equal in ((printed, True), (march, True), (april, False)):
        assert field.equal(other, settled) is equal
        assert field.equal(settled, other) is equal
        assert field.equal_matrix([other], [settled]).tolist() == [[equal]]
        assert field.similarities([settled], [other]).tolist() == [[float(equal)]]
