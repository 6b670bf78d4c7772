"""Checking documents: every rule of a schema bound once, then asked of one tree after the other."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from docassay.errors import ConfigurationError, UnknownName
from docassay.layout import Layout
from docassay.model.schema import Rule, Schema
from docassay.rules.evaluate import Scope, evaluate
from docassay.rules.grammar import Node, parse
from docassay.rules.kinds import Kind, kinds_of
from docassay.rules.names import Content, Named, content_of, layout_for_rules, names_of
from docassay.rules.values import Column, Failure, Missing, Row, Value

HOLDS, BROKEN, SKIPPED = "holds", "broken", "not applicable"
ROWS_NAMED = 3


class Outcome(NamedTuple):
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
    """An expression with the kinds of all its parts."""

    node: Node
    kinds: Mapping[Node, Kind]


class BoundRule(NamedTuple):
    """A rule that can be asked."""

    title: str
    check: Formula
    when: Formula | None
    absolute: Fraction | None
    relative: Fraction

    def ask(self, names: Mapping[str, Named], content: Content) -> Outcome:
        """Return what becomes of the rule in a document."""
        if self.when is not None:
            state, why = _verdict(self._value(self.when, names, content))
            if state != HOLDS:
                return Outcome(self.title, SKIPPED, why)
        return Outcome(self.title, *_verdict(self._value(self.check, names, content)))

    def _value(self, formula: Formula, names: Mapping[str, Named], content: Content) -> Value:
        scope = Scope(formula.kinds, names, content, self.absolute, self.relative)
        return evaluate(formula.node, scope)


class Sheet:
    """The rules of one document type, with the names they may use."""

    def __init__(self, schema: Schema, layout: Layout) -> None:
        self.layout = layout
        self.names = names_of(layout)
        kind = None if layout.kind is None else layout.kind.name
        self.rules = [one for one in schema.rules if not one.types or kind in one.types]

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
        node = parse(text)
        return Formula(node, kinds_of(node, self.names))

    def bind_all(self) -> tuple[BoundRule, ...]:
        """Return all rules of the type; raises the first mistake."""
        found = []
        for rule in self.rules:
            try:
                found.append(self.bind(rule))
            except ConfigurationError as error:
                where = f"rule {rule.title}"
                raise ConfigurationError(error.what, where=where, hint=error.hint) from None
        return tuple(found)


def sheets(schema: Schema) -> dict[str, Sheet]:
    """Return the rules of each document type, and under "" those of documents of none."""
    kinds = {"": None, **{kind.name: kind for kind in schema.types}}
    return {name: Sheet(schema, layout_for_rules(schema, kind)) for name, kind in kinds.items()}


class BoundRules:
    """All rules of a schema, parsed and checked."""

    def __init__(self, schema: Schema) -> None:
        self._sheets = {name: (sheet, sheet.bind_all()) for name, sheet in sheets(schema).items()}

    def check(self, tree: object, kind: str = "") -> tuple[Outcome, ...]:
        """Return what becomes of each rule of a document type in one tree."""
        if kind not in self._sheets:
            raise UnknownName("document type", kind, self._sheets)
        sheet, rules = self._sheets[kind]
        content = content_of(tree, sheet.layout)
        return tuple(rule.ask(sheet.names, content) for rule in rules)


def bind_rules(schema: Schema) -> BoundRules:
    """Return the rules of a schema ready to be asked; a mistake in one is raised at once."""
    return BoundRules(schema)


def _verdict(value: Value) -> tuple[str, str]:
    if isinstance(value, Column):
        return _verdict_of_rows(value.cells)
    if isinstance(value, Missing):
        return SKIPPED, value.why
    return (BROKEN, value.why) if isinstance(value, Failure) else (HOLDS, "")


def _verdict_of_rows(cells: Mapping[Row, object]) -> tuple[str, str]:
    """Return that a rule holds when it holds in every row that has what it needs."""
    failed = [(row, one) for row, one in cells.items() if isinstance(one, Failure)]
    if failed:
        named = "; ".join(f"{row.label}: {one.why}" for row, one in failed[:ROWS_NAMED])
        left = len(failed) - ROWS_NAMED
        return BROKEN, f"{named}; and {left} more" if left > 0 else named
    if any(one is True for one in cells.values()):
        return HOLDS, ""
    reason = next((one.why for one in cells.values() if isinstance(one, Missing)), None)
    return SKIPPED, reason or "no row has all the values it needs"
