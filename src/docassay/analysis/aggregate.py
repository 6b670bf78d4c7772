"""The report of a ledger: every metric's readouts, with what its hooks make of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import takewhile
from types import MappingProxyType

import msgspec

from docassay.analysis.notes import Sampling, about, facts_of, notes_of
from docassay.errors import ConfigurationError
from docassay.metrics.metric import Context, DocumentFacts, OwnRow, View
from docassay.model.problem import OUTCOMES, REPAIRED, Problem
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
    Report,
    Score,
)
from docassay.model.schema import Schema
from docassay.model.stats import Stats, fold
from docassay.run.ledger import Header, Ledger
from docassay.run.plan import Bound, BoundMetric, bind, displayed
from docassay.run.score import Row

FEWEST_DRAWS = 100
UNTAGGED = "(none)"
"""The value of a tag that a document does not have."""


def build(
    ledger: Ledger,
    *,
    problems: Iterable[Problem] = (),
    by: str | Sequence[str] | None = None,
    seed: int = 0,
    cluster: str | None = None,
    draws: int = DRAWS,
    display: Mapping[str, object] | None = None,
) -> Report:
    """Return the report of a ledger; `by` adds slices by document type, or by one tag or several.

    Intervals are made of so many `draws` of documents, and `seed` decides which ones they take.
    `cluster` names a tag, or `type`: documents that share its value are drawn together. `display`
    gives options of display another value than the run had.
    """
    if draws < FEWEST_DRAWS:
        raise ConfigurationError(
            f"draws: {draws:,} are too few for an interval", hint=f"{FEWEST_DRAWS} at least"
        )
    header = ledger.header if not display else _displayed(ledger.header, display)
    bound = bind(header.plan)
    rows = ledger.rows
    specs: dict[str, ReadoutSpec] = {}
    sampling = Sampling(seed, draws, cluster)
    scores = [
        score
        for metric in bound.metrics
        for score in _scores(metric, rows, bound, "", sampling, specs)
    ]
    views = _views(bound, scores, rows)
    for tag in (by,) if isinstance(by, str) else by or ():
        scores += _slices(rows, bound, tag, sampling, specs)
    loaded = tuple(problems)
    # loading says where a document's problem stood; the row's own copy of it is not needed then
    named = {problem._replace(where=None) for problem in loaded}
    own = [problem for row in rows for problem in row.problems if problem not in named]
    counted = Counter(problem.document for problem in (*loaded, *own))
    outcomes, repairs = _responses(rows)

    return Report(
        signature=header.signature,
        documents=len(rows),
        settings=bound.settings,
        scores=tuple(scores),
        problems=(*loaded, *own),
        about=about(header.plan, len(rows)),
        notes=notes_of(bound, rows, outcomes=outcomes, repairs=repairs, cluster=cluster),
        facts=facts_of(rows, sampling),
        outcomes=outcomes,
        repairs=repairs,
        aliases=_aliases(header.plan.schema),
        violations=tuple(violation for row in rows for violation in row.violations),
        specs=specs,
        headline=_headline(bound, views),
        causes=_causes(bound, views),
        spoken=frozenset(
            metric.name
            for metric in bound.metrics
            if metric.metric.headline is not None or metric.metric.sections is not None
        ),
        make_lines=lambda: tuple(_line(row, bound, counted[row.id]) for row in rows),
        make_details=lambda: _details(bound, views, _made_by(header, by, sampling)),
        make_values=lambda name: _values(name, rows, bound),
        make_curves=lambda: _curves(ledger),
    )


def _curves(ledger: Ledger) -> tuple[CurvePoint, ...]:
    from docassay.analysis.thresholds.analysis import automation_curves

    return automation_curves(ledger)


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


def _views(bound: Bound, scores: Iterable[Score], rows: Sequence[Row]) -> dict[str, View]:
    """Return what each metric may see of a run when it says what its numbers mean."""
    by_metric: dict[str, list[Score]] = {metric.name: [] for metric in bound.metrics}
    for score in scores:
        by_metric[score.metric].append(score)

    def own(name: str) -> Iterator[OwnRow]:
        return (OwnRow(row.id, row.type, row.stats[name]) for row in rows)

    views: dict[str, View] = {}
    others = MappingProxyType(views)
    for metric in bound.metrics:
        views[metric.name] = View(
            tuple(by_metric[metric.name]),
            Context(len(rows), bound.plan.schema, metric.options),
            partial(own, metric.name),
            others,
        )
    return views


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
        tuple(
            picture._replace(metric=metric.name)
            for metric, view in metrics
            if metric.pictures is not None
            for picture in metric.pictures(view)
        ),
        {**facts, "run": made_by},
        tuple(part for entry, view in metrics if entry.checklist for part in entry.checklist(view)),
    )


def _scores(
    metric: BoundMetric,
    rows: Sequence[Row],
    bound: Bound,
    part: str,
    sampling: Sampling,
    specs: dict[str, ReadoutSpec],
) -> list[Score]:
    """Return the scores of some rows, and note in `specs` what their readouts are."""
    totals = fold(row.stats[metric.name] for row in rows)
    context = Context(len(rows), bound.plan.schema, metric.options)
    own_specs: dict[str, ReadoutSpec] = {}
    too_few = "too few documents" if sampling.cluster is None else "too few clusters"
    spread = cache(partial(_intervals, metric, rows, context, own_specs, sampling))
    scores = []
    for readout in metric.metric.readouts(totals, context, **metric.display):
        spec = specs.setdefault(f"{metric.name}.{readout.name}", metric.metric.spec(readout))
        own_specs[readout.name] = spec
        scores.append(
            Score(
                metric.name,
                readout.name,
                readout.key,
                part,
                readout.value,
                readout.support,
                LazyInterval(partial(_ends, spread, readout.name, readout.key, too_few)),
                spec.kind if readout.key else OVERALL,
                readout.parts or ((readout.key,) if readout.key else ()),
            )
        )
    return scores


Spread = Callable[[], Mapping[tuple[str, str], tuple[float, float] | None]]
"""Gives the intervals of a metric's readouts over some rows, by name and key; None: too few."""


