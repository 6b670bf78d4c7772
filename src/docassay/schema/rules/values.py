"""What expressions are worth: figures, days, texts and truths, one by one or a column of them.

A value that is absent, or cannot be determined, is Missing with the reason, and so is whatever is
worked out from it. What does not hold is a Failure, which says why.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from docassay.schema.rules.exact import ZERO, Exact, is_too_long, magnitude, multiply, subtract
from docassay.values.read.characters import shortened

LONGEST_SHOWN = 40


class Missing(NamedTuple):
    """No value, and why; `absent` when the document says nothing, not even what cannot be read."""

    why: str
    absent: bool = False


class Failure(NamedTuple):
    """What does not hold, in words; it counts as false."""

    why: str

    def __bool__(self) -> bool:
        return False


class Figure(NamedTuple):
    """An exact number, with its currency when it is an amount of money that states one."""

    number: Exact
    unit: str | None = None


class Period(NamedTuple):
    """The first and the last day of a date range."""

    start: datetime.date
    end: datetime.date


class RowKey(NamedTuple):
    """Where a cell of a column stands: its place in the order of rows, and what it is called."""

    order: tuple[int, ...]
    label: str


Single = Figure | datetime.date | Period | str | bool | Failure | Missing
ABSENT = Missing("no value", absent=True)


class ColumnValue(NamedTuple):
    """A value a row, for the rows that have one; rows in order."""

    rows: tuple[RowKey, ...]
    cells: tuple[Single, ...]
    """One for each of the rows."""
    length: int
    """How many rows the column has as written, those without a value included."""


Value = Single | ColumnValue


class Margin(NamedTuple):
    """How far apart two figures may be and still count as equal: one of the two is enough."""

    absolute: Exact
    relative: Exact

    def equal(self, left: Exact, right: Exact) -> bool:
        """Whether two figures lie within the margin; the relative one is of the greater."""
        if left == right:
            return True
        apart = magnitude(subtract(left, right))
        if apart <= self.absolute:
            return True
        greater = max(magnitude(left), magnitude(right))
        return bool(self.relative) and apart <= multiply(self.relative, greater)


class CannotTell(Exception):  # noqa: N818 - reads as a statement about a value
    """Raised where values cannot be combined; the message says why."""


def reasonable(number: Exact) -> Exact:
    """Return the number; one that is too long cannot be told."""
    if type(number) is Fraction and is_too_long(number):
        raise CannotTell("a figure is too long")
    return number


def figure(number: Exact, unit: str | None) -> Figure:
    """Return a figure of reasonable length."""
    return Figure(reasonable(number), unit)


def joint_unit(figures: Iterable[Figure]) -> str | None:
    """Return the one currency that figures are stated in, None when all leave it open."""
    units = {figure.unit for figure in figures if figure.unit is not None}
    if len(units) > 1:
        first, second, *_ = sorted(units)
        raise CannotTell(f"{first} and {second} are different currencies")
    return units.pop() if units else None


def common_unit(left: Figure, right: Figure) -> str | None:
    """Return the same of two figures, which mostly agree."""
    if left.unit == right.unit or right.unit is None:
        return left.unit
    return right.unit if left.unit is None else joint_unit((left, right))


def gathered(values: Iterable[Value], *, readable: bool = True) -> list[tuple[RowKey, Single]]:
    """Return all values that are there, in order of rows; each must be readable, if so asked."""
    cells: list[tuple[RowKey, Single]] = []
    for place, value in enumerate(values):
        column = value if isinstance(value, ColumnValue) else _alone(value, place)
        for row, cell in zip(column.rows, column.cells, strict=True):
            if not isinstance(cell, Missing) or not (cell.absent or readable):
                cells.append((row, cell))
            elif not cell.absent:
                raise CannotTell(f"{row.label}: {cell.why}" if row.label else cell.why)
    return cells


def _alone(value: Single, place: int) -> ColumnValue:
    return ColumnValue((RowKey((place,), ""),), (value,), 1)


def rank(value: Single) -> tuple[Exact, str]:
    """Return what puts values of one kind in order: figures, days, or times of day as text."""
    if isinstance(value, Figure):
        return value.number, ""
    if isinstance(value, datetime.date):
        return Decimal(value.toordinal()), ""
    return ZERO, str(value)


def lift(function: Callable[..., Single], *values: Value) -> Value:
    """Apply a function of single values, row by row where columns are among them."""
    columns = [value for value in values if isinstance(value, ColumnValue)]
    if not columns:
        return _applied(function, values)
    missing = next((value for value in values if isinstance(value, Missing)), None)
    if missing is not None:
        return missing
    rows = columns[0].rows
    for column in columns[1:]:
        if column.rows != rows:
            common = {*column.rows}
            rows = tuple(row for row in rows if row in common)
    aligned = [along(value, rows) for value in values]
    cells = [_applied(function, singles) for singles in zip(*aligned, strict=True)]
    return ColumnValue(rows, tuple(cells), max([column.length for column in columns]))


def along(value: Value, rows: Sequence[RowKey]) -> Sequence[Single]:
    """Return what a value is in some rows, in each of them; a single one is the same in all."""
    if not isinstance(value, ColumnValue):
        return [value] * len(rows)
    if value.rows == rows:
        return value.cells
    cells = dict(zip(value.rows, value.cells, strict=True))
    return [cells.get(row, ABSENT) for row in rows]


def all_rows(columns: Iterable[ColumnValue]) -> tuple[RowKey, ...]:
    """Return the rows in which any of some columns has a value, in order."""
    return tuple(sorted({row for column in columns for row in column.rows}))


def _applied(function: Callable[..., Single], values: Sequence[Value]) -> Single:
    for value in values:
        if isinstance(value, Missing):
            return value
    try:
        return function(*values)
    except CannotTell as error:
        return Missing(str(error))


def show(value: Single, *, cents: bool = False) -> str:
    """Return a value in words; `cents` for an amount of money."""
    if isinstance(value, Figure):
        digits = _decimal(Fraction(value.number), 2 if cents else 0)
        return digits if len(digits) <= LONGEST_SHOWN else f"{digits[: LONGEST_SHOWN - 1]}…"
    if isinstance(value, str):
        return shortened(value, width=LONGEST_SHOWN)
    if isinstance(value, (bool, Failure)):
        return "true" if value else "false"
    if isinstance(value, Period):
        return f"{value.start}/{value.end}"
    return value.why if isinstance(value, Missing) else str(value)


def _decimal(number: Fraction, least: int) -> str:
    """Return a number with as many decimals as it needs, or rounded to four and marked so."""
    exact = next((n for n in range(least, 7) if 10**n % number.denominator == 0), None)
    places = 4 if exact is None else exact
    rounded = round(number * 10**places)
    digits = str(abs(rounded)).zfill(places + 1)
    whole, decimals = digits[: len(digits) - places], digits[len(digits) - places :]
    body = f"{whole}.{decimals}" if decimals else whole
    return f"{'about ' if exact is None else ''}{'-' if rounded < 0 else ''}{body}"
