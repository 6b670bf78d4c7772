"""Currencies by themselves: codes, signs and names, without an amount.

A sign or name that several countries use ($, kr, pound) agrees with each of their currencies, so
equality is settled pair by pair: $ is USD and $ is AUD, but USD is not AUD.
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from typing import NamedTuple

from docassay.errors import Unreadable
from docassay.kernel.senses import usual_number
from docassay.values.comparator import comparator
from docassay.values.read.characters import fold, plain, unaccented
from docassay.values.read.currencies import MARKS
from docassay.values.reader import reader

_TABLE = """
    united states dollar = USD; american dollar = USD; australian dollar = AUD
    canadian dollar = CAD; new zealand dollar = NZD; singapore dollar = SGD
    hong kong dollar = HKD; taiwan dollar = TWD; new taiwan dollar = TWD; fiji dollar = FJD
    british pound = GBP; pound sterling = GBP; british pound sterling = GBP; egyptian pound = EGP
    great britain pound = GBP; uk pound = GBP; sterling = GBP
    japanese yen = JPY; chinese yuan = CNY; chinese renminbi = CNY; renminbi = CNY
    swiss franc = CHF; schweizer franken = CHF; franc suisse = CHF; cfa franc = XAF XOF
    indian rupee = INR; pakistani rupee = PKR; pakistan rupee = PKR; sri lankan rupee = LKR
    nepalese rupee = NPR; mauritian rupee = MUR; indonesian rupiah = IDR; malaysian ringgit = MYR
    thai baht = THB; vietnamese dong = VND; philippine peso = PHP; mexican peso = MXN
    argentine peso = ARS; chilean peso = CLP; colombian peso = COP; brazilian real = BRL
    south korean won = KRW; korean won = KRW; russian ruble = RUB; russian rouble = RUB; ruble = RUB
    ukrainian hryvnia = UAH; hryvnia = UAH; polish zloty = PLN; czech koruna = CZK; koruna = CZK
    hungarian forint = HUF; romanian leu = RON; bulgarian lev = BGN; turkish lira = TRY
    danish krone = DKK; norwegian krone = NOK; swedish krona = SEK; icelandic krona = ISK
    south african rand = ZAR; nigerian naira = NGN; kenyan shilling = KES; ghanaian cedi = GHS
    uae dirham = AED; emirati dirham = AED; moroccan dirham = MAD; saudi riyal = SAR
    qatari riyal = QAR; omani rial = OMR; kuwaiti dinar = KWD; bahraini dinar = BHD
    jordanian dinar = JOD; tunisian dinar = TND; israeli shekel = ILS; new shekel = ILS
    peruvian sol = PEN; sol = PEN; deutsche mark = DEM; eurozone = EUR
"""
_LONGEST = 60
_WORD = re.compile(r"[^\W\d_]+(?:[.$£¥€/][^\W\d_]*)*|[^\w\s.,;:()/&-]+", re.UNICODE)


def _names() -> dict[str, frozenset[str]]:
    names = {name: frozenset(codes) for name, codes in MARKS.items()}
    for entry in _TABLE.replace("\n", ";").split(";"):
        name, sign, codes = entry.strip().partition(" = ")
        if sign:
            names[unaccented(name)] = frozenset(codes.split())
    return names


NAMES = _names()
"""A code, sign or name without case and accents -> the currencies it can mean."""


class Currency(NamedTuple):
    """The currencies that a text can mean; several when it leaves the country open."""

    codes: frozenset[str]

    def __str__(self) -> str:
        if len(self.codes) == 1:
            return next(iter(self.codes))
        # what several currencies share is shown by the shortest of its names, such as $
        names = (name for name, codes in NAMES.items() if codes == self.codes)
        return min(names, key=lambda name: (len(name), name), default="/".join(sorted(self.codes)))


_LETTERS = re.compile("[a-z]+")
_SIGN = re.compile(r"[^0-9a-z\s.,;:()/&\[\]_-]")
IN_NAMES = frozenset(
    letters + plural for name in NAMES for letters in _LETTERS.findall(name) for plural in ("", "s")
)
"""All words that the name of a currency may have."""


def no_currency(text: str) -> str | None:
    """Return the text of what surely is no currency, because of its letters: its gist."""
    if not text.isascii():
        return None
    if usual_number(text) is not None:
        return text
    line = text.lower()
    first = _LETTERS.search(line)
    if first is None:
        may_be_named = _SIGN.search(line) is not None
    else:
        may_be_named = first[0] in IN_NAMES and IN_NAMES.issuperset(_LETTERS.findall(line))
    return None if may_be_named else fold(text)


@reader("currency", compare="currency", gist=no_currency)
def read_currency(text: str) -> Currency:
    """Read a currency by its code, sign or name; two of them beside each other must agree."""
    line = unaccented(plain(text)).strip(" .:;,()") if len(text) <= _LONGEST else ""
    codes = _meaning(line)
    if codes is None:
        codes = _agreed(line)
    if not codes:
        raise Unreadable("not a currency")
    return Currency(codes)


def _meaning(name: str) -> frozenset[str] | None:
    for spelling in (name, name.removesuffix("s"), name.rstrip(".")):
        codes = NAMES.get(spelling)
        if codes is not None:
            return codes
    return None


def _agreed(line: str) -> frozenset[str] | None:
    """Return what the parts of a text have in common: `EUR (€)`, `US dollar - USD`."""
    codes: frozenset[str] | None = None
    for part in filter(None, (part.strip() for part in re.split(r"[()\[\],;:/-]| - ", line))):
        own = _meaning(part)
        for word in (part,) if own is not None else _WORD.findall(part):
            meaning = _meaning(word)
            if meaning is None:
                return None
            codes = meaning if codes is None else codes & meaning
    return codes


def why_currency(gold: Hashable, pred: Hashable) -> str:
    """Say whether two texts can mean one currency."""
    return "equal as currencies" if currency(gold, pred) else f"currencies differ: {gold}, {pred}"


@comparator("currency", why=why_currency, binary=True)
def currency(gold: Hashable, pred: Hashable) -> float:
    """1 when both can mean the same currency, else 0."""
    if isinstance(gold, Currency) and isinstance(pred, Currency):
        return float(not gold.codes.isdisjoint(pred.codes))
    return float(gold == pred)
