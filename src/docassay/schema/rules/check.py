"""Checking documents: every rule of a schema bound once, then asked of one tree after the other."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import cached_property, partial
from typing import NamedTuple

from docassay.errors import ConfigurationError, UnknownName
from docassay.model.document import Document, Group
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
    Names,
    RuleReader,
    content_of,
    names_of,
)
from docassay.schema.rules.values import (
    CannotTell,
    ColumnValue,
    Failure,
    Figure,
    Margin,
    Missing,
    Single,
    Value,
    all_rows,
    along,
    common_unit,
    figure,
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


Step = Callable[[Content, Sequence[Value]], Value]
"""Gives what a part of an expression is worth, from a document and the parts before it."""


class Formula(NamedTuple):
    """An expression, ready to be evaluated: a step for each of its parts, in post-order."""

    names: Names
    """The names in it."""
    steps: tuple[Step, ...]

    def value(self, content: Content) -> Value:
        """Return what the expression is worth in a document."""
        values: list[Value] = []
        for step in self.steps:
            values.append(step(content, values))
        return values[-1]


class BoundRule(NamedTuple):
    """A rule that can be asked."""

    title: str
    check: Formula
    when: Formula | None
    names: Names
    """All that it asks of a document."""

    def ask(self, content: Content) -> RuleOutcome:
        """Return what becomes of the rule in a document."""
        if self.when is not None:
            state, why = _verdict(self.when.value(content))
            if state != HOLDS:
                return RuleOutcome(self.title, SKIPPED, why)
        return RuleOutcome(self.title, *_verdict(self.check.value(content)))

    def sees_same(self, content: Content, other: Content) -> bool:
        """Whether two documents say the same under all names of the rule."""
        for name in self.names:  # noqa: SIM110 - a generator would cost more than the comparing
            if content[name] != other[name]:
                return False
        return True


class CheckedContent(NamedTuple):
    """A document with what became of the rules in it."""

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
        return BoundRule(rule.title, check, when, names)

    def _formula(self, text: str, rule: Rule) -> Formula:
        parts = post_order(parse(text))
        compiler = _Compiler(parts, kinds_of(parts, self.names), self.names, rule)
        names = {part.name: self.names[part.name] for part in parts if isinstance(part, Name)}
        return Formula(names, tuple(map(compiler.step, parts)))

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
        self._names: Names = {
            name: named for rule in self._rules for name, named in rule.names.items()
        }

    @cached_property
    def fields(self) -> Mapping[str, frozenset[str]]:
        """The paths that each rule is about."""
        return {
            rule.title: frozenset(named.path for named in rule.check.names.values())
            for rule in self._rules
        }

    def ask_tree(self, tree: object) -> CheckedContent:
        """Return what becomes of each rule in a tree."""
        return self._ask(self._reader.read(tree, self._names), ())

    def ask_document(self, document: Document, *others: CheckedContent) -> CheckedContent:
        """Return the same of a document of a case; `others` are some that may say what it does."""
        content = self._reader.read_document(document, self._names)
        return self._ask(content, (*others, self._nothing))

    @cached_property
    def _nothing(self) -> CheckedContent:
        """An empty document: documents of a type say no more of the fields of other types."""
        return self._ask(content_of(Group("", None, {}), {}, self._names), ())

    def _ask(self, content: Content, others: Sequence[CheckedContent]) -> CheckedContent:
        outcomes: list[RuleOutcome] = []
        for place, rule in enumerate(self._rules):
            for other in others:
                if rule.sees_same(content, other.content):
                    outcomes.append(other.outcomes[place])
                    break
            else:
                outcomes.append(rule.ask(content))
        return CheckedContent(content, tuple(outcomes))


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
        outcomes: dict[str, tuple[RuleOutcome, ...]] = {"gold": (), "pred": ()}
        asked: list[CheckedContent] = []
        for side, document in (("gold", gold), ("pred", pred)):
            if document.tree:
                asked.append(rules.ask_document(document, *asked))
                outcomes[side] = asked[-1].outcomes
        return outcomes

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
    """Makes the steps of an expression from its parts in post-order."""

    def __init__(
        self,
        parts: Sequence[Node],
        kinds: Mapping[Node, ExpressionKind],
        names: Names,
        rule: Rule,
    ) -> None:
        self._places = {node: place for place, node in enumerate(parts)}
        self._kinds = kinds
        self._names = names
        self._absolute = None if rule.tolerance is None else Decimal(str(rule.tolerance))
        self._relative = Decimal(str(rule.relative))

    def step(self, node: Node) -> Step:
        """Return the step that gives what a node is worth."""
        match node:
            case Literal(value=value):
                return _always(_literal(node, value))
            case Name(name=name):
                return self._named(node, name)
            case FunctionCall():
                return self._call(node)
            case Unary(sign="not", operand=operand):
                return self._lifted(partial(_denied, operand), operand)
            case Unary(operand=operand):
                return self._lifted(_negative, operand)
            case Binary(sign="and" | "or"):
                combine = _both if node.sign == "and" else _either
                left, right = self._places[node.left], self._places[node.right]
                return lambda _, values: _combined(combine, values[left], values[right])
            case Binary() if node.sign in COMPARISONS:
                return self._comparison(node)
            case Binary():
                is_date = self._kinds[node.left].what == DATE
                calculated = partial(_moved, node.sign) if is_date else _OPERATIONS[node.sign]
                return self._lifted(calculated, node.left, node.right)

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
            return lambda _, values: lift(function, values[only])
        left, right = (self._places[node] for node in nodes)
        return lambda _, values: lift(function, values[left], values[right])

    def _named(self, node: Name, name: str) -> Step:
        if self._kinds[node].what != TRUTH:
            return lambda content, _: content[name]
        stated = partial(_stated, node)
        return lambda content, _: lift(stated, content[name])

    def _call(self, node: FunctionCall) -> Step:
        places = [self._places[argument] for argument in node.arguments]
        body, margin = FUNCTIONS[node.function].body, self._margin(node.arguments)
        absent = Missing(f"{_listed(node.arguments)} is absent", absent=True)

        def step(_: Content, values: Sequence[Value]) -> Value:
            result = body([values[place] for place in places], margin)
            return absent if isinstance(result, Missing) and result.absent else result

        return step

    def _comparison(self, node: Binary) -> Step:
        sides = (node.left, node.right)
        compared = partial(_compared, node, self._margin(sides), self._is_money(sides))
        left = self._side(node.left, node.right)
        right = self._side(node.right, node.left)
        return lambda content, values: lift(compared, left(content, values), right(content, values))

    def _side(self, node: Node, other: Node) -> Step:
        """Return a side of a comparison; a text is read as the field on the other side."""
        if isinstance(node, Literal) and isinstance(node.value, str) and isinstance(other, Name):
            return _always(literal_of(node.value, self._names[other.name]))
        place = self._places[node]
        return lambda _, values: values[place]


def _always(value: Value) -> Step:
    return lambda _content, _values: value


def _literal(node: Node, value: Decimal | bool | str) -> Single:
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


def _order(left: Single, right: Single, margin: Margin) -> int:
    """Return 0 for equal values, else -1 or 1; within the margin figures and days are equal."""
    if isinstance(left, Figure) and isinstance(right, Figure):
        common_unit(left, right)
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
    unit = common_unit(left, right)
    if not right.number:
        raise CannotTell("a division by zero")
    # a share of an amount in an amount has no currency
    return figure(divide(left.number, right.number), unit if right.unit is None else None)


def _calculated(operation: Operation, left: Figure, right: Figure) -> Single:
    return figure(operation(left.number, right.number), common_unit(left, right))


_OPERATIONS: Mapping[str, Callable[[Figure, Figure], Single]] = {
    "+": partial(_calculated, add),
    "-": partial(_calculated, subtract),
    "*": partial(_calculated, multiply),
    "/": _divided,
}


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
