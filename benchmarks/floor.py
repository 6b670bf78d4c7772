"""The floor under a scorer's speed: decode, compare, assign, and nothing else.

    python benchmarks/floor.py GOLD.jsonl PRED.jsonl

- cdist: every scalar by edit similarity; rows by one distance matrix a text column and one array a
  number column, then one assignment.
- prematch: the same, after rows that are equal have been paired by look-up.
- equality: `==` only, rows by position; no reading and no alignment.

All decode both sides. Records pair by line; a tree is a record's `fields` where it has them.
"""

from __future__ import annotations

import math
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist
from scipy.optimize import linear_sum_assignment

Tree = dict[str, object]
Row = dict[str, object]
Key = tuple[str | float, ...]
Floor = Callable[[Tree, Tree], float]

GROUPS = ("line_items", "transactions")


class Columns(NamedTuple):
    """What rows of one shape hold."""

    texts: tuple[str, ...]
    numbers: tuple[str, ...]


ITEMS = Columns(("description",), ("quantity", "price", "total"))
PLAIN_ITEMS = Columns(("description",), ("quantity", "unit_price", "amount"))
TRANSACTIONS = Columns(("date", "description"), ("amount_paid", "amount_received", "balance"))
CENT = 0.005
ROUNDS = 7


def by_cdist(gold: Tree, pred: Tree) -> float:
    """Return the summed similarity of all scalars and of the best pairing of rows."""
    pred = plain(pred)
    golds = rows_of(gold)
    return scalars(gold, pred) + rows(golds, rows_of(pred), columns_of(golds))


def by_prematch(gold: Tree, pred: Tree) -> float:
    """Return the same sum, aligning only the rows that have no equal on the other side."""
    pred = plain(pred)
    golds = rows_of(gold)
    columns = columns_of(golds)
    waiting: dict[Key, list[Row]] = {}
    for row in rows_of(pred):
        waiting.setdefault(row_key(row, columns), []).append(row)
    unmatched = []
    for row in golds:
        equal = waiting.get(row_key(row, columns))
        if equal:
            equal.pop()
        else:
            unmatched.append(row)
    same = (len(golds) - len(unmatched)) * (len(columns.texts) + len(columns.numbers))
    remaining = [row for equal in waiting.values() for row in equal]
    return scalars(gold, pred) + same + rows(unmatched, remaining, columns)


def by_equality(gold: Tree, pred: Tree) -> float:
    """Return how many scalars and, position by position, how many rows are equal."""
    pred = plain(pred)
    pairs = zip(rows_of(gold), rows_of(pred), strict=False)
    return sum(
        pred.get(field) == value for field, value in gold.items() if field not in GROUPS
    ) + sum(one == other for one, other in pairs)


FLOORS: dict[str, Floor] = {
    "cdist": by_cdist,
    "prematch": by_prematch,
    "equality": by_equality,
}


def rate(gold_path: Path, pred_path: Path, floor: Floor) -> float:
    """Return the documents a floor gets through in a second of processor time."""
    decode = msgspec.json.Decoder(dict[str, object]).decode
    documents = 0
    start = time.process_time()
    with gold_path.open("rb") as golds, pred_path.open("rb") as preds:
        for gold, pred in zip(golds, preds, strict=True):
            floor(tree_of(decode(gold)), tree_of(decode(pred)))
            documents += 1
    return documents / (time.process_time() - start)


def tree_of(record: Tree) -> Tree:
    fields = record.get("fields")
    return fields if isinstance(fields, dict) else record


def rows_of(tree: Tree) -> list[Row]:
    for group in GROUPS:
        found = tree.get(group)
        if isinstance(found, list):
            return found
    return []


def plain(tree: Tree) -> Tree:
    """Return the tree with bare values; one that has them already is returned as it is."""
    first = next((value for value in tree.values() if value is not None), None)
    if not isinstance(first, dict):
        return tree
    return {
        field: [{key: bare(leaf) for key, leaf in row.items()} for row in value]
        if isinstance(value, list)
        else bare(value)
        for field, value in tree.items()
    }


def bare(leaf: object) -> object:
    return leaf["value"] if isinstance(leaf, dict) else leaf


def scalars(gold: Tree, pred: Tree) -> float:
    return sum(
        Levenshtein.normalized_similarity(text(value), text(pred.get(field)))
        for field, value in gold.items()
        if field not in GROUPS and value is not None
    )


def rows(golds: list[Row], preds: list[Row], columns: Columns) -> float:
    if not golds or not preds:
        return 0.0
    similarity = np.zeros((len(golds), len(preds)), dtype=np.float32)
    for column in columns.texts:
        similarity += cdist(
            [text(row.get(column)) for row in golds],
            [text(row.get(column)) for row in preds],
            scorer=Levenshtein.normalized_similarity,
            dtype=np.float32,
        )
    for column in columns.numbers:
        one = np.array([number(row.get(column)) for row in golds])
        other = np.array([number(row.get(column)) for row in preds])
        similarity += np.abs(one[:, None] - other[None]) <= CENT
    return float(similarity[linear_sum_assignment(similarity, maximize=True)].sum())


def columns_of(golds: list[Row]) -> Columns:
    if not golds or "price" in golds[0]:
        return ITEMS
    return TRANSACTIONS if "balance" in golds[0] else PLAIN_ITEMS


def row_key(row: Row, columns: Columns) -> Key:
    get = row.get
    return (*[text(get(c)) for c in columns.texts], *[number(get(c)) for c in columns.numbers])


def text(value: object) -> str:
    return "" if value is None else str(value).strip().lower()


def number(value: object) -> float:
    if isinstance(value, (int, float)):
        return float(value)
    if value is None:
        return 0.0  # so that two rows without an amount agree
    try:
        return float(str(value).replace("$", "").replace(",", ""))
    except ValueError:
        return math.nan


def main() -> None:
    gold_path, pred_path = Path(sys.argv[1]), Path(sys.argv[2])
    rates: dict[str, list[float]] = {name: [] for name in FLOORS}
    for _ in range(ROUNDS):  # interleaved, so that a busy moment spoils all floors alike
        for name, floor in FLOORS.items():
            rates[name].append(rate(gold_path, pred_path, floor))
    for name, found in rates.items():
        middle, low, high = statistics.median(found), min(found), max(found)
        print(f"{name:9} {middle:10.0f} documents per CPU second   (from {low:.0f} to {high:.0f})")


if __name__ == "__main__":
    main()
