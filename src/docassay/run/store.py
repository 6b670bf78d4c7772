"""Where the rows and the problems of a run are while it goes on: in memory while they are few."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from tempfile import TemporaryFile
from typing import BinaryIO, cast
from weakref import finalize

import msgspec

from docassay.model.problem import Problem
from docassay.model.report import Remade
from docassay.run.rows import StoredRows, again, encode_row, lines_of
from docassay.run.score import Row

HELD = 20_000
"""How many rows are kept as objects; where there are more, they are read from a file.

Those that came as lines are read from it in any case.
"""
HELD_PROBLEMS = 20_000
DIGEST_SIZE = 16


class RowFile:
    """A file to which rows are appended as lines, and which gives them back."""

    def __init__(self, file: BinaryIO) -> None:
        """Take a file that is open for reading and writing, from where it stands."""
        self.file = file
        self.start = self.end = file.tell()
        self.number = 0
        """How many rows there are."""
        self._places: array[int] | None = array("Q")
        """Where each of them begins, as long as that is known."""
        self.digest = hashlib.blake2b(digest_size=DIGEST_SIZE)
        finalize(self, file.close)

    def append(self, lines: bytes, number: int = 1) -> None:
        """Append the lines of so many rows."""
        if number != 1:
            self._places = None
        elif self._places is not None:
            self._places.append(self.end)
        self._append(lines, number)

    def append_each(self, lines: Sequence[bytes]) -> None:
        """Append the lines of rows, a line each."""
        if self._places is not None and lines:
            self._places.extend(accumulate(map(len, lines[:-1]), initial=self.end))
        self._append(b"".join(lines), len(lines))

    def _append(self, lines: bytes, number: int) -> None:
        self.file.write(lines)
        self.digest.update(lines)
        self.end += len(lines)
        self.number += number

    def rows(self) -> StoredRows:
        """Return the rows so far; they outlive the name of the file."""
        self.file.flush()
        return StoredRows(again(self.file), self.start, self.end, self.number, self._places)


class RowStore:
    """Takes the rows of a run in gold order, as objects or as lines, and gives them back."""

    def __init__(self, file: RowFile | None = None) -> None:
        """Take the file in which all rows are to be kept, None where none need be."""
        self._file = file
        self._held: list[Row] | None = []

    def add(self, row: Row) -> None:
        """Take a row."""
        self.extend((row,))

    def extend(self, rows: Sequence[Row]) -> None:
        """Take rows."""
        if self._file is not None:
            self._file.append_each([*map(encode_row, rows)])
        if self._held is not None:
            self._held.extend(rows)
            if len(self._held) > HELD:
                self._let_go()

    def add_lines(self, lines: bytes, number: int) -> None:
        """Take rows that were encoded elsewhere: they are decoded when they are asked for."""
        if self._held is not None:
            self._let_go()
        if self._file is not None:
            self._file.append(lines, number)

    def _let_go(self) -> None:
        """Keep rows in the file alone from now on."""
        held, self._held = self._held, None
        if self._file is None:
            # it is there as long as the rows are
            file = cast("BinaryIO", TemporaryFile(prefix="docassay-"))  # noqa: SIM115
            self._file = RowFile(file)
            for row in held or ():
                self._file.append(encode_row(row))

    def __len__(self) -> int:
        return self._file.number if self._held is None and self._file else len(self._held or ())

    def row(self, number: int) -> Row:
        """Return one row by its number."""
        if self._held is not None or self._file is None:
            return (self._held or [])[number]
        return self._file.rows()[number]

    def rows(self) -> Sequence[Row]:
        """Return the rows so far."""
        if self._held is not None or self._file is None:
            return tuple(self._held or ())
        return self._file.rows()


_problem_decoder = msgspec.json.Decoder(Problem)


class ProblemStore:
    """Takes problems one by one and gives all of them back, in the same order."""

    def __init__(self, problems: Iterable[Problem] = ()) -> None:
        self._held: list[Problem] = []
        self._file: BinaryIO | None = None
        self._number = 0
        self.add(problems)

    def add(self, problems: Iterable[Problem]) -> None:
        """Take further problems."""
        for problem in problems:
            if self._number >= HELD_PROBLEMS:
                self._write(problem)
            else:
                self._held.append(problem)
            self._number += 1

    def _write(self, problem: Problem) -> None:
        if self._file is None:
            # it is there as long as the problems are
            self._file = cast("BinaryIO", TemporaryFile(prefix="docassay-"))  # noqa: SIM115
            finalize(self, self._file.close)
        self._file.write(msgspec.json.encode(problem) + b"\n")

    def problems(self) -> Sequence[Problem]:
        """Return all problems so far."""
        if self._file is None:
            return tuple(self._held)
        self._file.flush()
        return Remade(self._every, self._number)

    def _every(self) -> Iterator[Problem]:
        yield from self._held
        if self._file is not None:
            yield from map(_problem_decoder.decode, lines_of(self._file, 0, self._file.tell()))


def with_own(problems: Iterable[Problem], rows: Iterable[Row]) -> Sequence[Problem]:
    """Return problems, and those of rows that are not among them.

    Whoever reads a document says where its problem stood; the row's own copy is not needed then.
    """
    store = ProblemStore()
    named: set[int] = set()
    for problem in problems:
        store.add((problem,))
        named.add(_without_place(problem))
    for row in rows:
        store.add(own for own in row.problems if _without_place(own) not in named)
    return store.problems()


def _without_place(problem: Problem) -> int:
    return hash(problem[:-1])
