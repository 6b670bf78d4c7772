"""Whole documents: reading ground truth and responses, and the documented evaluations of them."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from os import PathLike, fspath

from docassay.api import score
from docassay.compat.evaluation_metrics.scores import SCHEMA, method_named, schema_named
from docassay.errors import ConfigurationError, DataError
from docassay.likeness import leaf_text
from docassay.load.pairs import stem
from docassay.load.source import open_records
from docassay.model.document import SEPARATOR, Problem
from docassay.model.report import Report
from docassay.parse import parse_response
from docassay.report.summary import Summary, summary

NOT_FOUND = "NOT_FOUND"
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
        known = self._by_stem.get(stem(name))
        if known is None:
            raise KeyError(name)
        return self[known]

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
    found = {name: _text(value) for name, value in parse_response(response).tree.items()}
    return {**dict.fromkeys(expected_fields, NOT_FOUND), **found}


def _text(value: object) -> object:
    items = value if isinstance(value, list) else [value]
    if any(isinstance(item, list | Mapping) for item in items):
        return value
    return SEPARATOR.join(leaf_text(item) or NOT_FOUND for item in items)


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
    known = GroundTruth(ground_truth_map)
    golds: list[tuple[str, object]] = []
    preds: list[tuple[str, object]] = []
    strangers: list[str] = []
    for number, result in enumerate(extraction_results, start=1):
        name = _name(result, number)
        gold = known.get(name)
        if gold is None:
            strangers.append(name)
            continue
        golds.append((name, gold))
        preds.append((name, result.get("extracted_data") or {}))
    if not golds:
        raise DataError(
            "no extraction result has ground truth",
            hint=f"results are {_listed(strangers)}; ground truth is {_listed(known)}",
        )
    report = score(
        golds,
        preds,
        schema=schema_named(schema),
        metrics=["fields"],
        settings={"fields.method": method_named(method)},
    )
    found = summary(_seen(report))
    assert found is not None, "fields was measured"
    problems = [
        ": ".join(filter(None, (one.document, one.field, one.message))) for one in report.problems
    ]
    return Evaluation(**found, images_without_ground_truth=strangers, problems=problems)


def _name(result: Mapping[str, object], number: int) -> str:
    for key in NAMES:
        if result.get(key):
            return str(result[key])
    raise DataError("has no image_name", where=f"extraction result {number}")


def _listed(names: Iterable[str]) -> str:
    shown = sorted(names)
    return ", ".join(shown[:3]) + (", ..." if shown[3:] else "") if shown else "none"


def _seen(report: Report) -> Report:
    """Return the report without the fields that no document has, which are not documented."""
    scores = (one for one in report.scores if one.readout != "accuracy" or one.value is not None)
    return replace(report, scores=tuple(scores))
