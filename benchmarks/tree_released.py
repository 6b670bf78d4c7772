"""What released code says: anls-star, and Donut's tree with its costs given to zss.

    python tree_released.py nted|anls_star GOLD PRED FIRST

Prints as JSON the CPU seconds for the first documents, reading included, and the score of each. It
runs where anls-star, zss and rapidfuzz are installed, and knows nothing of docassay. The nTED of
Donut is written here as its evaluator is described, with the edits between texts by rapidfuzz,
which is faster than the function that the evaluator calls.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from itertools import islice
from typing import Any

from anls_star import anls_score
from rapidfuzz.distance import Levenshtein
from zss import Node, distance

Tree = dict[str, Any]
SUBTREE = "<subtree>"


def leaf(text: str) -> Node:
    return Node((text,))


def is_leaf(node: Node) -> bool:
    return isinstance(node.label, tuple)


def node_of(label: str, value: object) -> Node:
    """Return the node of a key, or of the whole document."""
    node = Node(label)
    for child in children(value):
        node.addkid(child)
    return node


def members(tree: Tree) -> list[Node]:
    nodes = [node_of(key, tree[key]) for key in sorted(tree, key=lambda key: (len(key), key))]
    return [node for node in nodes if node.children]


def children(value: object) -> list[Node]:
    if isinstance(value, list):
        if all(isinstance(item, dict) for item in value):
            return [node for item in value for node in children(item)]
        return [leaf(text) for item in value if (text := str(item).strip())]
    if isinstance(value, dict):
        node = Node(SUBTREE)
        node.children = members(value)
        return [node] if node.children else []
    return [] if value is None or value == "" else [leaf(str(value).strip())]


def whole(tree: Tree) -> Node:
    root = Node("<root>")
    root.children = members(tree)
    return root


def cost(node: Node) -> int:
    return len(node.label[0]) if is_leaf(node) else 1


def change(one: Node, other: Node) -> int:
    if is_leaf(one) and is_leaf(other):
        return Levenshtein.distance(one.label[0], other.label[0])
    if is_leaf(one) or is_leaf(other):
        return cost(one) + cost(other)
    return int(one.label != other.label)


def edits(one: Tree, other: Tree) -> float:
    return float(distance(whole(one), whole(other), Node.get_children, cost, cost, change))


def nted(gold: Tree, pred: Tree) -> float | None:
    missed = edits({}, gold)
    return max(0.0, 1 - edits(pred, gold) / missed) if missed else None


def trees(path: str, first: int) -> Iterator[tuple[str, Tree]]:
    with open(path, encoding="utf-8") as lines:
        for line in islice(lines, first):
            record = json.loads(line)
            name = record.pop("id")
            yield name, record.get("fields", record)


def main() -> None:
    name, gold, pred, first = sys.argv[1:]
    score = {"nted": nted, "anls_star": anls_score}[name]
    start = time.process_time()
    read = dict(trees(pred, int(first)))
    scores = {id_: score(tree, read[id_]) for id_, tree in trees(gold, int(first))}
    print(json.dumps({"seconds": time.process_time() - start, "scores": scores}))


if __name__ == "__main__":
    main()
