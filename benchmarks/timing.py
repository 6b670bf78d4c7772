"""How the benchmarks measure: CPU seconds, interleaved rounds, medians, spread and aims."""

from __future__ import annotations

import resource
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

ROUNDS = 7
FEWEST = 3
"""Rounds of a race whose rounds are slow."""
SLOW = 20.0
"""Seconds of the clock from which a round is slow."""

Side = Callable[[], float]
"""One run of one contender; what comes back is documents per CPU second, or CPU seconds."""
Races = dict[str, list[float]]


def cpu() -> float:
    """Return the CPU seconds that this process and its ended children have used."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def seconds(work: Callable[[], object]) -> float:
    """Return the CPU seconds that a piece of work takes, with all processes that it starts."""
    start = cpu()
    work()
    return cpu() - start


def race(name: str, sides: Mapping[str, Side], *, rounds: int = ROUNDS) -> Races:
    """Let every side have its turn in each round, so that a busy moment spoils all alike."""
    results: Races = {side: [] for side in sides}
    start = time.monotonic()
    for number in range(rounds):
        if number >= FEWEST and time.monotonic() - start > SLOW * number:
            break
        for side, run in sides.items():
            note(f"{name}, round {number + 1} of {rounds}: {side}")
            results[side].append(run())
    note("")
    return results


def note(words: str) -> None:
    """Show what is going on, on a terminal in one line, else one line for each first round."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{words}")
        sys.stderr.flush()
    elif ", round 1 of" in words:
        print(words, file=sys.stderr, flush=True)


class Aim(NamedTuple):
    """What a value should be, at least or at most."""

    amount: float
    at_most: bool = False

    def met(self, value: float) -> bool:
        return value <= self.amount if self.at_most else value >= self.amount

    def __str__(self) -> str:
        return f"{'≤' if self.at_most else '≥'} {self.amount:g}"


class Figure(NamedTuple):
    """A measured value with its spread over the rounds, and what it was to be."""

    part: str
    data: str
    work: str
    unit: str
    value: float
    least: float
    greatest: float
    rounds: int
    docassay: float | None = None
    """Documents per CPU second, where the value is a ratio."""
    other: float | None = None
    """The same of the floor or of the other package."""
    aim: Aim | None = None
    remark: str = ""

    @property
    def verdict(self) -> str:
        return "" if self.aim is None else "met" if self.aim.met(self.value) else "missed"


FLOOR = "of the floor"
TIMES = "times as fast"
SECONDS = "CPU s"


def ratio(
    place: tuple[str, str, str],
    unit: str,
    own: Sequence[float],
    other: Sequence[float],
    aim: Aim | None = None,
    remark: str = "",
) -> Figure:
    """Return the median over rounds of one side over the other, round by round."""
    ratios = [a / b for a, b in zip(own, other, strict=True)]
    rates = (statistics.median(own), statistics.median(other))
    return _figure(place, unit, ratios, aim)._replace(
        docassay=rates[0], other=rates[1], remark=remark
    )


def amount(
    place: tuple[str, str, str], unit: str, values: Sequence[float], aim: Aim | None = None
) -> Figure:
    """Return the median over rounds of a value."""
    return _figure(place, unit, values, aim)


def _figure(
    place: tuple[str, str, str], unit: str, values: Sequence[float], aim: Aim | None
) -> Figure:
    middle = statistics.median(values)
    return Figure(*place, unit, middle, min(values), max(values), len(values), aim=aim)
