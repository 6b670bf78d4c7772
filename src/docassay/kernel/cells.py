"""Cells of tables: rows of values as lines of CSV, and the values of a document as cells."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from docassay.kernel.readings import SEPARATOR, Number
from docassay.kernel.senses import number_end

Cell = str | float | int | None
_PLAIN, _QUOTED, _UNUSUAL = range(3)
_FEW = {number: str(number) for number in range(256)}
"""The texts of numbers that most counts are."""


def csv_row(row: list[Cell], numbers: Mapping[float, str], other: Callable[[Cell], str]) -> str:
    """Return values as a line of CSV, without its end.

    `numbers` has the texts of numbers with decimals other than 0, `other` gives that of all others
    but whole numbers and usual texts.
    """
    cells: list[str] = []
    for value in row:
        if value is None:
            cells.append("")
        elif type(value) is float:
            if value == 1.0:  # which most scores are
                cells.append("1.0")
            else:
                cells.append(numbers[value] if value else repr(value))
        elif type(value) is int:
            cells.append(_FEW.get(value) or str(value))
        elif type(value) is str:
            kind = _kind_of(value)
            if kind == _PLAIN:
                cells.append(value)
            elif kind == _QUOTED:
                cells.append('"' + value.replace('"', '""') + '"')
            else:
                cells.append(other(value))
        else:
            cells.append(other(value))
    return ",".join(cells)


def is_plain(text: str) -> bool:
    """Whether a text stands in a cell as it is."""
    return _kind_of(text) == _PLAIN


def _kind_of(text: str) -> int:
    """Return whether a text stands in a cell as it is, stands there in quotes, or is unusual.

    A usual text is ASCII that prints and begins as no formula does: with a letter or a digit.
    """
    kind = _PLAIN
    begun = False
    for character in text:
        if "0" <= character <= "9" or "A" <= character <= "Z" or "a" <= character <= "z":
            begun = True
        elif not begun or not " " <= character <= "~":
            return _UNUSUAL
        elif character == '"' or character == ",":
            kind = _QUOTED
    return kind


class CellMember:
    """Where plain values go that stand under a key of an object: into one cell of a table."""

    __slots__ = ("head", "means_digits", "rows", "texts")

    def __init__(
        self, head: str | None, means_digits: bool, rows: Mapping[str, CellMember] | None
    ) -> None:
        self.head = head
        """The head of its column; None: values under this key take a closer look."""
        self.means_digits = means_digits
        """Whether a usual JSON number means what its digits do as a text."""
        self.rows = rows
        """The members of rows that stand under the key; None: they take a closer look."""
        self.texts: list[str] = []
        """The texts of rows so far."""


def plain_cells(
    tree: dict[str, object],
    members: Mapping[str, CellMember],
    marks: frozenset[str],
    others: list[str],
) -> dict[str, str]:
    """Return the cells of an object by head, those that are empty left out.

    Keys under which stands more than plain texts and numbers, or rows of them without any of the
    `marks`, are added to `others`.
    """
    cells: dict[str, str] = {}
    for key, raw in tree.items():
        member = members[key]
        if type(raw) is list:
            if not _add_rows(cells, raw, member.rows, marks):
                others.append(key)
            continue
        text = _plain_text(raw, member)
        if text is None:
            others.append(key)
        elif text:
            cells[member.head] = text  # type: ignore[index]
    return cells


def _add_rows(
    cells: dict[str, str],
    rows: list[object],
    members: Mapping[str, CellMember] | None,
    marks: frozenset[str],
) -> bool:
    """Add the texts of each member of rows as one cell; False where that takes a closer look."""
    if members is None:
        return False
    found: list[CellMember] = []
    plain = True
    for place in range(len(rows)):
        row = rows[place]
        if type(row) is not dict or not _add_row(row, place, members, marks, found):
            plain = False
            break
    for member in found:
        texts, member.texts = member.texts, []
        if plain:
            _fill(texts, len(rows))
            text = _joined(texts)
            if text:
                cells[member.head] = text  # type: ignore[index]
    return plain


def _add_row(
    row: dict[str, object],
    place: int,
    members: Mapping[str, CellMember],
    marks: frozenset[str],
    found: list[CellMember],
) -> bool:
    """Add the texts of the row at a place to those of its members, and these to those found."""
    for key, raw in row.items():
        member = members[key]
        text = _plain_text(raw, member)
        if text is None:
            return False
        if not member.texts:
            if key in marks:
                return False
            found.append(member)
        _fill(member.texts, place)
        member.texts.append(text)
    return True


def _plain_text(raw: object, member: CellMember) -> str | None:
    """Return the text of a leaf, None if it is not plain."""
    if member.head is None:
        return None
    if raw is None:
        return ""
    if type(raw) is str:
        for character in raw:
            if not " " <= character <= "~" or character == "|":
                return raw if character > "~" and raw.isprintable() and "|" not in raw else None
        return raw
    if type(raw) is Number:
        text = str(raw)
        return text if member.means_digits and number_end(text) >= 0 else None
    return str(raw) if type(raw) is int else None


def _fill(texts: list[str], number: int) -> None:
    """Add the empty texts of rows that lack a member."""
    while len(texts) < number:
        texts.append("")


def _joined(texts: list[str]) -> str:
    for text in texts:
        if text:
            return SEPARATOR.join(texts)
    return ""
