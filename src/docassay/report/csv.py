"""The report as CSV: one row a score, and the tables of fields and documents for spreadsheets.

Names of fields, documents and slices come from documents, so one that a spreadsheet would run as a
formula gets an apostrophe before it; numbers are written in full and never touched.
"""

from __future__ import annotations

from docassay.model.document import Violation
from docassay.model.report import Report, Score
from docassay.report.files import Cell, csv_text
from docassay.report.lines import ACCURACY, BY_ACCURACY, KeyLine, columns, documents, fields
from docassay.report.waterfall import READOUTS, rows

DEVIATION, PRECISION, RECALL = "fields.deviation", "fields.precision", "fields.recall"
FIRST = ("mean", "standard_deviation", "low", "high", "n", "precision", "recall")
"""What `fields` says of a field, under plain names before all else."""


def render(report: Report) -> str:
    """Return one row a score."""
    return csv_text(Score._fields, report.scores)


def fields_csv(report: Report) -> str:
    """Return one row a field with all its readouts, weakest first."""
    lines = fields(report, by=BY_ACCURACY)
    names = columns(lines)
    first = FIRST if ACCURACY in names else ()
    others = [name for name in names if name not in (ACCURACY, DEVIATION, PRECISION, RECALL)]
    rows = (
        [
            line.name,
            *(_first(line) if first else ()),
            line.gold,
            *(line.value(name) for name in others),
        ]
        for line in lines
    )
    return csv_text(("field", *first, "gold_values", *others), rows)


def _first(line: KeyLine) -> tuple[Cell, ...]:
    mean = line.scores.get(ACCURACY)
    spread = (None, None, None) if mean is None else (mean.low, mean.high, mean.support)
    values = (line.value(name) for name in (PRECISION, RECALL))
    return (line.value(ACCURACY), line.value(DEVIATION), *spread, *values)


def documents_csv(report: Report) -> str:
    """Return one row a document with its overall readouts, worst first."""
    lines = documents(report, by=BY_ACCURACY)
    names = [*dict.fromkeys(name for line in lines for name in line.scores)]
    typed = any(line.pred_type for line in lines)
    raw = any(line.outcome for line in lines)
    rows = (
        [
            *(line.id, line.type),
            *([line.pred_type] if typed else []),
            *([line.outcome] if raw else []),
            line.problems,
            *(line.scores.get(name) for name in names),
        ]
        for line in lines
    )
    told = (*(["predicted_type"] if typed else []), *(["response"] if raw else []))
    return csv_text(("document", "type", *told, "problems", *names), rows)


def causes_csv(report: Report) -> str:
    """Return one row a cause, over all fields (field "") and then by field, largest first."""
    return csv_text(("field", "cause", *READOUTS), rows(report))


def violations_csv(report: Report) -> str:
    """Return one row a broken rule, in gold or in pred."""
    return csv_text(Violation._fields, report.violations)
