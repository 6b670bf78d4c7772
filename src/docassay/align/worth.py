"""The worth of pairing rows: equal values, corrections spared, and the length of what is equal."""

from __future__ import annotations

import numpy as np

from docassay.align.assignment import Matrix
from docassay.align.rows import Row
from docassay.model.document import Group


def _length(token: str) -> int:
    """Return the length of the value in a token: field, value, and perhaps a number."""
    start = token.index("\x1f") + 1
    end = token.find("\x1f", start)
    return (len(token) if end < 0 else end) - start


def worth(gold: Row, pred: Row) -> tuple[int, int, int]:
    """Return the worth of a pair of rows without rows inside, of which none are identical."""
    shared = gold[0] & pred[0]
    ours, theirs = gold[1].values, pred[1].values
    if len(gold[0]) == len(ours) and len(pred[0]) == len(theirs):
        overlap = len(ours.keys() & theirs.keys())  # a single value in every field
    else:
        overlap = _overlap(gold[1], pred[1])
    return (len(shared), len(shared) + overlap, sum(map(_length, shared)))


def _overlap(gold: Group, pred: Group) -> int:
    """Return how many values of two rows could be right or substituted, by field counts.

    Corrections of a pair are, over its fields, max(gold, pred) - equal; left unmatched, the two
    rows cost gold + pred. The difference is min(gold, pred) + equal.
    """
    theirs = pred.values
    count = 0
    for path, readings in gold.values.items():
        others = theirs.get(path)
        if others is not None:
            count += min(len(readings), len(others))
    return count


def overlaps(golds: list[Row], preds: list[Row]) -> Matrix:
    """Return the overlap of every pair of rows; rows that have the same fields share the work."""
    kinds: list[dict[tuple[object, ...], int]] = [{}, {}]
    models: list[list[Group]] = [[], []]
    index: list[list[int]] = [[], []]
    for side, rows in enumerate((golds, preds)):
        for _, row in rows:
            values = row.values
            kind = (*values,) if row.single else (*values, *map(len, values.values()))
            if kind not in kinds[side]:
                kinds[side][kind] = len(kinds[side])
                models[side].append(row)
            index[side].append(kinds[side][kind])
    table = np.array(
        [[_overlap(one, other) for other in models[1]] for one in models[0]], dtype=np.int64
    )
    return table[np.ix_(index[0], index[1])]


def shared_tokens(golds: list[Row], preds: list[Row]) -> tuple[Matrix, Matrix]:
    """Return how many tokens each pair of rows shares, and how long these are together."""
    where: list[dict[str, list[int]]] = [{}, {}]
    for side, rows in zip(where, (golds, preds), strict=True):
        for i, (tokens, _) in enumerate(rows):
            for token in tokens:
                side.setdefault(token, []).append(i)
    width = len(preds)
    cells: list[int] = []
    sizes: list[int] = []
    for token, left in where[0].items():
        right = where[1].get(token)
        if right is not None:
            cells += [i * width + j for i in left for j in right]
            sizes += [_length(token)] * (len(left) * len(right))
    flat = np.array(cells, dtype=np.intp)
    shape = (len(golds), width)
    equal = np.bincount(flat, minlength=len(golds) * width)
    length = np.bincount(flat, weights=np.array(sizes, dtype=np.float64), minlength=len(equal))
    return equal.reshape(shape), length.astype(np.int64).reshape(shape)
