"""Tells how good a document extraction is, and what it would cost to put right."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from docassay.version import VERSION

if TYPE_CHECKING:
    from docassay.api.decide import thresholds
    from docassay.api.score import Report, Scorer, explain, score
    from docassay.errors import (
        ConfigurationError,
        DataError,
        DocassayError,
        FileError,
        RequirementError,
        SchemaError,
        UnknownName,
    )
    from docassay.load.response.answer import Response, parse_response
    from docassay.model.report import Score
    from docassay.schema.source import load_schema
    from docassay.values.similarity import Similarity, similarity

_HOMES = {
    "ConfigurationError": "docassay.errors",
    "DataError": "docassay.errors",
    "DocassayError": "docassay.errors",
    "FileError": "docassay.errors",
    "Report": "docassay.api.score",
    "RequirementError": "docassay.errors",
    "Response": "docassay.load.response.answer",
    "SchemaError": "docassay.errors",
    "Score": "docassay.model.report",
    "Scorer": "docassay.api.score",
    "Similarity": "docassay.values.similarity",
    "UnknownName": "docassay.errors",
    "explain": "docassay.api.score",
    "load_schema": "docassay.schema.source",
    "parse_response": "docassay.load.response.answer",
    "score": "docassay.api.score",
    "similarity": "docassay.values.similarity",
    "thresholds": "docassay.api.decide",
}

__version__ = VERSION

__all__ = [
    "ConfigurationError",
    "DataError",
    "DocassayError",
    "FileError",
    "Report",
    "RequirementError",
    "Response",
    "SchemaError",
    "Score",
    "Scorer",
    "Similarity",
    "UnknownName",
    "__version__",
    "explain",
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
    value = getattr(import_module(home), name)
    globals()[name] = value  # over a module of the same name
    return value


def __dir__() -> list[str]:
    """Return the public names."""
    return __all__
