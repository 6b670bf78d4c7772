"""Building a report: a pure function of a ledger and of the problems met while loading."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import takewhile

from docassay.ledger import Ledger
from docassay.metrics import Context
from docassay.model.document import Problem
from docassay.model.report import DocumentLine, Report, Score
from docassay.model.stats import Stats, fold
from docassay.plan import Bound, BoundMetric, bind
from docassay.scoring import Row

NO_SCHEMA = "no schema was given: values are equal only as text (white space collapsed)"


def build(ledger: Ledger, *, problems: Iterable[Problem] = (), by: str | None = None) -> Report:
    """Return the report of a ledger; `by` adds slices by document type or by a tag."""
    bound = bind(ledger.header.plan)
    rows = ledger.rows
    scores = [score for metric in bound.metrics for score in _scores(metric, rows, bound, "")]
    if by is not None:
        scores += _slices(rows, bound, by)
    loaded = tuple(problems)
    # loading says where a document's problem stood; the row's own copy of it is not needed then
    named = {(one.document, one.side, one.field, one.message) for one in loaded}
    found = [one for row in rows for one in row.problems if one[:4] not in named]
    return Report(
        signature=ledger.header.signature,
        documents=len(rows),
        settings=bound.settings,
        scores=tuple(scores),
        problems=(*loaded, *found),
        notes=(NO_SCHEMA,) if ledger.header.plan.schema is None else _unknown_fields(bound, rows),
        make_lines=lambda: tuple(_line(row, bound) for row in rows),
    )


def _scores(metric: BoundMetric, rows: Sequence[Row], bound: Bound, part: str) -> list[Score]:
    totals = fold(row.stats[metric.name] for row in rows)
    context = Context(len(rows), bound.plan.schema, metric.options)
    return [
        Score(metric.name, one.name, one.key, part, one.value, one.support)
        for one in metric.readouts(totals, context)
    ]


def _slices(rows: Sequence[Row], bound: Bound, by: str) -> list[Score]:
    parts: dict[str, list[Row]] = {}
    for row in rows:
        value = row.type if by == "type" else row.tags.get(by, "")
        parts.setdefault(value or "(none)", []).append(row)
    return [
        score
        for value in sorted(parts)
        for metric in bound.metrics
        for score in _scores(metric, parts[value], bound, f"{by}={value}")
        if not score.key
    ]


def _line(row: Row, bound: Bound) -> DocumentLine:
    found: dict[str, float | int | None] = {}
    for metric in bound.metrics:
        stats: Stats = row.stats[metric.name]
        context = Context(1, bound.plan.schema, metric.options)
        overall = takewhile(lambda one: not one.key, metric.readouts(fold([stats]), context))
        found.update({f"{metric.name}.{one.name}": one.value for one in overall})
    return DocumentLine(row.id, row.type, found, len(row.problems))


def _unknown_fields(bound: Bound, rows: Iterable[Row]) -> tuple[str, ...]:
    layout = bound.layouts.plain
    seen = {
        path for row in rows for stats in row.stats.values() for path in stats.get("fields", {})
    }
    unknown = sorted(path for path in seen if not layout.knows(path))
    if not unknown:
        return ()
    shown = ", ".join(unknown[:8]) + (f" and {len(unknown) - 8} more" if len(unknown) > 8 else "")
    return (f"not in the schema, so equal only as text: {shown}",)
