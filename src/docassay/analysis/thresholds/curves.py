"""The trade-off at every threshold, and how far confidences can be believed, by field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from docassay.analysis.thresholds.outcomes import FieldValues, Outcomes
from docassay.errors import UnknownName
from docassay.metrics.confidence import BINS, auroc, brier, ece, reliability
from docassay.metrics.trade_off import TALLIES, Tally, area, curve
from docassay.model.report import CurvePoint
from docassay.model.stats import ratio
from docassay.model.words import count
from docassay.version import VERSION

GUARANTEED, NAIVE, BUDGET, CHEAPEST = "guaranteed", "naive", "budget", "cheapest"
NO_REVIEW, ALL_REVIEWED = "no review", "all reviewed"
BY = ("field", "all")
"""A threshold for each field, or one for all."""
DOCUMENTS, VALUES = INDEPENDENT = ("documents", "values")
"""What is taken to be independent of its like."""
ALL_FIELDS = ""
"""The name under which all fields together have one threshold, one curve, one calibration."""


class Prices(NamedTuple):
    """What it costs to look at a value, to put one right, and to miss a wrong one."""

    review: float
    correction: float
    missed: float


class Choice(NamedTuple):
    """The threshold of a field, chosen in one way, and what it does on the documents at hand."""

    way: str
    field: str
    threshold: float | None
    values: int
    """All predicted values of the field."""
    unreviewed: int
    wrong: int
    """Those that are wrong among the unreviewed."""
    tested: int | None = None
    """The values the guarantee rests on: at most one a document, unless values are independent."""
    bound: float | None = None
    """What the error rate among unreviewed values does not exceed."""
    more_documents: int | None = None
    """How many further documents might do; None when the target is met, or nobody can tell."""
    why: str = ""
    """Why the field has no threshold."""

    @property
    def auto_rate(self) -> float | None:
        """The share of the values that is left to the machine."""
        return ratio(self.unreviewed, self.values)

    @property
    def error_rate(self) -> float | None:
        """The share of the unreviewed values that is wrong."""
        return ratio(self.wrong, self.unreviewed)


class OperatingPoint(NamedTuple):
    """All fields under the thresholds of one way."""

    way: str
    auto_rate: float
    error_rate: float | None
    """Wrong among unreviewed values."""
    aligned: float | None
    """KIEval's score after the review."""
    touchless: float
    """The share of documents of which no value is reviewed."""
    touchless_right: float | None
    """The share of those that are fully correct."""
    cost: float | None
    """None without prices."""


class Calibration(NamedTuple):
    """Whether the confidences of a field mean what they say, and tell right from wrong."""

    field: str
    values: int
    without_confidence: int
    distinct: int
    """How many different confidences there are: values of equal confidence share their fate."""
    ece: float | None
    brier: float | None
    auroc: float | None
    area: float | None


class ReliabilityBin(NamedTuple):
    """The values of a tenth of the range of confidence."""

    field: str
    low: float
    high: float
    values: int
    confidence: float | None
    """The mean of those stated."""
    right: float | None
    """The share that is right."""


@dataclass(frozen=True, slots=True, repr=False)
class Thresholds:
    """The automation trade-off of a run."""

    signature: str
    documents: int
    values: int
    target_error: float
    confidence: float
    by: str
    independent: str
    budget: float | None
    prices: Prices | None
    choices: tuple[Choice, ...]
    """By way, and by field in each."""
    points: tuple[OperatingPoint, ...]
    curves: tuple[CurvePoint, ...]
    """The run first, then every field; from no review to all reviewed."""
    calibration: tuple[Calibration, ...]
    reliability: tuple[ReliabilityBin, ...]
    notes: tuple[str, ...]
    version: str = VERSION

    def __repr__(self) -> str:
        """Return how much needs no review by each way to choose thresholds."""
        many = f"{count(self.values, 'value')} of {count(self.documents, 'document')}"
        lines = [f"{many}, target error {self.target_error:g}"]
        for point in self.points:
            errors = "" if point.error_rate is None else f", {point.error_rate:.4f} of them wrong"
            lines.append(f"  {point.way}: {point.auto_rate:.4f} without review{errors}")
        return "\n".join(lines)

    def of(self, way: str = GUARANTEED) -> Mapping[str, Choice]:
        """Return the choices of one way by field."""
        choices = {choice.field: choice for choice in self.choices if choice.way == way}
        if not choices:
            raise UnknownName("way", way, {choice.way for choice in self.choices})
        return choices

    def thresholds(self, way: str = GUARANTEED) -> dict[str, float | None]:
        """Return the thresholds to deploy: field -> confidence from which none is reviewed."""
        return {field: choice.threshold for field, choice in self.of(way).items()}

    def __getitem__(self, field: str) -> Choice:
        """Return the guaranteed choice of a field."""
        choices = self.of()
        if field not in choices:
            raise UnknownName("field", field, choices)
        return choices[field]

    def point(self, way: str = GUARANTEED) -> OperatingPoint:
        """Return what all fields under the thresholds of a way come to."""
        points = {point.way: point for point in self.points}
        if way not in points:
            raise UnknownName("way", way, points)
        return points[way]

    def curve(self, field: str = ALL_FIELDS) -> tuple[CurvePoint, ...]:
        """Return the curve of a field, or of the run."""
        return tuple(point for point in self.curves if point.field == field)


