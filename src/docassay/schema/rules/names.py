"""Names in rules: the fields, columns and groups of a schema, and what a document says of them."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from docassay.kernel.readings import CACHE_SIZE
from docassay.model.document import NOTHING, Document, Group, Sense, Values
from docassay.model.schema import DocumentType, Field, GroupSpec, Schema
from docassay.schema.layout import Layout, Step
from docassay.schema.reading import TreeReader
from docassay.schema.rules.values import ColumnValue, Figure, Missing, Period, RowKey, Single, Value
from docassay.values.compare.within import number_of, unit_of
from docassay.values.field import BoundField
from docassay.values.read.date import Date, DateRange
from docassay.values.reader import field_type

NUMBER, MONEY, DATE, TIME = "a number", "an amount of money", "a date", "a time"
PERIOD, TRUTH, TEXT, ROWS = "a date range", "true or false", "a text", "a group"
_KINDS = {
    "number": NUMBER,
    "quantity": NUMBER,
    "percent": NUMBER,
    "money": MONEY,
    "date": DATE,
    "time": TIME,
    "date_range": PERIOD,
    "boolean": TRUTH,
}
"""What values of a reader are to a rule; those of any other are texts."""


class SenseValues(dict[Sense, Single]):
    """What the senses of a field's texts are to a rule, worked out once for each of them."""

    def __init__(self, kind: str) -> None:
        super().__init__()
        self.kind = kind

    def __missing__(self, sense: Sense) -> Single:
        if len(self) >= CACHE_SIZE:
            self.clear()
        value = self[sense] = value_of(sense, self.kind)
        return value


class Named(NamedTuple):
    """What a name stands for: a field, or a group as a whole."""

    path: str
    axis: tuple[str, ...]
    """The groups down to it, outermost first; () for the document itself."""
    kind: str
    field: BoundField | None
    """None for a group."""
    values: SenseValues


Names = Mapping[str, Named]
Content = Mapping[str, Value]
"""What a document says under each name."""
Rows = list[tuple[RowKey, Mapping[str, Values]]]
"""Each row with its readings by path."""
NO_ROWS = ColumnValue((), (), 0)


def content_of(root: Group, lengths: Mapping[str, int], names: Names) -> Content:
    """Return what a document says; `lengths` are those of its columns as written, by path."""
    content: dict[str, Value] = {}
    rows: dict[tuple[str, ...], Rows] = {}
    for name, named in names.items():
        axis = named.axis
        if not axis:
            content[name] = _single(root, name, named)
        elif not lengths and axis[0] not in root.groups:
            content[name] = NO_ROWS
        else:
            if axis not in rows:
                rows[axis] = _rows(root, axis)
            length = lengths.get(named.path, len(rows[axis]))
            content[name] = _column(rows[axis], named, length)
    return content


def _single(root: Group, name: str, named: Named) -> Value:
    readings = root.values.get(named.path)
    if readings is None:
        return Missing(f"{name} is absent", absent=True)
    if len(readings) == 1 and named.path not in root.slots:
        value = named.values[readings[0].sense]
        return Missing(f"{name}: {value.why}") if isinstance(value, Missing) else value
    positions = root.positions(named.path)
    rows = tuple(RowKey((position,), f"[{position}]") for position in positions)
    cells = tuple(named.values[reading.sense] for reading in readings)
    return ColumnValue(rows, cells, max(positions) + 1)


def _column(rows: Rows, named: Named, length: int) -> ColumnValue:
    if named.field is None:
        return ColumnValue(tuple(row for row, _ in rows), (True,) * len(rows), length)
    path, values = named.path, named.values
    keys: list[RowKey] = []
    cells: list[Single] = []
    for row, fields in rows:
        readings = fields.get(path)
        if readings is None:
            continue
        if len(readings) == 1:
            keys.append(row)
            cells.append(values[readings[0].sense])
        else:
            # of several values in a cell each counts in a sum, but none is the cell
            label = f"{row.label}[…]"
            keys += [RowKey((*row.order, place), label) for place in range(len(readings))]
            cells += [values[reading.sense] for reading in readings]
    return ColumnValue(tuple(keys), tuple(cells), length)


