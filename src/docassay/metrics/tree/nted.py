"""nTED, the normalised tree edit distance of Donut: how much of gold's tree is right as it stands.

The tree of a document has a node for every key, in order of length and then of the alphabet, one
for every object in a list, and a leaf for every value, stripped of white space. A lone value or
object is a list of one. Empty values have no node.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from docassay.metrics.tree.edits import edit_table

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
        numbers = sorted(set(trees.post(forest)), key=lambda tree: len(trees.posts[tree]))
        self.places = {number: place for place, number in enumerate(numbers)}
        """The small ones come first, leaves before all others."""
        self.leaves = [tree for tree in numbers if not trees.children[tree]]
        shapes: dict[tuple[int, ...], list[Forest]] = {}
        for number in numbers[len(self.leaves) :]:
            shapes.setdefault(tuple(trees.sizes[number]), []).append((number,))
        self.groups = [_Group(trees, self.places, alike) for alike in shapes.values()]
        """The subtrees that are no leaves, by shape, the small ones first."""
        self.labels: Places = np.array([trees.labels[tree] for tree in numbers])
        inner = [len(trees.posts[tree]) for tree in (*numbers[len(self.leaves) :], *forest)]
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
        for first, second, table in ((gold, pred, self.table), (pred, gold, self.table.T)):
            _fill_leaves(table, first, second)
        for first, second, table in ((gold, pred, self.table), (pred, gold, self.table.T)):
            _fill_chains(table, first, second)
        for group in gold.groups:
            for other in pred.groups:
                if not group.chains and not other.chains:
                    self._fill(group, other)

    def between(self, gold: Forest, pred: Forest) -> int:
        """Return what can be saved between two forests whose trees have been compared."""
        if not gold or not pred:
            return 0
        golds = _Group(self.trees, self.sides[0].places, [gold])
        preds = _Group(self.trees, self.sides[1].places, [pred])
        saved = _best(self.table, (golds.posts, preds.posts), (golds.shape, preds.shape), None)
        return int(saved[0, 0])

    def _fill(self, ours: _Group, theirs: _Group) -> None:
        """Compare all trees of one shape with all of another."""
        if len(ours.tops) == len(theirs.tops) == 1:
            top, other = ours.tops[0], theirs.tops[0]
            if self.trees.alike(top, other):
                self.table[ours.posts[0, -1], theirs.posts[0, -1]] = self._below(top, other)
                return
        kept = np.equal.outer(ours.labels, theirs.labels) + np.int32(1)
        for rows, columns in _portions(ours.posts, theirs.posts):
            posts = ours.posts[rows], theirs.posts[columns]
            savings = _best(self.table, posts, (ours.shape, theirs.shape), kept[rows, columns])
            self.table[posts[0][:, -1:], posts[1][:, -1]] = savings

    def _below(self, gold: int, pred: int) -> int:
        """Return what can be saved between two trees whose top nodes have equal labels."""
        trees = self.trees
        golds, preds = trimmed(trees, (gold,), (pred,))
        apart = trees.weight(golds) + trees.weight(preds) - self.between(golds, preds)
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
    first, second = posts
    lefts, before = shapes[0].before.tolist(), shapes[1].before
    trees = (len(first), len(second))
    batch = () if trees == (1, 1) else trees
    pairs = table[first.T[:, :, None, None], second].reshape(len(lefts), *batch, len(before))
    rows = np.zeros((len(lefts) + 1, *batch, len(before) + 1), dtype=np.int32)
    ends = rows[..., 1:]
    last = ends[0]
    for left, pair, end in zip(lefts, pairs, ends[1:], strict=True):
        if left:
            pair += rows[left].take(before, axis=-1)
        np.maximum(pair, last, out=end)
        np.maximum.accumulate(end, axis=-1, out=end)
        last = end
    savings: Savings = rows[-1, ..., -1].reshape(trees)
    if kept is not None:
        savings = np.maximum(savings, rows[-2, ..., -2].reshape(trees) + kept)
    return savings


Forest = tuple[int, ...]
"""Trees side by side, by their numbers."""


class Trees:
    """The subtrees of all trees that are to be compared: equal ones have one number."""

    def __init__(self) -> None:
        self._leaves: dict[tuple[str, ...], int] = {}
        self._inner: dict[tuple[str, Forest], int] = {}
        self._labels: dict[str, int] = {}
        self.texts: list[tuple[str, ...]] = []
        """The texts of a leaf, any of which is right; none for an inner node."""
        self.labels: list[int] = []
        """A number for the label of an inner node, 0 for a leaf."""
        self.children: list[Forest] = []
        self.weights: list[int] = []
        """What it costs to insert or delete all nodes of a subtree."""
        self.posts: list[list[int]] = []
        """The subtrees below all nodes of a subtree, in postorder."""
        self.sizes: list[list[int]] = []
        """Their sizes, which tell the shape."""

    def leaf(self, *texts: str) -> int:
        """Return the number of a leaf; of several texts the cheapest counts, whatever is done."""
        number = self._leaves.get(texts)
        if number is None:
            number = self._leaves[texts] = len(self.texts)
            self.texts.append(texts)
            self.labels.append(0)
            self.children.append(())
            self.weights.append(min(map(len, texts)))
            self.posts.append([number])
            self.sizes.append([1])
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
            sizes = self.size(children)
            self.sizes.append([*sizes, len(sizes) + 1])
            self.posts.append([*self.post(children), number])
        return number

    def alike(self, one: int, other: int) -> bool:
        """Whether the top nodes of two trees are inner nodes of equal label."""
        return self.labels[one] == self.labels[other] != 0

    def weight(self, forest: Forest) -> int:
        """Return what it costs to insert or delete a whole forest."""
        return sum([self.weights[tree] for tree in forest])

    def post(self, forest: Forest) -> list[int]:
        """Return the subtrees below all nodes of a forest, in postorder."""
        return _joined(self.posts, forest)

    def size(self, forest: Forest) -> list[int]:
        """Return the sizes of all subtrees of a forest, in postorder."""
        return _joined(self.sizes, forest)


def _joined(lists: list[list[int]], forest: Forest) -> list[int]:
    if len(forest) == 1:
        return lists[forest[0]]
    return [item for tree in forest for item in lists[tree]]


def trimmed(trees: Trees, gold: Forest, pred: Forest) -> tuple[Forest, Forest]:
    """Return what is left to compare when trees that are equal at either end are set aside."""
    while True:
        shorter = min(len(gold), len(pred))
        start = 0
        while start < shorter and gold[start] == pred[start]:
            start += 1
        end = 0
        while end < shorter - start and gold[-1 - end] == pred[-1 - end]:
            end += 1
        gold, pred = gold[start : len(gold) - end], pred[start : len(pred) - end]
        if len(gold) != 1 or len(pred) != 1 or not trees.alike(gold[0], pred[0]):
            return gold, pred
        # two nodes of equal label have the distance of what is below them
        gold, pred = trees.children[gold[0]], trees.children[pred[0]]


MAX_CELLS = 500_000_000


class TreeDistance(NamedTuple):
    """The distance of two documents beside that of an empty document to gold."""

    distance: int | None
    """None when it takes too long."""
    whole: int
    """0 when gold is empty."""
    left_out: int
    """Items for which Donut's tree has no place: objects and lists in a list beside plain ones."""

    @property
    def accuracy(self) -> float | None:
        """The score, undefined for an empty gold and where the distance is not known."""
        if self.distance is None or not self.whole:
            return None
        return max(0.0, 1 - self.distance / self.whole)


