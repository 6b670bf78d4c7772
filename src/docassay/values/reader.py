"""Readers: one module a value type, each a pure function from a text to a value.

A value is hashable and prints (`str`) as its canonical form, which a report shows beside the text
that was found. A reader that cannot read a text raises Unreadable with the end of the sentence
"'12.5O' is ...". Normalising a text happens here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from docassay.errors import UnknownName
from docassay.registry import Extension, Registry

ReaderFunction = Callable[..., Hashable]
"""(text, **options) -> value."""
Gist = Callable[[str], Hashable | None]
"""text -> what all texts of one value share, None where that cannot be told without reading."""
R = TypeVar("R", bound=ReaderFunction)


@dataclass(frozen=True)
class Reader(Extension):
    """How texts of a type become values."""

    function: ReaderFunction
    compare: str = "same"
    """The comparator of its values, unless a field says another."""
    blank: bool = False
    """Whether two texts are compared as they stand, also those that mean "no value"."""
    gist: Gist | None = None
    """Tells most texts of different values apart faster than reading them does."""


READERS: Registry[Reader] = Registry(
    "reader",
    "docassay.readers",
    {
        "exact": "docassay.values.read.text",
        "text": "docassay.values.read.text",
        "words": "docassay.values.read.text",
        "name": "docassay.values.read.name",
        "number": "docassay.values.read.number",
        "quantity": "docassay.values.read.quantity",
        "percent": "docassay.values.read.number",
        "money": "docassay.values.read.money",
        "date": "docassay.values.read.date",
        "date_range": "docassay.values.read.date",
        "time": "docassay.values.read.time",
        "boolean": "docassay.values.read.boolean",
        "id": "docassay.values.read.id",
        "phone": "docassay.values.read.phone",
        "address": "docassay.values.read.address",
        "choice": "docassay.values.read.choice",
        "currency": "docassay.values.read.currency",
        "country": "docassay.values.read.country",
        "language": "docassay.values.read.language",
        "vrdu_date": "docassay.compat.vrdu.match",
        "vrdu_price": "docassay.compat.vrdu.match",
        "vrdu_address": "docassay.compat.vrdu.match",
        "vrdu_numerical": "docassay.compat.vrdu.match",
        "vrdu_general": "docassay.compat.vrdu.match",
        "vrdu_name": "docassay.compat.vrdu.match",
        "vrdu_default": "docassay.compat.vrdu.match",
        "digits": "docassay.values.read.text",
        "alphanumeric": "docassay.values.read.text",
    },
)


def reader(
    name: str, *, compare: str = "same", blank: bool = False, gist: Gist | None = None
) -> Callable[[R], R]:
    """Register a reader: `def read(text: str, *, option=default) -> value`.

    A type of the same name is there at once; `compare` names its comparator. `blank` says that two
    texts are compared as they stand, also those that mean "no value". `gist` returns what all texts
    of one value share, or None.
    """

    def register(function: R) -> R:
        READERS.add(Reader(name, function, compare, blank, gist))
        return function

    return register


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
