"""Evidence that needs no model: each kind has suspects, and look-alikes that are none."""

from __future__ import annotations

from pathlib import Path

import pytest

from docassay.analysis.audit.evidence import (
    GoldValue,
    SourceTexts,
    bare,
    coarse_form,
    fields_with,
    fine_form,
    odd_forms,
    twin_documents,
)
from docassay.model.schema import Field, Schema
from docassay.values.field import BoundField


def values_of(type: str, texts: list[str]) -> list[GoldValue]:
    """Return one value a document, read as its type says."""
    field = BoundField(Field("f", type), Schema(dates="day-first"))
    values = []
    for number, text in enumerate(texts):
        reading = field.readings[text]
        assert reading is not None
        is_text = isinstance(reading.value, str)
        values.append(
            GoldValue(f"d{number}", "f", "f", text, reading.canonical, reading.problem, is_text)
        )
    return values


MONEY = [f"${n}.50" for n in range(30)]
DATES = [f"{n:02}/05/2025" for n in range(1, 29)]
IDS = [f"INV-{n:04}" for n in range(40)]
NAMES = ["Ann", "Bo Lee", "C. D. Ng", "O'Hara & Sons", "3M", "Müller GmbH", "X-Ray Ltd."] * 4
FORMS = [
    ("a total with a letter", "money", [*MONEY, "$1O.50"], ["$1O.50"]),
    ("a total of another magnitude", "money", [*MONEY, "$1,250,000.50"], []),
    ("a total without its sign", "money", [*MONEY, "7.25"], []),
    ("a date in another notation", "date", [*DATES, "3 May 2025", "2025-05-04"], []),
    ("a date that is none", "date", [*DATES, "31/02/2025"], ["31/02/2025"]),
    ("a number of another form", "id", [*IDS, "INVOICE"], ["INVOICE"]),
    ("a number that is too short", "id", [*IDS, "INV-004"], ["INV-004"]),
    ("a number with other digits", "id", [*IDS, "INV-9999"], []),
    ("a field of many forms", "text", [*NAMES, "!!!"], []),
    ("a field that is often unreadable", "money", [*MONEY[:20], *["free"] * 5], []),
    ("one of few values that is unreadable", "money", ["$1.00", "$2.00", "$3.O0"], ["$3.O0"]),
    ("one of two values", "money", ["$1.00", "$3.O0"], []),
    ("one of few values of another form", "id", ["INV-1", "INV-2", "X"], []),
]


@pytest.mark.parametrize(
    ("type", "texts", "odd"), [case[1:] for case in FORMS], ids=[case[0] for case in FORMS]
)
def test_a_form_is_odd_where_the_field_has_few(type: str, texts: list[str], odd: list[str]) -> None:
    values = values_of(type, texts)
    found = odd_forms(values)
    assert [value.text for value in values if (value.document, value.path) in found] == odd


def test_forms_tell_kinds_of_characters_and_their_number() -> None:
    assert coarse_form(" INV-0042  b ") == "a-9 a"
    assert fine_form(" INV-0042  b ") == "aaa-9999 a"


RECORD = {"total": "12.50", "shop": "Acme", "date": "2025-05-01", "no": "A-17", "tax": "1.14"}
TWINS = [
    ("the same record", RECORD, [()]),
    ("one value differs", {**RECORD, "total": "12.80"}, [("total",)]),
    ("one value is missing", {k: v for k, v in RECORD.items() if k != "tax"}, [("tax",)]),
    ("two values differ", {**RECORD, "total": "1", "tax": "2"}, []),
    ("another record of the same shop", {**RECORD, "total": "9", "no": "A-18", "tax": "3"}, []),
]


@pytest.mark.parametrize(
    ("other", "expected"), [case[1:] for case in TWINS], ids=[case[0] for case in TWINS]
)
def test_documents_are_twins_when_nearly_all_their_values_are_the_same(
    other: dict[str, str], expected: list[tuple[str, ...]]
) -> None:
    filler = [{"total": f"{n}.00", "shop": "Acme", "date": f"d{n}"} for n in range(10)]
    records = {"a": RECORD, "b": other, **{f"x{n}": row for n, row in enumerate(filler)}}
    values = [
        GoldValue(id, path, path, text, text, None)
        for id, record in records.items()
        for path, text in record.items()
    ]
    pairs = twin_documents(values)
    assert [(pair.first, pair.second) for pair in pairs] == [("a", "b")] * len(expected)
    assert [tuple(path for path, *_ in pair.differing) for pair in pairs] == expected


def test_documents_that_have_only_usual_values_in_common_are_no_twins() -> None:
    values = [
        GoldValue(f"d{n}", path, path, "same", "same", None) for n in range(9) for path in "abcdef"
    ]
    assert twin_documents(values) == []


TEXT = "Fig & Olive\nINVOICE no. A-17\nTotal: AUD 1,234.50 incl. tax\n3 May 2025  12 x 7.00"
HELD = [
    ("Fig & Olive", True),
    ("fig  OLIVE", True),
    ("$1234.50", True),
    ("1.234,50", True),
    ("7", True),
    ("8", False),
    ("7.00", True),
    ("A-17", True),
    ("A-18", False),
    ("Olive Inv", False),
    ("234.50", False),
    ("17", True),
    ("&", None),
]


@pytest.mark.parametrize(("text", "held"), HELD)
def test_a_text_holds_values_whatever_their_marks(
    text: str, held: bool | None, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text(TEXT)
    assert SourceTexts(tmp_path).holds("a", text) is held


def test_documents_without_a_text_are_counted_and_none_is_read_from_elsewhere(
    tmp_path: Path,
) -> None:
    (tmp_path / "secret.txt").write_text("x1")
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "b.txt").write_text("x1")
    texts = SourceTexts(folder)
    assert texts.holds("scans/b.png", "x1") is True
    for id in ("../secret", "none", "a\0b", "/etc/passwd", "n" * 5000):
        assert texts.holds(id, "x1") is None
        assert texts.holds(id, "x2") is None
    assert texts.missing == 5


def test_a_short_text_stands_in_no_other_field() -> None:
    values = {"b": {bare("12.50"), bare("7")}, "a": {bare("Acme Ltd")}, "c": {bare("12,50")}}
    assert fields_with("$12.50", values) == ["b", "c"]
    assert fields_with("ACME LTD.", values) == ["a"]
    assert fields_with("7", values) == []
    assert fields_with("--", values) == []
