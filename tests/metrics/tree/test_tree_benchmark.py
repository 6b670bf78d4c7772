"""The benchmark of `tree` measures what it says: one seed, one set of pairs, and equal scores."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

import pytest

import docassay as da

BENCHMARKS = Path(__file__).resolve().parents[3] / "benchmarks"


@pytest.fixture
def benchmark(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("tree")


def test_one_seed_gives_one_set_of_pairs_to_the_byte(benchmark: ModuleType, tmp_path: Path) -> None:
    for name, seed in (("one", 7), ("again", 7), ("other", 8)):
        benchmark.write_pairs(tmp_path / name, pairs=20, rows=3, seed=seed)
    texts = {path.name: (path / "pred.jsonl").read_bytes() for path in tmp_path.iterdir()}
    assert texts["one"] == texts["again"] != texts["other"]


def test_the_pairs_are_difficult(benchmark: ModuleType, tmp_path: Path) -> None:
    benchmark.write_pairs(tmp_path, pairs=50, rows=3, seed=7)
    report = da.score(tmp_path / "gold.jsonl", tmp_path / "pred.jsonl", metrics=["tree"])
    assert 0.2 < report["tree.nted"].value < 0.9
    assert 0.2 < report["tree.anls_star"].value < 0.9


@pytest.mark.parametrize(
    ("ours", "theirs", "named"),
    [
        pytest.param(0.5, 0.5 + 5e-10, 0, id="rounded to parts per billion"),
        pytest.param(0.5, 0.5001, 1, id="another score"),
        pytest.param(None, None, 0, id="both undefined"),
        pytest.param(None, 0.0, 1, id="one undefined"),
    ],
)
def test_a_document_with_two_scores_is_named(
    benchmark: ModuleType, ours: float | None, theirs: float | None, named: int
) -> None:
    found = benchmark.disagreements(benchmark.PARTS[0], {"x": ours}, {"x": theirs})
    assert len([*found]) == named
