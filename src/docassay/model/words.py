"""Numbers and text as people read them, and text from documents made harmless where it is shown."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

UNDEFINED = "–"
SMALLEST_P = 0.001
"""Below this, a p-value is not written out."""
MOST_LISTED = 10
"""How many lines the short form of a result has."""
# line breaks and tabs stay: CSV keeps them in quotes
_CONTROL = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
_TICKS = re.compile("`+")
# Spreadsheets skip spaces and characters without width before a sign, and some accept the
# full-width signs of East Asian keyboards; a tab or line break may begin a cell of its own.
_FORMULA = re.compile(
    "[\\s'\u00ad\u061c\u180e\u200b-\u200f\u2060-\u2064\u206a-\u206f\ufeff]*"
    "[=+\\-@\uff1d\uff0b\uff0d\uff20\t\r\n]"
)


def number(value: float | int | None) -> str:
    """Return a count with its thousands apart, a share with four decimals, or a dash."""
    if value is None:
        return UNDEFINED
    return f"{value:,}" if isinstance(value, int) else f"{value:.4f}"


def count(amount: float | int | None, one: str, many: str | None = None) -> str:
    """Return an amount with its noun: "1 document", "2 documents"."""
    noun = one if amount == 1 else many or f"{one}s"
    return f"{number(amount)} {noun}"


def visible(text: str) -> str:
    """Return the text with every character that does not print written as its escape.

    So no escape sequence reaches a terminal, and what makes two texts differ can be seen.
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else _escape(char) for char in text)


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def cut(text: str, length: int) -> str:
    """Return the text, or its beginning and its length in characters."""
    return text if len(text) <= length else f"{text[:length]}… ({len(text):,} characters)"


def listed(first: str, lines: Sequence[str], most: int = MOST_LISTED) -> str:
    """Return lines below a first, each made harmless, and how many more there are."""
    more = [f"  and {len(lines) - most:,} more"] if len(lines) > most else []
    return "\n".join(map(visible, (first, *(f"  {line}" for line in lines[:most]), *more)))


def cell(text: str) -> str:
    """Return a text for a CSV file that no spreadsheet evaluates as a formula: '=1+1 for =1+1.

    Control characters are written as their escapes, because CSV is shown on terminals as well.
    """
    if text.isprintable():
        return guarded(text)
    return guarded(_CONTROL.sub(lambda control: _escape(control[0]), text))


def has_control(text: str) -> bool:
    """Return whether a text has characters that `cell` writes as their escapes."""
    return not text.isprintable() and _CONTROL.search(text) is not None


def code(text: str) -> str:
    """Return a text as Markdown code, in which nothing is markup or mentions anyone."""
    shown = visible(text)
    longest = max((len(ticks) for ticks in _TICKS.findall(shown)), default=0)
    fence = "`" * (longest + 1)
    edge = " " if not shown or shown.startswith("`") or shown.endswith("`") else ""
    return f"{fence}{edge}{shown}{edge}{fence}"


def guarded(text: str) -> str:
    """Return a text with an apostrophe before it where a spreadsheet would evaluate it."""
    return f"'{text}" if _FORMULA.match(text) else text


def unguarded(text: str) -> str:
    """Return a cell without the apostrophe that `guarded` put before it."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text, 1) else text


def first_names(names: Sequence[str], most: int) -> str:
    """Return the first of some names, and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def p_value(p: float | None) -> str:
    """Return a p-value as it is written in a table, "" where nothing was tested."""
    if p is None:
        return ""
    return f"< {SMALLEST_P}" if p < SMALLEST_P else f"{p:.3f}"


def chance(p: float | None) -> str:
    """Return a p-value as it is written in a sentence, "" where nothing was tested."""
    if p is None:
        return ""
    return f"p < {SMALLEST_P}" if p < SMALLEST_P else f"p = {p:.3f}"


def explain_command(
    places: Sequence[str], id: str, options: Sequence[str] = (), *, without_gold: bool = False
) -> str:
    """Return the command that explains a document; `--` comes before what begins like an option."""
    start = ["docassay", "explain", *(["--no-gold"] if without_gold else [])]
    given = (*places, id)
    if any(word.startswith("-") for word in given):
        return shlex.join([*start, *options, "--", *given])
    return shlex.join([*start, *given, *options])
