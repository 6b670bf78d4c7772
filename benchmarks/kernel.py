"""What compiling the kernel brings: the same run with the compiled form and with its Python.

    python benchmarks/kernel.py [--docs N] [--rows N]

Each round starts one process for either form, which scores the same plain invoices as text. CPU
seconds of `entity,kieval` with reading, and of making and counting the cases alone; the ratio is
the median over seven interleaved rounds, with the least and the greatest.
"""

from __future__ import annotations

import argparse
import gc
import importlib.util
import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

FORMS = ("compiled", "python")
STEPS = ("entity,kieval as text", "cases made and counted")
ROUNDS = 7


class SourceFinder:
    """Finds the modules of the kernel as the Python that they are."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not name.startswith("docassay.kernel.") or not path:
            return None
        file = Path(path[0], f"{name.rpartition('.')[2]}.py")
        return importlib.util.spec_from_file_location(name, file)


def once(form: str, folder: Path) -> list[float]:
    """Return the CPU seconds of each step in this process."""
    if form == "python":
        sys.meta_path.insert(0, SourceFinder)
    import scipy.optimize  # noqa: F401 - so that no measured step pays for it

    import docassay.kernel
    from docassay.matching.case import make_case
    from docassay.run.open import open_run
    from docassay.run.options import Options
    from timing import seconds

    if (form == "compiled") != docassay.kernel.COMPILED:
        raise SystemExit("the kernel is not compiled here: run `make setup` with a compiler")
    files = (folder / "gold.jsonl", folder / "pred.jsonl")
    names = ("entity", "kieval")
    whole = seconds(lambda: docassay.score(*files, metrics=names, types="text"))
    prepared = open_run(*files, Options(metrics=names, types="text"))
    pairs = [*prepared.pairing]
    layouts = prepared.bound.layouts

    def count() -> None:
        for pair in pairs:
            gold, pred = pair.trees
            make_case(pair.id, gold, pred, layouts).tally()

    gc.disable()  # as a run does
    return [whole, seconds(count)]


def measured(form: str, folder: Path) -> list[float]:
    """Return the same of a process of its own."""
    words = [sys.executable, __file__, "--form", form, "--folder", str(folder)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    seconds: list[float] = json.loads(done.stdout)
    return seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--docs", type=int, default=2000)
    parser.add_argument("--rows", type=int, default=8)
    parser.add_argument("--form", choices=FORMS, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.form:
        print(json.dumps(once(asked.form, asked.folder)))
        return
    from corpora import write_plain

    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        write_plain(folder, docs=asked.docs, rows=asked.rows)
        rounds = [[measured(form, folder) for form in FORMS] for _ in range(ROUNDS)]
    for at, step in enumerate(STEPS):
        ratios = [python[at] / compiled[at] for compiled, python in rounds]
        own = statistics.median(compiled[at] for compiled, _ in rounds) / asked.docs * 1e6
        spread = f"{min(ratios):.2f} to {max(ratios):.2f}"
        middle = statistics.median(ratios)
        print(f"{step}: {own:.0f} µs a document, its Python {middle:.2f} times that ({spread})")


if __name__ == "__main__":
    main()
