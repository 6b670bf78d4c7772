"""Paired comparison: how far apart runs over the same documents are, and whether that is chance.

The test is paired approximate randomisation. If two runs were equally good, either could have
produced either answer to a document. So the answers of documents picked at random are swapped
between the runs, many times over, and p is the share of such draws whose difference is at least as
large as the one observed, in either direction. Where few documents differ, all ways to swap them
are tried, and p is exact.

The interval of a difference is that of the paired percentile bootstrap: documents are drawn anew
with replacement, the same ones for every run. Below `ENOUGH` documents that is too narrow, because
a small sample may hold none of the documents in which the runs differ most. There each end of the
interval of a share is drawn with one more document of average size, in which the runs differ by a
half, or by as much as in the document in which they differ most. Below `FEWEST` documents there is
no interval.

With clusters (documents of one template, one vendor), whole clusters are swapped and drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from docassay.analysis.intervals import (
    BEYOND,
    MOST_CELLS,
    MOST_COMPARED,
    DocumentSample,
    Ends,
    draw,
    percentiles,
)
from docassay.analysis.tape import Matrix, on_one_thread
from docassay.metrics.metric import Context
from docassay.model.report import FEWEST, SHARE, ReadoutSpec
from docassay.model.stats import fold
from docassay.run.plan import BoundMetric
from docassay.run.score import Row

PAIRED_DRAWS = 10_000
ENOUGH = 50
"""Documents from which on the plain percentile bootstrap is the interval."""
APART = 0.5
"""By how much the runs differ at least in the document that is added to few."""
EQUIVALENCE = 0.05
"""The share of draws beyond either end of the interval that tells equivalence."""
MOST_HELD = 40_000_000
"""How many drawn differences are held at once; more scores are drawn again from the same seed."""
LEAST_DRAWS = 1_000
"""Of how many draws an interval is made at least, where scores are too many for all draws."""
RATIOS = (SHARE, "rate")
"""Units of scores that are undefined where there is nothing to count."""
SLACK = 1e-11
"""How far two values of one formula may lie apart by rounding alone, for values up to 1."""
SWAPS = 1
"""Keeps the random numbers of the test apart from those of the interval."""

Pair = tuple[int, int]
"""The run that is compared with, and the run that is compared: the difference is second - first."""


class PairedDifference(NamedTuple):
    """The second run's readout minus the first's, with what chance could have made of it."""

    name: str
    key: str
    value: float
    interval: Ends | None
    """A 95 % interval, None below `FEWEST` documents."""
    narrow: Ends | None
    """A 90 % interval: two runs are equivalent when it lies within a margin on either side."""
    p: float
    """Of the two-sided randomisation test."""
    documents: int
    """In how many documents (or clusters) there is something to count, of counts all of them."""


class PairedSample:
    """What runs have counted in the same documents by one metric, ready to be drawn from.

    Only readouts take part whose formula gives back the value of every run that has one: a formula
    with a branch that one run takes and another does not has no test.
    """

    def __init__(
        self,
        metric: BoundMetric,
        runs: Sequence[Sequence[Row]],
        context: Context,
        *,
        cluster: str | None = None,
        wanted: Callable[[str, str, int], bool] | None = None,
    ) -> None:
        """Take one metric's rows of each run, in the same order of documents."""
        first, *others = runs
        self.sample = DocumentSample(
            metric,
            first,
            context,
            others=others,
            cluster=cluster,
            wanted=wanted,
            most=MOST_COMPARED,
        )
        self.counts = (self.sample.counts, *self.sample.other_counts)
        self.sums = np.array([counts.sum(axis=0) for counts in self.counts])
        self.specs: dict[str, ReadoutSpec] = {}
        stated = np.array([self._stated(metric, rows, context) for rows in runs])
        replayed = self.sample.values(self.sums)
        agree = np.isnan(stated) | (np.abs(stated - replayed) <= _slack(stated))
        self.values = np.where(agree.all(axis=0), stated, np.nan)
        """The readouts of each run, a row a run; nan where undefined or not to be tested."""
        # of a count every document speaks, of a share only one that has something to count
        units = [self.specs[formula.name].unit for formula in self.sample.formulas]
        self.ratios = np.isin(units, RATIOS)
        self.present = np.where(self.ratios, self.sample.present(), self.sample.units)

    def _stated(self, metric: BoundMetric, rows: Sequence[Row], context: Context) -> list[float]:
        """Return the values that the metric itself gives for a run, in the order of formulas."""
        totals = fold(row.stats[metric.name] for row in rows)
        values: dict[tuple[str, str], float] = {}
        for readout in metric.metric.readouts(totals, context, **metric.display):
            self.specs.setdefault(readout.name, metric.metric.spec(readout))
            if readout.value is not None:
                values[readout.name, readout.key] = float(readout.value)
        names = [(formula.name, formula.key) for formula in self.sample.formulas]
        return [values.get(name, np.nan) for name in names]

    def reach(self, pair: Pair) -> Matrix:
        """Return how far apart two runs are in a document added to few; 0 for what is no share."""
        shares = [self.specs[formula.name].unit == SHARE for formula in self.sample.formulas]
        values = self.values[[*pair]]
        bounded = np.all((values >= 0) & (values <= 1), axis=0) & shares
        own = [self.sample.values(self.counts[run]) for run in pair]
        apart = np.nan_to_num(np.abs(own[1] - own[0])).max(axis=0, initial=APART)
        reach: Matrix = np.where(bounded, np.minimum(1.0, apart), 0.0)
        return reach


