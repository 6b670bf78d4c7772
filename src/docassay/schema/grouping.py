"""Grouping: flat entities of a document, such as a tagger gives, put together into rows.

Each way is a pure function from entities to rows and what is left over. `repetition` starts a row
where a name comes again in reading order (Algorithm 1 of VRDU, the last row included); `slots` puts
an entity into the first row that lacks its name (KIEval, 5.3); `position` takes what stands at one
height of a page; `ids` goes by the row that each entity names.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from math import isfinite
from operator import itemgetter
from statistics import median
from typing import NamedTuple

from docassay.errors import UnknownName
from docassay.model.document import LEAF_MARKS, Number, TaggedText
from docassay.model.schema import GROUPINGS, GroupSpec

GROUP_ID = "group"
"""The key that names a value's row when nothing else is stated."""

Box = tuple[float, float, float, float]


class Flat(NamedTuple):
    """One entity outside any row: its name, its leaf, and what may say where it belongs."""

    name: str
    leaf: object
    start: int | None = None
    """Where its text begins in the document's text."""
    page: int | None = None
    box: Box | None = None
    """Left, top, right and bottom, the page counted from its top."""
    group: str | None = None


Row = list[Flat]


class Grouped(NamedTuple):
    """Rows in order, and the entities that the way of grouping can say nothing about."""

    rows: list[Row]
    left: list[Flat]


def by_repetition(entities: Sequence[Flat]) -> Grouped:
    """Start a row where a name comes again; in order of text when all say where they begin."""
    rows: list[Row] = []
    names: set[str] = set()
    for entity in in_order(entities):
        if not rows or entity.name in names:
            rows.append([])
            names = set()
        rows[-1].append(entity)
        names.add(entity.name)
    return Grouped(rows, [])


def in_order(entities: Sequence[Flat]) -> list[Flat]:
    """Return entities in the order of the text, or as listed when any does not say its place."""
    starts = [entity.start for entity in entities if entity.start is not None]
    if len(starts) < len(entities):
        return [*entities]
    order = sorted(range(len(starts)), key=starts.__getitem__)
    return [entities[i] for i in order]


def by_slots(entities: Sequence[Flat]) -> Grouped:
    """Put each entity into the first row that has none of its name yet."""
    rows: list[Row] = []
    filled: dict[str, int] = {}
    for entity in in_order(entities):
        slot = filled.get(entity.name, 0)
        filled[entity.name] = slot + 1
        if slot == len(rows):
            rows.append([])
        rows[slot].append(entity)
    return Grouped(rows, [])


def by_position(entities: Sequence[Flat]) -> Grouped:
    """Start a row, from top to bottom, beyond half the median height from the mean of the row."""
    pages: dict[int, list[tuple[Box, Flat]]] = {}
    for leaf in entities:
        if leaf.box is not None:
            pages.setdefault(leaf.page or 0, []).append((leaf.box, leaf))
    rows = [row for _, cells in sorted(pages.items(), key=itemgetter(0)) for row in _lines(cells)]
    return Grouped(rows, [entity for entity in entities if entity.box is None])


def _lines(found: list[tuple[Box, Flat]]) -> list[Row]:
    """Return the entities of a page line by line, each from left to right."""
    reach = median(abs(box[3] - box[1]) for box, _ in found) / 2
    lines: list[list[tuple[Box, Flat]]] = []
    total = 0.0
    for box, entity in sorted(found, key=lambda cell: cell[0][1] + cell[0][3]):
        middle = (box[1] + box[3]) / 2
        if not lines or middle - total / len(lines[-1]) > reach:
            lines.append([])
            total = 0.0
        lines[-1].append((box, entity))
        total += middle
    return [[entity for _, entity in sorted(line, key=lambda cell: cell[0][0])] for line in lines]


def by_ids(entities: Sequence[Flat]) -> Grouped:
    """Put together what names the same row, rows in the order of their first entity."""
    rows: dict[str, Row] = {}
    for leaf in entities:
        if leaf.group is not None:
            rows.setdefault(leaf.group, []).append(leaf)
    return Grouped([*rows.values()], [entity for entity in entities if entity.group is None])


_WAYS: Mapping[str, Callable[[Sequence[Flat]], Grouped]] = dict(
    zip(GROUPINGS, (by_repetition, by_slots, by_position, by_ids), strict=True)
)


