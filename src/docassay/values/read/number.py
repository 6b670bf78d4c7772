"""Numbers and percentages, as Decimal: signs, separators of many countries, fractions, exponents.

The one hard question is what a single mark followed by exactly three digits means. A comma groups
thousands (1,234 is 1234) and a point is a decimal mark (1.234 is less than 2); amounts of money
group with either. `decimal` settles it otherwise. Every other writing explains itself.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from decimal import Context, Decimal
from typing import NamedTuple

from docassay.errors import ConfigurationError, Unreadable
from docassay.kernel.digits import TEENS, TENS, UNITS, digits_of
from docassay.kernel.senses import usual_number
from docassay.model.document import Number
from docassay.values.read.characters import plain, unaccented
from docassay.values.read.currencies import MARKS
from docassay.values.reader import reader


class Amount(NamedTuple):
    """A number with its unit or currency."""

    number: Decimal
    unit: str | None
    """None: the text does not say, so it agrees with any."""

    def __str__(self) -> str:
        return str(self.number) if self.unit is None else f"{self.number} {self.unit}"


def amounts_in(unit: str | None) -> Callable[[str], Amount]:
    """Return what makes amounts in a unit of their digits."""
    return lambda digits: Amount(Decimal(digits), unit)


LONGEST = 1000
"""Digits and powers of ten beyond this are refused, so that no text can cost memory or time."""

_USUAL = re.compile(r"(-?)([$A-Za-z]*)([0-9](?:[0-9.,]*[0-9])?)")
_GROUPED = re.compile(
    r"[0-9]{1,3}([.,' ])[0-9]{3}(?:\1[0-9]{3})*|[0-9]{1,2}(?:,[0-9]{2})+,[0-9]{3}"
)
_NO_MARKS = str.maketrans("", "", ".,' ")
_POWER = re.compile(r"([0-9]+(?:\.[0-9]+)?)e([+-]?[0-9]{1,6})")
_PLACES = 30
_EXACT = Context(prec=4 * LONGEST)
_FRACTION = re.compile(r"(?:([0-9]{1,9}) )?([0-9]{1,9})/([0-9]{1,9})")
_VULGAR = re.compile("[¼½¾⅐-⅞]")
# Words in a row may have a space behind a comma; only a scanned number has one before it.
_APART = re.compile(r" ([.,]) ?(?=[0-9])")
_DIGIT = re.compile("[0-9]")
_DIGITS = frozenset("0123456789")
_NO_CENTS = re.compile(r"[.,]-*(?![0-9])")
_MINUS_BEHIND = re.compile(r" ?-(?=[ )]|$)")
_PERCENT = frozenset(
    {"%", "percent", "per cent", "pct", "prozent", "pour cent", "por ciento", "por cento"}
    | {"per cento", "procent", "prosent", "prosenttia", "procento", "szazalek", "por cem"}
    | {"peratus", "persen", "процент", "процента", "процентов", "yuzde", "प्रतिशत"}
    | {"パーセント", "퍼센트", "في المئة", "بالمئة"}
)

COUNTED = {
    **{word: value for value, word in enumerate(f"{UNITS} {TEENS}".split(), start=1)},
    **{word: 10 * value for value, word in enumerate(TENS.split(), start=2)},
}
"""English words for numbers below a hundred."""
BELOW_100 = (
    rf"(?:(?:{TENS.replace(' ', '|')})[ -](?:{UNITS.replace(' ', '|')})|{'|'.join(COUNTED)})"
)
_IN_WORDS = re.compile(
    rf"({BELOW_100})\b(?: ?\(([0-9]{{1,2}})\))?(?! hundred)([^0-9]*)", re.IGNORECASE
)

_MAGNITUDES = """
    3 = k thousand thousands tausend tsd mille ribu rb tys тыс tusen duizend 千 천 हजार ألف
    4 = 万 萬 만
    5 = lakh lakhs lac lacs लाख
    6 = m mm mn mln mio mios million millions millionen millones milhoes milhao milioni milione
    6 = miljoen milion miliony milionow miljoner millioner juta jt млн миллион миллиона миллионов
    6 = مليون 百万 百萬 백만
    7 = crore crores करोड़
    8 = 億 亿 억
    9 = bn b billion billions mrd mrds milliard milliards milliarde milliarden mld miliard miljard
    9 = miliardi miliardo miliar млрд миллиард مليار
    12 = trillion trillions tn billionen billones 兆 조
