"""The charts of `causes`: the way from a score to 1, and what fields and runs lose to which."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from docassay.model.report import Report
from docassay.report.charts import (
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
from docassay.report.field_drawings import FEWEST_BARS, ROW, short
from docassay.report.safe import visible
from docassay.report.waterfall import Step, beside, by_field, runs_of, steps
from docassay.report.words import count

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NAMES = ("loss-waterfall", "loss-by-field", "loss-by-run")
FILES = tuple(f"{name}.{suffix}" for name in NAMES for suffix in ("png", "svg"))
SCORES = (
    ("kieval.aligned", "causes.kieval_loss", "kieval_loss"),
    ("fields.overall_accuracy", "causes.fields_loss", "fields_loss"),
)
"""What a panel is called, where its loss stands, and the readout of its steps."""
STYLES = (
    *((VERMILION, ""), (SKY, "//"), (ORANGE, ".."), (GREEN, "xx"), (PURPLE, "")),
    *((YELLOW, "\\\\"), (BLUE, "")),
)
"""Some are hatched, so that neighbours differ in grey as well."""
REST = "other causes"
MOST_FIELDS = 20


class Fall(NamedTuple):
    """One panel: a score, and what each cause takes from 1, the largest first."""

    title: str
    score: float
    causes: tuple[tuple[str, float], ...]


def draw_losses(
    report: Report, folder: Path, *, earlier: Sequence[tuple[str, Report]] = ()
) -> list[Path]:
    """Draw what a report lost and why; return the files written, none when nothing was lost."""
    return [*_drawn(report, folder, earlier)] if steps(report) else []


def _drawn(report: Report, folder: Path, earlier: Sequence[tuple[str, Report]]) -> Iterator[Path]:
    with new_figure() as figure:
        draw_waterfalls(figure, waterfalls(report))
        yield from save(figure, folder / NAMES[0])
    fields = by_field(report)[:MOST_FIELDS]
    if fields:
        with new_figure() as figure:
            figure.set_size_inches(8.5, 2.2 + ROW * len(fields))
            _put_fields(figure.subplots(), fields, report)
            yield from save(figure, folder / NAMES[1])
    runs = runs_of(report, earlier)
    if len(runs) > 1:
        with new_figure() as figure:
            _put_runs(figure, runs)
            yield from save(figure, folder / NAMES[2])


def draw_waterfalls(figure: Figure, falls: Sequence[Fall]) -> None:
    """Draw panels below each other, a row a cause."""
    heights = [len(fall.causes) + 2 for fall in falls]
    figure.set_size_inches(8.5, 1.0 * len(falls) + ROW * sum(heights))
    panels = figure.subplots(len(falls), 1, squeeze=False, height_ratios=heights)
    for axes, fall in zip(panels.flat, falls, strict=True):
        _put_fall(axes, fall)


def waterfalls(report: Report) -> list[Fall]:
    """Return the panels of the scores that have lost something."""
    found = []
    for name, address, readout in SCORES:
        loss = report[address].value
        if not loss:
            continue
        causes = [(step.cause, float(step.value(readout) or 0)) for step in steps(report)]
        taken = sorted(((cause, part) for cause, part in causes if part), key=lambda one: -one[1])
        title = f"{name}, {count(report.documents, 'document')}"
        found.append(Fall(title, 1 - loss, tuple(taken)))
    return found


def _put_fall(axes: Axes, fall: Fall) -> None:
    """Put the score, each cause from where the last one ended, and the whole on axes."""
    rows = [("score", 0.0, fall.score, BLUE, f"{fall.score:.4f}")]
    reached = fall.score
    for cause, part in fall.causes:
        rows.append((cause, reached, part, VERMILION, f"{part:.4f}"))
        reached += part
    rows.append(("nothing lost", 0.0, 1.0, LIGHT, "1"))
    for place, (_, start, length, colour, told) in enumerate(rows):
        axes.barh(place, length, 0.72, left=start, color=colour, lw=0)
        axes.annotate(
            told, (1, place), (6, 0), ("axes fraction", "data"), "offset points", va="center"
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


def _styles(leading: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Return colour and hatch of the leading causes, and of all others together."""
    return {**dict(zip(leading, STYLES, strict=False)), REST: (GREY, "")}


def _put_fields(axes: Axes, fields: list[tuple[str, list[Step]]], report: Report) -> None:
    """Put the corrections of each field on axes, one bar a field, a colour a cause."""
    styles = _styles([step.cause for step in steps(report)])
    stacks = [
        (name, [(step.cause, float(step.value("corrections") or 0)) for step in found])
        for name, found in fields
    ]
    _put_stacks(axes, stacks, styles, ",.0f")
    axes.set_xlabel("corrections")
    axes.set_title("Corrections by field and cause, most first", pad=8)
    _put_legend(axes, styles)


def _put_runs(figure: Figure, runs: Sequence[tuple[str, Report]]) -> None:
    """Put what each run loses on axes, a panel a score, one bar a run, a colour a cause."""
    figure.set_size_inches(8.5, len(SCORES) * (1.2 + ROW * max(len(runs), FEWEST_BARS)))
    leading = [cause for cause, _ in beside(runs)]
    styles = _styles(leading)
    panels = figure.subplots(len(SCORES), 1)
    for axes, (title, _, readout) in zip(panels, SCORES, strict=True):
        stacks = [
            (name, [(step.cause, float(step.value(readout) or 0)) for step in steps(report)])
            for name, report in runs
        ]
        _put_stacks(axes, stacks, styles, ".4f")
        axes.set_xlabel("lost of 1")
        axes.set_title(f"What {title} loses, by run and cause", pad=8)
    _put_legend(panels[0], styles)


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
