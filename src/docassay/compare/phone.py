"""The comparator `phone`: equal numbers, and partial credit for a digit or two misread."""

from __future__ import annotations

from collections.abc import Hashable

from docassay.compare import comparator
from docassay.read.phone import Phone

STEPS = ((0.8, 0.8), (0.6, 0.5))
"""Share of equal digits, and the similarity it earns, highest first."""


def phone_key(value: Hashable) -> str:
    """Return the digits as dialled from afar, without the country."""
    if not isinstance(value, Phone):
        return str(value)
    return f"{value.subscriber}{' ext ' if value.extension else ''}{value.extension}"


def phone_scope(value: Hashable) -> str | None:
    """Return the country's calling code, or None when the text does not state it."""
    return value.country if isinstance(value, Phone) else None


def why_phone(gold: Hashable, pred: Hashable) -> str:
    """Say whether countries, digits or extensions differ."""
    if phone(gold, pred) == 1.0:
        return "equal as telephone numbers"
    if not (isinstance(gold, Phone) and isinstance(pred, Phone)):
        return "the values differ"
    if not _agree(gold, pred):
        return f"countries differ: +{gold.country} and +{pred.country}"
    if gold.subscriber == pred.subscriber:
        missing = "one number has an extension"
        both = f"extensions differ: {gold.extension} and {pred.extension}"
        return both if gold.extension and pred.extension else missing
    left, right = _digits(gold, pred)
    if len(left) != len(right):
        return f"numbers of {len(left)} and {len(right)} digits"
    return f"{_equal(left, right)} of {len(left)} digits are equal"


@comparator("phone", key=phone_key, scope=phone_scope, why=why_phone)
def phone(gold: Hashable, pred: Hashable) -> float:
    """1 for equal digits; at equal length 0.8 from 80 % equal digits and 0.5 from 60 %, else 0."""
    same = phone_key(gold) == phone_key(pred)
    if not (isinstance(gold, Phone) and isinstance(pred, Phone)):
        return float(same)
    if same and _agree(gold, pred):
        return 1.0
    left, right = _digits(gold, pred)
    if len(left) != len(right):
        return 0.0
    share = _equal(left, right) / len(left)
    return next((earned for least, earned in STEPS if share >= least), 0.0)


def _agree(gold: Phone, pred: Phone) -> bool:
    return gold.country is None or pred.country is None or gold.country == pred.country


def _digits(gold: Phone, pred: Phone) -> tuple[str, str]:
    """Return what is compared digit by digit: as written, unless only one has a trunk zero."""
    left, right = gold.number + gold.extension, pred.number + pred.extension
    if len(left) != len(right):
        left, right = gold.subscriber + gold.extension, pred.subscriber + pred.extension
    if gold.country is not None and pred.country is not None:
        return gold.country + left, pred.country + right
    return left, right


def _equal(left: str, right: str) -> int:
    return sum(a == b for a, b in zip(left, right, strict=True))
