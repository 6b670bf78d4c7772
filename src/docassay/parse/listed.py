"""Lists that a model wrote as a text: "['a', 'b']" is the list of a and b."""

from __future__ import annotations

import re

from docassay.parse.loose import read_loosely

LONGEST = 100_000
_HARMLESS = frozenset({"single quotes", "smart quotes", "Python literal"})
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'', re.DOTALL)
_GROUPED = re.compile(r"\d,\d")


def unfold(tree: dict[str, object]) -> list[str]:
    """Turn the texts of a tree that are lists or objects into these, and return their keys."""
    keys: dict[str, None] = {}
    waiting: list[tuple[str, dict[str, object] | list[object]]] = [("", tree)]
    while waiting:
        name, holder = waiting.pop()
        members = holder.items() if isinstance(holder, dict) else enumerate(holder)
        for key, value in [*members]:
            own = key if isinstance(key, str) else name
            if isinstance(value, dict | list):
                waiting.append((own, value))
            elif type(value) is str and (found := _unfolded(value)) is not None:
                keys[own] = None
                holder[key] = found
    return [*keys]


def _unfolded(text: str) -> object | None:
    text = text.strip()
    if text[:1] + text[-1:] not in ("[]", "{}") or len(text) > LONGEST:
        return None
    # a comma between digits may group them: [1,234.56] is left alone
    if _GROUPED.search(_QUOTED.sub("", text)) is not None:
        return None
    read = read_loosely(text, 0, len(text))
    if not read.complete or read.end < len(text) or not _HARMLESS.issuperset(read.repairs):
        return None
    # [12] may as well be a remark in brackets
    single = isinstance(read.value, list) and len(read.value) == 1
    if single and isinstance(read.value, list) and not isinstance(read.value[0], str | dict):
        return None
    return read.value
