"""Parts of `ner` in which an entity may pair with any other of its category, whatever the order.

A pair costs at most as much as a missing or an extra entity, so as many pairs are made as there can
be, and those of different categories save nothing: every category is an assignment of its own.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from docassay.metrics.ner_pairs import CHARACTERS, WORDS, Comparison, Rows, matched
from docassay.model.stats import PARTS, Counts

MANY = 10_000
"""The pairs from which a sparse matching is cheaper than an assignment."""


def in_any_order(both: Comparison, _: tuple[int, ...]) -> Rows:
    """Return gold entities and what is left to pay when each entity may pair with any other."""
    rows: Rows = {}
    saved = [0, 0]
    for category, (gold, pred) in both.by_category.items():
        kept = [0, 0]
        if gold and pred:
            kept = [_saved(both, category, layer) for layer in (CHARACTERS, WORDS)]
        saved = [one + more for one, more in zip(saved, kept, strict=True)]
        rows[category] = _unpaired(len(gold), len(pred), kept)
    golds, preds = both.entities
    rows[""] = _unpaired(len(golds), len(preds), saved)
    return rows


def _saved(both: Comparison, category: str, layer: int) -> int:
    costs = both.assigned(category, layer)
    return len(costs) * PARTS - int(costs.sum(dtype=np.int64))


def _unpaired(gold: int, pred: int, saved: Sequence[int]) -> Counts:
    return (gold, *(max(gold, pred) * PARTS - one for one in saved))


def matches_in_any_order(both: Comparison, thresholds: tuple[int, ...]) -> Rows:
    """Return gold, pred and, for each threshold, the most entities that match one to one."""
    counts = {
        category: [_most_within(both, category, limit) for limit in thresholds]
        for category, sides in both.by_category.items()
        if all(sides)
    }
    return matched(both, counts, len(thresholds))


def _most_within(both: Comparison, category: str, limit: int) -> int:
    """Return the largest number of one-to-one pairs of a category that each cost no more."""
    chosen = both.assigned(category, CHARACTERS)
    found = int((chosen <= limit).sum())
    if found == len(chosen):
        return found
    return _largest(both.costs(category)[CHARACTERS] <= limit, found)


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
