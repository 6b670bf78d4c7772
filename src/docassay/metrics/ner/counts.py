"""The statistics of `ner`: what two sequences of blocks have in common, as whole numbers that add.

Each part is a function from a comparison to a table with a row for the document (key "") and one
for each category. A part that aligns, and would take too long on a document, leaves it out.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

from docassay.metrics.ner.alignment import Weights, best_in_order, offers, row_blocks, text_of
from docassay.model.document import Block
from docassay.model.stats import PARTS, Counts, Stats

CHARACTERS, WORDS = 0, 1
LAST_LETTER = sys.maxunicode
Costs = NDArray[np.int32]
Rows = dict[str, Counts]
"""A row of counts for each category, and for the document under ""."""


class Letters(dict[str, str | int]):
    """A character for each word, given out when first asked for; past the last one, a number."""

    def __missing__(self, word: str) -> str | int:
        number = len(self)
        letter = self[word] = chr(number) if number <= LAST_LETTER else number
        return letter


class Words(dict[str, Sequence[str | int]]):
    """Texts with a character for each word, because texts are compared faster than lists.

    In a list, a character is compared by its number, so that a text and a list can be compared.
    """

    def __init__(self) -> None:
        super().__init__()
        self._letters = Letters()

    def __missing__(self, text: str) -> Sequence[str | int]:
        letters = [self._letters[word] for word in text.split()]
        try:
            words: Sequence[str | int] = "".join(letters)  # type: ignore[arg-type]
        except TypeError:
            words = letters
        self[text] = words
        return words


class TextComparison:
    """The gold and the pred blocks of one document, with the views that readouts share."""

    def __init__(self, gold: Sequence[Block], pred: Sequence[Block]) -> None:
        self.blocks = (gold, pred)
        self.words = Words()
        self._costs: dict[str, Weights] = {}
        self._assigned: dict[tuple[str, int], Costs] = {}

    @cached_property
    def entities(self) -> tuple[list[Block], list[Block]]:
        """The entities of gold and of pred, in order."""
        gold, pred = ([span for span in side if span.category is not None] for side in self.blocks)
        return gold, pred

    @cached_property
    def by_category(self) -> dict[str, tuple[list[Block], list[Block]]]:
        """The entities of gold and of pred by category."""
        groups: dict[str, tuple[list[Block], list[Block]]] = {}
        for side, blocks in enumerate(self.blocks):
            for block in blocks:
                category = block.category
                if category is None:
                    continue
                sides = groups.get(category)
                if sides is None:
                    sides = groups[category] = ([], [])
                sides[side].append(block)
        return groups

    def named(self) -> Iterator[tuple[str, list[Block], list[Block]]]:
        """Yield the categories that have a name to be reported by, with their entities."""
        for category, (gold, pred) in self.by_category.items():
            if category:
                yield category, gold, pred

    def costs(self, category: str) -> Weights:
        """Return the costs of all pairs of a category, by characters and by words."""
        cached = self._costs.get(category)
        if cached is None:
            cached = self._costs[category] = self._compare(*self.by_category[category])
        return cached

    def assigned(self, category: str, layer: int) -> Costs:
        """Return the costs of the pairs, as many as there can be, that cost least together."""
        cached = self._assigned.get((category, layer))
        if cached is None:
            cached = self._assigned[category, layer] = _assign(self.costs(category)[layer])
        return cached

    def _compare(self, gold: Sequence[Block], pred: Sequence[Block]) -> Weights:
        costs = self._least_edits([block.text for block in gold], [block.text for block in pred])
        for row, block in enumerate(gold):
            for other in block.others:
                again = self._least_edits([other], [each.text for each in pred])
                np.minimum(costs[:, row], again[:, 0], out=costs[:, row])
        return costs

    def _least_edits(self, gold: Sequence[str], pred: Sequence[str]) -> Weights:
        words = self.words
        gold_words, pred_words = ([words[text] for text in side] for side in (gold, pred))
        return edit_costs((gold, pred), (gold_words, pred_words))


def edit_costs(*layers: tuple[Sequence[Sequence[Hashable]], Sequence[Sequence[Hashable]]]) -> Costs:
    """Return the edits of every pair divided by gold's length, at most 1, in parts per billion."""
    rows, columns = map(len, layers[0])
    costs = np.empty((len(layers), rows, columns), dtype=np.int32)
    lengths = np.array([[len(text) for text in gold] for gold, _ in layers], dtype=np.float64)
    for start, stop in row_blocks(rows, len(layers) * columns):
        block = np.empty((len(layers), stop - start, columns))
        for edits, (gold, pred) in zip(block, layers, strict=True):
            edits[:] = cdist(gold[start:stop], pred, scorer=Levenshtein.distance)
        block *= PARTS
        block /= lengths[:, start:stop, None]
        np.rint(block, out=block)
        costs[:, start:stop] = np.minimum(block, PARTS, out=block)
    return costs


