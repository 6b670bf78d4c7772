"""The ledger: one row of statistics a document. Joining ledgers is a union, never a sum.

A ledger file is JSON Lines: a header (what was measured, on what data), the rows sorted by id, and
an end with the number of rows and a digest of all lines before it. Every line carries a checksum,
so that a ledger that was damaged or edited is refused instead of giving other numbers.
Rows are written aside while a run goes on, and the file appears under its name only when it is
whole: a run that was cut off leaves its rows for `resume`, never a ledger that looks finished.
Equal rows of one document merge; different ones are an error.
"""

from __future__ import annotations

import difflib
import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO, NamedTuple, TypeVar, cast
from zlib import crc32

import msgspec

from docassay.errors import ConfigurationError, DataError, DocassayError, FileError
from docassay.model.problem import Problem, ProblemCode, ResponseOutcome, Violation
from docassay.model.report import MetaValue
from docassay.model.schema import EMPTY
from docassay.model.stats import Counts, Key, Stats, Table, key_order
from docassay.run.plan import Call, Plan, bind
from docassay.run.score import Row
from docassay.schema.selection import Aside
from docassay.version import VERSION

LEDGER = "ledger.jsonl"
PART = "ledger.part.jsonl"
FORM = 3
AGAIN = "score again"
RUN_MADE = "score writes one with --out DIR, or out=DIR in Python"
RUNS_NAMED = 3
FRESH = "score without --resume, or into another folder"
DIGEST_SIZE = 16
_SUM = b',"sum":"'
_START = b'{"ledger":'
_END = b'{"rows":'
T = TypeVar("T")


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
    """A header with its rows, sorted by document id."""

    header: Header
    rows: tuple[Row, ...]


def join(ledgers: Iterable[Ledger]) -> Ledger:
    """Unite ledgers of one plan. A document scored twice must have scored the same."""
    first: Header | None = None
    rows: dict[str, Row] = {}
    for ledger in ledgers:
        if first is None:
            first = ledger.header
        elif ledger.header.plan.to_json() != first.plan.to_json():
            raise ConfigurationError(
                "ledgers of different plans cannot be joined",
                hint=f"they are {first.signature} and {ledger.header.signature}",
            )
        for row in ledger.rows:
            earlier = rows.setdefault(row.id, row)
            if earlier != row:
                raise DataError(
                    f"document {row.id!r} was scored twice with different results",
                    hint="were two different predictions scored under one id?",
                )
    if first is None:
        raise DataError("there is no ledger to join", hint="name at least one run")
    return Ledger(first, tuple(rows[id] for id in sorted(rows)))


def encode_row(row: Row) -> bytes:
    """Return a row as a line of JSON with its checksum, the same bytes wherever it was scored."""
    extras: dict[str, object] = {} if row.outcome is None else {"outcome": row.outcome}
    if row.violations:
        extras["violations"] = [violation[1:] for violation in row.violations]
    if row.aside:
        extras["aside"] = row.aside
    if row.meta:
        extras["meta"] = dict(row.meta)
    return _sealed(
        {
            "id": row.id,
            "digest": row.digest,
            "type": row.type,
            "tags": dict(row.tags),
            "stats": {
                metric: {name: _encode_table(table) for name, table in stats.items()}
                for metric, stats in row.stats.items()
            },
            "problems": [
                (problem.code, problem.side, problem.field, problem.message)
                for problem in row.problems
            ],
            **extras,
        }
    )


def _encode_table(table: Table) -> object:
    """Return a table as an object, or as a list of keys and counts when a key has several parts."""
    items: list[tuple[Key, Counts]] = sorted(table.items(), key=lambda item: key_order(item[0]))
    return items if any(isinstance(key, tuple) for key, _ in items) else dict(items)


def decode_row(line: bytes) -> Row:
    """Return the row of a line; one that was changed or is not whole is a DataError."""
    return _row(_unsealed(line))


def _row(body: bytes) -> Row:
    content = _decoded(body, _RowLine)
    return Row(
        content.id,
        content.digest,
        content.type,
        content.tags,
        {metric: _decode_tables(tables) for metric, tables in content.stats.items()},
        tuple(Problem(code, content.id, *rest) for code, *rest in content.problems),
        content.outcome,
        tuple(Violation(content.id, *rest) for rest in content.violations),
        content.aside,
        content.meta,
    )


