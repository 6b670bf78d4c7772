"""The digits of texts, by which most texts of different values are told apart without reading."""

from __future__ import annotations

UNITS = "one two three four five six seven eight nine"
TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
COUNTING = frozenset(word[:3] for word in f"{UNITS} {TEENS} {TENS}".split())
"""How texts begin that may be numbers in words."""


def digits_of(text: str) -> str | None:
    """Return the digits of a number or code, without zeros at either end: its gist for a reader.

    None where reading may come to others: powers, fractions, numbers in words, other scripts, and
    texts that end in a unit with a digit, m2 or m3.
    """
    if not is_told(text):
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


def count_digits(text: str) -> int:
    """Return how many digits of any script a text has."""
    digits = 0
    for character in text:
        if character.isdigit():
            digits += 1
    return digits


def count_letters(text: str) -> int:
    """Return how many letters of any script a text has."""
    letters = 0
    for character in text:
        if character.isalpha():
            letters += 1
    return letters


ELSEWHERE, BEHIND_DIGIT, BEHIND_SLASH, BEHIND_POWER = range(4)
"""Where a character stands: behind a digit, a slash behind a digit, or what makes it a power."""


def is_told(text: str) -> bool:
    """Whether `digits_of` tells the digits of a text."""
    where = ELSEWHERE
    some = False
    slashes = 0
    for character in text:
        if "0" <= character <= "9":
            if where == BEHIND_POWER:
                return False
            if where == BEHIND_SLASH:
                slashes += 1
            where = BEHIND_DIGIT
            some = True
        elif (where == ELSEWHERE and character < "\x80") or (  # as most letters are
            where == BEHIND_POWER and (character == "+" or character == "-")
        ):
            continue
        elif where == BEHIND_DIGIT and (character == "e" or character == "E"):
            where = BEHIND_POWER
        elif where == BEHIND_DIGIT and character == "/":
            where = BEHIND_SLASH
        elif "\x80" <= character < "\xc0" or character >= "\u0280":  # but for Latin letters
            return False
        else:
            where = ELSEWHERE
    if not some:
        return text[:3].lower() not in COUNTING
    # one slash makes a fraction, two a date
    return slashes != 1 and not _ends_in_power(text)


def _ends_in_power(text: str) -> bool:
    """Whether a text with a digit ends in m2 or m3."""
    end = len(text) - 1
    while text[end] <= " ":
        end -= 1
    if end < 1 or (text[end] != "2" and text[end] != "3"):
        return False
    return text[end - 1] == "m" or text[end - 1] == "M"
