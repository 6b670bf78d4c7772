"""Characters: the few foldings that every reader shares, none of which depends on a locale.

`collapse` and `fold` are for words, `plain` is for whatever has digits in it: it turns digits of
any script, all dashes, spaces and apostrophes, and full-width forms into their ASCII twins.
"""

from __future__ import annotations

import unicodedata

_DASHES = "‐‑‒–—―−﹣⁃"
_APOSTROPHES = "’‘ʼ´`′"
_INVISIBLE = "\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u2060\ufeff\u00ad"
# Joiners are left alone: they shape letters and emoji, so they are seen.
_UNSEEN = dict.fromkeys(ord(mark) for mark in _INVISIBLE if mark not in "\u200c\u200d")
_TWINS = {
    **dict.fromkeys(_DASHES, "-"),
    **dict.fromkeys(_APOSTROPHES, "'"),
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
}
# Letters with a stroke do not decompose, so taking marks away would leave them as they are.
_STROKES = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe"})


def collapse(text: str) -> str:
    """Return the text in NFC with runs of white space as single spaces and none around it."""
    if text.isascii():
        return " ".join(text.split())
    return " ".join(unicodedata.normalize("NFC", text).split())


def fold(text: str) -> str:
    """Return the collapsed text without its case and without characters that nobody sees."""
    if text.isascii():
        return " ".join(text.lower().split())
    return unicodedata.normalize("NFC", collapse(text.translate(_UNSEEN)).casefold())


def plain(text: str) -> str:
    """Return the text with ASCII digits, dashes, apostrophes and single spaces."""
    collapsed = " ".join(text.split())
    if collapsed.isascii():
        return collapsed
    return " ".join("".join(map(_plain_character, collapsed)).split())


def _plain_character(character: str) -> str:
    twin = _TWINS.get(character)
    if twin is not None:
        return twin
    return str(unicodedata.decimal(character)) if character.isdecimal() else character


def unaccented(text: str) -> str:
    """Return the text without case and accents: `Février` and `FEVRIER` are one word."""
    if text.isascii():
        return text.lower()
    parts = unicodedata.normalize("NFKD", text.casefold().translate(_STROKES))
    bare = "".join(c for c in parts if not unicodedata.combining(c))
    # a letter of a mathematical alphabet has its case only once it is taken apart
    return unicodedata.normalize("NFC", bare.casefold())


def shortened(text: str, *, width: int = 60) -> str:
    """Return the text in quotes, cut to a width that fits a message."""
    return repr(text if len(text) <= width else text[: width - 1] + "…")
