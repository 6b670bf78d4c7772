"""Documents as plain trees: objects, lists and bare values, for metrics that look at nothing else.

A leaf with a confidence or a place is its value alone, and alternatives, which may be given as a
tuple too, become a tuple in gold and the first of them in pred. Fields that do not count are gone;
texts that mean "no value" stay as they are.
"""

from __future__ import annotations

from collections.abc import Mapping

from docassay.layout import BoundGroup, Layout, Member
from docassay.metrics.sides import Side
from docassay.model.document import LEAF_KEYS, MAX_DEPTH
from docassay.reading import ALTERNATIVES_KEYS


def plain_tree(tree: object, layout: Layout, *, side: Side) -> object:
    """Return a document as a plain tree; what is nested too deeply to be read is None."""
    if isinstance(tree, Mapping) and tree.keys() != {"any_of"}:
        return _members(tree, layout.root, side, 0)
    return _value(tree, None, side, 0)


def _members(
    node: Mapping[str, object], shape: BoundGroup, side: Side, depth: int
) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, raw in node.items():
        name = key if type(key) is str else str(key)
        member = shape.members[name]
        if side.passes_over(member, raw):
            continue
        found[name] = raw if type(raw) is str else _value(raw, member, side, depth)
    return found


def _value(raw: object, member: Member | None, side: Side, depth: int) -> object:
    """Return what stands under a key, or (without member) a document that is no object."""
    if not isinstance(raw, Mapping | list | tuple):
        return raw
    if depth >= MAX_DEPTH:
        return None
    if isinstance(raw, tuple):
        return _alternatives(raw, member, side, depth + 1)
    if isinstance(raw, list):
        return [_value(item, member, side, depth + 1) for item in raw]
    if member is None or not member.is_group:
        if "value" in raw and LEAF_KEYS.issuperset(raw):
            return _value(raw["value"], member, side, depth + 1)
        if "any_of" in raw and ALTERNATIVES_KEYS.issuperset(raw):
            return _alternatives(raw["any_of"], member, side, depth + 1)
    if member is None:
        return {str(key): _value(value, None, side, depth + 1) for key, value in raw.items()}
    return _members(raw, member.group, side, depth + 1)


def _alternatives(given: object, member: Member | None, side: Side, depth: int) -> object:
    items = given if isinstance(given, list | tuple) else [given]
    if side.gold:
        return tuple([_value(item, member, side, depth) for item in items])
    return _value(items[0], member, side, depth) if items else None
