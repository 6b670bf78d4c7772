"""The serial runner: one case after the other in this process."""

from __future__ import annotations

import gc
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import NamedTuple

from docassay.errors import DataError
from docassay.load.beside import meta_of
from docassay.load.pairing import Paired
from docassay.matching.case import Case, make_case
from docassay.model.problem import Problem
from docassay.model.schema import EMPTY
from docassay.run.ledger import Header, InputRecord, Ledger, LedgerWriter
from docassay.run.open import Prepared
from docassay.run.plan import Bound
from docassay.run.score import Row, digest_of_pair, score_case

DIGEST_SPACE = 1 << 64
EMPTY_INPUTS: Mapping[str, InputRecord] = MappingProxyType({})
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
    inputs: Mapping[str, InputRecord] = EMPTY_INPUTS,
    reading: Mapping[str, object] = EMPTY,
) -> Ledger:
    """Return what a run found as a ledger; without documents it is an error.

    `inputs` and `reading` are what is recorded of a run that is kept. Under `strict` a problem of
    reading or pairing, known once all is read, is an error too.
    """
    problems = prepared.pairing.problems
    if prepared.options.strict and problems:
        raise failure(problems[0])
    if not outcome.rows:
        flaws = (
            f"{problem.where}: {problem.message}" for problem in problems if problem.side == "gold"
        )
        place, hint = prepared.gold.name, next(flaws, None)
        raise DataError("there is no gold document to score", where=place, hint=hint)
    bound = prepared.bound
    signature = f"{bound.signature}|gold:{outcome.gold_digest}|pred:{outcome.pred_digest}"
    return Ledger(Header(signature, bound.plan, inputs, reading), outcome.rows)


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
    tags = {} if pair.gold is None else pair.gold.tags
    kept = None if writer is None else writer.known.get(pair.id)
    if kept is not None and kept.digest == digest_of_pair(gold, pred):
        if looks:
            _show(make_case(pair.id, gold, pred, bound.layouts), pair, looks)
        return kept._replace(meta=meta_of(pair.pred))
    case = make_case(pair.id, gold, pred, bound.layouts)
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
