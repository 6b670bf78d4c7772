"""The automation trade-off of a run: thresholds in several ways, what they do, and the curves."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from docassay.analysis.thresholds.curves import (
    ALL_FIELDS,
    ALL_REVIEWED,
    BUDGET,
    BY,
    CHEAPEST,
    DOCUMENTS,
    GUARANTEED,
    INDEPENDENT,
    NAIVE,
    NO_REVIEW,
    VALUES,
    Candidates,
    Choice,
    OperatingPoint,
    Prices,
    Thresholds,
    calibrations,
    candidates,
    cheapest,
    curves,
    naive,
    reliabilities,
    within_budget,
)
from docassay.analysis.thresholds.guarantee import Evidence, guarantee
from docassay.analysis.thresholds.outcomes import FieldValues, Outcomes, pooled, read_outcomes
from docassay.errors import ConfigurationError, DataError, UnknownName
from docassay.matching.confidences import DELETED
from docassay.model.report import CurvePoint
from docassay.model.stats import ratio
from docassay.run.ledger import Ledger

LIKE_THIS = 'a value with one is {"value": "12.50", "confidence": 0.93}'

MOST_POINTS = 201
"""Of a curve that a page shows."""
FEW = 4
"""Of so many documents with a field one is tested on average, or fewer: that is worth a word."""

Chosen = dict[str, dict[str, float | None]]
"""Way -> field -> threshold."""


def find_thresholds(
    run: str | Path | Ledger,
    *,
    target_error: float = 0.01,
    confidence: float = 0.95,
    budget: float | None = None,
    prices: Prices | Mapping[str, float] | None = None,
    by: str = "field",
    independent: str = DOCUMENTS,
) -> Thresholds:
    """Return from which confidence on values of a run need no review.

    `target_error` is the share of wrong values allowed among those not reviewed, which is kept for
    all fields together with this `confidence`. A `budget` is the share of values that can be
    reviewed, `prices` those of a review, a correction and a missed error.
    """
    price = _prices(prices)
    _check(target_error, confidence, budget, by, independent)
    outcomes = read_outcomes(run)
    if not any(values.stated.any() for values in outcomes.fields.values()):
        raise DataError(
            "no predicted value states a confidence",
            where=None if isinstance(run, Ledger) else str(run),
            hint=LIKE_THIS,
        )
    whole = pooled(outcomes)
    predicted = {path: field for path, field in outcomes.fields.items() if len(field.document)}
    fields = predicted if by == "field" else {ALL_FIELDS: whole}
    evidence = guarantee(
        outcomes, fields, target=target_error, alpha=1 - confidence, independent=independent
    )
    every = {path: candidates(values) for path, values in fields.items()}
    chosen = _chosen(every, evidence, target_error, budget, price)
    return Thresholds(
        signature=outcomes.signature,
        documents=len(outcomes.ids),
        values=len(whole.document),
        target_error=target_error,
        confidence=confidence,
        by=by,
        independent=independent,
        budget=budget,
        prices=price,
        choices=tuple(_choices(chosen, every, evidence)),
        points=tuple(_points(outcomes, fields, chosen, price)),
        curves=tuple(curves(outcomes, whole)),
        calibration=tuple(calibrations(outcomes, whole)),
        reliability=tuple(reliabilities(outcomes, whole)),
        notes=(*_notes(outcomes, whole), *_long_documents(fields, independent)),
    )


def automation_curves(ledger: Ledger, *, most: int = MOST_POINTS) -> tuple[CurvePoint, ...]:
    """Return the curves of a run with confidences and of its fields, of at most so many points."""
    outcomes = read_outcomes(ledger)
    return tuple(curves(outcomes, pooled(outcomes), most=most))


def _prices(given: Prices | Mapping[str, float] | None) -> Prices | None:
    if given is None:
        return None
    named = dict(given) if isinstance(given, Mapping) else given._asdict()
    for name in named:
        if name not in Prices._fields:
            raise UnknownName("price", name, Prices._fields)
    missing = [name for name in Prices._fields if name not in named]
    if missing:
        raise ConfigurationError(
            f"the price of {missing[0]} is missing", hint="give all of review, correction, missed"
        )
    for name, value in named.items():
        if not (math.isfinite(value) and value >= 0):
            raise ConfigurationError(f"the price of {name} is {value}", hint="0 or more")
    return Prices(**named)


def _check(
    target: float, confidence: float, budget: float | None, by: str, independent: str
) -> None:
    for name, value in (("target error", target), ("confidence", confidence)):
        if not 0 < value < 1:
            raise ConfigurationError(f"the {name} is {value}", hint="it lies between 0 and 1")
    if budget is not None and not 0 <= budget <= 1:
        raise ConfigurationError(
            f"the budget is {budget}", hint="the share of values to review, from 0 to 1"
        )
    if by not in BY:
        raise UnknownName("choice of thresholds", by, BY)
    if independent not in INDEPENDENT:
        raise UnknownName("independent unit", independent, INDEPENDENT)


def _chosen(
    every: Mapping[str, Candidates],
    evidence: Mapping[str, Evidence],
    target: float,
    budget: float | None,
    prices: Prices | None,
) -> Chosen:
    chosen: Chosen = {
        GUARANTEED: {path: evidence[path].threshold for path in every},
        NAIVE: {path: naive(field, target) for path, field in every.items()},
    }
    if budget is not None:
        chosen[BUDGET] = within_budget(every, budget)
    if prices is not None:
        chosen[CHEAPEST] = {path: cheapest(field, prices) for path, field in every.items()}
    return chosen


def _choices(
    chosen: Chosen, every: Mapping[str, Candidates], evidence: Mapping[str, Evidence]
) -> Iterator[Choice]:
    for way, taus in chosen.items():
        for path, tau in taus.items():
            field = every[path]
            at = field.thresholds.index(tau)
            counts = (int(field.unreviewed[0]), int(field.unreviewed[at]), int(field.wrong[at]))
            behind = evidence[path][1:] if way == GUARANTEED else ()
            yield Choice(way, path, tau, *counts, *behind)


def _points(
    outcomes: Outcomes,
    fields: Mapping[str, FieldValues],
    chosen: Chosen,
    prices: Prices | None,
) -> Iterator[OperatingPoint]:
    yield operate(outcomes, fields, dict.fromkeys(fields, 0.0), NO_REVIEW, prices)
    for way, taus in chosen.items():
        yield operate(outcomes, fields, taus, way, prices)
    yield operate(outcomes, fields, dict.fromkeys(fields), ALL_REVIEWED, prices)


def operate(
    outcomes: Outcomes,
    fields: Mapping[str, FieldValues],
    taus: Mapping[str, float | None],
    way: str,
    prices: Prices | None = None,
) -> OperatingPoint:
    """Return what thresholds do to values and documents."""
    touched = np.zeros(len(outcomes.ids), dtype=np.bool_)
    predicted = reviewed = caught = missed = removed = 0
    for path, values in fields.items():
        low = _below(values.confidence, taus[path])
        predicted += len(low)
        reviewed += int(low.sum())
        caught += int((low & values.wrong).sum())
        missed += int((~low & values.wrong).sum())
        removed += int((low & (values.outcome == DELETED)).sum())
        touched[values.document[low]] = True
    additions = int(outcomes.additions.sum())
    left = predicted - removed + additions
    untouched = int((~touched).sum())
    return OperatingPoint(
        way,
        auto_rate=1 - reviewed / predicted,
        error_rate=ratio(missed, predicted - reviewed),
        aligned=ratio(left - missed - additions, left),
        touchless=untouched / len(touched),
        touchless_right=ratio(int((~touched & outcomes.wholly_right).sum()), untouched),
        cost=None
        if prices is None
        else prices.review * reviewed + prices.correction * caught + prices.missed * missed,
    )


def _below(confidence: NDArray[np.float64], tau: float | None) -> NDArray[np.bool_]:
    if tau is None:
        return np.ones(len(confidence), dtype=np.bool_)
    return confidence < tau


def _notes(outcomes: Outcomes, whole: FieldValues) -> Iterator[str]:
    unsure = int((~whole.stated).sum())
    if unsure:
        yield (
            f"{unsure:,} of {len(whole.stated):,} predicted values state no confidence: "
            "it counts as 0"
        )
    if outcomes.outside:
        yield (
            f"{outcomes.outside:,} confidences lie outside 0..1: each is taken as the nearer end"
        )
    constant = [
        path
        for path, values in outcomes.fields.items()
        if len(values.confidence) > 1 and len(np.unique(values.confidence)) == 1
    ]
    if constant:
        yield f"one confidence for all values, so all or none are reviewed: {', '.join(constant)}"
    unpredicted = [path for path, field in outcomes.fields.items() if not len(field.document)]
    if unpredicted:
        yield f"never predicted, so there is nothing to review: {', '.join(unpredicted)}"


def _long_documents(fields: Mapping[str, FieldValues], independent: str) -> Iterator[str]:
    """Yield why few values of a field are tested, where a document has many more than others."""
    for path, values in fields.items():
        sizes = np.unique(values.document, return_counts=True)[1]
        tested = sizes.sum() / sizes.max()
        if independent == DOCUMENTS and tested * FEW < len(sizes):
            yield (
                f"{path or 'all fields'}: one document has {sizes.max():,} of the "
                f"{sizes.sum():,} values, so about {tested:,.0f} can be tested as independent "
                f"(--independent {VALUES} tests all)"
            )
