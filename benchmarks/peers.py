"""Released packages that do comparable work, each in an environment of its own.

Environments are kept in `benchmarks/.peers`, which git leaves out. A package that cannot be
installed is named, and the run goes on without it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import ner
from ner_corpus import write_corpus
from timing import Aim

HERE = Path(__file__).parent
HOME = HERE / ".peers"
LIMIT = 2.0
"""CPU seconds that a package is given in a round."""


class Peer(NamedTuple):
    """A released package, and what it is held against."""

    name: str
    requirements: tuple[str, ...]
    against: tuple[Against, ...]
    typed: bool = False
    """Whether predictions must keep numbers numbers."""


class Against(NamedTuple):
    """A piece of docassay's work that a package is held against."""

    work: str
    """Its name in works.py."""
    aim: float | None
    """How much faster docassay is to be."""
    differs: str
    """What either side does less, more or otherwise."""


STICKLER = (
    "stickler scores each field of a document by likeness, with its counts, precision, recall and "
    "F1, rows by assignment; numbers must be numbers, and nothing is added up over documents"
)
TREES = ("anls-star==1.0.1", "munkres==3.0.0", "zss==1.2.0", "rapidfuzz==3.14.6")
PEERS = (
    Peer(
        "omni-extract-bench",
        ("omni-extract-bench==0.1.7",),
        (
            Against(
                "entity,kieval as text",
                1,
                "leaf accuracy with rows by best assignment; needs a schema; no corpus totals",
            ),
        ),
    ),
    Peer(
        "stickler-eval",
        ("stickler-eval==1.0.0",),
        (
            Against(
                "fields, schema",
                40,
                f"the same work: {STICKLER}; docassay does that by the same schema, reads values "
                "by their types, and has totals and intervals",
            ),
            Against(
                "default command",
                None,
                f"more work: {STICKLER}; docassay guesses types, pairs rows by equal values, and "
                "has totals, intervals, causes and the effort to correct",
            ),
        ),
        typed=True,
    ),
    Peer(
        "anls-star",
        TREES,
        (Against("tree, anls_star", 50, "the same score, equal to the billionth"),),
    ),
    Peer(
        "zss",
        TREES,
        (Against("tree, nted", 100, "the distance under nTED, equal to the billionth"),),
    ),
    Peer(
        "doceval",
        ("doceval==0.5.1",),
        (
            Against(
                "entity,kieval as text",
                None,
                "not comparable: a list is one value, compared as JSON text, and rows are not "
                "aligned",
            ),
        ),
    ),
    Peer(
        "llmvalidate",
        ("llmvalidate==1.3.0",),
        (
            Against(
                "fields",
                None,
                "scores by column with lists as sets, equality only; rows are not kept together",
            ),
        ),
    ),
)
MISSING = {
    "structured-eval": "no package of this name could be installed",
    "KIEval's code": "released as a repository, not as a package",
}
JSON_DIFF = "json-diff"
JSON_DIFF_VERSION = "1.0.6"
JSON_DIFF_DIFFERS = (
    "the comparison under omni's accuracy, in JavaScript: a diff by place, nothing read or counted"
)


class PeerError(Exception):
    """A package could not be installed or did not run."""


def install(peer: Peer) -> Path:
    """Return the interpreter of an environment that has the package, made when there is none."""
    folder = HOME / "-".join(peer.requirements[0].split("=="))
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    done = folder / ".installed"
    if not done.exists() or done.read_text() != "\n".join(peer.requirements):
        _run([sys.executable, "-m", "venv", str(folder)])
        pip = [str(python), "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
        _run([*pip, *peer.requirements])
        done.write_text("\n".join(peer.requirements))
    return python


def rate_of(peer: Peer, python: Path, folder: Path) -> Callable[[], float]:
    """Return the side of a race that is a package."""
    files = [str(folder / name) for name in ("gold.jsonl", "pred.jsonl", "schema.json")]
    command = [str(python), str(HERE / "peer.py"), peer.name, *files, str(LIMIT)]
    return lambda: _rate(command)


def json_diff(folder: Path) -> Callable[[], float]:
    """Return the side of a race that is json-diff, installed when it is not there."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        raise PeerError("node and npm are not installed")
    home = HOME / f"{JSON_DIFF}-{JSON_DIFF_VERSION}"
    modules = home / "node_modules"
    if not (modules / JSON_DIFF).is_dir():
        home.mkdir(parents=True, exist_ok=True)
        package = f"{JSON_DIFF}@{JSON_DIFF_VERSION}"
        _run(["npm", "install", "--silent", "--no-save", "--prefix", str(home), package])
    files = [str(folder / name) for name in ("gold.jsonl", "pred.jsonl")]
    script = str(HERE / "peer_json_diff.cjs")
    return lambda: _rate(["node", script, str(modules), *files, str(LIMIT)])


IE_EVAL = Peer(
    "ie-eval",
    (ner.RELEASED,),
    (
        Against(
            "ner, order-free scores",
            150,
            "the same scores, equal as far as it prints them; pages of BIO files",
        ),
    ),
)
IE_EVAL_PAGES, OWN_PAGES, ENTITIES = 6, 100, 100
"""The pages that ie-eval gets, and docassay: its time grows by the cube of entities."""


def ie_eval_sides(python: Path, folder: Path) -> Iterator[tuple[str, Callable[[], float]]]:
    """Yield the two sides of the race on tagged text, in pages per CPU second."""
    for name, pages in (("few", IE_EVAL_PAGES), ("all", OWN_PAGES)):
        write_corpus(folder / name, docs=pages, entities=ENTITIES, seed=7)
    released, own = ner.released(python), ner.ours(ner.FREE)
    yield IE_EVAL.against[0].work, lambda: OWN_PAGES / own(folder / "all").seconds
    yield IE_EVAL.name, lambda: IE_EVAL_PAGES / released(folder / "few").seconds


def _rate(command: list[str]) -> float:
    answer = json.loads(_run(command))
    if not answer["documents"]:
        raise PeerError("no document was scored")
    return float(answer["documents"] / answer["seconds"])


def _run(command: list[str]) -> str:
    environment = {**os.environ, "PYTHONPATH": "", "PYTHONUTF8": "1"}
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if ended.returncode:
        words = ended.stderr.strip().splitlines() or ["it ended without a word"]
        raise PeerError(words[-1])
    return ended.stdout


def aim_of(against: Against) -> Aim | None:
    return None if against.aim is None else Aim(against.aim)
