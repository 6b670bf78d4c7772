"""What most texts mean, in few steps; each text that is not so usual is read the general way."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from decimal import Decimal

from docassay.kernel.readings import Sense, Senses, UsualSenses

SHORT = 1000
"""Longer texts are folded the general way."""
MOST_DIGITS = 18
"""On either side of a decimal point."""
TOO_MANY = 10**MOST_DIGITS
LONGEST_AMOUNT = 39
"""Longer texts are taken apart the general way."""
MOST_DECIMALS = 4
"""Of numbers in ten-thousandths."""
LONGEST_WHOLE = 14
"""The number in a text of so many characters has less than 2**62 ten-thousandths."""


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
    """The senses of numbers; `made` makes values of digits."""

    def __init__(
        self,
        prefix: str,
        general: Senses,
        made: Callable[[str], Hashable] = Decimal,
        *,
        signs: bool = False,
    ) -> None:
        super().__init__(prefix, general)
        self._made = made
        self._signs = signs
        """Whether an amount of money is its number."""

    def of(self, text: str) -> Sense:
        """Return what a text means."""
        digits = usual_number(text)
        if digits is None and self._signs:
            digits = usual_amount(text)
        if digits is None:
            return self.general(text)
        return Sense(self._made, self.prefix + digits, None, None, digits)

    def differ(self, text: object, other: object) -> bool:
        """Whether two leaves mean different things, as far as that can be told unread."""
        if type(text) is int and type(other) is int:
            return text != other and abs(text) < TOO_MANY and abs(other) < TOO_MANY
        own, its = str(text), str(other)
        end, its_end = number_end(own), number_end(its)
        if end < 0 or its_end < 0:
            return False
        return end != its_end or own[:end] != its[:end]

    def figure(self, text: str) -> tuple[str, Hashable] | None:
        """Return the digits of a usual number."""
        digits = usual_number(text)
        return None if digits is None else (digits, None)

    def whole(self, text: str) -> int | None:
        """Return a usual number in ten-thousandths."""
        plain = str(text)
        end = number_end(plain) if len(plain) <= LONGEST_WHOLE else -1
        return None if end < 0 else ten_thousandths(plain, 0, end)


class MoneySenses(UsualSenses):
    """The senses of amounts of money; `stated_in` makes values of digits, in a currency or in none.

    What a dollar sign stands for is the same in each text, so the first one tells.
    """

    def __init__(
        self,
        prefix: str,
        general: Senses,
        stated_in: Callable[..., Callable[[str], Hashable]],
    ) -> None:
        super().__init__(prefix, general)
        self._stated_in = stated_in
        self._open = stated_in(None)
        self._dollar: Hashable = None
        self._dollars = self._open

    def of(self, text: str) -> Sense:
        """Return what a text means."""
        digits = usual_amount(text)
        if digits is None:
            return self.general(text)
        if "$" not in text:
            return Sense(self._open, self.prefix + digits, None, None, digits)
        dollar = self.dollar(text)
        return Sense(self._dollars, self.prefix + digits, dollar, None, digits)

    def figure(self, text: str) -> tuple[str, Hashable] | None:
        """Return the digits of a usual amount, and what a dollar sign stands for if it has one."""
        digits = usual_amount(text)
        if digits is None:
            return None
        return digits, (self.dollar(text) if "$" in text else None)

    def whole(self, text: str) -> int | None:
        """Return a usual amount in ten-thousandths."""
        plain = str(text)
        start = amount_start(plain, True) if len(plain) <= LONGEST_WHOLE else -1
        return None if start < 0 else ten_thousandths(plain, start, len(plain))

    def dollar(self, text: str) -> Hashable:
        """Return what the dollar sign of an amount stands for."""
        if self._dollar is None:
            self._dollar = self.general(text).scope
            self._dollars = self._stated_in(self._dollar)
        return self._dollar


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
    """Return the number in an amount as most are written, in canonical form: -$1,234.50, 1.234,50.

    None for any other writing.
    """
    amount = str(text)
    pointed = amount[-3:-2] != ","
    start = amount_start(amount, pointed)
    if start < 0:
        return None
    point = len(amount) - 3
    negative = amount[0] == "-"
    whole = amount[start:point].replace("," if pointed else ".", "")
    if whole[0] == "0":
        whole = whole.lstrip("0") or "0"
    if amount[point + 2] != "0":
        whole += "." + amount[point + 1 :]
    elif amount[point + 1] != "0":
        whole += "." + amount[point + 1]
    return "-" + whole if negative and whole != "0" else whole


def amount_start(amount: str, pointed: bool) -> int:
    """Return where the digits of a usual amount begin; −1 for any other writing.

    It has a decimal point, or else a comma.
    """
    point = len(amount) - 3
    if point < 1 or point > LONGEST_AMOUNT - 3 or not amount.isascii():
        return -1
    start = 1 if amount[0] == "-" else 0
    if amount[start] == "$":
        start += 1
    mark, other = (".", ",") if pointed else (",", ".")
    if amount[point] != mark or not is_digit(amount[point + 1]) or not is_digit(amount[point + 2]):
        return -1
    return start if is_grouped(amount, start, point, other) else -1


def ten_thousandths(text: str, start: int, end: int) -> int | None:
    """Return the number in a part of a text, None if it has more than four decimals."""
    number, decimals, behind = 0, 0, 0
    for place in range(start, end):
        character = text[place]
        if is_digit(character):
            number = number * 10 + (ord(character) - ord("0"))
            decimals += behind
        elif character == ".":
            behind = 1
    if decimals > MOST_DECIMALS:
        return None
    while decimals < MOST_DECIMALS:
        number *= 10
        decimals += 1
    return -number if text[0] == "-" else number


def is_grouped(amount: str, start: int, end: int, mark: str) -> bool:
    """Whether a part of a text is digits, or these with marks between thousands.

    Each mark stands before three digits, and the first behind up to three.
    """
    marks, digits = 0, 0
    for place in range(start, end):
        character = amount[place]
        if is_digit(character):
            digits += 1
        elif character == mark and 1 <= digits <= 3 and (marks == 0 or digits == 3):
            marks, digits = 1, 0
        else:
            return False
    return digits == 3 or (marks == 0 and digits > 0)


def is_digit(character: str) -> bool:
    """Whether a character is one of the ten digits."""
    return "0" <= character <= "9"
