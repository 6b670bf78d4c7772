"""What each cause takes from a document's accuracy by `fields`, in parts that add up exactly.

What a field loses is shared out evenly among its corrections that cost it something. Where the
method looks at the order of rows, right values take part that stand in another order than gold's,
and so do the rows too many or too few that shift a column without having a value in it. The whole
parts are given out by largest remainder.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from docassay.matching.case import Case
from docassay.matching.groups import Matcher
from docassay.matching.verdicts import RIGHT, SUBSTITUTION, Fate
from docassay.metrics.causes import OTHER, WRONG_ROW
from docassay.metrics.causes.corrections import Correction
from docassay.metrics.causes.rows import Pair
from docassay.metrics.causes.values import cause_between
from docassay.metrics.fields.methods import Rules
from docassay.metrics.fields.metric import judge_of, method_of
from docassay.model.document import Document, Group, Reading
from docassay.model.stats import PARTS
from docassay.values.field import BoundField

Made = Collection[tuple[int, Fate]]
"""The corrections to make, each by the identity of its pair and its fate."""


def fixed(case: Case, root: Pair, chosen: Iterable[Correction], *, in_order: bool = False) -> Case:
    """Return the case with corrections made; `in_order` puts rows into gold's order besides."""
    made = {(id(correction.pair), correction.fate) for correction in chosen}
    pred = _group(root, made, in_order=in_order) or Group("", None, {})
    gold = root.gold or Group("", None, {})
    return Case(
        case.id,
        Document(case.gold.tree, gold, ()),
        Document(case.pred.tree, pred, ()),
        case.layout,
        Matcher(case.layout, case.pairwise, confident=case.pred.confident),
    )


def _group(pair: Pair, made: Made, *, in_order: bool) -> Group | None:
    """Return pred's group after the corrections, None when nothing is left of it."""
    values: dict[str, tuple[Reading, ...]] = {}
    slots: dict[str, list[int]] = {}
    for path, cells in _cells(pair, made).items():
        values[path] = tuple(reading for _, _, reading in cells)
        places = [place for place, _, _ in cells]
        if places != [*range(len(places))]:
            slots[path] = places
    groups = {}
    for path, rows in pair.inside.items():
        members = _rows(rows, made, in_order=in_order)
        if members:
            groups[path] = members
    if not values and not groups and pair.type:
        return None
    of = pair.pred or pair.gold
    index = None if of is None else of.index
    single = not slots and all(len(readings) == 1 for readings in values.values())
    return Group(pair.type, index, values, groups, slots, single)


class _Cell(NamedTuple):
    """A value and its place in its list; of two in one place pred's own comes first."""

    place: int
    added: bool
    reading: Reading


def _cells(pair: Pair, made: Made) -> dict[str, list[_Cell]]:
    columns: dict[str, list[_Cell]] = {}
    for fate in pair.fates:
        path = fate.field.path
        gold, pred = pair.readings(fate)
        right = (id(pair), fate) in made
        kept = gold if right else pred
        if kept is None:
            continue
        if fate.pred is not None and pair.pred is not None:
            cell = _Cell(pair.pred.positions(path)[fate.pred], False, kept)
        elif fate.gold is not None and pair.gold is not None:
            cell = _Cell(pair.gold.positions(path)[fate.gold], True, kept)
        columns.setdefault(path, []).append(cell)
    for cells in columns.values():
        cells.sort(key=lambda cell: cell[:2])
    return columns


def _rows(pairs: Sequence[Pair], made: Made, *, in_order: bool) -> list[Group]:
    """Return the rows of a type after the corrections, numbered anew where any came or went."""
    rows = {id(pair): _group(pair, made, in_order=in_order) for pair in pairs}
    as_found = [id(row_pair) for row_pair in _in_order_of(pairs, gold=False)]
    kept = [key for key in _places(pairs, in_order=in_order) if rows[key] is not None]
    groups = [row for key in kept if (row := rows[key]) is not None]
    if kept != as_found:
        for number, row in enumerate(groups):
            row.index = None if row.index is None else number
    return groups


def _places(pairs: Sequence[Pair], *, in_order: bool) -> list[int]:
    """Return pred's rows in order, and gold's missing ones each after gold's row before it."""
    golds = _in_order_of(pairs, gold=True)
    order = _in_order_of(pairs, gold=False)
    if in_order:
        both = iter([gold for gold in golds if gold.pred is not None])
        order = [row_pair if row_pair.gold is None else next(both) for row_pair in order]
    places = [id(row_pair) for row_pair in order]
    place = 0
    for pair in golds:
        if pair.pred is None:
            places.insert(place, id(pair))
        else:
            place = places.index(id(pair))
        place += 1
    return places


def _in_order_of(pairs: Sequence[Pair], *, gold: bool) -> list[Pair]:
    """Return the pairs that have a row on one side, in the order of that side's file."""
    rows = [(pair, pair.gold if gold else pair.pred) for pair in pairs]
    entries = [(row.index or 0, row_pair) for row_pair, row in rows if row is not None]
    return [row_pair for _, row_pair in sorted(entries, key=lambda each: each[0])]


ORDERED = frozenset({"exact", "order_aware_f1"})
"""Methods that look at where values stand."""
WHOLE = frozenset({"exact", "anls"})
"""Methods for which an item that is nearly right still costs something."""

Key = tuple[str, str]
"""A field (or a group whose columns share a score) and a cause."""


