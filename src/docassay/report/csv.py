"""The report as CSV: one row a score, and the tables of fields and documents for spreadsheets.

Names of fields, documents and slices come from documents, so one that a spreadsheet would run as a
formula gets an apostrophe before it; numbers are written in full and never touched.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from docassay.model.report import Report, Score
from docassay.report.lines import columns, documents, fields
from docassay.report.safe import cell

Cell = str | float | int | None


def render(report: Report) -> str:
    """Return one row a score."""
    return _table(Score._fields, report.scores)


def fields_csv(report: Report) -> str:
    """Return one row a field with all its readouts, weakest first."""
    lines = fields(report)
    names = columns(lines)
    rows = ([line.name, line.gold, *(line.value(name) for name in names)] for line in lines)
    return _table(("field", "gold_values", *names), rows)


def documents_csv(report: Report) -> str:
    """Return one row a document with its overall readouts, worst first."""
    lines = documents(report)
    names = [*dict.fromkeys(name for line in lines for name in line.scores)]
    rows = (
        [line.id, line.type, line.problems, *(line.scores.get(name) for name in names)]
        for line in lines
    )
    return _table(("document", "type", "problems", *names), rows)


def _table(head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows([cell(one) if isinstance(one, str) else one for one in row] for row in rows)
    return text.getvalue()
