"""Intervals: how far a score might lie from what other documents of the same kind would give.

Documents are drawn anew with replacement many times over, and the middle 95 % of the scores that
come out are the interval (percentile bootstrap). A sample of a few documents says little about
those it happens not to hold: where one document in twenty is very bad, half of all samples of
fourteen hold none. So the end of the interval on the worse side is drawn with one more document of
average size, in which everything is wrong. Where every document says 0 or 1, Wilson's interval
takes the place of both. Below `FEWEST` documents there is no interval.

The formulas of a metric are replayed on the sums of many draws at a time: see `tape`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import cache, cached_property, lru_cache, partial
from hashlib import blake2b
from itertools import accumulate, islice
from math import erfc, sqrt
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from docassay.analysis.tape import Matrix, Tape, Traced, on_one_thread, plain, remembering
from docassay.kernel.counting import LEFT_OUT, place_counts
from docassay.metrics.metric import Context, Readout
from docassay.model.document import hash_of
from docassay.model.report import DRAWS, FEWEST, LOWER, RATE, SHARE, ReadoutSpec
from docassay.model.stats import Key, Stats, fold
from docassay.run.plan import BoundMetric
from docassay.run.rows import (
    OwnStats,
    SomeRows,
    StoredRows,
    encoded,
    ids_of,
    own_stats,
    stats_of,
)
from docassay.run.score import Row

BEYOND = 0.025
"""The share of draws beyond either end."""
LOW, HIGH = "low", "high"
NORMAL = 1.959963984540054
"""The normal deviate that leaves 2.5 % on either side."""
RARE = (0.0, 0.051293294, 0.355361510, 0.817691447)
"""The mean at which a Poisson variable reaches 1, 2 or 3 with a chance of 5 %."""
MANY = 50
"""Documents above which three that say otherwise are still rare."""

Ends = tuple[float, float]
MOST_DOCUMENTS = 10_000
"""Of more, blocks are drawn for the intervals of a run."""
MOST_COMPARED = 20_000
"""Of more, blocks stand for documents also where these are compared one by one."""
BLOCKS = 2_000
MOST_COUNTS = 50_000_000
"""How many counts of documents are held; more are put into fewer blocks."""
MOST_STEPS = 2_000
"""Of how many steps a formula may be made to be replayed."""
MOST_CELLS = 4_000_000
"""How many numbers are held at once while drawing and replaying."""
AT_HAND = 250_000
"""How many numbers of draws are worked on at once, which a processor keeps at hand meanwhile."""
MOST_WAITING = 5_000
"""How many documents wait to be added to the counts."""
MOST_KEPT_DRAWS = 25_000_000
"""How many numbers of draws are kept for the next metric, two bytes each."""
SINGLE = 1 << 24
"""The least whole number beyond which single precision has gaps."""
LARGEST_KEPT = 31 << 20
"""How many bytes of an array a C library may be made to keep; glibc does so below 32 MB."""
MOST_TOGETHER = 250
"""Up to how many documents all draws are counted in one go; of more, one draw at a time."""


def intervals(
    sample: DocumentSample,
    specs: Mapping[str, ReadoutSpec],
    *,
    seed: int = 0,
    draws: int = DRAWS,
    wanted: Callable[[Expression], bool] | None = None,
) -> dict[tuple[str, str], Ends | None]:
    """Return the interval of every score of a sample, or of those that are wanted, by name and key.

    None stands for too few documents, or too few clusters where these are drawn together.
    """
    _keep_memory()
    part = sample.part(wanted or (lambda formula: True))
    if sample.units < FEWEST or not part.formulas:
        return {(formula.name, formula.key): None for formula in part.formulas}
    present = part.present()
    low, high = ends_of(part, sample.by_content, specs, seed=seed, draws=draws)
    return {
        (formula.name, formula.key): (
            (float(low[at]), float(high[at])) if present[at] >= FEWEST else None
        )
        for at, formula in enumerate(part.formulas)
    }


@cache
def _keep_memory() -> None:
    """Have the memory of arrays that are let go kept for the next ones.

    glibc returns it to the system, from which it comes back page by page, until an array as large
    was let go once. Nothing is written to this one, so that it takes no memory itself.
    """
    np.empty(LARGEST_KEPT, dtype=np.uint8)


@on_one_thread()
def ends_of(
    sample: DocumentSample,
    counts: Matrix,
    specs: Mapping[str, ReadoutSpec],
    *,
    seed: int = 0,
    draws: int = DRAWS,
) -> tuple[Matrix, Matrix]:
    """Return the low and the high end of the interval of each formula of a sample.

    `counts` are those of the sample in the order in which documents are drawn.
    """
    terms = sample.terms(counts)
    value = sample.values(terms.sum(axis=0, keepdims=True))[0]
    own = sample.values(terms)
    units = units_among(_defined(own), len(counts), sample.units)
    distinct, alike = _distinct_columns(terms)
    sums = DrawnSums(distinct)
    values, wrongs = [], []
    # one document more than there are: the last stands for a document that is all wrong
    for times in draw(len(counts) + 1, draws, seed):
        values.append(sample.values(sums.of(times[:, :-1])[alike].T).T)
        wrongs.append(times[:, -1].astype(np.float64))  # a view would keep all of the draws
    # from here on with a row for each formula
    drawn = np.concatenate(values, axis=1)
    wrong = np.concatenate(wrongs) / np.maximum(1, units)[:, None]
    worse = [*_worse(sample, specs)]
    pulled_low = np.array([end == LOW for end in worse])
    pulled_high = np.array([end == HIGH for end in worse])
    further = np.array([expanded(number) for number in units.tolist()])
    lower = np.where(pulled_low[:, None], drawn / (1 + wrong), drawn)
    # an error rate may exceed 1: then a document that is all wrong is no better than the others
    most = np.fmax(1, value)[:, None]
    higher = np.where(pulled_high[:, None], (drawn + wrong * most) / (1 + wrong), drawn)
    (low,) = percentiles(lower.T, (np.where(pulled_low, BEYOND, further),))
    (high,) = percentiles(higher.T, (1 - np.where(pulled_high, BEYOND, further),))
    low, high = np.fmin(low, value), np.fmax(high, value)
    for at in np.flatnonzero(_shares(own, value)):
        low[at], high[at] = wilson(float(value[at]), round(units[at]))
    return low, high


def _by_content(counts: Matrix) -> Matrix:
    """Return the rows of counts in an order of their own, so that none of theirs matters."""
    rows = np.ascontiguousarray(counts)
    digests = b"".join([blake2b(row, digest_size=16).digest() for row in rows])
    halves = np.frombuffer(digests, ">u8").reshape(-1, 2)
    return counts[np.lexsort((halves[:, 1], halves[:, 0]))]


def _distinct_columns(counts: Matrix) -> tuple[Matrix, list[int]]:
    """Return the columns of counts that differ, as rows, and which of them each column is like."""
    numbers: dict[bytes, int] = {}
    columns = np.ascontiguousarray(counts.T)
    alike = [numbers.setdefault(column.tobytes(), len(numbers)) for column in columns]
    first = {number: at for at, number in reversed([*enumerate(alike)])}
    return columns[[first[number] for number in range(len(numbers))]], alike


class DrawnSums:
    """Adds up whole numbers over the documents of each draw, a row of them for each sum.

    Where no sum can exceed what single precision holds exactly, it is used: it is twice as fast.
    """

    def __init__(self, numbers: Matrix) -> None:
        most = np.abs(numbers).max(axis=1, initial=0) * (numbers.shape[1] + 1)
        self._single = np.flatnonzero(most < SINGLE)
        self._double = np.flatnonzero(most >= SINGLE)
        self._small = np.ascontiguousarray(numbers[self._single].T, dtype=np.float32)
        self._large = np.ascontiguousarray(numbers[self._double].T)

    def of(self, times: NDArray[np.int64 | np.int16]) -> Matrix:
        """Return the sums of some draws, by how often they have each document."""
        sums = np.empty((len(self._single) + len(self._double), len(times)))
        at_once = max(1, AT_HAND // max(1, times.shape[1]))
        for start in range(0, len(times), at_once):
            some, drawn = times[start : start + at_once], slice(start, start + at_once)
            if len(self._single):
                sums[self._single, drawn] = (some.astype(np.float32) @ self._small).T
            if len(self._double):
                sums[self._double, drawn] = (some.astype(np.float64) @ self._large).T
        return sums


def _defined(own: Matrix) -> NDArray[np.int64]:
    """Return in how many documents each score is defined."""
    return np.asarray((~np.isnan(own)).sum(axis=0), dtype=np.int64)


def units_among(some: NDArray[np.int64], every: int, units: int) -> Matrix:
    """Return in how many units that is which is in some of every block of them, on the average.

    A block of several has it as soon as one of them does. Where each is alone, these are as many.
    """
    if every >= units:
        return np.asarray(some * (units / max(1, every)))
    return np.asarray(units * (1 - (1 - some / every) ** (every / units)))


def _worse(sample: DocumentSample, specs: Mapping[str, ReadoutSpec]) -> Iterator[str | None]:
    """Yield the end of each interval that a document with everything wrong would pull at."""
    for formula in sample.formulas:
        spec = specs[formula.name]
        if spec.unit == RATE and spec.better == LOWER:
            yield HIGH
        else:
            bounded = spec.unit == SHARE and 0 <= formula.value <= 1 and spec.better is not None
            yield (HIGH if spec.better == LOWER else LOW) if bounded else None


def expanded(number: float) -> float:
    """Return the share of draws beyond an end at which nothing was added, of few documents less.

    Draws of n documents spread less than samples do: their variance is (n - 1) / n of the
    sample's, which itself is uncertain. The share is that of the normal distribution beyond
    Student's deviate times the root of n / (n - 1).
    """
    freedom = max(number, 2.0) - 1
    z = NORMAL
    # Student's deviate by its expansion in 1 / freedom (Abramowitz and Stegun 26.7.5)
    deviate = (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    )
    return erfc(deviate * sqrt((freedom + 1) / freedom) / sqrt(2)) / 2


def percentiles(drawn: Matrix, shares: Sequence[float | Matrix]) -> list[Matrix]:
    """Return percentiles of each column, of those draws in which it is defined.

    A share may be one for all columns, or one for each.
    """
    columns = np.ascontiguousarray(drawn.T)
    defined = np.maximum(1, len(drawn) - np.isnan(columns).sum(axis=1))
    rows = np.arange(len(columns))
    middle: list[Matrix] = []
    for share in shares:
        place = share * (defined - 1)
        below, above = np.floor(place).astype(int), np.ceil(place).astype(int)
        # the places that are asked for are few and close; undefined ones come last
        first, last = below.min(initial=len(drawn)), above.max(initial=0)
        ordered = np.partition(columns, (first, last), axis=1)[:, first : last + 1]
        ordered.sort(axis=1)
        lower: Matrix = ordered[rows, below - first]
        upper: Matrix = ordered[rows, above - first]
        middle.append(lower + (place - below) * (upper - lower))
    return middle


def _shares(own: Matrix, value: Matrix) -> NDArray[np.bool_]:
    """Return for each score whether it is the share of documents that say 1 and not 0."""
    missing = np.isnan(own)
    shares = np.all((own == 0) | (own == 1) | missing, axis=0) & ~missing.all(axis=0)
    # few scores say nothing but 0 and 1, so that the mean of most is of no interest
    binary = np.flatnonzero(shares)
    mean = np.nansum(own[:, binary], axis=0) / np.maximum(1, _defined(own[:, binary]))
    shares[binary] = np.abs(mean - value[binary]) < 1e-12
    return np.asarray(shares, dtype=np.bool_)


def wilson(share: float, number: int) -> Ends:
    """Return Wilson's 95 % interval of a share of a number of documents, modified near 0 and 1.

    Where all but one or two say the same (three, of more than 50), the near end is that of the
    Poisson distribution: Wilson's own interval covers as little as 84 % there. (Brown, Cai and
    DasGupta, Interval estimation for a binomial proportion, Statistical Science 16, 2001.)
    """
    square = NORMAL * NORMAL
    centre = share + square / (2 * number)
    half = NORMAL * sqrt(share * (1 - share) / number + square / (4 * number * number))
    whole = 1 + square / number
    low, high = (centre - half) / whole, (centre + half) / whole
    right = round(share * number)
    few = 3 if number > MANY else 2
    if 1 <= right <= few:
        low = min(low, RARE[right] / number)
    if 1 <= number - right <= few:
        high = max(high, 1 - RARE[number - right] / number)
    # rounding must not put the end of an interval on the wrong side of its own share
    return min(share, max(0.0, low)), max(share, min(1.0, high))


class Expression(NamedTuple):
    """How a readout is made of sums over documents."""

    name: str
    key: str
    value: float
    place: int


class DocumentSample:
    """The documents of a run as rows of counts, and the formulas of a metric's readouts.

    Formulas of more than `MOST_STEPS` steps are left out: what is made of thousands of counts, such
    as the area under a curve of confidences, would take longer than all else together.
    """

    def __init__(
        self,
        metric: BoundMetric,
        rows: Sequence[Row],
        context: Context,
        *,
        others: Sequence[Sequence[Row]] = (),
        cluster: str | None = None,
        totals: Stats | None = None,
        wanted: Callable[[str, str, int], bool] | None = None,
        counting: RowCounting | None = None,
        most: int | None = None,
    ) -> None:
        """Take the rows of a run, and those that `others` have of the same documents.

        The formulas then are those of all runs together, and `other_counts` has the counts of the
        others in the same columns. With a `cluster`, the documents that share a value of this tag
        are one row of counts. `wanted` says which readouts are of interest, by name, key and
        number of steps. `totals` is the sum of all counts, where it is at hand, and `counting` is
        what goes through the rows of the run, for samples of other metrics as well. Of more than
        the `most` documents (`MOST_DOCUMENTS`), blocks have rows of counts.
        """
        runs = (rows, *others)
        if totals is None:
            totals = fold(own.stats for run in runs for own in own_stats(run, metric.name))
        self.tape = Tape()
        starts: dict[tuple[str, Key], int] = {}
        traced = cast("Stats", _traced(totals, self.tape, starts))
        context = context._replace(most_steps=MOST_STEPS)
        made = [*_formulas(metric.metric.readouts(traced, context, **metric.display))]
        self.formulas = _short(made, self.tape, wanted)
        needed = self.tape.needed(self._places)
        rows_of = _rows_of(traced, starts)
        self._row_of = {column: row for row in rows_of for column in row}
        # whole rows of tables: whether a document has something to count is seen in all of a row
        used = {self._row_of[column] for column in self.tape.columns(needed)}
        self._columns = [column for row in sorted(used, key=min) for column in row]
        self._terms = self._columns
        limit = MOST_DOCUMENTS if most is None else most
        own = counting or RowCounting(rows)
        units = _Units(rows, len(self._columns), cluster, limit, lambda: own.ranks)
        self.units = units.number
        places = _places(traced, starts, self._columns)
        every = (own, *map(RowCounting, others))
        width = len(self._columns)
        self._counts, *self._other_counts = (
            each.ask(units, metric.name, places, width) for each in every
        )

    @cached_property
    def counts(self) -> Matrix:
        """The counts of each document, cluster or block."""
        return self._counts()

    @cached_property
    def other_counts(self) -> list[Matrix]:
        """The counts that other runs have of the same documents."""
        return [counts() for counts in self._other_counts]

    @property
    def _places(self) -> list[int]:
        return [formula.place for formula in self.formulas]

    def part(self, wanted: Callable[[Expression], bool]) -> DocumentSample:
        """Return the same documents and counts with some of the formulas."""
        part = copy(self)
        part.formulas = tuple(filter(wanted, self.formulas))
        part._terms = part.tape.terms(part._places)
        return part

    @cached_property
    def by_content(self) -> Matrix:
        """The counts in an order of their own, so that none of theirs matters."""
        return _by_content(self.counts)

    def terms(self, counts: Matrix) -> Matrix:
        """Return what formulas are made of: the columns of counts, of a part sums of these."""
        return self._replayed(counts, self._columns, self._terms)

    def values(self, sums: Matrix) -> Matrix:
        """Return the value of every formula for each row of sums of terms."""
        return self._replayed(sums, self._terms, self._places)

    def _replayed(self, numbers: Matrix, known: Sequence[int], places: Sequence[int]) -> Matrix:
        """Return the numbers at places by those that are known, some rows at a time."""
        replayed = np.empty((len(places), len(numbers))).T  # the numbers of a place lie together
        at_once = max(1, MOST_CELLS // max(1, len(self.tape)))
        for start in range(0, len(numbers) if places else 0, at_once):
            columns = np.ascontiguousarray(numbers[start : start + at_once].T)
            known_columns = dict(zip(known, columns, strict=True))
            replayed[start : start + at_once] = self.tape.replay(known_columns, places)
        return replayed

    def present(self) -> NDArray[np.int64]:
        """Return in how many documents (or clusters) each formula has something to count.

        That is a row of a table that it reads, in any run, whatever the counts in it say: so the
        number does not depend on how good the predictions are. Of blocks, about as many.
        """
        rows = list(dict.fromkeys(map(self._row_of.__getitem__, self._columns)))
        bits = {column: 1 << number for number, row in enumerate(rows) for column in row}
        starts = np.array([*accumulate(map(len, rows), initial=0)][:-1], dtype=np.intp)
        there = np.zeros((len(rows), len(self.counts)), dtype=np.bool_)
        for counts in (self.counts, *self.other_counts):
            there |= np.logical_or.reduceat(counts != 0, starts, axis=1).T

        @cache
        def among(read: int) -> int:
            own = [number for number in range(len(rows)) if read >> number & 1]
            return int(there[own].any(axis=0).sum())

        some = np.array([*map(among, self.tape.reads(self._places, bits))], dtype=np.int64)
        found = units_among(some, len(self.counts), self.units)
        return np.rint(found).astype(np.int64)


def _short(
    made: Iterable[Expression], tape: Tape, wanted: Callable[[str, str, int], bool] | None
) -> tuple[Expression, ...]:
    """Return the formulas that are not too long, and that are wanted."""
    if wanted is None:
        most = tape.most_steps()
        return tuple(
            formula
            for formula in made
            if most[formula.place] <= MOST_STEPS or len(tape.needed([formula.place])) <= MOST_STEPS
        )
    return tuple(
        formula
        for formula in made
        for steps in [len(tape.needed([formula.place]))]
        if steps <= MOST_STEPS and wanted(formula.name, formula.key, steps)
    )


def _rows_of(traced: Stats, starts: Mapping[tuple[str, Key], int]) -> list[range]:
    """Return the columns of each row of a table."""
    return [
        range(starts[name, key], starts[name, key] + len(counts))
        for name, table in traced.items()
        for key, counts in table.items()
    ]


def _formulas(readouts: Iterator[Readout]) -> Iterator[Expression]:
    for readout in readouts:
        value: object = readout.value
        if isinstance(value, Traced):
            yield Expression(readout.name, readout.key, plain(value), value.place)


def _traced(
    totals: Stats, tape: Tape, starts: dict[tuple[str, Key], int]
) -> dict[str, dict[Key, tuple[Traced, ...]]]:
    """Return the sums as traced numbers, and note the first column of each row of a table."""
    traced: dict[str, dict[Key, tuple[Traced, ...]]] = {}
    for name, table in totals.items():
        traced[name] = {}
        for key, counts in table.items():
            starts[name, key] = len(tape)
            traced[name][key] = tuple(remembering(tape, tape.leaf(), count) for count in counts)
    return traced


def cluster_of(row: Row | OwnStats, tag: str) -> str:
    """Return the value of a tag, or the document type; a document without one stands alone."""
    value = row.tagged(tag)
    return f"={value}" if value else f"#{row.id}"


class _Units:
    """Which row of counts a document belongs to.

    A document or a cluster has a row of its own; where there are too many, a block shares one.
    Blocks are as large as each other: what is added up over documents would else differ from draw
    to draw by how many documents are drawn.
    """

    def __init__(
        self,
        rows: Sequence[Row],
        width: int,
        cluster: str | None,
        most: int,
        ranks: Callable[[], NDArray[np.int64]],
    ) -> None:
        """Take what gives the ranks of documents by their ids, for where these have no clusters."""
        self._cluster = cluster
        self._numbers: dict[str, int] = {}
        if cluster is None:
            self.number = len(rows)
        else:
            names = (cluster_of(row, cluster) for row in rows)
            self._numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
            self.number = len(self._numbers)
        self.blocks = 0
        self.block_of: list[int] | None = None
        """The block of each document or cluster, None where it has a row of its own."""
        if self.number > most or self.number * width > MOST_COUNTS:
            self.blocks = min(BLOCKS, self.number, max(1, MOST_COUNTS // max(1, width)))
            order = ranks() if cluster is None else ranks_of(self._numbers)
            self.block_of = (order * self.blocks // self.number).tolist()

    def __len__(self) -> int:
        return self.blocks or self.number

    @property
    def are_documents(self) -> bool:
        """Whether documents, or blocks of them, have rows, and no clusters."""
        return self._cluster is None

    @property
    def in_order(self) -> bool:
        """Whether each document has a row of its own."""
        return self.are_documents and self.block_of is None

    def of(self, own: OwnStats, number: int) -> int:
        """Return the row of a document, which is the so many-th one."""
        if self._cluster is not None:
            number = self._numbers[cluster_of(own, self._cluster)]
        return number if self.block_of is None else self.block_of[number]


def ranks_of(names: Iterable[str]) -> NDArray[np.int64]:
    """Return the place of each name in an order of their own, whatever order they come in."""
    hashes = np.fromiter(map(hash_of, names), np.uint64)
    ranks = np.empty(len(hashes), np.int64)
    ranks[np.argsort(hashes, kind="stable")] = np.arange(len(hashes))
    return ranks


def _places(
    traced: Stats, starts: Mapping[tuple[str, Key], int], columns: Sequence[int]
) -> dict[str, dict[Key, int]]:
    """Return where the counts of each row of a table begin among some columns.

    The columns of a row stand together. Rows that are not among the columns are `LEFT_OUT`.
    """
    at = {column: number for number, column in enumerate(columns)}
    return {
        name: {key: at.get(starts[name, key], LEFT_OUT) for key in table}
        for name, table in traced.items()
    }


class _AskedCounts:
    """The counts of each unit in some columns of a metric."""

    def __init__(
        self, units: _Units, metric: str, places: Mapping[str, dict[Key, int]], width: int
    ) -> None:
        self.units, self.metric, self.places, self.width = units, metric, places, width
        self.matrix = np.zeros((len(units), width))
        self._top = -1

    @property
    def cells(self) -> memoryview[float]:
        """The counts, one unit after the other."""
        return cast("memoryview[float]", self.matrix.reshape(-1).data)

    def add(self, every: Iterable[tuple[int, OwnStats]]) -> None:
        """Add what was counted in documents, each of which has its number."""
        entries = iter(every)
        while some := [*islice(entries, MOST_WAITING)]:
            numbers = [self.units.of(own, number) for number, own in some]
            self.reach(max(numbers))
            starts = [unit * self.width for unit in numbers]
            place_counts(self.cells, starts, [own.stats for _, own in some], self.places)

    def add_in_order(self, rows: Sequence[Row]) -> None:
        """Add what was counted in documents each of which is a unit."""
        width = self.width
        starts = [*range(0, len(rows) * width, width)] if width else [0] * len(rows)
        place_counts(self.cells, starts, [row.stats[self.metric] for row in rows], self.places)
        self.reach(len(rows) - 1)

    def reach(self, unit: int) -> None:
        """Note that a unit has a document."""
        self._top = max(self._top, unit)

    def cut(self) -> None:
        """Leave out the units after the last one that has a document."""
        self.matrix = self.matrix[: self._top + 1]


class RowCounting:
    """Goes through the rows of a run, once for all who ask before the first has its answer."""

    def __init__(self, rows: Sequence[Row], ids: Callable[[], Iterable[str]] | None = None) -> None:
        """Take the rows, and what gives their ids, where these are at hand."""
        self._rows = rows
        self._ids = partial(ids_of, rows) if ids is None else ids
        self._waiting: list[_AskedCounts] = []

    @cached_property
    def ranks(self) -> NDArray[np.int64]:
        """The ranks of the documents by their ids."""
        return ranks_of(self._ids())

    def ask(
        self, units: _Units, metric: str, places: Mapping[str, dict[Key, int]], width: int
    ) -> Callable[[], Matrix]:
        """Return what gives the counts of each unit in some columns of a metric."""
        asked = _AskedCounts(units, metric, places, width)
        self._waiting.append(asked)
        return partial(self._answer, asked)

    def _answer(self, asked: _AskedCounts) -> Matrix:
        if self._waiting:
            waiting, self._waiting = self._waiting, []
            self._count(waiting)
        return asked.matrix

    def _count(self, waiting: Sequence[_AskedCounts]) -> None:
        rows = self._rows
        stored = isinstance(rows, StoredRows | SomeRows)
        if isinstance(rows, StoredRows) and waiting[0].units.are_documents:
            _count_stored(rows, waiting)
        else:
            for asked in waiting:
                if asked.units.in_order and not stored:
                    asked.add_in_order(rows)
                else:
                    asked.add(enumerate(own_stats(rows, asked.metric)))
        for asked in waiting:
            asked.cut()


def _count_stored(rows: StoredRows, waiting: Sequence[_AskedCounts]) -> None:
    """Add the counts of documents that are in a file."""
    from docassay.kernel.stored import StoredCounts, StoredMetric

    for blocks in {asked.units.blocks for asked in waiting}:
        own = [asked for asked in waiting if asked.units.blocks == blocks]
        metrics = [
            StoredMetric(
                encoded(asked.metric), asked.cells, asked.width, _stored_places(asked.places)
            )
            for asked in own
        ]
        stored = StoredCounts(metrics, own[0].units.block_of)
        # of what it cannot read there is little, if any
        left = [entry for lines in rows.contents() for entry in stored.add(lines)]
        for asked in own:
            asked.reach(stored.top)
            asked.add((number, stats_of(line, asked.metric)) for number, line in left)


def _stored_places(places: Mapping[str, dict[Key, int]]) -> dict[bytes, dict[bytes, int]]:
    """Return places by names and keys as they stand in stored rows."""
    return {
        encoded(name): {encoded(key): place for key, place in keys.items()}
        for name, keys in places.items()
    }


def draw(documents: int, draws: int, seed: int) -> Iterator[NDArray[np.int64 | np.int16]]:
    """Yield how often each document is drawn, a row a draw, some draws at a time."""
    kept = documents * draws <= MOST_KEPT_DRAWS
    yield from (_kept_draws if kept else _draw)(documents, draws, seed)


@lru_cache(maxsize=1)
def _kept_draws(documents: int, draws: int, seed: int) -> list[NDArray[np.int16]]:
    """Return draws that all metrics of a report have in common."""
    # no document is drawn as often as this type can count: there are at most so many documents
    return [times.astype(np.int16, copy=False) for times in _draw(documents, draws, seed)]


def _draw(documents: int, draws: int, seed: int) -> Iterator[NDArray[np.int64 | np.int16]]:
    generator = np.random.default_rng(seed)
    # no document is drawn more often than there are documents
    kind = np.int16 if documents <= np.iinfo(np.int16).max else np.int64
    at_once, together = (max(1, most // documents) for most in (MOST_CELLS, AT_HAND))
    for start in range(0, draws, at_once):
        counted = np.empty((min(at_once, draws - start), documents), dtype=kind)
        for first in range(0, len(counted), together):
            some = counted[first : first + together]
            taken = generator.integers(documents, size=some.shape)
            if documents > MOST_TOGETHER:
                for at, row in enumerate(taken):
                    some[at] = np.bincount(row, minlength=documents)
            else:
                taken += documents * np.arange(len(some))[:, None]
                times = np.bincount(taken.ravel(), minlength=some.size)
                some[:] = times.reshape(some.shape)
        yield counted
