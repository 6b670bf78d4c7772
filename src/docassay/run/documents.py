"""What a run says of one document: its overall readouts, and the scores of its fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import NamedTuple

from docassay.metrics.metric import (
    Context,
    DocumentFacts,
    Metric,
    OverallOf,
    Value,
    overall_values,
)
from docassay.model.report import DocumentLine
from docassay.model.schema import Schema
from docassay.model.stats import Stats, in_order
from docassay.run.plan import Bound, BoundMetric
from docassay.run.score import Row


class MadeLine(NamedTuple):
    """The line of a document."""

    line: DocumentLine
    addresses: tuple[str, ...]
    """Those of its scores, one and the same for documents that have the same ones."""
    facts: list[DocumentFacts]
    """What metrics say of it, of each that does."""


class LineMaker:
    """Makes the lines of documents that were scored by one plan."""

    def __init__(self, bound: Bound) -> None:
        self._metrics = [_sayer(metric, bound.plan.schema) for metric in bound.metrics]
        self._addresses = _Addresses(self._metrics)

    def line(self, row: Row, problems: int) -> DocumentLine:
        """Return the line of a document with so many problems."""
        (made,) = self.made([(row, problems)])
        return made.line

    def made(self, documents: Sequence[tuple[Row, int]]) -> list[MadeLine]:
        """Return the lines of documents with so many problems each, and what they are made of."""
        every = [_Said([], [], []) for _ in documents]
        # one metric after the other: what a processor did last it does fastest
        for own in self._metrics:
            own.say([row.stats[own.name] for row, _ in documents], every)
        return [
            _made(row, problems, said, self._addresses[tuple(said.names)])
            for (row, problems), said in zip(documents, every, strict=True)
        ]


class _Said(NamedTuple):
    """What metrics say of a document."""

    names: list[tuple[str, ...]]
    """Of scores, of each metric that may have others for each document."""
    scores: list[Value]
    facts: list[DocumentFacts]


class _Sayer(NamedTuple):
    """A metric as it is asked about one document after the other."""

    name: str
    metric: Metric
    context: Context
    display: Mapping[str, object]
    values_of: OverallOf | None
    """What gives its values in fewer steps, if it can: the same ones for each document."""

    def say(self, every_stats: Sequence[Stats], every: Sequence[_Said]) -> None:
        """Add what the metric says of documents."""
        values_of, documents = self.values_of, self.metric.documents
        if values_of is None:
            # sorted, so that a row says the same when it was just scored and when it was read
            every_stats = [in_order(stats) for stats in every_stats]
            for stats, said in zip(every_stats, every, strict=True):
                values = overall_values(self.metric.readouts(stats, self.context, **self.display))
                said.names.append((*values,))
                said.scores.extend(values.values())
        else:
            for stats, said in zip(every_stats, every, strict=True):
                said.scores.extend(values_of(stats))
        if documents is not None:
            for stats, said in zip(every_stats, every, strict=True):
                said.facts.append(documents(stats))


def _sayer(bound: BoundMetric, schema: Schema | None) -> _Sayer:
    metric, display = bound.metric, bound.display
    context = Context(1, schema, bound.options)
    values_of = None if metric.overall is None else metric.overall(context, **display)
    return _Sayer(bound.name, metric, context, display, values_of)


class _Addresses(dict[tuple[tuple[str, ...], ...], tuple[str, ...]]):
    """The addresses of all readouts by the names of those that documents may differ in."""

    def __init__(self, metrics: Sequence[_Sayer]) -> None:
        self._metrics = metrics

    def __missing__(self, names: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
        others = iter(names)
        addresses: list[str] = []
        for name, metric, context, display, values_of in self._metrics:
            same = values_of is not None
            own = metric.overall_names(context, display) if same else next(others)
            addresses += [f"{name}.{readout}" for readout in own]
        return self.setdefault(names, tuple(addresses))


def _made(row: Row, problems: int, said: _Said, addresses: tuple[str, ...]) -> MadeLine:
    # of each fact what is said first
    fields: Mapping[str, float | None] = {}
    pred_type = ""
    score = exact = None
    for own_fields, own_type, own_score, own_exact, _ in sorted(said.facts, key=_place):
        fields = fields or own_fields
        pred_type = pred_type or own_type
        score = own_score if score is None else score
        exact = own_exact if exact is None else exact
    scores = dict(zip(addresses, said.scores, strict=True))
    outcome, meta = row.outcome, row.meta
    line = DocumentLine(
        row.id, row.type, scores, problems, outcome, fields, pred_type, score, exact, meta
    )
    return MadeLine(line, addresses, said.facts)


_place = itemgetter(DocumentFacts._fields.index("place"))
