"""Formats: one module a file format, each a function from a path to a stream of records.

A loader yields a Record for each document and a Problem for each flaw it could step over, in file
order, and raises DataError or FileError only when nothing can be read at all. What a tree may hold
is described in docs/reference/formats.md: JSON objects, lists and leaves, numbers as `Number` when
they have a fraction or an exponent. A record whose tree is None could not be read, and a problem
before it says why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from docassay.model.document import Problem
from docassay.registry import Registry

NO_TAGS: Mapping[str, str] = MappingProxyType({})


class Record(NamedTuple):
    """One document as found: its id, its plain JSON tree, where it stood, and its tags."""

    id: str | None
    """None when the file gives no ids: such records pair by position."""
    tree: object
    """None when the document could not be read."""
    where: str
    """File and line, or file."""
    tags: Mapping[str, str] = NO_TAGS
    outcome: str = ""
    """What became of a raw model response: "clean", or how it was repaired; "" for others."""


Loader = Callable[..., Iterator[Record | Problem]]
Sniffer = Callable[[Path, bytes], bool]
"""(path, first 64 KiB of the file or of the folder's first document) -> is it this format?"""
L = TypeVar("L", bound=Loader)

FORMATS: Registry[Loader] = Registry(
    "format",
    "docassay.formats",
    {
        "json": "docassay.load.json",
        "jsonl": "docassay.load.jsonl",
        "csv": "docassay.load.csv_wide",
        "parquet": "docassay.load.parquet",
        "kieval-csv": "docassay.load.kieval_csv",
        "cord": "docassay.load.cord",
        "sroie": "docassay.load.sroie",
        "funsd": "docassay.load.funsd",
        "docile": "docassay.load.docile",
        "label-studio": "docassay.load.label_studio",
        "bio": "docassay.load.bio",
        "tags": "docassay.load.tags",
        "vrdu": "docassay.load.vrdu",
        "response": "docassay.load.response",
    },
)


def format(name: str, *, sniff: Sniffer, beside: tuple[str, ...] = ()) -> Callable[[L], L]:
    """Register a loader: `def load(path, *, option=default) -> Iterator[Record | Problem]`.

    `beside` names files and folders that belong to the format and hold no documents.
    """

    def register(function: L) -> L:
        FORMATS.add(name, function, sniff=sniff, beside=beside)
        return function

    return register
