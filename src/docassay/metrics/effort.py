"""`effort`: corrections in people's terms, as hours and money for every 1,000 documents.

The minutes are assumptions until somebody has measured them; every report states them. A minute
is counted for each correction by its kind, and for looking at each document, right or wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from math import isfinite
from operator import mul
from typing import TYPE_CHECKING

from docassay.errors import ConfigurationError
from docassay.kernel.counting import KeptFormula
from docassay.kernel.plain import corrections_by_field
from docassay.matching.tally import KINDS
from docassay.metrics.metric import (
    Context,
    Implied,
    OverallOf,
    Readout,
    Totals,
    Value,
    View,
    metric,
)
from docassay.model.report import (
    LOWER,
    HeadlineLine,
    ReadoutSpec,
    Score,
    Section,
    SectionTable,
    Sentence,
)
from docassay.model.stats import Counts, Stats, text_table
from docassay.model.words import count, number

if TYPE_CHECKING:
    from docassay.matching.case import Case

FIELDS = tuple(f"{kind}s" for kind in KINDS)
PER = 1_000
"""Documents that hours and costs are stated for."""
MOST_FIELDS = 5
SPECS = tuple(
    ReadoutSpec(
        f"{prefix}{unit}_per_1000",
        unit=kind,
        better=LOWER,
        column=None,
        short="" if prefix else unit,
        meaning=f"{unit} to review and correct 1,000 documents",
    )
    for prefix in ("", "worst_field_")
    for unit, kind in (("hours", "hours"), ("cost", "money"))
)


def check(**options: object) -> None:
    """Refuse times and rates that are not numbers of at least 0."""
    for name, value in options.items():
        if isinstance(value, float) and not (isfinite(value) and value >= 0):
            raise ConfigurationError(f"{value} is not at least 0", where=f"effort.{name}")


def readouts(
    totals: Totals,
    context: Context,
    *,
    substitution_minutes: float = 0.5,
    addition_minutes: float = 0.75,
    deletion_minutes: float = 0.25,
    review_minutes: float = 1.0,
    hourly_rate: float = 0.0,
    currency: str = "",
) -> Iterator[Readout]:
    """Yield hours and cost for 1,000 documents: in all, of the worst field, and by field."""
    fields = text_table(totals, "fields")
    by_kind = (substitution_minutes, addition_minutes, deletion_minutes)
    minutes = {path: _minutes(counts, by_kind) for path, counts in fields.items()}
    corrections = {path: sum(counts) for path, counts in fields.items()}
    review = review_minutes * context.documents
    documents, rate = context.documents, hourly_rate
    every = sum(corrections.values())
    yield from _of("", sum(minutes.values()) + review, every, documents, rate)
    worst = max(minutes, key=lambda path: (minutes[path], path), default="")
    saved = minutes.get(worst, 0.0)
    yield from _of("", saved, corrections.get(worst, 0), documents, rate, prefix="worst_field_")
    for path in fields:
        yield from _of(path, minutes[path], corrections[path], documents, rate)


def overall(
    context: Context,
    *,
    substitution_minutes: float,
    addition_minutes: float,
    deletion_minutes: float,
    review_minutes: float,
    hourly_rate: float,
    currency: str,
) -> OverallOf:
    """Return what gives the values of a document's overall readouts."""
    by_kind = (substitution_minutes, addition_minutes, deletion_minutes)
    documents, rate = context.documents, hourly_rate
    review = review_minutes * documents

    minutes_of = KeptFormula(lambda counts: _minutes(counts, by_kind), 4096)

    @lru_cache(maxsize=4096)
    def values_of_minutes(every: float, worst: float) -> tuple[Value, ...]:
        whole = every + review
        return (*_hours_and_cost(whole, documents, rate), *_hours_and_cost(worst, documents, rate))

    def values_of(stats: Stats) -> tuple[Value, ...]:
        # a sum of fractions depends on their order
        minutes = minutes_of.of_rows(text_table(stats, "fields"))
        return values_of_minutes(sum(minutes), max(minutes, default=0.0))

    return values_of


def _of(
    key: str, minutes: float, corrections: int, documents: int, rate: float, *, prefix: str = ""
) -> Iterator[Readout]:
    hours, cost = _hours_and_cost(minutes, documents, rate)
    yield Readout(f"{prefix}hours_per_1000", key, hours, corrections)
    yield Readout(f"{prefix}cost_per_1000", key, cost, corrections)


