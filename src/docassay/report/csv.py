"""The report as CSV: one row a score, and the tables of keys and documents for spreadsheets.

Names of fields, documents and slices come from documents, so one that a spreadsheet would run as a
formula gets an apostrophe before it; numbers are written in full and never touched.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path

from docassay.load.kept import ID, OVERALL, SCORE
from docassay.model.problem import Violation
from docassay.model.report import COLUMNS, FIELD, CsvColumn, DocumentLine, Report
from docassay.model.words import visible
from docassay.report.tables import Column, KeyLine, table_of, weakest_first
from docassay.run.documents import RecordFile
from docassay.run.extractions import EXTRACTIONS, column_order
from docassay.run.output import Cell, csv_line, csv_text, new_file, writing
from docassay.run.totals import RecordColumns

DOCUMENTS = "documents.csv"


def render(report: Report) -> str:
    """Return one row a score."""
    return csv_text(
        COLUMNS, ([getattr(score, name) for name in COLUMNS] for score in report.scores)
    )


def kind_csv(report: Report, kind: str = FIELD) -> str:
    """Return one row a key of a kind with all its readouts, weakest first."""
    lines = table_of(report, kind, most=None).lines
    names = [*dict.fromkeys(name for line in lines for name in line.scores)]
    plain = _plain_columns(names, report)
    taken = {name for column, name in plain if column.attribute == "value"}
    others = [name for name in names if name not in taken]
    heads = [*dict.fromkeys(column.head for column, _ in plain)]
    # sorted by the first number that the file shows
    first = [
        Column(column.head, column.place, (name,), "value", report.specs[name])
        for column, name in plain
        if column.attribute == "value"
    ]
    rows = (
        [
            line.name,
            *(_plain(line, head, plain) for head in heads),
            *(_value(line, name) for name in others),
        ]
        for line in (weakest_first(lines, first) if first else lines)
    )
    return csv_text((kind, *heads, *others), rows)


def _plain_columns(names: list[str], report: Report) -> list[tuple[CsvColumn, str]]:
    """Return the columns under plain names, in their places, each with its readout."""
    every = [(column, name) for name in names for column in report.specs[name].csv]
    return sorted(every, key=lambda one: one[0].place)


def _plain(line: KeyLine, head: str, plain: list[tuple[CsvColumn, str]]) -> Cell:
    for column, name in plain:
        if column.head == head and name in line.scores:
            value: Cell = getattr(line.scores[name], column.attribute)
            return value
    return None


def _value(line: KeyLine, name: str) -> Cell:
    score = line.scores.get(name)
    return None if score is None else score.value


def documents_csv(
    lines: Iterable[DocumentLine], columns: RecordColumns | None = None
) -> Iterator[str]:
    """Yield one row a document with its overall readouts, in gold order.

    Without their columns, lines are gone through twice.
    """
    if columns is None:
        columns = RecordColumns()
        for line in lines:
            columns.add(line)
    yield csv_line(_document_head(columns))
    for line in lines:
        yield _document_row(line, columns)


def _document_head(columns: RecordColumns) -> tuple[str, ...]:
    more = (*(["predicted_type"] if columns.typed else []), *(["response"] if columns.raw else []))
    return ("document", "type", *more, "problems", *columns.kept_metas, *columns.scores)


def _document_row(line: DocumentLine, columns: RecordColumns) -> str:
    return csv_line(
        (
            *(line.id, line.type),
            *([line.pred_type] if columns.typed else []),
            *([line.outcome.summary if line.outcome else ""] if columns.raw else []),
            line.problems,
            *map(line.meta.get, columns.kept_metas),
            *map(line.scores.get, columns.scores),
        )
    )


def write_records(folder: Path, records: RecordFile) -> tuple[str, ...]:
    """Write the tables that have a row a document, in gold order, and return their names."""
    columns, schema = records.columns, records.schema
    cells = sorted(columns.cells, key=column_order(schema)) if schema is not None else []
    fields = sorted(columns.fields)
    names = (DOCUMENTS,) if schema is None else (DOCUMENTS, EXTRACTIONS)
    (folder / EXTRACTIONS).unlink(missing_ok=True)
    with writing(folder), ExitStack() as stack:
        table, *more = (stack.enter_context(new_file(folder / name)) for name in names)
        table.write(_encoded(csv_line(_document_head(columns))))
        for predicted in more:
            heads = (f"{SCORE}{visible(path)}" for path in fields)
            predicted.write(_encoded(csv_line((ID, *cells, OVERALL, *heads))))
        for record in records:
            line, own = record.line, record.cells
            table.write(_encoded(_document_row(line, columns)))
            for predicted in more:
                texts = [own.get(name, "") for name in cells]
                scores = map(line.fields.get, fields)
                row = csv_line((visible(line.id), *texts, line.score, *scores))
                predicted.write(_encoded(row))
    return names


def _encoded(text: str) -> bytes:
    # what UTF-8 cannot carry (half of a surrogate pair) is written as its escape
    return text.encode("utf-8", "backslashreplace")


def violations_csv(report: Report) -> Iterator[str]:
    """Yield one row a broken rule, in gold or in pred."""
    yield csv_line(Violation._fields)
    yield from map(csv_line, report.violations)
