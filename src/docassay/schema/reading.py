"""Reading a document: a plain JSON tree becomes groups of readings, by the rules of a layout.

Nothing here raises for bad data: what cannot be taken as it stands is named as a problem.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import isfinite
from typing import NamedTuple

from docassay.kernel.readings import read_leaves, read_rows
from docassay.model.document import (
    LEAF_KEYS,
    MAX_DEPTH,
    SEPARATOR,
    Document,
    Group,
    Number,
    Reading,
)
from docassay.model.problem import Problem, ProblemCode
from docassay.schema.grouping import nest
from docassay.schema.layout import BoundGroup, Layout, Member, Step
from docassay.values.field import BoundField
from docassay.values.read.characters import shortened

Say = Callable[[ProblemCode, str], None]
PLAIN = (str, Number, int)
"""What a leaf may be that is nothing but a value."""


class LeafMarks(NamedTuple):
    """What a leaf says about its value."""

    confidence: float | None
    page: int | None
    box: tuple[float, ...] | None


def marks_of(raw: Mapping[str, object], say: Say) -> LeafMarks:
    """Return the marks of a leaf."""
    page = _number(raw.get("page"), "page", say)
    return LeafMarks(
        _confidence(raw.get("confidence"), say),
        None if page is None else int(page),
        _box(raw.get("box"), say),
    )


def _confidence(raw: object, say: Say) -> float | None:
    stated = _number(raw, "confidence", say)
    if stated is None or 0.0 <= stated <= 1.0:
        return stated
    nearest = min(max(stated, 0.0), 1.0)
    message = f"confidence {stated:.12g} is outside 0..1: {nearest:g} is used"
    say(ProblemCode.CONFIDENCE_RANGE, message)
    return nearest


def _number(raw: object, what: str, say: Say) -> float | None:
    if raw is None:
        return None
    if isinstance(raw, (int, float, Number)) and not isinstance(raw, bool):
        try:
            number = float(raw)
            if isfinite(number):
                return number
        except OverflowError:
            pass
    say(ProblemCode.LEAF_MARK, f"{what} {shortened(str(raw))} is not a number: left out")
    return None


def _box(raw: object, say: Say) -> tuple[float, ...] | None:
    if raw is None:
        return None
    if isinstance(raw, (list, tuple)) and len(raw) == 4:
        corners = [_number(number, "box", say) for number in raw]
        box = tuple(corner for corner in corners if corner is not None)
        return box if len(box) == 4 else None
    say(ProblemCode.LEAF_MARK, "box is not a list of four numbers: left out")
    return None


TOO_DEEP = f"nested deeper than {MAX_DEPTH} levels: left out from there"
ALTERNATIVES_KEYS = (LEAF_KEYS - {"value"}) | {"any_of"}


class TreeReader:
    """Reads one tree and keeps the problems found."""

    __slots__ = ("columns", "confident", "gold", "id", "layout", "problems", "unlisted")

    def __init__(
        self,
        layout: Layout,
        id: str,
        *,
        gold: bool,
        unlisted: set[str] | None = None,
    ) -> None:
        self.layout = layout
        self.id = id
        self.gold = gold
        self.problems: list[Problem] = []
        self.confident = False
        self.unlisted: set[str] = set() if unlisted is None else unlisted
        """Fields that gold has beside those of its document type: they count on neither side."""
        self.columns: dict[str, dict[BoundField, list[object]]] = {}

    def read(self, tree: object) -> Document:
        """Return the document that a tree stands for; problems found later are among its own."""
        root = self._root(tree)
        return Document(tree, root, self.problems, confident=self.confident)

    def read_later(self, tree: object) -> Document:
        """Return the document of a tree that cannot be wrong, to be read when it is asked for."""
        return Document(tree, partial(self._root, tree))

    def _root(self, tree: object) -> Group:
        root = Group("", None, {})
        if isinstance(tree, Mapping):
            if self.layout.gathered:
                tree = self._with_rows(tree)
            self._fill(root, tree, self.layout.root, 0)
            self._add_column_rows(root)
            if self.layout.has_sets:
                self._drop_repeats(root)
        elif tree is not None:
            kind = "a list" if isinstance(tree, (list, tuple)) else f"a {_kind_of(tree)}"
            message = f"the record is {kind}, not an object: it counts as empty"
            self.problem("", ProblemCode.SHAPE, message)
        return root

    def _with_rows(self, tree: Mapping[str, object]) -> Mapping[str, object]:
        paths = {field.path for field in self.layout.schema.fields}
        nested = nest(tree, self.layout.gathered, known=paths)
        for path, count in nested.left.items():
            way = self.layout.group(path).spec.grouping
            message = f"{count} of its values could not be put into rows by {way}"
            self.problem(path, ProblemCode.GROUPING, message)
        return nested.tree

    def problem(self, field: str, code: ProblemCode, message: str) -> None:
        """Count a flaw of this document."""
        side = "gold" if self.gold else "pred"
        self.problems.append(Problem(code, self.id, side, field, message))

    def _fill(
        self, group: Group, node: Mapping[str, object], shape: BoundGroup, depth: int
    ) -> None:
        values, steps, raws = group.values, shape.steps[*node], [*node.values()]
        place = read_leaves(values, raws, steps, 0, self)
        while place >= 0:
            self._add_other(group, steps[place], raws[place], depth)
            place = read_leaves(values, raws, steps, place + 1, self)

    def _add_other(self, group: Group, step: Step, raw: object, depth: int) -> None:
        """Add a member that is more than the only usual value of its field."""
        path, texts, _, splits, member = step
        reading = None
        if texts is not None and type(raw) in PLAIN and not (splits and SEPARATOR in str(raw)):
            reading = self._leaf(member.field, raw)
        if reading is None:
            self._add_member(group, member, raw, depth)
        else:
            self._extend(group, path, [reading])

    def _add_member(self, group: Group, member: Member, raw: object, depth: int) -> None:
        if member.left_out is not None and self._skips(member, raw):
            return
        if member.column is not None and not isinstance(raw, Mapping):
            shape, field = member.column
            items = raw if isinstance(raw, list) else self._split(member, raw)
            self.columns.setdefault(shape.path, {}).setdefault(field, []).extend(items)
        elif isinstance(raw, (list, tuple)):
            if raw and type(raw[0]) is dict and depth < MAX_DEPTH:
                raw = self._add_rows(group, member, raw, depth)
            self._add_items(group, member, raw, depth)
        elif isinstance(raw, Mapping):
            self._add_object(group, member, raw, None, depth)
        else:
            self._add_items(group, member, self._split(member, raw), depth)

    def _skips(self, member: Member, raw: object) -> bool:
        if member.left_out == "unscored":
            return True
        names = {member.path} if member.column is None else {member.path, member.column[1].path}
        if not self.gold:
            return not names.isdisjoint(self.unlisted)
        if not (isinstance(raw, str) and member.field.means_absent(raw)):
            self.unlisted |= names
            kind = self.layout.kind.name if self.layout.kind is not None else ""
            message = f"the field is not listed for document type {kind!r}: left out"
            self.problem(member.path, ProblemCode.UNLISTED_FIELD, message)
        return True

    def _split(self, member: Member, raw: object) -> list[object]:
        splits = member.splits or member.column is not None
        if isinstance(raw, str) and splits and SEPARATOR in raw:
            return [*raw.split(SEPARATOR)]
        return [raw]

    def _add_rows(
        self, group: Group, member: Member, items: Sequence[object], depth: int
    ) -> Sequence[object]:
        """Add plain rows, the usual content of a list; return the items if any is not plain."""
        shape = member.group
        if shape.spec.section:
            return items
        rows = read_rows(items, shape.path, shape.shapes) if type(items) is list else None
        if rows is not None:
            group.add_rows(shape.path, rows)
            return ()
        for item in items:
            if type(item) is not dict or "value" in item or "any_of" in item:
                return items
        rows = []
        for index, item in enumerate(items):
            row = Group(shape.path, index, {})
            self._fill(row, item, shape, depth + 1)  # type: ignore[arg-type]
            if row.values or row.groups:
                rows.append(row)
        group.add_rows(shape.path, rows)
        return ()

    def _add_items(self, group: Group, member: Member, items: Sequence[object], depth: int) -> None:
        if depth >= MAX_DEPTH:
            self.problem(member.path, ProblemCode.SHAPE, TOO_DEEP)
            return
        slots: list[int] = []
        # readings are added many at a time: each addition copies those that are there
        fresh: list[Reading] = []
        for index, item in enumerate(items):
            if type(item) is dict or isinstance(item, Mapping):
                if not member.is_group and _is_plain_leaf(item):
                    fresh += self._located_readings(member, item)
                    continue
                self._extend(group, member.path, fresh)
                fresh = []
                self._add_object(group, member, item, index, depth)
            elif isinstance(item, (list, tuple)):
                self._extend(group, member.path, fresh)
                fresh = []
                self._add_items(group, member, item, depth + 1)
            else:
                reading = self._leaf(member.field, item)
                if reading is not None:
                    slots.append(index)
                    fresh.append(reading)
        self._extend(group, member.path, fresh)
        if 0 < len(slots) == len(group.values[member.path]) != len(items):
            group.slots = {**group.slots, member.path: slots}
            group.single = False

    def _add_object(
        self, group: Group, member: Member, raw: Mapping[str, object], index: int | None, depth: int
    ) -> None:
        if depth >= MAX_DEPTH:
            self.problem(member.path, ProblemCode.SHAPE, TOO_DEEP)
            return
        if not member.is_group:
            if "value" in raw and LEAF_KEYS.issuperset(raw):
                self._add_located(group, member, raw, depth)
                return
            if "any_of" in raw and ALTERNATIVES_KEYS.issuperset(raw):
                self._add_alternatives(group, member, raw)
                return
        shape = member.group
        if shape.spec.section:
            self._fill(group, raw, shape, depth + 1)
            return
        row = Group(shape.path, index, {})
        self._fill(row, raw, shape, depth + 1)
        if not row.empty:
            group.add_rows(row.type, [row])

    def _add_located(
        self, group: Group, member: Member, raw: Mapping[str, object], depth: int
    ) -> None:
        value = raw["value"]
        if isinstance(value, Mapping):
            self._add_object(group, member, value, None, depth + 1)
        elif not isinstance(value, (list, tuple)):
            self._extend(group, member.path, self._located_readings(member, raw))
        else:
            fresh: list[Reading] = []
            for item in value:
                if not isinstance(item, (Mapping, list, tuple)):
                    alone = {**raw, "value": item}
                    fresh += self._located_readings(member, alone, split=False)
                    continue
                self._extend(group, member.path, fresh)
                fresh = []
                self._add_items(group, member, [item], depth + 1)
            self._extend(group, member.path, fresh)

    def _located_readings(
        self, member: Member, raw: Mapping[str, object], *, split: bool = True
    ) -> list[Reading]:
        """Return the readings of a leaf whose value is neither a list nor an object."""
        value = raw["value"]
        items = self._split(member, value) if split else [value]
        readings = [self._leaf(member.field, item) for item in items]
        stated = raw.get("normalised")
        if stated is not None and len(items) == 1 and readings[0] is not None:
            readings = [member.field.normalised(readings[0], stated)]
        return [
            self._located(reading, member.path, raw) for reading in readings if reading is not None
        ]

    def _located(
        self,
        reading: Reading,
        path: str,
        raw: Mapping[str, object],
        alternatives: tuple[Reading, ...] = (),
    ) -> Reading:
        marks = marks_of(raw, partial(self.problem, path))
        self.confident = self.confident or marks.confidence is not None
        return reading.located(**marks._asdict(), alternatives=alternatives)

    def _add_alternatives(self, group: Group, member: Member, raw: Mapping[str, object]) -> None:
        given = raw["any_of"]
        items = given if isinstance(given, (list, tuple)) else [given]
        plain = [item for item in items if not isinstance(item, (Mapping, list, tuple))]
        if len(plain) < len(items):
            message = "any_of may list plain values only: the others are left out"
            self.problem(member.path, ProblemCode.ALTERNATIVES, message)
        candidates = [self._leaf(member.field, item) for item in plain]
        readings = tuple(reading for reading in candidates if reading is not None)
        if not readings:
            return
        if not self.gold:
            message = "any_of belongs in gold: the first alternative is taken"
            self.problem(member.path, ProblemCode.ALTERNATIVES, message)
            self._add(group, member.path, readings[0])
            return
        self._add(group, member.path, self._located(readings[0], member.path, raw, readings))

    def _leaf(self, field: BoundField, raw: object) -> Reading | None:
        if raw is None or (isinstance(raw, float) and raw != raw):
            return None  # data frames write an empty cell as NaN
        reading: Reading | None
        if raw is True or raw is False:
            reading = field.readings["true" if raw else "false"]
        elif isinstance(raw, Number | float):
            reading = field.numbers[str(raw)]
        else:
            reading = field.readings[raw if isinstance(raw, str) else str(raw)]
        return reading

    def _add(self, group: Group, path: str, reading: Reading) -> None:
        self._extend(group, path, [reading])

    def _extend(self, group: Group, path: str, readings: Sequence[Reading]) -> None:
        if not readings:
            return
        before = group.values.get(path, ())
        group.values[path] = (*before, *readings)
        if len(before) + len(readings) > 1:
            group.single = False
        slots = group.slots.get(path)
        if slots is not None:
            # another key of the same path goes on where the list with the placeholder ended
            added = range(slots[-1] + 1, slots[-1] + 1 + len(readings))
            group.slots = {**group.slots, path: [*slots, *added]}

    def _add_column_rows(self, root: Group) -> None:
        for path, columns in self.columns.items():
            for index in range(max(len(cells) for cells in columns.values())):
                row = Group(path, index, {})
                for field, cells in columns.items():
                    if index < len(cells):
                        self._add_cell(row, field, cells[index])
                if not row.empty:
                    root.add_rows(path, [row])

    def _add_cell(self, row: Group, field: BoundField, cell: object) -> None:
        if not isinstance(cell, (Mapping, list, tuple)):
            reading = self._leaf(field, cell)
            if reading is not None:
                self._add(row, field.path, reading)
            return
        member = self.layout.group(row.type).members[field.path]
        self._add_items(row, member, [cell], 1)

    def _drop_repeats(self, group: Group) -> None:
        """Keep one of equal values and rows where the schema says that they form a set."""
        for path, readings in group.values.items():
            if self.layout.field(path).spec.match == "set":
                kept = {reading.canonical: reading for reading in reversed(readings)}
                group.values[path] = tuple(reversed(kept.values()))
                # the values of a set have no positions
                group.slots = {name: at for name, at in group.slots.items() if name != path}
        for path, rows in group.groups.items():
            for row in rows:
                self._drop_repeats(row)
            if self.layout.group(path).spec.match == "set":
                distinct = {row.content(): row for row in reversed(rows)}
                rows[:] = reversed(distinct.values())


def _is_plain_leaf(raw: Mapping[str, object]) -> bool:
    """Say whether an object is a leaf with one value that is neither a list nor an object."""
    if "value" not in raw or isinstance(raw["value"], (Mapping, list, tuple)):
        return False
    return LEAF_KEYS.issuperset(raw)


def _kind_of(tree: object) -> str:
    if isinstance(tree, (str, Number)) and not isinstance(tree, Number):
        return "text"
    if isinstance(tree, bool):
        return "truth value"
    return "number" if isinstance(tree, (int, float, Number)) else type(tree).__name__
