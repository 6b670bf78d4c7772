"""A corpus, its run in one process, and what the engines need; only `make test-cluster` runs it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

import docassay as da
from docassay.synth.corpus import write_corpus

ASKED = "DOCASSAY_CLUSTER"
DOCUMENTS = 2_000
METRICS = ["entity", "kieval"]
collect_ignore_glob = [] if os.environ.get(ASKED) else ["test_*.py"]


class Corpus:
    """Files of gold and pred, and what a run of them in one process keeps."""

    def __init__(self, home: Path) -> None:
        self.home = home
        write_corpus(home, docs=DOCUMENTS, seed=11, models=["careful"])
        self.gold, self.pred = home / "gold.jsonl", home / "careful.jsonl"
        self.schema = home / "schema.yaml"
        lines = self.pred.read_bytes().splitlines(keepends=True)
        # another order than gold's, a document that was not predicted, one that nobody asked for
        extra = b'{"id": "nobody", "fields": {"TOTAL_AMOUNT": "1"}}\n'
        self.pred.write_bytes(b"".join([*lines[700:], extra, *lines[1:700]]))
        self.expected = self.score("one", workers=1)

    def score(self, out: str, **options: object) -> dict[str, str]:
        """Score into a folder and return digests of its files."""
        place = self.home / out / "run"  # the page of a run says what its folder is called
        options = {"schema": self.schema, "metrics": METRICS, "out": place, **options}
        da.score(self.gold, self.pred, **options)  # type: ignore[arg-type]
        return files_of(place)


def files_of(place: Path) -> dict[str, str]:
    """Digests of the files of a run by their names: a difference is seen at once."""
    return {
        file.name: sha256(file.read_bytes()).hexdigest()
        for file in sorted(place.iterdir())
        if file.is_file()
    }


def processes_with(mark: bytes) -> list[int]:
    """The processes whose command line has a mark, the latest last."""
    pids = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            command = (place / "cmdline").read_bytes()
        except OSError:
            continue
        if mark in command:
            pids.append(int(place.name))
    return sorted(pids)


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    before = os.environ.get("SOURCE_DATE_EPOCH")
    os.environ["SOURCE_DATE_EPOCH"] = "1700000000"
    yield Corpus(tmp_path_factory.mktemp("corpus"))
    if before is None:
        del os.environ["SOURCE_DATE_EPOCH"]
