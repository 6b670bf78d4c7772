"""Texts as they are, numbers among them."""

from __future__ import annotations


def as_text(text: str) -> str:
    """Return a text, which may be of a class of its own as a number is: compiled, without a copy.

    What is compiled takes a variable that holds a `str` for exactly that.
    """
    return text


def is_ascii(text: str) -> bool:
    """Return whether a text is in ASCII, as `isascii` does: compiled, without a call."""
    return text.isascii()
