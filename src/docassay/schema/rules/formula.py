"""Formulas: the expressions of rules, ready to be evaluated part by part."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal, Inexact
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from docassay.kernel.figures import Figure
from docassay.model.schema import Rule
from docassay.schema.rules.exact import ZERO, Operation, add, divide, multiply, negative, subtract
from docassay.schema.rules.functions import FUNCTIONS
from docassay.schema.rules.grammar import (
    COMPARISONS,
    Binary,
    FunctionCall,
    Literal,
    Name,
    Node,
    Unary,
)
from docassay.schema.rules.kinds import ExpressionKind, literal_of
from docassay.schema.rules.names import (
    DATE,
    MONEY,
    TRUTH,
    Content,
    Names,
)
from docassay.schema.rules.quick import RuleExpression
from docassay.schema.rules.values import (
    ABSENT,
    CannotTell,
    ColumnValue,
    Failure,
    Margin,
    Missing,
    Single,
    Value,
    all_rows,
    along,
    common_unit,
    figure,
    figure_pairs,
    lift,
    rank,
    show,
)

ROWS_NAMED = 3
SETS_KEPT = 256
"""How many sets of rules that were asked together are remembered."""


Step = Callable[[Sequence[Value]], Value]
"""Gives what a part of an expression is worth, from what the parts before it are."""


class Formula(NamedTuple):
    """An expression, ready to be evaluated: its parts in post-order, each with its place."""

    names: Names
    """The names in it."""
    blank: list[Value]
    """What each part is worth, as far as no document is needed to tell."""
    given: list[tuple[int, str]]
    """The parts that are names."""
    steps: list[tuple[int, Step]]
    """The parts that are worked out, in this order."""
    root: int
    """The place of the whole expression."""
    expression: RuleExpression
    """What it was made of."""

    def value(self, content: Content) -> Value:
        """Return what the expression is worth in a document."""
        values = self.blank.copy()
        for place, name in self.given:
            values[place] = content[name]
        for place, step in self.steps:
            values[place] = step(values)
        return values[self.root]


CENT = Decimal("0.005")
"""Amounts of money this close to each other are the same to the cent."""
_ORDERS: Mapping[str, tuple[int, ...]] = {
    "==": (0,),
    "!=": (-1, 1),
    "<": (-1,),
    "<=": (-1, 0),
    ">": (1,),
    ">=": (0, 1),
}
"""What two sides may be to each other, as `_order` has it, where a comparison holds."""


class Compiler:
    """Makes a formula of the parts of an expression in post-order."""

    def __init__(
        self,
        parts: Sequence[Node],
        kinds: Mapping[Node, ExpressionKind],
        names: Names,
        rule: Rule,
    ) -> None:
        self._places = {node: place for place, node in enumerate(parts)}
        self._blank: list[Value] = [ABSENT] * len(parts)
        self._kinds = kinds
        self._margins: dict[Node, Margin] = {}
        self._names = names
        self._absolute = None if rule.tolerance is None else Decimal(str(rule.tolerance))
        self._relative = Decimal(str(rule.relative))

    def formula(self) -> Formula:
        """Return the expression ready to be evaluated."""
        given: list[tuple[int, str]] = []
        steps: list[tuple[int, Step]] = []
        for node, place in self._places.items():
            if isinstance(node, Name):
                given.append((place, node.name))
            step = self._step(node, place)
            if step is not None:
                steps.append((place, step))
        names = {name: self._names[name] for _, name in given}
        parts = tuple(self._places)
        expression = RuleExpression(parts, self._kinds, self._margins, names)
        return Formula(names, self._blank, given, steps, len(parts) - 1, expression)

    def _step(self, node: Node, place: int) -> Step | None:
        """Return the step that gives what a node is worth, None if it needs none."""
        match node:
            case Literal():
                self._blank[place] = _literal(node)
                return None
            case Name() if self._kinds[node].what != TRUTH:
                return None
            case Name():
                return self._lifted(partial(_stated, node), node)
            case FunctionCall():
                return self._call(node)
            case Unary(sign="not", operand=operand):
                return self._lifted(partial(_denied, operand), operand)
            case Unary(operand=operand):
                return self._lifted(_negative, operand)
            case Binary(sign="and" | "or"):
                combine = _both if node.sign == "and" else _either
                left, right = self._places[node.left], self._places[node.right]
                return lambda values: _combined(combine, values[left], values[right])
            case Binary() if node.sign in COMPARISONS:
                return self._comparison(node)
            case Binary():
                return self._calculation(node)

    def _is_money(self, nodes: Iterable[Node]) -> bool:
        """Whether any of some expressions is an amount of money."""
        return any(self._kinds[node].what == MONEY for node in nodes)

    def _margin(self, node: Node, nodes: Iterable[Node]) -> Margin:
        """Return how far apart the operands of a node may be: half a cent, if nothing is said."""
        usual = CENT if self._is_money(nodes) else ZERO
        margin = Margin(usual if self._absolute is None else self._absolute, self._relative)
        self._margins[node] = margin
        return margin

    def _lifted(self, function: Callable[..., Single], *nodes: Node) -> Step:
        if len(nodes) == 1:
            only = self._places[nodes[0]]
            return lambda values: lift(function, values[only])
        left, right = (self._places[node] for node in nodes)
        return lambda values: lift(function, values[left], values[right])

    def _calculation(self, node: Binary) -> Step:
        if self._kinds[node.left].what == DATE:
            return self._lifted(partial(_moved, node.sign), node.left, node.right)
        if node.sign == "/":
            return self._lifted(_divided, node.left, node.right)
        operation = _OPERATIONS[node.sign]
        left, right = self._places[node.left], self._places[node.right]
        return lambda values: _calculated(operation, values[left], values[right])

    def _call(self, node: FunctionCall) -> Step:
        places = [self._places[argument] for argument in node.arguments]
        body, margin = FUNCTIONS[node.function].body, self._margin(node, node.arguments)
        absent = Missing(f"{_listed(node.arguments)} is absent", absent=True)

        def step(values: Sequence[Value]) -> Value:
            result = body([values[place] for place in places], margin)
            return absent if isinstance(result, Missing) and result.absent else result

        return step

    def _comparison(self, node: Binary) -> Step:
        sides = (node.left, node.right)
        compare = partial(_compared, node, self._margin(node, sides), self._is_money(sides))
        holds_where_equal = 0 in _ORDERS[node.sign]
        left = self._side(node.left, node.right)
        right = self._side(node.right, node.left)
        if not holds_where_equal:
            return lambda values: lift(compare, values[left], values[right])
        return lambda values: _comparison(compare, values[left], values[right])

    def _side(self, node: Node, other: Node) -> int:
        """Return the place of a side of a comparison; a text is read as its field on the other."""
        if isinstance(node, Literal) and isinstance(node.value, str) and isinstance(other, Name):
            self._blank.append(literal_of(node.value, self._names[other.name]))
            return len(self._blank) - 1
        return self._places[node]


def _literal(node: Literal) -> Single:
    value = node.value
    if isinstance(value, bool):
        return _stated(node, value)
    return value if isinstance(value, str) else Figure(value)


def _listed(nodes: Sequence[Node]) -> str:
    return ", ".join(node.source for node in nodes)


def _stated(node: Node, value: Single) -> Single:
    return True if value else Failure(f"{node.source} is false")


def _denied(node: Node, value: Single) -> Single:
    return Failure(f"{node.source} holds") if value else True


def _negative(value: Figure) -> Single:
    return Figure(negative(value.number), value.unit)


def _compared(node: Binary, margin: Margin, cents: bool, left: Single, right: Single) -> Single:
    if _order(left, right, margin) in _ORDERS[node.sign]:
        return True
    sides = [
        f"{side.source} is {show(value, cents=cents)}"
        for side, value in ((node.left, left), (node.right, right))
        if not isinstance(side, Literal)
    ]
    return Failure(", ".join(sides) or f"{node.source} is false")


def _comparison(compare: Callable[[Single, Single], Single], left: Value, right: Value) -> Value:
    """Return whether a comparison holds that does so where sides are equal, as most figures are."""
    pairs = figure_pairs(left, right)
    if pairs is None:
        return lift(compare, left, right)
    if pairs.left.numbers == pairs.right.numbers:
        return ColumnValue(pairs.rows, (True,) * len(pairs.rows), pairs.length)
    cells = tuple(
        True if own.number == other.number else compare(own, other)
        for own, other in zip(pairs.left, pairs.right, strict=True)
    )
    return ColumnValue(pairs.rows, cells, pairs.length)


def _order(left: Single, right: Single, margin: Margin) -> int:
    """Return 0 for equal values, else -1 or 1; within the margin figures and days are equal."""
    if isinstance(left, Figure) and isinstance(right, Figure):
        common_unit(left.unit, right.unit)
        if margin.equal(left.number, right.number):
            return 0
        return -1 if left.number < right.number else 1
    if isinstance(left, (bool, Failure)):
        return int(bool(left)) - int(bool(right))
    left_rank, right_rank = rank(left), rank(right)
    if left_rank[1] == right_rank[1] and margin.equal(left_rank[0], right_rank[0]):
        return 0
    return -1 if left_rank < right_rank else 1


def _divided(left: Figure, right: Figure) -> Single:
    unit = common_unit(left.unit, right.unit)
    if not right.number:
        raise CannotTell("a division by zero")
    # a share of an amount in an amount has no currency
    return figure(divide(left.number, right.number), unit if right.unit is None else None)


_OPERATIONS: Mapping[str, Operation] = {"+": add, "-": subtract, "*": multiply}


def _calculated(operation: Operation, left: Value, right: Value) -> Value:
    """Return the result of an operation, for most columns in one call."""
    pairs = figure_pairs(left, right)
    if pairs is not None:
        own, other = pairs.left.numbers, pairs.right.numbers
        try:
            numbers = tuple(map(operation.of_decimals, own, other))
            return ColumnValue(pairs.rows, pairs.figures(numbers), pairs.length)
        except Inexact:
            pass
    return lift(partial(_result, operation), left, right)


def _result(operation: Operation, left: Figure, right: Figure) -> Single:
    return figure(operation(left.number, right.number), common_unit(left.unit, right.unit))


def _moved(sign: str, day: datetime.date, by: datetime.date | Figure) -> Single:
    """Return the days between two days, or the day that is some days before or after another."""
    if isinstance(by, datetime.date):
        return Figure(Decimal(day.toordinal() - by.toordinal()))
    if Fraction(by.number).denominator != 1:
        raise CannotTell("a part of a day")
    try:
        days = datetime.timedelta(days=int(by.number))
        return day + days if sign == "+" else day - days
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
    rows = all_rows(columns)
    cells = tuple(map(combine, along(sides[0], rows), along(sides[1], rows)))
    return ColumnValue(rows, cells, max(column.length for column in columns))


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
