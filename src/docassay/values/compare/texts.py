"""Comparators of texts: `same` or not at all, `edit` by characters, `words`, and `contains`."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from rapidfuzz.distance import Levenshtein

from docassay.values.comparator import comparator

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_LOOK_ALIKES = str.maketrans("oqli|sbz", "00111582")
CONTAINED = 0.9
"""The similarity of a text and a part of it."""
_WORD = re.compile(r"\w+")


def canonical(value: Hashable) -> str:
    """Return the form by which values are filed."""
    return str(value)


def why_same(gold: Hashable, pred: Hashable) -> str:
    """Say how two values differ, in the value's own words if it has any."""
    noun = getattr(gold, "noun", None)
    left, right = str(gold), str(pred)
    if left == right:
        return "equal" if noun is None else f"equal as {noun}"
    difference = getattr(gold, "difference", None)
    if difference is not None and type(gold) is type(pred):
        return str(difference(pred))
    if look_alike(left, right):
        return "differs only by look-alike characters"
    return "the values differ"


def look_alike(gold: str, pred: str) -> bool:
    """Return whether two different texts become one when O is 0, l is 1 and so on."""
    if len(gold) != len(pred) and gold.isascii() and pred.isascii():
        return False
    return gold.lower().translate(_LOOK_ALIKES) == pred.lower().translate(_LOOK_ALIKES)


@comparator("same", key=canonical, why=why_same, binary=True)
def same(gold: Hashable, pred: Hashable) -> float:
    """1 when the canonical forms are equal, else 0."""
    return float(str(gold) == str(pred))


def edit_batch(golds: Sequence[Hashable], preds: Sequence[Hashable]) -> NDArray[np.float64]:
    """Return the edit similarity of every gold with every pred value."""
    import numpy as np
    from rapidfuzz.process import cdist

    return np.asarray(
        cdist(
            [str(gold) for gold in golds],
            [str(pred) for pred in preds],
            scorer=Levenshtein.normalized_similarity,
            dtype=np.float64,
        )
    ).reshape(len(golds), len(preds))


def why_edit(gold: Hashable, pred: Hashable) -> str:
    """Say how many characters differ."""
    left, right = str(gold), str(pred)
    if left == right:
        return "equal"
    if look_alike(left, right):
        return "differs only by look-alike characters"
    edits, longest = Levenshtein.distance(left, right), max(len(left), len(right))
    return f"{edits} of {longest} characters differ" if longest > 1 else "the characters differ"


@comparator("edit", key=canonical, batch=edit_batch, why=why_edit)
def edit(gold: Hashable, pred: Hashable) -> float:
    """1 less the share of characters to insert, delete or replace (Levenshtein / longer length)."""
    return Levenshtein.normalized_similarity(str(gold), str(pred))


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
