"""The worst documents of a run, kept as pages show them, whichever process has made them."""

from __future__ import annotations

import heapq
import zlib
from collections.abc import Iterable, Iterator, Mapping

from docassay.kernel.counting import column_sums
from docassay.model.report import DocumentLine, KeptDiff, KeptDiffs, Rank
from docassay.run.diffs import (
    LONGEST_KEPT,
    WORDS,
    DocumentDiff,
    diff_of,
    stored_diff,
)
from docassay.run.documents import ListedLine
from docassay.run.parts import RankedDiff, decode_diff
from docassay.run.reopen import StoredValue
from docassay.run.verdict_file import CaseValues

MOST_KEPT = 5_000
"""Documents in a page that is sent around."""
LONG = 1 << 14
"""Bytes of a diff from which on it is compressed while a run goes on."""


class DiffLines:
    """Makes the diffs of one document after the other, but for those that enough others exceed."""

    def __init__(self, most: int = MOST_KEPT, floor: Rank | None = None) -> None:
        """Take how many are kept, and the rank that enough documents elsewhere exceed, if any."""
        self._most = most
        self._floor = floor
        self._worst: list[Rank] = []
        self._made: list[RankedDiff] = []

    def add(self, values: CaseValues, line_of: ListedLine | None = None) -> None:
        """Look at a document, and make its diff unless enough others are worse.

        `line_of` gives what a table of documents says of it.
        """
        right, *others = column_sums(values.case.tally().fields, len(WORDS))
        wrong = sum(others)
        every = right + wrong
        rank = (wrong / every if every else 0.0, wrong, values.case.id)
        if self._floor is not None and rank <= self._floor:
            return
        if len(self._worst) < self._most:
            heapq.heappush(self._worst, rank)
        elif rank <= self._worst[0]:
            return
        else:
            heapq.heapreplace(self._worst, rank)
        line = None if line_of is None else line_of()
        self._made.append((rank, kept_diff(diff_of(values, LONGEST_KEPT), line)))

    def take(self) -> list[RankedDiff]:
        """Return the diffs so far, and begin anew."""
        made, self._made = self._made, []
        return made


class DiffKeeper:
    """Keeps the diffs of the worst documents, whichever process made them."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._most = most
        self._kept: list[RankedDiff] = []
        self.seen = 0
        self.floor: Rank | None = None
        """The rank of the best document that is kept, once no more are kept than that."""

    def add(self, diffs: Iterable[RankedDiff], documents: int) -> list[RankedDiff]:
        """Take the diffs of so many documents; return those that enough others do not exceed."""
        self.seen += documents
        taken = []
        for entry in diffs:
            if len(self._kept) < self._most:
                heapq.heappush(self._kept, entry)
            elif heapq.heappushpop(self._kept, entry) is entry:
                continue
            taken.append(entry)
        if len(self._kept) == self._most:
            self.floor = self._kept[0][0]
        return taken

    def kept(self) -> KeptDiffs:
        """Return the diffs, the worst first."""
        worst = sorted(self._kept, key=lambda entry: (-entry[0][0], -entry[0][1], entry[0][2]))
        diffs = [decode_diff(diff) for _, diff in worst]
        return KeptDiffs(self.seen, lambda: diffs)


def stored_diffs(values: Iterable[StoredValue], types: Mapping[str, str]) -> Iterator[KeptDiff]:
    """Yield the diffs of some documents, by id and type, from the wrong values of a run."""
    own: dict[str, list[StoredValue]] = {id: [] for id in types}
    for value in values:
        if value.verdict.document in own:
            own[value.verdict.document].append(value)
    for id, kept in own.items():
        yield kept_diff(stored_diff(id, kept, type=types[id], longest=LONGEST_KEPT))


def kept_diff(diff: DocumentDiff, line: DocumentLine | None = None) -> KeptDiff:
    """Return a document packed, with what a list says about it, and its line in a table."""
    said = (diff.wrong, diff.fields, diff.causes, diff.verdicts)
    return KeptDiff(diff.id, *said, _packed(diff.json()), line)


def _packed(data: bytes) -> bytes:
    """Return JSON as it is kept: long ones compressed, most are not worth the time."""
    return zlib.compress(data, 1) if len(data) > LONG else data
