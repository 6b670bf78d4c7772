"""JSON Schema keywords made flat: references, allOf and alternatives folded into one set.

A reference is followed with the set of those already open, so that a schema which contains itself
is refused instead of followed for ever.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from docassay.schema.nodes import Mistakes, Node

NOTHING = Node({}, "", None)
_COMBINING = ("$ref", "allOf", "anyOf", "oneOf")


class Shape(NamedTuple):
    """The keywords of one (sub)schema, all of them its own, and the references open around it."""

    given: Mapping[str, Node]
    node: Node
    open: frozenset[str]

    @property
    def properties(self) -> Mapping[str, Node]:
        """The properties of an object."""
        return entries(self.given.get("properties", NOTHING))

    @property
    def type(self) -> str | None:
        """The type: array, object, a scalar, or "mixed"; null beside it says nothing of it."""
        declared = self.given.get("type")
        if declared is not None and isinstance(declared.value, tuple):
            return common_type([word(item) for item in declared.value])
        if declared is not None:
            return word(declared)
        if "properties" in self.given:
            return "object"
        return "array" if {"items", "prefixItems"} & self.given.keys() else None


class Resolver:
    """Looks references up in the schema as a whole."""

    def __init__(self, root: Node, mistakes: Mistakes) -> None:
        self.root = root
        self.mistakes = mistakes

    def shape(self, node: Node, around: frozenset[str] = frozenset()) -> Shape:
        """Return a schema with everything it refers to folded in; its own keywords win."""
        given = entries(node)
        below = [self.shape(part, around) for part in items(given.get("allOf"))]
        if "$ref" in given:
            pointer = word(given["$ref"]) or ""
            target = self._target(given["$ref"], pointer, around)
            below.append(self.shape(target, around | {pointer}))
        for keyword in ("anyOf", "oneOf"):
            choices = [self.shape(item, around) for item in items(given.get(keyword))]
            if choices:
                below.append(self._alternatives(node, choices))
        shape = Shape({k: v for k, v in given.items() if k not in _COMBINING}, node, around)
        for other in below:
            shape = _fold(shape, other)
        return shape

    def _target(self, reference: Node, pointer: str, around: frozenset[str]) -> Node:
        if pointer in around or pointer == "#":
            self.mistakes.add(
                reference, f"{pointer!r} contains itself", hint="groups nest to a fixed depth"
            )
            return NOTHING
        if not pointer.startswith("#/"):
            self.mistakes.add(
                reference, f"{pointer!r} is outside this schema", hint="copy it under $defs"
            )
            return NOTHING
        found: Node | None = self.root
        for step in pointer.split("/")[1:]:
            name = step.replace("~1", "/").replace("~0", "~")
            found = None if found is None else entries(found).get(name)
        if found is None:
            self.mistakes.add(reference, f"{pointer!r} does not exist")
            return NOTHING
        return found

    def _alternatives(self, node: Node, choices: list[Shape]) -> Shape:
        """Return what the alternatives other than null have in common."""
        real = [choice for choice in choices if choice.type != "null"]
        if len(real) == 1:
            return real[0]
        kinds = {choice.type for choice in real}
        if kinds & {"object", "array"}:
            self.mistakes.add(
                node, "alternatives that are objects or lists", hint="describe one of them"
            )
            return Shape({}, node, frozenset())
        if len(kinds) == 1 and len({word(choice.given.get("format")) for choice in real}) == 1:
            return real[0]
        numeric = bool(real) and all(map(_numeric, real))
        common = replace(node, value="number" if numeric else "string")
        return Shape({"type": common}, node, frozenset())


def common_type(kinds: list[str | None]) -> str | None:
    """Return the type that several allow, "mixed" when scalars differ from objects or lists."""
    distinct = {"number" if kind == "integer" else kind for kind in kinds} - {None, "null"}
    if len(distinct) == 1:
        return distinct.pop()
    if distinct & {"object", "array"}:
        return "mixed"
    return "string" if distinct else None


def entries(node: Node) -> Mapping[str, Node]:
    """Return the entries of a mapping, none for anything else."""
    return node.value if isinstance(node.value, Mapping) else {}


def items(node: Node | None) -> tuple[Node, ...]:
    """Return the items of a list, none for anything else."""
    return node.value if node is not None and isinstance(node.value, tuple) else ()


def word(node: Node | None) -> str | None:
    """Return a text, None for anything else."""
    return node.value if node is not None and isinstance(node.value, str) else None


def _fold(shape: Shape, other: Shape) -> Shape:
    """Return a shape with another's keywords below its own."""
    given = {**other.given, **shape.given}
    if shape.properties and other.properties:
        both = {**other.properties, **shape.properties}
        given["properties"] = replace(shape.given["properties"], value=both)
    return Shape(given, shape.node, shape.open | other.open)


def _numeric(choice: Shape) -> bool:
    """Whether a value is a number, or a text whose pattern allows numbers and no words."""
    pattern = word(choice.given.get("pattern"))
    if choice.type in ("number", "integer"):
        return True
    if choice.type != "string" or pattern is None:
        return False
    try:
        return bool(re.search(pattern, "12.5")) and not re.search(pattern, "word")
    except re.error:
        return False
