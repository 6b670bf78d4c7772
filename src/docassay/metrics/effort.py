"""`effort`: corrections in people's terms, as hours and money for every 1,000 documents.

The minutes are assumptions until somebody has measured them; every report states them. A minute
is counted for each correction by its kind, and for looking at each document, right or wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import isfinite
from typing import TYPE_CHECKING

from docassay.errors import ConfigurationError
from docassay.metrics import Context, Readout, Totals, metric
from docassay.model.stats import Counts, Stats

if TYPE_CHECKING:
    from docassay.case import Case

KINDS = ("substitution", "addition", "deletion")
FIELDS = tuple(f"{kind}s" for kind in KINDS)
PER = 1_000
"""Documents that hours and costs are stated for."""


def check(**options: object) -> None:
    """Refuse times and rates that are not numbers of at least 0."""
    for name, value in options.items():
        if isinstance(value, float) and not (isfinite(value) and value >= 0):
            raise ConfigurationError(f"{value} is not at least 0", where=f"effort.{name}")


def readouts(totals: Totals, context: Context) -> Iterator[Readout]:
    """Yield hours and cost for 1,000 documents: in all, of the worst field, and by field."""
    fields = totals.get("fields", {})
    minutes = {path: _minutes(counts, context.options) for path, counts in fields.items()}
    corrections = {path: sum(counts) for path, counts in fields.items()}
    review = _number(context.options, "review_minutes") * context.documents
    count = sum(corrections.values())
    yield from _of("", sum(minutes.values()) + review, count, context)
    worst = max(minutes, key=lambda path: (minutes[path], path), default="")
    saved = minutes.get(worst, 0.0)
    yield from _of("", saved, corrections.get(worst, 0), context, prefix="worst_field_")
    for path in fields:
        yield from _of(path, minutes[path], corrections[path], context)


def _of(
    key: str, minutes: float, corrections: int, context: Context, *, prefix: str = ""
) -> Iterator[Readout]:
    documents, rate = context.documents, _number(context.options, "hourly_rate")
    hours = minutes / 60 * PER / documents if documents else None
    cost = None if hours is None or not rate else hours * rate
    yield Readout(f"{prefix}hours_per_1000", key, hours, corrections)
    yield Readout(f"{prefix}cost_per_1000", key, cost, corrections)


def _minutes(counts: Counts, options: Mapping[str, object]) -> float:
    amounts = zip(KINDS, counts, strict=True)
    return sum(count * _number(options, f"{kind}_minutes") for kind, count in amounts)


def _number(options: Mapping[str, object], name: str) -> float:
    return float(str(options[name]))


@metric("effort", version=1, tables={"fields": FIELDS}, readouts=readouts, check=check)
def effort(
    case: Case,
    *,
    substitution_minutes: float = 0.5,
    addition_minutes: float = 0.75,
    deletion_minutes: float = 0.25,
    review_minutes: float = 1.0,
    hourly_rate: float = 0.0,
    currency: str = "",
) -> Stats:
    """Corrections as hours of work, and as money with an hourly rate, for 1,000 documents."""
    return {"fields": {path: tuple(counts[1:]) for path, counts in case.tally().fields.items()}}
