"""Where documents come from: a path in some format, a dict of trees, or an iterable of pairs."""

from __future__ import annotations

import codecs
import os
from collections import deque
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TypeVar

from docassay.errors import DataError
from docassay.load.files import current_feed, file_names, hold, read_head, release
from docassay.load.format import FORMATS, Format, Record, may_be
from docassay.load.records import Records, id_keys, with_ids
from docassay.load.remote import as_path
from docassay.model.problem import Problem, ProblemCode
from docassay.model.schema import EMPTY

T = TypeVar("T")
HEAD = 1 << 16
SUFFIXES = (".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".txt", ".parquet", ".bio", ".tags")
GENERAL = ("response", "jsonl", "json", "csv")
"""Formats that fit much; asked last, in this order."""


def guess(path: Path) -> str:
    """Return the name of the format that the content fits; nothing or too much is an error."""
    document, head = _first_document(path)
    special = [name for name in FORMATS.names() if name not in GENERAL]
    fitting = [name for name in special if _fits(name, document, head)]
    if len(fitting) > 1:
        raise DataError(
            f"could be any of the formats {', '.join(fitting)}",
            where=str(path),
            hint="name the format",
        )
    general = (name for name in GENERAL if _fits(name, document, head))
    best = fitting[0] if fitting else next(general, None)
    if best is None:
        raise DataError(
            "is of no known format",
            where=str(document),
            hint=f"name the format: {', '.join(FORMATS.names())}",
        )
    return best


def _first_document(path: Path) -> tuple[Path, bytes]:
    """Return the first file that is not empty, and how it begins (as UTF-8, without mark)."""
    folder = path.is_dir()
    for name in file_names(path, SUFFIXES):
        file = Path(name) if folder else path
        head = read_head(file, HEAD)
        if head.strip():
            return file, _as_utf8(head)
    what = "there are no documents in this folder" if folder else "the file is empty"
    hint = f"documents end in {', '.join(SUFFIXES)}" if folder else "is it the right one?"
    raise DataError(what, where=str(path), hint=hint)


def _as_utf8(head: bytes) -> bytes:
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return head.decode("utf-16", "ignore").encode("utf-8", "ignore")
    return head.removeprefix(codecs.BOM_UTF8)


def _fits(name: str, document: Path, head: bytes) -> bool:
    return may_be(name, document, head) and FORMATS.get(name).sniff(document, head)


PYTHON = "python"

Documents = object
"""A path, or documents in memory in any form that `load/python.py` describes."""


Step = Callable[[Records], Records]


@dataclass(frozen=True, slots=True)
class Source:
    """A stream of records, to be read once, and what is known about it."""

    records: Iterator[Record | Problem]
    format: str
    """The format's name, or "python" for trees that were handed over."""
    guessed: bool
    name: str
    notes: tuple[str, ...] = ()
    """What was done to the records beyond reading them."""
    steps: tuple[Step, ...] = ()
    """The same as functions, for more records of the same source."""
    held: bool = False
    """Whether all records stay in memory while they are read."""

    def then(self, step: Step) -> Source:
        """Return the source with something done to its records, each by itself."""
        return replace(self, records=step(self.records), steps=(*self.steps, step))


class Ahead(Iterator[T]):
    """Items of which the next can be looked at before they are taken."""

    def __init__(self, items: Iterable[T]) -> None:
        self._items = iter(items)
        self._held: deque[T] = deque()

    def __next__(self) -> T:
        return self._held.popleft() if self._held else next(self._items)

    def peek(self, count: int) -> list[T]:
        """Return as many of the next items; they are still to come."""
        self._held.extend(islice(self._items, max(0, count - len(self._held))))
        return [*islice(self._held, count)]


def open_records(
    source: Documents,
    *,
    format: str | None = None,
    options: Mapping[str, object] = EMPTY,
) -> Source:
    """Return the records of a source; the format is guessed from its content when not given."""
    if not isinstance(source, str | os.PathLike):
        from docassay.load.python import Handed, records_of

        key, root = _text_of(options, "id_key"), _text_of(options, "root")
        records = with_ids(records_of(source, id_key=key), ids=id_keys(key), root=root)
        name = (source.side if isinstance(source, Handed) else "") or PYTHON
        return Source(at_least_one(records, name), PYTHON, guessed=False, name=name)
    path = hold(as_path(source))
    name = guess(path) if format is None else format
    entry = FORMATS.get(name)
    # a format that does not know where records stand gives trees that hold them
    own = {key: value for key, value in options.items() if key != "root" or key in entry.options}
    rest = {key: value for key, value in options.items() if key not in own}
    records = _located(_placed(entry.function(path, **entry.check(own)), rest), path)
    if path.is_dir() and current_feed() is None:
        records = _with_the_unread(records, path, entry)
    return Source(at_least_one(records, str(path)), name, guessed=format is None, name=str(path))


def _placed(records: Records, options: Mapping[str, object]) -> Records:
    """Return the records with id and tree from the places that were asked for."""
    id_key, root = _text_of(options, "id_key"), _text_of(options, "root")
    if id_key is None and root is None:
        return records
    return with_ids(records, ids=id_keys(id_key), root=root)


def _text_of(options: Mapping[str, object], name: str) -> str | None:
    value = options.get(name)
    return None if value is None else str(value)


def _located(records: Records, path: Path) -> Records:
    """Yield the records, and add the path to an error that names no place."""
    try:
        yield from records
    except DataError as error:
        place = error.where or str(path)
        raise DataError(error.what, where=place, hint=error.hint, details=error.details) from error
    finally:
        release(path)


def _with_the_unread(records: Records, folder: Path, entry: Format) -> Records:
    """Yield the records of a folder, and at last a problem that names documents left unread."""
    seen: set[str] = set()
    for item in records:
        where = item.where or ""
        seen |= {where, where.rpartition(":")[0]}
        yield item
    if seen:
        yield from unread_files(folder, entry, seen)


def unread_files(folder: Path, entry: Format, seen: Container[str]) -> Iterator[Problem]:
    """Yield a problem that names the documents of a folder that are not among those seen."""
    others = (Path(name) for name in file_names(folder, SUFFIXES) if name not in seen)
    unread = [file for file in others if {file.name, file.parent.name}.isdisjoint(entry.beside)]
    if unread:
        listed = ", ".join(file.name for file in unread[:5]) + (", ..." if unread[5:] else "")
        message = f"{len(unread)} of its files are not read as {entry.name}: {listed}"
        yield Problem(ProblemCode.UNREAD_FILE, "", "", "", message, str(folder))


def at_least_one(records: Records, where: str) -> Records:
    """Yield the records; that there are none is an error."""
    flaw: Problem | None = None
    for item in records:
        yield item
        if not isinstance(item, Problem):
            break
        flaw = flaw or item
    else:
        reason = None if flaw is None else f"{flaw.where or where}: {flaw.message}"
        raise DataError("holds no documents", where=where, hint=reason or "is it the right one?")
    yield from records
