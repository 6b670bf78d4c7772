"""Dask, Ray and Spark against the pool: the same documents, a worker killed, the same bytes.

    python benchmarks/cluster.py [--docs 100000] [--workers 2] [--metrics A,B] [--write]

Clusters are real ones on 127.0.0.1; Ray is left out where there is another network, because it goes
by that (`tests/cluster/alone` runs a command in a network of its own). Each engine scores the
corpus of scale.py into a folder, in a process of its own; when a third of the documents is done,
one of its worker processes is killed. Bytes are compared with those of one process. `--write` keeps
the results in cluster.json and cluster.md, with the date and the machine.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from scale import HERE, corpus, digest, facts

ENGINES = ("one process", "pool", "dask", "ray", "spark")
MARKS = {
    "pool": b"engines.worker",
    "dask": b"spawn_main",
    "ray": b"ray::run_task",
    "spark": b"pyspark.daemon",
}
"""What the command lines of an engine's worker processes have in common."""


def workers_of(mark: bytes) -> list[int]:
    """Return the processes below this one whose command line has a mark, the latest last."""
    parents: dict[int, int] = {}
    marked = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            command = (place / "cmdline").read_bytes()
            parent = int((place / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        parents[int(place.name)] = parent
        if mark in command:
            marked.append(int(place.name))
    return sorted(pid for pid in marked if _is_below(pid, parents))


def _is_below(pid: int, parents: dict[int, int]) -> bool:
    while pid in parents:
        pid = parents[pid]
        if pid == os.getpid():
            return True
    return False


def score(engine: str, home: Path, docs: int, workers: int, metrics: str | None) -> None:
    """Score with an engine in this process, and kill one of its workers in mid-run."""
    import docassay as da

    place, out = home / str(docs), home / engine.replace(" ", "-")
    killed: list[int] = []

    def kill(done: int) -> None:
        mark = MARKS.get(engine)
        if mark is not None and not killed and done >= docs // 3:
            pids = workers_of(mark)
            if pids:
                killed.append(pids[-1])
                os.kill(pids[-1], signal.SIGKILL)

    cluster = {"pool": "local", "one process": "local"}.get(engine, engine)
    start = time.perf_counter()
    da.score(
        str(place / "gold.jsonl"),
        str(place / "pred.jsonl"),
        out=out,
        engine=cluster,
        workers=1 if engine == "one process" else workers,
        metrics=None if metrics is None else metrics.split(","),
        progress=kill,
    )
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    print(
        json.dumps(
            {
                "engine": engine,
                "documents": docs,
                "seconds": round(time.perf_counter() - start, 1),
                "cpu": round(sum(each.ru_utime + each.ru_stime for each in used), 1),
                "killed": len(killed),
                "digest": digest(out),
            }
        )
    )


def main() -> None:
    """Measure every engine, print, and keep the results if asked to."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--docs", type=int, default=100_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--metrics")
    parser.add_argument("--home", type=Path, help="where corpora and runs are kept")
    parser.add_argument("--engine", choices=ENGINES, help=argparse.SUPPRESS)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    if asked.engine is not None:
        score(asked.engine, asked.home, asked.docs, asked.workers, asked.metrics)
        return
    with tempfile.TemporaryDirectory() as temporary:
        home = asked.home or Path(temporary)
        home.mkdir(parents=True, exist_ok=True)
        corpus(home, asked.docs)
        alone = [name for _, name in socket.if_nameindex()] == ["lo"]
        engines = [engine for engine in ENGINES if alone or engine != "ray"]
        results = [measure(engine, home, asked) for engine in engines]
    given = {**facts(), "metrics": asked.metrics or "default"}
    report: dict[str, object] = {"facts": given, "results": results}
    print(page(report))
    if asked.write:
        (HERE / "cluster.json").write_text(json.dumps(report, indent=1) + "\n")
        (HERE / "cluster.md").write_text(page(report))


def measure(engine: str, home: Path, asked: argparse.Namespace) -> dict[str, object]:
    """Return what an engine took, in a process of its own."""
    load = os.getloadavg()[0]
    words = [sys.executable, __file__, "--engine", engine, "--home", str(home)]
    words += ["--docs", str(asked.docs), "--workers", str(asked.workers)]
    words += ["--metrics", asked.metrics] if asked.metrics else []
    done = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True)
    result: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    print(f"{engine}: {result['seconds']} s, {result['cpu']} CPU s", file=sys.stderr)
    return {**result, "load": round(load, 1)}


def page(report: dict[str, object]) -> str:
    """Return the results as Markdown."""
    given, results = report["facts"], report["results"]
    assert isinstance(given, dict)
    assert isinstance(results, list)
    head = ", ".join(f"{name} {value}" for name, value in given.items())
    lines = [
        "# Clusters on one machine",
        "",
        f"`python benchmarks/cluster.py`: {head}.",
        "",
        "| engine | documents | seconds | CPU s | workers killed | same bytes | load before |",
        "| --- | ---: | ---: | ---: | ---: | --- | ---: |",
    ]
    first = results[0]["digest"]
    lines += [
        f"| {each['engine']} | {each['documents']:,} | {each['seconds']} | {each['cpu']} "
        f"| {each['killed']} | {'yes' if each['digest'] == first else 'NO'} | {each['load']} |"
        for each in results
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
