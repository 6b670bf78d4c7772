"""Text from documents, made harmless for where it is shown: a terminal, Markdown, a spreadsheet."""

from __future__ import annotations

import re

from docassay.load.kept import guarded

# line breaks and tabs stay: CSV keeps them in quotes
_CONTROL = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
_TICKS = re.compile("`+")


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
