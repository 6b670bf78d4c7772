"""Cells of tables: rows of values as lines of CSV."""

from __future__ import annotations

from collections.abc import Callable

Cell = str | float | int | None


def csv_row(row: list[Cell], number: Callable[[float], str], other: Callable[[Cell], str]) -> str:
    """Return values as a line of CSV, without its end.

    `number` gives the text of a number with decimals, `other` that of all but plain texts.
    """
    cells: list[str] = []
    for value in row:
        if value is None:
            cells.append("")
        elif type(value) is float:
            cells.append(number(value))
        elif type(value) is str and is_plain(value):
            cells.append(value)
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
