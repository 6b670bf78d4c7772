"""What a field holds on both sides of a document, place by place.

A field has one reading for each text, so values that are right to the letter are the same object on
both sides. Most rows hold nothing else: the columns of plain rows are walked together, and only
cells of rows that differ are looked at one by one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

import msgspec

from docassay.kernel.columns import column_of, compare_cells
from docassay.model.document import Group, Reading

Position = tuple[int, ...]
Readings = tuple[Reading, ...]
BothSides = tuple[Readings, Readings]
"""Items of gold and of pred."""


class Items(NamedTuple):
    """The items of a field in one document, in file order, and their positions."""

    readings: Readings = ()
    positions: tuple[Position, ...] = ()
    group: str = ""
    """The group whose column the field is, "" for a field of the document itself."""


ABSENT = Items()


def _no_items() -> BothSides:
    return (), ()


class Contrast(msgspec.Struct, gc=False):
    """How the items of a field differ between gold and pred."""

    group: str
    """The group whose column the field is, "" for a field of the document itself."""
    golds: int
    """How many items gold has."""
    preds: int
    shared: int
    """How many places hold an item on both sides."""
    gold_cells: Sequence[Reading] = ()
    """Gold's items in shared places, of those where pred's is not the same."""
    pred_cells: Sequence[Reading] = ()
    """Pred's items in these places."""
    gold_rest: Readings = ()
    """Gold's items without those that pred has as well, wherever they stand."""
    pred_rest: Readings = ()
    all_items: Callable[[], BothSides] = _no_items
    """Gives all items of gold and of pred, where both have some that differ."""

    @property
    def same_places(self) -> bool:
        """Whether both sides have their items in the same places."""
        return self.shared == self.golds == self.preds


@lru_cache(4096)
def all_same(items: int, group: str) -> Contrast:
    """Return the contrast of a field that is the same on both sides, place by place."""
    return Contrast(group, items, items, items)


class Contents(NamedTuple):
    """The fields of a document that have a value on either side, at any depth."""

    right: list[str]
    """Fields of the document itself that have one value, the same on both sides."""
    others: dict[str, Contrast]
    flat: bool = False
    """Whether it is known that no row has rows inside."""


def contents(gold: Group, pred: Group) -> Contents:
    """Return how the fields of two documents differ."""
    if _has_plain_rows(gold) and _has_plain_rows(pred):
        right, others = _own_fields(gold, pred)
        for path in {**gold.groups, **pred.groups}:
            columns = _columns(path, gold.groups.get(path, ()), pred.groups.get(path, ()))
            if not columns.keys().isdisjoint((*right, *others)):
                break  # a field that stands in several places
            others |= columns
        else:
            return Contents(right, others, flat=True)
    golds, preds = items_of(gold), items_of(pred)
    paths = {**golds, **preds}
    return Contents(
        [], {path: contrast(golds.get(path, ABSENT), preds.get(path, ABSENT)) for path in paths}
    )


def contrast(gold: Items, pred: Items) -> Contrast:
    """Return how the items of a field differ: the rule for items of any places."""
    golds, preds = gold.readings, pred.readings
    group = gold.group or pred.group
    if gold.positions == pred.positions:
        if golds == preds:
            return all_same(len(golds), group)
        both = [*zip(golds, preds, strict=True)]
    else:
        at = {position: j for j, position in enumerate(pred.positions)}
        both = [
            (golds[i], preds[at[place]]) for i, place in enumerate(gold.positions) if place in at
        ]
    pairs = [pair for pair in both if pair[0] is not pair[1]]
    return Contrast(
        group,
        len(golds),
        len(preds),
        len(both),
        [own for own, _ in pairs],
        [other for _, other in pairs],
        *_rests(golds, preds),
        partial(_given, golds, preds),
    )


def _given(golds: Readings, preds: Readings) -> BothSides:
    return golds, preds


def _rests(golds: Sequence[Reading], preds: Sequence[Reading]) -> BothSides:
    """Return the items of both sides without those that both have."""
    ours, theirs = {*golds}, {*preds}
    if ours.isdisjoint(theirs):
        return tuple(golds), tuple(preds)
    if len(ours) == len(golds) and len(theirs) == len(preds):
        return (
            tuple([item for item in golds if item not in theirs]),
            tuple([item for item in preds if item not in ours]),
        )
    return without(golds, preds), without(preds, golds)


