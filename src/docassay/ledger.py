"""The ledger: one row of statistics a document. Joining ledgers is a union, never a sum.

A ledger file is JSON Lines: a header (what was measured, on what data), then the rows sorted by id.
Rows are written aside while a run goes on, and the file appears under its name only when it is
whole: a run that was cut off leaves its rows for `resume`, never a ledger that looks finished.
Equal rows of one document merge; different ones are an error.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import msgspec

from docassay.errors import ConfigurationError, DataError, FileError
from docassay.model.document import Problem, Violation
from docassay.plan import Plan
from docassay.scoring import Row
from docassay.version import VERSION

LEDGER = "ledger.jsonl"
PART = "ledger.part.jsonl"
FORM = 1


class Header(NamedTuple):
    """What the rows of a ledger have in common."""

    signature: str
    """What was measured, with digests of the gold and pred data."""
    plan: Plan
    inputs: Mapping[str, str]
    """Names shown for gold and pred."""


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
                hint=f"{ledger.header.signature} and {first.signature}",
            )
        for row in ledger.rows:
            known = rows.setdefault(row.id, row)
            if known != row:
                raise DataError(
                    f"document {row.id!r} was scored twice with different results",
                    hint="were two different predictions scored under one id?",
                )
    if first is None:
        raise DataError("there is no ledger to join")
    return Ledger(first, tuple(rows[id] for id in sorted(rows)))


def encode_row(row: Row) -> bytes:
    """Return a row as one line of JSON, the same bytes wherever it was scored."""
    extras: dict[str, object] = {"outcome": row.outcome} if row.outcome else {}
    if row.violations:
        extras["violations"] = [one[1:] for one in row.violations]
    return msgspec.json.encode(
        {
            "id": row.id,
            "digest": row.digest,
            "type": row.type,
            "tags": dict(row.tags),
            "stats": {
                metric: {
                    name: {key: table[key] for key in sorted(table)}
                    for name, table in stats.items()
                }
                for metric, stats in row.stats.items()
            },
            "problems": [one[1:4] for one in row.problems],
            **extras,
        }
    )


def decode_row(line: bytes) -> Row:
    """Return the row of a line."""
    found = msgspec.json.decode(line, type=_RowLine)
    problems = tuple(Problem(found.id, *one) for one in found.problems)
    return Row(
        found.id,
        found.digest,
        found.type,
        found.tags,
        found.stats,
        problems,
        found.outcome,
        tuple(Violation(found.id, *one) for one in found.violations),
    )


class _RowLine(msgspec.Struct):
    id: str
    digest: str
    type: str
    tags: dict[str, str]
    stats: dict[str, dict[str, dict[str, tuple[int, ...]]]]
    problems: list[tuple[str, str, str]]
    outcome: str = ""
    violations: list[tuple[str, str, str]] = []


class _HeaderLine(msgspec.Struct):
    ledger: int
    docassay: str
    signature: str
    plan: Plan
    inputs: dict[str, str]


def _encode_header(header: Header) -> bytes:
    plan = msgspec.Raw(header.plan.to_json())
    return msgspec.json.encode(
        {
            "ledger": FORM,
            "docassay": VERSION,
            "signature": header.signature,
            "inputs": dict(header.inputs),
            "plan": plan,
        }
    )


def read_ledger(path: Path) -> Ledger:
    """Return the ledger of a run folder or file."""
    file = path / LEDGER if path.is_dir() else path
    if not file.exists():
        cut_off = (file.parent / PART).exists()
        raise FileError(
            "there is no ledger" if not cut_off else "the run was cut off before it was finished",
            where=str(file),
            hint="score with --out writes one" if not cut_off else "score again with --resume",
        )
    try:
        with file.open("rb") as lines:
            head = msgspec.json.decode(next(lines, b""), type=_HeaderLine)
            if head.ledger != FORM:
                raise DataError(
                    f"ledger form {head.ledger} is not known to docassay {VERSION}", where=str(file)
                )
            rows = tuple(decode_row(line) for line in lines)
    except (msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError) as error:
        raise DataError(f"this is not a whole ledger: {error}", where=str(file)) from None
    except OSError as error:
        raise FileError(str(error), where=str(file)) from None
    return Ledger(Header(head.signature, head.plan, head.inputs), rows)


class LedgerWriter:
    """Appends rows aside and puts the whole ledger in place at the end."""

    def __init__(self, folder: Path, plan: Plan, *, resume: bool) -> None:
        self.folder = folder
        self._plan = plan.to_json()
        self.known: dict[str, Row] = dict(self._earlier()) if resume else {}
        self._part = (folder / PART).open("wb")
        self._part.write(self._plan + b"\n")
        for row in self.known.values():
            self.add(row)

    def _earlier(self) -> Iterator[tuple[str, Row]]:
        """Yield rows of a run that was finished or cut off, if it followed the same plan."""
        for name in (LEDGER, PART):
            file = self.folder / name
            if not file.exists():
                continue
            lines = file.read_bytes().split(b"\n")
            head = lines[0]
            if name == LEDGER:
                head = msgspec.json.decode(head, type=_HeaderLine).plan.to_json()
            if head != self._plan:
                raise ConfigurationError(
                    "the earlier run measured something else",
                    where=str(file),
                    hint="score without --resume, or into another folder",
                )
            for line in lines[1:]:
                try:
                    row = decode_row(line)
                except (msgspec.DecodeError, msgspec.ValidationError):
                    continue  # the last line of a run that was cut off may be half a row
                yield row.id, row

    def add(self, row: Row) -> None:
        """Append a row."""
        self._part.write(encode_row(row) + b"\n")

    def finish(self, header: Header, rows: Iterable[Row]) -> Path:
        """Write the whole ledger under its name and remove what was written aside."""
        self._part.close()
        final = self.folder / LEDGER
        aside = self.folder / (LEDGER + ".new")
        with aside.open("wb") as file:
            file.write(_encode_header(header) + b"\n")
            for row in rows:
                file.write(encode_row(row) + b"\n")
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
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / ".lock").open("wb")
    except OSError as error:
        raise FileError(f"cannot write a run there: {error.strerror}", where=str(folder)) from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise FileError("another run is writing there", where=str(folder)) from None
        writer = LedgerWriter(folder, plan, resume=resume)
        try:
            yield writer
        finally:
            writer.close()
    (folder / ".lock").unlink(missing_ok=True)