def _assign(costs: Costs) -> Costs:
    if 1 in costs.shape:
        return np.array([costs.min()], dtype=np.int32)
    from scipy.optimize import linear_sum_assignment

    chosen: Costs = costs[linear_sum_assignment(costs)]
    return chosen


def matched(both: TextComparison, counts: Mapping[str, list[int]], width: int) -> Rows:
    """Return gold, pred and matching entities, from the counts that each category has."""
    none = [0] * width
    rows: Rows = {
        category: (len(gold), len(pred), *counts.get(category, none))
        for category, gold, pred in both.named()
    }
    gold, pred = both.entities
    rows[""] = (len(gold), len(pred), *map(sum, zip(none, *counts.values(), strict=True)))
    return rows


def tagged_words(both: TextComparison, _: tuple[int, ...]) -> Rows:
    """Return the bag of words of entities, each with its category."""
    return _bags(
        both, lambda entities: [word for entity in entities for word in entity.text.split()]
    )


def whole_entities(both: TextComparison, _: tuple[int, ...]) -> Rows:
    """Return the bag of entities, each with its category."""
    return _bags(both, lambda entities: [entity.text for entity in entities])


def entity_words(both: TextComparison, _: tuple[int, ...]) -> Rows:
    """Return the bag of words of entities, categories dropped."""
    # within a category, dropping it changes nothing
    rows = tagged_words(both, ())
    gold, pred = ([w for entity in side for w in entity.text.split()] for side in both.entities)
    return {**rows, "": _bag(gold, pred)}


def _bags(both: TextComparison, items: Callable[[list[Block]], list[str]]) -> Rows:
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
    equal = sum(min(count, left[key]) for key, count in common.items() if key in left)
    return _bag_row(len(gold), len(pred), equal)


def _bag_row(gold: int, pred: int, equal: int) -> Counts:
    return (gold, pred, equal, max(gold, pred) - equal)


MANY = 10_000
"""The pairs from which a sparse matching is cheaper than an assignment."""


def in_any_order(both: TextComparison, _: tuple[int, ...]) -> Rows:
    """Return gold entities and what is left to pay when each entity may pair with any other."""
    rows: Rows = {}
    saved = [0, 0]
    for category, (gold, pred) in both.by_category.items():
        kept = [0, 0]
        if gold and pred:
            kept = [_saved(both, category, layer) for layer in (CHARACTERS, WORDS)]
        saved = [total + more for total, more in zip(saved, kept, strict=True)]
        rows[category] = _unpaired(len(gold), len(pred), kept)
    golds, preds = both.entities
    rows[""] = _unpaired(len(golds), len(preds), saved)
    return rows


def _saved(both: TextComparison, category: str, layer: int) -> int:
    costs = both.assigned(category, layer)
    return len(costs) * PARTS - int(costs.sum(dtype=np.int64))


def _unpaired(gold: int, pred: int, saved: Sequence[int]) -> Counts:
    return (gold, *(max(gold, pred) * PARTS - amount for amount in saved))


def matches_in_any_order(both: TextComparison, thresholds: tuple[int, ...]) -> Rows:
    """Return gold, pred and, for each threshold, the most entities that match one to one."""
    counts = {
        category: [_most_within(both, category, limit) for limit in thresholds]
        for category, sides in both.by_category.items()
        if all(sides)
    }
    return matched(both, counts, len(thresholds))


def _most_within(both: TextComparison, category: str, limit: int) -> int:
    """Return the largest number of one-to-one pairs of a category that each cost no more."""
    chosen = both.assigned(category, CHARACTERS)
    size = int((chosen <= limit).sum())
    if size == len(chosen):
        return size
    return _largest(both.costs(category)[CHARACTERS] <= limit, size)


