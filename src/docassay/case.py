"""A case: the gold and the pred record of one document, with the views that metrics share.

Costly views (which values are equal, which rows go together) are made once, when first asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from docassay.align.groups import Matched, Matcher
from docassay.align.tally import Tally
from docassay.layout import Layout
from docassay.model.document import NOTHING, Document, Group, Problem, Reading
from docassay.model.schema import Schema
from docassay.reading import TreeReader


class Matching:
    """The groups of two documents as matched: the pairs with their parents, and who is exact."""

    def __init__(self, matcher: Matcher, gold: Group, pred: Group) -> None:
        self.matcher = matcher
        self.gold = gold
        self.pred = pred

    def inside(self, gold: Group | None, pred: Group | None) -> Iterator[tuple[str, Matched]]:
        """Yield each group type inside a pair of groups with its rows as matched."""
        ours = NOTHING if gold is None else gold.groups
        theirs = NOTHING if pred is None else pred.groups
        for path in sorted({*ours, *theirs}):
            yield path, self.matcher.match(ours.get(path, ()), theirs.get(path, ()), path)


class Case:
    """One document's gold and pred, read by the layout of the gold document's type."""

    def __init__(
        self, id: str, gold: Document, pred: Document, layout: Layout, pairwise: frozenset[str]  # noqa: A002
    ) -> None:
        self.id = id
        self.gold = gold
        self.pred = pred
        self.layout = layout
        self.pairwise = pairwise
        """Fields whose values a key cannot settle in this document."""
        self._matchings: dict[bool, Matching] = {}
        self._tallies: dict[bool, Tally] = {}

    @property
    def type(self) -> str:
        """The gold document's type, "" when the schema has none."""
        return "" if self.layout.kind is None else self.layout.kind.name

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What was wrong with either record."""
        return self.gold.problems + self.pred.problems

    def matching(self, *, flatten: bool = False) -> Matching:
        """Return how groups go together; `flatten` folds nested groups into their parents first."""
        known = self._matchings.get(flatten)
        if known is None:
            gold, pred = self.gold.root, self.pred.root
            if flatten:
                gold, pred = flattened(gold), flattened(pred)
            matcher = Matcher(self.layout, self.pairwise)
            known = self._matchings[flatten] = Matching(matcher, gold, pred)
        return known

    def tally(self, *, flatten: bool = False) -> Tally:
        """Return what the matching counts: right, substituted, added and deleted values."""
        known = self._tallies.get(flatten)
        if known is None:
            matching = self.matching(flatten=flatten)
            known = Tally(matching.matcher, matching.gold, matching.pred)
            self._tallies[flatten] = known
        return known

    @cached_property
    def ungrouped(self) -> Mapping[str, int]:
        """The number of equal values by field, whatever group they stand in."""
        tally = self.tally()
        gold, pred = self.gold.root, self.pred.root
        return {path: tally.ungrouped(path, gold, pred) for path in tally.fields}


def _gather(group: Group, into: dict[str, list[Reading]]) -> None:
    for path, readings in group.values.items():
        known = into.get(path)
        if known is None:
            into[path] = [*readings]
        else:
            known.extend(readings)
    for rows in group.groups.values():
        for row in rows:
            _gather(row, into)


def flattened(group: Group) -> Group:
    """Return the group with the values of nested groups folded into its rows as further values."""
    groups = {path: [_folded(row) for row in rows] for path, rows in group.groups.items()}
    return Group(group.type, group.index, group.values, groups, group.slots, group.single)


def _folded(row: Group) -> Group:
    if not row.groups:
        return row
    values: dict[str, list[Reading]] = {}
    _gather(row, values)
    return Group(row.type, row.index, values, single=False)


class Layouts:
    """The layouts of a schema: one for each document type, and one for documents of none."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.plain = Layout(schema, None)
        self._by_type = {kind.name: Layout(schema, kind) for kind in schema.types}

    def of(self, tree: object) -> tuple[Layout, str | None]:
        """Return the layout of a gold tree, and what is wrong with its type if anything is."""
        if not self._by_type:
            return self.plain, None
        name = self.schema.type_field
        raw = tree.get(name) if isinstance(tree, Mapping) else None
        if isinstance(raw, Mapping):
            raw = raw.get("value")
        reading = None if raw is None else self.plain.field(name).readings[str(raw)]
        if reading is None:
            return self.plain, f"gold has no {name}: all fields count"
        layout = self._by_type.get(reading.canonical)
        if layout is None:
            return self.plain, f"document type {reading.text!r} is not in the schema: all fields count"
        return layout, None


def make_case(id: str, gold: object, pred: object, layouts: Layouts) -> Case:  # noqa: A002
    """Read a gold and a pred tree into a case."""
    layout, mistake = layouts.of(gold)
    left = TreeReader(layout, id, gold=True)
    if mistake is not None:
        left.problem(layouts.schema.type_field, mistake)
    gold_document = left.read(gold)
    right = TreeReader(layout, id, gold=False)
    pred_document = right.read(pred)
    untamed = left.untamed + right.untamed
    return Case(id, gold_document, pred_document, layout, _pairwise(untamed) if untamed else NONE)


NONE: frozenset[str] = frozenset()


def _pairwise(untamed: list[tuple[str, Reading]]) -> frozenset[str]:
    """Return the fields where a key does not settle equality: no key, or scopes that disagree."""
    paths: set[str] = set()
    scopes: dict[str, set[object]] = {}
    for path, reading in untamed:
        if reading.key is None or len(reading.alternatives) > 1:
            paths.add(path)
        else:
            scopes.setdefault(path, set()).add(reading.scope)
    paths.update(path for path, seen in scopes.items() if len(seen) > 1)
    return frozenset(paths)
