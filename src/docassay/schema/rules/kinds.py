"""The kinds of expressions: what a rule may combine, found out before a document is read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from docassay.errors import ConfigurationError, UnknownName
from docassay.schema.rules.functions import FIGURES, FUNCTIONS, ORDERED, Function
from docassay.schema.rules.grammar import (
    COMPARISONS,
    Binary,
    FunctionCall,
    Literal,
    Name,
    Node,
    Unary,
)
from docassay.schema.rules.names import DATE, MONEY, NUMBER, ROWS, TEXT, TRUTH, Named, value_of
from docassay.schema.rules.values import Missing, Single


class ExpressionKind(NamedTuple):
    """What an expression is, and whose rows it runs over; () for a single value."""

    what: str
    axis: tuple[str, ...] = ()


def kinds_of(parts: Sequence[Node], names: Mapping[str, Named]) -> dict[Node, ExpressionKind]:
    """Return the kind of every part of a rule, given in post-order; raises what is wrong."""
    checker = _Checker(names)
    for node in parts:
        checker.kinds[node] = checker.kind_of(node)
    root = parts[-1]
    what = checker.kinds[root].what
    if what != TRUTH:
        raise ConfigurationError(
            f"{root.source} is {what}, which neither holds nor fails",
            hint="compare it with something, as in a == b",
        )
    return checker.kinds


def literal_of(text: str, named: Named) -> Single:
    """Return a text of a rule as the field it is compared with reads it."""
    reading = None if named.readings is None else named.readings[text]
    if reading is None:
        return Missing(f"{text!r} means no value")
    return value_of(reading.sense, named.kind)


class _Checker:
    """Works out the kind of a node from the kinds of its operands, which must be there."""

    def __init__(self, names: Mapping[str, Named]) -> None:
        self.names = names
        self.kinds: dict[Node, ExpressionKind] = {}

    def kind_of(self, node: Node) -> ExpressionKind:
        match node:
            case Literal():
                return _literal(node)
            case Name(name=name):
                named = self.named(name)
                return ExpressionKind(named.kind, named.axis)
            case FunctionCall():
                return self.call(node)
            case Unary(sign="not", operand=operand):
                return self.only(operand, {TRUTH})
            case Unary(operand=operand):
                return self.only(operand, FIGURES)
            case Binary(sign="and" | "or"):
                sides = [self.only(side, {TRUTH}) for side in (node.left, node.right)]
                return ExpressionKind(TRUTH, _axis(node, sides))
            case Binary() if node.sign in COMPARISONS:
                return self.comparison(node)
            case Binary():
                return self.arithmetic(node)

    def named(self, name: str) -> Named:
        if name not in self.names:
            raise UnknownName("field, column or group", name, self.names)
        return self.names[name]

    def only(self, node: Node, wanted: Iterable[str]) -> ExpressionKind:
        kind = self.kinds[node]
        if kind.what not in wanted:
            choices = " or ".join(sorted(wanted))
            raise ConfigurationError(f"{node.source} is {kind.what} where {choices} belongs")
        return kind

    def call(self, node: FunctionCall) -> ExpressionKind:
        function = FUNCTIONS.get(node.function)
        if function is None:
            raise UnknownName("function", node.function, FUNCTIONS)
        takes = _takes(node, function)
        given = [
            self.only(argument, wanted)
            for argument, wanted in zip(node.arguments, takes, strict=True)
        ]
        gives = function.gives or _joint(node, given)
        return ExpressionKind(gives, () if function.reduces else _axis(node, given))

    def comparison(self, node: Binary) -> ExpressionKind:
        for side, other in ((node.left, node.right), (node.right, node.left)):
            if isinstance(side, Literal) and isinstance(side.value, str):
                return self.with_text(node, side.value, other)
        sides = [self.kinds[node.left], self.kinds[node.right]]
        self.comparable(node, _joint(node, sides))
        return ExpressionKind(TRUTH, _axis(node, sides))

    def with_text(self, node: Binary, text: str, other: Node) -> ExpressionKind:
        """Return the kind of a comparison with a text, which its field must be able to read."""
        if not isinstance(other, Name):
            raise ConfigurationError(
                f"the text {text!r} is compared with {other.source}",
                hint="a text can be compared with a field only, which says how to read it",
            )
        kind, named = self.kinds[other], self.named(other.name)
        self.comparable(node, kind.what)
        if isinstance(value := literal_of(text, named), Missing):
            raise ConfigurationError(f"{other.source} is {kind.what}: {value.why}")
        return ExpressionKind(TRUTH, kind.axis)

    def comparable(self, node: Binary, what: str) -> None:
        if what == ROWS:
            raise ConfigurationError(
                f"{node.source} compares a group", hint="count() says how many rows it has"
            )
        if node.sign not in ("==", "!=") and what not in ORDERED:
            raise ConfigurationError(
                f"{node.source}: {what} is neither less nor more than another",
                hint="compare it with == or !=",
            )

    def arithmetic(self, node: Binary) -> ExpressionKind:
        left, right = self.kinds[node.left], self.kinds[node.right]
        axis = _axis(node, (left, right))
        if left.what == DATE and node.sign in ("+", "-"):
            if right.what == DATE and node.sign == "-":
                return ExpressionKind(NUMBER, axis)
            self.only(node.right, {NUMBER})
            return ExpressionKind(DATE, axis)
        for side in (node.left, node.right):
            self.only(side, FIGURES)
        share = node.sign == "/" and left.what == right.what == MONEY
        return ExpressionKind(NUMBER if share else _joint(node, (left, right)), axis)


def _literal(node: Literal) -> ExpressionKind:
    if isinstance(node.value, bool):
        return ExpressionKind(TRUTH)
    return ExpressionKind(TEXT if isinstance(node.value, str) else NUMBER)


def _takes(node: FunctionCall, function: Function) -> list[frozenset[str]]:
    """Return what a call's arguments may be; too few or too many are a mistake."""
    given, most = len(node.arguments), len(function.takes)
    least = min(function.least, most)
    if given < least or (given > most and not function.repeats):
        amount = str(least) if least == most else f"{least} to {most}"
        plural = "argument" if amount == "1" else "arguments"
        raise ConfigurationError(f"{node.function}() takes {amount} {plural}, not {given}")
    return [function.takes[min(place, most - 1)] for place in range(given)]


def _joint(node: Node, kinds: Sequence[ExpressionKind]) -> str:
    """Return the one kind that several parts are; a number beside money is an amount of money."""
    distinct = {kind.what for kind in kinds}
    if distinct == FIGURES:
        return MONEY
    if len(distinct) > 1:
        listed = " and ".join(sorted(distinct))
        raise ConfigurationError(f"{node.source}: {listed} do not go together")
    return distinct.pop()


def _axis(node: Node, kinds: Iterable[ExpressionKind]) -> tuple[str, ...]:
    """Return whose rows several parts run over; rows of different groups have no common order."""
    axes = sorted({kind.axis for kind in kinds if kind.axis})
    if len(axes) > 1:
        raise ConfigurationError(
            f"{node.source}: rows of {axes[0][-1]} and of {axes[1][-1]} do not go together",
            hint="sum() or count() makes one number of a column",
        )
    return axes[0] if axes else ()
