"""The edit distance of ordered trees whose leaves are texts and whose other nodes have labels.

Inserting or deleting a node costs 1 and a leaf its characters; a label is changed for 1 and a text
for its edits. What counts is how much less the best way costs than deleting one tree and inserting
the other: the savings of two forests come from those of their trees (Zhang and Shasha).

A chain, a node with nothing but one leaf below it, is compared as if it were a leaf: whatever is
saved by its leaf alone, the whole chain saves as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from docassay.metrics.tree.edits import edit_table

CELLS = 1 << 21
"""The cells of tables that are worked on at once."""
LEAF = 4
"""The rows of tables that a leaf is counted as."""
STEP = 4
"""Trees of leaves and chains alone are filled up to a multiple of so many, to be compared at once.
"""
MANY = 12
"""From so many pairs of forests for each column of their tables, these are worked out together."""
NONE = 0
"""The place in the table of savings of what fills up a tree: it saves nothing."""

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


class _Post(NamedTuple):
    """The units of a forest in postorder, and how many of them stand before each one's first."""

    units: list[int]
    before: list[int]


class _Group:
    """Trees of one shape: the places of their units in the table of savings, the tops last."""

    def __init__(self, tops: Sequence[int], posts: list[list[int]], before: Sequence[int]) -> None:
        self.tops = tops
        self.places: Places = np.array(posts, dtype=np.intp)
        self.before: Places = np.array(before, dtype=np.intp)


