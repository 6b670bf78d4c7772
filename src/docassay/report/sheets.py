"""Sheets: tables with words around them, for a terminal, as Markdown or CSV, and in a folder."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from rich.console import RenderableType
from rich.text import Text

from docassay.errors import ConfigurationError
from docassay.model.words import code, visible
from docassay.report.screen import grid, words
from docassay.run.output import Cell, csv_text, markdown_table, write_texts, writing

Cells = Mapping[str, Cell]
"""One record by the names of its columns."""


class StudyTable(NamedTuple):
    """A table with words above and below it: a name in the first column, numbers in the others."""

    title: str
    head: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    below: str = ""


def drawn(headline: Iterable[str], sheets: Iterable[StudyTable]) -> Iterator[RenderableType]:
    """Yield what a terminal shows of sentences and the sheets below them."""
    for sentence in headline:
        yield words(sentence, "bold")
    yield Text()
    for sheet in sheets:
        if sheet.title:
            yield words(sheet.title, "bold")
        table = grid(*sheet.head)
        for row in sheet.rows:
            table.add_row(*map(words, row))
        yield table
        if sheet.below:
            yield from (words(line, "dim") for line in sheet.below.split("\n"))
        yield Text()


def markdown(title: str, headline: Iterable[str], sheets: Iterable[StudyTable]) -> str:
    """Return a title, sentences and sheets as Markdown."""
    lines = [f"## {title}", "", *headline, ""]
    for sheet in sheets:
        lines += [f"### {sheet.title}", ""] if sheet.title else []
        rows = ((code(first), *others) for first, *others in sheet.rows)
        lines += markdown_table(sheet.head, rows, "l" + "r" * (len(sheet.head) - 1))
        lines += [sheet.below.replace("\n", "\n\n"), ""] if sheet.below else []
    return "\n".join(lines)


_LATEX = {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    # after the end of a row these would be read as an option of it
    "[": "{[}",
    "*": "{*}",
    # two of a kind would be set as a dash or as a quotation mark
    "-": "{-}",
    "`": "{`}",
    "'": "{'}",
    '"': r"\char34{}",
    "\N{MINUS SIGN}": "$-$",
    "\N{EN DASH}": "--",
    "\N{HORIZONTAL ELLIPSIS}": r"\ldots{}",
    "\N{RIGHTWARDS ARROW}": r"$\to$",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
}
_SIGNED = re.compile(r"(?<![^\s\[])-(?=\d)")


def latex_text(text: str) -> str:
    """Return a text that LaTeX sets as it is, on one line; minus signs of numbers are signs."""
    minus = _SIGNED.sub("\N{MINUS SIGN}", visible(text))
    return "".join(_LATEX.get(character, character) for character in minus)


def latex_table(
    head: Sequence[str], rows: Iterable[Sequence[str]], sides: str, above: Sequence[str] = ()
) -> Iterator[str]:
    """Yield a tabular of cells that are LaTeX already, which needs no package.

    Columns are on the right side (r) or else on the left; `above` are lines over the head.
    """
    yield f"\\begin{{tabular}}{{{''.join('r' if side == 'r' else 'l' for side in sides)}}}"
    yield r"\hline"
    yield from above
    yield f"{' & '.join(head)} \\\\"
    yield r"\hline"
    for row in rows:
        yield f"{' & '.join(row)} \\\\"
    yield r"\hline"
    yield r"\end{tabular}"


def table_of(records: Iterable[Cells]) -> str:
    """Return records of the same columns as CSV that no spreadsheet takes for formulas."""
    rows = [*records]
    return csv_text(rows[0] if rows else (), (record.values() for record in rows))


def write_sheets(
    folder: Path, texts: Mapping[str, str], draw_charts: Callable[[], object]
) -> tuple[str, ...]:
    """Write files by name and then the charts; return what should be said about it."""
    write_texts(folder, texts)
    try:
        with writing(folder):
            draw_charts()
    except ConfigurationError as error:
        return (f"no chart was drawn: {error}",)
    return ()
