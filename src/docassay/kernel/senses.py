"""What most texts mean, in few steps; each text that is not so usual is read the general way."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from decimal import Decimal

from docassay.kernel.readings import Sense, Senses, UsualSenses

SHORT = 1000
"""Longer texts are folded the general way."""
MOST_DIGITS = 18
"""On either side of a decimal point."""
TOO_MANY = 10**MOST_DIGITS
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

    def differ(self, text: object, other: object) -> bool:
        """Whether two leaves mean different things, as far as that can be told unread."""
        own, its = str(text), str(other)
        return _part_ways(own, its) and is_usual_text(own) and is_usual_text(its)


class NumberSenses(UsualSenses):
    """The senses of numbers."""

    def of(self, text: str) -> Sense:
        """Return what a text means."""
        digits = usual_number(text)
        if digits is None:
            return self.general(text)
        return Sense(Decimal, self.prefix + digits, None, None, digits)

    def differ(self, text: object, other: object) -> bool:
        """Whether two leaves mean different things, as far as that can be told unread."""
        if type(text) is int and type(other) is int:
            return text != other and abs(text) < TOO_MANY and abs(other) < TOO_MANY
        own, its = str(text), str(other)
        end, its_end = number_end(own), number_end(its)
        if end < 0 or its_end < 0:
            return False
        return end != its_end or own[:end] != its[:end]


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


def is_usual_text(text: str) -> bool:
    """Whether a text reads as it stands, without case and white space."""
    size = len(text)
    if size == 0 or size > SHORT or not text.isascii():
        return False
    last = text[size - 1]
    # folding may leave the last one out
    return last > " " and last != "." and "`" not in text


def usual_text(text: str) -> str | None:
    """Return how a short text in ASCII reads without options, None for any other."""
    plain = str(text)
    return collapsed(plain.lower()) if is_usual_text(plain) else None


def _part_ways(text: str, other: str) -> bool:
    """Whether the first characters in which two texts differ are others without case too."""
    for place in range(min(len(text), len(other))):
        own, its = text[place], other[place]
        if own != its and own.lower() != its.lower():
            return own > " " and its > " "
    return False


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
    plain = str(text)  # a number is a text of a class of its own
    end = number_end(plain)
    return None if end < 0 else plain[:end]


def number_end(text: str) -> int:
    """Return where the canonical form of a usual number ends in its text; −1 for any other."""
    size = len(text)
    start = 1 if text[:1] == "-" else 0
    point = start
    while point < size and "0" <= text[point] <= "9":
        point += 1
    if point == start or point - start > MOST_DIGITS:
        return -1
    if text[start] == "0" and (start or point > 1):
        return -1
    if point == size:
        return size
    if text[point] != "." or point + 1 == size or size - point - 1 > MOST_DIGITS:
        return -1
    end = point
    for place in range(point + 1, size):
        if not "0" <= text[place] <= "9":
            return -1
        if text[place] != "0":
            end = place + 1
    return end


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
