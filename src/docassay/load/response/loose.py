"""A tolerant JSON reader: one pass, no recursion, and a name for every liberty it takes.

A value that is cut off at the end of the text is left out, for nobody knows how it went on.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from docassay.load.response.leaves import (
    COLON,
    COMMAS,
    QUOTES,
    ParsedLeaf,
    Place,
    about,
    read_bare,
    read_quoted,
)
from docassay.load.wire import MAX_LEVELS
from docassay.model.problem import Repair

TOO_DEEP = "nested too deeply"
MOST_REPAIRS = 50_000
"""A text with more of them is no JSON; it is read this far."""
MOST_ENTRIES = 100_000
"""Members and items of one object; what is behind them is left out."""
_SPACE = re.compile(r"[\s\ufeff\u200b]*")
_REMARK = re.compile(r"//[^\n]*|\#[^\n]*|/\*(?:.*?\*/|.*)", re.DOTALL)
_BARE_KEY = re.compile(rf"[^\s:,{{}}\[\]{QUOTES}][^:,{{}}\[\]\n\"]{{0,120}}")

_COLON = re.compile(COLON)
# what makes an opening parenthesis that of a tuple rather than of (02) 9999 1234 or (1,234.50)
_TUPLE = re.compile(
    r"""(?:\(\s*+){1,5}+(?:[)\[{]
    |(?:"[^"\\\n]{0,200}"|'[^'\\\n]{0,200}'|-?\d{1,30}(?:\.\d{1,30})?|None|True|False)
    \s*+,(?:[\s)"']|\Z))""",
    re.VERBOSE,
)
_CLOSERS = {"{": "}", "[": "]", "(": ")"}
_KEY_AHEAD = re.compile(r'"[^"\\\n]{1,80}"\s*:')

Container = dict[str, object] | list[object]


class Read(NamedTuple):
    """A value, where it ends in the text, what was repaired, and whether it was closed."""

    value: object
    end: int
    repairs: tuple[Repair | str, ...]
    complete: bool


def read_loosely(text: str, start: int, end: int) -> Read:
    """Return the object or list that begins at `start`, reading no further than `end`."""
    reader = _LooseReader(text, start, end)
    try:
        value, complete = reader.run()
    except _TooDeep:
        return Read(None, reader.at, (TOO_DEEP,), complete=False)
    return Read(value, reader.at, tuple(reader.repairs), complete)


class _TooDeep(Exception):  # noqa: N818 - never leaves this module
    pass


class _CutOff(Exception):  # noqa: N818 - never leaves this module
    pass


class _OpenContainer:
    """A container that is being read, and the key below which it stands."""

    __slots__ = ("closer", "comma", "key", "ready", "value")

    def __init__(self, value: Container, key: str | None, closer: str) -> None:
        self.value = value
        self.key = key
        self.closer = closer
        self.ready = True
        """An item may begin here."""
        self.comma = False
        """A comma stands before it."""


class _LooseReader:
    def __init__(self, text: str, start: int, end: int) -> None:
        self.text = text
        self.at = start
        self.end = end
        self.repairs: dict[Repair | str, None] = {}
        self.repair_count = 0
        self.entries = 0
        self.stack: list[_OpenContainer] = []
        self.open = dict.fromkeys(_CLOSERS.values(), 0)
        """How many containers wait for each closing bracket."""

    def run(self) -> tuple[object, bool]:
        root = self._open(None)
        try:
            while self.stack:
                self._skip()
                self._step(self.stack[-1], self.text[self.at])
        except _CutOff:
            self.at = self.end
            self._close_all()
            return root, False
        return root, True

    def _note(self, *repairs: Repair | str) -> None:
        for repair in repairs:
            self.repairs[repair] = None
            self.repair_count += 1
        if self.repair_count > MOST_REPAIRS:
            self.repairs[Repair("too long", f"more than {MOST_REPAIRS} repairs")] = None
            raise _CutOff

    def _skip(self) -> None:
        """Go to the next token; without one, the text is cut off."""
        while True:
            space = _SPACE.match(self.text, self.at, self.end)
            self.at = self.at if space is None else space.end()
            if self.at >= self.end:
                raise _CutOff
            if self.text[self.at] not in "/#":
                return
            remark = _REMARK.match(self.text, self.at, self.end)
            if remark is None:
                return
            self._note("comment")
            self.at = remark.end()

    def _step(self, top: _OpenContainer, char: str) -> None:
        if char in COMMAS:
            self._comma(top, char)
        elif char in "}]" or (char == ")" and self.open[char]):
            self._close(char)
        else:
            if not top.ready:
                self._note("missing comma")
            top.ready = top.comma = False
            self._entry(top, char)

    def _comma(self, top: _OpenContainer, char: str) -> None:
        if char != ",":
            self._note("other separator")
        if top.ready and isinstance(top.value, list):
            self._note("empty slot")
            top.value.append(None)
        elif top.ready:
            self._note("extra comma")
        top.ready = top.comma = True
        self.at += 1

    def _entry(self, top: _OpenContainer, char: str) -> None:
        self.entries += 1
        if self.entries > MOST_ENTRIES:
            self._note(Repair("too long", f"more than {MOST_ENTRIES} values"))
            raise _CutOff
        if char == "…" or self.text.startswith("...", self.at, self.end):
            self.at += 1 if char == "…" else 3
            self._note("left out by the model")
        elif isinstance(top.value, dict):
            self._member(top.value)
        elif not self._ends_before_key(char):
            self._item(top.value, None)

    def _ends_before_key(self, char: str) -> bool:
        """Close a list before a key of the object that holds it."""
        if char != '"' or len(self.stack) < 2 or isinstance(self.stack[-2].value, list):
            return False
        if _KEY_AHEAD.match(self.text, self.at, self.end) is None:
            return False
        self._note("missing bracket")
        self.open[self.stack.pop().closer] -= 1
        self.stack[-1].ready = self.stack[-1].comma = True
        return True

    def _member(self, holder: dict[str, object]) -> None:
        key = self._key()
        if key is None:
            self.at += 1
            self._note("unreadable part")
            return
        self._skip()
        colon = _COLON.match(self.text, self.at, self.end)
        if colon is None:
            self._note(about("key without value", key))
            return
        if colon[0] != ":":
            self._note("other separator")
        self.at = colon.end()
        # a # behind the colon begins a value
        space = _SPACE.match(self.text, self.at, self.end)
        self.at = self.at if space is None else space.end()
        if self.at >= self.end or self.text.startswith(("//", "/*"), self.at, self.end):
            self._skip()
        if self.text[self.at] in ",}]":
            self._note(about("key without value", key))
            return
        if key in holder:
            self._note(about("duplicate key", key))
        self._item(holder, key)

    def _key(self) -> str | None:
        if self.text[self.at] in QUOTES:
            return str(self._took(read_quoted(self.text, self.at, self.end, Place.KEY)))
        match = _BARE_KEY.match(self.text, self.at, self.end)
        if match is None:
            return None
        self._note("unquoted key")
        self.at = match.end()
        return match[0].strip()

    def _item(self, holder: Container, key: str | None) -> None:
        char = self.text[self.at]
        if char in "{[" or (char == "(" and _TUPLE.match(self.text, self.at, self.end)):
            value: object = self._open(key)
        else:
            place = self._place(key)
            read = read_quoted if char in QUOTES else read_bare
            leaf = read(self.text, self.at, self.end, place)
            if leaf is None:
                keys = (holder.key for holder in self.stack[::-1] if holder.key is not None)
                name = next(keys, "list")
                self._note(about("value cut off", name if key is None else key))
            value = self._took(leaf)
        if isinstance(holder, list):
            holder.append(value)
        elif key is not None:
            holder[key] = value

    def _place(self, key: str | None) -> Place:
        if key is not None:
            return Place.MEMBER
        return Place.TUPLE if self.stack[-1].closer == ")" else Place.ELEMENT

    def _took(self, leaf: ParsedLeaf | None) -> object:
        """Return the value of a leaf and go behind it."""
        if leaf is None:
            raise _CutOff
        self.at = leaf.end
        if leaf.repairs:
            self._note(*leaf.repairs)
        return leaf.value

    def _open(self, key: str | None) -> Container:
        if len(self.stack) >= MAX_LEVELS:
            raise _TooDeep
        closer = _CLOSERS[self.text[self.at]]
        value: Container = {} if closer == "}" else []
        if closer == ")":
            self._note("Python tuple")
        self.open[closer] += 1
        self.stack.append(_OpenContainer(value, key, closer))
        self.at += 1
        return value

    def _close(self, char: str) -> None:
        self.at += 1
        if not self.open[char]:
            self._note("extra bracket")
            return
        while True:
            top = self.stack.pop()
            self.open[top.closer] -= 1
            if top.comma and top.closer != ")":  # (1,) is how Python writes a tuple of one
                self._note("trailing comma")
            if top.closer == char:
                return
            self._note("missing bracket")

    def _close_all(self) -> None:
        """Close what is open, and leave out what holds nothing."""
        count = len(self.stack)
        closed = f"{count} bracket{'s' if count > 1 else ''} closed"
        self.repairs[Repair("cut off", closed)] = None
        for inner, outer in zip(self.stack[:0:-1], self.stack[-2::-1], strict=True):
            if inner.value:
                return
            if isinstance(outer.value, list):
                outer.value.pop()
            else:
                outer.value.pop(str(inner.key), None)
