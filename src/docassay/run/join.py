"""Which prediction belongs to which gold document, by ids alone: documents are never held.

Each side is a table of hashes of ids and of places, in files that are mapped into memory: in the
run folder, else in the temporary one. Equal hashes pair; the worker that reads two documents sees
that their ids are equal. A table larger than `BUCKET` is joined piece by piece.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from docassay.load.places import (
    HASH,
    PLACE,
    Hashes,
    Places,
    Scan,
    folder_index,
    row_groups,
    stretches,
    where_of,
)
from docassay.load.records import Way, has_no_ids
from docassay.model.document import hash_of
from docassay.run.tasks import ABSENT, ScanTask, ScoreTask, TaskSide, encode_task

STRETCH = 8 << 20
"""Bytes of lines that a task looks for ids in."""
BUCKET_BITS = 22
"""Up to so many documents of a side, as a power of two, are joined at once."""
DOCUMENTS = 256
TEXTS = 2 << 20
"""A task has at most so many documents, and texts of about so many bytes."""
LOOKED_AT = 50
"""Tasks that show whether the predictions of a table stand in the order of gold."""
NONE, LATER = -1, -2
"""In the place of a prediction: there is none; the document is left out, for its id came before."""

Numbers = npt.NDArray[np.int64]
RunAll = Callable[[Iterable[bytes]], Iterator[memoryview]]
"""Runs tasks and gives what they come to, in their order."""


@dataclass
class SideIndex:
    """The documents of one side that have an id: hashes and places by their order."""

    files: list[str]
    hashes: Hashes
    places: Places
    left_out: Places
    """Of lines without id."""
    stemless: bool
    """Whether every id is its own stem."""
    ids: list[str] | None = None

    def __len__(self) -> int:
        return len(self.hashes)

    def side(self, numbers: Sequence[int] | Numbers | slice) -> TaskSide:
        """Return some documents as a task names them; a negative number is a document less."""
        return _task_side(self.files, self.places, numbers)

    def where(self, number: int) -> str:
        """Return where a document stands."""
        place = self.places[number]
        return where_of(self.files[int(place["file"])], int(place["line"]))


def _task_side(
    files: list[str], places: Places, numbers: Sequence[int] | Numbers | slice
) -> TaskSide:
    if isinstance(numbers, slice):
        chosen = places[numbers].copy()
    else:
        order = np.asarray(numbers, np.int64)
        chosen = np.zeros(len(order), PLACE)
        chosen[order >= 0] = places[order[order >= 0]]
        chosen["file"][order < 0] = ABSENT
    there = chosen["file"] != ABSENT
    used, renumbered = np.unique(chosen["file"][there], return_inverse=True)
    chosen["file"][there] = renumbered
    return TaskSide([files[number] for number in used.tolist()], chosen.tobytes())


class Scratch:
    """Files for tables, which are gone when they are no longer used."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._stack = ExitStack()

    def file(self) -> BinaryIO:
        """Return a new file without a name."""
        return self._stack.enter_context(TemporaryFile(dir=self._folder, prefix=".join."))

    def table(self, file: BinaryIO, kind: np.dtype[np.void] | np.dtype[np.uint64]) -> npt.NDArray:  # type: ignore[type-arg]
        """Return what was written into a file as a table of it."""
        file.flush()
        count = file.tell() // kind.itemsize
        return np.memmap(file, kind, "r", shape=(count,)) if count else np.empty(0, kind)

    def close(self) -> None:
        """Let all files go."""
        self._stack.close()


@contextmanager
def scratch_files(folder: Path | None) -> Iterator[Scratch]:
    """Give files for tables in a folder, by default the temporary one."""
    scratch = Scratch(folder)
    try:
        yield scratch
    finally:
        scratch.close()


