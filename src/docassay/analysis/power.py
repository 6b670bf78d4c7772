"""How many documents a comparison needs, and what those at hand can tell apart.

The forecast is that of the paired test (`docassay.analysis.paired`). With a standard deviation `s`
of the difference of a document and `t = d / s`, `n` documents show a difference `d` with

    power = normal((t * sqrt(n) - z * sqrt(n / (n - z * z))) / sqrt(v))

where z is the normal deviate of alpha. Swapping the runs changes the sign of a document's
difference, so the test measures the mean difference against the root of the mean square: that
raises what must be exceeded from z. And what it measures by is not known but estimated: where the
differences lean to the side of the effect, a sample with few of them varies little as well, and
`v = 1 - t * skewness + t * t * (kurtosis - 1) / 4` is below 1 (delta method; terms of the mean that
vanish with n are added). Where runs differ in few documents, enough of these must be drawn for any
test to be significant.

A score that is no mean of documents (F1, a rate) is made linear: what leaving out one document
changes (jackknife) stands for the document. The deviation is over all documents, also those without
the field in question, so the documents needed are of the mix at hand.

Of two runs the deviation is that of their differences. Of one run it is not known how another
would differ: the other is taken to vary as much as this one, with a stated correlation.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import isnan
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from docassay.analysis.comparable import SharedRuns, shared_runs
from docassay.analysis.compare import MOST_STEPS_BY_KEY as MOST_STEPS
from docassay.analysis.paired import PairedSample
from docassay.analysis.tape import Matrix
from docassay.errors import ConfigurationError, DataError, UnknownName
from docassay.metrics.metric import Context
from docassay.model.report import FEWEST, OVERALL, SHARE, ReadoutSpec
from docassay.model.words import UNDEFINED, count
from docassay.run.reopen import NamedRun
from docassay.version import VERSION

DIFFERENCE = 0.01
POWER = 0.8
ALPHA = 0.05
CORRELATION = 0.0
"""Of the errors that two runs make in a document, where only one run is there."""
ROUNDING = 1e-12
LEAST_SPREAD = 0.1
"""Below this the approximation of the spread of the test says nothing."""
STEPS = 100_000
"""Into how many parts the smallest difference is resolved."""
MOST = 1 << 50
"""More documents than anybody has."""
MAIN = "kieval.aligned"
AGAIN = "score the predictions of both again, against the same gold and by the same schema"
_NORMAL = NormalDist()


class PowerQuestion(NamedTuple):
    """What is to be seen, and how surely."""

    difference: float = DIFFERENCE
    power: float = POWER
    alpha: float = ALPHA


class PlannedRun(NamedTuple):
    """A run that a forecast rests on."""

    name: str
    signature: str
    documents: int


class PowerLine(NamedTuple):
    """The forecast for one score."""

    address: str
    kind: str
    """What its key names, "overall" for none."""
    key: str
    label: str
    """What people call it without its key: the short name, or metric and readout."""
    values: tuple[float | None, ...]
    """One a run."""
    observed: float | None
    """The second run's value less that of the first; None with one run."""
    documents: int
    """In how many documents the score finds something."""
    deviation: float | None
    """The standard deviation of the difference of one document."""
    needed: int | None
    """Documents that show the difference asked for, tested alone."""
    needed_together: int | None
    """The same where the score is tested in all fields at once; None for an overall score."""
    resolves: float | None
    """The smallest difference that the documents at hand show."""
    power_now: float | None
    """How likely the documents at hand show the difference asked for."""
    needed_for_observed: int | None
    """Documents that show a difference as large as the one observed."""
    why: str = ""
    """Why there is no forecast."""


@dataclass(frozen=True, repr=False)
class PowerStudy:
    """What a sample can tell apart, and how many documents would tell more."""

    runs: tuple[PlannedRun, ...]
    documents: int
    """Those that all runs have."""
    question: PowerQuestion
    correlation: float | None
    """What is assumed where only one run is there."""
    headline: str
    """The address of the score that decides."""
    lines: tuple[PowerLine, ...]
    notes: tuple[str, ...] = ()
    version: str = VERSION

    def __getitem__(self, address: str) -> PowerLine:
        """Return the forecast of a score, by its address or in short."""
        for line in self.lines:
            key = f"@{line.key}" if line.key else ""
            if address in (line.address, f"{line.label}{key}"):
                return line
        raise UnknownName("score", address, [line.address for line in self.lines])

    def __repr__(self) -> str:
        """Return how many documents the headline score needs, and what those at hand show."""
        main = next((line for line in self.lines if line.address == self.headline), None)
        goal = "a difference of {:g} (power {:g}, alpha {:g})".format(*self.question)
        if main is None or main.needed is None:
            why = "none is a share" if main is None else main.why
            return f"{self.headline or 'no score'}: no forecast for {goal}, {why}"
        resolved = UNDEFINED if main.resolves is None else f"{main.resolves:.4f}"
        return (
            f"{self.headline}: {count(main.needed, 'document')} show {goal}\n"
            f"{count(self.documents, 'document at hand', 'documents at hand')}: "
            f"a difference of {resolved} or more"
        )


