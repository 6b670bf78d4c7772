"""Products of matrices on one thread."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from docassay.analysis.intervals import DrawnSums
from docassay.analysis.tape import THREADS_VARIABLE, on_one_thread
from docassay.api.score import score

MANY = 3


def threads() -> set[int]:
    return {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}


@pytest.fixture
def _many_threads(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv(THREADS_VARIABLE, raising=False)
    with threadpool_limits(MANY, "blas"):
        if threads() != {MANY}:
            pytest.skip("this library of linear algebra has one thread")
        yield


@pytest.mark.usefixtures("_many_threads")
def test_matrices_are_multiplied_on_one_thread_and_then_on_as_many_as_before() -> None:
    with on_one_thread():
        assert threads() == {1}
    assert threads() == {MANY}


@pytest.mark.usefixtures("_many_threads")
def test_who_sets_the_variable_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(THREADS_VARIABLE, "2")
    with on_one_thread():
        assert threads() == {MANY}


@pytest.mark.usefixtures("_many_threads")
def test_intervals_are_drawn_on_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[set[int]] = []
    sums_of = DrawnSums.of

    def watched(self: DrawnSums, times: np.ndarray) -> np.ndarray:
        seen.append(threads())
        return sums_of(self, times)

    monkeypatch.setattr(DrawnSums, "of", watched)
    gold = [{"a": str(number), "b": "x"} for number in range(60)]
    pred = [{"a": str(number % 50), "b": "x"} for number in range(60)]
    assert score(gold, pred)["kieval.aligned"].low is not None
    assert seen == [{1}] * len(seen) != []


@pytest.mark.parametrize(("before", "own"), [("", "1"), ("import numpy", "None")])
def test_the_command_asks_for_one_thread_only_as_long_as_numpy_is_not_loaded(
    before: str, own: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(THREADS_VARIABLE, raising=False)
    script = (
        f"{before}\nimport os\nfrom docassay.cli import run\nrun(['--version'])\n"
        f"print(os.environ.get({THREADS_VARIABLE!r}))"
    )
    shown = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert shown.stdout.splitlines()[-1] == own
