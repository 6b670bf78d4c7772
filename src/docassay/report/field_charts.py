"""The charts of `fields`: which numbers of a report go into which picture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from docassay.model.report import Report
from docassay.report.charts import new_figure, save
from docassay.report.dashboard import Dashboard, draw_dashboard
from docassay.report.field_drawings import (
    Bar,
    Bars,
    Confusion,
    HeatMap,
    Histogram,
    Mark,
    draw_bars,
    draw_confusion,
    draw_heat_map,
    draw_histogram,
)
from docassay.report.levels import document_levels, field_level, field_thresholds, thresholds
from docassay.report.lines import (
    ACCURACY,
    BY_ACCURACY,
    OVERALL,
    KeyLine,
    categories,
    confusions,
    documents,
    fields,
    types,
)
from docassay.report.words import THIS_RUN, count

NAMES = ("field-accuracy", "dashboard", "document-scores", "field-by-document", "type-confusion")
FILES = tuple(f"{name}.{suffix}" for name in NAMES for suffix in ("png", "svg"))
MOST_DOCUMENTS = 60
"""Columns of a heat map; of more documents the worst are shown."""


def draw(report: Report, folder: Path, *, earlier: Sequence[tuple[str, Report]] = ()) -> list[Path]:
    """Draw every chart that a report has the numbers for; return the files written."""
    return [*_drawn(report, folder, earlier)]


def _drawn(report: Report, folder: Path, earlier: Sequence[tuple[str, Report]]) -> Iterator[Path]:
    bars, board, scores, map_, confusion = NAMES
    with new_figure() as figure:
        draw_bars(figure, field_bars(report))
        yield from save(figure, folder / bars)
    with new_figure() as figure:
        draw_dashboard(figure, dashboard(report, earlier))
        yield from save(figure, folder / board)
    with new_figure() as figure:
        draw_histogram(figure, histogram(report))
        yield from save(figure, folder / scores)
    with new_figure() as figure:
        draw_heat_map(figure, heat_map(report))
        yield from save(figure, folder / map_)
    if confusions(report):
        with new_figure() as figure:
            draw_confusion(figure, confusion_of(report))
            yield from save(figure, folder / confusion)


def field_bars(report: Report) -> Bars:
    """Return the accuracy of each field, weakest first."""
    method = report.settings["fields.method"]
    return Bars(
        f"Accuracy by field, {count(report.documents, 'document')} ({method})",
        tuple(_bars(report, fields(report, by=BY_ACCURACY), ACCURACY)),
        field_marks(report.settings),
    )


def _bars(report: Report, lines: Sequence[KeyLine], name: str) -> Iterator[Bar]:
    for line in lines:
        score = line.scores.get(name)
        if score is not None and score.value is not None:
            level = field_level(score.value, report.settings)
            yield Bar(line.name, score.value, score.low, score.high, score.support, level)


def field_marks(settings: Mapping[str, object]) -> tuple[Mark, ...]:
    """Return the thresholds between the levels of fields."""
    bounds = [bound.least for bound in field_thresholds(settings)]
    names = ("excellent", "good", "poor below")
    return tuple(Mark(name, least) for name, least in zip(names, bounds, strict=True))


def histogram(report: Report) -> Histogram:
    """Return the accuracies of all documents."""
    values = tuple(report.accuracies.values())
    bounds = thresholds(report.settings)
    marks = tuple(Mark(name.replace("_", " "), least) for name, least in bounds)
    return Histogram(
        f"Accuracy of {count(len(values), 'document')}", values, report[OVERALL].value, marks
    )


def heat_map(report: Report) -> HeatMap:
    """Return the accuracy of every field in every document, of many documents the worst."""
    lines = [line for line in documents(report, by=BY_ACCURACY) if line.id in report.accuracies]
    shown = lines[:MOST_DOCUMENTS]
    which = count(len(shown), "document")
    if len(lines) > len(shown):
        which = f"the worst {len(shown)} of {count(len(lines), 'document')}"
    rows = [
        line.name
        for line in fields(report, by=BY_ACCURACY)
        if any(one.fields.get(line.name) is not None for one in shown)
    ]
    return HeatMap(
        f"Accuracy by field and document, {which}",
        tuple(rows),
        tuple(line.id for line in shown),
        tuple(tuple(line.fields.get(row) for line in shown) for row in rows),
    )


def confusion_of(report: Report) -> Confusion:
    """Return how many documents of each type were taken for which."""
    found = {(one.gold, one.pred): one.documents for one in confusions(report)}
    golds = sorted({gold for gold, _ in found})
    preds = sorted({pred for _, pred in found} | {*golds})
    return Confusion(
        f"Document types, {count(report.documents, 'document')}",
        tuple(golds),
        tuple(preds),
        tuple(tuple(found.get((gold, pred), 0) for pred in preds) for gold in golds),
    )


def dashboard(report: Report, earlier: Sequence[tuple[str, Report]] = ()) -> Dashboard:
    """Return accuracy over runs or documents, by category and type, and how many are perfect."""
    runs = [(name, one[OVERALL]) for name, one in (*earlier, (THIS_RUN, report))]
    known = tuple(
        Bar(name, score.value, score.low, score.high, score.support)
        for name, score in runs
        if score.value is not None
    )
    return Dashboard(
        f"{count(report.documents, 'document')}, {report.settings['fields.method']}",
        known if earlier else (),
        tuple(accuracy for _, accuracy in sorted(report.accuracies.items())),
        tuple(_bars(report, categories(report), "fields.category_accuracy")),
        tuple(_bars(report, types(report), "fields.type_accuracy")),
        tuple(document_levels(report).items()),
        tuple(mark._replace(name="") for mark in field_marks(report.settings)),
    )
