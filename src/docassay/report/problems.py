"""Problems and broken rules in few lines: counted by kind, with the first few of each."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from docassay.model.problem import Problem, ProblemCode, Violation
from docassay.model.report import Report
from docassay.model.words import count, number

# A number that belongs to a name, as in UTF-8 or Windows-1252, is no particular.
_PARTICULARS = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|(?<!\w)(?<!\w-)\d[\d,.]*")
VIOLATIONS = "violations.csv"


class ProblemKind(NamedTuple):
    """Problems of one code that differ only in the value, the number or the place."""

    side: str
    code: ProblemCode
    message: str
    """The message with its particulars left out, whole where there is but one."""
    problems: tuple[Problem, ...]


def kinds(problems: Iterable[Problem]) -> list[ProblemKind]:
    """Return the kinds of problem, most frequent first."""
    members: dict[tuple[str, ProblemCode, str], list[Problem]] = {}
    for problem in problems:
        general = _PARTICULARS.sub("…", problem.message)
        members.setdefault((problem.side, problem.code, general), []).append(problem)
    made = [
        ProblemKind(side, code, alike[0].message if len(alike) == 1 else message, tuple(alike))
        for (side, code, message), alike in members.items()
    ]
    return sorted(made, key=lambda kind: (-len(kind.problems), kind.side, kind.message))


def place(problem: Problem) -> str:
    """Return where a problem stands: the file and line if known, the document and the field."""
    named = f"document {problem.document}" if problem.document else ""
    field = f"field {problem.field}" if problem.field else ""
    return ", ".join(part for part in (problem.where, named, field) if part)


def particulars(problem: Problem) -> str:
    """Return the parts of a message in which it differs from others of its kind."""
    return ", ".join(_PARTICULARS.findall(problem.message))


def suspicious(report: Report) -> list[Violation]:
    """Return the rules that gold documents break: there it is the gold that is odd."""
    return [violation for violation in report.violations if violation.side == "gold"]


def heading(violations: list[Violation]) -> str:
    """Return how much of gold is suspicious, in words."""
    documents = len({violation.document for violation in violations})
    broken = count(len(violations), "broken rule")
    return f"suspicious gold: {count(documents, 'document')}, {broken}"


def broken_rule(violation: Violation) -> str:
    """Return which document breaks which rule, and how."""
    return f"{violation.document}: {violation.rule}: {violation.message}"


def and_more(left: int) -> str:
    """Return how many are not shown, and where they are."""
    return f"and {number(left)} more (--out DIR writes all to {VIOLATIONS})"
