"""The trade-off at every threshold, and how far confidences can be believed, by field."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from docassay.automation.choose import options
from docassay.automation.outcomes import Outcomes, Values
from docassay.metrics.confidence import BINS, auroc, brier, ece, reliability
from docassay.metrics.trade_off import TALLIES, Tally, area, curve
from docassay.model.automation import ALL_FIELDS, Calibration, CurvePoint, ReliabilityBin
from docassay.model.stats import ratio


def tallies(values: Values) -> list[Tally]:
    """Return how many values of each confidence were right, substituted and deleted."""
    taus, place = np.unique(values.confidence, return_inverse=True)
    counts = np.zeros((len(taus), len(TALLIES)), dtype=np.int64)
    np.add.at(counts, (place, values.outcome), 1)
    return [(float(tau), tuple(map(int, row))) for tau, row in zip(taus, counts, strict=True)]


def curves(outcomes: Outcomes, whole: Values) -> Iterator[CurvePoint]:
    """Yield the curve of the run, with its documents, and that of every field."""
    touch = _least_sure(outcomes)
    right = outcomes.wholly_right
    for point in _curve(ALL_FIELDS, whole):
        # above every confidence a value is reviewed, whatever it says
        free = np.isinf(touch) if point.tau is None else touch >= point.tau
        untouched = int(free.sum())
        yield point._replace(
            touchless=untouched / len(free),
            touchless_right=ratio(int((free & right).sum()), untouched),
        )
    for path, values in outcomes.fields.items():
        yield from _curve(path, values)


def _curve(path: str, values: Values) -> Iterator[CurvePoint]:
    if not len(values.document):
        return
    ways = options(values)
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


def _stated(values: Values) -> list[Tally]:
    """Return the tallies of those values that say how sure they are."""
    return tallies(values.only(values.stated))


def calibrations(outcomes: Outcomes, whole: Values) -> Iterator[Calibration]:
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


def reliabilities(outcomes: Outcomes, whole: Values) -> Iterator[ReliabilityBin]:
    """Yield ten bins of the run and of every field."""
    for path, values in {ALL_FIELDS: whole, **outcomes.fields}.items():
        for at, one in enumerate(reliability(_stated(values))):
            yield ReliabilityBin(
                path,
                at / BINS,
                (at + 1) / BINS,
                one.values,
                one.sure / one.values if one.values else None,
                ratio(one.right, one.values),
            )
