"""Speed of `ner` against ie-eval 0.2.0 and a bare rapidfuzz + scipy computation, in one run.

    python benchmarks/ner.py [--rounds 5] [--slow-rounds 3] [--quick] [--venv FOLDER]

All times are CPU seconds with reading included and imports excluded, and every ratio is the median
over interleaved rounds. ie-eval gets a virtual environment of its own, and its order-free scores
are called as its command line calls them, so it reads the files once for each of two tables. The
bare computation is in ner_floor.py: once of the same scores as docassay, once of oiecer alone (what
docassay calls the part oiecer has oiewer in it, and both come by category). The run ends with an
error when the three do not agree on the numbers.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import docassay
from ner_corpus import write_corpus
from ner_floor import bare_oiecer, bare_scores

RELEASED = "ie-eval==0.2.0"
FREE = {"ner.only": ("oiecer", "oinerval")}
ALONE = {"ner.only": ("oiecer",)}
ASK_RELEASED = """
import json, logging, sys, time
from pathlib import Path
from ie_eval.metrics.assignment_based import compute_ecerewer, compute_nerval

logging.disable(logging.INFO)
folders = {"label_dir": Path(sys.argv[1]), "prediction_dir": Path(sys.argv[2])}
start = time.process_time()
rates = compute_ecerewer(order_independent=True, print_table=False, **folders)
matches = compute_nerval(
    order_independent=True, print_table=False, nerval_threshold=30.0, **folders
)
seconds = time.process_time() - start
rows = [dict(zip(table.field_names, table.rows[0])) for table in (rates, matches)]
print(json.dumps({"seconds": seconds, "printed": {**rows[0], **rows[1]}}))
"""
COLUMNS = {
    "ECER (%)": "oiecer",
    "EWER (%)": "oiewer",
    "Precision (%)": "oinerval_precision",
    "Recall (%)": "oinerval_recall",
    "F1 (%)": "oinerval_f1",
}
"""The columns of ie-eval's two tables, and the readouts of `ner` that they stand for."""

Scores = dict[str, float]


class Timed(NamedTuple):
    """CPU seconds and what was computed in them."""

    seconds: float
    scores: Scores


class Job(NamedTuple):
    """A corpus and the ratios to reach."""

    docs: int
    entities: int
    faster: float | None = None
    """Times faster than ie-eval, at least."""
    everything: float | None = None
    """Cost of all readouts over that of oiecer alone, at most."""
    above_floor: float | None = None
    """Cost over that of a bare computation, at most."""


WARM_UP = Job(2, 30)
JOBS = (Job(200, 30, 20, 20, 2), Job(200, 100, 100, 12, 2), Job(1, 500, 600, 6, 2))
SMALL = (Job(10, 30), Job(4, 100), Job(1, 150))

Side = Callable[[Path], Timed]


def ours(settings: Mapping[str, object]) -> Side:
    """Return the side that is a run of docassay with the metric `ner`."""

    def run(folder: Path) -> Timed:
        start = time.process_time()
        report = docassay.score(
            folder / "gold",
            folder / "pred",
            gold_format="bio",
            pred_format="bio",
            metrics=["ner"],
            settings=settings,
        )
        seconds = time.process_time() - start
        found = {one.readout: one.value for one in report.scores if not one.key}
        return Timed(seconds, {name: value for name, value in found.items() if value is not None})

    return run


def floor(compute: Callable[[Path, Path], Scores]) -> Side:
    """Return the side that is a bare computation."""

    def run(folder: Path) -> Timed:
        start = time.process_time()
        scores = compute(folder / "gold", folder / "pred")
        return Timed(time.process_time() - start, scores)

    return run