def group_by(way: str, entities: Sequence[Flat]) -> Grouped:
    """Return the rows by a named way of grouping; an unknown one lists what exists."""
    if way not in _WAYS:
        raise UnknownName("grouping", way, _WAYS)
    return _WAYS[way](entities)


def fields_of(entities: Iterable[Flat]) -> dict[str, object]:
    """Return the leaves by name, a list where a name comes several times."""
    leaves: dict[str, list[object]] = {}
    for entity in entities:
        leaves.setdefault(entity.name, []).append(entity.leaf)
    return {name: values[0] if len(values) == 1 else values for name, values in leaves.items()}


class Nested(NamedTuple):
    """A tree with its rows, how many were made by group, and what could not be put into one."""

    tree: Mapping[str, object]
    rows: Mapping[str, int]
    left: Mapping[str, int]


def nest(
    tree: Mapping[str, object],
    specs: Sequence[GroupSpec],
    *,
    known: Container[str] = (),
    entities: Sequence[Flat] | None = None,
) -> Nested:
    """Return a tree in which loose values of these groups' fields stand in rows.

    They are looked for in the tree, unless `entities` are given. A field is recognised by its path,
    an alias, or the last part of its path unless that is `known` to be something else. What cannot
    be put into a row stays under its path.
    """
    rows: dict[str, int] = {}
    left: dict[str, int] = {}
    for spec in specs:
        names = component_names(spec, known)
        if entities is None:
            loose = flat(tree, names, spec.group_id or GROUP_ID)
        else:
            loose = [
                entity._replace(name=names[entity.name])
                for entity in entities
                if entity.name in names
            ]
        if not loose:
            continue
        made = group_by(spec.grouping or GROUPINGS[0], loose)
        kept = {key: value for key, value in tree.items() if key not in names}
        standing = kept.get(spec.path, [])
        before = standing if isinstance(standing, list) else [standing]
        apart = {f"{spec.path}.{name}": leaf for name, leaf in fields_of(made.left).items()}
        tree = {**kept, **apart}
        if made.rows:
            tree[spec.path] = [*before, *map(fields_of, made.rows)]
        rows[spec.path] = len(made.rows)
        left[spec.path] = len(made.left)
    return Nested(tree, rows, {path: count for path, count in left.items() if count})


def component_names(spec: GroupSpec, known: Container[str]) -> dict[str, str]:
    """Return the keys under which a group's fields may stand loose, with their short names."""
    short = {field.path: field.path.removeprefix(f"{spec.path}.") for field in spec.fields}
    aliases = {alias: short[field.path] for field in spec.fields for alias in field.aliases}
    bare = {**{name: name for name in short.values()}, **aliases}
    return {**{key: name for key, name in bare.items() if key not in known}, **short}


def flat(tree: Mapping[str, object], names: Mapping[str, str], group_id: str) -> list[Flat]:
    """Return the loose values of a tree under these keys, in the order of the file."""
    if isinstance(tree, TaggedText):
        pairs = [(block.category or "", block.text) for block in tree.blocks]
        return [Flat(names[name], words) for name, words in pairs if name in names]
    return [
        flat_of(names[key], item, group_id)
        for key, value in tree.items()
        if key in names
        for item in (value if isinstance(value, list) else [value])
    ]


def flat_of(name: str, leaf: object, group_id: str) -> Flat:
    """Return an entity from its leaf, which may say its page, its box and its row."""
    if not isinstance(leaf, Mapping) or LEAF_MARKS.isdisjoint(leaf):
        return Flat(name, leaf)
    rest = {key: value for key, value in leaf.items() if key != group_id}
    group = leaf.get(group_id)
    return Flat(
        name,
        rest,
        page=whole(leaf.get("page")),
        box=box_of(leaf.get("box")),
        group=None if group is None else str(group),
    )


def whole(raw: object) -> int | None:
    """Return a whole number that JSON gave, else None."""
    return raw if isinstance(raw, int) and not isinstance(raw, bool) else None


def box_of(raw: object) -> Box | None:
    """Return four corners that JSON gave, else None."""
    if not isinstance(raw, list | tuple) or len(raw) != 4:
        return None
    if not all(isinstance(edge, int | float | Number) for edge in raw):
        return None
    try:
        left, top, right, bottom = map(float, raw)
    except (ValueError, OverflowError):
        return None
    box = (left, top, right, bottom)
    return box if all(map(isfinite, box)) else None
