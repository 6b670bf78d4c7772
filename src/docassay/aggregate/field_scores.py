"""What the metric `fields` says of single documents."""

from __future__ import annotations

from collections.abc import Iterable

from docassay.metrics.fields_readouts import ARROW, DOCUMENTS, FIELDS
from docassay.model.stats import PARTS, Stats, ratio
from docassay.scoring import Row

_ACCURACY, _SCORED = FIELDS.index("accuracy"), FIELDS.index("scored")
_DOCUMENT_ACCURACY, _DOCUMENT_SCORED = DOCUMENTS.index("accuracy"), DOCUMENTS.index("scored")


def field_scores(stats: Stats) -> dict[str, float | None]:
    """Return the accuracy of each field of a document, None for one that was not scored."""
    table = stats.get("fields", {})
    return {
        path: ratio(counts[_ACCURACY], counts[_SCORED] * PARTS) for path, counts in table.items()
    }


def accuracies(rows: Iterable[Row]) -> dict[str, float]:
    """Return the accuracy of each document that has one, by id."""
    found: dict[str, float] = {}
    for row in rows:
        counts = row.stats.get("fields", {}).get("documents", {}).get("", ())
        if counts and counts[_DOCUMENT_SCORED]:
            found[row.id] = counts[_DOCUMENT_ACCURACY] / PARTS
    return found


def predicted_type(stats: Stats) -> str:
    """Return the document type that pred states, "" when the schema has no types."""
    pair = next(iter(stats.get("confusion", {})), "")
    return pair.rpartition(ARROW)[2]
