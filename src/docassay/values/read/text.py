"""Texts: `exact` as it stands, `text` without case, `words` as bare words."""

from __future__ import annotations

import re
import unicodedata

from docassay.errors import Unreadable
from docassay.kernel.senses import usual_text
from docassay.values.read.characters import collapse, fold, plain
from docassay.values.reader import reader


@reader("digits")
def read_digits(text: str) -> str:
    """Read the digits of a text, in order; a text without any is not readable."""
    digits = "".join(filter(str.isdecimal, plain(text)))
    if not digits:
        raise Unreadable("not a text with digits")
    return digits


@reader("alphanumeric")
def read_alphanumeric(text: str) -> str:
    """Read the letters and digits of a text, of any script and with their case."""
    line = plain(text)
    if line.isascii():
        kept = "".join(filter(str.isalnum, line))
    else:
        composed = unicodedata.normalize("NFC", line)
        kept = "".join(
            character
            for character in composed
            if character.isalnum() or unicodedata.category(character)[0] == "M"
        )
    if not kept:
        raise Unreadable("not a text with letters or digits")
    return kept


_WORD = re.compile(r"\w+(?:['’]\w+)*")


@reader("exact", gist=collapse)
def read_exact(text: str) -> str:
    """Read a text as it stands: Unicode NFC, runs of white space as one space, case kept."""
    return collapse(text)


_STOPS = (".", "。")
LONGEST = 50_000
"""Longer texts are equal only as a whole: counting their edits would take minutes."""


@reader("text", compare="edit", gist=usual_text)
def read_text(text: str, *, strip: str = "") -> str:
    """Read a text without case and a full stop at its end; `strip` lists characters to take out."""
    if len(text) > LONGEST:
        raise Unreadable(f"longer than {LONGEST:,} characters, so equal only as a whole")
    folded = _unfinished(fold(text))
    if not strip:
        return folded
    bare = folded.translate(dict.fromkeys(map(ord, fold_characters(strip))))
    return bare if " " in strip else collapse(bare)


def _unfinished(folded: str) -> str:
    """Return a text without the full stop that ends it; dots in a row say something else."""
    if folded[-1:] in _STOPS and folded[-2:-1] not in ("", " ", *_STOPS):
        return folded[:-1]
    return folded


def fold_characters(characters: str) -> str:
    """Return the characters and their folded forms, so that `strip` finds them after folding."""
    return characters + "".join(map(fold, characters))


@reader("words", compare="words")
def read_words(text: str) -> str:
    """Read a text as its words, without case and punctuation."""
    folded = fold(text)
    # A text of signs only ("***", an emoji) has no words: it stands for itself.
    return " ".join(_WORD.findall(folded)) or folded
