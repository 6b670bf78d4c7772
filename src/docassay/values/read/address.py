"""Addresses: words and numbers, with the usual abbreviations brought to one form.

Short forms are the common ground, because they are where different words meet: "St" may be Street
or Saint, and both become `st`. A unit and its number are one word (`unit4`), so that 4/12 Main
Street is not 12/4 Main Street although the order of lines does not matter.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from docassay.errors import Unreadable
from docassay.values.comparator import comparator
from docassay.values.read.characters import plain, unaccented
from docassay.values.reader import reader

LONGEST = 10_000
"""Longer texts are refused, because taking a whole book apart would cost minutes."""

_TABLE = """
    st = street saint str. sainte ste.
    rd = road
    ave = avenue av aven avenida avda
    dr = drive drv
    pl = place plaza platz
    ln = lane la
    ct = court crt
    cres = crescent cr crs cresc
    tce = terrace ter terr
    pde = parade
    hwy = highway
    fwy = freeway
    pkwy = parkway pky
    blvd = boulevard bd boul bvd bld
    sq = square
    cl = close
    cct = circuit
    cir = circle circ
    gr = grove gve
    esp = esplanade
    way = wy
    mt = mount
    ft = fort
    bldg = building
    str = strasse straat
    n = north
    s = south
    e = east
    w = west
    ne = northeast
    nw = northwest
    se = southeast
    sw = southwest
    and = & und et
    unit = apt apartment flat appt apto wohnung
    suite = ste
    lvl = level
    floor = fl flr
    shop = shp
    pobox =
    no = number nr num
"""
_SHORT = {
    word.strip("."): line.split(" =")[0].strip()
    for line in _TABLE.strip().splitlines()
    for word in line.replace("=", " ").split()
}
_UNITS = ("unit", "suite", "lvl", "floor", "shop", "pobox")
_POST_BOX = re.compile(r"\bp ?o ?box\b|\bpost office box\b")
_POSTCODES = re.compile(
    r"\b([a-z]{1,2}[0-9][a-z0-9]?) ?([0-9][a-z]{2})\b|\b([a-z][0-9][a-z]) ?([0-9][a-z][0-9])\b"
)
_SLASH = re.compile(
    r"(?<![\w/])(?:(?:unit|apt|flat) )?([0-9]{1,5}[a-z]?) ?/ ?([0-9]{1,5}[a-z]?)(?![\w/])"
)
_CALLE = re.compile(r"\bc/(?!o\b)")
_FLOOR = re.compile(r"\bl(?=[0-9]{1,3}\b)")
_HASH = re.compile(r"# ?(?=[0-9])")
_WORD = re.compile(r"&|\w+")
_STREET = re.compile(r"(?<=[a-z]{3})(?:strasse|straat)$")


class Address(NamedTuple):
    """The words of an address in their order; those with a digit are its numbers."""

    words: tuple[str, ...]

    @property
    def numbers(self) -> tuple[str, ...]:
        """House, unit and post numbers, sorted."""
        return tuple(sorted(word for word in self.words if _has_digit(word)))

    @property
    def names(self) -> tuple[str, ...]:
        """Everything else, sorted: the order of lines says nothing."""
        return tuple(sorted(word for word in self.words if not _has_digit(word)))

    def __str__(self) -> str:
        return " ".join(self.words)


@reader("address", compare="address")
def read_address(text: str) -> Address:
    """Read a postal address without case, accents and punctuation, abbreviations in one form."""
    if len(text) > LONGEST:
        raise Unreadable("too long for an address")
    line = unaccented(plain(text)).replace("'", "")
    line = _SLASH.sub(r"unit \1 \2", _HASH.sub("unit ", _CALLE.sub("calle ", line)))
    line = " ".join(_WORD.findall(line))
    line = _POSTCODES.sub(lambda code: "".join(part for part in code.groups() if part), line)
    line = _FLOOR.sub("level ", _POST_BOX.sub("pobox", line))
    words = tuple(_joined([_short(word) for word in _spelt(line.split())]))
    if not words:
        raise Unreadable("not an address")
    return Address(words)


def _short(word: str) -> str:
    short = _SHORT.get(word)
    return _STREET.sub("str", word) if short is None else short


def _spelt(words: list[str]) -> list[str]:
    """Return the words with single letters in a row as one: N.S.W. is NSW."""
    spelt: list[str] = []
    letters = False
    for word in words:
        letter = word if len(word) == 1 else _SHORT.get(word, word)
        single = len(letter) == 1 and letter.isalpha()
        if single and letters:
            spelt[-1] += letter
        else:
            spelt.append(letter if single else word)
        letters = single
    return spelt


def _joined(words: list[str]) -> list[str]:
    """Return the words with each unit grown together with its number, and "No" before one gone."""
    joined: list[str] = []
    for word in words:
        if _has_digit(word) and not word.startswith(_UNITS):
            while joined and joined[-1] == "no":
                joined.pop()
            if joined and joined[-1] in _UNITS:
                word = joined.pop() + word
        joined.append(word)
    return joined


def _has_digit(word: str) -> bool:
    return any("0" <= character <= "9" for character in word)


def address_key(value: Hashable) -> str:
    """Return the words without their order."""
    return " ".join(sorted(value.words)) if isinstance(value, Address) else str(value)


def why_address(gold: Hashable, pred: Hashable) -> str:
    """Say which numbers or words differ."""
    if address_key(gold) == address_key(pred):
        return "equal as addresses"
    if not (isinstance(gold, Address) and isinstance(pred, Address)):
        return "the values differ"
    if gold.numbers != pred.numbers:
        first = next((word for word in gold.words if word in gold.numbers), None)
        what = "house numbers" if first not in pred.numbers else "numbers"
        return _differing(what, gold.numbers, pred.numbers)
    return _differing("words", gold.names, pred.names)


def _differing(what: str, gold: tuple[str, ...], pred: tuple[str, ...]) -> str:
    left = " ".join((Counter(gold) - Counter(pred)).elements())
    right = " ".join((Counter(pred) - Counter(gold)).elements())
    if left and right:
        return f"{what} differ: {left} and {right}"
    return f"{what} only in gold: {left}" if left else f"{what} only in pred: {right}"


@comparator("address", key=address_key, why=why_address)
def address(gold: Hashable, pred: Hashable) -> float:
    """0 when any number differs, else the edit similarity of the sorted words."""
    if not (isinstance(gold, Address) and isinstance(pred, Address)):
        return float(str(gold) == str(pred))
    if gold.numbers != pred.numbers:
        return 0.0
    return Levenshtein.normalized_similarity(" ".join(gold.names), " ".join(pred.names))
