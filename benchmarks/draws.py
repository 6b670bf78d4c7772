"""Time and memory of intervals: 10,000 documents, 10,000 draws, 30 scores.

    python benchmarks/draws.py [--documents 10000] [--draws 10000]

The documents are rows of counts as `entity` makes them. The same seed must give the same ends.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time

import numpy as np

import docassay as da
from docassay.analysis.intervals import DocumentSample, intervals
from docassay.metrics.metric import Context
from docassay.run.plan import bind
from docassay.run.score import Row

FIELDS = 4
MOST_SECONDS, MOST_BYTES = 20, 2_000_000_000


def rows_of(documents: int) -> list[Row]:
    """Return documents with values of some fields: right ones, wrong ones and missing ones."""
    dice = np.random.default_rng(0)
    counts = dice.integers((0, 0, 0), (20, 3, 3), size=(documents, FIELDS, 3)).tolist()
    return [
        Row(
            f"d{number}",
            "",
            "",
            {},
            {"entity": {"fields": {f"field {at}": tuple(row) for at, row in enumerate(own)}}},
            (),
        )
        for number, own in enumerate(counts)
    ]


def main() -> int:
    """Measure, and say whether it is within bounds."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument("--draws", type=int, default=10_000)
    given = parser.parse_args()
    rows = rows_of(given.documents)
    (metric,) = bind(da.Scorer(metrics=["entity"]).ledger().header.plan).metrics
    context = Context(len(rows), None, metric.options)
    specs = dict(metric.metric.specs)
    times = []
    ends = []
    for _ in range(2):
        start = time.process_time()
        sample = DocumentSample(metric, rows, context)
        ends.append(intervals(sample, specs, draws=given.draws))
        times.append(time.process_time() - start)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    size = f"{given.documents:,} documents x {given.draws:,} draws x {len(ends[0])} scores"
    print(f"{size}: {min(times):.1f} s of CPU, {peak / 1e6:,.0f} MB, equal: {ends[0] == ends[1]}")
    return 0 if min(times) <= MOST_SECONDS and peak <= MOST_BYTES and ends[0] == ends[1] else 1


if __name__ == "__main__":
    sys.exit(main())