class _RowLine(msgspec.Struct):
    id: str
    digest: str
    type: str
    tags: dict[str, str]
    stats: dict[str, dict[str, dict[str, Counts] | list[tuple[Key, Counts]]]]
    problems: list[tuple[ProblemCode, str, str, str]]
    outcome: ResponseOutcome | None = None
    violations: list[tuple[str, str, str]] = []
    aside: tuple[Aside, ...] = ()
    meta: dict[str, MetaValue] = {}


def _decode_tables(
    tables: Mapping[str, dict[str, Counts] | list[tuple[Key, Counts]]],
) -> Stats:
    # a table that was written as a list has tuples among its keys
    return {name: cast("Table", dict(table)) for name, table in tables.items()}


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


class _PartLine(msgspec.Struct):
    ledger: int
    plan: msgspec.Raw


class _EndLine(msgspec.Struct):
    rows: int
    digest: str


def _encode_header(header: Header) -> bytes:
    plan = msgspec.Raw(header.plan.to_json())
    return _sealed(
        {
            "ledger": FORM,
            "docassay": VERSION,
            "signature": header.signature,
            "inputs": dict(header.inputs),
            "reading": dict(header.reading),
            "plan": plan,
            "display": msgspec.Raw(header.plan.display_json()),
        }
    )


def _sealed(content: Mapping[str, object]) -> bytes:
    """Return an object as a line of JSON whose last member is a checksum of the others."""
    body = msgspec.json.encode(content)
    return body[:-1] + _checksum(body) + b"\n"


def _unsealed(line: bytes) -> bytes:
    """Return the JSON of a line without its checksum, once that was found to be right."""
    start = line.rfind(_SUM)
    if start < 0 or not line.endswith(b"\n"):
        raise DataError("the line is not complete")
    body = line[:start] + b"}"
    if line[start:-1] != _checksum(body):
        raise DataError("the line was changed after it was written: its checksum does not match")
    return body


def _checksum(body: bytes) -> bytes:
    return _SUM + b'%08x"}' % crc32(body)