class Blame:
    """Who is to blame for what the fields of a case lose."""

    def __init__(
        self, case: Case, root: Pair, found: Sequence[Correction], *, method: str, rules: Rules
    ) -> None:
        self.case = case
        self.pairs = [*root.walk()]
        self.found = found
        self.method = method
        self.rules = rules

    def lost(self, scores: Mapping[str, float]) -> dict[Key, int]:
        """Return the parts per billion that are missing from the mean of scores, by cause."""
        if not scores:
            return {}
        total = PARTS - round(sum(scores.values()) / len(scores) * PARTS)
        weights = self._weights(scores)
        shares = {
            (unit, cause): Fraction(1 - score) * weight / sum(weights[unit].values())
            for unit, score in scores.items()
            if score < 1
            for cause, weight in weights[unit].items()
        }
        return largest_remainder(shares, total)

    def _weights(self, scores: Mapping[str, float]) -> dict[str, Counter[str]]:
        """Return how often each cause is to blame, for every score that is not perfect."""
        wanted = {unit for unit, score in scores.items() if score < 1}
        weights: dict[str, Counter[str]] = {unit: Counter() for unit in wanted}
        for source in (self._costly(), self._all(), self._nearly_right()):
            blank = {unit for unit in wanted if not weights[unit]}
            for pair, field, cause in source if blank else ():
                unit = field.path if field.path in scores else pair.type
                if unit in blank:
                    weights[unit][cause] += 1
        return {unit: counter or Counter({OTHER: 1}) for unit, counter in weights.items()}

    def _costly(self) -> Iterator[tuple[Pair, BoundField, str]]:
        """Yield the corrections that cost something, and why right values are out of place."""
        for entry in self.found:
            if entry.fate.verdict != SUBSTITUTION or self._costs(entry):
                yield entry.pair, entry.fate.field, entry.cause
        for pair in displaced(self.pairs):
            for fate in pair.fates:
                if fate.verdict == RIGHT and self._method(pair, fate.field) in ORDERED:
                    yield pair, fate.field, WRONG_ROW
        for pair, _, cause in self.found:
            if pair.type and (pair.gold is None or pair.pred is None):
                for field in self._shifted[pair.type] - {entry.field for entry in pair.fates}:
                    yield pair, field, cause

    @cached_property
    def _shifted(self) -> defaultdict[str, set[BoundField]]:
        """The columns, by group, in which a right value stands in a row of another number."""
        columns: defaultdict[str, set[BoundField]] = defaultdict(set)
        for pair in self.pairs:
            if _is_elsewhere(pair):
                columns[pair.type].update(
                    fate.field
                    for fate in pair.fates
                    if fate.verdict == RIGHT and self._method(pair, fate.field) in ORDERED
                )
        return columns

    def _all(self) -> Iterator[tuple[Pair, BoundField, str]]:
        return ((pair, fate.field, cause) for pair, fate, cause in self.found)

    def _nearly_right(self) -> Iterator[tuple[Pair, BoundField, str]]:
        """Yield why values differ that are accepted all the same, and values out of place."""
        for pair in self.pairs:
            for fate in pair.fates:
                gold, pred = pair.readings(fate)
                if fate.verdict != RIGHT or gold is None or pred is None:
                    continue
                if gold.canonical != pred.canonical:
                    yield pair, fate.field, cause_between(gold, pred, fate.field)
                elif fate.gold != fate.pred or _is_elsewhere(pair):
                    yield pair, fate.field, WRONG_ROW

    def _method(self, pair: Pair, field: BoundField) -> str:
        return method_of(self.case.layout, field.path, pair.type, self.method)

    def _costs(self, one: Correction) -> bool:
        """Whether a wrong value of a list is not near enough to count as found."""
        gold, pred = one.pair.readings(one.fate)
        field = one.fate.field
        if (
            not one.pair.type
            or gold is None
            or pred is None
            or self._method(one.pair, field) in WHOLE
        ):
            return True
        return not judge_of(self.case.layout, field.path, self.rules).item_matches(gold, pred)


def displaced(pairs: Iterable[Pair]) -> Iterator[Pair]:
    """Yield the pairs of rows that are not in the order of gold among the rows that have both."""
    for pair in pairs:
        for rows in pair.inside.values():
            both = [row for row in rows if _place(row) is not None]
            order = sorted(both, key=lambda link: _place(link) or (0, 0))
            preds = sorted(both, key=lambda link: (_place(link) or (0, 0))[::-1])
            yield from (link for link, other in zip(order, preds, strict=True) if link is not other)


def _is_elsewhere(pair: Pair) -> bool:
    return pair.gold is not None and pair.pred is not None and pair.gold.index != pair.pred.index


def _place(pair: Pair) -> tuple[int, int] | None:
    if pair.gold is None or pair.pred is None:
        return None
    gold, pred = pair.gold.index, pair.pred.index
    return None if gold is None or pred is None else (gold, pred)


def largest_remainder(shares: Mapping[Key, Fraction], total: int) -> dict[Key, int]:
    """Return whole numbers in proportion to shares that add up to the total, without zeros."""
    weight = sum(shares.values())
    if not weight:
        return {}
    quotas = {key: share * total / weight for key, share in shares.items()}
    counts = {key: int(quota) for key, quota in quotas.items()}
    left = total - sum(counts.values())
    for key in sorted(quotas, key=lambda key: (counts[key] - quotas[key], key))[:left]:
        counts[key] += 1
    return {key: count for key, count in counts.items() if count}
