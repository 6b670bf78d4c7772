"""Imports point down, rooms do not import each other, and a class has one name."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections import Counter
from itertools import combinations
from pathlib import Path

import docassay

ROOT = Path(docassay.__file__).parent
# from the top down; rooms of one line do not use each other
LAYERS = [
    ["cli"],
    ["compat", "synth"],
    ["api"],
    ["viewer"],
    ["report", "extract"],
    ["analysis"],
    ["run"],
    ["metrics"],
    ["matching"],
    ["load"],
    ["schema"],
    ["values"],
    ["model"],
    ["kernel"],
    ["registry"],
    ["errors"],
    ["version"],
]
HEIGHT = {name: -place for place, names in enumerate(LAYERS) for name in names}
DOORS = {"__init__", "__main__"}
"""Modules that lead to the others: public names, and the program."""
MOST_ROOT_MODULES = 6
MOST_MODULES_OF_A_SCORE = 113
SCORE = """
import json, sys
from docassay.cli import run
code = run(["score", sys.argv[1], sys.argv[1], "--quiet"])
loaded = [name for name in sys.modules if name.startswith("docassay")]
print(json.dumps([code, sorted(loaded)]), file=sys.stderr)
"""


def room(module: str) -> str:
    return module.split(".")[1] if "." in module else "__init__"


def module_of(path: Path) -> str:
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imports(path: Path) -> set[str]:
    """The rooms that a module imports, in functions and for type checkers as well."""
    named = set()
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            named |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            named |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {room(name) for name in named if name.startswith("docassay.")}


def edges() -> dict[str, set[str]]:
    """Room -> the rooms that it imports, the doors and itself left out."""
    graph: dict[str, set[str]] = {}
    for path in sorted(ROOT.rglob("*.py")):
        own = room(module_of(path))
        if own not in DOORS:
            graph.setdefault(own, set()).update(imports(path) - {own})
    return graph


def test_every_room_has_its_layer() -> None:
    rooms = {path.relative_to(ROOT).parts[0].removesuffix(".py") for path in ROOT.rglob("*.py")}
    assert rooms - DOORS == {*HEIGHT}


def test_no_module_imports_from_above_or_from_beside() -> None:
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in sorted(ROOT.rglob("*.py"))
        if (own := room(module_of(path))) not in DOORS
        for name in sorted(imports(path) - {own})
        if HEIGHT[name] >= HEIGHT[own]
    ]
    assert wrong == []


def test_no_two_rooms_import_each_other() -> None:
    graph = edges()
    pairs = combinations(sorted(graph), 2)
    assert [(one, two) for one, two in pairs if two in graph[one] and one in graph[two]] == []


def test_the_package_has_few_modules_at_its_root() -> None:
    modules = [path.name for path in ROOT.glob("*.py")]
    assert len(modules) <= MOST_ROOT_MODULES, modules


def test_no_two_classes_share_a_name() -> None:
    names = Counter(
        node.name
        for path in ROOT.rglob("*.py")
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.ClassDef)
    )
    assert {name for name, times in names.items() if times > 1} == set()


def test_scoring_a_small_file_imports_few_modules(tmp_path: Path) -> None:
    file = tmp_path / "gold.jsonl"
    file.write_text('{"id": "a", "total": "1"}\n{"id": "b", "total": "2"}\n')
    done = subprocess.run(
        [sys.executable, "-c", SCORE, str(file)], capture_output=True, text=True, check=True
    )
    code, loaded = json.loads(done.stderr.splitlines()[-1])
    assert code == 0
    assert len(loaded) <= MOST_MODULES_OF_A_SCORE, loaded


def test_public_names_are_sorted_and_all_there() -> None:
    assert docassay.__all__ == sorted(docassay.__all__)
    for name in docassay.__all__:
        assert getattr(docassay, name) is not None


def test_public_functions_stay_functions_after_everything_is_imported() -> None:
    import docassay.api.score
    import docassay.matching.verdicts

    assert callable(docassay.score)
    assert callable(docassay.similarity)
    assert callable(docassay.thresholds)
