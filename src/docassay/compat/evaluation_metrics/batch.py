"""Whole documents: reading ground truth and responses, and the documented evaluations of them."""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from os import PathLike, fspath
from pathlib import Path
from typing import NamedTuple

from docassay.api.score import ScoredReport, score
from docassay.compat.evaluation_metrics.config import NOT_FOUND
from docassay.compat.evaluation_metrics.scores import SCHEMA, SETTINGS, method_named, schema_named
from docassay.errors import ConfigurationError, DataError
from docassay.load.files import stem
from docassay.load.response.answer import parse_response
from docassay.load.source import open_records
from docassay.metrics.fields.levels import drawn_thresholds, field_level, readiness
from docassay.metrics.fields.summary import FieldAccuracy, Summary, summary
from docassay.metrics.metric import METRICS
from docassay.model.chart import Bar, Bars
from docassay.model.document import SEPARATOR
from docassay.model.problem import Problem
from docassay.model.report import Report, Score
from docassay.model.words import code, count, number
from docassay.report.charts.canvas import new_figure, save
from docassay.report.charts.drawings import draw_bars
from docassay.run.output import markdown_table, write_bytes, writing
from docassay.values.similarity import leaf_text

NAMES = ("image_name", "image_file", "image_path")
"""Keys of a result that may name its image."""

Fields = Mapping[str, object]


class Evaluation(Summary):
    """The documented summary, and what could not be part of it."""

    images_without_ground_truth: list[str]
    problems: list[str]


class GroundTruth(dict[str, Fields]):
    """Documents by image name, found with and without folder and suffix."""

    def __init__(self, documents: Mapping[str, Fields]) -> None:
        super().__init__(documents)
        stems = Counter(map(stem, documents))
        # of names that differ in the suffix alone, each is found by its whole name only
        self._by_stem = {stem(name): name for name in documents if stems[stem(name)] == 1}

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or stem(str(name)) in self._by_stem

    def __missing__(self, name: str) -> Fields:
        full_name = self._by_stem.get(stem(name))
        if full_name is None:
            raise KeyError(name)
        return self[full_name]

    def get(self, name: str, default: Fields | None = None) -> Fields | None:  # type: ignore[override]
        """Return the document of a name, or the default."""
        return self[name] if name in self else default  # noqa: SIM401 - it would call itself


def load_ground_truth(
    csv_path: str | PathLike[str], dtype: type = str, keep_default_na: bool = False
) -> GroundTruth:
    """Return the rows of a CSV file by image name, every cell a text, NOT_FOUND kept."""
    if dtype is not str or keep_default_na:
        raise ConfigurationError("ground truth is read as text", hint="leave dtype=str as it is")
    documents: dict[str, Fields] = {}
    for record in open_records(fspath(csv_path), format="csv").records:
        if isinstance(record, Problem):
            warnings.warn(f"{record.where}: {record.message}", stacklevel=2)
        elif record.id is None:
            raise DataError("there is no column with the image's name", where=record.where)
        elif record.id in documents:
            warnings.warn(
                f"{record.where}: {record.id!r} stands twice, the first is kept", stacklevel=2
            )
        else:
            assert isinstance(record.tree, dict), "a row of a CSV file has named cells"
            # the format has split lists, which this map holds as they stand in the file
            documents[record.id] = {
                name: SEPARATOR.join(cell) if isinstance(cell, list) else cell
                for name, cell in record.tree.items()
            }
    return GroundTruth(documents)


def parse_extraction_response(
    response: str, expected_fields: Iterable[str] = ()
) -> dict[str, object]:
    """Return the fields of a raw response as text, lists with " | "; expected ones are all there.

    Rows of a group (a list of objects) stay as they are, and score the same as columns.
    """
    fields = {name: _text(value) for name, value in parse_response(response).tree.items()}
    return {**dict.fromkeys(expected_fields, NOT_FOUND), **fields}


def _text(value: object) -> object:
    items = value if isinstance(value, list) else [value]
    if any(isinstance(item, list | Mapping) for item in items):
        return value
    return SEPARATOR.join(leaf_text(item) or NOT_FOUND for item in items)


class ScoredResults(NamedTuple):
    """The report of results against ground truth, and results that have none."""

    report: ScoredReport
    strangers: list[str]


def evaluate_extraction_results(
    extraction_results: Sequence[Mapping[str, object]],
    ground_truth_map: Mapping[str, Fields],
    *,
    method: str | None = None,
    schema: str = SCHEMA,
) -> Evaluation:
    """Return the documented summary of results against ground truth.

    Results whose image has no ground truth are not scored but named in the summary, as are the
    problems that were met.
    """
    scored = score_results(extraction_results, ground_truth_map, method=method, schema=schema)
    return summarised(scored, schema)


