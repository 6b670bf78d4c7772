"""Rules in the terms of `kernel.formulas`, which tell what becomes of most of them in few steps."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from docassay.kernel.figures import Figure, TextValues
from docassay.kernel.formulas import (
    PER_ONE,
    Addition,
    ComparedWholes,
    FormulaPart,
    Given,
    NamedWholes,
    Ordered,
    Product,
    Program,
    Quotient,
    Running,
    TextWholes,
    Total,
    Whole,
    WholeMargin,
)
from docassay.schema.rules.functions import CHECKSUMS, FIGURES, Checksum, checked
from docassay.schema.rules.grammar import COMPARISONS, Binary, FunctionCall, Literal, Name, Node
from docassay.schema.rules.kinds import ExpressionKind
from docassay.schema.rules.names import DATE, TRUTH, Names
from docassay.schema.rules.values import Failure, Margin, Single, Value

MOST_DIGITS = 14
"""Before the decimal point."""
_DIRECTIONS = {"ascending": (True, False), "descending": (False, True), "ordered": (True, True)}


class RuleExpression(NamedTuple):
    """An expression: its parts in post-order, what each is, and how far apart some may be."""

    parts: tuple[Node, ...]
    kinds: Mapping[Node, ExpressionKind]
    margins: Mapping[Node, Margin]
    names: Names


class ProgramMaker:
    """Makes one program of many rules, in which all that name a field share what it says."""

    def __init__(self) -> None:
        self._parts: list[FormulaPart] = []
        self._named: dict[tuple[str, str], int] = {}
        self._rules: list[tuple[int, int]] = []

    def add(self, check: RuleExpression, when: RuleExpression | None) -> None:
        """Add a rule, without its parts if there is one among them that no program knows."""
        parts, named = len(self._parts), dict(self._named)
        checked = self._place(check)
        asked = -1 if when is None else self._place(when)
        if checked is None or asked is None:
            del self._parts[parts:]
            self._named = named
            checked = asked = -1
        self._rules.append((checked, asked))

    def program(self) -> Program:
        """Return the program of all rules, in the order in which they were added."""
        return Program(self._parts, self._rules)

    def _place(self, expression: RuleExpression) -> int | None:
        """Return the place of what an expression is worth, None if any part is not known."""
        places: dict[Node, int] = {}
        for node in expression.parts:
            if _is_argument(node, expression):
                continue
            key = _named_by(node)
            place = None if key is None else self._named.get(key)
            if place is None:
                part = _part(node, expression, places)
                if part is None:
                    return None
                place = len(self._parts)
                self._parts.append(part)
                if key is not None:
                    self._named[key] = place
            places[node] = place
        return places[expression.parts[-1]]


def _named_by(node: Node) -> tuple[str, str] | None:
    """Return what parts that are the same in all rules are known by; None for others."""
    match node:
        case Name(name=name):
            return "", name
        case FunctionCall(function=function, arguments=(Name(name=name),)):
            return function, name
        case _:
            return None


def _is_argument(node: Node, expression: RuleExpression) -> bool:
    """Whether a node is a text, which only what it is an argument of can make sense of."""
    return isinstance(node, Name) and expression.kinds[node].what not in {*FIGURES, DATE, TRUTH}


def _part(node: Node, expression: RuleExpression, places: Mapping[Node, int]) -> FormulaPart | None:
    """Return a part of a rule as programs have it, None if they do not."""
    kinds = expression.kinds
    match node:
        case Literal(value=Decimal() as number):
            whole = _whole_of(Figure(number))
            return None if whole is None else Given(whole[0], PER_ONE)
        case Name():
            return _name(node, expression, _whole_of)
        case FunctionCall():
            return _call(node, expression, places)
        case Binary(sign="+" | "-" | "*" | "/") if kinds[node.left].what in FIGURES:
            return _calculation(node.sign, places[node.left], places[node.right])
        case Binary() if node.sign in COMPARISONS:
            sides = node.left, node.right
            comparable = all(kinds[side].what in {*FIGURES, DATE} for side in sides)
            if not comparable or any(side not in places for side in sides):
                return None
            return ComparedWholes(
                places[node.left],
                places[node.right],
                _margin(expression.margins[node]),
                less=node.sign in ("<", "<=", "!="),
                equal=node.sign in ("==", "<=", ">="),
                more=node.sign in (">", ">=", "!="),
            )
        case _:
            return None


def _calculation(sign: str, left: int, right: int) -> FormulaPart:
    if sign == "*":
        return Product(left, right)
    return Quotient(left, right) if sign == "/" else Addition(left, right, minus=sign == "-")


def _call(
    node: FunctionCall, expression: RuleExpression, places: Mapping[Node, int]
) -> FormulaPart | None:
    kinds = [expression.kinds[argument] for argument in node.arguments]
    first = node.arguments[0]
    if node.function in CHECKSUMS and isinstance(first, Name):
        return _name(first, expression, _truth_of(CHECKSUMS[node.function]))
    if any(argument not in places for argument in node.arguments):
        return None
    own = [places[argument] for argument in node.arguments]
    if node.function == "sum" and len(own) == 1:
        return Total(own[0])
    if node.function in _DIRECTIONS:
        rising, falling = _DIRECTIONS[node.function]
        return Ordered(own[0], rising=rising, falling=falling)
    if node.function == "running" and len(own) < 4 and all(kind.axis for kind in kinds):
        balance, money_in, money_out = (*own, -1)[:3]
        return Running(balance, money_in, money_out, _margin(expression.margins[node]))
    return None


def _name(
    node: Name, expression: RuleExpression, whole: Callable[[Single], Whole | None]
) -> FormulaPart | None:
    """Return the part that finds what a name stands for; rows inside rows are not usual."""
    named = expression.names[node.name]
    if named.field is None or len(named.axis) > 1:
        return None
    per = PER_ONE if named.kind in FIGURES else 1
    group = named.axis[0] if named.axis else None
    texts = _wholes(named.field.texts, whole, per)
    return NamedWholes(named.path, group, texts, _wholes(named.field.numbers, whole, per))


def _wholes(values: TextValues, whole: Callable[[Single], Whole | None], per: int) -> TextWholes:
    return TextWholes(values.usual, lambda text: whole(values.fresh(text)), per)  # type: ignore[arg-type]


def _truth_of(checksum: Checksum) -> Callable[[Single], Whole | None]:
    """Return what tells whether texts are right by a checksum."""

    def truth(value: Single) -> Whole | None:
        return _whole_of(checked(value, checksum=checksum)) if isinstance(value, str) else None

    return truth


def _margin(margin: Margin) -> WholeMargin:
    return WholeMargin(margin.absolute.as_integer_ratio(), margin.relative.as_integer_ratio())


def _whole_of(value: Value) -> Whole | None:
    """Return a figure in parts of one, a day or a truth as a whole number; None for all others."""
    if isinstance(value, Figure):
        number = value.number
        if isinstance(number, Fraction) or (number and number.adjusted() >= MOST_DIGITS):
            return None
        over, under = number.as_integer_ratio()
        whole, rest = divmod(over * PER_ONE, under)
        return None if rest else (whole, value.unit)
    if isinstance(value, (bool, Failure)):
        return int(bool(value)), None
    return (value.toordinal(), None) if isinstance(value, datetime.date) else None
