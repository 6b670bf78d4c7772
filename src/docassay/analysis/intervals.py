"""Intervals: how far a mean over documents might lie from what other documents would have given.

Documents are drawn anew with replacement many times over, and the middle 95 % of the means that
come out are the interval (percentile bootstrap). Where every document says 0 or 1, or all say the
same, drawing shows too little, and Wilson's interval takes its place. Many documents are put into
blocks by their ids and the blocks are drawn.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from math import sqrt
from typing import TYPE_CHECKING

from docassay.model.stats import PARTS, Stats, text_table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DRAWS = 1_000
MOST_DOCUMENTS = 20_000
BLOCKS = 2_000
MOST_CELLS = 4_000_000
"""How many documents, drawn again and again, are held at once."""
NORMAL = 1.959963984540054
"""The normal deviate that leaves 2.5 % on either side."""

Interval = tuple[float, float]
Column = tuple[str, int, int]
"""A table, its column of sums in parts per billion, and its column of counts."""


def intervals(
    documents: Sequence[tuple[str, Stats]], means: Mapping[str, Column], *, seed: int = 0
) -> dict[tuple[str, str], Interval]:
    """Return the interval of each readout that is a mean over documents, by name and key."""
    import numpy as np

    names = sorted(
        {
            (name, key)
            for name, (table, *_) in means.items()
            for _, stats in documents
            for key in text_table(stats, table)
        }
    )
    sums = np.zeros((len(documents), len(names)))
    counts = np.zeros_like(sums)
    at = {name: i for i, name in enumerate(names)}
    for row, (_, stats) in enumerate(documents):
        for readout, (table, total, count) in means.items():
            for key, numbers in text_table(stats, table).items():
                sums[row, at[readout, key]] = numbers[total] / PARTS
                counts[row, at[readout, key]] = numbers[count]
    varied = np.array([_varies(sums[:, i], counts[:, i]) for i in range(len(names))], dtype=bool)
    ids = [id for id, _ in documents]
    drawn = iter(_drawn(ids, sums[:, varied], counts[:, varied], seed).T)
    bounds = {}
    for i, name in enumerate(names):
        number = int(counts[:, i].sum())
        if not number:
            continue
        mean = float(sums[:, i].sum()) / number
        if varied[i]:
            low, high = np.nanpercentile(next(drawn), (2.5, 97.5))
            bounds[name] = (min(float(low), mean), max(float(high), mean))
        else:
            bounds[name] = wilson(mean, number)
    return bounds


def _varies(sums: NDArray[np.float64], counts: NDArray[np.float64]) -> bool:
    """Whether documents say different things, and not just 0 or 1."""
    import numpy as np

    values = sums[counts > 0] / counts[counts > 0]
    return not (np.all(values == values[:1]) or np.all(np.isin(values, (0.0, 1.0))))


def wilson(share: float, number: int) -> Interval:
    """Return Wilson's 95 % interval of a share of a number of documents."""
    square = NORMAL * NORMAL
    centre = share + square / (2 * number)
    half = NORMAL * sqrt(share * (1 - share) / number + square / (4 * number * number))
    whole = 1 + square / number
    # rounding must not put the end of an interval on the wrong side of its own share
    return (
        min(share, max(0.0, (centre - half) / whole)),
        max(share, min(1.0, (centre + half) / whole)),
    )


def _drawn(
    ids: Sequence[str], sums: NDArray[np.float64], counts: NDArray[np.float64], seed: int
) -> NDArray[np.float64]:
    """Return the means of every draw, a row a draw; undefined where a draw has no such document."""
    import numpy as np

    if len(ids) > MOST_DOCUMENTS:
        block = np.array([zlib.crc32(id.encode("utf-8", "surrogatepass")) % BLOCKS for id in ids])
        sums, counts = (_in_blocks(matrix, block) for matrix in (sums, counts))
    number = len(sums)
    generator = np.random.default_rng(seed)
    means = np.full((DRAWS, sums.shape[1]), np.nan)
    if not sums.shape[1]:
        return means
    at_once = max(1, MOST_CELLS // number)
    for start in range(0, DRAWS, at_once):
        some = min(at_once, DRAWS - start)
        taken = generator.integers(number, size=(some, number)) + number * np.arange(some)[:, None]
        times = np.bincount(taken.ravel(), minlength=some * number).reshape(some, number)
        totals = times @ counts
        part = means[start : start + some]
        np.divide(times @ sums, totals, out=part, where=totals > 0)
    return means


def _in_blocks(values: NDArray[np.float64], block: NDArray[np.int64]) -> NDArray[np.float64]:
    import numpy as np

    total = np.zeros((BLOCKS, values.shape[1]))
    np.add.at(total, block, values)
    return total
