"""The benchmark of audits spoils what it says, and the audit finds most of it."""

from __future__ import annotations

import importlib
from collections import Counter
from pathlib import Path
from random import Random
from types import ModuleType

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def benchmark(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("audit")


def test_every_kind_of_mistake_is_made_and_each_changes_one_value(benchmark: ModuleType) -> None:
    samples = [*benchmark.generate(12, seed=2, rows=4)]
    before = {sample.id: benchmark.copied(sample.gold) for sample in samples}
    after = {sample.id: benchmark.copied(sample.gold) for sample in samples}
    wrong = benchmark.spoil(after, 0.1, Random(2))
    changed = {
        (id, path)
        for id in before
        for path in {spot[2] for trees in (before, after) for spot in benchmark.spots(trees[id])}
        if at(benchmark, before[id], path) != at(benchmark, after[id], path)
    }
    assert {each[:2] for each in wrong} == changed
    assert {each.kind for each in wrong} == {*benchmark.KINDS}


def at(benchmark: ModuleType, tree: object, path: str) -> object:
    return next((spot[0][spot[1]] for spot in benchmark.spots(tree) if spot[2] == path), "")


def test_most_wrong_values_come_first_and_few_right_ones_are_named(benchmark: ModuleType) -> None:
    kinds: Counter[tuple[str, bool]] = Counter()
    figures = benchmark.measure(3, 12, 0.05, kinds)
    assert figures.among_first >= 0.7 * figures.wrong
    assert figures.named_clean <= 0.01 * figures.values
    assert kinds.total() == figures.wrong
