"""Readers: one module a value type, each a pure function from a text to a value.

A value is hashable and prints (`str`) as its canonical form, which a report shows beside the text
that was found. A reader that cannot read a text raises Unreadable with the end of the sentence
"'12.5O' is ...". Normalising a text happens here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar

from docassay.registry import Registry

Reader = Callable[..., Hashable]
R = TypeVar("R", bound=Reader)

READERS: Registry[Reader] = Registry(
    "reader",
    "docassay.readers",
    {
        "exact": "docassay.read.text",
        "text": "docassay.read.text",
        "words": "docassay.read.text",
        "name": "docassay.read.name",
        "number": "docassay.read.number",
        "quantity": "docassay.read.quantity",
        "percent": "docassay.read.number",
        "money": "docassay.read.money",
        "date": "docassay.read.date",
        "date_range": "docassay.read.date_range",
        "time": "docassay.read.time",
        "boolean": "docassay.read.boolean",
        "id": "docassay.read.id",
        "phone": "docassay.read.phone",
        "address": "docassay.read.address",
        "choice": "docassay.read.choice",
        "vrdu_date": "docassay.read.vrdu",
        "vrdu_price": "docassay.read.vrdu",
        "vrdu_address": "docassay.read.vrdu",
        "vrdu_numerical": "docassay.read.vrdu",
        "vrdu_general": "docassay.read.vrdu",
        "vrdu_name": "docassay.read.vrdu",
        "vrdu_default": "docassay.read.vrdu",
        "digits": "docassay.read.signs",
        "alphanumeric": "docassay.read.signs",
    },
)


def reader(name: str, *, blank: bool = False) -> Callable[[R], R]:
    """Register a reader: `def read(text: str, *, option=default) -> value`.

    `blank` says that two texts are compared as they stand, also those that mean "no value".
    """

    def register(function: R) -> R:
        READERS.add(name, function, blank=blank)
        return function

    return register
