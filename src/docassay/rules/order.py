"""Checks down a column: values in order, and balances that follow from the movements between them.

Statements list the newest movement first or last, so where either way will do, the one that fewer
rows speak against is taken, and those rows are named.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from docassay.rules.values import (
    ZERO,
    CannotTell,
    Column,
    Failure,
    Figure,
    Margin,
    Missing,
    Row,
    Single,
    Value,
    at,
    figure,
    gathered,
    joint_unit,
    rank,
    show,
)

ALONE = Row((0,), "[0]")
NONE = Missing("no value", absent=True)


def ascending(values: Sequence[Value], _: Margin) -> Value:
    """Return for each value whether it is no less than the one before it."""
    return _in_order(values, falling=False)


def descending(values: Sequence[Value], _: Margin) -> Value:
    """Return for each value whether it is no more than the one before it."""
    return _in_order(values, falling=True)


def ordered(values: Sequence[Value], margin: Margin) -> Value:
    """Return the better of ascending and descending."""
    return _better(ascending(values, margin), descending(values, margin))


def _in_order(values: Sequence[Value], *, falling: bool) -> Value:
    try:
        found = gathered(values)
        joint_unit([one for _, one in found if isinstance(one, Figure)])
    except CannotTell as error:
        return Missing(str(error))
    cells: dict[Row, Single] = {}
    for (_, before), (row, value) in pairwise(found):
        low, high = (value, before) if falling else (before, value)
        right = rank(low) <= rank(high)
        cells[row] = True if right else Failure(f"{show(value)} follows {show(before)}")
    return Column(cells, len(cells))


def _better(first: Value, second: Value) -> Value:
    return second if _failures(second) < _failures(first) else first


def _failures(value: Value) -> int:
    cells = value.cells.values() if isinstance(value, Column) else ()
    return sum(isinstance(one, Failure) for one in cells)


def running(values: Sequence[Value], margin: Margin) -> Value:
    """Return for each balance whether the last one and the movements since come to it.

    The arguments are the balance, what comes in, what goes out and the opening balance. A row
    without a movement adds nothing, and one without a balance is added to the next that has one.
    """
    balance, money_in, money_out, opening = [*values, NONE, NONE][:4]
    if isinstance(balance, Missing):
        return balance
    if not isinstance(balance, Column):
        balance = Column({ALONE: balance}, 1)
    columns = [one for one in (balance, money_in, money_out) if isinstance(one, Column)]
    rows = sorted({row for one in columns for row in one.cells})
    balances = {row: at(balance, row) for row in rows}
    changes = {row: _change(at(money_in, row), at(money_out, row)) for row in rows}
    if isinstance(opening, Column):
        return Missing("there is more than one opening balance")
    upward = _followed(rows, balances, changes, opening, margin)
    downward = _followed(rows[::-1], balances, changes, opening, margin)
    return _better(upward, downward)


def _change(money_in: Single, money_out: Single) -> Single:
    """Return what a row adds; an absent movement is none, one that cannot be read is unknown."""
    nothing = Figure(ZERO)
    gain = nothing if isinstance(money_in, Missing) and money_in.absent else money_in
    if isinstance(money_out, Figure):
        return _added(gain, Figure(-money_out.number, money_out.unit))
    return gain if isinstance(money_out, Missing) and money_out.absent else money_out


def _followed(
    rows: Sequence[Row],
    balances: Mapping[Row, Single],
    changes: Mapping[Row, Single],
    start: Single,
    margin: Margin,
) -> Column:
    cells: dict[Row, Single] = {}
    expected = start
    for row in rows:
        expected = _added(expected, changes[row])
        balance = balances[row]
        if not isinstance(balance, Figure):
            # a balance that is absent is carried on; one that cannot be read breaks the chain
            expected = expected if isinstance(balance, Missing) and balance.absent else balance
            continue
        if isinstance(expected, Figure):
            right = margin.equal(balance.number, expected.number)
            said = f"the balance is {show(balance, cents=True)}"
            due = f"what came before makes {show(expected, cents=True)}"
            cells[row] = True if right else Failure(f"{said}, {due}")
        expected = balance
    return Column(dict(sorted(cells.items())), len(rows))


def _added(expected: Single, change: Single) -> Single:
    if not isinstance(expected, Figure) or not isinstance(change, Figure):
        return expected if isinstance(expected, Missing) else change
    try:
        unit = joint_unit([expected, change])
        return figure(expected.number + change.number, unit)
    except CannotTell as error:
        return Missing(str(error))
