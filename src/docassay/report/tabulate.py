"""Scores of models on data sets as a table for a terminal, Markdown, CSV, JSON and LaTeX."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, product
from pathlib import Path
from typing import NamedTuple

from rich.cells import cell_len
from rich.console import RenderableType
from rich.text import Text

from docassay.analysis.tabulate import TableEntry, TableScore, Tabulation
from docassay.errors import UnknownName
from docassay.model.report import HIGHER, LOWER
from docassay.model.words import UNDEFINED, code, count, cut, number, visible
from docassay.report.screen import PLAIN, Screen, draw, grid, words
from docassay.report.sheets import latex_table, latex_text
from docassay.run.output import csv_text, json_text, markdown_table, write_texts

FORMATS = ("table", "json", "markdown", "csv", "latex")
DIMENSIONS = ("model", "dataset", "order", "score")
ROWS = ("score", "model", "dataset")
ARROWS = {HIGHER: " ↑", LOWER: " ↓"}
LONGEST = 60
BEST, DIFFERS = ">", "*"


class TabulationLayout(NamedTuple):
    """What stands in rows and, level by level, in columns."""

    rows: str
    columns: tuple[str, ...]
    alone: tuple[str, ...]
    """What has one value only and stands above the table."""


def render(
    table: Tabulation,
    format: str,
    *,
    rows: str | None = None,
    percent: bool = False,
    screen: Screen = PLAIN,
) -> str:
    """Return scores by model and data set; `rows` says what has a row: score, model or dataset."""
    if format not in FORMATS:
        raise UnknownName("format of a table of runs", format, FORMATS)
    if rows is not None and rows not in ROWS:
        raise UnknownName("kind of row", rows, ROWS)
    if format == "csv":
        return csv_text(TableEntry._fields, table.entries)
    if format == "json":
        return _json(table)
    layout = _layout(table, rows)
    if format == "table":
        return draw(_drawn(table, layout, percent, screen), screen)
    lines = _markdown(table, layout, percent) if format == "markdown" else None
    return "\n".join(lines or _latex(table, layout, percent)) + "\n"


def write_table(
    folder: Path, table: Tabulation, *, rows: str | None = None, percent: bool = False
) -> list[Path]:
    """Write a table of runs as Markdown, CSV, JSON and LaTeX; return the files."""
    suffixes = {"md": "markdown", "csv": "csv", "json": "json", "tex": "latex"}
    texts = {
        f"table.{suffix}": render(table, format, rows=rows, percent=percent)
        for suffix, format in suffixes.items()
    }
    return write_texts(folder, texts)


def _layout(table: Tabulation, rows: str | None) -> TabulationLayout:
    """Return rows and columns: with several scores a row a score, as papers have it."""
    chosen = rows or ("score" if len(table.scores) > 1 else "model")
    others = [name for name in DIMENSIONS if name != chosen]
    columns = tuple(name for name in others if len(_members(table, name)) > 1)
    # one column is left where everything else stands above the table
    columns = columns or tuple(others[-1:] if chosen != "score" else others[:1])
    return TabulationLayout(chosen, columns, tuple(name for name in others if name not in columns))


def _members(table: Tabulation, dimension: str) -> Sequence[str]:
    if dimension == "model":
        return table.models
    if dimension == "dataset":
        return [dataset.name for dataset in table.datasets]
    return table.orders if dimension == "order" else [score.label for score in table.scores]


def _columns(table: Tabulation, layout: TabulationLayout) -> list[dict[str, str]]:
    """Return what each column holds; one that is empty in all rows is left out."""
    fixed = {name: _members(table, name)[0] for name in layout.alone}
    every = [
        {**fixed, **dict(zip(layout.columns, names, strict=True))}
        for names in product(*(_members(table, name) for name in layout.columns))
    ]
    return [
        column
        for column in every
        if any(_entry(table, layout, column, row) for row in _members(table, layout.rows))
    ]


def _entry(
    table: Tabulation, layout: TabulationLayout, column: dict[str, str], row: str
) -> TableEntry | None:
    place = {**column, layout.rows: row}
    return table.entry(*(place[name] for name in DIMENSIONS))


def _written(table: Tabulation, entry: TableEntry | None, *, percent: bool) -> str:
    if entry is None or entry.value is None:
        return UNDEFINED
    if percent and _score(table, entry.score).is_share:
        return f"{100 * entry.value:.2f}"
    return number(entry.value)


def _score(table: Tabulation, label: str) -> TableScore:
    return next(score for score in table.scores if score.label == label)


def _name(table: Tabulation, dimension: str, member: str, *, arrows: bool = True) -> str:
    """Return what a row or column is called: a score with the direction that is better."""
    if dimension != "score" or not arrows:
        return member
    better = _score(table, member).better
    return f"{member}{ARROWS[better]}" if better else member


def _caption(
    table: Tabulation,
    layout: TabulationLayout,
    *,
    percent: bool,
    spell: Callable[[str], str] = visible,
) -> str:
    """Return what all cells have in common; `spell` writes names."""
    parts = [
        f"{spell(member)}{_name(table, name, member).removeprefix(member)}"
        for name in reversed(layout.alone)
        if name != "dataset"
        for member in _members(table, name)[:1]
        if member
    ]
    documents = ", ".join(
        f"{spell(dataset.name)} {count(dataset.documents, 'document')}"
        for dataset in table.datasets
    )
    unit = "; shares in percent" if percent else ""
    return f"{', '.join(parts)}{': ' if parts else ''}{documents}{unit}"


def _legend(table: Tabulation, best: str) -> list[str]:
    """Return what the marks mean that a table has."""
    lines = []
    if any(entry.best for entry in table.entries):
        lines.append(f"{best} best of its data set")
    if any(entry.p is not None for entry in table.entries):
        test = f"paired test, adjusted p at most {table.alpha:g}"
        lines.append(f"{DIFFERS} significantly worse than the best ({test})")
    return lines


def _drawn(
    table: Tabulation, layout: TabulationLayout, percent: bool, screen: Screen
) -> Iterator[RenderableType]:
    yield Text(_caption(table, layout, percent=percent), "bold")
    yield Text()
    for title, columns in _pieces(table, layout, percent, screen.width):
        heads = [
            [_name(table, name, column[name]) for name in layout.columns] for column in columns
        ]
        first = f"{title}\n{layout.rows}" if title else layout.rows
        drawn = grid(visible(first) if not title else first)
        for head in heads:
            names = [cut(visible(name), LONGEST) for name in (head[1:] if title else head)]
            drawn.add_column("\n".join(names), justify="right", no_wrap=True)
        for row in _members(table, layout.rows):
            entries = [_entry(table, layout, column, row) for column in columns]
            if any(entries):
                name = words(cut(_name(table, layout.rows, row), LONGEST))
                drawn.add_row(name, *(_cell(table, entry, percent) for entry in entries))
        yield drawn
        yield Text()
    yield from (words(line, "dim") for line in _legend(table, BEST))


def _cell(table: Tabulation, entry: TableEntry | None, percent: bool) -> Text:
    text = _written(table, entry, percent=percent)
    best, differs = (False, False) if entry is None else (entry.best, entry.differs)
    shown = f"{BEST if best else ''}{text}{DIFFERS if differs else ' '}"
    return Text(shown, style="bold" if best else "")


def _pieces(
    table: Tabulation, layout: TabulationLayout, percent: bool, width: int
) -> Iterator[tuple[str, list[dict[str, str]]]]:
    """Yield columns that fit the width: all, or those of one member of the first level each."""
    columns = _columns(table, layout)
    rows = _members(table, layout.rows)
    names = max(cell_len(visible(_name(table, layout.rows, row))) for row in rows)
    needed = names + 2
    for column in columns:
        cells = [
            _written(table, _entry(table, layout, column, row), percent=percent) for row in rows
        ]
        heads = [cell_len(visible(_name(table, name, column[name]))) for name in layout.columns]
        needed += 1 + max(*heads, *(len(cell) + 2 for cell in cells))
    if needed <= width or len(layout.columns) < 2:
        yield "", columns
        return
    first = layout.columns[0]
    for member, own in groupby(columns, key=lambda column: column[first]):
        yield visible(_name(table, first, member)), [*own]


def _markdown(table: Tabulation, layout: TabulationLayout, percent: bool) -> Iterator[str]:
    yield _caption(table, layout, percent=percent, spell=code)
    yield ""
    columns = _columns(table, layout)
    heads = (" ".join(code(column[name]) for name in layout.columns) for column in columns)
    rows = []
    for row in _members(table, layout.rows):
        cells = []
        for column in columns:
            entry = _entry(table, layout, column, row)
            text = _written(table, entry, percent=percent)
            text = f"**{text}**" if entry is not None and entry.best else text
            cells.append(f"{text} \\{DIFFERS}" if entry is not None and entry.differs else text)
        arrow = _name(table, layout.rows, row).removeprefix(row)
        rows.append((f"{code(row)}{arrow}", *cells))
    yield from markdown_table((layout.rows, *heads), rows, "l" + "r" * len(columns))
    legend = ", ".join(_legend(table, "bold:"))
    if legend:
        yield legend.replace(DIFFERS, f"\\{DIFFERS}")


def _latex(table: Tabulation, layout: TabulationLayout, percent: bool) -> Iterator[str]:
    """Yield a tabular with a line of heads a level, which needs no package."""
    yield f"% {latex_text(_caption(table, layout, percent=percent))}"
    yield from (f"% {latex_text(line)}" for line in _legend(table, "bold:"))
    columns = _columns(table, layout)
    above = []
    for depth in range(len(layout.columns) - 1):
        levels = layout.columns[: depth + 1]
        spans = groupby(columns, key=lambda column: [column[name] for name in levels])
        cells = [
            f"\\multicolumn{{{len([*own])}}}{{c}}{{{latex_text(names[-1])}}}"
            for names, own in spans
        ]
        above.append(f" & {' & '.join(cells)} \\\\")
    last = layout.columns[-1]
    rows = []
    for row in _members(table, layout.rows):
        cells = []
        for column in columns:
            entry = _entry(table, layout, column, row)
            text = latex_text(_written(table, entry, percent=percent))
            text = f"\\textbf{{{text}}}" if entry is not None and entry.best else text
            cells.append(f"{text}$^{{*}}$" if entry is not None and entry.differs else text)
        rows.append((_latex_name(table, layout.rows, row), *cells))
    heads = ["", *(_latex_name(table, last, column[last]) for column in columns)]
    yield from latex_table(heads, rows, "l" + "r" * len(columns), above)


def _latex_name(table: Tabulation, dimension: str, member: str) -> str:
    name = _name(table, dimension, member)
    arrow = {ARROWS[HIGHER]: r" $\uparrow$", ARROWS[LOWER]: r" $\downarrow$"}
    return f"{latex_text(member)}{arrow.get(name.removeprefix(member), '')}"


def _json(table: Tabulation) -> str:
    facts: dict[str, object] = {
        "docassay": table.version,
        "models": table.models,
        "datasets": [dataset._asdict() for dataset in table.datasets],
        "orders": table.orders if table.orders != ("",) else (),
        "alpha": table.alpha,
        "notes": table.notes,
    }
    scores = (
        {
            "score": score.label,
            "terms": [{"sign": sign, "address": name} for sign, name in score.terms],
            "better": score.better,
        }
        for score in table.scores
    )
    return json_text(facts, {"scores": scores, "entries": (e._asdict() for e in table.entries)})
