"""Where documents come from: a path in some format, a dict of trees, or an iterable of pairs."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from docassay.errors import DataError
from docassay.load import FORMATS, Loader, Record
from docassay.load.files import existing, files
from docassay.load.guess import SUFFIXES, guess
from docassay.load.records import Records
from docassay.model.document import Problem
from docassay.model.schema import EMPTY
from docassay.registry import Entry

PYTHON = "python"
EMPTY_BY_FORMAT: Mapping[str, Mapping[str, object]] = {}

Documents = str | os.PathLike[str] | Mapping[str, object] | Iterable[tuple[str | None, object]]


@dataclass(frozen=True, slots=True)
class Source:
    """A stream of records, to be read once, and what is known about it."""

    records: Iterator[Record | Problem]
    format: str
    """The format's name, or "python" for trees that were handed over."""
    guessed: bool
    name: str


def open_records(
    source: Documents,
    *,
    format: str | None = None,
    options: Mapping[str, object] = EMPTY,
    by_format: Mapping[str, Mapping[str, object]] = EMPTY_BY_FORMAT,
) -> Source:
    """Return the records of a source; the format is guessed from its content when not given.

    `options` are for whatever format it is, `by_format` for the named ones.
    """
    if not isinstance(source, str | os.PathLike):
        records = _from_python(source)
        return Source(at_least_one(records, "the iterable"), PYTHON, guessed=False, name=PYTHON)
    path = existing(Path(source))
    name = guess(path) if format is None else format
    entry = FORMATS.get(name)
    given = {**by_format.get(name, EMPTY), **options}
    records = _located(entry.function(path, **entry.check(given)), str(path))
    if path.is_dir():
        records = _with_the_unread(records, path, entry)
    return Source(at_least_one(records, str(path)), name, guessed=format is None, name=str(path))


def _from_python(source: object) -> Records:
    pairs = source.items() if isinstance(source, Mapping) else source
    if not isinstance(pairs, Iterable):
        raise DataError(f"{type(source).__name__} is no path, dict or iterable of (id, tree)")
    for number, item in enumerate(pairs, start=1):
        if isinstance(item, Record | Problem):
            yield item
            continue
        if not isinstance(item, tuple | list) or len(item) != 2:
            raise DataError(f"{item!r:.80} is not a pair of id and tree", where=f"item {number}")
        record_id, tree = item
        yield Record(None if record_id is None else str(record_id), tree, f"item {number}")


def _located(records: Records, where: str) -> Records:
    """Yield the records, and say where when an error does not."""
    try:
        yield from records
    except DataError as error:
        raise DataError(error.what, where=error.where or where, hint=error.hint) from error


def _with_the_unread(records: Records, folder: Path, entry: Entry[Loader]) -> Records:
    """Yield the records of a folder, and at last a problem that names documents left unread."""
    seen: set[str] = set()
    for item in records:
        where = item.where or ""
        seen |= {where, where.rpartition(":")[0]}
        yield item
    beside = entry.facts["beside"]
    assert isinstance(beside, tuple)
    unread = [
        file
        for file in files(folder, SUFFIXES)
        if str(file) not in seen and {file.name, file.parent.name}.isdisjoint(beside)
    ]
    if seen and unread:
        listed = ", ".join(file.name for file in unread[:5]) + (", ..." if unread[5:] else "")
        message = f"{len(unread)} of its files are not read as {entry.name}: {listed}"
        yield Problem("", "", "", message, str(folder))


def at_least_one(records: Records, where: str) -> Records:
    """Yield the records; that there are none is an error."""
    empty = True
    for item in records:
        empty = False
        yield item
    if empty:
        raise DataError("holds no documents", where=where, hint="is it the right one?")