"""
MAGNITUDES = {
    unaccented(word): int(line.split(" = ")[0])
    for line in _MAGNITUDES.strip().splitlines()
    for word in line.split(" = ")[1].split()
}
"""Words and letters behind a number -> the power of ten that they stand for."""
_SHORT_MAGNITUDES = frozenset({"m", "mm", "b", "rb", "jt"})
"""Those that beside a bare number are as often a unit."""


class Dissected(NamedTuple):
    """A text with one number in it: what stands around it, its digits, and its sign."""

    head: str
    body: str
    tail: str
    negative: bool


def dissect(text: str) -> Dissected | None:
    """Return a text's single number and what stands around it, or None when there is none."""
    if len(text) > LONGEST:
        return None
    usual = _USUAL.fullmatch(text)
    if usual is not None:
        return Dissected(usual[2], usual[3], "", usual[1] == "-")
    return _dissect(text)


def _dissect(text: str) -> Dissected | None:
    """Return the same of a text that is more than a sign, a currency and digits in a row."""
    line = plain(text if text.isascii() else _VULGAR.sub(_spelt_out, text))
    first = _DIGIT.search(line)
    if first is None:
        return None
    start, end = first.start(), len(line)
    while line[end - 1] not in _DIGITS:
        end -= 1
    if start and line[start - 1] in ".," and (start == 1 or not line[start - 2].isalnum()):
        start -= 1
    body = line[start:end].lower()
    if " " in body:
        body = _APART.sub(r"\1", body)
    return _signed(line[:start], body, line[end:])


def _spelt_out(fraction: re.Match[str]) -> str:
    return " " + unicodedata.normalize("NFKD", fraction[0])


def _signed(head: str, body: str, tail: str) -> Dissected | None:
    if not head and not tail:
        return Dissected("", body, "", False)
    cents = _NO_CENTS.match(tail)
    tail = tail if cents is None else tail[cents.end() :]
    behind = None if cents is not None else _MINUS_BEHIND.match(tail)
    tail = tail if behind is None else tail[behind.end() :]
    brackets = "(" in head and ")" in tail
    if brackets:
        head, tail = head.replace("(", "", 1), tail.replace(")", "", 1)
    signs = head.count("-") + head.count("+") + (behind is not None) + brackets
    if signs > 1:
        return None
    negative = signs == 1 and "+" not in head
    return Dissected(head.replace("-", "").replace("+", "").strip(), body, tail.strip(), negative)


def decimal_of(dissected: Dissected, points: str) -> Decimal | None:
    """Return the number; `points` are the marks that are decimal marks before three digits."""
    digits = canonical_digits(dissected, points)
    return None if digits is None else Decimal(digits)


def canonical_digits(dissected: Dissected, points: str) -> str | None:
    """Return the canonical form of the same number; zero has no sign."""
    digits = _digits(dissected.body, points)
    if digits is None:
        return None
    whole, _, fraction = digits.partition(".")
    whole, fraction = whole.lstrip("0") or "0", fraction.rstrip("0")
    canonical = f"{whole}.{fraction}" if fraction else whole
    sign = "-" if dissected.negative and canonical != "0" else ""
    return sign + canonical


def _digits(body: str, points: str) -> str | None:
    if body.isdecimal():
        return body
    if "/" in body:
        return _fraction(body)
    power = _POWER.fullmatch(body) if "e" in body else None
    if power is not None:
        small = abs(int(power[2])) <= LONGEST
        return format(Decimal(power[0]), "f") if small else None
    at = max(body.rfind("."), body.rfind(","))
    whole, mark, fraction = (body[:at], body[at], body[at + 1 :]) if at >= 0 else (body, "", "")
    if mark and (mark in whole or _groups(whole, fraction, mark, points)):
        whole, fraction = body, ""
    if fraction and not fraction.isdecimal():
        return None
    if whole and not whole.isdecimal() and _GROUPED.fullmatch(whole) is None:
        return None
    return f"{whole.translate(_NO_MARKS)}.{fraction}"


