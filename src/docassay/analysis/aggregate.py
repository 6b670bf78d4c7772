"""The report of a ledger: every metric's readouts, with what its hooks make of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import takewhile

from docassay.analysis.intervals import Interval, intervals
from docassay.metrics.metric import Context, DocumentFacts, OwnRow, View
from docassay.model.problem import OUTCOMES, REPAIRED, Problem
from docassay.model.report import (
    OVERALL,
    Details,
    DocumentLine,
    HeadlineLine,
    ReadoutSpec,
    Report,
    Score,
)
from docassay.model.schema import Schema
from docassay.model.stats import Stats, fold, text_table
from docassay.run.ledger import Header, Ledger
from docassay.run.plan import Bound, BoundMetric, bind, displayed
from docassay.run.score import Row

NO_SCHEMA = "no schema was given: values are equal only as text (white space collapsed)"


def build(
    ledger: Ledger,
    *,
    problems: Iterable[Problem] = (),
    by: str | None = None,
    seed: int = 0,
    display: Mapping[str, object] | None = None,
) -> Report:
    """Return the report of a ledger; `by` adds slices by document type or by a tag.

    `seed` decides which documents the draws behind the intervals take. `display` gives options of
    display another value than the run had.
    """
    header = ledger.header if not display else _displayed(ledger.header, display)
    bound = bind(header.plan)
    rows = ledger.rows
    specs: dict[str, ReadoutSpec] = {}
    scores = [
        score for metric in bound.metrics for score in _scores(metric, rows, bound, "", seed, specs)
    ]
    views = _views(bound, scores, rows)
    if by is not None:
        scores += _slices(rows, bound, by, seed, specs)
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
        notes=(*_about_schema(bound, rows), *_about_responses(outcomes, repairs)),
        outcomes=outcomes,
        repairs=repairs,
        aliases=_aliases(header.plan.schema),
        violations=tuple(violation for row in rows for violation in row.violations),
        specs=specs,
        headline=_headline(bound, views),
        spoken=frozenset(
            metric.name
            for metric in bound.metrics
            if metric.metric.headline is not None or metric.metric.sections is not None
        ),
        make_lines=lambda: tuple(_line(row, bound, counted[row.id]) for row in rows),
        make_details=lambda: _details(bound, views),
    )


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

    return {
        metric.name: View(
            tuple(by_metric[metric.name]),
            Context(len(rows), bound.plan.schema, metric.options),
            partial(own, metric.name),
        )
        for metric in bound.metrics
    }


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


def _details(bound: Bound, views: Mapping[str, View]) -> Details:
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
        facts,
        tuple(part for entry, view in metrics if entry.checklist for part in entry.checklist(view)),
    )


def _scores(
    metric: BoundMetric,
    rows: Sequence[Row],
    bound: Bound,
    part: str,
    seed: int,
    specs: dict[str, ReadoutSpec],
) -> list[Score]:
    """Return the scores of some rows, and note in `specs` what their readouts are."""
    totals = fold(row.stats[metric.name] for row in rows)
    context = Context(len(rows), bound.plan.schema, metric.options)
    spread = _intervals(metric, rows, seed)
    scores = []
    for readout in metric.metric.readouts(totals, context, **metric.display):
        low, high = spread.get((readout.name, readout.key), (None, None))
        spec = specs.setdefault(f"{metric.name}.{readout.name}", metric.metric.spec(readout))
        scores.append(
            Score(
                metric.name,
                readout.name,
                readout.key,
                part,
                readout.value,
                readout.support,
                low,
                high,
                spec.kind if readout.key else OVERALL,
                readout.parts or ((readout.key,) if readout.key else ()),
            )
        )
    return scores


def _intervals(
    metric: BoundMetric, rows: Sequence[Row], seed: int
) -> dict[tuple[str, str], Interval]:
    if not metric.metric.means:
        return {}
    columns = {
        name: (
            table,
            metric.metric.tables[table].index(total),
            metric.metric.tables[table].index(count),
        )
        for name, (table, total, count) in metric.metric.means.items()
    }
    return intervals([(row.id, row.stats[metric.name]) for row in rows], columns, seed=seed)


def _slices(
    rows: Sequence[Row], bound: Bound, by: str, seed: int, specs: dict[str, ReadoutSpec]
) -> list[Score]:
    parts: dict[str, list[Row]] = {}
    for row in rows:
        value = row.type if by == "type" else row.tags.get(by, "")
        parts.setdefault(value or "(none)", []).append(row)
    return [
        score
        for value in sorted(parts)
        for metric in bound.metrics
        for score in _scores(metric, parts[value], bound, f"{by}={value}", seed, specs)
        if not score.key
    ]


def _line(row: Row, bound: Bound, problems: int) -> DocumentLine:
    scores: dict[str, float | int | None] = {}
    facts = DocumentFacts()
    for metric in bound.metrics:
        stats: Stats = row.stats[metric.name]
        context = Context(1, bound.plan.schema, metric.options)
        readouts = metric.metric.readouts(fold([stats]), context, **metric.display)
        overall = takewhile(lambda readout: not readout.key, readouts)
        scores.update({f"{metric.name}.{readout.name}": readout.value for readout in overall})
        if metric.metric.documents is not None:
            facts = metric.metric.documents(stats)
    return DocumentLine(row.id, row.type, scores, problems, row.outcome, *facts)


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


def _about_responses(outcomes: Mapping[str, int], repairs: Mapping[str, int]) -> Iterator[str]:
    """Yield what became of raw responses, and which repairs were the most common."""
    if outcomes:
        note = f"raw responses: {_listed(outcomes)}"
        yield f"{note}; repaired were {_listed(repairs, most=6)}" if repairs else note


def _listed(counts: Mapping[str, int], most: int | None = None) -> str:
    return ", ".join(f"{count} {name}" for name, count in [*counts.items()][:most])


def _about_schema(bound: Bound, rows: Iterable[Row]) -> tuple[str, ...]:
    if bound.plan.schema is None:
        return (NO_SCHEMA,)
    layout = bound.layouts.plain
    seen = {
        path for row in rows for stats in row.stats.values() for path in text_table(stats, "fields")
    }
    unknown = sorted(path for path in seen if not layout.knows(path))
    if not unknown:
        return ()
    shown = ", ".join(unknown[:8]) + (f" and {len(unknown) - 8} more" if len(unknown) > 8 else "")
    return (f"not in the schema, so equal only as text: {shown}",)
