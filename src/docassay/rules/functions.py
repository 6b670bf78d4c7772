"""The functions of rules: from columns to one value, from value to value, and checks of order.

An aggregate looks at all values of its arguments together and passes over those that are absent.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from docassay.errors import Unreadable
from docassay.read.id import read_id
from docassay.rules.checksums import CHECKSUMS, Checksum
from docassay.rules.names import DATE, MONEY, NUMBER, PERIOD, ROWS, TEXT, TIME, TRUTH
from docassay.rules.order import ascending, descending, ordered, running
from docassay.rules.values import (
    ZERO,
    CannotTell,
    Column,
    Failure,
    Figure,
    Margin,
    Missing,
    Period,
    Single,
    Value,
    figure,
    gathered,
    joint_unit,
    lift,
    rank,
    show,
)

FIGURES = frozenset({NUMBER, MONEY})
ORDERED = FIGURES | {DATE, TIME}
SINGLES = ORDERED | {PERIOD, TRUTH, TEXT}
CENTS = Figure(Fraction(2))
"""The decimals of most currencies."""
Body = Callable[[Sequence[Value], Margin], Value]


class Function(NamedTuple):
    """A function: what kinds it takes, one set an argument, what it gives, and how."""

    body: Body
    takes: tuple[frozenset[str], ...]
    gives: str | None = None
    """None: what its arguments are."""
    least: int = 1
    """How many arguments it needs; the others may be left out."""
    repeats: bool = False
    """Whether further arguments of the last kind may follow."""
    reduces: bool = False
    """Whether columns become one value."""


def _aggregate(reduce: Callable[[list[Single]], Single]) -> Body:
    def body(values: Sequence[Value], _: Margin) -> Value:
        try:
            found = [one for _, one in gathered(values)]
            return reduce(found) if found else Missing("there is no value", absent=True)
        except CannotTell as error:
            return Missing(str(error))

    return body


def _figures(found: Sequence[Single]) -> list[Figure]:
    return [one for one in found if isinstance(one, Figure)]


def _sum(found: list[Single]) -> Single:
    figures = _figures(found)
    unit, total = joint_unit(figures), ZERO
    for one in figures:
        total = figure(total + one.number, unit).number
    return Figure(total, unit)


def _mean(found: list[Single]) -> Single:
    total = _sum(found)
    assert isinstance(total, Figure)
    return figure(total.number / len(found), total.unit)


def _extreme(found: list[Single], *, pick: Callable[..., Single]) -> Single:
    joint_unit(_figures(found))
    return pick(found, key=rank)


def _count(values: Sequence[Value], _: Margin) -> Value:
    return Figure(Fraction(len(gathered(values, readable=False))))


def _length(values: Sequence[Value], _: Margin) -> Value:
    value = values[0]
    if isinstance(value, Column):
        found = Figure(Fraction(value.length))
        return found if value.cells else Missing("there is no value", absent=True)
    return value if isinstance(value, Missing) else Figure(Fraction(1))


def _each(function: Callable[..., Single]) -> Body:
    return lambda values, _: lift(function, *values)


def _absolute(one: Figure) -> Single:
    return Figure(abs(one.number), one.unit)


def _round(one: Figure, places: Figure = CENTS) -> Single:
    """Round as people do on paper: a half goes away from zero."""
    if places.number.denominator != 1 or not 0 <= places.number <= 20:
        raise CannotTell("round() takes from 0 to 20 places")
    scale = 10 ** int(places.number)
    whole = int(abs(one.number) * scale + Fraction(1, 2))
    return Figure(Fraction(whole if one.number >= 0 else -whole, scale), one.unit)


def _start(one: Period | datetime.date) -> Single:
    return one.start if isinstance(one, Period) else one


def _end(one: Period | datetime.date) -> Single:
    return one.end if isinstance(one, Period) else one


def _checksum(text: str, *, checksum: Checksum) -> Single:
    try:
        bare = read_id(text)
    except Unreadable:
        bare = ""
    right = checksum.function(bare)
    return True if right else Failure(f"{show(bare or text)} is not {checksum.noun}")


FUNCTIONS: Mapping[str, Function] = {
    "sum": Function(_aggregate(_sum), (FIGURES,), repeats=True, reduces=True),
    "mean": Function(_aggregate(_mean), (FIGURES,), repeats=True, reduces=True),
    "min": Function(
        _aggregate(partial(_extreme, pick=min)), (ORDERED,), repeats=True, reduces=True
    ),
    "max": Function(
        _aggregate(partial(_extreme, pick=max)), (ORDERED,), repeats=True, reduces=True
    ),
    "first": Function(_aggregate(lambda found: found[0]), (SINGLES,), reduces=True),
    "last": Function(_aggregate(lambda found: found[-1]), (SINGLES,), reduces=True),
    "count": Function(_count, (SINGLES | {ROWS},), NUMBER, reduces=True),
    "length": Function(_length, (SINGLES | {ROWS},), NUMBER, reduces=True),
    "abs": Function(_each(_absolute), (FIGURES,)),
    "round": Function(_each(_round), (FIGURES, frozenset({NUMBER}))),
    "start": Function(_each(_start), (frozenset({PERIOD, DATE}),), DATE),
    "end": Function(_each(_end), (frozenset({PERIOD, DATE}),), DATE),
    "ascending": Function(ascending, (ORDERED,), TRUTH),
    "descending": Function(descending, (ORDERED,), TRUTH),
    "ordered": Function(ordered, (ORDERED,), TRUTH),
    "running": Function(running, (FIGURES, FIGURES, FIGURES, FIGURES), TRUTH, least=2),
    **{
        name: Function(_each(partial(_checksum, checksum=one)), (frozenset({TEXT}),), TRUTH)
        for name, one in CHECKSUMS.items()
    },
}
