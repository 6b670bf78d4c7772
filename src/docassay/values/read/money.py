"""Amounts of money: a Decimal and its currency, by sign, code or name, before or after.

A sign that several countries use ("$", "kr", "¥") means the field's own currency when that is one
of them, and else the best known: "$" is USD. So every text has one meaning, and equality is settled
by comparing two of them. An amount that states no currency agrees with any.
"""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache

from docassay.errors import ConfigurationError, Unreadable
from docassay.kernel.digits import digits_of
from docassay.kernel.senses import usual_amount
from docassay.values.read.characters import unaccented
from docassay.values.read.currencies import CODES, MARKS, THREE_DECIMALS
from docassay.values.read.number import (
    MAGNITUDES,
    Amount,
    decimal_marks,
    decimal_of,
    dissect,
    multiplied,
)
from docassay.values.reader import reader

_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_RAISED = re.compile(
    "(?<=[0-9])[.,]?([⁰¹²³⁴⁵⁶⁷⁸⁹]{2})(?![⁰¹²³⁴⁵⁶⁷⁸⁹0-9])|(?<=[0-9])\\^([0-9]{2})(?![0-9])"
)
_SIGN = re.compile(r"[^\w\s.,/]")
# Receipts put "@" before a price for one and "*" beside a taxed one.
_SILENT = str.maketrans("", "", ".@*")
BOOKED = {"cr": False, "dr": True}
"""Whether an amount booked so is negative: on a bank statement a debit is."""
_LONGEST_NAME = 40
_LONGEST_MAGNITUDE = 4


@reader("money", compare="money", gist=digits_of)
def read_money(
    text: str,
    *,
    currency: str | None = None,
    decimal: str | None = None,
    credit_negative: bool = False,
) -> Amount:
    """Read an amount of money; `currency` is what a sign of several currencies stands for."""
    own = _own_currency(currency)
    usual = _usual(text.strip(), own)
    if usual is not None:
        return usual
    raised = "^" in text or not text.isascii()
    dissected = dissect(_RAISED.sub(_cents, text) if raised else text)
    if dissected is None:
        raise Unreadable("not an amount of money")
    booked = magnitude = None
    candidates: tuple[str, ...] | None = None
    behind = _marks(dissected.tail)
    if behind and behind[0] in MAGNITUDES:
        magnitude = MAGNITUDES[behind.pop(0)]
    for mark in (*_marks(dissected.head), *behind):
        if mark in BOOKED and booked is None and not dissected.negative:
            booked = BOOKED[mark]
            continue
        meanings = MARKS.get(mark)
        if meanings is None:
            raise Unreadable("not an amount of money")
        candidates = meanings if candidates is None else _both(candidates, meanings)
        if not candidates:
            raise Unreadable("stated in two currencies")
    unit = None if candidates is None else own if own in candidates else candidates[0]
    # 1.234 million has a decimal point, as thousandths of a dinar have
    thousandths = magnitude is not None or (unit or own) in THREE_DECIMALS
    number = decimal_of(dissected, decimal_marks(text, decimal, "." if thousandths else ""))
    if number is None:
        raise Unreadable("not an amount of money")
    if magnitude is not None:
        number = multiplied(number, magnitude)
    negative = booked is not None and booked is not credit_negative
    return Amount(number.copy_negate() if negative and number else number, unit)


def _usual(text: str, own: str | None) -> Amount | None:
    """Return an amount as most are written: -$1,234.50, or AUD 1,234.50; None for any other."""
    meanings: tuple[str, ...] | None = None
    word, space, amount = text.partition(" ")
    if not space:
        amount = text
        meanings = MARKS["$"] if "$" in amount else None
    else:
        mark = word.lower()
        meanings = MARKS.get(mark) if word.isascii() and mark.isalpha() else None
        if meanings is None or mark in BOOKED or "$" in amount:
            return None
    digits = usual_amount(amount)
    if digits is None:
        return None
    unit = None if meanings is None else own if own in meanings else meanings[0]
    return Amount(Decimal(digits), unit)


def _both(candidates: tuple[str, ...], meanings: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(code for code in candidates if code in meanings)


def _cents(raised: re.Match[str]) -> str:
    return "." + (raised[1] or raised[2]).translate(_SUPERSCRIPTS)


@lru_cache(256)
def _own_currency(currency: str | None) -> str | None:
    if not currency:
        return None
    code = currency.strip().upper()
    if code not in CODES:
        raise ConfigurationError(
            f"option currency: {currency!r} is no currency code", hint="such as AUD, EUR or USD"
        )
    return code


def _marks(around: str) -> list[str]:
    """Return the currency marks in what stands before or behind an amount."""
    if not around:
        return []
    if len(around) > _LONGEST_NAME:
        return [around]
    words = unaccented(around).translate(_SILENT).strip()
    if words in MARKS or not words:
        return [words] if words else []
    return [mark for word in words.split() for mark in _split(word)]


def _split(word: str) -> list[str]:
    """Return a mark as it is, or marks that stand together: `aud$`, `万円`, `m€`."""
    for length in range(1, min(len(word), _LONGEST_MAGNITUDE)):
        if word[:length] in MAGNITUDES and word not in MARKS and word[length:] in MARKS:
            return [word[:length], word[length:]]
    sign = None if word in MARKS else _SIGN.search(word)
    if sign is None:
        return [word]
    parts = (word[: sign.start()], sign[0], word[sign.end() :])
    return [part for part in parts if part]
