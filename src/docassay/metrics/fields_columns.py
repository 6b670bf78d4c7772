"""Fields as lists: every field of a document with its items and where each of them stands.

A column of a group is the list of its cells from row to row. A position names the row (and the row
inside a row) and the place in a list, so that a placeholder or an empty cell keeps its slot.
"""

from __future__ import annotations

from typing import NamedTuple

from docassay.model.document import Group, Reading

Position = tuple[int, ...]


class Items(NamedTuple):
    """The items of a field in one document, in file order, and their positions."""

    readings: tuple[Reading, ...] = ()
    positions: tuple[Position, ...] = ()
    group: str = ""
    """The group whose column the field is, "" for a field of the document itself."""


ABSENT = Items()


def items_of(root: Group) -> dict[str, Items]:
    """Return every field of a document that has a value, at any depth."""
    if not root.groups and root.single:
        return {path: Items(found, _FIRST) for path, found in root.values.items()}
    found: dict[str, _Found] = {}
    _walk(root, (), found)
    return {
        path: Items(tuple(one.readings), tuple(one.positions), one.group)
        for path, one in found.items()
    }


class _Found(NamedTuple):
    """The items of a field as they are gathered."""

    readings: list[Reading]
    positions: list[Position]
    group: str


_FIRST: tuple[Position, ...] = ((0,),)


def _walk(group: Group, place: Position, found: dict[str, _Found]) -> None:
    for path, readings in group.values.items():
        own = found.get(path)
        if own is None:
            own = found[path] = _Found([], [], group.type)
        own.readings.extend(readings)
        own.positions.extend((*place, slot) for slot in group.positions(path))
    for rows in group.groups.values():
        last = -1
        for row in rows:
            # rows under two keys of one group go on counting where the first ended
            last = row.index if row.index is not None and row.index > last else last + 1
            _walk(row, (*place, last), found)
