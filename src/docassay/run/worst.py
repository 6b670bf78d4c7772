"""The worst documents of a run, kept as pages show them, whichever process has made them."""

from __future__ import annotations

import heapq
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import sqrt

import msgspec

from docassay.kernel.counting import column_sums
from docassay.load.pairing import Paired
from docassay.matching.case import Case, GivenTrees, make_cases
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
from docassay.run.plan import Bound
from docassay.run.reopen import StoredValue
from docassay.run.verdict_file import CaseValues

MOST_KEPT = 5_000
"""Documents in a page that is sent around."""
LONG = 1 << 14
"""Bytes of a diff from which on it is compressed while a run goes on."""
SAMPLE = 256
"""Documents that tell beforehand about how bad the worst will be."""
DOUBT = 1.5
"""Standard deviations by which more of them than their share may be among the worst by chance.

What is drawn too few is drawn at the end, which takes several times as long; what is drawn too many
is drawn for nothing, in any run.
"""


def rank_of(case: Case) -> Rank:
    """Return how bad a document is."""
    right, *others = column_sums(case.tally().fields, len(WORDS))
    wrong = sum(others)
    every = right + wrong
    return wrong / every if every else 0.0, wrong, case.id


def ranks_of(pairs: Iterable[Paired], bound: Bound) -> list[Rank]:
    """Return how bad documents are that have not been scored."""
    given = [GivenTrees(pair.id, *pair.trees) for pair in pairs]
    return [rank_of(case) for case in make_cases(given, bound.layouts)]


class DiffLines:
    """Makes the diffs of one document after the other, but for those that enough others exceed."""

    def __init__(self, most: int = MOST_KEPT, floor: Rank | None = None) -> None:
        """Take how many are kept, and what documents have to be worse than, if anything."""
        self._most = most
        self._floor = floor
        self._worst: list[Rank] = []
        self._ranks: list[Rank] = []
        self._made: list[RankedDiff] = []

    def rank(self, case: Case) -> Rank | None:
        """Look at a document, and return its rank if it is to be drawn."""
        rank = rank_of(case)
        self._ranks.append(rank)
        if self._floor is not None and rank <= self._floor:
            return None
        if len(self._worst) < self._most:
            heapq.heappush(self._worst, rank)
        elif rank <= self._worst[0]:
            return None
        else:
            heapq.heapreplace(self._worst, rank)
        return rank

    def add(self, rank: Rank, values: CaseValues, line_of: ListedLine | None = None) -> None:
        """Draw a document that has a rank; `line_of` gives what a table of documents says of it."""
        line = None if line_of is None else line_of()
        self._made.append((rank, kept_diff(diff_of(values, LONGEST_KEPT), line)))

    def take(self) -> tuple[list[RankedDiff], list[Rank]]:
        """Return the diffs so far and the ranks of all documents, and begin anew."""
        taken = self._made, self._ranks
        self._made, self._ranks = [], []
        return taken


class DiffKeeper:
    """Keeps the diffs of the worst documents, whichever process made them.

    Which these are is known when all documents are. Where a sample tells about how bad they will
    be, others are not drawn, and those that are among the worst after all are drawn at the end.
    """

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._most = most
        self._worst: list[Rank] = []
        """The ranks of the worst documents so far, as a heap."""
        self._drawn: dict[Rank, KeptDiff | msgspec.Raw] = {}
        self._undrawn: dict[Rank, int] = {}
        """The numbers of those of them that were not drawn."""
        self.seen = 0
        self.floor: Rank | None = None
        """What documents that come next have to be worse than to be drawn at once."""

    def expect(self, documents: int, sample: Callable[[], list[Rank]]) -> None:
        """Take how many documents come, and the ranks of some of them, if they are worth a look.

        Any document can be drawn at the end.
        """
        if documents < 2 * self._most:
            return
        ranks = sorted(sample())
        share = self._most / documents
        place = len(ranks) * share
        place = int(place + DOUBT * sqrt(place * (1.0 - share))) + 1
        if place <= len(ranks):
            self.floor = ranks[-place]

    def add(self, ranks: Sequence[Rank], diffs: Iterable[RankedDiff]) -> None:
        """Take the ranks of documents, and the diffs of those that were drawn."""
        drawn = dict(diffs)
        for number, rank in enumerate(ranks, start=self.seen):
            if len(self._worst) < self._most:
                heapq.heappush(self._worst, rank)
            else:
                gone = heapq.heappushpop(self._worst, rank)
                if gone is rank:
                    continue
                self._drawn.pop(gone, None)
                self._undrawn.pop(gone, None)
            diff = drawn.get(rank)
            if diff is None:
                self._undrawn[rank] = number
            else:
                self._drawn[rank] = diff
        self.seen += len(ranks)
        if len(self._worst) == self._most and (self.floor is None or self.floor < self._worst[0]):
            self.floor = self._worst[0]

    def undrawn(self) -> list[int]:
        """Return the numbers of the worst documents that were not drawn, in the order of gold."""
        return sorted(self._undrawn.values())

    def draw(self, diffs: Iterable[RankedDiff]) -> None:
        """Take the diffs of documents that were not drawn."""
        for rank, diff in diffs:
            del self._undrawn[rank]
            self._drawn[rank] = diff

    def kept(self) -> KeptDiffs:
        """Return the diffs, the worst first."""
        worst = sorted(self._drawn.items(), key=lambda entry: _shown_order(entry[0]))
        diffs = [decode_diff(diff) for _, diff in worst]
        return KeptDiffs(self.seen, lambda: diffs)


def _shown_order(rank: Rank) -> tuple[float, int, str]:
    share, wrong, id = rank
    return -share, -wrong, id


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
    return KeptDiff(diff.id, *said, memoryview(_packed(diff.json())), line)


def _packed(data: bytes) -> bytes:
    """Return JSON as it is kept: long ones compressed, most are not worth the time."""
    return zlib.compress(data, 1) if len(data) > LONG else data
