"""Requirements: `aligned >= 0.9`, asked of a report."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from docassay.errors import ConfigurationError
from docassay.metrics.metric import METRICS, short_names
from docassay.model.report import Report
from docassay.model.words import number

OPERATORS: Mapping[str, Callable[[float, float], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    "==": operator.eq,
    ">": operator.gt,
    "<": operator.lt,
}
_FORM = re.compile(
    r"\s*(?P<address>\S.*?)\s*(?<!=)(?P<sign>>=|<=|==|>|<)\s*(?P<bound>[^<>=\s]+)\s*"
)
_HINT = "write it as 'aligned >= 0.9', with one of " + " ".join(OPERATORS)


class Requirement(NamedTuple):
    """What a score must be."""

    address: str
    sign: str
    bound: float

    def __str__(self) -> str:
        return f"{self.address} {self.sign} {self.bound:g}"


def is_about(wanted: Requirement, metrics: Iterable[str]) -> bool:
    """Whether one of these metrics has the score that is asked for, by its address or in short."""
    names = [*metrics]
    if wanted.address.partition(".")[0] in names:
        return True
    short = re.split(r"[@\[]", wanted.address, maxsplit=1)[0]
    return any(short == name.short for name in short_names(METRICS.get(name) for name in names))


def requirement(text: str) -> Requirement:
    """Return the requirement that a text states."""
    match = _FORM.fullmatch(text)
    if match is None:
        raise ConfigurationError(f"{text!r} is not a requirement", hint=_HINT)
    try:
        bound = float(match["bound"])
    except ValueError:
        bound = math.nan
    if not math.isfinite(bound):
        raise ConfigurationError(
            f"requirement {text!r}: {match['bound']!r} is not a number", hint=_HINT
        )
    return Requirement(match["address"], match["sign"], bound)


def unmet(report: Report, requirements: Iterable[Requirement]) -> list[str]:
    """Return a sentence for each requirement that is not met; an undefined value meets none."""
    failures = []
    for limit in requirements:
        score = report[limit.address]
        value = score.value
        if value is None:
            failures.append(f"requirement not met: {limit}: it is undefined, nothing was counted")
        elif not OPERATORS[limit.sign](value, limit.bound):
            ends = "" if score.low is None else f" [{score.low:.3f}, {score.high:.3f}]"
            failures.append(
                f"requirement not met: {limit}: it is {_exact(value, limit.bound)}{ends}"
            )
    return failures


def _exact(value: float | int, bound: float) -> str:
    """Return a value with enough digits to tell it from the bound."""
    short = number(value)
    return repr(value) if short == number(float(bound)) else short
