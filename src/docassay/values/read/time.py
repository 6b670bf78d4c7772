"""Times of day, to the second: 14:05, 2:05 pm, 14h05 and 14.05 Uhr are one time."""

from __future__ import annotations

import re

from docassay.errors import Unreadable
from docassay.values.read.characters import plain, unaccented
from docassay.values.read.date import parse_date
from docassay.values.reader import reader

_LONGEST = 80
_TIME = re.compile(
    r"(?:(?:at|um|kl\.?|a las|ore|a|godz\.?|godzina|pukul|jam|pkl\.?|time:?) )?"
    r"(?:(?P<before>[ap]m) ?)?(?P<hour>[0-9]{1,2})"
    r"(?:(?: ?(?:[:.h]|uhr|[時时点點시]) ?)(?P<minute>[0-9]{1,2})"
    r"(?:(?:[:.']|[分분] ?)(?P<second>[0-9]{2})(?:[.,](?P<part>[0-9]{1,9}))?)?)?"
    r" ?(?P<unit>uhr|hrs|hours|h|min|[時时点點시分분秒초])?\.? ?(?P<half>[ap](?:\.? ?m)?\.?)?"
    r"(?: ?(?:z|utc|gmt|\(?[a-z]{2,4}t\)?|wib|wita|[+-][0-9]{2}:?[0-9]{2}))?"
)
_MILITARY = re.compile(r"([01][0-9]|2[0-4])([0-5][0-9]) ?(?:hrs|hours|h)?\.?")
_MINUTE_SIGNS = frozenset("分분秒초")
_NAMED = {
    **dict.fromkeys(("noon", "midday", "12 noon", "mittag", "midi", "mediodia"), "12:00"),
    **dict.fromkeys(("midnight", "12 midnight", "mitternacht", "minuit", "medianoche"), "00:00"),
}
_HALVES = {"上午": "am", "午前": "am", "오전": "am", "下午": "pm", "午後": "pm", "오후": "pm"}
_HALVES |= {"पूर्वाह्न": "am", "अपराह्न": "pm", "صباحا": "am", "مساء": "pm"}


@reader("time")
def read_time(text: str) -> str:
    """Read a time of day as HH:MM or HH:MM:SS; a date before it and a time zone are left aside."""
    line = plain(text) if len(text) <= _LONGEST else ""
    for word, half in _HALVES.items():
        line = line.replace(word, f"{half} ")
    line = plain(unaccented(line))
    time = _parse(line) or _behind_date(line)
    if time is None:
        raise Unreadable("not a time of day")
    return time


def _behind_date(line: str) -> str | None:
    for gap in re.finditer(r"(?<=[0-9])t(?=[0-9])|,? ", line):
        time = _parse(line[gap.end() :])
        if time is not None and parse_date(line[: gap.start()], day_first=True) is not None:
            return time
    return None


def _parse(line: str) -> str | None:
    if line in _NAMED:
        return _NAMED[line]
    military = _MILITARY.fullmatch(line)
    if military is not None:
        return _clock(int(military[1]), int(military[2]), 0, "")
    match = _TIME.fullmatch(line)
    if match is None:
        return None
    half = match["half"] or match["before"]
    minute = match["minute"]
    if minute is not None and len(minute) == 1 and match["unit"] not in _MINUTE_SIGNS:
        return None
    if minute is None and half is not None and half.strip(". ") in ("a", "p"):
        return None
    # A bare number is no time, and a point between numbers needs a word beside it.
    if match["minute"] is None and half is None and match["unit"] in (None, "min"):
        return None
    hour = _hour(int(match["hour"]), half)
    if hour is None:
        return None
    return _clock(hour, int(match["minute"] or 0), int(match["second"] or 0), match["part"] or "")


def _hour(hour: int, half: str | None) -> int | None:
    if half is None:
        return hour
    if half[0] == "p":
        return hour + 12 if hour < 12 else hour
    if hour > 12:
        return None
    return hour % 12


def _clock(hour: int, minute: int, second: int, part: str) -> str | None:
    if hour > 24 or minute > 59 or second > 59 or (hour == 24 and (minute or second)):
        return None
    part = part.rstrip("0")
    seconds = f":{second:02}{'.' if part else ''}{part}" if second or part else ""
    return f"{hour % 24:02}:{minute:02}{seconds}"
