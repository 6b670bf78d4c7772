"""Any document as a sequence of blocks: the entities in order, and the words between them.

A tagged text is one already. The values of a tree are entities in the order of the file, depth
first; the category is the field's path, and what reading a tree leaves out is left out here too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from docassay.bound_field import BoundField
from docassay.layout import BoundGroup, Layout, Member
from docassay.metrics.sides import Side
from docassay.model.document import LEAF_KEYS, MAX_DEPTH, SEPARATOR
from docassay.model.tagged import Block, TaggedText
from docassay.reading import ALTERNATIVES_KEYS

Blocks = tuple[Block, ...]


def sequence_of(tree: object, layout: Layout, *, side: Side) -> Blocks:
    """Return the blocks of a document; one that is no object has none."""
    if isinstance(tree, TaggedText):
        return tree.blocks
    if not isinstance(tree, Mapping):
        return ()
    return tuple(_members(tree, layout.root, side, 0))


def _members(
    node: Mapping[str, object], shape: BoundGroup, side: Side, depth: int
) -> Iterator[Block]:
    for key, raw in node.items():
        member = shape.members[str(key)]
        if side.passes_over(member, raw):
            continue
        splits = member.splits
        if member.column is not None and not isinstance(raw, Mapping):
            group, field = member.column
            member, splits = group.members[field.path], True
        if isinstance(raw, str) and splits and SEPARATOR in raw:
            raw = raw.split(SEPARATOR)
        yield from _values(raw, member, side, depth)


def _values(raw: object, member: Member, side: Side, depth: int) -> Iterator[Block]:
    if not isinstance(raw, Mapping | list | tuple):
        text = _text(raw, member.field)
        if text is not None:
            yield Block(member.path, text)
    elif depth >= MAX_DEPTH:
        return
    elif not isinstance(raw, Mapping):
        for item in raw:
            yield from _values(item, member, side, depth + 1)
    elif member.owner.layout.calls_group(member.path):
        yield from _members(raw, member.group, side, depth + 1)
    elif "value" in raw and LEAF_KEYS.issuperset(raw):
        value = raw["value"]
        if isinstance(value, str) and member.splits and SEPARATOR in value:
            value = value.split(SEPARATOR)
        yield from _values(value, member, side, depth + 1)
    elif "any_of" in raw and ALTERNATIVES_KEYS.issuperset(raw):
        yield from _alternatives(raw["any_of"], member, side)
    else:
        yield from _members(raw, member.group, side, depth + 1)


def _alternatives(given: object, member: Member, side: Side) -> Iterator[Block]:
    items = given if isinstance(given, list | tuple) else [given]
    plain = (item for item in items if not isinstance(item, Mapping | list | tuple))
    texts = [text for item in plain if (text := _text(item, member.field)) is not None]
    if texts:
        yield Block(member.path, texts[0], tuple(texts[1:]) if side.gold else ())


def _text(raw: object, field: BoundField) -> str | None:
    """Return a leaf's text with white space collapsed, None when it means "no value"."""
    if raw is None:
        return None
    text = ("true" if raw else "false") if isinstance(raw, bool) else str(raw)
    return None if field.readings[text] is None else " ".join(text.split())
