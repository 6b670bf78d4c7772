"""The guide's batch loop with models: images to results, and files named by model and time.

A processor has `process_single_image`, as the guide's loop calls it, over any extractor that
`docassay extract` knows.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from os import PathLike
from pathlib import Path
from typing import Unpack

import msgspec

from docassay.api.extract import extract_documents
from docassay.compat.evaluation_metrics.batch import (
    Fields,
    ScoredResults,
    file_named,
    generate_executive_summary,
    parse_extraction_response,
    score_results,
    summarised,
)
from docassay.compat.evaluation_metrics.config import NOT_FOUND, get_document_type_fields
from docassay.compat.evaluation_metrics.scores import SCHEMA, schema_named
from docassay.errors import DataError
from docassay.extract.options import ExtractArgs
from docassay.load.files import numbered_lines, stem
from docassay.load.wire import decode
from docassay.model.document import SEPARATOR
from docassay.model.schema import Schema
from docassay.report.charts.canvas import new_figure, save
from docassay.report.charts.pictures import pictures, put_drawing
from docassay.report.markdown import checklist
from docassay.run.output import csv_text, write_bytes, writing
from docassay.schema.listing import short_name
from docassay.values.similarity import leaf_text

ACCURACY = "fields.overall_accuracy"
CHARTS = {
    "field-accuracy": "field_accuracy_bar",
    "dashboard": "performance_dashboard",
    "document-scores": "document_quality",
}
"""The pictures of a report -> what the guide calls them."""
ExtractionResult = dict[str, object]
"""A result as the guide's loop collects it: image_name, extracted_data, processing_time …"""


class ModelProcessor:
    """Extracts from images with a model, one at a time or a folder at once.

    The options are those of `docassay extract`: `endpoint=` for a server, `extractor=` for a
    function, `command=` for a program, `ocr_only=True` for rules. Answers are asked for field by
    field, as the guide does, unless `style` says otherwise.
    """

    def __init__(
        self, model_name: str, *, schema: str = SCHEMA, **options: Unpack[ExtractArgs]
    ) -> None:
        self.model_name = model_name
        self.schema = schema
        self.options = options
        if options.get("endpoint") is not None:
            self.options = {"model": model_name, "style": "lines", **options}

    def process_single_image(self, image_path: str | PathLike[str]) -> ExtractionResult:
        """Return the result for one image; an image that fails has an `error` and no data."""
        with tempfile.TemporaryDirectory() as folder:
            return self.process_image_batch(image_path, Path(folder, "results.jsonl"))[0]

    def process_image_batch(
        self, documents: str | PathLike[str], out: str | PathLike[str]
    ) -> list[ExtractionResult]:
        """Return the results for a folder of images; the answers are kept in a file."""
        done = extract_documents(
            Path(documents), schema=schema_named(self.schema), out=Path(out), **self.options
        )
        failed: list[ExtractionResult] = [
            {
                "image_name": line.id,
                "extracted_data": {},
                "processing_time": None,
                "model": self.model_name,
                "error": line.error,
            }
            for line in done.failed
        ]
        kept = load_extraction_results(out, schema=self.schema) if done.answered + done.kept else []
        named = [{**result, "model": self.model_name} for result in kept]
        return sorted([*named, *failed], key=lambda result: str(result["image_name"]))


def load_extraction_results(
    path: str | PathLike[str], *, schema: str = SCHEMA
) -> list[ExtractionResult]:
    """Return the lines that `docassay extract` has kept as results of the guide's loop, by name."""
    fields = schema_named(schema)
    results = []
    for place, line in numbered_lines(Path(path)):
        tree = decode(line, f"{path}:{place}").tree
        if not isinstance(tree, dict) or not isinstance(tree.get("record"), dict):
            raise DataError(
                "is no kept answer", where=f"{path}:{place}", hint="docassay extract writes them"
            )
        data = extracted_fields(tree["record"], fields)
        results.append(
            {
                "image_name": str(tree.get("id")),
                "extracted_data": data,
                "document_type": data.get(fields.type_field, NOT_FOUND),
                "processing_time": _seconds(tree.get("started"), tree.get("ended")),
                "raw_response": tree.get("raw", ""),
                "model": str(tree.get("model", "")),
            }
        )
    # lines stand in the order in which answers came
    return sorted(results, key=lambda result: str(result["image_name"]))


