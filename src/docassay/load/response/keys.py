"""Which lines begin a field: `TOTAL: 12`, `**Total:** 12`, `TOTAL = 12`, and never a time or URL.

When most candidates are written in capitals, only capitals are keys: `Attn: Bob` below an address
then belongs to the address. Short words such as ABN or GST say nothing about that. An equals sign
makes a key where at least half of the candidates have one, or behind capitals: elsewhere it belongs
to a value.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

MARKS = ("**", "__", "`")
_SIGNS = "*_`\"'"
_BULLET = re.compile(
    r"(?P<indent>[ \t]*)(?P<bullet>(?:[-*+•▪◦]|\d{1,3}[.)])(?:[ \t]+|\Z))?(?P<body>.*)"
)
_HASHES = re.compile(r"\#{1,6}[ \t]+")
_RULE = "-="
_SHORTEST_RULE = 3
_BOLD = re.compile(r"(?P<mark>\*\*|__)(?P<name>[^*\n]{1,80}?):?(?P=mark):?")
_KEY = re.compile(
    r"""(?:[☀-➿🌀-🫿]\ufe0f?[ \t]*)?(?P<mark>\*\*?|__|[`"]|)
    (?P<key>[^\W\d_][\w\ /&.()'’°º\#%$€£-]{0,60}?)
    (?:(?P=mark)[ \t]*(?:(?P<colon>[:：])|(?P<equals>=(?![=>~])))
    |[ \t]*(?P<inner>[:：])(?P=mark)|[ \t]*(?P<open>[:：]))
    (?P<value>.*)""",
    re.VERBOSE,
)
_PROSE = frozenset(
    {"a", "an", "and", "as", "based", "below", "but", "certainly", "here", "here's", "however"}
    | {"i", "i'm", "i've", "if", "in", "it", "let", "no", "of", "ok", "okay", "please", "so"}
    | {"sure", "the", "there", "these", "this", "thus", "to", "unfortunately", "we", "yes", "you"}
    | {
        "voici",
        "voilà",
        "hier",
        "nachfolgend",
        "folgende",
        "aquí",
        "estos",
        "estas",
        "ecco",
        "aqui",
    }
    | {"seguem", "hieronder", "oto", "вот", "ниже"}
)
"""Words that begin a sentence rather than a key."""
_REMARKS = frozenset({"note", "notes", "error", "warning", "disclaimer", "explanation"})
_LONG_WORD = re.compile(r"[^\W\d_]{5}|_")
_CALL = re.compile(r"[\w.]\(|^\s{0,20}(?:await|lambda|new)\s")
"""What a program has behind an equals sign."""
_SHORTEST_WITH_EQUALS = 2  # letters: x = 5 is no field
_LONGEST_PLAIN, _LONGEST = 3, 6  # words of a key, without and with capitals


class ResponseLine(NamedTuple):
    """A line: how far it is indented, its mark, its key if it begins a field, and its words."""

    depth: int
    """Twice the indent, and one more for a bullet: bullets belong to the key above them."""
    bullet: bool
    heading: bool
    key: str | None
    words: str
    raw: str
    marked: bool
    """Markdown was taken off."""
    equals: bool = False
    """The key has an equals sign behind it rather than a colon."""


def read_line(text: str) -> ResponseLine:
    """Return what a line is by itself."""
    match = _BULLET.fullmatch(text.expandtabs(4))
    assert match is not None
    body = match["body"].strip()
    bullet = match["bullet"] is not None
    depth = 2 * len(match["indent"]) + bullet
    heading = _heading(body)
    if heading is not None:
        return ResponseLine(-1, False, True, None, bare(heading).rstrip(":"), body, True)
    bold = None if bullet else _BOLD.fullmatch(body)
    if bold is not None and not body.rstrip("*_").endswith(":"):
        return ResponseLine(-1, False, True, None, bold["name"].strip(), body, True)
    key = _KEY.fullmatch(body)
    if key is None or not _is_key(key):
        words = bare(body)
        return ResponseLine(depth, bullet, False, None, words, body, words != body)
    value = key["value"].strip()
    if key["open"] and key["mark"]:
        value = value.removesuffix(key["mark"])
    words = bare(value)
    marked = key["mark"] in (*MARKS, "*") or words != value
    name, equals = key["key"].strip(), key["equals"] is not None
    return ResponseLine(depth, bullet, False, name, words, body, marked, equals)


def _heading(body: str) -> str | None:
    """Return the words of `# Name` or `--- Name ---`, None for a line that is no heading."""
    hashes = _HASHES.match(body)
    if hashes is not None:
        return body[hashes.end() :]
    words = body.strip(_RULE)
    before = len(body) - len(body.lstrip(_RULE))
    behind = len(body) - len(body.rstrip(_RULE))
    return words if words and min(before, behind) >= _SHORTEST_RULE else None


def bare(text: str) -> str:
    """Return a text without the marks that stand around all of it."""
    text = text.strip()
    if text[:1] not in _SIGNS or text[-1:] != text[:1]:
        return text
    for mark in (*MARKS, '"', "'"):
        inner = text[len(mark) : -len(mark)]
        whole = len(text) > 2 * len(mark) and text.startswith(mark) and text.endswith(mark)
        if whole and mark not in inner:
            return inner.strip()
    return text


def settle(lines: Sequence[ResponseLine]) -> list[ResponseLine]:
    """Return the lines, those that are no keys among capitals as plain text."""
    signs = [line.equals for line in lines if line.key is not None]
    if 2 * sum(signs) < len(signs):
        lines = [line if _is_certain(line) else _plain(line) for line in lines]
    keys = [line.key for line in lines if line.key is not None]
    telling = [key for key in keys if not _capital(key) or _LONG_WORD.search(key) is not None]
    if 2 * sum(map(_capital, telling)) < len(telling):
        return [*lines]
    return [line if line.key is None or _capital(line.key) else _plain(line) for line in lines]


def _is_certain(line: ResponseLine) -> bool:
    """Say whether a line is what it is among lines with colons, too: `DATE = 3 May` is."""
    return not line.equals or (line.key is not None and _capital(line.key))


def _plain(line: ResponseLine) -> ResponseLine:
    return line._replace(key=None, words=line.raw)


def _capital(key: str) -> bool:
    return key.isupper() and len(key) > 1


def _is_key(found: re.Match[str]) -> bool:
    key, value = found["key"].strip(), found["value"]
    words = key.split()
    first = words[0].lower()
    if first in _PROSE or (key.lower() in _REMARKS and not key.isupper()):
        return key.isupper()
    capitals = sum(word[0].isupper() for word in words)
    if len(words) > (_LONGEST if 2 * capitals >= len(words) else _LONGEST_PLAIN):
        return False
    if found["equals"]:
        called = _CALL.search(value) is not None
        if called or not value.strip() or len(key) < _SHORTEST_WITH_EQUALS:
            return False
    if not value or value[0].isspace() or "：" in (found["open"] or found["colon"] or ""):
        return True
    # without a space: TOTAL:12 is a field; 12:30, http://x and C:\x are not
    return (
        len(words) == 1
        and value[0] not in "/\\:"
        and not (key[-1:].isdigit() and value[0].isdigit() and not found["equals"])
    )
