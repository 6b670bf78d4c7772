"""The report of a ledger: every metric's readouts, with what its hooks make of them."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import takewhile
from math import fsum
from types import MappingProxyType
from typing import NamedTuple

from docassay.metrics.metric import Context, DocumentFacts, OwnRow, View
from docassay.model.problem import OUTCOMES, REPAIRED, Problem, ProblemCode
from docassay.model.report import (
    META_COLUMNS,
    OVERALL,
    CauseLine,
    Details,
    DocumentLine,
    DocumentValue,
    HeadlineLine,
    LazyInterval,
    ReadoutSpec,
    Report,
    Score,
)
from docassay.model.schema import Schema
from docassay.model.stats import Counts, Stats, fold, text_table
from docassay.model.words import count
from docassay.run.guessing import MOST_GUESSED
from docassay.run.ledger import Header, Ledger
from docassay.run.plan import Bound, BoundMetric, Plan, bind, displayed
from docassay.run.score import Row
from docassay.schema.layout import EXTRA, IGNORED, UNLABELLED, ignored_names
from docassay.schema.listing import Listing

MOST_FIELDS = 8
"""How many fields a note names."""
SPREADS = {"timing": "processing_time", "tokens": "tokens", "cost": "cost"}
"""What the JSON report sums up of bookkeeping, and under which name it is kept."""
WIDTH = 80
"""Columns of a screen."""
A_FEW = 3
"""Values of gold that may contradict the guessed type of their field without a word."""
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
        about=_about(header.plan, len(rows)),
        notes=(
            *_about_schema(bound, rows),
            *_about_left_out(bound, rows),
            *_about_guess(header.plan, rows),
            *_about_responses(outcomes, repairs),
        ),
        facts={**_left_out_facts(rows), **_meta_facts(rows)},
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
        make_details=lambda: _details(bound, views),
        make_values=lambda name: _values(name, rows, bound),
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
    own_specs: dict[str, ReadoutSpec] = {}
    spread = cache(partial(_intervals, metric, rows, context, own_specs, seed))
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
                LazyInterval(partial(_ends, spread, readout.name, readout.key)),
                spec.kind if readout.key else OVERALL,
                readout.parts or ((readout.key,) if readout.key else ()),
            )
        )
    return scores


Ends = tuple[float, float]
Spread = Callable[[], Mapping[tuple[str, str], Ends]]
"""Gives the intervals of a metric's readouts over some rows, by name and key."""


def _intervals(
    metric: BoundMetric,
    rows: Sequence[Row],
    context: Context,
    specs: Mapping[str, ReadoutSpec],
    seed: int,
) -> Mapping[tuple[str, str], Ends]:
    from docassay.analysis.intervals import intervals

    return intervals(metric, rows, context, specs, seed=seed)


def _ends(spread: Spread, name: str, key: str) -> Ends | None:
    return spread().get((name, key))


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


def _about_responses(outcomes: Mapping[str, int], repairs: Mapping[str, int]) -> Iterator[str]:
    """Yield what became of raw responses, and which repairs were the most common."""
    if outcomes:
        note = f"raw responses: {_listed(outcomes)}"
        yield f"{note}; repaired were {_listed(repairs, most=6)}" if repairs else note


def _listed(counts: Mapping[str, int], most: int | None = None) -> str:
    return ", ".join(f"{count} {name}" for name, count in [*counts.items()][:most])


def _about_schema(bound: Bound, rows: Sequence[Row]) -> tuple[str, ...]:
    """Return what the schema does not say about the fields that count."""
    schema = bound.plan.schema
    counting = schema is None or schema.extra == "count"
    only_gold, only_pred = _one_sided(rows) if counting else ([], [])
    if not only_pred:
        return _about_types(bound, rows)
    option = f"--ignore {shlex.quote(','.join(only_pred[:MOST_FIELDS]))}"
    notes = [f"only pred has {_first_names(only_pred)}; {option} leaves them out"]
    if only_gold:
        rename = "--map PRED=GOLD compares a field of pred under gold's name"
        notes.append(f"only gold has {_first_names(only_gold)}; {rename}")
    return (*_about_types(bound, rows), *notes)


