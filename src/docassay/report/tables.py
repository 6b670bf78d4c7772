"""Tables of a report: a table a kind of key, a line a key, columns as readouts declare them.

Nothing here knows a metric by name: what a column is called, where it stands and which values are
weak is said by the `ReadoutSpec` of its readout.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from docassay.model.report import (
    COUNT,
    FIELD,
    GROUP,
    HIGHER,
    LOWER,
    OVERALL,
    RATE,
    SHARE,
    DocumentLine,
    ReadoutSpec,
    Report,
    Score,
)
from docassay.model.words import UNDEFINED, number

KINDS = (FIELD, GROUP, "field category", "document type", "category", "name", "rule")
"""The order of the kinds that are known here; others follow by name."""
MOST_COLUMNS = 7
_FORMS = {"hours": ",.1f", "money": ",.2f"}


class KeyLine(NamedTuple):
    """All scores of one key (or slice), by `metric.readout`."""

    name: str
    scores: Mapping[str, Score]


class Column(NamedTuple):
    """A column: its label, and the readouts of which a line shows the first that it has."""

    label: str
    place: float
    readouts: tuple[str, ...]
    attribute: str
    spec: ReadoutSpec

    def score(self, line: KeyLine) -> Score | None:
        """Return the score that a line has for this column."""
        return next((line.scores[name] for name in self.readouts if name in line.scores), None)

    def value(self, line: KeyLine) -> float | int | None:
        """Return what a line has in this column."""
        score = self.score(line)
        if score is None:
            return None
        return score.value if self.attribute == "value" else score.support

    def cell(self, line: KeyLine) -> str:
        """Return what a line has in this column as it is shown."""
        return amount(self.value(line), self.spec.unit if self.attribute == "value" else COUNT)


class KindTable(NamedTuple):
    """The keys of one kind, weakest first."""

    kind: str
    lines: list[KeyLine]
    columns: list[Column]


def amount(value: float | int | None, unit: str) -> str:
    """Return a value as numbers of its unit are shown."""
    if value is None:
        return UNDEFINED
    return f"{value:{_FORMS[unit]}}" if unit in _FORMS else number(value)


def shown(score: Score, unit: str = "") -> str:
    """Return a score's value, a share or a rate with its interval when it has one."""
    if unit not in (SHARE, RATE) or score.low is None or score.high is None:
        return amount(score.value, unit)
    return f"{number(score.value)} [{score.low:.3f}, {score.high:.3f}]"


def plural(kind: str) -> str:
    """Return the plural of a kind: fields, categories."""
    return f"{kind[:-1]}ies" if kind.endswith("y") else f"{kind}s"


def kinds(report: Report) -> list[str]:
    """Return the kinds of keys that a report has, the known ones first."""
    present = {score.kind for score in report.scores} - {OVERALL}
    return [kind for kind in KINDS if kind in present] + sorted(present.difference(KINDS))


def tables(report: Report, *, most: int | None = MOST_COLUMNS) -> list[KindTable]:
    """Return a table for each kind that has columns, with at most so many of them."""
    every = [table_of(report, kind, most=most) for kind in kinds(report)]
    return [table for table in every if table.columns]


def table_of(report: Report, kind: str, *, most: int | None = MOST_COLUMNS) -> KindTable:
    """Return the table of a kind."""
    by_key: dict[str, dict[str, Score]] = {}
    for score in report.scores:
        if score.kind == kind and not score.slice:
            by_key.setdefault(score.key, {})[score.name] = score
    lines = [KeyLine(name, scores) for name, scores in by_key.items()]
    every = columns_of(lines, report.specs)
    filled = [line for line in lines if any(column.score(line) is not None for column in every)]
    return KindTable(kind, weakest_first(filled, every), limited(every, most))


def slices(report: Report) -> tuple[list[KeyLine], list[Column]]:
    """Return a line for each slice, by name, with the columns of the first kind that has any."""
    by_slice: dict[str, dict[str, Score]] = {}
    for score in report.scores:
        if score.slice and not score.key:
            by_slice.setdefault(score.slice, {})[score.name] = score
    lines = [KeyLine(name, by_slice[name]) for name in sorted(by_slice)]
    for kind in dict.fromkeys((*KINDS, *(spec.kind for spec in report.specs.values()))):
        specs = {name: spec for name, spec in report.specs.items() if spec.kind == kind}
        columns = columns_of(lines, specs)
        if columns:
            return lines, limited(columns, MOST_COLUMNS + 1)
    return [], []


