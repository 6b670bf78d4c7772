"""The grammar of rules: a text becomes a tree of numbers, names, calls and signs.

Binding from loose to tight: `or`, `and`, `not`, comparisons, `+ -`, `* /`, the minus sign. A chain
`a <= b <= c` means `a <= b and b <= c`, where both comparisons share the node `b`. Every node keeps
its own piece of the text, which messages about it quote. Nodes are equal by identity: comparing
them by content would cost as many steps as they have parts.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from docassay.errors import ConfigurationError

LONGEST = 1000
MOST_NESTED = 30
"""Parentheses, calls and signs inside each other; each takes a dozen steps down in the parser."""
COMPARISONS = ("==", "!=", "<=", ">=", "<", ">")
WORDS = frozenset({"and", "or", "not", "true", "false"})
_TOKEN = re.compile(
    r"(?P<number>[0-9]+(?:\.[0-9]+)?(?![\w.]))"
    r"|(?P<name>[^\W\d]\w*(?:\.\w+)*)"
    r"|`(?P<quoted>[^`]+)`"
    r"|(?P<text>'[^']*'|\"[^\"]*\")"
    r"|(?P<sign>==|!=|<=|>=|[-+*/<>(),])"
)
_GAP = re.compile(r"\s*")


@dataclass(frozen=True, slots=True, eq=False)
class Literal:
    """A number, a truth value, or a text that is read as the field it is compared with."""

    source: str
    value: Decimal | bool | str


@dataclass(frozen=True, slots=True, eq=False)
class Name:
    """A field, a column or a group."""

    source: str
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class FunctionCall:
    """A function of one or more arguments."""

    source: str
    function: str
    arguments: tuple[Node, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Unary:
    """`not` or a minus sign before an expression."""

    source: str
    sign: str
    operand: Node


@dataclass(frozen=True, slots=True, eq=False)
class Binary:
    """Two expressions with a sign between them."""

    source: str
    sign: str
    left: Node
    right: Node


Node = Literal | Name | FunctionCall | Unary | Binary


def operands(node: Node) -> tuple[Node, ...]:
    """Return the parts of a node, in the order in which they are written."""
    match node:
        case FunctionCall():
            return node.arguments
        case Unary():
            return (node.operand,)
        case Binary():
            return (node.left, node.right)
        case _:
            return ()


def post_order(root: Node) -> tuple[Node, ...]:
    """Return every part of an expression once, operands before what is made of them.

    Whoever works through the parts in this order needs no recursion, however long a sum is, and
    visits an operand that two comparisons of a chain share only once.
    """
    parts: dict[Node, None] = {}
    waiting = [(root, False)]
    while waiting:
        node, complete = waiting.pop()
        if complete:
            parts[node] = None
        elif node not in parts:
            waiting.append((node, True))
            waiting += [(part, False) for part in reversed(operands(node))]
    return tuple(parts)


def parse(text: str) -> Node:
    """Return the tree of an expression; what cannot be understood is a mistake."""
    if len(text) > LONGEST:
        raise ConfigurationError(f"a rule of more than {LONGEST} characters")
    parser = _RuleParser(text, _tokens(text))
    root = parser.either(0)
    if parser.next.kind != "end":
        raise parser.unexpected("the end or a sign")
    return root


class _Token(NamedTuple):
    kind: str
    """`number`, `name`, `text`, `end`, or the sign or word itself."""
    value: str
    start: int
    end: int


def _tokens(text: str) -> list[_Token]:
    tokens: list[_Token] = []
    start = _end_of_gap(text, 0)
    while start < len(text):
        match = _TOKEN.match(text, start)
        if match is None:
            message = f"{text[start]!r} at character {start + 1} is not understood"
            quoting = "a text stands in 'quotes', a name with odd characters in `backquotes`"
            hint = "equality is ==" if text[start] == "=" else quoting
            raise ConfigurationError(message, hint=hint)
        kind, value = str(match.lastgroup), match[str(match.lastgroup)]
        if kind == "sign" or value in WORDS:
            kind = value
        elif kind == "quoted":
            kind = "name"
        tokens.append(_Token(kind, value, start, match.end()))
        start = _end_of_gap(text, match.end())
    return [*tokens, _Token("end", "", len(text), len(text))]


def _end_of_gap(text: str, start: int) -> int:
    gap = _GAP.match(text, start)
    return start if gap is None else gap.end()


class _RuleParser:
    """Reads tokens from left to right, one function a level of binding."""

    def __init__(self, text: str, tokens: list[_Token]) -> None:
        self.text = text
        self.tokens = tokens
        self.at = 0

    @property
    def next(self) -> _Token:
        return self.tokens[self.at]

    def take(self) -> _Token:
        self.at += 1
        return self.tokens[self.at - 1]

    def unexpected(self, wanted: str) -> ConfigurationError:
        token = self.next
        shown = "the end" if token.kind == "end" else repr(self.text[token.start : token.end])
        return ConfigurationError(f"{shown} at character {token.start + 1} where {wanted} belongs")

    def since(self, start: int) -> str:
        """Return the text from a place up to the last token taken."""
        return self.text[start : self.tokens[self.at - 1].end]

    def refuse_nesting(self, depth: int) -> None:
        if depth > MOST_NESTED:
            raise ConfigurationError(f"a rule nested more than {MOST_NESTED} deep")

    def either(self, depth: int) -> Node:
        return self.chain(("or",), self.both, depth)

    def both(self, depth: int) -> Node:
        return self.chain(("and",), self.denied, depth)

    def denied(self, depth: int) -> Node:
        self.refuse_nesting(depth)
        if self.next.kind != "not":
            return self.compared(depth)
        start = self.take().start
        operand = self.denied(depth + 1)
        return Unary(self.since(start), "not", operand)

    def compared(self, depth: int) -> Node:
        start = self.next.start
        left = self.summed(depth)
        chain: Node | None = None
        while self.next.kind in COMPARISONS:
            sign = self.take().kind
            before, left = left, self.summed(depth)
            link = Binary(f"{before.source} {sign} {left.source}", sign, before, left)
            chain = link if chain is None else Binary(self.since(start), "and", chain, link)
        return left if chain is None else chain

    def summed(self, depth: int) -> Node:
        return self.chain(("+", "-"), self.multiplied, depth)

    def multiplied(self, depth: int) -> Node:
        return self.chain(("*", "/"), self.signed, depth)

    def chain(self, signs: tuple[str, ...], tighter: Callable[[int], Node], depth: int) -> Node:
        """Read operands that signs of one strength join, from left to right."""
        start = self.next.start
        left = tighter(depth)
        while self.next.kind in signs:
            sign = self.take().kind
            right = tighter(depth)
            left = Binary(self.since(start), sign, left, right)
        return left

    def signed(self, depth: int) -> Node:
        self.refuse_nesting(depth)
        if self.next.kind != "-":
            return self.atom(depth)
        start = self.take().start
        operand = self.signed(depth + 1)
        return Unary(self.since(start), "-", operand)

    def atom(self, depth: int) -> Node:
        token = self.next
        if token.kind == "(":
            self.take()
            inside = self.either(depth + 1)
            self.closed()
            return inside
        if token.kind == "name":
            return self.named(depth)
        literal = _literal(token)
        if literal is None:
            raise self.unexpected("a field, a number or a function")
        self.take()
        return Literal(self.since(token.start), literal)

    def closed(self) -> None:
        if self.next.kind != ")":
            raise self.unexpected("')'")
        self.take()

    def named(self, depth: int) -> Node:
        token = self.take()
        if self.next.kind != "(":
            return Name(self.since(token.start), token.value)
        self.take()
        arguments = [self.either(depth + 1)]
        while self.next.kind == ",":
            self.take()
            arguments.append(self.either(depth + 1))
        self.closed()
        return FunctionCall(self.since(token.start), token.value, tuple(arguments))


def _literal(token: _Token) -> Decimal | bool | str | None:
    if token.kind == "number":
        return Decimal(token.value)
    if token.kind in ("true", "false"):
        return token.kind == "true"
    return token.value[1:-1] if token.kind == "text" else None
