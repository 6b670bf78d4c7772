"""The kinds of expressions: what a rule may combine, found out before a document is read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from docassay.errors import ConfigurationError, UnknownName
from docassay.rules.functions import FIGURES, FUNCTIONS, ORDERED, Function
from docassay.rules.grammar import COMPARISONS, Binary, Call, Literal, Name, Node, Unary
from docassay.rules.names import DATE, MONEY, NUMBER, ROWS, TEXT, TRUTH, Named, value_of
from docassay.rules.values import Missing, Single


class Kind(NamedTuple):
    """What an expression is, and whose rows it runs over; () for a single value."""

    what: str
    axis: tuple[str, ...] = ()


def kinds_of(root: Node, names: Mapping[str, Named]) -> dict[Node, Kind]:
    """Return the kind of every part of a rule; raises what is wrong with it."""
    found: dict[Node, Kind] = {}
    whole = _Checker(names, found).kind(root)
    if whole.what != TRUTH:
        raise ConfigurationError(
            f"{root.source} is {whole.what}, which neither holds nor fails",
            hint="compare it with something, as in a == b",
        )
    return found


def literal_of(text: str, named: Named) -> Single:
    """Return a text of a rule as the field it is compared with reads it."""
    reading = None if named.field is None else named.field.readings[text]
    return Missing(f"{text!r} means no value") if reading is None else value_of(reading, named.kind)


class _Checker:
    """Works out kinds from the leaves up and keeps them."""

    def __init__(self, names: Mapping[str, Named], found: dict[Node, Kind]) -> None:
        self.names = names
        self.found = found

    def kind(self, node: Node) -> Kind:
        kind = self.found[node] = self._kind(node)
        return kind

    def _kind(self, node: Node) -> Kind:
        match node:
            case Literal():
                return _literal(node)
            case Name(name=name):
                named = self.named(name)
                return Kind(named.kind, named.axis)
            case Call():
                return self.call(node)
            case Unary(sign="not", operand=operand):
                return self.only(operand, {TRUTH})
            case Unary(operand=operand):
                return self.only(operand, FIGURES)
            case Binary(sign="and" | "or"):
                sides = [self.only(side, {TRUTH}) for side in (node.left, node.right)]
                return Kind(TRUTH, _axis(node, sides))
            case Binary() if node.sign in COMPARISONS:
                return self.comparison(node)
            case Binary():
                return self.arithmetic(node)

    def named(self, name: str) -> Named:
        if name not in self.names:
            raise UnknownName("field, column or group", name, self.names)
        return self.names[name]

    def only(self, node: Node, wanted: Iterable[str]) -> Kind:
        kind = self.kind(node)
        if kind.what not in wanted:
            choices = " or ".join(sorted(wanted))
            raise ConfigurationError(f"{node.source} is {kind.what} where {choices} belongs")
        return kind

    def call(self, node: Call) -> Kind:
        function = FUNCTIONS.get(node.function)
        if function is None:
            raise UnknownName("function", node.function, FUNCTIONS)
        takes = _takes(node, function)
        given = [self.only(one, wanted) for one, wanted in zip(node.arguments, takes, strict=True)]
        gives = function.gives or _joint(node, given)
        return Kind(gives, () if function.reduces else _axis(node, given))

    def comparison(self, node: Binary) -> Kind:
        for one, other in ((node.left, node.right), (node.right, node.left)):
            if isinstance(one, Literal) and isinstance(one.value, str):
                return self.with_text(node, one.value, other)
        sides = [self.kind(node.left), self.kind(node.right)]
        self.comparable(node, _joint(node, sides))
        return Kind(TRUTH, _axis(node, sides))

    def with_text(self, node: Binary, text: str, other: Node) -> Kind:
        """Return the kind of a comparison with a text, which its field must be able to read."""
        if not isinstance(other, Name):
            raise ConfigurationError(
                f"the text {text!r} is compared with {other.source}",
                hint="a text can be compared with a field only, which says how to read it",
            )
        kind, named = self.kind(other), self.named(other.name)
        self.comparable(node, kind.what)
        if isinstance(value := literal_of(text, named), Missing):
            raise ConfigurationError(f"{other.source} is {kind.what}: {value.why}")
        return Kind(TRUTH, kind.axis)

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

    def arithmetic(self, node: Binary) -> Kind:
        left, right = self.kind(node.left), self.kind(node.right)
        axis = _axis(node, (left, right))
        if left.what == DATE and node.sign in ("+", "-"):
            if right.what == DATE and node.sign == "-":
                return Kind(NUMBER, axis)
            self.only(node.right, {NUMBER})
            return Kind(DATE, axis)
        for side in (node.left, node.right):
            self.only(side, FIGURES)
        share = node.sign == "/" and left.what == right.what == MONEY
        return Kind(NUMBER if share else _joint(node, (left, right)), axis)


def _literal(node: Literal) -> Kind:
    if isinstance(node.value, bool):
        return Kind(TRUTH)
    return Kind(TEXT if isinstance(node.value, str) else NUMBER)


def _takes(node: Call, function: Function) -> list[frozenset[str]]:
    """Return what a call's arguments may be; too few or too many are a mistake."""
    given, most = len(node.arguments), len(function.takes)
    least = min(function.least, most)
    if given < least or (given > most and not function.repeats):
        amount = str(least) if least == most else f"{least} to {most}"
        plural = "argument" if amount == "1" else "arguments"
        raise ConfigurationError(f"{node.function}() takes {amount} {plural}, not {given}")
    return [function.takes[min(place, most - 1)] for place in range(given)]


def _joint(node: Node, kinds: Sequence[Kind]) -> str:
    """Return the one kind that several parts are; a number beside money is an amount of money."""
    found = {kind.what for kind in kinds}
    if found == FIGURES:
        return MONEY
    if len(found) > 1:
        raise ConfigurationError(f"{node.source}: {' and '.join(sorted(found))} do not go together")
    return found.pop()


def _axis(node: Node, kinds: Iterable[Kind]) -> tuple[str, ...]:
    """Return whose rows several parts run over; rows of different groups have no common order."""
    axes = sorted({kind.axis for kind in kinds if kind.axis})
    if len(axes) > 1:
        raise ConfigurationError(
            f"{node.source}: rows of {axes[0][-1]} and of {axes[1][-1]} do not go together",
            hint="sum() or count() makes one number of a column",
        )
    return axes[0] if axes else ()
