"""The statistics of a data set: documents, values and rows, by field and by group."""

from __future__ import annotations

import pytest

from docassay.analysis.study.data import data_study
from docassay.errors import DataError
from docassay.report.study import render

GOLD = {
    "a": {
        "kind": "invoice",
        "total": {"value": "3.00", "page": 2},
        "items": [{"name": "x", "tags": ["u", "v"]}, {"name": "x"}],
    },
    "b": {"kind": "receipt", "total": "3", "items": []},
    "c": {"kind": "Invoice", "total": None, "items": [{"name": "y"}]},
}
SCHEMA = {
    "types": {"invoice": {"fields": []}, "receipt": {"fields": []}},
    "type_field": "kind",
    "fields": {"total": "money"},
    "groups": {"items": {"fields": {"name": "text", "tags": "text"}}},
}


def test_values_rows_pages_and_types_are_counted_by_hand() -> None:
    study = data_study(GOLD, schema=SCHEMA)
    assert (study.documents, study.pages, study.values) == (3, 2, 7)
    assert study.types == {"invoice": 2, "receipt": 1}
    fields = {field.field: tuple(field)[1:] for field in study.fields}
    assert fields == {
        "total": ("", "money", 2, 2, 2 / 3, 1, 1),
        "items.name": ("items", "text", 3, 2, 2 / 3, 2, 2),
        "items.tags": ("items", "text", 2, 1, 1 / 3, 2, 2),
    }
    assert [field.field for field in study.fields if field.repeated] == ["items.name", "items.tags"]
    assert [tuple(group) for group in study.groups] == [("items", 3, 2, 2 / 3, 2)]


def test_without_a_schema_types_are_guessed_as_score_guesses_them() -> None:
    dates = [(str(day), {"date": f"2024-03-{day:02}"}) for day in range(1, 8)]
    study = data_study(iter(dates))
    assert [(field.field, field.type) for field in study.fields] == [("date", "date")]
    assert study.pages is None
    assert study.notes == ()


def test_a_data_set_without_documents_is_an_error() -> None:
    with pytest.raises(DataError):
        data_study([])


@pytest.mark.parametrize("format", ["table", "markdown", "csv", "json"])
def test_every_format_has_every_field(format: str) -> None:
    text = render(data_study(GOLD, schema=SCHEMA), format)
    assert all(name in text for name in ("total", "items.name", "items.tags"))
    assert format != "table" or "3 documents of 2 pages, 7 values in 1 group and 3 fields" in text
