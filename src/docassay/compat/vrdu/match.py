"""The released VRDU match functions: three comparators of their own, and the table of all seven.

Dates, prices and addresses match by a tolerance, so no key can stand for equality; the other four
compare what their reader keeps. Month names are English whatever the locale of the machine says.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Hashable, Mapping
from functools import lru_cache
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from docassay.values.comparator import comparator
from docassay.values.reader import reader

_NOT_IN_DATES = re.compile(r"[^0-9A-Za-z/,-]")
_NOT_IN_PRICES = re.compile(r"[^0-9.]")
_NOT_DIGITS = re.compile(r"[^0-9]")
_NOT_ALPHANUMERIC = re.compile(r"[^0-9A-Za-z]")


class Kept(str):
    """What is left of a text, with the word for what was kept of it."""

    __slots__ = ("word",)
    word: str

    def __new__(cls, text: str, word: str) -> Kept:
        """Return the text with its word."""
        kept = super().__new__(cls, text)
        kept.word = word
        return kept

    @property
    def noun(self) -> str:
        """What equal values are equal as, which may be in having nothing that counts."""
        return self.word if self else f"texts without {self.word}"


@reader("vrdu_date", compare="vrdu_date", blank=True)
def read_date(text: str) -> str:
    """Keep ASCII letters, digits, slashes, hyphens and commas, as DateMatch does."""
    return _NOT_IN_DATES.sub("", text)


@reader("vrdu_price", compare="vrdu_price", blank=True)
def read_price(text: str) -> str:
    """Keep ASCII digits and full stops, as PriceMatch does."""
    return _NOT_IN_PRICES.sub("", text)


@reader("vrdu_address", compare="vrdu_address", blank=True)
def read_address(text: str) -> str:
    """Keep the text with single spaces, as AddressMatch does."""
    return " ".join(text.split())


@reader("vrdu_numerical", blank=True)
def read_numerical(text: str) -> Kept:
    """Keep ASCII digits, as NumericalStringMatch does."""
    return Kept(_NOT_DIGITS.sub("", text), "ASCII digits")


@reader("vrdu_general", blank=True)
def read_general(text: str) -> Kept:
    """Keep ASCII letters and digits, as GeneralStringMatch does."""
    return Kept(_NOT_ALPHANUMERIC.sub("", text), "ASCII letters and digits")


@reader("vrdu_name", blank=True)
def read_name(text: str) -> str:
    """Keep everything but white space, as NameMatch does."""
    return "".join(text.split())


@reader("vrdu_default", blank=True)
def read_default(text: str) -> str:
    """Keep the text with single spaces, as DefaultMatch does."""
    return " ".join(text.split())


MOST_EDITS = 3
MOST_APART = 0.01

_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july"),
    *("august", "september", "october", "november", "december"),
)
_PARTS = {
    "%m": "(?P<month>1[0-2]|0?[1-9])",
    "%d": "(?P<day>3[01]|[12][0-9]|0?[1-9])",
    "%y": "(?P<short>[0-9]{2})",
    "%Y": "(?P<year>[0-9]{4})",
    "%b": f"(?P<name>{'|'.join(month[:3] for month in _MONTHS)})",
    "%B": f"(?P<name>{'|'.join(_MONTHS)})",
}
_WRITTEN = (
    *("%m/%d/%y", "%m/%d/%Y", "%m/%d", "%b%d/%y"),
    *("%m-%d-%Y", "%m-%d-%y", "%B%d,%Y", "%Y/%m/%d"),
)
_PATTERNS = tuple(
    re.compile(re.sub("%[a-zA-Z]", lambda part: _PARTS[part[0]], written), re.IGNORECASE | re.ASCII)
    for written in _WRITTEN
)
_NO_YEAR = 1900
_FIRST_SHORT_YEAR = 1969


@lru_cache(maxsize=65_536)
def decode_date(text: str) -> datetime.date | None:
    """Return the day that the first fitting pattern makes of a text, or None."""
    for pattern in _PATTERNS:
        written = pattern.fullmatch(text)
        day = None if written is None else _day(written.groupdict())
        if day is not None:
            return day
    return None


def _day(parts: Mapping[str, str]) -> datetime.date | None:
    year = int(parts.get("year", _NO_YEAR))
    if "short" in parts:
        year = _FIRST_SHORT_YEAR + (int(parts["short"]) - _FIRST_SHORT_YEAR) % 100
    month = _month(parts["name"]) if "name" in parts else int(parts["month"])
    try:
        return datetime.date(year, month, int(parts["day"]))
    except ValueError:
        return None


def _month(name: str) -> int:
    return 1 + next(at for at, month in enumerate(_MONTHS) if month.startswith(name.lower()))


def dates_match(gold: str, pred: str) -> bool:
    """Whether two dates are the same day, or would be with day and month swapped."""
    left, right = decode_date(gold), decode_date(pred)
    if left is None or right is None:
        return read_general(gold) == read_general(pred)
    return left.year == right.year and (right.month, right.day) in (
        (left.month, left.day),
        (left.day, left.month),
    )


def prices_match(gold: str, pred: str) -> bool:
    """Whether two amounts are at most a cent apart, as binary floating point sees it.

    The released tool matches a text without an amount ("$", "N/A") with nothing, itself included.
    """
    left, right = _price(gold), _price(pred)
    return left is not None and right is not None and abs(left - right) <= MOST_APART


def _price(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def addresses_match(gold: str, pred: str) -> bool:
    """Whether at most three edits lie between two texts, however short they are."""
    return Levenshtein.distance(gold, pred, score_cutoff=MOST_EDITS) <= MOST_EDITS


def texts_match(gold: str, pred: str) -> bool:
    """Whether the same was kept of two texts."""
    return gold == pred


class MatchFunction(NamedTuple):
    """A match function: what it keeps of a text, and when two kept texts match."""

    read: Callable[[str], str]
    match: Callable[[str, str], bool]

    def accepts(self, gold: str, pred: str) -> bool:
        """Whether two texts as found match."""
        return self.match(self.read(gold), self.read(pred))


MATCH_FUNCTIONS: Mapping[str, MatchFunction] = {
    "vrdu_date": MatchFunction(read_date, dates_match),
    "vrdu_price": MatchFunction(read_price, prices_match),
    "vrdu_address": MatchFunction(read_address, addresses_match),
    "vrdu_numerical": MatchFunction(read_numerical, texts_match),
    "vrdu_general": MatchFunction(read_general, texts_match),
    "vrdu_name": MatchFunction(read_name, texts_match),
    "vrdu_default": MatchFunction(read_default, texts_match),
}
"""By the name of the field type."""
TYPE_OF_CLASS: Mapping[str, str] = {
    "DateMatch": "vrdu_date",
    "PriceMatch": "vrdu_price",
    "AddressMatch": "vrdu_address",
    "NumericalStringMatch": "vrdu_numerical",
    "GeneralStringMatch": "vrdu_general",
    "NameMatch": "vrdu_name",
    "DefaultMatch": "vrdu_default",
}
"""The names that a meta.json uses; any other means DefaultMatch there."""


def why_date(gold: Hashable, pred: Hashable) -> str:
    """Say which day each side was taken for, or that letters and digits had to do."""
    left, right = decode_date(str(gold)), decode_date(str(pred))
    matched = dates_match(str(gold), str(pred))
    if left is None or right is None:
        outcome = "are equal" if matched else "differ"
        return f"not both in a known pattern, and their ASCII letters and digits {outcome}"
    if not matched:
        return f"days differ: {left} and {right}"
    return f"both {left}" if left == right else f"day and month swapped: {left} and {right}"


def why_price(gold: Hashable, pred: Hashable) -> str:
    """Say how far apart the amounts are, or which side has none."""
    left, right = _price(str(gold)), _price(str(pred))
    if left is None or right is None:
        side = "gold" if left is None else "pred"
        return f"{side} is no amount after dropping all but digits and full stops: never a match"
    if left == right:
        return "equal as amounts without sign and currency"
    distance = "at most" if prices_match(str(gold), str(pred)) else "more than"
    return f"amounts {distance} {MOST_APART} apart: {gold} and {pred}"


def why_address(gold: Hashable, pred: Hashable) -> str:
    """Say how many edits lie between the texts."""
    edits = Levenshtein.distance(str(gold), str(pred))
    if edits == 0:
        return "equal"
    limit = "within" if edits <= MOST_EDITS else "more than"
    return f"{edits} {'edit' if edits == 1 else 'edits'} apart, {limit} {MOST_EDITS}"


@comparator("vrdu_date", why=why_date, binary=True)
def vrdu_date(gold: Hashable, pred: Hashable) -> float:
    """1 for the same day, day and month swapped or not; else by ASCII letters and digits."""
    return float(dates_match(str(gold), str(pred)))


@comparator("vrdu_price", why=why_price, binary=True)
def vrdu_price(gold: Hashable, pred: Hashable) -> float:
    """1 when the amounts are at most 0.01 apart in binary floating point; no amount never is."""
    return float(prices_match(str(gold), str(pred)))


@comparator("vrdu_address", why=why_address, binary=True)
def vrdu_address(gold: Hashable, pred: Hashable) -> float:
    """1 when at most three edits lie between the texts."""
    return float(addresses_match(str(gold), str(pred)))
