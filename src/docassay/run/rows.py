"""Rows as lines of JSON: sealed with checksums, and read from disk as often as need be.

Rows of a large run lie in a file, the ledger that is being written or a temporary one, and are
decoded anew each time somebody goes through them. So what a report needs of memory does not grow
with the number of documents.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, TypeVar, cast, overload
from weakref import finalize
from zlib import crc32

import msgspec

from docassay.errors import DataError
from docassay.model.problem import Problem, ProblemCode, ResponseOutcome, Violation
from docassay.model.report import MetaValue, Remade
from docassay.model.stats import Counts, Key, Stats, Table
from docassay.run.score import Row
from docassay.schema.selection import Aside

if TYPE_CHECKING:
    from docassay.kernel.stored import StatsWriter

CHUNK = 1 << 20
_SUM = b',"sum":"'
_VIOLATIONS = b',"violations":['
T = TypeVar("T")


def encode_row(row: Row) -> bytes:
    """Return a row as a line of JSON with its checksum, the same bytes wherever it was scored."""
    content: dict[str, object] = {
        "id": row.id,
        "digest": row.digest,
        "type": row.type,
        "tags": row.tags if type(row.tags) is dict else dict(row.tags),
        "stats": msgspec.Raw(_writer().write(row.stats)),
        "problems": [
            (problem.code, problem.side, problem.field, problem.message) for problem in row.problems
        ],
    }
    if row.outcome is not None:
        content["outcome"] = row.outcome
    if row.violations:
        content["violations"] = [violation[1:] for violation in row.violations]
    if row.aside:
        content["aside"] = row.aside
    if row.meta:
        content["meta"] = dict(row.meta)
    return sealed(content)


@cache
def _writer() -> StatsWriter:
    from docassay.kernel.stored import StatsWriter

    return StatsWriter(msgspec.json.Encoder().encode)


def decode_row(line: bytes) -> Row:
    """Return the row of a line; one that was changed or is not whole is a DataError."""
    return row_of(unsealed(line))


def row_of(body: bytes) -> Row:
    """Return the row of a line whose checksum was taken off, or is of no interest."""
    content = decoded(body, _RowLine)
    return Row(
        content.id,
        content.digest,
        content.type,
        content.tags,
        {metric: _decode_tables(tables) for metric, tables in content.stats.items()},
        tuple([Problem(code, content.id, *rest) for code, *rest in content.problems]),
        content.outcome,
        tuple([Violation(content.id, *rest) for rest in content.violations]),
        content.aside,
        content.meta,
    )


_Tables = dict[str, dict[str, Counts] | list[tuple[Key, Counts]]]


class _RowLine(msgspec.Struct):
    id: str
    digest: str
    type: str
    tags: dict[str, str]
    stats: dict[str, _Tables]
    problems: list[tuple[ProblemCode, str, str, str]]
    outcome: ResponseOutcome | None = None
    violations: list[tuple[str, str, str]] = []
    aside: tuple[Aside, ...] = ()
    meta: dict[str, MetaValue] = {}


class _OwnLine(msgspec.Struct):
    """A row of which the statistics of one metric are wanted."""

    id: str
    type: str
    tags: dict[str, str]
    stats: dict[str, msgspec.Raw]


_ID = b'{"id":"'
"""What a stored row begins with."""


class LineKey(msgspec.Struct):
    """What says which document a row is of, and of which content."""

    id: str
    digest: str


def _decode_tables(tables: _Tables) -> Stats:
    # a table that was written as a list has tuples among its keys
    return {
        name: cast("Table", table if type(table) is dict else dict(table))
        for name, table in tables.items()
    }


def encoded(value: object) -> bytes:
    """Return a value as it stands in a line."""
    return msgspec.json.encode(value)


def sealed(content: Mapping[str, object]) -> bytes:
    """Return an object as a line of JSON whose last member is a checksum of the others."""
    body = msgspec.json.encode(content)
    return body[:-1] + _checksum(body) + b"\n"


def unsealed(line: bytes) -> bytes:
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


_decoders: dict[object, msgspec.json.Decoder[object]] = {}


def decoded(body: bytes | msgspec.Raw, kind: type[T]) -> T:
    """Return JSON as what it should be; what it is not is a DataError."""
    decoder = _decoders.get(kind) or _decoders.setdefault(kind, msgspec.json.Decoder(kind))
    try:
        return cast("T", decoder.decode(body))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise DataError(f"the line cannot be read: {error}") from None


class OwnStats(NamedTuple):
    """What one metric counted in a document, with what is known of the document."""

    id: str
    type: str
    tags: Mapping[str, str]
    stats: Stats

    def tagged(self, tag: str) -> str:
        """Return the value of a tag, or the document type for `type`; "" where there is none."""
        return self.type if tag == "type" else self.tags.get(tag, "")


def own_stats(rows: Iterable[Row], metric: str) -> Iterator[OwnStats]:
    """Yield what a metric counted in each document; of a file, nothing else is decoded."""
    if isinstance(rows, StoredRows | SomeRows):
        return rows.own_stats(metric)
    return (OwnStats(row.id, row.type, row.tags, row.stats[metric]) for row in rows)


def stats_by_id(rows: Iterable[Row], metric: str) -> Iterator[tuple[str, Stats]]:
    """Yield the id of each document and what a metric counted in it."""
    if isinstance(rows, StoredRows):
        return rows.stats_by_id(metric)
    if isinstance(rows, SomeRows):
        return ((own.id, own.stats) for own in rows.own_stats(metric))
    return ((row.id, row.stats[metric]) for row in rows)


def stats_of(line: bytes, metric: str) -> OwnStats:
    """Return what a metric counted in the document of a line, nothing else being decoded."""
    row = decoded(line, _OwnLine)
    tables = decoded(row.stats[metric], _Tables)
    return OwnStats(row.id, row.type, row.tags, _decode_tables(tables))


class StoredRows(Sequence[Row]):
    """Rows in a file of lines, decoded each time that they are asked for.

    The file stays open: the rows are there also when its name is given to another one.
    """

    def __init__(
        self,
        file: BinaryIO,
        start: int,
        end: int,
        number: int,
        places: array[int] | None = None,
    ) -> None:
        """Take so many lines of a file, from one place to another, that were checked.

        `places` has where each of them begins, if that is at hand.
        """
        self._file, self._start, self._end, self._number = file, start, end, number
        self._places = places
        finalize(self, file.close)

    def __len__(self) -> int:
        return self._number

    def __iter__(self) -> Iterator[Row]:
        return map(row_of, self.lines())

    def lines(self) -> Iterator[bytes]:
        """Yield the lines as they stand in the file."""
        # a generator of its own: whoever goes through the lines holds the file as well
        yield from lines_of(self._file, self._start, self._end)

    def contents(self) -> Iterator[bytes]:
        """Yield the lines as they stand in the file, many at a time."""
        yield from contents_of(self._file, self._start, self._end)

    def own_stats(self, metric: str) -> Iterator[OwnStats]:
        """Yield what a metric counted in each document, nothing else of it being decoded."""
        for line in self.lines():
            yield stats_of(line, metric)

    def stats_by_id(self, metric: str) -> Iterator[tuple[str, Stats]]:
        """Yield the id of each document and what a metric counted in it; nothing else is read."""
        from docassay.kernel.stored import own_tables

        name = encoded(metric)
        for lines in self.contents():
            for id, tables in own_tables(lines, name):
                if id:
                    yield decoded(id, str), _decode_tables(decoded(tables, _Tables))
                else:
                    own = stats_of(tables, metric)
                    yield own.id, own.stats

    def violations(self) -> Iterator[Violation]:
        """Yield the rules that documents break; rows without any are not decoded."""
        for line in self.lines():
            if _VIOLATIONS in line:
                yield from row_of(line).violations

    @overload
    def __getitem__(self, at: int) -> Row: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Row, ...]: ...
    def __getitem__(self, at: int | slice) -> Row | tuple[Row, ...]:
        if isinstance(at, slice):
            return tuple([self[number] for number in range(*at.indices(self._number))])
        number = at + self._number if at < 0 else at
        if not 0 <= number < self._number:
            raise IndexError(at)
        places = self._line_places()
        end = places[number + 1] if number + 1 < self._number else self._end
        return row_of(read_at(self._file, places[number], end - places[number]))

    def _line_places(self) -> array[int]:
        if self._places is None:
            self._places, place = array("Q"), self._start
            for line in self.lines():
                self._places.append(place)
                place += len(line)
        return self._places

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or len(other) != len(self):
            return NotImplemented if not isinstance(other, Sequence) else False
        return all(own == row for own, row in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"StoredRows({self._number:,} rows)"


class SomeRows(Remade[Row]):
    """Some of stored rows, such as those of a slice."""

    def __init__(
        self, rows: StoredRows, wanted: Callable[[Row | OwnStats], bool], number: int
    ) -> None:
        """Take all rows, what says which are wanted, and how many these are."""
        super().__init__(lambda: filter(wanted, rows), number)
        self._rows, self._wanted = rows, wanted

    def own_stats(self, metric: str) -> Iterator[OwnStats]:
        """Yield what a metric counted in each of the documents."""
        return filter(self._wanted, self._rows.own_stats(metric))


def by_id(rows: Sequence[Row]) -> Sequence[Row]:
    """Return rows sorted by document id, whatever order gold has."""
    if not isinstance(rows, StoredRows):
        return tuple(sorted(rows, key=lambda row: row.id))
    ids = [*ids_of(rows)]
    order = array("Q", sorted(range(len(ids)), key=ids.__getitem__))
    return Remade(lambda: map(rows.__getitem__, order), len(rows))


def ids_of(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the ids of rows; of a file, nothing else is decoded."""
    if isinstance(rows, StoredRows):
        return map(_id_in, rows.lines())
    return (row.id for row in rows)


