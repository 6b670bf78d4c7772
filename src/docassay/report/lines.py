"""The scores of a report turned round: a line a field, a group type or a slice, weakest first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from docassay.model.report import DocumentLine, Report, Score

LEADING = ("kieval.aligned", "entity.f1")
"""What lines are sorted by: the first of these that was measured."""


class KeyLine(NamedTuple):
    """All scores of one key (or slice), by `metric.readout`."""

    name: str
    scores: Mapping[str, Score]

    def value(self, name: str) -> float | int | None:
        """Return a value, None when it is undefined or was not measured."""
        score = self.scores.get(name)
        return None if score is None else score.value

    @property
    def gold(self) -> int | None:
        """How many values gold has, None when no metric says so."""
        counted = ("kieval.entity_recall", "entity.recall")
        return next((self.scores[name].support for name in counted if name in self.scores), None)


def fields(report: Report) -> list[KeyLine]:
    """Return a line for each field, weakest first."""
    return sorted(_by_key(report, of_groups=False), key=lambda line: _weakness(line, LEADING))


def groups(report: Report) -> list[KeyLine]:
    """Return a line for each group type, weakest first."""
    lines = _by_key(report, of_groups=True)
    return sorted(lines, key=lambda line: _weakness(line, ("kieval.group_f1",)))


def slices(report: Report) -> list[KeyLine]:
    """Return a line for each slice, by name."""
    found: dict[str, dict[str, Score]] = {}
    for score in report.scores:
        if score.slice and not score.key:
            found.setdefault(score.slice, {})[f"{score.metric}.{score.readout}"] = score
    return [KeyLine(name, found[name]) for name in sorted(found)]


def documents(report: Report) -> list[DocumentLine]:
    """Return the line of each document, worst first."""

    def badness(line: DocumentLine) -> tuple[bool, float, float, str]:
        value = next((line.scores[name] for name in LEADING if name in line.scores), None)
        corrections = line.scores.get("kieval.corrections") or 0
        return (value is None, 0 if value is None else value, -corrections, line.id)

    return sorted(report.lines, key=badness)


def columns(lines: Sequence[KeyLine]) -> list[str]:
    """Return every `metric.readout` of some lines, in the order of the report."""
    return [*dict.fromkeys(name for line in lines for name in line.scores)]


def _by_key(report: Report, *, of_groups: bool) -> list[KeyLine]:
    """Return a line a key; one key may name a field and a group, when documents differ in shape."""
    found: dict[str, dict[str, Score]] = {}
    for score in report.scores:
        if score.key and not score.slice and score.readout.startswith("group_") is of_groups:
            found.setdefault(score.key, {})[f"{score.metric}.{score.readout}"] = score
    return [KeyLine(name, scores) for name, scores in found.items()]


def _weakness(line: KeyLine, names: Sequence[str]) -> tuple[bool, float, float, str]:
    score = next((line.scores[name] for name in names if name in line.scores), None)
    if score is None or score.value is None:
        return (True, 0, 0, line.name)
    return (False, score.value, -score.support, line.name)
