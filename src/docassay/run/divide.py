"""Dividing a run into tasks: index both sides, join them by id, name the documents of each task.

What has to be settled before documents can be read anywhere is settled here, by the first documents
of both sides: which names of fields are compared, whether the sides have any in common. A run that
cannot be divided (a pipe, documents in memory, ids found among the fields) is read in one piece.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import chain
from pathlib import Path
from typing import NamedTuple, Protocol

import msgspec
import numpy as np

from docassay.errors import DocassayError
from docassay.load.files import is_stream
from docassay.load.format import FORMATS, Record
from docassay.load.formats.parquet import MOST_GROUPS, ROW_IDS
from docassay.load.likeness import may_hold_ids
from docassay.load.naming import SharedNames, fold
from docassay.load.pairing import (
    AHEAD,
    Paired,
    names_in,
    no_gold_document,
    repeated_id,
    same_content,
    unpaired_order,
)
from docassay.load.places import (
    can_be_read_by_places,
    has_plain_groups,
    line_files,
    table_files,
)
from docassay.load.records import ID_KEYS, Way, id_keys
from docassay.load.remote import as_path, is_remote
from docassay.load.source import PYTHON, unread_files
from docassay.model.problem import Problem, ProblemCode
from docassay.model.report import Rank
from docassay.run.join import (
    LATER,
    NONE,
    Joined,
    Numbers,
    Repeated,
    RunAll,
    Scratch,
    SideIndex,
    index_folder,
    index_stretches,
    join_by_id,
    join_by_position,
)
from docassay.run.kept_parts import KeptParts
from docassay.run.open import Prepared
from docassay.run.options import Options, reading_options, storage_given
from docassay.run.parts import EncodedPart, RankedDiff, Wanted, decode_part, encoded_part
from docassay.run.tasks import (
    NAMES,
    POSITION,
    SAME_IDS,
    Job,
    JobSide,
    ScoreTask,
    TaskSide,
    Workshop,
    encode_job,
    encode_task,
    result_of,
)
from docassay.version import VERSION

LINES, FILES, TABLE = "jsonl", "json", "parquet"
_STUB: dict[str, object] = {}


class Engine(Protocol):
    """Runs tasks, here or elsewhere."""

    def map(self, job: bytes, tasks: Iterator[bytes]) -> Iterator[bytes]:
        """Yield the answers of `run_task` to tasks, in their order."""


class DividableSide(NamedTuple):
    """One side of a run that can be read by places."""

    path: str
    format: str
    way: Way


class TakenPart(NamedTuple):
    """A task with the part that answers it."""

    task: bytes
    part: EncodedPart


class DividedRun:
    """A run in tasks, ready to be scored."""

    def __init__(self, joined: Joined, job: Job, engine: Engine) -> None:
        self.joined = joined
        self._facts = job
        self._job = encode_job(job)
        self._workshop = Workshop(job)
        self._engine = engine
        self._left_out: list[Problem] = []
        """Of documents whose ids a pattern does not fit."""

    @property
    def documents(self) -> int:
        """How many documents are scored."""
        return self.joined.scored

    def close(self) -> None:
        """Close the files that are open."""
        self._workshop.close()

    def parts(
        self, kept: KeptParts | None = None, floor: Callable[[], Rank | None] = lambda: None
    ) -> Iterator[TakenPart]:
        """Yield the parts of the run in the order of gold, first those that are `kept`.

        A task is told the `floor` of the parts that were taken before it was given out.
        """
        tasks = self.joined.tasks()
        for task in tasks:
            name = encode_task(task)
            part = None if kept is None else kept.part(name)
            if part is None:
                yield from self._answers(chain([task], tasks), floor)
                return
            yield TakenPart(name, part)

    def _answers(
        self, tasks: Iterable[ScoreTask], floor: Callable[[], Rank | None]
    ) -> Iterator[TakenPart]:
        """Yield what an engine makes of tasks; it takes some before it has answered others."""
        begun: deque[bytes] = deque()

        def noted() -> Iterator[bytes]:
            for task in tasks:
                # a run that goes on knows a part by its documents, whatever was told with the task
                begun.append(encode_task(task))
                yield encode_task(msgspec.structs.replace(task, floor=floor()))

        for answer in self._engine.map(self._job, noted()):
            yield TakenPart(begun.popleft(), encoded_part(result_of(answer)))

    def sample(self) -> list[Rank]:
        """Return how bad some documents are that stand for all; of none if that takes long."""
        from docassay.run.worst import SAMPLE, ranks_of

        for side in (self._facts.gold, self._facts.pred):
            if side.format == TABLE or is_remote(side.path):
                return []
        numbers = np.sort(self.joined.lowest(SAMPLE))
        try:
            return ranks_of(self.pairs(numbers), self._workshop.prepared.bound)
        except DocassayError:  # which is raised where it belongs, once what is before it is scored
            return []

    def diffs(self, places: Sequence[int]) -> Iterator[RankedDiff]:
        """Yield the diffs of documents, by their places among all that are scored."""
        tasks = map(encode_task, self.joined.tasks_of(self.joined.numbers()[places]))
        for answer in self._engine.map(self._job, tasks):
            yield from decode_part(encoded_part(result_of(answer))).diffs

    def pairs(self, numbers: Numbers) -> Iterator[Paired]:
        """Yield the pairs of some gold documents, read in this process."""
        for number in numbers.tolist():
            task = self.joined.task(np.array([number]))
            yield from (read.paired for read in self._workshop.pairs(task))

    def unpaired(self) -> Iterator[Problem]:
        """Yield the problems of records that are in no pair, in their order."""
        joined = self.joined
        free = joined.without_gold()
        problems = [*self._left_out]
        problems += self._of_lines("pred", joined.pred)
        problems += self._of_lines("gold", joined.gold)
        problems += self._of_repeated("pred", joined.pred, joined.pred_repeated)
        problems += self._of_repeated("gold", joined.gold, joined.gold_repeated)
        for side, index, facts in (
            ("gold", joined.gold, self._facts.gold),
            ("pred", joined.pred, self._facts.pred),
        ):
            if as_path(facts.path).is_dir():
                unread = unread_files(Path(facts.path), FORMATS.get(facts.format), {*index.files})
                problems += (problem._replace(side=side) for problem in unread)
        for _, noticed in self._workshop.records("pred", joined.pred.side(free)):
            problems += noticed
        yield from sorted(problems, key=unpaired_order)
        for record, _ in self._workshop.records("pred", joined.pred.side(free)):
            yield no_gold_document(str(record.id), record.where)

    def match_by_names(self, gold: SideIndex, pred: SideIndex) -> None:
        """Pair by stems, affixes or a pattern, by the same rules as a run that is in one piece."""
        joined, pairing = self.joined, self._workshop.prepared.pairing
        stubs = [
            [
                Record(id, _STUB, str(number))
                for number, id in enumerate(side.ids or ())
                if number not in later
            ]
            for side, later in (
                (gold, {*joined.gold_repeated.later.tolist()}),
                (pred, {*joined.pred_repeated.later.tolist()}),
            )
        ]
        joined.match[:] = LATER
        pairing.take_problems()  # of the documents by which names were settled
        for paired in pairing.pair_ids(*stubs):
            assert paired.gold is not None
            match = NONE if paired.pred is None else int(paired.pred.where)
            joined.match[int(paired.gold.where)] = match
        joined.count()
        for problem in pairing.take_problems():
            if problem.code != ProblemCode.NO_GOLD:
                index = joined.gold if problem.side == "gold" else joined.pred
                where = index.where(int(problem.where or 0))
                self._left_out.append(problem._replace(where=where))

    def settle(self, prepared: Prepared) -> bool:
        """Add to a run what is to be said about it; return whether it can go on in tasks.

        It cannot where the first documents leave open what all of them might settle.
        """
        pairing = self._workshop.prepared.pairing
        if self._facts.pairs == POSITION and not self._settle_position():
            return False
        renames = self._workshop.prepared.renames
        if renames is not None and len(renames.matched) < len(renames.given):
            return False
        if self._facts.pairs == SAME_IDS:
            joined = self.joined
            pairing.say_coverage(joined.paired, joined.scored, len(joined.pred), self._first_ids)
        shared = SharedNames(pairing.schema)
        readable = False
        for paired in self.pairs(np.flatnonzero(self.joined.match >= 0)[:AHEAD]):
            readable = readable or paired.trees[1] is not None
            shared.add(*paired.trees)
            if readable and not shared.wants_more:
                break
        if not readable or not shared.any:
            return False
        pairing.offer_maps(shared)
        own = prepared.pairing
        own.notes += (note for note in pairing.notes if note not in own.notes)
        own.remarks += (remark for remark in pairing.remarks if remark not in own.remarks)
        if renames is not None and prepared.renames is not None:
            prepared.renames.matched |= renames.matched
        return True

    def _settle_position(self) -> bool:
        """Say that there are no ids; return whether none can be found among the fields."""
        pairing = self._workshop.prepared.pairing
        fields = frozenset(map(fold, names_in(pairing.schema)))
        for side, index in (("gold", self.joined.gold), ("pred", self.joined.pred)):
            head = self._workshop.records(side, index.side(slice(0, AHEAD)))
            if may_hold_ids([record for record, _ in head], fields):
                return False
        pairing.say_position(self.documents)
        return True

    def _first_ids(self) -> tuple[list[str], list[str]]:
        """Return ids of both sides that stand for all of them."""
        gold, pred = (
            [
                str(record.id)
                for record, _ in self._workshop.records(side, index.side(slice(0, AHEAD)))
            ]
            for side, index in (("gold", self.joined.gold), ("pred", self.joined.pred))
        )
        return gold, pred

    def _of_lines(self, side: str, index: SideIndex) -> Iterator[Problem]:
        """Yield the problems of lines that have no id."""
        lines = TaskSide(index.files, index.left_out.tobytes())
        return self._workshop.problems_of_lines(side, lines, index.side([0]))

    def _of_repeated(self, side: str, index: SideIndex, repeated: Repeated) -> Iterator[Problem]:
        """Yield the problems of documents whose id came before."""
        firsts = self._workshop.records(side, index.side(repeated.first))
        laters = self._workshop.records(side, index.side(repeated.later))
        for (first, _), (later, noticed) in zip(firsts, laters, strict=True):
            yield from noticed
            same = same_content(side, first.tree, later.tree)
            yield repeated_id(str(later.id), side, later.where, same=same)


@contextmanager
def divided_run(
    prepared: Prepared, engine: Engine, wanted: Wanted, kept: Path | None, scratch: Scratch
) -> Iterator[DividedRun | None]:
    """Give a run in tasks, None for one that has to be read in one piece after all."""
    sides = dividable_sides(prepared)
    if isinstance(sides, str):
        yield None
        return
    storage = storage_given(prepared.options)
    scanning = msgspec.json.encode({"version": VERSION, "storage": storage})

    def run_all(tasks: Iterable[bytes]) -> Iterator[memoryview]:
        return map(result_of, engine.map(scanning, iter(tasks)))

    with_ids = prepared.options.id_pattern is not None
    indexes = [_index(side, run_all, scratch, with_ids=with_ids) for side in sides]
    joined = _join(*indexes)
    if joined is None:
        yield None
        return
    job = Job(
        VERSION,
        msgspec.Raw(prepared.bound.plan.to_json()),
        prepared.bound.plan.display,
        _reading(prepared.options),
        JobSide(sides[0].path, sides[0].format, joined.gold.side(slice(0, AHEAD))),
        JobSide(sides[1].path, sides[1].format, joined.pred.side(slice(0, AHEAD))),
        wanted,
        None if kept is None else str(kept),
        storage,
        _way_of_pairing(joined, with_pattern=with_ids),
    )
    with closing(DividedRun(joined, job, engine)) as run:
        if job.pairs == NAMES:
            named = [
                index if index.ids is not None else _index(side, run_all, scratch, with_ids=True)
                for index, side in zip(indexes, sides, strict=True)
            ]
            run.match_by_names(*named)
        scattered = sides[1].format == TABLE and joined.is_scattered(MOST_GROUPS)
        yield run if not scattered and run.settle(prepared) else None


def _join(gold: SideIndex, pred: SideIndex) -> Joined | None:
    """Return both sides joined, None where it takes more than ids and numbers."""
    if len(gold) and len(pred):
        return join_by_id(gold, pred)
    same = len(gold.left_out) == len(pred.left_out) > 0
    return join_by_position(gold, pred) if same and not len(gold) and not len(pred) else None


def _way_of_pairing(joined: Joined, *, with_pattern: bool) -> str:
    """Return how documents are paired: what stems could change is not settled by equal ids."""
    if joined.by_position:
        return POSITION
    stemless = joined.gold.stemless and joined.pred.stemless
    settled = stemless or joined.paired == joined.scored
    return SAME_IDS if settled and joined.paired and not with_pattern else NAMES


def _index(side: DividableSide, run_all: RunAll, scratch: Scratch, *, with_ids: bool) -> SideIndex:
    if side.format == FILES:
        return index_folder(side.path, (".json",))
    return index_stretches(
        side.path, side.way, run_all, scratch, table=side.format == TABLE, with_ids=with_ids
    )


def dividable_sides(prepared: Prepared) -> tuple[DividableSide, DividableSide] | str:
    """Return both sides as they can be read by places, or the reason why they cannot."""
    pairing, plan = prepared.pairing, prepared.bound.plan
    if plan.without_gold:
        return "predictions without gold are read in one piece"
    if pairing.patch is not None:
        return "gold is patched while it is read"
    if pairing.beside is not None:
        return "the text of the documents is read beside them"
    if plan.schemas:
        return "documents have schemas of their own"
    sides = []
    for source, (id_key, root) in (
        (prepared.gold, (prepared.options.gold_id, prepared.options.gold_root)),
        (prepared.pred, (prepared.options.pred_id, prepared.options.pred_root)),
    ):
        calls = (call for call in plan.formats if call.name == source.format)
        told = dict(chain.from_iterable(call.options.items() for call in calls))
        key = id_key or prepared.options.id_key or told.get("id_key")
        place = root or told.get("root")
        known = ROW_IDS if source.format == TABLE else ID_KEYS
        keys = id_keys(None if key is None else str(key), known)
        way = Way(keys, None if place is None else str(place))
        reason = _undividable(source.name, source.format, way)
        if reason:
            return f"{source.name} {reason}"
        sides.append(DividableSide(source.name, source.format, way))
    return sides[0], sides[1]


def _undividable(name: str, format: str, way: Way) -> str:
    if format == PYTHON:
        return "is in memory"
    if is_stream(as_path(name)):
        return "can be read only once"
    if format == FILES and as_path(name).is_dir() and not way.asked and way.root is None:
        return ""
    if format == TABLE and way.root is None:
        tables = table_files(name)
        plain = tables and all(has_plain_groups(file, way) for file in tables)
        return "" if plain else "has row groups that cannot be read by themselves"
    if format != LINES:
        return f"is read as {format}, in one piece"
    files = line_files(name)
    return "" if files and all(map(can_be_read_by_places, files)) else "is compressed or UTF-16"


def _reading(options: Options) -> dict[str, object]:
    """Return the options of reading that a worker needs: what was counted by is in the plan."""
    left_out = ("schema", "gold_patch", "source", "types", "gold_format", "pred_format", "ignore")
    given = reading_options(options)
    return {name: value for name, value in given.items() if name not in left_out}