def _largest(allowed: NDArray[np.bool_], found: int) -> int:
    """Return the size of a largest matching; `found` is that of some matching."""
    bound = min(int(allowed.any(axis=0).sum()), int(allowed.any(axis=1).sum()))
    if found == bound:
        return found
    if allowed.size < MANY:
        from scipy.optimize import linear_sum_assignment

        return int(allowed[linear_sum_assignment(allowed, maximize=True)].sum())
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    return int((maximum_bipartite_matching(csr_array(allowed)) >= 0).sum())


NEAR = 8
"""One character in so many is expected to be wrong."""


def texts(both: TextComparison, _: tuple[int, ...]) -> Rows:
    """Return edits and lengths of whole texts, in characters and in words."""
    rows = {"": _text_row(*both.blocks, both)}
    for category, gold, pred in both.named():
        rows[category] = _text_row(gold, pred, both)
    return rows


def _text_row(gold: Sequence[Block], pred: Sequence[Block], both: TextComparison) -> Counts:
    text, pred_text = text_of(gold), text_of(pred)
    if text == pred_text:
        return (0, len(text), 0, len(text.split()))
    words = both.words[text]
    edits = Levenshtein.distance(words, both.words[pred_text])
    # the hint changes no number: near texts are settled in a narrow band
    hint = len(text) // NEAR
    return (Levenshtein.distance(text, pred_text, score_hint=hint), len(text), edits, len(words))


def in_order(both: TextComparison, _: tuple[int, ...]) -> Rows:
    """Return gold entities and what it costs to edit pred's sequence of entities into gold's."""

    def saved(category: str, start: int, stop: int) -> Weights:
        return 2 * PARTS - both.costs(category)[:, start:stop]

    gold, pred = both.entities
    best = best_in_order(
        [entity.category or "" for entity in gold],
        [entity.category or "" for entity in pred],
        saved,
        layers=2,
        other=PARTS,
    )
    rows = {"": _edited(len(gold), len(pred), best[None])}
    for category, golds, preds in both.named():
        rows[category] = _edited(len(golds), len(preds), best.get(category, [0, 0]))
    return rows


def _edited(gold: int, pred: int, saved: Sequence[int]) -> Counts:
    return (gold, *((gold + pred) * PARTS - amount for amount in saved))


def matches_in_order(both: TextComparison, thresholds: tuple[int, ...]) -> Rows:
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
        category: [sum(round(rate) <= limit for rate in group) for limit in thresholds]
        for category, group in rates.items()
    }
    return matched(both, counts, len(thresholds))


def words_in_order(both: TextComparison, _: tuple[int, ...]) -> Rows:
    """Return gold words of entities and what those paired in order have right of them."""
    sides = [
        [(entity.category or "", word) for entity in side for word in entity.text.split()]
        for side in both.entities
    ]
    words: list[dict[str, list[str]]] = [{}, {}]
    for side, groups in zip(sides, words, strict=True):
        for category, word in side:
            groups.setdefault(category, []).append(word)

    def right(category: str, start: int, stop: int) -> Weights:
        gold, pred = words[0][category][start:stop], words[1][category]
        costs = edit_costs((gold, pred))
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


NER_PARTS: Mapping[str, Callable[[TextComparison, tuple[int, ...]], Rows]] = {
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


class NerSettings(NamedTuple):
    """What shapes the statistics."""

    thresholds: tuple[int, ...]
    """The character error rates, in parts per billion, up to which two entities match."""
    parts: tuple[str, ...]
    max_chars: int
    max_pairs: int


def statistics(gold: Sequence[Block], pred: Sequence[Block], settings: NerSettings) -> Stats:
    """Return the statistics of one document, a table for each part and one that counts it."""
    both = TextComparison(gold, pred)
    too_long = _too_long(both, settings)
    kept = [name for name in settings.parts if name not in too_long]
    stats = {name: NER_PARTS[name](both, settings.thresholds) for name in kept}
    stats["documents"] = {"": (1, int(len(kept) < len(settings.parts)))}
    return stats


def _too_long(both: TextComparison, settings: NerSettings) -> frozenset[str]:
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
    return sum([len(block.text) for block in blocks])
