"""What came back, one JSON line a document, appended as it arrives and never written twice.

A line is written with one call, so that a process that is killed leaves whole lines and at most one
torn one, which is cut off when the file is opened again. Documents for which there is no answer
stand in a file of their own, which every run begins anew.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import BinaryIO, NamedTuple

from docassay.errors import ConfigurationError, DataError, FileError
from docassay.load.wire import decode, encode, without_surrogates
from docassay.model.problem import CLEAN
from docassay.run.output import system_lock

FAILED = ".failed.jsonl"
SYNC_EVERY = 1.0
"""Seconds between two requests to the system to put lines on the disk."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractedLine:
    """What is kept of a document that was answered."""

    id: str = ""
    file: str = ""
    record: Mapping[str, object]
    raw: str
    """The answer as it came."""
    repairs: Sequence[str] = ()
    outcome: str = CLEAN
    model: str = ""
    prompt: str = ""
    """The digest of the prompt, "" where there was none."""
    schema_digest: str = ""
    started: datetime
    ended: datetime
    attempts: int = 1
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost: float | None = None
    pages: int = 0
    finish: str = ""
    notes: Sequence[str] = ()
    logprobs: Sequence[tuple[str, float]] = ()
    """Tokens of the answer with the logarithms of their probabilities."""
    samples: Sequence[str] = ()
    """The other answers that were asked for."""

    def encoded(self) -> bytes:
        """Return the line as it is written; what is not known is left out."""
        tokens = {"prompt": self.prompt_tokens, "completion": self.completion_tokens}
        known = {name: count for name, count in tokens.items() if count is not None}
        optional = {
            "tokens": known,
            "pages": self.pages,
            "finish": self.finish,
            "notes": [*self.notes],
            "logprobs": [[token, round(logprob, 6)] for token, logprob in self.logprobs],
            "samples": [*self.samples],
            "file": self.file,
        }
        line = {
            "id": self.id,
            "record": self.record,
            "raw": self.raw,
            "repairs": [*self.repairs],
            "outcome": self.outcome,
            "model": self.model,
            "prompt": self.prompt,
            "schema_digest": self.schema_digest,
            "started": _moment(self.started),
            "ended": _moment(self.ended),
            "attempts": self.attempts,
            **({} if self.cost is None else {"cost": self.cost}),
            **{name: value for name, value in optional.items() if value},
        }
        return _encoded(line)


def _encoded(line: Mapping[str, object]) -> bytes:
    try:
        return encode(line).encode() + b"\n"
    except UnicodeEncodeError:  # halves of characters, which no JSON can hold
        return encode(without_surrogates(line)[0]).encode() + b"\n"


@dataclass(frozen=True, slots=True)
class FailedLine:
    """A document for which there is no answer, and why."""

    id: str
    error: str
    attempts: int = 1
    model: str = ""
    file: str = ""

    def encoded(self) -> bytes:
        """Return the line as it is written."""
        return _encoded(asdict(self))


def _moment(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


class KeptLine(NamedTuple):
    """What must be equal for a document that is kept already to belong to the same run."""

    model: str
    prompt: str
    schema_digest: str


@dataclass
class LineFile:
    """The file of answers, open for appending, and the one of failures beside it."""

    path: Path
    stream: BinaryIO
    kept: Mapping[str, KeptLine]
    """The documents that were answered before."""
    written: int = 0
    _failures: list[FailedLine] = field(default_factory=list)
    _synced: float = 0.0

    @property
    def failed_path(self) -> Path:
        """Where documents without an answer are written."""
        return failed_path(self.path)

    def append(self, line: ExtractedLine) -> None:
        """Write a line, all of it at once."""
        _write(self.stream, line.encoded(), self.path)
        self.written += 1
        if monotonic() - self._synced >= SYNC_EVERY:
            self.sync()

    def fail(self, line: FailedLine) -> None:
        """Write down a document without an answer."""
        self._failures.append(line)
        try:
            with self.failed_path.open("ab", buffering=0) as stream:
                _write(stream, line.encoded(), self.failed_path)
        except OSError as error:
            raise _unwritable(self.failed_path, error) from None

    @property
    def failures(self) -> tuple[FailedLine, ...]:
        """The documents without an answer, in the order in which they failed."""
        return tuple(self._failures)

    def sync(self) -> None:
        """Have the system put what was written on the disk."""
        os.fsync(self.stream.fileno())
        self._synced = monotonic()


def failed_path(out: Path) -> Path:
    """Return the file of failures that belongs to a file of answers."""
    return out.with_name(out.name + FAILED)


@contextmanager
def line_file(path: Path, *, resume: bool) -> Iterator[LineFile]:
    """Open a file of answers: a new one, or with `resume` one that was begun."""
    if not resume and (path.exists() or path.is_symlink()):
        raise ConfigurationError(
            "exists already", where=str(path), hint="--resume goes on with it; else name another"
        )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        stream = path.open("a+b", buffering=0)
    except OSError as error:
        raise _unwritable(path, error) from None
    with stream:
        lock = system_lock()
        try:
            if lock is not None:
                lock(stream)
        except OSError:
            raise FileError(
                "another extraction is writing there", where=str(path), hint="wait for it to end"
            ) from None
        file = LineFile(path, stream, dict(_kept_lines(path, stream)))
        failed_path(path).unlink(missing_ok=True)  # those documents are asked for again
        try:
            yield file
        except BaseException:
            if not file.written and not file.kept:
                # nothing to go on with: the same command can be given again
                path.unlink(missing_ok=True)
            raise
        finally:
            file.sync()


def _kept_lines(path: Path, stream: BinaryIO) -> Iterator[tuple[str, KeptLine]]:
    """Yield the documents of a file that was begun, after cutting off a torn last line."""
    stream.seek(0)
    end = 0
    with open(os.dup(stream.fileno()), "rb") as lines:
        for number, line in enumerate(lines, start=1):
            whole = line.endswith(b"\n")
            try:
                kept = _kept(line, f"{path}:{number}")
            except DataError:
                if whole:
                    raise
                break
            end += len(line)
            yield kept
            if not whole:
                _write(stream, b"\n", path)
                return
    stream.truncate(end)


def _kept(line: bytes, where: str) -> tuple[str, KeptLine]:
    tree = decode(line, where).tree
    id = tree.get("id") if isinstance(tree, dict) else None
    if not isinstance(tree, dict) or not isinstance(id, str):
        raise DataError(
            "is no line of an extraction", where=where, hint="name another file with --out"
        )
    return id, KeptLine(*(str(tree.get(name, "")) for name in KeptLine._fields))


def _write(stream: BinaryIO, data: bytes, path: Path) -> None:
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[stream.write(rest) :]
    except OSError as error:
        raise _unwritable(path, error) from None


def _unwritable(path: Path, error: OSError) -> FileError:
    return FileError(f"cannot be written: {error.strerror or error}", where=str(path))


def refuse_other_run(
    kept: Mapping[str, KeptLine], expected: Mapping[str, KeptLine], where: str
) -> None:
    """Raise ConfigurationError where a kept document was asked for in another way."""
    nouns = {"model": "model", "prompt": "prompt", "schema_digest": "schema"}
    for id, line in kept.items():
        wanted = expected.get(id, line)
        for name, noun in nouns.items():
            before, now = getattr(line, name), getattr(wanted, name)
            if before != now:
                raise ConfigurationError(
                    f"holds answers of another {noun}: {before or 'none'}, not {now or 'none'}",
                    where=where,
                    hint="name another file with --out, or resume as it was begun",
                )
