"""Aligning entities: the best pairs in reading order, and Nerval's alignment of characters.

The table of best totals is filled a row at a time. A total carried over from the left is a running
maximum, so no loop over cells is needed. An edit distance is the same question: with insertions and
deletions at cost 1, a pair of cost c saves 2 - c of the n + m edits that replace everything.

The two texts are written above each other, with gaps. An entity stretches over the gaps that follow
it, up to the next character of its own text. A gold entity is offered the first pred entity of its
category that stands over any of its columns, whole, even where that one begins earlier or ends
later. The columns in which it ends later are spent: no later gold entity may take them, and one
that has nothing but them at its end gets nothing.
"""

from __future__ import annotations

import importlib
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from docassay.model.document import Block

CELLS = 1 << 21
"""The cells of a matrix that are held at once where rows come one after the other."""

Weights = NDArray[np.int32]
"""Layers x gold x pred; the layers are independent questions about the same sequences."""
Totals = NDArray[np.int64]
PairWeights = Callable[[str, int, int], Weights]
"""(category, from, to) -> the weights of these gold items of the category to all its pred items."""


def best_in_order(
    gold: Sequence[str], pred: Sequence[str], weights: PairWeights, *, layers: int, other: int
) -> dict[str | None, list[int]]:
    """Return the best total of each layer, by category and for all together (None).

    `gold` and `pred` are the categories of the items in order, and `other` is the weight of a pair
    of different categories.
    """
    pred_places = places(pred)
    totals: dict[str | None, Totals] = {
        category: np.zeros((layers, len(where) + 1), dtype=np.int64)
        for category, where in pred_places.items()
    }
    whole = totals[None] = np.zeros((layers, len(pred) + 1), dtype=np.int64)
    done = dict.fromkeys(pred_places, 0)
    for start, stop in row_blocks(len(gold), len(pred) * layers):
        rows = np.full((layers, stop - start, len(pred)), other, dtype=np.int32)
        for category, where in places(gold[start:stop]).items():
            if category not in pred_places:
                continue
            first = done[category]
            done[category] = first + len(where)
            block = weights(category, first, done[category])
            advance(totals[category], block)
            rows[:, where[:, None], pred_places[category]] = block
        advance(whole, rows)
    return {category: total[:, -1].tolist() for category, total in totals.items()}


def advance(totals: Totals, weights: Weights) -> None:
    """Carry the best totals on by the rows of a matrix, in place."""
    before, after = totals[:, :-1], totals[:, 1:]
    paired = np.empty_like(after)
    add, higher, run = np.add, np.maximum, np.maximum.accumulate
    for row in range(weights.shape[1]):
        add(before, weights[:, row], out=paired)
        higher(after, paired, out=after)
        run(totals, axis=1, out=totals)


def places(categories: Sequence[str]) -> dict[str, NDArray[np.intp]]:
    """Return where each category stands."""
    groups: dict[str, list[int]] = {}
    for place, category in enumerate(categories):
        groups.setdefault(category, []).append(place)
    return {category: np.array(where, dtype=np.intp) for category, where in groups.items()}


def row_blocks(rows: int, columns: int) -> Iterator[tuple[int, int]]:
    """Yield the rows of a matrix in stretches that hold a bounded number of cells."""
    size = max(1, CELLS // max(1, columns))
    for start in range(0, rows, size):
        yield start, min(rows, start + size)


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
        align: Callable[..., dict[str, str]] = importlib.import_module("edlib").align
    except ImportError:
        return None
    return align


def _fast_steps(gold: str, pred: str) -> Steps | None:
    """Return the steps that edlib takes, None where it cannot."""
    align = _edlib()
    if align is None or not gold or not pred:
        return None
    gold_symbols, pred_symbols = set(gold), set(pred)
    if len(gold_symbols | pred_symbols) > SYMBOLS:
        shared = sorted(gold_symbols & pred_symbols)
        if len(shared) > SYMBOLS - 2:
            return None
        # a symbol of one text alone equals nothing: all of them can be the same one
        codes = {ord(symbol): code for code, symbol in enumerate(shared)}
        gold = gold.translate({**dict.fromkeys(map(ord, gold_symbols), SYMBOLS - 2), **codes})
        pred = pred.translate({**dict.fromkeys(map(ord, pred_symbols), SYMBOLS - 1), **codes})
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
    columns: list[tuple[int, int, int]] = []
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
            columns.append((rises, falls, grows))
    return columns if keep else [(rises, falls, 0)]


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


class _Span(NamedTuple):
    first: int
    last: int
    entity: Block


def offers(gold: Sequence[Block], pred: Sequence[Block]) -> list[tuple[Block, Block]]:
    """Return gold entities with the pred entity each is offered; others are offered none."""
    shared = {piece.category for piece in gold} & {piece.category for piece in pred}
    if not shared - {None}:
        return []
    columns = align_characters(text_of(gold), text_of(pred))
    pred_spans: dict[str | None, list[_Span]] = {}
    for span in _spans(pred, columns.pred):
        pred_spans.setdefault(span.entity.category, []).append(span)
    lasts = {category: [piece.last for piece in spans] for category, spans in pred_spans.items()}
    spent: dict[str | None, int] = {}
    pairs = []
    for span in _spans(gold, columns.gold):
        category = span.entity.category
        start = max(span.first, spent.get(category, -1) + 1)
        if category not in pred_spans or start > span.last:
            continue
        place = bisect_left(lasts[category], start)
        if place == len(pred_spans[category]) or pred_spans[category][place].first > span.last:
            continue
        offered = pred_spans[category][place]
        if offered.last > span.last:
            spent[category] = offered.last
        pairs.append((span.entity, offered.entity))
    return pairs


def text_of(blocks: Sequence[Block]) -> str:
    """Return the whole text, one space between blocks."""
    return " ".join([block.text for block in blocks])


def _spans(blocks: Sequence[Block], columns: Columns) -> Iterator[_Span]:
    ends = np.cumsum([len(block.text) + 1 for block in blocks]) - 1
    starts = ends - [len(block.text) for block in blocks]
    firsts = columns[starts]
    # the gaps after an entity belong to it, those after the end of the text to nothing
    lasts = np.append(columns[ends[:-1]] - 1, columns[-1])
    for entity, first, last in zip(blocks, firsts.tolist(), lasts.tolist(), strict=True):
        if entity.category is not None:
            yield _Span(first, last, entity)
