"""JSON Schema to docassay's own form: objects are groups, arrays repeat, formats name types.

The conversion works on nodes and leaves their lines in place, so the result is parsed and checked
like any other schema. `x-docassay: {type: money}` (or `docassay:`) beside a property's keywords
states what JSON Schema cannot.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from docassay.model.document import LEAF_KEYS
from docassay.schema.nodes import MAX_DEPTH, Mistakes, Node
from docassay.schema.parse import FIELD_KEYS

NOTHING = Node({}, "", None)
_COMBINING = ("$ref", "allOf", "anyOf", "oneOf")
MOST_REFERENCES = 100
"""Schemas folded into each other in a row, by `$ref` or by the keywords that combine."""


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
    """Looks references up in the schema as a whole; each is folded in once and then reused."""

    def __init__(self, root: Node, mistakes: Mistakes) -> None:
        self.root = root
        self.mistakes = mistakes
        self._shapes: dict[str, Shape] = {}
        """What a pointer stands for; `open` are the references folded into it."""
        self._resolving: set[str] = set()
        self._depth = 0

    def shape(self, node: Node, around: frozenset[str] = frozenset()) -> Shape:
        """Return a schema with everything it refers to folded in; its own keywords win."""
        if self._depth >= MOST_REFERENCES:
            self.mistakes.add(node, f"more than {MOST_REFERENCES} references in a row")
            return Shape({}, node, around)
        self._depth += 1
        try:
            return self._folded(node, around)
        finally:
            self._depth -= 1

    def _folded(self, node: Node, around: frozenset[str]) -> Shape:
        given = entries(node)
        below = [self.shape(part, around) for part in items(given.get("allOf"))]
        if "$ref" in given:
            below.append(self._referred(given["$ref"], around))
        for keyword in ("anyOf", "oneOf"):
            choices = [self.shape(item, around) for item in items(given.get(keyword))]
            if choices:
                below.append(self._alternatives(node, choices))
        own = {key: item for key, item in given.items() if key not in _COMBINING}
        return _fold(Shape(own, node, around), below)

    def _referred(self, reference: Node, around: frozenset[str]) -> Shape:
        """Return the shape that a reference points to; one that leads back is a mistake."""
        pointer = word(reference) or ""
        if pointer not in self._shapes:
            target = self._target(reference, pointer)
            if target is None:
                return Shape({}, reference, around)
            self._resolving.add(pointer)
            self._shapes[pointer] = self.shape(target, frozenset({pointer}))
            self._resolving.remove(pointer)
        shape = self._shapes[pointer]
        if not around.isdisjoint(shape.open):
            self._note_cycle(reference, pointer)
            return Shape({}, reference, around)
        return shape._replace(open=around | shape.open)

    def _note_cycle(self, reference: Node, pointer: str) -> None:
        hint = "groups nest to a fixed depth"
        self.mistakes.add(reference, f"{pointer!r} contains itself", hint=hint)

    def _target(self, reference: Node, pointer: str) -> Node | None:
        """Return the node that a reference points to, or None after noting why there is none."""
        if pointer in self._resolving or pointer == "#":
            self._note_cycle(reference, pointer)
            return None
        if not pointer.startswith("#/"):
            self.mistakes.add(
                reference, f"{pointer!r} is outside this schema", hint="copy it under $defs"
            )
            return None
        target: Node | None = self.root
        for step in pointer.split("/")[1:]:
            name = step.replace("~1", "/").replace("~0", "~")
            target = None if target is None else entries(target).get(name)
        if target is None:
            self.mistakes.add(reference, f"{pointer!r} does not exist")
        return target

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


def _fold(shape: Shape, below: Sequence[Shape]) -> Shape:
    """Return a shape with the keywords of others below its own, the first of them on top."""
    if not below:
        return shape
    given: dict[str, Node] = {}
    properties: dict[str, Node] = {}
    required: tuple[Node, ...] = ()
    for layer in (*reversed(below), shape):
        given.update(layer.given)
        properties.update(layer.properties)
        required += items(layer.given.get("required"))
    if required:
        given["required"] = replace(given["required"], value=required)
    if properties:
        given["properties"] = replace(given["properties"], value=properties)
    return Shape(given, shape.node, shape.open.union(*(layer.open for layer in below)))


LONGEST_PATTERN = 200


def _numeric(choice: Shape) -> bool:
    """Whether a value is a number, or a text whose pattern allows numbers and no words."""
    pattern = word(choice.given.get("pattern"))
    if choice.type in ("number", "integer"):
        return True
    if choice.type != "string" or pattern is None:
        return False
    # a pattern that is long or repeats a group many times may take forever even on four characters
    if len(pattern) > LONGEST_PATTERN or "){" in pattern:
        return False
    try:
        return bool(re.search(pattern, "12.5")) and not re.search(pattern, "word")
    except (re.error, OverflowError):
        return False


OVERRIDES = ("x-docassay", "docassay")
MOST_PARTS = 10_000
_FORMATS = {"date": "date", "date-time": "date", "time": "time", "decimal": "number"}
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
    if _allows_more(shape):
        own["extra"] = replace(shape.node, value="count")
    return replace(root, value={**own, **_override(shape.given)})


def _allows_more(shape: Shape) -> bool:
    """Whether `additionalProperties` says that other properties are part of a document."""
    stated = shape.given.get("additionalProperties")
    return stated is not None and (word(stated) == "true" or isinstance(stated.value, Mapping))


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
        required = {word(name) for name in items(shape.given.get("required"))}
        for name, item in shape.properties.items():
            part = self.part(item, shape.open, depth + 1)
            settings = part.settings
            if name in required and not _may_be_null(item):
                settings = {"required": replace(item, value="true"), **settings}
            (groups if part.is_group else fields)[name] = replace(item, value=settings)
        sections = {"fields": fields, "groups": groups}
        return {key: replace(shape.node, value=value) for key, value in sections.items() if value}

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
        if word(shape.given.get("description")) is not None:
            settings = {"description": shape.given["description"], **settings}
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


def _may_be_null(node: Node) -> bool:
    """Whether a property that must be there may hold nothing all the same."""
    given = entries(node)
    kinds = items(given.get("type"))
    choices = (*items(given.get("anyOf")), *items(given.get("oneOf")))
    types = (*kinds, *(part for choice in choices if (part := entries(choice).get("type"))))
    return any(word(kind) == "null" for kind in types)


def _choice(node: Node, values: tuple[Node, ...]) -> dict[str, Node]:
    """Return the settings of a field that takes one of a few values."""
    texts = tuple(value for value in values if isinstance(value.value, str))
    if {word(value) for value in texts} == {"true", "false"}:
        return {"type": replace(node, value="boolean")}
    return {"type": replace(node, value="choice"), "choices": replace(node, value=texts)}


def _override(given: Mapping[str, Node]) -> dict[str, Node]:
    """Return the settings for docassay beside JSON Schema's own keywords."""
    settings: dict[str, Node] = {}
    for key in OVERRIDES:
        node = given.get(key, NOTHING)
        # `x-docassay: money` is short for its type
        settings.update({"type": node} if isinstance(node.value, str) else entries(node))
    return settings
