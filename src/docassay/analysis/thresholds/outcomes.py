"""Outcomes: what became of every predicted value of a run, with its document and its confidence.

The ledger of a run that measured `kieval` has it all. Else the documents are compared again, as
they were read for the run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from docassay.errors import DataError
from docassay.matching.case import make_case
from docassay.matching.confidences import DELETED, RIGHT, SUBSTITUTED
from docassay.matching.verdicts import ADDITION, DELETION, SUBSTITUTION, verdicts
from docassay.matching.verdicts import RIGHT as RIGHT_VERDICT
from docassay.metrics.trade_off import by_field, with_the_unsure
from docassay.model.problem import ProblemCode
from docassay.model.stats import parts_table, text_table
from docassay.run.ledger import Ledger, read_ledger
from docassay.run.reopen import open_stored, stored_inputs
from docassay.run.rows import by_id
from docassay.run.score import Row

OUTCOMES = {RIGHT_VERDICT: RIGHT, SUBSTITUTION: SUBSTITUTED, DELETION: DELETED}


class FieldValues(NamedTuple):
    """The predicted values of a field: the place of its document, how sure, what became of it."""

    document: NDArray[np.int64]
    confidence: NDArray[np.float64]
    """0 where none is stated."""
    outcome: NDArray[np.int64]
    stated: NDArray[np.bool_]
    additions: int
    """Gold values that nobody predicted."""

    @property
    def wrong(self) -> NDArray[np.bool_]:
        """Which of the values are not right."""
        wrong: NDArray[np.bool_] = self.outcome != RIGHT
        return wrong

    def only(self, chosen: NDArray[np.bool_]) -> FieldValues:
        """Return some of the values."""
        return FieldValues(
            self.document[chosen],
            self.confidence[chosen],
            self.outcome[chosen],
            self.stated[chosen],
            self.additions,
        )


class Outcomes(NamedTuple):
    """The values of a run by field, and its documents with what they lack."""

    signature: str
    ids: tuple[str, ...]
    fields: Mapping[str, FieldValues]
    additions: NDArray[np.int64]
    """By document: gold values that nobody predicted."""
    outside: int = 0
    """Confidences that lay outside 0..1, each taken as the nearer end."""

    @property
    def wholly_right(self) -> NDArray[np.bool_]:
        """Which documents have nothing wrong, missing or too much."""
        right: NDArray[np.bool_] = self.additions == 0
        for values in self.fields.values():
            right[values.document[values.wrong]] = False
        return right


Told = tuple[int, str, int | None, float | None, int]
"""The place of a document, a field, an outcome (None: nobody predicted it), a confidence and how
many such values there are."""


def read_outcomes(run: str | Path | Ledger) -> Outcomes:
    """Return the outcomes of a run folder or a ledger."""
    ledger = run if isinstance(run, Ledger) else read_ledger(Path(run))
    rows = by_id(ledger.rows)
    if any(call.name == "kieval" for call in ledger.header.plan.metrics):
        entries = _from_rows(rows)
    elif isinstance(run, Ledger):
        raise DataError("the ledger has no outcomes of values", hint="measure kieval")
    else:
        entries = iter(_from_inputs(Path(run), {row.id: at for at, row in enumerate(rows)}))
    outside = sum(
        problem.code == ProblemCode.CONFIDENCE_RANGE for row in rows for problem in row.problems
    )
    ids = tuple(row.id for row in rows)
    return gather(entries, ids, signature=ledger.header.signature, outside=outside)


def gather(
    entries: Iterator[Told], ids: tuple[str, ...], *, signature: str = "", outside: int = 0
) -> Outcomes:
    """Return outcomes that were given one by one."""
    columns: dict[str, list[list[float]]] = {}
    lacking: dict[str, int] = {}
    additions = np.zeros(len(ids), dtype=np.int64)
    for at, path, outcome, confidence, times in entries:
        if outcome is None:
            additions[at] += times
            lacking[path] = lacking.get(path, 0) + times
        elif times:
            row = [at, confidence or 0.0, outcome, confidence is not None]
            columns.setdefault(path, []).extend([row] * times)
    fields = {
        path: _values(np.array(columns.get(path, [])).reshape(-1, 4), lacking.get(path, 0))
        for path in sorted({*columns, *lacking})
    }
    return Outcomes(signature, ids, fields, additions, outside)


def _values(table: NDArray[np.float64], additions: int) -> FieldValues:
    # sorted by content within a document, so that nothing depends on the order of its values
    table = table[np.lexsort((table[:, 2], table[:, 1], table[:, 0]))]
    return FieldValues(
        table[:, 0].astype(np.int64),
        table[:, 1],
        table[:, 2].astype(np.int64),
        table[:, 3].astype(np.bool_),
        additions,
    )


def pooled(outcomes: Outcomes) -> FieldValues:
    """Return the values of all fields together."""
    parts = [*outcomes.fields.values()]
    columns = [np.column_stack(part[:4]) for part in parts]
    table = np.concatenate(columns) if columns else np.zeros((0, 4))
    return _values(table, sum(part.additions for part in parts))


def _from_rows(rows: Iterable[Row]) -> Iterator[Told]:
    for at, row in enumerate(rows):
        stats = row.stats["kieval"]
        tallies = by_field(parts_table(stats, "confidence"))
        for path, (right, substituted, added, deleted, _) in text_table(stats, "fields").items():
            stated = tallies.get(path, [])
            every = with_the_unsure(stated, (right, substituted, deleted))
            unsure = [(None, counts) for _, counts in every[: len(every) - len(stated)]]
            for confidence, counts in (*unsure, *stated):
                for outcome, times in enumerate(counts):
                    yield at, path, outcome, confidence, times
            yield at, path, None, None, added


def _from_inputs(run: Path, places: Mapping[str, int]) -> list[Told]:
    """Return the outcomes of a run whose ledger has none, from what it was scored from."""
    stored = stored_inputs(run)
    if stored.notes:
        raise DataError(stored.notes[0], hint="score again with kieval among the metrics")
    stored.both()  # outcomes are told by gold
    prepared = open_stored(stored)
    return [
        (
            places[case.id],
            verdict.field,
            None if verdict.verdict == ADDITION else OUTCOMES[verdict.verdict],
            verdict.confidence,
            1,
        )
        for pair in prepared.pairing
        for case in [make_case(pair.id, *pair.trees, prepared.bound.layouts)]
        for verdict in verdicts(case)
    ]
