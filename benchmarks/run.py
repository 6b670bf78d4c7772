"""Speed of what users get against a bare rapidfuzz + scipy floor on the same data, in one run.

    python benchmarks/run.py [--rounds 7] [--scale 1] [--quick] [--only TEXT] [--write]

The default command runs in this process, once without a schema (types are guessed), once with one
and once with `--out`; then single families. Every ratio is the median over interleaved rounds of
docassay's documents per CPU second over those of the floor, because identical loops on a shared
machine differ by half or more; the least and the greatest ratio stand beside it. Reading both files
is included on both sides, imports are not. The first floor aligns rows by one `cdist` and one
assignment, the second pairs identical rows before that; both are in floor.py. `--write` keeps the
numbers in results.json and results.md.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import platform
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
from docassay.cli import run as command
from docassay.synth.corpus import write_corpus
from docassay.version import VERSION
from floor import by_cdist, by_prematch, rate

HERE = Path(__file__).parent
ROUNDS = 7


class Corpus(NamedTuple):
    """Generated invoices, and the floor that they are held against."""

    name: str
    docs: int
    rows: int
    confidences: bool
    floor: Callable[..., float]


CORPORA = (
    Corpus("8 rows", 2000, 8, False, by_cdist),
    Corpus("8 rows with confidences", 2000, 8, True, by_cdist),
    Corpus("300 rows", 20, 300, False, by_prematch),
)


class Work(NamedTuple):
    """What is asked of docassay: the default command, or metrics by name."""

    name: str
    schema: bool = False
    out: bool = False
    metrics: tuple[str, ...] = ()
    types: str = "auto"


ENTITIES = ("entity", "kieval")
WORKS = (
    Work("default command"),
    Work("default command, schema", schema=True),
    Work("default command, --out", out=True),
    Work("entity,kieval as text", metrics=ENTITIES, types="text"),
    Work("entity,kieval, guessed types", metrics=ENTITIES),
    Work("entity,kieval, schema", metrics=ENTITIES, schema=True),
    Work("fields, schema", metrics=("fields",), schema=True),
    Work("tree, schema", metrics=("tree",), schema=True),
)
AIMS = {
    ("8 rows", "default command"): 0.35,
    ("8 rows", "default command, schema"): 0.3,
    ("8 rows", "entity,kieval as text"): 0.5,
    ("8 rows", "entity,kieval, schema"): 0.4,
    ("300 rows", "default command"): 0.25,
    ("300 rows", "entity,kieval as text"): 0.5,
}


class Result(NamedTuple):
    """Documents per CPU second of one piece of work, and its ratio to the floor."""

    corpus: str
    docs: int
    work: str
    rate: float
    floor: float
    ratio: float
    least: float
    greatest: float
    aim: float | None


def seconds(work: Work, folder: Path) -> float:
    """Return the CPU seconds that a piece of work takes."""
    gold, pred, schema = folder / "gold.jsonl", folder / "careful.jsonl", folder / "schema.yaml"
    with tempfile.TemporaryDirectory() as place:
        start = time.process_time()
        if work.metrics:
            docassay.score(
                gold,
                pred,
                metrics=[*work.metrics],
                schema=schema if work.schema else None,
                types=work.types,
            )
        else:
            words = ["--schema", str(schema)] if work.schema else []
            words += ["--out", f"{place}/run"] if work.out else []
            _command("score", str(gold), str(pred), *words)
        return time.process_time() - start


def _command(*words: str) -> None:
    silence = io.StringIO()
    with contextlib.redirect_stdout(silence), contextlib.redirect_stderr(silence):
        code = command(words)
    if code:
        raise SystemExit(silence.getvalue())


def measure(corpus: Corpus, works: tuple[Work, ...], rounds: int) -> Iterator[Result]:
    """Yield the results of a corpus; in each round every piece of work has its turn."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_corpus(
            folder,
            docs=corpus.docs,
            rows=corpus.rows,
            seed=7,
            kinds=("invoice",),
            models=("careful",),
            confidences=corpus.confidences,
        )
        floors: dict[str, list[float]] = {work.name: [] for work in works}
        rates: dict[str, list[float]] = {work.name: [] for work in works}
        for _ in range(rounds):
            for work in works:
                gold, pred = folder / "gold.jsonl", folder / "careful.jsonl"
                floors[work.name].append(rate(gold, pred, corpus.floor))
                rates[work.name].append(corpus.docs / seconds(work, folder))
    for work in works:
        own, bare = rates[work.name], floors[work.name]
        ratios = [a / b for a, b in zip(own, bare, strict=True)]
        yield Result(
            corpus.name,
            corpus.docs,
            work.name,
            statistics.median(own),
            statistics.median(bare),
            statistics.median(ratios),
            min(ratios),
            max(ratios),
            AIMS.get((corpus.name, work.name)),
        )


