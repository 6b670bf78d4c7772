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

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from docassay.automation.bounds import BEYOND, error_bound, fewest_values, passes
from docassay.automation.outcomes import Outcomes, Values
from docassay.model.automation import DOCUMENTS

STEPS = 50
"""The most thresholds tried for a field."""
SPARE = 10
"""The most errors that the strictest threshold leaves room for."""
STRICTEST = 0.6
"""The largest share of its values that it leaves unreviewed, unless it takes more to pass."""


class Sample(NamedTuple):
    """The values that tests look at, surest first."""

    confidence: NDArray[np.float64]
    wrong: NDArray[np.int64]
    """How many of the first so many are wrong."""

    @property
    def size(self) -> int:
        """How many there are."""
        return len(self.confidence)


class Found(NamedTuple):
    """The laxest threshold that passed, with its evidence, or why there is none."""

    threshold: float | None
    tested: int
    bound: float | None = None
    more_documents: int | None = None
    why: str = ""


def guarantee(
    outcomes: Outcomes,
    fields: Mapping[str, Values],
    *,
    target: float,
    alpha: float,
    independent: str = DOCUMENTS,
) -> dict[str, Found]:
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
            # those left out are told what it would take with one field more
            alpha=alpha / (able if place < able else able + 1),
            documents=documents,
        )
        for place, path in enumerate(by_size)
    }


def draw(
    values: Values, path: str, ids: tuple[str, ...], *, independent: str = DOCUMENTS
) -> Sample:
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
    return Sample(confidence[order], np.cumsum(wrong[order]))


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


def fixed_sequence(sample: Sample, *, target: float, alpha: float, documents: int) -> Found:
    """Return the last threshold, from strict to lax, before the first that fails its test."""
    least = fewest_values(target, alpha)
    if sample.size < least:
        needed = _more(least, sample.size, documents)
        told = f"it takes {least:,} tested values even if none is wrong"
        return Found(None, sample.size, more_documents=needed, why=told)
    passed: int | None = None
    for size in _grid(sample, least, target, alpha):
        if not passes(int(sample.wrong[size - 1]), size, target, alpha):
            if passed is None:
                return _failed(sample, size, target, alpha, documents)
            break
        passed = size
    assert passed is not None
    bound = error_bound(int(sample.wrong[passed - 1]), passed, alpha)
    return Found(float(sample.confidence[passed - 1]), passed, bound)


def _grid(sample: Sample, least: int, target: float, alpha: float) -> list[int]:
    """Return how many values each threshold leaves unreviewed, strict to lax, by confidence alone.

    The first leaves room for a few errors, or one unlucky value would end the search.
    """
    most = STRICTEST * sample.size
    roomy = (fewest_values(target, alpha, wrong=spare) for spare in range(1, SPARE + 1))
    start = max((size for size in roomy if size <= most), default=least)
    # values of equal confidence stand or fall together: a threshold ends after the last of them
    ends = np.flatnonzero(np.diff(sample.confidence, append=-1.0)) + 1
    wanted = np.linspace(start, sample.size, STEPS)
    return [int(one) for one in np.unique(ends[np.searchsorted(ends, np.floor(wanted))])]


def _failed(sample: Sample, size: int, target: float, alpha: float, documents: int) -> Found:
    wrong = int(sample.wrong[size - 1])
    told = f"{wrong:,} of the {size:,} surest tested values wrong"
    bound = error_bound(wrong, size, alpha)
    needed = fewest_values(target, alpha, rate=wrong / size)
    return Found(
        None, size, bound, None if needed >= BEYOND else _more(needed, size, documents), told
    )


def _more(needed: int, found: int, documents: int) -> int:
    """Return how many further documents bring the values that are needed, at the rate so far."""
    return max(1, -(-needed * documents // found) - documents)
