"""What docassay is asked for in the benchmarks, and the documents it is asked about."""

from __future__ import annotations

import contextlib
import io
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import scipy.optimize  # noqa: F401 - imported here so that no measured call pays for it

import docassay
from corpora import write_plain
from docassay.cli import run as command
from docassay.synth.corpus import write_corpus
from floor import FLOORS, Floor, by_cdist, by_prematch, rate
from timing import seconds


class Work(NamedTuple):
    """The default command, or metrics by name."""

    name: str
    metrics: tuple[str, ...] = ()
    schema: bool = False
    out: bool = False
    types: str = "auto"
    settings: tuple[tuple[str, str], ...] = ()


ENTITIES = ("entity", "kieval")
DEFAULT = Work("default command")
DEFAULT_SCHEMA = Work("default command, schema", schema=True)
DEFAULT_OUT = Work("default command, --out", out=True)
AS_TEXT = Work("entity,kieval as text", ENTITIES, types="text")
BY_SCHEMA = Work("entity,kieval, schema", ENTITIES, schema=True)
FIELDS = Work("fields", ("fields",))
FIELDS_SCHEMA = Work("fields, schema", ("fields",), schema=True)
# types play no part in trees, so none are guessed
NTED = Work("tree, nted", ("tree",), types="text", settings=(("tree.only", "nted"),))
ANLS_STAR = Work("tree, anls_star", ("tree",), types="text", settings=(("tree.only", "anls_star"),))
CONFIDENCE = Work("confidence", ("confidence",))
HEADLINES = (
    DEFAULT,
    DEFAULT_SCHEMA,
    DEFAULT_OUT,
    AS_TEXT,
    Work("entity,kieval, guessed types", ENTITIES),
    BY_SCHEMA,
)
FAMILIES = (
    FIELDS,
    FIELDS_SCHEMA,
    Work("causes", ("causes",)),
    Work("effort", ("effort",)),
    Work("tree", ("tree",)),
    Work("ner", ("ner",)),
    Work("vrdu", ("vrdu",)),
    Work("hybrid", ("hybrid",)),
)
WITH_RULES = (
    Work("rules, schema", ("rules",), schema=True),
    Work("valid, schema", ("valid",), schema=True),
)
"""What needs a schema that has rules, as that of generated invoices does."""


class Data(NamedTuple):
    """Documents in files, and the floor that they are held against."""

    name: str
    docs: int
    gold: Path
    pred: Path
    schema: Path
    floor: Floor

    def bare(self) -> float:
        """Return the documents per CPU second of the floor."""
        return rate(self.gold, self.pred, self.floor)

    def rate(self, work: Work) -> float:
        """Return the documents per CPU second of a piece of work, reading included."""
        return self.docs / seconds(lambda: do(work, self.gold, self.pred, self.schema))


def plain(folder: Path, docs: int, rows: int, *, typed: bool = False) -> Data:
    """Return plain invoices, whose records have no ids and pair by place."""
    write_plain(folder, docs=docs, rows=rows, typed=typed)
    return _data(folder, "plain", docs, rows, ("pred.jsonl", "schema.json"))


def synth(folder: Path, docs: int, rows: int, *, confidences: bool = False) -> Data:
    """Return generated invoices with a schema that has types and rules."""
    write_corpus(
        folder,
        docs=docs,
        rows=rows,
        seed=7,
        kinds=("invoice",),
        models=("careful",),
        confidences=confidences,
    )
    data = _data(folder, "synth", docs, rows, ("careful.jsonl", "schema.yaml"))
    return data._replace(name=f"{data.name}, confidences") if confidences else data


def _data(folder: Path, kind: str, docs: int, rows: int, names: tuple[str, str]) -> Data:
    # long documents mostly have rows to settle at once, which any scorer would do first
    floor = by_cdist if rows < 100 else by_prematch
    name = f"{docs:,} {kind} invoices of {rows:,} rows"
    pred, schema = (folder / each for each in names)
    return Data(name, docs, folder / "gold.jsonl", pred, schema, floor)


def do(work: Work, gold: Path, pred: Path, schema: Path) -> None:
    """Do a piece of work in this process."""
    if work.metrics:
        docassay.score(
            gold,
            pred,
            metrics=[*work.metrics],
            schema=schema if work.schema else None,
            types=work.types,
            settings=dict(work.settings),
        )
        return
    with tempfile.TemporaryDirectory() as place:
        words = ["--schema", str(schema)] if work.schema else []
        words += ["--out", f"{place}/run"] if work.out else []
        run_command("score", str(gold), str(pred), *words)


def run_command(*words: str) -> None:
    """Run the command in this process, in silence; end the benchmark when it fails."""
    silence = io.StringIO()
    with contextlib.redirect_stdout(silence), contextlib.redirect_stderr(silence):
        code = command(words)
    if code:
        raise SystemExit(silence.getvalue())


class Apart:
    """A process that does one piece of work, or that of the floor, each time it is asked.

    Several in one process disturb each other: what one imports and keeps is scattered over the
    memory that the next one takes, which then takes up to a fifth longer.
    """

    def __init__(self, data: Data, work: Work | None) -> None:
        """Start the process; None is the floor."""
        (floor,) = (name for name, own in FLOORS.items() if own is data.floor)
        paths = (str(data.gold), str(data.pred), str(data.schema))
        self._process = subprocess.Popen(
            [sys.executable, __file__, *paths, json.dumps(work), str(data.docs), floor],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def rate(self) -> float:
        """Return the documents per CPU second of doing it once more."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(file=self._process.stdin, flush=True)
        answer = self._process.stdout.readline()
        if not answer:
            raise SystemExit(f"a process of the benchmark ended with {self._process.wait()}")
        return float(answer)

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


Sides = dict[str, Callable[[], float]]


@contextlib.contextmanager
def apart(data: Data, *works: Work | None) -> Iterator[list[Callable[[], float]]]:
    """Give the rate of each piece of work, None for the floor, in a process of its own."""
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(contextlib.closing(Apart(data, work))).rate for work in works]


@contextlib.contextmanager
def race_sides(data: Data, works: tuple[Work, ...]) -> Iterator[Sides]:
    """Give each piece of work as a side of a race, with a run of the floor before it."""
    with apart(data, None, *works) as (floor, *rates):
        sides: Sides = {}
        for work, rate_of_work in zip(works, rates, strict=True):
            sides[f"floor before {work.name}"] = floor
            sides[work.name] = rate_of_work
        yield sides


def main() -> None:
    """Do what the words of the command name, for each line that comes in."""
    *paths, work, docs, floor = sys.argv[1:]
    gold, pred, schema = map(Path, paths)
    data = Data("", int(docs), gold, pred, schema, FLOORS[floor])
    named = json.loads(work)
    own = None if named is None else Work(*named)
    for _ in sys.stdin:
        print(data.bare() if own is None else data.rate(own), flush=True)


if __name__ == "__main__":
    main()
