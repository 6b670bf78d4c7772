"""Names in rules: the fields, columns and groups of a schema, and what a document says of them."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from docassay.kernel.figures import (
    SEVERAL,
    Figure,
    RuleValues,
    TextValues,
    figures_of,
    indexes_of,
    values_in,
)
from docassay.kernel.readings import CACHE_SIZE, Readings, UsualSenses
from docassay.model.document import NOTHING, Document, Group, Sense, Values
from docassay.model.schema import DocumentType, Field, GroupSpec, Schema
from docassay.schema.layout import Layout, Step
from docassay.schema.reading import TreeReader
from docassay.schema.rules.values import (
    ColumnValue,
    Missing,
    Period,
    RowKey,
    Single,
    Value,
)
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
SHAPES_KEPT = 256
"""How many lists of rows are remembered, by which of their rows hold a value."""


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
    readings: Readings | None
    field: RuleValues | None
    """Both None for a group."""


Names = Mapping[str, Named]
Content = Mapping[str, Value]
"""What a document says under each name."""
Table = tuple[tuple[RowKey, ...], list[Group]]
"""Rows of a group type, and where each of them stands."""
NO_ROWS = ColumnValue((), (), 0)


class ContentReader:
    """Finds what documents say under some names."""

    def __init__(self, names: Names) -> None:
        self.nothing: Content = {
            name: NO_ROWS if named.axis else Missing(f"{name} is absent", absent=True)
            for name, named in names.items()
        }
        """What an empty document says."""
        singles = {
            name: named.field
            for name, named in names.items()
            if not named.axis and named.field is not None
        }
        self._singles = [*singles]
        self._fields = [*singles.values()]
        self._columns: dict[tuple[str, ...], list[tuple[str, Named]]] = {}
        for name, named in names.items():
            if named.axis:
                self._columns.setdefault(named.axis, []).append((name, named))

    def content(self, root: Group, lengths: Mapping[str, int] = NOTHING) -> Content:
        """Return what a document says; `lengths` are those of its columns as written, by path."""
        content = {**self.nothing}
        values: list[Single | None] = values_in(root, self._fields)  # type: ignore[assignment]
        found = zip(self._singles, values, strict=True)
        content |= {name: value for name, value in found if value is not None}
        if root.slots or SEVERAL in values or Missing in map(type, values):
            self._add_unusual(content, root, values)
        for axis, columns in self._columns.items():
            if lengths or axis[0] in root.groups:
                keys, rows = _table(root, axis)
                for name, named in columns:
                    length = lengths.get(named.path, len(rows))
                    content[name] = _column(keys, rows, named.field, length)
        return content

    def _add_unusual(
        self, content: dict[str, Value], root: Group, values: Iterable[Single | None]
    ) -> None:
        """Add lists, and values that cannot be read."""
        for name, field, value in zip(self._singles, self._fields, values, strict=True):
            if isinstance(value, Missing):
                content[name] = Missing(f"{name}: {value.why}")
            elif value is SEVERAL or (value is not None and field.path in root.slots):
                content[name] = _list(root, field)


def _list(root: Group, field: RuleValues) -> ColumnValue:
    """Return the values of a list, each a row of its own."""
    positions = root.positions(field.path)
    rows = tuple(RowKey((position,), f"[{position}]") for position in positions)
    cells = _cells(field, root.values[field.path])
    return ColumnValue(rows, figures_of(cells) or tuple(cells), max(positions) + 1)


def _column(
    keys: tuple[RowKey, ...], rows: list[Group], field: RuleValues | None, length: int
) -> ColumnValue:
    if field is None:
        return ColumnValue(keys, (True,) * len(rows), length)
    values: list[Single | None] | None = field.under(rows)  # type: ignore[assignment]
    if values is None:
        return _column_of_lists(keys, rows, field, length)
    figures = figures_of(values)
    if figures is not None:
        return ColumnValue(keys, figures, length)
    keys = tuple([key for key, value in zip(keys, values, strict=True) if value is not None])
    cells = [value for value in values if value is not None]
    return ColumnValue(keys, figures_of(cells) or tuple(cells), length)


def _cells(field: RuleValues, readings: Values) -> list[Single]:
    return [field.senses[reading.sense] for reading in readings]  # type: ignore[misc]


def _column_of_lists(
    keys: Iterable[RowKey], rows: list[Group], field: RuleValues, length: int
) -> ColumnValue:
    """Return a column with several values in a cell: each counts in a sum, but none is the cell."""
    own_keys: list[RowKey] = []
    cells: list[Single] = []
    for key, row in zip(keys, rows, strict=True):
        readings = row.values.get(field.path, ())
        if len(readings) == 1:
            own_keys.append(key)
        else:
            label = f"{key.label}[…]"
            own_keys += [RowKey((*key.order, place), label) for place in range(len(readings))]
        cells += _cells(field, readings)
    return ColumnValue(tuple(own_keys), figures_of(cells) or tuple(cells), length)


class ReadsAsScored(dict[tuple[str, ...], bool]):
    """Whether rules read an object with some keys, and all inside it, as it is read to be scored.

    That is, in gold and in pred alike.
    """

    def __init__(self, layout: Layout, kind: DocumentType | None) -> None:
        super().__init__()
        self._steps = layout.root.steps
        self._type_field = layout.schema.type_field
        self._listed = frozenset() if kind is None else frozenset(kind.fields)
        scores_all = kind is None or not kind.unscored
        self._ever = scores_all and not layout.gathered

    def __missing__(self, keys: tuple[str, ...]) -> bool:
        if len(self) >= CACHE_SIZE:
            self.clear()
        self[keys] = self._ever and all(map(self._counts, self._steps[keys]))
        return self[keys]

    def _counts(self, step: Step) -> bool:
        path, texts, *_ = step
        if path == self._type_field:
            return True
        return texts is not None and (not self._listed or path in self._listed)


class RuleReader:
    """Reads documents of one type (or of none) for rules: what is not scored counts as well."""

    def __init__(self, schema: Schema, kind: DocumentType | None) -> None:
        self.layout = Layout(schema, None if kind is None else _all_scored(kind))
        self._reads_as_scored = ReadsAsScored(self.layout, kind)

    def read(self, tree: object, reader: ContentReader) -> Content:
        """Return what a tree says to rules; what is wrong with it was counted when scored."""
        # gold and pred are read alike: in both, fields that the type does not list are left out
        trees = TreeReader(self.layout, "", gold=True)
        root = trees.read(tree).root
        lengths = {
            field.path: len(cells)
            for columns in trees.columns.values()
            for field, cells in columns.items()
        }
        return reader.content(root, lengths)

    def read_document(self, document: Document, reader: ContentReader) -> Content:
        """Return the same of a document that was read to be scored, mostly as it was read."""
        if self.reads_as_scored(document):
            return reader.content(document.root)
        return self.read(document.tree, reader)

    def reads_as_scored(self, document: Document) -> bool:
        """Whether a document was read to be scored just as rules read it."""
        tree = document.tree
        return type(tree) is dict and self._reads_as_scored[*tree]


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
            names.setdefault(obj.path, Named(obj.path, axis, ROWS, None, None))
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
    return Named(field.path, axis, kind, bound.readings, _values_of(bound, kind))


def _values_of(field: BoundField, kind: str) -> RuleValues:
    texts, numbers = _by_text(field.readings, kind), _by_text(field.numbers, kind)
    return RuleValues(field.path, texts, numbers, SenseValues(kind))


def _by_text(readings: Readings, kind: str) -> TextValues:
    """Return what gives the values of texts that mean some."""
    senses = readings.senses

    def general(text: str) -> Single:
        # most texts are equal in gold and pred, so that nobody else reads them
        return value_of(senses(text), kind)

    if isinstance(senses, UsualSenses) and kind in (NUMBER, MONEY):
        return TextValues(senses, general)
    return TextValues(None, general)


def _table(root: Group, axis: tuple[str, ...]) -> Table:
    """Return the rows of a group type, in order."""
    if len(axis) == 1:
        rows = root.groups.get(axis[0], [])
        return _top_keys(axis[0], indexes_of(rows)), rows
    entries = [*_inner_rows(root, axis, "", ())]
    return tuple(key for key, _ in entries), [row for _, row in entries]


@lru_cache(maxsize=SHAPES_KEPT)
def _top_keys(path: str, indexes: tuple[int | None, ...]) -> tuple[RowKey, ...]:
    """Return where rows of the document itself stand, the same objects each time."""
    return tuple(_top_key(path, index, number) for number, index in enumerate(indexes))


@lru_cache(maxsize=CACHE_SIZE)
def _top_key(path: str, index: int | None, number: int) -> RowKey:
    return RowKey((number,), Group(path, index, None).prefix("", "")[:-1])


def _inner_rows(
    group: Group, axis: tuple[str, ...], prefix: str, order: tuple[int, ...]
) -> Iterator[tuple[RowKey, Group]]:
    for number, row in enumerate(group.groups.get(axis[0], ())):
        label, place = row.prefix(prefix, group.type), (*order, number)
        if len(axis) == 1:
            yield RowKey(place, label[:-1]), row
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
