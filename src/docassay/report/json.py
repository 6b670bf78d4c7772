"""The report as JSON: everything it holds, a score a line so that two of them can be compared."""

from __future__ import annotations

from collections.abc import Iterable

from docassay.model.document import Problem
from docassay.model.report import Report
from docassay.report.files import json_text
from docassay.report.summary import summary


def render(report: Report) -> str:
    """Return the whole report as a JSON object."""
    facts: dict[str, object] = {
        "docassay": report.version,
        "signature": report.signature,
        "documents": report.documents,
        "settings": dict(report.settings),
        "notes": report.notes,
    }
    if report.outcomes:
        facts["responses"] = {**report.outcomes, "repairs": dict(report.repairs)}
    found = summary(report)
    if found is not None:
        facts["summary"] = found
    lists: dict[str, Iterable[object]] = {
        "scores": (score._asdict() for score in report.scores),
        "problems": map(plain_problem, report.problems),
        "violations": (one._asdict() for one in report.violations),
    }
    return json_text(facts, lists)


def plain_problem(problem: Problem) -> dict[str, str | None]:
    """Return a problem as an object of JSON."""
    return {
        "document": problem.document,
        "side": problem.side,
        "where": problem.where,
        "field": problem.field,
        "message": problem.message,
    }
