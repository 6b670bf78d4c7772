"""Tree edit distance as it is defined: every way to treat the last nodes of two forests, tried."""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from docassay.metrics.tree.distance import Forest, Trees

TEXTS = ["", "a", "b", "ab", "abc", "bca", "xyz"]
LEAF = st.sampled_from(TEXTS)
LABEL = st.sampled_from("klm")
TREE = st.recursive(
    LEAF,
    lambda inside: st.tuples(LABEL, st.lists(inside, min_size=1, max_size=3).map(tuple)),
    max_leaves=7,
)
"""A leaf is a text, an inner node a label with its children."""
FOREST = st.lists(TREE, max_size=3).map(tuple)


def cost(node: object) -> int:
    return len(node) if isinstance(node, str) else 1


def change(one: object, other: object) -> int:
    if isinstance(one, str) and isinstance(other, str):
        return Levenshtein.distance(one, other)
    if isinstance(one, str) or isinstance(other, str):
        return cost(one) + cost(other)
    return int(one[0] != other[0])


def below(node: object) -> tuple:
    return () if isinstance(node, str) else node[1]


@cache
def distance(gold: tuple, pred: tuple) -> int:
    if not gold and not pred:
        return 0
    ways = []
    if gold:
        ways.append(distance((*gold[:-1], *below(gold[-1])), pred) + cost(gold[-1]))
    if pred:
        ways.append(distance(gold, (*pred[:-1], *below(pred[-1]))) + cost(pred[-1]))
    if gold and pred:
        kept = distance(below(gold[-1]), below(pred[-1])) + change(gold[-1], pred[-1])
        ways.append(distance(gold[:-1], pred[:-1]) + kept)
    return min(ways)


def planted(trees: Trees, forest: tuple) -> Forest:
    """Return the forest as the module under test knows it."""
    return tuple(
        trees.leaf(one) if isinstance(one, str) else trees.inner(one[0], planted(trees, one[1]))
        for one in forest
    )
