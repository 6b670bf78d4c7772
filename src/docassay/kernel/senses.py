"""What most texts mean, in few steps; each text that is not so usual is read the general way."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from decimal import Decimal

from docassay.kernel.readings import Sense, Senses, UsualSenses, meant

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

SHORTEST_DAY, LONGEST_DAY = len("1.1.2019"), len("2019-01-01")
FIRST_YEAR, LAST_YEAR = 1000, 2999
FEBRUARY, MONTHS = 2, 12
MIXED, NAME, PAIR, FIGURES = range(4)
"""Words: a letter or letters among digits, three letters or more or 5th, two letters, digits."""
ORDINAL_ENDS = ("st", "nd", "rd", "th")


class ExactSenses(UsualSenses):
    """The senses of texts as they stand, white space collapsed."""

    def of(self, text: str) -> Sense:
        """Return what a text means."""
        plain = str(text)
        if not plain.isascii():
            return self.general(text)
        plain = collapsed(plain)
        return meant(plain, self.prefix + plain)

    def key(self, text: object) -> str | None:
        """Return the key of a leaf in ASCII."""
        plain = str(text)
        return self.prefix + collapsed(plain) if plain.isascii() else None


class TextSenses(UsualSenses):
    """The senses of texts without case."""

    def of(self, text: str) -> Sense:
        """Return what a text means."""
        folded = usual_text(text)
        if folded is None:
            return self.general(text)
        return meant(folded, self.prefix + folded)

    def key(self, text: object) -> str | None:
        """Return the key of a usual text."""
        folded = usual_text(text)
        return None if folded is None else self.prefix + folded

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
        digits = self._digits(text)
        if digits is None:
            return self.general(text)
        return meant(self._made, self.prefix + digits, None, digits)

    def key(self, text: object) -> str | None:
        """Return the key of a usual number."""
        digits = self._digits(text)
        return None if digits is None else self.prefix + digits

    def _digits(self, text: object) -> str | None:
        """Return the canonical form of a usual number, or amount where that is one."""
        digits = usual_number(text)
        return usual_amount(text) if digits is None and self._signs else digits

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
            return meant(self._open, self.prefix + digits, None, digits)
        dollar = self.dollar(text)
        return meant(self._dollars, self.prefix + digits, dollar, digits)

    def key(self, text: object) -> str | None:
        """Return the key of a usual amount."""
        digits = usual_amount(text)
        return None if digits is None else self.prefix + digits

    def scope(self, text: object) -> Hashable:
        """Return what the dollar sign of a usual amount stands for, if it has one."""
        amount = str(text)
        return self.dollar(amount) if "$" in amount else None

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


class DateSenses(UsualSenses):
    """The senses of days; `made` makes values of days as ISO 8601 writes them."""

    def __init__(
        self, prefix: str, general: Senses, made: Callable[[str], Hashable], *, day_first: bool
    ) -> None:
        super().__init__(prefix, general)
        self._made = made
        self._day_first = day_first

    def of(self, text: str) -> Sense:
        """Return what a text means."""
        day = usual_day(text, self._day_first)
        if day is None:
            return self.general(text)
        return meant(self._made, self.prefix + day, None, day)

    def key(self, text: object) -> str | None:
        """Return the key of a day in figures."""
        day = usual_day(text, self._day_first)
        return None if day is None else self.prefix + day


def is_usual_text(text: str) -> bool:
    """Whether a text reads as it stands, without case and white space."""
    size = len(text)
    if size == 0 or size > SHORT or not text.isascii():
        return False
    last = text[size - 1]
    # folding may leave the last one out
    return last > " " and last != "." and "`" not in text


def usual_text(text: object) -> str | None:
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


def usual_number(text: object) -> str | None:
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


def usual_amount(text: object) -> str | None:
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


def usual_day(text: object, day_first: bool) -> str | None:
    """Return a day in figures as ISO 8601 writes it: 2019-10-07, 7.10.2019.

    None for any other writing, and where the calendar has no such day.
    """
    plain = str(text)
    size = len(plain)
    if size < SHORTEST_DAY or size > LONGEST_DAY:
        return None
    if size == LONGEST_DAY and plain[4] == "-" and plain[7] == "-":
        year, month, day = figures(plain, 0, 4), figures(plain, 5, 7), figures(plain, 8, 10)
        return plain if is_day(year, month, day) else None
    middle, end = 2 if is_digit(plain[1]) else 1, size - 5
    if not 2 <= end - middle <= 3 or not is_date_mark(plain[middle], plain[end]):
        return None
    day, month, year = (
        figures(plain, 0, middle),
        figures(plain, middle + 1, end),
        figures(plain, end + 1, size),
    )
    if day <= MONTHS and (month > MONTHS or not day_first):
        day, month = month, day
    return f"{year}-{month:02}-{day:02}" if is_day(year, month, day) else None


def is_date_mark(mark: str, other: str) -> bool:
    """Whether both characters may stand between the numbers of a date."""
    return (mark == "." or mark == "/" or mark == "-") and (
        other == "." or other == "/" or other == "-"
    )


def figures(text: str, start: int, end: int) -> int:
    """Return the number that a part of a text is, −1 where that is not all digits."""
    number = 0
    for place in range(start, end):
        if not is_digit(text[place]):
            return -1
        number = number * 10 + (ord(text[place]) - ord("0"))
    return number


def is_day(year: int, month: int, day: int) -> bool:
    """Whether the calendar has a day in a year of four digits that documents may be of."""
    if not FIRST_YEAR <= year <= LAST_YEAR or not 1 <= month <= MONTHS or day < 1:
        return False
    if month == FEBRUARY:
        leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
        return day <= (29 if leap else 28)
    short = month == 4 or month == 6 or month == 9 or month == 11
    return day <= (30 if short else 31)


def usual_words(text: str) -> list[str] | None:
    """Return the words of a short text in ASCII without case; None for one with other marks.

    Between them are spaces, commas, points and ends of lines.
    """
    plain = str(text)
    if len(plain) > SHORT or not plain.isascii():
        return None
    lower = plain.lower()
    words: list[str] = []
    start = -1
    for place in range(len(lower)):
        character = lower[place]
        if is_letter(character) or is_digit(character):
            if start < 0:
                start = place
        elif character == " " or character == "," or character == "." or character == "\n":
            if start >= 0:
                words.append(lower[start:place])
                start = -1
        else:
            return None
    if start >= 0:
        words.append(lower[start:])
    return words


def stand_apart(words: Sequence[str]) -> bool:
    """Whether words are names, numbers or such as 5th, of which none may go with a number before.

    A number or two letters may: 3012 CN is one postcode.
    """
    kind = NAME
    for word in words:
        before, kind = kind, kind_of(word)
        if kind == MIXED or (before == FIGURES and kind != NAME):
            return False
    return True


def kind_of(word: str) -> int:
    """Return what a word of small letters and digits is."""
    size = len(word)
    digits = 0
    while digits < size and is_digit(word[digits]):
        digits += 1
    if digits == size:
        return FIGURES
    for place in range(digits, size):
        if not is_letter(word[place]):
            return MIXED
    if digits:
        return NAME if word[digits:] in ORDINAL_ENDS else MIXED
    return NAME if size > 2 else PAIR if size == 2 else MIXED


def is_letter(character: str) -> bool:
    """Whether a character is a small letter of ASCII."""
    return "a" <= character <= "z"


def is_digit(character: str) -> bool:
    """Whether a character is one of the ten digits."""
    return "0" <= character <= "9"
