"""A small run with hostile values, and a viewer of it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import docassay as da
from docassay.viewer.build import Inputs, open_index
from docassay.viewer.index import DocumentIndex
from docassay.viewer.review import Review
from docassay.viewer.runs import ViewedRun
from docassay.viewer.state import Viewer

SCHEMA = """
name: invoices
fields:
  vendor: {type: text}
  total: {type: money}
  date: {type: date}
  note: {type: text}
groups:
  items:
    fields: {name: {type: text}, price: {type: money}}
"""
GOLD: dict[str, dict[str, object]] = {
    "a": {
        "vendor": "Acme",
        "total": "12.50",
        "date": "2024-01-02",
        "items": [{"name": "tea", "price": "2.50"}, {"name": "cake", "price": "10.00"}],
    },
    "b/1": {"vendor": "<script>alert(1)</script>", "total": 7.5, "items": []},
    "c": {"vendor": '=HYPERLINK("http://x")', "total": "1.00", "note": "abc \u202edef"},
    "d": {"vendor": "Right", "total": "3.00"},
    "e": {
        "vendor": {"value": "Boxed", "page": 1, "box": [0.1, 0.2, 0.3, 0.4]},
        "total": {"any_of": ["5.00", "6.00"]},
    },
    "f % _": {"vendor": "Long", "note": "x" * 5_000},
}
PRED: dict[str, dict[str, object]] = {
    "a": {
        "vendor": "Acme",
        "total": {"value": "12.60", "confidence": 0.4},
        "note": "extra",
        "items": [
            {"name": "cake", "price": "10.00"},
            {"name": "tea", "price": "2.50"},
            {"name": "milk", "price": "1.00"},
        ],
    },
    "b/1": {"vendor": "<script>alert(2)</script>", "total": 8.5, "items": [{"name": "new"}]},
    "c": {"vendor": "=HYPERLINK", "total": "1.00", "note": "abc"},
    "d": {"vendor": "Right", "total": {"value": "3.00", "confidence": 0.9}},
    "e": {
        "vendor": {"value": "Boxes", "page": 1, "box": [0.1, 0.2, 0.3, 0.4], "confidence": 0.5},
        "total": "6.00",
    },
    "f % _": {"vendor": "Long", "note": "x" * 4_999 + "y"},
}


def write_lines(file: Path, trees: dict[str, dict[str, object]]) -> Path:
    file.write_text("".join(f"{json.dumps({'id': id, **tree})}\n" for id, tree in trees.items()))
    return file


@pytest.fixture(scope="session")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with gold, pred, a schema and the run of them; do not write there."""
    home = tmp_path_factory.mktemp("corpus")
    write_lines(home / "gold.jsonl", GOLD)
    write_lines(home / "pred.jsonl", PRED)
    (home / "schema.yaml").write_text(SCHEMA)
    da.score(
        home / "gold.jsonl",
        home / "pred.jsonl",
        schema=home / "schema.yaml",
        out=home / "run",
        draws=100,
    )
    return home


@pytest.fixture
def run_folder(scored: Path, tmp_path: Path) -> Path:
    """The folder of a run that may be written to."""
    ignore = shutil.ignore_patterns("*.sqlite")
    return Path(shutil.copytree(scored / "run", tmp_path / "run", ignore=ignore))


Opening = Callable[..., ViewedRun]


@pytest.fixture
def opening() -> Opening:
    """Opens the run of a folder."""

    def opened(folder: Path, **inputs: str) -> ViewedRun:
        return ViewedRun(
            folder.name, folder.name, folder, inputs=Inputs(**inputs), say=lambda words: None
        )

    return opened


@pytest.fixture(scope="session")
def indexed(scored: Path) -> DocumentIndex:
    """The index of the run."""
    return open_index(scored / "run", "run", Inputs(), say=lambda words: None)


@pytest.fixture
def viewer(run_folder: Path, indexed: DocumentIndex, opening: Opening) -> Viewer:
    """A viewer of the run, which has its index already."""
    shutil.copy2(indexed.file, run_folder)
    review = Review(run_folder / "gold-patch.jsonl", "kim", now=lambda: "2026-01-02T03:04:05+00:00")
    return Viewer([opening(run_folder)], review)


@pytest.fixture(scope="session")
def looked_at(
    scored: Path, indexed: DocumentIndex, tmp_path_factory: pytest.TempPathFactory
) -> Viewer:
    """A viewer for tests that write nothing."""
    folder = scored / "run"
    run = ViewedRun("run", "run", folder, inputs=Inputs(), say=lambda words: None)
    nowhere = tmp_path_factory.mktemp("patch") / "gold-patch.jsonl"
    return Viewer([run], Review(nowhere, "kim", now=lambda: "2026-01-02T03:04:05+00:00"))
