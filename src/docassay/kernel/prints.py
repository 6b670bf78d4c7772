"""Prints of texts: numbers that all texts share which mean the same to a reader.

Texts that mean something else rarely share one, so that few have to be read to find one that does
mean the same. Most are told by what a gist goes by, in one go over their characters.
"""

from __future__ import annotations

from docassay.kernel import texts
from docassay.kernel.digits import is_told
from docassay.kernel.senses import usual_number

UNTOLD, NO_DIGITS, ZERO, SHORT_NUMBER = range(-1, 3)
"""The prints of texts of which nothing is told, that have no digits or none but zeros, and of
numbers that may be a day of a month, a month or a year.
"""
FACTOR, MOST, FIRST = 1_000_003, (1 << 40) - 1, 7
"""How prints are made, all of them below 2**40; those of words begin otherwise than of digits."""
NO_LETTERS, NO_START = 36, 37
"""The starts of texts without letters and digits, and of those of which none is known."""


class Printer:
    """Gives the prints of texts for a reader."""

    __slots__ = ("apart",)

    def __init__(self, apart: bool = False) -> None:
        self.apart = apart
        """Whether texts of which nothing is told never mean what others do."""

    def of(self, text: str) -> int:
        """Return the print of a text; NO_DIGITS and UNTOLD tell nothing."""
        return UNTOLD

    def start(self, text: str) -> int:
        """Return a number that all texts of one print share, NO_START where it is not known.

        It takes less than a print, so that most others are told from some texts by it alone.
        """
        return NO_START


def places_of(told: int, printer: Printer, texts: list[str]) -> list[int]:
    """Return which texts have a print."""
    return [place for place in range(len(texts)) if printer.of(texts[place]) == told]


class DigitsPrinter(Printer):
    """For numbers and codes: by their digits, as `digits_of` has them."""

    __slots__ = ()

    def of(self, text: str) -> int:
        """Return the print of a text."""
        told, so_far, digits, plain = NO_DIGITS, NO_DIGITS, False, True
        for character in text:
            if "0" <= character <= "9":
                digits = True
                if told or character != "0":
                    so_far = (so_far * FACTOR + ord(character)) & MOST
                    if character != "0":
                        told = so_far
            elif character >= "/":  # without letters and slashes, all digits are told
                plain = False
        if not plain and not is_told(text):
            return UNTOLD
        return ZERO if digits and told == NO_DIGITS else told


class WordsPrinter(Printer):
    """For texts: by their letters and digits in ASCII, without case."""

    __slots__ = ()

    def of(self, text: str) -> int:
        """Return the print of a text."""
        return words_print(text)

    def start(self, text: str) -> int:
        """Return which letter or digit is the first of a text in ASCII."""
        if not texts.is_ascii(text):
            return NO_START
        for character in text:
            if "0" <= character <= "9":
                return ord(character) - 48
            if "a" <= character <= "z":
                return ord(character) - 87
            if "A" <= character <= "Z":
                return ord(character) - 55
        return NO_LETTERS


WORDS = WordsPrinter()
"""Also for what cannot be read: that means the same only as itself."""


def words_print(text: str) -> int:
    """Return a number for the letters and digits of a text."""
    told = FIRST
    for character in text:
        code = ord(character)
        if "A" <= character <= "Z":
            code += 32
        elif character >= "\x80":
            if character < "\xc0" or character > "\xff":
                return UNTOLD
            if character != "\xdf":  # the one of these letters that is also written as two
                continue
            code = ord("s")
            told = (told * FACTOR + code) & MOST
        elif not ("a" <= character <= "z" or "0" <= character <= "9"):
            continue
        told = (told * FACTOR + code) & MOST
    return told


class FiguresPrinter(Printer):
    """For addresses: by which digits they have, in any order."""

    __slots__ = ("_ordinals",)

    def __init__(self, ordinals: tuple[str, ...]) -> None:
        super().__init__()
        self._ordinals = ordinals
        """Words that stand for a number."""

    def of(self, text: str) -> int:
        """Return the print of a text, UNTOLD where a word may be a number."""
        if not texts.is_ascii(text):
            return UNTOLD
        told = NO_DIGITS
        one = 1
        letters = False
        for character in text:
            if "0" <= character <= "9":
                told += one << 4 * (ord(character) - 48)
            elif character > "9":
                letters = True
        if letters:
            line = text.lower()
            for word in self._ordinals:
                if word in line:
                    return UNTOLD
        return told


