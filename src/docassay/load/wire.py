"""JSON as found in the wild: bytes to a plain tree, with every liberty that was taken reported.

Clean JSON takes the fast road. A text has a colon for each member, so a tree with as many members
as there are colons has them all. Colons may also stand in texts; then duplicate keys are found by
writing the tree again: the copy has fewer colons exactly when the decoder dropped a key. Whatever
the fast decoder refuses is read again by the slow road, which knows other encodings, NaN, lone
surrogates and endless integers.
"""

from __future__ import annotations

import codecs
import json
import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from docassay.errors import DataError
from docassay.kernel.counting import members
from docassay.model.document import Number
from docassay.model.problem import ProblemCode, Remark

MAX_LEVELS = 500
"""Deeper trees are refused: how deep a decoder can go depends on the version of Python."""
MAX_DIGITS = 4300
"""Python refuses to turn longer texts into integers, and back."""

UNCLEAN = object()
"""In the place of a tree that is to be read by the slow road."""
_fast = msgspec.json.Decoder(float_hook=Number)
# The hook sees Numbers only; any builtin serves, since a number holds no colon.
_again = msgspec.json.Encoder(enc_hook=len)
_SURROGATE = re.compile("[\ud800-\udfff]")
# texts are matched whole, so that a search does not begin again inside one that never ends
_TEXT = re.compile(rb'"((?:[^"\\]|\\.)*+)(?:"(\s*+:)?|\\?\Z)', re.DOTALL)
_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*+"|[{}\[\]:]|-?[0-9]++(?![0-9.eE])', re.DOTALL)
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class Decoded(NamedTuple):
    """A tree and what had to be overlooked to read it."""

    tree: object
    problems: list[Remark]


class Text(NamedTuple):
    """Bytes as text, and what had to be overlooked to read them."""

    text: str
    problems: list[Remark]


def decode(data: bytes, where: str) -> Decoded:
    """Return the tree of a JSON text; one that cannot be read raises DataError."""
    tree = clean_tree(data)
    return _decode_slowly(data, where) if tree is UNCLEAN else Decoded(tree, [])


def clean_tree(data: bytes) -> object:
    """Return the tree of a JSON text in which nothing has to be overlooked, else `UNCLEAN`."""
    try:
        tree: object = _fast.decode(data)
        keys = members(tree, MAX_LEVELS)
        colons = data.count(b":")
        if colons == keys:
            return tree
        # A colon written as \u003a would upset the count; most texts hold no backslash at all.
        if keys < 0 or (b"\\" in data and b"\\u003" in data):
            return UNCLEAN
        return tree if colons == _again.encode(tree).count(b":") else UNCLEAN
    except (RecursionError, msgspec.MsgspecError, UnicodeError):
        return UNCLEAN


def _too_deep(where: str) -> DataError:
    return DataError("is nested too deeply", where=where)


def encode(tree: object) -> str:
    """Return a tree as one line of JSON, numbers with the digits they were written in."""
    return _writer.encode(tree).decode()


def _as_written(raw: object) -> object:
    return msgspec.Raw(raw.encode()) if isinstance(raw, Number) else str(raw)


_writer = msgspec.json.Encoder(enc_hook=_as_written)


def to_text(data: bytes) -> Text:
    """Return bytes as text: UTF-8, UTF-16 with its mark, else Windows-1252 with a problem."""
    if data.startswith(_UTF16):
        try:
            return Text(data.decode("utf-16"), [])
        except UnicodeDecodeError as error:
            text = data.decode("utf-16", errors="replace")
            return Text(text, [_misread(f"byte {error.start} is not UTF-16; replaced by U+FFFD")])
    try:
        return Text(data.decode("utf-8-sig"), [])
    except UnicodeDecodeError as error:
        problem = f"byte {error.start} is not UTF-8; read as"
    try:
        return Text(data.decode("cp1252"), [_misread(f"{problem} Windows-1252")])
    except UnicodeDecodeError:
        return Text(data.decode("latin-1"), [_misread(f"{problem} Latin-1")])


def _misread(message: str) -> Remark:
    return Remark(ProblemCode.ENCODING, message)