def cold_start(arguments: list[str], rounds: int) -> float:
    """Return the median CPU seconds of a fresh process."""
    times = []
    for _ in range(rounds):
        before = os.times()
        subprocess.run(
            [sys.executable, "-m", "docassay", *arguments], check=True, stdout=subprocess.DEVNULL
        )
        after = os.times()
        own = after.children_user + after.children_system
        times.append(own - before.children_user - before.children_system)
    return statistics.median(times)


def facts(rounds: int) -> dict[str, str | int]:
    """Return what the numbers hang on besides the code."""
    return {
        "docassay": VERSION,
        "python": platform.python_version(),
        "system": platform.system(),
        "machine": platform.machine(),
        "cores": os.cpu_count() or 1,
        "load": round(os.getloadavg()[0]),
        "rounds": rounds,
        "date": time.strftime("%Y-%m-%d"),
    }


HEAD = ("documents", "work", "docassay", "floor", "ratio", "from", "to", "aim")


def cells(result: Result) -> tuple[str, ...]:
    """Return a result as texts."""
    return (
        f"{result.docs:,} of {result.corpus}",
        result.work,
        f"{result.rate:,.0f}",
        f"{result.floor:,.0f}",
        f"{result.ratio:.3f}",
        f"{result.least:.3f}",
        f"{result.greatest:.3f}",
        "" if result.aim is None else f"{result.aim:.2f}",
    )


def write(results: list[Result], known: dict[str, str | int], start: float) -> None:
    """Keep the results beside this file."""
    kept = {
        "facts": known,
        "help_cpu_seconds": start,
        "results": [result._asdict() for result in results],
    }
    (HERE / "results.json").write_text(json.dumps(kept, indent=2) + "\n")
    lines = [
        "# Results of `make bench`",
        "",
        ", ".join(f"{name} {value}" for name, value in known.items())
        + f". `docassay --help`: {start:.2f} CPU seconds.",
        "Documents per CPU second, medians; ratios to the floor with the least and the greatest.",
        "",
        f"| {' | '.join(HEAD)} |",
        f"| {' | '.join('---' if i < 2 else '---:' for i in range(len(HEAD)))} |",
        *(f"| {' | '.join(cells(result))} |" for result in results),
        "",
    ]
    (HERE / "results.md").write_text("\n".join(lines))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--scale", type=float, default=1.0, help="part of the documents")
    parser.add_argument("--quick", action="store_true", help="a tenth of the documents, two rounds")
    parser.add_argument("--only", default="", help="work whose name has this text")
    parser.add_argument("--corpora", default=",".join(corpus.name for corpus in CORPORA))
    parser.add_argument("--write", action="store_true", help="keep results.json and results.md")
    chosen = parser.parse_args()
    rounds, scale = (2, 0.1) if chosen.quick else (chosen.rounds, chosen.scale)
    works = tuple(work for work in WORKS if chosen.only in work.name)
    known = facts(rounds)
    print(f"{'':60} {'docassay':>9} {'floor':>9} {'ratio':>7}   (from-to)  aim")
    results: list[Result] = []
    for corpus in CORPORA:
        if corpus.name not in chosen.corpora.split(","):
            continue
        corpus = corpus._replace(docs=max(round(corpus.docs * scale), 2))
        for result in measure(corpus, works, rounds):
            results.append(result)
            docs, work, own, bare, ratio, least, greatest, aim = cells(result)
            place = f"{docs}: {work}"
            print(f"{place:60} {own:>9} {bare:>9} {ratio:>7}   ({least}-{greatest})  {aim}")
            sys.stdout.flush()
    print(f"(documents per CPU second, reading included, medians of {rounds} interleaved rounds)\n")
    start = cold_start(["--help"], max(rounds, 3))
    print(f"docassay --help, cold: {start:.2f} CPU s   aim 0.15")
    if chosen.write:
        write(results, known, start)


if __name__ == "__main__":
    main()
