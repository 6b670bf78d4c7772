"""Checking documents: every rule of a schema bound once, then asked of one tree after the other."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal, Inexact
from fractions import Fraction
from functools import cached_property, partial
from itertools import chain, compress
from operator import ne
from typing import NamedTuple

from docassay.errors import ConfigurationError, UnknownName
from docassay.kernel.figures import Figure
from docassay.model.document import Document
from docassay.model.schema import DocumentType, Rule, Schema
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
    parse,
    post_order,
)
from docassay.schema.rules.kinds import ExpressionKind, kinds_of, literal_of
from docassay.schema.rules.names import (
    DATE,
    MONEY,
    TRUTH,
    Content,
    ContentReader,
    Names,
    RuleReader,
    names_of,
)
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

    def value(self, content: Content) -> Value:
        """Return what the expression is worth in a document."""
        values = self.blank.copy()
        for place, name in self.given:
            values[place] = content[name]
        for place, step in self.steps:
            values[place] = step(values)
        return values[self.root]


class BoundRule(NamedTuple):
    """A rule that can be asked."""

    title: str
    check: Formula
    when: Formula | None
    names: Names
    """All that it asks of a document."""
    holds: RuleOutcome
    """What becomes of it in most documents."""

    def ask(self, content: Content) -> RuleOutcome:
        """Return what becomes of the rule in a document."""
        if self.when is not None:
            state, why = _verdict(self.when.value(content))
            if state != HOLDS:
                return RuleOutcome(self.title, SKIPPED, why)
        value = self.check.value(content)
        return self.holds if value is True else RuleOutcome(self.title, *_verdict(value))


class CheckedContent(NamedTuple):
    """What a document says under each name, and what became of each rule in it."""

    content: Content
    outcomes: tuple[RuleOutcome, ...]


class RuleSheet:
    """The rules of one document type, with the names they may use."""

    def __init__(self, schema: Schema, kind: DocumentType | None) -> None:
        self.reader = RuleReader(schema, kind)
        self.names = names_of(self.reader.layout)
        name = None if kind is None else kind.name
        self.rules = [rule for rule in schema.rules if not rule.types or name in rule.types]

    def bind(self, rule: Rule) -> BoundRule:
        """Return a rule ready to be asked; raises what is wrong with it."""
        check = self._formula(rule.check, rule)
        when = self._formula(rule.when, rule) if rule.when else None
        names = {**check.names, **({} if when is None else when.names)}
        return BoundRule(rule.title, check, when, names, RuleOutcome(rule.title, HOLDS, ""))

    def _formula(self, text: str, rule: Rule) -> Formula:
        parts = post_order(parse(text))
        compiler = _Compiler(parts, kinds_of(parts, self.names), self.names, rule)
        return compiler.formula()

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
    return {name: RuleSheet(schema, kind) for name, kind in kinds.items()}


class TypeRules:
    """The rules of one document type, parsed and checked."""

    def __init__(self, sheet: RuleSheet) -> None:
        self._reader = sheet.reader
        self._rules = sheet.bind_all()
        names = {name: named for rule in self._rules for name, named in rule.names.items()}
        self._content = ContentReader(names)
        self._asking = [
            [place for place, rule in enumerate(self._rules) if name in rule.names]
            for name in self._content.nothing
        ]
        """For each name the places of the rules that have it."""

    @cached_property
    def fields(self) -> Mapping[str, frozenset[str]]:
        """The paths that each rule is about."""
        return {
            rule.title: frozenset(named.path for named in rule.check.names.values())
            for rule in self._rules
        }

    def ask_tree(self, tree: object) -> CheckedContent:
        """Return what becomes of each rule in a tree."""
        return self._ask(self._reader.read(tree, self._content))

    def ask_document(
        self, document: Document, other: CheckedContent | None = None
    ) -> CheckedContent:
        """Return the same of a document of a case, which may say much that another says.

        Only rules that see a difference are asked.
        """
        # documents of a type say no more of the fields of other types than an empty one does
        other = other or self._nothing
        content = self._reader.read_document(document, self._content)
        differs = map(ne, content.values(), other.content.values())
        outcomes = [*other.outcomes]
        for place in {*chain.from_iterable(compress(self._asking, differs))}:
            outcomes[place] = self._rules[place].ask(content)
        return CheckedContent(content, tuple(outcomes))

    @cached_property
    def _nothing(self) -> CheckedContent:
        return self._ask(self._content.nothing)

    def _ask(self, content: Content) -> CheckedContent:
        return CheckedContent(content, tuple([rule.ask(content) for rule in self._rules]))


class BoundRules:
    """All rules of a schema, parsed and checked."""

    def __init__(self, schema: Schema) -> None:
        self._types = {name: TypeRules(sheet) for name, sheet in sheets(schema).items()}

    def check(self, tree: object, kind: str = "") -> tuple[RuleOutcome, ...]:
        """Return what becomes of each rule of a document type in one tree."""
        if kind not in self._types:
            raise UnknownName("document type", kind, self._types)
        return self._types[kind].ask_tree(tree).outcomes

    def check_both(
        self, gold: Document, pred: Document, kind: str
    ) -> Mapping[str, tuple[RuleOutcome, ...]]:
        """Return what becomes of each rule in both documents of a case; of none in an empty one."""
        rules = self._types[kind]
        of_gold = rules.ask_document(gold) if gold.tree else None
        of_pred = rules.ask_document(pred, of_gold) if pred.tree else None
        return {
            "gold": () if of_gold is None else of_gold.outcomes,
            "pred": () if of_pred is None else of_pred.outcomes,
        }

    def fields(self, kind: str = "") -> Mapping[str, frozenset[str]]:
        """Return the paths that each rule of a document type is about."""
        return self._types[kind].fields


def bind_rules(schema: Schema) -> BoundRules:
    """Return the rules of a schema ready to be asked; a mistake in one is raised at once."""
    return BoundRules(schema)


def _verdict(value: Value) -> tuple[str, str]:
    if isinstance(value, ColumnValue):
        return _verdict_of_rows(value)
    if isinstance(value, Missing):
        return SKIPPED, value.why
    return (BROKEN, value.why) if isinstance(value, Failure) else (HOLDS, "")


def _verdict_of_rows(column: ColumnValue) -> tuple[str, str]:
    """Return that a rule holds when it holds in every row that has what it needs."""
    cells = column.cells
    if isinstance(cells, tuple) and cells and cells.count(True) == len(cells):
        return HOLDS, ""
    entries = zip(column.rows, cells, strict=True)
    failed = [(row, failure) for row, failure in entries if isinstance(failure, Failure)]
    if failed:
        named = "; ".join(f"{row.label}: {failure.why}" for row, failure in failed[:ROWS_NAMED])
        left = len(failed) - ROWS_NAMED
        return BROKEN, f"{named}; and {left} more" if left > 0 else named
    if any(cell is True for cell in cells):
        return HOLDS, ""
    reason = next((cell.why for cell in cells if isinstance(cell, Missing)), None)
    return SKIPPED, reason or "no row has all the values it needs"


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


class _Compiler:
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
        return Formula(names, self._blank, given, steps, len(self._places) - 1)

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

    def _margin(self, nodes: Iterable[Node]) -> Margin:
        """Return how far apart these expressions may be: half a cent, if nothing is said."""
        usual = CENT if self._is_money(nodes) else ZERO
        return Margin(usual if self._absolute is None else self._absolute, self._relative)

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
        body, margin = FUNCTIONS[node.function].body, self._margin(node.arguments)
        absent = Missing(f"{_listed(node.arguments)} is absent", absent=True)

        def step(values: Sequence[Value]) -> Value:
            result = body([values[place] for place in places], margin)
            return absent if isinstance(result, Missing) and result.absent else result

        return step

    def _comparison(self, node: Binary) -> Step:
        sides = (node.left, node.right)
        compare = partial(_compared, node, self._margin(sides), self._is_money(sides))
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
