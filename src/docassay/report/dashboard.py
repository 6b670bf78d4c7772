"""The dashboard: four small pictures that say how a run went, for people who look once."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from docassay.report.charts import BLUE, GREY, LIGHT, SKY, VERMILION
from docassay.report.field_drawings import Bar, Mark, put_bars, short, whole_numbers
from docassay.report.safe import visible

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_BARS = 8
SHORTEST_WINDOW = 5


class Dashboard(NamedTuple):
    """What the four pictures show."""

    title: str
    runs: tuple[Bar, ...]
    """The accuracy of each run in order; fewer than two: documents are shown instead."""
    documents: tuple[float, ...]
    """The accuracy of each document, in the order of ids."""
    categories: tuple[Bar, ...]
    types: tuple[Bar, ...]
    levels: tuple[tuple[str, int], ...]
    """How many documents reach which level, the highest first."""
    marks: tuple[Mark, ...]


def draw_dashboard(figure: Figure, data: Dashboard) -> None:
    """Draw accuracy over runs or documents, by category, by type, and documents by level."""
    figure.set_size_inches(12, 7)
    (first, second), (third, fourth) = figure.subplots(2, 2)
    if len(data.runs) > 1:
        _runs(first, data)
    else:
        _documents(first, data)
    _means(second, "Categories of fields", data.categories, data.marks)
    _means(third, "Document types", data.types, data.marks)
    _levels(fourth, data)
    figure.suptitle(visible(data.title), x=0.01, ha="left", fontsize=11)


def _runs(axes: Axes, data: Dashboard) -> None:
    places = range(len(data.runs))
    for place, run in zip(places, data.runs, strict=True):
        if run.low is not None and run.high is not None:
            axes.plot([place, place], [run.low, run.high], color=GREY, lw=1.1, marker="_", ms=8)
        axes.annotate(
            f"{run.value:.3f}", (place, run.value), (6, 4), textcoords="offset points", fontsize=8
        )
    axes.plot(places, [run.value for run in data.runs], color=BLUE, marker="o", lw=1.5)
    names = [short(f"{run.name}, n {run.number:,}", 22) for run in data.runs]
    axes.set_xticks(places, names, rotation=20, ha="right", rotation_mode="anchor", fontsize=8)
    axes.set_xlim(-0.5, len(data.runs) - 0.3)
    _share_axis(axes)
    axes.set_title("Accuracy over runs (95 % interval)")


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
    told = f"; line: mean of the last {window}" if window > 1 else ""
    axes.set_title(f"Accuracy over documents{told}")


def _share_axis(axes: Axes) -> None:
    axes.set_ylim(0, 1.04)
    axes.grid(axis="y", color=LIGHT, lw=0.8)
    axes.set_axisbelow(True)


def _means(axes: Axes, title: str, bars: tuple[Bar, ...], marks: tuple[Mark, ...]) -> None:
    """Put the weakest bars on axes, or the words that there are none."""
    left = len(bars) - MOST_BARS
    told = f"{title}, the weakest {MOST_BARS} of {len(bars)}" if left > 0 else title
    if not bars:
        axes.set_axis_off()
        axes.set_title(title)
        axes.text(0, 0.9, "The schema names none.", color=GREY, va="top", transform=axes.transAxes)
        return
    shown = [bar._replace(name=short(bar.name, 22)) for bar in bars[:MOST_BARS]]
    put_bars(axes, shown, marks)
    axes.set_title(told, pad=16)


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
    axes.set_title("Perfect and problematic documents")
