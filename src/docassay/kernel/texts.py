"""Texts as they are, numbers among them."""

from __future__ import annotations

QUOTED, SEPARATING, UNUSUAL = 1, 2, 4
"""Signs in a text: quotes and commas, bars, and all that is not ASCII that prints."""


def as_text(text: str) -> str:
    """Return a text, which may be of a class of its own as a number is: compiled, without a copy.

    What is compiled takes a variable that holds a `str` for exactly that.
    """
    return text


def signs_in(text: str) -> int:
    """Return which signs a text has."""
    signs = 0
    for character in text:
        if character == '"' or character == ",":
            signs |= QUOTED
        elif character == "|":
            signs |= SEPARATING
        elif not " " <= character <= "~":
            signs |= UNUSUAL
    return signs


def stands_in_json(text: str) -> bool:
    """Return whether a text stands between the quotes of JSON as it is."""
    return all(character >= " " and character not in '"\\' for character in text)


def is_ascii(text: str) -> bool:
    """Return whether a text is in ASCII, as `isascii` does: compiled, without a call."""
    return text.isascii()
