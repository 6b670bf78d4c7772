"""Speed of docassay against a bare rapidfuzz + scipy floor on the same data, in one run.

    python benchmarks/run.py [--rounds 5] [--quick]

Every ratio is the median over interleaved rounds of docassay's documents per CPU second over those
of the floor, because identical loops on a shared machine differ by half or more. Reading both
files is included on both sides; imports are not. The first floor aligns rows by one `cdist` and one
assignment, the second pairs identical rows before that; both are in floor.py.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import scipy.optimize  # noqa: F401 - imported here so that no measured call pays for it

import docassay
from docassay.synth.corpus import write_corpus
from floor import by_cdist, by_prematch, rate


class Job(NamedTuple):
    """A corpus, the floor it is held against, and the ratio to reach."""

    name: str
    docs: int
    rows: int
    confidences: bool
    floor: Callable[..., object]
    aim: float


JOBS = (
    Job("8 rows, plain leaves", 2000, 8, False, by_cdist, 0.33),
    Job("8 rows, leaves with confidence", 2000, 8, True, by_cdist, 0.33),
    Job("300 rows, plain leaves", 20, 300, False, by_prematch, 0.5),
    Job("300 rows, leaves with confidence", 20, 300, True, by_prematch, 0.5),
)


def ours(gold: Path, pred: Path, schema: Path | None, docs: int) -> float:
    """Documents per CPU second for the metrics entity and kieval."""
    start = time.process_time()
    docassay.score(
        gold,
        pred,
        gold_format="jsonl",
        pred_format="jsonl",
        metrics=["entity", "kieval"],
        schema=schema,
    )
    return docs / (time.process_time() - start)


def measure(job: Job, folder: Path, rounds: int) -> Iterator[str]:
    write_corpus(
        folder,
        docs=job.docs,
        rows=job.rows,
        seed=7,
        kinds=("invoice",),
        models=("careful",),
        confidences=job.confidences,
    )
    gold, pred = folder / "gold.jsonl", folder / "careful.jsonl"
    floors, plain, typed = [], [], []
    for _ in range(rounds):
        floors.append(rate(gold, pred, job.floor))
        plain.append(ours(gold, pred, None, job.docs))
        typed.append(ours(gold, pred, folder / "schema.yaml", job.docs))
    for label, rates in (("no schema", plain), ("schema", typed)):
        ratio = statistics.median(a / b for a, b in zip(rates, floors, strict=True))
        floor = job.floor.__name__.removeprefix("by_")
        yield (
            f"{job.name:34} {label:10} {statistics.median(rates):9.0f}"
            f" {statistics.median(floors):9.0f} {ratio:7.2f}   {job.aim:.2f} ({floor})"
        )


def cold_start(arguments: list[str], rounds: int) -> float:
    """Median wall seconds of a fresh process."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "docassay", *arguments], check=True, stdout=subprocess.DEVNULL
        )
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="a tenth of the documents, two rounds")
    chosen = parser.parse_args()
    rounds = 2 if chosen.quick else chosen.rounds
    print(f"{'':45} {'docassay':>9} {'floor':>9} {'ratio':>7}   aim")
    for job in JOBS:
        job = job._replace(docs=max(job.docs // 10, 2)) if chosen.quick else job
        with tempfile.TemporaryDirectory() as folder:
            for line in measure(job, Path(folder), rounds):
                print(line, flush=True)
    print(
        "(documents per CPU second, reading included, medians of", rounds, "interleaved rounds)\n"
    )
    print(f"docassay --help, cold: {cold_start(['--help'], max(rounds, 5)):.2f} s   aim 0.25")


if __name__ == "__main__":
    main()