def member_names(head: bytes) -> frozenset[str]:
    """Return the keys of the first object in the start of a JSON text or of JSON lines.

    When the text is cut off, keys at every depth are returned.
    """
    for candidate in (head, head.lstrip().partition(b"\n")[0]):
        try:
            tree: object = _fast.decode(candidate)
        except (msgspec.MsgspecError, UnicodeError, RecursionError):
            continue
        if isinstance(tree, list) and tree:
            tree = tree[0]
        return frozenset(tree) if isinstance(tree, dict) else frozenset()
    if not head.lstrip().startswith((b"{", b"[")):
        return frozenset()
    return frozenset(key.decode("utf-8", "replace") for key, colon in _TEXT.findall(head) if colon)


def outer_text(data: bytes, names: Sequence[str]) -> str | None:
    """Return the first of an object's own members that is a text or an integer.

    It serves for JSON that cannot be read as a whole: members are seen as far as it goes.
    """
    values: dict[str, str] = {}
    depth = 0
    key: str | None = None
    for token in _TOKEN.finditer(data):
        mark, text = token[0][:1], token[0]
        if mark in b"{[":
            depth += 1
        elif mark in b"}]":
            depth -= 1
        elif mark == b":":
            continue
        elif depth == 1 and data[token.end() :][:8].lstrip()[:1] == b":":
            key = _scalar(text)
            continue
        elif depth == 1 and key is not None:
            value = _scalar(text)
            if value is not None and value.strip():
                values.setdefault(key, value)
        key = None
    return next((values[name] for name in names if name in values), None)


def _scalar(text: bytes) -> str | None:
    """Return a text or an integer of JSON, None for anything else."""
    try:
        value: object = json.loads(text)
    except (ValueError, UnicodeError):
        return None
    return str(value) if isinstance(value, str) or type(value) is int else None


def _decode_slowly(data: bytes, where: str) -> Decoded:
    text, problems = to_text(data)
    repeated: Counter[str] = Counter()
    constants: Counter[str] = Counter()

    def pairs(members: list[tuple[str, object]]) -> dict[str, object]:
        table = dict(members)
        if len(table) < len(members):
            repeated.update(Counter(key for key, _ in members) - Counter(table.keys()))
        return table

    def constant(name: str) -> str:
        constants[name] += 1
        return name

    try:
        tree: object = json.loads(
            text,
            object_pairs_hook=pairs,
            parse_float=Number,
            parse_int=_integer,
            parse_constant=constant,
        )
        if "\\u" in text:
            tree, changed = without_surrogates(tree)
            if changed:
                problems.append(
                    _misread("holds half a character (a lone surrogate); replaced by U+FFFD")
                )
    except json.JSONDecodeError as error:
        place = f"line {error.lineno} column {error.colno}"
        what = error.msg.lower().removesuffix(" at")
        raise DataError(f"is not JSON: {what} at {place}", where=where) from None
    except RecursionError:
        raise _too_deep(where) from None
    if members(tree, MAX_LEVELS) < 0:
        raise _too_deep(where)
    problems += [
        Remark(
            ProblemCode.DUPLICATE_KEY,
            f"key {key!r} occurs {count + 1} times in one object; the last is kept",
        )
        for key, count in sorted(repeated.items())
    ]
    problems += [
        Remark(ProblemCode.CONSTANT, f"{name} is not JSON; read as a text")
        for name in sorted(constants)
    ]
    return Decoded(tree, problems)


def _integer(digits: str) -> int | Number:
    return int(digits) if len(digits) <= MAX_DIGITS else Number(digits)


def without_surrogates(tree: object) -> tuple[object, bool]:
    """Return the tree without lone surrogates, and whether there were any."""
    if isinstance(tree, str):
        replaced = _SURROGATE.sub("\ufffd", tree)
        return (tree, False) if replaced == tree else (replaced, True)
    if isinstance(tree, list):
        parts = [without_surrogates(part) for part in tree]
        return [part for part, _ in parts], any(changed for _, changed in parts)
    if isinstance(tree, dict):
        members = [
            (without_surrogates(key), without_surrogates(value)) for key, value in tree.items()
        ]
        return (
            {str(key): value for (key, _), (value, _) in members},
            any(a or b for (_, a), (_, b) in members),
        )
    return tree, False
