"""Intervals: how far a score might lie from what other documents of the same kind would give.

Documents are drawn anew with replacement many times over, and the middle 95 % of the scores that
come out are the interval (percentile bootstrap). A sample of a few documents says little about
those it happens not to hold: where one document in twenty is very bad, half of all samples of
fourteen hold none. So the end of the interval on the worse side is drawn with one more document of
average size, in which everything is wrong. Where every document says 0 or 1, Wilson's interval
takes the place of both. Below `FEWEST` documents there is no interval.

A metric's readouts are plain arithmetic on sums over documents. They are computed once more on
numbers that remember how they were made (a tape of sums, products and quotients), and the tape is
then replayed on whole arrays: the sums of a thousand draws of documents at a time. So a metric
states its formulas once, and a plugin's scores are resampled like any other. A score that was made
in another way (a branch is fine, a call of `round` is not) is not on the tape, and has no draws.
"""

from __future__ import annotations

import operator
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import sqrt
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from docassay.metrics.metric import Context, Readout
from docassay.model.report import LOWER, SHARE, ReadoutSpec
from docassay.model.stats import Key, Stats, fold
from docassay.run.plan import BoundMetric
from docassay.run.score import Row

DRAWS = 1_000
FEWEST = 5
"""Documents in which a score finds something, below which it has no interval."""
LEFT_OUT = 0.025
"""The share of draws beyond either end."""
LOW, HIGH = "low", "high"
NORMAL = 1.959963984540054
"""The normal deviate that leaves 2.5 % on either side."""

Ends = tuple[float, float]
MOST_DOCUMENTS = 20_000
BLOCKS = 2_000
MOST_COUNTS = 50_000_000
"""How many counts of documents are held; more are put into fewer blocks."""
MOST_STEPS = 2_000
"""Of how many steps a formula may be made to be replayed."""
MOST_CELLS = 4_000_000
"""How many numbers are held at once while drawing and replaying."""
LEAF, CONSTANT, MEAN, ADD, SUBTRACT, MULTIPLY, DIVIDE = range(7)
_ARRAYS = {ADD: np.add, SUBTRACT: np.subtract, MULTIPLY: np.multiply, DIVIDE: np.divide}
_NUMBERS: Mapping[int, Callable[[float, float], float]] = {
    ADD: operator.add,
    SUBTRACT: operator.sub,
    MULTIPLY: operator.mul,
    DIVIDE: operator.truediv,
}
Matrix = NDArray[np.float64]
Number = int | float
"""A plain number, or one that remembers how it was made."""


def intervals(
    metric: BoundMetric,
    rows: Sequence[Row],
    context: Context,
    specs: Mapping[str, ReadoutSpec],
    *,
    seed: int = 0,
    draws: int = DRAWS,
) -> dict[tuple[str, str], Ends]:
    """Return the interval of every score of a metric that can be resampled, by name and key."""
    if len(rows) < FEWEST:
        return {}
    sample = DocumentSample(metric, rows, context)
    if not sample.formulas:
        return {}
    draws_of, wrong_of = [], []
    # one document more than there are: the last stands for a document that is all wrong
    for times in draw(len(sample.counts) + 1, draws, seed):
        draws_of.append(sample.values(times[:, :-1] @ sample.counts))
        wrong_of.append(times[:, -1])
    present = sample.present()
    value = np.array([formula.value for formula in sample.formulas])
    wrong = np.concatenate(wrong_of)[:, None] / np.maximum(1, present)
    low, high = _middle(np.concatenate(draws_of), wrong, value, [*_worse(sample, specs)])
    shares = _shares(sample, value)
    ends: dict[tuple[str, str], Ends] = {}
    for at, formula in enumerate(sample.formulas):
        if present[at] < FEWEST:
            continue
        ends[formula.name, formula.key] = (
            wilson(formula.value, int(present[at]))
            if shares[at]
            else (float(low[at]), float(high[at]))
        )
    return ends


