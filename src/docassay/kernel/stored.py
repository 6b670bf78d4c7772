"""Counts of rows, written to lines of JSON, and read out of them making nothing else of them.

A line is an object whose member `stats` has an object for each metric, with its tables by name. A
table is an object of keys with lists of counts, or a list of such pairs. Whatever stands otherwise
in a line is left to others: no step goes beyond the end of a line.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from docassay.kernel.counting import Counts, Key, Table, keys_in_order

STATS = b',"stats":{'
"""Only a member of the line itself stands so: quotes inside of texts are escaped."""
ID = b'{"id":"'
END, QUOTE, BACKSLASH, COMMA, COLON, MINUS, ZERO, NINE = b'\n"\\,:-09'
BRACE, BRACE_END, BRACKET, BRACKET_END = b"{}[]"
MOST_DIGITS = 15
"""Of a count that is exact as a number with decimals."""
UNREAD = -1
UNSEEN = b"\n"
"""What no counts are written as."""
FEW_OTHERS = 16
"""Keys of other documents that are passed over rather than sorting those of a table."""
MOST_KEYS = 10_000
"""Keys of tables that are remembered."""


class WrittenKey:
    """A key of a table, and its counts in the last row that was written, with the text of both.

    Most documents have the same counts for a key, as the very same object. To find others among
    those that were written before takes as long as to write them.
    """

    __slots__ = ("counts", "head", "key", "text")

    def __init__(self, key: Key, head: bytes) -> None:
        """Take a key, and what is written before its counts."""
        self.key, self.head = key, head
        self.counts: Counts | None = None
        self.text = UNSEEN


class WrittenTable:
    """The keys that a table had in any document, those that are texts also in their order."""

    __slots__ = ("by_key", "texts")

    def __init__(self) -> None:
        self.by_key: dict[Key, WrittenKey] = {}
        self.texts: list[WrittenKey] = []


class StatsWriter:
    """Writes the statistics of documents as JSON: an object for each metric, with its tables.

    Keys are sorted. A table is an object, or a list of keys and counts if a key has several parts.
    """

    __slots__ = ("_encode", "_heads", "_objects", "_pairs", "_remembered")

    def __init__(self, encode: Callable[[object], bytes]) -> None:
        """Take what writes a key, or a row of counts, for the first time."""
        self._encode = encode
        self._heads: dict[str, bytes] = {}
        self._objects: dict[tuple[str, str], WrittenTable] = {}
        self._pairs = WrittenTable()
        """Of all tables that are lists: each key says by itself what it counts."""
        self._remembered = 0

    def write(self, stats: Mapping[str, Mapping[str, Table]]) -> bytes:
        """Return statistics by metric as JSON."""
        if self._remembered > MOST_KEYS:
            self._forget()
        parts: list[bytes] = [b"{"]
        for metric, tables in stats.items():
            if len(parts) > 1:
                parts.append(b",")
            parts.append(self._head(metric))
            opening = b"{"
            for name, table in tables.items():
                parts.append(opening)
                parts.append(self._head(name))
                own: dict[Any, Counts] = table if type(table) is dict else dict(table)
                known = self._objects.get((metric, name))
                if known is None:
                    known = self._objects[metric, name] = WrittenTable()
                if not self._added_at_sight(parts, known, own):
                    self._add_table(parts, known, own)
                opening = b","
            parts.append(b"}" if tables else b"{}")
        parts.append(b"}")
        return b"".join(parts)

    def _forget(self) -> None:
        self._objects.clear()
        self._pairs = WrittenTable()
        self._remembered = 0

    def _head(self, name: str) -> bytes:
        """Return how the member of an object begins."""
        head = self._heads.get(name)
        if head is None:
            head = self._heads[name] = self._encode(name) + b":"
        return head

    def _added_at_sight(
        self, parts: list[bytes], known: WrittenTable, table: dict[Any, Counts]
    ) -> bool:
        """Add a table whose keys are all known, which need not be sorted then; else nothing."""
        left = len(table)
        if len(known.texts) > left + FEW_OTHERS:
            return False
        first = len(parts)
        parts.append(b"{")
        for written in known.texts:
            row = table.get(written.key)
            if row is not None:
                parts.append(self._text(written, row, True))
                left -= 1
        if left:
            del parts[first:]
            return False
        self._close(parts, first, b"}")
        return True

    def _add_table(self, parts: list[bytes], known: WrittenTable, table: dict[Any, Counts]) -> None:
        keys, are_texts = keys_in_order(table)
        own = known if are_texts else self._pairs
        first = len(parts)
        parts.append(b"{" if are_texts else b"[")
        before = len(own.by_key)
        for key in keys:
            written = own.by_key.get(key)
            if written is None:
                head = (b",%b:" if are_texts else b",[%b,") % self._encode(key)
                written = own.by_key[key] = WrittenKey(key, head)
                self._remembered += 1
            parts.append(self._text(written, table[key], are_texts))
        if are_texts and len(own.by_key) > before:
            own.texts = [own.by_key[key] for key in sorted(own.by_key)]
        self._close(parts, first, b"}" if are_texts else b"]")

    def _close(self, parts: list[bytes], first: int, end: bytes) -> None:
        """End a table that began with a part."""
        if len(parts) > first + 1:
            parts[first + 1] = parts[first + 1][1:]  # no comma before the first
        parts.append(end)

    def _text(self, written: WrittenKey, row: Sequence[int], are_texts: bool) -> bytes:
        """Return a key with its counts, a comma before them."""
        if written.counts is not row:
            written.counts = row if type(row) is tuple else tuple(row)
            text = written.head + self._encode(written.counts)
            written.text = text if are_texts else text + b"]"
        return written.text


class StoredKey:
    """A key of a table, and how the last line that it was in had it.

    Most documents have the same counts for a key: these are compared as texts, and not read again.
    """

    __slots__ = ("key", "number", "place", "text", "width")

    def __init__(self, key: bytes, place: int, number: int) -> None:
        """Take where the counts of a key begin in a row of cells, and its number in the table."""
        self.key, self.place, self.number = key, place, number
        self.text = UNSEEN
        """The key with its counts."""
        self.width = 0
        """How many counts it has."""


class StoredTable:
    """The keys of a table, in the order in which lines have them."""

    __slots__ = ("by_text", "keys")

    def __init__(self, places: Mapping[bytes, int]) -> None:
        self.keys = [StoredKey(key, place, at) for at, (key, place) in enumerate(places.items())]
        self.by_text = dict(zip(places, self.keys, strict=True))


class StoredMetric:
    """The tables of a metric, and the cells that their counts are added to."""

    __slots__ = ("cells", "latest", "name", "tables", "width")

    def __init__(
        self,
        name: bytes,
        cells: memoryview[float],
        width: int,
        places: Mapping[bytes, Mapping[bytes, int]],
    ) -> None:
        """Take so wide a row of cells for each unit, and the place of each key by table.

        What has a place below zero is not added. Names and keys are those of JSON; keys that stand
        in the order of lines are found in fewer steps.
        """
        self.name, self.cells, self.width = name, cells, width
        self.tables = {table: StoredTable(keys) for table, keys in places.items()}
        self.latest = array("d", bytes(8 * width))
        """The counts that each key had in the last line that it was in."""


class StoredCounts:
    """Adds the counts that metrics have in rows to their cells."""

    __slots__ = ("_block_of", "_metrics", "number", "top")

    def __init__(self, metrics: Sequence[StoredMetric], block_of: list[int] | None) -> None:
        """Take metrics that all rows have.

        A document is a unit of its own, or shares that of a block with others.
        """
        self._metrics = {metric.name: metric for metric in metrics}
        self._block_of = block_of
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
            unit = self.number if self._block_of is None else self._block_of[self.number]
            at = lines.find(STATS, start, end)
            if at < 0 or not self._placed(lines, view, at + len(STATS), unit):
                left.append((self.number, lines[start:end]))
            elif unit > self.top:
                self.top = unit
            self.number += 1
            start = end
        return left

    def _placed(self, lines: bytes, view: bytes, at: int, unit: int) -> bool:
        """Whether all counts from a place in a line on were added; if not, none is."""
        if self._add(lines, view, at, unit, 1):
            return True
        self._add(lines, view, at, unit, -1)  # which comes as far as the first time
        return False

    def _add(self, lines: bytes, view: bytes, at: int, unit: int, sign: int) -> bool:
        """Add counts, or take them away, up to where they cannot be read, if there is such."""
        found = 0
        while view[at] == QUOTE:
            after = _after_text(view, at + 1)
            if view[after] != COLON:
                return False
            metric = self._metrics.get(view[at:after])
            if metric is None:
                at = _after_value(view, after + 1)
            else:
                at = _add_tables(lines, view, after + 1, unit, metric, sign)
                if at < 0:
                    return False
                found += 1
                if found == len(self._metrics):
                    return True
            if view[at] == COMMA:
                at += 1
        return False


def own_tables(lines: bytes, metric: bytes) -> list[tuple[bytes, bytes]]:
    """Return the id and the tables of a metric in each of whole lines, as they stand there.

    Of what is not written as docassay does it, the id is empty and the line stands for the tables.
    """
    found: list[tuple[bytes, bytes]] = []
    view = lines
    start = 0
    while start < len(lines):
        end = lines.find(b"\n", start) + 1
        if end == 0:
            end = len(lines)
        at = UNREAD
        if lines.startswith(ID, start) and view[end - 1] == END:
            at = lines.find(STATS, start, end)
        if at >= 0:
            at = _tables_of(view, at + len(STATS), metric)
        if at >= 0:
            id_at = start + len(ID) - 1
            id = view[id_at : _after_text(view, id_at + 1)]
            found.append((id, view[at : _after_value(view, at)]))
        else:
            found.append((b"", view[start:end]))
        start = end
    return found


def _tables_of(view: bytes, at: int, metric: bytes) -> int:
    """Return where the tables of a metric begin, among those of all from a place on."""
    while view[at] == QUOTE:
        after = _after_text(view, at + 1)
        if view[after] != COLON:
            return UNREAD
        if view[at:after] == metric:
            return after + 1
        at = _after_value(view, after + 1)
        if view[at] == COMMA:
            at += 1
    return UNREAD


def _add_tables(
    lines: bytes, view: bytes, at: int, unit: int, metric: StoredMetric, sign: int
) -> int:
    """Add the counts of a metric, and return where its tables end."""
    if view[at] != BRACE:
        return UNREAD
    at += 1
    while view[at] == QUOTE:
        after = _after_text(view, at + 1)
        table = metric.tables.get(view[at:after])
        if table is None or view[after] != COLON:
            return UNREAD
        at = _add_table(lines, view, after + 1, unit * metric.width, metric, table, sign)
        if at < 0:
            return UNREAD
        if view[at] == COMMA:
            at += 1
    return at + 1 if view[at] == BRACE_END else UNREAD


def _add_table(
    lines: bytes,
    view: bytes,
    at: int,
    first: int,
    metric: StoredMetric,
    table: StoredTable,
    sign: int,
) -> int:
    """Add the counts of a table to cells from the first one on, and return where it ends."""
    pairs = view[at] == BRACKET
    if not pairs and view[at] != BRACE:
        return UNREAD
    at += 1
    expected = 0
    while view[at] == (BRACKET if pairs else QUOTE):
        if pairs:
            at += 1
        key = _key_at(lines, view, at, metric, table, expected)
        if key is None or view[at + len(key.key)] != (COMMA if pairs else COLON):
            return UNREAD
        at += len(key.text)
        if pairs and view[at] != BRACKET_END:
            return UNREAD
        if key.place >= 0:
            for place in range(key.place, key.place + key.width):
                metric.cells[first + place] += sign * metric.latest[place]
        expected = key.number + 1
        if pairs:
            at += 1
        if view[at] == COMMA:
            at += 1
    return at + 1 if view[at] == (BRACKET_END if pairs else BRACE_END) else UNREAD


def _key_at(
    lines: bytes, view: bytes, at: int, metric: StoredMetric, table: StoredTable, expected: int
) -> StoredKey | None:
    """Return the key that stands somewhere, most often the one expected, with its counts read."""
    key = table.keys[expected] if expected < len(table.keys) else None
    if key is None or not lines.startswith(key.key, at):
        key = table.by_text.get(view[at : _after_value(view, at)])
    if key is None or lines.startswith(key.text, at):
        return key
    return key if _read(view, at, metric, key) else None


def _read(view: bytes, start: int, metric: StoredMetric, key: StoredKey) -> bool:
    """Read the list of counts after a key, and return whether it is one."""
    key.text = UNSEEN  # until all of it is read
    at = start + len(key.key) + 1
    if view[at - 1] == END or view[at] != BRACKET:
        return False
    width = 0
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
            return False
        if key.place >= 0:
            metric.latest[key.place + width] = -count if negative else count
        width += 1
    key.width = width
    key.text = view[start : at + 1]
    return True


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
