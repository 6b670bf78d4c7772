"""The tables that have a row a document: `documents.csv` and `extractions.csv`.

Which columns they have is known only when all documents are. So lines have the columns of the
documents of their part so far, and lie aside in gold order; where all documents of the part, or all
parts together, have others, cells are put into their places then. Most lines have all columns.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO, NamedTuple, cast

import msgspec

from docassay.load.kept import EXACT_ID, ID, OVERALL, SCORE
from docassay.matching.case import Case
from docassay.model.report import DocumentLine
from docassay.model.schema import Schema
from docassay.model.words import visible
from docassay.run.document_values import (
    KeptValues,
    ValueColumns,
    ranked_readouts,
    ranking_readouts,
)
from docassay.run.documents import LineMaker, ListedLine, MadeLine
from docassay.run.extractions import EXTRACTIONS, CellMaker, Cells, column_order
from docassay.run.output import (
    Cell,
    csv_cell,
    csv_line,
    csv_lines,
    extraction_line,
    new_file,
    unwritable,
    writing,
)
from docassay.run.plan import Bound
from docassay.run.rows import CHUNK, read_at
from docassay.run.score import Row
from docassay.run.totals import DocumentTables, RecordColumns

DOCUMENTS = "documents.csv"
PROBLEMS = "problems"
_CELL = re.compile(rb'("(?:[^"]|"")*"|[^",\n]*)[,\n]')
"""A cell as it stands in a line, whatever it holds."""


class HeadedColumn(NamedTuple):
    """A column of a table: whose it is, so that no two are alike, and its head."""

    kind: str
    head: str


def document_columns(columns: RecordColumns) -> list[HeadedColumn]:
    """Return the columns of `documents.csv`."""
    return [
        HeadedColumn("", "document"),
        HeadedColumn("", "type"),
        *([HeadedColumn("", "predicted_type")] if columns.typed else []),
        *([HeadedColumn("", "response")] if columns.raw else []),
        HeadedColumn("", PROBLEMS),
        *(HeadedColumn("meta", name) for name in columns.kept_metas),
        *(HeadedColumn("score", name) for name in columns.scores),
    ]


def document_row(line: DocumentLine, columns: RecordColumns) -> str:
    """Return the line of a document in `documents.csv`."""
    before = _cells_before(line, line.pred_type, line.problems, columns)
    return csv_line([*before, *map(line.scores.get, columns.scores)])


def _cells_before(
    own: DocumentLine | Row, pred_type: str, problems: int, columns: RecordColumns
) -> list[Cell]:
    """Return the cells of a document before its scores."""
    cells: list[Cell] = [own.id, own.type]
    if columns.typed:
        cells.append(pred_type)
    if columns.raw:
        cells.append(own.outcome.summary if own.outcome else "")
    cells.append(problems)
    if columns.metas:
        cells += map(own.meta.get, columns.kept_metas)
    return cells


class TableLines:
    """Makes the lines of one document after the other."""

    def __init__(self, bound: Bound) -> None:
        self._maker = LineMaker(bound)
        self._cell_maker = CellMaker()
        self._schema = _scored_schema(bound)
        self._heads = _Heads(self._schema)
        self._values = ValueColumns(bound)
        self._ranking = ranking_readouts(bound)
        self._begin()

    def _begin(self) -> None:
        self._columns = RecordColumns()
        self._documents: list[_Piece] = []
        self._extractions: list[_Piece] = []

    def add(self, cases: Iterable[Case], rows: Sequence[tuple[Row, int]]) -> list[ListedLine]:
        """Add documents with so many problems each, and return what gives their lines."""
        cells = [self._cells(case) for case in cases]
        made = self._maker.made(rows)
        self._values.add(made)
        self._columns.merge(_columns_of(made, cells))
        documents, extractions = self._heads.of(self._columns)
        # lines are written while what they tell is at hand, by the columns that are known
        self._documents.append(_Piece(self._document_lines(made), documents))
        if self._schema is not None:
            self._extractions.append(
                _Piece(_extraction_lines(made, cells, extractions), extractions)
            )
        return [partial(own.listed_line, self._ranking) for own in made]

    def _document_lines(self, made: Sequence[MadeLine]) -> bytes:
        columns = self._columns
        addresses = (*columns.scores,)
        known: tuple[str, ...] | None = None
        has_all = False
        rows: list[list[Cell]] = []
        for row, problems, own, values, _, said in made:
            if own is not known:  # most documents have all scores
                known, has_all = own, own == addresses
            scores = values if has_all else map(dict(zip(own, values, strict=True)).get, addresses)
            cells = _cells_before(row, said.pred_type, problems, columns)
            cells.extend(scores)
            rows.append(cells)
        return _encoded(csv_lines(rows))

    def _cells(self, case: Case) -> Cells:
        if self._schema is None:
            return {}
        cells = self._cell_maker.cells_of(case.given[1], case.layout)
        if not case.id.isprintable():
            cells[EXACT_ID] = csv_cell(json.dumps(case.id))
        return cells

    def take(self) -> DocumentTables:
        """Return the lines so far, and begin anew."""
        documents = _joined(self._documents)
        extractions = _joined(self._extractions)
        columns = self._columns
        self._begin()
        return DocumentTables(documents, extractions, columns, self._values.take())


def _extraction_lines(
    made: Sequence[MadeLine], every_cells: Sequence[Cells], columns: Sequence[HeadedColumn]
) -> bytes:
    names = [column.head for column in columns if column.kind == "cell"]
    fields = [column.head for column in columns if column.kind == "field"]
    lines = [
        extraction_line(visible(row.id), cells, names, said.score, said.fields, fields)
        for (row, *_, said), cells in zip(made, every_cells, strict=True)
    ]
    return _encoded("".join(lines))


class _Piece(NamedTuple):
    """Lines of some documents, and what columns they have."""

    lines: bytes
    columns: list[HeadedColumn]


def _joined(pieces: Sequence[_Piece]) -> bytes:
    """Return all lines with the columns of the last of them, which has those of the others."""
    return b"".join(
        line
        for piece in pieces
        for line in _with_columns([piece.lines], piece.columns, pieces[-1].columns)
    )


def _columns_of(made: Sequence[MadeLine], cells: Iterable[Cells]) -> RecordColumns:
    """Return the columns of documents."""
    addresses = {id(own.addresses): own.addresses for own in made}.values()
    return RecordColumns(
        dict.fromkeys(chain.from_iterable(addresses)),
        set().union(*[own.row.meta for own in made]),
        set().union(*[own.said.fields for own in made]),
        set().union(*cells),
        any([own.said.pred_type for own in made]),
        any([own.row.outcome is not None for own in made]),
    )


def _cell_names(columns: RecordColumns, schema: Schema) -> list[str]:
    return sorted(columns.cells, key=column_order(schema))


def _extraction_columns(columns: RecordColumns, schema: Schema) -> list[HeadedColumn]:
    """Return the columns of `extractions.csv`."""
    return [
        HeadedColumn("", ID),
        *(HeadedColumn("cell", name) for name in _cell_names(columns, schema)),
        HeadedColumn("", OVERALL),
        *(HeadedColumn("field", path) for path in sorted(columns.fields)),
    ]


class _Heads:
    """Gives the columns of both tables, which are those of the documents before for most."""

    def __init__(self, schema: Schema | None) -> None:
        self._schema = schema
        self._known: object = None
        self._documents: list[HeadedColumn] = []
        self._extractions: list[HeadedColumn] = []

    def of(self, columns: RecordColumns) -> tuple[list[HeadedColumn], list[HeadedColumn]]:
        """Return the columns of `documents.csv` and of `extractions.csv`."""
        scores, *sets, typed, raw = msgspec.structs.astuple(columns)
        known = ((*scores,), *map(frozenset, sets), typed, raw)
        if known != self._known:
            self._known = known
            self._documents = document_columns(columns)
            if self._schema is not None:
                self._extractions = _extraction_columns(columns, self._schema)
        return self._documents, self._extractions


def _head(column: HeadedColumn) -> str:
    return f"{SCORE}{visible(column.head)}" if column.kind == "field" else column.head


class _Stretch(NamedTuple):
    """Where the lines of a part end in a file, and what columns they have."""

    end: int
    columns: list[HeadedColumn]


class _Lines:
    """The lines of a table while their columns are not all known."""

    def __init__(self, folder: Path) -> None:
        try:
            file = TemporaryFile(dir=folder, prefix=".documents.")  # noqa: SIM115 - closed below
        except OSError as error:
            raise unwritable(folder, error) from None
        self.file = cast("BinaryIO", file)
        self._stretches: list[_Stretch] = []

    def write(self, lines: bytes, columns: list[HeadedColumn]) -> None:
        """Append lines."""
        self.file.write(lines)
        if self._stretches and self._stretches[-1].columns == columns:
            self._stretches.pop()
        self._stretches.append(_Stretch(self.file.tell(), columns))

    def arranged(self, columns: list[HeadedColumn]) -> Iterator[bytes]:
        """Yield the lines with these columns, many at a time."""
        self.file.flush()
        start = 0
        for end, own in self._stretches:
            yield from _with_columns(_contents(self.file, start, end), own, columns)
            start = end

    def rows(self, columns: list[HeadedColumn]) -> Iterator[list[bytes]]:
        """Yield the cells of each line, in the order of these columns."""
        return _rows(self.arranged(columns), len(columns))


def _contents(file: BinaryIO, start: int, end: int) -> Iterator[bytes]:
    while start < end:
        content = read_at(file, start, min(CHUNK, end - start))
        start += len(content)
        yield content


def _rows(contents: Iterable[bytes], width: int) -> Iterator[list[bytes]]:
    """Yield the cells of each line, as they stand there."""
    rest = b""
    for content in contents:
        text = rest + content
        # a quoted cell may have the end of a line in it: cells are counted, not lines
        cells: list[bytes] = []
        end = at = 0
        while (cell := _CELL.match(text, at)) is not None:
            cells.append(cell[1])
            at = cell.end()
            if len(cells) == width:
                yield cells
                cells, end = [], at
        rest = text[end:]


def _with_columns(
    contents: Iterable[bytes], own: list[HeadedColumn], wanted: list[HeadedColumn]
) -> Iterator[bytes]:
    """Yield lines with the wanted columns; those that are not there are empty."""
    if own == wanted:
        yield from contents
        return
    places = {column: at for at, column in enumerate(own)}
    order = [places.get(column, len(own)) for column in wanted]
    for cells in _rows(contents, len(own)):
        cells.append(b"")
        yield b",".join([cells[at] for at in order]) + b"\n"


class TableFiles:
    """Both tables while a run goes on."""

    def __init__(self, documents: _Lines, extractions: _Lines, bound: Bound) -> None:
        """Take where lines lie, and what is scored."""
        self._documents, self._extractions = documents, extractions
        self._schema = _scored_schema(bound)
        self._heads = _Heads(self._schema)
        self.values = KeptValues(ranked_readouts(bound))
        self._columns = RecordColumns()
        self._more: Mapping[str, int] = {}
        self._ids: Iterable[str] = ()

    def write(self, tables: DocumentTables) -> None:
        """Append the lines of further documents."""
        columns = tables.columns
        self._columns.merge(columns)
        self.values.add(tables.values)
        documents, extractions = self._heads.of(columns)
        self._documents.write(tables.documents, documents)
        if self._schema is not None:
            self._extractions.write(tables.extractions, extractions)

    def count_also(self, problems: Mapping[str, int], ids: Iterable[str]) -> None:
        """Take how many problems documents have besides those that their lines know of.

        `ids` are those of all documents in their order.
        """
        self._more, self._ids = problems, ids

    def counted(self, line: DocumentLine) -> DocumentLine:
        """Return the line of a document with all its problems."""
        more = self._more.get(line.id, 0)
        return line._replace(problems=line.problems + more) if more else line

    def save(self, folder: Path) -> tuple[str, ...]:
        """Write the tables and return their names."""
        (folder / EXTRACTIONS).unlink(missing_ok=True)
        with writing(folder), ExitStack() as stack:
            columns = document_columns(self._columns)
            table = stack.enter_context(new_file(folder / DOCUMENTS))
            table.write(_encoded(csv_line(map(_head, columns))))
            table.writelines(self._document_lines(columns))
            if self._schema is None:
                return (DOCUMENTS,)
            columns = _extraction_columns(self._columns, self._schema)
            table = stack.enter_context(new_file(folder / EXTRACTIONS))
            table.write(_encoded(csv_line(map(_head, columns))))
            table.writelines(self._extractions.arranged(columns))
        return (DOCUMENTS, EXTRACTIONS)

    def _document_lines(self, columns: list[HeadedColumn]) -> Iterator[bytes]:
        if not self._more:
            yield from self._documents.arranged(columns)
            return
        at = columns.index(HeadedColumn("", PROBLEMS))
        for id, cells in zip(self._ids, self._documents.rows(columns), strict=True):
            cells[at] = b"%d" % (int(cells[at]) + self._more.get(id, 0))
            yield b",".join(cells) + b"\n"


@contextmanager
def keeping_tables(folder: Path, bound: Bound) -> Iterator[TableFiles]:
    """Give the tables of a run in a folder, which is made if need be; lines aside go afterwards."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(folder, error) from None
    documents, extractions = _Lines(folder), _Lines(folder)
    with documents.file, extractions.file:
        yield TableFiles(documents, extractions, bound)


def _scored_schema(bound: Bound) -> Schema | None:
    """Return the schema, where fields are scored."""
    scored = any(metric.metric.documents is not None for metric in bound.metrics)
    return bound.layouts.schema if scored else None


def _encoded(text: str) -> bytes:
    # what UTF-8 cannot carry (half of a surrogate pair) is written as its escape
    return text.encode("utf-8", "backslashreplace")
