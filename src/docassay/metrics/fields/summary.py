"""The report of `fields` as the summary that evaluation scripts of extraction teams write."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypedDict

from docassay.model.report import Score
from docassay.model.schema import Schema
from docassay.model.stats import mean

MOST_FIELDS = 5
DIGITS = 9
"""Scores are kept in parts per billion, so further digits of a sum say nothing."""


class FieldAccuracy(TypedDict):
    """How a field did: its mean score, the sum of its scores and the documents behind them."""

    accuracy: float | None
    correct: float
    total: int


class SummaryStats(TypedDict):
    """The fields at either end, and the mean over fields."""

    best_fields: list[tuple[str, FieldAccuracy]]
    worst_fields: list[tuple[str, FieldAccuracy]]
    avg_field_accuracy: float | None


class Summary(TypedDict):
    """A run in the words of the methodology: documents are images, scores sum to correct."""

    overall_accuracy: float | None
    overall_correct: float
    overall_total: int
    field_accuracies: dict[str, FieldAccuracy]
    images_evaluated: int
    best_performing_image: str | None
    best_performance_accuracy: float | None
    worst_performing_image: str | None
    worst_performance_accuracy: float | None
    perfect_documents: int
    summary_stats: SummaryStats


def summary(
    scores: Sequence[Score], accuracies: Iterable[tuple[str, float]], schema: Schema | None
) -> Summary:
    """Return the summary of the scores of `fields` and of the accuracies of documents by id."""
    overall = {score.readout: score for score in scores if not score.key}
    accuracy, pooled = overall["overall_accuracy"], overall["pooled_accuracy"]
    fields = _fields(scores, column_names(schema))
    best, worst = _extremes(accuracies)
    return Summary(
        overall_accuracy=accuracy.value,
        overall_correct=_correct(pooled),
        overall_total=pooled.support,
        field_accuracies=fields,
        images_evaluated=accuracy.support,
        best_performing_image=best.id,
        best_performance_accuracy=best.accuracy,
        worst_performing_image=worst.id,
        worst_performance_accuracy=worst.accuracy,
        perfect_documents=int(overall["perfect_documents"].value or 0),
        summary_stats=SummaryStats(
            best_fields=_ranked(fields, best=True)[:MOST_FIELDS],
            worst_fields=_ranked(fields, best=False)[:MOST_FIELDS],
            avg_field_accuracy=mean(field["accuracy"] for field in fields.values()),
        ),
    )


def column_names(schema: Schema | None) -> dict[str, str]:
    """Return the columns that hold fields of groups, by the path of the field."""
    groups = () if schema is None else schema.groups
    return {path: column for group in groups for path, column in group.columns.items()}


def _fields(scores: Sequence[Score], columns: Mapping[str, str]) -> dict[str, FieldAccuracy]:
    """Return how each field did, under the name of its column if it has one.

    A column that is another field in another document type is one field here.
    """
    by_name: dict[str, list[Score]] = {}
    for score in scores:
        if score.readout == "accuracy":
            by_name.setdefault(columns.get(score.key, score.key), []).append(score)
    return {name: _field(same) for name, same in by_name.items()}


def _field(scores: Sequence[Score]) -> FieldAccuracy:
    total = sum(score.support for score in scores)
    correct = sum(map(_correct, scores))
    accuracy = scores[0].value if len(scores) == 1 else correct / total if total else None
    return FieldAccuracy(accuracy=accuracy, correct=round(correct, DIGITS), total=total)


def _correct(score: Score) -> float:
    return round((score.value or 0.0) * score.support, DIGITS)


def _ranked(fields: dict[str, FieldAccuracy], *, best: bool) -> list[tuple[str, FieldAccuracy]]:
    """Return the fields with an accuracy from one end; of equals the one more often scored."""
    sign = -1 if best else 1
    ranks = [
        (sign * field["accuracy"], -field["total"], name)
        for name, field in fields.items()
        if field["accuracy"] is not None
    ]
    return [(name, fields[name]) for _, _, name in sorted(ranks)]


class _Document(NamedTuple):
    """A document with its accuracy, None where no document has any."""

    id: str | None = None
    accuracy: float | None = None


def _extremes(accuracies: Iterable[tuple[str, float]]) -> tuple[_Document, _Document]:
    """Return the best and the worst document; of equals the one whose id comes first."""
    best = worst = None
    for id, accuracy in accuracies:
        best = min(best or (-accuracy, id), (-accuracy, id))
        worst = min(worst or (accuracy, id), (accuracy, id))
    if best is None or worst is None:
        return _Document(), _Document()
    return _Document(best[1], -best[0]), _Document(worst[1], worst[0])
