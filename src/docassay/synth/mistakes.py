"""Mistakes in one value: each a function from the right text to a wrong one, under a cause's name.

A mistake always changes what the value means, and returns None where it does not apply: a sign
cannot be lost where there is none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import pairwise

from docassay.synth.documents import KINDS, address, amount, business_number, money, person
from docassay.synth.draw import Draw, pick
from docassay.synth.words import STRAY_TEXTS

Mistake = Callable[[str, Sequence[str], Draw], str | None]
"""(right text, values of other fields of the same type, draws) -> wrong text."""

# letters that casefolding keeps apart from what they are mistaken for
_LOOK_ALIKE = {
    **dict(zip("0123456789OlISBZm", ("O", *"lZ8ASG1Bg011582", "rn"), strict=True)),
    "rn": "m",
}
_CONFUSABLE = re.compile("rn|[" + "".join(c for c in _LOOK_ALIKE if len(c) == 1) + "]")
_DIGIT = re.compile(r"\d")
_NOT_CENTS = str.maketrans("", "", "$,.")


def ocr(text: str, others: Sequence[str], draw: Draw) -> str | None:
    """Take one character for another of the same look."""
    places = list(_CONFUSABLE.finditer(text))
    if not places:
        return None
    place = pick(draw, places)
    return f"{text[: place.start()]}{_LOOK_ALIKE[place.group()]}{text[place.end() :]}"


def digits_transposed(text: str, others: Sequence[str], draw: Draw) -> str | None:
    """Exchange two neighbouring digits."""
    places = [match.start() for match in _DIGIT.finditer(text)]
    pairs = [(a, b) for a, b in pairwise(places) if text[a] != text[b]]
    if not pairs:
        return None
    a, b = pick(draw, pairs)
    return f"{text[:a]}{text[b]}{text[a + 1 : b]}{text[a]}{text[b + 1 :]}"


def factor_of_ten(text: str, others: Sequence[str], draw: Draw) -> str | None:
    """Make a number ten times what it is."""
    if "$" in text:
        cents = _cents(text)
        return money(10 * cents) if cents else None
    return None if "." in text else f"{text}0"


def separator(text: str, others: Sequence[str], draw: Draw) -> str | None:
    """Lose the decimal point."""
    if "$" in text:
        cents = _cents(text)
        return money(100 * cents).removesuffix(".00") if cents else None
    return text.replace(".", "") if "." in text else None


def sign_lost(text: str, others: Sequence[str], draw: Draw) -> str | None:
    """Lose the sign of a negative number."""
    return text[1:] if text.startswith("-") else None


def truncated(text: str, others: Sequence[str], draw: Draw) -> str | None:
    """Keep less than half of the text."""
    # half of a firm's name is less than the name without its legal form
    return text[: max(1, int(len(text) * (0.25 + 0.2 * draw())))].rstrip(" ,")


def extra_text(text: str, others: Sequence[str], draw: Draw) -> str | None:
    """Take text from nearby for a part of the value."""
    stray = pick(draw, STRAY_TEXTS)
    return f"{stray} {text}" if draw() < 0.3 else f"{text} {stray}"


def other_field(text: str, others: Sequence[str], draw: Draw) -> str | None:
    """Take the value of another field."""
    return pick(draw, others) if others else None


def day_month_swapped(text: str, others: Sequence[str], draw: Draw) -> str | None:
    """Take the day for the month."""
    day, month, year = text.split("/")
    return f"{month}/{day}/{year}" if day != month and int(day) <= 12 else None


def flag_flipped(text: str, others: Sequence[str], draw: Draw) -> str | None:
    """Say yes for no."""
    return "False" if text == "True" else "True"


def document_type(text: str, others: Sequence[str], draw: Draw) -> str | None:
    """Take the document for one of another kind."""
    foreign = [kind.titles for kind in KINDS.values() if text not in kind.titles]
    return pick(draw, pick(draw, foreign))


def missing(text: str, others: Sequence[str], draw: Draw) -> str | None:
    """Find no value: here alone None is the mistake, and it always applies."""
    return None


def _cents(text: str) -> int:
    return int(text.translate(_NOT_CENTS))


_MISTAKES: Mapping[str, tuple[Mistake, ...]] = {
    "document_type": (document_type,),
    "id": (ocr, digits_transposed, truncated, missing),
    "name": (ocr, truncated, extra_text, other_field, missing),
    "address": (ocr, digits_transposed, truncated, extra_text, other_field, missing),
    "text": (ocr, digits_transposed, truncated, extra_text, missing),
    "date": (ocr, day_month_swapped, digits_transposed, missing),
    "date_range": (ocr, digits_transposed, truncated, missing),
    "boolean": (flag_flipped, missing),
    "quantity": (ocr, digits_transposed, factor_of_ten, separator, missing),
    "money": (
        ocr,
        digits_transposed,
        factor_of_ten,
        separator,
        other_field,
        sign_lost,
        missing,
    ),
}


@cache
def _mix(kind: str, prone: tuple[str, ...]) -> tuple[Mistake, ...]:
    return tuple(m for m in _MISTAKES[kind] for _ in range(3 if m.__name__ in prone else 1))


def spoil(
    text: str, kind: str, others: Sequence[str], *, prone: tuple[str, ...], draw: Draw
) -> tuple[str, str | None]:
    """Return the cause and the wrong value, None for a value gone missing."""
    mix = _mix(kind, prone)
    first = int(draw() * len(mix))
    for mistake in (*mix[first:], *mix[:first]):
        wrong = mistake(text, others, draw)
        if mistake is missing or wrong is not None:
            return mistake.__name__, wrong
    raise AssertionError(f"no mistake applies to {kind} {text!r}")


def invent(kind: str, draw: Draw) -> str:
    """Return a value for a field that the document does not have."""
    if kind == "id":
        return business_number(draw)
    if kind == "name":
        return person(draw)
    return address(draw) if kind == "address" else amount(draw)
