"""Scoring a run that is ready, by the engine that fits: in one piece here, or in tasks anywhere.

Both ways give the same parts to one sink, so a run has the same bytes whichever it took.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from docassay.load.files import is_stream
from docassay.load.remote import as_path
from docassay.load.source import PYTHON
from docassay.model.problem import Problem, ProblemCode
from docassay.run.engines.serial import score_pairs
from docassay.run.guessing import MOST_COMPARED, OtherChoice
from docassay.run.open import Prepared
from docassay.run.options import LOCAL
from docassay.run.parts import NOTHING, RunOutcome, RunSink, Wanted, decode_part, failure
from docassay.run.score import collector_paused

if TYPE_CHECKING:
    from docassay.run.divide import DividedRun
    from docassay.run.kept_parts import KeptParts
    from docassay.run.ledger_writer import KeptRows

WORTH_DIVIDING = 16 << 20
"""Bytes of both sides from which on it pays to look for ids first and to start processes."""


class Telling(NamedTuple):
    """Who hears how many documents are scored, and of how many."""

    done: Callable[[int], None] | None = None
    total: Callable[[int], None] | None = None


class ScoredRun(NamedTuple):
    """What a run came to, and what should be said about it."""

    outcome: RunOutcome
    notes: tuple[str, ...]
    late: Iterable[str]
    """Notes that are worked out when they are read."""
    unpaired: Counter[str]
    """How many problems of records that are in no pair name a document."""


def run_prepared(
    prepared: Prepared,
    *,
    wanted: Wanted = NOTHING,
    sink: RunSink | None = None,
    kept: KeptRows | None = None,
    parts: KeptParts | None = None,
    folder: Path | None = None,
    telling: Telling = Telling(),  # noqa: B008
    with_notes: bool = True,
) -> ScoredRun:
    """Score all documents of a run; `folder` holds what has to lie somewhere meanwhile.

    Rows that are `kept` of an earlier run in the folder stand for documents that have not changed,
    and its `parts` for tasks of which nothing has.
    Without notes it is not estimated what other types would give.
    """
    sink = RunSink(wanted) if sink is None else sink
    scoring = _Scoring(prepared, wanted, sink, kept, parts, folder, telling, with_notes=with_notes)
    problems = scoring.in_tasks() if _may_be_divided(prepared) else None
    if problems is None:
        problems = scoring.in_one_piece()
    unpaired: Counter[str] = Counter()
    sink.add_problems(_counted(problems, unpaired, strict=wanted.strict))
    return ScoredRun(sink.finish(), tuple(scoring.notes), scoring.late, unpaired)


@dataclass
class _Scoring:
    """A run that is being scored; each way returns the problems of records that are in no pair."""

    prepared: Prepared
    wanted: Wanted
    sink: RunSink
    kept: KeptRows | None
    parts: KeptParts | None
    folder: Path | None
    telling: Telling
    with_notes: bool
    notes: list[str] = field(default_factory=list)
    late: Iterable[str] = ()

    def in_one_piece(self) -> Iterable[Problem]:
        """Score pairs as they are read."""
        pairing = self.prepared.pairing
        other = OtherChoice(self.prepared.bound)
        score_pairs(
            pairing,
            self.prepared.bound,
            self.sink,
            wanted=self.wanted,
            kept=self.kept,
            noticed=pairing.noticed,
            scored=other.watch if self.with_notes else None,
            progress=self.telling.done,
        )
        self.late = other.notes()
        return pairing.unpaired

    def in_tasks(self) -> Iterable[Problem] | None:
        """Score by an engine; None, and nothing done, for what has to be read in one piece."""
        from docassay.run.divide import divided_run
        from docassay.run.engines.choice import chosen_engine
        from docassay.run.join import scratch_files
        from docassay.run.store import ProblemStore

        with chosen_engine(self.prepared, self.notes) as engine:
            if engine is None:
                return None
            earlier = None if self.kept is None else self.folder
            with (
                collector_paused(),
                scratch_files(self.folder) as scratch,
                divided_run(self.prepared, engine, self.wanted, earlier, scratch) as divided,
            ):
                if divided is None:
                    return None
                self._take_parts(divided)
                # taken while the files are open
                return ProblemStore(divided.unpaired()).problems()

    def _take_parts(self, divided: DividedRun) -> None:
        told, told_total = self.telling
        if told_total is not None:
            told_total(divided.documents)
        self.sink.expect(divided.documents, divided.sample)
        done = 0
        for task, encoded in divided.parts(self.parts, self.sink.floor):
            part = decode_part(encoded)
            self.sink.add(part)
            if self.parts is not None:
                self.parts.keep(task, encoded)
            done += part.documents
            if told is not None:
                told(done)
        undrawn = self.sink.undrawn()
        if undrawn:
            self.sink.draw(divided.diffs(undrawn))
        if self.with_notes:
            lowest = divided.joined.lowest(MOST_COMPARED)
            self.notes += OtherChoice(self.prepared.bound).notes_of(divided.pairs(lowest))


def _counted(
    problems: Iterable[Problem], unpaired: Counter[str], *, strict: bool
) -> Iterator[Problem]:
    for problem in problems:
        if strict:
            raise failure(problem)
        if problem.code != ProblemCode.NO_GOLD:
            unpaired[problem.document] += 1
        yield problem


def _may_be_divided(prepared: Prepared) -> bool:
    """Return whether a run is worth dividing: somebody asked for it, or it is large."""
    options = prepared.options
    if options.engine not in (None, LOCAL) or (options.workers or 1) > 1:
        return True
    total = 0
    for source in (prepared.gold, prepared.pred):
        path = as_path(source.name)
        if source.format == PYTHON or is_stream(path):
            return False
        files = [path] if path.is_file() else path.rglob("*")
        for file in files:
            total += file.stat().st_size
            if total >= WORTH_DIVIDING:
                return True
    return False
