"""The report as Markdown: for a pull request, as the summary of a run folder, as a checklist."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from docassay.model.report import Report, Section, SectionTable, Sentence
from docassay.model.words import code, count, number, visible
from docassay.report.problems import and_more, broken_rule, heading, kinds, place, suspicious
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
from docassay.run.output import markdown_table

MOST_PROBLEMS = 10
MOST_VIOLATIONS = 10
FILES = {
    "report.html": "the run as a page, with every wrong value side by side; opens in any browser",
    "checklist.md": "each number against its threshold, to tick off",
    "fields.csv": "the fields, weakest first",
    "documents.csv": "the documents, in gold order",
    "errors.csv": "every wrong value, with its cause and where it stands",
    "extractions.csv": "what was predicted, with the score of every field",
    "verdicts.jsonl": "every compared value with what became of it",
    "violations.csv": "the rules that documents break",
    "problems.jsonl": "flaws in the data, with file and line",
    "report.json": "everything above as data",
}


def render(report: Report) -> str:
    """Return the report as Markdown."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Report) -> Iterator[str]:
    yield f"## docassay: {count(report.documents, 'document')}"
    yield ""
    yield from _numbers(report)
    yield from _resources(report)
    yield from _body(report)


def summary(report: Report, *, files: Sequence[str] = ()) -> str:
    """Return what to read first in a run folder; `files` are those in it that it may link to."""
    return "\n".join(_summary(report, files)) + "\n"


def _summary(report: Report, files: Sequence[str]) -> Iterator[str]:
    title = count(report.documents, "document")
    if report.headline:
        first = report.headline[0]
        value = report[first.readout].value
        title += f", {first.label} {'undefined' if value is None else number(value)}"
    yield f"# {title}"
    yield ""
    yield from _numbers(report)
    yield from _resources(report)
    for section in report.details.sections:
        if section.summary_only:
            yield from _section(section, 2)
    yield from _next(report)
    for file in files:
        if file.startswith("charts/") and file.endswith(".png"):
            name = file.removeprefix("charts/").removesuffix(".png")
            yield f"![{name.replace('-', ' ')}]({file})"
            yield ""
    yield from _body(report)
    yield from _links(report, files)


def _next(report: Report) -> Iterator[str]:
    """Yield what is odd in the data itself."""
    odd = suspicious(report)
    if odd.broken or report.problems:
        yield "## What to look at next"
        yield ""
        if odd.broken:
            yield f"- {heading(odd)}, listed below"
        if report.problems:
            yield f"- {count(len(report.problems), 'problem')} in the data, listed below"
        yield ""


def _links(report: Report, files: Sequence[str]) -> Iterator[str]:
    about = {
        **FILES,
        **{
            section.records.name: section.records.about
            for section in report.details.sections
            if section.records is not None
        },
    }
    names = [name for name in about if name in files]
    if names:
        yield ""
        yield "## Files"
        yield ""
        yield from (f"- [{name}]({name}): {about[name]}" for name in names)


def checklist(report: Report) -> str:
    """Return what stands between the run and its thresholds, as boxes to tick."""
    return "\n".join(_boxes(report)) + "\n"


def _boxes(report: Report) -> Iterator[str]:
    yield f"# Checklist, {count(report.documents, 'document')}"
    yield ""
    yield "No box is ticked: whether a number is good enough is for people to decide."
    for section in report.details.checklist:
        yield ""
        yield f"## {visible(section.title)}"
        yield ""
        yield from (f"- [ ] {_written(sentence)}" for sentence in section.above)
        for sentence in section.below:
            yield ""
            yield _written(sentence)


def _numbers(report: Report) -> Iterator[str]:
    """Yield what the headline tells in words, as a table."""
    if report.headline:
        rows = []
        for line in report.headline:
            score = report[line.readout]
            # a line without a label goes on where the one before it ends
            value = shown(score, unit_of(report, score)) if line.label else ""
            rows.append((line.label, value, visible(line.meaning)))
        yield from markdown_table(("", "value", "meaning"), rows, "lrl")


RESOURCES = {"timing": ("processing time", " s"), "tokens": ("tokens", ""), "cost": ("cost", "")}
"""What a summary says of bookkeeping: the noun and the unit."""


