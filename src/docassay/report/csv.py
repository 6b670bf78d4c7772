"""The report as CSV: one row a score, and the tables of keys and documents for spreadsheets.

Names of fields, documents and slices come from documents, so one that a spreadsheet would run as a
formula gets an apostrophe before it; numbers are written in full and never touched.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from docassay.model.problem import Violation
from docassay.model.report import COLUMNS, FIELD, CsvColumn, DocumentLine, Report
from docassay.report.tables import Column, KeyLine, table_of, weakest_first
from docassay.run.document_tables import document_columns, document_row
from docassay.run.output import Cell, csv_line, csv_text
from docassay.run.totals import RecordColumns


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


def documents_csv(lines: Iterable[DocumentLine]) -> Iterator[str]:
    """Yield one row a document with its overall readouts, in gold order.

    Lines are gone through twice: first for their columns.
    """
    columns = RecordColumns()
    for line in lines:
        columns.add(line)
    yield csv_line(column.head for column in document_columns(columns))
    for line in lines:
        yield document_row(line, columns)


def violations_csv(report: Report) -> Iterator[str]:
    """Yield one row a broken rule, in gold or in pred."""
    yield csv_line(Violation._fields)
    yield from map(csv_line, report.violations)
