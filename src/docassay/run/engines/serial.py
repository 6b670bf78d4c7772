"""The serial runner: one case after the other in this process."""

from __future__ import annotations

import gc
import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from docassay.errors import DataError
from docassay.load.beside import meta_of
from docassay.load.pairing import Paired
from docassay.load.source import PYTHON
from docassay.matching.case import Case, make_case
from docassay.model.problem import Problem
from docassay.run.ledger import Header, InputRecord, Ledger, LedgerWriter
from docassay.run.open import Prepared
from docassay.run.options import reading_options
from docassay.run.plan import Bound
from docassay.run.score import Row, digest_of_pair, digest_with_beside, score_case

DIGEST_SPACE = 1 << 64
Look = Callable[[Case, Paired], None]
"""Sees each case, with the records that it was made of."""


class RunOutcome(NamedTuple):
    """The rows of a run, sorted by id, the problems with their places, digests of the inputs."""

    rows: tuple[Row, ...]
    problems: tuple[Problem, ...]
    gold_digest: str
    pred_digest: str


def run(
    pairs: Iterable[Paired],
    bound: Bound,
    *,
    writer: LedgerWriter | None = None,
    looks: Sequence[Look] = (),
    progress: Callable[[int], None] | None = None,
    strict: bool = False,
) -> RunOutcome:
    """Score every pair; `looks` see each case, `progress` hears how many are done."""
    rows: list[Row] = []
    problems: list[Problem] = []
    with collector_paused():
        for number, pair in enumerate(pairs, start=1):
            row = _row(pair, bound, writer, looks)
            rows.append(row)
            if row.problems:
                placed = [_placed(problem, pair) for problem in row.problems]
                if strict:
                    raise failure(placed[0])
                problems.extend(placed)
            if progress is not None:
                progress(number)
    rows.sort(key=lambda row: row.id)
    sides = [_total(row.digest.split("-")[side] + row.id for row in rows) for side in (0, 1)]
    return RunOutcome(tuple(rows), tuple(problems), *sides)


def ledger_of(
    prepared: Prepared,
    outcome: RunOutcome,
    *,
    inputs: Mapping[str, InputRecord] | None = None,
) -> Ledger:
    """Return what a run found as a ledger; without documents it is an error.

    `inputs` is what is recorded of those of a run that is kept; of others only their paths are.
    Under `strict` a problem of reading or pairing, known once all is read, is an error too.
    """
    problems = prepared.pairing.problems
    if prepared.options.strict and problems:
        raise failure(problems[0])
    if not outcome.rows:
        alone = prepared.bound.plan.without_gold
        side, source = ("pred", prepared.pred) if alone else ("gold", prepared.gold)
        flaws = (
            f"{problem.where}: {problem.message}" for problem in problems if problem.side == side
        )
        what = f"there is no {side} document to score"
        raise DataError(what, where=source.name, hint=next(flaws, None))
    bound = prepared.bound
    patch = prepared.pairing.patch
    decided = "" if patch is None else f"|patch:{patch.patch.digest}"
    signature = f"{bound.signature}{decided}|gold:{outcome.gold_digest}|pred:{outcome.pred_digest}"
    records = _paths(prepared) if inputs is None else inputs
    header = Header(signature, bound.plan, records, reading_options(prepared.options))
    return Ledger(header, outcome.rows)


def _paths(prepared: Prepared) -> dict[str, InputRecord]:
    """Return where gold and pred were, without looking at their content again."""
    sources = {"gold": prepared.gold, "pred": prepared.pred}
    return {
        side: InputRecord(
            source.name,
            os.path.abspath(source.name) if Path(source.name).exists() else "",
            source.format,
            "",
        )
        for side, source in sources.items()
        if source.format != PYTHON
    }


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pause the search for cycles: a case has none, and looking takes about a tenth of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _row(
    pair: Paired,
    bound: Bound,
    writer: LedgerWriter | None,
    looks: Sequence[Look],
) -> Row:
    gold, pred = pair.trees
    tagged = pair.gold or pair.pred
    tags = {} if tagged is None else tagged.tags
    kept = None if writer is None else writer.known.get(pair.id)
    if kept is not None and kept.digest == digest_with_beside(
        digest_of_pair(gold, pred), pair, bound
    ):
        if looks:
            _show(make_case(pair.id, gold, pred, bound.layouts, origin=pair), pair, looks)
        return kept._replace(meta=meta_of(pair.pred))
    case = make_case(pair.id, gold, pred, bound.layouts, origin=pair)
    row = score_case(case, bound, tags=tags)
    if pair.pred is not None and pair.pred.outcome:
        row = row._replace(outcome=pair.pred.outcome)
    if pair.pred is not None and pair.pred.meta:
        row = row._replace(meta=meta_of(pair.pred))
    if writer is not None:
        writer.add(row)
    _show(case, pair, looks)
    return row


def _show(case: Case, pair: Paired, looks: Sequence[Look]) -> None:
    for look in looks:
        look(case, pair)


def _placed(problem: Problem, pair: Paired) -> Problem:
    record = pair.gold if problem.side == "gold" else pair.pred
    return problem if record is None else problem._replace(where=record.where)


def failure(problem: Problem) -> DataError:
    """Return a problem as the error that --strict makes of it."""
    field = f"field {problem.field}: " if problem.field else ""
    document = f"document {problem.document}: " if problem.document else ""
    return DataError(
        f"{problem.side} {document}{field}{problem.message}".strip(),
        where=problem.where,
        hint="without --strict this is counted as a problem and the run goes on",
    )


def _total(parts: Iterable[str]) -> str:
    """Return a digest of a set of texts that does not depend on their order."""
    total = sum(
        int.from_bytes(
            hashlib.blake2b(part.encode("utf-8", "surrogatepass"), digest_size=8).digest()
        )
        for part in parts
    )
    return f"{total % DIGEST_SPACE:016x}"
