"""Rows of pages: values that are one text on both sides, as JSON, and others between them."""

from __future__ import annotations

from collections.abc import Callable
from json import dumps
from typing import TypeVar

from docassay.kernel.readings import Group, Reading

RowT = TypeVar("RowT")

Framed = tuple[int, str, str, str]
"""The place of a field in its row, its path, and what stands before and after the texts of its
value, which stand there twice.
"""
Frame = tuple[str, list[Framed]]
"""How a row begins, up to its values, and what stands around the texts of these, by field."""
Starts = tuple[str, str]
BETWEEN = '","pred":"'
ROW_END = "]},"


class Frames:
    """The frames of rows: most documents have the same fields in rows of the same numbers."""

    __slots__ = ("_known", "_make", "_most")

    def __init__(
        self, make: Callable[[tuple[str, ...], str, Starts, bool], Frame], most: int
    ) -> None:
        """Take what makes a frame of the fields, type and places of a row, and how many to keep."""
        self._make = make
        self._most = most
        self._known: dict[object, tuple[object, Frame]] = {}

    def of(self, row: Group, starts: Starts, moved: bool) -> Frame:
        """Return the frame of a row; one that is unread stays so."""
        shape: object = tuple(row._values) if row._values is not None else row._steps
        # the steps of rows are few and long, and live as long as what is known of them
        key = (id(shape) if row._values is None else shape, row.type, starts, moved)
        known = self._known.get(key)
        if known is None:
            fields = tuple(row._values) if row._values is not None else _fields_in(row)
            if len(self._known) >= self._most:
                self._known.clear()
            known = (shape, self._make(fields, row.type, starts, moved))
            self._known[key] = known
        return known[1]


def _fields_in(row: Group) -> tuple[str, ...]:
    """Return the fields that a row which is unread has places for."""
    return tuple([step[0] for step in row._steps])


def add_row(
    parts: list[str],
    row: Group,
    frame: Frame,
    others: list[tuple[str, str]],
    longest: int,
    shown: RowT,
    cut: Callable[[RowT, str, str, int], str],
) -> int:
    """Add a row to the parts of a page; return how many of its values are one text on both sides.

    These are gold's values of all fields but those of `others`, which are as they are to stand
    there. Both are in the order of their fields. Of texts longer than `longest`, `cut` says how
    fields of the row show them.
    """
    head, values = frame
    parts.append(head)
    at = same = 0
    leaves = row._leaves
    for place, field, start, end in values:
        if row._values is None:
            leaf = leaves[place]
            if leaf is None:
                continue
            text = leaf if type(leaf) is str else str(leaf)
        else:
            reading: Reading = row._values[field][0]
            text = reading.text
        while at < len(others) and others[at][0] < field:
            parts.append(others[at][1])
            parts.append(",")
            at += 1
        if at < len(others) and others[at][0] == field:
            continue
        same += 1
        if len(text) > longest:
            parts.append(cut(shown, field, text, longest))
        else:
            text = escaped(text)
            parts.append(start)
            parts.append(text)
            parts.append(BETWEEN)
            parts.append(text)
            parts.append(end)
        parts.append(",")
    while at < len(others):
        parts.append(others[at][1])
        parts.append(",")
        at += 1
    if same or others:
        parts.pop()  # the comma after the last
    parts.append(ROW_END)
    return same


def escaped(text: str) -> str:
    """Return a text as it stands between the quotes of JSON; half of a surrogate pair stays."""
    for character in text:
        if character < " " or character == '"' or character == "\\":
            return dumps(text, ensure_ascii=False)[1:-1]
    return text
