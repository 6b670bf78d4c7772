"""Ordered trees whose leaves are texts, kept so that equal subtrees are one and the same number."""

from __future__ import annotations

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
