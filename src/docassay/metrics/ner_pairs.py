"""Two sequences of blocks made ready to compare, with what each entity costs against each other.

Costs are whole parts per billion, so that every sum is exact. Entities of different categories cost
1 against each other, so costs are kept for pairs within a category only.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

from docassay.align.sequence import Weights, row_blocks
from docassay.model.stats import PARTS, Counts
from docassay.model.tagged import Block

CHARACTERS, WORDS = 0, 1
Costs = NDArray[np.int32]
Rows = dict[str, Counts]
"""A row of counts for each category, and for the document under ""."""


class Words(dict[str, int]):
    """Numbers for words, given out when first asked for: equal words are equal numbers."""

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self)
        return number

    def of(self, text: str) -> list[int]:
        """Return the words of a text as numbers."""
        return [self[word] for word in text.split()]


class Comparison:
    """The gold and the pred blocks of one document, with the views that readouts share."""

    def __init__(self, gold: Sequence[Block], pred: Sequence[Block]) -> None:
        self.blocks = (gold, pred)
        self.words = Words()
        self._costs: dict[str, Weights] = {}
        self._assigned: dict[tuple[str, int], Costs] = {}

    @cached_property
    def entities(self) -> tuple[list[Block], list[Block]]:
        """The entities of gold and of pred, in order."""
        gold, pred = ([one for one in side if one.category is not None] for side in self.blocks)
        return gold, pred

    @cached_property
    def by_category(self) -> dict[str, tuple[list[Block], list[Block]]]:
        """The entities of gold and of pred by category."""
        found: dict[str, tuple[list[Block], list[Block]]] = {}
        for side, entities in enumerate(self.entities):
            for one in entities:
                found.setdefault(one.category or "", ([], []))[side].append(one)
        return found

    def named(self) -> Iterator[tuple[str, list[Block], list[Block]]]:
        """Yield the categories that have a name to be reported by, with their entities."""
        for category, (gold, pred) in self.by_category.items():
            if category:
                yield category, gold, pred

    def costs(self, category: str) -> Weights:
        """Return the costs of all pairs of a category, by characters and by words."""
        known = self._costs.get(category)
        if known is None:
            known = self._costs[category] = self._compare(*self.by_category[category])
        return known

    def assigned(self, category: str, layer: int) -> Costs:
        """Return the costs of the pairs, as many as there can be, that cost least together."""
        known = self._assigned.get((category, layer))
        if known is None:
            known = self._assigned[category, layer] = _assign(self.costs(category)[layer])
        return known

    def _compare(self, gold: Sequence[Block], pred: Sequence[Block]) -> Weights:
        costs = self._least_edits([one.text for one in gold], [one.text for one in pred])
        for row, one in enumerate(gold):
            for other in one.others:
                again = self._least_edits([other], [each.text for each in pred])
                np.minimum(costs[:, row], again[:, 0], out=costs[:, row])
        return costs

    def _least_edits(self, gold: Sequence[str], pred: Sequence[str]) -> Weights:
        words = self.words.of
        costs = np.empty((2, len(gold), len(pred)), dtype=np.int32)
        edit_costs(gold, pred, costs[CHARACTERS])
        edit_costs([words(one) for one in gold], [words(one) for one in pred], costs[WORDS])
        return costs


def edit_costs(
    gold: Sequence[Sequence[Hashable]], pred: Sequence[Sequence[Hashable]], out: Costs
) -> None:
    """Write the edits of every pair divided by gold's length, at most 1, in parts per billion."""
    lengths = np.array([len(one) for one in gold], dtype=np.float64)[:, None]
    for start, stop in row_blocks(len(gold), len(pred)):
        edits = cdist(gold[start:stop], pred, scorer=Levenshtein.distance)
        costs = np.rint(edits * float(PARTS) / lengths[start:stop])
        out[start:stop] = np.minimum(costs, PARTS)


def _assign(costs: Costs) -> Costs:
    if 1 in costs.shape:
        return np.array([costs.min()], dtype=np.int32)
    from scipy.optimize import linear_sum_assignment

    chosen: Costs = costs[linear_sum_assignment(costs)]
    return chosen


def matched(both: Comparison, counts: Mapping[str, list[int]], width: int) -> Rows:
    """Return gold, pred and matching entities, from the counts that each category has."""
    none = [0] * width
    rows: Rows = {
        category: (len(gold), len(pred), *counts.get(category, none))
        for category, gold, pred in both.named()
    }
    gold, pred = both.entities
    rows[""] = (len(gold), len(pred), *map(sum, zip(none, *counts.values(), strict=True)))
    return rows
