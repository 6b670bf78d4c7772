"""Tool calls: a record that a model handed to a function, `{"name": …, "arguments": {…}}`."""

from __future__ import annotations

REPAIR = "tool call"
_ARGUMENTS = ("arguments", "parameters", "input")
_AROUND = frozenset({"name", "type", "id", "call_id", "index"})


def is_call(tree: dict[str, object]) -> bool:
    """Say whether an object is a call and nothing else."""
    if "function" in tree:
        inner = tree["function"]
        return tree.keys() <= {*_AROUND, "function"} and isinstance(inner, dict) and is_call(inner)
    if "name" not in tree or len(tree) > len(_AROUND) + 1:
        return False
    others = tree.keys() - _AROUND
    return len(others) == 1 and not others.isdisjoint(_ARGUMENTS)


def arguments(tree: dict[str, object]) -> dict[str, object] | None:
    """Return what a call hands over, None when it is no call or hands over no record."""
    if not is_call(tree):
        return None
    call = tree.get("function", tree)
    if not isinstance(call, dict):
        return None
    found = next((call[name] for name in _ARGUMENTS if name in call), None)
    return found if isinstance(found, dict) else None
