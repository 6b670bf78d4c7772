"""Problems told in few lines: counted by kind of message, with the first few of each."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from docassay.model.document import Problem

# A number that belongs to a name, as in UTF-8 or Windows-1252, is no particular.
_PARTICULARS = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|(?<!\w)(?<!\w-)\d[\d,.]*")


class Kind(NamedTuple):
    """Problems that differ only in the value, the number or the place."""

    side: str
    message: str
    """The message with its particulars left out, whole where there is but one."""
    problems: tuple[Problem, ...]


def kinds(problems: Iterable[Problem]) -> list[Kind]:
    """Return the kinds of problem, most frequent first."""
    found: dict[tuple[str, str], list[Problem]] = {}
    for problem in problems:
        found.setdefault((problem.side, _PARTICULARS.sub("…", problem.message)), []).append(problem)
    made = [
        Kind(side, these[0].message if len(these) == 1 else message, tuple(these))
        for (side, message), these in found.items()
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