def index_stretches(
    path: str, way: Way, run_all: RunAll, scratch: Scratch, *, table: bool, with_ids: bool = False
) -> SideIndex:
    """Return the documents of JSON lines or of a table, whose ids the tasks of an engine find."""
    parts = [*(row_groups(path) if table else stretches(path, STRETCH))]
    files = [*dict.fromkeys(stretch.file for stretch in parts)]
    numbers = {file: number for number, file in enumerate(files)}
    bare = {file: not table and has_no_ids(Path(file), way) for file in files}
    tasks = (
        encode_task(ScanTask(stretch, way, with_ids, table, bare[stretch.file]))
        for stretch in parts
    )
    hashes, places, left_out = scratch.file(), scratch.file(), scratch.file()
    stemless, before, current = True, 0, ""
    ids: list[str] = []
    for stretch, answer in zip(parts, run_all(tasks), strict=True):
        answered = msgspec.msgpack.decode(answer, type=Scan)
        if stretch.file != current:
            current, before = stretch.file, 0
        hashes.write(answered.hashes)
        for file, lines in ((places, answered.places), (left_out, answered.left_out)):
            numbered = np.frombuffer(bytearray(lines), PLACE)
            numbered["file"] = numbers[stretch.file]
            numbered["line"] += before
            file.write(numbered.tobytes())
        before += answered.lines
        stemless = stemless and answered.stemless
        ids += answered.ids or ()
    return SideIndex(
        files,
        scratch.table(hashes, HASH),
        scratch.table(places, PLACE),
        scratch.table(left_out, PLACE),
        stemless,
        ids if with_ids else None,
    )


def index_folder(path: str, suffixes: tuple[str, ...]) -> SideIndex:
    """Return the documents of a folder that has a file for each."""
    files, hashes, places, stemless, ids = folder_index(path, suffixes)
    return SideIndex(files, hashes, places, np.empty(0, PLACE), stemless, ids)


class Repeated(NamedTuple):
    """Documents whose id came before: their numbers, and those of the first of their id."""

    later: Numbers
    first: Numbers


@dataclass
class Joined:
    """Both sides, and the number of the prediction of each gold document, or NONE, or LATER."""

    gold: SideIndex
    pred: SideIndex
    match: Numbers
    gold_repeated: Repeated
    pred_repeated: Repeated
    by_position: bool = False
    scored: int = field(init=False)
    """How many gold documents are scored."""

    def __post_init__(self) -> None:
        self.count()

    def count(self) -> None:
        """Count the gold documents that are scored."""
        self.scored = int(np.count_nonzero(self.match != LATER))

    @property
    def paired(self) -> int:
        """How many predictions belong to a gold document."""
        return int(np.count_nonzero(self.match >= 0))

    def without_gold(self) -> Numbers:
        """Return the predictions that belong to no gold document, duplicates left out."""
        free = np.ones(len(self.pred), np.bool_)
        free[self.match[self.match >= 0]] = False
        free[self.pred_repeated.later] = False
        return np.flatnonzero(free)

    def tasks(self) -> Iterator[ScoreTask]:
        """Yield the tasks of scoring all documents, in the order of gold."""
        start = 0
        while start < len(self.gold):
            end = min(start + DOCUMENTS, len(self.gold))
            match = self.match[start:end]
            sizes = self.gold.places["size"][start:end].astype(np.int64)
            if len(self.pred):
                sizes = sizes + self.pred.places["size"][np.maximum(match, 0)]
            fitting = int(np.searchsorted(np.cumsum(sizes), TEXTS, side="right"))
            end = start + max(1, min(end - start, fitting))
            numbers = np.arange(start, end)[self.match[start:end] != LATER]
            if len(numbers):
                yield self.task(numbers)
            start = end

    def numbers(self) -> Numbers:
        """Return the gold documents that are scored."""
        return np.flatnonzero(self.match != LATER)

    def tasks_of(self, numbers: Numbers) -> Iterator[ScoreTask]:
        """Yield the tasks of scoring some gold documents, each of some that follow each other."""
        for stretch in np.split(numbers, np.flatnonzero(np.diff(numbers) != 1) + 1):
            for start in range(0, len(stretch), DOCUMENTS):
                yield self.task(stretch[start : start + DOCUMENTS])

    def task(self, numbers: Numbers) -> ScoreTask:
        """Return the task of scoring some gold documents; those without ids follow each other."""
        first = int(numbers[0]) + 1 if len(numbers) else 0
        return ScoreTask(self.gold.side(numbers), self.pred.side(self.match[numbers]), first)

    def is_scattered(self, most: int) -> bool:
        """Return whether the predictions of some task stand in more than so many row groups."""
        for task in islice(self.tasks(), LOOKED_AT):
            places = task.pred.array()
            if len(np.unique(places[places["file"] != ABSENT][["file", "at"]])) > most:
                return True
        return False

    def lowest(self, most: int) -> Numbers:
        """Return the gold documents with the lowest hashes, which stand for all of them."""
        numbers = self.numbers()
        order = np.argsort(self.gold.hashes[numbers], kind="stable")[:most]
        return numbers[order]


