"""The characters of two texts side by side: one alignment of least edits, always the same one.

Of all alignments with the fewest edits, the one chosen is that of edlib, which teklia-nerval uses:
traced back from the end, a gold character against a gap is preferred to a pred character against a
gap, and that to a pair. Above a certain size the texts are cut in two first, which settles ties
differently, and this too is kept. edlib itself does the work when it is installed and the texts
share few enough symbols; `plain_steps` gives the same for all texts. It computes a column of the
edit table at a time, as the bits of one long integer (Myers, in the form of Hyyrö).
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

PAIR, GOLD_ONLY, PRED_ONLY = 0, 1, 2
SYMBOLS = 256
WHOLE = 1 << 20
"""The bytes that edlib may use for a table before it cuts the texts in two."""
_STEPS = {"=": PAIR, "X": PAIR, "I": GOLD_ONLY, "D": PRED_ONLY}
_RUN = re.compile(r"(\d+)(.)")

Steps = NDArray[np.uint8]
Columns = NDArray[np.intp]


class Alignment(NamedTuple):
    """The column of every character when the two texts are written above each other."""

    gold: Columns
    pred: Columns


def align_characters(gold: str, pred: str) -> Alignment:
    """Return the alignment of two texts."""
    steps = _fast_steps(gold, pred)
    if steps is None:
        steps = plain_steps(gold, pred)
    return Alignment(np.flatnonzero(steps != PRED_ONLY), np.flatnonzero(steps != GOLD_ONLY))


@cache
def _edlib() -> Callable[..., dict[str, str]] | None:
    try:
        found: Callable[..., dict[str, str]] = importlib.import_module("edlib").align
    except ImportError:
        return None
    return found


def _fast_steps(gold: str, pred: str) -> Steps | None:
    """Return the steps that edlib takes, None where it cannot."""
    align = _edlib()
    if align is None or not gold or not pred:
        return None
    ours, theirs = set(gold), set(pred)
    if len(ours | theirs) > SYMBOLS:
        shared = sorted(ours & theirs)
        if len(shared) > SYMBOLS - 2:
            return None
        # a symbol of one text alone equals nothing: all of them can be the same one
        codes = {ord(symbol): code for code, symbol in enumerate(shared)}
        gold = gold.translate({**dict.fromkeys(map(ord, ours), SYMBOLS - 2), **codes})
        pred = pred.translate({**dict.fromkeys(map(ord, theirs), SYMBOLS - 1), **codes})
    runs = _RUN.findall(align(gold, pred, mode="NW", task="path")["cigar"])
    kinds = np.array([_STEPS[kind] for _, kind in runs], dtype=np.uint8)
    return np.repeat(kinds, [int(length) for length, _ in runs])


def plain_steps(gold: str, pred: str) -> Steps:
    """Return for each column whether it holds a pair, a gold or a pred character."""
    if not gold or not pred:
        kind = GOLD_ONLY if gold else PRED_ONLY
        return np.full(len(gold) + len(pred), kind, dtype=np.uint8)
    rows = -(-len(gold) // 64)
    if 20 * rows * len(pred) + 8 * len(pred) < WHOLE:
        return _trace(gold, pred)
    half = len(pred) // 2
    cut = _cut(gold, pred[:half], pred[half:])
    return np.concatenate(
        (plain_steps(gold[:cut], pred[:half]), plain_steps(gold[cut:], pred[half:]))
    )


def _cut(gold: str, left: str, right: str) -> int:
    """Return where gold is cut: the first place inside it that lies on a best alignment."""
    edits = _last_column(gold, left) + _last_column(gold[::-1], right[::-1])[::-1]
    best = np.flatnonzero(edits == edits.min())
    inside = best[(best > 0) & (best < len(gold))]
    return int(inside[0]) if len(inside) else int(best[0])


def _last_column(gold: str, pred: str) -> NDArray[np.int64]:
    """Return the edits between all of pred and the first 0, 1, 2... characters of gold."""
    rises, falls, _ = _columns(gold, pred, keep=False)[-1]
    size = -(-len(gold) // 8)
    up, down = (
        np.unpackbits(np.frombuffer(bits.to_bytes(size, "little"), np.uint8), bitorder="little")
        for bits in (rises, falls)
    )
    changes = up[: len(gold)].astype(np.int64) - down[: len(gold)]
    return np.concatenate(([len(pred)], len(pred) + np.cumsum(changes)))


def _columns(gold: str, pred: str, *, keep: bool) -> list[tuple[int, int, int]]:
    """Return columns of the edit table, all or the last one, as bits for each gold character.

    A bit says whether the edits rise by one from the character above, whether they fall by one,
    and whether they rise by one from the column before.
    """
    full = (1 << len(gold)) - 1
    places: dict[str, int] = {}
    for place, symbol in enumerate(gold):
        places[symbol] = places.get(symbol, 0) | 1 << place
    rises, falls = full, 0
    found: list[tuple[int, int, int]] = []
    for symbol in pred:
        equal = places.get(symbol, 0)
        level = equal | falls
        along = (((equal & rises) + rises) ^ rises) | equal
        grows = falls | (full & ~(along | rises))
        shifted = (grows << 1 | 1) & full
        rises, falls = (
            (rises & along) << 1 & full | (full & ~(level | shifted)),
            shifted & level,
        )
        if keep:
            found.append((rises, falls, grows))
    return found if keep else [(rises, falls, 0)]


def _trace(gold: str, pred: str) -> Steps:
    columns = _columns(gold, pred, keep=True)
    row, column = len(gold), len(pred)
    steps = bytearray()
    while row and column:
        rises, _, grows = columns[column - 1]
        if rises >> (row - 1) & 1:
            steps.append(GOLD_ONLY)
            row -= 1
        elif grows >> (row - 1) & 1:
            steps.append(PRED_ONLY)
            column -= 1
        else:
            steps.append(PAIR)
            row -= 1
            column -= 1
    steps.extend([GOLD_ONLY] * row + [PRED_ONLY] * column)
    return np.frombuffer(steps, dtype=np.uint8)[::-1]
