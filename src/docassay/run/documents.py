"""What a run says of one document: its overall readouts, and the scores of its fields."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import takewhile
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
        scores: dict[str, float | int | None] = {}
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
            for readout, value in values.items():
                scores[addresses[readout]] = value
            if metric.documents is not None:
                facts.append(metric.documents(stats))
        given = [*facts]
        facts.sort(key=lambda own: own.place)
        line = DocumentLine(
            row.id,
            row.type,
            scores,
            problems,
            row.outcome,
            fields=next((own.fields for own in facts if own.fields), {}),
            pred_type=next((own.pred_type for own in facts if own.pred_type), ""),
            score=next((own.score for own in facts if own.score is not None), None),
            exact=next((own.exact for own in facts if own.exact is not None), None),
            meta=row.meta,
        )
        return MadeLine(line, given)


def _is_overall(readout: Readout) -> bool:
    return not readout.key  # which come first


class _Addresses(dict[str, str]):
    """The address of each readout of a metric, by its name."""

    def __init__(self, metric: str) -> None:
        self._metric = metric

    def __missing__(self, name: str) -> str:
        self[name] = address = f"{self._metric}.{name}"
        return address
