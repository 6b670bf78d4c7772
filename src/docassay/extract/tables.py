"""Rows of a table in a text: under its header by columns, or without one by their amounts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from docassay.extract.labels import Phrase, TextCell, label_score, name_words, phrases, same_word
from docassay.model.document import Reading
from docassay.model.schema import Field, GroupSpec, Schema
from docassay.values.field import BoundField

FIGURES = frozenset({"money", "number", "quantity", "percent"})
TYPED = FIGURES | {"date", "date_range", "time"}
ENDS = (
    ("total",), ("subtotal",), ("sub", "total"), ("grand", "total"), ("amount", "due"),
    ("balance", "due"), ("tax",), ("gst",), ("vat",), ("net", "amount"), ("closing", "balance"),
)  # fmt: skip
"""Words with which the part below a table begins."""
SURE, LIKELY = 0.95, 0.75
"""How sure a cell under a header is, and one that was placed by the order of figures."""
MIN_COLUMNS = 2
CLEAR = 0.5
"""How well the header of a column must fit the name of its field."""
WHOLE = 0.8
"""How well it must where it touches the next."""
AMOUNT = re.compile(r"[-(]?[^\w\s(]{0,3}\d[\d,. ]*[.,]\d{2}\)?-?$")
TIMES = re.compile(r"(?P<quantity>\d+(?:[.,]\d+)?)\s*[x@*×]\s*(?P<price>\S+)$", re.IGNORECASE)
COUNT = re.compile(r"(?P<quantity>\d{1,3})(?:\s*[x×])?\s+(?=\D)", re.IGNORECASE)


class Sighting(NamedTuple):
    """A value that was found, and how surely it is one of its field."""

    cells: tuple[TextCell, ...]
    score: float
    meaning: str | None = None
    """What the cells say, where it is not what they read."""

    @property
    def value(self) -> str:
        """The value as it goes into a record."""
        text = " ".join(cell.text for cell in self.cells)
        return text if self.meaning is None else self.meaning


class TypeReader:
    """Says whether texts are values of fields, each field looked up once."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self._fields: dict[str, BoundField] = {}

    def read(self, field: Field, text: str) -> Reading | None:
        """Return what a text means for a field, None where it is no value of its type."""
        bound = self._fields.get(field.path)
        if bound is None:
            bound = self._fields[field.path] = BoundField(field, self.schema)
        reading = bound.readings[text]
        return None if reading is None or reading.problem is not None else reading


TableRow = dict[str, Sighting]
"""Field path -> what was found in a row."""


class FoundTable(NamedTuple):
    """The rows of a group, and the lines that they and their header take."""

    rows: list[TableRow]
    lines: frozenset[int]


class TableColumn(NamedTuple):
    """A column of a table: its field, None for one that the schema lacks, and its header."""

    field: Field | None
    head: TextCell


def is_wordy(field: Field) -> bool:
    """Whether values of a field are words, not figures or days."""
    return field.type not in TYPED


def find_tables(
    lines: Sequence[Sequence[TextCell]], groups: Sequence[GroupSpec], reader: TypeReader
) -> dict[str, FoundTable]:
    """Return the rows of each group that the text has a table of."""
    labels = {
        group.path: {field.path: phrases(field) for field in group.fields} for group in groups
    }
    tables: dict[str, FoundTable] = {}
    taken: set[int] = set()
    for number, line in enumerate(lines):
        if number in taken:
            continue
        headers = [(_header(line, group, labels[group.path]), group) for group in groups]
        columns, group = max(headers, key=lambda item: _strength(item[0]), default=([], None))
        if group is None or _strength(columns) < MIN_COLUMNS:
            continue
        rest = (_ends(below) or _is_head(below, group, labels) for below in lines[number + 1 :])
        length = next((at for at, ends in enumerate(rest, start=number + 1) if ends), len(lines))
        table = _below(lines[:length], number, columns, reader)
        before = tables.get(group.path, FoundTable([], frozenset()))
        lines_of_both = before.lines | table.lines
        tables[group.path] = FoundTable(before.rows + table.rows, lines_of_both)
        taken |= table.lines
    if not any(table.rows for table in tables.values()):
        tables |= _without_header(lines, groups)
    return tables


