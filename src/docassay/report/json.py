"""The report as JSON: everything it holds, a score a line so that two of them can be compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import islice

from docassay.model.comparison import ComparedScore, Comparison
from docassay.model.problem import Problem
from docassay.model.report import COLUMNS, Report
from docassay.run.output import json_text

MOST_PROBLEMS = 1_000
"""All problems are in the problems.jsonl of a run folder, all violations in its violations.csv."""


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
    if report.problems:
        codes = Counter(problem.code.value for problem in report.problems)
        facts["problem_counts"] = dict(sorted(codes.items()))
    if report.violations:
        broken = Counter(violation.rule for violation in report.violations)
        facts["violation_counts"] = dict(sorted(broken.items()))
    facts |= {**report.facts, **report.details.facts}
    lists: dict[str, Iterable[object]] = {
        "scores": ({name: getattr(score, name) for name in COLUMNS} for score in report.scores),
        "problems": map(plain_problem, islice(report.problems, MOST_PROBLEMS)),
        "violations": (
            violation._asdict() for violation in islice(report.violations, MOST_PROBLEMS)
        ),
    }
    return json_text(facts, lists)


def plain_problem(problem: Problem) -> dict[str, str | None]:
    """Return a problem as an object of JSON."""
    return {
        "code": problem.code,
        "document": problem.document,
        "side": problem.side,
        "where": problem.where,
        "field": problem.field,
        "message": problem.message,
    }


def comparison_json(comparison: Comparison) -> str:
    """Return a whole comparison as a JSON object, a score a line."""
    facts: dict[str, object] = {
        "docassay": comparison.version,
        "against": comparison.against,
        "documents_compared": comparison.documents_compared,
        "headline": comparison.headline,
        "alpha": comparison.alpha,
        "margin": comparison.margin,
        **comparison.facts,
        "notes": comparison.notes,
    }
    lists: dict[str, Iterable[object]] = {
        "runs": (run._asdict() for run in comparison.runs),
        "standings": (
            {
                "place": place.place,
                "run": place.run,
                "value": place.score.value,
                "low": place.score.low,
                "high": place.score.high,
                "tied": place.tied,
            }
            for place in comparison.standings
        ),
        "scores": (_plain_score(score, comparison.against) for score in comparison.scores),
        "documents": (document._asdict() for document in comparison.documents),
        "causes": (cause._asdict() for cause in comparison.causes),
    }
    return json_text(facts, lists)


def _plain_score(compared: ComparedScore, against: int) -> dict[str, object]:
    return {
        "address": compared.score.address,
        "values": compared.values,
        "against": against,
        "differences": [difference._asdict() for difference in compared.differences],
        "winner": compared.winner,
    }
