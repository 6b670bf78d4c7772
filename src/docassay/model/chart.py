"""Pictures as plain data: what a metric wants drawn, without knowing how it is drawn."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

LEVELS = EXCELLENT, GOOD, FAIR, POOR = ("excellent", "good", "fair", "poor")
"""Levels of a bar, the best first; each has a colour and a hatching of its own."""


class Bar(NamedTuple):
    """A share with its interval, the number behind it, and its level if levels apply."""

    name: str
    value: float
    low: float | None
    high: float | None
    number: int
    level: str = ""


class Threshold(NamedTuple):
    """A bound with its name."""

    name: str
    least: float


class Bars(NamedTuple):
    """Shares to be drawn as bars, with the thresholds between levels."""

    title: str
    bars: tuple[Bar, ...]
    thresholds: tuple[Threshold, ...] = ()
    axis: str = ""
    """What the numbers are, below the axis."""


class Histogram(NamedTuple):
    """Values from 0 to 1, what they come to, and thresholds."""

    title: str
    values: tuple[float, ...]
    whole: float | None
    thresholds: tuple[Threshold, ...]
    axis: str = ""
    word: str = "mean"
    """What they come to, in a word."""


class HeatMap(NamedTuple):
    """Values from 0 to 1 by row and column, None where there is none."""

    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: tuple[tuple[float | None, ...], ...]
    word: str = "accuracy"
    """What the values are, in a word."""


class Confusion(NamedTuple):
    """Documents by their type (row) and the type that pred states (column)."""

    title: str
    golds: tuple[str, ...]
    preds: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]


class Dashboard(NamedTuple):
    """Four small pictures: a score over documents, by two kinds of key, and levels.

    Below them a fifth, where it is known how long the predictions took.
    """

    title: str
    documents: tuple[float, ...]
    """The score of each document, in the order of ids."""
    means: tuple[tuple[str, tuple[Bar, ...]], ...]
    """Two titles with their bars, weakest first."""
    levels: tuple[tuple[str, int], ...]
    """How many documents reach which level, the highest first."""
    thresholds: tuple[Threshold, ...]
    word: str = "accuracy"
    """The score, in a word."""
    seconds: tuple[float, ...] = ()
    """The processing times of documents."""


class Waterfall(NamedTuple):
    """The way from a score to 1: what each cause takes, the largest first."""

    title: str
    score: float
    losses: tuple[tuple[str, float], ...]


class Waterfalls(NamedTuple):
    """Waterfalls below each other."""

    panels: tuple[Waterfall, ...]


class Stacks(NamedTuple):
    """Bars made of parts: a name with its parts, by the name of the part."""

    title: str
    axis: str
    stacks: tuple[tuple[str, tuple[tuple[str, float], ...]], ...]
    leading: tuple[str, ...]
    """The parts that have a colour of their own, the most important first."""
    written: str = ",.0f"
    """How sums are written."""


Drawing = Bars | Histogram | HeatMap | Confusion | Dashboard | Waterfalls | Stacks


class Picture(NamedTuple):
    """A drawing with the name of its file."""

    name: str
    drawing: Drawing
    kinds: tuple[str, ...] = ()
    """The kinds of key that it shows, in place of the plain bar chart of such a kind."""
    metric: str = ""
    """The metric that brings it; filled in by the report."""


class LaterPicture(NamedTuple):
    """A picture whose drawing is worked out for those who draw it."""

    name: str
    kind: type[Drawing]
    make: Callable[[], Drawing]
    kinds: tuple[str, ...] = ()
    metric: str = ""

    @property
    def drawn(self) -> Picture:
        """The picture with its drawing."""
        return Picture(self.name, self.make(), self.kinds, self.metric)