def paired_differences(
    samples: Sequence[PairedSample],
    pairs: Sequence[Pair],
    *,
    seed: int = 0,
    draws: int = PAIRED_DRAWS,
) -> Mapping[Pair, list[dict[tuple[str, str], PairedDifference]]]:
    """Return for each pair of runs what each sample's readouts differ by, by name and key.

    The samples are of the same documents: they are drawn together.
    """
    tasks = [
        _PairTask(sample, pair) for pair in pairs for sample in samples if sample.sample.formulas
    ]
    ends: dict[_PairTask, Sequence[Matrix]] = {}
    for batch in _batches(tasks, draws):
        for task, drawn in zip(batch, _drawn(batch, seed=seed, draws=draws), strict=True):
            ends[task] = _ends(task, *drawn)
    return {
        pair: [
            _differences(task, ends[task], seed=seed, draws=draws) if task in ends else {}
            for task in (_PairTask(sample, pair) for sample in samples)
        ]
        for pair in pairs
    }


class _PairTask(NamedTuple):
    sample: PairedSample
    pair: Pair

    @property
    def difference(self) -> Matrix:
        first, second = self.pair
        difference: Matrix = self.sample.values[second] - self.sample.values[first]
        return difference


def _batches(tasks: Sequence[_PairTask], draws: int) -> Iterator[list[_PairTask]]:
    """Yield tasks that are drawn together: of as many units, and as much as is held at once."""
    batch: list[_PairTask] = []
    held = 0
    for task in sorted(tasks, key=lambda each: len(each.sample.counts[0])):
        cells = draws * len(task.sample.sample.formulas)
        units = {len(each.sample.counts[0]) for each in (*batch, task)}
        if batch and (held + cells > MOST_HELD or len(units) > 1):
            yield batch
            batch, held = [], 0
        batch.append(task)
        held += cells
    if batch:
        yield batch


class _Drawn(NamedTuple):
    differences: Matrix
    """A row a draw."""
    added: Matrix
    """How often the added document is in each draw."""


