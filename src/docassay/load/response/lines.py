"""Records in lines: `FIELD: value`, bullets below a key, indented blocks and Markdown tables.

A value goes on over the next lines until a key or a blank line. Values stay as they are written:
no comma, bar or date in them is looked at.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from docassay.load.response.keys import ResponseLine, bare, read_line, settle
from docassay.load.response.leaves import Tree, about
from docassay.model.document import SEPARATOR
from docassay.model.problem import Repair

_RULE = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?")
_BORDER = re.compile(r"(?<!\\)\|")
_KEYS = frozenset({"field", "fields", "field name", "key", "attribute", "label", "property"})
_VALUES = frozenset({"value", "values", "extracted value", "details", "information", "content"})


FIELD_AND_VALUE = ("Field", "Value")
"""The header of a table that lists fields."""
UNNAMED = "rows"
"""The group of a table with a header and several rows that nothing names."""


class Table(NamedTuple):
    """The columns and rows of a table."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    name: str | None = None
    """What it is called, "" when it has no name; None for Markdown, which has none to give."""

    @property
    def pairs(self) -> tuple[int, int] | None:
        """The columns of keys and of values, when it lists fields."""
        return _pairs(self.header)

    @property
    def others(self) -> tuple[str, ...]:
        """The columns beside those of keys and values."""
        pairs = self.pairs or range(len(self.header))
        return tuple(name for at, name in enumerate(self.header) if at not in pairs)

    def fields(self) -> list[tuple[str, object]]:
        """Return the fields that it lists, or its columns."""
        pairs = self.pairs
        if pairs is not None:
            key, value = pairs
            return [(row[key], row[value]) for row in self.rows if row[key]]
        columns = zip(self.header, zip(*self.rows, strict=True), strict=True)
        return [
            (name, cells[0] if len(cells) == 1 else [*cells]) for name, cells in columns if name
        ]

    def records(self) -> list[dict[str, str]]:
        """Return its rows as objects."""
        return [
            {name: cell for name, cell in zip(self.header, row, strict=True) if name}
            for row in self.rows
        ]


class _Extent(NamedTuple):
    """The lines with bars from a line on: where they end, and how many cells the widest has."""

    end: int
    width: int


def extents(lines: Sequence[str]) -> list[_Extent]:
    """Return the extent at each line, so that no table looks through the lines below it again."""
    spans = [_Extent(len(lines), 0)]
    for at in range(len(lines) - 1, -1, -1):
        below = spans[-1]
        if "|" in lines[at]:
            spans.append(_Extent(below.end, max(below.width, len(_cells(lines[at])))))
        else:
            spans.append(_Extent(at, 0))
    return spans[::-1]


def table_at(lines: Sequence[str], at: int, extents: Sequence[_Extent]) -> tuple[Table, int] | None:
    """Return the table that begins at a line and the line behind it, or None."""
    if "|" not in lines[at] or at + 2 >= len(lines):
        return None
    rule = lines[at + 1].strip()
    if "|" not in rule or _RULE.fullmatch(rule) is None:
        return None
    header = _cells(lines[at])
    pairs = _pairs(header) == (0, 1) and len(header) == 2
    end, width = extents[at + 2]
    if end <= at + 2 or (width > len(header) and not pairs):
        return None
    rows = [_cells(line) for line in lines[at + 2 : end]]
    if pairs:
        # bars in a value are a list
        rows = [[*row[:1], SEPARATOR.join(row[1:])] if len(row) > 2 else row for row in rows]
    filled = tuple((*row, *[""] * (len(header) - len(row))) for row in rows)
    return Table(tuple(header), filled), end


def is_pair_header(header: Sequence[str]) -> bool:
    """Say whether the names of columns are those of a table that lists fields."""
    return _pairs(header) is not None


def _pairs(header: Sequence[str]) -> tuple[int, int] | None:
    names = [name.casefold() for name in header]
    keys = [at for at, name in enumerate(names) if name in _KEYS]
    values = [at for at, name in enumerate(names) if name in _VALUES]
    if keys and values:
        return keys[0], values[0]
    return (0, 1) if len(names) == 2 and (keys == [0] or values == [1]) else None


def _cells(line: str) -> list[str]:
    inner = line.strip().removeprefix("|")
    if inner.endswith("|") and not inner.endswith("\\|"):
        inner = inner[:-1]
    return [bare(cell).replace("\\|", "|") for cell in _BORDER.split(inner)]


MOST_LINES = 20_000
DEEPEST = 16
"""Levels of indentation; what is indented further belongs to its value."""
AROUND = "text around the fields"
_IGNORED = re.compile(r"\s*(?:```\w*|~~~\w*|[-*_=]{3,})\s*")


class _Node:
    """A field, a bullet or a heading with what stands below it."""

    __slots__ = ("below", "line", "table", "words")

    def __init__(self, line: ResponseLine) -> None:
        self.line = line
        self.words = [line.words] if line.words and not line.heading else []
        self.below: list[_Node] = []
        self.table: Table | None = None


_ROOT = ResponseLine(-2, False, True, None, "", "", False)


def read_lines(text: str) -> Tree:
    """Return the fields of a text; none when no line begins one."""
    return read_pieces(text.splitlines())


def read_pieces(pieces: Sequence[str | Table]) -> Tree:
    """Return the fields of lines, and of tables that were found between them."""
    reader = _LineReader()
    reader.run(pieces)
    fields: dict[str, object] = {}
    _gather(_without_label(reader), fields, reader.repairs)
    return Tree(fields, tuple(reader.repairs))


_LABEL = re.compile(
    r"(?:(?:extracted|key|final|structured|requested)\s)?"
    r"(?:information|data|fields|values|results?|output|answer|details|record|response|yaml)",
    re.IGNORECASE,
)