def nted(gold: object, pred: object, *, max_cells: int = MAX_CELLS) -> TreeDistance:
    """Return the tree edit distance of two plain trees; a tuple lists alternatives."""
    builder = _Builder()
    golds, preds = builder.forest(gold), builder.forest(pred)
    trees = builder.trees
    distance = edit_distance(trees, golds, preds, max_cells=max_cells) if golds else 0
    return TreeDistance(distance, trees.weight(golds), builder.left_out)


@lru_cache(4096)
def _in_order(keys: tuple[str, ...]) -> list[str]:
    return sorted(keys, key=lambda key: (len(key), key))


class _Builder:
    """Makes Donut's trees of plain ones."""

    def __init__(self) -> None:
        self.trees = Trees()
        self.left_out = 0

    def forest(self, tree: object) -> Forest:
        """Return what stands below the root of a document."""
        return self._members(tree) if isinstance(tree, Mapping) else self._items(tree)

    def _members(self, node: Mapping[str, object]) -> Forest:
        forest = []
        for key in _in_order(tuple(node)):
            items = self._items(node[key])
            if items:
                forest.append(self.trees.inner(key, items))
        return tuple(forest)

    def _items(self, value: object) -> Forest:
        if type(value) is str:
            # a lone text of nothing but white space has a leaf, in a list it has none
            return (self.trees.leaf(value.strip()),) if value else ()
        if isinstance(value, Mapping):
            below = self._members(value)
            return (self.trees.inner("<subtree>", below),) if below else ()
        if isinstance(value, list):
            if all([isinstance(item, Mapping) for item in value]):
                return tuple([tree for item in value for tree in self._items(item)])
            return tuple([leaf for item in value for leaf in self._leaf(item)])
        return self._leaf(value)

    def _leaf(self, value: object) -> Forest:
        several = value if isinstance(value, tuple) else (value,)
        texts = [text for option in several for text in self._texts(option)]
        return (self.trees.leaf(*texts),) if texts else ()

    def _texts(self, value: object) -> list[str]:
        if isinstance(value, Mapping | list | tuple):
            self.left_out += 1
            return []
        text = "" if value is None else str(value).strip()
        return [text] if text else []
