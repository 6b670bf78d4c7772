"""Records in lines: `FIELD: value`, bullets below a key, indented blocks and Markdown tables.

A value goes on over the next lines until a key or a blank line. Values stay as they are written:
no comma, bar or date in them is looked at.
"""

from __future__ import annotations

import re

from docassay.parse.keys import Line, read_line, settle
from docassay.parse.tables import Table, table_at
from docassay.parse.tree import Tree, about

MOST_LINES = 20_000
DEEPEST = 16
"""Levels of indentation; what is indented further belongs to its value."""
AROUND = "text around the fields"
_IGNORED = re.compile(r"\s*(?:```\w*|~~~\w*|[-*_=]{3,})\s*")


class _Node:
    """A field, a bullet or a heading with what stands below it."""

    __slots__ = ("below", "line", "table", "words")

    def __init__(self, line: Line) -> None:
        self.line = line
        self.words = [line.words] if line.words and not line.heading else []
        self.below: list[_Node] = []
        self.table: Table | None = None


_ROOT = Line(-2, False, True, None, "", "", False)


def read_lines(text: str) -> Tree:
    """Return the fields of a text; none when no line begins one."""
    reader = _Reader()
    reader.run(text.splitlines())
    fields: dict[str, object] = {}
    _gather(reader.root, fields, reader.repairs)
    return Tree(fields, tuple(reader.repairs))


class _Reader:
    def __init__(self) -> None:
        self.root = _Node(_ROOT)
        self.path = [self.root]
        self.repairs: dict[str, None] = {}
        self.gap = False

    def run(self, texts: list[str]) -> None:
        if len(texts) > MOST_LINES:
            self.repairs[f"too long: {len(texts) - MOST_LINES} lines left out"] = None
            texts = texts[:MOST_LINES]
        kept = [text.replace("\\_", "_") for text in texts if _IGNORED.fullmatch(text) is None]
        if any("\\_" in text for text in texts):
            self.repairs["Markdown marks"] = None
        lines = settle([read_line(text) for text in kept])
        if any("```" in text for text in texts):
            self.repairs["code fence"] = None
        at = 0
        while at < len(kept):
            table = table_at(kept, at)
            if table is None:
                self._line(lines[at])
                at += 1
            else:
                self._table(table[0])
                at = table[1]

    def _line(self, line: Line) -> None:
        if not line.raw and not line.bullet:
            self.gap = True
            return
        if line.key is None and not line.heading and not self._is_item(line):
            self._go_on(line)
            return
        if line.marked:
            self.repairs["Markdown marks"] = None
        self.gap = False
        holder = self._holder(line)
        node = _Node(line)
        holder.below.append(node)
        self.path.append(node)

    def _is_item(self, line: Line) -> bool:
        """Say whether a bullet without key is an item of a list: below a key without value."""
        if not line.bullet:
            return False
        while self.path[-1].line.depth >= line.depth:
            self.path.pop()
        top = self.path[-1]
        return top is not self.root and not top.words and top.table is None

    def _go_on(self, line: Line) -> None:
        """Add a line to the value before it, unless a blank line or a table ended that."""
        last = self.path[-1]
        if last.below:
            last = last.below[-1]
        open_ended = last.table is None and not (self.gap and last.words)
        if open_ended and (last.line.key is not None or last.line.bullet):
            last.words.append(line.raw)
            self.gap = False
        else:
            self.repairs[AROUND] = None

    def _holder(self, line: Line) -> _Node:
        """Return the node below which a line stands, and make it the last of the path."""
        while len(self.path) > 1 and self._is_beside(self.path[-1], line):
            self.path.pop()
        return self.path[-1]

    def _is_beside(self, node: _Node, line: Line) -> bool:
        if node.line.depth >= line.depth or len(self.path) > DEEPEST:
            return True
        # a field with a value holds nothing; a bullet's field may begin a row
        return bool(node.words) and not (node.line.bullet and node.line.key is not None)

    def _table(self, table: Table) -> None:
        while self.path[-1].words and len(self.path) > 1:
            self.path.pop()
        holder = self.path[-1]
        if holder.table is not None or holder.below or holder is self.root:
            holder = _Node(_ROOT)
            self.root.below.append(holder)
        holder.table = table
        self.repairs.update({about("column left out", name): None for name in table.others})
        self.gap = True


def _gather(node: _Node, fields: dict[str, object], repairs: dict[str, None]) -> None:
    """Add what stands below a node to the fields."""
    for child in node.below:
        if child.line.heading:
            _gather_section(child, fields, repairs)
        elif child.line.key is not None:
            _add(fields, child.line.key, _value(child, repairs), repairs)
            if child.words and child.below:
                _gather(child, fields, repairs)
        else:
            repairs[AROUND] = None
    if node.table is not None:
        for name, value in node.table.fields():
            _add(fields, name, value, repairs)


def _gather_section(child: _Node, fields: dict[str, object], repairs: dict[str, None]) -> None:
    """Add what stands below a heading: fields as if it were not there, lists under its name."""
    name = child.line.words
    if name and child.table is not None and not child.table.pairs:
        _add(fields, name, child.table.records(), repairs)
        child.table = None
    items = [one for one in child.below if one.line.key is None and not one.line.heading]
    if name and items:
        _add(fields, name, [*map(_as_text, items)], repairs)
        child.below = [one for one in child.below if one.line.key is not None or one.line.heading]
    inner: dict[str, object] = {}
    _gather(child, inner, repairs)
    if name and any(fields.get(key, value) != value for key, value in inner.items()):
        _add(fields, name, inner, repairs)
    else:
        fields.update(inner)


def _add(fields: dict[str, object], key: str, value: object, repairs: dict[str, None]) -> None:
    if key in fields:
        repairs[about("duplicate key", key)] = None
    fields[key] = value


def _value(node: _Node, repairs: dict[str, None]) -> object:
    if node.table is not None:
        return dict(node.table.fields()) if node.table.pairs else node.table.records()
    if node.words or not node.below:
        return "\n".join(node.words)
    if any(child.line.key is None for child in node.below):
        return [_as_text(child) for child in node.below]
    rows = [_row(child, repairs) for child in node.below]
    names = [name for row in rows for name in row]
    if node.below[0].line.bullet and (max(map(len, rows)) > 1 or len(set(names)) < len(names)):
        return [*rows]
    fields: dict[str, object] = {}
    for row in rows:
        for name, value in row.items():
            _add(fields, name, value, repairs)
    return fields


def _row(node: _Node, repairs: dict[str, None]) -> dict[str, object]:
    """Return the fields of one bullet or line: its own and those below it."""
    holder = _Node(_ROOT)
    holder.below = [node]
    fields: dict[str, object] = {}
    _gather(holder, fields, repairs)
    return fields


def _as_text(node: _Node) -> str:
    if node.line.key is None:
        return "\n".join(node.words)
    return "\n".join([node.line.raw, *node.words[bool(node.line.words) :]])
