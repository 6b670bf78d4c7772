"""Places of documents in files: which lines hold which ids, and reading documents by their places.

Only ids and places are held of a side, never documents: 28 bytes a document, so that a million
documents can be joined in flat memory and each be read where it is needed.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator, Sequence
from contextlib import closing
from io import BytesIO
from itertools import compress, pairwise
from pathlib import Path
from typing import BinaryIO, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from docassay.errors import DataError, FileError
from docassay.load.files import (
    LOOKED_AT,
    Content,
    files,
    id_of,
    opening,
    read_bytes,
    read_head,
    stem,
)
from docassay.load.formats.parquet import RowGroups
from docassay.load.records import ID_KEYS, LINE_SUFFIXES, Way, id_place, is_id, reach
from docassay.load.remote import as_path, is_remote
from docassay.load.wire import decode, outer_text
from docassay.model.document import hash_of

PLACE = np.dtype([("file", "<u4"), ("line", "<u4"), ("at", "<u8"), ("size", "<u4")])
"""A file by its number, a line by its number (0: the file itself), where it begins, how long."""
HASH = np.dtype("<u8")
WHOLE = 0
"""The line of a place that is a whole file."""
NEAR = 1 << 16
"""Bytes between two documents of a remote file that are read rather than skipped."""
TOGETHER = 64
"""Documents of a file on this machine that are read at once where they follow each other."""
MOST_OPEN = 16
TABLE_SUFFIX = ".parquet"
LARGEST_GROUP = 256 << 20
"""Bytes of a row group, above which a table is read in one piece."""
_STEMLESS = frozenset("/\\.")

Hashes = npt.NDArray[np.uint64]
Places = npt.NDArray[np.void]


class _Named(msgspec.Struct):
    """The members of an object that may hold its id; the others are passed over unread."""

    id: object = None
    doc_id: object = None
    document_id: object = None
    filename: object = None
    image_name: object = None


_ids_only = msgspec.json.Decoder(_Named)


def where_of(name: str, line: int) -> str:
    """Return where a document stands, in words."""
    if line == WHOLE:
        return name
    return f"{name}: row {line}" if name.lower().endswith(TABLE_SUFFIX) else f"{name}:{line}"


class Stretch(NamedTuple):
    """A part of a file of lines: those that begin in it."""

    file: str
    start: int
    end: int


class Scan(msgspec.Struct, array_like=True):
    """What a stretch of lines holds: hashes of ids and places, the latter without file number."""

    lines: int
    """How many lines there are, blank ones included."""
    hashes: bytes
    places: bytes
    """Of the lines that have an id, numbered from the start of the stretch."""
    left_out: bytes
    """Places of lines that have none."""
    stemless: bool
    """Whether every id is its own stem: no folder, no suffix."""
    ids: list[str] | None = None


def scan(stretch: Stretch, way: Way, *, with_ids: bool = False, bare: bool = False) -> Scan:
    """Return the ids and places of the lines that begin in a stretch of a file.

    In a `bare` one there are no ids, and none are looked for.
    """
    places: list[bytes] = []
    left_out: list[bytes] = []
    ids: list[str] = []
    number = 0
    for at, lines in _lines_from(stretch):
        sizes = np.array([*map(len, lines)], np.uint64)
        found = np.zeros(len(lines), PLACE)
        found["line"] = np.arange(number + 1, number + len(lines) + 1)
        found["at"] = np.uint64(at) + np.cumsum(sizes) - sizes
        found["size"] = sizes
        number += len(lines)
        full = [not line.isspace() for line in lines]
        own = [None if bare else id_in(line, way) for line in compress(lines, full)]
        documents = found[full]
        named = np.array([id is not None for id in own], np.bool_)
        places.append(documents[named].tobytes())
        left_out.append(documents[~named].tobytes())
        ids += [id for id in own if id is not None]
    return Scan(
        number,
        np.fromiter(map(hash_of, ids), HASH, len(ids)).tobytes(),
        b"".join(places),
        b"".join(left_out),
        all(_STEMLESS.isdisjoint(id) or stem(id) == id for id in ids),
        ids if with_ids else None,
    )


def _lines_from(stretch: Stretch) -> Iterator[tuple[int, list[bytes]]]:
    """Yield the lines that begin in a stretch, many at a time, with where the first one begins."""
    path = as_path(stretch.file)
    with opening(path), path.open("rb", buffering=LOOKED_AT) as file:
        at = stretch.start
        if at:
            file.seek(at - 1)
            at += len(file.readline()) - 1
        while at < stretch.end:
            content = file.read(min(LOOKED_AT, stretch.end - at))
            if not content.endswith(b"\n"):
                content += file.readline()
            if not content:
                return
            yield at, BytesIO(content).readlines()
            at += len(content)


def id_in(line: bytes, way: Way) -> str | None:
    """Return the id that a line of JSON has, None for one that cannot be paired."""
    if way.root is None and way.ids == ID_KEYS:
        try:
            named = _ids_only.decode(line)
        except (msgspec.MsgspecError, UnicodeError, RecursionError):
            pass
        else:
            values = (named.id, named.doc_id, named.document_id, named.filename, named.image_name)
            for value in values:
                if value is not None and is_id(value):
                    return str(value)
            return None
    try:
        tree = decode(line, "").tree
    except DataError:
        return outer_text(line, way.ids)
    place = id_place(tree, way) if isinstance(tree, dict) else None
    if place is None:
        return None
    return str(reach(tree, f"{way.root}.{place.path}" if place.inside else place.path))


def stretches(path: str, size: int) -> Iterator[Stretch]:
    """Yield the stretches of a file of lines, or of the files of a folder, of so many bytes."""
    for file in line_files(path):
        length = length_of(file)
        for start in range(0, length, size):
            yield Stretch(file, start, min(start + size, length))


def line_files(path: str) -> list[str]:
    """Return the files of JSON lines that a path stands for, in the order they are read."""
    return [str(file) for file in files(as_path(path), LINE_SUFFIXES)]


def can_be_read_by_places(file: str) -> bool:
    """Return whether lines of a file can be read from where they begin."""
    if file.endswith(".gz"):
        return False
    path = as_path(file)
    with opening(path), path.open("rb") as content:
        return content.read(2) not in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def length_of(file: str) -> int:
    """Return how many bytes a file has."""
    path = as_path(file)
    with opening(path):
        return path.stat().st_size


def scan_group(stretch: Stretch, way: Way, *, with_ids: bool = False) -> Scan:
    """Return the ids and places of the rows of a group, which is where the stretch starts."""
    with closing(RowGroups(as_path(stretch.file))) as groups:
        ids = groups.ids(stretch.start, way.ids)
        size = 1 + groups.sizes[stretch.start] // max(1, len(ids))
    places = np.zeros(len(ids), PLACE)
    places["line"] = np.arange(1, len(ids) + 1)
    places["at"], places["size"] = stretch.start, size
    named = np.array([id is not None for id in ids], np.bool_)
    names = [id for id in ids if id is not None]
    return Scan(
        len(ids),
        np.fromiter(map(hash_of, names), HASH, len(names)).tobytes(),
        places[named].tobytes(),
        places[~named].tobytes(),
        all(_STEMLESS.isdisjoint(id) or stem(id) == id for id in names),
        names if with_ids else None,
    )


def row_groups(path: str) -> Iterator[Stretch]:
    """Yield the row groups of a Parquet file, or of those of a folder."""
    for file in table_files(path):
        with closing(RowGroups(as_path(file))) as groups:
            yield from (Stretch(file, at, at + 1) for at in range(len(groups.rows)))


def table_files(path: str) -> list[str]:
    """Return the Parquet files that a path stands for, in the order they are read."""
    return [str(file) for file in files(as_path(path), (TABLE_SUFFIX,)) if read_head(file, 1)]


def has_plain_groups(file: str, way: Way) -> bool:
    """Return whether rows of a Parquet file can be read by their places in reasonable memory."""
    with closing(RowGroups(as_path(file))) as groups:
        return (
            groups.plain
            and max(groups.sizes, default=0) <= LARGEST_GROUP
            and (not way.asked or way.ids[0] in groups.names)
        )


class FolderIndex(NamedTuple):
    """The documents of a folder that has a file for each."""

    files: list[str]
    hashes: Hashes
    places: Places
    stemless: bool
    ids: list[str]


def folder_index(path: str, suffixes: tuple[str, ...]) -> FolderIndex:
    """Return the files of a folder with the ids that their names are."""
    names = [str(file) for file in files(Path(path), suffixes)]
    ids = [str(id_of(Path(name), Path(path))) for name in names]
    places = np.zeros(len(names), PLACE)
    places["file"] = np.arange(len(names))
    hashes = np.fromiter(map(hash_of, ids), HASH, len(ids))
    return FolderIndex(names, hashes, places, all(stem(id) == id for id in ids), ids)


class PlaceReader:
    """Reads documents by their places; some files stay open."""

    def __init__(self) -> None:
        self._open: dict[str, BinaryIO] = {}
        self._tables: dict[str, RowGroups] = {}

    def contents(self, names: Sequence[str], places: Places) -> Iterator[tuple[str, Content]]:
        """Yield where each document stands, and what is there."""
        if any(name.lower().endswith(TABLE_SUFFIX) for name in names):
            return self._rows(names, places)
        return self._texts(names, places)

    def _rows(self, names: Sequence[str], places: Places) -> Iterator[tuple[str, Content]]:
        """Yield rows of tables; those of a group are taken together."""
        rows: dict[int, dict[str, object]] = {}
        groups = np.unique(places[["file", "at"]])
        for number, group in groups.tolist():
            table = self._table(names[number])
            chosen = np.flatnonzero((places["file"] == number) & (places["at"] == group))
            before = 1 + sum(table.rows[:group])
            taken = table.take(group, (places["line"][chosen] - before).tolist())
            rows |= zip(chosen.tolist(), taken, strict=True)
        for at, (number, line, _, _) in enumerate(places.tolist()):
            yield f"{names[number]}: row {line}", rows[at]

    def _table(self, name: str) -> RowGroups:
        if name not in self._tables:
            if len(self._tables) >= MOST_OPEN:
                self._tables.pop(next(iter(self._tables))).close()
            self._tables[name] = RowGroups(as_path(name))
        return self._tables[name]

    def _texts(self, names: Sequence[str], places: Places) -> Iterator[tuple[str, bytes]]:
        if any(map(is_remote, names)):
            yield from self._fetched(names, places)
            return
        for run in _runs(places):
            number, line, start, _ = run[0]
            name = names[number]
            if line == WHOLE:
                yield name, read_bytes(Path(name))
                continue
            _, _, last, size = run[-1]
            content = self._bytes(name, start, last + size - start)
            if len(content) != last + size - start:
                raise changed(name)
            for _, line, at, size in run:
                yield f"{name}:{line}", content[at - start : at - start + size]

    def _fetched(self, names: Sequence[str], places: Places) -> Iterator[tuple[str, bytes]]:
        """Yield texts of remote files: near ones are fetched together."""
        order = np.lexsort((places["at"], places["file"]))
        texts: dict[int, bytes] = {}
        run: list[int] = []
        for at in (*order.tolist(), -1):
            if run and (at < 0 or not _is_near(places[run[-1]], places[at])):
                texts |= self._fetch(names, places, run)
                run = []
            run.append(at)
        for at, (number, line, _, size) in enumerate(places.tolist()):
            if len(texts[at]) != size:
                raise changed(names[number])
            yield f"{names[number]}:{line}", texts[at]

    def _fetch(self, names: Sequence[str], places: Places, run: list[int]) -> dict[int, bytes]:
        first, last = places[run[0]], places[run[-1]]
        name = names[int(first["file"])]
        start = int(first["at"])
        content = self._bytes(name, start, int(last["at"]) + int(last["size"]) - start)
        offsets = {at: int(places[at]["at"]) - start for at in run}
        return {at: content[off : off + int(places[at]["size"])] for at, off in offsets.items()}

    def _bytes(self, name: str, at: int, size: int) -> bytes:
        file = self._file(name)
        try:
            file.seek(at)
            return file.read(size)
        except OSError as error:
            with opening(as_path(name)):
                raise error

    def _file(self, name: str) -> BinaryIO:
        if name not in self._open:
            if len(self._open) >= MOST_OPEN:
                self._open.pop(next(iter(self._open))).close()
            path = as_path(name)
            with opening(path):
                self._open[name] = path.open("rb")
        return self._open[name]

    def close(self) -> None:
        """Close the files that are open."""
        while self._open:
            self._open.popitem()[1].close()
        while self._tables:
            self._tables.popitem()[1].close()


def _runs(places: Places) -> Iterator[list[tuple[int, int, int, int]]]:
    """Yield the places in their order, those together that stand one behind the other in a file."""
    files, starts = places["file"], places["at"]
    follows = (files[1:] == files[:-1]) & (starts[1:] == starts[:-1] + places["size"][:-1])
    firsts = (np.flatnonzero(~follows) + 1).tolist()
    every: list[tuple[int, int, int, int]] = places.tolist()
    for first, end in pairwise((0, *firsts, len(every))):
        for at in range(first, end, TOGETHER):
            yield every[at : min(at + TOGETHER, end)]


def _is_near(first: np.void, second: np.void) -> bool:
    end = int(first["at"]) + int(first["size"])
    return bool(first["file"] == second["file"]) and int(second["at"]) - end < NEAR


def changed(name: str) -> FileError:
    """Return the error of a file that is not what it was when its ids were read."""
    return FileError("was changed while it was scored", where=name, hint="score it again")
