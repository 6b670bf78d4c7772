"""Markdown tables: fields when a column of keys stands beside one of values, else rows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from docassay.model.document import SEPARATOR
from docassay.parse.keys import bare

_RULE = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?")
_BORDER = re.compile(r"(?<!\\)\|")
_KEYS = frozenset({"field", "fields", "field name", "key", "attribute", "label", "property"})
_VALUES = frozenset({"value", "values", "extracted value", "details", "information", "content"})


class Table(NamedTuple):
    """The columns and rows of a table."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

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


def table_at(lines: Sequence[str], at: int) -> tuple[Table, int] | None:
    """Return the table that begins at a line and the line behind it, or None."""
    if "|" not in lines[at] or at + 2 >= len(lines):
        return None
    rule = lines[at + 1].strip()
    if "|" not in rule or _RULE.fullmatch(rule) is None:
        return None
    header = _cells(lines[at])
    end = at + 2
    while end < len(lines) and "|" in lines[end]:
        end += 1
    rows = [_cells(line) for line in lines[at + 2 : end]]
    if not rows:
        return None
    if _pairs(header) == (0, 1) and len(header) == 2:
        # bars in a value are a list
        rows = [[*row[:1], SEPARATOR.join(row[1:])] if len(row) > 2 else row for row in rows]
    width = max(map(len, [header, *rows]))
    if width > len(header):
        return None
    return Table(tuple(header), tuple((*row, *[""] * (width - len(row))) for row in rows)), end


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
