"""Cells of tables: rows of values as lines of CSV, and rows of a document as cells of one."""

from __future__ import annotations

from collections.abc import Callable

from docassay.kernel.readings import SEPARATOR, Number

Cell = str | float | int | None


def csv_row(row: list[Cell], number: Callable[[float], str], other: Callable[[Cell], str]) -> str:
    """Return values as a line of CSV, without its end.

    `number` gives the text of a number with decimals that is neither 0 nor 1, `other` that of all
    others but whole numbers and plain texts.
    """
    cells: list[str] = []
    for value in row:
        if value is None:
            cells.append("")
        elif type(value) is float:
            if value == 1.0:  # which most scores are
                cells.append("1.0")
            else:
                cells.append(number(value) if value else repr(value))
        elif type(value) is str and is_plain(value):
            cells.append(value)
        elif type(value) is int:
            cells.append(str(value))
        else:
            cells.append(other(value))
    return ",".join(cells)


def is_plain(text: str) -> bool:
    """Whether a text stands in a cell as it is: ASCII that prints, and begins as no formula does.

    So the first character is a letter or a digit, and none is a quote or a comma.
    """
    begun = False
    for character in text:
        if "0" <= character <= "9" or "A" <= character <= "Z" or "a" <= character <= "z":
            begun = True
        elif not (begun and " " <= character <= "~") or character == '"' or character == ",":
            return False
    return True


def plain_columns(
    rows: list[object], marks: frozenset[str], numbers: dict[str, list[str]]
) -> dict[str, str] | None:
    """Return the texts of each member of rows in one; None where that takes a closer look.

    It does if a row is no object or has one of the `marks`, or if a member is more than a text of
    ASCII that prints. JSON numbers are added to `numbers`, by member.
    """
    columns: dict[str, list[str]] = {}
    for place in range(len(rows)):
        row = rows[place]
        if type(row) is not dict:
            return None
        for key, raw in row.items():
            column = columns.get(key)
            if column is None:
                if type(key) is not str or key in marks:
                    return None
                column = columns[key] = []
            text = _plain_text(raw)
            if text is None:
                return None
            if type(raw) is Number:
                numbers.setdefault(key, []).append(raw)
            _fill(column, place)
            column.append(text)
    for column in columns.values():
        _fill(column, len(rows))
    return {key: _joined(column) for key, column in columns.items()}


def _plain_text(raw: object) -> str | None:
    """Return the text of a leaf, None if it is not plain."""
    if raw is None:
        return ""
    if type(raw) is str or type(raw) is Number:
        text = str(raw)
        for character in text:
            if not " " <= character <= "~" or character == "|":
                return None
        return text
    return str(raw) if type(raw) is int else None


def _fill(column: list[str], number: int) -> None:
    """Add the empty texts of rows that lack a member."""
    while len(column) < number:
        column.append("")


def _joined(texts: list[str]) -> str:
    for text in texts:
        if text:
            return SEPARATOR.join(texts)
    return ""
