"""Texts: `exact` as it stands, `text` without case, `words` as bare words."""

from __future__ import annotations

import re

from docassay.errors import Unreadable
from docassay.read import reader
from docassay.read.characters import collapse, fold

_WORD = re.compile(r"\w+(?:['’]\w+)*")


@reader("exact")
def read_exact(text: str) -> str:
    """Read a text as it stands: Unicode NFC, runs of white space as one space, case kept."""
    return collapse(text)


LONGEST = 50_000
"""Longer texts are equal only as a whole: counting their edits would take minutes."""


@reader("text")
def read_text(text: str, *, strip: str = "") -> str:
    """Read a text without its case; `strip` lists characters to take out, a space among them."""
    if len(text) > LONGEST:
        raise Unreadable(f"longer than {LONGEST:,} characters, so equal only as a whole")
    folded = fold(text)
    if not strip:
        return folded
    bare = folded.translate(dict.fromkeys(map(ord, fold_characters(strip))))
    return bare if " " in strip else collapse(bare)


def fold_characters(characters: str) -> str:
    """Return the characters and their caseless forms, so that `strip` finds them after folding."""
    return characters + characters.casefold()


@reader("words")
def read_words(text: str) -> str:
    """Read a text as its words, without case and punctuation."""
    folded = fold(text)
    # A text of signs only ("***", an emoji) has no words: it stands for itself.
    return " ".join(_WORD.findall(folded)) or folded