class DifferenceShape(NamedTuple):
    """How the difference of two runs varies over documents."""

    deviation: float
    skewness: float = 0.0
    """Above 0 where it leans to the side of the effect."""
    kurtosis: float = 3.0
    differing: float = 1.0
    """The share of documents in which the runs differ at all."""


def documents_needed(shape: DifferenceShape, question: PowerQuestion) -> int:
    """Return how many documents show a difference."""
    return _doubled(lambda size: power_with(size, shape, question) >= question.power)


def power_with(documents: float, shape: DifferenceShape, question: PowerQuestion) -> float:
    """Return how likely a number of documents shows a difference."""
    difference, _, alpha = question
    z = _NORMAL.inv_cdf(1 - alpha / 2)
    if documents < fewest_documents(alpha) or documents <= z * z:
        return 0.0
    effect = difference / shape.deviation
    spread = 1 - effect * shape.skewness + effect * effect * (shape.kurtosis - 1) / 4
    limit = z * math.sqrt(documents / (documents - z * z))
    root = math.sqrt(documents)
    # what is divided by is too small as often as too large, which raises the mean of the quotient
    raised = 1 + 3 / 8 * min((shape.kurtosis - 1) / documents, 0.5)
    distance = effect * root * raised - max(shape.skewness, 0.0) / (2 * root) - limit
    power = _NORMAL.cdf(distance / math.sqrt(max(spread, LEAST_SPREAD)))
    return min(power, _enough_differ(documents * shape.differing, shape.differing, alpha))


def smallest_difference(
    documents: float, shape: DifferenceShape, question: PowerQuestion
) -> float | None:
    """Return the smallest difference that documents show, None where not even the largest does.

    In how many documents runs differ that are further apart than these, is not known.
    """
    dense = shape._replace(differing=1.0)

    def shows(steps: int) -> bool:
        asked = question._replace(difference=steps / STEPS)
        return power_with(documents, dense, asked) >= question.power

    return None if not shows(STEPS) else _doubled(shows) / STEPS


def _enough_differ(expected: float, share: float, alpha: float) -> float:
    """Return how likely enough documents differ for any test to be significant.

    Where the share that differs is small, their number is that of rare events.
    """
    if share >= 1:
        return 1.0
    from scipy.special import gammainc

    return float(gammainc(fewest_documents(alpha), expected))


def _doubled(holds: Callable[[int], bool]) -> int:
    """Return the least number from which on something holds, by doubling and halving."""
    high = 1
    while not holds(high) and high < MOST:
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def fewest_documents(alpha: float) -> int:
    """Return below how many documents no paired test can be significant, whatever they say.

    Of n documents that all became worse, swapping the runs in each gives 2**n outcomes, of which
    two are as far from nothing as what was seen.
    """
    return math.ceil(1 - math.log2(alpha))


def study_power(
    runs: Sequence[NamedRun],
    question: PowerQuestion,
    *,
    correlation: float | None = None,
    cluster: str | None = None,
) -> PowerStudy:
    """Return the forecast of every share of one run, or of two runs over the same documents."""
    _refuse(runs, question, correlation)
    assumed = (CORRELATION if correlation is None else correlation) if len(runs) == 1 else None
    try:
        shared = shared_runs(runs)
    except DataError as error:
        raise DataError(error.what, where=error.where, hint=AGAIN) from None
    lines = [*_lines(shared, question, assumed, cluster)]
    return PowerStudy(
        tuple(
            PlannedRun(run.name, run.ledger.header.signature, len(run.ledger.rows)) for run in runs
        ),
        shared.documents,
        question,
        assumed,
        _headline(lines),
        tuple(lines),
        shared.notes,
    )


def _refuse(runs: Sequence[NamedRun], question: PowerQuestion, correlation: float | None) -> None:
    """Refuse questions that have no answer."""
    if len(runs) not in (1, 2):
        raise ConfigurationError(
            f"{len(runs)} runs are given", hint="name one run, or two over the same documents"
        )
    limits = (
        ("difference", question.difference, 0 < question.difference <= 1, "0.01"),
        ("power", question.power, 0 < question.power < 1, "0.8"),
        ("level alpha", question.alpha, 0 < question.alpha < 1, "0.05"),
        ("correlation", correlation, correlation is None or -1 <= correlation < 1, "0.5"),
    )
    for name, value, fits, example in limits:
        if not fits:
            raise ConfigurationError(
                f"a {name} of {value} cannot be planned for",
                hint=f"say --{name.split()[-1]} {example}",
            )
    if correlation is not None and len(runs) == 2:
        raise ConfigurationError(
            "a correlation is assumed where only one run is given",
            hint="leave it out: two runs show their own",
        )


def _lines(
    shared: SharedRuns,
    question: PowerQuestion,
    correlation: float | None,
    cluster: str | None,
) -> Iterator[PowerLine]:
    """Yield the forecasts of all metrics, in the order of their readouts."""
    documents = shared.documents
    for metric in shared.bound.metrics:
        sample = PairedSample(
            metric,
            [ledger.rows for ledger in shared.ledgers],
            Context(documents, shared.bound.plan.schema, metric.options),
            cluster=cluster,
            wanted=partial(_is_wanted, metric.metric.specs),
        )
        shapes = shapes_of(sample, documents, correlation)
        yield from _of_metric(metric.name, sample, shapes, question)


