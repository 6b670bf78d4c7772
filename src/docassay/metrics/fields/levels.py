"""Levels: what scores come to by the thresholds in the options of `fields`, and whose they are.

Levels, rankings and charts follow the score that the run's headline begins with: `kieval.aligned`,
and the accuracy of `fields` only where that is not measured.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from heapq import nsmallest
from typing import NamedTuple

from docassay.metrics.fields.readouts import (
    DOCUMENTS,
    FIELD_LEVELS,
    FIELDS,
    READINESS,
    accuracies_of,
    categories_of,
)
from docassay.metrics.metric import METRICS, DocumentFacts, OwnScore, View
from docassay.model.chart import LEVELS, POOR, Threshold
from docassay.model.report import Score
from docassay.model.stats import PARTS, Counts, Stats, parts_table, ratio, text_table

FULLY_CORRECT = "fully correct"
HEADLINE = "kieval"
"""The metric whose score a headline begins with."""
Options = Mapping[str, object]


def share(options: Options, name: str) -> float:
    """Return an option that is a share."""
    value = options[name]
    assert isinstance(value, float), "the metric has checked its options"
    return value


def thresholds(options: Options) -> tuple[Threshold, ...]:
    """Return the bounds of readiness, highest first."""
    return tuple(Threshold(name, share(options, name)) for name in READINESS)


def field_thresholds(options: Options) -> tuple[Threshold, ...]:
    """Return the bounds between the levels of fields, highest first."""
    return tuple(Threshold(name, share(options, name)) for name in FIELD_LEVELS)


def drawn_thresholds(options: Options) -> tuple[Threshold, ...]:
    """Return the bounds between the levels of fields under the names that charts show."""
    names = ("excellent", "good", "poor below")
    bounds = field_thresholds(options)
    return tuple(Threshold(name, bound.least) for name, bound in zip(names, bounds, strict=True))


def field_level(accuracy: float, options: Options) -> str:
    """Return the level of a field: what is neither good nor poor is fair."""
    levels = zip(LEVELS, field_thresholds(options), strict=False)
    return next((level for level, bound in levels if accuracy >= bound.least), POOR)


def document_levels(documents: Iterable[LeadDocument], options: Options) -> dict[str, int]:
    """Return how many documents reach which bound, those that are fully correct apart."""
    bounds = thresholds(options)
    below = f"below {bounds[-1].least:.2f}"
    levels = dict.fromkeys((FULLY_CORRECT, *map(_label, bounds), below), 0)
    for document in documents:
        reached = (_label(bound) for bound in bounds if document.score >= bound.least)
        levels[FULLY_CORRECT if document.exact else next(reached, below)] += 1
    return levels


def _label(bound: Threshold) -> str:
    return f"{bound.name} (≥ {bound.least:.2f})"


def readiness(accuracy: float, options: Options) -> str:
    """Return a clause that says between which bounds an accuracy lies."""
    bounds = thresholds(options)
    missed = [bound for bound in bounds if accuracy < bound.least]
    reached = [bound for bound in bounds if accuracy >= bound.least]
    parts = []
    if missed:
        parts.append(f"below {missed[-1].name} ({missed[-1].least:.2f})")
    if reached:
        parts.append(f"at least {reached[0].name} ({reached[0].least:.2f})")
    return " and ".join(parts)


class LeadDocument(NamedTuple):
    """A document that has a score."""

    id: str
    type: str
    score: float
    exact: bool
    fields: Mapping[str, float | None]


class Lead(NamedTuple):
    """The score that levels, rankings and charts follow."""

    word: str
    unit: str
    """What a field's n counts."""
    overall: Score
    exact: Score
    """How many documents are fully correct."""
    fields: tuple[Score, ...]
    """Its values by field, weakest first."""
    by_category: Callable[[], tuple[Score, ...]]
    by_type: Callable[[], tuple[Score, ...]]
    documents: Callable[[], Iterator[LeadDocument]]
    scores: Callable[[], Iterator[OwnScore]]
    """Of documents, without their fields."""

    def weakest(self, most: int) -> list[LeadDocument]:
        """Return so many documents at most, worst first, without their fields."""
        scored = (
            LeadDocument(own.id, own.type, own.score, bool(own.exact), {})
            for own in self.scores()
            if own.score is not None
        )
        return nsmallest(most, scored, key=lambda document: (document.score, document.id))

    def worst(self, most: int) -> list[LeadDocument]:
        """Return so many documents at most, worst first; the others are not held."""
        return nsmallest(most, self.documents(), key=lambda document: (document.score, document.id))


