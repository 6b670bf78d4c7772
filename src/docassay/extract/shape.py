"""What an answer looks like: its JSON Schema, and invented values for an example of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from docassay.model.schema import Field, GroupSpec, Schema
from docassay.schema.listing import short_name


def sample_value(field: Field, number: int) -> str:
    """Return an invented value of a field's type; different numbers give different values."""
    choices = field.options.get("choices")
    if isinstance(choices, list | tuple) and choices:
        return str(choices[0])
    day = number % 28 + 1
    samples = {
        "money": f"{number * 37 % 900 + 100}.{number * 13 % 90 + 10}",
        "number": str(number * 17 + 3),
        "quantity": str(number % 9 + 2),
        "percent": f"{number % 40 + 5}.5%",
        "date": f"{day:02}/11/2003",
        "date_range": f"{day:02}/10/2003 - {day:02}/11/2003",
        "time": f"{number % 12 + 9:02}:{number * 7 % 60:02}",
        "boolean": "true",
        "id": f"QX-{number * 7919 % 90_000 + 10_000}",
        "digits": str(number * 7919 % 90_000 + 10_000),
        "phone": f"+1 202 555 01{number % 90 + 10}",
        "address": f"{number} Sample Street, Exampleville",
        "name": f"Sample Company {number}",
    }
    return samples.get(field.type, f"sample words {number}")


def sample_rows(group: GroupSpec, enclosing: tuple[str, ...], number: Iterator[int]) -> object:
    """Return two rows of a group, one of a section and of a group inside another."""
    inside = (*enclosing, group.path)
    rows = []
    for _ in range(1 if group.section or enclosing else 2):
        row: dict[str, object] = {
            short_name(field.path, inside): sample_value(field, next(number))
            for field in group.fields
        }
        for inner in group.groups:
            row[short_name(inner.path, inside)] = sample_rows(inner, inside, number)
        rows.append(row)
    return rows[0] if group.section else rows


def object_schema(
    fields: Sequence[Field], groups: Sequence[GroupSpec], enclosing: tuple[str, ...]
) -> dict[str, object]:
    """Return the JSON Schema of an object with fields and groups; every key must be there."""
    properties: dict[str, object] = {
        short_name(field.path, enclosing): _value_schema(field) for field in fields
    }
    for group in groups:
        row = object_schema(group.fields, group.groups, (*enclosing, group.path))
        rows = row if group.section else {"type": "array", "items": row}
        properties[short_name(group.path, enclosing)] = rows
    return {
        "type": "object",
        "properties": properties,
        "required": [*properties],
        "additionalProperties": False,
    }


def _value_schema(field: Field) -> dict[str, object]:
    choices = field.options.get("choices")
    if isinstance(choices, list | tuple) and choices:
        return {"type": ["string", "null"], "enum": [*map(str, choices), None]}
    if field.repeated:
        return {"type": "array", "items": {"type": "string"}}
    return {"type": ["string", "null"]}


def schema_title(schema: Schema) -> str:
    """Return a name for the schema of an answer, in the characters that servers allow."""
    return re.sub(r"[^A-Za-z0-9_-]+", "_", schema.name).strip("_")[:64] or "record"