def _worse(sample: DocumentSample, specs: Mapping[str, ReadoutSpec]) -> Iterator[str | None]:
    """Yield the end of each interval that a document with everything wrong would pull at."""
    for formula in sample.formulas:
        spec = specs[formula.name]
        bounded = spec.unit == SHARE and 0 <= formula.value <= 1 and spec.better is not None
        yield (HIGH if spec.better == LOWER else LOW) if bounded else None


def _middle(
    drawn: Matrix, wrong: Matrix, value: Matrix, worse: Sequence[str | None]
) -> tuple[Matrix, Matrix]:
    """Return the ends of the middle 95 % of drawn scores, each at least as far as the score."""
    lower = np.where([end == LOW for end in worse], drawn / (1 + wrong), drawn)
    higher = np.where([end == HIGH for end in worse], (drawn + wrong) / (1 + wrong), drawn)
    return (
        np.fmin(_percentile(lower, LEFT_OUT), value),
        np.fmax(_percentile(higher, 1 - LEFT_OUT), value),
    )


def _percentile(drawn: Matrix, share: float) -> Matrix:
    """Return a percentile of each column, of those draws in which it is defined."""
    ordered = np.sort(drawn, axis=0)  # undefined ones come last
    defined = np.maximum(1, len(drawn) - np.isnan(drawn).sum(axis=0))
    place = share * (defined - 1)
    below = np.floor(place).astype(int)
    columns = np.arange(drawn.shape[1])
    lower: Matrix = ordered[below, columns]
    upper: Matrix = ordered[np.ceil(place).astype(int), columns]
    percentile: Matrix = lower + (place - below) * (upper - lower)
    return percentile


def _shares(sample: DocumentSample, value: Matrix) -> NDArray[np.bool_]:
    """Return for each score whether it is the share of documents that say 1 and not 0."""
    own = sample.values(sample.counts)
    defined = ~np.isnan(own)
    mean = np.where(defined, own, 0.0).sum(axis=0) / np.maximum(1, defined.sum(axis=0))
    binary = np.all(np.isin(own, (0.0, 1.0)) | ~defined, axis=0)
    return np.asarray(binary & (np.abs(mean - value) < 1e-12), dtype=np.bool_)


def wilson(share: float, number: int) -> Ends:
    """Return Wilson's 95 % interval of a share of a number of documents."""
    square = NORMAL * NORMAL
    centre = share + square / (2 * number)
    half = NORMAL * sqrt(share * (1 - share) / number + square / (4 * number * number))
    whole = 1 + square / number
    # rounding must not put the end of an interval on the wrong side of its own share
    return (
        min(share, max(0.0, (centre - half) / whole)),
        max(share, min(1.0, (centre + half) / whole)),
    )


class Tape:
    """What was done to numbers, step by step: leaves are columns of sums over documents."""

    def __init__(self) -> None:
        self._steps: list[tuple[int, int, int]] = []
        self._constants: list[float] = []
        self._means: list[list[int]] = []

    def __len__(self) -> int:
        return len(self._steps)

    def leaf(self, column: int) -> int:
        """Return the place of a column of sums."""
        return self._add(LEAF, column, 0)

    def place(self, number: object) -> int:
        """Return where a number stands, a plain one as a constant."""
        if isinstance(number, Traced):
            return number.place
        self._constants.append(_plain(number))
        return self._add(CONSTANT, len(self._constants) - 1, 0)

    def record(self, operation: int, left: object, right: object) -> int:
        """Add an operation and return its place."""
        return self._add(operation, self.place(left), self.place(right))

    def mean(self, numbers: Sequence[object]) -> int:
        """Add a mean of those numbers that are defined, and return its place."""
        self._means.append([self.place(number) for number in numbers])
        return self._add(MEAN, len(self._means) - 1, 0)

    def _add(self, operation: int, left: int, right: int) -> int:
        self._steps.append((operation, left, right))
        return len(self._steps) - 1

    def parts(self, place: int) -> Sequence[int]:
        """Return the places that a number is made of."""
        operation, left, right = self._steps[place]
        if operation in (LEAF, CONSTANT):
            return ()
        return self._means[left] if operation == MEAN else (left, right)

    def needed(self, places: Sequence[int]) -> list[int]:
        """Return the places that numbers are made of, themselves included, in order."""
        seen = {*places}
        waiting = [*seen]
        while waiting:
            fresh = {*self.parts(waiting.pop())} - seen
            seen |= fresh
            waiting += fresh
        return sorted(seen)

    def columns(self, places: Sequence[int]) -> list[int]:
        """Return the columns among some places."""
        return [self._steps[place][1] for place in places if self._steps[place][0] == LEAF]

    def replay(self, sums: Mapping[int, Matrix], places: Sequence[int]) -> Matrix:
        """Return numbers for each row of sums by column; nan where one is undefined."""
        values: dict[int, Matrix | float] = {}
        with np.errstate(divide="ignore", invalid="ignore"):
            for place in self.needed(places):
                operation, left, right = self._steps[place]
                if operation == LEAF:
                    values[place] = sums[left]
                elif operation == CONSTANT:
                    values[place] = self._constants[left]
                elif operation == MEAN:
                    values[place] = _mean([values[part] for part in self._means[left]])
                else:
                    values[place] = _ARRAYS[operation](values[left], values[right])
        rows = len(next(iter(sums.values()), ()))
        replayed = np.empty((rows, len(places)))
        for at, place in enumerate(places):
            replayed[:, at] = values[place]
        replayed[~np.isfinite(replayed)] = np.nan
        return replayed


