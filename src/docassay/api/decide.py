"""Deciding by runs: what needs no review, which of several runs is better."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from docassay.run.ledger import Ledger

if TYPE_CHECKING:
    from docassay.analysis.thresholds.curves import Prices, Thresholds


def thresholds(
    run: str | Path | Ledger,
    *,
    target_error: float = 0.01,
    confidence: float = 0.95,
    budget: float | None = None,
    prices: Prices | Mapping[str, float] | None = None,
    by: str = "field",
    independent: str = "documents",
    out: str | Path | None = None,
) -> Thresholds:
    """Return from which confidence on values of a run need no review; `out` keeps it in a folder.

    `target_error` is the share of wrong values allowed among those not reviewed, which is kept for
    all fields together with this `confidence`. A `budget` is the share of values that can be
    reviewed, `prices` those of a review, a correction and a missed error.
    """
    from docassay.analysis.thresholds.analysis import find_thresholds

    study = find_thresholds(
        run,
        target_error=target_error,
        confidence=confidence,
        budget=budget,
        prices=prices,
        by=by,
        independent=independent,
    )
    if out is None:
        return study
    from docassay.report.thresholds import write_thresholds

    return replace(study, notes=(*study.notes, *write_thresholds(Path(out), study)))
