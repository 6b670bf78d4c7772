"""The ledger: one row of statistics a document. Joining ledgers is a union, never a sum.

A ledger file is JSON Lines: a header (what was measured, on what data), the rows in gold order, and
an end with the number of rows and a digest of all other lines. Every line carries a checksum, so
that a ledger that was damaged or edited is refused instead of giving other numbers.
Rows are appended aside while a run goes on. When it is whole its header, which has the same length
from the start, gets the digests of the inputs, and the file its name: nothing is written twice, and
a run that was cut off leaves its rows for `resume`, never a ledger that looks finished.
Equal rows of one document merge; different ones are an error.
"""

from __future__ import annotations

import difflib
import hashlib
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO, NamedTuple

import msgspec

from docassay.errors import ConfigurationError, DataError, DocassayError, FileError
from docassay.model.document import hash_of
from docassay.model.schema import EMPTY
from docassay.run.plan import Call, Plan, bind
from docassay.run.rows import StoredRows, again, decoded, row_of, sealed, unsealed
from docassay.run.score import Row
from docassay.run.store import DIGEST_SIZE, HELD, RowStore
from docassay.version import VERSION

LEDGER = "ledger.jsonl"
PART = "ledger.part.jsonl"
KEPT = "ledger.kept-{}.jsonl"
"""The rows of a run that was cut off, while another one goes on with them."""
PARTS = "ledger.part.bin"
"""Beside these rows, what else the documents came to whose rows they are."""
KEPT_PARTS = "ledger.kept-{}.bin"
KEPT_FILES = "ledger.kept-*"
FORM = 4
AGAIN = "score again"
RUN_MADE = "score writes one with --out DIR, or out=DIR in Python"
RUNS_NAMED = 3
_START = b'{"ledger":'
END = b'{"rows":'


@dataclass(frozen=True, slots=True)
class InputRecord:
    """Where one side of a run was read from."""

    given: str
    """The path as it was given."""
    path: str
    """The same as an absolute path, "" for what cannot be read again."""
    format: str
    digest: str
    """Of the content of its files."""
    kept: str = ""
    """The copy in the run folder, as a path below it; "" for none."""


class Header(NamedTuple):
    """What the rows of a ledger have in common."""

    signature: str
    """What was measured, with digests of the gold and pred data."""
    plan: Plan
    inputs: Mapping[str, InputRecord]
    """What gold and pred were read from, where the run is kept."""
    reading: Mapping[str, object] = EMPTY
    """The options of reading that were given."""


class Ledger(NamedTuple):
    """A header with its rows, in gold order; of a large one they are read from disk."""

    header: Header
    rows: Sequence[Row]


def join(ledgers: Iterable[Ledger]) -> Ledger:
    """Unite ledgers of one plan by id. A document scored twice must have scored the same."""
    first: Header | None = None
    places: dict[str, tuple[Sequence[Row], int]] = {}
    for ledger in ledgers:
        if first is None:
            first = ledger.header
        elif ledger.header.plan.to_json() != first.plan.to_json():
            raise ConfigurationError(
                "ledgers of different plans cannot be joined",
                hint=f"they are {first.signature} and {ledger.header.signature}",
            )
        for at, row in enumerate(ledger.rows):
            rows, place = places.setdefault(row.id, (ledger.rows, at))
            if rows is not ledger.rows and rows[place] != row:
                raise DataError(
                    f"document {row.id!r} was scored twice with different results",
                    hint="were two different predictions scored under one id?",
                )
    if first is None:
        raise DataError("there is no ledger to join", hint="name at least one run")
    store = RowStore()
    for _, (rows, place) in sorted(places.items()):
        store.add(rows[place])
    return Ledger(first, store.rows())


class _HeaderLine(msgspec.Struct):
    ledger: int
    docassay: str
    signature: str
    plan: Plan
    inputs: dict[str, InputRecord]
    reading: dict[str, object]
    display: tuple[Call, ...] = ()


class _FormLine(msgspec.Struct):
    ledger: int


class PartStart(msgspec.Struct):
    """The first line of a ledger, finished or not, as far as it says what was measured."""

    ledger: int
    plan: msgspec.Raw


class _EndLine(msgspec.Struct):
    rows: int
    digest: str


def encode_header(header: Header) -> bytes:
    """Return the first line of a ledger."""
    return sealed(
        {
            "ledger": FORM,
            "docassay": VERSION,
            "signature": header.signature,
            "inputs": dict(header.inputs),
            "reading": dict(header.reading),
            "plan": msgspec.Raw(header.plan.to_json()),
            "display": msgspec.Raw(header.plan.display_json()),
        }
    )


def read_ledger(path: Path) -> Ledger:
    """Return the ledger of a run folder or file, all of it checked."""
    file = path / LEDGER if path.is_dir() else path
    if not file.exists():
        raise _no_run(path, file)
    return read_whole(file, AGAIN)


