"""What a model says before it answers: thoughts, and the marks that its template leaves behind."""

from __future__ import annotations

import re
from typing import NamedTuple

REMOVED = "thinking removed"
_NAMES = "think|thinking|thoughts?|reasoning|reflection|scratchpad"
_THOUGHT = re.compile(
    rf"(?:<|◁|\[)(?P<close>/?)(?:\w{{1,20}}:)?(?:{_NAMES})(?:>|▷|\])"
    r"|<\|begin_of_thought\|>|(?P<end><\|end_of_thought\|>)",
    re.IGNORECASE,
)
_FINAL = ("<|channel|>final", "assistantfinal")
"""Where the channel of the answer begins; the second is what is left without special tokens."""
_CHANNELS = ("<|channel|>analysis", "analysis")
_MARKS = re.compile(
    r"<\|[\w ]{1,40}\|>|<｜[^｜<>]{1,40}｜>|</?s>|<(?:pad|eos|bos|unk|end_of_turn|start_of_turn)>"
    r"|</?(?:answer|final_answer|output|json|response|result)>",
    re.IGNORECASE,
)


class Answer(NamedTuple):
    """A response without its thoughts, and what was taken off."""

    text: str
    repairs: tuple[str, ...] = ()
    unfinished: bool = False
    """The thoughts were never closed, and nothing stands before them."""


def without_thinking(text: str) -> Answer:
    """Return what is outside the thoughts; a draft inside them is no answer."""
    for channel, final in zip(_CHANNELS, _FINAL, strict=True):
        # the bare word is a channel at the very start only
        if channel in text[:200] if channel[0] == "<" else text.startswith(channel):
            _, found, answer = text.rpartition(final)
            if found:
                return Answer(answer, (REMOVED,))
            if channel[0] == "<":
                return Answer("", (REMOVED,), unfinished=True)
    return _outside(text) if _THOUGHT.search(text) else Answer(text)


def _outside(text: str) -> Answer:
    kept: list[str] = []
    at, inside = 0, False
    last = len(text.rstrip())
    for mark in _THOUGHT.finditer(text):
        closes = bool(mark["close"] or mark["end"])
        if not closes and not inside:
            kept.append(text[at : mark.start()])
            inside = True
        elif closes and inside:
            at, inside = mark.end(), False
        elif closes:
            if mark.end() < last:
                kept.clear()  # the opening mark stood in the prompt
            else:
                kept.append(text[at : mark.start()])
            at = mark.end()
    if not inside:
        kept.append(text[at:])
    answer = "".join(kept)
    return Answer(answer, (REMOVED,), unfinished=inside and not answer.strip())


def without_marks(text: str) -> Answer:
    """Return a text without the special tokens and answer tags of templates."""
    found, count = _MARKS.subn("", text)
    return Answer(found, ("special tokens",) if count else ())
