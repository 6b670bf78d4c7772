"""Schemas that classes of records declare, and what values tell beyond them."""

from __future__ import annotations

import datetime
import enum
import uuid
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal

import msgspec
import pytest
from pydantic import BaseModel, Field

from docassay.errors import SchemaError
from docassay.model.schema import Schema
from docassay.schema.source import declared_schema, load_schema, names_of, refine


class Kind(enum.Enum):
    INVOICE = "invoice"
    RECEIPT = "receipt"


class Line(BaseModel):
    text: str = Field(alias="lineText")
    amount: Decimal


class Invoice(BaseModel):
    number: str = Field(alias="invoiceNumber")
    issued: datetime.date
    total: Decimal
    kind: Kind = Kind.INVOICE
    currency: Literal["EUR", "USD"] = "EUR"
    paid: bool = False
    note: str | None = None
    lines: list[Line] = Field(default=[], alias="invoiceLines")


@dataclass
class Receipt:
    total: Decimal
    day: datetime.date
    reference: uuid.UUID
    tags: list[str] = field(default_factory=list)


class Ticket(msgspec.Struct, rename="camel"):
    ticket_total: float
    day: datetime.date


def test_declared_types_serve_instead_of_a_guess() -> None:
    schema = declared_schema(Invoice, by_alias=False)
    types = {entry.path: entry.type for entry in schema.fields}
    assert types == {
        "number": "text",
        "issued": "date",
        "total": "number",
        "kind": "choice",
        "currency": "choice",
        "paid": "boolean",
        "note": "text",
    }
    assert [(group.path, len(group.fields)) for group in schema.groups] == [("lines", 2)]
    assert schema.fields[0].aliases == ("invoiceNumber",)
    assert schema.extra == "count"
    assert [(entry.path, entry.type) for entry in load_schema(Receipt).fields] == [
        ("total", "number"),
        ("day", "date"),
        ("reference", "text"),
        ("tags", "text"),
    ]
    assert [entry.path for entry in load_schema(Ticket).fields] == ["ticketTotal", "day"]


def test_aliases_stand_beside_names_at_every_level() -> None:
    schema = declared_schema(Invoice, by_alias=False)
    (group,) = schema.groups
    assert (group.path, group.aliases) == ("lines", ("invoiceLines",))
    assert [(entry.path, entry.aliases) for entry in group.fields] == [
        ("lines.text", ("lineText",)),
        ("lines.amount", ()),
    ]
    aliased = declared_schema(Invoice, by_alias=True)
    assert aliased.groups[0].fields[0].path == "invoiceLines.lineText"


def test_values_tell_what_texts_are_and_what_numbers_measure() -> None:
    schema = load_schema(
        {
            "fields": {"day": "text", "sum": "number", "place": "text", "paid": "boolean"},
            "groups": {"rows": {"fields": {"price": "number", "size": "number"}}},
        }
    )
    trees = [
        {
            "day": f"2025-01-{day}",
            "sum": f"${day}.00",
            "paid": "2025-01-01",
            "rows": [{"price": f"$ {day}.50", "size": day}],
        }
        for day in range(13, 25)
    ]
    refined = refine(schema, trees)
    types = {entry.path: entry.type for entry in (*refined.fields, *refined.groups[0].fields)}
    assert types["day"] == "date"
    assert types["sum"] == types["rows.price"] == "money"
    assert types["rows.size"] == "number"
    assert (types["place"], types["paid"]) == ("text", "boolean")
    assert refine(schema, [{}]) == schema


def test_a_class_that_has_no_json_schema_is_an_error_with_its_name() -> None:
    @dataclass
    class Odd:
        total: complex

    with pytest.raises(SchemaError, match="the class Odd has no JSON Schema"):
        load_schema(Odd)


def test_the_names_of_a_schema_are_the_keys_at_the_top_of_a_document() -> None:
    schema = load_schema(
        {
            "fields": {"a": {"type": "text", "aliases": ["b"]}},
            "groups": {"g": {"fields": {"c": "text"}, "columns": {"c": "COLUMN"}}},
        }
    )
    assert names_of(schema) == {"a", "b", "g", "COLUMN", Schema().type_field}


class Swapped(BaseModel):
    first: str = Field(alias="second")
    second: str = Field(alias="first")


def test_a_class_given_as_schema_goes_by_aliases_and_also_knows_its_names() -> None:
    schema = load_schema(Invoice)
    (group,) = schema.groups
    assert (schema.fields[0].path, schema.fields[0].aliases) == ("invoiceNumber", ("number",))
    assert (group.path, group.aliases) == ("invoiceLines", ("lines",))
    assert group.fields[0].aliases == ("text",)
    assert [entry.aliases for entry in load_schema(Swapped).fields] == [(), ()]


class Open(BaseModel, extra="allow"):
    number: str = Field(alias="invoiceNumber")
    amounts: dict[str, Decimal] = {}
    lines: list[Line] = []


def test_what_a_class_leaves_open_is_guessed_from_values() -> None:
    declared = declared_schema(Open, by_alias=False)
    tree = {
        "invoiceNumber": "A-17",
        "paid": "2025-01-02",
        "amounts": {"net": "$1.10", "tax": "$0.20"},
        "lines": [{"text": "x", "amount": "1", "day": "2025-01-02"}],
        "buyer": {"since": "2025-01-02"},
        "left": ["a", "b"],
        "right": ["c", "d"],
    }
    schema = refine(declared, [tree] * 5)
    assert [(entry.path, entry.type) for entry in schema.fields] == [
        ("number", "text"),
        ("left", "text"),
        ("paid", "date"),
        ("right", "text"),
    ]
    assert {group.path: [(f.path, f.type) for f in group.fields] for group in schema.groups} == {
        "amounts": [("amounts.net", "money"), ("amounts.tax", "money")],
        "lines": [("lines.text", "text"), ("lines.amount", "number"), ("lines.day", "date")],
        "buyer": [("buyer.since", "date")],
    }
