"""Evaluating a rule on what a document says, with a sentence for whatever does not hold."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from docassay.rules.functions import FUNCTIONS
from docassay.rules.grammar import COMPARISONS, Binary, Call, Literal, Name, Node, Unary
from docassay.rules.kinds import Kind, literal_of
from docassay.rules.names import MONEY, TRUTH, Content, Named
from docassay.rules.values import (
    ZERO,
    CannotTell,
    Column,
    Failure,
    Figure,
    Margin,
    Missing,
    Single,
    Value,
    at,
    figure,
    joint_unit,
    lift,
    rank,
    show,
)

CENT = Fraction(5, 1000)
"""Amounts of money this close to each other are the same to the cent."""
_HOLDS: Mapping[str, Callable[[int], bool]] = {
    "==": lambda order: order == 0,
    "!=": lambda order: order != 0,
    "<": lambda order: order < 0,
    "<=": lambda order: order <= 0,
    ">": lambda order: order > 0,
    ">=": lambda order: order >= 0,
}


class Scope(NamedTuple):
    """What an expression is evaluated in: its kinds, the names, the document and the tolerance."""

    kinds: Mapping[Node, Kind]
    names: Mapping[str, Named]
    content: Content
    absolute: Fraction | None
    """None: half a cent between amounts of money, nothing between other figures."""
    relative: Fraction

    def is_money(self, *nodes: Node) -> bool:
        """Whether any of some expressions is an amount of money."""
        return any(node in self.kinds and self.kinds[node].what == MONEY for node in nodes)

    def margin(self, *nodes: Node) -> Margin:
        """Return how far apart these expressions may be."""
        usual = CENT if self.is_money(*nodes) else ZERO
        return Margin(usual if self.absolute is None else self.absolute, self.relative)


def evaluate(node: Node, scope: Scope) -> Value:
    """Return what an expression is worth in a document."""
    match node:
        case Literal(value=value):
            return _literal(node, value)
        case Name(name=name):
            found = scope.content.value(name, scope.names[name])
            return lift(partial(_stated, node), found) if _is_truth(node, scope) else found
        case Call(function=function, arguments=arguments):
            values = [evaluate(one, scope) for one in arguments]
            result = FUNCTIONS[function].body(values, scope.margin(*arguments))
            if not isinstance(result, Missing) or not result.absent:
                return result
            return Missing(f"{_listed(arguments)} is absent", absent=True)
        case Unary(sign="not", operand=operand):
            return lift(partial(_denied, operand), evaluate(operand, scope))
        case Unary(operand=operand):
            return lift(_negative, evaluate(operand, scope))
        case Binary(sign="and" | "or"):
            combine = _both if node.sign == "and" else _either
            return _combined(combine, evaluate(node.left, scope), evaluate(node.right, scope))
        case Binary() if node.sign in COMPARISONS:
            left, right = _side(node.left, node.right, scope), _side(node.right, node.left, scope)
            sides = (node.left, node.right)
            compared = partial(_compared, node, scope.margin(*sides), scope.is_money(*sides))
            return lift(compared, left, right)
        case Binary(sign=sign):
            left, right = evaluate(node.left, scope), evaluate(node.right, scope)
            return lift(partial(_calculated, sign), left, right)


def _literal(node: Node, value: Fraction | bool | str) -> Single:
    if isinstance(value, bool):
        return _stated(node, value)
    return value if isinstance(value, str) else Figure(value)


def _listed(nodes: Sequence[Node]) -> str:
    return ", ".join(node.source for node in nodes)


def _is_truth(node: Node, scope: Scope) -> bool:
    return scope.kinds[node].what == TRUTH


def _side(node: Node, other: Node, scope: Scope) -> Value:
    if isinstance(node, Literal) and isinstance(node.value, str) and isinstance(other, Name):
        return literal_of(node.value, scope.names[other.name])
    return evaluate(node, scope)


def _stated(node: Node, value: Single) -> Single:
    return True if value else Failure(f"{node.source} is false")


def _denied(node: Node, value: Single) -> Single:
    return Failure(f"{node.source} holds") if value else True


def _negative(value: Figure) -> Single:
    return Figure(-value.number, value.unit)


def _compared(node: Binary, margin: Margin, cents: bool, left: Single, right: Single) -> Single:
    if _HOLDS[node.sign](_order(left, right, margin)):
        return True
    sides = [
        f"{side.source} is {show(value, cents=cents)}"
        for side, value in ((node.left, left), (node.right, right))
        if not isinstance(side, Literal)
    ]
    return Failure(", ".join(sides) or f"{node.source} is false")


def _order(left: Single, right: Single, margin: Margin) -> int:
    """Return 0 for equal values, else -1 or 1; within the margin figures and days are equal."""
    if isinstance(left, (bool, Failure)):
        return int(bool(left)) - int(bool(right))
    if isinstance(left, Figure) and isinstance(right, Figure):
        joint_unit((left, right))
    one, other = rank(left), rank(right)
    if one[1] == other[1] and margin.equal(one[0], other[0]):
        return 0
    return -1 if one < other else 1


def _calculated(sign: str, left: Single, right: Single) -> Single:
    if isinstance(left, datetime.date):
        if isinstance(right, datetime.date):
            return Figure(Fraction(left.toordinal() - right.toordinal()))
        return _moved(left, right, 1 if sign == "+" else -1)
    assert isinstance(left, Figure)
    assert isinstance(right, Figure)
    unit = joint_unit((left, right))
    if sign == "/":
        if not right.number:
            raise CannotTell("a division by zero")
        # a share of an amount in an amount has no currency
        return figure(left.number / right.number, unit if right.unit is None else None)
    if sign == "*":
        return figure(left.number * right.number, unit)
    return figure(left.number + (right.number if sign == "+" else -right.number), unit)


def _moved(day: datetime.date, by: Single, sign: int) -> Single:
    assert isinstance(by, Figure)
    if by.number.denominator != 1:
        raise CannotTell("a part of a day")
    try:
        return day + datetime.timedelta(days=sign * int(by.number))
    except OverflowError:
        raise CannotTell("a date beyond the calendar") from None


def _combined(combine: Callable[[Single, Single], Single], left: Value, right: Value) -> Value:
    """Combine truths row by row; what is missing on one side may not be needed."""
    sides = [
        Missing("there is no row") if isinstance(side, Column) and not side.cells else side
        for side in (left, right)
    ]
    columns = [side for side in sides if isinstance(side, Column)]
    if not columns:
        return combine(*sides)  # type: ignore[arg-type]
    rows = sorted({row for column in columns for row in column.cells})
    cells = {row: combine(at(sides[0], row), at(sides[1], row)) for row in rows}
    return Column(cells, max(column.length for column in columns))


def _both(left: Single, right: Single) -> Single:
    for side in (left, right):
        if isinstance(side, Failure):
            return side
    return next((side for side in (left, right) if isinstance(side, Missing)), True)


def _either(left: Single, right: Single) -> Single:
    sides = (left, right)
    if True in sides:
        return True
    missing = next((side for side in sides if isinstance(side, Missing)), None)
    return missing or Failure(", and ".join(one.why for one in sides if isinstance(one, Failure)))