def read_header(path: Path) -> Header:
    """Return what the rows of a run folder have in common, without reading them."""
    file = path / LEDGER if path.is_dir() else path
    if not file.exists():
        raise _no_run(path, file)
    try:
        with file.open("rb") as lines:
            return _header(next(lines, b""))
    except DataError as error:
        raise DataError(error.what, where=f"{file}:1", hint=AGAIN) from None
    except OSError as error:
        raise FileError(f"cannot be read: {error.strerror}", where=str(file)) from None


def _no_run(path: Path, file: Path) -> DocassayError:
    """Return the error for a place without a ledger, naming the runs that are near it."""
    if (file.parent / PART).exists() or any(file.parent.glob(KEPT_FILES)):
        what, hint = "the run was cut off before it was finished", "score again with --resume"
        return DataError(what, where=str(path), hint=hint)
    home = path if path.is_dir() else path.parent
    near = sorted(str(place.parent) for place in home.glob(f"*/{LEDGER}"))
    what = "is no run folder: it holds no ledger" if path.is_dir() else "there is no such run"
    close = near if path.is_dir() else difflib.get_close_matches(str(path), near)
    hint = f"did you mean {' '.join(close[:RUNS_NAMED])}?" if close else RUN_MADE
    return ConfigurationError(what, where=str(path), hint=hint)


def read_whole(file: Path, hint: str) -> Ledger:
    """Return the ledger of a file; damage is a DataError with the line and the hint."""
    reading = _Reading()
    try:
        with file.open("rb") as lines:
            return reading.ledger(lines)
    except DataError as error:
        raise DataError(error.what, where=f"{file}:{reading.number}", hint=hint) from None
    except OSError as error:
        raise FileError(f"cannot be read: {error.strerror}", where=str(file)) from None


class _Reading:
    """Goes through a ledger once and checks every line; `number` is the line it has come to."""

    def __init__(self) -> None:
        self.number = 1
        self._ids = array("Q")

    def ledger(self, lines: BinaryIO) -> Ledger:
        """Return the ledger of an open file."""
        line = next(lines, b"")
        header, start = _header(line), len(line)
        columns = columns_of(header.plan)
        digest = hashlib.blake2b(digest_size=DIGEST_SIZE)
        held: list[Row] | None = []
        end = start
        for self.number, content in enumerate(lines, start=2):
            body = unsealed(content)
            if body.startswith(END):
                digest.update(line)
                self._check_end(decoded(body, _EndLine), digest.hexdigest())
                if next(lines, None) is not None:
                    self.number += 1
                    raise DataError("lines follow the end of the ledger")
                if held is not None:
                    return Ledger(header, tuple(held))
                return Ledger(header, StoredRows(again(lines), start, end, len(self._ids)))
            row = row_of(body)
            check_row(row, columns)
            self._ids.append(hash_of(row.id))
            digest.update(content)
            end += len(content)
            if held is not None:
                held.append(row)
                held = held if len(held) <= HELD else None
        raise DataError("the end is missing: the file was cut off")

    def _check_end(self, end: _EndLine, digest: str) -> None:
        number = len(self._ids)
        if end.rows != number:
            raise DataError(f"the ledger had {end.rows:,} rows and now has {number:,}")
        if end.digest != digest:
            raise DataError("the lines above are not those that were written")
        if any(first == second for first, second in pairwise(sorted(self._ids))):
            raise DataError("a document has two rows")


def _header(line: bytes) -> Header:
    if not line.strip():
        raise DataError("the ledger is empty")
    check_form(line)
    head = decoded(unsealed(line), _HeaderLine)
    plan = replace(head.plan, display=head.display)
    return Header(head.signature, plan, head.inputs, head.reading)


def check_form(line: bytes) -> None:
    """Refuse a ledger of another form, whose lines may have no checksums."""
    if not line.startswith(_START):
        raise DataError("this is no ledger of a run, which score writes with --out")
    form = decoded(line, _FormLine).ledger
    if form != FORM:
        raise DataError(f"the ledger has form {form}, and docassay {VERSION} reads form {FORM}")


Columns = Mapping[str, Mapping[str, tuple[str, ...]]]
"""Metric -> table -> the names of its columns."""


def columns_of(plan: Plan) -> Columns:
    """Return the columns of the tables of a plan's metrics."""
    try:
        return {metric.name: metric.metric.tables for metric in bind(plan).metrics}
    except ConfigurationError as error:
        raise DataError(f"the plan cannot be used: {error}") from None


def check_row(row: Row, columns: Columns) -> None:
    """Refuse a row that does not have every metric of the plan, with the columns of its tables."""
    if row.stats.keys() != columns.keys():
        names = ", ".join(sorted(row.stats.keys() ^ columns.keys()))
        raise DataError(f"the metrics of document {row.id!r} are not those of the plan: {names}")
    for metric, stats in row.stats.items():
        for name, table in stats.items():
            if name not in columns[metric]:
                raise DataError(f"metric {metric} has no table {name!r}")
            if not {*map(len, table.values())} <= {len(columns[metric][name])}:
                raise DataError(f"table {metric}.{name} of document {row.id!r} lacks a column")
