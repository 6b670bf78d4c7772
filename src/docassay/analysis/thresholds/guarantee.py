"""Thresholds that keep a target error rate on documents not yet seen, all fields together.

Who looks at many thresholds and takes the best finds one that is good by luck. So the thresholds to
be tried are laid down by the confidences alone, and tried from strict to lax: the first that fails
its exact test ends the search, and then all of them together are wrong no more often than one. The
allowance for being wrong is split over the fields.

Values of one document share its fate: a bad scan spoils them all, and counting each would pretend
to more evidence than there is. So a test takes at most one value of a field from a document. Every
value has the same chance to be taken, one in the largest number that a document has, whatever the
thresholds: what is taken are independent draws from all values, if documents are independent.
Nothing is shown about documents with more values than the longest one here.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from docassay.analysis.thresholds.curves import DOCUMENTS
from docassay.analysis.thresholds.outcomes import FieldValues, Outcomes

BEYOND = 1_000_000_000
"""A number of values that nobody has."""


def error_bound(wrong: int, values: int, alpha: float) -> float:
    """Return what the true error rate exceeds with a chance of at most alpha (Clopper, Pearson)."""
    if wrong >= values:
        return 1.0
    from scipy.special import betaincinv

    return float(betaincinv(wrong + 1, values - wrong, 1 - alpha))


def passes(wrong: int, values: int, target: float, alpha: float) -> bool:
    """Say whether so few errors show that the true rate is at most the target.

    The same as `error_bound(wrong, values, alpha) <= target`, as a test: at the target, so few
    errors have a chance of at most alpha.
    """
    from scipy.special import bdtr

    return wrong < values and bool(bdtr(wrong, values, target) <= alpha)


def fewest_values(target: float, alpha: float, *, wrong: int = 0, rate: float = 0.0) -> int:
    """Return how many values it takes to pass with so many errors, and with this rate of errors.

    Without errors that is log(alpha) / log(1 - target). It is BEYOND or more where the rate is too
    near the target.
    """
    without_errors = max(1, math.ceil(math.log(alpha) / math.log1p(-target)))
    if not wrong and not rate:
        return without_errors

    def enough(values: int) -> bool:
        return passes(wrong + math.ceil(rate * values - 1e-9), values, target, alpha)

    low, high = 0, without_errors
    while high < BEYOND and not enough(high):
        low, high = high, 2 * high
    while high < BEYOND and high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


STEPS = 50
"""The most thresholds tried for a field."""
SPARE = 10
"""The most errors that the strictest threshold leaves room for."""
STRICTEST = 0.6
"""The largest share of its values that it leaves unreviewed, unless it takes more to pass."""


class RankedValues(NamedTuple):
    """The values that tests look at, surest first."""

    confidence: NDArray[np.float64]
    wrong: NDArray[np.int64]
    """How many of the first so many are wrong."""

    @property
    def size(self) -> int:
        """How many there are."""
        return len(self.confidence)


class Evidence(NamedTuple):
    """The laxest threshold that passed, with its evidence, or why there is none."""

    threshold: float | None
    tested: int
    bound: float | None = None
    more_documents: int | None = None
    why: str = ""


def guarantee(
    outcomes: Outcomes,
    fields: Mapping[str, FieldValues],
    *,
    target: float,
    alpha: float,
    independent: str = DOCUMENTS,
) -> dict[str, Evidence]:
    """Return a threshold a field; any of them breaks the target with a chance of at most alpha."""
    samples = {
        path: draw(values, path, outcomes.ids, independent=independent)
        for path, values in fields.items()
    }
    by_size = sorted(samples, key=lambda path: (-samples[path].size, path))
    able = _testable([samples[path].size for path in by_size], target, alpha)
    documents = len(outcomes.ids)
    return {
        path: fixed_sequence(
            samples[path],
            target=target,
            # those left out are reason what it would take with one field more
            alpha=alpha / (able if place < able else able + 1),
            documents=documents,
        )
        for place, path in enumerate(by_size)
    }


def draw(
    values: FieldValues, path: str, ids: tuple[str, ...], *, independent: str = DOCUMENTS
) -> RankedValues:
    """Return the values to test: all, or of every document the one its id points to, if any."""
    taken = np.arange(len(values.document))
    if independent == DOCUMENTS and len(taken):
        documents, first, sizes = np.unique(values.document, return_index=True, return_counts=True)
        most = int(sizes.max())
        if most > 1:
            slots = np.array([_slot(path, ids[at], most) for at in documents])
            taken = (first + slots)[slots < sizes]
    confidence, wrong = values.confidence[taken], values.wrong[taken]
    order = np.argsort(-confidence, kind="stable")
    return RankedValues(confidence[order], np.cumsum(wrong[order]))


def _slot(path: str, id: str, most: int) -> int:
    digest = blake2b(f"{path}\0{id}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") % most


def _testable(sizes: Sequence[int], target: float, alpha: float) -> int:
    """Return over how many of the fields, largest first, to split the allowance.

    A field with too few values to pass takes no part. That is settled by how many it has, whatever
    is wrong with them, so that nothing is gained by chance.
    """
    able = 0
    while able < len(sizes) and sizes[able] >= fewest_values(target, alpha / (able + 1)):
        able += 1
    return able


def fixed_sequence(
    sample: RankedValues, *, target: float, alpha: float, documents: int
) -> Evidence:
    """Return the last threshold, from strict to lax, before the first that fails its test."""
    least = fewest_values(target, alpha)
    if sample.size < least:
        needed = _more(least, sample.size, documents)
        reason = f"it takes {least:,} tested values even if none is wrong"
        return Evidence(None, sample.size, more_documents=needed, why=reason)
    passed: int | None = None
    for size in _grid(sample, least, target, alpha):
        if not passes(int(sample.wrong[size - 1]), size, target, alpha):
            if passed is None:
                return _failed(sample, size, target, alpha, documents)
            break
        passed = size
    assert passed is not None
    bound = error_bound(int(sample.wrong[passed - 1]), passed, alpha)
    return Evidence(float(sample.confidence[passed - 1]), passed, bound)


def _grid(sample: RankedValues, least: int, target: float, alpha: float) -> list[int]:
    """Return how many values each threshold leaves unreviewed, strict to lax, by confidence alone.

    The first leaves room for a few errors, or one unlucky value would end the search.
    """
    most = STRICTEST * sample.size
    roomy = (fewest_values(target, alpha, wrong=spare) for spare in range(1, SPARE + 1))
    start = max((size for size in roomy if size <= most), default=least)
    # values of equal confidence stand or fall together: a threshold ends after the last of them
    ends = np.flatnonzero(np.diff(sample.confidence, append=-1.0)) + 1
    wanted = np.linspace(start, sample.size, STEPS)
    return [int(size) for size in np.unique(ends[np.searchsorted(ends, np.floor(wanted))])]


def _failed(
    sample: RankedValues, size: int, target: float, alpha: float, documents: int
) -> Evidence:
    wrong = int(sample.wrong[size - 1])
    reason = f"{wrong:,} of the {size:,} surest tested values wrong"
    bound = error_bound(wrong, size, alpha)
    needed = fewest_values(target, alpha, rate=wrong / size)
    return Evidence(
        None, size, bound, None if needed >= BEYOND else _more(needed, size, documents), reason
    )


def _more(needed: int, tested: int, documents: int) -> int:
    """Return how many further documents bring the values that are needed, at the rate so far."""
    return max(1, -(-needed * documents // tested) - documents)