def _first_names(names: Sequence[str]) -> str:
    more = f" and {len(names) - MOST_FIELDS} more" if names[MOST_FIELDS:] else ""
    return ", ".join(names[:MOST_FIELDS]) + more


def _about(plan: Plan, documents: int) -> str:
    """Return what types values were compared by, short enough for the first line of a screen."""
    if plan.schema is None:
        return "values compared as text"
    if not plan.guessed:
        many = count(len(plan.schemas), "schema") if plan.schemas else ""
        schema = f"the schema {plan.schema.name}".rstrip()
        return f"types from {many or schema}"
    counts = Counter(field.type for field in Listing(plan.schema, None).fields.values())
    texts = counts.pop("text", 0)
    kinds = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    start = "types guessed from gold: "
    named = [f"{number} {kind}" for kind, number in kinds]
    whole = start + ", ".join([*named, f"{texts} text"] if texts or not named else named)
    if len(f"{documents:,} documents; {whole}") <= WIDTH:
        return whole
    room = WIDTH - len(f"{documents:,} documents; {start}, 99 other, {texts} text")
    shown: list[str] = []
    while kinds and sum(map(len, shown)) + 2 * len(shown) + len(kinds[0][0]) + 3 < room:
        kind, number = kinds.pop(0)
        shown.append(f"{number} {kind}")
    if kinds:
        shown.append(f"{sum(number for _, number in kinds)} other")
    if texts or not shown:
        shown.append(f"{texts} text")
    return start + ", ".join(shown)


def _about_types(bound: Bound, rows: Sequence[Row]) -> tuple[str, ...]:
    plan = bound.plan
    if plan.schema is None:
        return (NO_SCHEMA,)
    layout = bound.layouts.plain
    seen = {
        path for row in rows for stats in row.stats.values() for path in text_table(stats, "fields")
    }
    unknown = sorted(path for path in seen if not layout.knows(path))
    if not unknown or (plan.guessed and len(rows) <= MOST_GUESSED):
        # where all of gold was looked at, what has no type has no value in gold
        return ()
    shown = ", ".join(unknown[:8]) + (f" and {len(unknown) - 8} more" if len(unknown) > 8 else "")
    if plan.guessed:
        return (f"not in the documents that types were guessed from, so compared as text: {shown}",)
    return (f"not in the schema, so equal only as text: {shown}",)


class LeftOut(NamedTuple):
    """How much of one field was left out on one side, in all documents."""

    documents: int
    values: int


def _left_out(rows: Iterable[Row]) -> dict[tuple[str, str, str], LeftOut]:
    """Return what was left out by reason, side and field."""
    sums: dict[tuple[str, str, str], LeftOut] = {}
    for row in rows:
        for aside in row.aside:
            before = sums.get(aside[:3], LeftOut(0, 0))
            sums[aside[:3]] = LeftOut(before.documents + 1, before.values + aside.values)
    return dict(sorted(sums.items()))


def _left_out_facts(rows: Iterable[Row]) -> dict[str, object]:
    """Return what was left out as it stands in the JSON report."""
    lines = [
        {"reason": reason, "side": side, "field": field, **sums._asdict()}
        for (reason, side, field), sums in _left_out(rows).items()
    ]
    return {"left_out": lines} if lines else {}


def _about_left_out(bound: Bound, rows: Sequence[Row]) -> Iterator[str]:
    """Yield what no metric has seen, by reason, and names to ignore that matched nothing."""
    sums = _left_out(rows)
    extra = _fields_left_out(sums, EXTRA)
    if extra:
        yield f"left out, not in the schema: {extra}; --extra count scores them"
    ignored = _fields_left_out(sums, IGNORED)
    if ignored:
        yield f"left out as asked: {ignored}"
    names = {field for reason, _, field in sums if reason == IGNORED}
    for name in bound.plan.ignore:
        pattern = ignored_names([name])
        layout = bound.layouts.plain
        if pattern is None or not any(
            pattern.fullmatch(alias) for field in names for alias in layout.names_of(field)
        ):
            yield f"--ignore {name} matches nothing"
    unknown = {side: _values_left_out(sums, UNLABELLED, side) for side in ("pred", "gold")}
    if any(unknown.values()):
        counts = " and ".join(
            f"{count:,} {'predicted' if side == 'pred' else 'gold'} value{'s'[: count != 1]}"
            for side, count in unknown.items()
            if count
        )
        yield f"left out, not labelled in gold: {counts} ({_fields_left_out(sums, UNLABELLED)})"
    kept = Counter(name for row in rows for name in row.meta)
    if kept:
        names_kept = ", ".join(name for name in META_COLUMNS if name in kept)
        documents = max(kept.values())
        yield (
            f"left out of the scores, kept with the document: {names_kept} "
            f"({documents:,} document{'s'[: documents != 1]})"
        )


