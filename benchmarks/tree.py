"""Speed of `tree` against zss and anls-star, in one run, and whether they say the same.

    python benchmarks/tree.py [--rounds 3] [--quick] [--venv FOLDER]

The released packages get a virtual environment of their own. They are slow, so they see the first
documents of the corpus only, docassay all of them, and times are CPU seconds for each document,
reading included and imports excluded. Every ratio is the median over interleaved rounds. The run
ends with an error when a document that both have seen has two scores, on the corpus or on further
pairs that are made to be difficult.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import scipy.optimize  # noqa: F401 - imported here so that no measured call pays for it

import docassay
from docassay.synth.corpus import write_corpus
from tree_pairs import write_pairs

RELEASED = ("anls-star==1.0.1", "munkres==3.0.0", "zss==1.2.0", "rapidfuzz>=3.9")
"""How ties fall in anls-star depends on the version of munkres."""
ASK_RELEASED = Path(__file__).with_name("tree_released.py")
NEAR = 1e-9
MODEL = "hasty"

Scores = Mapping[str, float | None]


class Part(NamedTuple):
    """A score, the package that has it, and how much faster docassay is to be."""

    name: str
    package: str
    first: int
    """The documents of the corpus that the package is given."""
    aim: float


class Timed(NamedTuple):
    """CPU seconds a document, and the score of each."""

    seconds: float
    scores: Scores


PARTS = (Part("nted", "zss", 20, 100), Part("anls_star", "anls-star", 60, 50))


def ours(part: Part, gold: Path, pred: Path) -> Timed:
    """Return what docassay takes and says."""
    start = time.process_time()
    report = docassay.score(
        gold,
        pred,
        gold_format="jsonl",
        pred_format="jsonl",
        metrics=["tree"],
        settings={"tree.only": part.name},
    )
    seconds = time.process_time() - start
    scores = {line.id: line.scores[f"tree.{part.name}"] for line in report.lines}
    return Timed(seconds / report.documents, scores)


def released(part: Part, python: Path, gold: Path, pred: Path, first: int) -> Timed:
    """Return what the released package takes and says."""
    ended = subprocess.run(
        [python, ASK_RELEASED, part.name, gold, pred, str(first)],
        env={**os.environ, "PYTHONPATH": ""},
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    answer = json.loads(ended.stdout)
    return Timed(answer["seconds"] / len(answer["scores"]), answer["scores"])


def install(folder: Path) -> Path:
    """Return the interpreter of a virtual environment with the packages, made when needed."""
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    pip = [str(python), "-m", "pip", "install", "-qq", "--disable-pip-version-check", *RELEASED]
    subprocess.run(pip, check=True)
    return python


def disagreements(part: Part, own: Scores, other: Scores) -> Iterator[str]:
    """Yield every document that another package scores differently."""
    for name, theirs in other.items():
        mine = own[name]
        same = mine is theirs if mine is None or theirs is None else abs(mine - theirs) <= NEAR
        if not same:
            yield f"{part.package} has {part.name} {theirs} for {name}, docassay {mine}"


def agree_on_pairs(folder: Path, python: Path, pairs: int) -> None:
    """End the run when a difficult pair has two scores."""
    write_pairs(folder, pairs=pairs, rows=4, seed=11)
    files = folder / "gold.jsonl", folder / "pred.jsonl"
    for part in PARTS:
        other = released(part, python, *files, pairs).scores
        stop_on([*disagreements(part, ours(part, *files).scores, other)])
        print(f"{part.name}: docassay and {part.package} agree on {len(other)} difficult pairs")


def stop_on(wrong: list[str]) -> None:
    if wrong:
        sys.exit("\n".join(wrong))


def invoices(folder: Path, *, docs: int, rows: int) -> tuple[Path, Path]:
    """Write generated invoices and what a hasty model makes of them."""
    write_corpus(
        folder,
        docs=docs,
        rows=rows,
        seed=7,
        kinds=("invoice",),
        models=(MODEL,),
        confidences=False,
    )
    return folder / "gold.jsonl", folder / f"{MODEL}.jsonl"


def race(folder: Path, python: Path, docs: int, rounds: int) -> None:
    """Print how much faster docassay is on invoices of 8 rows."""
    files = invoices(folder, docs=docs, rows=8)
    print(f"{docs} invoices of 8 rows; CPU milliseconds a document, medians of {rounds} rounds")
    for part in PARTS:
        first = min(part.first, docs)
        times = []
        for _ in range(rounds):
            own, other = ours(part, *files), released(part, python, *files, first)
            stop_on([*disagreements(part, own.scores, other.scores)])
            times.append((own.seconds, other.seconds))
        ratio = statistics.median(other / own for own, other in times)
        mine, theirs = (1000 * statistics.median(side) for side in zip(*times, strict=True))
        met = "met" if ratio >= part.aim else "missed"
        print(
            f"{part.name:10} docassay {mine:7.2f}   {part.package} {theirs:8.2f} (first {first})"
            f"   {ratio:6.0f} times   at least {part.aim:g}: {met}",
            flush=True,
        )


def long_document(folder: Path) -> None:
    """Print how long a document of 300 rows takes."""
    files = invoices(folder, docs=1, rows=300)
    for part in PARTS:
        seconds = ours(part, *files).seconds
        met = "met" if seconds < 5 else "missed"
        print(f"{part.name:10} {seconds:7.2f} s for an invoice of 300 rows   under 5: {met}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="a small corpus")
    parser.add_argument("--venv", type=Path, help="where the packages are, or will be, installed")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        python = install(chosen.venv or folder / "venv")
        agree_on_pairs(folder / "pairs", python, 300)
        race(folder / "race", python, 60 if chosen.quick else 2000, chosen.rounds)
        long_document(folder / "long")


if __name__ == "__main__":
    main()
