"""Dates: the calendar day, month or year that a text names.

A date is taken apart into numbers and words; what each number is follows from its length, its size
and whether a month was named. Only when two numbers could both be a month does the schema's order
(`dates`) decide. A time of day beside the date is left aside.
"""

from __future__ import annotations

import datetime
import re
from typing import NamedTuple

from docassay.errors import ConfigurationError, Unreadable
from docassay.model.schema import DATE_ORDERS
from docassay.read import reader
from docassay.read.calendar_names import FILLERS, MONTHS, WEEKDAYS
from docassay.read.characters import plain, unaccented

LONGEST = 80
PIVOT = 69
"""Two-digit years from here on lie in the 1900s, the others in the 2000s."""

_ISO = re.compile(r"([0-9]{4}|-)-([0-9]{2})-([0-9]{2})")
"""A day as ISO 8601 writes it, a dash in place of a year that is not given."""
_CLOCK = r"[0-2]?[0-9](?::[0-5][0-9]){1,2}(?:[.,][0-9]{1,9})? ?(?:[ap]\.? ?m\.?|uhr|h(?:rs)?)?"
_ZONE = r"(?: ?(?:z|utc|gmt|[a-z]{3,4}t|[+-][0-9]{2}:?[0-9]{2}))?"
_GAP = r"(?:(?<=[0-9])t|,? +(?:(?:at|um|a|kl\.?) +)?|(?<=[0-9]),)"
_TIME_BEHIND = re.compile(rf"{_GAP}{_CLOCK}{_ZONE}$")
_TIME_BEFORE = re.compile(rf"^{_CLOCK}(?:,| on)? +")
# Taken out before folding would turn them into letters, which in a date are misread zeros.
_ORDINALS = str.maketrans("", "", "ºª°")
_SHAPE = re.compile(r"[\w .,/\-'()]+")
_SHORT_YEAR = re.compile(r"(?<![0-9])'([0-9]{2})\b")
_PART = re.compile(r"[0-9]+|[^\W\d_]+")
_WORDS = FILLERS | WEEKDAYS | MONTHS.keys()


class Date(NamedTuple):
    """A day, or the month or year that a text leaves it at."""

    year: int | None
    month: int | None
    day: int | None

    @property
    def noun(self) -> str:
        """What such values are called."""
        return "dates"

    def __str__(self) -> str:
        if self.year is None:
            return f"--{self.month:02}-{self.day:02}"
        rest = "".join(f"-{part:02}" for part in (self.month, self.day) if part is not None)
        return f"{self.year:04}{rest}"

    def difference(self, other: Date) -> str:
        """Say in which part two different dates part ways."""
        if (self.day is None) != (other.day is None) or (self.year is None) != (other.year is None):
            return f"one date is less precise: {self} and {other}"
        if self.year == other.year and (self.month, self.day) == (other.day, other.month):
            return "day and month are swapped"
        parts = zip(("year", "month", "day"), self, other, strict=True)
        differing = [(name, mine, theirs) for name, mine, theirs in parts if mine != theirs]
        if len(differing) == 1:
            name, mine, theirs = differing[0]
            return f"the {name}s differ: {mine} and {theirs}"
        return f"the dates differ: {self} and {other}"


@reader("date")
def read_date(text: str, *, dates: str = "day-first") -> Date:
    """Read a date; `dates` says whether 03/04/2025 is day-first or month-first."""
    date = parse_date(text, day_first=is_day_first(dates))
    if date is None:
        raise Unreadable("not a date")
    return date


def is_day_first(dates: str) -> bool:
    """Return whether the order named in a schema puts the day first; another word is an error."""
    if dates not in DATE_ORDERS:
        raise ConfigurationError(
            f"option dates: {dates!r} is no order of day and month",
            hint="there is: " + ", ".join(DATE_ORDERS),
        )
    return dates == DATE_ORDERS[0]


def parse_date(text: str, *, day_first: bool) -> Date | None:
    """Return the date that a text names, or None when it names none."""
    iso = _ISO.fullmatch(text)
    if iso is not None:
        return _date(None if iso[1] == "-" else int(iso[1]), int(iso[2]), int(iso[3]))
    if len(text) > LONGEST:
        return None
    line = unaccented(plain(text).translate(_ORDINALS))
    if ":" in line:
        line = _TIME_BEFORE.sub("", _TIME_BEHIND.sub("", line))
    if _SHAPE.fullmatch(line) is None:
        return None
    if "'" in line:
        line = _SHORT_YEAR.sub(lambda found: str(_year(found[1])), line)
    parts = _PART.findall(line)
    numbers = [part for part in parts if part[0].isdecimal()]
    months = [part for part in parts if part in MONTHS]
    if not all(part in _WORDS for part in parts if not part[0].isdecimal()):
        return None
    # "mar." is Tuesday in French and Spanish when another month follows.
    if len(months) == 2 and months[0] == "mar":
        del months[0]
    if len(months) > 1:
        return None
    if months:
        return _with_month_name(MONTHS[months[0]], numbers)
    return _from_numbers(numbers, day_first=day_first)


def _with_month_name(month: int, numbers: list[str]) -> Date | None:
    match numbers:
        case [only] if len(only) == 4:
            return _date(int(only), month, None)
        case [only] if len(only) <= 2:
            return _date(None, month, int(only))
        case [year, day] if len(year) == 4:
            return _date(int(year), month, int(day))
        case [day, year]:
            return _date(_year(year), month, int(day))
    return None


def _from_numbers(numbers: list[str], *, day_first: bool) -> Date | None:
    match numbers:
        case [only]:
            return _compact(only, day_first=day_first)
        case [year, month] if len(year) == 4:
            return _date(int(year), int(month), None)
        case [month, year] if len(year) == 4:
            return _date(int(year), int(month), None)
        case [first, second] if len(first) <= 2 and len(second) <= 2:
            return _date(None, *_in_order(int(first), int(second), day_first=day_first))
        case [year, month, day] if len(year) == 4 or (int(year) > 31 and len(day) <= 2):
            return _date(_year(year), int(month), int(day))
        case [first, second, year]:
            return _date(_year(year), *_in_order(int(first), int(second), day_first=day_first))
    return None


def _in_order(first: int, second: int, *, day_first: bool) -> tuple[int, int]:
    """Return month and day of two numbers, of which perhaps only one can be a month."""
    if first <= 12 and (second > 12 or not day_first):
        return first, second
    return second, first


def _compact(digits: str, *, day_first: bool) -> Date | None:
    if len(digits) == 4:
        return _date(int(digits), None, None)
    if len(digits) not in (8, 14):
        return None
    date = _date(int(digits[:4]), int(digits[4:6]), int(digits[6:8]))
    if date is not None and date.year is not None and 1900 <= date.year < 2100:
        return date
    return _from_numbers([digits[:2], digits[2:4], digits[4:8]], day_first=day_first)


def _year(digits: str) -> int | None:
    if len(digits) == 4:
        return int(digits)
    if len(digits) != 2:
        return 0
    return int(digits) + (1900 if int(digits) >= PIVOT else 2000)


def _date(year: int | None, month: int | None, day: int | None) -> Date | None:
    """Return the date if the calendar has it; 2024 stands in for a year that is not given."""
    if year is not None and not 1000 <= year <= 2999:
        return None
    try:
        datetime.date(
            2024 if year is None else year,
            1 if month is None else month,
            1 if day is None else day,
        )
    except (ValueError, OverflowError):
        return None
    return Date(year, month, day)
