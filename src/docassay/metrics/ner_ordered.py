"""Parts of `ner` that keep the reading order: whole texts, entity sequences, Nerval, words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from rapidfuzz.distance import Levenshtein

from docassay.align.nerval import offers, text_of
from docassay.align.sequence import Weights, best_in_order
from docassay.metrics.ner_pairs import Comparison, Rows, edit_costs, matched
from docassay.model.stats import PARTS, Counts
from docassay.model.tagged import Block

NEAR = 8
"""One character in so many is expected to be wrong."""


def texts(both: Comparison, _: tuple[int, ...]) -> Rows:
    """Return edits and lengths of whole texts, in characters and in words."""
    rows = {"": _text_row(*both.blocks, both)}
    for category, gold, pred in both.named():
        rows[category] = _text_row(gold, pred, both)
    return rows


def _text_row(gold: Sequence[Block], pred: Sequence[Block], both: Comparison) -> Counts:
    ours, theirs = text_of(gold), text_of(pred)
    if ours == theirs:
        return (0, len(ours), 0, len(ours.split()))
    words = both.words.of(ours)
    edits = Levenshtein.distance(words, both.words.of(theirs))
    # the hint changes no number: near texts are settled in a narrow band
    hint = len(ours) // NEAR
    return (Levenshtein.distance(ours, theirs, score_hint=hint), len(ours), edits, len(words))


def in_order(both: Comparison, _: tuple[int, ...]) -> Rows:
    """Return gold entities and what it costs to edit pred's sequence of entities into gold's."""

    def saved(category: str, start: int, stop: int) -> Weights:
        return 2 * PARTS - both.costs(category)[:, start:stop]

    gold, pred = both.entities
    best = best_in_order(
        [one.category or "" for one in gold],
        [one.category or "" for one in pred],
        saved,
        layers=2,
        other=PARTS,
    )
    rows = {"": _edited(len(gold), len(pred), best[None])}
    for category, ours, theirs in both.named():
        rows[category] = _edited(len(ours), len(theirs), best.get(category, [0, 0]))
    return rows


def _edited(gold: int, pred: int, saved: Sequence[int]) -> Counts:
    return (gold, *((gold + pred) * PARTS - one for one in saved))


def matches_in_order(both: Comparison, thresholds: tuple[int, ...]) -> Rows:
    """Return gold, pred and, for each threshold, matching entities of the text alignment."""
    rates: dict[str, list[float]] = {}
    for gold, pred in offers(*both.blocks):
        # unlike the cost of a pair this rate may exceed 1, and then matches at no threshold
        rate = min(
            Levenshtein.distance(text, pred.text) * PARTS / len(text)
            for text in (gold.text, *gold.others)
        )
        rates.setdefault(gold.category or "", []).append(rate)
    counts = {
        category: [sum(round(rate) <= limit for rate in found) for limit in thresholds]
        for category, found in rates.items()
    }
    return matched(both, counts, len(thresholds))


def words_in_order(both: Comparison, _: tuple[int, ...]) -> Rows:
    """Return gold words of entities and what those paired in order have right of them."""
    sides = [
        [(one.category or "", word) for one in side for word in one.text.split()]
        for side in both.entities
    ]
    words: list[dict[str, list[str]]] = [{}, {}]
    for side, found in zip(sides, words, strict=True):
        for category, word in side:
            found.setdefault(category, []).append(word)

    def right(category: str, start: int, stop: int) -> Weights:
        gold, pred = words[0][category][start:stop], words[1][category]
        costs = np.empty((1, len(gold), len(pred)), dtype=np.int32)
        edit_costs(gold, pred, costs[0])
        return np.subtract(PARTS, costs, out=costs)

    best = best_in_order(
        [category for category, _ in sides[0]],
        [category for category, _ in sides[1]],
        right,
        layers=1,
        other=0,
    )
    rows: Rows = {"": (len(sides[0]), best[None][0])}
    for category, _gold, _pred in both.named():
        rows[category] = (len(words[0].get(category, ())), best.get(category, [0])[0])
    return rows
