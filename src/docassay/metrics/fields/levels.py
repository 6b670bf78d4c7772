"""Levels: what an accuracy comes to by the thresholds in the options of `fields`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from docassay.metrics.fields.readouts import FIELD_LEVELS, READINESS
from docassay.model.chart import LEVELS, POOR, Threshold

PERFECT = "perfect"
Options = Mapping[str, object]


def share(options: Options, name: str) -> float:
    """Return an option that is a share."""
    value = options[name]
    assert isinstance(value, float), "the metric has checked its options"
    return value


def thresholds(options: Options) -> tuple[Threshold, ...]:
    """Return the bounds of readiness, highest first."""
    return tuple(Threshold(name, share(options, name)) for name in READINESS)


def field_thresholds(options: Options) -> tuple[Threshold, ...]:
    """Return the bounds between the levels of fields, highest first."""
    return tuple(Threshold(name, share(options, name)) for name in FIELD_LEVELS)


def drawn_thresholds(options: Options) -> tuple[Threshold, ...]:
    """Return the bounds between the levels of fields under the names that charts show."""
    names = ("excellent", "good", "poor below")
    bounds = field_thresholds(options)
    return tuple(Threshold(name, bound.least) for name, bound in zip(names, bounds, strict=True))


def field_level(accuracy: float, options: Options) -> str:
    """Return the level of a field: what is neither good nor poor is fair."""
    levels = zip(LEVELS, field_thresholds(options), strict=False)
    return next((level for level, bound in levels if accuracy >= bound.least), POOR)


def document_levels(accuracies: Iterable[float], options: Options) -> dict[str, int]:
    """Return how many documents reach which bound, perfect ones apart."""
    perfect = Threshold(PERFECT, share(options, "perfect_from"))
    bounds = (perfect, *thresholds(options))
    below = f"below {bounds[-1].least:.2f}"
    levels = dict.fromkeys((*map(_label, bounds), below), 0)
    for accuracy in accuracies:
        reached = (_label(bound) for bound in bounds if accuracy >= bound.least)
        levels[next(reached, below)] += 1
    return levels


def _label(bound: Threshold) -> str:
    return f"{bound.name} (≥ {bound.least:.2f})"


def readiness(accuracy: float, options: Options) -> str:
    """Return a clause that says between which bounds an accuracy lies."""
    bounds = thresholds(options)
    missed = [bound for bound in bounds if accuracy < bound.least]
    reached = [bound for bound in bounds if accuracy >= bound.least]
    parts = []
    if missed:
        parts.append(f"below {missed[-1].name} ({missed[-1].least:.2f})")
    if reached:
        parts.append(f"at least {reached[0].name} ({reached[0].least:.2f})")
    return " and ".join(parts)
