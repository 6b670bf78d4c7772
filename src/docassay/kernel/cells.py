"""Cells of tables: rows of values as lines of CSV, and the values of a document as cells."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from docassay.kernel import texts
from docassay.kernel.counting import Shares
from docassay.kernel.readings import SEPARATOR, Number
from docassay.kernel.senses import number_end

Cell = str | float | int | None
_FEW = {number: str(number) for number in range(256)}
"""The texts of numbers that most counts are."""


def csv_row(row: list[Cell], numbers: Mapping[float, str], other: Callable[[Cell], str]) -> str:
    """Return values as a line of CSV, without its end.

    `numbers` has the texts of numbers with decimals other than 0, `other` gives that of all others
    but whole numbers and usual texts.
    """
    return ",".join([_cell_of(value, numbers, other) for value in row])


def _cell_of(value: Cell, numbers: Mapping[float, str], other: Callable[[Cell], str]) -> str:
    if value is None:
        return ""
    if type(value) is float:
        if value == 1.0:  # which most scores are
            return "1.0"
        return numbers[value] if value else repr(value)
    if type(value) is int:
        return _FEW.get(value) or str(value)
    if type(value) is str:
        return _cell(value, texts.signs_in(value), other)
    return other(value)


def csv_rows(
    rows: list[list[Cell]], numbers: Mapping[float, str], other: Callable[[Cell], str]
) -> str:
    """Return rows as lines of CSV."""
    lines: list[str] = []
    for row in rows:
        line = csv_row(row, numbers, other)
        # a row of one empty cell is no empty line
        lines.append(line if line or not row else '""')
        lines.append("\n")
    return "".join(lines)


def extraction_row(
    id: str,
    cells: dict[str, str],
    heads: list[str],
    score: float | None,
    fields: Mapping[str, float | None] | Shares,
    paths: list[str],
    numbers: Mapping[float, str],
    other: Callable[[Cell], str],
) -> str:
    """Return what was predicted in a document as a line of CSV, and its score and those of fields.

    Cells stand in CSV as they are; those of all heads are there, and the scores of all paths.
    """
    row = [_cell_of(id, numbers, other)]
    row += [cells.get(head, "") for head in heads]
    row.append(_cell_of(score, numbers, other))
    if type(fields) is Shares:
        shares = fields
        row += [_cell_of(shares.get(path), numbers, other) for path in paths]
    else:
        row += [_cell_of(fields.get(path), numbers, other) for path in paths]
    return ",".join(row) + "\n"


def is_plain(text: str) -> bool:
    """Whether a text stands in a cell as it is."""
    return not texts.signs_in(text) & ~texts.SEPARATING and _begins_usually(text)


def _begins_usually(text: str) -> bool:
    """Whether a text is empty or begins as no formula does: with a letter, a digit or a dollar."""
    for character in text:
        if "0" <= character <= "9" or character == "$":
            return True
        return "A" <= character <= "Z" or "a" <= character <= "z"
    return True


def _cell(text: str, signs: int, other: Callable[[Cell], str]) -> str:
    """Return a text with some signs as it stands in a cell."""
    if signs & texts.UNUSUAL or not _begins_usually(text):
        return other(text)
    return '"' + text.replace('"', '""') + '"' if signs & texts.QUOTED else text


class CellMember:
    """Where plain values go that stand under a key of an object: into one cell of a table."""

    __slots__ = ("head", "key", "means_digits", "rows", "signs", "texts")

    def __init__(
        self,
        key: str,
        head: str | None,
        means_digits: bool,
        rows: Mapping[str, CellMember] | None,
    ) -> None:
        self.key = key
        self.head = head
        """The head of its column; None: values under this key take a closer look."""
        self.means_digits = means_digits
        """Whether a usual JSON number means what its digits do as a text."""
        self.rows = rows
        """The members of rows that stand under the key; None: they take a closer look."""
        self.texts: list[str] = []
        """The texts of rows so far."""
        self.signs = 0
        """Those in the texts so far."""


def plain_cells(
    tree: dict[str, object],
    members: Mapping[str, CellMember],
    marks: frozenset[str],
    others: list[str],
    other: Callable[[Cell], str],
) -> dict[str, str]:
    """Return the cells of an object by head as they stand in CSV, those that are empty left out.

    `other` gives the cell of an unusual text. Keys under which stands more than plain texts and
    numbers, or rows of them without any of the `marks`, are added to `others`.
    """
    cells: dict[str, str] = {}
    for key, raw in tree.items():
        member = members[key]
        if type(raw) is list:
            if not _add_rows(cells, raw, member.rows, marks, other):
                others.append(key)
            continue
        text = _plain_text(raw, member)
        if text is None:
            others.append(key)
        elif text:
            cells[member.head] = _cell(text, member.signs, other)  # type: ignore[index]
            member.signs = 0
    return cells


def _add_rows(
    cells: dict[str, str],
    rows: list[object],
    members: Mapping[str, CellMember] | None,
    marks: frozenset[str],
    other: Callable[[Cell], str],
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
        own, member.texts = member.texts, []
        signs, member.signs = member.signs, 0
        if plain:
            _fill(own, len(rows))
            text = _joined(own)
            if text:
                cells[member.head] = _cell(text, signs, other)  # type: ignore[index]
    return plain


def _add_row(
    row: dict[str, object],
    place: int,
    members: Mapping[str, CellMember],
    marks: frozenset[str],
    found: list[CellMember],
) -> bool:
    """Add the texts of the row at a place to those of its members, and these to those found."""
    for number, (key, raw) in enumerate(row.items()):
        member = found[number] if number < len(found) else None
        if member is None or member.key is not key:  # most rows have the members of that before
            member = members[key]
        if not member.texts:
            if key in marks:
                return False
            found.append(member)
        text = _plain_text(raw, member)
        if text is None:
            return False
        if len(member.texts) < place:
            _fill(member.texts, place)
        member.texts.append(text)
    return True


def _plain_text(raw: object, member: CellMember) -> str | None:
    """Return the text of a leaf, whose signs the member has then, and None if it is not plain."""
    if member.head is None:
        return None
    if raw is None:
        return ""
    if type(raw) is str:
        signs = texts.signs_in(raw)
        if signs & texts.SEPARATING or (signs & texts.UNUSUAL and not _prints(raw)):
            return None
        member.signs |= signs
        return raw
    if type(raw) is int:
        return str(raw)
    if type(raw) is Number and member.means_digits:
        text = texts.as_text(raw)
        if number_end(text) >= 0:
            return text
    return None


def _prints(text: str) -> bool:
    """Whether a text has nothing that does not print but ends of lines."""
    return text.isprintable() or text.replace("\n", " ").isprintable()


def _fill(own: list[str], number: int) -> None:
    """Add the empty texts of rows that lack a member."""
    while len(own) < number:
        own.append("")


def _joined(own: list[str]) -> str:
    for text in own:
        if text:
            return SEPARATOR.join(own)
    return ""
