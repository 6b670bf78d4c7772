"""The report as Markdown, for a pull request: what the numbers say, weak fields, problems."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from docassay.model.report import Report
from docassay.report.effort import amounts, sentences
from docassay.report.files import markdown_table
from docassay.report.lines import (
    KeyLine,
    categories,
    fields,
    groups,
    mistaken,
    rules,
    slices,
    types,
)
from docassay.report.problems import kinds, place
from docassay.report.safe import code
from docassay.report.tables import (
    CATEGORY_COLUMNS,
    FIELD_CATEGORY_COLUMNS,
    FIELD_COLUMNS,
    GROUP_COLUMNS,
    NAME_COLUMNS,
    RULE_COLUMNS,
    SLICE_COLUMNS,
    TYPE_COLUMNS,
    Column,
    filled,
    other_metrics,
)
from docassay.report.violations import and_more, heading, suspicious, told
from docassay.report.waterfall import HEAD, PLACE_HEAD, advice, bar, cells, lead, places, steps
from docassay.report.words import count, headline, number, shown

MOST_PROBLEMS = 10
MOST_VIOLATIONS = 10


def render(report: Report) -> str:
    """Return the report as Markdown."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Report) -> Iterator[str]:
    yield f"## docassay: {count(report.documents, 'document')}"
    yield ""
    yield from numbers(report)
    yield from sections(report)


def numbers(report: Report) -> Iterator[str]:
    """Yield what the headline tells in words, as a table."""
    lead = headline(report)
    if lead:
        rows = [(line.label, shown(line.score), line.meaning) for line in lead]
        yield from markdown_table(("", "value", "meaning"), rows, "lrl")


def sections(report: Report) -> Iterator[str]:
    """Yield notes, tables, problems and the signature."""
    for note in report.notes:
        yield f"> {code(note)}"
        yield ""
    yield from _keyed("Slices", "slice", slices(report), SLICE_COLUMNS)
    yield from _keyed("Fields, weakest first", "field", fields(report), FIELD_COLUMNS)
    yield from _keyed("Groups", "group", groups(report), GROUP_COLUMNS)
    yield from _keyed(
        "Categories of fields", "category", categories(report), FIELD_CATEGORY_COLUMNS
    )
    yield from _keyed("Document types", "type", types(report), TYPE_COLUMNS)
    yield from _confused(report)
    for metric, scores in other_metrics(report):
        yield f"### {metric}"
        yield ""
        yield from markdown_table(
            ("readout", "value"), [(s.readout, shown(s)) for s in scores], "lr"
        )
    yield from _keyed("By category", "category", fields(report), CATEGORY_COLUMNS)
    yield from _keyed("By name", "name", fields(report), NAME_COLUMNS)
    yield from _keyed("Rules", "rule", rules(report), RULE_COLUMNS)
    yield from _suspicious(report)
    yield from _losses(report)
    yield from _effort(report)
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
    yield from markdown_table(head, rows, "l" + "r" * len(columns))


def _suspicious(report: Report) -> Iterator[str]:
    found = suspicious(report)
    if not found:
        return
    yield f"### {heading(found).capitalize()}"
    yield ""
    for one in found[:MOST_VIOLATIONS]:
        yield f"- {code(told(one))}"
    if len(found) > MOST_VIOLATIONS:
        yield f"- {and_more(len(found) - MOST_VIOLATIONS)}"
    yield ""


def _confused(report: Report) -> Iterator[str]:
    wrong = mistaken(report)
    if wrong:
        yield "### Document types taken for another"
        yield ""
        rows = [(code(one.gold), code(one.pred), number(one.documents)) for one in wrong]
        yield from markdown_table(("gold", "pred", "documents"), rows, "llr")


def _losses(report: Report) -> Iterator[str]:
    found = steps(report)
    if not found:
        return
    yield f"### {lead(report).capitalize()}"
    yield ""
    rows = [(step.cause, *cells(step), bar(step, found)) for step in found]
    yield from markdown_table(("cause", *HEAD, ""), rows, "l" + "r" * len(HEAD) + "l")
    most = [(code(step.field), step.cause, *cells(step)) for step in places(report)]
    yield from markdown_table(("field", "cause", *PLACE_HEAD), most, "llrrr")
    told_of = advice(report)
    if told_of:
        yield code(told_of)
        yield ""


def _effort(report: Report) -> Iterator[str]:
    told_of = sentences(report)
    if not told_of:
        return
    yield "### Hours and cost"
    yield ""
    yield from (f"- {code(sentence)}" for sentence in told_of)
    yield ""
    found = amounts(report)
    if found:
        head = ("field", *found[0][1])
        rows = [(code(name), *amount.values()) for name, amount in found]
        yield from markdown_table(head, rows, "l" + "r" * len(found[0][1]))


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
