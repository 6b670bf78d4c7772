"""Format csv: one row a document, one column a field, every cell a text.

The predictions of an earlier run (`extractions.csv`) are such a table too, with columns of scores
that are no fields; `load/kept.py` describes what else its columns may hold.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from docassay.errors import DataError
from docassay.load.files import files, read_bytes
from docassay.load.format import Record, format
from docassay.load.kept import ID, exact_id, is_kept, tree_of
from docassay.load.records import Records, flaw, unreadable
from docassay.load.wire import to_text
from docassay.model.document import SEPARATOR
from docassay.model.problem import ProblemCode, Remark
from docassay.model.schema import Schema
from docassay.model.words import unguarded

ID_COLUMNS = ("image_file", "image_name", "filename", "file", "id")
DELIMITERS = ",;\t"
LONGEST_CELL = 2**31 - 1


def looks_like(path: Path, head: bytes) -> bool:
    """Say whether a text has a header line with an id, or two lines of equally many cells."""
    if b"\0" in head or head.lstrip().startswith((b"{", b"[")):
        return False
    rows = _rows(to_text(head).text)
    try:
        (_, header), (_, second) = next(rows, (0, [])), next(rows, (0, []))
    except csv.Error:
        return False
    return not set(ID_COLUMNS).isdisjoint(header) or 1 < len(header) == len(second)


def _implied(schema: Schema, source: object) -> dict[str, object]:
    """Return the columns whose texts hold one value each, by the schema."""
    return {"whole": tuple(field.path for field in schema.fields if not field.split)}


@format("csv", sniff=looks_like, implied=_implied)
def load(path: Path, *, id_key: str | None = None, whole: tuple[str, ...] = ()) -> Records:
    """Read one row a document; " | " separates values, except in the columns of `whole`."""
    for file in files(path, (".csv", ".tsv")):
        yield from _load_file(file, id_key, frozenset(whole))


def _load_file(file: Path, id_key: str | None, whole: frozenset[str]) -> Records:
    text, problems = to_text(read_bytes(file))
    for problem in problems:
        yield flaw(None, problem, str(file))
    rows = _rows(text)
    try:
        number, header = next(rows, (1, []))
        if id_key is None and is_kept(header):
            names = [unguarded(name) for name in header]
            for number, row in rows:
                yield from _load_kept(row, names, f"{file}:{number}")
            return
        for remark in _header_flaws(header):
            yield flaw(None, remark, f"{file}:{number}")
        id_column = _id_column(header, id_key, where=f"{file}:{number}")
        for number, row in rows:
            yield from _load_row(row, header, id_column, whole, f"{file}:{number}")
    except csv.Error as error:
        remark = Remark(ProblemCode.BROKEN_LINE, f"is not CSV from here on: {error}")
        yield flaw(None, remark, f"{file}:{number + 1}")


def _header_flaws(header: list[str]) -> Iterator[Remark]:
    for name, count in sorted(Counter(header).items()):
        if count > 1 and name.strip():
            message = f"column {name!r} occurs {count} times; the first is kept"
            yield Remark(ProblemCode.DUPLICATE_KEY, message)
    unnamed = [str(at) for at, name in enumerate(header, start=1) if not name.strip()]
    # a data frame writes its row numbers under no name; a blank line is no header at all
    if unnamed and len(unnamed) < len(header):
        yield Remark(ProblemCode.LEFT_OUT, f"has no name for column {', '.join(unnamed)}; left out")


def _load_row(
    row: list[str], header: list[str], id_column: str | None, whole: frozenset[str], where: str
) -> Records:
    cells: dict[str, str] = {}
    for name, cell in zip(header, row, strict=False):  # unequal lengths are reported below
        if name.strip():
            cells.setdefault(name, cell)
    record_id = None if id_column is None else cells.pop(id_column, "").strip()
    if record_id == "":
        yield flaw(None, Remark(ProblemCode.NO_ID, f"has no {id_column!r}; left out"), where)
        return
    message = f"has {len(row)} cells for {len(header)} columns"
    if any(cell.strip() for cell in row[len(header) :]):
        # which cell belongs to which column cannot be told, as when a comma is not quoted
        yield from unreadable(record_id, f"{message}; the row is not read", where)
        return
    if len(row) < len(header):
        yield flaw(record_id, Remark(ProblemCode.BROKEN_LINE, message), where)
    yield Record(
        record_id,
        {
            name: cell.split(SEPARATOR) if SEPARATOR in cell and name not in whole else cell
            for name, cell in cells.items()
        },
        where,
    )


def _load_kept(row: list[str], header: list[str], where: str) -> Records:
    if len(row) != len(header):
        message = f"has {len(row)} cells for {len(header)} columns"
        yield flaw(row[0] or None, Remark(ProblemCode.BROKEN_LINE, message), where)
    cells = dict(zip(header, map(unguarded, row), strict=False))
    record_id = cells[ID]
    try:
        record_id = exact_id(cells, where)
        if not record_id:
            yield flaw(None, Remark(ProblemCode.NO_ID, f"has no {ID!r}; left out"), where)
            return
        yield Record(record_id, tree_of(cells, where), where)
    except DataError as error:
        yield from unreadable(record_id, error.what, where)


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not blank, each with the number of its first line."""
    csv.field_size_limit(LONGEST_CELL)
    header = text.lstrip("\r\n").partition("\n")[0]
    kept = is_kept(header.strip("\r").split(","))
    delimiter = "," if kept else max(DELIMITERS, key=header.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    start = 1
    for row in reader:
        if row:
            yield start, row
        start = reader.line_num + 1


def _id_column(header: list[str], id_key: str | None, *, where: str) -> str | None:
    if id_key is not None and id_key not in header:
        names = ", ".join(header)
        raise DataError(f"there is no id column {id_key!r}", where=where, hint=f"there is: {names}")
    if id_key is not None:
        return id_key
    return next((name for name in ID_COLUMNS if name in header), None)
