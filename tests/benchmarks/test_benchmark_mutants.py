"""The mutation run: what it changes, what it leaves alone, and how it draws."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("mutations")


@pytest.mark.parametrize(
    ("source", "changed"),
    [
        ("x = a < b", {"x = (a <= b)", "x = (a >= b)"}),
        ("x = a is None", {"x = (a is not None)"}),
        ("x = a and b", {"x = (a or b)"}),
        ("x = not a", {"x = (a)"}),
        ("x = a + b", {"x = (a - b)"}),
        ("x = 3", {"x = 4", "x = (2)"}),
        ("x = True", {"x = False"}),
        ("x = max(a)", {"x = (min(a))"}),
        ("x = sorted(a, key=b)", {"x = (sorted(a))", "x = (sorted(a, key=b, reverse=True))"}),
        ("x = a[b:]", {"x = (a[b + 1:])", "x = (a[:])"}),
        ("x = b if a else c", {"x = (c if a else b)"}),
        ("if a:\n    b()", {"if (not a):\n    b()", "if a:\n    pass"}),
        ("def f():\n    return a", {"def f():\n    return None"}),
        ("for a in b:\n    continue", {"for a in b:\n    pass"}),
        ("x += a", {"pass", "x -= a"}),
        ("x.y = a", {"pass"}),
        ("raise E(f(3))", {"pass"}),
    ],
)
def test_a_statement_has_its_mutations(source: str, changed: set[str], module: ModuleType) -> None:
    assert {one.source for one in module.mutations(source)} == changed


@pytest.mark.parametrize(
    "source",
    [
        '"""Text."""',
        "x: tuple[int, 3]",
        "def f(a: A[3]) -> B[4]: ...",
        "__all__ = [g(3)]",
        "X = A | B",
        "if TYPE_CHECKING:\n    x = 3",
        "@cache(3)\nclass A(B, frozen=True): ...",
        "x = zip(a, b, strict=True)",
        "x = f'{a + 3}'",
        "import a",
    ],
)
def test_declarations_and_texts_are_left_alone(source: str, module: ModuleType) -> None:
    assert module.mutations(source) == []


def test_a_mutation_says_where_it_is(module: ModuleType) -> None:
    source = "class A:\n    @b\n    def f(self):\n        x = (\n            1 < y\n        )\n"
    found = [one for one in module.mutations(source) if "<=" in one.after]
    assert [one[:6] for one in found] == [(5, 6, 2, "A.f", "1 < y", "(1 <= y)")]


def test_a_seed_draws_the_same_lines_each_once(
    module: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    mutants = importlib.import_module("mutants")
    drawn = mutants.draw(["gate"], 8, 5)
    assert drawn == mutants.draw(["gate"], 8, 5)
    assert drawn != mutants.draw(["gate"], 8, 6)
    assert len({(one.file, one.line) for one in drawn}) == len(drawn) == 8
    assert all(module.compiles(one.source) for one in drawn)


def test_every_mutant_that_is_listed_as_equivalent_has_a_reason(module: ModuleType) -> None:
    mutants = importlib.import_module("mutants")
    assert all(reason for reason in mutants.equivalents().values())
