"""What scale costs: workers against one process, memory of many documents, kill and resume.

    python benchmarks/scale.py [--docs N] [--many N] [--few N] [--metrics A,B] [--write]

Documents are generated invoices of eight rows, in the order of gold on one side and shuffled on the
other. Every run is the command as a user gives it, with `--out`, in a process of its own: seconds
of the clock, CPU seconds of all its processes and the peak of its memory come from the operating
system. Speed-up is meaningful on a quiet machine only, so the load before each run stands beside
it. `--write` keeps the results, with the date and the machine, in scale.json and scale.md.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import platform
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import NamedTuple

from docassay.synth.corpus import write_corpus
from docassay.version import VERSION

HERE = Path(__file__).parent
DISTINCT = 10_000
ROWS = 8
FILES = ("ledger.jsonl", "verdicts.jsonl", "problems.jsonl", "errors.csv", "extractions.csv")
MEGABYTE = 1 << 20
METRICS: list[str] = []
"""Options that choose metrics, none for what users get."""


class Measured(NamedTuple):
    """One run of the command."""

    name: str
    documents: int
    seconds: float
    cpu: float
    driver_cpu: float
    """Of the process that reads answers and writes files: what does not get faster by workers."""
    peak_mb: float
    """Of that process."""
    load: float
    digest: str


def corpus(home: Path, documents: int) -> Path:
    """Write so many documents; each distinct one comes again under other ids."""
    base, place = home / "base", home / f"{documents}"
    if not base.exists():
        write_corpus(
            base, docs=DISTINCT, rows=ROWS, seed=5, models=["careful"], kinds=["invoice"],
            confidences=False,
        )  # fmt: skip
    if not place.exists():
        place.mkdir()
        for source, target in (("gold", "gold"), ("careful", "pred")):
            lines = (base / f"{source}.jsonl").read_bytes().splitlines(keepends=True)
            with (place / f"{target}.jsonl").open("wb") as file:
                file.writelines(_again(lines, documents, shuffle=target == "pred"))
    return place


def _again(lines: list[bytes], documents: int, *, shuffle: bool) -> Iterator[bytes]:
    order = [*range(documents)]
    if shuffle:
        random.Random(1).shuffle(order)
    for number in order:
        line = lines[number % len(lines)]
        head, _, rest = line.partition(b'","')
        yield head + b"-%d" % (number // len(lines)) + b'","' + rest


def command(place: Path, out: Path, *more: str) -> list[str]:
    """Return the command that scores a corpus into a folder."""
    inputs = [str(place / "gold.jsonl"), str(place / "pred.jsonl")]
    options = ["--out", str(out), "--quiet", "--format", "json", *METRICS, *more]
    return [sys.executable, "-m", "docassay", "score", *inputs, *options]


def measure(name: str, place: Path, documents: int, out: Path, *more: str) -> Measured:
    """Run the command once and return what it took."""
    load = os.getloadavg()[0]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    process = subprocess.Popen(command(place, out, *more), stdout=subprocess.DEVNULL)
    driver = _watch(process)
    seconds = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if process.returncode:
        raise SystemExit(f"{name} ended with {process.returncode}")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    result = Measured(name, documents, seconds, cpu, *driver, load, digest(out))
    print(
        f"{name}: {seconds:.1f} s, {cpu:.1f} CPU s, of them {driver.cpu:.1f} in the driver, "
        f"peak {driver.peak_mb:.0f} MB, load {load:.1f}",
        file=sys.stderr,
    )
    return result


class Watched(NamedTuple):
    """What a process took until its end."""

    cpu: float
    peak_mb: float


def _watch(process: subprocess.Popen[bytes]) -> Watched:
    """Wait for the end of a process and return what it took by itself, without its workers."""
    cpu = peak = 0
    place = Path(f"/proc/{process.pid}")
    while process.poll() is None:
        try:
            lines = (place / "status").read_text().splitlines()
            times = (place / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        peak = max([peak, *(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))])
        cpu = max(cpu, int(times[11]) + int(times[12]))
        time.sleep(0.2)
    return Watched(cpu / os.sysconf("SC_CLK_TCK"), peak / 1024)


def digest(out: Path) -> str:
    """Return a digest of the files that must be the same whatever scored them."""
    content = hashlib.blake2b(digest_size=8)
    for file_name in FILES:
        if not (out / file_name).exists():  # which files there are depends on the metrics
            continue
        with (out / file_name).open("rb") as file:
            while block := file.read(MEGABYTE):
                content.update(block)
    return content.hexdigest()


def killed_and_resumed(place: Path, documents: int, out: Path, ledger: int) -> Measured:
    """Kill a run with SIGKILL once a third of its ledger is written, and go on with it."""
    process = subprocess.Popen(command(place, out), stdout=subprocess.DEVNULL)
    part = out / "ledger.part.jsonl"
    while process.poll() is None:
        time.sleep(0.1)
        if part.exists() and part.stat().st_size > ledger // 3:
            break
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    return measure("killed and resumed", place, documents, out, "--resume")


def run(home: Path, docs: int, many: int, few: int) -> dict[str, object]:
    """Return all measurements and whether the aims are met."""
    place = corpus(home, docs)
    one = measure("1 worker", place, docs, home / "one", "--workers", "1")
    two = measure("2 workers", place, docs, home / "two", "--workers", "2")
    results = [one, two]
    ideal = two.driver_cpu + (two.cpu - two.driver_cpu) / 2
    aims: dict[str, object] = {
        "speed-up of 2 workers by the clock, aim 1.7": round(one.seconds / two.seconds, 2),
        "the same by CPU seconds, had every process a core": round(one.cpu / ideal, 2),
        "same bytes with 1 and 2 workers": one.digest == two.digest,
    }
    if many:
        base = measure(f"{few:,} documents", corpus(home, few), few, home / "few")
        place = corpus(home, many)
        whole = measure(f"{many:,} documents", place, many, home / "many")
        ledger = (home / "many" / "ledger.jsonl").stat().st_size
        again = killed_and_resumed(place, many, home / "killed", ledger)
        results += [base, whole, again]
        above = round(whole.peak_mb - base.peak_mb)
        aims[f"peak memory above that of {few:,} documents in MB, aim 300"] = above
        aims["killed and resumed: same bytes"] = again.digest == whole.digest
    return {"results": [result._asdict() for result in results], "aims": aims}


def facts() -> dict[str, object]:
    """Return what the numbers depend on."""
    return {
        "docassay": VERSION,
        "date": os.environ.get("BENCH_DATE") or date.today().isoformat(),
        "python": platform.python_version(),
        "cores": len(os.sched_getaffinity(0)),
        "machine": platform.machine(),
        "metrics": METRICS[-1] if METRICS else "default",
    }


def page(report: dict[str, object]) -> str:
    """Return the results as Markdown."""
    head = ", ".join(f"{name} {value}" for name, value in report["facts"].items())  # type: ignore[attr-defined]
    lines = [
        "# Scale",
        "",
        f"`python benchmarks/scale.py`: {head}. Invoices of {ROWS} rows, `--out`, no schema.",
        "",
        "| run | documents | seconds | CPU s | in the driver | peak MB | load before |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    lines += [
        f"| {r['name']} | {r['documents']:,} | {r['seconds']:.1f} | {r['cpu']:.1f} "
        f"| {r['driver_cpu']:.1f} | {r['peak_mb']:.0f} | {r['load']:.1f} |"
        for r in report["results"]  # type: ignore[attr-defined]
    ]
    lines += ["", "| aim | measured |", "| --- | ---: |"]
    lines += [f"| {name} | {value} |" for name, value in report["aims"].items()]  # type: ignore[attr-defined]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure, print, and keep the results if asked to."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--docs", type=int, default=100_000)
    parser.add_argument("--many", type=int, default=1_000_000, help="0 leaves memory out")
    parser.add_argument("--few", type=int, default=10_000)
    parser.add_argument("--home", type=Path, help="where corpora and runs are kept")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--metrics", help="fewer of them, where memory is what counts")
    asked = parser.parse_args()
    METRICS.extend(["--metrics", asked.metrics] if asked.metrics else [])
    with tempfile.TemporaryDirectory() as temporary:
        home = asked.home or Path(temporary)
        home.mkdir(parents=True, exist_ok=True)
        report = {"facts": facts(), **run(home, asked.docs, asked.many, asked.few)}
    print(page(report))
    if asked.write:
        (HERE / "scale.json").write_text(json.dumps(report, indent=1) + "\n")
        (HERE / "scale.md").write_text(page(report))


if __name__ == "__main__":
    main()
