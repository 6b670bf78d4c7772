"""The report in ten lines, and as a table for notebooks: what it comes to, and what is weakest."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape
from typing import NamedTuple

from docassay.analysis.require import requirement, unmet
from docassay.model.problem import ProblemCode
from docassay.model.report import (
    COUNT,
    FIELD,
    HIGHER,
    SHARE,
    DocumentLine,
    DocumentValue,
    Report,
    Score,
)
from docassay.model.words import count, cut, number, visible

MAIN = "kieval.aligned"
CORRECTIONS = "kieval.corrections"
KINDS = ("substitution", "addition", "deletion")
CORRECT = "kieval.documents_exact"
MOST = 3
LONGEST = 48


class HeadlineNumber(NamedTuple):
    """A number that says how good the predictions are, as texts."""

    label: str
    value: str
    meaning: str


def main_score(report: Report) -> str:
    """Return the name of the score that the weakest fields and worst documents are ranked by."""
    if MAIN in report:
        return MAIN
    names = [line.readout for line in report.headline] + [score.name for score in report.scores]
    for name in names:
        spec = report.specs.get(name)
        if spec is not None and (spec.unit, spec.better) == (SHARE, HIGHER):
            return name
    return names[0] if names else MAIN


def weakest(report: Report, most: int = MOST) -> list[Score]:
    """Return the main score of the fields where it is lowest, those without a flaw left out."""
    name = main_score(report)
    fields = [
        score
        for score in report.scores
        if score.name == name and score.kind == FIELD and not score.slice
        if score.value is not None and score.value < 1
    ]
    return sorted(fields, key=lambda score: (score.value or 0, -score.support, score.key))[:most]


def worst(report: Report, most: int = MOST) -> list[DocumentLine]:
    """Return the documents with the lowest main score, those with most corrections first."""
    name = main_score(report)
    ranked = [line for line in report.lines if line.scores.get(name) is not None]
    ranked.sort(
        key=lambda line: (line.scores[name] or 0, -(line.scores.get(CORRECTIONS) or 0), line.id)
    )
    return ranked[: max(0, most)]


def _worst_value(report: Report, name: str) -> DocumentValue | None:
    """Return the worst document with its main score, without working out its other scores."""
    values = [(id, value) for id, value in report.document_values(name) if value is not None]
    lowest = min((value for _, value in values), default=None)
    tied = [entry for entry in values if entry[1] == lowest]
    if len(tied) > 1:  # then their corrections decide
        (line, *_) = worst(report, 1)
        return line.id, line.scores[name]
    return tied[0] if tied else None


def interval(score: Score) -> str:
    """Return the interval of a score, "" where there is none."""
    if score.low is None or score.high is None:
        return ""
    return f"[{score.low:.3f}, {score.high:.3f}]"


def headline(report: Report) -> Iterator[HeadlineNumber]:
    """Yield the numbers that a report comes to."""
    if MAIN not in report:
        for line in report.headline[:MOST]:
            score = report[line.readout]
            yield HeadlineNumber(line.label, number(score.value), interval(score))
        return
    aligned = report[MAIN]
    yield HeadlineNumber("aligned", number(aligned.value), interval(aligned))
    if CORRECTIONS in report:
        amounts = [(report[f"kieval.{kind}s"].value, kind) for kind in KINDS]
        meaning = ", ".join(count(amount, kind) for amount, kind in amounts)
        yield HeadlineNumber("corrections", number(report[CORRECTIONS].value), meaning)
    if CORRECT in report:
        meaning = f"of {number(report.documents)} fully correct"
        yield HeadlineNumber("documents", number(report[CORRECT].value), meaning)


def _amount(report: Report, name: str, value: float | int | None) -> str:
    spec = report.specs.get(name)
    counted = spec is not None and spec.unit == COUNT
    return number(int(value) if counted and value is not None else value)


def title(report: Report) -> str:
    """Return the first line: how many documents, compared by what."""
    missing = sum(problem.code == ProblemCode.NO_PREDICTION for problem in report.problems)
    problems = len(report.problems) - missing
    parts = [
        count(report.documents, "document"),
        f"{number(missing)} without prediction" if missing else "",
        count(problems, "problem") if problems else "",
        report.about,
    ]
    return "; ".join(part for part in parts if part)


def _method(id: str) -> str:
    return f"report.explain({id!r})"


def brief(report: Report, *, explain: Callable[[str], str] = _method) -> str:
    """Return the report in at most ten lines; `explain` says how to see the worst document."""
    name = main_score(report)
    label = name.partition(".")[2]
    numbers = [*headline(report)]
    left = max((len(line.label) for line in numbers), default=0)
    right = max((len(line.value) for line in numbers), default=0)
    lines = [title(report)]
    lines += [
        f"  {line.label:<{left}}  {line.value:>{right}}  {line.meaning}".rstrip()
        for line in numbers
    ]
    fields = weakest(report)
    width = max((len(_short(score.key)) for score in fields), default=0)
    if fields:
        lines.append("weakest fields")
    lines += [
        f"  {_short(score.key):<{width}}  {number(score.value)}  of {number(score.support)}"
        for score in fields
    ]
    document = _worst_value(report, name)
    if document is not None and (document[1] or 0) < 1:
        shown = _amount(report, name, document[1])
        lines.append(f"worst document {_short(document[0])}, {label} {shown}")
        lines.append(f"  {visible(explain(document[0]))}")
    return "\n".join(lines)


def failure_of(
    report: Report, requirements: Sequence[str], *, explain: Callable[[str], str]
) -> str:
    """Return which requirements are not met and the report in brief, "" when all are met."""
    failures = unmet(report, [requirement(text) for text in requirements])
    return "\n".join([*failures, brief(report, explain=explain)]) if failures else ""


def _short(text: str) -> str:
    return cut(visible(text), LONGEST)


def html(report: Report) -> str:
    """Return the report as tables of HTML; every text from the data is escaped."""
    name = main_score(report)
    label = name.partition(".")[2]
    fields = [(score.key, number(score.value), number(score.support)) for score in weakest(report)]
    documents = [
        (line.id, _amount(report, name, line.scores[name]), number(line.scores.get(CORRECTIONS)))
        for line in worst(report)
        if (line.scores[name] or 0) < 1
    ]
    parts = [f"<p>{escape(title(report))}</p>", _rows((), [*headline(report)])]
    if fields:
        parts.append(_rows(("weakest fields", label, "n"), fields))
    if documents:
        parts.append(_rows(("worst documents", label, "corrections"), documents))
    return f"<div>{''.join(parts)}</div>"


def _rows(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    heading = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    body = "".join(
        f"<tr>{''.join(f'<td>{escape(_short(cell))}</td>' for cell in row)}</tr>" for row in rows
    )
    top = f"<thead><tr>{heading}</tr></thead>" if head else ""
    return f"<table>{top}<tbody>{body}</tbody></table>"
