"""Field types: a reader and a comparator under one name, such as `money` or `date`.

Every reader makes a type of its name, compared as the reader says. A type's options are those of
its reader and of its comparator together.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from docassay.errors import UnknownName
from docassay.values.reader import READERS


class FieldType(NamedTuple):
    """How values of a type are read and compared."""

    reader: str
    comparator: str


COMBINED: Mapping[str, FieldType] = {"contains": FieldType("text", "contains")}
"""Types that are read as another one is, and compared in a way of their own."""


def type_names() -> tuple[str, ...]:
    """Return the name of every type, sorted."""
    return tuple(sorted({*COMBINED, *READERS.names()}))


def field_type(name: str, *, where: str | None = None) -> FieldType:
    """Return the reader and comparator of a type; an unknown name lists what exists."""
    if name in COMBINED:
        return COMBINED[name]
    try:
        return FieldType(name, READERS.get(name).compare)
    except UnknownName:
        raise UnknownName("type", name, type_names(), where=where) from None
