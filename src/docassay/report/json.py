"""The report as JSON: everything it holds, a score a line so that two of them can be compared."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from docassay.model.document import Problem
from docassay.model.report import Report
from docassay.report.summary import summary


def render(report: Report) -> str:
    """Return the whole report as a JSON object."""
    parts = {
        "docassay": _text(report.version),
        "signature": _text(report.signature),
        "documents": _text(report.documents),
        "settings": _text(dict(report.settings)),
        "notes": _text(list(report.notes)),
        **_responses(report),
        **_summary(report),
        "scores": _list(score._asdict() for score in report.scores),
        "problems": _list(map(plain_problem, report.problems)),
        "violations": _list(one._asdict() for one in report.violations),
    }
    body = ",\n ".join(f'"{name}": {text}' for name, text in parts.items())
    return f"{{{body}}}\n"


def _responses(report: Report) -> dict[str, str]:
    if not report.outcomes:
        return {}
    return {"responses": _text({**report.outcomes, "repairs": dict(report.repairs)})}


def _summary(report: Report) -> dict[str, str]:
    found = summary(report)
    return {} if found is None else {"summary": _text(found)}


def plain_problem(problem: Problem) -> dict[str, str | None]:
    """Return a problem as an object of JSON."""
    return {
        "document": problem.document,
        "side": problem.side,
        "where": problem.where,
        "field": problem.field,
        "message": problem.message,
    }


def _list(items: Iterable[Mapping[str, object]]) -> str:
    lines = ",\n  ".join(map(_text, items))
    return f"[\n  {lines}]" if lines else "[]"


def _text(value: object) -> str:
    # an option may be anything its metric likes; what JSON cannot say is said as text
    return json.dumps(value, ensure_ascii=False, allow_nan=False, default=str)
