"""Rules in a schema: texts, or mappings that add a name, a condition and a tolerance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from docassay.errors import ConfigurationError
from docassay.model.schema import Rule, Schema
from docassay.schema.nodes import Mistakes, Node, number, text, texts

RULE_KEYS = ("check", "name", "when", "types", "tolerance", "relative")


class ParsedRule(NamedTuple):
    """A rule and the node it was read from."""

    rule: Rule
    node: Node


def parse_rules(node: Node, mistakes: Mistakes) -> tuple[ParsedRule, ...]:
    """Return the rules that a list of nodes states."""
    if node.value is None:
        return ()
    items = node.value if isinstance(node.value, tuple) else (node,)
    found = [ParsedRule(rule, item) for item in items if (rule := _rule(item, mistakes))]
    first: dict[str, Node] = {}
    for rule, item in found:
        if first.setdefault(rule.title, item) is not item:
            there = first[rule.title]
            hint = f"also at {there.where or there.path}; give one of them a name"
            mistakes.add(item, f"the rule {rule.title!r} stands twice", hint=hint)
    return tuple(found)


def _rule(node: Node, mistakes: Mistakes) -> Rule | None:
    if not isinstance(node.value, Mapping):
        check = text(node, mistakes)
        return None if check is None else Rule(check)
    given = node.value
    for key, item in given.items():
        if key not in RULE_KEYS:
            mistakes.unknown(Node(None, node.path, item.where), "key", key, RULE_KEYS)
    if "check" not in given:
        mistakes.add(node, "no check", hint="write {check: a == b}")
        return None
    said = {key: text(given[key], mistakes) for key in ("check", "name", "when") if key in given}
    limits = {
        key: number(given[key], mistakes, default=0.0)
        for key in ("tolerance", "relative")
        if key in given
    }
    return Rule(
        check=said["check"] or "",
        name=said.get("name") or "",
        when=said.get("when") or "",
        types=texts(given["types"], mistakes) if "types" in given else (),
        tolerance=limits.get("tolerance"),
        relative=limits.get("relative", 0.0),
    )


def check_rules(schema: Schema, parsed: Sequence[ParsedRule], mistakes: Mistakes) -> None:
    """Note every rule that cannot be understood or asks for what the schema does not have."""
    from docassay.rules import sheets

    known = [kind.name for kind in schema.types]
    for rule, node in parsed:
        for name in rule.types:
            if name not in known:
                mistakes.unknown(node, "document type", name, known)
    nodes = {rule.title: node for rule, node in parsed}
    for sheet in sheets(schema).values():
        for rule in sheet.rules:
            try:
                sheet.bind(rule)
            except ConfigurationError as error:
                mistakes.note(nodes[rule.title], error)
