"""Imports point down: no module reaches for what is built on it."""

from __future__ import annotations

import ast
from pathlib import Path

import docassay

ROOT = Path(docassay.__file__).parent
# from the ground up; modules of one line may use each other
LAYERS = [
    ["version", "errors"],
    ["registry", "model"],
    ["read", "compare"],
    ["types", "grouping"],
    ["bound_field", "layout", "leaf", "listing", "load", "parse"],
    ["reading", "rules", "schema", "likeness"],
    ["align"],
    ["case"],
    ["metrics", "compat", "verdicts", "causes"],
    ["plan", "verdict_file"],
    ["scoring", "prepare"],
    ["ledger"],
    ["aggregate", "run", "find"],
    ["report"],
    ["api"],
    ["automation", "synth", "study", "splits"],
    ["cli", "__main__"],
]
HIGHER = {"docassay.compat.evaluation_metrics": "api"}
"""A package that stands above the room it lies in, for the sake of its name."""
LEVEL = {name: height for height, names in enumerate(LAYERS) for name in names}


def room(module: str) -> str:
    for package, stands_with in HIGHER.items():
        if f"{module}.".startswith(f"{package}."):
            return stands_with
    return module.split(".")[1] if "." in module else "__init__"


def module_of(path: Path) -> str:
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


def imports(path: Path) -> set[str]:
    """The rooms that a module imports when it is loaded or later, type checking aside."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    hidden = {
        node
        for branch in ast.walk(tree)
        if isinstance(branch, ast.If) and "TYPE_CHECKING" in ast.unparse(branch.test)
        for node in ast.walk(branch)
    }
    found = {
        name.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import) and node not in hidden
        for name in node.names
    } | {
        str(node.module)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node not in hidden
    }
    return {room(name) for name in found if name.startswith("docassay.")}


def test_every_room_has_its_layer() -> None:
    rooms = {path.relative_to(ROOT).parts[0].removesuffix(".py") for path in ROOT.rglob("*.py")}
    assert rooms - {"__init__"} == set(LEVEL) & rooms


def test_no_module_imports_from_above() -> None:
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in sorted(ROOT.rglob("*.py"))
        if (own := room(module_of(path))) != "__init__"
        for name in sorted(imports(path))
        if LEVEL[name] > LEVEL[own]
    ]
    assert wrong == []


def test_public_names_are_sorted_and_all_there() -> None:
    assert docassay.__all__ == sorted(docassay.__all__)
    for name in docassay.__all__:
        assert getattr(docassay, name) is not None


def test_public_functions_stay_functions_after_everything_is_imported() -> None:
    import docassay.api
    import docassay.verdicts

    assert callable(docassay.score)
    assert callable(docassay.similarity)