class RuleReader:
    """Reads documents of one type (or of none) for rules: what is not scored counts as well."""

    def __init__(self, schema: Schema, kind: DocumentType | None) -> None:
        self.layout = Layout(schema, None if kind is None else _all_scored(kind))
        self._listed = frozenset() if kind is None else frozenset(kind.fields)
        scores_all = kind is None or not kind.unscored
        self._reads_as_scored = scores_all and not self.layout.gathered

    def read(self, tree: object, names: Names) -> Content:
        """Return what a tree says to rules; what is wrong with it was counted when scored."""
        # gold and pred are read alike: in both, fields that the type does not list are left out
        reader = TreeReader(self.layout, "", gold=True)
        root = reader.read(tree).root
        lengths = {
            field.path: len(cells)
            for columns in reader.columns.values()
            for field, cells in columns.items()
        }
        return content_of(root, lengths, names)

    def read_document(self, document: Document, names: Names) -> Content:
        """Return the same of a document that was read to be scored, mostly as it was read."""
        tree = document.tree
        if self._reads_as_scored and type(tree) is dict:
            steps = self.layout.root.steps[*tree]
            if all(map(self._counts, steps)):
                return content_of(document.root, NOTHING, names)
        return self.read(tree, names)

    def _counts(self, step: Step) -> bool:
        """Whether a member and all inside it is read the same by rules, in gold and in pred."""
        path, texts, *_ = step
        if path == self.layout.schema.type_field:
            return True
        return texts is not None and (not self._listed or path in self._listed)


def _all_scored(kind: DocumentType) -> DocumentType:
    listed = (*kind.fields, *kind.unscored) if kind.fields else ()
    return replace(kind, fields=listed, unscored=())


def names_of(layout: Layout) -> dict[str, Named]:
    """Return everything that a rule may name: paths, then columns, then aliases."""
    schema = layout.schema
    placed = [*_placed(schema.fields, schema.groups, ())]
    names = {obj.path: _named(obj, axis, layout) for obj, axis in placed if isinstance(obj, Field)}
    if schema.types:
        names.setdefault(schema.type_field, _named(Field(schema.type_field), (), layout))
    for obj, axis in placed:
        if isinstance(obj, GroupSpec):
            names.setdefault(obj.path, Named(obj.path, axis, ROWS, None, SenseValues(ROWS)))
    for column, (_, path) in layout.listing.columns.items():
        if path in names:
            names.setdefault(column, names[path])
    for obj, axis in placed:
        for alias in obj.aliases if isinstance(obj, Field) else ():
            names.setdefault(".".join((*axis[-1:], alias)), names[obj.path])
    return names


def _placed(
    fields: Sequence[Field], groups: Sequence[GroupSpec], axis: tuple[str, ...]
) -> Iterator[tuple[Field | GroupSpec, tuple[str, ...]]]:
    """Yield every field and group with the groups down to it; sections belong to what is around."""
    for field in fields:
        yield field, axis
    for group in groups:
        inside = axis if group.section else (*axis, group.path)
        if not group.section:
            yield group, inside
        yield from _placed(group.fields, group.groups, inside)


def _named(field: Field, axis: tuple[str, ...], layout: Layout) -> Named:
    bound = layout.field(field.path)
    kind = _KINDS.get(field_type(bound.spec.type).reader, TEXT)
    return Named(field.path, axis, kind, bound, SenseValues(kind))


def _rows(root: Group, axis: tuple[str, ...]) -> Rows:
    """Return the rows of a group type with their readings, in order."""
    if len(axis) == 1:
        rows = root.groups.get(axis[0], ())
        return [
            (_top_key(row.type, row.index, number), row.values) for number, row in enumerate(rows)
        ]
    return [*_inner_rows(root, axis, "", ())]


@lru_cache(maxsize=CACHE_SIZE)
def _top_key(path: str, index: int | None, number: int) -> RowKey:
    """Return where a row of the document itself stands, the same object each time."""
    return RowKey((number,), Group(path, index, None).prefix("", "")[:-1])


def _inner_rows(
    group: Group, axis: tuple[str, ...], prefix: str, order: tuple[int, ...]
) -> Iterator[tuple[RowKey, Mapping[str, Values]]]:
    for number, row in enumerate(group.groups.get(axis[0], ())):
        label, place = row.prefix(prefix, group.type), (*order, number)
        if len(axis) == 1:
            yield RowKey(place, label[:-1]), row.values
        else:
            yield from _inner_rows(row, axis[1:], label, place)


def value_of(sense: Sense, kind: str) -> Single:
    """Return what the sense of a text is to a rule."""
    if sense.problem is not None:
        return Missing(sense.problem)
    value = sense.value
    if kind in (NUMBER, MONEY):
        number = number_of(value)
        if number is None:
            return Missing(f"{value} is no number")
        return Figure(number, unit_of(value) if kind == MONEY else None)
    if isinstance(value, Date):
        return _day(value)
    if isinstance(value, DateRange):
        start, end = _day(value.start), _day(value.end)
        if isinstance(start, Missing):
            return start
        return end if isinstance(end, Missing) else Period(start, end)
    return str(value) == "true" if kind == TRUTH else str(value)


def _day(date: Date) -> datetime.date | Missing:
    if date.year is None or date.month is None or date.day is None:
        return Missing(f"{date} is no whole date")
    try:
        return datetime.date(date.year, date.month, date.day)
    except ValueError:
        return Missing(f"{date} is no day of the calendar")
