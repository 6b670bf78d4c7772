"""What a run says of one document: its overall readouts, and the scores of its fields."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import takewhile
from operator import attrgetter
from typing import NamedTuple

from docassay.metrics.metric import Context, DocumentFacts, Readout, values_of
from docassay.model.report import DocumentLine
from docassay.model.stats import in_order
from docassay.run.plan import Bound
from docassay.run.score import Row


class MadeLine(NamedTuple):
    """The line of a document."""

    line: DocumentLine
    facts: list[DocumentFacts]
    """What metrics say of it, of each that does."""


class LineMaker:
    """Makes the lines of documents that were scored by one plan."""

    def __init__(self, bound: Bound) -> None:
        self._metrics = [
            (
                metric.name,
                metric.metric,
                Context(1, bound.plan.schema, metric.options),
                metric.display,
                _Addresses(metric.name),
            )
            for metric in bound.metrics
        ]

    def line(self, row: Row, problems: int) -> DocumentLine:
        """Return the line of a document with so many problems."""
        return self.made(row, problems).line

    def made(self, row: Row, problems: int) -> MadeLine:
        """Return the line of a document with so many problems, and what it is made of."""
        readouts: list[str] = []
        scores: list[float | int | None] = []
        values: Mapping[str, float | int | None]
        facts: list[DocumentFacts] = []
        for name, metric, context, display, addresses in self._metrics:
            stats = row.stats[name]
            if metric.overall is None or metric.documents is not None:
                # sorted, so that a row says the same when it was just scored and when it was read
                stats = in_order(stats)
            if metric.overall is None:
                every = metric.readouts(stats, context, **display)
                values = values_of(takewhile(_is_overall, every))
            else:
                values = metric.overall(stats, context, **display)
            readouts += addresses[tuple(values)]
            scores += values.values()
            if metric.documents is not None:
                facts.append(metric.documents(stats))
        said = _heard(facts)
        line = DocumentLine(
            row.id,
            row.type,
            dict(zip(readouts, scores, strict=True)),
            problems,
            row.outcome,
            said.fields,
            said.pred_type,
            said.score,
            said.exact,
            row.meta,
        )
        return MadeLine(line, facts)


def _heard(facts: list[DocumentFacts]) -> DocumentFacts:
    """Return of each fact what is said first."""
    fields: Mapping[str, float | None] = {}
    pred_type = ""
    score = exact = None
    for own in sorted(facts, key=_place):
        fields = fields or own.fields
        pred_type = pred_type or own.pred_type
        score = own.score if score is None else score
        exact = own.exact if exact is None else exact
    return DocumentFacts(fields, pred_type, score, exact)


_place = attrgetter("place")


def _is_overall(readout: Readout) -> bool:
    return not readout.key  # which come first


class _Addresses(dict[tuple[str, ...], list[str]]):
    """The addresses of readouts of a metric, by their names: most documents have the same."""

    def __init__(self, metric: str) -> None:
        self._metric = metric

    def __missing__(self, names: tuple[str, ...]) -> list[str]:
        self[names] = addresses = [f"{self._metric}.{name}" for name in names]
        return addresses
