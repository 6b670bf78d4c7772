"""The assignment solver: SciPy's own, without its package."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from docassay.matching import solver as module


@pytest.mark.parametrize("alone", [True, False], ids=["by itself", "of the package"])
def test_it_solves_as_scipy_does_ties_included(
    monkeypatch: pytest.MonkeyPatch, alone: bool
) -> None:
    if not alone:
        monkeypatch.setattr(module, "_alone", lambda: None)
    solve = module.solver.__wrapped__()
    generator = np.random.default_rng(1)
    for _ in range(200):
        worth = generator.integers(0, 4, size=generator.integers(1, 7, size=2))
        for maximize in (True, False):
            assert np.array_equal(
                solve(worth, maximize=maximize), linear_sum_assignment(worth, maximize=maximize)
            )


SCORE = """
import sys
import docassay
rows = [{"n": str(at), "price": str(at)} for at in range(4)]
pred = [{"n": f"{at}x", "price": str(at)} for at in reversed(range(4))]
docassay.score({"d": {"items": rows}}, {"d": {"items": pred}}, types="text")
print("docassay.matching.solver" in sys.modules, "scipy.optimize" in sys.modules)
"""


def test_a_score_with_rows_to_match_does_not_import_the_package() -> None:
    done = subprocess.run([sys.executable, "-c", SCORE], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "False"]
