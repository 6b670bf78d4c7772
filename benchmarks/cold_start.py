"""What a start costs: CPU seconds of `--help`, of the import, and of a score of one document.

    python benchmarks/cold_start.py [--rounds 7]

Each command runs in a process of its own, with the bytecode that an installed package has; the
median of the rounds is shown beside the bound, with the lowest and the highest. Exit code 1 when a
median is above its bound. On a busy machine CPU seconds are up to twice those of a quiet one.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import NamedTuple

import docassay

GOLD = {
    "id": "r1",
    "vendor": "Acme Ltd",
    "date": "2024-03-05",
    "total": "$7.50",
    "items": [{"name": f"Item {row}", "price": f"{row}.50"} for row in range(8)],
}
PRED = {
    **GOLD,
    "total": "7.5O",
    "items": [{"name": f"Item {row}", "price": f"{row}.00"} for row in reversed(range(7))],
}


class Start(NamedTuple):
    """One way to start, with the CPU seconds that it may take."""

    name: str
    words: list[str]
    bound: float


def starts(home: Path) -> list[Start]:
    """Return the ways to start, the inputs of a score written to a folder."""
    paths = []
    for name, tree in (("gold", GOLD), ("pred", PRED)):
        paths.append(home / f"{name}.jsonl")
        paths[-1].write_text(json.dumps(tree) + "\n")
    command = [sys.executable, "-m", "docassay"]
    return [
        Start("docassay --help", [*command, "--help"], 0.15),
        Start("import docassay", [sys.executable, "-c", "import docassay"], 0.05),
        Start("score of one document", [*command, "score", *map(str, paths)], 0.5),
    ]


def cpu_seconds(words: list[str]) -> float:
    """Return the CPU seconds of a process."""
    before = os.times()
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = os.times()
    used = after.children_user - before.children_user
    return used + after.children_system - before.children_system


def main() -> int:
    """Measure all starts and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_args().rounds
    compileall.compile_dir(Path(docassay.__file__).parent, quiet=2)
    code = 0
    with tempfile.TemporaryDirectory() as home:
        for start in starts(Path(home)):
            cpu_seconds(start.words)  # files that nobody has read yet
            times = [cpu_seconds(start.words) for _ in range(rounds)]
            middle = median(times)
            spread = f"{min(times):.2f} to {max(times):.2f}"
            print(f"{start.name:24} {middle:.2f} CPU s ({spread}), bound {start.bound:.2f}")
            code = 1 if middle > start.bound else code
    return code


if __name__ == "__main__":
    sys.exit(main())
