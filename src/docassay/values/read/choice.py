"""Choices: one of a list of words, each of which may have other names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from docassay.values.read.characters import fold
from docassay.values.reader import reader

_GAP = re.compile(r"[\W_]+")
_NONE: Mapping[str, object] = MappingProxyType({})


@reader("choice")
def read_choice(
    text: str, *, choices: tuple[str, ...] = (), aliases: Mapping[str, object] = _NONE
) -> str:
    """Read one of `choices` (or of the names in `aliases`), else the text without its case."""
    word = _bare(text)
    for choice in (*choices, *aliases):
        if _bare(choice) == word:
            return choice
    for choice, names in aliases.items():
        if word in map(_bare, _names(names)):
            return choice
    return word


def _names(given: object) -> list[str]:
    if isinstance(given, Iterable) and not isinstance(given, str):
        return [str(name) for name in given]
    return [str(given)]


def _bare(text: str) -> str:
    """Return the words without case and marks; a text of marks only stands for itself."""
    folded = fold(text)
    return _GAP.sub(" ", folded).strip() or folded
