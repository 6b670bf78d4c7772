"""Requirements: `aligned >= 0.9`, asked of a report; `*` stands for any field or slice."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from docassay.errors import ConfigurationError
from docassay.metrics.metric import METRICS, short_names
from docassay.model.report import Report, Score
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
_PARTS = re.compile(
    r"(?P<name>[^@\[\]]+)(?:@(?P<key>.+?))?(?:\[(?P<slice>[^\[\]]+=[^\[\]]*)\])?", re.DOTALL
)
MOST_NAMES = 6
"""How many names a message lists."""
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


def matching(report: Report, address: str) -> tuple[Score, ...]:
    """Return the scores of an address, in which `*` stands for any characters of key or slice.

    `aligned@*` are all fields of a score, and not its overall value.
    """
    if not is_pattern(address) or address in report:
        return (report[address],)
    parts = parts_of(report.whole(address))
    scores = () if parts is None else tuple(filter(parts.matches, report.scores))
    if not scores:
        names = dict.fromkeys(score.name for score in report.scores if score.key)
        shown = ", ".join(f"{name}@*" for name in [*names][:MOST_NAMES])
        raise ConfigurationError(
            f"{address!r} matches no score", hint=f"by key there is {shown}" if shown else None
        )
    return scores


def is_pattern(address: str) -> bool:
    """Return whether an address stands for several scores."""
    return "*" in address


class AddressParts(NamedTuple):
    """An address taken apart; key and slice may hold `*`."""

    name: str
    key: str
    slice: str

    def matches(self, score: Score) -> bool:
        """Return whether a score is meant; `*` is not the overall score, nor all documents."""
        return (
            score.name == self.name
            and is_like(score.key, self.key)
            and is_like(score.slice, self.slice)
        )


def parts_of(address: str) -> AddressParts | None:
    """Return name, key and slice of an address, None for what is no address."""
    match = _PARTS.fullmatch(address)
    return None if match is None else AddressParts(match["name"], *(match.groups("")[1:]))


def is_like(text: str, pattern: str) -> bool:
    """Return whether a text is like a pattern in which `*` stands for any characters."""
    if not pattern or not text:
        return text == pattern
    return re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), text, re.DOTALL) is not None


def unmet(report: Report, requirements: Iterable[Requirement]) -> list[str]:
    """Return a sentence for each requirement that is not met; an undefined value meets none."""
    return [
        f"requirement not met: {limit}: {shortfall(score, limit)}"
        for limit in requirements
        for score in matching(report, limit.address)
        if not meets(score, limit)
    ]


def meets(score: Score, limit: Requirement) -> bool:
    """Return whether a score is what it must be; an undefined one is not."""
    return score.value is not None and OPERATORS[limit.sign](score.value, limit.bound)


def shortfall(score: Score, limit: Requirement) -> str:
    """Return what a score is instead, in words; where the limit is on several, which it is."""
    name = f"{score.address} is" if is_pattern(limit.address) else "it is"
    if score.value is None:
        return f"{name} undefined, nothing was counted"
    ends = "" if score.low is None else f" [{score.low:.3f}, {score.high:.3f}]"
    return f"{name} {exact(score.value, limit.bound)}{ends}"


def exact(value: float | int, bound: float) -> str:
    """Return a value with enough digits to tell it from the bound."""
    short = number(value)
    return repr(value) if short == number(float(bound)) else short
