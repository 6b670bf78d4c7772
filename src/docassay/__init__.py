"""Tells how good a document extraction is, and what it would cost to put right."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from docassay.version import VERSION

if TYPE_CHECKING:
    from docassay.api.bench import prepare_benchmark
    from docassay.api.decide import (
        compare,
        gate,
        power,
        runs,
        sensitivity,
        tabulate,
        tag_run,
        thresholds,
        trend,
        verify,
    )
    from docassay.api.extract import build_prompt, extract_and_score, extract_documents
    from docassay.api.gold import apply_gold_patch, audit
    from docassay.api.score import Report, Scorer, explain, score
    from docassay.api.view import view
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
    "apply_gold_patch": "docassay.api.gold",
    "audit": "docassay.api.gold",
    "build_prompt": "docassay.api.extract",
    "compare": "docassay.api.decide",
    "explain": "docassay.api.score",
    "extract_and_score": "docassay.api.extract",
    "extract_documents": "docassay.api.extract",
    "gate": "docassay.api.decide",
    "load_schema": "docassay.schema.source",
    "parse_response": "docassay.load.response.answer",
    "power": "docassay.api.decide",
    "prepare_benchmark": "docassay.api.bench",
    "runs": "docassay.api.decide",
    "score": "docassay.api.score",
    "sensitivity": "docassay.api.decide",
    "similarity": "docassay.values.similarity",
    "tabulate": "docassay.api.decide",
    "tag_run": "docassay.api.decide",
    "thresholds": "docassay.api.decide",
    "trend": "docassay.api.decide",
    "verify": "docassay.api.decide",
    "view": "docassay.api.view",
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
    "apply_gold_patch",
    "audit",
    "build_prompt",
    "compare",
    "explain",
    "extract_and_score",
    "extract_documents",
    "gate",
    "load_schema",
    "parse_response",
    "power",
    "prepare_benchmark",
    "runs",
    "score",
    "sensitivity",
    "similarity",
    "tabulate",
    "tag_run",
    "thresholds",
    "trend",
    "verify",
    "view",
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
