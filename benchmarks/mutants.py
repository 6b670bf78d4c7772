"""Whether the tests notice a change: mutants of the source, and the tests of their own rooms.

    python benchmarks/mutants.py [--seed 1] [--count 400] [--room metrics] [--list-survivors]

Lines are drawn evenly over the code of the rooms, then one mutation of each. A mutant meets only
those tests of its room that execute the changed line, quickest first, until one fails; which those
are is recorded by a traced run of the room's tests before. Mutants are written to a copy of the
source for each worker. A mutant that no test fails on has survived. One that uses ten times the
CPU time of its tests is endless, which counts as killed; one that only waits has survived.

`equivalent_mutants.toml` lists mutants that cannot be told from the source, each with its reason.
They are left out of the rate, and may be a tenth of a draw. Tests that fail without any mutation
are named and left out. The run ends with an error below a rate of 90 %.
"""

from __future__ import annotations

import argparse
import compileall
import functools
import gc
import hashlib
import importlib
import importlib.util
import json
import os
import py_compile
import random
import resource
import shutil
import signal
import sys
import sysconfig
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

import pytest

from mutations import compiles, mutations

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "src/docassay"
EQUIVALENT = Path(__file__).with_name("equivalent_mutants.toml")
ENOUGH = 0.9
MOST_EQUIVALENT = 0.1
PATIENCE = 1800
"""Seconds after which a process that does nothing is given up."""
MEMORY = 6 << 30


class Room(NamedTuple):
    """Source files, as patterns, and the tests that answer for them."""

    source: tuple[str, ...]
    tests: tuple[str, ...]


ROOMS = {
    "gate": Room(("analysis/require.py",), ("tests/run/test_require.py",)),
    "matching": Room(("matching/**/*.py",), ("tests/matching",)),
    "values": Room(("values/**/*.py",), ("tests/values", "tests/contracts/test_values.py")),
    "metrics": Room(
        ("metrics/**/*.py",), ("tests/metrics", "tests/golden", "tests/contracts/test_laws.py")
    ),
    "run": Room(("run/ledger.py", "run/score.py"), ("tests/run",)),
    "analysis": Room(("analysis/**/*.py",), ("tests/analysis",)),
}
"""A file belongs to the first room that names it."""


class Mutant(NamedTuple):
    """A change of one file."""

    room: str
    file: str
    line: int
    last: int
    entry: int
    function: str
    before: str
    after: str
    source: str


class Test(NamedTuple):
    """A test, the seconds it took while traced, and the lines it executed, by file."""

    id: str
    seconds: float
    lines: Mapping[str, frozenset[int]]


class Coverage(NamedTuple):
    """What the tests of a room execute."""

    tests: tuple[Test, ...]
    at_import: Mapping[str, frozenset[int]]
    """Lines that run when the package is imported: every test depends on them."""
    failing: tuple[str, ...]


class Verdict(NamedTuple):
    """What became of a mutant."""

    mutant: Mutant
    outcome: str
    """killed, endless, equivalent, survived."""
    note: str = ""


# ---------------------------------------------------------------- the tests, in a forked process


class Watch:
    """The lines of a function that a test has not executed yet."""

    IDLE, SAMPLE = 100, 20

    def __init__(self, code: CodeType) -> None:
        self.unseen = {line for _, _, line in code.co_lines() if line is not None}
        self._idle = 0

    def is_wanted(self) -> bool:
        """Whether to trace a call: each one until nothing new is found, then one in twenty."""
        self._idle += 1
        return bool(self.unseen) and (self._idle <= self.IDLE or not self._idle % self.SAMPLE)

    def found(self, line: int) -> None:
        """Note a line as executed."""
        self.unseen.discard(line)
        self._idle = 0


