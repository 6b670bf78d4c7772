"""What expressions are worth: figures, days, texts and truths, one by one or a column of them.

A value that is absent, or cannot be determined, is Missing with the reason, and so is whatever is
worked out from it. What does not hold is a Failure, which says why.

The figures of a column are kept as a column of numbers and one of units (`Figures`), so that what
is usual takes one call for all rows. Everything else is worked out cell by cell (`lift`), and what
takes one call comes to the same.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import compress
from typing import NamedTuple

from docassay.kernel.figures import Figure, Figures, figures_of
from docassay.schema.rules.exact import ZERO, Exact, is_too_long
from docassay.values.read.characters import shortened

LONGEST_SHOWN = 40
MOST_DECIMALS = 6


class Missing(NamedTuple):
    """No value, and why; `absent` when the document says nothing, not even what cannot be read."""

    why: str
    absent: bool = False


class Failure(NamedTuple):
    """What does not hold, in words; it counts as false."""

    why: str

    def __bool__(self) -> bool:
        return False


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
    cells: tuple[Single, ...] | Figures
    """One for each of the rows."""
    length: int
    """How many rows the column has as written, those without a value included."""


Value = Single | ColumnValue


class FigurePairs(NamedTuple):
    """Figures side by side in some rows, stated in units that go together."""

    rows: tuple[RowKey, ...]
    left: Figures
    right: Figures
    length: int
    """That of the longer column."""

    def figures(self, numbers: tuple[Decimal, ...]) -> Figures:
        """Return what was worked out from each pair, in the units of both."""
        left, right = self.left, self.right
        if right.unit is None:
            return Figures(numbers, left.units, left.unit)
        if left.unit is None or left.units == right.units:
            return Figures(numbers, right.units, right.unit)
        units = tuple(map(common_unit, left.units, right.units))
        return Figures(numbers, units, left.unit)


class Margin(NamedTuple):
    """How far apart two figures may be and still count as equal: one of the two is enough."""

    absolute: Exact
    relative: Exact

    def equal(self, left: Exact, right: Exact) -> bool:
        """Whether two figures lie within the margin; the relative one is of the greater."""
        if type(left) is type(right) and left == right:
            return True
        own, under = left.as_integer_ratio()
        other, over = right.as_integer_ratio()
        own, other = own * over, other * under
        if own == other:
            return True
        apart = abs(own - other)
        part, whole = self.absolute.as_integer_ratio()
        if apart * whole <= part * under * over:
            return True
        part, whole = self.relative.as_integer_ratio()
        return apart * whole <= part * max(abs(own), abs(other))


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


def joint_unit(units: Iterable[str | None]) -> str | None:
    """Return the one currency that figures are stated in, None when all leave it open."""
    stated = {unit for unit in units if unit is not None}
    if len(stated) > 1:
        first, second, *_ = sorted(stated)
        raise CannotTell(f"{first} and {second} are different currencies")
    return stated.pop() if stated else None


def common_unit(left: str | None, right: str | None) -> str | None:
    """Return the same of two figures, which mostly agree."""
    if left == right or right is None:
        return left
    return right if left is None else joint_unit((left, right))


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
    if ColumnValue not in map(type, values):
        return _applied(function, values)
    columns = [value for value in values if isinstance(value, ColumnValue)]
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


def figure_pairs(left: Value, right: Value) -> FigurePairs | None:
    """Return the figures of two values side by side; None where `lift` has to look at each cell."""
    if not isinstance(left, ColumnValue):
        if not isinstance(right, ColumnValue):
            return None
        rows, length = right.rows, right.length
    else:
        rows, length = left.rows, left.length
        if isinstance(right, ColumnValue):
            if right.rows is not rows and right.rows != rows:
                common = {*right.rows}
                rows = tuple(row for row in rows if row in common)
            if right.length > length:
                length = right.length
    own, other = _figures_in(left, rows), _figures_in(right, rows)
    if own is None or other is None or not (own.unit is None or other.unit in (None, own.unit)):
        return None
    return FigurePairs(rows, own, other, length)


def _figures_in(value: Value, rows: tuple[RowKey, ...]) -> Figures | None:
    """Return what a value is in some of its rows, None if that is no decimal in all of them."""
    if not isinstance(value, ColumnValue):
        return figures_of([value] * len(rows))
    figures = value.cells
    if not isinstance(figures, Figures):
        return None
    if len(figures) == len(rows):  # they are among its own
        return figures
    wanted = {*rows}
    return figures_of([*compress(figures, [row in wanted for row in value.rows])])


def along(value: Value, rows: Sequence[RowKey]) -> Iterable[Single]:
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
        digits = _decimal(value.number, 2 if cents else 0)
        return digits if len(digits) <= LONGEST_SHOWN else f"{digits[: LONGEST_SHOWN - 1]}…"
    if isinstance(value, str):
        return shortened(value, width=LONGEST_SHOWN)
    if isinstance(value, (bool, Failure)):
        return "true" if value else "false"
    if isinstance(value, Period):
        return f"{value.start}/{value.end}"
    return value.why if isinstance(value, Missing) else str(value)


def _decimal(number: Exact, least: int) -> str:
    """Return a number with as many decimals as it needs, or rounded to four and marked so."""
    if isinstance(number, Decimal):
        whole, _, decimals = format(number.copy_abs(), "f").partition(".")
        decimals = decimals.rstrip("0").ljust(least, "0")
        if len(decimals) <= MOST_DECIMALS:
            body = f"{whole}.{decimals}" if decimals else whole
            return f"-{body}" if number < 0 else body
    return _in_decimals(Fraction(number), least)


def _in_decimals(number: Fraction, least: int) -> str:
    places = range(least, MOST_DECIMALS + 1)
    exact = next((n for n in places if 10**n % number.denominator == 0), None)
    shown = 4 if exact is None else exact
    rounded = round(number * 10**shown)
    digits = str(abs(rounded)).zfill(shown + 1)
    whole, decimals = digits[: len(digits) - shown], digits[len(digits) - shown :]
    body = f"{whole}.{decimals}" if decimals else whole
    return f"{'about ' if exact is None else ''}{'-' if rounded < 0 else ''}{body}"
