"""An extraction that is killed asks for no finished document again, and loses none."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def kills(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("kills")


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_kill_and_resume(kills: ModuleType, tmp_path: Path, seed: int) -> None:
    result = kills.trial(tmp_path, documents=8, seed=seed)
    assert (result.repeated, result.twice, result.lost) == (0, 0, 0)
    assert result.kept < 8, "it was killed before its end"
