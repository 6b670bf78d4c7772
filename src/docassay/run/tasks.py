"""Tasks: what an engine runs, wherever it runs it. Bytes go in and bytes come out.

A job says how documents are read and what is counted: the plan and the options as JSON, and the
places of the first documents of both sides, by which every worker settles what the run settled
(envelopes, names of fields) in the same way. A task names documents by their places; a worker reads
them itself and sends back encoded rows. Nothing is pickled, so what comes from a file is only data.
"""

from __future__ import annotations

import hashlib
import traceback
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from docassay.errors import (
    EXIT_BUG,
    EXIT_CONFIGURATION,
    EXIT_DATA,
    EXIT_FILE,
    ConfigurationError,
    DataError,
    DocassayError,
    FileError,
)
from docassay.load.files import Feed
from docassay.load.format import Record
from docassay.load.pairing import Paired, no_prediction
from docassay.load.places import (
    PLACE,
    PlaceReader,
    Places,
    Stretch,
    changed,
    scan,
    scan_group,
    where_of,
)
from docassay.load.records import Way
from docassay.load.remote import use_storage_options
from docassay.model.problem import Problem
from docassay.model.report import Rank
from docassay.run.ledger_writer import INDEX, KeptRows
from docassay.run.open import Feeds, Prepared, more_records, open_run
from docassay.run.options import Options
from docassay.run.parts import PartMaker, ReadPair, Wanted, encode_part, together
from docassay.run.plan import Call, Plan
from docassay.version import VERSION

SAME_IDS, NAMES, POSITION = "ids", "names", "position"
"""How documents were paired: by equal ids, by what is alike in their ids, without ids."""
ABSENT = (1 << 32) - 1
"""The file number of a prediction that is not there."""
_FAILED = b"-"
"""What an answer that is no result begins with: results are arrays of MessagePack, which do not."""
_ERRORS: Mapping[int, type[DocassayError]] = {
    EXIT_CONFIGURATION: ConfigurationError,
    EXIT_DATA: DataError,
    EXIT_FILE: FileError,
}


class TaskSide(msgspec.Struct, array_like=True, frozen=True):
    """Documents of one side: files, and places in them by the number of the file."""

    files: list[str]
    places: bytes

    def array(self) -> Places:
        """Return the places as an array."""
        return np.frombuffer(self.places, PLACE)


class JobSide(msgspec.Struct, frozen=True):
    """How a side is read: its path, its format, and the documents that settle the rest."""

    path: str
    format: str
    head: TaskSide


class Job(msgspec.Struct, frozen=True):
    """What the tasks of a run have in common."""

    version: str
    plan: msgspec.Raw
    display: tuple[Call, ...]
    reading: dict[str, object]
    gold: JobSide
    pred: JobSide
    wanted: Wanted
    kept: str | None = None
    """The file of rows that an earlier run left."""
    storage: dict[str, object] = {}
    """What is passed to the file systems of addresses."""
    pairs: str = SAME_IDS
    """What the documents of a pair have in common."""


class ScanTask(msgspec.Struct, frozen=True, tag="scan"):
    """Find the ids in a stretch of lines."""

    stretch: Stretch
    way: Way
    with_ids: bool = False
    table: bool = False
    """Whether the stretch is a row group of Parquet."""
    bare: bool = False
    """Whether it is one of lines without ids."""


class ScoreTask(msgspec.Struct, frozen=True, tag="score"):
    """Score documents; the places of predictions stand in the order of gold's."""

    gold: TaskSide
    pred: TaskSide
    first: int = 0
    """The number of the first document, which stands for its id where there are none."""
    floor: Rank | None = None
    """What documents have to be worse than to be drawn."""


Task = ScanTask | ScoreTask
_tasks: msgspec.msgpack.Decoder[Task] = msgspec.msgpack.Decoder(Task)


class _Failure(msgspec.Struct):
    exit_code: int
    what: str
    where: str | None
    hint: str | None
    details: tuple[str, ...]


def encode_task(task: Task) -> bytes:
    """Return a task as bytes."""
    return msgspec.msgpack.encode(task)


def encode_job(job: Job) -> bytes:
    """Return a job as JSON."""
    return msgspec.json.encode(job, enc_hook=_as_dict)