CELLS = 20_000_000
"""About how many cells of a field's table are filled for a budget: of more thresholds than that
takes, so many evenly spaced ones are tried."""
FEWEST_TRIED = 100
"""But no fewer than these."""


class Candidates(NamedTuple):
    """Every threshold of a field from lax to strict, the last one None, and what it leaves."""

    thresholds: tuple[float | None, ...]
    unreviewed: NDArray[np.int64]
    wrong: NDArray[np.int64]
    """How many of the unreviewed are wrong."""

    @property
    def reviewed(self) -> NDArray[np.int64]:
        """How many values a threshold sends to review."""
        reviewed: NDArray[np.int64] = self.unreviewed[0] - self.unreviewed
        return reviewed

    @property
    def caught(self) -> NDArray[np.int64]:
        """How many wrong values it sends to review."""
        caught: NDArray[np.int64] = self.wrong[0] - self.wrong
        return caught


def candidates(values: FieldValues) -> Candidates:
    """Return the thresholds that differ, each a confidence that occurs."""
    taus, place = np.unique(values.confidence, return_inverse=True)
    counts = np.bincount(place, minlength=len(taus))
    wrong = np.bincount(place, weights=values.wrong, minlength=len(taus)).astype(np.int64)
    return Candidates((*map(float, taus), None), _from_here(counts), _from_here(wrong))