def extracted_fields(record: Mapping[str, object], schema: Schema) -> dict[str, object]:
    """Return a record as the guide has it: texts by field, the columns of rows with " | "."""
    plain = _without_places(record)
    assert isinstance(plain, dict), "a record is an object"
    for group in schema.groups:
        rows = plain.get(group.path)
        if not group.columns or not isinstance(rows, list):
            continue
        del plain[group.path]
        for path, column in group.columns.items():
            name = short_name(path, [group.path])
            cells = [leaf_text(row.get(name)) for row in rows if isinstance(row, Mapping)]
            if any(cells):
                plain[column] = SEPARATOR.join(cell or NOT_FOUND for cell in cells)
    text = msgspec.json.encode(plain).decode()
    fields = parse_extraction_response(text) if plain else {}
    stated = fields.get(schema.type_field)
    expected = get_document_type_fields(str(stated), schema=schema.name) if stated else []
    return {**dict.fromkeys(expected, NOT_FOUND), **fields}


def _without_places(tree: object) -> object:
    """Return a tree whose leaves are their values alone."""
    if isinstance(tree, Mapping):
        if "value" in tree:
            return tree["value"]
        return {str(key): _without_places(value) for key, value in tree.items()}
    return [_without_places(item) for item in tree] if isinstance(tree, list) else tree


def _seconds(started: object, ended: object) -> float | None:
    try:
        first, last = (datetime.fromisoformat(str(time)) for time in (started, ended))
    except ValueError:
        return None
    return round((last - first).total_seconds(), 6)


def save_evaluation_outputs(
    extraction_results: Sequence[Mapping[str, object]],
    ground_truth_map: Mapping[str, Fields],
    model_name: str,
    folder: str | PathLike[str] = ".",
    *,
    charts: bool = True,
    now: datetime | None = None,
    schema: str = SCHEMA,
) -> dict[str, Path]:
    """Write the documented files of a model, named by it and the time, and return their paths."""
    scored = score_results(extraction_results, ground_truth_map, schema=schema)
    summary = summarised(scored, schema)
    moment = now or datetime.now()
    files = {
        name: Path(folder) / file_named(None, model_name, name, suffix, moment)
        for name, suffix in (
            ("batch_extraction", ".csv"),
            ("evaluation_results", ".json"),
            ("executive_summary", ".md"),
            ("deployment_checklist", ".md"),
        )
    }
    with writing(Path(folder)):
        Path(folder).mkdir(parents=True, exist_ok=True)
    table = csv_text(*_table(extraction_results, scored))
    write_bytes(files["batch_extraction"], table.encode())
    details = {"model": model_name, **summary, "documents": _documents(scored)}
    write_bytes(files["evaluation_results"], msgspec.json.format(msgspec.json.encode(details)))
    generate_executive_summary(summary, model_name, files["executive_summary"])
    write_bytes(files["deployment_checklist"], checklist(scored.report).encode())
    if charts:
        files |= _charts(scored, model_name, Path(folder), moment)
    return files


def _documents(scored: ScoredResults) -> dict[str, float | int | None]:
    return {line.id: line.scores.get(ACCURACY) for line in scored.report.lines}


def _table(
    results: Sequence[Mapping[str, object]], scored: ScoredResults
) -> tuple[list[str], Iterator[list[str | float | int | None]]]:
    """Return the head and the rows of the extraction table: fields, then what they came to."""
    fields = [*dict.fromkeys(name for result in results for name in _data(result))]
    beside = ("overall_accuracy", "fields_matched", "total_fields", "processing_time", "model")
    lines = {line.id: line.scores for line in scored.report.lines}

    def row(result: Mapping[str, object]) -> list[str | float | int | None]:
        name = str(result["image_name"])
        scores = lines.get(name, {})
        cells: list[str | float | int | None] = [
            str(_data(result).get(field, NOT_FOUND)) for field in fields
        ]
        seconds = result.get("processing_time")
        return [
            stem(name),
            *cells,
            *(scores.get(f"fields.{readout}") for readout in beside[:3]),
            seconds if isinstance(seconds, int | float) else None,
            str(result.get("model", "")),
        ]

    return ["image_name", *fields, *beside], map(row, results)


def _data(result: Mapping[str, object]) -> Mapping[str, object]:
    data = result.get("extracted_data")
    return data if isinstance(data, Mapping) else {}


def _charts(scored: ScoredResults, model_name: str, folder: Path, now: datetime) -> dict[str, Path]:
    files = {}
    for picture in pictures(scored.report):
        name = CHARTS.get(picture.name)
        if name is None:
            continue
        file = folder / file_named(None, model_name, name, ".png", now)
        with new_figure() as figure, writing(folder):
            put_drawing(figure, picture.drawing)
            save(figure, file.with_suffix(""))
        files[name] = file
    return files
