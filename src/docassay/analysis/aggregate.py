"""The report of a ledger: every metric's readouts, with what its hooks make of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, partial
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from docassay.analysis.notes import Sampling, about, facts_of, notes_of
from docassay.errors import ConfigurationError
from docassay.metrics.metric import Context, OwnRow, View
from docassay.model.problem import OUTCOMES, Problem, Violation
from docassay.model.report import (
    DRAWS,
    OVERALL,
    CauseLine,
    CurvePoint,
    Details,
    DocumentLine,
    DocumentValue,
    HeadlineLine,
    Interval,
    LazyInterval,
    ReadoutSpec,
    Remade,
    Report,
    Score,
)
from docassay.model.schema import Schema
from docassay.model.stats import Stats, in_order
from docassay.run.ledger import Header, Ledger
from docassay.run.plan import Bound, BoundMetric, bind, displayed
from docassay.run.rows import SomeRows, StoredRows, own_stats, stats_by_id
from docassay.run.score import Row
from docassay.run.store import with_own
from docassay.run.totals import RunTotals, Tagged, slice_of

if TYPE_CHECKING:
    from docassay.analysis.intervals import DocumentSample
    from docassay.run.document_values import KeptValues

FEWEST_DRAWS = 100


def build(
    ledger: Ledger,
    *,
    totals: RunTotals | None = None,
    values: KeptValues | None = None,
    problems: Iterable[Problem] = (),
    every_problem: Sequence[Problem] | None = None,
    by: str | Sequence[str] | None = None,
    seed: int = 0,
    cluster: str | None = None,
    draws: int = DRAWS,
    together: bool = False,
    display: Mapping[str, object] | None = None,
) -> Report:
    """Return the report of a ledger; `by` adds slices by document type, or by one tag or several.

    `problems` are those that are known with their places, `every_problem` all there are: then the
    rows are not searched for others. `totals` are those of the rows by the same tags, if at hand,
    and `values` those of documents by the plan of the ledger.
    Intervals are made of so many `draws` of documents, and `seed` decides which ones they take.
    `cluster` names a tag, or `type`: documents that share its value are drawn together. Where all
    intervals are going to be shown, it takes less time to work them out `together`. `display`
    gives options of display another value than the run had.
    """
    if draws < FEWEST_DRAWS:
        raise ConfigurationError(
            f"draws: {draws:,} are too few for an interval", hint=f"{FEWEST_DRAWS} at least"
        )
    header = ledger.header if not display else _displayed(ledger.header, display)
    bound = bind(header.plan)
    rows = ledger.rows
    tags = (by,) if isinstance(by, str) else (*(by or ()),)
    if totals is None:
        totals = RunTotals(tags, cluster)
        # one pass for both: rows may have to be decoded
        gathered = with_own(problems, _added(rows, totals))
        every_problem = gathered if every_problem is None else every_problem
    specs: dict[str, ReadoutSpec] = {}
    sampling = Sampling(seed, draws, cluster)
    part = _Documents("", rows, totals, bound, sampling)
    if together:
        ids = None if values is None else values.ids
        part = part._replace(together=_MetricSamples(rows, cluster, ids))
    scores = [score for metric in bound.metrics for score in _scores(metric, part, specs)]
    views = _Views(bound, scores, rows, values)
    for tag in tags:
        scores += _slices(part, tag, specs)
    if every_problem is None:
        every_problem = with_own(problems, rows)
    outcomes, repairs = _responses(totals)

    return Report(
        signature=header.signature,
        documents=len(rows),
        settings=bound.settings,
        scores=tuple(scores),
        problems=every_problem,
        about=about(header.plan, len(rows)),
        notes=notes_of(bound, totals, outcomes=outcomes, repairs=repairs),
        facts=facts_of(totals, sampling),
        outcomes=outcomes,
        repairs=repairs,
        aliases=_aliases(header.plan.schema),
        violations=_violations(rows, totals.violations),
        specs=specs,
        headline=_headline(bound, views),
        causes=_causes(bound, views),
        spoken=frozenset(
            metric.name
            for metric in bound.metrics
            if metric.metric.headline is not None or metric.metric.sections is not None
        ),
        make_lines=lambda: _lines(rows, bound, every_problem),
        make_details=lambda: _details(bound, views, _made_by(header, by, sampling)),
        make_values=lambda name: _values(name, rows, bound, values),
        make_curves=lambda: _curves(ledger, totals),
    )


def _curves(ledger: Ledger, totals: RunTotals) -> tuple[CurvePoint, ...]:
    """Return the curves of a run and its fields for a page, none where no confidence is stated."""
    if not totals.stats("kieval").get("confidence"):
        return ()
    from docassay.analysis.thresholds.analysis import automation_curves

    return automation_curves(ledger)


def _added(rows: Iterable[Row], totals: RunTotals) -> Iterator[Row]:
    """Yield rows, and add them to totals."""
    for row in rows:
        totals.add((row,))
        yield row


def _displayed(header: Header, settings: Mapping[str, object]) -> Header:
    """Return the header of a run with other options of display, signed with them."""
    plan = displayed(header.plan, settings)
    before, after = bind(header.plan).signature, bind(plan).signature
    if not header.signature.startswith(before):
        # another version wrote the run: what it signed stays, with what is other now
        given = "|".join(f"{address}={value}" for address, value in settings.items())
        return header._replace(plan=plan, signature=f"{header.signature}|{given}")
    signature = after + header.signature.removeprefix(before)
    return header._replace(plan=plan, signature=signature)


class _Views(Mapping[str, View]):
    """What each metric may see of a run when it says what its numbers mean.

    A view refers to all of them, so they are made anew each time: kept ones would form a cycle that
    holds the rows of a run after everybody has forgotten it.
    """

    def __init__(
        self,
        bound: Bound,
        scores: Iterable[Score],
        rows: Sequence[Row],
        values: KeptValues | None,
    ) -> None:
        self._metrics = {metric.name: metric for metric in bound.metrics}
        self._schema, self._rows, self._values = bound.plan.schema, rows, values
        self._scores: dict[str, list[Score]] = {name: [] for name in self._metrics}
        for score in scores:
            self._scores[score.metric].append(score)

    def __getitem__(self, name: str) -> View:
        context = Context(len(self._rows), self._schema, self._metrics[name].options)
        kept = None if self._values is None else partial(self._values.scores, name)
        return View(tuple(self._scores[name]), context, partial(self._own, name), self, kept)

    def __iter__(self) -> Iterator[str]:
        return iter(self._metrics)

    def __len__(self) -> int:
        return len(self._metrics)

    def _own(self, name: str) -> Iterator[OwnRow]:
        return (OwnRow(row.id, row.type, row.stats) for row in own_stats(self._rows, name))


def _headline(bound: Bound, views: Mapping[str, View]) -> tuple[HeadlineLine, ...]:
    """Return the lines of all metrics in their places, each readout with its metric."""
    lines = [
        line._replace(readout=f"{metric.name}.{line.readout}")
        for metric in bound.metrics
        if metric.metric.headline is not None
        for line in metric.metric.headline(views[metric.name])
    ]
    labels = {line.label for line in lines}
    shown = [line for line in lines if labels.isdisjoint(line.unless)]
    return tuple(sorted(shown, key=lambda line: line.place))


def _causes(bound: Bound, views: Mapping[str, View]) -> tuple[CauseLine, ...]:
    """Return why values are wrong, what is worth most first."""
    lines = [
        line
        for metric in bound.metrics
        if metric.metric.causes is not None
        for line in metric.metric.causes(views[metric.name])
    ]
    return tuple(sorted(lines, key=lambda line: (-line.gain, -line.values, line.name)))


def _made_by(
    header: Header, by: str | Sequence[str] | None, sampling: Sampling
) -> dict[str, object]:
    """Return all that it takes to make the report again, as it stands in the JSON report."""
    return {
        "plan": msgspec.json.decode(header.plan.to_json()),
        "display": msgspec.json.decode(header.plan.display_json()),
        "inputs": msgspec.to_builtins(dict(header.inputs)),
        "reading": dict(header.reading),
        "by": by if by is None or isinstance(by, str) else [*by],
        "seed": sampling.seed,
        "cluster": sampling.cluster,
        "draws": sampling.draws,
    }


def _details(bound: Bound, views: Mapping[str, View], made_by: Mapping[str, object]) -> Details:
    metrics = [(metric.metric, views[metric.name]) for metric in bound.metrics]
    facts: dict[str, object] = {}
    for metric, view in metrics:
        facts |= {} if metric.facts is None else metric.facts(view)
    return Details(
        tuple(part for entry, view in metrics if entry.sections for part in entry.sections(view)),
        lambda: tuple(
            picture._replace(metric=metric.name)
            for metric, view in metrics
            if metric.pictures is not None
            for picture in metric.pictures(view)
        ),
        {**facts, "run": made_by},
        tuple(part for entry, view in metrics if entry.checklist for part in entry.checklist(view)),
    )


class _Documents(NamedTuple):
    """Some documents of a run: all, or those of a slice."""

    name: str
    rows: Sequence[Row]
    totals: RunTotals
    bound: Bound
    sampling: Sampling
    together: _MetricSamples | None = None
    """What makes the samples of all metrics; None where they are made one by one.

    If it is given, all intervals of a metric are worked out when the first of them is asked for.
    """


class _MetricSamples:
    """Samples of metrics over the same rows, which are gone through once for all of them."""

    def __init__(
        self,
        rows: Sequence[Row],
        cluster: str | None,
        ids: Callable[[], Iterable[str]] | None = None,
    ) -> None:
        self._rows, self._cluster, self._ids = rows, cluster, ids
        self._asked: list[tuple[BoundMetric, Stats, Context]] = []

    def ask(
        self, metric: BoundMetric, totals: Stats, context: Context
    ) -> Callable[[], DocumentSample]:
        """Return what gives the sample of a metric; all are made when the first is needed."""
        self._asked.append((metric, totals, context))
        return lambda: self._made[metric.name]

    @cached_property
    def _made(self) -> dict[str, DocumentSample]:
        from docassay.analysis.intervals import DocumentSample, RowCounting

        rows, cluster = self._rows, self._cluster
        counting = RowCounting(rows, self._ids)
        return {
            metric.name: DocumentSample(
                metric, rows, context, cluster=cluster, totals=totals, counting=counting
            )
            for metric, totals, context in self._asked
        }


def _scores(metric: BoundMetric, part: _Documents, specs: dict[str, ReadoutSpec]) -> list[Score]:
    """Return the scores of some documents, and note in `specs` what their readouts are."""
    totals = part.totals.stats(metric.name, part.name)
    context = Context(len(part.rows), part.bound.plan.schema, metric.options)
    own_specs: dict[str, ReadoutSpec] = {}
    too_few = "too few documents" if part.sampling.cluster is None else "too few clusters"
    samples = part.together or _MetricSamples(part.rows, part.sampling.cluster)
    sample = samples.ask(metric, totals, context)
    spread = cache(partial(_intervals, sample, own_specs, part))
    scores = []
    for readout in metric.metric.readouts(totals, context, **metric.display):
        spec = specs.setdefault(f"{metric.name}.{readout.name}", metric.metric.spec(readout))
        own_specs[readout.name] = spec
        own = partial(spread, True if part.together else bool(readout.key))
        scores.append(
            Score(
                metric.name,
                readout.name,
                readout.key,
                part.name,
                readout.value,
                readout.support,
                LazyInterval(partial(_ends, own, readout.name, readout.key, too_few)),
                spec.kind if readout.key else OVERALL,
                readout.parts or ((readout.key,) if readout.key else ()),
            )
        )
    return scores


Spread = Callable[[], Mapping[tuple[str, str], tuple[float, float] | None]]
"""Gives the intervals of a metric's readouts over some rows, by name and key; None: too few.