def _is_head(
    line: Sequence[TextCell],
    group: GroupSpec,
    labels: Mapping[str, Mapping[str, Sequence[Phrase]]],
) -> bool:
    return _strength(_header(line, group, labels[group.path])) >= MIN_COLUMNS


def _strength(columns: Sequence[TableColumn]) -> int:
    return sum(column.field is not None for column in columns)


def _header(
    line: Sequence[TextCell], group: GroupSpec, labels: Mapping[str, Sequence[Phrase]]
) -> list[TableColumn]:
    """Return the columns that a line heads; each field heads one at most."""
    if any(re.search(r"\d", cell.text) for cell in line):
        return []
    heads = [part for cell in line for part in _parted(cell, labels)]
    scores = sorted(
        (-label_score(head.text, labels[field.path]), place, number)
        for place, head in enumerate(heads)
        for number, field in enumerate(group.fields)
    )
    fields: dict[int, Field] = {}
    for score, place, number in scores:
        field = group.fields[number]
        if -score >= CLEAR and place not in fields and field not in fields.values():
            fields[place] = field
    return [TableColumn(fields.get(place), head) for place, head in enumerate(heads)]


def _parted(cell: TextCell, labels: Mapping[str, Sequence[Phrase]]) -> list[TextCell]:
    """Return the headers in a cell: one, or those of narrow columns that touch."""
    heads: list[TextCell] = []
    rest = cell
    while rest.text:
        ends = [word.right - rest.left for word in rest.words()]
        parts = (rest.part(0, end) for end in reversed(ends))
        head = next((part for part in parts if _is_header(part, labels)), None)
        if head is None:
            return [cell]
        heads.append(head)
        rest = rest.part(len(head.text), len(rest.text))
    return heads


def _is_header(head: TextCell, labels: Mapping[str, Sequence[Phrase]]) -> bool:
    return any(label_score(head.text, candidates) >= WHOLE for candidates in labels.values())


def _below(
    lines: Sequence[Sequence[TextCell]],
    header: int,
    columns: Sequence[TableColumn],
    reader: TypeReader,
) -> FoundTable:
    """Return the rows under a header, down to two lines without any."""
    rows: list[TableRow] = []
    taken = {header}
    empty = 0
    for number in range(header + 1, len(lines)):
        line = lines[number]
        if empty > 1 and rows:
            break
        row = _row(line, columns, reader)
        figures = [path for path in row if not _wordy_path(path, columns)]
        if figures:
            rows.append(row)
            taken.add(number)
            empty = 0
        elif row and rows and len(line) == 1 and lines[number - 1]:
            _continue(rows[-1], row)
            taken.add(number)
        else:
            empty += 1
    return FoundTable(rows, frozenset(taken))


def _ends(line: Sequence[TextCell]) -> bool:
    if not line:
        return False
    read = [word.lower() for word in re.findall(r"[^\W\d_]+", line[0].text)]
    return any(
        len(words) <= len(read) and all(map(same_word, read, words)) and len(read) <= 4
        for words in ENDS
    )


def _wordy_path(path: str, columns: Sequence[TableColumn]) -> bool:
    fields = (column.field for column in columns)
    return all(field is None or field.path != path or is_wordy(field) for field in fields)


def _continue(row: TableRow, more: TableRow) -> None:
    """Add a line of words to the row above it."""
    for path, sighting in more.items():
        if path in row:
            row[path] = Sighting(row[path].cells + sighting.cells, row[path].score)


def _row(line: Sequence[TextCell], columns: Sequence[TableColumn], reader: TypeReader) -> TableRow:
    """Return the values of a line by columns; a figure that cannot be read is none."""
    row: TableRow = {}
    for cell, column in _placed(line, columns, reader):
        if column.field is None:
            continue
        path = column.field.path
        if is_wordy(column.field):
            cells = row[path].cells if path in row else ()
            row[path] = Sighting((*cells, cell), SURE)
        elif path not in row and reader.read(column.field, cell.text):
            row[path] = Sighting((cell,), SURE)
    return row


def _placed(
    line: Sequence[TextCell], columns: Sequence[TableColumn], reader: TypeReader
) -> Iterator[tuple[TextCell, TableColumn]]:
    """Yield the cells of a line with their columns, figures that touch their neighbours cut off."""
    for cell in line:
        rest = cell
        while (words := rest.words())[1:]:
            if _is_figure(rest, _nearest(rest, columns), reader):
                break
            last = words[-1]
            column = _nearest(last, columns)
            if _distance(last, column.head)[0] or not _is_figure(last, column, reader):
                break
            yield last, column
            rest = rest.part(0, last.left - rest.left)
        yield rest, _nearest(rest, columns)


