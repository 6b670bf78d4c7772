"""What the reader of a form returns, and how a repair is called."""

from __future__ import annotations

from typing import NamedTuple

_LONGEST_NAME = 40


class Tree(NamedTuple):
    """The fields of a text, and what was mended or lost."""

    fields: dict[str, object]
    repairs: tuple[str, ...]


def about(kind: str, name: str) -> str:
    """Return a repair that names a key: short, and in one piece where repairs are listed."""
    shown = " ".join(name.replace(",", " ").split())
    return f"{kind}: {shown if len(shown) <= _LONGEST_NAME else shown[:_LONGEST_NAME] + '…'}"
