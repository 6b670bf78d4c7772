"""Blocks: the same document in another reading order.

A block is what a reader keeps together: of a tagged text an entity, or a run of words outside
entities; of a tree a member of an object, or an item of a list, at every depth. What a block says
and which row it belongs to never changes, only where it stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from docassay.layout import Layout
from docassay.model.document import LEAF_KEYS, MAX_DEPTH, SEPARATOR
from docassay.model.tagged import TaggedText
from docassay.reading import ALTERNATIVES_KEYS
from docassay.synth.draw import Draw, shuffled


def shuffle(tree: object, draw: Draw, layout: Layout) -> object:
    """Return a document with its blocks in another order."""
    if isinstance(tree, TaggedText):
        return TaggedText(shuffled(draw, tree.blocks))
    if not isinstance(tree, Mapping):
        return tree
    columns = _columns(tree, draw, layout)
    return {
        key: columns[key] if key in columns else _node(value, draw, 1)
        for key, value in shuffled(draw, [*tree.items()])
    }


def count_blocks(tree: object) -> int:
    """Return the number of blocks that hold no other."""
    if isinstance(tree, TaggedText):
        return len(tree.blocks)
    return _leaves(tree, 0) if isinstance(tree, Mapping) else 0


def _node(node: object, draw: Draw, depth: int) -> object:
    if _is_block(node) or depth > MAX_DEPTH:
        return node
    if isinstance(node, Mapping):
        items = shuffled(draw, [*node.items()])
        return {key: _node(value, draw, depth + 1) for key, value in items}
    if isinstance(node, list | tuple):
        return [_node(item, draw, depth + 1) for item in shuffled(draw, node)]
    return node


def _leaves(node: object, depth: int) -> int:
    if node is None:
        return 0
    if _is_block(node) or depth > MAX_DEPTH:
        return 1
    inside: Iterable[object] = ()
    if isinstance(node, Mapping):
        inside = node.values()
    elif isinstance(node, list | tuple):
        inside = node
    return sum(_leaves(one, depth + 1) for one in inside)


def _is_block(node: object) -> bool:
    """Whether a node of a tree is a value, alone or with what is known about it."""
    if not isinstance(node, Mapping):
        return not isinstance(node, list | tuple)
    known = ("value" in node, LEAF_KEYS), ("any_of" in node, ALTERNATIVES_KEYS)
    return any(there and keys.issuperset(node) for there, keys in known)


def _columns(tree: Mapping[str, object], draw: Draw, layout: Layout) -> dict[str, Sequence[object]]:
    """Return the columns of tables with rows in another order, the cells of a row side by side."""
    tables: dict[str, dict[str, Sequence[object]]] = {}
    for key, value in tree.items():
        column = layout.root.members[str(key)].column
        if column is not None and not isinstance(value, Mapping):
            tables.setdefault(column[0].path, {})[key] = _cells(value)
    found: dict[str, Sequence[object]] = {}
    for columns in tables.values():
        order = shuffled(draw, range(max(map(len, columns.values()))))
        for key, cells in columns.items():
            found[key] = [cells[i] if i < len(cells) else None for i in order]
    return found


def _cells(column: object) -> Sequence[object]:
    if isinstance(column, list | tuple):
        return column
    return column.split(SEPARATOR) if isinstance(column, str) else [column]
