"""Levels: what an accuracy comes to by the thresholds in the settings of `fields`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from docassay.metrics.fields_readouts import FIELD_LEVELS, READINESS
from docassay.model.report import Report

EXCELLENT, GOOD, FAIR, POOR = "excellent", "good", "fair", "poor"
FIELD_NAMES = (EXCELLENT, GOOD, FAIR, POOR)
PERFECT = "perfect"


class Threshold(NamedTuple):
    """A bound with the name that the settings give it."""

    name: str
    least: float


def thresholds(settings: Mapping[str, object]) -> tuple[Threshold, ...]:
    """Return the bounds of readiness, highest first."""
    return tuple(Threshold(name, share(settings, name)) for name in READINESS)


def field_thresholds(settings: Mapping[str, object]) -> tuple[Threshold, ...]:
    """Return the bounds between the levels of fields, highest first."""
    return tuple(Threshold(name, share(settings, name)) for name in FIELD_LEVELS)


def field_level(accuracy: float, settings: Mapping[str, object]) -> str:
    """Return the level of a field: what is neither good nor poor is fair."""
    bounds = field_thresholds(settings)
    levels = zip(FIELD_NAMES, bounds, strict=False)
    return next((level for level, bound in levels if accuracy >= bound.least), POOR)


def document_levels(report: Report) -> dict[str, int]:
    """Return how many documents reach which bound, perfect ones apart."""
    perfect = Threshold(PERFECT, share(report.settings, "perfect_from"))
    bounds = (perfect, *thresholds(report.settings))
    below = f"below {bounds[-1].least:.2f}"
    found = dict.fromkeys((*map(_label, bounds), below), 0)
    for accuracy in report.accuracies.values():
        reached = (_label(bound) for bound in bounds if accuracy >= bound.least)
        found[next(reached, below)] += 1
    return found


def _label(bound: Threshold) -> str:
    return f"{bound.name} (≥ {bound.least:.2f})"


def readiness(accuracy: float, settings: Mapping[str, object]) -> str:
    """Return a clause that says between which bounds an accuracy lies."""
    bounds = thresholds(settings)
    missed = [bound for bound in bounds if accuracy < bound.least]
    reached = [bound for bound in bounds if accuracy >= bound.least]
    parts = []
    if missed:
        parts.append(f"below {missed[-1].name} ({missed[-1].least:.2f})")
    if reached:
        parts.append(f"at least {reached[0].name} ({reached[0].least:.2f})")
    return " and ".join(parts)


def share(settings: Mapping[str, object], name: str) -> float:
    """Return an option of `fields` that is a share."""
    value = settings[f"fields.{name}"]
    assert isinstance(value, float), "the metric has checked its options"
    return value
