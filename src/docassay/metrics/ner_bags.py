"""Parts of `ner` that count bags: words and entities as multisets, in no order at all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from docassay.metrics.ner_pairs import Comparison, Rows
from docassay.model.stats import Counts
from docassay.model.tagged import Block


def tagged_words(both: Comparison, _: tuple[int, ...]) -> Rows:
    """Return the bag of words of entities, each with its category."""
    return _bags(both, lambda entities: [word for one in entities for word in one.text.split()])


def whole_entities(both: Comparison, _: tuple[int, ...]) -> Rows:
    """Return the bag of entities, each with its category."""
    return _bags(both, lambda entities: [one.text for one in entities])


def entity_words(both: Comparison, _: tuple[int, ...]) -> Rows:
    """Return the bag of words of entities, categories dropped."""
    # within a category, dropping it changes nothing
    rows = tagged_words(both, ())
    gold, pred = ([w for one in side for w in one.text.split()] for side in both.entities)
    return {**rows, "": _bag(gold, pred)}


def _bags(both: Comparison, items: Callable[[list[Block]], list[str]]) -> Rows:
    rows = {
        category: _bag(items(gold), items(pred))
        for category, (gold, pred) in both.by_category.items()
    }
    size, other, equal = (sum(row[i] for row in rows.values()) for i in range(3))
    rows[""] = _bag_row(size, other, equal)
    return rows


def _bag(gold: list[str], pred: list[str]) -> Counts:
    common = Counter(gold)
    left = Counter(pred)
    equal = sum(min(count, left[one]) for one, count in common.items() if one in left)
    return _bag_row(len(gold), len(pred), equal)


def _bag_row(gold: int, pred: int, equal: int) -> Counts:
    return (gold, pred, equal, max(gold, pred) - equal)
