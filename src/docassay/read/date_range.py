"""Date ranges: two dates, the first of which may borrow month and year from the second."""

from __future__ import annotations

import calendar
import re
from typing import NamedTuple

from docassay.errors import Unreadable
from docassay.read import reader
from docassay.read.characters import plain, unaccented
from docassay.read.date import Date, is_day_first, parse_date

LONGEST = 120
_OPENING = re.compile(r"^(?:period|from|between|vom|von|du|del|dal|de|desde|van|od|fra)\b:? *")
_BETWEEN = re.compile(
    r" (?:to|until|till|through|thru|and|bis|zum|au|al|a|ate|hasta|tot|do|til|och|-|/) "
    r"| ?\.\.+ ?| ?- ?|/"
)
_LETTERS = re.compile(r"[^\W\d_]{3,}")


class DateRange(NamedTuple):
    """The first and the last day of a period."""

    start: Date
    end: Date

    @property
    def noun(self) -> str:
        """What such values are called."""
        return "date ranges"

    def __str__(self) -> str:
        return f"{self.start}/{self.end}"

    def difference(self, other: DateRange) -> str:
        """Say which end of two different ranges differs."""
        if self.start == other.start:
            return f"the ends differ: {self.end.difference(other.end)}"
        if self.end == other.end:
            return f"the starts differ: {self.start.difference(other.start)}"
        return f"both ends differ: {self} and {other}"


@reader("date_range")
def read_date_range(text: str, *, dates: str = "day-first") -> DateRange:
    """Read two dates, or a month or year from its first day to its last; `dates` as for dates."""
    day_first = is_day_first(dates)
    line = unaccented(plain(text)) if len(text) <= LONGEST else ""
    line = _OPENING.sub("", line)
    single = parse_date(line, day_first=day_first)
    if single is not None and single.year is not None:
        return DateRange(_first_day(single), _last_day(single))
    # Words and dashes between spaces part dates more surely than the marks inside a date.
    for between in sorted(_BETWEEN.finditer(line), key=lambda found: found[0][0] != " "):
        left, right = line[: between.start()], line[between.end() :]
        found = _range(left.strip(), right.strip(), day_first=day_first)
        if found is not None:
            return found
    raise Unreadable("not a date range")


def _range(left: str, right: str, *, day_first: bool) -> DateRange | None:
    end = _end(left, right, day_first=day_first)
    if end is None or end.year is None:
        return None
    start = _start(left, end, day_first=day_first)
    return None if start is None else DateRange(_first_day(start), _last_day(end))


def _end(left: str, right: str, *, day_first: bool) -> Date | None:
    month = _LETTERS.search(left)
    # "July 1 - 5, 2025": what follows the dash is a day of the month before it.
    if month is not None and _LETTERS.search(right) is None:
        shared = parse_date(f"{month[0]} {right}", day_first=day_first)
        if shared is not None and shared.day is not None:
            return shared
    return parse_date(right, day_first=day_first)


def _start(left: str, end: Date, *, day_first: bool) -> Date | None:
    start = parse_date(left, day_first=day_first)
    if start is not None and start.year is not None:
        return start
    if left.rstrip(".").isdecimal() and end.day is not None:
        return parse_date(f"{end.year}-{end.month:02}-{left.rstrip('.'):0>2}", day_first=day_first)
    if end.year is None:
        return None
    start = parse_date(f"{left} {end.year}", day_first=day_first)
    if start is None or str(start) <= str(end):
        return start
    return parse_date(f"{left} {end.year - 1}", day_first=day_first)


def _first_day(date: Date) -> Date:
    return Date(date.year, date.month or 1, date.day or 1)


def _last_day(date: Date) -> Date:
    month = date.month or 12
    return Date(date.year, month, date.day or calendar.monthrange(date.year or 2024, month)[1])
