"""The exact edit distance of ordered trees whose leaves are texts, with the costs that Donut uses.

A leaf costs its length, an inner node 1; a leaf becomes another by character edits, an inner node
takes another label for 1, and one becomes the other at the price of both. The distance is what it
costs to delete one tree and to insert the other, less the most that can be saved by keeping nodes,
and savings are what is computed: a cell of Zhang and Shasha's table is the largest of its
neighbours above and to the left and of a sum, so a row is a running maximum and needs no loop over
cells. Equal subtrees are one number, and every two different ones are compared once, the small
before the large, those of one shape all at once. Where nodes of equal label meet, children that are
equal at either end are set aside, which is exact because the costs obey the triangle inequality.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

from docassay.align.trees import Forest, Trees, trimmed

CELLS = 1 << 21
"""The cells of tables that are worked on at once."""
LEAF = 4
"""The rows of tables that a leaf takes: its edits, its savings, and these among all others."""

Savings = NDArray[np.int32]
Places = NDArray[np.intp]


def edit_distance(trees: Trees, gold: Forest, pred: Forest, *, max_cells: int) -> int | None:
    """Return what it costs to turn one forest into the other, None when it takes too long."""
    gold, pred = trimmed(trees, gold, pred)
    saved = 0
    if gold and pred:
        sides = _Side(trees, gold), _Side(trees, pred)
        if sides[0].work * sides[1].work > max_cells:
            return None
        saved = _Comparison(trees, *sides).between(gold, pred)
    return trees.weight(gold) + trees.weight(pred) - saved


class _Shape(NamedTuple):
    """How trees are built whose nodes, in postorder, have subtrees of the same sizes."""

    before: Places
    """For each node, how many nodes stand before the first one below it."""
    leaves: Places
    """The places of the leaves."""
    inner: Places
    """The places of the others."""


@lru_cache(1024)
def _shape(sizes: tuple[int, ...]) -> _Shape:
    below = np.array(sizes)
    before = np.arange(1, len(below) + 1) - below
    return _Shape(before, np.flatnonzero(below == 1), np.flatnonzero(below > 1))


class _Group:
    """Forests of one shape, and the places of their nodes in the table of savings."""

    def __init__(self, trees: Trees, places: dict[int, int], forests: Sequence[Forest]) -> None:
        self.tops = [forest[-1] for forest in forests]
        self.posts: Places = np.array(
            [[places[node] for node in trees.post(forest)] for forest in forests], dtype=np.intp
        )
        self.shape = _shape(tuple(trees.size(forests[0])))
        self.labels: Places = np.array([trees.labels[top] for top in self.tops])
        self.chains = self.posts.shape[1] == 2


class _Side:
    """The different subtrees of one side, each with its place in the table of savings."""

    def __init__(self, trees: Trees, forest: Forest) -> None:
        numbers = sorted(set(trees.post(forest)), key=lambda one: len(trees.posts[one]))
        self.places = {number: place for place, number in enumerate(numbers)}
        """The small ones come first, leaves before all others."""
        self.leaves = [one for one in numbers if not trees.children[one]]
        shapes: dict[tuple[int, ...], list[Forest]] = {}
        for number in numbers[len(self.leaves) :]:
            shapes.setdefault(tuple(trees.sizes[number]), []).append((number,))
        self.groups = [_Group(trees, self.places, alike) for alike in shapes.values()]
        """The subtrees that are no leaves, by shape, the small ones first."""
        self.labels: Places = np.array([trees.labels[one] for one in numbers])
        inner = [len(trees.posts[one]) for one in (*numbers[len(self.leaves) :], *forest)]
        self.work = LEAF * len(self.leaves) + sum(inner)
        """The product of both sides' is about the cells of all tables."""


class _Comparison:
    """What can be saved between any subtree of gold and any of pred."""

    def __init__(self, trees: Trees, gold: _Side, pred: _Side) -> None:
        self.trees = trees
        self.sides = (gold, pred)
        self.table = np.zeros((len(gold.places), len(pred.places)), dtype=np.int32)
        leaves = _between_leaves(trees, gold.leaves, pred.leaves)
        self.table[: len(gold.leaves), : len(pred.leaves)] = leaves
        for ours, theirs, table in ((gold, pred, self.table), (pred, gold, self.table.T)):
            _fill_leaves(table, ours, theirs)
        for ours, theirs, table in ((gold, pred, self.table), (pred, gold, self.table.T)):
            _fill_chains(table, ours, theirs)
        for one in gold.groups:
            for other in pred.groups:
                if not one.chains and not other.chains:
                    self._fill(one, other)

    def between(self, gold: Forest, pred: Forest) -> int:
        """Return what can be saved between two forests whose trees have been compared."""
        if not gold or not pred:
            return 0
        ours = _Group(self.trees, self.sides[0].places, [gold])
        theirs = _Group(self.trees, self.sides[1].places, [pred])
        found = _best(self.table, (ours.posts, theirs.posts), (ours.shape, theirs.shape), None)
        return int(found[0, 0])

    def _fill(self, ours: _Group, theirs: _Group) -> None:
        """Compare all trees of one shape with all of another."""
        if len(ours.tops) == len(theirs.tops) == 1:
            one, other = ours.tops[0], theirs.tops[0]
            if self.trees.alike(one, other):
                self.table[ours.posts[0, -1], theirs.posts[0, -1]] = self._below(one, other)
                return
        kept = np.equal.outer(ours.labels, theirs.labels) + np.int32(1)
        for rows, columns in _portions(ours.posts, theirs.posts):
            posts = ours.posts[rows], theirs.posts[columns]
            found = _best(self.table, posts, (ours.shape, theirs.shape), kept[rows, columns])
            self.table[posts[0][:, -1:], posts[1][:, -1]] = found

    def _below(self, gold: int, pred: int) -> int:
        """Return what can be saved between two trees whose top nodes have equal labels."""
        trees = self.trees
        ours, theirs = trimmed(trees, (gold,), (pred,))
        apart = trees.weight(ours) + trees.weight(theirs) - self.between(ours, theirs)
        return trees.weights[gold] + trees.weights[pred] - apart


