"""The functions of rules: from columns to one value, from value to value, and checks of order.

An aggregate looks at all values of its arguments together and passes over those that are absent.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal, Inexact
from fractions import Fraction
from functools import partial, reduce
from itertools import pairwise
from operator import mul
from typing import NamedTuple

from docassay.errors import Unreadable
from docassay.kernel.figures import Figure, Figures
from docassay.schema.rules.exact import ZERO, Exact, add, divide, magnitude, negative
from docassay.schema.rules.names import DATE, MONEY, NUMBER, PERIOD, ROWS, TEXT, TIME, TRUTH
from docassay.schema.rules.values import (
    ABSENT,
    CannotTell,
    ColumnValue,
    Failure,
    Margin,
    Missing,
    Period,
    RowKey,
    Single,
    Value,
    all_rows,
    along,
    common_unit,
    figure,
    gathered,
    joint_unit,
    lift,
    rank,
    reasonable,
    show,
)
from docassay.values.read.id import read_id

ALONE = RowKey((0,), "[0]")
NO_CHANGE = Figure(ZERO)


def ascending(values: Sequence[Value], _: Margin) -> Value:
    """Return for each value whether it is no less than the one before it."""
    return _in_order(values, falling=False)


def descending(values: Sequence[Value], _: Margin) -> Value:
    """Return for each value whether it is no more than the one before it."""
    return _in_order(values, falling=True)


def ordered(values: Sequence[Value], margin: Margin) -> Value:
    """Return the better of ascending and descending."""
    return _better(ascending(values, margin), lambda: descending(values, margin))


def _in_order(values: Sequence[Value], *, falling: bool) -> Value:
    try:
        entries = gathered(values)
        joint_unit([cell.unit for _, cell in entries if isinstance(cell, Figure)])
    except CannotTell as error:
        return Missing(str(error))
    cells: list[tuple[RowKey, Single]] = []
    ranked = [(row, value, rank(value)) for row, value in entries]
    for (_, before, last), (row, value, own) in pairwise(ranked):
        right = own <= last if falling else last <= own
        cells.append((row, True if right else Failure(f"{show(value)} follows {show(before)}")))
    return _column(cells, len(cells))


def _column(cells: Iterable[tuple[RowKey, Single]], length: int) -> ColumnValue:
    """Return the column of rows with their cells."""
    entries = [*cells]
    return ColumnValue(tuple(row for row, _ in entries), tuple(cell for _, cell in entries), length)


def _better(first: Value, other: Callable[[], Value]) -> Value:
    """Return of two values the one that fails less; the other is not asked where none can."""
    failures = _failures(first)
    if not failures:
        return first
    second = other()
    return second if _failures(second) < failures else first


def _failures(value: Value) -> int:
    cells = value.cells if isinstance(value, ColumnValue) else ()
    return sum(isinstance(cell, Failure) for cell in cells)


def running(values: Sequence[Value], margin: Margin) -> Value:
    """Return for each balance whether the last one and the movements since come to it.

    The arguments are the balance, what comes in, what goes out and the opening balance. A row
    without a movement adds nothing, and one without a balance is added to the next that has one.
    """
    balance, money_in, money_out, opening = [*values, ABSENT, ABSENT][:4]
    if isinstance(balance, Missing):
        return balance
    if not isinstance(balance, ColumnValue):
        balance = ColumnValue((ALONE,), (balance,), 1)
    rows = all_rows(
        term for term in (balance, money_in, money_out) if isinstance(term, ColumnValue)
    )
    changes = map(_change, along(money_in, rows), along(money_out, rows))
    entries = [*zip(rows, along(balance, rows), changes, strict=True)]
    if isinstance(opening, ColumnValue):
        return Missing("there is more than one opening balance")
    upward = _followed(entries, opening, margin)
    return _better(upward, lambda: _followed(entries[::-1], opening, margin))


def _change(money_in: Single, money_out: Single) -> Single:
    """Return what a row adds; an absent movement is none, one that cannot be read is unknown."""
    gain = NO_CHANGE if isinstance(money_in, Missing) and money_in.absent else money_in
    if isinstance(money_out, Figure):
        return _added(gain, Figure(negative(money_out.number), money_out.unit))
    return gain if isinstance(money_out, Missing) and money_out.absent else money_out


def _followed(
    entries: Sequence[tuple[RowKey, Single, Single]], start: Single, margin: Margin
) -> ColumnValue:
    """Return for each row, given with its balance and its change, whether it follows."""
    cells: list[tuple[RowKey, Single]] = []
    expected = start
    for row, balance, change in entries:
        expected = _added(expected, change)
        if not isinstance(balance, Figure):
            # a balance that is absent is carried on; one that cannot be read breaks the chain
            expected = expected if isinstance(balance, Missing) and balance.absent else balance
            continue
        if isinstance(expected, Figure):
            right = margin.equal(balance.number, expected.number)
            cells.append((row, True if right else _other_balance(balance, expected)))
        expected = balance
    return _column(sorted(cells), len(entries))


def _other_balance(balance: Figure, expected: Figure) -> Failure:
    actual = f"the balance is {show(balance, cents=True)}"
    return Failure(f"{actual}, what came before makes {show(expected, cents=True)}")


def _added(expected: Single, change: Single) -> Single:
    if not isinstance(expected, Figure) or not isinstance(change, Figure):
        return expected if isinstance(expected, Missing) else change
    try:
        unit = common_unit(expected.unit, change.unit)
        return figure(add(expected.number, change.number), unit)
    except CannotTell as error:
        return Missing(str(error))


_ABN_WEIGHTS = (10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19)
_ACN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 1)
_IBAN = re.compile(r"[a-z]{2}[0-9]{2}[a-z0-9]{11,30}")
_REFERENCE = re.compile(r"rf[0-9]{2}[a-z0-9]{1,21}")
_ISBN_10 = re.compile(r"[0-9]{9}[0-9x]")


def abn(text: str) -> bool:
    """Whether eleven digits are an Australian Business Number (weighted sum, modulo 89)."""
    digits = _digits(text, 11)
    # the first digit counts one less, so that a number cannot begin with 0
    return bool(digits) and digits[0] > 0 and (_weighed(digits, _ABN_WEIGHTS) - 10) % 89 == 0


def acn(text: str) -> bool:
    """Whether nine digits are an Australian Company Number (weighted sum, modulo 10)."""
    digits = _digits(text, 9)
    return bool(digits) and (_weighed(digits[:8], _ACN_WEIGHTS) + digits[8]) % 10 == 0


def iban(text: str) -> bool:
    """Whether a text is an international bank account number (ISO 13616, modulo 97)."""
    return _IBAN.fullmatch(text) is not None and _remainder_97(text) == 1


def creditor_reference(text: str) -> bool:
    """Whether a text is a structured creditor reference, RF… (ISO 11649, modulo 97)."""
    return _REFERENCE.fullmatch(text) is not None and _remainder_97(text) == 1


def luhn(text: str) -> bool:
    """Whether digits pass the Luhn check, as the numbers of payment cards do."""
    digits = _digits(text)
    doubled = (sum(divmod(2 * digit, 10)) for digit in digits[-2::-2])
    return len(digits) > 1 and (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


def gtin(text: str) -> bool:
    """Whether 8, 12, 13 or 14 digits are the number of a bar code (GTIN, EAN, UPC; modulo 10)."""
    digits = _digits(text)
    valid = len(digits) in (8, 12, 13, 14)
    return valid and (sum(digits[-1::-2]) + 3 * sum(digits[-2::-2])) % 10 == 0


def isbn(text: str) -> bool:
    """Whether a text is an ISBN: ten characters modulo 11, or thirteen digits from 978 or 979."""
    if _ISBN_10.fullmatch(text):
        digits = [10 if char == "x" else int(char) for char in text]
        return _weighed(digits, range(10, 0, -1)) % 11 == 0
    return len(text) == 13 and text[:3] in ("978", "979") and gtin(text)


class Checksum(NamedTuple):
    """A checksum and what it is a checksum of."""

    function: Callable[[str], bool]
    """Takes letters and digits only, in lower case."""
    noun: str


CHECKSUMS = {
    "abn": Checksum(abn, "an ABN"),
    "acn": Checksum(acn, "an ACN"),
    "creditor_reference": Checksum(creditor_reference, "a creditor reference"),
    "gtin": Checksum(gtin, "a GTIN"),
    "iban": Checksum(iban, "an IBAN"),
    "isbn": Checksum(isbn, "an ISBN"),
    "luhn": Checksum(luhn, "a number with a Luhn check digit"),
}


def _digits(text: str, length: int | None = None) -> list[int]:
    """Return the digits of a text that is nothing else, and of this length if one is given."""
    right = text.isascii() and text.isdecimal() and length in (None, len(text))
    return [*map(int, text)] if right else []


def _weighed(digits: Sequence[int], weights: Sequence[int]) -> int:
    return sum(map(mul, digits, weights))


def _remainder_97(text: str) -> int:
    """Return a text modulo 97, its first four characters last and each letter as its number."""
    moved = text[4:] + text[:4]
    return int("".join(str(int(char, 36)) for char in moved)) % 97


FIGURES = frozenset({NUMBER, MONEY})
ORDERED = FIGURES | {DATE, TIME}
SINGLES = ORDERED | {PERIOD, TRUTH, TEXT}
CENTS = Figure(Decimal(2))
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


def _aggregate(reduced: Callable[[list[Single]], Single]) -> Body:
    def body(values: Sequence[Value], _: Margin) -> Value:
        try:
            singles = [single for _, single in gathered(values)]
            return reduced(singles) if singles else Missing("there is no value", absent=True)
        except CannotTell as error:
            return Missing(str(error))

    return body


def _figures(found: Sequence[Single]) -> list[Figure]:
    return [single for single in found if isinstance(single, Figure)]


def _sum(found: list[Single]) -> Single:
    figures = _figures(found)
    unit = joint_unit([addend.unit for addend in figures])
    total: Exact = ZERO
    for addend in figures:
        total = reasonable(add(total, addend.number))
    return Figure(total, unit)


def _mean(found: list[Single]) -> Single:
    total = _sum(found)
    assert isinstance(total, Figure)
    return figure(divide(total.number, Decimal(len(found))), total.unit)


def _extreme(found: list[Single], *, pick: Callable[..., Single]) -> Single:
    joint_unit([single.unit for single in _figures(found)])
    return pick(found, key=rank)


def _count(values: Sequence[Value], _: Margin) -> Value:
    return Figure(Decimal(len(gathered(values, readable=False))))


def _length(values: Sequence[Value], _: Margin) -> Value:
    value = values[0]
    if isinstance(value, ColumnValue):
        length = Figure(Decimal(value.length))
        return length if value.cells else Missing("there is no value", absent=True)
    return value if isinstance(value, Missing) else Figure(Decimal(1))


def _each(function: Callable[..., Single]) -> Body:
    return lambda values, _: lift(function, *values)


def _absolute(one: Figure) -> Single:
    return Figure(magnitude(one.number), one.unit)


def _round(one: Figure, places: Figure = CENTS) -> Single:
    """Round as people do on paper: a half goes away from zero."""
    if places.number not in range(21):
        raise CannotTell("round() takes from 0 to 20 places")
    scale = 10 ** int(places.number)
    whole = int(abs(Fraction(one.number)) * scale + Fraction(1, 2))
    return Figure(Fraction(whole if one.number >= 0 else -whole, scale), one.unit)


def _start(one: Period | datetime.date) -> Single:
    return one.start if isinstance(one, Period) else one


def _end(one: Period | datetime.date) -> Single:
    return one.end if isinstance(one, Period) else one


def checked(text: str, *, checksum: Checksum) -> Single:
    """Return whether a text is what a checksum is of."""
    try:
        bare = read_id(text)
    except Unreadable:
        bare = ""
    right = checksum.function(bare)
    return True if right else Failure(f"{show(bare or text)} is not {checksum.noun}")


_sum_of_cells = _aggregate(_sum)


def _sum_of_column(values: Sequence[Value], margin: Margin) -> Value:
    """Return the sum of all values, which for most columns takes one call."""
    column = values[0]
    if len(values) == 1 and isinstance(column, ColumnValue) and isinstance(column.cells, Figures):
        try:
            total = reduce(add.of_decimals, column.cells.numbers, ZERO)
            return Figure(total, column.cells.unit)
        except Inexact:
            pass
    return _sum_of_cells(values, margin)


FUNCTIONS: Mapping[str, Function] = {
    "sum": Function(_sum_of_column, (FIGURES,), repeats=True, reduces=True),
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
        name: Function(_each(partial(checked, checksum=checksum)), (frozenset({TEXT}),), TRUTH)
        for name, checksum in CHECKSUMS.items()
    },
}
