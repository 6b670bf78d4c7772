"""Edits between texts, in a narrow band around the diagonal where long texts are much alike.

The table of two texts has as many cells as the product of their lengths, but a path of few edits
stays near its diagonal. How few they are is guessed from both ends of the texts. A wrong guess
costs time alone: the band is doubled until the path fits into it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

LONG = 8_000
"""The characters from which a band saves more than the guess costs."""
SAMPLE = 25
"""The part of a long text, one in so many characters, at either end that the guess is made from."""
MARGIN = 1.25
"""A band that is somewhat too wide is cheaper than one that must be doubled."""
NARROWEST = 64


def edits(gold: str, pred: str, *, most: int | None = None) -> int:
    """Return the edits between two texts; a number above `most` if there are more than these."""
    if min(len(gold), len(pred)) < LONG:
        return Levenshtein.distance(gold, pred, score_cutoff=most)
    return Levenshtein.distance(gold, pred, score_cutoff=most, score_hint=likely_edits(gold, pred))


def likely_edits(gold: str, pred: str) -> int | None:
    """Return a guess at the edits between two long texts, None when a band would save nothing."""
    longer = max(len(gold), len(pred))
    size = longer // SAMPLE
    start = Levenshtein.distance(gold[:size], pred[:size])
    # text that only one side has at its start moves all that follows, but not the end
    end = Levenshtein.distance(gold[-size:], pred[-size:])
    guess = round(MARGIN * min(start, end) / size * longer)
    guess = max(NARROWEST, guess, abs(len(gold) - len(pred)))
    return guess if 2 * guess < longer else None


def edit_table(
    golds: Sequence[str], preds: Sequence[str], *, share: float = 1.0
) -> NDArray[np.int32]:
    """Return the edits between every text of gold and every one of pred.

    Of two long texts, more edits than a `share` of the longer one may be any number above that.
    """
    long_preds = [column for column, text in enumerate(preds) if len(text) >= LONG]
    if not long_preds or max(map(len, golds), default=0) < LONG:
        return cdist(golds, preds, scorer=Levenshtein.distance, dtype=np.int32)
    short = [text if len(text) < LONG else "" for text in preds]
    table = cdist(golds, short, scorer=Levenshtein.distance, dtype=np.int32)
    for column in long_preds:
        pred = preds[column]
        table[:, column] = [
            edits(gold, pred, most=int(share * max(len(gold), len(pred)))) for gold in golds
        ]
    return table


def similarity_table(
    golds: Sequence[str], preds: Sequence[str], *, least: float
) -> NDArray[np.float64]:
    """Return how alike every text of gold is with every one of pred, 0 where that is too little.

    That is 1 less the edits for each character of the longer text.
    """
    if max(map(len, golds), default=0) < LONG or max(map(len, preds), default=0) < LONG:
        scorer = Levenshtein.normalized_similarity
        return cdist(golds, preds, scorer=scorer, score_cutoff=least, dtype=np.float64)
    lengths = [np.array([len(text) for text in side]) for side in (golds, preds)]
    longer = np.maximum.outer(*lengths).clip(1)
    shares: NDArray[np.float64] = 1 - edit_table(golds, preds, share=1 - least) / longer
    shares[shares < least] = 0.0
    return shares
