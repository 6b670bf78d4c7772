"""Corrections in people's terms, as sentences and as the fields that cost most."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from docassay.metrics.effort import KINDS
from docassay.model.report import Report, Score
from docassay.report.words import count, number

MOST_FIELDS = 5


class Costly(NamedTuple):
    """A field with what its corrections come to for 1,000 documents."""

    name: str
    hours: float
    cost: float | None
    corrections: int


def sentences(report: Report) -> list[str]:
    """Return hours and cost, what they assume, and what fixing the worst field would save."""
    of = {score.readout: score for score in report.of("effort", key="")}
    return [] if not of or of["hours_per_1000"].value is None else [*_sentences(report, of)]


def _sentences(report: Report, of: dict[str, Score]) -> Iterator[str]:
    hours, cost = of["hours_per_1000"], of["cost_per_1000"]
    yield f"1,000 documents take {_told(report, hours.value, cost.value)} to review and correct"
    settings = report.settings
    minutes = [
        f"{_short(settings[f'effort.{kind}_minutes'])} {'an' if kind[0] in 'aeiou' else 'a'} {kind}"
        for kind in KINDS
    ]
    review = f"{_short(settings['effort.review_minutes'])} to look at a document"
    yield f"assuming minutes of work: {', '.join((*minutes, review))}"
    worst = next(iter(costly(report)), None)
    if worst is not None and worst.hours:
        saved = _told(report, worst.hours, worst.cost)
        amount = count(worst.corrections, "correction")
        yield f"fixing {worst.name}, the worst field ({amount}), would save {saved}"


def costly(report: Report) -> list[Costly]:
    """Return the fields whose corrections take most time, the worst first."""
    costs = {one.key: one for one in report.of("effort") if one.readout == "cost_per_1000"}
    found = [
        Costly(one.key, float(one.value), costs[one.key].value, one.support)
        for one in report.of("effort")
        if one.key and one.readout == "hours_per_1000" and one.value
    ]
    return sorted(found, key=lambda one: (-one.hours, one.name))[:MOST_FIELDS]


def amounts(report: Report) -> list[tuple[str, dict[str, str]]]:
    """Return the costliest fields, each with its numbers as shown; no cost without a rate."""
    return [
        (
            one.name,
            {
                "hours": f"{one.hours:,.1f}",
                **({} if one.cost is None else {"cost": _money(report, one.cost)}),
                "corrections": number(one.corrections),
            },
        )
        for one in costly(report)
    ]


def _money(report: Report, cost: float) -> str:
    return f"{report.settings['effort.currency']} {cost:,.2f}".strip()


def _told(report: Report, hours: float | None, cost: float | None) -> str:
    told = f"{hours:,.1f} hours"
    return told if cost is None else f"{told} ({_money(report, cost)})"


def _short(value: object) -> str:
    return f"{float(str(value)):g}"