def _mean(numbers: Sequence[Matrix | float]) -> Matrix:
    """Return the mean of the defined numbers in each row."""
    stacked = np.array(np.broadcast_arrays(*numbers))
    defined = np.isfinite(stacked)
    mean: Matrix = np.where(defined, stacked, 0.0).sum(axis=0) / defined.sum(axis=0)
    return mean


class Traced:
    """A number that remembers how it was made; arithmetic with it makes more of its kind."""

    tape: Tape
    place: int

    def __add__(self, other: Number) -> Traced:
        return _apply(self.tape, ADD, self, other)

    def __radd__(self, other: Number) -> Traced:
        return _apply(self.tape, ADD, other, self)

    def __sub__(self, other: Number) -> Traced:
        return _apply(self.tape, SUBTRACT, self, other)

    def __rsub__(self, other: Number) -> Traced:
        return _apply(self.tape, SUBTRACT, other, self)

    def __mul__(self, other: Number) -> Traced:
        return _apply(self.tape, MULTIPLY, self, other)

    def __rmul__(self, other: Number) -> Traced:
        return _apply(self.tape, MULTIPLY, other, self)

    def __truediv__(self, other: Number) -> Traced:
        return _apply(self.tape, DIVIDE, self, other)

    def __rtruediv__(self, other: Number) -> Traced:
        return _apply(self.tape, DIVIDE, other, self)

    def mean_of(self, numbers: Sequence[Number]) -> Traced:
        """Return the mean of numbers, this one first."""
        value = sum(map(_plain, numbers)) / len(numbers)
        return _remembering(self.tape, self.tape.mean(numbers), value)

    def __neg__(self) -> Traced:
        return _apply(self.tape, SUBTRACT, 0, self)


class TracedCount(Traced, int):  # type: ignore[misc]
    """A whole number that remembers how it was made."""


class TracedFraction(Traced, float):  # type: ignore[misc]
    """A fraction that remembers how it was made."""


def _apply(tape: Tape, operation: int, left: object, right: object) -> Traced:
    value = _NUMBERS[operation](_plain(left), _plain(right))
    return _remembering(tape, tape.record(operation, left, right), value)


def _plain(number: object) -> Number:
    return int(number) if isinstance(number, int) else float(cast("float", number))