def lead(view: View) -> Lead:
    """Return the score that a run follows: aligned, or where nobody measures it, accuracy."""
    leading = view.others.get(HEADLINE)
    if leading is None:
        scores = view.overall()
        return Lead(
            "accuracy",
            "documents",
            scores["overall_accuracy"],
            scores["perfect_documents"],
            _weakest(view.by_key("accuracy").values()),
            lambda: _weakest(view.by_key("category_accuracy").values()),
            lambda: _weakest(view.by_key("type_accuracy").values()),
            lambda: _documents(view, documents),
            lambda: view.document_scores(documents),
        )
    scores = leading.overall()
    explain = METRICS.get(HEADLINE).documents
    assert explain is not None, "it says what is known of a document"
    return Lead(
        "aligned",
        "values",
        scores["aligned"],
        scores["documents_exact"],
        _weakest(leading.by_key("aligned").values()),
        lambda: _by_category(leading),
        lambda: _by_type(leading),
        lambda: _documents(leading, explain),
        lambda: leading.document_scores(explain),
    )


def _weakest(scores: Iterable[Score]) -> tuple[Score, ...]:
    """Return scores weakest first, those without a value last."""
    return tuple(
        sorted(
            scores,
            key=lambda score: (score.value is None, score.value or 0, -score.support, score.key),
        )
    )


def _documents(view: View, explain: Callable[[Stats], DocumentFacts]) -> Iterator[LeadDocument]:
    for row in view.rows():
        facts = explain(row.stats)
        if facts.score is not None:
            fields = dict(facts.fields)
            yield LeadDocument(row.id, row.type, facts.score, bool(facts.exact), fields)


def _by_category(leading: View) -> tuple[Score, ...]:
    right = leading.by_key("tp")
    counts: dict[str, Counts] = {
        path: (int(right[path].value or 0), score.support)
        for path, score in leading.by_key("aligned").items()
    }
    categories = categories_of(counts, leading.context.schema)
    return _weakest(_share(*item) for item in categories.items())


def _by_type(leading: View) -> tuple[Score, ...]:
    schema = leading.context.schema
    if schema is None or not schema.types:
        return ()
    counts: dict[str, Counts] = {}
    for row in leading.rows():
        right, values = counts.get(row.type or NO_TYPE, (0, 0))
        tallies = text_table(row.stats, "fields").values()
        counts[row.type or NO_TYPE] = (
            right + sum(tally[0] for tally in tallies),
            values + sum(sum(tally[:4]) for tally in tallies),
        )
    return _weakest(_share(*item) for item in counts.items())


NO_TYPE = "(none)"


def _share(key: str, counts: Counts) -> Score:
    right, values = counts
    return Score(HEADLINE, "aligned", key, "", ratio(right, values), values)


_ACCURACY, _SCORED = FIELDS.index("accuracy"), FIELDS.index("scored")
_DOCUMENT = {name: DOCUMENTS.index(name) for name in ("accuracy", "scored", "perfect")}


def documents(stats: Stats) -> DocumentFacts:
    """Return the accuracy of a document and of its fields, and the type that pred states."""
    pair = next(iter(parts_table(stats, "confusion")), ("", ""))
    counts = text_table(stats, "documents")[""]
    scored = counts[_DOCUMENT["scored"]]
    return DocumentFacts(
        accuracies_of(text_table(stats, "fields")),
        pair[-1],
        counts[_DOCUMENT["accuracy"]] / PARTS if scored else None,
        bool(counts[_DOCUMENT["perfect"]]) if scored else None,
        place=20,
    )
