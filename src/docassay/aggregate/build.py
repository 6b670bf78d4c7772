"""Building a report: a pure function of a ledger and of the problems met while loading."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile

from docassay.aggregate.field_scores import accuracies, field_scores, predicted_type
from docassay.aggregate.interval import Interval, intervals
from docassay.ledger import Ledger
from docassay.metrics import Context
from docassay.model.document import Problem
from docassay.model.outcome import OUTCOMES, REPAIRED
from docassay.model.report import DocumentLine, Report, Score
from docassay.model.schema import Schema
from docassay.model.stats import Stats, fold
from docassay.plan import Bound, BoundMetric, bind
from docassay.scoring import Row

NO_SCHEMA = "no schema was given: values are equal only as text (white space collapsed)"


def build(
    ledger: Ledger,
    *,
    problems: Iterable[Problem] = (),
    by: str | None = None,
    seed: int = 0,
) -> Report:
    """Return the report of a ledger; `by` adds slices by document type or by a tag.

    `seed` decides which documents the draws behind the intervals take.
    """
    bound = bind(ledger.header.plan)
    rows = ledger.rows
    scores = [score for one in bound.metrics for score in _scores(one, rows, bound, "", seed)]
    if by is not None:
        scores += _slices(rows, bound, by, seed)
    loaded = tuple(problems)
    # loading says where a document's problem stood; the row's own copy of it is not needed then
    named = {(one.document, one.side, one.field, one.message) for one in loaded}
    found = [one for row in rows for one in row.problems if one[:4] not in named]
    told = Counter(one.document for one in (*loaded, *found))
    outcomes, repairs = _responses(rows)
    return Report(
        signature=ledger.header.signature,
        documents=len(rows),
        settings=bound.settings,
        scores=tuple(scores),
        problems=(*loaded, *found),
        notes=(*_about_schema(bound, rows), *_about_responses(outcomes, repairs)),
        outcomes=outcomes,
        repairs=repairs,
        aliases=_aliases(ledger.header.plan.schema),
        violations=tuple(one for row in rows for one in row.violations),
        make_lines=lambda: tuple(_line(row, bound, told[row.id]) for row in rows),
        make_accuracies=lambda: accuracies(rows),
    )


def _scores(
    metric: BoundMetric, rows: Sequence[Row], bound: Bound, part: str, seed: int
) -> list[Score]:
    totals = fold(row.stats[metric.name] for row in rows)
    context = Context(len(rows), bound.plan.schema, metric.options)
    spread = _intervals(metric, rows, seed)
    return [
        Score(
            metric.name,
            one.name,
            one.key,
            part,
            one.value,
            one.support,
            *spread.get((one.name, one.key), (None, None)),
        )
        for one in metric.readouts(totals, context)
    ]


def _intervals(
    metric: BoundMetric, rows: Sequence[Row], seed: int
) -> dict[tuple[str, str], Interval]:
    if not metric.means:
        return {}
    columns = {
        name: (table, metric.tables[table].index(total), metric.tables[table].index(count))
        for name, (table, total, count) in metric.means.items()
    }
    return intervals([(row.id, row.stats[metric.name]) for row in rows], columns, seed=seed)


def _slices(rows: Sequence[Row], bound: Bound, by: str, seed: int) -> list[Score]:
    parts: dict[str, list[Row]] = {}
    for row in rows:
        value = row.type if by == "type" else row.tags.get(by, "")
        parts.setdefault(value or "(none)", []).append(row)
    return [
        score
        for value in sorted(parts)
        for metric in bound.metrics
        for score in _scores(metric, parts[value], bound, f"{by}={value}", seed)
        if not score.key
    ]


def _line(row: Row, bound: Bound, problems: int) -> DocumentLine:
    found: dict[str, float | int | None] = {}
    for metric in bound.metrics:
        stats: Stats = row.stats[metric.name]
        context = Context(1, bound.plan.schema, metric.options)
        overall = takewhile(lambda one: not one.key, metric.readouts(fold([stats]), context))
        found.update({f"{metric.name}.{one.name}": one.value for one in overall})
    of_fields = row.stats.get("fields", {})
    return DocumentLine(
        row.id,
        row.type,
        found,
        problems,
        row.outcome,
        field_scores(of_fields),
        predicted_type(of_fields),
    )


def _aliases(schema: Schema | None) -> dict[str, tuple[str, ...]]:
    """Return the names of columns with the fields that they hold in one document type or other."""
    found: dict[str, tuple[str, ...]] = {}
    for group in () if schema is None else schema.groups:
        for path, column in group.columns.items():
            found[column] = (*found.get(column, ()), path)
    return found


def _responses(rows: Iterable[Row]) -> tuple[dict[str, int], dict[str, int]]:
    """Return how many raw responses came to what, and how many of the repaired needed what."""
    kinds: Counter[str] = Counter()
    repairs: Counter[str] = Counter()
    for row in rows:
        kind, _, how = row.outcome.partition(": ")
        kinds[kind] += 1
        # a repair may name what it was done to: "duplicate key: total"
        kinds_of_repair = {one.partition(": ")[0] for one in how.split(", ")}
        repairs.update(kinds_of_repair if kind == REPAIRED else ())
    common = sorted(repairs.items(), key=lambda item: (-item[1], item[0]))
    return {kind: kinds[kind] for kind in OUTCOMES if kinds[kind]}, dict(common)


def _about_responses(outcomes: Mapping[str, int], repairs: Mapping[str, int]) -> Iterator[str]:
    """Yield what became of raw responses, and which repairs were the most common."""
    if outcomes:
        told = f"raw responses: {_listed(outcomes)}"
        yield f"{told}; repaired were {_listed(repairs, most=6)}" if repairs else told


def _listed(counts: Mapping[str, int], most: int | None = None) -> str:
    return ", ".join(f"{count} {name}" for name, count in [*counts.items()][:most])


def _about_schema(bound: Bound, rows: Iterable[Row]) -> tuple[str, ...]:
    if bound.plan.schema is None:
        return (NO_SCHEMA,)
    layout = bound.layouts.plain
    seen = {
        path for row in rows for stats in row.stats.values() for path in stats.get("fields", {})
    }
    unknown = sorted(path for path in seen if not layout.knows(path))
    if not unknown:
        return ()
    shown = ", ".join(unknown[:8]) + (f" and {len(unknown) - 8} more" if len(unknown) > 8 else "")
    return (f"not in the schema, so equal only as text: {shown}",)
