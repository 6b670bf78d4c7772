"""What a run says of one document: its overall readouts, and the scores of its fields."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, repeat
from operator import itemgetter
from typing import NamedTuple, TypeVar

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

T = TypeVar("T")


class MadeLine(NamedTuple):
    """What a run says of a document: its line, if somebody asks for that."""

    row: Row
    problems: int
    addresses: tuple[str, ...]
    """Those of its scores, one and the same for documents that have the same ones."""
    scores: list[Value]
    facts: tuple[DocumentFacts, ...]
    """What metrics say of it, of each that does."""
    said: DocumentFacts
    """Of each fact what is said first."""

    def line(self) -> DocumentLine:
        """Return the line of the document."""
        row, said = self.row, self.said
        scores = dict(zip(self.addresses, self.scores, strict=True))
        facts = (dict(said.fields), said.pred_type, said.score, said.exact)
        return DocumentLine(row.id, row.type, scores, self.problems, row.outcome, *facts, row.meta)

    def listed_line(self, ranking: Collection[str]) -> DocumentLine:
        """Return the line with no more than a list needs: of the scores, those that rank it."""
        row, said = self.row, self.said
        every_score = zip(self.addresses, self.scores, strict=True)
        scores = {name: score for name, score in every_score if name in ranking}
        facts = (said.pred_type, said.score, said.exact)
        return DocumentLine(row.id, row.type, scores, self.problems, row.outcome, {}, *facts, {})


ListedLine = Callable[[], DocumentLine]


class LineMaker:
    """Makes the lines of documents that were scored by one plan."""

    def __init__(self, bound: Bound) -> None:
        self._metrics = [_sayer(metric, bound.plan.schema) for metric in bound.metrics]
        self._addresses = _Addresses(self._metrics)

    def line(self, row: Row, problems: int) -> DocumentLine:
        """Return the line of a document with so many problems."""
        (made,) = self.made([(row, problems)])
        return made.line()

    def made(self, documents: Sequence[tuple[Row, int]]) -> list[MadeLine]:
        """Return what a run says of documents with so many problems each."""
        # one metric after the other: what a processor did last it does fastest
        said = [own.say([row.stats[own.name] for row, _ in documents]) for own in self._metrics]
        every_names = _by_document(own.names for own in said if own.names is not None)
        every_facts = _by_document(own.facts for own in said if own.facts is not None)
        every_scores = _by_document(own.scores for own in said)
        addresses = self._addresses
        return [
            MadeLine(*document, addresses[names], [*chain(*scores)], facts, _first_said(facts))
            for document, names, scores, facts in zip(
                documents, every_names, every_scores, every_facts, strict=False
            )
        ]


def _by_document(by_metric: Iterable[Iterable[T]]) -> Iterator[tuple[T, ...]]:
    """Yield for each document what every metric says; nothing, time and again, if none does."""
    columns = [*by_metric]
    return zip(*columns, strict=True) if columns else repeat(())


class _Said(NamedTuple):
    """What a metric says of documents."""

    scores: list[Sequence[Value]]
    names: list[tuple[str, ...]] | None
    """Of the scores, where documents may differ in them."""
    facts: list[DocumentFacts] | None


class _Sayer(NamedTuple):
    """A metric as it is asked about one document after the other."""

    name: str
    metric: Metric
    context: Context
    display: Mapping[str, object]
    values_of: OverallOf | None
    """What gives its values in fewer steps, if it can: the same ones for each document."""

    def say(self, every_stats: list[Stats]) -> _Said:
        """Return what the metric says of documents."""
        values_of, documents = self.values_of, self.metric.documents
        names: list[tuple[str, ...]] | None = None
        if values_of is not None:
            scores = [values_of(stats) for stats in every_stats]
        else:
            # sorted, so that a row says the same when it was just scored and when it was read
            every_stats = [in_order(stats) for stats in every_stats]
            readouts = [
                overall_values(self.metric.readouts(stats, self.context, **self.display))
                for stats in every_stats
            ]
            scores = [(*own.values(),) for own in readouts]
            names = [(*own,) for own in readouts]
        facts = None if documents is None else [documents(stats) for stats in every_stats]
        return _Said(scores, names, facts)


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


def _first_said(facts: Sequence[DocumentFacts]) -> DocumentFacts:
    """Return of each fact what is said first."""
    if not facts:
        return _NOTHING_SAID
    fields, pred_type, score, exact, place = facts[0]
    for own_fields, own_type, own_score, own_exact, own_place in facts[1:]:
        if own_place < place:  # few plans name metrics in another order
            return _first_said(sorted(facts, key=_place))
        fields = fields or own_fields
        pred_type = pred_type or own_type
        score = own_score if score is None else score
        exact = own_exact if exact is None else exact
    return DocumentFacts(fields, pred_type, score, exact, place)


_NOTHING_SAID = DocumentFacts({})
_place = itemgetter(DocumentFacts._fields.index("place"))
