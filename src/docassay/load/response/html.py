"""Records in HTML: tables of fields and of rows, lists of terms, and lines between them.

Nothing is executed and nothing is loaded: tags are taken off, entities are decoded, scripts and
styles are left out. A table becomes fields where its rows are a name and a value, and a group of
rows where it has a header; what stands outside tables is read as lines are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from docassay.load.response.keys import bare
from docassay.load.response.leaves import Tree, about, without_entities
from docassay.load.response.lines import (
    FIELD_AND_VALUE,
    UNNAMED,
    Table,
    is_pair_header,
    read_pieces,
)
from docassay.load.response.tokens import without_comments
from docassay.model.problem import Repair

MOST_CELLS = 100_000
"""Cells of one response, those that a span adds included; what is behind them is left out."""
MOST_COLUMNS = 200
DEEPEST_TABLE = 16
"""Tables within tables; what stands in deeper ones belongs to the cell around them."""
MARKS = "HTML marks"
_TOKEN = re.compile(
    r"<(?P<close>/?)(?P<name>[a-zA-Z][a-zA-Z0-9]{0,20})(?P<more>[\s/][^<>]{0,2000})?>"
)
_SPAN = re.compile(r"\b(?P<axis>col|row)span\s?=\s?[\"']?(?P<count>\d{1,3})", re.IGNORECASE)
_STRUCTURE = re.compile(r"<(?:tr|dt|html)\b", re.IGNORECASE)
_BLOCKS = re.compile(r"<(?:li|p|div|h[1-6])>", re.IGNORECASE)
_SPACES = re.compile(r"\s+")
_MUTED = frozenset({"script", "style", "title", "template", "noscript"})
_INLINE = frozenset(
    {"a", "b", "big", "center", "code", "em", "font", "i", "mark", "s", "small", "span", "strong"}
    | {"sub", "sup", "tt", "u"}
)
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_CELLS = frozenset({"td", "th"})
_PARTS = frozenset({"thead", "tbody", "tfoot"})
_BREAKS = frozenset({"br", "div", "p", "li", "hr"})


class HtmlCell(NamedTuple):
    """The text of a cell, and whether it names something."""

    text: str
    heads: bool


class _OpenCell:
    __slots__ = ("across", "down", "heads", "words")

    def __init__(self, heads: bool, across: int, down: int) -> None:
        self.heads = heads
        self.across = across
        self.down = down
        self.words: list[str] = []


class _OpenTable:
    """A table that is being read."""

    __slots__ = ("caption", "cell", "foot", "footers", "row", "rows", "terms")

    def __init__(self, *, terms: bool) -> None:
        self.terms = terms
        """It is a list of terms rather than a table."""
        self.rows: list[list[_OpenCell]] = []
        self.row: list[_OpenCell] | None = None
        self.cell: _OpenCell | None = None
        self.caption: _OpenCell | None = None
        self.foot = False
        self.footers: set[int] = set()

    def end_cell(self) -> None:
        if self.row is not None and self.cell is not None and self.cell is not self.caption:
            self.row.append(self.cell)
        self.cell = None

    def end_row(self) -> None:
        self.end_cell()
        if self.row:
            if self.foot:
                self.footers.add(len(self.rows))
            self.rows.append(self.row)
        self.row = None


def read_html(text: str) -> Tree:
    """Return the fields of a text with tables or lists of terms; none when it has neither."""
    return _read(text) if _STRUCTURE.search(text) is not None else Tree({}, ())


def read_marked_lines(text: str) -> Tree:
    """Return the fields of lines that are marked up; none when they are not."""
    return _read(text) if _BLOCKS.search(text) is not None else Tree({}, ())


def _read(text: str) -> Tree:
    reader = _HtmlReader()
    reader.run(text)
    tree = read_pieces(reader.pieces)
    return Tree(tree.fields, (*reader.repairs, *tree.repairs))


class _HtmlReader:
    def __init__(self) -> None:
        self.pieces: list[str | Table] = []
        self.line = ""
        self.tables: list[_OpenTable] = []
        self.muted: str | None = None
        self.cells = 0
        self.repairs: dict[Repair | str, None] = {}

    def run(self, text: str) -> None:
        if "<!--" in text:
            text = without_comments(text)
            self.repairs["comment"] = None
        at = 0
        for token in _TOKEN.finditer(text):
            name = token["name"].lower()
            self._words(text[at : token.start()])
            at = token.end()
            if self.muted is not None:
                self.muted = None if token["close"] and name == self.muted else self.muted
            elif token["close"]:
                self._end(name)
            elif name in _MUTED:
                self.muted = name
            else:
                self._begin(name, token["more"] or "")
        self._words(text[at:])
        self._cut_off()
        self._end_line()

    def _words(self, raw: str) -> None:
        if not raw or self.muted is not None:
            return
        words = without_entities(raw)
        table = self.tables[-1] if self.tables else None
        if table is None:
            first, *rest = words.split("\n")
            self.line += first
            for line in rest:
                self._end_line()
                self.line = line
        elif table.cell is not None:
            table.cell.words.append(_SPACES.sub(" ", words))
        elif words.strip():
            self.repairs["text around the fields"] = None

    def _end_line(self) -> None:
        self.pieces.append(self.line)
        self.line = ""

    def _begin(self, name: str, more: str) -> None:
        if name in ("table", "dl"):
            if len(self.tables) < DEEPEST_TABLE:
                self._end_line()
                self.tables.append(_OpenTable(terms=name == "dl"))
        elif name in _INLINE:
            self.repairs[MARKS] = None
        elif self.tables:
            self._begin_part(self.tables[-1], name, more)
        else:
            self._begin_block(name)

    def _begin_part(self, table: _OpenTable, name: str, more: str) -> None:
        if name in _BREAKS:
            if table.cell is not None and table.cell.words:
                table.cell.words.append("\n")
        elif name == "caption":
            table.cell = table.caption = _OpenCell(True, 1, 1)
        elif name in _PARTS:
            table.end_row()
            table.foot = name == "tfoot"
        elif name == "tr" or (name == "dt" and table.terms):
            table.end_row()
            table.row = []
        if name in _CELLS or (name in ("dt", "dd") and table.terms):
            self._begin_cell(table, name, more)

    def _begin_block(self, name: str) -> None:
        if name in _HEADINGS:
            self._end_line()
            self.line = "### "
            self.repairs[MARKS] = None
        elif name == "li":
            self._end_line()
            self.line = "- "
            self.repairs[MARKS] = None
        elif name in _BREAKS:
            self._end_line()
            self.repairs[MARKS] = None

    def _begin_cell(self, table: _OpenTable, name: str, more: str) -> None:
        table.end_cell()
        spans = {span["axis"].lower(): int(span["count"]) for span in _SPAN.finditer(more)}
        across = min(max(spans.get("col", 1), 1), MOST_COLUMNS)
        if self.cells + across > MOST_CELLS:
            self.repairs[Repair("too long", f"more than {MOST_CELLS} cells")] = None
            return
        self.cells += across
        if table.row is None:
            table.row = []
        table.cell = _OpenCell(name in ("th", "dt"), across, max(spans.get("row", 1), 1))

    def _end(self, name: str) -> None:
        table = self.tables[-1] if self.tables else None
        if table is None:
            if name in _HEADINGS or name in _BREAKS:
                self._end_line()
        elif name == ("dl" if table.terms else "table"):
            self._end_table()
        elif name == "caption":
            table.cell = None
        elif name == "tr":
            table.end_row()
        elif name in _PARTS:
            table.end_row()
            table.foot = False
        elif name in _CELLS or name in ("dt", "dd"):
            table.end_cell()

    def _end_table(self, name: str = "") -> None:
        table = self.tables.pop()
        table.end_row()
        name = name if table.caption is None else _text(table.caption)
        outer = self.tables[-1] if self.tables else None
        if outer is not None and outer.row is not None and len(outer.row) == 1:
            # the cell before the one that holds this table names it
            name = name or _text(outer.row.pop())
            outer.cell = None
        self.pieces += _pieces(name, self._grid(table), table.footers)

    def _grid(self, table: _OpenTable) -> list[list[HtmlCell]]:
        """Return the rows of a table with a cell in each column that a span covers."""
        grid: list[list[HtmlCell]] = []
        # by column: how many rows a cell still covers, and the cell
        running: dict[int, tuple[int, HtmlCell]] = {}
        for number, row in enumerate(table.rows):
            cells: list[HtmlCell] = []
            waiting = row[::-1]
            furthest = max(running, default=-1)
            below: dict[int, tuple[int, HtmlCell]] = {}
            while waiting or len(cells) <= furthest:
                left, above = running.pop(len(cells), (0, None))
                if above is not None:
                    if left > 1:
                        below[len(cells)] = (left - 1, above)
                    cells.append(above)
                elif waiting:
                    begun = waiting.pop()
                    cell = HtmlCell(_text(begun), begun.heads)
                    down = min(begun.down, len(table.rows) - number)
                    for _ in range(begun.across):
                        if down > 1:
                            below[len(cells)] = (down - 1, cell)
                        cells.append(cell)
                        cell = cell._replace(text="")
                else:
                    cells.append(HtmlCell("", False))
            running = below
            self.cells += len(cells) - sum(begun.across for begun in row)
            if self.cells > MOST_CELLS:
                self.repairs[Repair("too long", f"more than {MOST_CELLS} cells")] = None
                return grid
            grid.append(cells)
        return grid

    def _cut_off(self) -> None:
        """Close the tables that are open; the cell that was being read is left out."""
        if not self.tables:
            return
        count = len(self.tables)
        closed = f"{count} table{'s' if count > 1 else ''} closed"
        self.repairs[Repair("cut off", closed)] = None
        cell = self.tables[-1].cell
        if cell is not None:
            row = self.tables[-1].row
            name = _text(row[-1]) if row else "cell"
            self.repairs[about("value cut off", name)] = None
            self.tables[-1].cell = None
            if row is not None and len(row) == 1:
                self.tables[-1].row = None  # a name without its value
        while self.tables:
            self._end_table(UNNAMED)


def _text(cell: _OpenCell) -> str:
    lines = "".join(cell.words).split("\n")
    return bare("\n".join(line.strip() for line in lines).strip())


def _pieces(name: str, grid: list[list[HtmlCell]], footers: set[int]) -> list[str | Table]:
    """Return the tables and lines that a grid of cells is."""
    sums = [_filled(row) for at, row in enumerate(grid) if at in footers and len(_filled(row)) == 2]
    rows = [
        row
        for at, row in enumerate(grid)
        if _filled(row) and not (at in footers and len(_filled(row)) == 2)
    ]
    if len(rows) > 1 and len(rows[0]) > 1 and len(_filled(rows[0])) == 1 and rows[0][0].text:
        name = name or rows[0][0].text  # a title across all columns
        rows = rows[1:]
    pieces: list[str | Table] = []
    pairs = _pairs(rows)
    if pairs is not None:
        pieces.append(_fields(name, pairs))
    elif len(rows) > 1 and max(map(len, rows)) > 1:
        pieces.append(_rows(name, rows))
    elif len(rows) > 1 and rows[0][0].heads:
        pieces.append(Table((rows[0][0].text,), tuple((row[0].text,) for row in rows[1:]), name))
    else:
        pieces += [line for row in rows for cell in row for line in cell.text.split("\n")]
    if sums:
        pieces.append(_fields("", [(left.text, right.text) for left, right in sums]))
    return pieces


def _filled(row: Sequence[HtmlCell]) -> list[HtmlCell]:
    return [cell for cell in row if cell.text]


def _fields(name: str, pairs: Sequence[tuple[str, str]]) -> Table:
    return Table(FIELD_AND_VALUE, tuple((key.rstrip(": "), value) for key, value in pairs), name)


def _pairs(rows: Sequence[Sequence[HtmlCell]]) -> list[tuple[str, str]] | None:
    """Return the names and values of a table that lists fields, None for one of rows."""
    if not rows or any(len(row) % 2 for row in rows):
        return None
    halves = [(row[at], row[at + 1]) for row in rows for at in range(0, len(row), 2)]
    named = all(key.heads and not value.heads for key, value in halves if key.text or value.text)
    plain = all(len(row) == 2 and not row[0].heads and not row[1].heads for row in rows)
    keys = [key.text.casefold() for key, _ in halves]
    if plain and not is_pair_header([cell.text for cell in rows[0]]):
        named = all(keys) and len({*keys}) == len(keys)
    return [(key.text, value.text) for key, value in halves if key.text] if named else None


def _rows(name: str, rows: Sequence[Sequence[HtmlCell]]) -> Table:
    """Return a table whose first row names its columns, each of them once."""
    width = max(map(len, rows))
    header: dict[str, None] = {}
    for at in range(width):
        text = rows[0][at].text if at < len(rows[0]) else ""
        used = text or any(at < len(row) and row[at].text for row in rows)
        title = text or (f"column {at + 1}" if used else "")
        header[f"{title} {at + 1}" if title in header else title] = None
    cells = tuple(
        tuple(row[at].text if at < len(row) else "" for at in range(width)) for row in rows[1:]
    )
    return Table(tuple(header), cells, name)
