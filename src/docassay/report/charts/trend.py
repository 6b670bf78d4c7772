"""The course of a score over runs: as SVG without any library, or as PNG with matplotlib."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

from docassay.errors import ConfigurationError
from docassay.model.words import cut, number, visible
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
)
from docassay.run.output import new_file, write_bytes, writing

COLOURS = (BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY)
WIDTH, HEIGHT = 800, 400
LEFT, RIGHT, TOP, BOTTOM = 70, 20, 50, 50
LINES = 5
"""How many lines of the grid there are, the two at the ends included."""
SPACE = 0.05
"""What is left free above and below the values, as a share of their range."""
LEGEND_STEP = 150
LONGEST = 18
"""Characters of a name in the legend."""

Across = Callable[[int], float]
Down = Callable[[float], float]
"""A place, or a value, as a coordinate of the picture."""


class CoursePoint(NamedTuple):
    """A value of a run at its place among all runs."""

    place: int
    value: float
    low: float | None
    high: float | None
    name: str
    made: str


class CourseLine(NamedTuple):
    """The points of one series, the earliest first."""

    label: str
    points: tuple[CoursePoint, ...]


def draw_course(path: Path, title: str, lines: Sequence[CourseLine]) -> None:
    """Draw a score over runs into a file whose name ends in .svg or .png."""
    suffix = path.suffix.lower()
    if suffix not in (".svg", ".png"):
        raise ConfigurationError(
            f"cannot draw a {suffix or 'file without an ending'}",
            where=str(path),
            hint="name a file that ends in .svg or .png",
        )
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    if suffix == ".svg":
        write_bytes(path, svg(title, lines).encode("utf-8", "backslashreplace"))
    else:
        _png(path, title, lines)


def _ends(lines: Sequence[CourseLine]) -> tuple[float, float]:
    """Return the ends of the axis: around all values and intervals, never an empty range."""
    values = [
        value
        for line in lines
        for point in line.points
        for value in (point.value, point.low, point.high)
        if value is not None
    ]
    low, high = min(values, default=0.0), max(values, default=1.0)
    space = (high - low) * SPACE or 0.01
    return low - space, high + space


def svg(title: str, lines: Sequence[CourseLine]) -> str:
    """Return the chart as SVG text, the same for the same data."""
    return "\n".join(_svg(title, lines)) + "\n"


def _svg(title: str, lines: Sequence[CourseLine]) -> Iterator[str]:
    low, high = _ends(lines)
    places = sorted({point.place for line in lines for point in line.points})
    last = max(places, default=0)

    def across(place: int) -> float:
        share = 0.5 if last == 0 else place / last
        return round(LEFT + 10 + share * (WIDTH - LEFT - RIGHT - 20), 1)

    def down(value: float) -> float:
        return round(TOP + (high - value) / (high - low) * (HEIGHT - TOP - BOTTOM), 1)

    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'font-family="sans-serif" font-size="12" role="img">'
    )
    yield f"<title>{_text(title)}</title>"
    yield f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>'
    yield f'<text x="{LEFT}" y="20" font-weight="bold">{_text(title)}</text>'
    for step in range(LINES):
        value = low + (high - low) * step / (LINES - 1)
        y = down(value)
        yield f'<path d="M{LEFT} {y}H{WIDTH - RIGHT}" stroke="{LIGHT}"/>'
        label = f"{value:,.3f}" if high - low < LINES else f"{value:,.0f}"
        yield f'<text x="{LEFT - 6}" y="{y + 4}" text-anchor="end" fill="{GREY}">{label}</text>'
    for index, line in enumerate(lines):
        colour = COLOURS[index % len(COLOURS)]
        yield from _svg_line(line, colour, across, down)
        if len(lines) > 1:
            x = LEFT + LEGEND_STEP * (index % 4)
            y = 38 + 12 * (index // 4)
            yield f'<circle cx="{x + 4}" cy="{y - 4}" r="4" fill="{colour}"/>'
            yield f'<text x="{x + 12}" y="{y}">{_text(cut(line.label, LONGEST))}</text>'
    ends = [point for line in lines for point in line.points if point.place in (0, last)]
    for point in {point.place: point for point in ends}.values():
        anchor = "middle" if last == 0 else "start" if point.place == 0 else "end"
        yield (
            f'<text x="{across(point.place)}" y="{HEIGHT - 20}" text-anchor="{anchor}" '
            f'fill="{GREY}">{_text(point.made)}</text>'
        )
    yield "</svg>"


def _svg_line(line: CourseLine, colour: str, across: Across, down: Down) -> Iterator[str]:
    corners = " ".join(f"{across(point.place)},{down(point.value)}" for point in line.points)
    yield f'<polyline points="{corners}" fill="none" stroke="{colour}" stroke-width="2"/>'
    for point in line.points:
        x, y = across(point.place), down(point.value)
        if point.low is not None and point.high is not None:
            yield f'<path d="M{x} {down(point.low)}V{down(point.high)}" stroke="{colour}"/>'
        words = f"{point.name}: {number(point.value)}, {point.made}"
        title = f"<title>{_text(words)}</title>"
        yield f'<circle cx="{x}" cy="{y}" r="4" fill="{colour}">{title}</circle>'


def _text(text: str) -> str:
    return escape(visible(text))


def _png(path: Path, title: str, lines: Sequence[CourseLine]) -> None:
    with new_figure() as figure:
        figure.set_size_inches(8, 4)
        axes = figure.subplots()
        for index, line in enumerate(lines):
            colour = COLOURS[index % len(COLOURS)]
            places = [point.place for point in line.points]
            label = cut(visible(line.label), LONGEST)
            values = [point.value for point in line.points]
            axes.plot(places, values, color=colour, marker="o", label=label)
            for point in line.points:
                if point.low is not None and point.high is not None:
                    axes.plot([point.place] * 2, [point.low, point.high], color=colour, lw=1)
        axes.set_ylim(*_ends(lines))
        axes.grid(axis="y", color=LIGHT, lw=0.8)
        axes.set_axisbelow(True)
        points = {point.place: point for line in lines for point in line.points}
        ends = sorted({min(points), max(points)}) if points else []
        axes.set_xticks(ends, [visible(points[place].made) for place in ends])
        axes.set_title(visible(title), pad=12)
        if len(lines) > 1:
            axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False)
        with writing(path), new_file(path) as file:
            figure.savefig(file, format="png", metadata={"Software": None})
