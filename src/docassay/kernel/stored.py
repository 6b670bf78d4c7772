"""Counts of stored rows, read out of lines of JSON without making anything else of them.

A line is an object whose member `stats` has an object for each metric, with its tables by name. A
table is an object of keys with lists of counts, or a list of such pairs. Whatever stands otherwise
in a line is left to others: no step goes beyond the end of a line.
"""

from __future__ import annotations

from collections.abc import Mapping
from zlib import crc32

STATS = b',"stats":{'
"""Only a member of the line itself stands so: quotes inside of texts are escaped."""
ID = b'{"id":"'
END, QUOTE, BACKSLASH, COMMA, COLON, MINUS, ZERO, NINE = b'\n"\\,:-09'
BRACE, BRACE_END, BRACKET, BRACKET_END = b"{}[]"
MOST_DIGITS = 15
"""Of a count that is exact as a number with decimals."""
UNREAD = -1


class StoredCounts:
    """Adds the counts that one metric has in rows to cells, a row of cells for each unit."""

    __slots__ = ("_blocks", "_cells", "_metric", "_places", "_width", "number", "top")

    def __init__(
        self,
        cells: memoryview[float],
        width: int,
        blocks: int,
        metric: bytes,
        places: Mapping[bytes, Mapping[bytes, int]],
    ) -> None:
        """Take the cells, and the place of each key by table; what has one below zero is not added.

        A document is a unit of its own, or shares one of so many blocks with others, by its id.
        Names and keys are those of JSON.
        """
        self._cells = cells
        self._width = width
        self._blocks = blocks
        self._metric = metric
        self._places = {name: dict(keys) for name, keys in places.items()}
        self.number = 0
        self.top = -1

    def add(self, lines: bytes) -> list[tuple[int, bytes]]:
        """Take whole lines; return those that have to be decoded, each with its number.

        That is whatever is not written as docassay does it, or has other keys.
        """
        left: list[tuple[int, bytes]] = []
        view = lines
        start = 0
        while start < len(lines):
            end = lines.find(b"\n", start) + 1
            if end == 0:
                left.append((self.number, lines[start:]))
                break
            unit = self._unit(lines, view, start)
            at = self._tables(lines, view, start, end)
            if unit < 0 or at < 0 or not self._placed(lines, view, at, unit * self._width):
                left.append((self.number, lines[start:end]))
            elif unit > self.top:
                self.top = unit
            self.number += 1
            start = end
        return left

    def _unit(self, lines: bytes, view: bytes, start: int) -> int:
        if not self._blocks:
            return self.number
        if not lines.startswith(ID, start):
            return UNREAD
        first = start + len(ID)
        id = lines[first : _after_text(view, first) - 1]
        return UNREAD if b"\\" in id else crc32(id) % self._blocks

    def _tables(self, lines: bytes, view: bytes, start: int, end: int) -> int:
        """Return where the tables of the metric begin in a line."""
        at = lines.find(STATS, start, end)
        if at < 0:
            return UNREAD
        at += len(STATS)
        while view[at] == QUOTE:
            after = _after_text(view, at + 1)
            if view[after] != COLON:
                return UNREAD
            if lines[at:after] == self._metric:
                return after + 1
            at = _after_value(view, after + 1)
            if view[at] == COMMA:
                at += 1
        return UNREAD

    def _placed(self, lines: bytes, view: bytes, at: int, first: int) -> bool:
        """Whether all counts from a place in a line on were added; if not, none is."""
        if self._add(lines, view, at, first, 1):
            return True
        self._add(lines, view, at, first, -1)  # which comes as far as the first time
        return False

    def _add(self, lines: bytes, view: bytes, at: int, first: int, sign: int) -> bool:
        """Add counts, or take them away, up to where they cannot be read, if there is such."""
        if view[at] != BRACE:
            return False
        at += 1
        while view[at] == QUOTE:
            after = _after_text(view, at + 1)
            places = self._places.get(lines[at:after])
            if places is None or view[after] != COLON:
                return False
            at = self._add_table(lines, view, after + 1, first, places, sign)
            if at < 0:
                return False
            if view[at] == COMMA:
                at += 1
        return view[at] == BRACE_END

    def _add_table(
        self, lines: bytes, view: bytes, at: int, first: int, places: dict[bytes, int], sign: int
    ) -> int:
        """Add the counts of a table, and return where it ends."""
        pairs = view[at] == BRACKET
        if not pairs and view[at] != BRACE:
            return UNREAD
        at += 1
        while view[at] == (BRACKET if pairs else QUOTE):
            if pairs:
                at += 1
            after = _after_value(view, at)
            place = places.get(lines[at:after])
            if place is None or view[after] != (COMMA if pairs else COLON):
                return UNREAD
            at = self._add_row(view, after + 1, first, place, sign)
            if at < 0 or (pairs and view[at] != BRACKET_END):
                return UNREAD
            if pairs:
                at += 1
            if view[at] == COMMA:
                at += 1
        return at + 1 if view[at] == (BRACKET_END if pairs else BRACE_END) else UNREAD

    def _add_row(self, view: bytes, at: int, first: int, place: int, sign: int) -> int:
        """Add a list of counts, and return where it ends."""
        if view[at] != BRACKET:
            return UNREAD
        cells = self._cells
        cell = first + place
        while view[at] != BRACKET_END:
            at += 1  # beyond the bracket, or a comma
            negative = view[at] == MINUS
            if negative:
                at += 1
            begun = at
            count = 0
            while ZERO <= view[at] <= NINE and at - begun < MOST_DIGITS:
                count = count * 10 + view[at] - ZERO
                at += 1
            if at == begun or (view[at] != COMMA and view[at] != BRACKET_END):
                return UNREAD
            if count and place >= 0:
                cells[cell] += -sign * count if negative else sign * count
            cell += 1
        return at + 1


def _after_text(view: bytes, at: int) -> int:
    """Return where a text ends that has begun, or the line."""
    while view[at] != QUOTE and view[at] != END:
        if view[at] == BACKSLASH and view[at + 1] != END:
            at += 1
        at += 1
    return at if view[at] == END else at + 1


def _after_value(view: bytes, at: int) -> int:
    """Return where a value ends, which is a text, an object or a list, or the line."""
    depth = 0
    while view[at] != END:
        if view[at] == QUOTE:
            at = _after_text(view, at + 1)
        else:
            if view[at] == BRACE or view[at] == BRACKET:
                depth += 1
            elif view[at] == BRACE_END or view[at] == BRACKET_END:
                depth -= 1
            at += 1
        if depth <= 0:
            break
    return at
