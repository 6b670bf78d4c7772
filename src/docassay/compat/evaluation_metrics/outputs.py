"""Files about an evaluation: the documented summary as Markdown, and its fields as a chart."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from os import PathLike, fspath
from pathlib import Path

from docassay.metrics import METRICS
from docassay.report.charts import new_figure, save
from docassay.report.field_charts import field_marks
from docassay.report.field_drawings import Bar, Bars, draw_bars
from docassay.report.files import markdown_table, writing
from docassay.report.levels import field_level, readiness
from docassay.report.safe import code
from docassay.report.summary import FieldAccuracy, Summary
from docassay.report.words import count, number

STAMP = "%Y%m%d_%H%M%S"
SETTINGS = {f"fields.{name}": value for name, value in METRICS.get("fields").options.items()}
"""The thresholds that nobody has set otherwise: a summary as a dict does not carry its own."""


def generate_executive_summary(
    evaluation_summary: Summary,
    model_name: str,
    save_path: str | PathLike[str] | None = None,
    *,
    now: datetime | None = None,
) -> str:
    """Write the summary as Markdown and return the path of the file."""
    file = _file(save_path, model_name, "executive_summary", ".md", now)
    text = "\n".join(_lines(evaluation_summary, model_name)).rstrip() + "\n"
    with writing(file):
        file.write_text(text, encoding="utf-8")
    return str(file)


def create_field_accuracy_chart(
    evaluation_summary: Summary,
    model_name: str,
    save_path: str | PathLike[str] | None = None,
    *,
    now: datetime | None = None,
) -> str:
    """Draw the accuracy of each field, with an SVG beside the PNG, whose path is returned."""
    file = _file(save_path, model_name, "field_accuracy_bar", ".png", now)
    documents = count(evaluation_summary["images_evaluated"], "document")
    chart = Bars(
        f"Accuracy by field, {documents}, {model_name}",
        tuple(
            Bar(name, value, None, None, one["total"], field_level(value, SETTINGS))
            for name, one in _weakest_first(evaluation_summary)
            if (value := one["accuracy"]) is not None
        ),
        field_marks(SETTINGS),
    )
    with new_figure() as figure, writing(file):
        draw_bars(figure, chart)
        save(figure, file.with_name(file.name.removesuffix(".png")))
    return str(file)


def _file(
    given: str | PathLike[str] | None, model: str, what: str, suffix: str, now: datetime | None
) -> Path:
    if given is not None:
        return Path(given) if Path(given).suffix == suffix else Path(f"{fspath(given)}{suffix}")
    # a model's name may hold a slash, which would lead into another folder
    name = re.sub(r"[^\w.-]+", "_", model).strip("._") or "model"
    return Path(f"{name}_{what}_{(now or datetime.now()).strftime(STAMP)}{suffix}")


def _lines(found: Summary, model_name: str) -> Iterator[str]:
    accuracy = found["overall_accuracy"]
    yield f"# Evaluation of {code(model_name)}"
    yield ""
    over = f"over {count(found['images_evaluated'], 'document')}"
    told = "" if accuracy is None else f", {readiness(accuracy, SETTINGS)}"
    yield f"- overall accuracy {number(accuracy)} {over}{told}"
    scored = count(found["overall_total"], "scored field")
    yield f"- {found['overall_correct']:.1f} of {scored} right, partial credit included"
    yield f"- perfect documents: {found['perfect_documents']}"
    ends = (
        ("best", found["best_performing_image"], found["best_performance_accuracy"]),
        ("worst", found["worst_performing_image"], found["worst_performance_accuracy"]),
    )
    for word, image, reached in ends:
        if image is not None:
            yield f"- {word} document: {code(image)}, {number(reached)}"
    yield ""
    yield "## Fields, weakest first"
    yield ""
    rows = [
        (code(name), number(one["accuracy"]), f"{one['correct']:.1f}", number(one["total"]), level)
        for name, one in _weakest_first(found)
        for level in ["" if one["accuracy"] is None else field_level(one["accuracy"], SETTINGS)]
    ]
    yield from markdown_table(("field", "accuracy", "correct", "documents", "level"), rows, "lrrrl")


def _weakest_first(found: Summary) -> list[tuple[str, FieldAccuracy]]:
    def strength(item: tuple[str, FieldAccuracy]) -> tuple[float, str]:
        name, one = item
        return (2.0 if one["accuracy"] is None else one["accuracy"], name)

    return sorted(found["field_accuracies"].items(), key=strength)