def released(python: Path) -> Side:
    """Return the side that is ie-eval, in a fresh process of its own interpreter."""

    def run(folder: Path) -> Timed:
        ended = subprocess.run(
            [python, "-c", ASK_RELEASED, folder / "gold", folder / "pred"],
            env={
                **os.environ,
                "PYTHONUTF8": "1",
                "PYTHONPATH": "",
            },  # it reads in the locale's code
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
        answer = json.loads(ended.stdout)
        printed = answer["printed"]
        return Timed(
            answer["seconds"],
            {readout: float(printed[column]) / 100 for column, readout in COLUMNS.items()},
        )

    return run


def install(folder: Path) -> Path:
    """Return the interpreter of a virtual environment that has ie-eval, made when there is none."""
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    pip = [str(python), "-m", "pip", "install", "-qq", "--disable-pip-version-check", RELEASED]
    subprocess.run(pip, check=True)
    return python


def measure(
    folder: Path, sides: dict[str, Side], rounds: int, slow_rounds: int
) -> dict[str, list[Timed]]:
    """Return the rounds of every side, interleaved; the slow side sits out the last ones."""
    found: dict[str, list[Timed]] = {name: [] for name in sides}
    for number in range(rounds):
        for name, side in sides.items():
            if name != "ie-eval" or number < slow_rounds:
                found[name].append(side(folder))
    return found


def disagreements(found: dict[str, list[Timed]]) -> Iterator[str]:
    """Yield every number that another side computes differently from docassay."""
    whole = found["all"][0].scores
    for name, near in (("ie-eval", 0.5e-4), ("bare oiecer", 0.0), ("bare", 0.0), ("docassay", 0.0)):
        for readout, value in found[name][0].scores.items():
            # ie-eval prints percentages with two decimals
            if abs(value - whole[readout]) > near + 1e-8:
                yield f"{name} has {readout} {value:.6f}, docassay {whole[readout]:.6f}"


def lines(job: Job, found: dict[str, list[Timed]]) -> Iterator[str]:
    """Yield the ratios of a corpus, each with its aim."""
    yield f"{job.docs} x {job.entities} entities"
    for words, one, other, aim, least in (
        ("ie-eval / docassay, order-free scores", "ie-eval", "docassay", job.faster, True),
        ("docassay / bare, order-free scores", "docassay", "bare", job.above_floor, False),
        ("docassay / bare, oiecer alone", "oiecer", "bare oiecer", job.above_floor, False),
        ("docassay, all readouts / oiecer alone", "all", "oiecer", job.everything, False),
    ):
        times = [[timed.seconds for timed in found[name]] for name in (one, other)]
        ratio = statistics.median(a / b for a, b in zip(*times, strict=False))
        seconds = " ".join(f"{statistics.median(side):9.4f}" for side in times)
        verdict = "" if aim is None else verdict_of(ratio, aim, least=least)
        yield f"  {words:38} {seconds} {ratio:9.2f} {min(map(len, times)):7}   {verdict}".rstrip()


def verdict_of(ratio: float, aim: float, *, least: bool) -> str:
    met = ratio >= aim if least else ratio <= aim
    return f"at {'least' if least else 'most'} {aim:g}: {'met' if met else 'missed'}"


@contextmanager
def folder_of(given: Path | None) -> Iterator[Path]:
    """Give a folder that stays, or a temporary one."""
    if given is not None:
        yield given
        return
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def run_jobs(jobs: Sequence[Job], python: Path, rounds: int, slow_rounds: int) -> None:
    sides: dict[str, Side] = {
        "ie-eval": released(python),
        "docassay": ours(FREE),
        "bare": floor(bare_scores),
        "bare oiecer": floor(bare_oiecer),
        "oiecer": ours(ALONE),
        "all": ours({}),
    }
    print(f"{'':40} {'seconds':>9} {'seconds':>9} {'ratio':>9} {'rounds':>7}   aim")
    for job in (WARM_UP, *jobs):  # imports and first calls are not measured
        with tempfile.TemporaryDirectory() as folder:
            write_corpus(Path(folder), docs=job.docs, entities=job.entities, seed=7)
            found = measure(Path(folder), sides, rounds, slow_rounds)
        wrong = [*disagreements(found)]
        if wrong:
            sys.exit("\n".join(wrong))
        if job is not WARM_UP:
            print("\n".join(lines(job, found)), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--slow-rounds", type=int, default=3, help="of ie-eval")
    parser.add_argument("--quick", action="store_true", help="small corpora, without aims")
    parser.add_argument("--venv", type=Path, help="where ie-eval is, or will be, installed")
    chosen = parser.parse_args()
    with folder_of(chosen.venv) as folder:
        python = install(folder)
        jobs = SMALL if chosen.quick else JOBS
        run_jobs(jobs, python, chosen.rounds, min(chosen.rounds, chosen.slow_rounds))
    print("(CPU seconds, reading included, medians of interleaved rounds; all numbers agree)")
    print(f"(edlib {'is' if importlib.util.find_spec('edlib') else 'is not'} installed)")


if __name__ == "__main__":
    main()
