"""The import graph of the package, and its drawing in ARCHITECTURE.md.

`python -m tests.imports` draws it anew; tests/test_architecture.py keeps the drawing true.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from pathlib import Path

import docassay

PACKAGE = Path(docassay.__file__).parent
PAGE = Path(__file__).resolve().parents[1] / "ARCHITECTURE.md"
START, END = "<!-- imports: drawn by `python -m tests.imports` -->", "<!-- imports end -->"


def module_of(path: Path) -> str:
    """Return the dotted name of a module of the package."""
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


MODULES = {module_of(path): path for path in sorted(PACKAGE.rglob("*.py"))}


def room_of(module: str) -> str:
    """Return the folder or root module that a module belongs to."""
    return module.split(".")[1] if "." in module else "__init__"


def imports_of(path: Path) -> set[str]:
    """Return the modules of the package that a module names, wherever the import stands.

    Imports for type checkers and inside functions count like all others.
    """
    imported: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            members = {f"{node.module}.{alias.name}" for alias in node.names}
            modules = members & MODULES.keys()
            imported |= modules
            if len(modules) < len(members):
                imported.add(node.module)
    return imported & MODULES.keys()


def rooms() -> dict[str, set[str]]:
    """Return the rooms that each room imports, itself left out."""
    graph: dict[str, set[str]] = {}
    for module, path in MODULES.items():
        own = room_of(module)
        others = {room_of(other) for other in imports_of(path)}
        graph.setdefault(own, set()).update(others - {own, "__init__"})
    graph.pop("__init__")
    return graph


def single_importers() -> list[str]:
    """Return the modules that exactly one other module imports."""
    importers: dict[str, set[str]] = {}
    for module, path in MODULES.items():
        for other in imports_of(path) - {module}:
            importers.setdefault(other, set()).add(module)
    return sorted(module for module, by in importers.items() if len(by) == 1)


def reduced(graph: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """Return the graph without the edges that a longer way implies."""

    def reachable(start: str) -> set[str]:
        return {start}.union(*(reachable(room) for room in graph[start]))

    return {
        room: {
            other
            for other in below
            if not any(other in reachable(between) for between in below - {other})
        }
        for room, below in graph.items()
    }


def drawing() -> str:
    """Return the rooms and their imports as a Mermaid diagram."""
    graph = reduced(rooms())
    edges = [f"  {room} --> {other}" for room in sorted(graph) for other in sorted(graph[room])]
    return "\n".join(("```mermaid", "graph TD", *edges, "```"))


def with_drawing(page: str, lines: Iterable[str]) -> str:
    """Return a page with the lines between its two marks."""
    before, _, rest = page.partition(START)
    _, _, after = rest.partition(END)
    return "\n".join((f"{before}{START}", "", *lines, "", f"{END}{after}"))


if __name__ == "__main__":
    PAGE.write_text(with_drawing(PAGE.read_text("utf-8"), [drawing()]), encoding="utf-8")
