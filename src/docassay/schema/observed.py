"""The values that examples have for a field, counted, and the shares of them that are alike.

Values wait in a list until they are counted together: most are counted by their text alone, and
only as many values, and distinct texts of them, are kept as a guess needs.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from docassay.errors import Unreadable
from docassay.kernel.counting import NOT_FOUND, are_single_values, count_texts
from docassay.model.document import SEPARATOR, Number
from docassay.values.reader import READERS

NEARLY_ALL = 0.95
MOST_DISTINCT = 2_000
"""Distinct texts kept a field; more would only make the guess slower."""
EVERY = sys.maxsize
"""As many values as there are."""
LONGEST = 160
"""Characters that are looked at; what is longer is text, and is cut off here."""
BLANK = frozenset({"", NOT_FOUND})
"""Texts that stand for no value, in small letters."""


def _never(text: str) -> bool:
    return False


class Truth(str):
    """The text of a JSON true or false."""

    __slots__ = ()


class ObservedValues:
    """The texts seen for one field, with how often, and how many came as JSON numbers or truths.

    Values wait in a list until they are counted, so that most are counted by their text alone.
    """

    def __init__(self, most_texts: int = MOST_DISTINCT, most_waiting: int = EVERY) -> None:
        self.texts: Counter[str] = Counter()
        self.waiting: list[Any] = []
        """Texts, instances of `Number` and `Truth`, and integers."""
        self._most_texts, self._most_waiting = most_texts, most_waiting
        self.seen = 0
        self.truths = 0
        self.numbers = 0
        self._read: dict[str, frozenset[str]] = {}

    def add(self, leaf: str | bool | int | float | None) -> None:
        """Let a value wait to be counted, if there is room; null is none."""
        if len(self.waiting) >= self._most_waiting:
            return
        if isinstance(leaf, bool):
            self.waiting.append(Truth(str(leaf).lower()))
        elif isinstance(leaf, (int, float)):
            self.waiting.append(Number(leaf))
        elif leaf is not None:
            self.waiting.append(leaf if isinstance(leaf, Number) else str.__str__(leaf))

    def count_waiting(self) -> None:
        """Count the values that wait; texts that are not kept count as seen."""
        leaves = self.waiting.copy()
        self.waiting.clear()
        kinds = {*map(type, leaves)}
        # most fields have values of one kind, which need not be counted
        alike = len(kinds) < 2
        by_kind = Counter({kind: len(leaves) for kind in kinds} if alike else map(type, leaves))
        self.truths += by_kind[Truth]
        self.numbers += by_kind[Number] + by_kind[int]
        texts = [*map(str, leaves)] if int in kinds else leaves  # the other kinds are texts already
        if not are_single_values(texts, LONGEST):
            texts = [*_single_values(texts)]
        self.seen += len(texts)
        amounts = dict(self.texts)
        count_texts(amounts, texts, self._most_texts)
        self.texts = Counter(amounts)

    def share(self, holds: Callable[[str], bool]) -> float:
        """Return the share of values of which something is true."""
        return sum(n for text, n in self.texts.items() if holds(text)) / self.texts.total()

    def reaches(self, share: float, holds: Callable[[str], bool]) -> bool:
        """Whether something is true of such a share of values; stops as soon as that is known."""
        total = rest = self.texts.total()
        known = 0
        for text, count in self.texts.items():
            if holds(text):
                known += count
                if known / total >= share:
                    return True
            else:
                rest -= count
                if rest / total < share:
                    return False
        return True

    def nearly_all(self, holds: Callable[[str], bool]) -> bool:
        """Whether something is true of nearly all values."""
        return self.reaches(NEARLY_ALL, holds)

    def read_as(self, reader: str) -> frozenset[str]:
        """Return the texts that a reader can read."""
        if reader not in self._read:
            function = READERS.get(reader).function
            self._read[reader] = frozenset(t for t in self.texts if _reads(function, t))
        return self._read[reader]

    def all_read_as(self, reader: str) -> bool:
        """Whether all values can be read."""
        function = READERS.get(reader).function
        return all(_reads(function, text) for text in self.texts)

    def mostly(self, reader: str) -> bool:
        """Whether nearly all values can be read."""
        function = READERS.get(reader).function
        return self.nearly_all(lambda text: _reads(function, text))

    def look_and_read(
        self, looks: Callable[[str], bool], reader: str, surely: Callable[[str], bool] = _never
    ) -> bool:
        """Whether nearly all values look like a type, and nearly all can be read as it.

        Both are asked of one text after the other, because many look like what cannot be read.
        Neither is asked of texts of which both are `surely` true.
        """
        total = self.texts.total()
        unlike = unread = 0
        others = []
        for text, count in self.texts.items():
            if surely(text):
                continue
            if not looks(text):
                unlike += count
                others.append(text)
            elif not _reads(READERS.get(reader).function, text):
                unread += count
            if (total - max(unlike, unread)) / total < NEARLY_ALL:
                return False
        function = READERS.get(reader).function
        unread += sum(self.texts[text] for text in others if not _reads(function, text))
        return (total - unread) / total >= NEARLY_ALL

    def mention(self, marks: Iterable[str]) -> bool:
        """Whether any text has one of some marks, which are in small letters."""
        joined = "\n".join(self.texts).casefold()
        return any(mark in joined for mark in marks)

    @property
    def bare(self) -> bool:
        """Whether all values are numbers of JSON, which have no sign, unit or other mark."""
        return self.numbers == self.seen


def _single_values(texts: Iterable[str]) -> Iterator[str]:
    """Yield the values in texts, which may hold several, or none."""
    for text in texts:
        for part in text.split(SEPARATOR):
            if part.strip().casefold() not in BLANK:
                yield part if len(part) <= LONGEST else f"{part[:LONGEST]}…"


def _reads(function: Callable[..., object], text: str) -> bool:
    try:
        function(text)
    except Unreadable:
        return False
    return True