def _fields_left_out(sums: Mapping[tuple[str, str, str], LeftOut], wanted: str) -> str:
    """Return the fields that were left out for a reason, those with most values first."""
    counts: Counter[str] = Counter()
    for (reason, _, field), (_, values) in sums.items():
        if reason == wanted:
            counts[field] += values
    fields = sorted(counts, key=lambda field: (-counts[field], field))
    shown = ", ".join(f"{field} ({counts[field]:,})" for field in fields[:MOST_FIELDS])
    return shown + (f" and {len(fields) - MOST_FIELDS} more" if fields[MOST_FIELDS:] else "")


def _values_left_out(
    sums: Mapping[tuple[str, str, str], LeftOut], wanted: str, wanted_side: str
) -> int:
    return sum(
        values
        for (reason, side, _), (_, values) in sums.items()
        if reason == wanted and side == wanted_side
    )


def _one_sided(rows: Iterable[Row]) -> tuple[list[str], list[str]]:
    """Return the fields that only gold, and those that only pred has values of in any document."""
    tp_fp_fn: dict[str, Counts] = {}
    for row in rows:
        for path, counts in text_table(row.stats.get("entity", {}), "fields").items():
            sums = tp_fp_fn.get(path, (0, 0, 0))
            tp_fp_fn[path] = tuple(map(sum, zip(sums, counts, strict=True)))
    only_gold = sorted(path for path, (tp, fp, fn) in tp_fp_fn.items() if fn and not tp + fp)
    only_pred = sorted(path for path, (tp, fp, fn) in tp_fp_fn.items() if fp and not tp + fn)
    return only_gold, only_pred


def _meta_facts(rows: Iterable[Row]) -> dict[str, object]:
    """Return processing times in seconds, tokens and costs of all documents that state them."""
    numbers: dict[str, list[float]] = {}
    models: Counter[str] = Counter()
    for row in rows:
        for name, value in row.meta.items():
            if isinstance(value, str):
                models[value] += 1
            else:
                numbers.setdefault(name, []).append(value)
    facts: dict[str, object] = {
        title: _spread(numbers[name]) for title, name in SPREADS.items() if name in numbers
    }
    return {**facts, "models": dict(sorted(models.items()))} if models else facts


def _spread(numbers: Sequence[float]) -> dict[str, float]:
    """Return mean, median, the 95th percentile (interpolated) and the total."""
    ordered = sorted(numbers)
    total = fsum(ordered)
    return {
        "documents": len(ordered),
        "mean": round(total / len(ordered), 9),
        "median": round(_percentile(ordered, 0.5), 9),
        "p95": round(_percentile(ordered, 0.95), 9),
        "total": round(total, 9),
    }


def _percentile(ordered: Sequence[float], share: float) -> float:
    place = share * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def _about_guess(plan: Plan, rows: Sequence[Row]) -> Iterator[str]:
    """Yield what contradicts the guessed types: values of gold that cannot be read by them."""
    if not plan.guessed or plan.schema is None:
        return
    types = {path: field.type for path, field in Listing(plan.schema, None).fields.items()}
    examples: dict[str, list[Problem]] = {}
    for row in rows:
        for problem in row.problems:
            if problem.code == ProblemCode.UNREADABLE_VALUE and problem.side == "gold":
                examples.setdefault(problem.field, []).append(problem)
    for path, problems in sorted(examples.items()):
        if len(problems) > A_FEW and path in types:
            first = problems[0]
            yield (
                f"{path} was guessed to be {types[path]}, but {len(problems):,} values of gold are "
                f"not: {first.message} ({first.document}); a schema can say what it is"
            )
