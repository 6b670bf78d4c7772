"""The charts of a benchmark: F1 by training size, and hierarchical entities against others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from docassay.model.benchmark import BenchmarkStudy, Cell, Spread
from docassay.report.charts import (
    BLUE,
    GREEN,
    GREY,
    LIGHT,
    ORANGE,
    PURPLE,
    SKY,
    VERMILION,
    new_figure,
    save,
)
from docassay.report.safe import visible

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = {"STL": BLUE, "MTL": VERMILION, "UTL": GREEN, "KTL": PURPLE}
OTHER_COLOURS = (ORANGE, SKY, GREY)
MOST_PANELS = 12


class _Line(NamedTuple):
    label: str
    points: tuple[tuple[int, Spread], ...]
    dashed: bool
    colour: str


Panel = tuple[str, str, str]
"""Metric, data set and model."""


def draw_benchmark(folder: Path, study: BenchmarkStudy) -> list[Path]:
    """Draw `f1` and, where there are hierarchical entities, `hierarchical`, as PNG and SVG."""
    written = _chart(study.families, folder / "f1", _by_family)
    apart = [one for one in study.families if one.scores["hierarchical_f1"].mean is not None]
    return written + (_chart(apart, folder / "hierarchical", _by_kind) if apart else [])


def _chart(
    cells: Sequence[Cell], path: Path, lines: Callable[[Sequence[Cell]], list[_Line]]
) -> list[Path]:
    panels: dict[Panel, list[Cell]] = {}
    for one in cells:
        panels.setdefault((one.metric, one.dataset, one.model), []).append(one)
    shown = [*panels.items()][:MOST_PANELS]
    with new_figure() as figure:
        wide = min(3, len(shown))
        high = -(-len(shown) // wide)
        figure.set_size_inches(4.2 * wide, 3.4 * high)
        grid = figure.subplots(high, wide, squeeze=False)
        for number, ((metric, dataset, model), mine) in enumerate(shown):
            axes = grid[number // wide][number % wide]
            title = ", ".join(filter(None, (dataset, model, metric)))
            _panel(axes, lines(mine), title)
        for number in range(len(shown), wide * high):
            grid[number // wide][number % wide].set_axis_off()
        return save(figure, path)


def _by_family(cells: Sequence[Cell]) -> list[_Line]:
    return _lines(cells, (("micro", "micro_f1"), ("macro", "macro_f1")))


def _by_kind(cells: Sequence[Cell]) -> list[_Line]:
    return _lines(cells, (("hierarchical", "hierarchical_f1"), ("unrepeated", "unrepeated_f1")))


def _lines(cells: Sequence[Cell], readouts: Sequence[tuple[str, str]]) -> list[_Line]:
    """Return a line for each family and readout, the second readout dashed."""
    families = [*dict.fromkeys(one.family for one in cells)]
    own = [one for one in families if one not in COLOURS]
    colours = {name: OTHER_COLOURS[at % len(OTHER_COLOURS)] for at, name in enumerate(own)}
    return [
        _Line(
            f"{family} {label}",
            tuple((one.train_size, one.scores[name]) for one in cells if one.family == family),
            dashed=name != readouts[0][1],
            colour={**COLOURS, **colours}[family],
        )
        for family in families
        for label, name in readouts
    ]


def _panel(axes: Axes, lines: Sequence[_Line], title: str) -> None:
    sizes = sorted({size for line in lines for size, _ in line.points})
    places = {size: place for place, size in enumerate(sizes)}
    for line in lines:
        known = [(places[size], one) for size, one in line.points if one.mean is not None]
        axes.errorbar(
            [x for x, _ in known],
            [100 * (one.mean or 0.0) for _, one in known],
            yerr=[
                float("nan") if one.deviation is None else 100 * one.deviation for _, one in known
            ],
            color=line.colour,
            lw=1.4,
            ls=(0, (4, 2)) if line.dashed else "-",
            marker="s" if line.dashed else "o",
            mfc="white" if line.dashed else line.colour,
            ms=4,
            capsize=3,
            label=visible(line.label),
        )
    axes.set_xticks(range(len(sizes)), [str(size) for size in sizes])
    axes.set_xlim(-0.3, len(sizes) - 0.7)
    axes.set_ylim(0, 102)
    axes.set_xlabel("training documents")
    axes.set_ylabel("F1 (%)")
    axes.grid(axis="y", color=LIGHT, lw=0.8)
    axes.set_axisbelow(True)
    axes.set_title(visible(title))
    axes.legend(frameon=False, fontsize=7, handlelength=3, loc="lower right")
