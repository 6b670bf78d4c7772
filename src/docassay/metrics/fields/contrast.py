"""What a field holds on both sides of a document, place by place.

A field has one reading for each text, so values that are right to the letter are the same object on
both sides. Most rows hold nothing else: the columns of plain rows are walked together, and only
cells of rows that differ are looked at one by one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from docassay.kernel.columns import (
    Contrast,
    contrast_columns,
    contrast_documents,
    contrast_items,
)
from docassay.model.document import Group, Reading

if TYPE_CHECKING:
    from docassay.matching.case import Case

Position = tuple[int, ...]
Readings = tuple[Reading, ...]


class Items(NamedTuple):
    """The items of a field in one document, in file order, and their positions."""

    readings: Readings = ()
    positions: tuple[Position, ...] = ()
    group: str = ""
    """The group whose column the field is, "" for a field of the document itself."""


ABSENT = Items()


class Contents(NamedTuple):
    """The fields of a document that have a value on either side, at any depth."""

    right: list[str]
    """Fields of the document itself that have one value, the same on both sides."""
    others: dict[str, Contrast]
    flat: bool
    """Whether it is known that no row has rows inside."""


def contents(case: Case) -> Contents:
    """Return how the fields of the two documents of a case differ."""
    gold, pred = case.gold.root, case.pred.root
    counted, pairwise = case.tally().counted, case.pairwise
    usual = contrast_documents(gold, pred, counted, pairwise)
    if usual is not None:
        return Contents(*usual, True)
    if gold.single and pred.single:
        return any_contents(gold, pred)
    columns, others = contrast_columns(gold, pred, counted, pairwise), _own_fields(gold, pred)
    if columns is None or not columns.keys().isdisjoint(others):
        return any_contents(gold, pred)
    return Contents([], others | columns, True)


def any_contents(gold: Group, pred: Group) -> Contents:
    """Return how the fields of two documents differ, whatever these hold."""
    golds, preds = items_of(gold), items_of(pred)
    paths = {**golds, **preds}
    others = {path: contrast(golds.get(path, ABSENT), preds.get(path, ABSENT)) for path in paths}
    return Contents([], others, False)


def contrast(gold: Items, pred: Items) -> Contrast:
    """Return how the items of a field differ: the rule for items of any places."""
    golds, preds = gold.readings, pred.readings
    if gold.positions == pred.positions:
        pairs = [*zip(golds, preds, strict=True)]
    else:
        at = {position: j for j, position in enumerate(pred.positions)}
        pairs = [
            (golds[i], preds[at[place]]) for i, place in enumerate(gold.positions) if place in at
        ]
    return contrast_items(gold.group or pred.group, (golds, preds), pairs)


def _own_fields(gold: Group, pred: Group) -> dict[str, Contrast]:
    """Return the fields of the documents themselves, whatever these hold."""
    both = {**gold.values, **pred.values}
    return {path: contrast(_own_items(gold, path), _own_items(pred, path)) for path in both}


def _own_items(group: Group, path: str) -> Items:
    readings = group.values.get(path)
    if readings is None:
        return ABSENT
    return Items(readings, tuple([(place,) for place in group.positions(path)]))


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
