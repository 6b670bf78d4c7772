"""The statistics of `ner`: what two sequences of blocks have in common, as whole numbers that add.

Each part is a function from a comparison to a table with a row for the document (key "") and one
for each category. A part that aligns, and would take too long on a document, leaves it out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from docassay.metrics.ner_bags import entity_words, tagged_words, whole_entities
from docassay.metrics.ner_free import in_any_order, matches_in_any_order
from docassay.metrics.ner_ordered import in_order, matches_in_order, texts, words_in_order
from docassay.metrics.ner_pairs import Comparison, Rows
from docassay.model.stats import Stats
from docassay.model.tagged import Block

NER_PARTS: Mapping[str, Callable[[Comparison, tuple[int, ...]], Rows]] = {
    "cer": texts,
    "ecer": in_order,
    "oiecer": in_any_order,
    "nerval": matches_in_order,
    "oinerval": matches_in_any_order,
    "bt": tagged_words,
    "be": whole_entities,
    "bow": entity_words,
    "iehhr": words_in_order,
}
WHOLE_TEXT = frozenset({"cer", "nerval", "iehhr"})
"""Parts that align all characters or words of a document."""
PAIRWISE = frozenset({"ecer", "oiecer", "oinerval"})
"""Parts that compare every two entities of a category."""


class Settings(NamedTuple):
    """What shapes the statistics."""

    thresholds: tuple[int, ...]
    """The character error rates, in parts per billion, up to which two entities match."""
    parts: tuple[str, ...]
    max_chars: int
    max_pairs: int


def statistics(gold: Sequence[Block], pred: Sequence[Block], settings: Settings) -> Stats:
    """Return the statistics of one document, a table for each part and one that counts it."""
    both = Comparison(gold, pred)
    too_long = _too_long(both, settings)
    kept = [name for name in settings.parts if name not in too_long]
    stats = {name: NER_PARTS[name](both, settings.thresholds) for name in kept}
    stats["documents"] = {"": (1, int(len(kept) < len(settings.parts)))}
    return stats


def _too_long(both: Comparison, settings: Settings) -> frozenset[str]:
    """Return the parts that would take too long."""
    sizes = [_length(side) + len(side) - 1 for side in both.blocks]
    sides = both.by_category.values()
    counts = [len(side) for side in both.blocks]
    if max(sizes) <= settings.max_chars and counts[0] * counts[1] <= settings.max_pairs:
        return frozenset()
    pairs = sum(len(gold) * len(pred) for gold, pred in sides)
    names: frozenset[str] = frozenset()
    if max(sizes) > settings.max_chars:
        names |= WHOLE_TEXT
        if sum(_length(gold) * _length(pred) for gold, pred in sides) > settings.max_chars**2:
            names |= PAIRWISE
    return names | PAIRWISE if pairs > settings.max_pairs else names


def _length(blocks: Sequence[Block]) -> int:
    return sum([len(one.text) for one in blocks])
