"""Broken rules for reading and for spreadsheets, gold first: there it is the gold that is odd."""

from __future__ import annotations

from docassay.model.document import Violation
from docassay.model.report import Report
from docassay.report.words import count, number

VIOLATIONS = "violations.csv"


def has_rules(report: Report) -> bool:
    """Whether any rule was asked of the documents."""
    return any(score.key for score in report.of("rules"))


def suspicious(report: Report) -> list[Violation]:
    """Return the rules that gold documents break."""
    return [one for one in report.violations if one.side == "gold"]


def heading(found: list[Violation]) -> str:
    """Return how much of gold is suspicious, in words."""
    documents = len({one.document for one in found})
    return f"suspicious gold: {count(documents, 'document')}, {count(len(found), 'broken rule')}"


def told(violation: Violation) -> str:
    """Return which document breaks which rule, and how."""
    return f"{violation.document}: {violation.rule}: {violation.message}"


def and_more(left: int) -> str:
    """Return how many are not shown, and where they are."""
    return f"and {number(left)} more (--out DIR writes all to {VIOLATIONS})"