def _as_dict(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    raise NotImplementedError(type(value))


def described(task: bytes) -> str:
    """Return which documents a task is about, as people would say it."""
    given = _tasks.decode(task)
    if isinstance(given, ScanTask):
        start, end = given.stretch.start, given.stretch.end
        return f"{given.stretch.file}, bytes {start:,} to {end:,}"
    places = given.gold.array()
    ends = (
        where_of(given.gold.files[int(place["file"])], int(place["line"]))
        for place in (places[0], places[-1])
    )
    return " to ".join(dict.fromkeys(ends))


def run_task(job: bytes, task: bytes) -> bytes:
    """Return what a task comes to, or the error that it ends with; `result_of` reads both."""
    try:
        return _run(job, task)
    except DocassayError as error:
        facts = (error.exit_code, error.what, error.where, error.hint, error.details)
    except Exception:
        facts = (EXIT_BUG, traceback.format_exc(), None, None, ())
    close_workshops()  # a reader that has failed reads no further
    return _FAILED + msgspec.msgpack.encode(_Failure(*facts))


def result_of(answer: bytes) -> memoryview:
    """Return the result in the answer of a task, or raise the error in it."""
    if not answer.startswith(_FAILED):
        return memoryview(answer)
    failure = msgspec.msgpack.decode(memoryview(answer)[len(_FAILED) :], type=_Failure)
    if failure.exit_code == EXIT_BUG:
        raise RuntimeError(f"a worker failed:\n{failure.what}")
    kind = _ERRORS.get(failure.exit_code, DocassayError)
    raise kind(failure.what, where=failure.where, hint=failure.hint, details=failure.details)


def _run(job: bytes, task: bytes) -> bytes:
    given = _tasks.decode(task)
    if isinstance(given, ScanTask):
        if job:
            use_storage_options(msgspec.json.decode(job, type=_JobOfScan).storage)
        stretch, way, with_ids, table, bare = msgspec.structs.astuple(given)
        if table:
            return msgspec.msgpack.encode(scan_group(stretch, way, with_ids=with_ids))
        return msgspec.msgpack.encode(scan(stretch, way, with_ids=with_ids, bare=bare))
    return _workshop(job).score(given)


class _JobOfScan(msgspec.Struct):
    version: str
    storage: dict[str, object] = {}


_WORKSHOPS: dict[bytes, Workshop] = {}
"""The open readers of the job at hand, by its digest."""


def _workshop(job: bytes) -> Workshop:
    digest = hashlib.blake2b(job, digest_size=16).digest()
    if digest not in _WORKSHOPS:
        close_workshops()
        _WORKSHOPS[digest] = Workshop(read_job(job))
    return _WORKSHOPS[digest]


def close_workshops() -> None:
    """Close what is open for the job at hand."""
    while _WORKSHOPS:
        _WORKSHOPS.popitem()[1].close()


def read_job(data: bytes) -> Job:
    """Return the job that `encode_job` wrote; one of another version is an error."""
    version = msgspec.json.decode(data, type=_JobOfScan).version
    if version != VERSION:
        raise ConfigurationError(
            f"a worker has docassay {VERSION}, and the run is of docassay {version}",
            hint="install the same version on every machine",
        )
    return msgspec.json.decode(data, type=Job)


def version_here(*_: object) -> str:
    """Return the version of docassay where this is run."""
    from docassay.version import VERSION

    return VERSION


def check_versions(versions: Mapping[str, str]) -> None:
    """Refuse places whose version of docassay is not the one of this process."""
    for place, version in sorted(versions.items()):
        if version != VERSION:
            raise ConfigurationError(
                f"{place} has docassay {version}, and this is docassay {VERSION}",
                hint="install the same version on every machine",
            )


def unusable(places: str, reason: object) -> ConfigurationError:
    """Return the error of places that cannot import docassay, or not what it needs."""
    return ConfigurationError(
        f"docassay cannot be used on the {places}: {reason}",
        hint=f"install docassay {VERSION} on every machine",
    )


class ReadRecord(NamedTuple):
    """A record, and what was noticed while it was read."""

    record: Record
    problems: list[Problem]


class Workshop:
    """The open readers of a job: pairs by their places, and parts of a run."""

    def __init__(self, job: Job) -> None:
        use_storage_options(job.storage)
        self._job = job
        self._reader = PlaceReader()
        named = job.pairs != POSITION
        first = Feeds(Feed(named=named), Feed(named=named))
        for feed, side in zip(first, (job.gold, job.pred), strict=True):
            for where, text in self._reader.contents(side.head.files, side.head.array()):
                feed.give(where, text)
        plan = replace(Plan.from_json(bytes(job.plan)), display=job.display)
        self.prepared: Prepared = open_run(
            job.gold.path, job.pred.path, _options(job), plan=plan, feeds=first
        )
        self._rename = self.prepared.pairing.settle()
        self._feeds = Feeds(Feed(named=named), Feed(named=named))
        self.pairing = more_records(self.prepared, self._feeds)
        self._kept = _kept_rows(job.kept)

    def close(self) -> None:
        """Close the files that are open."""
        self._reader.close()
        if self._kept is not None:
            self._kept.close()

    def score(self, task: ScoreTask) -> bytes:
        """Return the encoded part of the documents of a task."""
        bound, wanted = self.prepared.bound, self._job.wanted
        maker = PartMaker(bound, wanted, self._kept, floor=task.floor, as_lines=True)
        for block in together(self.pairs(task)):
            maker.add_all(block)
        return encode_part(maker.take())

    def pairs(self, task: ScoreTask) -> Iterator[ReadPair]:
        """Yield the pairs of a task in its order."""
        preds = task.pred.array()
        there = preds["file"] != ABSENT
        golds = self._reader.contents(task.gold.files, task.gold.array())
        texts = self._reader.contents(task.pred.files, preds[there])
        numbered = enumerate(zip(golds, there.tolist(), strict=True), start=task.first)
        for number, ((where, text), predicted) in numbered:
            self._feeds.gold.give(where, text)
            gold = self.pairing.next_record("gold", where)
            pred = None
            if predicted:
                place, content = next(texts)
                self._feeds.pred.give(place, content)
                pred = self.pairing.next_record("pred", place)
                if self._job.pairs == SAME_IDS and pred.id != gold.id:
                    raise changed(pred.where)
            id = str(number if self._job.pairs == POSITION else gold.id)
            yield self._read(Paired(id, gold, pred), where)

    def records(self, side: str, documents: TaskSide) -> Iterator[ReadRecord]:
        """Yield documents of one side, pairs or not, with what was noticed while reading them."""
        feed = self._feeds.gold if side == "gold" else self._feeds.pred
        for where, text in self._reader.contents(documents.files, documents.array()):
            feed.give(where, text)
            record = self.pairing.next_record(side, where)
            yield ReadRecord(record, self.pairing.take_problems())

    def problems_of_lines(
        self, side: str, lines: TaskSide, document: TaskSide
    ) -> Iterator[Problem]:
        """Yield the problems of lines that are no documents, each read before a document."""
        feed = self._feeds.gold if side == "gold" else self._feeds.pred
        ((place, after),) = self._reader.contents(document.files, document.array())
        for where, text in self._reader.contents(lines.files, lines.array()):
            feed.give(where, text)
            feed.give(place, after)
            self.pairing.next_record(side, place)
            yield from (each for each in self.pairing.take_problems() if each.where == where)

    def _read(self, paired: Paired, where: str) -> ReadPair:
        problems = self.pairing.noticed(paired)
        self.pairing.take_problems()
        if paired.pred is None:
            problems.append(no_prediction(paired.id, where))
        return ReadPair(self._rename(paired), problems)


def _kept_rows(folder: str | None) -> KeptRows | None:
    """Return the rows of an earlier run; on another machine they may not be there."""
    if folder is None or not Path(folder, INDEX).exists():
        return None
    return KeptRows(Path(folder))


def _options(job: Job) -> Options:
    # types were guessed before, if at all: a plan without a schema compares texts
    own = {"gold_format": job.gold.format, "pred_format": job.pred.format, "types": "text"}
    given = {**job.reading, **own, "storage_options": job.storage}
    return Options(**given)  # type: ignore[arg-type]
