"""Which fields count for which document: the guide's configuration, its loader, its evaluator.

The lists come from a schema: the built-in `business`, or a field_definitions.yaml of one's own.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from datetime import datetime
from os import PathLike, fspath
from pathlib import Path

import yaml

from docassay.compat.evaluation_metrics.scores import SCHEMA, calculate_field_accuracy, schema_named
from docassay.errors import DataError
from docassay.load.files import read_bytes
from docassay.load.wire import to_text
from docassay.metrics.fields.levels import share
from docassay.metrics.metric import METRICS
from docassay.model.schema import DocumentType, Schema
from docassay.schema.source import load_schema

NOT_FOUND = "NOT_FOUND"
_OPTIONS = METRICS.get("fields").options
DEPLOYMENT_READY_THRESHOLD = share(_OPTIONS, "deployment_ready")
PILOT_READY_THRESHOLD = share(_OPTIONS, "pilot_ready")
NEEDS_OPTIMIZATION_THRESHOLD = share(_OPTIONS, "needs_optimization")
EXCELLENT_FIELD_THRESHOLD = share(_OPTIONS, "excellent_field")
GOOD_FIELD_THRESHOLD = share(_OPTIONS, "good_field")
POOR_FIELD_THRESHOLD = share(_OPTIONS, "poor_field")
DEFAULT_TYPE = "invoice"
DEFINITIONS = "config/field_definitions.yaml"
CRITICAL = ("BUSINESS_ABN", "GST_AMOUNT", "TOTAL_AMOUNT")
"""Fields that a document is not right without, where a file names no others."""
CORRECT = 0.8
"""The accuracy from which the guide's evaluator calls a field correct."""


def get_document_type_fields(document_type: str, *, schema: str = SCHEMA) -> list[str]:
    """Return the fields that are evaluated of a document type; an unknown one is an invoice."""
    business = schema_named(schema)
    kind = _type(business, document_type)
    if kind is None:
        warnings.warn(
            f"document type {document_type!r} is not known; it is taken as {DEFAULT_TYPE}",
            stacklevel=2,
        )
        kind = _type(business, DEFAULT_TYPE) or DocumentType("")
    return filter_evaluation_fields(kind.fields, schema=schema)


def filter_evaluation_fields(fields: Iterable[str], *, schema: str = SCHEMA) -> list[str]:
    """Return the fields without those that serve consistency checks only."""
    aside = {name for kind in schema_named(schema).types for name in kind.unscored}
    return [field for field in fields if field not in aside]


def _type(schema: Schema, name: str) -> DocumentType | None:
    wanted = " ".join(name.lower().replace("_", " ").split())
    for kind in schema.types:
        names = (kind.name.replace("_", " "), *kind.aliases)
        if wanted in {other.lower() for other in names}:
            return kind
    return None


