"""Characters: the few foldings that every reader shares, none of which depends on a locale.

`collapse` is for texts as they stand, `fold` for words and `plain` for whatever has digits in it.
`fold` turns all dashes and quotation marks, full-width and half-width forms into their usual twins;
`plain` does so too, and turns digits of any script into ASCII ones.
"""

from __future__ import annotations

import re
import unicodedata

_DASHES = "‐‑‒–—―−﹣⁃"
_APOSTROPHES = "’‘ʼ´`′‚‛‹›"
_QUOTES = "“”„‟″«»〝〞＂"
_INVISIBLE = "\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u2060\ufeff\u00ad"
_TWINS = {
    **dict.fromkeys(_DASHES, "-"),
    **dict.fromkeys(_APOSTROPHES, "'"),
    **dict.fromkeys(_QUOTES, '"'),
    **dict.fromkeys(_INVISIBLE, ""),
    **{chr(0xFEE0 + code): chr(code) for code in range(0x21, 0x7F)},
    "٫": ".",
    "٬": ",",
    "٪": "%",
    "⁄": "/",
    "￥": "¥",
    "￡": "£",
    "￦": "₩",
    "。": ".",
    "、": ",",
    "،": ",",
    "〜": "~",
    "…": "...",
}
_FOLDED = str.maketrans(
    {mark: twin for mark, twin in _TWINS.items() if mark not in "。、،\u200c\u200d"}
)
_HALF_WIDTH = re.compile("[\uff61-\uff9f]+")
_VULGAR = re.compile("([0-9]?)([¼½¾⅐-⅞])")
# Joiners are left alone by `fold`: they shape letters and emoji, so they are seen.
# Letters with a stroke do not decompose, so taking marks away would leave them as they are.
_STROKES = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe", "ى": "ي"})
_ACCENTS = re.compile(
    "(?<!и)[\u0300-\u036f]|(?<=и)[\u0300-\u0305\u0307-\u036f]"
    "|[\u0591-\u05bd\u05bf\u05c1\u05c2\u0640\u064b-\u065f\u0670\u1ab0-\u1aff\u20d0-\u20ff]"
)

TWO_LETTERS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"})
"""Letters that are also written as two, where their mark cannot be typed."""
WORD_MARKS = r"\u0900-\u0963\u0e31-\u0e4e"
"""Vowel signs of words, which to a regular expression are no letters."""
_HAN = r"[\u3005-\u30ff\u3400-\u9fff]"
_GAP = re.compile(rf"(?<={_HAN}) (?={_HAN})")


def collapse(text: str) -> str:
    """Return the text in NFC with runs of white space as single spaces and none around it."""
    if text.isascii():
        return " ".join(text.split())
    return " ".join(unicodedata.normalize("NFC", text).split())


def fold(text: str) -> str:
    """Return the collapsed text without case, unseen characters and ways to write a mark."""
    if text.isascii():
        lower = " ".join(text.lower().split())
        return lower.replace("`", "'") if "`" in lower else lower
    line = _VULGAR.sub(_spelt_out, _full_width(text)).translate(_FOLDED)
    return unicodedata.normalize("NFC", collapse(line).casefold())


def _spelt_out(fraction: re.Match[str]) -> str:
    return f"{fraction[1]}{' ' if fraction[1] else ''}{unicodedata.normalize('NFKC', fraction[2])}"


def _full_width(text: str) -> str:
    """Return the text with half-width katakana in full width, a voiced mark in its letter."""
    return _HALF_WIDTH.sub(lambda kana: unicodedata.normalize("NFKC", kana[0]), text)


def plain(text: str) -> str:
    """Return the text with ASCII digits, dashes, apostrophes and single spaces."""
    collapsed = " ".join(text.split())
    if collapsed.isascii():
        return collapsed
    return " ".join("".join(map(_plain_character, _full_width(collapsed))).split())


def _plain_character(character: str) -> str:
    twin = _TWINS.get(character)
    if twin is not None:
        return twin
    return str(unicodedata.decimal(character)) if character.isdecimal() else character


def unaccented(text: str) -> str:
    """Return the text without case and accents: `Février` and `FEVRIER` are one word.

    Accents are the marks of Latin, Greek and Cyrillic letters, and the vowel marks that Arabic and
    Hebrew leave out. Marks that make another letter (й, ガ) or carry a vowel (कि) stay.
    """
    if text.isascii():
        return text.lower()
    parts = unicodedata.normalize("NFKD", text.casefold().translate(_STROKES))
    bare = _ACCENTS.sub("", parts)
    # a letter of a mathematical alphabet has its case only once it is taken apart
    return unicodedata.normalize("NFC", bare.casefold())


def without_gaps(text: str) -> str:
    """Return the text without the spaces between characters of scripts that need none."""
    return text if text.isascii() else _GAP.sub("", text)


def shortened(text: str, *, width: int = 60) -> str:
    """Return the text in quotes, cut to a width that fits a message."""
    return repr(text if len(text) <= width else text[: width - 1] + "…")
