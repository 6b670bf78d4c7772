"""Checking documents: every rule of a schema bound once, then asked of one tree after the other."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from docassay.errors import ConfigurationError, UnknownName
from docassay.model.schema import Rule, Schema
from docassay.schema.layout import Layout
from docassay.schema.rules.functions import FUNCTIONS
from docassay.schema.rules.grammar import (
    COMPARISONS,
    Binary,
    FunctionCall,
    Literal,
    Name,
    Node,
    Unary,
    parse,
    post_order,
)
from docassay.schema.rules.kinds import ExpressionKind, kinds_of, literal_of
from docassay.schema.rules.names import (
    MONEY,
    TRUTH,
    Content,
    Named,
    content_of,
    layout_for_rules,
    names_of,
)
from docassay.schema.rules.values import (
    ZERO,
    CannotTell,
    ColumnValue,
    Failure,
    Figure,
    Margin,
    Missing,
    RowKey,
    Single,
    Value,
    at,
    figure,
    joint_unit,
    lift,
    rank,
    show,
)

HOLDS, BROKEN, SKIPPED = "holds", "broken", "not applicable"
ROWS_NAMED = 3


class RuleOutcome(NamedTuple):
    """What became of a rule in one document."""

    rule: str
    state: str
    """HOLDS, BROKEN or SKIPPED."""
    message: str
    """Why it is broken or does not apply; "" where it holds."""

    @property
    def broken(self) -> bool:
        """Whether the document breaks the rule."""
        return self.state == BROKEN


class Formula(NamedTuple):
    """An expression: its parts in post-order, and the kind of each."""

    parts: tuple[Node, ...]
    kinds: Mapping[Node, ExpressionKind]


class BoundRule(NamedTuple):
    """A rule that can be asked."""

    title: str
    check: Formula
    when: Formula | None
    absolute: Fraction | None
    relative: Fraction

    def ask(self, names: Mapping[str, Named], content: Content) -> RuleOutcome:
        """Return what becomes of the rule in a document."""
        if self.when is not None:
            state, why = _verdict(self._value(self.when, names, content))
            if state != HOLDS:
                return RuleOutcome(self.title, SKIPPED, why)
        return RuleOutcome(self.title, *_verdict(self._value(self.check, names, content)))

    def _value(self, formula: Formula, names: Mapping[str, Named], content: Content) -> Value:
        scope = Scope(formula.kinds, names, content, self.absolute, self.relative)
        return evaluate(formula.parts, scope)


class RuleSheet:
    """The rules of one document type, with the names they may use."""

    def __init__(self, schema: Schema, layout: Layout) -> None:
        self.layout = layout
        self.names = names_of(layout)
        kind = None if layout.kind is None else layout.kind.name
        self.rules = [rule for rule in schema.rules if not rule.types or kind in rule.types]

    def bind(self, rule: Rule) -> BoundRule:
        """Return a rule ready to be asked; raises what is wrong with it."""
        return BoundRule(
            rule.title,
            self._formula(rule.check),
            self._formula(rule.when) if rule.when else None,
            None if rule.tolerance is None else Fraction(str(rule.tolerance)),
            Fraction(str(rule.relative)),
        )

    def _formula(self, text: str) -> Formula:
        parts = post_order(parse(text))
        return Formula(parts, kinds_of(parts, self.names))

    def bind_all(self) -> tuple[BoundRule, ...]:
        """Return all rules of the type; raises the first mistake."""
        rules = []
        for rule in self.rules:
            try:
                rules.append(self.bind(rule))
            except ConfigurationError as error:
                where = f"rule {rule.title}"
                raise ConfigurationError(error.what, where=where, hint=error.hint) from None
        return tuple(rules)


def sheets(schema: Schema) -> dict[str, RuleSheet]:
    """Return the rules of each document type, and under "" those of documents of none."""
    kinds = {"": None, **{kind.name: kind for kind in schema.types}}
    return {name: RuleSheet(schema, layout_for_rules(schema, kind)) for name, kind in kinds.items()}


class BoundRules:
    """All rules of a schema, parsed and checked."""

    def __init__(self, schema: Schema) -> None:
        self._sheets = {name: (sheet, sheet.bind_all()) for name, sheet in sheets(schema).items()}
        self._fields: dict[str, Mapping[str, frozenset[str]]] = {}

    def check(self, tree: object, kind: str = "") -> tuple[RuleOutcome, ...]:
        """Return what becomes of each rule of a document type in one tree."""
        if kind not in self._sheets:
            raise UnknownName("document type", kind, self._sheets)
        sheet, rules = self._sheets[kind]
        content = content_of(tree, sheet.layout)
        return tuple(rule.ask(sheet.names, content) for rule in rules)

    def fields(self, kind: str = "") -> Mapping[str, frozenset[str]]:
        """Return the paths that each rule of a document type is about."""
        cached = self._fields.get(kind)
        if cached is None:
            sheet, rules = self._sheets[kind]
            cached = self._fields[kind] = {
                rule.title: frozenset(
                    sheet.names[node.name].path
                    for node in rule.check.parts
                    if isinstance(node, Name)
                )
                for rule in rules
            }
        return cached


def bind_rules(schema: Schema) -> BoundRules:
    """Return the rules of a schema ready to be asked; a mistake in one is raised at once."""
    return BoundRules(schema)


def _verdict(value: Value) -> tuple[str, str]:
    if isinstance(value, ColumnValue):
        return _verdict_of_rows(value.cells)
    if isinstance(value, Missing):
        return SKIPPED, value.why
    return (BROKEN, value.why) if isinstance(value, Failure) else (HOLDS, "")


def _verdict_of_rows(cells: Mapping[RowKey, object]) -> tuple[str, str]:
    """Return that a rule holds when it holds in every row that has what it needs."""
    failed = [(row, failure) for row, failure in cells.items() if isinstance(failure, Failure)]
    if failed:
        named = "; ".join(f"{row.label}: {failure.why}" for row, failure in failed[:ROWS_NAMED])
        left = len(failed) - ROWS_NAMED
        return BROKEN, f"{named}; and {left} more" if left > 0 else named
    if any(cell is True for cell in cells.values()):
        return HOLDS, ""
    reason = next((cell.why for cell in cells.values() if isinstance(cell, Missing)), None)
    return SKIPPED, reason or "no row has all the values it needs"


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

    kinds: Mapping[Node, ExpressionKind]
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


def evaluate(parts: Sequence[Node], scope: Scope) -> Value:
    """Return what an expression, given as its parts in post-order, is worth in a document."""
    values: dict[Node, Value] = {}
    for node in parts:
        values[node] = _worth(node, values, scope)
    return values[parts[-1]]


def _worth(node: Node, values: Mapping[Node, Value], scope: Scope) -> Value:
    """Return what a node is worth, given the values of its operands."""
    match node:
        case Literal(value=value):
            return _literal(node, value)
        case Name(name=name):
            content = scope.content.value(name, scope.names[name])
            return lift(partial(_stated, node), content) if _is_truth(node, scope) else content
        case FunctionCall(function=function, arguments=arguments):
            given = [values[argument] for argument in arguments]
            result = FUNCTIONS[function].body(given, scope.margin(*arguments))
            if not isinstance(result, Missing) or not result.absent:
                return result
            return Missing(f"{_listed(arguments)} is absent", absent=True)
        case Unary(sign="not", operand=operand):
            return lift(partial(_denied, operand), values[operand])
        case Unary(operand=operand):
            return lift(_negative, values[operand])
        case Binary(sign="and" | "or"):
            combine = _both if node.sign == "and" else _either
            return _combined(combine, values[node.left], values[node.right])
        case Binary() if node.sign in COMPARISONS:
            left = _side(node.left, node.right, values, scope)
            right = _side(node.right, node.left, values, scope)
            sides = (node.left, node.right)
            compared = partial(_compared, node, scope.margin(*sides), scope.is_money(*sides))
            return lift(compared, left, right)
        case Binary(sign=sign):
            return lift(partial(_calculated, sign), values[node.left], values[node.right])


def _literal(node: Node, value: Fraction | bool | str) -> Single:
    if isinstance(value, bool):
        return _stated(node, value)
    return value if isinstance(value, str) else Figure(value)


def _listed(nodes: Sequence[Node]) -> str:
    return ", ".join(node.source for node in nodes)


def _is_truth(node: Node, scope: Scope) -> bool:
    return scope.kinds[node].what == TRUTH


def _side(node: Node, other: Node, values: Mapping[Node, Value], scope: Scope) -> Value:
    if isinstance(node, Literal) and isinstance(node.value, str) and isinstance(other, Name):
        return literal_of(node.value, scope.names[other.name])
    return values[node]


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
    left_rank, right_rank = rank(left), rank(right)
    if left_rank[1] == right_rank[1] and margin.equal(left_rank[0], right_rank[0]):
        return 0
    return -1 if left_rank < right_rank else 1


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
        Missing("there is no row") if isinstance(side, ColumnValue) and not side.cells else side
        for side in (left, right)
    ]
    columns = [side for side in sides if isinstance(side, ColumnValue)]
    if not columns:
        return combine(*sides)  # type: ignore[arg-type]
    rows = sorted({row for column in columns for row in column.cells})
    cells = {row: combine(at(sides[0], row), at(sides[1], row)) for row in rows}
    return ColumnValue(cells, max(column.length for column in columns))


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
    return missing or Failure(", and ".join(end.why for end in sides if isinstance(end, Failure)))
