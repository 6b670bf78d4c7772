"""The floor under the speed of order-free entity scores: read, compare, assign, and nothing else.

Every category of a page is one `cdist` of edit distances and one assignment a score. There is no
check of the files, no score by category, no exact sum and no report.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist
from scipy.optimize import linear_sum_assignment

THRESHOLD = 0.3

Entities = dict[str, list[str]]
Worths = NDArray[np.float64]
Judge = Callable[[list[str], list[str]], tuple[float, ...]]
"""What the best pairs of a category are worth together, for each score."""


class Summed(NamedTuple):
    """Entities of both sides, the longer of both page by page, and what all pairs are worth."""

    gold: int
    pred: int
    longer: int
    worth: tuple[float, ...]


def bare_oiecer(gold: Path, pred: Path) -> dict[str, float]:
    """Return the entity character error rate of two folders of sound BIO files."""
    found = summed(gold, pred, lambda ours, theirs: (best(worths_of(ours, theirs)),))
    return {"oiecer": (found.longer - found.worth[0]) / found.gold}


def bare_scores(gold: Path, pred: Path) -> dict[str, float]:
    """Return all order-free scores of two folders of sound BIO files."""
    found = summed(gold, pred, every_worth)
    characters, words, matched = found.worth
    return {
        "oiecer": (found.longer - characters) / found.gold,
        "oiewer": (found.longer - words) / found.gold,
        "oinerval_precision": matched / found.pred,
        "oinerval_recall": matched / found.gold,
        "oinerval_f1": 2 * matched / (found.gold + found.pred),
    }


def summed(gold: Path, pred: Path, judge: Judge) -> Summed:
    golds = preds = longer = 0
    worths = []
    for file in sorted(gold.glob("*.bio")):
        ours, theirs = entities(file), entities(pred / file.name)
        sizes = [sum(map(len, side.values())) for side in (ours, theirs)]
        golds, preds, longer = golds + sizes[0], preds + sizes[1], longer + max(sizes)
        worths += [judge(texts, theirs[name]) for name, texts in ours.items() if name in theirs]
    return Summed(golds, preds, longer, tuple(map(sum, zip(*worths, strict=True))))


def entities(file: Path) -> Entities:
    """Return the texts of a page's entities by category."""
    found: Entities = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        word, tag = line.split(" ")
        if tag[0] == "B":
            found.setdefault(tag[2:], []).append(word)
        elif tag[0] == "I":
            found[tag[2:]][-1] += f" {word}"
    return found


def every_worth(gold: list[str], pred: list[str]) -> tuple[float, ...]:
    characters = worths_of(gold, pred)
    words = worths_of([text.split() for text in gold], [text.split() for text in pred])
    # a little less than 1 - THRESHOLD, as that difference is not exact
    return best(characters), best(words), best((characters >= 1 - THRESHOLD - 1e-9).astype(float))


def worths_of(gold: Sequence[Sequence[str]], pred: Sequence[Sequence[str]]) -> Worths:
    """Return 1 less the error rate of every pair, at least 0."""
    lengths = np.array([len(one) for one in gold])[:, None]
    worths: Worths = 1 - cdist(gold, pred, scorer=Levenshtein.distance) / lengths
    return np.maximum(worths, 0, out=worths)


def best(worths: Worths) -> float:
    return float(worths[linear_sum_assignment(worths, maximize=True)].sum())
