"""How fast the viewer lists and filters a large run, and what memory its server takes.

    python benchmarks/view.py [--docs 100000] [--run FOLDER] [--keep FOLDER]

A generated corpus is scored into a folder (for 100,000 documents that takes a quarter of an hour;
`--run` takes a run that is there), the server is started on it as a user would, and each question
is asked several times over HTTP. The limits are those that people notice: 300 ms for the first page
of the list, 500 ms for a filter, 500 MB for the server.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.request import HTTPCookieProcessor, OpenerDirector, build_opener

TIMES = 7
FIRST_PAGE = 300.0
FILTER = 500.0
MEMORY = 500.0
QUESTIONS = {
    "first page": ("documents?limit=50", FIRST_PAGE),
    "by field": ("documents?limit=50&field=line_items.price", FILTER),
    "by cause": ("documents?limit=50&cause=OCR%20look-alike", FILTER),
    "by field and cause": (
        "documents?limit=50&field=line_items.price&cause=OCR%20look-alike",
        FILTER,
    ),
    "by document type": ("documents?limit=50&type=invoice&wrong=1", FILTER),
    "by score": ("documents?limit=50&least=0.5&most=0.9", FILTER),
    "by text": ("documents?limit=50&q=street", FILTER),
    "by a text nobody has": ("documents?limit=50&q=zzzzzz", FILTER),
    "by id": ("documents?limit=50&q=invoice_00008", FILTER),
    "most wrong first": ("documents?limit=50&sort=wrong", FILTER),
    "last page": ("documents?limit=50&offset=LAST", FILTER),
    "next wrong document": ("next?after=FIRST", FILTER),
    "one document": ("documents/FIRST", FILTER),
    "the overview": ("", FILTER),
}


def corpus(home: Path, docs: int) -> Path:
    """Score a generated corpus and return its run folder."""
    command = [sys.executable, "-m", "docassay"]
    synth = ["synth", "--out", str(home), "--docs", str(docs), "--seed", "1", "--model", "hasty"]
    subprocess.run([*command, *synth], check=True)
    inputs = [str(home / name) for name in ("gold.jsonl", "hasty.jsonl")]
    options = ["--schema", str(home / "schema.yaml"), "--out", str(home / "run")]
    subprocess.run([*command, "score", *inputs, *options], check=True)
    return home / "run"


def ask(opener: OpenerDirector, address: str) -> tuple[bytes, float]:
    start = time.perf_counter()
    with opener.open(address, timeout=600) as answer:
        content = answer.read()
    return content, (time.perf_counter() - start) * 1e3


def memory(process: int) -> float:
    """Return the most memory that a process has taken so far, in MB."""
    status = Path(f"/proc/{process}/status").read_text()
    match = re.search(r"VmHWM:\s+(\d+) kB", status)
    return float(match[1]) / 1024 if match else 0.0


def measure(run: Path) -> bool:
    """Print how long each question takes; return whether all limits hold."""
    start = time.perf_counter()
    command = [sys.executable, "-m", "docassay", "view", str(run), "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        link = server.stdout.readline().strip()
        print(f"index and start: {time.perf_counter() - start:.1f} s")
        home = link.partition("/?")[0]
        opener = build_opener(HTTPCookieProcessor())
        opener.open(link).close()
        api = f"{home}/api/runs/{run.name}"
        page = json.loads(ask(opener, f"{api}/documents?limit=1")[0])
        first = page["lines"][0]["id"]
        print(f"{page['total']:,} documents, {TIMES} times each")
        fine = True
        for name, (question, limit) in QUESTIONS.items():
            text = question.replace("FIRST", first).replace("LAST", str(page["total"] - 50))
            address = f"{api}/{text}" if text else api
            taken = sorted(ask(opener, address)[1] for _ in range(TIMES))
            median, worst = taken[TIMES // 2], taken[-1]
            fine &= median <= limit
            print(f"  {name:22} {median:7.1f} ms (worst {worst:.1f}, limit {limit:.0f})")
        took = memory(server.pid)
        print(f"  {'server memory':22} {took:7.1f} MB (limit {MEMORY:.0f})")
        server.terminate()
    return fine and took <= MEMORY


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--docs", type=int, default=100_000)
    parser.add_argument("--run", type=Path, help="a run that is there already")
    parser.add_argument("--keep", type=Path, help="where to keep the corpus")
    given = parser.parse_args()
    if given.run is not None:
        return 0 if measure(given.run) else 1
    with tempfile.TemporaryDirectory() as place:
        home = given.keep or Path(place)
        home.mkdir(parents=True, exist_ok=True)
        return 0 if measure(corpus(home, given.docs)) else 1


if __name__ == "__main__":
    sys.exit(main())
