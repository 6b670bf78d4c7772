"""The charts of the automation trade-off: what review gains, and how true confidences are."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from docassay.model.automation import (
    ALL_FIELDS,
    ALL_REVIEWED,
    NO_REVIEW,
    CurvePoint,
    ReliabilityBin,
    Thresholds,
)
from docassay.report.charts import BLUE, GREEN, GREY, LIGHT, VERMILION, new_figure, save
from docassay.report.safe import visible
from docassay.report.words import count

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MARKS = ("o", "s", "D", "^")
MOST_POINTS = 400
"""What a line of a chart can show: of more points every so many is drawn."""


def draw_charts(folder: Path, study: Thresholds) -> list[Path]:
    """Draw `trade-off` and `reliability` as PNG and SVG and return the files written."""
    return [*_trade_off(folder / "trade-off", study), *_reliability(folder / "reliability", study)]


def _trade_off(path: Path, study: Thresholds) -> list[Path]:
    """Draw both rates over the threshold, and against each other."""
    with new_figure() as figure:
        figure.set_size_inches(11, 4.4)
        left, right = figure.subplots(1, 2)
        whole = _thinned(study.curve(ALL_FIELDS))
        _over_thresholds(left, whole)
        _against_each_other(right, whole, study)
        for axes in (left, right):
            axes.grid(color=LIGHT, lw=0.8)
            axes.set_axisbelow(True)
        told = f"{count(study.documents, 'document')}, {count(study.values, 'predicted value')}"
        figure.suptitle(visible(f"Automation trade-off, {told}"), x=0.01, ha="left", fontsize=10)
        return save(figure, path)


def _thinned(points: Sequence[CurvePoint]) -> Sequence[CurvePoint]:
    stride = -(-len(points) // MOST_POINTS)
    return [*points[:-1:stride], points[-1]] if stride > 1 else points


def _over_thresholds(axes: Axes, points: Sequence[CurvePoint]) -> None:
    taus = [1.0 if one.tau is None else one.tau for one in points]
    lines = (
        ("aligned after review", BLUE, "-", [one.aligned for one in points]),
        ("auto-rate", VERMILION, "-", [one.auto_rate for one in points]),
        ("touchless documents", GREEN, (0, (4, 2)), [one.touchless for one in points]),
    )
    for label, colour, style, heights in lines:
        known = [
            (tau, height) for tau, height in zip(taus, heights, strict=True) if height is not None
        ]
        # a threshold between two confidences does what the upper one does
        axes.step(
            [tau for tau, _ in known],
            [height for _, height in known],
            where="pre",
            color=colour,
            ls=style,
            lw=1.8,
            label=label,
        )
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1.02)
    axes.set_xlabel("threshold")
    axes.legend(loc="lower left", frameon=False)


def _against_each_other(axes: Axes, whole: Sequence[CurvePoint], study: Thresholds) -> None:
    for field in dict.fromkeys(one.field for one in study.curves):
        if field != ALL_FIELDS:
            _line(axes, _thinned(study.curve(field)), GREY, 0.6, "each field")
    _line(axes, whole, BLUE, 2.2, "all fields")
    ceiling = study.point(ALL_REVIEWED).aligned
    if ceiling is not None:
        axes.axhline(ceiling, color=GREY, ls=(0, (1, 1.5)), lw=1.2, label="ceiling: all reviewed")
    ways = [one for one in study.points if one.way not in (NO_REVIEW, ALL_REVIEWED)]
    for one, mark in zip(ways, MARKS, strict=False):
        if one.aligned is not None:
            x, y = [one.auto_rate], [one.aligned]
            axes.plot(x, y, mark, color=VERMILION, ms=6, label=one.way, zorder=4)
    axes.set_xlim(-0.01, 1.01)
    axes.set_xlabel("auto-rate: share of values not reviewed")
    axes.set_ylabel("aligned after review")
    known = dict(zip(*reversed(axes.get_legend_handles_labels()), strict=True))
    axes.legend(known.values(), known.keys(), loc="lower left", frameon=False)


def _line(axes: Axes, points: Sequence[CurvePoint], colour: str, width: float, label: str) -> None:
    known = [(one.auto_rate, one.aligned) for one in points if one.aligned is not None]
    axes.plot([x for x, _ in known], [y for _, y in known], color=colour, lw=width, label=label)


def _reliability(path: Path, study: Thresholds) -> list[Path]:
    """Draw the share of right values over the confidence stated, and how many state it."""
    bins = [one for one in study.reliability if one.field == ALL_FIELDS]
    with new_figure() as figure:
        figure.set_size_inches(5.2, 5.6)
        above, below = figure.subplots(2, 1, height_ratios=(3, 1), sharex=True)
        _bars(above, bins)
        above.set_ylim(0, 1.02)
        above.set_ylabel("share that is right")
        above.set_title("What confidences mean")
        above.legend(loc="best", frameon=False)
        centres = [(one.low + one.high) / 2 for one in bins]
        below.bar(centres, [one.values for one in bins], width=0.09, color=GREY)
        if max(one.values for one in bins) > 0:
            below.set_yscale("log")
            # from 1 up, so that powers of ten are in sight and nothing else needs a label
            below.set_ylim(bottom=0.8)
            below.yaxis.set_major_formatter("{x:,.0f}")
            below.yaxis.set_minor_formatter("")
        below.set_ylabel("values")
        below.set_xlabel("confidence")
        below.set_xlim(0, 1)
        return save(figure, path)


def _bars(axes: Axes, bins: Sequence[ReliabilityBin]) -> None:
    axes.plot([0, 1], [0, 1], color=GREY, ls=(0, (1, 1.5)), lw=1.2, label="as stated")
    known = [
        (one.confidence, one.right)
        for one in bins
        if one.confidence is not None and one.right is not None
    ]
    axes.plot(
        [x for x, _ in known],
        [y for _, y in known],
        "o-",
        color=BLUE,
        lw=1.6,
        ms=5,
        label="all fields, by tenths of confidence",
    )
    axes.grid(color=LIGHT, lw=0.8)
    axes.set_axisbelow(True)