class SimpleFieldLoader:
    """What a field_definitions.yaml says; without the file, what the built-in schema does."""

    def __init__(self, config_file: str | PathLike[str] | None = DEFINITIONS) -> None:
        self.config_file = DEFINITIONS if config_file is None else fspath(config_file)
        self.config_path = Path(self.config_file)
        # only the default may be missing: a file that was named is meant
        self._given = self.config_path.exists() or self.config_file != DEFINITIONS
        self._content: Mapping[str, object] | None = None

    @property
    def schema(self) -> Schema:
        """The schema that the file describes."""
        return load_schema(self.config_path) if self._given else schema_named(SCHEMA)

    def get_document_fields(self, document_type: str) -> list[str]:
        """Return the fields of a document type, those for consistency checks included."""
        schema = self.schema
        kind = _type(schema, document_type) or _type(schema, DEFAULT_TYPE) or DocumentType("")
        return [*kind.fields, *(field for field in kind.unscored if field not in kind.fields)]

    def get_supported_document_types(self) -> list[str]:
        """Return the names of the document types."""
        return [kind.name for kind in self.schema.types]

    def get_field_description(self, field_name: str) -> str:
        """Return what a field is in words, "" where nobody says."""
        described = self._part("field_descriptions").get(field_name)
        return "" if described is None else str(described)

    def get_critical_fields(self) -> list[str]:
        """Return the fields that a document is not right without."""
        given = _mapping(self._part("evaluation")).get("critical_fields")
        return [str(name) for name in given] if isinstance(given, list) else [*CRITICAL]

    def get_field_types(self) -> dict[str, list[str]]:
        """Return the fields by type, as the schema reads them."""
        schema = self.schema
        columns = {
            path: column for group in schema.groups for path, column in group.columns.items()
        }
        fields = [*schema.fields, *(field for group in schema.groups for field in group.fields)]
        types: dict[str, list[str]] = {}
        for field in fields:
            name = columns.get(field.path, field.path)
            names = types.setdefault(field.type, [])
            names += [] if name in names else [name]
        return types

    def _part(self, name: str) -> Mapping[str, object]:
        if self._content is None:
            self._content = self._read() if self._given else {}
        return _mapping(self._content.get(name))

    def _read(self) -> Mapping[str, object]:
        text = to_text(read_bytes(self.config_path)).text
        try:
            return _mapping(yaml.safe_load(text))
        except yaml.YAMLError as error:
            what = str(error).split("\n")[0]
            raise DataError(f"is no YAML: {what}", where=str(self.config_path)) from None


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


class StandaloneEvaluator:
    """Evaluates one document at a time, by the fields of its type."""

    def __init__(self, *, schema: str = SCHEMA, loader: SimpleFieldLoader | None = None) -> None:
        self.schema = schema
        self.critical_fields = (loader or SimpleFieldLoader(DEFINITIONS)).get_critical_fields()

    def evaluate_extraction(
        self,
        extracted_data: Mapping[str, object],
        ground_truth: Mapping[str, object],
        document_type: str,
        *,
        now: datetime | None = None,
    ) -> dict[str, object]:
        """Return the accuracy of each field of the document's type, and what they come to."""
        fields = get_document_type_fields(document_type, schema=self.schema)
        scores = {
            field: self._field(field, extracted_data.get(field), ground_truth.get(field))
            for field in fields
        }
        accuracies = {field: float(str(score["accuracy"])) for field, score in scores.items()}
        mean = sum(accuracies.values()) / len(accuracies) if accuracies else 0.0
        critical = [field for field in self.critical_fields if field in accuracies]
        kind = _type(schema_named(self.schema), document_type)
        return {
            "document_type": DEFAULT_TYPE if kind is None else kind.name,
            "timestamp": (now or datetime.now()).isoformat(),
            "field_scores": scores,
            "overall_metrics": {
                "overall_accuracy": mean,
                "total_fields_evaluated": len(accuracies),
                "fields_matched": sum(value > 0 for value in accuracies.values()),
                "fields_correct": sum(value >= CORRECT for value in accuracies.values()),
                "fields_perfect": sum(value == 1 for value in accuracies.values()),
                "critical_fields_perfect": all(accuracies[field] == 1 for field in critical),
                "meets_threshold": mean >= PILOT_READY_THRESHOLD,
                "document_type_threshold": PILOT_READY_THRESHOLD,
            },
        }

    def _field(self, name: str, extracted: object, truth: object) -> dict[str, object]:
        pred = NOT_FOUND if extracted is None else extracted
        gold = NOT_FOUND if truth is None else truth
        accuracy = calculate_field_accuracy(pred, gold, name, schema=self.schema)
        return {
            "accuracy": accuracy,
            "match_type": _match_type(pred, gold, accuracy),
            "status": "MATCH" if accuracy > 0 else "MISS",
            "is_critical": name in self.critical_fields,
            "extracted_value": pred,
            "ground_truth_value": gold,
        }


def _match_type(pred: object, gold: object, accuracy: float) -> str:
    if gold == NOT_FOUND:
        return "correct_not_found" if pred == NOT_FOUND else "false_positive"
    if pred == NOT_FOUND:
        return "false_negative"
    if accuracy == 1:
        return "exact"
    return "fuzzy" if accuracy > 0 else "mismatch"
