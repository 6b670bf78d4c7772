"""A case as it would be if some corrections had been made: gold's values in place of pred's."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from docassay.align.twins import Twins
from docassay.case import Case
from docassay.causes.corrections import Correction
from docassay.causes.pairs import Pair
from docassay.model.document import Document, Group, Reading
from docassay.verdicts import Fate

Made = Collection[tuple[int, Fate]]
"""The corrections to make, each by the identity of its pair and its fate."""


def fixed(case: Case, root: Pair, chosen: Iterable[Correction], *, in_order: bool = False) -> Case:
    """Return the case with corrections made; `in_order` puts rows into gold's order besides."""
    made = {(id(one.pair), one.fate) for one in chosen}
    pred = _group(root, made, in_order=in_order) or Group("", None, {})
    gold = root.gold or Group("", None, {})
    return Case(
        case.id,
        Document(case.gold.tree, gold, ()),
        Document(case.pred.tree, pred, ()),
        case.layout,
        case.pairwise,
        Twins(case.gold.tree, case.pred.tree),
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
        found = _rows(rows, made, in_order=in_order)
        if found:
            groups[path] = found
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
    found: dict[str, list[_Cell]] = {}
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
        found.setdefault(path, []).append(cell)
    for cells in found.values():
        cells.sort(key=lambda cell: cell[:2])
    return found


def _rows(pairs: Sequence[Pair], made: Made, *, in_order: bool) -> list[Group]:
    """Return the rows of a type after the corrections, numbered anew where any came or went."""
    rows = {id(pair): _group(pair, made, in_order=in_order) for pair in pairs}
    as_found = [id(one) for one in _in_order_of(pairs, gold=False)]
    kept = [key for key in _places(pairs, in_order=in_order) if rows[key] is not None]
    found = [row for key in kept if (row := rows[key]) is not None]
    if kept != as_found:
        for number, row in enumerate(found):
            row.index = None if row.index is None else number
    return found


def _places(pairs: Sequence[Pair], *, in_order: bool) -> list[int]:
    """Return pred's rows in order, and gold's missing ones each after gold's row before it."""
    golds = _in_order_of(pairs, gold=True)
    order = _in_order_of(pairs, gold=False)
    if in_order:
        both = iter([one for one in golds if one.pred is not None])
        order = [one if one.gold is None else next(both) for one in order]
    places = [id(one) for one in order]
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
    rows = [(one, one.gold if gold else one.pred) for one in pairs]
    known = [(row.index or 0, one) for one, row in rows if row is not None]
    return [one for _, one in sorted(known, key=lambda each: each[0])]
