"""Rows of plain values that ANLS* compares all with all, column by column.

What two rows agree in is what `anls_star` says of two objects. Here it is worked out for all pairs
of rows at once; rows that hold anything but plain values are compared one by one there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from docassay.metrics.tree.edits import similarity_table

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
PLAIN = frozenset({Leaf, type(None)})

Path = tuple[str, ...]
Keys = dict[Path, list[float]] | None
"""The scores of each key, noted where a dict is given."""


class Agreement(NamedTuple):
    """How two trees agree: the scores of the leaves that met, and the places there are."""

    scores: Sequence[float]
    places: int
    exact: bool
    """Nothing is to be changed: of two equally good partners an exact one is taken."""

    @property
    def share(self) -> float:
        """The score of the two trees."""
        return sum(self.scores) / self.places if self.places else 1.0


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


class RowTable:
    """How all rows of gold agree with all rows of pred, key by key."""

    def __init__(
        self, golds: Sequence[Row], preds: Sequence[Row], keys: Sequence[str], *, lone: bool
    ) -> None:
        numbers: dict[object, int] = {NO_VALUE.raw: -1, NO_KEY.raw: -2}
        self._keys = keys
        self._lone = lone
        """Rows are values that stand in a list by themselves."""
        self._golds, self._preds = (_Cells(rows, keys, numbers) for rows in (golds, preds))
        ours, theirs = self._golds, self._preds
        # no value in gold is met by none, by no key and by the empty text
        met = ours.none[:, :, None] & (theirs.empty | theirs.none)[:, None]
        both = ours.leaf[:, :, None] & theirs.leaf[:, None]
        same = met | (ours.empty[:, :, None] & ~theirs.there[:, None])
        same |= both & (ours.raws[:, :, None] == theirs.raws[:, None])
        self._scores = np.where(both, _similarities(ours.texts, theirs.texts), met)
        self._places = (ours.there[:, :, None] | theirs.there[:, None]).sum(axis=0)
        self._exact: Truths = np.logical_and.reduce(same, axis=0)

    @property
    def agreements(self) -> Agreements:
        """The share of every pair of rows, and whether it is exact."""
        total, places = self._scores.sum(axis=0), self._places
        shares = np.divide(total, places, out=np.ones(places.shape), where=places > 0)
        return Agreements(shares, self._exact)

    def of_pairs(self, pairs: Sequence[tuple[int, int]], path: Path, keys: Keys) -> Agreement:
        """Return how the rows of all pairs agree together, and note the scores of every key."""
        rows, columns = zip(*pairs, strict=True)
        scores = self._scores[:, rows, columns]
        if keys is not None and not self._lone:
            self._note(scores.tolist(), pairs, path, keys)
        there = self._golds.there[:, rows]  # only a key that gold has is scored
        return Agreement(
            scores.T[there.T].tolist(),
            int(self._places[rows, columns].sum()),
            bool(self._exact[rows, columns].all()),
        )

    def _note(
        self,
        scores: list[list[float]],
        pairs: Sequence[tuple[int, int]],
        path: Path,
        keys: dict[Path, list[float]],
    ) -> None:
        """Note the scores of each key, in order of pred's rows."""
        rows, columns = zip(*pairs, strict=True)
        # what pred adds counts against the key, unless it is empty
        there = self._golds.there[:, rows] | (self._preds.leaf & ~self._preds.empty)[:, columns]
        order = sorted(range(len(pairs)), key=columns.__getitem__)
        for key, own, counts in zip(self._keys, scores, there.tolist(), strict=True):
            kept = [own[place] for place in order if counts[place]]
            if kept:
                keys.setdefault((*path, key), []).extend(kept)


def table_of_rows(gold: Sequence[Node], pred: Sequence[Node]) -> RowTable | None:
    """Return how rows of plain values, or such values alone, agree; None when they are few."""
    if len(gold) * len(pred) <= FEW:
        return None
    lone = PLAIN.issuperset(map(type, gold)) and PLAIN.issuperset(map(type, pred))
    if lone:
        gold, pred = ([{"": item} for item in items] for items in (gold, pred))
    gold_rows, pred_rows = _rows(gold), _rows(pred)
    order = _order(gold_rows)
    if not gold_rows or not pred_rows or order is None:
        return None
    # keys that gold has nowhere come last: they add places, and nothing to the sums
    keys = [*order, *({key for row in pred_rows for key in row} - {*order})]
    return RowTable(gold_rows, pred_rows, keys, lone=lone) if keys else None


def _rows(items: Sequence[Node]) -> list[Row]:
    """Return the items when all are objects of plain values, else none."""
    rows: list[Row] = []
    for item in items:
        if type(item) is not dict or not PLAIN.issuperset(map(type, item.values())):
            return []
        rows.append(item)  # type: ignore[arg-type]
    return rows


def _order(rows: Sequence[Row]) -> list[str] | None:
    """Return an order of keys that all rows follow, None when no row shows one."""
    longest = [*max(rows, key=len, default={})]
    for row in rows:
        keys = [*row]
        if keys != longest and [key for key in longest if key in row] != keys:
            return None
    return longest


NO_VALUE, NO_KEY = Leaf("", object()), Leaf("", object())
"""What stands for a key without a value, and for one that is not there."""


class _Cells:
    """The values of rows, key by key: where there are any, of which kind, and what they are."""

    def __init__(
        self, rows: Sequence[Row], keys: Sequence[str], numbers: dict[object, int]
    ) -> None:
        columns = [[row.get(key, NO_KEY) or NO_VALUE for row in rows] for key in keys]
        self.texts = [[leaf.text for leaf in column] for column in columns]
        number = numbers.setdefault
        self.raws = np.array(
            [[number(leaf.raw, len(numbers)) for leaf in column] for column in columns]
        )
        """Numbers that are equal for equal values."""
        self.leaf: Truths = self.raws >= 0
        self.none: Truths = self.raws == numbers[NO_VALUE.raw]
        """Where the key stands without a value."""
        self.there: Truths = self.leaf | self.none
        self.empty: Truths = ~self.there | (self.raws == numbers.get("", numbers[NO_KEY.raw]))
        """Where the key may as well be missing: it is, or it has the empty text."""


def _similarities(golds: list[list[str]], preds: list[list[str]]) -> Shares:
    shares = np.empty((len(golds), len(golds[0]), len(preds[0])))
    for column, gold_cells, pred_cells in zip(shares, golds, preds, strict=True):
        column[:] = similarity_table(gold_cells, pred_cells, least=FLOOR)
    return shares