@on_one_thread()
def _drawn(batch: Sequence[_PairTask], *, seed: int, draws: int) -> list[_Drawn]:
    """Return the differences over documents drawn anew, the same ones for all tasks."""
    units = len(batch[0].sample.counts[0])
    enough = batch[0].sample.sample.units >= ENOUGH
    widest = max(len(task.sample.sample.formulas) for task in batch)
    draws = min(draws, max(LEAST_DRAWS, MOST_HELD // max(1, widest)))
    differences: list[list[Matrix]] = [[] for _ in batch]
    added = []
    # below ENOUGH the last document is the one that is added
    for times in draw(units + (not enough), draws, seed):
        own = times[:, :units].astype(np.float64)  # as matrices are multiplied
        added.append(np.zeros(len(own)) if enough else times[:, -1].astype(np.float64))
        values: dict[tuple[int, int], Matrix] = {}
        for place, (sample, pair) in enumerate(batch):
            for run in pair:
                if (id(sample), run) not in values:
                    sums = own @ sample.counts[run]
                    values[id(sample), run] = sample.sample.values(sums)
            first, second = (values[id(sample), run] for run in pair)
            differences[place].append(second - first)
    often = np.concatenate(added)
    return [_Drawn(np.concatenate(some), often) for some in differences]


def _ends(task: _PairTask, drawn: Matrix, added: Matrix) -> Sequence[Matrix]:
    """Return the ends of the 95 % and 90 % intervals, each at least as far as the difference."""
    value = task.difference
    low, high = (BEYOND, EQUIVALENCE), (1 - BEYOND, 1 - EQUIVALENCE)
    if added.any():
        weight = added[:, None] / np.maximum(1, task.sample.present)
        reach = task.sample.reach(task.pair)
        weight = np.where(reach > 0, weight, 0.0)
        # a count is of as many documents as there are, whatever part of the draw was added
        units = task.sample.sample.units
        with np.errstate(divide="ignore"):
            scale = units / (units + 1 - added)
        scale[~np.isfinite(scale)] = np.nan
        drawn = np.where(task.sample.ratios, drawn, drawn * scale[:, None])
        lows = percentiles((drawn - weight * reach) / (1 + weight), low)
        highs = percentiles((drawn + weight * reach) / (1 + weight), high)
    else:
        ends = percentiles(drawn, (*low, *high))
        lows, highs = ends[:2], ends[2:]
    return [*(np.fmin(end, value) for end in lows), *(np.fmax(end, value) for end in highs)]


def _differences(
    task: _PairTask, ends: Sequence[Matrix], *, seed: int, draws: int
) -> dict[tuple[str, str], PairedDifference]:
    sample, value = task.sample, task.difference
    p = _randomised(sample, task.pair, value, seed=seed, draws=draws)
    low, inner_low, high, inner_high = ends
    differences = {}
    for at, formula in enumerate(sample.sample.formulas):
        if np.isnan(value[at]):
            continue
        present = int(sample.present[at])
        few = present < FEWEST
        differences[formula.name, formula.key] = PairedDifference(
            formula.name,
            formula.key,
            float(value[at]),
            None if few else (float(low[at]), float(high[at])),
            None if few else (float(inner_low[at]), float(inner_high[at])),
            float(p[at]),
            present,
        )
    return differences


@on_one_thread()
def _randomised(
    sample: PairedSample, pair: Pair, value: Matrix, *, seed: int, draws: int
) -> Matrix:
    """Return the share of ways to swap documents that part the runs as far as they are."""
    first, second = pair
    changes = sample.counts[second] - sample.counts[first]
    documents = np.flatnonzero(changes.any(axis=1))
    columns = np.flatnonzero(changes.any(axis=0))
    # swapping documents with equal counts changes nothing
    changes = changes[np.ix_(documents, columns)]
    exact = len(documents) < 64 and 2 ** len(documents) <= draws
    number = 2 ** len(documents) if exact else draws
    swaps = _all_swaps(len(documents)) if exact else _random_swaps(len(documents), draws, seed=seed)
    least = np.abs(value) - _slack(sample.values[[first, second]]).max(axis=0)
    hits = np.zeros(len(value))
    for swapped in swaps:
        moved = swapped.astype(np.float64) @ changes
        sums = []
        for run, sign in ((first, 1), (second, -1)):
            own = np.repeat(sample.sums[run][None, :], len(moved), axis=0)
            own[:, columns] += sign * moved
            sums.append(own)
        apart = np.abs(sample.sample.values(sums[1]) - sample.sample.values(sums[0]))
        # where a draw leaves a readout undefined, it speaks for chance
        hits += (~(apart < least)).sum(axis=0)
    return hits / number if exact else (hits + 1) / (number + 1)


def _all_swaps(documents: int) -> Iterator[NDArray[np.uint8]]:
    """Yield every way to swap some documents, a row each, some ways at a time."""
    at_once = max(1, MOST_CELLS // max(1, documents))
    for start in range(0, 2**documents, at_once):
        ways = np.arange(start, min(start + at_once, 2**documents))
        yield (ways[:, None] >> np.arange(documents) & 1).astype(np.uint8)


def _random_swaps(documents: int, draws: int, *, seed: int) -> Iterator[NDArray[np.uint8]]:
    """Yield which documents are swapped in each draw, some draws at a time."""
    generator = np.random.default_rng((seed, SWAPS))
    at_once = max(1, MOST_CELLS // max(1, documents))
    for start in range(0, draws, at_once):
        some = min(at_once, draws - start)
        random = np.frombuffer(generator.bytes(some * -(-documents // 8)), dtype=np.uint8)
        yield np.unpackbits(random.reshape(some, -1), axis=1)[:, :documents]


def _slack(values: Matrix) -> Matrix:
    slack: Matrix = SLACK * np.maximum(1, np.abs(values))
    return slack