def _remembering(tape: Tape, place: int, value: Number) -> Traced:
    number = TracedCount(value) if isinstance(value, int) else TracedFraction(value)
    number.tape, number.place = tape, place
    return number


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

    def __init__(self, metric: BoundMetric, rows: Sequence[Row], context: Context) -> None:
        self.documents = len(rows)
        stats = [row.stats[metric.name] for row in rows]
        self.tape = Tape()
        starts: dict[tuple[str, Key], int] = {}
        traced = cast("Stats", _traced(fold(stats), self.tape, starts))
        made = [*_formulas(metric.metric.readouts(traced, context, **metric.display))]
        self.formulas = tuple(
            formula for formula in made if len(self.tape.needed([formula.place])) <= MOST_STEPS
        )
        self._places = [formula.place for formula in self.formulas]
        needed = self.tape.needed(self._places)
        self._columns = self.tape.columns(needed)
        self._at_once = max(1, MOST_CELLS // max(1, len(needed)))
        self.counts = _matrix(rows, stats, starts, self._columns)

    def values(self, sums: Matrix) -> Matrix:
        """Return the value of every formula for each row of sums."""
        parts = [
            self.tape.replay(
                {column: part[:, at] for at, column in enumerate(self._columns)}, self._places
            )
            for start in range(0, len(sums), self._at_once)
            for part in [sums[start : start + self._at_once]]
        ]
        return np.concatenate(parts) if parts else np.empty((0, len(self._places)))

    def present(self) -> NDArray[np.int64]:
        """Return in how many documents each formula finds something; of blocks, about as many."""
        there = self.counts != 0
        at = {column: number for number, column in enumerate(self._columns)}
        documents_each = self.documents / len(self.counts)
        present = []
        for place in self._places:
            columns = [at[column] for column in self.tape.columns(self.tape.needed([place]))]
            present.append(round(int(there[:, columns].any(axis=1).sum()) * documents_each))
        return np.array(present, dtype=np.int64)


def _formulas(readouts: Iterator[Readout]) -> Iterator[Expression]:
    for readout in readouts:
        value: object = readout.value
        if isinstance(value, Traced):
            yield Expression(readout.name, readout.key, _plain(value), value.place)


def _traced(
    totals: Stats, tape: Tape, starts: dict[tuple[str, Key], int]
) -> dict[str, dict[Key, tuple[Traced, ...]]]:
    """Return the sums as traced numbers, and note the first column of each row of a table."""
    traced: dict[str, dict[Key, tuple[Traced, ...]]] = {}
    for name, table in totals.items():
        traced[name] = {}
        for key, counts in table.items():
            starts[name, key] = len(tape)
            traced[name][key] = tuple(
                _remembering(tape, tape.leaf(len(tape)), count) for count in counts
            )
    return traced


def _matrix(
    rows: Sequence[Row],
    stats: Sequence[Stats],
    starts: Mapping[tuple[str, Key], int],
    columns: Sequence[int],
) -> Matrix:
    """Return the counts of each document in some columns; of many documents, of blocks by id."""
    width = len(columns)
    at = {column: number for number, column in enumerate(columns)}
    blocks = min(BLOCKS, max(1, MOST_COUNTS // max(1, width)))
    in_blocks = len(rows) > MOST_DOCUMENTS or len(rows) * width > MOST_COUNTS
    matrix = np.zeros((blocks if in_blocks else len(rows), width))
    for number, (row, tables) in enumerate(zip(rows, stats, strict=True)):
        line = matrix[_block(row.id, blocks) if in_blocks else number]
        for name, table in tables.items():
            for key, counts in table.items():
                for column, count in enumerate(counts, start=starts[name, key]):
                    if column in at:
                        line[at[column]] += count
    return matrix


def _block(id: str, blocks: int) -> int:
    return zlib.crc32(id.encode("utf-8", "surrogatepass")) % blocks


def draw(documents: int, draws: int, seed: int) -> Iterator[NDArray[np.int64]]:
    """Yield how often each document is drawn, a row a draw, some draws at a time."""
    generator = np.random.default_rng(seed)
    at_once = max(1, MOST_CELLS // documents)
    for start in range(0, draws, at_once):
        some = min(at_once, draws - start)
        taken = generator.integers(documents, size=(some, documents))
        taken += documents * np.arange(some)[:, None]
        times = np.bincount(taken.ravel(), minlength=some * documents)
        yield times.reshape(some, documents)
