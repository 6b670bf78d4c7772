"""Parts that a run has taken, kept beside its rows: a run that was cut off goes on with them.

Nothing of such a part is read, scored or worked out again. Its rows lie in the ledger that is being
written; the rest of it lies in a file beside that, with the task that it answers. The first entry
of the file tells one run from another: it is a digest of all that shapes parts (what is measured,
what the inputs hold, what is wanted of each document). Every entry has a checksum, and knows that
of its rows: what was torn when a run was killed counts for nothing.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, NamedTuple
from zlib import crc32

import msgspec

from docassay.run.parts import EncodedPart
from docassay.run.store import RowFile

DIGEST_SIZE = 16
LENGTH, CHECKSUM = 8, 4
"""Bytes before an entry: how long it is, and its checksum."""


class KeptFiles(NamedTuple):
    """Rows of a run that was cut off, and the file of its parts beside them."""

    rows: Path
    parts: Path


def digest_of(*contents: bytes) -> bytes:
    """Return a digest of some bytes."""
    digest = hashlib.blake2b(digest_size=DIGEST_SIZE)
    for content in contents:
        digest.update(content)
    return digest.digest()


class _Entry(msgspec.Struct, array_like=True):
    """A part as it is kept."""

    task: bytes
    """The digest of the task that it answers."""
    start: int
    """Where its rows begin in their file, and how long they are."""
    length: int
    checksum: int
    """Of its rows."""
    rest: memoryview
    diffs: memoryview


_decoder = msgspec.msgpack.Decoder(_Entry)


def _head(content: bytes) -> bytes:
    return len(content).to_bytes(LENGTH) + crc32(content).to_bytes(CHECKSUM)


def _contents(file: BinaryIO) -> Iterator[bytes]:
    """Yield what a file of parts holds, up to the first entry that is not whole."""
    size = os.fstat(file.fileno()).st_size
    while True:
        head = file.read(LENGTH + CHECKSUM)
        length = int.from_bytes(head[:LENGTH])
        content = file.read(length) if length <= size else b""
        if not content or head != _head(content):
            return
        yield content


class KeptParts:
    """The parts of a run: those of one that was cut off are given back, those taken are kept."""

    def __init__(
        self, path: Path, run: bytes, rows: RowFile, earlier: Sequence[KeptFiles] = ()
    ) -> None:
        """Begin a file of parts beside rows; `run` tells whose parts they are."""
        aside = path.with_name(f"{path.name}.new")
        aside.unlink(missing_ok=True)  # neither step follows a link
        aside.write_bytes(_head(run) + run)
        aside.replace(path)
        self._file = path.open("ab")
        self._rows = rows
        best = max(earlier, key=lambda files: _number_of_parts(files.parts, run), default=None)
        self._earlier = None if best is None else _Earlier(best, run)

    def part(self, task: bytes) -> EncodedPart | None:
        """Return the kept part that answers a task, None from the first that there is none of.

        Tasks are asked for in the order of gold, and a run takes parts in it, so that those of one
        that was cut off answer the first tasks.
        """
        part = None if self._earlier is None else self._earlier.part(task)
        if part is None:
            self._forget()
        return part

    def keep(self, task: bytes, part: EncodedPart) -> None:
        """Keep a part whose rows are the last in the ledger."""
        lines = part.lines
        start = self._rows.end - len(lines)
        self._rows.file.flush()
        entry = _Entry(digest_of(task), start, len(lines), crc32(lines), part.rest, part.diffs)
        content = msgspec.msgpack.encode(entry)
        self._file.write(_head(content))
        self._file.write(content)
        self._file.flush()

    def _forget(self) -> None:
        if self._earlier is not None:
            self._earlier.close()
            self._earlier = None

    def close(self) -> None:
        """Close the files, which are left for a later resume."""
        self._forget()
        self._file.close()


def _number_of_parts(path: Path, run: bytes) -> int:
    """Return how many whole parts a file holds, 0 for one of another run."""
    with path.open("rb") as file:
        contents = _contents(file)
        return sum(1 for _ in contents) if next(contents, None) == run else 0


class _Earlier:
    """The parts of a run that was cut off, one after the other; none of another run."""

    def __init__(self, files: KeptFiles, run: bytes) -> None:
        self._rows = files.rows.open("rb")
        self._parts = files.parts.open("rb")
        contents = _contents(self._parts)
        self._contents = contents if next(contents, None) == run else iter(())

    def part(self, task: bytes) -> EncodedPart | None:
        content = next(self._contents, None)
        if content is None:
            return None
        entry = _decoder.decode(content)
        self._rows.seek(entry.start)
        lines = self._rows.read(entry.length)
        if entry.task != digest_of(task) or entry.checksum != crc32(lines):
            return None
        return EncodedPart(lines, entry.rest, entry.diffs)

    def close(self) -> None:
        self._rows.close()
        self._parts.close()
