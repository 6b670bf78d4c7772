"""The automation trade-off as a table, CSV, JSON, Markdown or YAML, and as files with charts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Protocol

from docassay.errors import UnknownName
from docassay.model.automation import (
    BUDGET,
    CHEAPEST,
    GUARANTEED,
    Choice,
    OperatingPoint,
    Thresholds,
)
from docassay.report.files import json_text
from docassay.report.safe import UNDEFINED, code
from docassay.report.screen import PLAIN, Screen, draw
from docassay.report.sheets import Cells, Sheet, drawn, markdown, table_of, write_sheets
from docassay.report.threshold_charts import draw_charts
from docassay.report.words import count, number

FORMATS = ("table", "csv", "json", "yaml", "markdown")
EVERY = "all fields"


class _Record(Protocol):
    def _asdict(self) -> dict[str, str | float | int | None]: ...


def render(study: Thresholds, format: str, *, screen: Screen = PLAIN) -> str:
    """Return the trade-off as text in one of FORMATS."""
    if format not in FORMATS:
        raise UnknownName("format of thresholds", format, FORMATS)
    if format == "table":
        return draw(drawn(_headline(study), _sheets(study)), screen)
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
    told = "# A value goes unreviewed when its confidence is at least this; null: review all.\n"
    return told + yaml.safe_dump(facts, sort_keys=False, allow_unicode=True, width=1000)


def _named(study: Thresholds, way: str) -> dict[str, float | None]:
    return {_shown(field): tau for field, tau in study.thresholds(way).items()}


def _shown(field: str) -> str:
    return field or EVERY


def _csv(records: Iterable[_Record]) -> str:
    return table_of(_cells(records))


def _cells(records: Iterable[_Record]) -> Iterator[Cells]:
    return (one._asdict() for one in records)


def _markdown(study: Thresholds) -> str:
    return markdown("docassay: thresholds", _headline(study), _sheets(study))


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
    return json_text(facts, {name: _cells(found) for name, found in lists.items()})


def _headline(study: Thresholds) -> Iterator[str]:
    yield f"{count(study.documents, 'document')}, {count(study.values, 'predicted value')}"
    joint = ", all fields together" if study.by == "field" else ""
    yield (
        f"Target: at most {study.target_error:.4g} of the unreviewed values wrong, "
        f"with confidence {study.confidence:.4g}{joint}; {study.independent} are independent"
    )


def _sheets(study: Thresholds) -> Iterator[Sheet]:
    yield _guaranteed_sheet([*study.of().values()])
    others = [way for way in dict.fromkeys(one.way for one in study.choices) if way != GUARANTEED]
    found = {way: study.thresholds(way) for way in (GUARANTEED, *others)}
    rows = [
        (_shown(field), *(_threshold(taus[field]) for taus in found.values()))
        for field in found[GUARANTEED]
    ]
    below = f"only {GUARANTEED} says anything about documents not yet seen"
    yield Sheet("Thresholds in every way", ("field", *found), rows, below)
    yield _points_sheet(study.points)
    head = ("confidences", "values", "stating none", "ECE", "Brier", "AUROC", "area")
    rows = [(_shown(one.field), *map(number, (*one[1:3], *one[4:]))) for one in study.calibration]
    yield Sheet("What the confidences are worth", head, rows)


def _guaranteed_sheet(choices: list[Choice]) -> Sheet:
    head = ("field", "threshold", "auto rate", "error rate", "at most", "tested", "more documents")
    rows = [
        (
            _shown(one.field),
            _threshold(one.threshold),
            number(one.auto_rate),
            number(one.error_rate),
            number(one.bound),
            number(one.tested),
            number(one.more_documents),
        )
        for one in choices
    ]
    whose: dict[str, list[str]] = {}
    for one in choices:
        if one.why:
            whose.setdefault(one.why, []).append(code(_shown(one.field)))
    below = "\n".join(f"{', '.join(fields)}: {why}" for why, fields in whose.items())
    return Sheet("Guaranteed thresholds", head, rows, below)


def _points_sheet(points: Iterable[OperatingPoint]) -> Sheet:
    found = [*points]
    head = ("way", "auto rate", "error rate", "aligned", "touchless documents", "wholly right")
    priced = found[0].cost is not None
    rows = [
        (one.way, *map(number, one[1:6]), *([f"{one.cost:,.2f}"] if one.cost is not None else []))
        for one in found
    ]
    below = "what nobody predicted is never reviewed: aligned cannot exceed that of all reviewed"
    return Sheet("What it comes to", (*head, "cost") if priced else head, rows, below)


def _threshold(tau: float | None) -> str:
    return UNDEFINED if tau is None else f"{tau:.6g}"
