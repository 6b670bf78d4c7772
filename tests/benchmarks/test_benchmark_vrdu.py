"""The benchmark of `vrdu` writes forms that all sides score, and prints a line a side."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def benchmark(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    # its name is that of a format of ours, so it is not left among the modules
    monkeypatch.delitem(sys.modules, "vrdu", raising=False)
    return importlib.import_module("vrdu")


def test_every_side_is_timed_on_the_same_forms(
    benchmark: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["vrdu.py", "--docs", "4", "--items", "3", "--rounds", "1"])
    benchmark.main()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "4 documents of 3 line items, 1 rounds"
    assert [line.split("  ")[0] for line in lines[2:]] == ["bare loop", "vrdu", "vrdu_official"]


def test_the_bare_loop_counts_values_that_are_equal_as_text(
    benchmark: ModuleType, tmp_path: Path
) -> None:
    pred = benchmark.write_forms(tmp_path, 3, 2)
    assert 0 < benchmark.bare(tmp_path, pred) < 1
