"""Drawings of shares: plain data put on a figure of matplotlib.

Levels differ in colour and in hatching, so that they can be told apart in grey as well. A figure
grows with its rows, and long names lose their middle, so that no label meets another.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from docassay.model.chart import (
    EXCELLENT,
    FAIR,
    GOOD,
    POOR,
    Bar,
    Bars,
    Confusion,
    Dashboard,
    HeatMap,
    Histogram,
    Threshold,
)
from docassay.model.words import visible
from docassay.report.charts.canvas import BLUE, GREY, LIGHT, ORANGE, SKY, VERMILION

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure

STYLES = {
    EXCELLENT: (BLUE, ""),
    GOOD: (SKY, "//"),
    FAIR: (ORANGE, ".."),
    POOR: (VERMILION, "xx"),
}
PLAIN = (BLUE, "")
"""A bar that no level applies to."""
LONGEST_NAME = 36
LONGEST_ID = 24
ROW = 0.24
"""Inches of a row of text."""
FEWEST_BARS = 3
"""Bars that there is room for at least, so that a single one is not as high as the picture."""
BINS = 20
MOST_BARS = 8
"""Of a mean on a dashboard."""
SHORTEST_WINDOW = 5
LEGIBLE = 12
"""Columns of a heat map up to which its cells carry numbers."""


def short(text: str, longest: int = LONGEST_NAME) -> str:
    """Return a text that prints, its middle left out when it is long."""
    shown = visible(text)
    if len(shown) <= longest:
        return shown
    half = (longest - 1) // 2
    return f"{shown[: longest - 1 - half]}…{shown[-half:]}"


def draw_bars(figure: Figure, data: Bars) -> None:
    """Draw a bar a field, with intervals, thresholds and numbers beside it."""
    figure.set_size_inches(8.5, 1.5 + ROW * max(FEWEST_BARS, len(data.bars)))
    axes = figure.subplots()
    put_bars(axes, data.bars, data.thresholds)
    axes.set_title(visible(data.title), pad=34)
    axes.set_xlabel(visible(data.axis))
    _explain_levels(axes, data)


def put_bars(axes: Axes, bars: Sequence[Bar], thresholds: Sequence[Threshold]) -> None:
    """Put bars on axes, the first on top."""
    for place, bar in enumerate(bars):
        colour, hatch = STYLES.get(bar.level, PLAIN)
        axes.barh(place, bar.value, 0.72, color=colour, hatch=hatch, edgecolor="white", lw=0)
        if bar.low is not None and bar.high is not None:
            axes.plot([bar.low, bar.high], [place, place], color="black", lw=1.1, marker="|", ms=5)
        note = f"{bar.value:.3f}  n {bar.number:,}"
        axes.annotate(
            note, (1, place), (6, 0), ("axes fraction", "data"), "offset points", va="center"
        )
    axes.set_yticks(range(len(bars)), [short(bar.name) for bar in bars])
    axes.set_ylim(max(len(bars), FEWEST_BARS) - 0.4, -0.6)
    axes.set_xlim(0, 1)
    axes.tick_params(axis="y", length=0)
    put_thresholds(axes, thresholds)


def put_thresholds(axes: Axes, thresholds: Sequence[Threshold]) -> None:
    """Draw thresholds as lines with their names above, if they have any."""
    for name, least in thresholds:
        axes.axvline(least, color="black", lw=0.8, ls=(0, (4, 2)), zorder=0)
        axes.annotate(
            "\n".join([*name.split(), f"{least:.2f}"]),
            (least, 1),
            (0, 3),
            ("data", "axes fraction"),
            "offset points",
            ha="center",
            va="bottom",
            fontsize=7,
            color=GREY,
            linespacing=0.95,
        )


def _explain_levels(axes: Axes, data: Bars) -> None:
    from matplotlib.patches import Patch

    seen = {bar.level for bar in data.bars}
    patches = [
        Patch(facecolor=colour, hatch=hatch, edgecolor="white", lw=0, label=level)
        for level, (colour, hatch) in STYLES.items()
        if level in seen
    ]
    if patches:
        axes.figure.legend(handles=patches, loc="outside lower left", ncols=4, frameon=False)


def draw_histogram(figure: Figure, data: Histogram) -> None:
    """Draw how many documents have which score, with what they come to and the thresholds."""
    figure.set_size_inches(8, 4)
    axes = figure.subplots()
    put_histogram(axes, data.values)
    put_thresholds(axes, data.thresholds)
    if data.whole is not None:
        label = f"{data.word} {data.whole:.3f}"
        axes.axvline(data.whole, color=VERMILION, lw=1.8, zorder=0, label=label)
        axes.legend(loc="upper left", frameon=False)
    axes.set_title(visible(data.title), pad=40)
    axes.set_xlabel(visible(data.axis))
    axes.set_ylabel("documents")


def put_histogram(axes: Axes, values: Sequence[float]) -> None:
    """Put the counts of values in steps of 0.05 on axes; 1 counts to the last step."""
    counts = [0] * BINS
    for value in values:
        # a little more than the value: 0.15 is kept as 0.1499999
        counts[min(BINS - 1, int(value * BINS + 1e-9))] += 1
    places = [(at + 0.5) / BINS for at in range(BINS)]
    axes.bar(places, counts, 0.9 / BINS, color=BLUE)
    for place, count in zip(places, counts, strict=True):
        if count:
            axes.annotate(
                f"{count:,}",
                (place, count),
                (0, 3),
                textcoords="offset points",
                ha="center",
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5},
            )
    axes.set_xlim(0, 1)
    axes.set_ylim(0, max([1, *counts]) * 1.15)
    whole_numbers(axes.yaxis)


def whole_numbers(axis: Axis) -> None:
    """Have an axis count: no ticks between whole numbers."""
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator("auto", integer=True, steps=[1, 2, 5, 10]))


def draw_heat_map(figure: Figure, data: HeatMap) -> None:
    """Draw a cell a field and document; what was not scored is left grey."""
    width = max(2.0, 0.17 * len(data.columns))
    figure.set_size_inches(width + 4.2, ROW * max(3, len(data.rows)) + 2.6)
    axes = figure.subplots()
    unknown = float("nan")
    shades = [[unknown if shade is None else shade for shade in row] for row in data.values]
    if not shades or not shades[0]:
        shades = [[unknown]]
    image = axes.imshow(shades, cmap=_colours(), vmin=0, vmax=1, aspect="auto")
    axes.set_yticks(range(len(data.rows)), [short(name) for name in data.rows])
    labels = [short(name, LONGEST_ID) for name in data.columns]
    axes.set_xticks(range(len(data.columns)), labels, rotation=90, fontsize=7)
    axes.tick_params(length=0)
    for side in axes.spines.values():
        side.set_visible(False)
    if len(data.columns) <= LEGIBLE:
        _write_values(axes, data)
    figure.suptitle(visible(data.title), x=0.01, ha="left", fontsize=10)
    bar = figure.colorbar(image, ax=axes, shrink=0.7, aspect=25, pad=0.02)
    bar.set_label(f"{data.word}; light grey: not scored")


def _write_values(axes: Axes, data: HeatMap) -> None:
    for y, row in enumerate(data.values):
        for x, value in enumerate(row):
            if value is not None:
                colour = "black" if value > 0.5 else "white"
                axes.text(x, y, f"{value:.2f}", color=colour, ha="center", va="center", fontsize=7)


def draw_confusion(figure: Figure, data: Confusion) -> None:
    """Draw the types of documents against those predicted, shaded by the share of a row."""
    labels = [short(name, LONGEST_ID) for name in data.preds]
    figure.set_size_inches(4 + 0.75 * len(labels), 2.6 + 0.5 * len(data.golds))
    axes = figure.subplots()
    shares = [[count / (sum(row) or 1) for count in row] for row in data.counts]
    axes.imshow(shares, cmap=_colours(), vmin=0, vmax=1, aspect="auto")
    axes.set_xticks(range(len(labels)), labels, rotation=30, ha="right", rotation_mode="anchor")
    golds = [short(name, LONGEST_ID) for name in data.golds]
    axes.set_yticks(range(len(golds)), golds)
    axes.tick_params(length=0)
    axes.set_xlabel("predicted type")
    axes.set_ylabel("gold type")
    for side in axes.spines.values():
        side.set_visible(False)
    for y, row in enumerate(data.counts):
        for x, count in enumerate(row):
            colour = "black" if shares[y][x] > 0.5 else "white"
            weight = "bold" if data.golds[y] == data.preds[x] else "normal"
            axes.text(x, y, f"{count:,}", color=colour, weight=weight, ha="center", va="center")
    figure.suptitle(visible(data.title), x=0.01, ha="left", fontsize=10)


def _colours() -> Colormap:
    from matplotlib import colormaps

    return colormaps["cividis"].with_extremes(bad=LIGHT)


def draw_dashboard(figure: Figure, data: Dashboard) -> None:
    """Draw a score over documents, by two kinds of key, documents by level, and their times."""
    rows = 2 if not data.seconds else 3
    figure.set_size_inches(12, 3.5 * rows)
    grid = figure.add_gridspec(rows, 2)
    first, second, third, fourth = (figure.add_subplot(grid[at // 2, at % 2]) for at in range(4))
    _documents(first, data)
    for axes, (title, bars) in zip((second, third), data.means, strict=True):
        _means(axes, title, bars, data.thresholds)
    _levels(fourth, data)
    if data.seconds:
        _times(figure.add_subplot(grid[2, :]), data.seconds)
    figure.suptitle(visible(data.title), x=0.01, ha="left", fontsize=11)


def _documents(axes: Axes, data: Dashboard) -> None:
    values = data.documents
    places = range(1, len(values) + 1)
    window = min(len(values), max(SHORTEST_WINDOW, len(values) // 10))
    size = 14 if len(values) <= 200 else 5
    axes.scatter(places, values, s=size, color=SKY, edgecolors=BLUE, linewidths=0.4)
    ends = range(window, len(values) + 1) if window else ()
    means = [sum(values[end - window : end]) / window for end in ends]
    axes.plot(ends, means, color=VERMILION, lw=1.8)
    axes.set_xlabel("documents in the order of their ids")
    whole_numbers(axes.xaxis)
    _share_axis(axes)
    axes.set_xlim(0, len(values) + 1)
    line = f"; line: mean of the last {window}" if window > 1 else ""
    axes.set_title(f"{data.word.capitalize()} over documents{line}")


def _share_axis(axes: Axes) -> None:
    axes.set_ylim(0, 1.04)
    axes.grid(axis="y", color=LIGHT, lw=0.8)
    axes.set_axisbelow(True)


def _means(axes: Axes, title: str, bars: Sequence[Bar], thresholds: Sequence[Threshold]) -> None:
    """Put the weakest bars on axes, or the words that there are none."""
    left = len(bars) - MOST_BARS
    heading = f"{title}, the weakest {MOST_BARS} of {len(bars)}" if left > 0 else title
    if not bars:
        axes.set_axis_off()
        axes.set_title(title)
        axes.text(0, 0.9, "The schema names none.", color=GREY, va="top", transform=axes.transAxes)
        return
    shown = [bar._replace(name=short(bar.name, 22)) for bar in bars[:MOST_BARS]]
    put_bars(axes, shown, thresholds)
    axes.set_title(heading, pad=16)


def _times(axes: Axes, seconds: Sequence[float]) -> None:
    """Put how many documents took how long on axes, with the median and the 95th percentile."""
    import numpy as np

    median, slow = np.percentile(seconds, (50, 95))
    axes.hist(seconds, bins=min(40, max(5, len(seconds))), color=BLUE, edgecolor="white", lw=0.4)
    axes.axvline(median, color=VERMILION, lw=1.8, label=f"median {median:,.3g} s")
    axes.axvline(slow, color=GREY, lw=1.8, ls="--", label=f"95 % within {slow:,.3g} s")
    axes.set_xlim(left=0)
    axes.set_xlabel("seconds a document")
    axes.set_ylabel("documents")
    whole_numbers(axes.yaxis)
    axes.legend(loc="upper right", frameon=False)
    axes.set_title("Processing time")


def _levels(axes: Axes, data: Dashboard) -> None:
    names = [name for name, _ in data.levels]
    counts = [count for _, count in data.levels]
    places = range(len(names))
    colours = [BLUE, *[SKY] * (len(names) - 2), VERMILION]
    hatches = ["", *["//"] * (len(names) - 2), "xx"]
    for place, count, colour, hatch in zip(places, counts, colours, hatches, strict=True):
        axes.barh(place, count, 0.72, color=colour, hatch=hatch, edgecolor="white", lw=0)
        axes.annotate(f"{count:,}", (count, place), (4, 0), textcoords="offset points", va="center")
    axes.set_yticks(places, [name.replace("_", " ") for name in names])
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.set_xlim(0, max([1, *counts]) * 1.12)
    whole_numbers(axes.xaxis)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel("documents")
    axes.set_title("Documents by level")