def _decoded(body: bytes, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise DataError(f"the line cannot be read: {error}") from None


def read_ledger(path: Path) -> Ledger:
    """Return the ledger of a run folder or file."""
    file = path / LEDGER if path.is_dir() else path
    if not file.exists():
        raise _no_run(path, file)
    return _read_whole(file, AGAIN)


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
    if (file.parent / PART).exists():
        what, hint = "the run was cut off before it was finished", "score again with --resume"
        return DataError(what, where=str(path), hint=hint)
    home = path if path.is_dir() else path.parent
    near = sorted(str(place.parent) for place in home.glob(f"*/{LEDGER}"))
    what = "is no run folder: it holds no ledger" if path.is_dir() else "there is no such run"
    close = near if path.is_dir() else difflib.get_close_matches(str(path), near)
    hint = f"did you mean {' '.join(close[:RUNS_NAMED])}?" if close else RUN_MADE
    return ConfigurationError(what, where=str(path), hint=hint)


def _read_whole(file: Path, hint: str) -> Ledger:
    """Return the ledger of a file; damage is a DataError with the line and the hint."""
    number = 1
    try:
        with file.open("rb") as lines:
            line = next(lines, b"")
            header = _header(line)
            columns = _columns(header.plan)
            digest = hashlib.blake2b(line, digest_size=DIGEST_SIZE)
            rows: list[Row] = []
            for number, line in enumerate(lines, start=2):
                body = _unsealed(line)
                if body.startswith(_END):
                    _check_end(_decoded(body, _EndLine), len(rows), digest.hexdigest())
                    if next(lines, None) is not None:
                        number += 1
                        raise DataError("lines follow the end of the ledger")
                    return Ledger(header, tuple(rows))
                row = _row(body)
                _check_row(row, columns)
                if rows and rows[-1].id >= row.id:
                    raise DataError(f"the row of document {row.id!r} is not in its place")
                rows.append(row)
                digest.update(line)
            raise DataError("the end is missing: the file was cut off")
    except DataError as error:
        raise DataError(error.what, where=f"{file}:{number}", hint=hint) from None
    except OSError as error:
        raise FileError(f"cannot be read: {error.strerror}", where=str(file)) from None


def _header(line: bytes) -> Header:
    if not line.strip():
        raise DataError("the ledger is empty")
    _check_form(line)
    head = _decoded(_unsealed(line), _HeaderLine)
    plan = replace(head.plan, display=head.display)
    return Header(head.signature, plan, head.inputs, head.reading)


def _check_form(line: bytes) -> None:
    """Refuse a ledger of another form, whose lines may have no checksums."""
    if not line.startswith(_START):
        raise DataError("this is no ledger of a run, which score writes with --out")
    form = _decoded(line, _FormLine).ledger
    if form != FORM:
        raise DataError(f"the ledger has form {form}, and docassay {VERSION} reads form {FORM}")


Columns = Mapping[str, Mapping[str, tuple[str, ...]]]
"""Metric -> table -> the names of its columns."""


def _columns(plan: Plan) -> Columns:
    try:
        return {metric.name: metric.metric.tables for metric in bind(plan).metrics}
    except ConfigurationError as error:
        raise DataError(f"the plan cannot be used: {error}") from None


def _check_row(row: Row, columns: Columns) -> None:
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


def _check_end(end: _EndLine, rows: int, digest: str) -> None:
    if end.rows != rows:
        raise DataError(f"the ledger had {end.rows:,} rows and now has {rows:,}")
    if end.digest != digest:
        raise DataError("the lines above are not those that were written")


class LedgerWriter:
    """Appends rows aside and puts the whole ledger in place at the end."""

    def __init__(self, folder: Path, plan: Plan, *, resume: bool) -> None:
        self.folder = folder
        self.notes: list[str] = []
        self._plan = plan.to_json()
        self.known: dict[str, Row] = self._earlier() if resume else {}
        self._part = self._new_part()

    def _earlier(self) -> dict[str, Row]:
        """Return the rows of a run that was finished or cut off, if it followed the same plan."""
        rows: dict[str, Row] = {}
        whole, part = self.folder / LEDGER, self.folder / PART
        if whole.exists():
            ledger = _read_whole(whole, FRESH)
            self._check_plan(ledger.header.plan.to_json(), whole)
            rows = {row.id: row for row in ledger.rows}
        if part.exists():
            rows |= {row.id: row for row in self._part_rows(part)}
        return rows

    def _check_plan(self, plan: bytes, file: Path) -> None:
        if plan != self._plan:
            raise ConfigurationError(
                "the earlier run measured something else", where=str(file), hint=FRESH
            )

    def _part_rows(self, file: Path) -> Iterator[Row]:
        """Yield the rows of a run that was cut off; its last line may be torn."""
        *lines, torn = file.read_bytes().split(b"\n")
        if torn:
            self.notes.append(f"{file}: the last line was cut off; its document is scored again")
        columns: Columns = {}
        for number, line in enumerate(lines, start=1):
            try:
                if number == 1:
                    _check_form(line)
                    head = _decoded(_unsealed(line + b"\n"), _PartLine)
                    self._check_plan(bytes(head.plan), file)
                    columns = _columns(Plan.from_json(self._plan))
                else:
                    row = decode_row(line + b"\n")
                    _check_row(row, columns)
                    yield row
            except DataError as error:
                raise DataError(error.what, where=f"{file}:{number}", hint=FRESH) from None

    def _new_part(self) -> BinaryIO:
        """Return the file of rows, with those of before; until it has them, the old one stays."""
        aside = self.folder / (PART + ".new")
        with aside.open("wb") as file:
            file.write(_sealed({"ledger": FORM, "plan": msgspec.Raw(self._plan)}))
            file.writelines(map(encode_row, self.known.values()))
        aside.replace(self.folder / PART)
        return (self.folder / PART).open("ab")

    def add(self, row: Row) -> None:
        """Append a row."""
        self._part.write(encode_row(row))

    def finish(self, header: Header, rows: Iterable[Row]) -> Path:
        """Write the whole ledger under its name and remove what was written aside."""
        self._part.close()
        final = self.folder / LEDGER
        aside = self.folder / (LEDGER + ".new")
        count = 0
        with aside.open("wb") as file:
            line = _encode_header(header)
            file.write(line)
            digest = hashlib.blake2b(line, digest_size=DIGEST_SIZE)
            for count, row in enumerate(rows, start=1):  # noqa: B007 - the number of rows
                line = encode_row(row)
                file.write(line)
                digest.update(line)
            file.write(_sealed({"rows": count, "digest": digest.hexdigest()}))
            file.flush()
            os.fsync(file.fileno())
        aside.replace(final)
        (self.folder / PART).unlink(missing_ok=True)
        return final

    def close(self) -> None:
        """Leave what was written so far for a later resume."""
        self._part.close()


@contextmanager
def writing(folder: Path, plan: Plan, *, resume: bool) -> Iterator[LedgerWriter]:
    """Open a run folder for one writer at a time."""
    from docassay.run.output import locked, unwritable

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(folder, error) from None
    with locked(folder):
        writer = LedgerWriter(folder, plan, resume=resume)
        try:
            yield writer
        finally:
            writer.close()
