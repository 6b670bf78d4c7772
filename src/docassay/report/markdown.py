"""The report as Markdown, for a pull request: what the numbers say, weak fields, problems."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from docassay.model.report import Report
from docassay.report.lines import KeyLine, fields, groups, slices
from docassay.report.problems import kinds, place
from docassay.report.safe import code
from docassay.report.tables import (
    CATEGORY_COLUMNS,
    FIELD_COLUMNS,
    GROUP_COLUMNS,
    SLICE_COLUMNS,
    Column,
    filled,
    other_metrics,
)
from docassay.report.words import count, headline, number, shown

MOST_PROBLEMS = 10


def render(report: Report) -> str:
    """Return the report as Markdown."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Report) -> Iterator[str]:
    yield f"## docassay: {count(report.documents, 'document')}"
    yield ""
    lead = headline(report)
    if lead:
        rows = [(line.label, shown(line.score), line.meaning) for line in lead]
        yield from _table(("", "value", "meaning"), rows, "lrl")
    for note in report.notes:
        yield f"> {code(note)}"
        yield ""
    yield from _keyed("Slices", "slice", slices(report), SLICE_COLUMNS)
    yield from _keyed("Fields, weakest first", "field", fields(report), FIELD_COLUMNS)
    yield from _keyed("Groups", "group", groups(report), GROUP_COLUMNS)
    for metric, scores in other_metrics(report):
        yield f"### {metric}"
        yield ""
        yield from _table(("readout", "value"), [(s.readout, shown(s)) for s in scores], "lr")
    yield from _keyed("By category", "category", fields(report), CATEGORY_COLUMNS)
    yield from _problems(report)
    yield f"Signature: {code(report.signature)}"


def _keyed(
    title: str, noun: str, lines: Sequence[KeyLine], known: Sequence[Column]
) -> Iterator[str]:
    lines, columns = filled(lines, known)
    if not columns:
        return
    yield f"### {title}"
    yield ""
    rows = [
        (code(line.name), *(number(column.value(line)) for column in columns)) for line in lines
    ]
    head = (noun, *(column.label for column in columns))
    yield from _table(head, rows, "l" + "r" * len(columns))


def _problems(report: Report) -> Iterator[str]:
    if not report.problems:
        return
    yield f"### {count(len(report.problems), 'problem')}"
    yield ""
    found = kinds(report.problems)
    for kind in found[:MOST_PROBLEMS]:
        first = kind.problems[0]
        yield (
            f"- {number(len(kind.problems))} × {kind.side} {code(kind.message)}, "
            f"first at {code(place(first))}"
        )
    if len(found) > MOST_PROBLEMS:
        yield f"- and {count(len(found) - MOST_PROBLEMS, 'other kind')}"
    yield ""


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], sides: str) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"| {' | '.join('---:' if side == 'r' else '---' for side in sides)} |"
    for row in rows:
        cells = (text.replace("|", "\\|") for text in row)
        yield f"| {' | '.join(cells)} |"
    yield ""
