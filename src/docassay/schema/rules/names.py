"""Names in rules: the fields, columns and groups of a schema, and what a document says of them."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from docassay.model.document import Group, Reading
from docassay.model.schema import DocumentType, Field, GroupSpec, Schema
from docassay.schema.layout import Layout
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


class Named(NamedTuple):
    """What a name stands for: a field, or a group as a whole."""

    path: str
    axis: tuple[str, ...]
    """The groups down to it, outermost first; () for the document itself."""
    kind: str
    field: BoundField | None
    """None for a group."""


class Content:
    """What a document says under each name; worked out once, however many rules ask."""

    def __init__(self, root: Group, lengths: Mapping[str, int]) -> None:
        self.root = root
        self.lengths = lengths
        """How long the columns are as written, by path."""
        self._values: dict[str, Value] = {}
        self._rows: dict[tuple[str, ...], list[tuple[RowKey, Group]]] = {}

    def value(self, name: str, named: Named) -> Value:
        """Return a single value, or a column of a group's rows."""
        cached = self._values.get(name)
        if cached is None:
            value = self._column(named) if named.axis else self._single(name, named)
            cached = self._values[name] = value
        return cached

    def _single(self, name: str, named: Named) -> Value:
        readings = self.root.values.get(named.path, ())
        if not readings:
            return Missing(f"{name} is absent", absent=True)
        if len(readings) == 1 and named.path not in self.root.slots:
            value = value_of(readings[0], named.kind)
            return Missing(f"{name}: {value.why}") if isinstance(value, Missing) else value
        positions = self.root.positions(named.path)
        cells = {
            RowKey((position,), f"[{position}]"): value_of(reading, named.kind)
            for position, reading in zip(positions, readings, strict=True)
        }
        return ColumnValue(cells, max(positions) + 1)

    def _column(self, named: Named) -> ColumnValue:
        if named.axis not in self._rows:
            self._rows[named.axis] = [*_rows(self.root, named.axis, "", ())]
        rows = self._rows[named.axis]
        if named.field is None:
            return ColumnValue({row: True for row, _ in rows}, len(rows))
        cells: dict[RowKey, Single] = {}
        for row, group in rows:
            readings = group.values.get(named.path, ())
            for position, reading in enumerate(readings):
                # of several values in a cell each counts in a sum, but none is the cell
                several = RowKey((*row.order, position), f"{row.label}[…]")
                cells[row if len(readings) == 1 else several] = value_of(reading, named.kind)
        return ColumnValue(cells, self.lengths.get(named.path, len(rows)))


def layout_for_rules(schema: Schema, kind: DocumentType | None) -> Layout:
    """Return the layout by which rules read a document: what is not scored counts as well."""
    if kind is None:
        return Layout(schema, None)
    listed = (*kind.fields, *kind.unscored) if kind.fields else ()
    return Layout(schema, replace(kind, fields=listed, unscored=()))


def content_of(tree: object, layout: Layout) -> Content:
    """Return what a tree says to rules; what is wrong with it was counted when it was scored."""
    # gold and pred are read alike: in both, fields that the type does not list are left out
    reader = TreeReader(layout, "", gold=True)
    root = reader.read(tree).root
    lengths = {
        field.path: len(cells)
        for columns in reader.columns.values()
        for field, cells in columns.items()
    }
    return Content(root, lengths)


def names_of(layout: Layout) -> dict[str, Named]:
    """Return everything that a rule may name: paths, then columns, then aliases."""
    schema = layout.schema
    placed = [*_placed(schema.fields, schema.groups, ())]
    names = {obj.path: _named(obj, axis, layout) for obj, axis in placed if isinstance(obj, Field)}
    if schema.types:
        names.setdefault(schema.type_field, _named(Field(schema.type_field), (), layout))
    for obj, axis in placed:
        if isinstance(obj, GroupSpec):
            names.setdefault(obj.path, Named(obj.path, axis, ROWS, None))
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
    return Named(field.path, axis, _KINDS.get(field_type(bound.spec.type).reader, TEXT), bound)


def _rows(
    group: Group, axis: tuple[str, ...], prefix: str, order: tuple[int, ...]
) -> Iterator[tuple[RowKey, Group]]:
    for number, row in enumerate(group.groups.get(axis[0], ())):
        label, place = row.prefix(prefix, group.type), (*order, number)
        if len(axis) == 1:
            yield RowKey(place, label.removesuffix(".")), row
        else:
            yield from _rows(row, axis[1:], label, place)


def value_of(reading: Reading, kind: str) -> Single:
    """Return what a reading is to a rule."""
    if reading.problem is not None:
        return Missing(reading.problem)
    value = reading.value
    if kind in (NUMBER, MONEY):
        number = number_of(value)
        if number is None:
            return Missing(f"{reading.canonical} is no number")
        return Figure(Fraction(number), unit_of(value) if kind == MONEY else None)
    if isinstance(value, Date):
        return _day(value)
    if isinstance(value, DateRange):
        start, end = _day(value.start), _day(value.end)
        if isinstance(start, Missing):
            return start
        return end if isinstance(end, Missing) else Period(start, end)
    return reading.canonical == "true" if kind == TRUTH else reading.canonical


def _day(date: Date) -> datetime.date | Missing:
    if date.year is None or date.month is None or date.day is None:
        return Missing(f"{date} is no whole date")
    try:
        return datetime.date(date.year, date.month, date.day)
    except ValueError:
        return Missing(f"{date} is no day of the calendar")
