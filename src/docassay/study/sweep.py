"""The threshold sweep: how many entities Nerval finds, by how much their texts may differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

from docassay.api import score_run
from docassay.errors import ConfigurationError, UnknownName
from docassay.metrics.ner import suffix_of
from docassay.model.report import Report
from docassay.model.study import SweepPoint, SweepStudy
from docassay.prepare import Data

STEPS = 100
MOST_STEPS = 1000


def sweep_study(
    gold: Data,
    pred: Data,
    *,
    schema: object = None,
    settings: Mapping[str, object] | None = None,
    gold_format: str | None = None,
    pred_format: str | None = None,
    id_key: str | None = None,
    steps: int = STEPS,
    category: str = "",
    out: str | Path | None = None,
    progress: Callable[[int], None] | None = None,
) -> SweepStudy:
    """Score Nerval at `steps` + 1 thresholds from 0 to 1; `out` keeps tables and chart."""
    if not 1 <= steps <= MOST_STEPS:
        raise ConfigurationError(f"{steps} steps are no sweep", hint=f"1 to {MOST_STEPS}")
    first, *others = [str(Decimal(step) / steps) for step in range(steps + 1)]
    run = score_run(
        gold,
        pred,
        schema=schema,
        metrics=["ner"],
        settings={
            **(settings or {}),
            "ner.only": "nerval,oinerval",
            "ner.threshold": first,
            "ner.thresholds": ",".join(others),
        },
        gold_format=gold_format,
        pred_format=pred_format,
        id_key=id_key,
        progress=progress,
    )
    report = run.report
    known = sorted({score.key for score in report.scores if score.key})
    if category and category not in known:
        raise UnknownName("category", category, known)
    suffixes = ["", *map(suffix_of, others)]
    study = SweepStudy(
        signature=report.signature,
        documents=report.documents,
        category=category,
        points=tuple(
            _point(report, float(Decimal(step) / steps), suffix, category)
            for step, suffix in enumerate(suffixes)
        ),
        problems=report.problems,
        notes=run.notes,
    )
    if out is not None:
        from docassay.report.study import write_study

        study = replace(study, notes=(*study.notes, *write_study(Path(out), study)))
    return study


def _point(report: Report, threshold: float, suffix: str, category: str) -> SweepPoint:
    key = f"@{category}" if category else ""
    values = [report[f"ner.{readout}{suffix}{key}"].value for readout in SweepPoint._fields[1:]]
    return SweepPoint(threshold, *values)
