"""The report as one wants to read it in a terminal: words first, then what is weakest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from docassay.model.report import Report
from docassay.report.effort import amounts, sentences
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
from docassay.report.problems import kinds, particulars, place
from docassay.report.safe import cut, visible
from docassay.report.screen import PLAIN, Screen, draw, grid, words
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

MANY_FIELDS = 40
SHOWN_FIELDS = 30
SHOWN_KINDS = 6
SHOWN_PROBLEMS = 3
SHOWN_VIOLATIONS = 5
LONGEST = 160


def render(report: Report, *, screen: Screen = PLAIN, all_fields: bool = False) -> str:
    """Return the whole report; of many fields the weakest, unless all are asked for."""
    lines = fields(report)
    most = SHOWN_FIELDS if len(lines) > MANY_FIELDS and not all_fields else None
    parts = [
        *_headline(report),
        *_notes(report),
        *_keyed("slice", slices(report), SLICE_COLUMNS),
        *_keyed("field, weakest first", lines, FIELD_COLUMNS, most=most),
        *_keyed("group", groups(report), GROUP_COLUMNS),
        *_keyed("category of fields", categories(report), FIELD_CATEGORY_COLUMNS),
        *_keyed("document type", types(report), TYPE_COLUMNS),
        *_confused(report),
        *_others(report),
        *_keyed("category", lines, CATEGORY_COLUMNS, most=most),
        *_keyed("name", lines, NAME_COLUMNS, most=most),
        *_keyed("rule", rules(report), RULE_COLUMNS),
        *_suspicious(report),
        *_losses(report),
        *_effort(report),
        *_problems(report),
    ]
    # the signature stays one line, however long, so that it can be copied
    return f"{draw(parts, screen)}{visible(report.signature)}\n"


def brief(report: Report, *, screen: Screen = PLAIN, most_fields: int = 6) -> str:
    """Return the headline and the weakest fields."""
    lines = fields(report)[:most_fields]
    return draw([*_headline(report), *_keyed("weakest fields", lines, FIELD_COLUMNS)], screen)


def _headline(report: Report) -> Iterator[RenderableType]:
    yield Text(count(report.documents, "document"), style="bold")
    lead = headline(report)
    if lead:
        table = Table.grid(padding=(0, 2))
        table.add_column(no_wrap=True)
        table.add_column(justify="right", no_wrap=True)
        table.add_column(overflow="fold")
        for line in lead:
            table.add_row(
                Text(line.label), Text(shown(line.score), style="bold"), Text(line.meaning)
            )
        yield Padding(table, (0, 0, 0, 2))
    yield Text()


def _notes(report: Report) -> Iterator[RenderableType]:
    for note in report.notes:
        yield words(f"Note: {note}", "yellow")
    if report.notes:
        yield Text()


def _keyed(
    noun: str, lines: Sequence[KeyLine], known: Sequence[Column], *, most: int | None = None
) -> Iterator[RenderableType]:
    lines, columns = filled(lines, known)
    if not columns:
        return
    table = grid(noun, *(column.label for column in columns))
    for line in lines[:most]:
        cells = (_cell(column, line) for column in columns)
        table.add_row(words(cut(line.name, LONGEST)), *cells)
    yield table
    left = len(lines) - len(lines[:most])
    if left:
        yield Text(
            f"and {count(left, 'stronger field')} "
            "(--all-fields shows them here, --format csv or json has them all)",
            style="dim",
        )
    yield Text()


def _cell(column: Column, line: KeyLine) -> Text:
    value = column.value(line)
    if isinstance(value, float) and not column.error:
        return Text(number(value), style="red" if value < 0.5 else "yellow" if value < 0.8 else "")
    return Text(number(value), style="" if value or column.error else "dim")


def _confused(report: Report) -> Iterator[RenderableType]:
    wrong = mistaken(report)
    if not wrong:
        return
    table = grid("document type taken for another", "documents")
    for one in wrong:
        table.add_row(words(cut(f"{one.gold} as {one.pred}", LONGEST)), Text(number(one.documents)))
    yield table
    yield Text()


def _others(report: Report) -> Iterator[RenderableType]:
    for metric, scores in other_metrics(report):
        table = grid(metric, "value", "rests on")
        for score in scores:
            table.add_row(words(score.readout), Text(shown(score)), Text(number(score.support)))
        yield table
        yield Text()


def _suspicious(report: Report) -> Iterator[RenderableType]:
    found = suspicious(report)
    if not found:
        return
    yield Text(heading(found), style="bold yellow")
    for one in found[:SHOWN_VIOLATIONS]:
        yield _indented(cut(told(one), LONGEST), 2)
    if len(found) > SHOWN_VIOLATIONS:
        yield _indented(and_more(len(found) - SHOWN_VIOLATIONS), 2, "dim")
    yield Text()


def _losses(report: Report) -> Iterator[RenderableType]:
    found = steps(report)
    if not found:
        return
    yield words(lead(report), "bold")
    table = grid("cause", *HEAD, "")
    for step in found:
        table.add_row(words(step.cause), *map(Text, cells(step)), Text(bar(step, found)))
    table.columns[-1].justify = "left"
    yield table
    yield Text()
    most = grid("field and cause that take most", *PLACE_HEAD)
    for step in places(report):
        most.add_row(words(cut(f"{step.field}: {step.cause}", LONGEST)), *map(Text, cells(step)))
    yield most
    told_of = advice(report)
    if told_of:
        yield words(told_of)
    yield Text()


def _effort(report: Report) -> Iterator[RenderableType]:
    told_of = sentences(report)
    if not told_of:
        return
    yield words(told_of[0], "bold")
    yield from map(words, told_of[1:])
    found = amounts(report)
    if found:
        table = grid("field, most hours first", *found[0][1])
        for name, amount in found:
            table.add_row(words(cut(name, LONGEST)), *map(words, amount.values()))
        yield table
    yield Text()


def _problems(report: Report) -> Iterator[RenderableType]:
    if not report.problems:
        return
    yield Text(count(len(report.problems), "problem"), style="bold yellow")
    found = kinds(report.problems)
    for kind in found[:SHOWN_KINDS]:
        amount = number(len(kind.problems))
        yield _indented(f"{amount} × {kind.side}: {cut(kind.message, LONGEST)}", 2)
        for problem in kind.problems[:SHOWN_PROBLEMS]:
            own = particulars(problem) if len(kind.problems) > 1 else ""
            told = f"{place(problem)}: {own}" if own else place(problem)
            yield _indented(cut(told, LONGEST), 4, "dim")
        if len(kind.problems) > SHOWN_PROBLEMS:
            yield _indented(f"and {number(len(kind.problems) - SHOWN_PROBLEMS)} more", 4, "dim")
    if len(found) > SHOWN_KINDS:
        others = sum(len(kind.problems) for kind in found[SHOWN_KINDS:])
        yield _indented(f"and {number(others)} of other kinds", 2)
    yield Text()


def _indented(text: str, by: int, style: str = "") -> Padding:
    return Padding(words(text, style), (0, 0, 0, by))