def without(items: Sequence[Reading], others: Sequence[Reading]) -> Readings:
    """Return the items that are left when each of the others has taken one that is the same."""
    waiting = Counter(others)
    left = []
    for item in items:
        if waiting[item]:
            waiting[item] -= 1
        else:
            left.append(item)
    return tuple(left)


def _own_fields(gold: Group, pred: Group) -> tuple[list[str], dict[str, Contrast]]:
    """Return the fields of the documents themselves: those with the same value, and others."""
    ours, theirs = gold.values, pred.values
    if not gold.single or not pred.single:
        both = {**ours, **theirs}
        return [], {path: contrast(_own_items(gold, path), _own_items(pred, path)) for path in both}
    right: list[str] = []
    others: dict[str, Contrast] = {}
    for path, golds in ours.items():
        preds = theirs.get(path)
        if preds is None:
            others[path] = Contrast("", 1, 0, 0, (), (), golds)
        elif golds[0] is preds[0]:
            right.append(path)
        else:
            others[path] = Contrast("", 1, 1, 1, golds, preds, golds, preds)
    if len(right) < len(theirs):
        for path, preds in theirs.items():
            if path not in ours:
                others[path] = Contrast("", 0, 1, 0, (), (), (), preds)
    return right, others


def _own_items(group: Group, path: str) -> Items:
    readings = group.values.get(path)
    if readings is None:
        return ABSENT
    return Items(readings, tuple([(place,) for place in group.positions(path)]))


def _has_plain_rows(root: Group) -> bool:
    """Whether rows hold at most one value a field and no rows, and none is missing between them."""
    for rows in root.groups.values():
        last = rows[-1].index
        if last != len(rows) - 1 and (last is not None or len(rows) > 1):
            return False
        for row in rows:
            if row.groups or not row.single:
                return False
    return True


def _columns(group: str, golds: Sequence[Group], preds: Sequence[Group]) -> dict[str, Contrast]:
    """Return the columns of plain rows."""
    same, changes = compare_cells(golds, preds)
    columns = {path: all_same(count, group) for path, count in same.items() if path not in changes}
    for path, (gold_cells, pred_cells, gold_only, pred_only) in changes.items():
        gold_rest, pred_rest = _rests(gold_cells + gold_only, pred_cells + pred_only)
        shared = same.get(path, 0) + len(gold_cells)
        columns[path] = Contrast(
            group,
            shared + len(gold_only),
            shared + len(pred_only),
            shared,
            gold_cells,
            pred_cells,
            gold_rest,
            pred_rest,
            partial(_all_cells, golds, preds, path),
        )
    return columns


def _all_cells(golds: Sequence[Group], preds: Sequence[Group], path: str) -> BothSides:
    """Return the values of a column on both sides."""
    return column_of(golds, path), column_of(preds, path)


class _Gathered(NamedTuple):
    """The items of a field as they are gathered."""

    readings: list[Reading]
    positions: list[Position]
    group: str


def items_of(root: Group) -> dict[str, Items]:
    """Return every field of one side that has a value, at any depth."""
    gathered: dict[str, _Gathered] = {}
    _gather_values(root, (), gathered)
    for rows in root.groups.values():
        _gather_rows(rows, (), gathered)
    return {
        path: Items(tuple(field.readings), tuple(field.positions), field.group)
        for path, field in gathered.items()
    }


def _gather_values(group: Group, place: Position, gathered: dict[str, _Gathered]) -> None:
    for path, readings in group.values.items():
        own = gathered.get(path)
        if own is None:
            own = gathered[path] = _Gathered([], [], group.type)
        own.readings.extend(readings)
        own.positions.extend([(*place, slot) for slot in group.positions(path)])


def _gather_rows(rows: list[Group], place: Position, gathered: dict[str, _Gathered]) -> None:
    last = -1
    for row in rows:
        # rows under two keys of one group go on counting where the first ended
        last = row.index if row.index is not None and row.index > last else last + 1
        here = (*place, last)
        _gather_values(row, here, gathered)
        for inner in row.groups.values():
            _gather_rows(inner, here, gathered)
