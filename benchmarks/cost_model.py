"""The cost of a document by metric and size, and what many documents take on several machines.

    python benchmarks/cost_model.py [--docs 400] [--rounds 3] [--write docs/explanation/scale.md]

Measures, in CPU microseconds a document on this machine, what the stages of a run in tasks take:
finding ids, reading and scoring by family and size, the driver's share; and the bytes of a row.
From these rates a simulation says how long a billion documents take on n machines, with one driver
that takes all parts in gold order. `--write` puts the tables between the marks of a page.
"""

from __future__ import annotations

import argparse
import heapq
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from docassay.load.places import Stretch, scan
from docassay.load.records import ID_KEYS, Way
from docassay.run import store
from docassay.run.divide import DividedRun, divided_run
from docassay.run.engines.choice import OneProcess
from docassay.run.join import scratch_files
from docassay.run.open import open_run
from docassay.run.options import Options
from docassay.run.parts import EncodedPart, RunSink, Wanted, decode_part
from docassay.run.score import collector_paused
from docassay.synth.corpus import write_corpus

FAMILIES: dict[str, list[str] | None] = {
    "entity": ["entity"],
    "entity, kieval": ["entity", "kieval"],
    "fields": ["fields"],
    "tree": ["tree"],
    "default": None,
}
ROWS = (8, 50)
MANY = 1_000_000_000
CORES = 32
MACHINES = (1, 4, 16, 64)
PART = 256
SKEW = (0.01, 50.0)
"""The share of long documents in the skewed case, and how much longer each takes."""
BEGIN, END = "<!-- cost model: drawn by benchmarks/cost_model.py -->", "<!-- cost model end -->"
MICRO = 1e6


class Rates(NamedTuple):
    """CPU microseconds, and bytes, a document."""

    worker: float
    driver: float
    row: float


def cpu(work: Callable[[], object]) -> float:
    """Return the CPU seconds of a piece of work."""
    start = time.process_time()
    work()
    return time.process_time() - start


def parts_of(run: DividedRun) -> list[EncodedPart]:
    """Score a run and return its encoded parts."""
    with collector_paused():
        return [taken.part for taken in run.parts()]


def rates(home: Path, metrics: list[str] | None, docs: int, rounds: int) -> Rates:
    """Return what workers and the driver take for a document of a corpus."""
    workers, drivers, sizes = [], [], []
    for _ in range(rounds):
        options = Options(metrics=metrics, schema=str(home / "schema.yaml"))
        prepared = open_run(str(home / "gold.jsonl"), str(home / "careful.jsonl"), options)
        wanted = Wanted(verdicts="wrong", tables=True)
        with (
            scratch_files(None) as scratch,
            divided_run(prepared, OneProcess(), wanted, None, scratch) as run,
        ):
            assert run is not None
            start = time.process_time()
            parts = parts_of(run)
            workers.append(time.process_time() - start)
            store.HELD = 0  # as in a run of more documents than are held as objects
            sink = RunSink(wanted)
            drivers.append(cpu(partial(take, sink, parts)))
            sizes.append(sum(len(decode_part(part).lines) for part in parts))
    return Rates(
        statistics.median(workers) / docs * MICRO,
        statistics.median(drivers) / docs * MICRO,
        statistics.median(sizes) / docs,
    )


def take(sink: RunSink, parts: list[EncodedPart]) -> None:
    """Put parts into a sink, as a driver does."""
    for part in parts:
        sink.add(decode_part(part))


def scan_rate(home: Path, docs: int) -> float:
    """Return the microseconds of finding the id of a document, both sides together."""
    total = 0.0
    for name in ("gold.jsonl", "careful.jsonl"):
        stretch = Stretch(str(home / name), 0, (home / name).stat().st_size)
        total += cpu(lambda: scan(stretch, Way(ID_KEYS)))  # noqa: B023
    return total / docs * MICRO


def hours(
    rate: Rates, scanning: float, machines: int, *, skewed: bool = False
) -> tuple[float, str]:
    """Return how long many documents take, and what decides it.

    Workers take the next part when they are free; the driver takes parts in order. A thousand
    parts a worker are simulated, and the rest follows, because all parts are alike in the mean.
    """
    cores = machines * CORES
    simulated = 1000 * cores
    scale = MANY / PART / simulated
    free = [0.0] * cores
    taken = 0.0
    for number in range(simulated):
        start = heapq.heappop(free)
        share, factor = SKEW
        longer = 1.0
        if skewed and number % 10 == 0:  # long documents stand together, as they do in folders
            longer = 1 + 10 * share * (factor - 1)
        end = start + PART * (rate.worker * longer + scanning) / MICRO
        heapq.heappush(free, end)
        taken = max(taken, end) + PART * rate.driver / MICRO
    busy = max(free)
    total = max(taken, busy) * scale
    return total / 3600, "the driver" if taken > busy * 1.05 else "the workers"


def tables(docs: int, rounds: int) -> Iterator[str]:
    """Yield the lines of both tables."""
    measured: dict[tuple[str, int], Rates] = {}
    scanning = 0.0
    with tempfile.TemporaryDirectory() as temporary:
        for rows in ROWS:
            home = Path(temporary) / str(rows)
            count = max(40, docs * ROWS[0] // rows)
            write_corpus(home, docs=count, rows=rows, models=["careful"], kinds=["invoice"])
            if rows == ROWS[0]:
                scanning = scan_rate(home, count)
            for name, metrics in FAMILIES.items():
                measured[name, rows] = rates(home, metrics, count, rounds)
    yield f"Finding the ids of a document of {ROWS[0]} rows, both sides: {scanning:.0f} µs."
    yield ""
    yield "| metrics | rows | worker, µs | driver, µs | bytes in the ledger |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    for (name, rows), rate in measured.items():
        yield f"| {name} | {rows} | {rate.worker:,.0f} | {rate.driver:,.1f} | {rate.row:,.0f} |"
    yield ""
    yield f"A billion documents of {ROWS[0]} rows, default metrics, machines of {CORES} cores:"
    yield ""
    yield "| machines | hours | decided by | hours where 1 % of documents take 50 times as long |"
    yield "| ---: | ---: | --- | ---: |"
    rate = measured["default", ROWS[0]]
    for machines in MACHINES:
        even, by = hours(rate, scanning, machines)
        skewed, _ = hours(rate, scanning, machines, skewed=True)
        yield f"| {machines} | {even:,.1f} | {by} | {skewed:,.1f} |"


def main() -> None:
    """Measure and print, or write the tables into a page."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--docs", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--write", type=Path)
    asked = parser.parse_args()
    text = "\n".join(tables(asked.docs, asked.rounds))
    print(text)
    if asked.write:
        page = asked.write.read_text(encoding="utf-8")
        head, _, rest = page.partition(BEGIN)
        tail = rest.partition(END)[2]
        asked.write.write_text(f"{head}{BEGIN}\n\n{text}\n\n{END}{tail}", encoding="utf-8")


if __name__ == "__main__":
    main()
