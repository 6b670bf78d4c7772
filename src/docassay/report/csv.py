"""The report as CSV: one row a score, and the tables of keys and documents for spreadsheets.

Names of fields, documents and slices come from documents, so one that a spreadsheet would run as a
formula gets an apostrophe before it; numbers are written in full and never touched.
"""

from __future__ import annotations

from docassay.model.problem import Violation
from docassay.model.report import COLUMNS, FIELD, META_COLUMNS, CsvColumn, Report
from docassay.report.tables import Column, KeyLine, documents, table_of, weakest_first
from docassay.run.output import Cell, csv_text


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


def documents_csv(report: Report) -> str:
    """Return one row a document with its overall readouts, worst first."""
    lines = documents(report)
    names = [*dict.fromkeys(name for line in lines for name in line.scores)]
    typed = any(line.pred_type for line in lines)
    raw = any(line.outcome for line in lines)
    kept = [name for name in META_COLUMNS if any(name in line.meta for line in lines)]
    rows = (
        [
            *(line.id, line.type),
            *([line.pred_type] if typed else []),
            *([line.outcome.summary if line.outcome else ""] if raw else []),
            line.problems,
            *(line.meta.get(name) for name in kept),
            *(line.scores.get(name) for name in names),
        ]
        for line in lines
    )
    more = (*(["predicted_type"] if typed else []), *(["response"] if raw else []))
    return csv_text(("document", "type", *more, "problems", *kept, *names), rows)


def violations_csv(report: Report) -> str:
    """Return one row a broken rule, in gold or in pred."""
    return csv_text(Violation._fields, report.violations)
