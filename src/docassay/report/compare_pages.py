"""A comparison of runs for a pull request (Markdown) and for a paper (LaTeX).

The tables are made once as plain data; each format writes a cell in its own way and escapes what
comes from documents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape
from typing import NamedTuple

from docassay.model.comparison import BETTER, BROKEN, FIXED, WORSE, ComparedScore, Comparison
from docassay.model.words import UNDEFINED, code, count, cut, p_value, visible
from docassay.report.comparison import (
    LONGEST,
    SPREADS,
    by_key,
    changes,
    command_of,
    contribution,
    explaining,
    headline_label,
    headline_score,
    interval,
    is_sure,
    label,
    leading,
    others,
    shown_kinds,
    signed,
    slices,
    verdict_sentence,
    written,
)
from docassay.report.first_screen import share
from docassay.report.sheets import latex_table, latex_text
from docassay.report.tables import plural
from docassay.run.output import markdown_table

MOST_MAIN = 8
"""Main scores which a pull request shows before one asks for all."""
MOST_SURE = 10
"""Keys that differ which a pull request shows before one asks for all."""
MOST_ROWS = 200
MOST_DOCUMENTS = 20
MARKS = {BETTER: "+", WORSE: "\N{MINUS SIGN}"}


class PageCell(NamedTuple):
    """A cell: a text that may come from documents (`name`), be strong, or be a verdict."""

    text: str
    name: bool = False
    strong: bool = False
    mark: str = ""
    """What stands raised behind it."""


class PageTable(NamedTuple):
    """A table with its title; the first column is a name, others are numbers but for words."""

    title: str
    head: tuple[PageCell, ...]
    rows: tuple[tuple[PageCell, ...], ...]
    sides: str


def markdown(comparison: Comparison) -> str:
    """Return what a pull request shows: what is decided, then details that can be opened."""
    return "\n".join(_markdown(comparison)) + "\n"


def _markdown(comparison: Comparison) -> Iterator[str]:
    yield f"## {verdict_sentence(comparison, code)}"
    yield ""
    yield _about(comparison, code)
    yield ""
    yield from (f"> {visible(note)}" for note in comparison.notes)
    if comparison.notes:
        yield ""
    for table in _summary(comparison):
        yield from _table_lines(table)
    for table in _details(comparison):
        yield f"<details><summary>{escape(table.title)}</summary>"
        yield ""
        yield from _table_lines(table._replace(title=""))
        yield "</details>"
        yield ""


def _table_lines(table: PageTable) -> Iterator[str]:
    if table.title:
        yield f"### {table.title}"
        yield ""
    rows = ([_markdown_cell(cell) for cell in row] for row in table.rows)
    yield from markdown_table([_markdown_cell(cell) for cell in table.head], rows, table.sides)


def _markdown_cell(cell: PageCell) -> str:
    text = code(cut(cell.text, LONGEST)) if cell.name and cell.text else visible(cell.text)
    strong = f"**{text}**" if cell.strong else text
    return f"{strong} {cell.mark}" if cell.mark else strong


def latex(comparison: Comparison) -> str:
    """Return a table for a paper that plain LaTeX sets: no package is needed."""
    return "\n".join(_latex(comparison)) + "\n"


def _latex(comparison: Comparison) -> Iterator[str]:
    yield f"% {latex_text(verdict_sentence(comparison))}"
    yield f"% {latex_text(_about(comparison, visible))}"
    parts = _summary(comparison, whole=True), _keys(comparison)
    for at, table in enumerate(table for part in parts for table in part if table.rows):
        if at:
            yield ""
        yield f"% {latex_text(table.title or 'overall')}"
        yield from latex_table(
            [_latex_cell(cell) for cell in table.head],
            ([_latex_cell(cell) for cell in row] for row in table.rows),
            table.sides,
        )


def _latex_cell(cell: PageCell) -> str:
    text = latex_text(cut(cell.text, LONGEST))
    strong = f"\\textbf{{{text}}}" if cell.strong else text
    mark = "-" if cell.mark == MARKS[WORSE] else cell.mark
    return f"{strong}$^{{{mark}}}$" if mark else strong


def _about(comparison: Comparison, spell: Callable[[str], str]) -> str:
    """Return what is compared with what."""
    documents = count(comparison.documents_compared, "document")
    sentence = f"{documents} compared by {spell(headline_label(comparison))}"
    if len(comparison.runs) < 2:
        return f"{sentence}."
    against = spell(comparison.runs[comparison.against].name)
    if len(comparison.runs) == 2:
        (other,) = others(comparison)
        return f"{sentence}; a change is {spell(comparison.runs[other].name)} minus {against}."
    marks = f"{MARKS[BETTER]} better and {MARKS[WORSE]} worse"
    return f"{sentence}; {marks} than {against} (adjusted p at most {comparison.alpha:g})."


def _summary(comparison: Comparison, *, whole: bool = False) -> Iterator[PageTable]:
    """Yield what everybody should see: the leaderboard, the main scores, what differs.

    The `whole` of it has all main scores, and leaves what differs to the tables of all keys.
    """
    if len(comparison.runs) > 2:
        yield _standings(comparison)
    entries = leading(comparison)
    rows = _score_rows(comparison, entries if whole else entries[:MOST_MAIN])
    rows += _cost_rows(comparison)
    if rows:
        yield PageTable("", _heads(comparison, ""), tuple(rows), _sides(comparison))
    if whole or "by" in comparison.facts:
        yield from _slices(comparison)
    for kind in () if whole else shown_kinds(comparison)[:1]:
        entries = by_key(comparison, kind)
        sure = [entry for entry in entries if is_sure(entry)]
        if sure:
            title = f"{len(sure)} of {len(entries)} {plural(kind)} differ"
            yield _scores(comparison, title, kind, sure[:MOST_SURE])


def _details(comparison: Comparison) -> Iterator[PageTable]:
    """Yield what can be looked up: all main scores, slices and keys, causes, documents."""
    main = leading(comparison)
    if len(main) > MOST_MAIN:
        title = f"All {len(main)} main scores"
        rows = tuple(_score_rows(comparison, main))
        yield PageTable(title, _heads(comparison, ""), rows, _sides(comparison))
    if "by" not in comparison.facts:
        yield from _slices(comparison)
    yield from _keys(comparison)
    if explaining(comparison):
        yield _causes(comparison)
    if comparison.documents:
        yield _documents(comparison)


def _score_rows(
    comparison: Comparison, entries: Sequence[ComparedScore]
) -> list[tuple[PageCell, ...]]:
    return [
        _score_row(comparison, PageCell(label(comparison, entry.score.name)), entry)
        for entry in entries
    ]


def _slices(comparison: Comparison) -> Iterator[PageTable]:
    parts = slices(comparison)
    if parts:
        title = f"{headline_label(comparison)} by slice, {count(len(parts), 'slice')}"
        yield _scores(comparison, title, "slice", parts)


def _keys(comparison: Comparison) -> Iterator[PageTable]:
    for kind in shown_kinds(comparison):
        entries = by_key(comparison, kind)
        if entries:
            name = label(comparison, entries[0].score.name)
            title = f"{name} by {kind}, {count(len(entries), kind, plural(kind))}"
            yield _scores(comparison, title, kind, entries[:MOST_ROWS])


def _heads(comparison: Comparison, noun: str) -> tuple[PageCell, ...]:
    names = (PageCell(run.name, name=True) for run in comparison.runs)
    more = ("change", "95 % interval", "adjusted p", "verdict") if len(comparison.runs) == 2 else ()
    return (PageCell(noun), *names, *map(PageCell, more))


def _sides(comparison: Comparison) -> str:
    return "lrrrrrv" if len(comparison.runs) == 2 else "l" + "r" * len(comparison.runs)


def _scores(
    comparison: Comparison, title: str, noun: str, entries: Sequence[ComparedScore]
) -> PageTable:
    rows = tuple(
        _score_row(comparison, PageCell(entry.score.slice or entry.score.key, name=True), entry)
        for entry in entries
    )
    return PageTable(title, _heads(comparison, noun), rows, _sides(comparison))


def _score_row(
    comparison: Comparison, name: PageCell, entry: ComparedScore
) -> tuple[PageCell, ...]:
    by_run = {difference.run: difference for difference in entry.differences}
    pair = len(comparison.runs) == 2
    cells = []
    for run, value in enumerate(entry.values):
        verdict = by_run[run].verdict if run in by_run else None
        mark = "" if pair or verdict is None else MARKS.get(verdict, "")
        strong = entry.winner == run
        cells.append(PageCell(written(comparison, entry, value), strong=strong, mark=mark))
    if not pair:
        return (name, *cells)
    difference = next(iter(by_run.values()), None)
    if difference is None:
        return (name, *cells, *(PageCell(""),) * 4)
    return (
        *(name, *cells),
        PageCell(signed(comparison, entry, difference.value)),
        PageCell(interval(comparison, entry, difference)),
        PageCell(p_value(difference.p_adjusted)),
        PageCell(difference.verdict or ""),
    )


def _cost_rows(comparison: Comparison) -> Iterator[tuple[PageCell, ...]]:
    """Yield the mean time, tokens and cost of a document, where predictions state them."""
    for name, (noun, form) in SPREADS.items():
        means = [run.spreads.get(name, {}).get("mean") for run in comparison.runs]
        if all(mean is None for mean in means):
            continue
        cells = [PageCell(UNDEFINED if mean is None else f"{mean:{form}}") for mean in means]
        if len(means) != 2:
            yield (PageCell(noun), *cells)
            continue
        before, after = means[comparison.against], means[1 - comparison.against]
        change = "" if before is None or after is None else f"{after - before:+{form}}"
        yield (PageCell(noun), *cells, PageCell(change), *(PageCell(""),) * 3)


def _standings(comparison: Comparison) -> PageTable:
    entry = headline_score(comparison)
    rows = []
    for place in comparison.standings:
        if entry is None:
            break
        by_run = {each.run: each for each in entry.differences}
        ends = place.score.interval.ends
        difference = by_run.get(place.run)
        tied = ", ".join(comparison.runs[run].name for run in place.tied)
        rows.append(
            (
                PageCell(comparison.runs[place.run].name, name=True),
                PageCell(str(place.place)),
                PageCell(written(comparison, entry, place.score.value), strong=place.place == 1),
                PageCell("" if ends is None else f"[{share(ends[0])}, {share(ends[1])}]"),
                PageCell("" if difference is None else difference.verdict or ""),
                PageCell(tied, name=True),
            )
        )
    against = comparison.runs[comparison.against].name
    heads = ("run", "place", headline_label(comparison), "95 % interval")
    head = (*map(PageCell, heads), PageCell(f"against {against}"), PageCell("tied with"))
    return PageTable("Leaderboard", head, tuple(rows), "lrrrvl")


def _causes(comparison: Comparison) -> PageTable:
    names = [PageCell(run.name, name=True) for run in comparison.runs]
    points = [PageCell(f"points, {comparison.runs[run].name}") for run in others(comparison)]
    rows = tuple(
        (
            PageCell(cause.name),
            *(PageCell(f"{value:,}") for value in cause.values),
            *(
                PageCell(f"{contribution(comparison, cause, run):+.4f}")
                for run in others(comparison)
            ),
        )
        for cause in explaining(comparison)
    )
    sides = "l" + "r" * (len(names) + len(points))
    title = "Why: wrong values by cause, and what each contributes to the change"
    return PageTable(title, (PageCell("cause"), *names, *points), rows, sides)


def _documents(comparison: Comparison) -> PageTable:
    numbers = [
        f"{changes(comparison, state, run):,} {word}"
        for run in others(comparison)[:1]
        for state, word in ((BROKEN, "newly broken"), (FIXED, "fixed"))
    ]
    shown = comparison.documents[:MOST_DOCUMENTS]
    states = any(state for document in comparison.documents for state in document.states)
    pair = len(comparison.runs) == 2 and states
    title = f"Documents: {', '.join(numbers)}" if pair else "Documents"
    if len(shown) < len(comparison.documents):
        title += f"; the {len(shown)} largest changes of {len(comparison.documents):,}"
    rows = []
    for document in shown:
        became = " ".join(dict.fromkeys(state for state in document.states if state))
        rows.append(
            (
                PageCell(document.id, name=True),
                *(PageCell(share(value)) for value in document.values),
                PageCell(f"{document.change:+.3f}"),
                PageCell(became),
                PageCell(command_of(comparison, document), name=True),
            )
        )
    names = (PageCell(run.name, name=True) for run in comparison.runs)
    head = (PageCell("document"), *names, *map(PageCell, ("change", "became", "explained by")))
    return PageTable(title, head, tuple(rows), "l" + "r" * (len(comparison.runs) + 1) + "vl")