def _is_figure(cell: TextCell, column: TableColumn, reader: TypeReader) -> bool:
    field = column.field
    return field is not None and field.type in FIGURES and bool(reader.read(field, cell.text))


def _nearest(cell: TextCell, columns: Sequence[TableColumn]) -> TableColumn:
    return min(columns, key=lambda column: _distance(cell, column.head))


def _distance(cell: TextCell, head: TextCell) -> tuple[int, int]:
    """Return how far a cell stands from a header: the gap, then how far their edges are apart."""
    gap = max(cell.left - head.right, head.left - cell.right, 0)
    return gap, min(abs(cell.left - head.left), abs(cell.right - head.right))


def _without_header(
    lines: Sequence[Sequence[TextCell]], groups: Sequence[GroupSpec]
) -> dict[str, FoundTable]:
    """Return the rows of the first group that has words and amounts, as receipts print them."""
    for group in groups:
        roles = _roles(group)
        if "description" in roles and "total" in roles:
            table = _receipt_rows(lines, roles)
            return {group.path: table} if table.rows else {}
    return {}


def _roles(group: GroupSpec) -> dict[str, Field]:
    """Return which fields are the description, the quantity, the price of one, and the total."""
    roles: dict[str, Field] = {}
    amounts = [field for field in group.fields if field.type == "money"]
    for field in group.fields:
        own = {*name_words(field)}
        if is_wordy(field) and field.type != "id":
            roles.setdefault("description", field)
        elif field.type == "quantity" or own & {"quantity", "qty", "cnt", "count"}:
            roles.setdefault("quantity", field)
        elif field in amounts and len(amounts) > 1 and own & {"unit", "unitprice", "rate", "each"}:
            roles["price"] = field
    rest = [field for field in amounts if field is not roles.get("price")]
    if len(rest) > 1 and "price" not in roles:
        roles["price"] = rest.pop(0)
    if rest:
        named = [field for field in rest if {*name_words(field)} & {"total", "amount"}]
        roles["total"] = (named or rest)[-1]
    return roles


def _receipt_rows(lines: Sequence[Sequence[TextCell]], roles: Mapping[str, Field]) -> FoundTable:
    rows: list[TableRow] = []
    taken: set[int] = set()
    words: list[TextCell] = []
    for line in lines:
        if _ends(line) and rows:
            break
        if not line or not AMOUNT.match(line[-1].text) or len(line) < 2:
            words = [*line] if len(line) == 1 else []
            continue
        row = _receipt_row(line, words, roles)
        if row is not None:
            taken |= {cell.line for sighting in row.values() for cell in sighting.cells}
            rows.append(row)
        words = []
    return FoundTable(rows, frozenset(taken))


def _receipt_row(
    line: Sequence[TextCell], above: Sequence[TextCell], roles: Mapping[str, Field]
) -> TableRow | None:
    """Return a row whose last cell is its total; its words may stand on the line above."""
    cells: dict[str, tuple[TextCell, ...]] = {"total": (line[-1],)}
    head = line[0]
    times = TIMES.search(head.text)
    if times is not None:
        cells["quantity"] = (head.part(*times.span("quantity")),)
        cells["price"] = (head.part(*times.span("price")),)
        before = head.part(0, times.start())
        cells["description"] = (before,) if before.text else tuple(above)
    else:
        count = COUNT.match(head.text)
        if count is not None:
            cells["quantity"] = (head.part(*count.span("quantity")),)
        cells["description"] = (head.part(count.end() if count else 0, len(head.text)),)
        figures = [cell for cell in line[1:-1] if cell.text[-1].isdigit()]
        if figures and AMOUNT.match(figures[-1].text):
            cells["price"] = (figures.pop(),)
        if figures:
            cells["quantity"] = (figures.pop(),)
    if not cells["description"] or not re.search(r"[^\W\d_]", cells["description"][0].text):
        return None
    return {
        roles[role].path: Sighting(parts, LIKELY)
        for role, parts in cells.items()
        if role in roles and parts
    }
