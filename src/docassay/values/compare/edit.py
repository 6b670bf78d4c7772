"""The comparator `edit`: how much of the longer text survives the fewest character edits."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from rapidfuzz.distance import Levenshtein

from docassay.values.comparator import comparator
from docassay.values.compare.same import canonical, look_alike

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


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
    edits = Levenshtein.distance(left, right)
    if look_alike(left, right):
        return "differs only by look-alike characters"
    longest = max(len(left), len(right))
    return f"{edits} of {longest} characters differ" if longest > 1 else "the characters differ"


@comparator("edit", key=canonical, batch=edit_batch, why=why_edit)
def edit(gold: Hashable, pred: Hashable) -> float:
    """1 less the share of characters to insert, delete or replace (Levenshtein / longer length)."""
    return Levenshtein.normalized_similarity(str(gold), str(pred))
