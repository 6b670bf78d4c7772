"""Draws: seeded numbers from 0 to 1, and the few ways in which documents use them.

Only `Random.random` is used: its sequence for a whole-number seed is the one that Python promises
to keep, so a corpus is the same on every version. A stream is a document's own, so that document i
depends on the seed and on i, never on how many came before it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar
from zlib import crc32

T = TypeVar("T")
Draw = Callable[[], float]


def stream(seed: int, index: int, label: str = "") -> Draw:
    """Return the draws of one document, for gold or, with a model's name, for its predictions."""
    return Random((seed % 2**64) << 96 | index << 32 | crc32(label.encode())).random


def pick(draw: Draw, options: Sequence[T]) -> T:
    """Return one of the options, each as likely as the other."""
    return options[int(draw() * len(options))]


def between(draw: Draw, low: int, high: int) -> int:
    """Return a whole number from low to high, both included."""
    return low + int(draw() * (high - low + 1))


def shuffled(draw: Draw, items: Sequence[T]) -> list[T]:
    """Return the items in an order in which every arrangement is as likely as the other."""
    result = list(items)
    for last in range(len(result) - 1, 0, -1):
        other = int(draw() * (last + 1))
        result[last], result[other] = result[other], result[last]
    return result
