"""Comparators on words: `words` for their overlap, `contains` for one text inside the other."""

from __future__ import annotations

import re
from collections.abc import Hashable

from docassay.values.comparator import comparator
from docassay.values.compare.same import canonical

CONTAINED = 0.9
"""The similarity of a text and a part of it."""
_WORD = re.compile(r"\w+")


def words_key(value: Hashable) -> str:
    """Return the different words, sorted."""
    return " ".join(sorted(set(str(value).split())))


def why_words(gold: Hashable, pred: Hashable) -> str:
    """Say how many words are shared."""
    left, right = set(str(gold).split()), set(str(pred).split())
    if left == right:
        return "the same words"
    return f"{len(left & right)} of {len(left | right)} words are shared"


@comparator("words", key=words_key, why=why_words)
def words(gold: Hashable, pred: Hashable) -> float:
    """1 when the words are the same, else the share of all words that both have (Jaccard)."""
    left, right = set(str(gold).split()), set(str(pred).split())
    everything = left | right
    return len(left & right) / len(everything) if everything else 1.0


def why_contains(gold: Hashable, pred: Hashable) -> str:
    """Say which text holds the other."""
    if str(gold) == str(pred):
        return "equal"
    if _holds(gold, pred):
        return "gold contains pred"
    return "pred contains gold" if _holds(pred, gold) else "neither contains the other"


@comparator("contains", key=canonical, why=why_contains)
def contains(gold: Hashable, pred: Hashable) -> float:
    """1 when equal, 0.9 when one text holds the other as whole words, else 0."""
    if str(gold) == str(pred):
        return 1.0
    return CONTAINED if _holds(gold, pred) or _holds(pred, gold) else 0.0


def _holds(whole: Hashable, part: Hashable) -> bool:
    sought = " ".join(_WORD.findall(str(part)))
    return bool(sought) and f" {sought} " in f" {' '.join(_WORD.findall(str(whole)))} "