def _without_label(reader: _LineReader) -> _Node:
    """Return the root, or the only line in it when that says that fields follow."""
    if len(reader.root.below) != 1:
        return reader.root
    (only,) = reader.root.below
    if only.words or only.table is not None or _LABEL.fullmatch(only.line.key or "") is None:
        return reader.root
    names = [child.line.key for child in only.below if child.line.key is not None]
    if not names or len({*names}) < len(only.below):
        return reader.root
    reader.repairs[AROUND] = None
    return only


class _LineReader:
    def __init__(self) -> None:
        self.root = _Node(_ROOT)
        self.path = [self.root]
        self.repairs: dict[Repair | str, None] = {}
        self.gap = False
        self.sections: dict[str, dict[tuple[str, ...], _Node]] = {}
        """Tables by name and columns: one that goes on behind a page break is the same table."""

    def run(self, pieces: Sequence[str | Table]) -> None:
        if len(pieces) > MOST_LINES:
            omitted = f"{len(pieces) - MOST_LINES} lines left out"
            self.repairs[Repair("too long", omitted)] = None
            pieces = pieces[:MOST_LINES]
        if any("\\_" in piece for piece in pieces if isinstance(piece, str)):
            self.repairs["Markdown marks"] = None
        if any("```" in piece for piece in pieces if isinstance(piece, str)):
            self.repairs["code fence"] = None
        pieces = [
            piece.replace("\\_", "_") if isinstance(piece, str) else piece
            for piece in _without_document_marks(pieces)
            if isinstance(piece, Table) or _IGNORED.fullmatch(piece) is None
        ]
        texts = ["" if isinstance(piece, Table) else piece for piece in pieces]
        lines = settle([read_line(text) for text in texts])
        at = 0
        below = extents(texts)
        for piece_at, piece in enumerate(pieces):
            if piece_at < at:
                continue
            table = (piece, at + 1) if isinstance(piece, Table) else table_at(texts, at, below)
            if table is None:
                self._line(lines[at])
                at += 1
            else:
                self._table(table[0])
                at = table[1]

    def _line(self, line: ResponseLine) -> None:
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

    def _is_item(self, line: ResponseLine) -> bool:
        """Say whether a bullet without key is an item of a list: below a key without value."""
        if not line.bullet:
            return False
        while self.path[-1].line.depth >= line.depth:
            self.path.pop()
        top = self.path[-1]
        return top is not self.root and not top.words and top.table is None

    def _go_on(self, line: ResponseLine) -> None:
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

    def _holder(self, line: ResponseLine) -> _Node:
        """Return the node below which a line stands, and make it the last of the path."""
        while len(self.path) > 1 and self._is_beside(self.path[-1], line):
            self.path.pop()
        return self.path[-1]

    def _is_beside(self, node: _Node, line: ResponseLine) -> bool:
        if node.line.depth >= line.depth or len(self.path) > DEEPEST:
            return True
        # a field with a value holds nothing; a bullet's field may begin a row
        return bool(node.words) and not (node.line.bullet and node.line.key is not None)

    def _table(self, table: Table) -> None:
        while self.path[-1].words and len(self.path) > 1:
            self.path.pop()
        holder = self.path[-1]
        if table.name or holder.table is not None or holder.below or holder is self.root:
            holder = self._section(table)
        table = table if holder.table is None else _joined(holder.table, table)
        holder.table = table
        self.repairs.update({about("column left out", name): None for name in table.others})
        self.gap = True

    def _section(self, table: Table) -> _Node:
        """Return a new node for a table, or the one of the table that it goes on with."""
        name = table.name or ""
        if table.name is not None and not name and not table.pairs and len(table.rows) > 1:
            name = UNNAMED
        columns, number = self.sections.setdefault(name, {}), 1
        if table.header in columns and not table.pairs and name:
            return columns[table.header]
        number += len(columns)
        line = _ROOT._replace(words=name if number == 1 or not name else f"{name} {number}")
        holder = columns[table.header] = _Node(line)
        self.root.below.append(holder)
        return holder


def _joined(first: Table, second: Table) -> Table:
    return first._replace(rows=(*first.rows, *second.rows))


def _without_document_marks(pieces: Sequence[str | Table]) -> Sequence[str | Table]:
    """Return the lines of a YAML document without the mark of its end."""
    return pieces[:-1] if pieces and pieces[-1] == "..." and pieces[0] == "---" else pieces


def _gather(node: _Node, fields: dict[str, object], repairs: dict[Repair | str, None]) -> None:
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


def _gather_section(
    child: _Node, fields: dict[str, object], repairs: dict[Repair | str, None]
) -> None:
    """Add what stands below a heading: fields as if it were not there, lists under its name."""
    name = child.line.words
    if name and child.table is not None and not child.table.pairs:
        _add(fields, name, child.table.records(), repairs)
        child.table = None
    items = [row for row in child.below if row.line.key is None and not row.line.heading]
    if name and items:
        _add(fields, name, [*map(_as_text, items)], repairs)
        child.below = [row for row in child.below if row.line.key is not None or row.line.heading]
    inner: dict[str, object] = {}
    _gather(child, inner, repairs)
    if name and any(fields.get(key, value) != value for key, value in inner.items()):
        _add(fields, name, inner, repairs)
    else:
        fields.update(inner)


def _add(
    fields: dict[str, object], key: str, value: object, repairs: dict[Repair | str, None]
) -> None:
    if key in fields:
        repairs[about("duplicate key", key)] = None
    fields[key] = value


def _value(node: _Node, repairs: dict[Repair | str, None]) -> object:
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


def _row(node: _Node, repairs: dict[Repair | str, None]) -> dict[str, object]:
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
