"""Schemas in and out: from YAML, JSON Schema, Pydantic or examples, and back to editable YAML."""

from docassay.schema.infer import Inferred, infer, infer_with_notes
from docassay.schema.source import check_schema, load_schema
from docassay.schema.write import describe, to_plain, to_yaml

__all__ = [
    "Inferred",
    "check_schema",
    "describe",
    "infer",
    "infer_with_notes",
    "load_schema",
    "to_plain",
    "to_yaml",
]