def _is_wanted(specs: Mapping[str, ReadoutSpec], name: str, key: str, steps: int) -> bool:
    """Return whether a readout may be planned for, of those that are made of a few steps."""
    return (name not in specs or _is_planned(specs[name])) and (not key or steps <= MOST_STEPS)


def _is_planned(spec: ReadoutSpec) -> bool:
    """Return whether a readout is a share of which more, or less, is better."""
    return spec.unit == SHARE and spec.better is not None


def shapes_of(
    sample: PairedSample, documents: int, correlation: float | None
) -> list[DifferenceShape]:
    """Return how the difference of two runs varies for each readout; nan where it is undefined.

    What leaving out a document changes is the document's part in the score (jackknife). Of one run
    the difference from another like it is symmetric.
    """
    left_out = [
        sample.sample.values(sums - counts)
        for sums, counts in zip(sample.sums, sample.counts, strict=True)
    ]
    values = left_out[0] if len(left_out) == 1 else left_out[0] - left_out[1]
    units = len(values)
    if units < 2:
        return [DifferenceShape(math.nan)] * values.shape[1]
    parts = values - values.mean(axis=0)
    square = (parts**2).sum(axis=0)
    # the jackknife's variance of the score, times the number of documents
    deviations = np.sqrt(square * (units - 1) / units * documents)
    if correlation is not None:
        return [
            DifferenceShape(float(own) * math.sqrt(2 * (1 - correlation))) for own in deviations
        ]
    with np.errstate(divide="ignore", invalid="ignore"):
        scaled = parts / np.sqrt(square / units)
        towards = np.sign(sample.values[1] - sample.values[0])
        skewness = towards * (scaled**3).mean(axis=0)
        kurtosis = (scaled**4).mean(axis=0)
    columns = zip(deviations, skewness, kurtosis, _differing(sample), strict=True)
    return [DifferenceShape(*map(float, column)) for column in columns]


def _differing(sample: PairedSample) -> Matrix:
    """Return for each readout the share of documents in which two runs differ."""
    first, second = map(sample.sample.values, sample.counts)
    same = (first == second) | (np.isnan(first) & np.isnan(second))
    share: Matrix = 1 - same.mean(axis=0)
    return share


def _of_metric(
    metric: str, sample: PairedSample, shapes: Sequence[DifferenceShape], question: PowerQuestion
) -> Iterator[PowerLine]:
    formulas = sample.sample.formulas
    planned = [_is_planned(sample.specs[formula.name]) for formula in formulas]
    keyed = zip(formulas, planned, strict=True)
    together = Counter(formula.name for formula, counts in keyed if formula.key and counts)
    for at, formula in enumerate(formulas):
        if not planned[at]:
            continue
        spec = sample.specs[formula.name]
        values = tuple(None if isnan(value) else float(value) for value in sample.values[:, at])
        yield _line(
            PowerLine(
                f"{metric}.{formula.name}" + (f"@{formula.key}" if formula.key else ""),
                spec.kind if formula.key else OVERALL,
                formula.key,
                spec.short or f"{metric}.{formula.name}",
                values,
                _difference(values),
                int(sample.present[at]),
                *(None,) * 6,
            ),
            shapes[at],
            sample.sample.units,
            question,
            together[formula.name] if formula.key else None,
        )


def _difference(values: tuple[float | None, ...]) -> float | None:
    if len(values) < 2 or values[0] is None or values[1] is None:
        return None
    return values[1] - values[0]


def _line(
    line: PowerLine,
    shape: DifferenceShape,
    units: int,
    question: PowerQuestion,
    together: int | None,
) -> PowerLine:
    """Return a line with its forecast, or with why there is none."""
    if any(value is None for value in line.values):
        return line._replace(why="undefined")
    if line.documents < FEWEST:
        return line._replace(why=f"fewer than {FEWEST} documents have it")
    if isnan(shape.deviation):
        return line._replace(why="one document decides whether it is defined")
    if shape.deviation <= ROUNDING:
        same = "both runs say the same" if len(line.values) == 2 else "all documents say the same"
        return line._replace(deviation=0.0, why=same)
    observed = 0.0 if line.observed is None else abs(line.observed)
    seen = question._replace(difference=observed)
    strict = question._replace(alpha=question.alpha / (together or 1))
    return line._replace(
        deviation=shape.deviation,
        needed=documents_needed(shape, question),
        needed_together=None if together is None else documents_needed(shape, strict),
        resolves=smallest_difference(units, shape, question),
        power_now=power_with(units, shape, question),
        needed_for_observed=documents_needed(shape, seen) if observed > ROUNDING else None,
    )


def _headline(lines: Sequence[PowerLine]) -> str:
    """Return the address of the score that decides: aligned, else the first overall one."""
    overall = [line.address for line in lines if not line.key]
    return MAIN if MAIN in overall else next(iter(overall), "")
