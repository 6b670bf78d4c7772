"""Leaves that say more than a value: how sure it is, on which page and where it stands.

What cannot be taken as it stands is told to `say`, and left out or taken as the nearest that can.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isfinite
from typing import NamedTuple

from docassay.model.document import Number
from docassay.read.characters import shortened

OUTSIDE = "lies outside 0..1"
"""What is said of a confidence that is none."""

Say = Callable[[str], None]


class Marks(NamedTuple):
    """What a leaf says about its value."""

    confidence: float | None
    page: int | None
    box: tuple[float, ...] | None


def marks_of(raw: Mapping[str, object], say: Say) -> Marks:
    """Return the marks of a leaf."""
    page = _number(raw.get("page"), "page", say)
    return Marks(
        _confidence(raw.get("confidence"), say),
        None if page is None else int(page),
        _box(raw.get("box"), say),
    )


def _confidence(raw: object, say: Say) -> float | None:
    stated = _number(raw, "confidence", say)
    if stated is None or 0.0 <= stated <= 1.0:
        return stated
    nearest = min(max(stated, 0.0), 1.0)
    say(f"confidence {stated:g} {OUTSIDE}: taken as {nearest:g}")
    return nearest


def _number(raw: object, what: str, say: Say) -> float | None:
    if raw is None:
        return None
    if isinstance(raw, (int, float, Number)) and not isinstance(raw, bool):
        try:
            number = float(raw)
            if isfinite(number):
                return number
        except OverflowError:
            pass
    say(f"{what} {shortened(str(raw))} is not a number: left out")
    return None


def _box(raw: object, say: Say) -> tuple[float, ...] | None:
    if raw is None:
        return None
    if isinstance(raw, (list, tuple)) and len(raw) == 4:
        corners = [_number(one, "box", say) for one in raw]
        known = tuple(one for one in corners if one is not None)
        return known if len(known) == 4 else None
    say("box is not a list of four numbers: left out")
    return None