def _id_in(line: bytes) -> str:
    """Return the id of a stored row, which stands first and mostly without escapes."""
    if line.startswith(_ID):
        id = line[len(_ID) : line.find(b'"', len(_ID))]
        if b"\\" not in id:
            return id.decode()
    return decoded(line, LineKey).id


def again(file: BinaryIO) -> BinaryIO:
    """Return an open file a second time: it stays open when the first is closed."""
    return os.fdopen(os.dup(file.fileno()), "rb")


def read_at(file: BinaryIO, place: int, size: int) -> bytes:
    """Return bytes from a place of a file, whoever else reads it."""
    if hasattr(os, "pread"):
        return os.pread(file.fileno(), size, place)
    file.seek(place)
    return file.read(size)


def lines_of(file: BinaryIO, start: int, end: int) -> Iterator[bytes]:
    """Yield the lines of a part of a file, each with its end; the last one may lack it."""
    for content in contents_of(file, start, end):
        yield from content.splitlines(keepends=True)


def contents_of(file: BinaryIO, start: int, end: int) -> Iterator[bytes]:
    """Yield whole lines of a part of a file, many at a time; the last one may lack its end."""
    rest = b""
    while start < end:
        chunk = read_at(file, start, min(CHUNK, end - start))
        if not chunk:
            break
        start += len(chunk)
        whole = chunk.rfind(b"\n") + 1
        if whole:
            yield rest + chunk[:whole]
            rest = chunk[whole:]
        else:
            rest += chunk
    if rest:
        yield rest
