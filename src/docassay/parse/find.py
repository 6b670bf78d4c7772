"""Where the record stands in a text: every top-level JSON object, and which of them is meant.

An object does not go on behind a line that is a code fence. Of several objects those in a
fence come first (last among them those in a program), then those with quoted keys, then those that
are closed; of equals, the last.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from docassay.parse.loose import TOO_DEEP, Read, read_loosely
from docassay.parse.strict import strict_object

FENCE = "```"
MOST = 1000
"""Objects in one response; a text with more of them is no record."""
_PROGRAM = re.compile(
    rf"{FENCE}[ \t]*(?:python|py|javascript|js|typescript|ts|java|bash|sh|sql|csharp|go|ruby)\b",
    re.IGNORECASE,
)
_FENCE_LINE = re.compile(rf"\n[ \t]*{FENCE}")
_OPENING = r"""\{(?:\s|//[^\n]{0,200}\n|\#[^\n]{0,200}\n|/\*[^*]{0,200}\*/)*"""
_START = re.compile(
    rf"""(?={_OPENING}["'“”„‘’}}]|\[\s*\{{)|(?={_OPENING}[^\W\d][\w$ .-]{{0,60}}:)"""
)


class Found(NamedTuple):
    """An object or list of objects, where it begins, and what speaks for it."""

    read: Read
    start: int
    fenced: bool
    program: bool
    quoted: bool

    @property
    def rank(self) -> tuple[bool, bool, bool, bool, bool, int]:
        """How good a candidate it is."""
        read = self.read
        return (
            *(bool(read.value), self.fenced, not self.program),
            *(self.quoted, read.complete, self.start),
        )


def objects(text: str) -> list[Found]:
    """Return the objects of a text in order; one that is too deep alone, for it is all there is."""
    found: list[Found] = []
    at = fences = limit = 0
    program = False
    while len(found) < MOST and (start := _START.search(text, at)) is not None:
        begin = start.start()
        fences += text.count(FENCE, at, begin)
        fence = text.rfind(FENCE, at, begin)
        if fence >= 0:
            program = _PROGRAM.match(text, fence) is not None
        if limit <= begin:
            line = _FENCE_LINE.search(text, begin)
            limit = len(text) if line is None else line.start()
        read = (None if found else _strictly(text, begin, limit)) or read_loosely(
            text, begin, limit
        )
        if TOO_DEEP in read.repairs:
            return [Found(read, begin, fenced=False, program=False, quoted=False)]
        quoted = "unquoted key" not in read.repairs
        found.append(Found(read, begin, fences % 2 == 1, program, quoted))
        at = max(read.end, begin + 1)
    return found


def _strictly(text: str, begin: int, limit: int) -> Read | None:
    """Return the strict object that ends with the last brace: the usual case, and a fast one."""
    end = text.rfind("}", begin, limit) + 1
    tree = strict_object(text[begin:end])
    return None if tree is None else Read(tree, end, (), complete=True)