def _intervals(
    metric: BoundMetric,
    rows: Sequence[Row],
    context: Context,
    specs: Mapping[str, ReadoutSpec],
    sampling: Sampling,
) -> Mapping[tuple[str, str], tuple[float, float] | None]:
    from docassay.analysis.intervals import intervals

    return intervals(metric, rows, context, specs, **sampling._asdict())


def _ends(spread: Spread, name: str, key: str, too_few: str) -> Interval:
    every = spread()
    return (every[name, key] or too_few) if (name, key) in every else None


def _slices(
    rows: Sequence[Row], bound: Bound, by: str, sampling: Sampling, specs: dict[str, ReadoutSpec]
) -> list[Score]:
    return [
        score
        for name, part in slices_of(rows, by).items()
        for metric in bound.metrics
        for score in _scores(metric, part, bound, name, sampling, specs)
        if not score.key
    ]


def slices_of(rows: Sequence[Row], by: str) -> dict[str, list[Row]]:
    """Return the rows of each slice by a tag or the document type, by name, in order."""
    parts: dict[str, list[Row]] = {}
    for row in rows:
        parts.setdefault(slice_of(row, by), []).append(row)
    return dict(sorted(parts.items()))


def slice_of(row: Row, by: str) -> str:
    """Return the slice that a document is in by a tag or by its type."""
    return f"{by}={row.tagged(by) or UNTAGGED}"


def _line(row: Row, bound: Bound, problems: int) -> DocumentLine:
    scores: dict[str, float | int | None] = {}
    facts: list[DocumentFacts] = []
    for metric in bound.metrics:
        stats: Stats = row.stats[metric.name]
        context = Context(1, bound.plan.schema, metric.options)
        readouts = metric.metric.readouts(fold([stats]), context, **metric.display)
        overall = takewhile(lambda readout: not readout.key, readouts)
        scores.update({f"{metric.name}.{readout.name}": readout.value for readout in overall})
        if metric.metric.documents is not None:
            facts.append(metric.metric.documents(stats))
    facts.sort(key=lambda own: own.place)
    return DocumentLine(
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


def _values(name: str, rows: Iterable[Row], bound: Bound) -> Iterator[DocumentValue]:
    """Yield the overall value of one readout by document; readouts after it are not worked out."""
    metric_name, _, wanted = name.partition(".")
    (metric,) = (metric for metric in bound.metrics if metric.name == metric_name)
    context = Context(1, bound.plan.schema, metric.options)
    for row in rows:
        readouts = metric.metric.readouts(fold([row.stats[metric_name]]), context, **metric.display)
        overall = takewhile(lambda readout: not readout.key, readouts)
        yield row.id, next((entry.value for entry in overall if entry.name == wanted), None)


def _aliases(schema: Schema | None) -> dict[str, tuple[str, ...]]:
    """Return the names of columns with the fields that they hold in one document type or other."""
    aliases: dict[str, tuple[str, ...]] = {}
    for group in () if schema is None else schema.groups:
        for path, column in group.columns.items():
            aliases[column] = (*aliases.get(column, ()), path)
    return aliases


def _responses(rows: Iterable[Row]) -> tuple[dict[str, int], dict[str, int]]:
    """Return how many raw responses came to what, and how many of the repaired needed what."""
    kinds: Counter[str] = Counter()
    repairs: Counter[str] = Counter()
    for row in rows:
        if row.outcome is None:
            continue
        kinds[row.outcome.kind] += 1
        if row.outcome.kind == REPAIRED:
            repairs.update({repair.kind for repair in row.outcome.repairs})
    common = sorted(repairs.items(), key=lambda item: (-item[1], item[0]))
    return {kind: kinds[kind] for kind in OUTCOMES if kinds[kind]}, dict(common)
