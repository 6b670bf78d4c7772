"""What expressions are worth: figures, days, texts and truths, one by one or a column of them.

A value that is absent, or cannot be determined, is Missing with the reason, and so is whatever is
worked out from it. What does not hold is a Failure, which says why.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import NamedTuple

from docassay.values.read.characters import shortened

MOST_BITS = 10_000
"""Figures longer than this are given up, so that no document can cost memory or time."""
LONGEST_SHOWN = 40
ZERO = Fraction(0)


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

    number: Fraction
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


class ColumnValue(NamedTuple):
    """A value a row, for the rows that have one; rows in order."""

    cells: Mapping[RowKey, Single]
    length: int
    """How many rows the column has as written, those without a value included."""


Value = Single | ColumnValue


class Margin(NamedTuple):
    """How far apart two figures may be and still count as equal: one of the two is enough."""

    absolute: Fraction
    relative: Fraction

    def equal(self, left: Fraction, right: Fraction) -> bool:
        """Whether two figures lie within the margin; the relative one is of the greater."""
        if left == right:
            return True
        apart = abs(left - right)
        return apart <= self.absolute or apart <= self.relative * max(abs(left), abs(right))


class CannotTell(Exception):  # noqa: N818 - reads as a statement about a value
    """Raised where values cannot be combined; the message says why."""


def figure(number: Fraction, unit: str | None) -> Figure:
    """Return a figure of reasonable length."""
    if max(number.numerator.bit_length(), number.denominator.bit_length()) > MOST_BITS:
        raise CannotTell("a figure is too long")
    return Figure(number, unit)


def joint_unit(figures: Iterable[Figure]) -> str | None:
    """Return the one currency that figures are stated in, None when all leave it open."""
    units = sorted({figure.unit for figure in figures if figure.unit is not None})
    if len(units) > 1:
        raise CannotTell(f"{units[0]} and {units[1]} are different currencies")
    return units[0] if units else None


def gathered(values: Iterable[Value], *, readable: bool = True) -> list[tuple[RowKey, Single]]:
    """Return all values that are there, in order of rows; each must be readable, if so asked."""
    cells: list[tuple[RowKey, Single]] = []
    for place, value in enumerate(values):
        single = (
            {RowKey((place,), ""): value} if not isinstance(value, ColumnValue) else value.cells
        )
        for row, cell in single.items():
            if not isinstance(cell, Missing) or not (cell.absent or readable):
                cells.append((row, cell))
            elif not cell.absent:
                raise CannotTell(f"{row.label}: {cell.why}" if row.label else cell.why)
    return cells


def rank(value: Single) -> tuple[Fraction, str]:
    """Return what puts values of one kind in order: figures, days, or times of day as text."""
    if isinstance(value, Figure):
        return value.number, ""
    if isinstance(value, datetime.date):
        return Fraction(value.toordinal()), ""
    return ZERO, str(value)


def lift(function: Callable[..., Single], *values: Value) -> Value:
    """Apply a function of single values, row by row where columns are among them."""
    columns = [value for value in values if isinstance(value, ColumnValue)]
    if not columns:
        return _applied(function, values)
    missing = next((value for value in values if isinstance(value, Missing)), None)
    if missing is not None:
        return missing
    rows = [row for row in columns[0].cells if all(row in column.cells for column in columns[1:])]
    cells = {row: _applied(function, [at(value, row) for value in values]) for row in rows}
    return ColumnValue(cells, max(column.length for column in columns))


def at(value: Value, row: RowKey) -> Single:
    """Return what a value is in a row; a single one is the same in all."""
    if isinstance(value, ColumnValue):
        return value.cells.get(row, Missing("no value", absent=True))
    return value


def _applied(function: Callable[..., Single], values: tuple[Value, ...] | list[Single]) -> Single:
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


def _decimal(number: Fraction, least: int) -> str:
    """Return a number with as many decimals as it needs, or rounded to four and marked so."""
    exact = next((n for n in range(least, 7) if (number * 10**n).denominator == 1), None)
    places = 4 if exact is None else exact
    rounded = round(number * 10**places)
    digits = str(abs(rounded)).zfill(places + 1)
    whole, decimals = digits[: len(digits) - places], digits[len(digits) - places :]
    body = f"{whole}.{decimals}" if decimals else whole
    return f"{'about ' if exact is None else ''}{'-' if rounded < 0 else ''}{body}"
