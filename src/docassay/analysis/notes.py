"""Notes on a report: what was left out, guessed or not in the schema, and what JSON keeps of it."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import fsum
from typing import NamedTuple

from docassay.model.report import DRAWS, FEWEST, META_COLUMNS
from docassay.model.stats import text_table
from docassay.model.words import count, first_names
from docassay.run.guessing import MOST_GUESSED
from docassay.run.plan import Bound, Plan
from docassay.run.totals import LeftOut, RunTotals, UnreadableValues
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


class Sampling(NamedTuple):
    """How documents are drawn for intervals."""

    seed: int = 0
    draws: int = DRAWS
    cluster: str | None = None


def notes_of(
    bound: Bound,
    totals: RunTotals,
    *,
    outcomes: Mapping[str, int],
    repairs: Mapping[str, int],
) -> tuple[str, ...]:
    """Return what a reader of the report should know about how it came to be."""
    return (
        *_about_schema(bound, totals),
        *_about_left_out(bound, totals),
        *_about_guess(bound.plan, totals.unreadable),
        *_about_responses(outcomes, repairs),
        *_about_intervals(totals),
    )


def facts_of(totals: RunTotals, sampling: Sampling) -> dict[str, object]:
    """Return what the JSON report keeps beside the scores."""
    return {**_left_out_facts(totals), **_meta_facts(totals), **_sampling_facts(totals, sampling)}


def _about_responses(outcomes: Mapping[str, int], repairs: Mapping[str, int]) -> Iterator[str]:
    """Yield what became of raw responses, and which repairs were the most common."""
    if outcomes:
        note = f"raw responses: {_listed(outcomes)}"
        yield f"{note}; repaired were {_listed(repairs, most=6)}" if repairs else note


def _listed(counts: Mapping[str, int], most: int | None = None) -> str:
    return ", ".join(f"{count} {name}" for name, count in [*counts.items()][:most])


def _about_schema(bound: Bound, totals: RunTotals) -> tuple[str, ...]:
    """Return what the schema does not say about the fields that count."""
    schema = bound.plan.schema
    counting = schema is None or schema.extra == "count"
    only_gold, only_pred = _one_sided(totals) if counting else ([], [])
    if not only_pred:
        return _about_types(bound, totals)
    option = f"--ignore {shlex.quote(','.join(only_pred[:MOST_FIELDS]))}"
    notes = [f"only pred has {first_names(only_pred, MOST_FIELDS)}; {option} leaves them out"]
    if only_gold:
        rename = "--map PRED=GOLD compares a field of pred under gold's name"
        notes.append(f"only gold has {first_names(only_gold, MOST_FIELDS)}; {rename}")
    return (*_about_types(bound, totals), *notes)


def about(plan: Plan, documents: int) -> str:
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
    start = f"types guessed from {'pred' if plan.without_gold else 'gold'}: "
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


def _about_types(bound: Bound, totals: RunTotals) -> tuple[str, ...]:
    plan = bound.plan
    if plan.schema is None:
        return (NO_SCHEMA,)
    layout = bound.layouts.plain
    seen = {
        path for metric in bound.metrics for path in text_table(totals.stats(metric.name), "fields")
    }
    unknown = sorted(path for path in seen if not layout.knows(path))
    if not unknown or (plan.guessed and totals.documents <= MOST_GUESSED):
        # where all of gold was looked at, what has no type has no value in gold
        return ()
    shown = first_names(unknown, MOST_FIELDS)
    if plan.guessed:
        return (f"not in the documents that types were guessed from, so compared as text: {shown}",)
    return (f"not in the schema, so equal only as text: {shown}",)


def _about_intervals(totals: RunTotals) -> Iterator[str]:
    """Yield how documents are drawn together, and whether there are enough for intervals."""
    cluster = totals.cluster
    if cluster is None or not totals.documents:
        return
    clusters = dict(totals.clusters)
    tagged = [*clusters.values()]
    alone = clusters.pop("", 0)
    if not clusters:
        names = sorted(totals.tags)
        others = f"; there is: {first_names(names, MOST_FIELDS)}" if names else ""
        yield f"no document has {cluster}, so intervals draw documents one by one{others}"
    else:
        rest = f", {count(alone, 'document')} without it one by one" if alone else ""
        yield (
            f"intervals draw documents of the same {cluster} together: "
            f"{count(len(clusters), 'cluster')} in {count(sum(tagged), 'document')}{rest}"
        )
    units = len(clusters) + alone
    if units < FEWEST:
        noun = "clusters" if clusters else "documents"
        yield f"no intervals: too few {noun} ({units}; they need {FEWEST})"


def _sampling_facts(totals: RunTotals, sampling: Sampling) -> dict[str, object]:
    """Return how intervals were made as it stands in the JSON report, if anything was asked for."""
    if sampling == Sampling():
        return {}
    facts: dict[str, object] = {"draws": sampling.draws, "seed": sampling.seed}
    if sampling.cluster is not None:
        alone = totals.clusters.get("", 0)
        clusters = len(totals.clusters) - ("" in totals.clusters)
        facts |= {"cluster": sampling.cluster, "clusters": clusters, "alone": alone}
    return {"intervals": facts}


def _left_out_facts(totals: RunTotals) -> dict[str, object]:
    """Return what was left out as it stands in the JSON report."""
    lines = [
        {"reason": reason, "side": side, "field": field, **sums._asdict()}
        for (reason, side, field), sums in sorted(totals.left_out.items())
    ]
    return {"left_out": lines} if lines else {}


def _about_left_out(bound: Bound, totals: RunTotals) -> Iterator[str]:
    """Yield what no metric has seen, by reason, and names to ignore that matched nothing."""
    sums = dict(sorted(totals.left_out.items()))
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
    kept = {name: len(numbers) for name, numbers in totals.meta.items()}
    if totals.models:
        kept["model"] = totals.models.total()
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
    return first_names([f"{field} ({counts[field]:,})" for field in fields], MOST_FIELDS)


def _values_left_out(
    sums: Mapping[tuple[str, str, str], LeftOut], wanted: str, wanted_side: str
) -> int:
    return sum(
        values
        for (reason, side, _), (_, values) in sums.items()
        if reason == wanted and side == wanted_side
    )


def _one_sided(totals: RunTotals) -> tuple[list[str], list[str]]:
    """Return the fields that only gold, and those that only pred has values of in any document."""
    tp_fp_fn = text_table(totals.stats("entity"), "fields")
    only_gold = sorted(path for path, (tp, fp, fn) in tp_fp_fn.items() if fn and not tp + fp)
    only_pred = sorted(path for path, (tp, fp, fn) in tp_fp_fn.items() if fp and not tp + fn)
    return only_gold, only_pred


def _meta_facts(totals: RunTotals) -> dict[str, object]:
    """Return processing times in seconds, tokens and costs of all documents that state them."""
    numbers, models = totals.meta, totals.models
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


def _about_guess(plan: Plan, unreadable: Mapping[str, UnreadableValues]) -> Iterator[str]:
    """Yield what contradicts the guessed types: values of gold that cannot be read by them."""
    if not plan.guessed or plan.schema is None:
        return
    types = {path: field.type for path, field in Listing(plan.schema, None).fields.items()}
    for path, (values, first) in sorted(unreadable.items()):
        if values > A_FEW and path in types:
            yield (
                f"{path} was guessed to be {types[path]}, but {values:,} values of gold are "
                f"not: {first.message} ({first.document}); a schema can say what it is"
            )
