"""How the work of a function grows with the size of its input: a ratio, never a time.

The processor time of this thread is taken at two sizes, each the least of several tries, so that
other work on the machine and a slow machine change both sides alike.
"""

from __future__ import annotations

from collections.abc import Callable
from time import thread_time_ns
from typing import TypeVar

T = TypeVar("T")
TRIES = 2
NOISE = 5_000_000
"""Nanoseconds below which a difference says nothing."""


def growth(function: Callable[[T], object], small: T, large: T) -> float:
    """Return how many times the work for `small` goes into that for `large`."""
    return _work(function, large) / (_work(function, small) + NOISE)


def _work(function: Callable[[T], object], argument: T) -> int:
    return min(_once(function, argument) for _ in range(TRIES))


def _once(function: Callable[[T], object], argument: T) -> int:
    start = thread_time_ns()
    function(argument)
    return thread_time_ns() - start
