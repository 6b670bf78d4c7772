"""Some signs of a text and nothing else: `digits`, and `alphanumeric` for letters and digits.

Digits of any script are read as the ASCII ones. Marks that belong to a letter (accents, the vowels
of Devanagari) stay with it, so that words which differ only in them remain apart.
"""

from __future__ import annotations

import unicodedata

from docassay.errors import Unreadable
from docassay.read import reader
from docassay.read.characters import plain


@reader("digits")
def read_digits(text: str) -> str:
    """Read the digits of a text, in order; a text without any is not readable."""
    found = "".join(filter(str.isdecimal, plain(text)))
    if not found:
        raise Unreadable("not a text with digits")
    return found


@reader("alphanumeric")
def read_alphanumeric(text: str) -> str:
    """Read the letters and digits of a text, of any script and with their case."""
    line = plain(text)
    if line.isascii():
        found = "".join(filter(str.isalnum, line))
    else:
        composed = unicodedata.normalize("NFC", line)
        found = "".join(
            one for one in composed if one.isalnum() or unicodedata.category(one)[0] == "M"
        )
    if not found:
        raise Unreadable("not a text with letters or digits")
    return found
