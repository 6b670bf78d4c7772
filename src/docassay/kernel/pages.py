"""Values of pages: those that are one text on both sides, as JSON, and others between them."""

from __future__ import annotations

from collections.abc import Callable
from json import dumps
from typing import TypeVar

RowT = TypeVar("RowT")

Framed = tuple[str, str, str]
"""A field, and what stands before and after the texts of its value, which stand there twice."""
BETWEEN = '","pred":"'


def add_values(
    parts: list[str],
    texts: dict[str, str],
    frames: list[Framed],
    others: list[tuple[str, str]],
    longest: int,
    row: RowT,
    cut: Callable[[RowT, str, str, int], str],
) -> None:
    """Add the values of a row to the parts of a page, in the order of their fields.

    `texts` has those that are one text on both sides, `others` are as they are to stand there; both
    are in order. Of texts longer than `longest`, `cut` says how fields of the row show them.
    """
    at = 0
    for field, head, tail in frames:
        while at < len(others) and others[at][0] < field:
            parts.append(others[at][1])
            parts.append(",")
            at += 1
        text = texts[field]
        if len(text) > longest:
            parts.append(cut(row, field, text, longest))
        else:
            text = escaped(text)
            parts.append(head)
            parts.append(text)
            parts.append(BETWEEN)
            parts.append(text)
            parts.append(tail)
        parts.append(",")
    while at < len(others):
        parts.append(others[at][1])
        parts.append(",")
        at += 1
    if frames or others:
        parts.pop()  # the comma after the last


def escaped(text: str) -> str:
    """Return a text as it stands between the quotes of JSON; half of a surrogate pair stays."""
    for character in text:
        if character < " " or character == '"' or character == "\\":
            return dumps(text, ensure_ascii=False)[1:-1]
    return text
