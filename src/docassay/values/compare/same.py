"""The comparator `same`: equal in canonical form, or not at all."""

from __future__ import annotations

from collections.abc import Hashable

from docassay.values.comparator import comparator

_LOOK_ALIKES = str.maketrans("oqli|sbz", "00111582")


def canonical(value: Hashable) -> str:
    """Return the form by which values are filed."""
    return str(value)


def why_same(gold: Hashable, pred: Hashable) -> str:
    """Say how two values differ, in the value's own words if it has any."""
    noun = getattr(gold, "noun", None)
    if str(gold) == str(pred):
        return "equal" if noun is None else f"equal as {noun}"
    difference = getattr(gold, "difference", None)
    if difference is not None and type(gold) is type(pred):
        return str(difference(pred))
    if look_alike(str(gold), str(pred)):
        return "differs only by look-alike characters"
    return "the values differ"


def look_alike(gold: str, pred: str) -> bool:
    """Return whether two different texts become one when O is 0, l is 1 and so on."""
    return gold.lower().translate(_LOOK_ALIKES) == pred.lower().translate(_LOOK_ALIKES)


@comparator("same", key=canonical, why=why_same, binary=True)
def same(gold: Hashable, pred: Hashable) -> float:
    """1 when the canonical forms are equal, else 0."""
    return float(str(gold) == str(pred))
