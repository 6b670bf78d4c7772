"""Totals: what a report needs of all rows of a run, added up as they come and merged in any order.

A report could be made of the rows alone. They are many, though, and scored in many places: so each
part of a run brings its totals along, and nobody has to go through all rows for the first screen.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol, cast

import msgspec

from docassay.model.problem import REPAIRED, Problem, ProblemCode, ResponseOutcome
from docassay.model.report import META_COLUMNS, DocumentLine, MetaValue
from docassay.model.stats import Counts, Key, Stats, Sums
from docassay.run.score import Row

UNTAGGED = "(none)"
"""The value of a tag that a document does not have."""


class LeftOut(NamedTuple):
    """How much of one field was left out on one side, in all documents."""

    documents: int
    values: int


class UnreadableValues(NamedTuple):
    """How many values of a field of gold cannot be read by its type, and the first of them."""

    number: int
    first: Problem


class Tagged(Protocol):
    """What has tags: a row."""

    def tagged(self, tag: str) -> str:
        """Return the value of a tag."""
        ...


_Tables = dict[str, dict[Key, Counts]]


class TotalsPart(msgspec.Struct):
    """The totals of some documents as data, as they travel from where these were scored."""

    documents: dict[str, int]
    """Documents by slice, "" for all."""
    stats: dict[str, dict[str, _Tables]]
    """By slice and metric."""
    outcomes: dict[str, int]
    repairs: dict[str, int]
    left_out: dict[tuple[str, str, str], LeftOut]
    meta: dict[str, list[float]]
    models: dict[str, int]
    clusters: dict[str, int]
    tags: set[str]
    unreadable: dict[str, UnreadableValues]
    violations: int


class RunTotals:
    """What a report needs of all rows."""

    def __init__(self, by: Iterable[str] = (), cluster: str | None = None) -> None:
        """Add up by slices too: `by` and `cluster` are tags, or `type`."""
        self.by, self.cluster = tuple(by), cluster
        self._documents: Counter[str] = Counter()
        self._sums = {"": Sums()}
        self.outcomes: Counter[str] = Counter()
        self.repairs: Counter[str] = Counter()
        self.left_out: dict[tuple[str, str, str], LeftOut] = {}
        self.meta: dict[str, array[float]] = {}
        """Numbers that are kept beside predictions, by name."""
        self.models: Counter[str] = Counter()
        self.clusters: Counter[str] = Counter()
        """Documents by value of the tag that they are drawn together by, "" for none."""
        self.tags: set[str] = set()
        self.unreadable: dict[str, UnreadableValues] = {}
        self.violations = 0

    @classmethod
    def of(
        cls, rows: Iterable[Row], by: Iterable[str] = (), cluster: str | None = None
    ) -> RunTotals:
        """Return the totals of rows."""
        totals = cls(by, cluster)
        for row in rows:
            totals.add((row,))
        return totals

    @property
    def documents(self) -> int:
        """How many documents there are."""
        return self._documents[""]

    def documents_of(self, part: str) -> int:
        """Return how many documents a slice has."""
        return self._documents[part]

    def stats(self, metric: str, part: str = "") -> Stats:
        """Return the sum of what a metric counted, in a slice or in all documents."""
        return self._sums[part].total(metric)

    def slices(self, tag: str) -> list[str]:
        """Return the names of the slices by a tag, in order."""
        return sorted(part for part in self._sums if part.startswith(f"{tag}="))

    def add(self, rows: Sequence[Row]) -> None:
        """Add documents."""
        self._add("", [row.stats for row in rows], len(rows))
        for row in rows:
            for tag in self.by:
                self._add(slice_of(row, tag), [row.stats], 1)
            if self.cluster is not None:
                self.clusters[row.tagged(self.cluster)] += 1
            if row.tags:
                self.tags.update(row.tags)
            if row.outcome is not None:
                self._respond(row.outcome)
            for aside in row.aside:
                self._leave_out(aside[:3], LeftOut(1, aside.values))
            if row.meta:
                self._take_meta(row.meta)
            for problem in row.problems:
                if problem.code == ProblemCode.UNREADABLE_VALUE and problem.side == "gold":
                    self._note(problem.field, UnreadableValues(1, problem))
            self.violations += len(row.violations)

    def imply(self, metric: str, stats: Stats) -> None:
        """Take the sums of a metric that was not counted: they follow from those of another."""
        self._add("", [{metric: stats}], 0)

    def _add(self, part: str, stats: Sequence[Mapping[str, Stats]], documents: int) -> None:
        self._documents[part] += documents
        sums = self._sums.get(part)
        if sums is None:
            sums = self._sums[part] = Sums()
        sums.add(stats)

    def _take_meta(self, meta: Mapping[str, MetaValue]) -> None:
        for name, value in meta.items():
            if isinstance(value, str):
                self.models[value] += 1
            else:
                self.meta.setdefault(name, array("d")).append(value)

    def _respond(self, outcome: ResponseOutcome) -> None:
        self.outcomes[outcome.kind] += 1
        if outcome.kind == REPAIRED:
            self.repairs.update({repair.kind for repair in outcome.repairs})

    def _leave_out(self, place: tuple[str, str, str], more: LeftOut) -> None:
        before = self.left_out.get(place, LeftOut(0, 0))
        self.left_out[place] = LeftOut(
            before.documents + more.documents, before.values + more.values
        )

    def _note(self, field: str, more: UnreadableValues) -> None:
        before = self.unreadable.get(field)
        self.unreadable[field] = (
            more if before is None else before._replace(number=before.number + more.number)
        )

    def part(self) -> TotalsPart:
        """Return the totals as data."""
        return TotalsPart(
            dict(self._documents),
            {part: cast("dict[str, _Tables]", sums.totals()) for part, sums in self._sums.items()},
            dict(self.outcomes),
            dict(self.repairs),
            self.left_out,
            {name: [*numbers] for name, numbers in self.meta.items()},
            dict(self.models),
            dict(self.clusters),
            self.tags,
            self.unreadable,
            self.violations,
        )

    def merge(self, more: TotalsPart) -> None:
        """Add the totals of further documents, which come after those so far in gold order."""
        for part, stats in more.stats.items():
            self._add(part, [cast("Mapping[str, Stats]", stats)], more.documents.get(part, 0))
        self.outcomes.update(more.outcomes)
        self.repairs.update(more.repairs)
        for place, left_out in more.left_out.items():
            self._leave_out(place, left_out)
        for name, numbers in more.meta.items():
            self.meta.setdefault(name, array("d")).extend(numbers)
        self.models.update(more.models)
        self.clusters.update(more.clusters)
        self.tags |= more.tags
        for field, unreadable in more.unreadable.items():
            self._note(field, unreadable)
        self.violations += more.violations


def slice_of(row: Tagged, by: str) -> str:
    """Return the slice that a document is in by a tag or by its type."""
    return f"{by}={row.tagged(by) or UNTAGGED}"


class RecordColumns(msgspec.Struct):
    """What columns the tables of documents have, as far as their lines have come."""

    scores: dict[str, None] = {}
    """The names of readouts in their order."""
    metas: set[str] = set()
    fields: set[str] = set()
    cells: set[str] = set()
    typed: bool = False
    """Whether a document has a predicted type."""
    raw: bool = False
    """Whether predictions were raw responses."""

    @property
    def kept_metas(self) -> list[str]:
        """What is kept beside predictions, in its order."""
        return [name for name in META_COLUMNS if name in self.metas]

    def add(self, line: DocumentLine, cells: Iterable[str] = ()) -> None:
        """Take the columns of a document."""
        if not line.scores.keys() <= self.scores.keys():
            self.scores.update(dict.fromkeys(line.scores))
        self.metas.update(line.meta)
        self.fields.update(line.fields)
        self.cells.update(cells)
        self.typed = self.typed or bool(line.pred_type)
        self.raw = self.raw or line.outcome is not None

    def merge(self, more: RecordColumns) -> None:
        """Take the columns of documents that come later."""
        self.scores.update(more.scores)
        self.metas |= more.metas
        self.fields |= more.fields
        self.cells |= more.cells
        self.typed, self.raw = self.typed or more.typed, self.raw or more.raw


class DocumentTables(msgspec.Struct, array_like=True):
    """The lines of some documents in the tables of documents, and what columns these have."""

    documents: bytes
    extractions: bytes
    """Empty where no fields are scored."""
    columns: RecordColumns
    values: bytes
    """By which documents are ranked."""