def _fill_leaves(table: Savings, ours: _Side, theirs: _Side) -> None:
    """Set what is saved between leaves and trees: a leaf becomes at most one leaf of the tree."""
    leaves = table[: len(ours.leaves), : len(theirs.leaves)]
    for group in theirs.groups:
        below = leaves[:, group.posts[:, group.shape.leaves]]
        table[: len(leaves), group.posts[:, -1]] = below.max(axis=2)


def _fill_chains(table: Savings, ours: _Side, theirs: _Side) -> None:
    """Set what is saved between chains and trees, a chain being a node with one leaf below it.

    The node becomes an inner node of the tree, and the leaf at most one leaf below that.
    """
    for chain in ours.groups:
        if not chain.chains:
            continue
        same = np.equal.outer(chain.labels, theirs.labels)
        saved = table[chain.posts[:, 0]] + same + np.int32(1)
        for group in theirs.groups:
            inner = saved[:, group.posts[:, group.shape.inner]]
            table[chain.posts[:, -1:], group.posts[:, -1]] = inner.max(axis=2)


def _portions(ours: Places, theirs: Places) -> Iterator[tuple[slice, slice]]:
    """Yield the trees of two groups in portions whose tables are held at once."""
    cells = ours.shape[1] * theirs.shape[1]
    width = max(1, min(len(theirs), CELLS // cells))
    height = max(1, CELLS // (cells * width))
    for column in range(0, len(theirs), width):
        for row in range(0, len(ours), height):
            yield slice(row, row + height), slice(column, column + width)


def _between_leaves(trees: Trees, golds: list[int], preds: list[int]) -> Savings:
    """Return what can be saved between all leaves: both lengths less the edits."""
    sides = [[trees.texts[leaf] for leaf in leaves] for leaves in (golds, preds)]
    texts = [[text for leaf in side for text in leaf] for side in sides]
    edits: Savings = cdist(*texts, scorer=Levenshtein.distance, dtype=np.int32)
    for axis, side in enumerate(sides):
        if len(texts[axis]) > len(side):
            starts = np.cumsum([0, *map(len, side[:-1])])
            edits = np.minimum.reduceat(edits, starts, axis=axis)
    weights = [
        np.array([trees.weights[one] for one in leaves], dtype=np.int32)
        for leaves in (golds, preds)
    ]
    saved: Savings = np.add.outer(*weights) - edits
    return saved


def _best(
    table: Savings,
    posts: tuple[Places, Places],
    shapes: tuple[_Shape, _Shape],
    kept: Savings | None,
) -> Savings:
    """Return the most that can be saved between forests of one shape and forests of another.

    With `kept` the forests are trees that are not in the table yet, and it says what is saved when
    their top nodes become each other.
    """
    if posts[0].shape[1] > posts[1].shape[1]:
        turned = None if kept is None else kept.T
        return _best(table.T, posts[::-1], shapes[::-1], turned).T
    ours, theirs = posts
    lefts, before = shapes[0].before.tolist(), shapes[1].before
    trees = (len(ours), len(theirs))
    batch = () if trees == (1, 1) else trees
    pairs = table[ours.T[:, :, None, None], theirs].reshape(len(lefts), *batch, len(before))
    rows = np.zeros((len(lefts) + 1, *batch, len(before) + 1), dtype=np.int32)
    ends = rows[..., 1:]
    last = ends[0]
    for left, pair, end in zip(lefts, pairs, ends[1:], strict=True):
        if left:
            pair += rows[left].take(before, axis=-1)
        np.maximum(pair, last, out=end)
        np.maximum.accumulate(end, axis=-1, out=end)
        last = end
    found: Savings = rows[-1, ..., -1].reshape(trees)
    if kept is not None:
        found = np.maximum(found, rows[-2, ..., -2].reshape(trees) + kept)
    return found
