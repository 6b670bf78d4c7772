"""Whether the columns of a document go together, and the choice of a method by its name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from docassay.api import Scorer
from docassay.compat.evaluation_metrics.scores import (
    SCHEMA,
    calculate_field_accuracy_f1,
    calculate_field_accuracy_f1_position_agnostic,
    calculate_field_accuracy_kieval,
    method_named,
    schema_named,
)
from docassay.errors import ConfigurationError
from docassay.layout import Layout
from docassay.model.report import Report
from docassay.model.schema import Schema
from docassay.model.stats import mean
from docassay.report.summary import column_names

Fields = Mapping[str, object]
ALONE = {
    "f1": calculate_field_accuracy_f1_position_agnostic,
    "kieval_cost": calculate_field_accuracy_kieval,
    "order_aware_f1": calculate_field_accuracy_f1,
}
"""Methods that score one field alone."""


def calculate_field_accuracy_with_method(
    extracted_value: object,
    ground_truth_value: object,
    field_name: str,
    method: str | None = None,
    debug: bool = False,
    extracted_data: Fields | None = None,
    ground_truth_data: Fields | None = None,
    document_type: str | None = None,
    *,
    schema: str = SCHEMA,
) -> dict[str, object]:
    """Return the scores of one field by a method, by default the one that the environment names.

    `correlation` asks whether columns go together: it needs the documents of the values.
    """
    name = method_named(method)
    if name in ALONE:
        return {
            **ALONE[name](extracted_value, ground_truth_value, field_name, debug, schema=schema)
        }
    if extracted_data is None or ground_truth_data is None:
        raise ConfigurationError(
            "correlation compares whole documents", hint="give extracted_data and ground_truth_data"
        )
    return calculate_correlation_aware_f1(
        extracted_data, ground_truth_data, document_type, debug, schema=schema
    )


def calculate_correlation_aware_f1(
    extracted_data: Fields,
    ground_truth_data: Fields,
    document_type: str | None = None,
    debug: bool = False,
    *,
    schema: str = SCHEMA,
) -> dict[str, object]:
    """Return how well the columns of a document are found and go together row by row.

    The ground truth's own DOCUMENT_TYPE decides which fields count, `document_type` where it
    states none.
    """
    known = schema_named(schema)
    gold = dict(ground_truth_data)
    if document_type is not None and Layout(known, None).stated_type(gold) is None:
        known, gold = _typed(known), {**gold, known.type_field: document_type}
    scorer = Scorer(schema=known, metrics=["fields"])
    scorer.add("", gold, dict(extracted_data))
    report = scorer.report()
    names = column_names(report)
    f1s = _keyed(report, "f1")
    rows = {
        # a group's correlation is the mean of the F1 of its columns and of its rows
        group: round(2 * value - (mean(f1s[path] for path in f1s if _inside(path, group)) or 0), 9)
        for group, value in _keyed(report, "correlation_f1").items()
    }
    combined = _or_one(report["fields.correlation_f1"].value)
    found: dict[str, object] = {
        "f1_score": combined,
        "precision": combined,
        "recall": combined,
        "tp": 0,
        "fp": 0,
        "fn": 0,
        "combined_f1": combined,
        "standard_f1": _or_one(report["fields.f1"].value),
        "alignment_score": _or_one(mean(rows.values())),
        "field_f1_scores": {names.get(path, path): value for path, value in f1s.items()},
        "alignment_details": rows,
    }
    if debug:
        print(", ".join(f"{name} {value}" for name, value in found.items()))
    return found


def _keyed(report: Report, readout: str) -> dict[str, float]:
    return {
        one.key: one.value
        for one in report.of("fields")
        if one.key and one.readout == readout and one.value is not None
    }


def _typed(schema: Schema) -> Schema:
    """Return the schema with a document type that is told from outside and so earns nothing."""
    kinds = tuple(replace(one, unscored=(*one.unscored, schema.type_field)) for one in schema.types)
    return replace(schema, types=kinds)


def _inside(path: str, group: str) -> bool:
    return path.rpartition(".")[0] == group


def _or_one(value: float | None) -> float:
    """Return a score, 1 where there is nothing on either side."""
    return 1.0 if value is None else value
