"""What most texts mean, in few steps; each text that is not so usual is read the general way."""

from __future__ import annotations

from collections.abc import Sequence

from docassay.kernel.readings import Sense, UsualSenses

SHORT = 1000
"""Longer texts are folded the general way."""
TO_FOLD = frozenset({"", ".", *" \t\n\r\v\f\x1c\x1d\x1e\x1f"})
"""Last characters of a text of which folding may leave one out; "" is that of no text."""
MOST_DIGITS = 18
"""On either side of a decimal point."""


class ExactSenses(UsualSenses):
    """The senses of texts as they stand, white space collapsed."""

    def of(self, text: str) -> Sense:
        """Return what a text means."""
        plain = str(text)
        if not plain.isascii():
            return self.general(text)
        plain = collapsed(plain)
        return Sense(plain, self.prefix + plain, None, None)


class TextSenses(UsualSenses):
    """The senses of texts without case."""

    def of(self, text: str) -> Sense:
        """Return what a text means."""
        folded = usual_text(text)
        if folded is None:
            return self.general(text)
        return Sense(folded, self.prefix + folded, None, None)


class NumberSenses(UsualSenses):
    """The senses of numbers."""

    def of(self, text: str) -> Sense:
        """Return what a text means."""
        digits = usual_number(text)
        if digits is None:
            return self.general(text)
        return Sense(None, self.prefix + digits, None, None, digits)


def usual_text(text: str) -> str | None:
    """Return how a short text in ASCII reads without options, None for any other."""
    plain = str(text)
    if len(plain) > SHORT or not plain.isascii() or plain[-1:] in TO_FOLD or "`" in plain:
        return None
    return collapsed(plain.lower())


def collapsed(text: str) -> str:
    """Return a text in ASCII with white space collapsed."""
    # most have none to collapse; the only white space that counts as printable is a blank
    blanks = text.startswith(" ") or text.endswith(" ") or "  " in text
    return text if not blanks and text.isprintable() else " ".join(text.split())


def usual_number(text: str) -> str | None:
    """Return the canonical form of a number with a decimal point, None for any other writing.

    That is what the general way comes to without a second look; a zero has no sign.
    """
    if not text.isascii():
        return None
    text = str(text)  # a number is a text of a class of its own
    whole, point, places = text.partition(".")
    digits = whole[1:] if whole[:1] == "-" else whole
    if not digits.isdecimal() or len(digits) > MOST_DIGITS or (digits[0] == "0" and whole != "0"):
        return None
    if not point:
        return text
    if not places.isdecimal() or len(places) > MOST_DIGITS:
        return None
    return text.rstrip("0").rstrip(".")


def are_usual_numbers(texts: Sequence[str]) -> bool:
    """Whether all texts are numbers that `usual_number` has a form of."""
    return None not in map(usual_number, texts)
