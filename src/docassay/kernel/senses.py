"""What most texts mean, in few steps; each text that is not so usual is read the general way."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from decimal import Decimal

from docassay.kernel.readings import Sense, Senses, UsualSenses

SHORT = 1000
"""Longer texts are folded the general way."""
TO_FOLD = frozenset({"", ".", *" \t\n\r\v\f\x1c\x1d\x1e\x1f"})
"""Last characters of a text of which folding may leave one out; "" is that of no text."""
MOST_DIGITS = 18
"""On either side of a decimal point."""
LONGEST_AMOUNT = 39
"""Longer texts are taken apart the general way."""


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
        return Sense(Decimal, self.prefix + digits, None, None, digits)


class MoneySenses(UsualSenses):
    """The senses of amounts of money; `read` gives the value of a text.

    What a dollar sign stands for is the same in each, so the first one tells.
    """

    def __init__(self, prefix: str, general: Senses, read: Callable[[str], Hashable]) -> None:
        super().__init__(prefix, general)
        self._read = read
        self._dollar: Hashable = None

    def of(self, text: str) -> Sense:
        """Return what a text means."""
        digits = usual_amount(text)
        if digits is None:
            return self.general(text)
        scope: Hashable = None
        if "$" in text:
            if self._dollar is None:
                self._dollar = self.general(text).scope
            scope = self._dollar
        return Sense(self._read, self.prefix + digits, scope, None, text)


def usual_text(text: str) -> str | None:
    """Return how a short text in ASCII reads without options, None for any other."""
    plain = str(text)
    if len(plain) > SHORT or not plain.isascii() or plain[-1:] in TO_FOLD or "`" in plain:
        return None
    return collapsed(plain.lower())


def collapsed(text: str) -> str:
    """Return a text in ASCII with white space collapsed, which most have no need of."""
    before = " "
    for character in text:
        if character <= " " and (before == " " or character != " "):
            return " ".join(text.split())
        before = character
    return " ".join(text.split()) if before == " " else text


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


def usual_amount(text: str) -> str | None:
    """Return the number in an amount as most are written, -$1,234.50, in canonical form.

    None for any other writing.
    """
    amount = str(text)
    if len(amount) > LONGEST_AMOUNT or not amount.isascii():
        return None
    negative = amount.startswith("-")
    if negative:
        amount = amount[1:]
    if amount.startswith("$"):
        amount = amount[1:]
    whole, _, cents = amount.partition(".")
    if len(cents) != 2 or not cents.isdecimal():
        return None
    if "," in whole:
        if not _in_thousands(whole):
            return None
        whole = whole.replace(",", "")
    if not whole.isdecimal():
        return None
    digits = (whole.lstrip("0") or "0") + ("" if cents == "00" else "." + cents.rstrip("0"))
    return f"-{digits}" if negative and digits != "0" else digits


def _in_thousands(whole: str) -> bool:
    """Whether commas stand before three digits each, and the first behind up to three."""
    groups = whole.split(",")
    return 1 <= len(groups[0]) <= 3 and {len(group) for group in groups[1:]} == {3}


def are_usual_numbers(texts: Sequence[str]) -> bool:
    """Whether all texts are numbers that `usual_number` has a form of."""
    return None not in map(usual_number, texts)
