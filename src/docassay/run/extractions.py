"""What was predicted, as cells of a table: one row a document, values first, then scores.

Which columns there are is known only when all documents are. The table can be given as predictions
to another run (`load/kept.py` says how it is read).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import TypeGuard, cast

from docassay.kernel.cells import CellMember, plain_cells
from docassay.load.kept import EXACT_ID, ID, REST, ROWS, SCORE
from docassay.load.wire import encode
from docassay.model.document import LEAF_KEYS, LEAF_MARKS, SEPARATOR, Number
from docassay.model.schema import Schema
from docassay.model.words import has_control
from docassay.run.output import csv_cell
from docassay.schema.layout import BoundGroup, Layout, Member
from docassay.values.field import BoundField

EXTRACTIONS = "extractions.csv"
Cells = dict[str, str]
_NUMBERS = frozenset({Number, float})
_LEAVES = frozenset({str, int, bool, type(None), *_NUMBERS})


class CellMaker:
    """Makes the cells of one document after the other."""

    def __init__(self) -> None:
        self._members: dict[Layout, _CellMembers] = {}

    def cells_of(self, tree: object, layout: Layout) -> Cells:
        """Return a tree as cells by column as they stand in CSV, those that are empty left out."""
        if type(tree) is not dict:
            return _as_csv(any_cells(tree, layout))
        members = self._members.get(layout)
        if members is None:
            members = self._members[layout] = _CellMembers(layout.root)
        others: list[str] = []
        cells = plain_cells(tree, members, LEAF_MARKS, others, csv_cell)
        if others:
            cells |= _as_csv(any_cells({key: tree[key] for key in others}, layout))
        return cells


def _as_csv(cells: Cells) -> Cells:
    return {column: csv_cell(text) for column, text in cells.items()}


class _CellMembers(dict[str, CellMember]):
    """Where plain values go that stand under the keys of a group, by key."""

    def __init__(self, group: BoundGroup, prefix: str = "") -> None:
        self._group, self._prefix = group, prefix

    def __missing__(self, key: str) -> CellMember:
        name = str(key)
        if not _can_head(name):
            return self.setdefault(key, CellMember(key, None, False, None))
        member = self._group.members[name]
        rows = None
        if self._group.root and member.column is None:
            rows = _CellMembers(member.group, f"{name}{ROWS}")
        means_digits = _field_of(member).plain_numbers
        head = f"{self._prefix}{name}"
        return self.setdefault(key, CellMember(key, head, means_digits, rows))


def any_cells(tree: object, layout: Layout) -> Cells:
    """Return the texts of the same cells, whatever the tree holds."""
    cells: Cells = {}
    rest: dict[str, object] = {}
    for key, raw in tree.items() if isinstance(tree, Mapping) else ():
        name = str(key)
        columns = _cells(name, raw, layout.root.members[name]) if _can_head(name) else None
        if columns is None:
            rest[name] = raw
        else:
            cells |= {column: text for column, text in columns.items() if text}
    if rest:
        cells[REST] = _json(rest)
    return cells


@lru_cache(maxsize=1 << 12)
def _can_head(name: str) -> bool:
    reserved = name in (ID, REST, EXACT_ID) or name.startswith(SCORE) or ROWS in name
    return bool(name.strip()) and name.isprintable() and not reserved


def _cells(name: str, raw: object, member: Member) -> Cells | None:
    """Return the cells of one member, None when they would not come back as it was."""
    if member.column is not None and isinstance(raw, Mapping):
        return None
    items = _leaves(raw, member)
    if items is not None:
        text = SEPARATOR.join(items)
        # a text that is split when it is read need not be kept whole
        whole = text.split(SEPARATOR) == items or (len(items) == 1 and _splits(member, raw))
        return {name: text} if whole else None
    if member.column is not None:
        return None
    if isinstance(raw, Mapping):
        raw = [raw]
    return _columns(name, raw, member.group) if isinstance(raw, list | tuple) else None


def _splits(member: Member, raw: object) -> bool:
    return isinstance(raw, str) and (member.splits or member.column is not None)


def _columns(name: str, rows: Sequence[object], group: BoundGroup) -> Cells | None:
    """Return the cells of rows by column, None when they hold more than a text each."""
    objects = [row for row in rows if _is_object(row) and LEAF_MARKS.isdisjoint(row)]
    if len(objects) < len(rows):
        return None
    cells: Cells = {}
    for key in dict.fromkeys(chain.from_iterable(objects)):
        items = _column([row.get(key) for row in objects], group.members[str(key)])
        if items is None:
            return None
        text = SEPARATOR.join(items)
        if text.split(SEPARATOR) != items or not _can_head(str(key)):
            return None
        cells[f"{name}{ROWS}{key}"] = text if any(items) else ""
    return cells


def _is_object(raw: object) -> TypeGuard[Mapping[object, object]]:
    return type(raw) is dict or isinstance(raw, Mapping)


def _column(raws: Sequence[object], member: Member) -> list[str] | None:
    """Return the texts of one member of all rows, None when one holds anything but one text."""
    items = []
    for raw in raws:
        texts = _leaves(raw, member)
        if texts is None or len(texts) > 1:
            return None
        items += texts
    return items


def _leaves(raw: object, member: Member) -> list[str] | None:
    """Return the texts of a leaf or of a list of leaves, None for anything else."""
    if type(raw) in _LEAVES:
        text = _text(raw, member)
        return None if text is None else [text]
    if isinstance(raw, Mapping):
        grouped = any(group.grouping is not None for group in member.owner.layout.schema.groups)
        plain = "value" in raw and LEAF_KEYS.issuperset(raw) and not member.is_group
        # where its place or a name beside it says which row a value belongs to, both are kept
        return _leaves(raw["value"], member) if plain and not grouped else None
    leaves = []
    for item in raw if isinstance(raw, list | tuple) else [raw]:
        text = _text(item, member)
        if text is None:  # as the first of rows is
            return None
        leaves.append(text)
    return leaves or [""]


def _text(raw: object, member: Member) -> str | None:
    """Return the text that reads as a leaf does, None when there is none."""
    kind = type(raw)
    if kind is str:
        return None if has_control(cast("str", raw)) else cast("str", raw)
    if raw is None:
        return ""
    if kind is dict or (kind not in _LEAVES and isinstance(raw, (Mapping, list, tuple))):
        return None
    if kind is bool:
        return str(raw).lower()
    text = str(raw)
    if kind in _NUMBERS and not _field_of(member).means_its_digits(text):
        return None
    return None if has_control(text) else text


def _field_of(member: Member) -> BoundField:
    return member.field if member.column is None else member.column[1]


def _json(rest: Mapping[str, object]) -> str:
    try:
        text = encode(rest)
    except UnicodeEncodeError:
        text = json.dumps(rest, default=str)
    # JSON has escapes of its own for what does not print
    return "".join(char if char.isprintable() else json.dumps(char)[1:-1] for char in text)


def column_order(schema: Schema) -> Callable[[str], tuple[bool, int, str]]:
    """Return the place of a column: in the order of the schema, then by name, JSON last."""
    places = {name: at for at, name in enumerate(_names(schema))}
    return lambda column: (column in (REST, EXACT_ID), places.get(column, len(places)), column)


def _names(schema: Schema) -> Iterator[str]:
    for field in schema.fields:
        yield from (field.path, *field.aliases)
    for group in schema.groups:
        for field in group.fields:
            own = field.path.removeprefix(f"{group.path}.")
            yield from (group.columns.get(field.path, ""), f"{group.path}{ROWS}{own}")
