"""Figures: what the texts of a column are to rules, found without reading its rows.

A rule wants numbers. A column of decimals is kept as its numbers and its units, so that what is
usual takes one call for all rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction

from docassay.kernel.readings import (
    CACHE_SIZE,
    Group,
    Number,
    Sense,
    Steps,
    UsualSenses,
    sense_of,
    values_of,
)
from docassay.kernel.rows import place_of

SEVERAL = object()
"""In the place of a value where there are several."""


class Figure:
    """An exact number, with its currency when it is an amount of money that states one."""

    __slots__ = ("number", "unit")

    def __init__(self, number: Decimal | Fraction, unit: str | None = None) -> None:
        self.number = number
        self.unit = unit

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Figure):
            return False
        return self.number == other.number and self.unit == other.unit

    def __hash__(self) -> int:
        return hash((self.number, self.unit))

    def __repr__(self) -> str:
        return f"Figure({self.number!r}, {self.unit!r})"


class Figures:
    """Figures that are decimals and stated in one unit, those aside that leave it open."""

    __slots__ = ("numbers", "unit", "units")

    def __init__(
        self, numbers: tuple[Decimal, ...], units: tuple[str | None, ...], unit: str | None
    ) -> None:
        self.numbers = numbers
        self.units = units
        """What each of the numbers is stated in."""
        self.unit = unit
        """The one unit, None if all leave it open."""

    def __len__(self) -> int:
        return len(self.numbers)

    def __iter__(self) -> Iterator[Figure]:
        return map(Figure, self.numbers, self.units)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Figures):
            return False
        return self.numbers == other.numbers and self.units == other.units

    def __hash__(self) -> int:
        return hash((self.numbers, self.units))


def figures_of(cells: Sequence[object]) -> Figures | None:
    """Return cells as figures; None if there are none, or others, or two in different units."""
    numbers: list[Decimal] = []
    units: list[str | None] = []
    unit: str | None = None
    for place in range(len(cells)):
        cell = cells[place]
        if type(cell) is not Figure:
            return None
        figure = cell
        if type(figure.number) is not Decimal:
            return None
        if figure.unit is not None and figure.unit is not unit:
            if unit is not None and figure.unit != unit:
                return None
            unit = figure.unit
        numbers.append(figure.number)
        units.append(figure.unit)
    if not numbers:
        return None
    return Figures(tuple(numbers), tuple(units), unit)


class TextValues:
    """What the texts of a field are to rules, worked out once for each of them.

    `usual` knows numbers as most are written, `general` what any text is.
    """

    def __init__(self, usual: UsualSenses | None, general: Callable[[str], object]) -> None:
        self.usual = usual
        self._general = general
        self._known: dict[str, object] = {}
        self._most = CACHE_SIZE

    def of(self, text: str) -> object:
        """Return what a text is."""
        value = self._known.get(text)
        if value is None:
            if len(self._known) >= self._most:
                self._known.clear()
            value = self._known[text] = self.fresh(text)
        return value

    def fresh(self, text: str) -> object:
        """Return what a text is, which is not kept."""
        usual = None if self.usual is None else self.usual.figure(text)
        return self._general(text) if usual is None else Figure(Decimal(usual[0]), usual[1])  # type: ignore[arg-type]


class RuleValues:
    """What the values of a field are to rules: plain leaves by text, all others by sense."""

    def __init__(
        self, path: str, texts: TextValues, numbers: TextValues, senses: Mapping[Sense, object]
    ) -> None:
        self.path = path
        self.texts = texts
        self.numbers = numbers
        """The same of numbers in JSON."""
        self.senses = senses

    def under(self, groups: list[Group]) -> list[object] | None:
        """Return the value in each of some groups, None where there is none.

        None if a group has several. No row is read for it.
        """
        values: list[object] = [None] * len(groups)
        steps: Steps = ()
        place = -1
        for number in range(len(groups)):
            group = groups[number]
            if group._steps is not steps:  # most rows of a list have the same
                steps = group._steps
                place = place_of(self.path, steps, 0)
            value = self.at(place, group)
            if value is SEVERAL:
                return None
            values[number] = value
        return values

    def at(self, place: int, group: Group) -> object:
        """Return the value in a group that has its leaf at a place, SEVERAL if there are."""
        if not group._steps:
            readings = values_of(group).get(self.path)
            if readings is None:
                return None
            return SEVERAL if len(readings) > 1 else self.senses[sense_of(readings[0])]
        leaf = None if place < 0 else group._leaves[place]
        if type(leaf) is str:
            return self.texts.of(leaf)
        if type(leaf) is Number:
            return self.numbers.of(leaf)
        return None if leaf is None else self.texts.of(str(leaf))


def values_in(group: Group, fields: list[RuleValues]) -> list[object]:
    """Return the value of each of some fields in a group, SEVERAL where there are."""
    values: list[object] = [None] * len(fields)
    for number in range(len(fields)):
        field = fields[number]
        values[number] = field.at(place_of(field.path, group._steps, 0), group)
    return values


def indexes_of(groups: list[Group]) -> tuple[int | None, ...]:
    """Return the numbers of rows in their file."""
    indexes: list[int | None] = []
    for number in range(len(groups)):
        group = groups[number]
        indexes.append(group.index)
    return tuple(indexes)
