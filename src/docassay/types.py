"""Field types: a reader and a comparator under one name, such as `money` or `date`.

A type's options are those of its reader and of its comparator together. A plugin that registers a
reader makes a type of the same name, compared as `same` unless a field says `compare:`.
"""

from __future__ import annotations

from typing import NamedTuple

from docassay.errors import UnknownName
from docassay.read import READERS


class FieldType(NamedTuple):
    """How values of a type are read and compared."""

    reader: str
    comparator: str


TYPES: dict[str, FieldType] = {
    "exact": FieldType("exact", "same"),
    "text": FieldType("text", "edit"),
    "words": FieldType("words", "words"),
    "contains": FieldType("text", "contains"),
    "number": FieldType("number", "within"),
    "quantity": FieldType("quantity", "within"),
    "money": FieldType("money", "money"),
    "percent": FieldType("percent", "within"),
    "date": FieldType("date", "same"),
    "date_range": FieldType("date_range", "same"),
    "time": FieldType("time", "same"),
    "boolean": FieldType("boolean", "same"),
    "id": FieldType("id", "same"),
    "phone": FieldType("phone", "phone"),
    "address": FieldType("address", "address"),
    "name": FieldType("name", "edit"),
    "choice": FieldType("choice", "same"),
    "vrdu_date": FieldType("vrdu_date", "vrdu_date"),
    "vrdu_price": FieldType("vrdu_price", "vrdu_price"),
    "vrdu_address": FieldType("vrdu_address", "vrdu_address"),
    "vrdu_numerical": FieldType("vrdu_numerical", "same"),
    "vrdu_general": FieldType("vrdu_general", "same"),
    "vrdu_name": FieldType("vrdu_name", "same"),
    "vrdu_default": FieldType("vrdu_default", "same"),
    "digits": FieldType("digits", "same"),
    "alphanumeric": FieldType("alphanumeric", "same"),
}


def field_type(name: str, *, where: str | None = None) -> FieldType:
    """Return the reader and comparator of a type; an unknown name lists what exists."""
    known = TYPES.get(name)
    if known is not None:
        return known
    if name in READERS.names():
        return FieldType(name, "same")
    raise UnknownName("type", name, {*TYPES, *READERS.names()}, where=where)
