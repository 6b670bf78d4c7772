"""Guessing a field's type from its values, never from its name.

The guesses stand in order, most specific first. Each asks two things: do nearly all values read as
this type, and do they look like it? The second question is there because readers are generous: most
numbers can be read as an identifier, and 14.05 as a time.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from docassay.errors import Unreadable
from docassay.model.schema import DATE_ORDERS, EMPTY
from docassay.values.read.number import Amount
from docassay.values.reader import READERS

NEARLY_ALL = 0.95
MOST_CHOICES = 12
LONGEST_CHOICE = 20
MOST_DISTINCT = 2_000
"""Distinct texts kept a field; more would only make the guess slower."""

_FULL_DATE = re.compile(r"\d{4}\D|\D\d{4}|[^\W\d_]{3}|\d[./-] ?\d{1,2}[./-] ?\d|^(19|20)\d{6}$")
_DAY_MONTH = re.compile(r"\s*(\d{1,2})([./-])(\d{1,2})\2(?:\d{4}|\d{2})\b")
_AMOUNT = re.compile(r"[.,]\d\d\D{0,5}$|^\D{0,5}\d{1,3}([.,'’]\d{3})+\D{0,5}$")
_PHONE = re.compile(r"\+\d++[ ().-][\d ().-]{5,}")
_UNIT = re.compile(r"[\d.,]+\s*([^\W\d_]{1,6}[²³]?)\.?")
_CODE = re.compile(r"(?:[^\W\d_]{1,8}\.?[ :#-]*)?[A-Z0-9][A-Z0-9/._ -]*")
_STREET = re.compile(
    r"(?i)\b(street|st|road|rd|avenue|ave|lane|ln|drive|dr|boulevard|blvd|highway|hwy|court|place"
    r"|square|way|rue|calle|via|po box)\b|str(a(ß|ss)e|\.)|weg\b|platz\b|gasse\b"
)
_POSTCODE = re.compile(r"\b\d{4,6}\b")


class ObservedValues:
    """The texts seen for one field, with how often, and how many came as JSON numbers or truths."""

    def __init__(self) -> None:
        self.texts: Counter[str] = Counter()
        self.seen = 0
        self.truths = 0
        self.numbers = 0
        self._read: dict[str, frozenset[str]] = {}

    def add(self, leaf: str | bool | int | float, *, number: bool) -> None:
        """Count a value."""
        text = str(leaf).lower() if isinstance(leaf, bool) else str(leaf)
        self.seen += 1
        self.truths += isinstance(leaf, bool)
        self.numbers += number
        if text in self.texts or len(self.texts) < MOST_DISTINCT:
            self.texts[text] += 1

    def share(self, holds: Callable[[str], bool]) -> float:
        """Return the share of values of which something is true."""
        return sum(n for text, n in self.texts.items() if holds(text)) / self.texts.total()

    def read_as(self, reader: str) -> frozenset[str]:
        """Return the texts that a reader can read."""
        if reader not in self._read:
            function = READERS.get(reader).function
            self._read[reader] = frozenset(t for t in self.texts if _reads(function, t))
        return self._read[reader]

    def mostly(self, reader: str) -> bool:
        """Whether nearly all values can be read."""
        return self.share(self.read_as(reader).__contains__) >= NEARLY_ALL


class Guess(NamedTuple):
    """A type, the options that go with it, and the share of values its reader can read."""

    type: str
    options: Mapping[str, object]
    share: float


def guess(values: ObservedValues) -> Guess:
    """Return the most specific type that nearly all values have."""
    name = next((name for name, looks in _GUESSES if looks(values)), "text")
    options: Mapping[str, object] = {"choices": _spellings(values)} if name == "choice" else EMPTY
    return Guess(name, options, values.share(values.read_as(name).__contains__))


def date_order(texts: Iterable[str]) -> str | None:
    """Return the order of day and month that dates such as 16/07/2025 give away, or None."""
    first = second = 0
    for text in texts:
        match = _DAY_MONTH.match(text)
        if match is not None:
            first += int(match[1]) > 12
            second += int(match[3]) > 12
    if first == second:
        return None
    return DATE_ORDERS[0] if first > second else DATE_ORDERS[1]


def _reads(function: Callable[..., object], text: str) -> bool:
    try:
        function(text)
    except Unreadable:
        return False
    return True


def _boolean(values: ObservedValues) -> bool:
    if not values.mostly("boolean"):
        return False
    if values.truths == values.seen:
        return True
    function = READERS.get("boolean").function
    meanings = {function(text) for text in values.read_as("boolean")}
    return len(meanings) == 2 and not all(text.isdecimal() for text in values.texts)


def _date(values: ObservedValues) -> bool:
    return values.mostly("date") and values.share(_looks_dated) >= NEARLY_ALL


def _date_range(values: ObservedValues) -> bool:
    return values.mostly("date_range") and values.share(_looks_dated) >= NEARLY_ALL


def _time(values: ObservedValues) -> bool:
    return values.mostly("time") and all(_has_letter(t) or ":" in t for t in values.read_as("time"))


def _phone(values: ObservedValues) -> bool:
    return values.mostly("phone") and values.share(_matches(_PHONE)) >= NEARLY_ALL


def _money(values: ObservedValues) -> bool:
    if not values.mostly("money"):
        return False
    if values.read_as("money") - values.read_as("number") or _states_currency(values):
        return True
    return len(values.texts) > 1 and values.share(_finds(_AMOUNT)) >= 0.8


def _states_currency(values: ObservedValues) -> bool:
    read_money = READERS.get("money").function
    amounts = map(read_money, values.read_as("money"))
    return any(isinstance(amount, Amount) and amount.unit is not None for amount in amounts)


def _percent(values: ObservedValues) -> bool:
    marked = values.read_as("percent") - values.read_as("number")
    return values.mostly("percent") and values.share(marked.__contains__) >= 0.5


def _quantity(values: ObservedValues) -> bool:
    if len(values.texts) < 2 or not values.mostly("quantity"):
        return False
    measured = values.read_as("quantity") - values.read_as("number")
    units = [match[1].casefold() for text in measured if (match := _UNIT.fullmatch(text.strip()))]
    repeated = len({*units}) <= max(2, len(units) // 4)
    return bool(units) and len(units) == len(measured) and repeated


def _id(values: ObservedValues) -> bool:
    if len(values.texts) < 2 or not values.mostly("id"):
        return False
    if values.share(_looks_coded) >= NEARLY_ALL:
        return True
    digits = [re.sub(r"[ -]", "", text) for text in values.texts]
    if not all(text.isdecimal() and len(text) >= 6 for text in digits):
        return False
    same_length = len({*map(len, digits)}) == 1 and not values.numbers
    return same_length or all(len(text) >= 9 for text in digits)


def _number(values: ObservedValues) -> bool:
    if values.numbers == values.seen:
        return True
    return len(values.texts) > 1 and values.mostly("number") and not _zero_filled(values)


def _choice(values: ObservedValues) -> bool:
    distinct = len({text.casefold() for text in values.texts})
    short = all(len(text) <= LONGEST_CHOICE for text in values.texts)
    return short and 2 <= distinct <= MOST_CHOICES and values.seen >= max(6, 3 * distinct)


def _address(values: ObservedValues) -> bool:
    if len(values.texts) < 2 or values.share(_looks_placed) < 0.8:
        return False
    posted = values.share(lambda t: "," in t and _POSTCODE.search(t) is not None) >= 0.8
    return posted or values.share(_finds(_STREET)) >= 0.5


def _zero_filled(values: ObservedValues) -> bool:
    """Whether numbers are written as codes are: 007."""
    return any(re.match(r"0\d", text) for text in values.texts)


def _looks_dated(text: str) -> bool:
    return any(map(str.isdigit, text)) and _FULL_DATE.search(text) is not None


def _looks_coded(text: str) -> bool:
    """Whether letters and digits mix as in INV-001, or digits are filled up with zeros."""
    digits = sum(map(str.isdigit, text))
    code = digits >= 2 and _CODE.fullmatch(text.strip()) is not None
    return code and (_has_letter(text) or re.match(r"0\d", text) is not None)


def _looks_placed(text: str) -> bool:
    return any(map(str.isdigit, text)) and len(text.split()) >= 3


def _has_letter(text: str) -> bool:
    return any(map(str.isalpha, text))


def _matches(pattern: re.Pattern[str]) -> Callable[[str], bool]:
    return lambda text: pattern.fullmatch(text.strip()) is not None


def _finds(pattern: re.Pattern[str]) -> Callable[[str], bool]:
    return lambda text: pattern.search(text) is not None


def _spellings(values: ObservedValues) -> tuple[str, ...]:
    """Return the commonest spelling of each value, sorted."""
    spellings: dict[str, str] = {}
    for text, _ in sorted(values.texts.items(), key=lambda item: (-item[1], item[0])):
        spellings.setdefault(" ".join(text.split()).casefold(), " ".join(text.split()))
    return tuple(sorted(spellings.values()))


_GUESSES: tuple[tuple[str, Callable[[ObservedValues], bool]], ...] = (
    ("boolean", _boolean),
    ("date", _date),
    ("date_range", _date_range),
    ("time", _time),
    ("phone", _phone),
    ("money", _money),
    ("percent", _percent),
    ("quantity", _quantity),
    ("id", _id),
    ("number", _number),
    ("choice", _choice),
    ("address", _address),
)
