"""The automation trade-off as tables, files and charts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from docassay.analysis.thresholds.curves import (
    ALL_FIELDS,
    ALL_REVIEWED,
    BUDGET,
    CHEAPEST,
    GUARANTEED,
    NO_REVIEW,
    Choice,
    OperatingPoint,
    ReliabilityBin,
    Thresholds,
)
from docassay.errors import UnknownName
from docassay.model.report import CurvePoint
from docassay.model.words import UNDEFINED, code, count, number, visible
from docassay.report.charts.canvas import BLUE, GREEN, GREY, LIGHT, VERMILION, new_figure, save
from docassay.report.screen import PLAIN, Screen, draw
from docassay.report.sheets import Cells, StudyTable, drawn, markdown, table_of, write_sheets
from docassay.run.output import json_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes


FORMATS = ("table", "csv", "json", "yaml", "markdown")
EVERY = "all fields"


class _Record(Protocol):
    def _asdict(self) -> dict[str, str | float | int | None]: ...


def render(study: Thresholds, format: str, *, screen: Screen = PLAIN) -> str:
    """Return the trade-off as text in one of FORMATS."""
    if format not in FORMATS:
        raise UnknownName("format of thresholds", format, FORMATS)
    if format == "table":
        return draw(drawn(_headline(study), _tables(study)), screen)
    functions: Mapping[str, Callable[[Thresholds], str]] = {
        "csv": lambda one: _csv(one.choices),
        "json": _json,
        "yaml": to_yaml,
        "markdown": _markdown,
    }
    return functions[format](study)


def write_thresholds(folder: Path, study: Thresholds) -> tuple[str, ...]:
    """Write thresholds, curves, calibration and charts; return what should be said about it."""
    texts = {
        "thresholds.csv": _csv(study.choices),
        "thresholds.json": _json(study),
        "thresholds.md": _markdown(study),
        "thresholds.yaml": to_yaml(study),
        "curves.csv": _csv(study.curves),
        "calibration.csv": _csv(study.calibration),
        "reliability.csv": _csv(study.reliability),
    }
    return write_sheets(folder, texts, lambda: draw_charts(folder, study))


def to_yaml(study: Thresholds) -> str:
    """Return the thresholds to deploy, with what they rest on."""
    import yaml

    facts: dict[str, object] = {
        "docassay": study.version,
        "signature": study.signature,
        "documents": study.documents,
        "target_error": study.target_error,
        "confidence": study.confidence,
        "independent": study.independent,
        "thresholds": _named(study, GUARANTEED),
    }
    if study.budget is not None:
        facts["budget"] = {"reviewed": study.budget, "thresholds": _named(study, BUDGET)}
    if study.prices is not None:
        facts["cheapest"] = {
            "prices": study.prices._asdict(),
            "thresholds": _named(study, CHEAPEST),
        }
    comment = "# A value goes unreviewed when its confidence is at least this; null: review all.\n"
    return comment + yaml.safe_dump(facts, sort_keys=False, allow_unicode=True, width=1000)


def _named(study: Thresholds, way: str) -> dict[str, float | None]:
    return {_shown(field): tau for field, tau in study.thresholds(way).items()}


def _shown(field: str) -> str:
    return field or EVERY


def _csv(records: Iterable[_Record]) -> str:
    return table_of(_cells(records))


def _cells(records: Iterable[_Record]) -> Iterator[Cells]:
    return (record._asdict() for record in records)


def _markdown(study: Thresholds) -> str:
    return markdown("docassay: thresholds", _headline(study), _tables(study))


def _json(study: Thresholds) -> str:
    facts: dict[str, object] = {
        "docassay": study.version,
        "signature": study.signature,
        "documents": study.documents,
        "values": study.values,
        "target_error": study.target_error,
        "confidence": study.confidence,
        "by": study.by,
        "independent": study.independent,
        "budget": study.budget,
        "prices": None if study.prices is None else study.prices._asdict(),
        "notes": study.notes,
    }
    lists: Mapping[str, Iterable[_Record]] = {
        "points": study.points,
        "choices": study.choices,
        "calibration": study.calibration,
        "reliability": study.reliability,
        "curves": study.curves,
    }
    return json_text(facts, {name: _cells(records) for name, records in lists.items()})


def _headline(study: Thresholds) -> Iterator[str]:
    yield f"{count(study.documents, 'document')}, {count(study.values, 'predicted value')}"
    joint = ", all fields together" if study.by == "field" else ""
    yield (
        f"Target: at most {study.target_error:.4g} of the unreviewed values wrong, "
        f"with confidence {study.confidence:.4g}{joint}; {study.independent} are independent"
    )


def _tables(study: Thresholds) -> Iterator[StudyTable]:
    yield _guaranteed_sheet([*study.of().values()])
    others = [
        way for way in dict.fromkeys(choice.way for choice in study.choices) if way != GUARANTEED
    ]
    thresholds = {way: study.thresholds(way) for way in (GUARANTEED, *others)}
    rows = [
        (_shown(field), *(_threshold(taus[field]) for taus in thresholds.values()))
        for field in thresholds[GUARANTEED]
    ]
    below = f"only {GUARANTEED} says anything about documents not yet seen"
    yield StudyTable("Thresholds in every way", ("field", *thresholds), rows, below)
    yield _points_sheet(study.points)
    head = ("confidences", "values", "stating none", "ECE", "Brier", "AUROC", "area")
    rows = [(_shown(row.field), *map(number, (*row[1:3], *row[4:]))) for row in study.calibration]
    yield StudyTable("What the confidences are worth", head, rows)


def _guaranteed_sheet(choices: list[Choice]) -> StudyTable:
    head = ("field", "threshold", "auto rate", "error rate", "at most", "tested", "more documents")
    rows = [
        (
            _shown(choice.field),
            _threshold(choice.threshold),
            number(choice.auto_rate),
            number(choice.error_rate),
            number(choice.bound),
            number(choice.tested),
            number(choice.more_documents),
        )
        for choice in choices
    ]
    whose: dict[str, list[str]] = {}
    for pick in choices:
        if pick.why:
            whose.setdefault(pick.why, []).append(code(_shown(pick.field)))
    below = "\n".join(f"{', '.join(fields)}: {why}" for why, fields in whose.items())
    return StudyTable("Guaranteed thresholds", head, rows, below)


def _points_sheet(points: Iterable[OperatingPoint]) -> StudyTable:
    entries = [*points]
    head = ("way", "auto rate", "error rate", "aligned", "touchless documents", "fully correct")
    priced = entries[0].cost is not None
    rows = [
        (row.way, *map(number, row[1:6]), *([f"{row.cost:,.2f}"] if row.cost is not None else []))
        for row in entries
    ]
    below = "what nobody predicted is never reviewed: aligned cannot exceed that of all reviewed"
    return StudyTable("What it comes to", (*head, "cost") if priced else head, rows, below)


def _threshold(tau: float | None) -> str:
    return UNDEFINED if tau is None else f"{tau:.6g}"


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
        amounts = f"{count(study.documents, 'document')}, {count(study.values, 'predicted value')}"
        figure.suptitle(visible(f"Automation trade-off, {amounts}"), x=0.01, ha="left", fontsize=10)
        return save(figure, path)


def _thinned(points: Sequence[CurvePoint]) -> Sequence[CurvePoint]:
    stride = -(-len(points) // MOST_POINTS)
    return [*points[:-1:stride], points[-1]] if stride > 1 else points


def _over_thresholds(axes: Axes, points: Sequence[CurvePoint]) -> None:
    taus = [1.0 if point.tau is None else point.tau for point in points]
    lines = (
        ("aligned after review", BLUE, "-", [point.aligned for point in points]),
        ("auto-rate", VERMILION, "-", [point.auto_rate for point in points]),
        ("touchless documents", GREEN, (0, (4, 2)), [point.touchless for point in points]),
    )
    for label, colour, style, heights in lines:
        steps = [
            (tau, height) for tau, height in zip(taus, heights, strict=True) if height is not None
        ]
        # a threshold between two confidences does what the upper one does
        axes.step(
            [tau for tau, _ in steps],
            [height for _, height in steps],
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
    for field in dict.fromkeys(curve.field for curve in study.curves):
        if field != ALL_FIELDS:
            _line(axes, _thinned(study.curve(field)), GREY, 0.6, "each field")
    _line(axes, whole, BLUE, 2.2, "all fields")
    ceiling = study.point(ALL_REVIEWED).aligned
    if ceiling is not None:
        axes.axhline(ceiling, color=GREY, ls=(0, (1, 1.5)), lw=1.2, label="ceiling: all reviewed")
    ways = [point for point in study.points if point.way not in (NO_REVIEW, ALL_REVIEWED)]
    for way, mark in zip(ways, MARKS, strict=False):
        if way.aligned is not None:
            x, y = [way.auto_rate], [way.aligned]
            axes.plot(x, y, mark, color=VERMILION, ms=6, label=way.way, zorder=4)
    axes.set_xlim(-0.01, 1.01)
    axes.set_xlabel("auto-rate: share of values not reviewed")
    axes.set_ylabel("aligned after review")
    legend = dict(zip(*reversed(axes.get_legend_handles_labels()), strict=True))
    axes.legend(legend.values(), legend.keys(), loc="lower left", frameon=False)


def _line(axes: Axes, points: Sequence[CurvePoint], colour: str, width: float, label: str) -> None:
    pairs = [(point.auto_rate, point.aligned) for point in points if point.aligned is not None]
    axes.plot([x for x, _ in pairs], [y for _, y in pairs], color=colour, lw=width, label=label)


def _reliability(path: Path, study: Thresholds) -> list[Path]:
    """Draw the share of right values over the confidence stated, and how many state it."""
    bins = [span for span in study.reliability if span.field == ALL_FIELDS]
    with new_figure() as figure:
        figure.set_size_inches(5.2, 5.6)
        above, below = figure.subplots(2, 1, height_ratios=(3, 1), sharex=True)
        _bars(above, bins)
        above.set_ylim(0, 1.02)
        above.set_ylabel("share that is right")
        above.set_title("What confidences mean")
        above.legend(loc="best", frameon=False)
        centres = [(span.low + span.high) / 2 for span in bins]
        below.bar(centres, [span.values for span in bins], width=0.09, color=GREY)
        if max(span.values for span in bins) > 0:
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
    pairs = [
        (span.confidence, span.right)
        for span in bins
        if span.confidence is not None and span.right is not None
    ]
    axes.plot(
        [x for x, _ in pairs],
        [y for _, y in pairs],
        "o-",
        color=BLUE,
        lw=1.6,
        ms=5,
        label="all fields, by tenths of confidence",
    )
    axes.grid(color=LIGHT, lw=0.8)
    axes.set_axisbelow(True)
