"""Charts: plain data drawn as PNG and SVG, and the style that all drawings have in common.

Names come from documents, so no text is ever read as markup: a dollar sign is a dollar sign.
Colours can be told apart by colour-blind readers, and a chart is the same bytes twice.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from docassay.errors import ConfigurationError
from docassay.model.words import UNDEFINED, cut, visible
from docassay.run.output import new_file

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure

BLUE, VERMILION, SKY, ORANGE = "#0072B2", "#D55E00", "#56B4E9", "#E69F00"
GREEN, PURPLE, YELLOW = "#009E73", "#CC79A7", "#F0E442"
GREY, LIGHT = "#767676", "#E6E6E6"
"""The palette of Okabe and Ito, and greys."""
LONGEST = 60
MARGIN = 0.15
"""Inches around a picture."""
LEGIBLE = 30
"""Rows of a heat map up to which its cells carry numbers."""


class Move(NamedTuple):
    """A row of the shuffle chart: a value before, and its mean and range after."""

    label: str
    before: float
    mean: float
    lowest: float
    highest: float


class HeatCell(NamedTuple):
    """A cell of a heat map: a value from -1 to 1, and a mark beside it."""

    value: float
    mark: str = ""


def shuffle_chart(moves: Sequence[Move], path: Path, *, title: str) -> list[Path]:
    """Draw what shuffling does to each readout; return the PNG and the SVG file written."""
    with new_figure() as figure:
        figure.set_size_inches(8, 1.5 + 0.24 * len(moves))
        axes = figure.subplots()
        places = range(len(moves))
        for place, move in zip(places, moves, strict=True):
            axes.plot([move.before, move.mean], [place, place], color=LIGHT, lw=3, zorder=1)
            axes.plot([move.lowest, move.highest], [place, place], color=VERMILION, lw=1.5)
        axes.scatter(
            [move.before for move in moves],
            places,
            s=64,
            facecolors="none",
            edgecolors=BLUE,
            linewidths=1.5,
            label="as predicted",
            zorder=4,
        )
        axes.scatter(
            [move.mean for move in moves],
            places,
            s=26,
            color=VERMILION,
            marker="D",
            label="shuffled: mean, lowest to highest",
            zorder=3,
        )
        axes.set_yticks([*places], [_label(move.label) for move in moves])
        axes.set_ylim(len(moves) - 0.4, -0.6)
        ends = [0.0, 1.0, *(value for move in moves for value in move[1:])]
        margin = 0.03 * (max(ends) - min(ends))
        axes.set_xlim(min(ends) - margin, max(ends) + margin)
        axes.grid(axis="x", color=LIGHT, lw=0.8)
        axes.set_axisbelow(True)
        axes.tick_params(axis="y", length=0)
        axes.set_title(visible(title), pad=26)
        axes.legend(
            loc="lower left", bbox_to_anchor=(0, 1), ncols=2, frameon=False, borderaxespad=0.2
        )
        return save(figure, path)


class Curve(NamedTuple):
    """A line of the sweep chart; curves of one kind share a colour, the main one is thick."""

    label: str
    """The kind, a comma, and what it shows."""
    points: tuple[tuple[float, float], ...]
    main: bool


def sweep_chart(curves: Sequence[Curve], path: Path, *, title: str) -> list[Path]:
    """Draw shares over thresholds; return the PNG and the SVG file written."""
    with new_figure() as figure:
        figure.set_size_inches(8, 4.5)
        axes = figure.subplots()
        kinds = [*dict.fromkeys(curve.label.partition(",")[0] for curve in curves)]
        dashes = {"precision": (0, (5, 2)), "recall": (0, (1, 1.5))}
        for curve in curves:
            kind, _, name = curve.label.partition(", ")
            axes.plot(
                [x for x, _ in curve.points],
                [y for _, y in curve.points],
                color=(BLUE, VERMILION)[kinds.index(kind) % 2],
                lw=2.2 if curve.main else 1.1,
                ls=dashes.get(name, "-"),
                label=visible(curve.label),
            )
        axes.set_xlim(0, 1)
        axes.set_ylim(0, 1.02)
        axes.set_xlabel("character error rate up to which two entities match")
        axes.grid(color=LIGHT, lw=0.8)
        axes.set_axisbelow(True)
        axes.set_title(visible(title), pad=12)
        axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False)
        return save(figure, path)


def correlation_heat_map(
    names: Sequence[str],
    cells: Mapping[tuple[str, str], HeatCell | None],
    path: Path,
    *,
    title: str,
    caption: Sequence[str] = (),
) -> list[Path]:
    """Draw a value for each pair of names, a dash where it is None, lines of words below."""
    size = len(names)
    with new_figure() as figure:
        labels = [_label(name) for name in names]
        inches = max(2.5, (0.42 if size <= LEGIBLE else 0.24) * size)
        beside = 0.09 * max(map(len, labels))
        figure.set_size_inches(inches + beside + 1.2, inches + beside + 1.2)
        axes = figure.subplots()
        grid = [[_cell(cells, entry, other) for other in names] for entry in names]
        shades = [[float("nan") if entry is None else entry.value for entry in row] for row in grid]
        for place in range(size):
            shades[place][place] = float("nan")
        image = axes.imshow(shades, cmap=_colours(), vmin=-1, vmax=1)
        axes.set_xticks(range(size), labels, rotation=90)
        axes.set_yticks(range(size), labels)
        axes.tick_params(length=0)
        for side in axes.spines.values():
            side.set_visible(False)
        if size <= LEGIBLE:
            _write_cells(axes, grid)
        axes.set_title(visible(title), pad=12)
        figure.supxlabel("\n".join(map(visible, caption)), fontsize=8, color=GREY)
        bar = figure.colorbar(image, ax=axes, shrink=0.6, aspect=30, pad=0.02)
        bar.outline.set_visible(False)
        return save(figure, path)


def _cell(
    cells: Mapping[tuple[str, str], HeatCell | None], one: str, other: str
) -> HeatCell | None:
    return cells.get((one, other), cells.get((other, one)))


def _write_cells(axes: Axes, grid: Sequence[Sequence[HeatCell | None]]) -> None:
    for y, row in enumerate(grid):
        for x, cell in enumerate(row):
            if x == y:
                continue
            if cell is None:
                axes.text(x, y, UNDEFINED, ha="center", va="center", color=GREY)
                continue
            colour = "white" if abs(cell.value) > 0.6 else "black"
            text = f"{cell.value:.2f}".replace("-0.00", "0.00").replace("0.", ".").replace("-", "−")
            label = f"{text}\n{cell.mark}".rstrip()
            axes.text(
                x, y, label, color=colour, fontsize=7, ha="center", va="center", linespacing=0.8
            )


def _colours() -> Colormap:
    from matplotlib import colormaps

    return colormaps["RdBu"].with_extremes(bad=LIGHT)


def _label(text: str) -> str:
    return cut(visible(text), LONGEST)


def can_draw() -> bool:
    """Whether there is matplotlib to draw with."""
    return find_spec("matplotlib") is not None


def cannot_draw() -> ConfigurationError:
    """Return the error that says how to get what charts need."""
    return ConfigurationError(
        "charts need matplotlib, which is not installed", hint="pip install 'docassay[charts]'"
    )


def check_drawing() -> None:
    """Raise the error that says how to get what charts need, where it is missing."""
    if not can_draw():
        raise cannot_draw()


@contextmanager
def new_figure() -> Iterator[Figure]:
    """Give an empty figure in our style, whatever the user's settings of matplotlib are."""
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError:
        raise cannot_draw() from None
    with matplotlib.rc_context(), warnings.catch_warnings():
        # a sign that the font lacks is drawn as a box, and the SVG holds it as text
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        matplotlib.rcdefaults()
        matplotlib.rc("font", family="DejaVu Sans", size=9)
        matplotlib.rc("text", parse_math=False, usetex=False)
        matplotlib.rc("svg", fonttype="none", hashsalt="docassay")
        matplotlib.rc("savefig", dpi=150)
        matplotlib.rc("axes", edgecolor=GREY, titlelocation="left", titlesize=10)
        matplotlib.rc("axes.spines", top=False, right=False)
        yield Figure(layout="constrained")


def save(figure: Figure, path: Path) -> list[Path]:
    """Write a figure as PNG and as SVG, and return the files."""
    # laid out and measured once, not anew for each file
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    box = figure.get_tightbbox().padded(MARGIN)
    metadata = {"png": {"Software": None}, "svg": {"Date": None, "Creator": None}}
    files = []
    for suffix, facts in metadata.items():
        files.append(path.with_name(f"{path.name}.{suffix}"))
        with new_file(files[-1]) as file:
            figure.savefig(file, format=suffix, bbox_inches=box, metadata=facts)
    return files
