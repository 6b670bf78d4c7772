"""The floor under the speed of order-free entity scores: read, compare, assign, and nothing else.

Every category of a page is one `cdist` of edit distances and one assignment; there is no check of
the files, no by-category score, no by-word score, no report.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist
from scipy.optimize import linear_sum_assignment

Entities = dict[str, list[str]]


def bare_oiecer(gold: Path, pred: Path) -> float:
    """Return the order-free entity character error rate of two folders of sound BIO files."""
    errors, total = 0.0, 0
    for file in sorted(gold.glob("*.bio")):
        golds, preds = entities(file), entities(pred / file.name)
        size = count(golds)
        total += size
        errors += max(size, count(preds)) - sum(
            saved(texts, preds[category]) for category, texts in golds.items() if category in preds
        )
    return errors / total


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


def count(found: Entities) -> int:
    return sum(map(len, found.values()))


def saved(gold: list[str], pred: list[str]) -> float:
    """Return what the best pairs of a category are worth: 1 less the character error rate."""
    edits = cdist(gold, pred, scorer=Levenshtein.distance)
    lengths = np.array([len(text) for text in gold])
    worth = np.maximum(1 - edits / lengths[:, None], 0)
    return float(worth[linear_sum_assignment(worth, maximize=True)].sum())
