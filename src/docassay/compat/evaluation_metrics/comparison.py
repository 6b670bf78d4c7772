"""Models side by side, as the guide compares them: accuracy and time, charts, recommendations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from os import PathLike
from statistics import mean, median
from typing import NamedTuple

from docassay.api.decide import compare
from docassay.compat.evaluation_metrics.batch import (
    OPTIONS,
    Evaluation,
    Fields,
    ScoredResults,
    file_named,
    score_results,
    summarised,
)
from docassay.compat.evaluation_metrics.config import POOR_FIELD_THRESHOLD
from docassay.compat.evaluation_metrics.scores import SCHEMA
from docassay.errors import ConfigurationError
from docassay.metrics.fields.levels import readiness
from docassay.model.comparison import BETTER, EQUIVALENT, WORSE, RunDifference
from docassay.model.words import code, count, number
from docassay.report.charts.canvas import BLUE, ORANGE, SKY, VERMILION, new_figure, save
from docassay.run.output import markdown_table, write_bytes, writing

ACCURACY = "fields.overall_accuracy"
APART = 0.05
"""By how much a model must lead in a field to be named for it."""
COLOURS = (BLUE, ORANGE, SKY, VERMILION)


class ComparedModel(NamedTuple):
    """What became of one model: how accurate, how fast."""

    name: str
    accuracy: float | None
    low: float | None
    high: float | None
    """A 95 % interval of the accuracy."""
    level: str
    """Where it stands among the thresholds of readiness."""
    images: int
    perfect_documents: int
    mean_time: float | None
    median_time: float | None
    """Seconds an image, as far as results say."""
    field_accuracies: Mapping[str, float | None]


class ModelComparison(NamedTuple):
    """Models side by side over the same ground truth."""

    models: tuple[ComparedModel, ...]
    """In the order given; the others are compared with the first."""
    differences: tuple[RunDifference, ...]
    """In accuracy, of each other model from the first."""
    recommendations: tuple[str, ...]


def compare_models(
    results_by_model: Mapping[str, Sequence[Mapping[str, object]]],
    ground_truth_map: Mapping[str, Fields],
    *,
    schema: str = SCHEMA,
) -> ModelComparison:
    """Return models side by side: accuracy with its test, time, fields, recommendations."""
    if len(results_by_model) < 2:
        raise ConfigurationError("one model is no comparison", hint="give results of two or more")
    models: list[ComparedModel] = []
    reports = []
    for name, results in results_by_model.items():
        scored = score_results(results, ground_truth_map, schema=schema)
        models.append(_compared(name, results, summarised(scored, schema), scored))
        reports.append(scored.report)
    compared = compare(*reports, names=[*results_by_model], metrics=["fields"])
    differences = compared[ACCURACY].differences
    return ModelComparison(tuple(models), differences, tuple(_recommendations(models, differences)))


def _compared(
    name: str,
    results: Iterable[Mapping[str, object]],
    summary: Evaluation,
    scored: ScoredResults,
) -> ComparedModel:
    times = [result.get("processing_time") for result in results]
    seconds = [float(time) for time in times if isinstance(time, int | float)]
    accuracy = summary["overall_accuracy"]
    score = scored.report[ACCURACY]
    return ComparedModel(
        name,
        accuracy,
        score.low,
        score.high,
        "nothing was scored" if accuracy is None else readiness(accuracy, OPTIONS),
        summary["images_evaluated"],
        summary["perfect_documents"],
        mean(seconds) if seconds else None,
        median(seconds) if seconds else None,
        {field: stat["accuracy"] for field, stat in summary["field_accuracies"].items()},
    )


def _recommendations(
    models: Sequence[ComparedModel], differences: Sequence[RunDifference]
) -> Iterator[str]:
    """Yield what to do, each with the numbers that say so."""
    first = models[0]
    for difference in differences:
        other = models[difference.run]
        yield _which(first, other, difference)
        yield from _by_field(first, other)
    for model in models:
        yield f"{code(model.name)} is {model.level}"
    names = [*dict.fromkeys(name for model in models for name in model.field_accuracies)]
    poor = [
        name
        for name in names
        if all((model.field_accuracies.get(name) or 0.0) < POOR_FIELD_THRESHOLD for model in models)
    ]
    if poor:
        listed = ", ".join(map(code, poor))
        yield f"poor with every model: {listed}; look at the prompt and at ground truth first"


def _which(first: ComparedModel, other: ComparedModel, difference: RunDifference) -> str:
    """Return which of two models to use, and why."""
    pair = f"{number(other.accuracy)} against {number(first.accuracy)}"
    if difference.verdict in {BETTER, WORSE}:
        winner, loser = (other, first) if difference.verdict == BETTER else (first, other)
        slower = _times(winner, loser)
        return f"use {code(winner.name)}: its accuracy is higher, {pair}{slower}"
    why = "equal within 0.01" if difference.verdict == EQUIVALENT else "too close to call"
    text = f"accuracies of {code(other.name)} and {code(first.name)} are {why}, {pair}"
    if first.mean_time is not None and other.mean_time is not None:
        faster = min((first, other), key=lambda model: model.mean_time or 0.0)
        slower_one = other if faster is first else first
        return f"{text}; use {code(faster.name)}{_times(faster, slower_one)}"
    return f"{text}; more documents would tell (docassay power)"


def _times(model: ComparedModel, other: ComparedModel) -> str:
    """Return how fast a model is beside another, "" where that is not known."""
    if model.mean_time is None or other.mean_time is None:
        return ""
    return f", at {model.mean_time:.2f} against {other.mean_time:.2f} seconds an image"


def _by_field(first: ComparedModel, other: ComparedModel) -> Iterator[str]:
    for model, rival in ((first, other), (other, first)):
        ahead = {
            name: (value, rival.field_accuracies.get(name) or 0.0)
            for name, value in model.field_accuracies.items()
            if value is not None and value - (rival.field_accuracies.get(name) or 0.0) >= APART
        }
        if ahead:
            best = sorted(ahead, key=lambda name: (ahead[name][1] - ahead[name][0], name))[:5]
            listed = ", ".join(
                f"{code(name)} ({number(ahead[name][0])} against {number(ahead[name][1])})"
                for name in best
            )
            yield f"{code(model.name)} is ahead of {code(rival.name)} in {listed}"


def generate_comparison_summary(
    comparison: ModelComparison,
    save_path: str | PathLike[str] | None = None,
    *,
    now: datetime | None = None,
) -> str:
    """Write the comparison as Markdown and return the path of the file."""
    file = file_named(save_path, "model_comparison", "summary", ".md", now)
    text = "\n".join(_summary(comparison)) + "\n"
    return str(write_bytes(file, text.encode("utf-8", "backslashreplace")))


def _summary(comparison: ModelComparison) -> Iterator[str]:
    models = comparison.models
    yield f"# {' and '.join(code(model.name) for model in models)} compared"
    yield ""
    yield f"Over {count(models[0].images, 'document')} with ground truth."
    yield ""
    head = ("model", "accuracy", "95 % interval", "perfect documents", "mean time", "median time")
    yield from markdown_table(head, map(_row, models), "lrrrrr")
    yield ""
    yield "## Recommendations"
    yield ""
    yield from (f"- {sentence}" for sentence in comparison.recommendations)
    yield ""
    yield "## Accuracy by field"
    yield ""
    names = sorted({name for model in models for name in model.field_accuracies})
    rows = [
        (code(name), *(number(model.field_accuracies.get(name)) for model in models))
        for name in names
    ]
    columns = ("field", *(code(model.name) for model in models))
    yield from markdown_table(columns, rows, "l" + "r" * len(models))


def _row(model: ComparedModel) -> tuple[str, ...]:
    low, high = model.low, model.high
    between = "" if low is None or high is None else f"{low:.4f} to {high:.4f}"
    times = (
        "" if time is None else f"{time:.2f} s" for time in (model.mean_time, model.median_time)
    )
    return (
        code(model.name),
        number(model.accuracy),
        between,
        str(model.perfect_documents),
        *times,
    )


def create_model_comparison_chart(
    comparison: ModelComparison,
    save_path: str | PathLike[str] | None = None,
    *,
    now: datetime | None = None,
) -> str:
    """Draw accuracy, time and fields side by side, with an SVG beside the PNG that is returned."""
    file = file_named(save_path, "model_comparison", "chart", ".png", now)
    models = comparison.models
    names = sorted({name for model in models for name in model.field_accuracies}, reverse=True)
    with new_figure() as figure, writing(file):
        rows = max(3, len(names))
        figure.set_size_inches(9, 2.2 + 0.16 * rows * len(models) + 0.1 * rows)
        grid = figure.add_gridspec(2, 2, height_ratios=(1, max(1.0, 0.14 * rows * len(models))))
        accuracy, time = figure.add_subplot(grid[0, 0]), figure.add_subplot(grid[0, 1])
        fields = figure.add_subplot(grid[1, :])
        for place, model in enumerate(models):
            colour = COLOURS[place % len(COLOURS)]
            accuracy.barh(place, model.accuracy or 0.0, 0.7, color=colour, label=model.name)
            time.barh(place, model.mean_time or 0.0, 0.7, color=colour)
            step = 0.8 / len(models)
            levels = [at + step * (place - (len(models) - 1) / 2) for at in range(len(names))]
            values = [model.field_accuracies.get(name) or 0.0 for name in names]
            fields.barh(levels, values, 0.9 * step, color=colour, label=model.name)
        for axes, title in ((accuracy, "Accuracy"), (time, "Mean seconds an image")):
            axes.set_yticks(range(len(models)), [model.name for model in models])
            axes.set_title(title)
            axes.invert_yaxis()
        for axes in (accuracy, fields):
            axes.set_xlim(0, 1)
        fields.set_yticks(range(len(names)), names)
        fields.set_title("Accuracy by field")
        fields.legend(loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False)
        save(figure, file.with_suffix(""))
    return str(file)
