"""Numbers and amounts as people read them."""

from __future__ import annotations

UNDEFINED = "–"


def number(value: float | int | None) -> str:
    """Return a count with its thousands apart, a share with four decimals, or a dash."""
    if value is None:
        return UNDEFINED
    return f"{value:,}" if isinstance(value, int) else f"{value:.4f}"


def count(amount: float | int | None, one: str, many: str | None = None) -> str:
    """Return an amount with its noun: "1 document", "2 documents"."""
    noun = one if amount == 1 else many or f"{one}s"
    return f"{number(amount)} {noun}"


def in_words(low: float | None, high: float | None) -> str:
    """Return an interval as the end of a sentence, "" when there is none."""
    if low is None or high is None:
        return ""
    return f"; 95 % interval {low:.3f} to {high:.3f}"
