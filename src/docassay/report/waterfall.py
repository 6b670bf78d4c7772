"""The loss waterfall: what each cause takes from a score, for reading and for spreadsheets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from docassay.metrics.causes import ALL, parted
from docassay.model.report import Report, Score
from docassay.report.words import THIS_RUN, count

CAUSES_CSV = "causes.csv"
READOUTS = ("corrections", "kieval_loss", "kieval_gain", "fields_loss", "fields_gain")
HEAD = ("to correct", "aligned lost", "if fixed", "accuracy lost", "if fixed")
PLACE_HEAD = ("to correct", "aligned lost", "accuracy lost")
"""The same for a cause in one field, of which no fixing is tried."""
MOST_PLACES = 5
BAR = 6
"""Characters of the longest bar."""


class Step(NamedTuple):
    """A cause, in one field or ("") in all, with what it takes and what fixing it would give."""

    field: str
    cause: str
    scores: Mapping[str, Score]

    def value(self, readout: str) -> float | int | None:
        """Return a readout, None when it is undefined or not given for this key."""
        score = self.scores.get(readout)
        return None if score is None else score.value

    @property
    def weight(self) -> float:
        """What it takes from both scores together."""
        return float(self.value("kieval_loss") or 0) + float(self.value("fields_loss") or 0)


def steps(report: Report) -> list[Step]:
    """Return the causes that take anything, the largest first; none when none were looked for."""
    return [step for step in _every(report) if not step.field and step.weight]


def places(report: Report) -> list[Step]:
    """Return the fields with a cause that take most."""
    found = [step for step in _every(report) if step.field and step.cause != ALL and step.weight]
    return found[:MOST_PLACES]


def by_field(report: Report) -> list[tuple[str, list[Step]]]:
    """Return the fields that need corrections, each with its causes, the most corrections first."""
    found: dict[str, list[Step]] = {}
    for step in _every(report):
        if step.field and step.cause != ALL and step.value("corrections"):
            found.setdefault(step.field, []).append(step)
    return sorted(found.items(), key=lambda one: (-_corrections(one[1]), one[0]))


def _corrections(found: list[Step]) -> int:
    return sum(int(step.value("corrections") or 0) for step in found)


def worst_field(report: Report) -> Step | None:
    """Return the field that takes most from `kieval.aligned`, None when none takes anything."""
    found = [step for step in _every(report) if step.field and step.cause == ALL]
    losses = [(step.value("kieval_loss") or 0, step) for step in found]
    return max(losses, key=lambda one: one[0], default=(0, None))[1]


def runs_of(report: Report, earlier: Sequence[tuple[str, Report]]) -> list[tuple[str, Report]]:
    """Return the runs that causes were looked for in, this one last."""
    runs = (*earlier, (THIS_RUN, report))
    return [(name, one) for name, one in runs if any(one.of("causes", key=""))]


def beside(runs: Sequence[tuple[str, Report]]) -> list[tuple[str, list[Step | None]]]:
    """Return each cause with its step in every run, None where it takes nothing; largest first."""
    found: dict[str, list[Step | None]] = {}
    for place, (_, report) in enumerate(runs):
        for step in steps(report):
            found.setdefault(step.cause, [None] * len(runs))[place] = step
    weights = {
        cause: sum(step.weight for step in every if step is not None)
        for cause, every in found.items()
    }
    return sorted(found.items(), key=lambda one: (-weights[one[0]], one[0]))


def _every(report: Report) -> list[Step]:
    found: dict[str, dict[str, Score]] = {}
    for score in report.of("causes"):
        if score.key:
            found.setdefault(score.key, {})[score.readout] = score
    every = [Step(*parted(key), scores) for key, scores in found.items()]
    return sorted(every, key=lambda step: (-step.weight, step.field, step.cause))


def cells(step: Step) -> list[str]:
    """Return the numbers of a step as they are shown: in the order of HEAD, or of PLACE_HEAD."""
    names = [one for one in READOUTS if not (step.field and one.endswith("gain"))]
    return [signed(step, one) for one in names]


def signed(step: Step, name: str) -> str:
    """Return a readout of a step as it is shown."""
    value = step.value(name)
    if value is None:
        return ""
    if isinstance(value, int):
        return f"{value:,}"
    sign = "+" if name.endswith("gain") else "−"
    return f"{sign}{value:.4f}" if value >= 0 else f"{value:.4f}"


def bar(step: Step, found: list[Step]) -> str:
    """Return the length of a step beside the longest of all."""
    return "█" * max(1, round(BAR * step.weight / found[0].weight))


def lead(report: Report) -> str:
    """Return what is lost in all, in words."""
    parts = [
        f"{name} loses {report[address].value:.4f}"
        for name, address in (
            ("kieval.aligned", "causes.kieval_loss"),
            ("fields.overall_accuracy", "causes.fields_loss"),
        )
        if report[address].value is not None
    ]
    amount = count(report["causes.corrections"].value, "correction")
    return f"why points are lost: {', '.join((*parts, amount))}"


def advice(report: Report) -> str:
    """Return what fixing the worst field would give, "" when there is nothing to fix."""
    worst = worst_field(report)
    gain = None if worst is None else worst.value("kieval_gain")
    if worst is None or gain is None:
        return ""
    accuracy = worst.value("fields_gain")
    more = "" if accuracy is None else f", fields.overall_accuracy by {accuracy:.4f}"
    return f"fixing {worst.field}, the worst field, would raise kieval.aligned by {gain:.4f}{more}"


def rows(report: Report) -> list[list[str | float | int | None]]:
    """Return a record a cause, then a record a field and cause, for a table."""
    every = sorted(_every(report), key=lambda step: bool(step.field))
    return [
        [step.field, step.cause, *(step.value(name) for name in READOUTS)]
        for step in every
        if step.weight
    ]
