"""JSON Schema to docassay's own form: objects are groups, arrays repeat, formats name types.

The conversion works on nodes and leaves their lines in place, so the result is parsed and checked
like any other schema. `x-docassay: {type: money}` (or `docassay:`) beside a property's keywords
says what JSON Schema cannot.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from docassay.model.document import LEAF_KEYS
from docassay.schema.json_resolve import NOTHING, Resolver, Shape, entries, items, word
from docassay.schema.nodes import MAX_DEPTH, Mistakes, Node
from docassay.schema.parse import FIELD_KEYS

OVERRIDES = ("x-docassay", "docassay")
MOST_PARTS = 10_000
_FORMATS = {"date": "date", "date-time": "date", "time": "time"}
_SCALARS = {"boolean": "boolean", "number": "number", "integer": "number", "string": "text"}


def is_json_schema(root: Node) -> bool:
    """Whether nodes are a JSON Schema rather than docassay's own form."""
    given = entries(root)
    described = word(given.get("type")) == "object" and "properties" in given
    return described or "$schema" in given or "$ref" in given


def convert_json_schema(root: Node, mistakes: Mistakes) -> Node:
    """Return a JSON Schema of one document in docassay's own form."""
    converter = _Converter(root, mistakes)
    shape = converter.resolver.shape(root)
    if not shape.properties:
        if not mistakes.found:
            mistakes.add(root, "a JSON Schema that describes no object with properties")
        return NOTHING
    own = converter.members(shape, 0)
    if "title" in shape.given:
        own["name"] = shape.given["title"]
    return replace(root, value={**own, **_override(shape.given)})


class _Part(NamedTuple):
    """A property in docassay's own form."""

    settings: dict[str, Node]
    is_group: bool


_NO_PART = _Part({}, False)


class _Converter:
    """Carries the references and the mistakes through the levels of a schema."""

    def __init__(self, root: Node, mistakes: Mistakes) -> None:
        self.resolver = Resolver(root, mistakes)
        self.mistakes = mistakes
        self.parts = 0

    def members(self, shape: Shape, depth: int) -> dict[str, Node]:
        """Return the `fields` and `groups` of an object's properties."""
        fields: dict[str, Node] = {}
        groups: dict[str, Node] = {}
        for name, item in shape.properties.items():
            part = self.part(item, shape.open, depth + 1)
            (groups if part.is_group else fields)[name] = replace(item, value=part.settings)
        found = {"fields": fields, "groups": groups}
        return {key: replace(shape.node, value=value) for key, value in found.items() if value}

    def part(self, node: Node, around: frozenset[str], depth: int) -> _Part:
        """Return what a property, or an item of a list, stands for."""
        self.parts += 1
        if depth > MAX_DEPTH or self.parts > MOST_PARTS:
            limit = f"{MAX_DEPTH} levels" if depth > MAX_DEPTH else f"{MOST_PARTS:,} properties"
            if self.parts <= MOST_PARTS + 1:
                self.mistakes.add(node, f"more than {limit}")
            return _NO_PART
        if not isinstance(node.value, Mapping) and node.value != "true":
            self.mistakes.add(node, "a property that no mapping describes")
            return _NO_PART
        shape = self.resolver.shape(node, around)
        override = _override(shape.given)
        settings, is_group = self._described(shape, depth)
        if "type" not in override:
            return _Part({**settings, **override}, is_group)
        # the options that came with the guessed type mean nothing to the one that is given
        kept = {key: item for key, item in settings.items() if key in FIELD_KEYS}
        return _Part({**kept, **override}, False)

    def _described(self, shape: Shape, depth: int) -> _Part:
        given = shape.given
        values = (given["const"],) if "const" in given else items(given.get("enum"))
        if values:
            return _Part(_choice(shape.node, values), False)
        if shape.type == "array":
            return self._array(shape, depth)
        if shape.type == "object":
            return self._object(shape, depth)
        kind = shape.type or "string"
        if kind == "mixed":
            self.mistakes.add(shape.node, "values of different shape", hint="describe one of them")
        elif kind not in _SCALARS:
            self.mistakes.unknown(given["type"], "JSON type", kind, ("array", "object", *_SCALARS))
        formatted = _FORMATS.get(word(given.get("format")) or "") if kind == "string" else None
        return _Part(
            {"type": replace(shape.node, value=formatted or _SCALARS.get(kind, "text"))}, False
        )

    def _object(self, shape: Shape, depth: int) -> _Part:
        if "value" in shape.properties and LEAF_KEYS.issuperset(shape.properties):
            return self.part(shape.properties["value"], shape.open, depth + 1)
        return _Part(self.members(shape, depth), True)

    def _array(self, shape: Shape, depth: int) -> _Part:
        node = shape.given.get("items")
        if node is None:
            return _Part({"type": replace(shape.node, value="text")}, False)
        if self.resolver.shape(node, shape.open).type == "array":
            self.mistakes.add(shape.node, "a list of lists", hint="make the inner one an object")
            return _NO_PART
        part = self.part(node, shape.open, depth + 1)
        if word(shape.given.get("uniqueItems")) != "true":
            return part
        return _Part({"match": replace(shape.node, value="set"), **part.settings}, part.is_group)


def _choice(node: Node, values: tuple[Node, ...]) -> dict[str, Node]:
    """Return the settings of a field that takes one of a few values."""
    known = tuple(value for value in values if isinstance(value.value, str))
    if {word(value) for value in known} == {"true", "false"}:
        return {"type": replace(node, value="boolean")}
    return {"type": replace(node, value="choice"), "choices": replace(node, value=known)}


def _override(given: Mapping[str, Node]) -> dict[str, Node]:
    """Return what is said about docassay beside JSON Schema's own keywords."""
    found: dict[str, Node] = {}
    for key in OVERRIDES:
        node = given.get(key, NOTHING)
        # `x-docassay: money` is short for its type
        found.update({"type": node} if isinstance(node.value, str) else entries(node))
    return found
