"""What scoring documents together brings: the same command with few and with many at a time.

    python benchmarks/together.py

CPU time a document of the default command, by how many documents take a step before any takes the
next: medians of seven interleaved rounds in one process. At 300 rows the limit of values is lifted,
to show why there is one.
"""

from __future__ import annotations

import os
import statistics
import tempfile
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from docassay.run import parts
from timing import ROUNDS, race
from works import DEFAULT, DEFAULT_SCHEMA, Data, Work, plain, synth

SIZES = (1, 4, 16, 64, 256)
NO_LIMIT = 1 << 60


def times(data: Data, work: Work) -> dict[int, float]:
    """Return the microseconds a document by how many are scored together."""

    def side(size: int) -> float:
        parts.TOGETHER, parts.MOST_VALUES = size, NO_LIMIT
        return data.rate(work)

    results = race(data.name, {str(size): lambda size=size: side(size) for size in SIZES})  # type: ignore[misc]
    return {size: 1e6 / statistics.median(results[str(size)]) for size in SIZES}


def main() -> None:
    """Print a line of each kind of documents."""
    print(f"{'documents together':46}", *(f"{size:>8}" for size in SIZES))
    with tempfile.TemporaryDirectory() as name:
        for make, docs, rows in ((plain, 2000, 8), (synth, 2000, 8), (plain, 40, 300)):
            data = make(Path(name, f"{make.__name__}-{rows}"), docs, rows)
            work = DEFAULT if make is plain else DEFAULT_SCHEMA
            found = times(data, work)
            label = f"{data.name}{', schema' if work.schema else ''}, µs"
            print(f"{label:46}", *(f"{found[size]:8,.0f}" for size in SIZES), flush=True)
    print(f"rounds: {ROUNDS}")


if __name__ == "__main__":
    main()
