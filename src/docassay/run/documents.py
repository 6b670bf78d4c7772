"""What a run says of one document: its overall readouts, and the scores of its fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile
from operator import attrgetter
from typing import NamedTuple

from docassay.metrics.metric import Context, DocumentFacts, Metric, Readout, values_of
from docassay.model.report import DocumentLine
from docassay.model.stats import Stats, in_order
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
            _Sayer(
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
        (made,) = self.made([(row, problems)])
        return made.line

    def made(self, documents: Sequence[tuple[Row, int]]) -> list[MadeLine]:
        """Return the lines of documents with so many problems each, and what they are made of."""
        every = [_Said([], [], []) for _ in documents]
        # one metric after the other: what a processor did last it does fastest
        for own in self._metrics:
            for (row, _), said in zip(documents, every, strict=True):
                own.say(row.stats[own.name], said)
        return [_made(*document, said) for document, said in zip(documents, every, strict=True)]


class _Said(NamedTuple):
    """What metrics say of a document."""

    readouts: list[str]
    scores: list[float | int | None]
    facts: list[DocumentFacts]


class _Sayer(NamedTuple):
    """A metric as it is asked about one document after the other."""

    name: str
    metric: Metric
    context: Context
    display: Mapping[str, object]
    addresses: _Addresses

    def say(self, stats: Stats, said: _Said) -> None:
        """Add what the metric says of a document."""
        metric = self.metric
        values: Mapping[str, float | int | None]
        if metric.overall is None or metric.documents is not None:
            # sorted, so that a row says the same when it was just scored and when it was read
            stats = in_order(stats)
        if metric.overall is None:
            every = metric.readouts(stats, self.context, **self.display)
            values = values_of(takewhile(_is_overall, every))
        else:
            values = metric.overall(stats, self.context, **self.display)
        said.readouts.extend(self.addresses[tuple(values)])
        said.scores.extend(values.values())
        if metric.documents is not None:
            said.facts.append(metric.documents(stats))


def _made(row: Row, problems: int, said: _Said) -> MadeLine:
    heard = _heard(said.facts)
    line = DocumentLine(
        row.id,
        row.type,
        dict(zip(said.readouts, said.scores, strict=True)),
        problems,
        row.outcome,
        heard.fields,
        heard.pred_type,
        heard.score,
        heard.exact,
        row.meta,
    )
    return MadeLine(line, said.facts)


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
