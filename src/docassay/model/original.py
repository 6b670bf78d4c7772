"""The text of a document itself, with the places of its words where they are known."""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

PAGE_END = "\f"
"""What stands between the pages of a text."""
Box = tuple[float, float, float, float]
"""Left, top, right and bottom, as fractions of the page."""


class OriginalWord(NamedTuple):
    """A word with its place: where it stands in the text and on the page."""

    start: int
    end: int
    page: int
    box: Box | None


class OriginalText(NamedTuple):
    """The text of a document; its words where their places are known."""

    text: str
    words: tuple[OriginalWord, ...] = ()
    flaw: str = ""
    """Why there is no text."""

    def page_of(self, start: int) -> int:
        """Return the page on which a character stands."""
        if self.words:
            at = bisect_right(self.words, start, key=lambda word: word.start) - 1
            return self.words[max(at, 0)].page
        return self.text.count(PAGE_END, 0, start) + 1

    def line_of(self, start: int) -> int:
        """Return the line of its page on which a character stands, from 1."""
        page_start = self.text.rfind(PAGE_END, 0, start) + 1
        return self.text.count("\n", page_start, start) + 1

    def box_of(self, start: int, end: int) -> Box | None:
        """Return the box around the words of a stretch of text, None where no place is known."""
        first = bisect_right(self.words, start, key=lambda word: word.end)
        boxes = []
        for word in self.words[first:]:
            if word.start >= end:
                break
            boxes += [word.box] if word.box else []
        if not boxes:
            return None
        left, top, right, bottom = zip(*boxes, strict=True)
        return min(left), min(top), max(right), max(bottom)
