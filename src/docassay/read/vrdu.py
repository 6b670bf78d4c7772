"""The VRDU benchmark's texts: what each of its released match functions keeps before comparing.

They know ASCII only, fold no case and normalise no Unicode. Nothing is unreadable to them, and the
empty text is a value like any other.
"""

from __future__ import annotations

import re

from docassay.read import reader

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


@reader("vrdu_date", blank=True)
def read_date(text: str) -> str:
    """Keep ASCII letters, digits, slashes, hyphens and commas, as DateMatch does."""
    return _NOT_IN_DATES.sub("", text)


@reader("vrdu_price", blank=True)
def read_price(text: str) -> str:
    """Keep ASCII digits and full stops, as PriceMatch does."""
    return _NOT_IN_PRICES.sub("", text)


@reader("vrdu_address", blank=True)
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
