"""summary.md of a run folder: numbers, what they come to by the thresholds, what to look at next.

A run without `fields` has the Markdown of a pull request instead, and `checklist` has nothing to
say about it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from docassay.model.report import Report
from docassay.report.files import markdown_table
from docassay.report.levels import (
    FIELD_NAMES,
    PERFECT,
    field_level,
    field_thresholds,
    readiness,
    share,
    thresholds,
)
from docassay.report.lines import (
    ACCURACY,
    BY_ACCURACY,
    OVERALL,
    KeyLine,
    documents,
    fields,
    mistaken,
)
from docassay.report.markdown import numbers, sections
from docassay.report.markdown import render as render_markdown
from docassay.report.safe import code
from docassay.report.violations import heading, suspicious
from docassay.report.waterfall import beside, runs_of, signed
from docassay.report.words import count, number

MOST = 5
MISTAKES = {
    "kieval.substitutions": "another value",
    "kieval.additions": "missing",
    "kieval.deletions": "not in gold",
}
FILES = {
    "checklist.md": "each field against its threshold, to tick off",
    "fields.csv": "the fields, weakest first",
    "documents.csv": "the documents, worst first",
    "extractions.csv": "what was predicted, with the score of every field",
    "verdicts.jsonl": "every compared value with what became of it",
    "violations.csv": "the rules that documents break",
    "causes.csv": "what each cause takes, over all fields and by field",
    "problems.jsonl": "flaws in the data, with file and line",
    "report.json": "everything above as data",
}


def render(
    report: Report, *, files: Sequence[str] = (), earlier: Sequence[tuple[str, Report]] = ()
) -> str:
    """Return the summary of a run; `files` are those in its folder that it may link to."""
    if not any(report.of("fields", key="")):
        return render_markdown(report)
    return "\n".join(_lines(report, files, earlier)) + "\n"


def _lines(
    report: Report, files: Sequence[str], earlier: Sequence[tuple[str, Report]]
) -> Iterator[str]:
    accuracy = report[OVERALL].value
    told = "undefined" if accuracy is None else number(accuracy)
    yield f"# {count(report.documents, 'document')}, field accuracy {told}"
    yield ""
    yield from numbers(report)
    yield "## Readiness"
    yield ""
    if accuracy is None:
        yield "No field could be scored, so there is nothing to hold against the thresholds."
    else:
        yield f"{told} is {readiness(accuracy, report.settings)}."
    yield ""
    yield from _levels(report)
    yield from _next(report)
    yield from _pictures(files)
    yield from _losses_by_run(runs_of(report, earlier))
    yield from sections(report)
    yield from _links(files)


def _losses_by_run(runs: Sequence[tuple[str, Report]]) -> Iterator[str]:
    """Yield what each cause takes from `kieval.aligned` in several runs."""
    if len(runs) < 2:
        return
    rows = [
        (cause, *("" if step is None else signed(step, "kieval_loss") for step in found))
        for cause, found in beside(runs)
    ]
    yield "### What kieval.aligned loses, by run"
    yield ""
    names = [code(name) for name, _ in runs]
    yield from markdown_table(("cause", *names), rows, "l" + "r" * len(names))


def _levels(report: Report) -> Iterator[str]:
    """Yield the fields by level."""
    found: dict[str, list[str]] = {level: [] for level in FIELD_NAMES}
    for line in fields(report, by=BY_ACCURACY):
        value = line.value(ACCURACY)
        if value is not None:
            found[field_level(value, report.settings)].append(code(line.name))
    bounds = [f"at least {bound.least:.2f}" for bound in field_thresholds(report.settings)]
    told = (*bounds, f"below {field_thresholds(report.settings)[-1].least:.2f}")
    rows = [
        (level, bound, number(len(found[level])), ", ".join(found[level]))
        for level, bound in zip(FIELD_NAMES, told, strict=True)
    ]
    yield "## Fields by level"
    yield ""
    yield from markdown_table(("level", "accuracy", "fields", "weakest first"), rows, "llrl")


def _next(report: Report) -> Iterator[str]:
    yield "## What to look at next"
    yield ""
    yield from _weak_fields(report)
    yield from _weak_documents(report)
    for one in mistaken(report)[:MOST]:
        amount = count(one.documents, "document")
        yield f"- {amount} of type {code(one.gold)} taken for {code(one.pred)}"
    found = suspicious(report)
    if found:
        yield f"- {heading(found)}, listed below"
    if report.problems:
        yield f"- {count(len(report.problems), 'problem')} in the data, listed below"
    yield ""


def _weak_fields(report: Report) -> Iterator[str]:
    lines = fields(report, by=BY_ACCURACY)
    weak = [line for line in lines if (line.value(ACCURACY) or 0) < 1 and _scored(line)][:MOST]
    rows = [
        (code(line.name), number(line.value(ACCURACY)), number(_scored(line)), _mistake(line))
        for line in weak
    ]
    if rows:
        yield from markdown_table(
            ("weakest field", "accuracy", "documents", "mostly"), rows, "lrrl"
        )


def _scored(line: KeyLine) -> int:
    score = line.scores.get(ACCURACY)
    return 0 if score is None or score.value is None else score.support


def _mistake(line: KeyLine) -> str:
    """Return the most common kind of mistake in a field, when `kieval` has counted them."""
    counts = {name: int(line.value(name) or 0) for name in MISTAKES}
    name = max(counts, key=counts.__getitem__)
    if not counts[name]:
        return ""
    told = count(sum(counts.values()), "mistake")
    return f"{MISTAKES[name]} ({number(counts[name])} of {told})"


def _weak_documents(report: Report) -> Iterator[str]:
    scored = [
        line for line in documents(report, by=BY_ACCURACY) if line.scores[OVERALL] is not None
    ]
    worst = [line for line in scored if (line.scores[OVERALL] or 0) < 1][:MOST]
    rows = [
        (code(line.id), code(line.type) if line.type else "", number(line.scores[OVERALL]))
        for line in worst
    ]
    if rows:
        yield from markdown_table(("worst document", "type", "accuracy"), rows, "llr")


def _pictures(files: Sequence[str]) -> Iterator[str]:
    for file in files:
        if file.startswith("charts/") and file.endswith(".png"):
            name = file.removeprefix("charts/").removesuffix(".png")
            yield f"![{name.replace('-', ' ')}]({file})"
            yield ""


def _links(files: Sequence[str]) -> Iterator[str]:
    known = [name for name in FILES if name in files]
    if known:
        yield ""
        yield "## Files"
        yield ""
        yield from (f"- [{name}]({name}): {FILES[name]}" for name in known)


def checklist(report: Report) -> str:
    """Return what stands between the run and its thresholds, as boxes to tick."""
    return "\n".join(_boxes(report)) + "\n"


def _boxes(report: Report) -> Iterator[str]:
    settings = report.settings
    accuracy = report[OVERALL].value
    yield f"# Checklist, {count(report.documents, 'document')}"
    yield ""
    yield "No box is ticked: whether a number is good enough is for people to decide."
    yield ""
    yield "## Overall"
    yield ""
    for name, least in thresholds(settings):
        yield f"- [ ] {name}: {_against(accuracy, least)}"
    perfect = report["fields.perfect_documents"]
    least = share(settings, "perfect_from")
    told = f"{number(perfect.value)} of {count(perfect.support, 'document')} at least {least:.2f}"
    yield f"- [ ] {PERFECT} documents: {told}"
    yield ""
    yield "## Fields, weakest first"
    yield ""
    bound = field_thresholds(settings)[0]
    for line in fields(report, by=BY_ACCURACY):
        value = line.value(ACCURACY)
        level = "" if value is None else f", {field_level(value, settings)}"
        amount = count(_scored(line), "document")
        yield f"- [ ] {code(line.name)}: {_against(value, bound.least)}{level} ({amount})"
    yield ""
    yield f"A field is ready from {bound.name} ({bound.least:.2f}) on."


def _against(value: float | None, least: float) -> str:
    """Return a number beside its threshold, in words."""
    if value is None:
        return f"undefined, nothing to hold against {least:.2f}"
    reached = "reached" if value >= least else "not reached"
    return f"{reached}, {number(value)} against {least:.2f}"
