"""The report as one wants to read it in a terminal: words first, then what is weakest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from docassay.model.report import FIELD, HIGHER, SHARE, Report, Section, SectionTable, Sentence
from docassay.model.words import count, cut, number, visible
from docassay.report.problems import (
    and_more,
    broken_rule,
    heading,
    kinds,
    particulars,
    place,
    suspicious,
)
from docassay.report.screen import PLAIN, Screen, draw, grid, words
from docassay.report.tables import (
    Column,
    KeyLine,
    listed,
    plural,
    shown,
    slices,
    tables,
    unit_of,
)

MANY_FIELDS = 40
SHOWN_FIELDS = 30
SHOWN_KINDS = 6
SHOWN_VIOLATIONS = 5
LONGEST = 160


def render(report: Report, *, screen: Screen = PLAIN, all_fields: bool = False) -> str:
    """Return the whole report; of many fields the weakest, unless all are asked for."""
    parts = [
        *_headline(report),
        *_keyed("slice", *slices(report)),
        *_kinds(report, all_fields=all_fields),
        *_listed(report),
        *_suspicious(report),
        *_sections(report),
        *_problems(report),
    ]
    # the signature stays one line, however long, so that it can be copied
    return f"{draw(parts, screen)}{visible(report.signature)}\n"


def _kinds(report: Report, *, all_fields: bool) -> Iterator[RenderableType]:
    for kind, lines, columns in tables(report):
        most = SHOWN_FIELDS if len(lines) > MANY_FIELDS and not all_fields else None
        noun = f"{kind}, weakest first" if kind == FIELD else kind
        yield from _keyed(noun, lines, columns, most=most, kind=kind)


def _headline(report: Report) -> Iterator[RenderableType]:
    about = f"; {visible(report.about)}" if report.about else ""
    yield Text(f"{count(report.documents, 'document')}{about}", style="bold")
    if report.headline:
        table = Table.grid(padding=(0, 2))
        table.add_column(no_wrap=True)
        table.add_column(justify="right", no_wrap=True)
        table.add_column(overflow="fold")
        for line in report.headline:
            score = report[line.readout]
            # a line without a label goes on with the one above it
            value = shown(score, unit_of(report, score)) if line.label else ""
            table.add_row(Text(line.label), Text(value, style="bold"), words(line.meaning))
        yield Padding(table, (0, 0, 0, 2))
    yield Text()


def _keyed(
    noun: str,
    lines: Sequence[KeyLine],
    columns: Sequence[Column],
    *,
    most: int | None = None,
    kind: str = FIELD,
) -> Iterator[RenderableType]:
    if not columns or not lines:
        return
    table = grid(noun, *(column.label for column in columns))
    for line in lines[:most]:
        cells = (_cell(column, line) for column in columns)
        table.add_row(words(cut(line.name, LONGEST)), *cells)
    yield table
    left = len(lines) - len(lines[:most])
    if left:
        yield words(
            f"and {count(left, f'stronger {kind}', f'stronger {plural(kind)}')} "
            "(--all-fields shows them here, --format csv or json has them all)",
            "dim",
        )
    yield Text()


def _cell(column: Column, line: KeyLine) -> Text:
    value, spec = column.value(line), column.spec
    if column.attribute == "value" and spec.unit == SHARE and spec.better == HIGHER:
        weak = value is not None and value < 0.8
        style = "red" if value is not None and value < 0.5 else "magenta" if weak else ""
        return Text(column.cell(line), style=style)
    return Text(column.cell(line), style="dim" if not value and isinstance(value, int) else "")


def _listed(report: Report) -> Iterator[RenderableType]:
    for metric, scores in listed(report):
        table = grid(metric, "value", "n")
        for score in scores:
            value = shown(score, unit_of(report, score))
            table.add_row(words(score.readout), Text(value), Text(number(score.support)))
        yield table
        yield Text()


def _sections(report: Report) -> Iterator[RenderableType]:
    for section in report.details.sections:
        if not section.summary_only:
            yield from _section(section)
            yield Text()


def _section(section: Section) -> Iterator[RenderableType]:
    yield words(section.title, "bold")
    yield from (words(_plain(sentence)) for sentence in section.above)
    for at, table in enumerate(section.tables):
        if at:
            yield Text()
        yield _table(table)
    yield from (words(_plain(sentence)) for sentence in section.below)


def _plain(sentence: Sentence) -> str:
    return sentence if isinstance(sentence, str) else "".join(sentence)


def _table(table: SectionTable) -> Table:
    drawn = grid(*table.head)
    for side, column in zip(table.sides, drawn.columns, strict=True):
        column.justify = "right" if side == "r" else "left"
        if side == "n":
            column.no_wrap = False
            column.overflow = "fold"
    for row in table.rows:
        texts = (cell if isinstance(cell, str) else ", ".join(cell) for cell in row)
        drawn.add_row(*(words(cut(text, LONGEST)) for text in texts))
    return drawn


def _suspicious(report: Report) -> Iterator[RenderableType]:
    odd = suspicious(report)
    if not odd.broken:
        return
    yield Text(heading(odd), style="bold")
    shown = odd.first[:SHOWN_VIOLATIONS]
    for violation in shown:
        yield _indented(cut(broken_rule(violation), LONGEST), 2)
    if odd.broken > len(shown):
        yield _indented(and_more(odd.broken - len(shown)), 2, "dim")
    yield Text()


def _problems(report: Report) -> Iterator[RenderableType]:
    if not report.problems:
        return
    yield Text(count(len(report.problems), "problem"), style="bold")
    groups = kinds(report.problems)
    for kind in groups[:SHOWN_KINDS]:
        yield _indented(f"{number(kind.number)} × {kind.side}: {cut(kind.message, LONGEST)}", 2)
        for problem in kind.first:
            own = particulars(problem) if kind.number > 1 else ""
            where = f"{place(problem)}: {own}" if own else place(problem)
            yield _indented(cut(where, LONGEST), 4, "dim")
        if kind.number > len(kind.first):
            yield _indented(f"and {number(kind.number - len(kind.first))} more", 4, "dim")
    if len(groups) > SHOWN_KINDS:
        others = sum(kind.number for kind in groups[SHOWN_KINDS:])
        yield _indented(f"and {number(others)} of other kinds", 2)
    yield Text()


def _indented(text: str, by: int, style: str = "") -> Padding:
    return Padding(words(text, style), (0, 0, 0, by))
