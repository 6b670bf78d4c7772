"""Work as a number: function calls instead of seconds, so that no test depends on the clock."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType


def calls(action: Callable[[], object]) -> int:
    """Return how many functions, of Python and of C, an action calls."""
    count = 0

    def note(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        action()
    finally:
        sys.setprofile(before)
    return count


def growth(work: Callable[[int], int], size: int, *, factor: int = 2) -> float:
    """Return how many times more work there is for `factor` times the size, per `factor`.

    1 is linear; 2 is quadratic when the factor is 2, 4 when the factor is 4.
    """
    work(size)  # what is imported and cached once belongs to neither size
    return work(factor * size) / (work(size) * factor)
