"""The first screen: how good the predictions are, what is weakest, why, and what to do next.

At most 24 lines of at most 80 columns, however wide the terminal, so that it can be read at a
glance and pasted anywhere. All else is in the full tables (`report/table.py`) and in run folders.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from heapq import nsmallest
from itertools import islice
from textwrap import wrap
from typing import NamedTuple

from rich.cells import cell_len, chop_cells
from rich.text import Text

from docassay.model.problem import ProblemCode
from docassay.model.report import (
    COUNT,
    FIELD,
    HIGHER,
    LOWER,
    RATE,
    SHARE,
    CauseLine,
    DocumentValue,
    HeadlineLine,
    ReadoutSpec,
    Report,
)
from docassay.model.words import UNDEFINED, count, number, visible
from docassay.report.screen import PLAIN, Screen, draw
from docassay.report.tables import (
    Column,
    amount,
    document_ranking,
    listed,
    plural,
    slices,
    tables,
    unit_of,
)

WIDTH = 80
MOST_LINES = 24
MOST_WORST = 100
"""Of how many documents it is known that they are the worst."""
RANKED_AT_ONCE = 10_000
"""How many documents are held to be ranked: a run may have more than fit in memory."""
MOST_ENTRIES = 3
MOST_HEADLINES = 8
INDENT = "  "
NARROWEST_NAME, WIDEST_NAME = 28, 45
NARROWEST = (8, 7, 6)
"""Widths of the first cell of a line, of the second, and of all others."""
CAUSES, GAIN = "most common causes", "fixing it gives"
UNPAIRED = ": see --gold-id, --pred-id, --id-pattern"


class Explain(NamedTuple):
    """The command that explains a document: its words before the id, and its options."""

    words: tuple[str, ...]
    options: tuple[str, ...] = ()

    def of(self, document: str) -> tuple[str, ...]:
        """Return the words of the command for one document."""
        if document.startswith("-"):
            return (*self.words, *self.options, "--", document)
        return (*self.words, document, *self.options)


def render(
    report: Report,
    *,
    screen: Screen = PLAIN,
    explain: Explain | None = None,
    footer: str = "",
    all_fields: bool = False,
) -> str:
    """Return the first screen; slices and, if asked for, all fields may make it longer."""
    worst = worst_documents(report).first
    parts = [
        [*_slices(report)],
        [*_weakest(report, all_fields=all_fields)],
        [*_causes(report)],
        [*_worst(report, worst)],
    ]
    width = _name_width([entry for part in parts for entry in part])
    above = [[*_first_lines(report)], [*_headline(report)]]
    lists = [[_entry(entry, width) for entry in part] for part in parts]
    below = [*_commands(worst, explain, footer)]
    most = None if all_fields or parts[0] else MOST_LINES
    return draw(page(above, lists, below, most), Screen(WIDTH, screen.colour))


def reasons(report: Report, *, screen: Screen = PLAIN) -> str:
    """Return the weakest fields and the most common causes alone."""
    parts = [[*_weakest(report, all_fields=False)], [*_causes(report)]]
    width = _name_width([entry for part in parts for entry in part])
    blocks = [[_entry(entry, width) for entry in part] for part in parts if part]
    return draw(spaced(blocks), Screen(WIDTH, screen.colour))


def page(
    above: list[list[Text]], lists: list[list[Text]], below: list[Text], most: int | None
) -> list[Text]:
    """Return all lines with a blank one between blocks.

    Where they are too many, blank lines go first (before the commands, then below the first
    lines), then the last entries of the longest lists.
    """
    blocks = [block for block in (*above, *lists, below) if block]
    if most is None or _height(blocks) <= most:
        return spaced(blocks)
    whole = [block for block in above if block]
    rows = [[*entries] for entries in lists if entries]
    if _height([*whole, *rows]) + len(below) > most:
        whole = [[line for block in whole for line in block]]
    while _height([*whole, *rows]) + len(below) > most and any(len(row) > 2 for row in rows):
        max(reversed(rows), key=len).pop()
    return [*spaced([*whole, *rows]), *below]


def _height(blocks: Sequence[Sequence[Text]]) -> int:
    return sum(map(len, blocks)) + len(blocks) - 1


def spaced(blocks: Sequence[Sequence[Text]]) -> list[Text]:
    """Return the lines of blocks with a blank one between two."""
    gaps = [[Text()] if at else [] for at in range(len(blocks))]
    return [line for gap, block in zip(gaps, blocks, strict=True) for line in (*gap, *block)]


def middle_cut(text: str, width: int) -> str:
    """Return a text that fills at most so many columns, what is too much taken from its middle."""
    if cell_len(text) <= width:
        return text
    head = chop_cells(text, (width - 1) // 2)[0]
    tail = chop_cells(text[::-1], width - 1 - cell_len(head))[0][::-1]
    return f"{head}…{tail}"


def end_cut(text: str, width: int) -> str:
    """Return a text that fills at most so many columns, what is too much taken from its end."""
    return text if cell_len(text) <= width else f"{chop_cells(text, width - 1)[0]}…"


def _first_lines(report: Report) -> Iterator[Text]:
    about = f"; {visible(report.about)}" if report.about else ""
    yield Text(end_cut(f"{count(report.documents, 'document')}{about}", WIDTH), style="bold")
    problems = problem_words(report)
    if problems:
        yield Text(end_cut(problems, WIDTH), style="magenta")


def problem_words(report: Report) -> str:
    """Return how many flaws the data have, "" for none."""
    if not report.problems and not report.violations:
        return ""
    from docassay.report.problems import suspicious

    codes = Counter(problem.code for problem in report.problems)
    missing = codes[ProblemCode.NO_PREDICTION]
    others = len(report.problems) - missing
    if missing * 2 > report.documents > 1:
        unpaired = ProblemCode.NO_GOLD in codes
        return f"{number(missing)} of them have no prediction{UNPAIRED if unpaired else ''}"
    odd = suspicious(report).documents
    parts = (
        count(others, "problem") if others else "",
        f"{count(missing, 'document')} without prediction" if missing else "",
        f"suspicious gold in {count(odd, 'document')}" if odd else "",
    )
    return ", ".join(part for part in parts if part)


def _headline(report: Report) -> Iterator[Text]:
    lines = headline_lines(report)
    longest = max((cell_len(line.label) for line in lines), default=0)
    label_width = max(len("corrections"), min(longest, WIDEST_NAME - 20))
    values = [_value(report, line) for line in lines]
    value_width = max((len(value) for value in values), default=0)
    value_width = max(value_width, len("0.000")) + 2
    hanging = " " * (len(INDENT) + label_width + value_width + 2)
    stated: set[str] = set()
    for line, value in zip(lines, values, strict=True):
        interval = _interval(report, line, stated)
        texts = wrapped(f"{interval}{visible(line.meaning)}", WIDTH - len(hanging))
        if not line.label:
            yield from (Text(f"{hanging}{text}") for text in texts)
            continue
        label = middle_cut(visible(line.label), label_width)
        start = Text(f"{INDENT}{label}{' ' * (label_width - cell_len(label))}")
        start.append(value.rjust(value_width), style="bold")
        yield start.append(f"  {texts[0]}")
        yield from (Text(f"{hanging}{text}") for text in texts[1:])
    pace = what_it_took(report)
    if pace is not None:
        yield Text(end_cut(f"{hanging}{pace}", WIDTH))


def what_it_took(report: Report) -> str | None:
    """Return what a prediction took on average, None where predictions do not say."""
    means = {
        name: float(spread["mean"])
        for name in ("timing", "tokens", "cost")
        if isinstance(spread := report.facts.get(name), Mapping)
    }
    words = {"timing": "{:,.3g} s", "tokens": "{:,.0f} tokens", "cost": "cost {:,.3g}"}
    parts = [words[name].format(mean) for name, mean in means.items()]
    return f"{', '.join(parts)} a document" if parts else None


def headline_lines(report: Report) -> list[HeadlineLine]:
    """Return the numbers that a report begins with."""
    return [*report.first_lines, *_unspoken(report)][:MOST_HEADLINES]


def _unspoken(report: Report) -> Iterator[HeadlineLine]:
    """Yield the first scores of metrics that have no headline of their own."""
    for metric, scores in listed(report):
        if metric not in report.spoken:
            yield from (
                HeadlineLine(score.name, score.name, f"n = {number(score.support)}")
                for score in scores[:MOST_ENTRIES]
            )


def wrapped(text: str, width: int) -> list[str]:
    """Return a text as lines of at most so many columns."""
    lines = wrap(text, width, break_long_words=False, break_on_hyphens=False) or [""]
    return [end_cut(line, width) for line in lines]


def _value(report: Report, line: HeadlineLine) -> str:
    if not line.label:
        return ""
    score = report[line.readout]
    unit = unit_of(report, score)
    return share(score.value) if unit == SHARE else amount(score.value, unit)


def share(value: float | int | None) -> str:
    """Return a share with three decimals; only 1 itself is shown as 1.000."""
    if value is None:
        return UNDEFINED
    return f"{0.999 if 0.999 < value < 1 else value:.3f}"


def _interval(report: Report, line: HeadlineLine, stated: set[str]) -> str:
    """Return the interval of a line, or once for all lines the reason why there is none."""
    if not line.label:
        return ""
    score = report[line.readout]
    if unit_of(report, score) not in (SHARE, RATE):
        return ""
    ends = score.interval.ends
    if ends is None:
        reason = score.interval.reason
        if not reason or reason in stated:
            return ""
        stated.add(reason)
        return f"[{reason}]  "
    return f"[{share(ends[0])}, {share(ends[1])}]  "


class Entry(NamedTuple):
    """A line of a list: a name, cells on its right, and a last cell that is not on the right."""

    name: str
    cells: tuple[str, ...]
    widths: tuple[int, ...]
    last: str = ""
    style: str = ""


def _name_width(entries: Sequence[Entry]) -> int:
    longest = max((cell_len(entry.name) for entry in entries), default=0)
    room = min((WIDTH - len(INDENT) - sum(entry.widths) for entry in entries), default=WIDEST_NAME)
    return min(max(NARROWEST_NAME, longest), WIDEST_NAME, room)


def _entry(entry: Entry, width: int) -> Text:
    name = middle_cut(entry.name, width)
    line = f"{INDENT}{name}{' ' * (width - cell_len(name))}"
    line += "".join(cell.rjust(size) for cell, size in zip(entry.cells, entry.widths, strict=True))
    return Text(f"{line}{entry.last}".rstrip(), style=entry.style)


def _entries(
    head: str, lines: Sequence[tuple[str, tuple[str, ...]]], labels: Sequence[str]
) -> Iterator[Entry]:
    """Yield a heading and its lines; columns that leave no room for names are left out."""
    widths = [*NARROWEST[: len(labels)], *([NARROWEST[-1]] * (len(labels) - len(NARROWEST)))]
    for at, label in enumerate(labels):
        longest = max((len(cells[at]) for _, cells in lines), default=0)
        widths[at] = max(widths[at], len(label) + 1, longest + 2)
    while len(widths) > 1 and sum(widths) > WIDTH - len(INDENT) - NARROWEST_NAME:
        widths.pop()
    shown = len(widths)
    yield Entry(head, tuple(labels[:shown]), tuple(widths), style="bold")
    for name, cells in lines:
        yield Entry(visible(name), cells[:shown], tuple(widths))


def _slices(report: Report) -> Iterator[Entry]:
    lines, columns = slices(report)
    if lines:
        cells = [(line.name, tuple(column.cell(line) for column in columns)) for line in lines]
        yield from _entries("slice", cells, [column.label for column in columns])


def _weakest(report: Report, *, all_fields: bool) -> Iterator[Entry]:
    """Yield the weakest keys of the first kind that has any, with what is wrong with them."""
    for kind, lines, columns in tables(report, most=None):
        ranking = next((column for column in columns if _ranks(column)), None)
        if ranking is None:
            continue
        flawed = [line for line in lines if _is_flawed(ranking.value(line), ranking.spec)]
        shown = lines if all_fields and kind == FIELD else flawed[:MOST_ENTRIES]
        if shown:
            chosen = (ranking, *_counts(ranking, columns))
            cells = [(line.name, tuple(column.cell(line) for column in chosen)) for line in shown]
            labels = [ranking.label, *(column.label.partition(" ")[0] for column in chosen[1:])]
            yield from _entries(f"weakest {plural(kind)}", cells, labels)
            return


def _ranks(column: Column) -> bool:
    return column.attribute == "value" and column.spec.better is not None


def _counts(ranking: Column, columns: Sequence[Column]) -> Iterator[Column]:
    """Yield what the ranking metric counts: its n, then its mistakes."""
    metric = ranking.readouts[0].partition(".")[0]
    own = [column for column in columns if column.readouts[0].partition(".")[0] == metric]
    yield from [column for column in own if column.attribute == "support"][:1]
    yield from (
        column
        for column in own
        if column.attribute == "value" and column.spec.unit == COUNT and column.spec.better == LOWER
    )


def _is_flawed(value: float | int | None, spec: ReadoutSpec) -> bool:
    if value is None:
        return False
    return value < 1 if spec.better == HIGHER else value > 0


def _causes(report: Report) -> Iterator[Entry]:
    causes = [cause for cause in report.causes if cause.values][:MOST_ENTRIES]
    if not causes:
        return
    widths = (max(8, *(len(number(cause.values)) + 2 for cause in causes)),)
    yield Entry(CAUSES, ("values",), widths, f"   {GAIN}", "bold")
    for cause in causes:
        yield Entry(visible(cause.name), (number(cause.values),), widths, f"   {_gain(cause)}")


def _gain(cause: CauseLine) -> str:
    return "under +0.001" if 0 < cause.gain < 0.0005 else f"{cause.gain:+.3f}"


def _worst(report: Report, worst: Sequence[DocumentValue]) -> Iterator[Entry]:
    """Yield the worst documents by the score that documents are sorted by."""
    if worst:
        spec = report.specs[_document_scores(report)[0]]
        cells = [(name, (amount(value, spec.unit),)) for name, value in worst[:MOST_ENTRIES]]
        yield from _entries("worst documents", cells, [spec.label or spec.name])


def _document_scores(report: Report) -> list[str]:
    """Return the score that documents are shown by: the first that any of them has."""
    for name in document_ranking(report):
        if any(value is not None for _, value in report.document_values(name)):
            return [name]
    return []


class WorstDocuments(NamedTuple):
    """The documents that are not fully correct."""

    number: int
    first: list[DocumentValue]
    """The worst of them, the very worst first, each with its score."""


def worst_documents(report: Report) -> WorstDocuments:
    """Return how many documents are not fully correct, and the worst of them."""
    for name in _document_scores(report):
        sign, best = (1, 1) if report.specs[name].better == HIGHER else (-1, 0)
        values = iter(report.document_values(name))
        number, worst = 0, list[tuple[float, str]]()
        while some := [*islice(values, RANKED_AT_ONCE)]:
            flawed = [
                (sign * value, id)
                for id, value in some
                if value is not None and sign * value < best
            ]
            number += len(flawed)
            worst = nsmallest(MOST_WORST, worst + flawed)
        return WorstDocuments(number, [(id, sign * rank) for rank, id in worst])
    return WorstDocuments(0, [])


def _commands(
    worst: Sequence[DocumentValue], explain: Explain | None, footer: str
) -> Iterator[Text]:
    if explain is not None and worst:
        yield from (Text(line, "cyan") for line in command_lines(explain.of(worst[0][0])))
    if footer:
        yield Text(end_cut(f"{INDENT}{footer}", WIDTH))


def command_lines(words: Sequence[str], before: str = INDENT) -> list[str]:
    """Return a command as a shell takes it, continued on further lines where it is too long."""
    deeper = " " * (len(before) + 2)
    first, *others = _units(words, WIDTH - len(deeper) - len(" \\"))
    lines = [f"{before}{first}"]
    for unit in others:
        start, *rest = unit.split("\n")
        if cell_len(lines[-1]) + 1 + cell_len(start) > WIDTH - len(" \\"):
            lines[-1] += " \\"
            lines.append(f"{deeper}{start}")
        else:
            lines[-1] += f" {start}"
        lines += rest
    return lines


def _units(words: Sequence[str], room: int) -> list[str]:
    """Return the words of a command quoted, an option together with its value."""
    units: list[str] = []
    for at, word in enumerate(words):
        if at and words[at - 1].startswith("--"):
            units[-1] += f" {_broken(word, room - len(words[at - 1]) - 1)}"
        else:
            units.append(_broken(word, room))
    return units


def _broken(word: str, room: int) -> str:
    """Return a word quoted, and broken where it is longer than a line: a shell joins the pieces."""
    text = quoted(word)
    if cell_len(text) <= room:
        return text
    # the longest escape of a character has ten characters
    size = room - len("''") if word.isprintable() and "'" not in word else room // 10
    return "\\\n".join(map(quoted, chop_cells(word, size)))


def quoted(text: str) -> str:
    """Return a word of a command line, quoted where a shell would take it for something else."""
    if text.isprintable():
        return shlex.quote(text)
    escaped = visible(text.replace("\\", "\\\\").replace("'", "\\'"))
    return f"$'{escaped}'"