class _Side:
    """The different units of one side, each with its place in the table of savings.

    A unit is a leaf, a chain or a tree that is neither.
    """

    def __init__(self, trees: Trees, forest: Forest) -> None:
        self._children = trees.children
        self._posts: dict[int, _Post] = {}
        """Of the trees that are neither leaf nor chain; what is below a tree comes before it."""
        leaf_of: dict[int, int] = {}
        self._walk(forest, leaf_of)
        self.leaves = [*dict.fromkeys(leaf_of.values())]
        """The different leaves, those of chains among them."""
        numbers = {leaf: number for number, leaf in enumerate(self.leaves)}
        self.texts: Places = np.array([numbers[leaf] for leaf in leaf_of.values()], dtype=np.intp)
        """For each leaf and chain the number of its leaf."""
        self.places = {unit: place for place, unit in enumerate((*leaf_of, *self._posts), NONE + 1)}
        self.small = slice(NONE + 1, len(leaf_of) + 1)
        """The places of leaves and chains, which come before all others."""
        self.labels: Places = np.array([0, *[trees.labels[unit] for unit in self.places]])
        self.groups = self._grouped()
        inner = [trees.nodes[unit] for unit in self.places if trees.labels[unit]]
        self.work = (
            LEAF * len(self.leaves) + sum(inner) + sum([trees.nodes[tree] for tree in forest])
        )
        """The product of both sides' is a measure of the cells of all tables."""

    def group(self, forest: Forest) -> _Group:
        """Return a forest as a group of its own."""
        units, before = self._post(forest)
        return _Group(forest, [[self.places[unit] for unit in units]], before)

    def _walk(self, forest: Forest, leaf_of: dict[int, int]) -> None:
        """Note every unit of a forest, leaves and chains with their leaves."""
        children, posts = self._children, self._posts
        for tree in forest:
            if tree in leaf_of or tree in posts:
                continue
            below = children[tree]
            if not below:
                leaf_of[tree] = tree
            elif len(below) == 1 and not children[below[0]]:
                leaf_of[tree] = below[0]
            else:
                self._walk(below, leaf_of)
                units, before = self._post(below)
                posts[tree] = _Post([*units, tree], [*before, 0])

    def _post(self, forest: Forest) -> _Post:
        if self._posts.keys().isdisjoint(forest):
            return _Post([*forest], [*range(len(forest))])
        units: list[int] = []
        before: list[int] = []
        for tree in forest:
            start = len(units)
            post = self._posts.get(tree)
            if post is None:
                units.append(tree)
                before.append(start)
            else:
                units += post.units
                before += [start + place for place in post.before]
        return _Post(units, before)

    def _grouped(self) -> list[_Group]:
        """Return the trees by shape, those first that have only leaves and chains below them."""
        flat: dict[int, list[int]] = {}
        others: dict[tuple[int, ...], list[int]] = {}
        for tree, post in self._posts.items():
            length = len(post.units) - 1
            if length == len(self._children[tree]):
                flat.setdefault(-(-length // STEP) * STEP, []).append(tree)
            else:
                others.setdefault(tuple(post.before), []).append(tree)
        groups = [
            _Group(tops, self._rows(tops, size), [*range(size), 0]) for size, tops in flat.items()
        ]
        for before, tops in sorted(others.items(), key=lambda shape: len(shape[0])):
            groups.append(_Group(tops, self._rows(tops, len(before) - 1), before))
        return groups

    def _rows(self, tops: Sequence[int], length: int) -> list[list[int]]:
        """Return the places of the units below each tree, filled up to a length, and its own."""
        rows = []
        for top in tops:
            row = [self.places[unit] for unit in self._posts[top].units]
            row[-1:] = [*[NONE] * (length + 1 - len(row)), row[-1]]
            rows.append(row)
        return rows


class _Comparison:
    """What can be saved between any unit of gold and any of pred."""

    def __init__(self, trees: Trees, gold: _Side, pred: _Side) -> None:
        self.trees = trees
        self.sides = (gold, pred)
        self.table = np.zeros((len(gold.places) + 1, len(pred.places) + 1), dtype=np.int32)
        leaves = _between_leaves(trees, gold.leaves, pred.leaves)
        leaves = leaves.take(gold.texts, axis=0).take(pred.texts, axis=1)
        chains = _chained(gold.labels[gold.small], pred.labels[pred.small])
        np.add(leaves, chains, out=self.table[gold.small, pred.small])
        _fill_small(self.table, leaves, gold, pred)
        _fill_small(self.table.T, leaves.T, pred, gold)
        for group in gold.groups:
            for other in pred.groups:
                self._fill(group, other)

    def between(self, gold: Forest, pred: Forest) -> int:
        """Return what can be saved between two forests whose trees have been compared."""
        if not gold or not pred:
            return 0
        golds, preds = self.sides[0].group(gold), self.sides[1].group(pred)
        before = golds.before, preds.before
        return int(_best(self.table, (golds.places, preds.places), before, None)[0, 0])

    def _fill(self, ours: _Group, theirs: _Group) -> None:
        """Compare all trees of one shape with all of another."""
        if len(ours.tops) == len(theirs.tops) == 1:
            top, other = ours.tops[0], theirs.tops[0]
            if self.trees.alike(top, other):
                self.table[ours.places[0, -1], theirs.places[0, -1]] = self._below(top, other)
                return
        labels = [
            side.labels[group.places[:, -1]]
            for side, group in zip(self.sides, (ours, theirs), strict=True)
        ]
        kept = np.equal.outer(*labels) + np.int32(1)
        before = ours.before, theirs.before
        for rows, columns in _portions(ours.places, theirs.places):
            places = ours.places[rows], theirs.places[columns]
            savings = _best(self.table, places, before, kept[rows, columns])
            self.table[places[0][:, -1:], places[1][:, -1]] = savings

    def _below(self, gold: int, pred: int) -> int:
        """Return what can be saved between two trees whose top nodes have equal labels."""
        trees = self.trees
        golds, preds = _without_equal_ends(trees.children[gold], trees.children[pred])
        apart = trees.weight(golds) + trees.weight(preds) - self.between(golds, preds)
        return trees.weights[gold] + trees.weights[pred] - apart


def _chained(golds: Places, preds: Places) -> Savings:
    """Return what is saved when nodes of these labels, 0 for a leaf, become each other."""
    saved: Savings = np.equal.outer(golds, preds) + np.int32(1)
    if not golds.all() or not preds.all():
        saved *= np.logical_and.outer(golds, preds)
    return saved


def _fill_small(table: Savings, leaves: Savings, ours: _Side, theirs: _Side) -> None:
    """Set what is saved between leaves or chains and trees.

    A leaf becomes at most one leaf of the tree. The node of a chain becomes a node of the tree, and
    its leaf at most one leaf below that.
    """
    if not theirs.groups:
        return
    small = ours.small
    alone = np.zeros((len(leaves), table.shape[1]), dtype=np.int32)
    alone[:, theirs.small] = leaves
    for group in theirs.groups:
        below, tops = group.places[:, :-1], group.places[:, -1]
        alone[:, tops] = best = alone[:, below].max(axis=2)
        best = best + _chained(ours.labels[small], theirs.labels[tops])
        table[small, tops] = np.maximum(best, table[small, below].max(axis=2))


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
    edits: Savings = edit_table(*texts)
    for axis, side in enumerate(sides):
        if len(texts[axis]) > len(side):
            starts = np.cumsum([0, *map(len, side[:-1])])
            edits = np.minimum.reduceat(edits, starts, axis=axis)
    weights = [
        np.array([trees.weights[leave] for leave in leaves], dtype=np.int32)
        for leaves in (golds, preds)
    ]
    saved: Savings = np.add.outer(*weights) - edits
    return saved


def _best(
    table: Savings,
    places: tuple[Places, Places],
    before: tuple[Places, Places],
    kept: Savings | None,
) -> Savings:
    """Return the most that can be saved between forests of one shape and forests of another.

    With `kept` the forests are trees that are not in the table yet, and it says what is saved when
    their top nodes become each other.
    """
    if places[0].shape[1] > places[1].shape[1]:
        turned = None if kept is None else kept.T
        return _best(table.T, places[::-1], before[::-1], turned).T
    many = len(places[0]) * len(places[1]) > MANY * len(before[1])
    savings, below = (_by_cells if many else _by_rows)(table, *places, *before)
    return savings if kept is None else np.maximum(savings, below + kept)


def _by_rows(
    table: Savings, first: Places, second: Places, lefts: Places, starts: Places
) -> tuple[Savings, Savings]:
    """Return what is saved between all units of two forests, and between all but the last ones.

    Here a row of the table of two forests is worked out at once.
    """
    trees = (len(first), len(second))
    batch = () if trees == (1, 1) else trees
    pairs = table[first.T[:, :, None, None], second].reshape(len(lefts), *batch, len(starts))
    rows = np.zeros((len(lefts) + 1, *batch, len(starts) + 1), dtype=np.int32)
    ends = rows[..., 1:]
    last = ends[0]
    for left, pair, end in zip(lefts.tolist(), pairs, ends[1:], strict=True):
        if left:
            pair += rows[left].take(starts, axis=-1)
        np.maximum(pair, last, out=end)
        np.maximum.accumulate(end, axis=-1, out=end)
        last = end
    return rows[-1, ..., -1].reshape(trees), rows[-2, ..., -2].reshape(trees)


def _by_cells(
    table: Savings, first: Places, second: Places, lefts: Places, starts: Places
) -> tuple[Savings, Savings]:
    """Return the same, a cell of the tables of all forests at once."""
    nothing: Savings = np.zeros((len(first), len(second)), dtype=np.int32)
    rows = [[nothing] * (len(starts) + 1)]
    for left, ours in zip(lefts.tolist(), first.T[:, :, None], strict=True):
        row = [nothing]
        for start, theirs, above in zip(starts.tolist(), second.T, rows[-1][1:], strict=True):
            cell = rows[left][start] + table[ours, theirs]
            np.maximum(cell, above, out=cell)
            row.append(np.maximum(cell, row[-1], out=cell))
        rows.append(row)
    return rows[-1][-1], rows[-2][-2]


Forest = tuple[int, ...]
"""Trees side by side, by their numbers."""


class Trees:
    """The subtrees of all trees that are to be compared: equal ones have one number."""

    def __init__(self) -> None:
        self._leaves: dict[tuple[str, ...], int] = {}
        self._chains: dict[tuple[str, str], int] = {}
        self._inner: dict[tuple[str, Forest], int] = {}
        self._labels: dict[str, int] = {}
        self.texts: list[tuple[str, ...]] = []
        """The texts of a leaf, any of which is right; none for an inner node."""
        self.labels: list[int] = []
        """A number for the label of an inner node, 0 for a leaf."""
        self.children: list[Forest] = []
        self.weights: list[int] = []
        """What it costs to insert or delete all nodes of a subtree."""
        self.nodes: list[int] = []
        """The number of nodes of a subtree."""

    def leaf(self, *texts: str) -> int:
        """Return the number of a leaf; of several texts the cheapest counts, whatever is done."""
        number = self._leaves.get(texts)
        if number is None:
            number = self._leaves[texts] = len(self.texts)
            self.texts.append(texts)
            self.labels.append(0)
            self.children.append(())
            self.weights.append(min([len(text) for text in texts]))
            self.nodes.append(1)
        return number

    def chain(self, label: str, text: str) -> int:
        """Return the number of an inner node with one leaf of one text."""
        number = self._chains.get((label, text))
        if number is None:
            number = self._chains[label, text] = self.inner(label, (self.leaf(text),))
        return number

    def inner(self, label: str, children: Forest) -> int:
        """Return the number of an inner node with its children, of which it has at least one."""
        number = self._inner.get((label, children))
        if number is None:
            number = self._inner[label, children] = len(self.texts)
            self.texts.append(())
            self.labels.append(self._labels.setdefault(label, len(self._labels) + 1))
            self.children.append(children)
            self.weights.append(1 + self.weight(children))
            self.nodes.append(1 + sum([self.nodes[child] for child in children]))
        return number

    def alike(self, one: int, other: int) -> bool:
        """Whether the top nodes of two trees are inner nodes of equal label."""
        return self.labels[one] == self.labels[other] != 0

    def weight(self, forest: Forest) -> int:
        """Return what it costs to insert or delete a whole forest."""
        return sum([self.weights[tree] for tree in forest])


def trimmed(trees: Trees, gold: Forest, pred: Forest) -> tuple[Forest, Forest]:
    """Return what is left to compare when trees that are equal at either end are set aside."""
    gold, pred = _without_equal_ends(gold, pred)
    while len(gold) == len(pred) == 1 and trees.alike(gold[0], pred[0]):
        # two nodes of equal label have the distance of what is below them
        gold, pred = _without_equal_ends(trees.children[gold[0]], trees.children[pred[0]])
    return gold, pred


def _without_equal_ends(gold: Forest, pred: Forest) -> tuple[Forest, Forest]:
    shorter = min(len(gold), len(pred))
    start = 0
    while start < shorter and gold[start] == pred[start]:
        start += 1
    end = 0
    while end < shorter - start and gold[-1 - end] == pred[-1 - end]:
        end += 1
    return gold[start : len(gold) - end], pred[start : len(pred) - end]
