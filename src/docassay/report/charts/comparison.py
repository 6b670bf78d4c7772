"""The charts of a comparison: differences by field, score against cost, and what explains them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from docassay.model.comparison import BETTER, WORSE, ComparedScore, Comparison
from docassay.model.report import FIELD, HIGHER
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
    new_figure,
    save,
)
from docassay.report.charts.drawings import ROW, short
from docassay.report.comparison import (
    SPREADS,
    by_key,
    contribution,
    explaining,
    headline_label,
    headline_score,
    others,
    shown_kinds,
    signed,
    verdict_sentence,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_KEYS = 40
MOST_CAUSES = 8
LONGEST_RUN = 24
COLOURS = {BETTER: BLUE, WORSE: VERMILION}
RUN_COLOURS = (BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY)
MARKERS = "osD^vP"
REST = "other causes"


def draw_comparison(comparison: Comparison, folder: Path) -> list[Path]:
    """Draw every chart that a comparison has the numbers for; return the files written."""
    return [*_drawn(comparison, folder)]


def _drawn(comparison: Comparison, folder: Path) -> Iterator[Path]:
    kinds = shown_kinds(comparison)
    kind, entries = next(
        ((kind, keys) for kind in kinds if (keys := by_key(comparison, kind))), (FIELD, [])
    )
    if entries:
        with new_figure() as figure:
            draw_differences(figure, comparison, entries, kind)
            yield from save(figure, folder / f"differences-by-{kind.replace(' ', '-')}")
    for name in SPREADS:
        if _priced(comparison, name):
            with new_figure() as figure:
                draw_trade_off(figure, comparison, name)
                yield from save(figure, folder / f"score-against-{name}")
    if explaining(comparison):
        with new_figure() as figure:
            draw_contributions(figure, comparison)
            yield from save(figure, folder / "difference-by-cause")


def draw_differences(
    figure: Figure, comparison: Comparison, entries: Sequence[ComparedScore], kind: str
) -> None:
    """Draw differences from the run compared with, with intervals, a row a key."""
    shown = entries[:MOST_KEYS]
    rest = others(comparison)
    rows = len(shown) * max(1, len(rest))
    figure.set_size_inches(8.5, 1.7 + ROW * max(3, rows * (1 if len(rest) == 1 else 0.75)))
    axes = figure.subplots()
    axes.axvline(0, color=GREY, lw=1)
    axes.axvspan(-comparison.margin, comparison.margin, color=LIGHT, lw=0, zorder=0)
    step = 0.8 / max(1, len(rest))
    for place, entry in enumerate(shown):
        for difference in entry.differences:
            if difference.value is None:
                continue
            at = rest.index(difference.run)
            y = place + (at - (len(rest) - 1) / 2) * step
            colour = _colour(difference.verdict, at, alone=len(rest) == 1)
            sure = difference.verdict in (BETTER, WORSE)
            if difference.low is not None and difference.high is not None:
                axes.plot([difference.low, difference.high], [y, y], color=colour, lw=1.6)
            axes.plot(
                [difference.value],
                [y],
                color=colour,
                marker=MARKERS[at % len(MARKERS)],
                markerfacecolor=colour if sure else "white",
                ls="",
                ms=6,
                zorder=3,
            )
            if len(rest) == 1:
                _beside(axes, y, signed(comparison, entry, difference.value))
    axes.set_yticks(range(len(shown)), [short(entry.score.key) for entry in shown])
    axes.set_ylim(len(shown) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color=LIGHT, lw=0.8)
    axes.set_axisbelow(True)
    against = short(comparison.runs[comparison.against].name, LONGEST_RUN)
    axes.set_xlabel(f"change of {shown[0].score.name} from {against}, with 95 % interval")
    spec = comparison.specs.get(shown[0].score.name)
    side = "right" if spec is None or spec.better == HIGHER else "left"
    better = (
        f"{side} of 0: {short(comparison.runs[rest[0]].name, LONGEST_RUN)} is better"
        if len(rest) == 1
        else f"{side} of 0: better than {against}"
    )
    more = f", the {len(shown)} largest of {len(entries)}" if len(shown) < len(entries) else ""
    figure.suptitle(
        f"{_sentence(comparison)}\n"
        f"by {kind}{more}; {better}; filled: adjusted p at most {comparison.alpha:g}; "
        f"band: margin of {comparison.margin:g}",
        x=0.01,
        ha="left",
        fontsize=10,
    )
    if len(rest) > 1:
        _explain_runs(figure, comparison, rest)


def _colour(verdict: str | None, at: int, *, alone: bool) -> str:
    if alone:
        return COLOURS.get(verdict or "", GREY)
    return RUN_COLOURS[at % len(RUN_COLOURS)]


def _beside(axes: Axes, y: float, note: str) -> None:
    axes.annotate(note, (1, y), (6, 0), ("axes fraction", "data"), "offset points", va="center")


def _explain_runs(figure: Figure, comparison: Comparison, runs: Sequence[int]) -> None:
    from matplotlib.lines import Line2D

    marks = [
        Line2D(
            [],
            [],
            color=RUN_COLOURS[at % len(RUN_COLOURS)],
            marker=MARKERS[at % len(MARKERS)],
            label=short(comparison.runs[run].name, LONGEST_RUN),
        )
        for at, run in enumerate(runs)
    ]
    figure.legend(handles=marks, loc="outside lower left", ncols=3, frameon=False)


def _sentence(comparison: Comparison) -> str:
    """Return the verdict without what to do about it, so that it fits a title."""
    return short(verdict_sentence(comparison).partition(";")[0], 100)


def _priced(comparison: Comparison, name: str) -> bool:
    """Return whether two runs or more have a value and a mean cost of a kind."""
    return len(_points(comparison, name)) > 1


def _points(comparison: Comparison, name: str) -> list[tuple[int, float, float]]:
    """Return run, mean cost and value of the runs that have both."""
    entry = headline_score(comparison)
    if entry is None:
        return []
    return [
        (at, float(mean), float(value))
        for at, (run, value) in enumerate(zip(comparison.runs, entry.values, strict=True))
        if value is not None and (mean := run.spreads.get(name, {}).get("mean")) is not None
    ]


def draw_trade_off(figure: Figure, comparison: Comparison, name: str) -> None:
    """Draw the score that decides against what a document costs, a point a run.

    A line joins the runs that no other run beats in both.
    """
    figure.set_size_inches(7, 4.2)
    axes = figure.subplots()
    points = _points(comparison, name)
    entry = headline_score(comparison)
    spec = comparison.specs.get(comparison.headline)
    sign = 1 if spec is None or spec.better == HIGHER else -1
    best = _unbeaten(points, sign)
    axes.plot(
        [cost for _, cost, _ in best], [value for _, _, value in best], color=LIGHT, lw=3, zorder=1
    )
    for run, cost, value in points:
        colour = RUN_COLOURS[run % len(RUN_COLOURS)]
        score = None if entry is None else entry.scores[run]
        ends = None if score is None else score.interval.ends
        if ends is not None:
            axes.plot([cost, cost], [*ends], color=colour, lw=1.2, marker="_", ms=8)
        axes.plot([cost], [value], color=colour, marker=MARKERS[run % len(MARKERS)], ms=8, zorder=3)
        # labels of points on the right stand on their left, inside the picture
        left = cost > (min(each[1] for each in points) + max(each[1] for each in points)) / 2
        axes.annotate(
            short(comparison.runs[run].name, LONGEST_RUN),
            (cost, value),
            (-8 if left else 8, 6),
            textcoords="offset points",
            ha="right" if left else "left",
        )
    axes.set_xlim(left=0)
    axes.margins(x=0.1, y=0.15)
    axes.set_xlabel(f"{SPREADS[name][0]} (mean)")
    axes.set_ylabel(f"{headline_label(comparison)}, with 95 % interval")
    axes.grid(color=LIGHT, lw=0.8)
    axes.set_axisbelow(True)
    noun = SPREADS[name][0].partition(" ")[0]
    documents = count(comparison.documents_compared, "document")
    figure.suptitle(
        f"{headline_label(comparison)} against {noun}, {documents}\n"
        "grey line: runs that no other beats in both",
        x=0.01,
        ha="left",
        fontsize=10,
    )


def _unbeaten(
    points: Sequence[tuple[int, float, float]], sign: int
) -> list[tuple[int, float, float]]:
    """Return the points that none is cheaper and better than, the cheapest first."""
    best: list[tuple[int, float, float]] = []
    for point in sorted(points, key=lambda each: (each[1], -sign * each[2])):
        if not best or sign * point[2] > sign * best[-1][2]:
            best.append(point)
    return best


def draw_contributions(figure: Figure, comparison: Comparison) -> None:
    """Draw the way from the score of the run compared with to that of each other, by cause."""
    rest = others(comparison)
    causes = explaining(comparison)
    heights = [min(len(causes), MOST_CAUSES + 1) + 2] * len(rest)
    figure.set_size_inches(8.5, 1.3 * len(rest) + ROW * sum(heights))
    panels = figure.subplots(len(rest), 1, squeeze=False)
    for axes, run in zip(panels.flat, rest, strict=True):
        _put_way(axes, comparison, run)
    figure.suptitle(
        f"What explains the difference of {headline_label(comparison)}",
        x=0.01,
        ha="left",
        fontsize=10,
    )


def _put_way(axes: Axes, comparison: Comparison, run: int) -> None:
    entry = headline_score(comparison)
    values = (None,) * len(comparison.runs) if entry is None else entry.values
    before, after = values[comparison.against], values[run]
    parts = [(cause.name, contribution(comparison, cause, run)) for cause in explaining(comparison)]
    parts.sort(key=lambda part: -abs(part[1]))
    shown = [*parts[:MOST_CAUSES]]
    left = sum(part for _, part in parts[MOST_CAUSES:])
    if len(parts) > MOST_CAUSES:
        shown.append((REST, left))
    start = 0.0 if before is None else float(before)
    names = [short(comparison.runs[at].name) for at in (comparison.against, run)]
    ends = [start]
    for place, (_, part) in enumerate(shown, start=1):
        colour = BLUE if part > 0 else VERMILION
        axes.barh(place, part, 0.72, left=ends[-1], color=colour, lw=0)
        axes.plot([ends[-1]] * 2, [place - 1, place], color=GREY, lw=0.7, zorder=0)
        ends.append(ends[-1] + part)
        _beside(axes, place, f"{part:+.4f}")
    last = len(shown) + 1
    axes.plot([ends[-1]] * 2, [last - 1, last], color=GREY, lw=0.7, zorder=0)
    for place, value in ((0, before), (last, after)):
        if value is not None:
            axes.plot([float(value)], [place], marker="D", color="black", ms=6, ls="")
            _beside(axes, place, f"{value:.4f}")
    labels = [names[0], *(visible(name) for name, _ in shown), names[1]]
    axes.set_yticks(range(last + 1), labels)
    axes.set_ylim(last + 0.6, -0.6)
    axes.use_sticky_edges = False
    axes.margins(x=0.06)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color=LIGHT, lw=0.8)
    axes.set_axisbelow(True)
    axes.set_xlabel(headline_label(comparison))