def join_by_id(gold: SideIndex, pred: SideIndex) -> Joined:
    """Pair documents of equal ids; of several with one id on a side the first counts."""
    match = np.full(len(gold), NONE, np.int64)
    repeated: tuple[list[Repeated], list[Repeated]] = ([], [])
    for golds, preds in _buckets(gold.hashes, pred.hashes):
        firsts = []
        for numbers, index, later in ((golds, gold, repeated[0]), (preds, pred, repeated[1])):
            order = numbers[np.argsort(index.hashes[numbers], kind="stable")]
            hashes = index.hashes[order]
            new = np.ones(len(order), np.bool_)
            new[1:] = hashes[1:] != hashes[:-1]
            first = order[new]
            later.append(Repeated(order[~new], first[np.cumsum(new) - 1][~new]))
            firsts.append((hashes[new], first))
        (gold_hashes, gold_first), (pred_hashes, pred_first) = firsts
        match[repeated[0][-1].later] = LATER
        if len(pred_hashes):
            at = np.minimum(np.searchsorted(pred_hashes, gold_hashes), len(pred_hashes) - 1)
            equal = pred_hashes[at] == gold_hashes
            match[gold_first[equal]] = pred_first[at[equal]]
    return Joined(gold, pred, match, _together(repeated[0]), _together(repeated[1]))


def join_by_position(gold: SideIndex, pred: SideIndex) -> Joined:
    """Pair equally many documents without ids in their order; their numbers are their ids."""
    nobody = Repeated(np.empty(0, np.int64), np.empty(0, np.int64))
    match = np.arange(len(gold.left_out))
    names = map(str, range(1, 1 + len(match)))
    hashes = np.fromiter(map(hash_of, names), HASH, len(match))
    golds, preds = (
        replace(side, hashes=hashes, places=side.left_out, left_out=side.left_out[:0])
        for side in (gold, pred)
    )
    return Joined(golds, preds, match, nobody, nobody, by_position=True)


def _together(pieces: list[Repeated]) -> Repeated:
    later, first = (np.concatenate(column) for column in zip(*pieces, strict=True))
    order = np.argsort(later)
    return Repeated(later[order], first[order])


def _buckets(gold: Hashes, pred: Hashes) -> Iterator[tuple[Numbers, Numbers]]:
    """Yield the numbers of documents whose hashes begin alike, so few that they can be sorted."""
    bits = max(0, max(len(gold), len(pred), 1).bit_length() - BUCKET_BITS)
    if not bits:
        yield np.arange(len(gold)), np.arange(len(pred))
        return
    shift = np.uint64(64 - bits)
    for bucket in range(1 << bits):
        yield (
            np.flatnonzero(gold >> shift == bucket),
            np.flatnonzero(pred >> shift == bucket),
        )
