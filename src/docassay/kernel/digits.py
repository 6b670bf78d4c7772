"""The digits and words of texts, by which most values are told apart without being read."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from docassay.kernel.readings import Reading, sense_of
from docassay.kernel.senses import usual_number, usual_text

UNITS = "one two three four five six seven eight nine"
TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
COUNTING = frozenset(word[:3] for word in f"{UNITS} {TEENS} {TENS}".split())
"""How texts begin that may be numbers in words."""


def digits_of(text: str) -> str | None:
    """Return the digits of a number or code, without zeros at either end: its gist for a reader.

    None where reading may come to others: powers, fractions, numbers in words and other scripts.
    """
    if not _is_told(text):
        return None
    runs: list[str] = []
    start = -1
    for place in range(len(text)):
        if "0" <= text[place] <= "9":
            if start < 0:
                start = place
        elif start >= 0:
            runs.append(text[start:place])
            start = -1
    if start >= 0:
        runs.append(text[start:])
    if not runs:
        return ""
    digits = runs[0] if len(runs) == 1 else "".join(runs)
    return digits.strip("0") or "0"


BITS = 6
"""Of the number of `figures_in`, for each of ten digits: they fit into 64."""
MOST_FIGURES = 63


def figures_in(text: str) -> int | None:
    """Return one number for how often a text has each digit, None where it has too many."""
    figures = 0
    one = 1
    size = 0
    for character in text:
        if "0" <= character <= "9":
            figures += one << BITS * (ord(character) - ord("0"))
            size += 1
    return figures if size <= MOST_FIGURES else None


def are_told(texts: list[str]) -> bool:
    """Whether `digits_of` tells the digits of all texts."""
    told = 0
    for text in texts:
        if not _is_told(text):
            break
        told += 1
    return told == len(texts)


def are_unlike(reading: Reading, besides: Reading | None, texts: list[str]) -> bool:
    """Whether a value has told digits that none of the texts has, whose digits are told too.

    The text of the value `besides` is left out of them.
    """
    if reading.normalised or reading.alternatives:
        return False
    digits = digits_of(reading.text)
    if not digits:
        return False
    same = 0
    for other in texts:
        if _are_digits(digits, other):
            same += 1
    if same == 0:
        return True
    if same > 1 or besides is None or besides.alternatives:
        return False
    return _are_digits(digits, besides.text)


FEW = 256
"""Texts that are looked through for digits, which is faster than to note the digits of each."""


class ToldTexts:
    """Texts that are asked whether a value may be among them, which for most is told at once."""

    def __init__(self, texts: list[str], whole: bool) -> None:
        """Take texts, and whether they are all that there is to know about their values."""
        self.texts = texts
        self.whole = whole
        self.told = whole and are_told(texts)
        """Whether the digits of all texts are told."""
        self._amounts: dict[str | None, int] | None = None
        self._folded: str | None = None

    def lack(self, reading: Reading, besides: Reading | None) -> bool:
        """Whether a value has told digits that no other text has.

        The text of the value `besides`, which is one of these, is left out of them.
        """
        if not self.told:
            return False
        if len(self.texts) <= FEW:
            return are_unlike(reading, besides, self.texts)
        digits = None if reading.normalised else digits_of(reading.text)
        if not digits or reading.alternatives:
            return False
        if self._amounts is None:
            self._amounts = _amounts(self.texts)
        amount = self._amounts.get(digits, 0)
        if amount == 0:
            return True
        if amount > 1 or besides is None or besides.alternatives:
            return False
        return _are_digits(digits, besides.text)

    def lack_words(self, reading: Reading) -> bool:
        """Whether a value is a text without digits that is in none of these, but for its case."""
        text = reading.text
        if not self.whole or reading.normalised or reading.alternatives:
            return False
        if digits_of(text) != "" or usual_text(text) is None:
            return False
        if self._folded is None:
            self._folded = _folded(self.texts)
        return self._folded != "" and str(sense_of(reading).value) not in self._folded


def _folded(texts: list[str]) -> str:
    """Return texts in ASCII folded in one line, "" for others."""
    line = "\0".join(texts)
    return _fold(line) if line.isascii() else ""


def _fold(text: str) -> str:
    """Return a text in ASCII without case, white space collapsed."""
    return " ".join(text.lower().split()).replace("`", "'")


def _amounts(texts: list[str]) -> dict[str | None, int]:
    """Return how many texts have the same digits."""
    amounts: dict[str | None, int] = {}
    for text in texts:
        digits = digits_of(text)
        amounts[digits] = amounts.get(digits, 0) + 1
    return amounts


def places_of(digits: str, texts: list[str]) -> list[int]:
    """Return which of texts whose digits are told have these, as `digits_of` has them."""
    places: list[int] = []
    for place, text in enumerate(texts):
        if _are_digits(digits, text):
            places.append(place)
    return places


ELSEWHERE, BEHIND_DIGIT, BEHIND_POWER, BEHIND_MARK = range(4)
"""Where a character stands: behind a digit, an e of a power, or what makes a digit part of both."""


def _is_told(text: str) -> bool:
    where = ELSEWHERE
    some = False
    for character in text:
        if "0" <= character <= "9":
            if where > BEHIND_DIGIT:
                return False
            where = BEHIND_DIGIT
            some = True
        elif where == BEHIND_DIGIT and (character == "e" or character == "E"):
            where = BEHIND_POWER
        elif (where == BEHIND_DIGIT and character == "/") or (
            where == BEHIND_POWER and (character == "+" or character == "-")
        ):
            where = BEHIND_MARK
        elif "\x80" <= character < "\xc0" or character >= "\u0280":  # but for Latin letters
            return False
        else:
            where = ELSEWHERE
    return some or text[:3].lower() not in COUNTING


def _are_digits(digits: str, text: str) -> bool:
    """Whether the digits of a text are these, zeros at either end aside."""
    size = len(digits)
    found = 0
    for character in text:
        if "0" <= character <= "9":
            if found < size and character == digits[found]:
                found += 1
            elif character != "0" or 0 < found < size:
                return False
    return found == size


DATE = "date"
"""The gist of what surely is a date."""


def dates_or_texts(
    texts: Sequence[str], in_dates: frozenset[str], other: Callable[[str], str | None]
) -> list[str | None]:
    """Return `DATE` for each text that is a day in ISO 8601, and what surely is no date as it is.

    That is a number of which no part can be a month, or what has a word that is in no date. `other`
    is asked about the rest.
    """
    gists: list[str | None] = []
    for text in texts:
        if not text.isascii() or ":" in text:
            gists.append(other(text))
        elif has_word_beside(text, 3, in_dates):
            gists.append(_fold(text))
        elif is_iso_day(text):
            gists.append(DATE)
        elif is_no_date(text):
            gists.append(text)
        else:
            gists.append(other(text))
    return gists


def no_currencies(
    texts: Sequence[str], in_names: frozenset[str], other: Callable[[str], str | None]
) -> list[str | None]:
    """Return each text that surely is no currency as it is, because of a word in no name of one.

    `other` is asked about what has no such word.
    """
    gists: list[str | None] = []
    for text in texts:
        if text.isascii() and usual_number(text) is not None:
            gists.append(text)
        elif text.isascii() and has_word_beside(text, 1, in_names):
            gists.append(_fold(text))
        else:
            gists.append(other(text))
    return gists


def has_word_beside(text: str, shortest: int, known: frozenset[str]) -> bool:
    """Whether a text in ASCII has a run of so many letters, without case, that is not known."""
    start = -1
    size = len(text)
    for place in range(size + 1):
        letter = place < size and ("a" <= text[place] <= "z" or "A" <= text[place] <= "Z")
        if letter:
            if start < 0:
                start = place
        elif start >= 0:
            if place - start >= shortest and text[start:place].lower() not in known:
                return True
            start = -1
    return False


def is_iso_day(text: str) -> bool:
    """Whether a text is a day as ISO 8601 writes it, with a year."""
    if len(text) != 10:
        return False
    for place in range(10):
        if place == 4 or place == 7:
            if text[place] != "-":
                return False
        elif not "0" <= text[place] <= "9":
            return False
    return True


def is_no_date(text: str) -> bool:
    """Whether a text is a number of which no part can be a year, a month or a day."""
    size = len(text)
    point = -1
    whole = part = 0
    if size > LONGEST_NUMBER:
        return False
    for place in range(size):
        character = text[place]
        if "0" <= character <= "9":
            if point < 0:
                whole = 10 * whole + ord(character) - ord("0")
            else:
                part = 10 * part + ord(character) - ord("0")
        elif character == "." and point < 0:
            point = place
        else:
            return False
    if point < 0:
        return 1 <= size <= 3 or 5 <= size <= 7
    places = size - point - 1
    if point == 3 or point >= 5:
        return 1 <= places <= 3
    if point == 4:
        return whole >= 1000 and (
            (whole >= 3000 and 1 <= places <= 2) or (places == 2 and part > 12)
        )
    if not 1 <= point <= 2 or not 1 <= places <= 2:
        return False
    return (
        (point == 2 and whole > 31)
        or (places == 2 and part > 31)
        or (point == 2 and places == 2 and whole > 12 and part > 12)
    )


LONGEST_NUMBER = 18
"""Characters of a number that a machine word holds without its point."""


def places_by_kind(kinds: Sequence[Hashable]) -> dict[Hashable, list[int]]:
    """Return where each kind stands among others."""
    places: dict[Hashable, list[int]] = {}
    for place, kind in enumerate(kinds):
        own = places.get(kind)
        if own is None:
            places[kind] = [place]
        else:
            own.append(place)
    return places