class Tracer:
    """A pytest plugin that records which lines of some files each test executes."""

    def __init__(self, files: Sequence[str], out: Path) -> None:
        self._files = frozenset(files)
        self._out = out
        self._seen: dict[str, set[int]] = {}
        self._watches: dict[CodeType, Watch] = {}
        self._wide: dict[object, dict[str, set[int]]] = {}
        self._modules: dict[str, dict[str, set[int]]] = {}
        self._tests: dict[str, dict[str, Any]] = {}
        self._failing: set[str] = set()
        self._at_import = self._record(self._import_all)
        self._caches = [
            entry
            for entry in gc.get_objects()
            if isinstance(entry, functools._lru_cache_wrapper)
            and entry.__module__.startswith("docassay")
        ]

    def _import_all(self) -> None:
        for file in sorted(self._files):
            parts = Path(file).with_suffix("").parts
            name = ".".join(parts[parts.index("src") + 1 :])
            importlib.import_module(name.removesuffix(".__init__"))

    def _record(self, call: Callable[[], object]) -> dict[str, set[int]]:
        """Return the lines that a call executes."""
        outer = self._seen, self._watches
        self._seen, self._watches = {}, {}
        before = sys.gettrace()
        sys.settrace(self._enter)
        try:
            call()
        finally:
            sys.settrace(before)
            lines = self._seen
            self._seen, self._watches = outer
            _add(self._seen, lines)
        return lines

    def _enter(self, frame: FrameType, _event: str, _arg: object) -> Any:
        code = frame.f_code
        if code.co_filename not in self._files:
            return None
        watch = self._watches.get(code)
        if watch is None:
            watch = self._watches[code] = Watch(code)
            self._seen.setdefault(code.co_filename, set()).add(code.co_firstlineno)
        if not watch.is_wanted():
            return None
        seen = self._seen[code.co_filename]

        def local(frame: FrameType, _event: str, _arg: object) -> Any:
            line = frame.f_lineno
            if line in watch.unseen:
                seen.add(line)
                watch.found(line)
            return local

        return local(frame, "line", None)

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self, collector: pytest.Collector) -> Iterator[None]:
        lines: dict[str, set[int]] = {}
        outer = self._seen, self._watches
        self._seen, self._watches = lines, {}
        sys.settrace(self._enter)
        try:
            return (yield)
        finally:
            sys.settrace(None)
            self._seen, self._watches = outer
            if isinstance(collector, pytest.Module):
                _add(self._modules.setdefault(collector.nodeid, {}), lines)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Iterator[None]:
        if fixturedef.scope == "function":
            return (yield)
        lines: dict[str, set[int]] = {}
        outer = self._seen, self._watches
        self._seen, self._watches = lines, {}
        try:
            return (yield)
        finally:
            self._seen, self._watches = outer
            self._wide[fixturedef] = lines
            _add(self._seen, lines)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        for cached in self._caches:
            cached.cache_clear()
        self._seen, self._watches = {}, {}
        begun = time.process_time()
        sys.settrace(self._enter)
        try:
            return (yield)
        finally:
            sys.settrace(None)
            lines = self._seen
            assert isinstance(item, pytest.Function)
            for fixtures in item._fixtureinfo.name2fixturedefs.values():
                for fixture in fixtures:
                    _add(lines, self._wide.get(fixture, {}))
            self._tests[item.nodeid] = {
                "seconds": time.process_time() - begun,
                "lines": lines,
                "module": item.nodeid.partition("::")[0],
            }

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._failing.add(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._failing.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        for entry in self._tests.values():
            _add(entry["lines"], self._modules.get(entry.pop("module"), {}))
            entry["lines"] = self._plain(entry["lines"])
        self._out.write_text(
            json.dumps(
                {
                    "tests": self._tests,
                    "at_import": self._plain(self._at_import),
                    "failing": sorted(self._failing),
                }
            )
        )

    def _plain(self, lines: Mapping[str, set[int]]) -> dict[str, list[int]]:
        return {
            Path(file).as_posix().rpartition(PACKAGE + "/")[2]: sorted(numbers)
            for file, numbers in lines.items()
        }


class Chosen:
    """A pytest plugin that runs the tests it is given in that order, and notes which fails."""

    def __init__(self, ids: Sequence[str], out: Path) -> None:
        self._order = {id: place for place, id in enumerate(ids)}
        self._out = out

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted(
            (item for item in items if item.nodeid in self._order),
            key=lambda item: self._order[item.nodeid],
        )

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._out.write_text(report.nodeid)


class Brief:
    """A pytest plugin that keeps hypothesis from shrinking what it found."""

    def pytest_sessionstart(self) -> None:
        from hypothesis import Phase, settings

        phases = (Phase.explicit, Phase.generate)
        settings.register_profile("mutants", parent=settings.get_profile("docassay"), phases=phases)
        settings.load_profile("mutants")


def _add(lines: dict[str, set[int]], more: Mapping[str, set[int]]) -> None:
    for file, numbers in more.items():
        lines.setdefault(file, set()).update(numbers)


# ---------------------------------------------------------------- a worker and its copy


class Worker:
    """A process with a copy of the source. It imports what is slow to import, never the package."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / f"{os.getpid()}"
        self.source = self.folder / "src"
        shutil.copytree(ROOT / "src", self.source, ignore=shutil.ignore_patterns("__pycache__"))
        os.environ.update(
            CI="1",
            PYTHONDONTWRITEBYTECODE="1",
            OPENBLAS_NUM_THREADS="1",
            PYTHONPATH=f"{self.source}",
        )
        sys.path.insert(0, f"{self.source}")
        os.chdir(ROOT)
        # compiled once; what is compiled later, a mutant, must not outlive its process
        compileall.compile_dir(f"{self.source}", quiet=1)
        sys.dont_write_bytecode = True
        for name in ("numpy", "scipy.stats", "scipy.optimize", "hypothesis.strategies", "rich"):
            importlib.import_module(name)
        for name in ("click", "msgspec", "rapidfuzz", "yaml", "phonenumbers", "matplotlib.pyplot"):
            importlib.import_module(name)

    def run(self, tests: Iterable[str], plugin: Callable[[], object], cpu: float) -> int:
        """Run tests in a forked process and return its wait status."""
        if not (child := os.fork()):
            self._test(tests, plugin, cpu)
        patience = time.monotonic() + PATIENCE
        while True:
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                return status
            if time.monotonic() > patience:
                os.killpg(child, signal.SIGKILL)
                os.waitpid(child, 0)
                return signal.SIGALRM
            time.sleep(0.02)

    def _test(self, tests: Iterable[str], plugin: Callable[[], object], cpu: float) -> None:
        code = 70
        try:
            os.setsid()
            resource.setrlimit(resource.RLIMIT_CPU, (int(cpu) + 1, int(cpu) + 10))
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            with (self.folder / "output.txt").open("w") as file:
                for descriptor in (1, 2):
                    os.dup2(file.fileno(), descriptor)
            options = ["-x", "-q", "--assert=plain", "-p", "no:cacheprovider", "-p", "no:xdist"]
            made = plugin()
            if isinstance(made, Tracer):
                # a file that cannot be imported is named as failing, and costs its own tests alone
                options[0] = "--continue-on-collection-errors"
            code = int(pytest.main([*options, *tests], plugins=[Brief(), made]))
        finally:
            sys.stdout.flush()
            os._exit(code)


WORKER: list[Worker] = []


def start(folder: str) -> None:
    WORKER.append(Worker(Path(folder)))


def cover(room: str) -> tuple[str, dict[str, Any]]:
    """Return what the tests of a room execute, as JSON."""
    worker = WORKER[0]
    files = [f"{worker.source.parent / 'src/docassay' / file}" for file in room_files(room)]
    out = worker.folder / "coverage.json"
    out.unlink(missing_ok=True)
    tests = [test for test in ROOMS[room].tests if (ROOT / test).exists()]
    status = worker.run(tests, lambda: Tracer(files, out), 3600) if tests else 0
    if not out.exists():
        if tests:
            print((worker.folder / "output.txt").read_text()[-3000:], file=sys.stderr)
            print(f"{room}: the tests did not run (status {status})", file=sys.stderr)
        return room, {"tests": {}, "at_import": {}, "failing": tests}
    return room, json.loads(out.read_text())


def judge(mutant: Mutant, tests: Sequence[Test]) -> Verdict:
    """Return what becomes of a mutant."""
    if not tests:
        return Verdict(mutant, "survived", "no test executes it")
    worker = WORKER[0]
    path = worker.source / "docassay" / mutant.file
    out = worker.folder / "failed.txt"
    out.unlink(missing_ok=True)
    path.write_text(mutant.source)
    Path(importlib.util.cache_from_source(f"{path}")).unlink(missing_ok=True)
    cpu = 30 + 10 * sum(test.seconds for test in tests)
    ids = [test.id for test in tests]
    try:
        files = dict.fromkeys(id.partition("::")[0] for id in ids)
        status = worker.run(files, lambda: Chosen(ids, out), cpu)
    finally:
        shutil.copyfile(ROOT / PACKAGE / mutant.file, path)
        py_compile.compile(f"{path}")
    if os.WIFSIGNALED(status):
        if os.WTERMSIG(status) == signal.SIGXCPU:
            return Verdict(mutant, "endless", f"more than {cpu:.0f} s of CPU time")
        if os.WTERMSIG(status) == signal.SIGALRM:
            return Verdict(mutant, "survived", "it only waits")
        return Verdict(mutant, "killed", f"signal {os.WTERMSIG(status)}")
    if os.WEXITSTATUS(status) == pytest.ExitCode.OK:
        return Verdict(mutant, "survived", f"{len(tests)} tests passed")
    return Verdict(mutant, "killed", out.read_text() if out.exists() else "it cannot be imported")


# ---------------------------------------------------------------- drawing


def room_files(room: str) -> list[str]:
    """Return the files of a room, relative to the package, without those of an earlier room."""
    taken: set[str] = set()
    for name, entry in ROOMS.items():
        files = {
            path.relative_to(ROOT / PACKAGE).as_posix()
            for pattern in entry.source
            for path in (ROOT / PACKAGE).glob(pattern)
        }
        if name == room:
            return sorted(files - taken)
        taken |= files
    raise KeyError(room)


def draw(rooms: Iterable[str], count: int, seed: int) -> list[Mutant]:
    """Return mutants of different lines, one a line, each line as likely as any other."""
    lines: list[list[Mutant]] = []
    for room in rooms:
        for file in room_files(room):
            by_line: dict[int, list[Mutant]] = {}
            for change in mutations((ROOT / PACKAGE / file).read_text(encoding="utf-8")):
                mutant = Mutant(room, file, *change)
                by_line.setdefault(change.line, []).append(mutant)
            lines += [by_line[line] for line in sorted(by_line)]
    dice = random.Random(seed)
    drawn: list[Mutant] = []
    for line in dice.sample(lines, len(lines)):
        if len(drawn) == count:
            break
        some = (mutant for mutant in dice.sample(line, len(line)) if compiles(mutant.source))
        drawn += [*islice(some, 1)]
    return drawn


def tests_for(mutant: Mutant, coverage: Coverage) -> list[Test]:
    """Return the tests that execute a mutant's line, or else its function, quickest first."""
    lines = range(mutant.line, mutant.last + 1)
    if not coverage.at_import.get(mutant.file, frozenset()).isdisjoint(lines):
        # a constant may be read by any module; the tests that use this one go first
        return sorted(
            coverage.tests, key=lambda test: (mutant.file not in test.lines, test.seconds)
        )
    for executed in (lines, [mutant.entry]):  # seldom executed lines may have been missed
        near = [
            test
            for test in coverage.tests
            if not test.lines.get(mutant.file, frozenset()).isdisjoint(executed)
        ]
        if near:
            break
    return sorted(near, key=lambda test: test.seconds)


def equivalents() -> dict[tuple[str, str, str, str], str]:
    """Return the reasons of the listed mutants, by file, function, line before and after."""
    entries = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8")).get("mutant", [])
    return {
        (entry["file"], entry["function"], entry["before"], entry["after"]): entry["reason"]
        for entry in entries
    }


# ---------------------------------------------------------------- the run


def read_coverage(entry: Mapping[str, Any]) -> Coverage:
    failing = tuple(entry["failing"])
    tests = (
        Test(id, test["seconds"], {file: frozenset(n) for file, n in test["lines"].items()})
        for id, test in entry["tests"].items()
        if id not in failing
    )
    at_import = {file: frozenset(numbers) for file, numbers in entry["at_import"].items()}
    return Coverage(tuple(tests), at_import, failing)


def content_digest() -> str:
    """Return a digest of source and tests, for coverage that is kept."""
    digest = hashlib.blake2b(digest_size=8)
    for folder in ("src", "tests"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(path.read_bytes())
    return digest.hexdigest()


def run(options: argparse.Namespace) -> list[Verdict]:
    rooms = [options.room] if options.room else [*ROOMS]
    drawn = draw(rooms, options.count, options.seed)
    listed = equivalents()
    verdicts = []
    with tempfile.TemporaryDirectory(prefix="mutants") as folder:
        os.environ["OPENBLAS_NUM_THREADS"] = "1"
        pool = ProcessPoolExecutor(
            options.workers, mp_context=get_context("spawn"), initializer=start, initargs=(folder,)
        )
        with pool:
            coverage = covered(pool, rooms, options.keep)
            waiting = []
            for mutant in drawn:
                key = (mutant.file, mutant.function, mutant.before, mutant.after)
                if key in listed:
                    verdicts.append(Verdict(mutant, "equivalent", listed[key]))
                    continue
                tests = tests_for(mutant, coverage[mutant.room])
                waiting.append(pool.submit(judge, mutant, tests))
            for number, future in enumerate(waiting, 1):
                verdict = future.result()
                verdicts.append(verdict)
                if options.verbose:
                    print(f"{number}/{len(waiting)} {describe(verdict)}", flush=True)
    return verdicts


def covered(
    pool: ProcessPoolExecutor, rooms: Sequence[str], keep: Path | None
) -> dict[str, Coverage]:
    """Return what each room's tests execute, from a folder of earlier runs where it fits."""
    entries: dict[str, Any] = {}
    digest = content_digest() if keep else ""
    for room in rooms:
        if keep and (kept := keep / f"{room}-{digest}.json").exists():
            entries[room] = json.loads(kept.read_text())
    for room, found in pool.map(cover, [room for room in rooms if room not in entries]):
        entries[room] = found
        if keep:
            keep.mkdir(parents=True, exist_ok=True)
            (keep / f"{room}-{digest}.json").write_text(json.dumps(found))
    coverage = {room: read_coverage(entries[room]) for room in rooms}
    for room, entry in coverage.items():
        for id in entry.failing:
            print(f"{room}: left out, since it fails on the source itself: {id}", file=sys.stderr)
    return coverage


def describe(verdict: Verdict) -> str:
    mutant = verdict.mutant
    place = f"{mutant.file}:{mutant.line} {mutant.function}"
    return (
        f"{verdict.outcome}: {place}\n  - {mutant.before}\n  + {mutant.after}\n  ({verdict.note})"
    )


def table(verdicts: Sequence[Verdict]) -> str:
    """Return the counts by room, as Markdown."""
    head = ("room", "drawn", "killed", "endless", "equivalent", "survived", "rate")
    rows: list[tuple[str, ...]] = [head, ("---",) + ("--:",) * 6]
    for room in [*ROOMS, "all"]:
        counts = Counter(v.outcome for v in verdicts if room in (v.mutant.room, "all"))
        if drawn := counts.total():
            rows.append(
                (room, f"{drawn}", *(f"{counts[name]}" for name in head[2:6]), rate(counts))
            )
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def rate(counts: Mapping[str, int]) -> str:
    caught = counts["killed"] + counts["endless"]
    judged = caught + counts["survived"]
    return f"{caught / judged:.1%}" if judged else ""


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Mutate the source and see whether tests notice.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--room", choices=[*ROOMS])
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--list-survivors", action="store_true")
    parser.add_argument("--json", type=Path, help="write every verdict to this file")
    parser.add_argument("--keep", type=Path, help="a folder for coverage that later runs reuse")
    parser.add_argument("--verbose", action="store_true", help="print each verdict at once")
    return parser.parse_args()


def main() -> str | None:
    options = arguments()
    verdicts = run(options)
    if options.json:
        rows = [
            v.mutant._replace(source="")._asdict() | {"outcome": v.outcome, "note": v.note}
            for v in verdicts
        ]
        options.json.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n")
    if options.list_survivors:
        for verdict in verdicts:
            if verdict.outcome == "survived":
                print(describe(verdict))
    print(f"seed {options.seed}, Python {sysconfig.get_python_version()}\n\n{table(verdicts)}")
    counts = Counter(verdict.outcome for verdict in verdicts)
    if counts["equivalent"] > MOST_EQUIVALENT * len(verdicts):
        return f"{counts['equivalent']} of {len(verdicts)} mutants are listed as equivalent"
    caught = counts["killed"] + counts["endless"]
    if caught < ENOUGH * (caught + counts["survived"]):
        return f"fewer than {ENOUGH:.0%} of the mutants are noticed"
    return None


if __name__ == "__main__":
    sys.exit(main())