def _from_here(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.append(np.cumsum(counts[::-1])[::-1], 0)


def naive(one: Candidates, target: float) -> float | None:
    """Return the laxest threshold whose error rate, as observed, is within the target."""
    fine = np.flatnonzero(one.wrong <= target * one.unreviewed)
    return one.thresholds[int(fine[0])]


def cheapest(one: Candidates, prices: Prices) -> float | None:
    """Return the threshold of least cost, of equal ones the laxest."""
    costs = (
        prices.review * one.reviewed + prices.correction * one.caught + prices.missed * one.wrong
    )
    # rounded, so that the last digit of a sum does not decide
    return one.thresholds[int(np.argmin(np.round(costs, 9)))]


def within_budget(fields: Mapping[str, Candidates], share: float) -> dict[str, float | None]:
    """Return the thresholds that catch most errors with reviews of a share of all values.

    A knapsack, field by field: with how few reviews each number of errors can be caught. Of equally
    good thresholds those with fewest reviews are taken: nobody reviews what is right for nothing.
    """
    budget = int(share * sum(int(field.unreviewed[0]) for field in fields.values()) + 1e-9)
    fewest = np.zeros(1, dtype=np.int64)
    steps = []
    for options in fields.values():
        fewest, taken = _with_field(fewest, options, budget)
        steps.append(taken)
    caught = len(fewest) - 1
    chosen: dict[str, float | None] = {}
    for path, taken in zip(reversed([*fields]), reversed(steps), strict=True):
        at = int(taken[caught])
        chosen[path] = fields[path].thresholds[at]
        caught -= int(fields[path].caught[at])
    return {path: chosen[path] for path in fields}


def _with_field(
    fewest: NDArray[np.int64], one: Candidates, budget: int
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the fewest reviews for each number of errors with one field more, and its part.

    Its part is the place of its threshold.
    """
    # only a threshold that catches more than laxer ones is worth its reviews
    useful = np.unique(one.caught, return_index=True)[1]
    useful = useful[one.reviewed[useful] <= budget]
    most = max(FEWEST_TRIED, CELLS // len(fewest))
    if len(useful) > most:
        useful = useful[np.linspace(0, len(useful) - 1, most).astype(np.intp)]
    totals = np.full(len(fewest) + int(one.caught[useful[-1]]), budget + 1)
    taken = np.zeros(len(totals), dtype=np.int32)
    for at in useful:
        part = slice(int(one.caught[at]), int(one.caught[at]) + len(fewest))
        reviews = fewest + one.reviewed[at]
        better = reviews < totals[part]
        totals[part][better] = reviews[better]
        taken[part][better] = at
    last = int(np.flatnonzero(totals <= budget)[-1])
    return totals[: last + 1], taken[: last + 1]


def tallies(values: FieldValues) -> list[Tally]:
    """Return how many values of each confidence were right, substituted and deleted."""
    taus, place = np.unique(values.confidence, return_inverse=True)
    counts = np.zeros((len(taus), len(TALLIES)), dtype=np.int64)
    np.add.at(counts, (place, values.outcome), 1)
    return [(float(tau), tuple(map(int, row))) for tau, row in zip(taus, counts, strict=True)]


def curves(
    outcomes: Outcomes, whole: FieldValues, *, most: int | None = None
) -> Iterator[CurvePoint]:
    """Yield the curve of the run, with its documents, and that of every field.

    Of a curve with more than `most` points, so many are chosen, its ends among them.
    """
    touch = _least_sure(outcomes)
    right = outcomes.wholly_right
    for point in _chosen([*_curve(ALL_FIELDS, whole)], most):
        # above every confidence a value is reviewed, whatever it says
        free = np.isinf(touch) if point.tau is None else touch >= point.tau
        untouched = int(free.sum())
        yield point._replace(
            touchless=untouched / len(free),
            touchless_right=ratio(int((free & right).sum()), untouched),
        )
    for path, values in outcomes.fields.items():
        yield from _chosen([*_curve(path, values)], most)


def _chosen(points: list[CurvePoint], most: int | None) -> list[CurvePoint]:
    if most is None or len(points) <= most:
        return points
    last = len(points) - 1
    return [points[at * last // (most - 1)] for at in range(most)]


def _curve(path: str, values: FieldValues) -> Iterator[CurvePoint]:
    if not len(values.document):
        return
    ways = candidates(values)
    rates = {
        tau: ratio(int(wrong), int(unreviewed))
        for tau, unreviewed, wrong in zip(*ways, strict=True)
    }
    for tau, auto_rate, aligned in curve(tallies(values), values.additions):
        # no confidence lies below the lowest, so 0 leaves what the lowest leaves
        rate = rates[ways.thresholds[0]] if tau == 0 else rates[tau]
        yield CurvePoint(path, tau, auto_rate, aligned, rate)


def _least_sure(outcomes: Outcomes) -> NDArray[np.float64]:
    """Return the lowest confidence of each document, infinite where nothing is predicted."""
    lowest = np.full(len(outcomes.ids), np.inf)
    for values in outcomes.fields.values():
        np.minimum.at(lowest, values.document, values.confidence)
    return lowest


def _stated(values: FieldValues) -> list[Tally]:
    """Return the tallies of those values that say how sure they are."""
    return tallies(values.only(values.stated))


def calibrations(outcomes: Outcomes, whole: FieldValues) -> Iterator[Calibration]:
    """Yield the calibration of the run and of every field, from the confidences stated."""
    for path, values in {ALL_FIELDS: whole, **outcomes.fields}.items():
        stated = _stated(values)
        yield Calibration(
            path,
            len(values.document),
            int((~values.stated).sum()),
            len(stated),
            ece(stated),
            brier(stated),
            auroc(stated),
            area(curve(tallies(values), values.additions)) if stated else None,
        )


def reliabilities(outcomes: Outcomes, whole: FieldValues) -> Iterator[ReliabilityBin]:
    """Yield ten bins of the run and of every field."""
    for path, values in {ALL_FIELDS: whole, **outcomes.fields}.items():
        for at, bin_counts in enumerate(reliability(_stated(values))):
            yield ReliabilityBin(
                path,
                at / BINS,
                (at + 1) / BINS,
                bin_counts.values,
                bin_counts.sure / bin_counts.values if bin_counts.values else None,
                ratio(bin_counts.right, bin_counts.values),
            )
