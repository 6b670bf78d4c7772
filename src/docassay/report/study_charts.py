"""The charts of a study: which numbers of it are drawn, under which names."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from docassay.model.study import Correlation, CorrelationStudy, ShuffleStudy, SweepStudy
from docassay.report.charts import (
    LEGIBLE,
    Curve,
    HeatCell,
    Move,
    correlation_heat_map,
    shuffle_chart,
    sweep_chart,
)
from docassay.report.words import count

STARS = ((0.001, "***"), (0.01, "**"), (0.05, "*"))


def draw_charts(folder: Path, study: ShuffleStudy | CorrelationStudy | SweepStudy) -> list[Path]:
    """Draw a study into a folder and return the files written."""
    if isinstance(study, ShuffleStudy):
        return _shuffle(folder, study)
    if isinstance(study, SweepStudy):
        return _sweep(folder, study)
    return [*_correlation(folder, study)]


def _shuffle(folder: Path, study: ShuffleStudy) -> list[Path]:
    """Draw shares and rates; counts have another scale."""
    moves = [
        Move(one.address, one.before, one.mean, one.lowest, one.highest)
        for one in study.movements
        if not one.is_count
        and one.before is not None
        and one.mean is not None
        and one.lowest is not None
        and one.highest is not None
    ]
    title = (
        f"Predictions with shuffled blocks, {count(study.documents, 'document')}, "
        f"{count(study.repetitions, 'repetition')}"
    )
    return shuffle_chart(moves, folder / "shuffle", title=title)


def _sweep(folder: Path, study: SweepStudy) -> list[Path]:
    curves = [
        Curve(
            f"{kind}, {name}",
            tuple(
                (one.threshold, value)
                for one in study.points
                if (value := getattr(one, f"{kind.lower()}_{name.lower()}")) is not None
            ),
            main=name == "F1",
        )
        for kind in ("Nerval", "OINerval")
        for name in ("precision", "recall", "F1")
    ]
    whose = study.category or "all categories"
    title = f"Entities found, {count(study.documents, 'document')}, {whose}"
    return sweep_chart(curves, folder / "sweep", title=title)


def _correlation(folder: Path, study: CorrelationStudy) -> Iterator[Path]:
    drawn = {"documents": f"over {count(study.documents, 'document')}"}
    if ("runs", "") in study.scopes:
        drawn["runs"] = f"over {count(len(study.runs), 'run')}"
    for scope, points in drawn.items():
        pairs = study.of(scope)
        known = {name for one in pairs if one.pearson is not None for name in one[2:4]}
        names = [name for name in study.readouts if name in known]
        if not names:
            continue
        lost = len(study.readouts) - len(names)
        caption = ["* p < 0.05   ** p < 0.01   *** p < 0.001"] if len(names) <= LEGIBLE else []
        if lost:
            caption.append(f"left out, constant or undefined: {count(lost, 'readout')}")
        for kind in ("pearson", "spearman"):
            yield from correlation_heat_map(
                names,
                {(one.first, one.second): _cell(one, kind) for one in pairs},
                folder / (kind if scope == "documents" else f"{kind}-{scope}"),
                title=f"{kind.capitalize()} correlation {points}",
                caption=caption,
            )


def _cell(pair: Correlation, kind: str) -> HeatCell | None:
    value, p = (
        (pair.pearson, pair.pearson_p) if kind == "pearson" else (pair.spearman, pair.spearman_p)
    )
    if value is None or p is None:
        return None
    return HeatCell(value, next((stars for most, stars in STARS if p < most), ""))