def summarised(scored: ScoredResults, schema: str) -> Evaluation:
    """Return the documented summary of results that were scored."""
    report, strangers = scored
    totals = summary(_seen(report), _accuracies(report).items(), schema_named(schema))
    problems = [
        ": ".join(filter(None, (problem.document, problem.field, problem.message)))
        for problem in report.problems
    ]
    return Evaluation(**totals, images_without_ground_truth=strangers, problems=problems)


def score_results(
    extraction_results: Sequence[Mapping[str, object]],
    ground_truth_map: Mapping[str, Fields],
    *,
    method: str | None = None,
    schema: str = SCHEMA,
) -> ScoredResults:
    """Return the report of the results that have ground truth."""
    truth = GroundTruth(ground_truth_map)
    golds: list[tuple[str, object]] = []
    preds: list[tuple[str, object]] = []
    strangers: list[str] = []
    for position, result in enumerate(extraction_results, start=1):
        name = _name(result, position)
        gold = truth.get(name)
        if gold is None:
            strangers.append(name)
            continue
        golds.append((name, gold))
        preds.append((name, result.get("extracted_data") or {}))
    if not golds:
        raise DataError(
            "no extraction result has ground truth",
            hint=f"results are {_listed(strangers)}; ground truth is {_listed(truth)}",
        )
    report = score(
        golds,
        preds,
        schema=schema_named(schema),
        metrics=["fields"],
        settings={**SETTINGS, "fields.method": method_named(method)},
    )
    return ScoredResults(report, strangers)


def _name(result: Mapping[str, object], number: int) -> str:
    for key in NAMES:
        if result.get(key):
            return str(result[key])
    raise DataError("has no image_name", where=f"extraction result {number}")


def _listed(names: Iterable[str]) -> str:
    shown = sorted(names)
    return ", ".join(shown[:3]) + (", ..." if shown[3:] else "") if shown else "none"


def _seen(report: Report) -> list[Score]:
    """Return the scores without fields that no document has, which are not documented."""
    scores = report.of("fields")
    return [entry for entry in scores if entry.readout != "accuracy" or entry.value is not None]


def _accuracies(report: Report) -> dict[str, float]:
    """Return the accuracy of each document that has one, by image."""
    values = {line.id: line.scores["fields.overall_accuracy"] for line in report.lines}
    return {id: value for id, value in values.items() if value is not None}


STAMP = "%Y%m%d_%H%M%S"
OPTIONS = METRICS.get("fields").options
"""The thresholds that nobody has set otherwise: a summary as a dict does not carry its own."""


def generate_executive_summary(
    evaluation_summary: Summary,
    model_name: str,
    save_path: str | PathLike[str] | None = None,
    *,
    now: datetime | None = None,
) -> str:
    """Write the summary as Markdown and return the path of the file."""
    file = file_named(save_path, model_name, "executive_summary", ".md", now)
    text = "\n".join(_lines(evaluation_summary, model_name)).rstrip() + "\n"
    return str(write_bytes(file, text.encode("utf-8", "backslashreplace")))


def create_field_accuracy_chart(
    evaluation_summary: Summary,
    model_name: str,
    save_path: str | PathLike[str] | None = None,
    *,
    now: datetime | None = None,
) -> str:
    """Draw the accuracy of each field, with an SVG beside the PNG, whose path is returned."""
    file = file_named(save_path, model_name, "field_accuracy_bar", ".png", now)
    documents = count(evaluation_summary["images_evaluated"], "document")
    chart = Bars(
        f"Accuracy by field, {documents}, {model_name}",
        tuple(
            Bar(name, value, None, None, stat["total"], field_level(value, OPTIONS))
            for name, stat in _weakest_first(evaluation_summary)
            if (value := stat["accuracy"]) is not None
        ),
        drawn_thresholds(OPTIONS),
        "mean over documents; n: documents",
    )
    with new_figure() as figure, writing(file):
        draw_bars(figure, chart)
        save(figure, file.with_name(file.name.removesuffix(".png")))
    return str(file)


def file_named(
    given: str | PathLike[str] | None, model: str, what: str, suffix: str, now: datetime | None
) -> Path:
    """Return the file that was asked for, else the documented name with model and time."""
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
    level = "" if accuracy is None else f", {readiness(accuracy, OPTIONS)}"
    yield f"- overall accuracy {number(accuracy)} {over}{level}"
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
        (code(name), number(row["accuracy"]), f"{row['correct']:.1f}", number(row["total"]), level)
        for name, row in _weakest_first(found)
        for level in ["" if row["accuracy"] is None else field_level(row["accuracy"], OPTIONS)]
    ]
    yield from markdown_table(("field", "accuracy", "correct", "documents", "level"), rows, "lrrrl")


def _weakest_first(found: Summary) -> list[tuple[str, FieldAccuracy]]:
    def strength(item: tuple[str, FieldAccuracy]) -> tuple[float, str]:
        name, stat = item
        return (2.0 if stat["accuracy"] is None else stat["accuracy"], name)

    return sorted(found["field_accuracies"].items(), key=strength)
