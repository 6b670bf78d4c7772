"""Formats: the same value written in another way, which a fair comparison forgives."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from docassay.synth.draw import Draw, pick
from docassay.synth.words import MONTHS

Reformat = Callable[[str, Draw], str | None]
"""(text in the notation of gold, draws) -> another notation, None where there is no other."""

_DATE_PATTERNS = (
    "{y}-{m}-{d}",
    "{d} {name} {y}",
    "{d}-{short}-{yy}",
    "{short} {d}, {y}",
    "{d}.{m}.{y}",
)


def _case(text: str, draw: Draw) -> str:
    return text.upper() if draw() < 0.7 else text.lower()


def _white_space(text: str, draw: Draw) -> str:
    if " " not in text:
        return f" {text}" if draw() < 0.5 else f"{text} "
    words = text.split(" ")
    place = 1 + int(draw() * (len(words) - 1))
    gap = "\n" if draw() < 0.4 else "  "
    return f"{' '.join(words[:place])}{gap}{' '.join(words[place:])}"


def _date_format(text: str, draw: Draw) -> str:
    pattern = pick(draw, _DATE_PATTERNS)
    return " to ".join(_write_date(date, pattern) for date in text.split(" to "))


def _write_date(text: str, pattern: str) -> str:
    day, month, year = text.split("/")
    name = MONTHS[int(month) - 1]
    return pattern.format(d=day, m=month, y=year, yy=year[2:], name=name, short=name[:3])


def _money_format(text: str, draw: Draw) -> str:
    sign, digits = ("-", text[2:]) if text.startswith("-") else ("", text[1:])
    return pick(
        draw,
        (
            f"{sign}{digits}",
            f"{sign}{digits.replace(',', '')}",
            f"{sign}${digits.replace(',', '')}",
            f"{sign}AUD {digits}",
        ),
    )


def _quantity_format(text: str, draw: Draw) -> str | None:
    return None if "." in text else f"{text}.0" if draw() < 0.6 else f"{text}.00"


def _id_format(text: str, draw: Draw) -> str:
    bare, dashed = text.replace(" ", ""), text.replace(" ", "-")
    return pick(draw, (bare, dashed, f"ABN {text}", f"ABN: {bare}"))


_WORDS: tuple[tuple[str, Reformat], ...] = (("case", _case), ("white_space", _white_space))
_SPACE = _WORDS[1]
_REFORMATS: Mapping[str, tuple[tuple[str, Reformat], ...]] = {
    "document_type": (_WORDS[0],),
    "id": (("id_format", _id_format), _SPACE),
    "name": _WORDS,
    "address": _WORDS,
    "text": _WORDS,
    "date": (("date_format", _date_format),),
    "date_range": (("date_format", _date_format), _SPACE),
    "boolean": (_WORDS[0],),
    "quantity": (("number_format", _quantity_format),),
    "money": (("number_format", _money_format),) * 3 + (_SPACE,),
}
HARMLESS = frozenset(cause for forms in _REFORMATS.values() for cause, _ in forms)
"""Causes that change how a value is written but not what it means."""


def reformat(text: str, kind: str, draw: Draw) -> tuple[str, str] | None:
    """Return the cause and the same value written in another way, if there is one."""
    cause, form = pick(draw, _REFORMATS[kind])
    written = form(text, draw)
    return None if written is None or written == text else (cause, written)