def columns_of(lines: Sequence[KeyLine], specs: Mapping[str, ReadoutSpec]) -> list[Column]:
    """Return the columns that some lines have, left to right.

    Of readouts with one label, the first by place gives the column its place; the others stand in
    where a line lacks it.
    """
    measured = dict.fromkeys(name for line in lines for name in line.scores)
    offers: list[tuple[float, str, str, str, tuple[str, ...]]] = []
    for name in measured:
        spec = specs.get(name)
        if spec is None:
            continue
        if spec.column is not None:
            offers.append((spec.column, spec.label or spec.name, "value", name, spec.unless))
        if spec.support is not None:
            place, label, unless = spec.support
            offers.append((place, label, "support", name, unless))
    labels = {label for _, label, *_ in offers}
    columns: dict[str, Column] = {}
    for place, label, attribute, name, unless in sorted(offers, key=lambda offer: offer[0]):
        column = columns.get(label)
        if column is not None and column.attribute == attribute:
            columns[label] = column._replace(readouts=(*column.readouts, name))
        elif column is None and labels.isdisjoint(unless):
            columns[label] = Column(label, place, (name,), attribute, specs[name])
    return [*columns.values()]


def limited(columns: Sequence[Column], most: int | None) -> list[Column]:
    """Return the first columns; every metric keeps at least its first."""
    if most is None or len(columns) <= most:
        return [*columns]
    first: dict[str, Column] = {}
    for column in columns:
        for name in column.readouts:
            first.setdefault(name.partition(".")[0], column)
    kept = {column.label for column in first.values()}
    for column in columns:
        if len(kept) < most:
            kept.add(column.label)
    return [column for column in columns if column.label in kept]


def weakest_first(lines: Sequence[KeyLine], columns: Sequence[Column]) -> list[KeyLine]:
    """Return lines by the first column that says which values are weak; those without it last."""
    ranking = [col for col in columns if col.spec.better is not None and col.attribute == "value"]

    def weakness(line: KeyLine) -> tuple[int, float, float, str]:
        for place, column in enumerate(ranking):
            score = column.score(line)
            if score is not None and score.value is not None:
                return (place, _badness(score.value, column.spec), -score.support, line.name)
        return (len(ranking), 0, 0, line.name)

    return sorted(lines, key=weakness)


def _badness(value: float, spec: ReadoutSpec) -> float:
    return -value if spec.better == LOWER else value


def document_ranking(report: Report) -> list[str]:
    """Return the readouts that documents are sorted by, the one that goes first in front."""
    measured = {score.name for score in report.scores if not score.key and not score.slice}
    specs = {name: report.specs[name] for name in measured if name in report.specs}
    return sorted(
        (name for name, spec in specs.items() if spec.column is not None and spec.better),
        key=lambda name: (specs[name].kind != FIELD, specs[name].column, name),
    )


def documents(report: Report, most: int) -> list[DocumentLine]:
    """Return the lines of the worst documents, the worst first."""
    specs, ranked = report.specs, document_ranking(report)

    def badness(line: DocumentLine) -> tuple[list[tuple[bool, float]], str]:
        values = ((line.scores.get(name), specs[name]) for name in ranked)
        shares = [
            (value is None, 0.0 if value is None else _badness(value, spec))
            for value, spec in values
        ]
        return shares, line.id

    return heapq.nsmallest(most, report.lines, key=badness)


def leading_shares(table: KindTable) -> dict[str, Column]:
    """Return each metric's first column of shares of which higher ones are better, by metric."""
    leading: dict[str, Column] = {}
    for column in table.columns:
        metric = column.readouts[0].partition(".")[0]
        if metric not in leading and _is_share(column, table.lines):
            leading[metric] = column
    return leading


def _is_share(column: Column, lines: Sequence[KeyLine]) -> bool:
    if column.attribute != "value" or column.spec.better != HIGHER or column.spec.unit == COUNT:
        return False
    scores = (column.score(line) for line in lines)
    return any(score is not None and score.value is not None for score in scores)


def listed(report: Report) -> list[tuple[str, list[Score]]]:
    """Return the overall scores, metric by metric, that no headline and no section shows."""
    by_metric: dict[str, list[Score]] = {}
    for score in report.scores:
        spec = report.specs.get(score.name)
        wanted = score.metric not in report.spoken or (spec is not None and spec.listed)
        if wanted and not score.key and not score.slice:
            by_metric.setdefault(score.metric, []).append(score)
    return [*by_metric.items()]


def unit_of(report: Report, score: Score) -> str:
    """Return the unit of a score."""
    spec = report.specs.get(score.name)
    return "" if spec is None else spec.unit