Those of keys and the overall ones are worked out apart, unless both are going to be shown: most
screens show the latter alone.
"""


def _intervals(
    sample: Callable[[], DocumentSample],
    specs: Mapping[str, ReadoutSpec],
    part: _Documents,
    keyed: bool,
) -> Mapping[tuple[str, str], tuple[float, float] | None]:
    from docassay.analysis.intervals import intervals

    return intervals(
        sample(),
        specs,
        seed=part.sampling.seed,
        draws=part.sampling.draws,
        wanted=None if part.together else lambda formula: bool(formula.key) is keyed,
    )


def _ends(spread: Spread, name: str, key: str, too_few: str) -> Interval:
    every = spread()
    return (every[name, key] or too_few) if (name, key) in every else None


def _slices(whole: _Documents, by: str, specs: dict[str, ReadoutSpec]) -> list[Score]:
    rows = whole.rows
    whole = whole._replace(together=None)  # no keys are shown
    parts: Mapping[str, Sequence[Row]]
    if isinstance(rows, StoredRows):
        parts = {
            name: SomeRows(rows, partial(_is_in, name, by), whole.totals.documents_of(name))
            for name in whole.totals.slices(by)
        }
    else:
        parts = slices_of(rows, by)
    return [
        score
        for name, own in parts.items()
        for metric in whole.bound.metrics
        for score in _scores(metric, whole._replace(name=name, rows=own), specs)
        if not score.key
    ]


def _is_in(name: str, by: str, row: Tagged) -> bool:
    return slice_of(row, by) == name


def slices_of(rows: Sequence[Row], by: str) -> dict[str, list[Row]]:
    """Return the rows of each slice by a tag or the document type, by name, in order."""
    parts: dict[str, list[Row]] = {}
    for row in rows:
        parts.setdefault(slice_of(row, by), []).append(row)
    return dict(sorted(parts.items()))


def _violations(rows: Sequence[Row], number: int) -> Sequence[Violation]:
    if not number:
        return ()
    if isinstance(rows, StoredRows):
        return Remade(rows.violations, number)
    return tuple(violation for row in rows for violation in row.violations)


def _lines(
    rows: Sequence[Row], bound: Bound, problems: Sequence[Problem]
) -> Sequence[DocumentLine]:
    """Return the lines of documents; of more than are held, each time anew."""
    from docassay.run.documents import LineMaker

    counted = Counter(problem.document for problem in problems)
    make = LineMaker(bound).line

    def lines() -> Iterator[DocumentLine]:
        return (make(row, counted[row.id]) for row in rows)

    return Remade(lines, len(rows)) if isinstance(rows, StoredRows) else tuple(lines())


def _values(
    name: str, rows: Iterable[Row], bound: Bound, kept: KeptValues | None
) -> Iterator[DocumentValue]:
    """Yield the overall value of one readout by document; readouts after it are not worked out."""
    if kept is not None and name in kept.readouts:
        yield from kept.values(name)
        return
    metric_name, _, wanted = name.partition(".")
    (metric,) = (metric for metric in bound.metrics if metric.name == metric_name)
    context = Context(1, bound.plan.schema, metric.options)
    short = metric.metric.overall
    single = metric.metric.singly.get(wanted)
    if single is not None:
        for id, stats in stats_by_id(rows, metric_name):
            yield id, single(stats)
        return
    if short is not None:
        names = metric.metric.overall_names(context, metric.display)
        values_of = short(context, **metric.display)
        for id, stats in stats_by_id(rows, metric_name):
            yield id, dict(zip(names, values_of(stats), strict=True)).get(wanted)
        return
    for row in own_stats(rows, metric_name):
        readouts = metric.metric.readouts(in_order(row.stats), context, **metric.display)
        overall = takewhile(lambda readout: not readout.key, readouts)
        yield row.id, next((entry.value for entry in overall if entry.name == wanted), None)


def _aliases(schema: Schema | None) -> dict[str, tuple[str, ...]]:
    """Return the names of columns with the fields that they hold in one document type or other."""
    aliases: dict[str, tuple[str, ...]] = {}
    for group in () if schema is None else schema.groups:
        for path, column in group.columns.items():
            aliases[column] = (*aliases.get(column, ()), path)
    return aliases


def _responses(totals: RunTotals) -> tuple[dict[str, int], dict[str, int]]:
    """Return how many raw responses came to what, and how many of the repaired needed what."""
    kinds = totals.outcomes
    common = sorted(totals.repairs.items(), key=lambda item: (-item[1], item[0]))
    return {kind: kinds[kind] for kind in OUTCOMES if kinds[kind]}, dict(common)
