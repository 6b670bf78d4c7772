"""The serial runner: one case after the other in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from docassay.errors import DataError
from docassay.load.pairing import Paired
from docassay.load.remote import lasting_path
from docassay.load.source import PYTHON
from docassay.model.problem import Problem
from docassay.run.ledger import Header, InputRecord, Ledger
from docassay.run.open import Prepared
from docassay.run.options import reading_options
from docassay.run.parts import (
    NOTHING,
    PartMaker,
    ReadPair,
    RunOutcome,
    RunSink,
    Wanted,
    together,
)
from docassay.run.plan import Bound
from docassay.run.score import Row, collector_paused

if TYPE_CHECKING:
    from docassay.run.ledger_writer import KeptRows

UNKNOWN = ("0" * 16, "0" * 16)
"""In the place of digests of inputs that have not been read yet."""
PART_SIZE = 64
"""Documents that are scored before their rows go to the files."""


def run(
    pairs: Iterable[Paired],
    bound: Bound,
    *,
    wanted: Wanted = NOTHING,
    progress: Callable[[int], None] | None = None,
) -> RunOutcome:
    """Score pairs and return what they come to; `progress` hears how many are done."""
    sink = RunSink(wanted)
    score_pairs(pairs, bound, sink, wanted=wanted, progress=progress)
    return sink.finish()


def score_pairs(
    pairs: Iterable[Paired],
    bound: Bound,
    sink: RunSink,
    *,
    wanted: Wanted = NOTHING,
    kept: KeptRows | None = None,
    noticed: Callable[[Paired], Sequence[Problem]] | None = None,
    scored: Callable[[Paired, Row], None] | None = None,
    progress: Callable[[int], None] | None = None,
) -> None:
    """Score every pair into a sink.

    Rows that are `kept` of an earlier run stand for documents that have not changed; what was
    `noticed` while a pair was read is a problem of it. `scored` hears of every pair and its row.
    """
    maker = PartMaker(bound, wanted, kept, sink.totals)
    with collector_paused():
        try:
            done = 0
            for block in together(_read(pairs, noticed)):
                for (pair, _), row in zip(block, maker.add_all(block), strict=True):
                    if scored is not None:
                        scored(pair, row)
                    done += 1
                    if progress is not None:
                        progress(done)
                if len(maker) >= PART_SIZE:
                    sink.add(maker.take())
        finally:
            # what was scored before an interruption is there to go on with
            sink.add(maker.take())


def _read(
    pairs: Iterable[Paired], noticed: Callable[[Paired], Sequence[Problem]] | None
) -> Iterator[ReadPair]:
    """Yield pairs, each with what was noticed while it was read."""
    for pair in pairs:
        yield ReadPair(pair, () if noticed is None else noticed(pair))


def ledger_of(
    prepared: Prepared,
    outcome: RunOutcome,
    *,
    inputs: Mapping[str, InputRecord] | None = None,
) -> Ledger:
    """Return what a run found as a ledger; without documents it is an error.

    `inputs` is what is recorded of those of a run that is kept; of others only their paths are.
    """
    if not outcome.rows:
        problems = (*prepared.pairing.problems, *outcome.problems)
        alone = prepared.bound.plan.without_gold
        side, source = ("pred", prepared.pred) if alone else ("gold", prepared.gold)
        flaws = (
            f"{problem.where}: {problem.message}" for problem in problems if problem.side == side
        )
        what = f"there is no {side} document to score"
        raise DataError(what, where=source.name, hint=next(flaws, None))
    header = header_of(prepared, (outcome.gold_digest, outcome.pred_digest), inputs=inputs)
    return Ledger(header, outcome.rows)


def header_of(
    prepared: Prepared,
    digests: tuple[str, str] = UNKNOWN,
    *,
    inputs: Mapping[str, InputRecord] | None = None,
) -> Header:
    """Return the header of a run's ledger, as long with digests of gold and pred as without."""
    bound = prepared.bound
    patch = prepared.pairing.patch
    decided = "" if patch is None else f"|patch:{patch.patch.digest}"
    signature = f"{bound.signature}{decided}|gold:{digests[0]}|pred:{digests[1]}"
    records = _paths(prepared) if inputs is None else inputs
    return Header(signature, bound.plan, records, reading_options(prepared.options))


def _paths(prepared: Prepared) -> dict[str, InputRecord]:
    """Return where gold and pred were, without looking at their content again."""
    sources = {"gold": prepared.gold, "pred": prepared.pred}
    return {
        side: InputRecord(
            source.name,
            lasting_path(source.name),
            source.format,
            "",
        )
        for side, source in sources.items()
        if source.format != PYTHON
    }
