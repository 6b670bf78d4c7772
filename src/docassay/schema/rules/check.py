"""Checking documents: every rule of a schema bound once, then asked of one tree after the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, compress
from operator import ne
from typing import NamedTuple

from docassay.errors import ConfigurationError, UnknownName
from docassay.kernel.formulas import BROKEN as BROKEN
from docassay.kernel.formulas import HOLDS as HOLDS
from docassay.kernel.formulas import NO_VALUES
from docassay.kernel.formulas import SKIPPED as SKIPPED
from docassay.model.document import Document, Group
from docassay.model.schema import DocumentType, Rule, Schema
from docassay.schema.rules.formula import Compiler, Formula
from docassay.schema.rules.grammar import parse, post_order
from docassay.schema.rules.kinds import kinds_of
from docassay.schema.rules.names import Content, ContentReader, Names, RuleReader, names_of
from docassay.schema.rules.quick import ProgramMaker
from docassay.schema.rules.values import ColumnValue, Failure, Missing, Value

ROWS_NAMED = 3
SETS_KEPT = 256
"""How many sets of rules that were asked together are remembered."""


NO_DOCUMENT = Document(None, Group("", None, {}))


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
        compiler = Compiler(parts, kinds_of(parts, self.names), self.names, rule)
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


class RuleSet:
    """Some rules of one document type, asked together."""

    def __init__(self, reader: RuleReader, rules: Sequence[BoundRule]) -> None:
        self._reader = reader
        self._rules = rules
        names = {name: named for rule in self._rules for name, named in rule.names.items()}
        self._content = ContentReader(names)
        self._asking = [
            [place for place, rule in enumerate(self._rules) if name in rule.names]
            for name in self._content.nothing
        ]
        """For each name the places of the rules that have it."""

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


States = tuple[str, ...]
Told = tuple[str | None, ...]
"""The states of rules, None where few steps do not tell; none at all in an empty document."""


class RuleOutcomes:
    """What became of each rule in one document; why is worked out when one is asked for."""

    __slots__ = ("_document", "_rules", "states")

    def __init__(self, rules: TypeRules, document: Document, states: States) -> None:
        self._rules = rules
        self._document = document
        self.states = states
        """HOLDS, BROKEN or SKIPPED for each of the rules, for none in an empty document."""

    @property
    def titles(self) -> tuple[str, ...]:
        """What the rules are called."""
        return self._rules.titles if self.states else ()

    def __iter__(self) -> Iterator[RuleOutcome]:
        """Yield what became of each rule."""
        return (self._rules.ask(place, self._document) for place in range(len(self.states)))

    def broken(self) -> Iterator[RuleOutcome]:
        """Yield what became of the rules that the document breaks."""
        for place, state in enumerate(self.states):
            if state == BROKEN:
                yield self._rules.ask(place, self._document)


class TypeRules:
    """The rules of one document type, parsed and checked."""

    def __init__(self, sheet: RuleSheet) -> None:
        self._reader = sheet.reader
        self._rules = sheet.bind_all()
        self.titles = tuple(rule.title for rule in self._rules)
        self._untold: Told = (None,) * len(self._rules)
        self._sets: dict[tuple[int, ...], RuleSet] = {}
        maker = ProgramMaker()
        for rule in self._rules:
            maker.add(rule.check.expression, None if rule.when is None else rule.when.expression)
        self._program = maker.program()

    @cached_property
    def fields(self) -> Mapping[str, frozenset[str]]:
        """The paths that each rule is about."""
        return {
            rule.title: frozenset(named.path for named in rule.check.names.values())
            for rule in self._rules
        }

    def ask_tree(self, tree: object) -> tuple[RuleOutcome, ...]:
        """Return what becomes of each rule in a tree."""
        return self._set(range(len(self._rules))).ask_tree(tree).outcomes

    def ask(self, place: int, document: Document) -> RuleOutcome:
        """Return what becomes of one rule in a document."""
        return self._set((place,)).ask_document(document).outcomes[0]

    def ask_both(self, gold: Document, pred: Document) -> tuple[RuleOutcomes, RuleOutcomes]:
        """Return what becomes of each rule in both documents of a case; of none in an empty one."""
        of_gold, of_pred = self._completed(*self._told(gold, pred), gold, pred)
        return RuleOutcomes(self, gold, of_gold), RuleOutcomes(self, pred, of_pred)

    def _told(self, gold: Document, pred: Document) -> tuple[Told, Told]:
        """Return the states of rules in both documents as far as few steps tell."""
        program, reads_as_scored = self._program, self._reader.reads_as_scored
        of_gold = self._untold if gold.tree else ()
        of_pred = self._untold if pred.tree else ()
        root, values = None, NO_VALUES
        if gold.tree and reads_as_scored(gold):
            root = gold.root
            values = program.values(root)
            of_gold = program.states(values)
        if pred.tree and reads_as_scored(pred):
            of_pred = program.states(program.values(pred.root, root, values))
        return of_gold, of_pred

    def _completed(
        self, of_gold: Told, of_pred: Told, gold: Document, pred: Document
    ) -> tuple[States, States]:
        """Return the states of rules in both documents, those that are not told found as well."""
        if None not in of_gold and None not in of_pred:
            return of_gold, of_pred  # type: ignore[return-value]
        sides = ((gold, of_gold), (pred, of_pred))
        untold = sorted({at for _, told in sides for at, state in enumerate(told) if state is None})
        rules, other = self._set(untold), None
        completed: list[States] = []
        for document, told in sides:
            states = [*told]
            if told:
                other = rules.ask_document(document, other)
                for at, outcome in zip(untold, other.outcomes, strict=True):
                    states[at] = outcome.state
            completed.append(tuple(states))  # type: ignore[arg-type]
        return completed[0], completed[1]

    def _set(self, places: Sequence[int]) -> RuleSet:
        """Return the rules at some places; few sets of places occur."""
        key = tuple(places)
        rules = self._sets.get(key)
        if rules is None:
            if len(self._sets) >= SETS_KEPT:
                self._sets.clear()
            rules = RuleSet(self._reader, [self._rules[place] for place in key])
            self._sets[key] = rules
        return rules


class BoundRules:
    """All rules of a schema, parsed and checked."""

    def __init__(self, schema: Schema) -> None:
        self._types = {name: TypeRules(sheet) for name, sheet in sheets(schema).items()}

    def check(self, tree: object, kind: str = "") -> tuple[RuleOutcome, ...]:
        """Return what becomes of each rule of a document type in one tree."""
        if kind not in self._types:
            raise UnknownName("document type", kind, self._types)
        return self._types[kind].ask_tree(tree)

    def check_both(self, gold: Document, pred: Document, kind: str) -> Mapping[str, RuleOutcomes]:
        """Return what becomes of each rule in both documents of a case; of none in an empty one."""
        of_gold, of_pred = self._types[kind].ask_both(gold, pred)
        return {"gold": of_gold, "pred": of_pred}

    def check_document(self, document: Document, kind: str) -> RuleOutcomes:
        """Return the same of one document alone."""
        return self._types[kind].ask_both(document, NO_DOCUMENT)[0]

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
