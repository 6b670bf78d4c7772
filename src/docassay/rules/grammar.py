"""The grammar of rules: a text becomes a tree of numbers, names, calls and signs.

Binding from loose to tight: `or`, `and`, `not`, comparisons, `+ -`, `* /`, the minus sign. A chain
`a <= b <= c` means `a <= b and b <= c`. Every node keeps its own piece of the text, so that what is
said about it quotes what was written.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from docassay.errors import ConfigurationError

LONGEST = 1000
MOST_NESTED = 30
"""Parentheses, calls and signs inside each other; each takes a dozen steps down in the parser."""
DEEPEST = 100
"""Levels of a tree, where every further term of a long sum is one."""
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


@dataclass(frozen=True, slots=True)
class Literal:
    """A number, a truth value, or a text that is read as the field it is compared with."""

    source: str
    value: Fraction | bool | str


@dataclass(frozen=True, slots=True)
class Name:
    """A field, a column or a group."""

    source: str
    name: str


@dataclass(frozen=True, slots=True)
class Call:
    """A function of one or more arguments."""

    source: str
    function: str
    arguments: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Unary:
    """`not` or a minus sign before an expression."""

    source: str
    sign: str
    operand: Node


@dataclass(frozen=True, slots=True)
class Binary:
    """Two expressions with a sign between them."""

    source: str
    sign: str
    left: Node
    right: Node


Node = Literal | Name | Call | Unary | Binary


def parse(text: str) -> Node:
    """Return the tree of an expression; what cannot be understood is a mistake."""
    if len(text) > LONGEST:
        raise ConfigurationError(f"a rule of more than {LONGEST} characters")
    parser = _Parser(text, _tokens(text))
    found = parser.either(0)
    if parser.next.kind != "end":
        raise parser.unexpected("the end or a sign")
    return found


class _Token(NamedTuple):
    kind: str
    """`number`, `name`, `text`, `end`, or the sign or word itself."""
    value: str
    start: int
    end: int


def _tokens(text: str) -> list[_Token]:
    found: list[_Token] = []
    start = _end_of_gap(text, 0)
    while start < len(text):
        match = _TOKEN.match(text, start)
        if match is None:
            said = f"{text[start]!r} at character {start + 1} is not understood"
            quoted = "a text stands in 'quotes', a name with odd characters in `backquotes`"
            hint = "equality is ==" if text[start] == "=" else quoted
            raise ConfigurationError(said, hint=hint)
        kind, value = str(match.lastgroup), match[str(match.lastgroup)]
        if kind == "sign" or value in WORDS:
            kind = value
        elif kind == "quoted":
            kind = "name"
        found.append(_Token(kind, value, start, match.end()))
        start = _end_of_gap(text, match.end())
    return [*found, _Token("end", "", len(text), len(text))]


def _end_of_gap(text: str, start: int) -> int:
    gap = _GAP.match(text, start)
    return start if gap is None else gap.end()


class _Parser:
    """Reads tokens from left to right, one function a level of binding."""

    def __init__(self, text: str, tokens: list[_Token]) -> None:
        self.text = text
        self.tokens = tokens
        self.at = 0
        self.depths: dict[Node, int] = {}

    @property
    def next(self) -> _Token:
        return self.tokens[self.at]

    def take(self) -> _Token:
        self.at += 1
        return self.tokens[self.at - 1]

    def unexpected(self, wanted: str) -> ConfigurationError:
        token = self.next
        found = "the end" if token.kind == "end" else repr(self.text[token.start : token.end])
        return ConfigurationError(f"{found} at character {token.start + 1} where {wanted} belongs")

    def since(self, start: int) -> str:
        """Return the text from a place up to the last token taken."""
        return self.text[start : self.tokens[self.at - 1].end]

    def made(self, node: Node, *parts: Node) -> Node:
        """Return a node, unless its tree is too deep to walk."""
        depth = 1 + max((self.depths[part] for part in parts), default=0)
        if depth > DEEPEST:
            raise ConfigurationError(f"a rule of more than {DEEPEST} steps in a row")
        self.depths[node] = depth
        return node

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
        return self.made(Unary(self.since(start), "not", operand), operand)

    def compared(self, depth: int) -> Node:
        start = self.next.start
        left = self.summed(depth)
        found: Node | None = None
        while self.next.kind in COMPARISONS:
            sign = self.take().kind
            begins = left
            left = self.summed(depth)
            source = f"{begins.source} {sign} {left.source}"
            link = self.made(Binary(source, sign, begins, left), begins, left)
            if found is None:
                found = link
            else:
                found = self.made(Binary(self.since(start), "and", found, link), found, link)
        return left if found is None else found

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
            left = self.made(Binary(self.since(start), sign, left, right), left, right)
        return left

    def signed(self, depth: int) -> Node:
        self.refuse_nesting(depth)
        if self.next.kind != "-":
            return self.atom(depth)
        start = self.take().start
        operand = self.signed(depth + 1)
        return self.made(Unary(self.since(start), "-", operand), operand)

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
        return self.made(Literal(self.since(token.start), literal))

    def closed(self) -> None:
        if self.next.kind != ")":
            raise self.unexpected("')'")
        self.take()

    def named(self, depth: int) -> Node:
        token = self.take()
        if self.next.kind != "(":
            return self.made(Name(self.since(token.start), token.value))
        self.take()
        arguments = [self.either(depth + 1)]
        while self.next.kind == ",":
            self.take()
            arguments.append(self.either(depth + 1))
        self.closed()
        call = Call(self.since(token.start), token.value, tuple(arguments))
        return self.made(call, *arguments)


def _literal(token: _Token) -> Fraction | bool | str | None:
    if token.kind == "number":
        return Fraction(token.value)
    if token.kind in ("true", "false"):
        return token.kind == "true"
    return token.value[1:-1] if token.kind == "text" else None
