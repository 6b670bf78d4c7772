"""Problems and broken rules in few lines: counted by kind, with the first few of each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from docassay.model.problem import Problem, ProblemCode, Violation
from docassay.model.report import Report
from docassay.model.words import count, number

# A number that belongs to a name, as in UTF-8 or Windows-1252, is no particular.
_PARTICULARS = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|(?<!\w)(?<!\w-)\d[\d,.]*")
VIOLATIONS = "violations.csv"
FIRST = 3
"""Problems of a kind that are shown at most."""
MOST_FIRST = 100
"""Broken rules that are shown at most."""


class ProblemKind(NamedTuple):
    """Problems of one code that differ only in the value, the number or the place."""

    side: str
    code: ProblemCode
    message: str
    """The message with its particulars left out, whole where there is but one."""
    number: int
    first: tuple[Problem, ...]
    """The first few of them."""


def kinds(problems: Iterable[Problem]) -> list[ProblemKind]:
    """Return the kinds of problem, most frequent first."""
    numbers: Counter[tuple[str, ProblemCode, str]] = Counter()
    firsts: dict[tuple[str, ProblemCode, str], list[Problem]] = {}
    for problem in problems:
        kind = problem.side, problem.code, _PARTICULARS.sub("…", problem.message)
        numbers[kind] += 1
        if numbers[kind] <= FIRST:
            firsts.setdefault(kind, []).append(problem)
    made = [
        ProblemKind(
            side,
            code,
            alike[0].message if numbers[side, code, message] == 1 else message,
            numbers[side, code, message],
            tuple(alike),
        )
        for (side, code, message), alike in firsts.items()
    ]
    return sorted(made, key=lambda kind: (-kind.number, kind.side, kind.message))


def place(problem: Problem) -> str:
    """Return where a problem stands: the file and line if known, the document and the field."""
    named = f"document {problem.document}" if problem.document else ""
    field = f"field {problem.field}" if problem.field else ""
    return ", ".join(part for part in (problem.where, named, field) if part)


def particulars(problem: Problem) -> str:
    """Return the parts of a message in which it differs from others of its kind."""
    return ", ".join(_PARTICULARS.findall(problem.message))


class SuspiciousGold(NamedTuple):
    """The rules that gold documents break: there it is the gold that is odd."""

    documents: int
    broken: int
    first: tuple[Violation, ...]
    """The first few of the broken rules."""


def suspicious(report: Report) -> SuspiciousGold:
    """Return how much of gold is odd."""
    first: list[Violation] = []
    documents = broken = 0
    last = None
    for violation in report.violations:
        if violation.side != "gold":
            continue
        broken += 1
        if violation.document != last:  # those of a document stand together
            documents, last = documents + 1, violation.document
        if broken <= MOST_FIRST:
            first.append(violation)
    return SuspiciousGold(documents, broken, tuple(first))


def heading(odd: SuspiciousGold) -> str:
    """Return how much of gold is suspicious, in words."""
    broken = count(odd.broken, "broken rule")
    return f"suspicious gold: {count(odd.documents, 'document')}, {broken}"


def broken_rule(violation: Violation) -> str:
    """Return which document breaks which rule, and how."""
    return f"{violation.document}: {violation.rule}: {violation.message}"


def and_more(left: int) -> str:
    """Return how many are not shown, and where they are."""
    return f"and {number(left)} more (--out DIR writes all to {VIOLATIONS})"
