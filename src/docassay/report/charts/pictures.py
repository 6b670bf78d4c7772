"""The charts of a report: the pictures that metrics bring, and a bar chart for every other kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from docassay.model.chart import (
    Bar,
    Bars,
    Confusion,
    Dashboard,
    Drawing,
    HeatMap,
    Histogram,
    Picture,
    Stacks,
    Waterfall,
    Waterfalls,
)
from docassay.model.report import Report
from docassay.model.words import count, visible
from docassay.report.charts.canvas import (
    BLUE,
    GREEN,
    GREY,
    LIGHT,
    ORANGE,
    PURPLE,
    SKY,
    VERMILION,
    YELLOW,
    new_figure,
    save,
)
from docassay.report.charts.drawings import (
    FEWEST_BARS,
    ROW,
    draw_bars,
    draw_confusion,
    draw_dashboard,
    draw_heat_map,
    draw_histogram,
    short,
)
from docassay.report.tables import Column, KindTable, leading_shares, tables

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


STYLES = (
    *((VERMILION, ""), (SKY, "//"), (ORANGE, ".."), (GREEN, "xx"), (PURPLE, "")),
    *((YELLOW, "\\\\"), (BLUE, "")),
)
"""Some are hatched, so that neighbours differ in grey as well."""
REST = "other causes"


def draw_waterfalls(figure: Figure, panels: Sequence[Waterfall]) -> None:
    """Draw panels below each other, a row a cause."""
    heights = [len(panel.losses) + 2 for panel in panels]
    figure.set_size_inches(8.5, 1.0 * len(panels) + ROW * sum(heights))
    rows = figure.subplots(len(panels), 1, squeeze=False, height_ratios=heights)
    for axes, panel in zip(rows.flat, panels, strict=True):
        _put_fall(axes, panel)


def draw_stacks(figure: Figure, panels: Sequence[Stacks]) -> None:
    """Draw panels of stacked bars below each other, a colour a part; one legend explains all."""
    most = max(len(panel.stacks) for panel in panels)
    figure.set_size_inches(8.5, len(panels) * (1.2 + ROW * max(most, FEWEST_BARS)) + 1.0)
    leading = [*dict.fromkeys(name for panel in panels for name in panel.leading)]
    styles = {**dict(zip(leading, STYLES, strict=False)), REST: (GREY, "")}
    rows = figure.subplots(len(panels), 1, squeeze=False)
    for axes, panel in zip(rows.flat, panels, strict=True):
        _put_stacks(axes, panel.stacks, styles, panel.written)
        axes.set_xlabel(visible(panel.axis))
        axes.set_title(visible(panel.title), pad=8)
    _put_legend(rows.flat[0], styles)


def _put_fall(axes: Axes, fall: Waterfall) -> None:
    """Put the score, each cause from where the last one ended, and the whole on axes."""
    rows = [("score", 0.0, fall.score, BLUE, f"{fall.score:.4f}")]
    reached = fall.score
    for cause, part in fall.losses:
        rows.append((cause, reached, part, VERMILION, f"{part:.4f}"))
        reached += part
    rows.append(("nothing lost", 0.0, 1.0, LIGHT, "1"))
    for place, (_, start, length, colour, note) in enumerate(rows):
        axes.barh(place, length, 0.72, left=start, color=colour, lw=0)
        axes.annotate(
            note, (1, place), (6, 0), ("axes fraction", "data"), "offset points", va="center"
        )
    axes.set_yticks(range(len(rows)), [row[0] for row in rows])
    axes.set_ylim(len(rows) - 0.4, -0.6)
    # the stretch that is lost would be too short to see beside all that is right
    least = max(0.0, fall.score - 0.25 * (1 - fall.score))
    axes.set_xlim(least, 1)
    axes.set_xlabel(f"share of 1; the axis begins at {least:.2f}" if least else "share of 1")
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color=LIGHT, lw=0.8)
    axes.set_axisbelow(True)
    axes.set_title(visible(fall.title), pad=8)


def _put_stacks(
    axes: Axes,
    stacks: Sequence[tuple[str, Sequence[tuple[str, float]]]],
    styles: Mapping[str, tuple[str, str]],
    written: str,
) -> None:
    """Put bars on axes, each with its name, its parts by cause, and their sum as `written`."""
    for place, (_, parts) in enumerate(stacks):
        amounts = dict.fromkeys(styles, 0.0)
        for cause, part in parts:
            amounts[cause if cause in styles else REST] += part
        start = 0.0
        for name, amount in amounts.items():
            colour, hatch = styles[name]
            axes.barh(
                place, amount, 0.72, left=start, color=colour, hatch=hatch, edgecolor="white", lw=0
            )
            start += amount
        axes.annotate(
            f"{start:{written}}", (start, place), (4, 0), "data", "offset points", va="center"
        )
    axes.set_yticks(range(len(stacks)), [short(name) for name, _ in stacks])
    axes.set_ylim(max(len(stacks), FEWEST_BARS) - 0.4, -0.6)
    axes.margins(x=0.08)
    axes.set_xlim(left=0)
    axes.tick_params(axis="y", length=0)


def _put_legend(axes: Axes, styles: Mapping[str, tuple[str, str]]) -> None:
    from matplotlib.patches import Patch

    marks = [
        Patch(facecolor=colour, hatch=hatch, edgecolor="white", label=name)
        for name, (colour, hatch) in styles.items()
    ]
    axes.legend(handles=marks, loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False)


MOST_BARS = 60


def draw(report: Report, folder: Path) -> list[Path]:
    """Draw every chart that a report has the numbers for; return the files written."""
    return [*_drawn(report, folder)]


def _drawn(report: Report, folder: Path) -> Iterator[Path]:
    for picture in pictures(report):
        with new_figure() as figure:
            put_drawing(figure, picture.drawing)
            yield from save(figure, folder / picture.name)


def pictures(report: Report) -> list[Picture]:
    """Return the pictures that metrics bring, then the bars of kinds that none of them shows."""
    own = [_timed(picture, report) for picture in report.details.pictures]
    shown = {kind for picture in own for kind in picture.kinds}
    drawing = {picture.metric for picture in own}
    return [
        *own,
        *(
            bars
            for bars in kind_bars(report)
            if bars.metric not in drawing and (bars.metric or shown.isdisjoint(bars.kinds))
        ),
    ]


def _timed(picture: Picture, report: Report) -> Picture:
    """Return a dashboard with the processing times that predictions state, others as they are."""
    if not isinstance(picture.drawing, Dashboard):
        return picture
    times = (line.meta.get("processing_time") for line in report.lines)
    seconds = tuple(time for time in times if isinstance(time, float))
    return picture._replace(drawing=picture.drawing._replace(seconds=seconds))


def kind_bars(report: Report) -> Iterator[Picture]:
    """Yield the leading share of every kind of key, and then that of each other metric."""
    for table in tables(report):
        for place, (metric, column) in enumerate(leading_shares(table).items()):
            yield _bars_of(report, table, column, metric if place else "")


def _bars_of(report: Report, table: KindTable, column: Column, metric: str) -> Picture:
    """Return a column as bars, weakest first; `metric` is "" for the leading one of its kind."""
    bars = tuple(
        Bar(line.name, float(score.value), score.low, score.high, score.support)
        for line in table.lines[:MOST_BARS]
        if (score := column.score(line)) is not None and score.value is not None
    )
    title = f"{column.label} by {table.kind}, {count(report.documents, 'document')}"
    drawing = Bars(title, bars, axis=f"{column.readouts[0]}, weakest first")
    name = f"by-{table.kind.replace(' ', '-')}{'-' if metric else ''}{metric}"
    return Picture(name, drawing, (table.kind,), metric)


def put_drawing(figure: Figure, drawing: Drawing) -> None:
    """Draw plain data of any kind on a figure."""
    if isinstance(drawing, Bars):
        draw_bars(figure, drawing)
    elif isinstance(drawing, Dashboard):
        draw_dashboard(figure, drawing)
    elif isinstance(drawing, Histogram):
        draw_histogram(figure, drawing)
    elif isinstance(drawing, HeatMap):
        draw_heat_map(figure, drawing)
    elif isinstance(drawing, Confusion):
        draw_confusion(figure, drawing)
    elif isinstance(drawing, Waterfalls):
        draw_waterfalls(figure, drawing.panels)
    else:
        draw_stacks(figure, [drawing])
