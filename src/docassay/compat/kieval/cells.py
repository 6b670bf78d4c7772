"""Trees as the released KIEval tool sees them: rows of cells, each cell one merged text.

The tool reads tables, so a cell with several values is one text with "||" between them, and a cell
without a value holds "<empty>". Groups inside a row are folded into the row, as its converter does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from docassay.model.document import LEAF_KEYS, MAX_DEPTH

DELIMITER = "||"
EMPTY = "<empty>"
ALTERNATIVES_KEYS = (LEAF_KEYS - {"value"}) | {"any_of"}

Row = dict[str, str]
Texts = Mapping[str, frozenset[str]]
"""Field -> the texts that the other side holds for it."""
NO_TEXTS: Texts = {}


class Cells(NamedTuple):
    """One side of a document: merged texts by field, and rows by group type."""

    values: Row
    groups: dict[str, list[Row]]

    def texts(self) -> Texts:
        """Return every text by field, merged texts taken apart."""
        texts_by_field: dict[str, set[str]] = {}
        for row in (self.values, *(row for rows in self.groups.values() for row in rows)):
            for field, text in row.items():
                texts_by_field.setdefault(field, set()).update(text.split(DELIMITER))
        return {field: frozenset(texts) for field, texts in texts_by_field.items()}


def parts(text: str, split: bool) -> list[str]:
    """Return the values merged in a text, or the text itself."""
    return text.split(DELIMITER) if split else [text]


def present(text: str, split: bool) -> list[str]:
    """Return the values merged in a text, or the text itself, without the empty ones."""
    return [part for part in parts(text, split) if part != EMPTY]


def read_cells(tree: object, keys: tuple[str, ...], other: Texts = NO_TEXTS) -> Cells:
    """Return the cells of a tree; with `keys`, no others; `other` settles gold's alternatives."""
    values: Row = {}
    raw: dict[str, list[Row]] = {}
    for name, node in tree.items() if isinstance(tree, Mapping) else ():
        root = str(name)
        for item in _items(node, 0):
            if isinstance(item, Mapping):
                row: Row = {}
                _fill(row, item, root, "" if root.isdecimal() else f"{root}.", other, 1)
                raw.setdefault(root, []).append(row)
            else:
                _put(values, root, _choose(item, other.get(root)), merge_empty=True)
    kept = filled(values)
    if not keys:
        return Cells(kept, {kind: [filled(row) for row in rows] for kind, rows in raw.items()})
    groups = {
        kind: [_listed(row, kind, keys) for row in rows]
        for kind, rows in raw.items()
        if _has_column(rows, kind, keys)
    }
    return Cells({field: text for field, text in kept.items() if field in keys}, groups)


def filled(row: Row) -> Row:
    """Return the cells of a row that hold something."""
    return {field: text for field, text in row.items() if text != EMPTY}


def _listed(row: Row, kind: str, keys: tuple[str, ...]) -> Row:
    # a table of the tool has a column for every listed key of its group, filled or not
    own = f"{kind}."
    return {key: row.get(key, EMPTY) for key in keys if key in row or key.startswith(own)}


def _has_column(rows: list[Row], kind: str, keys: tuple[str, ...]) -> bool:
    if not any(rows) and kind.isdecimal():
        return True  # empty rows under a bare id do not tell what columns they had
    return any(_listed(row, kind, keys) for row in rows)


def _fill(
    row: Row, node: Mapping[object, object], kind: str, prefix: str, other: Texts, depth: int
) -> None:
    """Add an object's values to a row; those of objects inside it get the name `menu.sub_nm`."""
    for name, inner in node.items():
        key = str(name)
        field = key if key.startswith(f"{kind}.") else prefix + key
        merged: Row = {}
        for item in _items(inner, depth):
            if isinstance(item, Mapping):
                _fill(row, item, kind, f"{field}_", other, depth + 1)
            else:
                _put(merged, field, _choose(item, other.get(field)), merge_empty=True)
        if field in merged:
            _put(row, field, merged[field], merge_empty=False)


def _put(row: Row, field: str, text: str, *, merge_empty: bool) -> None:
    held = row.get(field)
    if held is None or (held == EMPTY and not merge_empty):
        row[field] = text
    elif text != EMPTY or merge_empty:
        row[field] = f"{held}{DELIMITER}{text}"


def _choose(alternatives: tuple[str, ...], known: frozenset[str] | None) -> str:
    if known is None:
        return alternatives[0]
    return next((text for text in alternatives if text in known), alternatives[0])


def _items(node: object, depth: int) -> Iterator[tuple[str, ...] | Mapping[object, object]]:
    """Yield the objects under a node, and its leaves as the texts that are accepted for them."""
    if depth > MAX_DEPTH:
        return  # reading the document has named this as a problem
    if isinstance(node, (list, tuple)):
        for item in node:
            yield from _items(item, depth + 1)
    elif not isinstance(node, Mapping):
        yield (_text(node),)
    elif "value" in node and LEAF_KEYS.issuperset(node):
        yield from _items(node["value"], depth + 1)
    elif "any_of" in node and ALTERNATIVES_KEYS.issuperset(node):
        leaves = [leaf for leaf in _items(node["any_of"], depth + 1) if isinstance(leaf, tuple)]
        yield tuple(text for leaf in leaves for text in leaf) or (EMPTY,)
    else:
        yield node


def _text(leaf: object) -> str:
    if leaf is None or leaf == "":
        return EMPTY
    if isinstance(leaf, bool):
        return "true" if leaf else "false"
    return str(leaf)