def _resources(report: Report) -> Iterator[str]:
    """Yield a line each for processing time, tokens and cost, where predictions state them."""
    for name, (noun, unit) in RESOURCES.items():
        spread = report.facts.get(name)
        if isinstance(spread, Mapping):
            mean, median, p95, total = (
                f"{spread[part]:,.6g}{unit}" for part in ("mean", "median", "p95", "total")
            )
            documents = count(spread["documents"], "document")
            if name == "timing" and spread["mean"] > 0:
                documents += f", {60 / spread['mean']:,.3g} a minute one after the other"
            yield f"- {noun}: mean {mean}, median {median}, 95 % within {p95}, total {total}"
            yield f"  ({documents})"
    if not report.facts.keys().isdisjoint(RESOURCES):
        yield ""


def _body(report: Report) -> Iterator[str]:
    """Yield notes, tables, sections, problems and the signature."""
    for note in report.notes:
        yield f"> {code(note)}"
        yield ""
    yield from _keyed("Slices", "slice", *slices(report))
    for kind, lines, columns in tables(report):
        yield from _keyed(f"{plural(kind).capitalize()}, weakest first", kind, lines, columns)
    for metric, scores in listed(report):
        yield f"### {metric}"
        yield ""
        rows = [
            (score.readout, shown(score, unit_of(report, score)), number(score.support))
            for score in scores
        ]
        yield from markdown_table(("score", "value", "n"), rows, "lrr")
    yield from _suspicious(report)
    for section in report.details.sections:
        if not section.summary_only:
            yield from _section(section, 3)
    yield from _problems(report)
    yield f"Signature: {code(report.signature)}"


def _keyed(
    title: str, noun: str, lines: Sequence[KeyLine], columns: Sequence[Column]
) -> Iterator[str]:
    if not columns or not lines:
        return
    yield f"### {visible(title)}"
    yield ""
    rows = [(code(line.name), *(column.cell(line) for column in columns)) for line in lines]
    head = (visible(noun), *(visible(column.label) for column in columns))
    yield from markdown_table(head, rows, "l" + "r" * len(columns))


def _section(section: Section, depth: int) -> Iterator[str]:
    title = visible(section.title)
    yield f"{'#' * depth} {title[:1].upper()}{title[1:]}"
    yield ""
    many = len(section.above) > 1
    yield from (f"- {_written(line)}" if many else _written(line) for line in section.above)
    if section.above:
        yield ""
    for table in section.tables:
        yield from _table(table)
    for sentence in section.below:
        yield _written(sentence)
        yield ""


def _written(sentence: Sentence) -> str:
    """Return a sentence in which names from documents are code."""
    if isinstance(sentence, str):
        return visible(sentence)
    return "".join(code(part) if at % 2 else visible(part) for at, part in enumerate(sentence))


def _table(table: SectionTable) -> Iterator[str]:
    rows = (
        [
            ", ".join(map(code, cell))
            if isinstance(cell, tuple)
            else code(cell)
            if side == "n"
            else visible(cell)
            for cell, side in zip(row, table.sides, strict=True)
        ]
        for row in table.rows
    )
    yield from markdown_table(table.head, rows, table.sides)


def _suspicious(report: Report) -> Iterator[str]:
    odd = suspicious(report)
    if not odd.broken:
        return
    yield f"### {heading(odd).capitalize()}"
    yield ""
    shown = odd.first[:MOST_VIOLATIONS]
    yield from (f"- {code(broken_rule(violation))}" for violation in shown)
    if odd.broken > len(shown):
        yield f"- {and_more(odd.broken - len(shown))}"
    yield ""


def _problems(report: Report) -> Iterator[str]:
    if not report.problems:
        return
    yield f"### {count(len(report.problems), 'problem')}"
    yield ""
    every = kinds(report.problems)
    for kind in every[:MOST_PROBLEMS]:
        yield (
            f"- {number(kind.number)} × {kind.side} {code(kind.message)}, "
            f"first at {code(place(kind.first[0]))}"
        )
    if len(every) > MOST_PROBLEMS:
        yield f"- and {count(len(every) - MOST_PROBLEMS, 'other kind')}"
    yield ""