def _groups(whole: str, fraction: str, mark: str, points: str) -> bool:
    """Say whether the only mark of a number groups thousands."""
    return (
        mark not in points
        and len(fraction) == 3
        and len(whole) <= 3
        and whole.isdecimal()
        and whole[0] != "0"
    )


def _fraction(body: str) -> str | None:
    match = _FRACTION.fullmatch(body)
    if match is None or int(match[3]) == 0:
        return None
    # Thirty places are plenty for halves, fifths and their like; thirds would need rounding.
    parts, left_over = divmod(int(match[2]) * 10**_PLACES, int(match[3]))
    if left_over:
        return None
    digits = str(int(match[1] or 0) * 10**_PLACES + parts).rjust(_PLACES + 1, "0")
    return f"{digits[:-_PLACES]}.{digits[-_PLACES:]}"


def in_digits(text: str) -> str:
    """Return a text that begins with a number in words with its digits: `three (3) years`."""
    if not text[:1].isalpha():
        return text
    worded = _IN_WORDS.fullmatch(text)
    if worded is None:
        return text
    number = counted(worded[1].lower())
    if worded[2] is not None and int(worded[2]) != number:
        return text
    return f"{number}{worded[3]}"


def counted(words: str) -> int:
    """Return the number that English words below a hundred stand for."""
    return sum(COUNTED[word] for word in re.split("[ -]", words))


def multiplied(number: Decimal, power: int) -> Decimal:
    """Return a canonical number times a power of ten, in canonical form, to its last digit."""
    scaled = format(number.scaleb(power, _EXACT), "f")
    return Decimal(scaled.rstrip("0").rstrip(".") if "." in scaled else scaled)


def decimal_marks(text: str, decimal: str | None, usual: str) -> str:
    """Return which marks are decimal marks before three digits: as told, else the usual ones."""
    if decimal not in (None, ".", ","):
        raise ConfigurationError(f"option decimal: {decimal!r} is neither '.' nor ','")
    # JSON has but one decimal mark, whatever the document's language.
    if isinstance(text, Number):
        return "."
    return usual if decimal is None else decimal


@reader("number", compare="within", gist=digits_of)
def read_number(text: str, *, decimal: str | None = None) -> Decimal:
    """Read a number; `decimal` is the decimal mark where 1.234 or 1,234 leave it open."""
    points = decimal_marks(text, decimal, ".")
    digits = usual_number(text) if points == "." else None
    if digits is not None:
        return Decimal(digits)
    dissected = dissect(in_digits(text))
    number = None if dissected is None else decimal_of(dissected, points)
    if dissected is None or number is None:
        raise Unreadable("not a number")
    if not _is_currency(dissected.head):
        raise Unreadable("not a number")
    if not dissected.tail or _is_currency(dissected.tail):
        return number
    magnitude = unaccented(dissected.tail).strip(" .")
    if magnitude not in MAGNITUDES or magnitude in _SHORT_MAGNITUDES:
        raise Unreadable("not a number")
    return multiplied(number, MAGNITUDES[magnitude])


def _is_currency(around: str) -> bool:
    """Say whether what stands beside a number is nothing or a currency's sign or code."""
    mark = around and unaccented(around).strip(" .")
    return not mark or (mark in MARKS and (len(mark) == 3 or not mark.isalnum()))


@reader("percent", compare="within", gist=digits_of)
def read_percent(text: str, *, decimal: str | None = None, fractions: bool = False) -> Decimal:
    """Read a percentage, with or without its sign; `fractions` reads a bare 0.1 as 10 %."""
    points = decimal_marks(text, decimal, ".")
    dissected = dissect(in_digits(text))
    number = None if dissected is None else decimal_of(dissected, points)
    if dissected is None or number is None:
        raise Unreadable("not a percentage")
    marks = [unaccented(mark.strip(" .")) for mark in (dissected.head, dissected.tail) if mark]
    if len(marks) > 1 or not _PERCENT.issuperset(marks):
        raise Unreadable("not a percentage")
    if not fractions or marks or number.copy_abs() > 1:
        return number
    hundredfold = dissected._replace(body=format(number.copy_abs(), "f") + "e2")
    return decimal_of(hundredfold, points) or number
