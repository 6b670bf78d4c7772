"""Tells how good a document extraction is, and what it would cost to put right."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from docassay import version

if TYPE_CHECKING:
    from docassay.api import Scorer, score
    from docassay.automation import thresholds
    from docassay.errors import (
        ConfigurationError,
        DataError,
        DocassayError,
        FileError,
        SchemaError,
        UnknownName,
    )
    from docassay.likeness import Similarity, similarity
    from docassay.model.report import Report, Score
    from docassay.parse import Response, parse_response
    from docassay.schema import load_schema

_HOMES = {
    "ConfigurationError": "docassay.errors",
    "DataError": "docassay.errors",
    "DocassayError": "docassay.errors",
    "FileError": "docassay.errors",
    "Report": "docassay.model.report",
    "Response": "docassay.parse",
    "SchemaError": "docassay.errors",
    "Score": "docassay.model.report",
    "Scorer": "docassay.api",
    "Similarity": "docassay.likeness",
    "UnknownName": "docassay.errors",
    "load_schema": "docassay.schema",
    "parse_response": "docassay.parse",
    "score": "docassay.api",
    "similarity": "docassay.likeness",
    "thresholds": "docassay.automation",
}

__version__ = version.VERSION

__all__ = [
    "ConfigurationError",
    "DataError",
    "DocassayError",
    "FileError",
    "Report",
    "Response",
    "SchemaError",
    "Score",
    "Scorer",
    "Similarity",
    "UnknownName",
    "__version__",
    "load_schema",
    "parse_response",
    "score",
    "similarity",
    "thresholds",
]


def __getattr__(name: str) -> object:
    """Import a public name when it is first asked for, so that starting stays fast."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'docassay' has no attribute {name!r}")
    found = getattr(import_module(home), name)
    globals()[name] = found  # over a module of the same name, such as docassay.score
    return found
