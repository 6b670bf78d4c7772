"""Checksums of identifiers: whether the check digits of a number agree with the rest of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

_ABN_WEIGHTS = (10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19)
_ACN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 1)
_IBAN = re.compile(r"[a-z]{2}[0-9]{2}[a-z0-9]{11,30}")
_REFERENCE = re.compile(r"rf[0-9]{2}[a-z0-9]{1,21}")
_ISBN_10 = re.compile(r"[0-9]{9}[0-9x]")


def abn(text: str) -> bool:
    """Whether eleven digits are an Australian Business Number (weighted sum, modulo 89)."""
    digits = _digits(text, 11)
    # the first digit counts one less, so that a number cannot begin with 0
    return bool(digits) and digits[0] > 0 and (_weighed(digits, _ABN_WEIGHTS) - 10) % 89 == 0


def acn(text: str) -> bool:
    """Whether nine digits are an Australian Company Number (weighted sum, modulo 10)."""
    digits = _digits(text, 9)
    return bool(digits) and (_weighed(digits[:8], _ACN_WEIGHTS) + digits[8]) % 10 == 0


def iban(text: str) -> bool:
    """Whether a text is an international bank account number (ISO 13616, modulo 97)."""
    return _IBAN.fullmatch(text) is not None and _remainder_97(text) == 1


def creditor_reference(text: str) -> bool:
    """Whether a text is a structured creditor reference, RF… (ISO 11649, modulo 97)."""
    return _REFERENCE.fullmatch(text) is not None and _remainder_97(text) == 1


def luhn(text: str) -> bool:
    """Whether digits pass the Luhn check, as the numbers of payment cards do."""
    digits = _digits(text)
    doubled = (sum(divmod(2 * digit, 10)) for digit in digits[-2::-2])
    return len(digits) > 1 and (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


def gtin(text: str) -> bool:
    """Whether 8, 12, 13 or 14 digits are the number of a bar code (GTIN, EAN, UPC; modulo 10)."""
    digits = _digits(text)
    valid = len(digits) in (8, 12, 13, 14)
    return valid and (sum(digits[-1::-2]) + 3 * sum(digits[-2::-2])) % 10 == 0


def isbn(text: str) -> bool:
    """Whether a text is an ISBN: ten characters modulo 11, or thirteen digits from 978 or 979."""
    if _ISBN_10.fullmatch(text):
        digits = [10 if one == "x" else int(one) for one in text]
        return _weighed(digits, range(10, 0, -1)) % 11 == 0
    return len(text) == 13 and text[:3] in ("978", "979") and gtin(text)


class Checksum(NamedTuple):
    """A checksum and what it is a checksum of."""

    function: Callable[[str], bool]
    """Takes letters and digits only, in lower case."""
    noun: str


CHECKSUMS = {
    "abn": Checksum(abn, "an ABN"),
    "acn": Checksum(acn, "an ACN"),
    "creditor_reference": Checksum(creditor_reference, "a creditor reference"),
    "gtin": Checksum(gtin, "a GTIN"),
    "iban": Checksum(iban, "an IBAN"),
    "isbn": Checksum(isbn, "an ISBN"),
    "luhn": Checksum(luhn, "a number with a Luhn check digit"),
}


def _digits(text: str, length: int | None = None) -> list[int]:
    """Return the digits of a text that is nothing else, and of this length if one is given."""
    right = text.isascii() and text.isdecimal() and length in (None, len(text))
    return [*map(int, text)] if right else []


def _weighed(digits: Sequence[int], weights: Sequence[int]) -> int:
    return sum(digit * weight for digit, weight in zip(digits, weights, strict=True))


def _remainder_97(text: str) -> int:
    """Return a text modulo 97, its first four characters last and each letter as its number."""
    moved = text[4:] + text[:4]
    return int("".join(str(int(one, 36)) for one in moved)) % 97
