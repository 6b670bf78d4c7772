"""ANLS*: the normalised edit similarity of texts, carried over to nested objects (Peer et al.).

Every leaf of gold meets at most one of pred: under the same key, or in the best assignment of the
items of two lists. A pair of texts scores its similarity, 0 below one half; case and white space do
not count. The sum is divided by the number of places where either side has a value. Scores are
those of the package anls-star 1.0.1, with what it does about absent and empty values: None in gold
is met by nothing, None, "", {} and [], and an extra key counts as a place even when it is empty.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from docassay.metrics.tree.anls_rows import (
    FLOOR,
    PLAIN,
    Agreement,
    Agreements,
    Keys,
    Leaf,
    Node,
    Path,
    table_of_rows,
)
from docassay.metrics.tree.edits import edits
from docassay.model.document import Number

Costs = NDArray[np.float64]


def assign_first_come(costs: Costs) -> list[tuple[int, int]]:
    """Return the row-column pairs of least total cost, as many as can be, in order of rows."""
    rows, columns = costs.shape
    if rows > columns:
        return sorted((row, column) for column, row in assign_first_come(costs.T))
    first = costs.argmin(axis=1).tolist()
    if len({*first}) == rows:  # most often no two rows want the same column
        return [*enumerate(first)]
    least = costs.min(axis=1)
    owners = [-1] * (columns + 1)
    left = []
    for row, best in enumerate(costs == least[:, None]):
        free = next((column for column in best.nonzero()[0].tolist() if owners[column] < 0), None)
        if free is None:
            left.append(row)
        else:
            owners[free] = row
    prices = np.zeros(columns)
    for row in left:
        _push(costs, least, prices, owners, row)
    return sorted((row, column) for column, row in enumerate(owners[:-1]) if row >= 0)


def _push(costs: Costs, least: Costs, prices: Costs, owners: list[int], row: int) -> None:
    """Give a row its column, along the cheapest path of others that make room."""
    columns = len(prices)
    distance = np.full(columns, np.inf)
    open_ = np.ones(columns, dtype=np.bool_)
    came_from = np.full(columns, columns)
    owners[columns] = row
    reached, at = [], columns
    while owners[at] >= 0:
        here = owners[at]
        reduced = costs[here] - least[here] - prices
        nearer = open_ & (reduced < distance)
        distance[nearer] = reduced[nearer]
        came_from[nearer] = at
        reached.append(here)
        at = int(np.where(open_, distance, np.inf).argmin())
        step = distance[at]
        least[reached] += step
        prices[~open_] -= step
        distance[open_] -= step
        open_[at] = False
    while at != columns:
        before = int(came_from[at])
        owners[at] = owners[before]
        at = before


MAX_PAIRS = 12_000_000
LIST = 6
"""The leaves that take as long to compare as a list that stands in an item of another."""


class AnlsStar(NamedTuple):
    """The score of a document, and the mean score of every key by its path."""

    score: float
    keys: Mapping[Path, float]


def anls_star(gold: object, pred: object, *, max_pairs: int = MAX_PAIRS) -> AnlsStar | None:
    """Return the ANLS* of two plain trees, None when it takes too long.

    In gold a tuple lists alternatives.
    """
    if isinstance(gold, list) and isinstance(pred, str) and all(isinstance(x, str) for x in gold):
        gold = tuple(gold)  # answers to a question, any of which is right, may be a list
    leaves = _Leaves()
    gold_tree, pred_tree = _prepared(gold, leaves), _prepared(pred, leaves)
    if _pairs(gold_tree, pred_tree) > max_pairs:
        return None
    keys: dict[Path, list[float]] = {}
    agreement = _compare(gold_tree, pred_tree, (), keys)
    return AnlsStar(agreement.share, {path: sum(own) / len(own) for path, own in keys.items()})


class _Leaves(dict[str, Leaf]):
    """The leaves of texts, made when first asked for."""

    def __missing__(self, text: str) -> Leaf:
        leaf = self[text] = Leaf(_folded(text), text)
        return leaf


def _folded(text: str) -> str:
    return " ".join(text.lower().split())


def _prepared(tree: object, leaves: _Leaves) -> Node:
    kind = type(tree)
    if kind is str:
        return leaves[tree]  # type: ignore[index]
    if kind is Number:
        return Leaf(tree.lower(), float(tree))  # type: ignore[attr-defined, arg-type]
    if kind is int:
        return Leaf(str(tree), tree)
    if tree is None:
        return None
    if isinstance(tree, Mapping):
        return {
            key: leaves[value] if type(value) is str else _prepared(value, leaves)
            for key, value in tree.items()
        }
    if isinstance(tree, list):
        return [_prepared(item, leaves) for item in tree]
    if kind is tuple:
        return tuple([_prepared(alternative, leaves) for alternative in tree]) or None  # type: ignore[attr-defined]
    text = str(tree)
    return Leaf(_folded(text), tree if isinstance(tree, int | float) else text)


def _size(node: Node) -> int:
    """Return the number of places that a tree has alone."""
    if type(node) is dict:
        return sum([_size(value) for value in node.values()])
    if type(node) is list:
        return sum([_size(item) for item in node])
    if type(node) is tuple:
        return max(map(_size, node))
    return 1


def _pairs(gold: Node, pred: Node) -> int:
    """Return about how many leaves have to be compared: in lists, all with all."""
    if type(gold) is tuple:
        return sum([_pairs(alternative, pred) for alternative in gold])
    if type(gold) is dict and type(pred) is dict:
        return sum(
            [
                1 if type(value) in PLAIN else _pairs(value, pred[key])
                for key, value in gold.items()
                if key in pred
            ]
        )
    if type(gold) is list and type(pred) is list:
        golds, preds = (sum([max(1, _load(item)) for item in side]) for side in (gold, pred))
        return golds * preds
    return 1


def _load(node: Node) -> int:
    if type(node) is dict:
        if PLAIN.issuperset(map(type, node.values())):  # as most are
            return len(node)
        return sum([_load(value) for value in node.values()])
    if type(node) is list:
        return LIST + sum([_load(item) for item in node])
    if type(node) is tuple:
        return sum([_load(alternative) for alternative in node])
    return 1


def _means_none(node: Node) -> bool:
    return node.raw == "" if isinstance(node, Leaf) else not node


def _compare(gold: Node, pred: Node, path: Path = (), keys: Keys = None) -> Agreement:
    """Return how two trees agree, and note the score of every key that is met on the way."""
    if type(gold) is Leaf:
        if type(pred) is Leaf:
            return Agreement((_similarity(gold.text, pred.text),), 1, gold.raw == pred.raw)
    elif type(gold) is dict:
        if type(pred) is dict:
            return _compare_objects(gold, pred, path, keys)
    elif type(gold) is list:
        if type(pred) is list:
            return _compare_lists(gold, pred, path, keys)
    elif type(gold) is tuple:
        return _compare(_best_of(gold, pred), pred, path, keys)
    elif _means_none(pred):
        return Agreement((1.0,), 1, True)
    return Agreement((0.0,), max(_size(gold), _size(pred)), False)


def _similarity(gold: str, pred: str) -> float:
    if gold == pred:
        return 1.0
    longer = max(len(gold), len(pred))
    similarity = 1 - edits(gold, pred, most=int((1 - FLOOR) * longer)) / longer
    return similarity if similarity >= FLOOR else 0.0


def _best_of(alternatives: tuple[Node, ...], pred: Node) -> Node:
    def rank(one: Node) -> tuple[float, bool]:
        agreement = _compare(one, pred)
        return agreement.share, agreement.exact

    return max(alternatives, key=rank)


def _compare_objects(
    gold: dict[str, Node], pred: dict[str, Node], path: Path, keys: Keys
) -> Agreement:
    scores: list[float] = []
    places = 0
    exact = gold.keys() >= pred.keys()
    for key, gold_value in gold.items():
        pred_value = pred.get(key)
        if type(gold_value) is Leaf and type(pred_value) is Leaf:
            # spelled out, because most values are leaves
            share = _similarity(gold_value.text, pred_value.text)
            scores.append(share)
            places += 1
            exact = exact and gold_value.raw == pred_value.raw
        else:
            agreement = _compare(gold_value, pred_value, (*path, key), keys)
            scores += agreement.scores
            places += agreement.places
            share = agreement.share
            if exact:
                exact = agreement.exact if key in pred else _may_be_missing(gold_value)
        if keys is not None:
            keys.setdefault((*path, key), []).append(share)
    for key in pred.keys() - gold.keys():
        places += max(1, _size(pred[key]))
        if keys is not None and not _means_none(pred[key]):
            keys.setdefault((*path, key), []).append(0.0)
    return Agreement(scores, places, exact)


def _may_be_missing(node: Node) -> bool:
    return _means_none(_best_of(node, None) if type(node) is tuple else node)


def _compare_lists(gold: list[Node], pred: list[Node], path: Path, keys: Keys) -> Agreement:
    if not gold or not pred:
        return Agreement((), _size(gold) + _size(pred), gold == pred)
    table = table_of_rows(gold, pred)
    pairs = [(0, 0)]
    if len(gold) > 1 or len(pred) > 1:
        agreements = _agreements(gold, pred) if table is None else table.agreements
        pairs = assign_first_come(agreements.costs)
    alone = _alone(gold, {row for row, _ in pairs}) + _alone(pred, {column for _, column in pairs})
    met = (
        _together(gold, pred, pairs, path, keys)
        if table is None
        else table.of_pairs(pairs, path, keys)
    )
    return Agreement(met.scores, alone + met.places, met.exact and len(gold) == len(pred))


def _together(
    gold: list[Node], pred: list[Node], pairs: list[tuple[int, int]], path: Path, keys: Keys
) -> Agreement:
    """Return how the items of all pairs agree together."""
    compared = {
        (row, column): _compare(gold[row], pred[column], path, keys)
        for row, column in sorted(pairs, key=lambda pair: pair[1])
    }
    met = [compared[pair] for pair in pairs]
    return Agreement(
        [score for agreement in met for score in agreement.scores],
        sum([agreement.places for agreement in met]),
        all([agreement.exact for agreement in met]),
    )


def _alone(items: list[Node], met: Iterable[int]) -> int:
    return sum([_size(item) for place, item in enumerate(items) if place not in met])


def _agreements(gold: list[Node], pred: list[Node]) -> Agreements:
    shares, exact = np.empty((len(gold), len(pred))), np.empty((len(gold), len(pred)), np.bool_)
    for row, gold_item in enumerate(gold):
        agreements = [_compare(gold_item, pred_item) for pred_item in pred]
        shares[row] = [agreement.share for agreement in agreements]
        exact[row] = [agreement.exact for agreement in agreements]
    return Agreements(shares, exact)
