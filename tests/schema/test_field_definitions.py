"""A field_definitions.yaml is a schema: document types with the fields that count for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from docassay.errors import SchemaError
from docassay.model.schema import Schema
from docassay.schema.source import check_schema, load_schema

FILE = """
document_fields:
  invoice:
    count: 5
    fields: [DOCUMENT_TYPE, BUSINESS_ABN, LINE_ITEM_DESCRIPTIONS, LINE_ITEM_PRICES, TOTAL_AMOUNT]
  receipt:
    count: 2
    fields:
      - DOCUMENT_TYPE
      - LOYALTY_CARD
  bank_statement:
    count: 4
    fields: [DOCUMENT_TYPE, STATEMENT_DATE_RANGE, TRANSACTION_DATES, TRANSACTION_AMOUNTS_PAID]
    validation_only: [ACCOUNT_BALANCE]
field_descriptions:
  DOCUMENT_TYPE: What it is
field_categories:
  totals: [TOTAL_AMOUNT]
"""


def load(tmp_path: Path, text: str) -> Schema:
    path = tmp_path / "field_definitions.yaml"
    path.write_text(text, encoding="utf-8")
    return load_schema(path)


def test_document_types_list_the_fields_that_count(tmp_path: Path) -> None:
    schema = load(tmp_path, FILE)
    types = {kind.name: kind for kind in schema.types}
    assert types["receipt"].fields == ("DOCUMENT_TYPE", "LOYALTY_CARD")
    assert "tax invoice" in types["invoice"].aliases
    assert "statement" in types["bank_statement"].aliases
    assert types["bank_statement"].unscored == ("ACCOUNT_BALANCE",)
    assert "ACCOUNT_BALANCE" not in types["bank_statement"].fields


def test_values_are_what_business_documents_have(tmp_path: Path) -> None:
    schema = load(tmp_path, FILE)
    fields = {field.path: field for field in schema.fields}
    assert {path: field.type for path, field in fields.items()} == {
        "DOCUMENT_TYPE": "choice",
        "BUSINESS_ABN": "id",
        "TOTAL_AMOUNT": "money",
        "LOYALTY_CARD": "text",
        "STATEMENT_DATE_RANGE": "date_range",
    }
    assert fields["TOTAL_AMOUNT"].category == "totals"
    assert fields["BUSINESS_ABN"].category == "business"
    columns = {group.path: [*group.columns.values()] for group in schema.groups}
    assert columns == {
        "line_items": ["LINE_ITEM_DESCRIPTIONS", "LINE_ITEM_PRICES"],
        "transactions": [
            "TRANSACTION_DATES",
            "LINE_ITEM_DESCRIPTIONS",
            "TRANSACTION_AMOUNTS_PAID",
            "ACCOUNT_BALANCE",
        ],
    }


def test_the_file_may_say_what_its_fields_are(tmp_path: Path) -> None:
    text = """
document_fields: {note: [A, B, C, D, E]}
field_types: {monetary: [A], date: [B], C: boolean}
evaluation: {id_fields: [D], validation_only_fields: [E]}
"""
    schema = load(tmp_path, text)
    assert {field.path: field.type for field in schema.fields} == {
        "A": "money",
        "B": "date",
        "C": "boolean",
        "D": "id",
        "E": "text",
    }
    assert schema.types[0].fields == ("A", "B", "C", "D")
    assert schema.types[0].unscored == ("E",)


@pytest.mark.parametrize(
    ("count", "fields", "mistake"),
    [
        ("2", "[A, B]", None),
        ("3", "[A, B]", "3 fields are counted, but 2 are listed"),
        ("many", "[A]", "many fields are counted, but 1 are listed"),
        ("1", "[A, B], validation_only: [B]", None),
        ("2", "[A, B], validation_only: [B]", None),
        ("3", "[A, B], validation_only: [B]", "3 fields are counted, but 1 or 2 are listed"),
    ],
)
def test_a_count_must_be_right(
    tmp_path: Path, count: str, fields: str, mistake: str | None
) -> None:
    text = f"document_fields:\n  note: {{count: {count}, fields: {fields}}}\n"
    if mistake is None:
        load(tmp_path, text)
        return
    with pytest.raises(SchemaError, match=mistake) as caught:
        load(tmp_path, text)
    assert str(caught.value.where).endswith("field_definitions.yaml:2")


@pytest.mark.parametrize(
    "given",
    [
        {"document_fields": None},
        {"document_fields": []},
        {"document_fields": "x"},
        {"document_fields": {"a": None}},
        {"document_fields": {"a": {"count": 2}}},
        {"document_fields": {"a": {"fields": [{"b": 1}]}}},
        {"document_fields": {"a": {"fields": ["b"], "count": [1]}}},
        {"document_fields": {"a": ["b"]}, "field_types": [1], "evaluation": 5},
        {"document_fields": {"a": ["b", "b"]}},
    ],
    ids=str,
)
def test_a_strange_file_is_mistaken_or_read_but_never_a_crash(given: object) -> None:
    check_schema(given)
