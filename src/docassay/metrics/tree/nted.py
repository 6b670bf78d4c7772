"""nTED, the normalised tree edit distance of Donut: how much of gold's tree is right as it stands.

The tree of a document has a node for every key, in order of length and then of the alphabet, one
for every object in a list, and a leaf for every value, stripped of white space. A lone value or
object is a list of one. Empty values have no node.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from docassay.metrics.tree.distance import Forest, Trees, edit_distance
from docassay.model.document import Number

MAX_CELLS = 500_000_000
SUBTREE = "<subtree>"
"""The label of an object in a list."""
NUMBERS = frozenset({int, float, bool, Number})
"""The types of plain values whose text is what `str` says."""


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
        chain = self.trees.chain
        for key in _in_order(tuple(node)):
            value = node[key]
            kind = type(value)
            # a lone text of nothing but white space has a leaf, in a list it has none
            if kind is str:
                if value:
                    forest.append(chain(key, value.strip()))  # type: ignore[attr-defined]
            elif kind in NUMBERS:
                forest.append(chain(key, str(value)))
            elif value is not None:
                items = self._items(value)
                if items:
                    forest.append(self.trees.inner(key, items))
        return tuple(forest)

    def _items(self, value: object) -> Forest:
        if isinstance(value, Mapping):
            below = self._members(value)
            return (self.trees.inner(SUBTREE, below),) if below else ()
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
