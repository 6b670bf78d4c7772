"""The leaves of broken JSON: quoted texts, and words without quotes.

Whether a quote ends its text is decided by what follows it: in valid JSON that is always a bracket,
a comma with the next item behind it, or a colon after a key. A quote before anything else belongs
to the text. What is not quoted keeps its characters, so 01234, $12.50 and 12/03/2024 stay as they
are, and a comma ends a member's value only where another member may begin. In a list whose commas
stand before a space, a comma between digits is part of a number.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Final, NamedTuple

from docassay.load.wire import MAX_DIGITS
from docassay.model.document import Number
from docassay.model.problem import Repair

_LONGEST_NAME = 40


class Tree(NamedTuple):
    """The fields of a text, and what was repaired or lost."""

    fields: dict[str, object]
    repairs: tuple[Repair | str, ...]
    """A repair that has no subject may be given as its kind."""


def about(kind: str, name: str) -> Repair:
    """Return a repair that names a key: short, and in one piece where repairs are listed."""
    shown = " ".join(name.replace(",", " ").split())
    return Repair(kind, shown if len(shown) <= _LONGEST_NAME else shown[:_LONGEST_NAME] + "…")


_LONG_REFERENCE = re.compile(r"&(?=\#[0-9]{8})")


def without_entities(text: str) -> str:
    """Return a text with the characters that its HTML entities stand for.

    A number with more digits than any character has stays as it is: Python refuses to read it.
    """
    return html.unescape(_LONG_REFERENCE.sub("&amp;", text))


MOST_INNER = 10_000
"""Quotes within a text; with more of them, no text ends."""
QUOTES = "\"'“”„‘’`"
_CLOSERS = dict(zip(QUOTES, ('"', "'", '“”"', '”"', '“”"', "’'", "’'", "`'"), strict=True))
_SCANS = {
    opener: re.compile(rf"\\.|[\n{closers}]", re.DOTALL) for opener, closers in _CLOSERS.items()
}
_SIMPLE = re.compile(r'"([^"\\\x00-\x1f]*)"(?=[ ]?(?:[:}\]\n]|,\s*"))')
_ANY = f"[{QUOTES}]"
_NAME = r"[^\W\d][\w $.-]{0,60}:"
COLON = r"(?:[:：]|=>?)"
COMMAS = ",，;；"
"""A comma, and what models write in its place."""
_QUOTED_KEY = rf"[\"'“][^\"'”\n]{{1,80}}[\"'”]\s*{COLON}"
_COMMENT = r"//|/\*|\#"
_NEW_LINE = rf"[ \t]*(?:\r?\n|{_COMMENT})"
_MEMBER = rf"{_ANY}|[,}}\]]|\Z|{_COMMENT}|\.\.\.|…|{_NAME}"
_ELEMENT = (
    rf"{_ANY}|\((?=[\"'\d(\[{{)-])|[,\[{{}}\]\d-]|\Z|{_COMMENT}|\.\.\.|…|null|true|false|N|T|F"
)


class Place(Enum):
    """Where a quoted text stands, with what may follow it."""

    KEY = re.compile(rf"\s*(?:{COLON}|[,}}]|\Z)")
    # a bracket, a comma and a member; or no comma; or words beside the comma
    MEMBER = re.compile(
        rf"\s*(?:[}}\]]|\Z|[{COMMAS}]\s*(?:{_MEMBER}))|{_NEW_LINE}|\s+{_QUOTED_KEY}"
        rf"|(?=[^\"'\n]{{0,80}}[{COMMAS}])[^\"'\n]{{1,120}}\s*{_QUOTED_KEY}"
    )
    ELEMENT = re.compile(rf"\s*(?:[}}\]]|\Z|[{COMMAS}]\s*(?:{_ELEMENT}))|{_NEW_LINE}|\s+{_ANY}")
    TUPLE = re.compile(rf"\s*(?:[)}}\]]|\Z|[{COMMAS}]\s*(?:\)|{_ELEMENT}))|{_NEW_LINE}|\s+{_ANY}")


_NEXT_MEMBER = re.compile(rf"\s*+(?P<key>{_QUOTED_KEY})?")
_CONTROL = re.compile("[\x00-\x1f]")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_PYTHON_ESCAPE = re.compile(r"\\(?:[ux]((?<=u)[0-9a-fA-F]{4}|(?<=x)[0-9a-fA-F]{2})|(.))", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "/": "/", "\\": "\\", '"': '"'}
_SURROGATE = re.compile("[\ud800-\udfff]")
_BARE_MEMBER = re.compile(
    rf"(?:[^,，}}\]\s]+|[^\S\n]++(?!{_QUOTED_KEY})|[,，](?!\s*(?:{_MEMBER})))*"
)
_BARE_IN_TUPLE = re.compile(r"[^,)}\]\n]+")
_BARE_NUMBER = re.compile(r"[^,}\]\n]+")
_BARE_ELEMENT = re.compile(r"(?:[^,}\]\n]|(?<=\d),(?=\d{3}(?!\d)|\d\d,\d))+")
_GROUPED = re.compile(r"[^,}\]\n]{1,40}(?:(?<=\d),(?=\d)[^,}\]\n]{1,40}){1,8}(?=\s*[,\]])")
_SPACED = re.compile(r",\s")
_NEAR = 80
_MAY_GO_ON = re.compile(r",\d{0,3}\Z")
_LAST_COMMA = re.compile(r",(?P<space>\s*)\Z")
_UNGROUPED = re.compile(r"-?(?:0|[1-9]\d{3,}|(?:0|[1-9]\d*)\.\d+)", re.ASCII)
"""Numbers that no comma and three digits may follow: 1234 and 9.00, but not 12."""
_AT_END = re.compile(r"[ \t]*\Z")
_REMARK = re.compile(r"\s(?://|/\*|\#\s)")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?", re.ASCII)
_LITERALS: Final = {"true": True, "false": False, "null": None}
_PYTHON: Final = {"True": True, "False": False, "None": None}
_NO_VALUE = frozenset({"nan", "infinity", "inf", "undefined"})


class ParsedLeaf(NamedTuple):
    """A value, where it ends, and what was repaired."""

    value: object
    end: int
    repairs: tuple[str, ...] = ()


def read_quoted(text: str, at: int, end: int, place: Place) -> ParsedLeaf | None:
    """Return the quoted text that begins at a quote, or None when it is cut off."""
    simple = _SIMPLE.match(text, at, end)
    if simple is not None:
        return ParsedLeaf(simple[1], simple.end())
    opener = text[at]
    at += 1
    repairs = [] if opener == '"' else ["single quotes" if opener in "'`" else "smart quotes"]
    apostrophes = "'" in _CLOSERS[opener]
    inner = 0
    looked_at = at
    for mark in _SCANS[opener].finditer(text, at, end):
        if mark[0][0] == "\\":
            continue
        if mark[0] != "\n":
            if place.value.match(text, mark.end(), end):
                if (inner or apostrophes) and _AT_END.match(text, mark.end(), end):
                    return None  # the text may go on behind it
                repairs += ["unescaped quote"] if inner else []
                return _unescaped(text[at : mark.start()], opener, mark.end(), repairs)
            inner += 1
            if inner > MOST_INNER:
                return None
        elif place is Place.MEMBER and mark.end() > looked_at:
            ahead = _NEXT_MEMBER.match(text, mark.end(), end)
            assert ahead is not None
            # blank lines in a row have the same word behind them: one look is enough
            looked_at = ahead.end()
            if ahead["key"] is None:
                continue
            repairs.append("missing quote")
            raw = text[at : mark.start()].rstrip(", \t\r")
            return _unescaped(raw, opener, mark.start(), repairs)
    return None


def _unescaped(raw: str, opener: str, end: int, repairs: list[str]) -> ParsedLeaf:
    if _CONTROL.search(raw) is not None:
        repairs.append("unescaped line break")
    if "\\" not in raw:
        return ParsedLeaf(raw, end, tuple(repairs))
    pattern = _PYTHON_ESCAPE if opener == "'" else _ESCAPE
    text = unescape(raw, pattern)
    escapes = (*_ESCAPED, opener)
    if any(match[2] not in escapes for match in pattern.finditer(raw) if match[1] is None):
        repairs.append("bad escape")
    repairs += ["half a character"] if "\ufffd" in text and "\ufffd" not in raw else []
    return ParsedLeaf(text, end, tuple(repairs))


def unescape(raw: str, pattern: re.Pattern[str] = _ESCAPE) -> str:
    """Return a text without its escapes; those that are none stay."""
    text = pattern.sub(_escape, raw)
    if _SURROGATE.search(text) is None:
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _escape(found: re.Match[str]) -> str:
    digits, char = found.groups()
    if digits is not None:
        return chr(int(digits, 16))
    # Markdown's \_ is written in keys by some models
    return char if char in QUOTES or char == "_" else _ESCAPED.get(char, found[0])


def read_bare(text: str, at: int, end: int, place: Place) -> ParsedLeaf | None:
    """Return the word without quotes that begins here, or None when it may go on."""
    match = _BARE_WORDS[place](text, at, end)
    word = "" if match is None else match[0]
    remark = _REMARK.search(word)
    if remark is not None:
        word = word[: remark.start()]
    at += len(word)
    word = word.strip()
    # at the end of a text, `1,` may have been 1,234, and `Mar 3,` a date; a number alone is kept
    cut = _MAY_GO_ON.match(text, at, end) is not None
    last = _LAST_COMMA.match(text, at, end)
    if last is not None or at >= end:
        complete = _UNGROUPED if last is not None and not last["space"] else _NUMBER
        cut = complete.fullmatch(word) is None
    leaf = _meaning(word.rstrip(","), at, cut=cut)
    if (
        leaf is not None
        and at >= end
        and isinstance(leaf.value, int | Number)
        and word[-1:].isdigit()
    ):
        return leaf._replace(repairs=(*leaf.repairs, "number at the end"))
    if leaf is not None and word.endswith(","):
        return leaf._replace(repairs=("extra comma", *leaf.repairs))
    return leaf


def _element(text: str, at: int, end: int) -> re.Match[str] | None:
    """Match a list's next word: $1,234 always groups digits, 1,234 where commas have spaces."""
    grouped = _GROUPED.match(text, at, end)
    if grouped is not None:
        before = text[max(0, at - _NEAR) : at]
        spaced = before[-1:].isspace() and before.rstrip().endswith(",")
        if spaced or _SPACED.match(text, grouped.end(), end):
            return grouped
    pattern = _BARE_NUMBER if text[at] in "-0123456789" else _BARE_ELEMENT
    return pattern.match(text, at, end)


_BARE_WORDS: Mapping[Place, Callable[[str, int, int], re.Match[str] | None]] = {
    Place.MEMBER: _BARE_MEMBER.match,
    Place.ELEMENT: _element,
    Place.TUPLE: _BARE_IN_TUPLE.match,
}


def _meaning(word: str, end: int, *, cut: bool) -> ParsedLeaf | None:
    if word in _LITERALS:
        return ParsedLeaf(_LITERALS[word], end)
    if word in _PYTHON:
        return ParsedLeaf(_PYTHON[word], end, ("Python literal",))
    if cut:
        return None
    number = _NUMBER.fullmatch(word)
    if number is not None:
        whole = number[1] is None and number[2] is None and len(word) <= MAX_DIGITS
        return ParsedLeaf(int(word) if whole else Number(word), end)
    if word.lower().lstrip("+-") in _NO_VALUE:
        return ParsedLeaf(None, end, ("NaN as null",))
    return ParsedLeaf(word, end, ("unquoted value",))
