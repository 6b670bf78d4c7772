"""All rows of one list compared with all of another for ANLS*, a column at a time.

The usual rows are objects of plain values. Their scores are sums of matrices, a matrix for each key
in the order of gold's keys, so every digit is that of comparing the rows one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

FLOOR = 0.5
"""The similarity below which a pair of texts scores nothing."""
FEW = 16
"""The pairs of rows up to which it is faster to compare them one by one."""

Shares = NDArray[np.float64]
Truths = NDArray[np.bool_]


class Leaf(msgspec.Struct, frozen=True, gc=False):
    """A value: its text with case and white space folded, and the value itself."""

    text: str
    raw: object


Node = Leaf | dict[str, "Node"] | list["Node"] | tuple["Node", ...] | None
"""A tree made ready; a bare tuple lists alternatives."""
Row = dict[str, Leaf | None]


class Agreements(NamedTuple):
    """How every item of one list agrees with every item of another."""

    shares: Shares
    exact: Truths

    @property
    def costs(self) -> Shares:
        """What each pair loses; of two equally good pairs an exact one loses less."""
        shares = np.where(self.exact, np.nextafter(self.shares, np.inf), self.shares)
        costs: Shares = shares.max() - shares
        return costs


def agreements_of_rows(gold: Sequence[Node], pred: Sequence[Node]) -> Agreements | None:
    """Return how rows of plain values, or such values alone, agree; None when they are few."""
    if len(gold) * len(pred) <= FEW:
        return None
    if all(item is None or type(item) is Leaf for items in (gold, pred) for item in items):
        gold, pred = ([{"": item} for item in items] for items in (gold, pred))
    ours, theirs = _rows(gold), _rows(pred)
    order = _order(ours)
    if not ours or not theirs or order is None:
        return None
    # keys that gold has nowhere come last: they add places, and nothing to the sums
    keys = [*order, *({key for row in theirs for key in row} - {*order})]
    if not keys:
        return None
    numbers: dict[object, int] = {}
    golds, preds = _Cells(ours, keys, numbers), _Cells(theirs, keys, numbers)
    places = (golds.there[:, :, None] | preds.there[:, None]).sum(axis=0)
    # no value in gold is met by none, by no key and by the empty text
    met = golds.none[:, :, None] & (preds.empty | preds.none)[:, None]
    both = golds.leaf[:, :, None] & preds.leaf[:, None]
    right = np.where(both, _similarities(golds.texts, preds.texts), met)
    same = met | (golds.empty[:, :, None] & ~preds.there[:, None])
    same |= both & (golds.raws[:, :, None] == preds.raws[:, None])
    shares = np.divide(right.sum(axis=0), places, out=np.ones(places.shape), where=places > 0)
    return Agreements(shares, np.logical_and.reduce(same, axis=0))


def _rows(items: Sequence[Node]) -> list[Row]:
    """Return the items when all are objects of plain values, else none."""
    rows: list[Row] = []
    for item in items:
        if type(item) is not dict:
            return []
        row = {key: one for key, one in item.items() if one is None or type(one) is Leaf}
        if len(row) < len(item):
            return []
        rows.append(row)
    return rows


def _order(rows: Sequence[Row]) -> list[str] | None:
    """Return an order of keys that all rows follow, None when no row shows one."""
    longest = [*max(rows, key=len, default={})]
    for row in rows:
        if [key for key in longest if key in row] != [*row]:
            return None
    return longest


class _Cells:
    """The values of rows, key by key: where there are any, of which kind, and what they are."""

    def __init__(
        self, rows: Sequence[Row], keys: Sequence[str], numbers: dict[object, int]
    ) -> None:
        cells = [[row.get(key) for row in rows] for key in keys]
        self.texts = [["" if cell is None else cell.text for cell in row] for row in cells]
        self.raws = np.array(
            [
                [-1 if one is None else numbers.setdefault(one.raw, len(numbers)) for one in row]
                for row in cells
            ]
        )
        """Numbers that are equal for equal values."""
        self.leaf: Truths = self.raws >= 0
        self.there: Truths = np.array([[key in row for row in rows] for key in keys])
        self.none: Truths = self.there & ~self.leaf
        """Where the key stands without a value."""
        self.empty: Truths = ~self.there | (self.raws == numbers.get("", -2))
        """Where the key may as well be missing: it is, or it has the empty text."""


def _similarities(golds: list[list[str]], preds: list[list[str]]) -> Shares:
    edits = np.array(
        [
            cdist(ours, theirs, scorer=Levenshtein.distance, dtype=np.int32)
            for ours, theirs in zip(golds, preds, strict=True)
        ]
    )
    ours, theirs = (
        np.array([[len(text) for text in row] for row in side]) for side in (golds, preds)
    )
    found: Shares = 1 - edits / np.maximum(ours[:, :, None], theirs[:, None]).clip(1)
    found[found < FLOOR] = 0.0
    return found
