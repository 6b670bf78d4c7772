"""Sheets: tables with words around them, for a terminal, as Markdown or CSV, and in a folder."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from rich.console import RenderableType
from rich.text import Text

from docassay.errors import ConfigurationError, FileError
from docassay.report.safe import cell, code
from docassay.report.screen import grid, words

Cells = Mapping[str, str | float | int | None]
"""One record by the names of its columns."""


class Sheet(NamedTuple):
    """A table with words above and below it: a name in the first column, numbers in the others."""

    title: str
    head: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    below: str = ""


def drawn(headline: Iterable[str], sheets: Iterable[Sheet]) -> Iterator[RenderableType]:
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


def markdown(title: str, headline: Iterable[str], sheets: Iterable[Sheet]) -> str:
    """Return a title, sentences and sheets as Markdown."""
    lines = [f"## {title}", "", *headline, ""]
    for sheet in sheets:
        lines += [f"### {sheet.title}", ""] if sheet.title else []
        lines.append(f"| {' | '.join(sheet.head)} |")
        lines.append(f"| --- |{' ---: |' * (len(sheet.head) - 1)}")
        for first, *others in sheet.rows:
            cells = (text.replace("|", "\\|") for text in (code(first), *others))
            lines.append(f"| {' | '.join(cells)} |")
        lines += ["", sheet.below.replace("\n", "\n\n"), ""] if sheet.below else [""]
    return "\n".join(lines)


def table_of(records: Iterable[Cells]) -> str:
    """Return records of the same columns as CSV that no spreadsheet takes for formulas."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    found = [*records]
    writer.writerow(found[0] if found else ())
    for record in found:
        writer.writerow([cell(one) if isinstance(one, str) else one for one in record.values()])
    return text.getvalue()


def write_texts(
    folder: Path, texts: Mapping[str, str], draw_charts: Callable[[], object]
) -> tuple[str, ...]:
    """Write files by name and then the charts; return what should be said about it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            # what UTF-8 cannot carry (half of a surrogate pair) is written as its escape
            (folder / name).write_bytes(text.encode("utf-8", "backslashreplace"))
        draw_charts()
    except OSError as error:
        raise FileError(
            f"cannot be written: {error.strerror}", where=str(error.filename or folder)
        ) from error
    except ConfigurationError as error:
        return (f"no chart was drawn: {error}",)
    return ()