class DatePrinter(Printer):
    """For dates: by the numbers of one in figures, and by the words of what is surely no date."""

    __slots__ = ("_in_dates",)

    def __init__(self, in_dates: frozenset[str]) -> None:
        super().__init__()
        self._in_dates = in_dates
        """All words that a date may have."""

    def of(self, text: str) -> int:
        """Return the print of a text."""
        number = _short_number(text)
        if number == SHORT_NUMBER:
            return SHORT_NUMBER
        if number == NO_DIGITS or _are_dollars(text):
            return words_print(text)
        told = _figures_print(text)
        if told != NO_DIGITS:
            return told
        if not texts.is_ascii(text) or ":" in text or _are_among(text, self._in_dates, 1):
            return UNTOLD
        return words_print(text)


def _short_number(text: str) -> int:
    """Return SHORT_NUMBER for what may be less than a date, NO_DIGITS for what surely is none.

    UNTOLD for what is no number of digits with a point or without, or one that may be a date.
    """
    size = len(text)
    point = size
    for place in range(size):
        if text[place] == "." and point == size:
            point = place
        elif not "0" <= text[place] <= "9":
            return UNTOLD
    decimals = size - point - 1
    if point == 0 or decimals == 0 or decimals > 3:
        return UNTOLD
    if decimals < 0:
        return SHORT_NUMBER if point == 4 else UNTOLD if point > 7 else NO_DIGITS
    return SHORT_NUMBER if point == 4 or point < 3 else NO_DIGITS


def _are_dollars(text: str) -> bool:
    """Whether a text is digits, points and commas behind the sign of a dollar: surely no date."""
    for place in range(len(text)):
        if place and not ("0" <= text[place] <= "9" or text[place] == "," or text[place] == "."):
            return False
        if place == 0 and text[place] != "$":
            return False
    return len(text) > 1


def _figures_print(text: str) -> int:
    """Return a number for a day in figures: its year, and the two others in either order.

    NO_DIGITS for what is not three numbers, of which the first or the last has four digits and no
    other more than two.
    """
    if not 8 <= len(text) <= 10:
        return NO_DIGITS
    year, total, product = -1, 0, 1
    parts = digits = number = 0
    for place in range(len(text) + 1):
        if place < len(text) and "0" <= text[place] <= "9":
            number = 10 * number + ord(text[place]) - 48
            digits += 1
            continue
        if place < len(text) and text[place] not in "./-":
            return NO_DIGITS
        if digits == 4 and parts != 1 and year < 0:
            year = number
        elif digits == 1 or digits == 2:
            total += number
            product *= number
        else:
            return NO_DIGITS
        parts += 1
        digits = number = 0
    if parts != 3 or year < 0:
        return NO_DIGITS
    return (year << 22) + (total << 14) + product


class CurrencyPrinter(Printer):
    """For currencies: by the words of what is surely none; a currency is like no such text."""

    __slots__ = ("_in_names",)

    def __init__(self, in_names: frozenset[str]) -> None:
        super().__init__(True)
        self._in_names = in_names
        """All words that the name of a currency may have."""

    def of(self, text: str) -> int:
        """Return the print of a text, UNTOLD for what may be a currency."""
        if not texts.is_ascii(text):
            return UNTOLD
        if _are_among(text, self._in_names, 1) and _has_sign(text) and usual_number(text) is None:
            return UNTOLD
        return words_print(text)


def _has_sign(text: str) -> bool:
    """Whether there is a letter in a text in ASCII, or what may be the sign of a currency."""
    for character in text:
        if "0" <= character <= "9" or character <= " " or character in ".,;:()/&[]_-":
            continue
        return True
    return False


def _are_among(text: str, words: frozenset[str], shortest: int) -> bool:
    """Whether all runs of letters of a text in ASCII are some words, of those long enough."""
    line = text.lower()
    start = -1
    for place in range(len(line) + 1):
        if place < len(line) and "a" <= line[place] <= "z":
            if start < 0:
                start = place
        elif start >= 0:
            if place - start >= shortest and line[start:place] not in words:
                return False
            start = -1
    return True