def _hours_and_cost(
    minutes: float, documents: int, rate: float
) -> tuple[float | None, float | None]:
    hours = minutes / 60 * PER / documents if documents else None
    return hours, None if hours is None or not rate else hours * rate


def _minutes(counts: Counts, by_kind: tuple[float, ...]) -> float:
    minutes: float = sum(map(mul, counts, by_kind))
    return minutes


def headline(view: View) -> Iterator[HeadlineLine]:
    """Yield the hours for 1,000 documents, below the corrections where these are counted."""
    hours = view.overall()["hours_per_1000"]
    if hours.value is None:
        return
    per = f"per {PER:,} documents"
    if "kieval" in view.others:
        cost = view.overall()["cost_per_1000"].value
        amount = _amount(hours.value, cost, view.context.options)
        yield HeadlineLine("", "hours_per_1000", f"{amount} {per}", 12, first=True)
    else:
        yield HeadlineLine("hours", "hours_per_1000", per, 12)


def sections(view: View) -> Iterator[Section]:
    """Yield hours and cost, what they assume, and the fields that cost most."""
    scores, options = view.overall(), view.context.options
    hours, cost = scores["hours_per_1000"], scores["cost_per_1000"]
    if hours.value is None:
        return
    whole = _amount(hours.value, cost.value, options)
    above: list[Sentence] = [f"1,000 documents take {whole} to review and correct"]
    minutes = [
        f"{view.number(f'{kind}_minutes'):g} {'an' if kind[0] in 'aeiou' else 'a'} {kind}"
        for kind in KINDS
    ]
    review = f"{view.number('review_minutes'):g} to look at a document"
    above.append(f"assuming minutes of work: {', '.join((*minutes, review))}")
    costs, costly = view.by_key("cost_per_1000"), _costly(view)
    if costly:
        worst = costly[0]
        saved = _amount(worst.value or 0.0, costs[worst.key].value, options)
        amount = count(worst.support, "correction")
        above.append(
            ("fixing ", worst.key, f", the worst field ({amount}), would save {saved}"),
        )
    yield Section("hours and cost", tuple(above), tuple(_tables(costly, costs, options)))


def _costly(view: View) -> list[Score]:
    """Return the fields whose corrections take most time, the worst first."""
    hours = [score for score in view.by_key("hours_per_1000").values() if score.value]
    return sorted(hours, key=lambda hour: (-(hour.value or 0), hour.key))[:MOST_FIELDS]


def _tables(
    costly: list[Score], costs: Mapping[str, Score], options: Mapping[str, object]
) -> Iterator[SectionTable]:
    """Yield the costliest fields; no cost without a rate."""
    if not costly:
        return
    priced = costs[costly[0].key].value is not None
    rows = tuple(
        (
            score.key,
            f"{score.value:,.1f}",
            *((_money(costs[score.key].value or 0.0, options),) if priced else ()),
            number(score.support),
        )
        for score in costly
    )
    head = ("field, most hours first", "hours", *(("cost",) if priced else ()), "corrections")
    yield SectionTable(head, rows, "n" + "r" * (len(head) - 1))


def _money(cost: float, options: Mapping[str, object]) -> str:
    return f"{options['currency']} {cost:,.2f}".strip()


def _amount(hours: float, cost: float | None, options: Mapping[str, object]) -> str:
    text = f"{hours:,.1f} hours"
    return text if cost is None else f"{text} ({_money(cost, options)})"


def _corrections(totals: Stats) -> Stats:
    """Return the corrections of each field, which `kieval` counts as well."""
    fields = text_table(totals, "fields")
    return {
        "fields": {path: (subs, adds, dels) for path, (_, subs, adds, dels, _) in fields.items()}
    }


@metric(
    "effort",
    version=1,
    tables={"fields": FIELDS},
    readouts=readouts,
    specs=SPECS,
    check=check,
    headline=headline,
    sections=sections,
    overall=overall,
    implied=Implied("kieval", _corrections),
)
def effort(case: Case) -> Stats:
    """Corrections as hours of work, and as money with an hourly rate, for 1,000 documents."""
    return {"fields": corrections_by_field(case.tally().fields)}
