"""Right rows: how many rows of gold have a row in pred that says just the same, one to one.

Rows can be equal only if the values that a key settles are the same and the others are as many, so
rows are first filed by that; only rows filed together are compared value by value.
"""

from __future__ import annotations

from collections.abc import Sequence

from docassay.align.groups import Matcher
from docassay.model.document import Group

Signature = tuple[object, ...]


def right_rows(matcher: Matcher, golds: Sequence[Group], preds: Sequence[Group]) -> int:
    """Return the largest number of pairs of equal rows; a row is in one pair at most."""
    theirs = _filed(matcher, preds)
    total = 0
    for signature, ours in _filed(matcher, golds).items():
        others = theirs.get(signature, ())
        if others:
            total += _pairs(matcher, ours, others)
    return total


def _filed(matcher: Matcher, rows: Sequence[Group]) -> dict[Signature, list[Group]]:
    filed: dict[Signature, list[Group]] = {}
    for row in rows:
        filed.setdefault(_signature(matcher, row), []).append(row)
    return filed


def _signature(matcher: Matcher, row: Group) -> Signature:
    """Return the values that keys settle, and how many there are of the others."""
    pairwise = matcher.pairwise
    settled: list[str | None] = []
    counted: list[tuple[str, int]] = []
    for path, readings in row.values.items():
        if path in pairwise:
            counted.append((path, len(readings)))
        elif len(readings) == 1 and matcher.layout.field(path).spec.match != "order":
            settled.append(readings[0].key)
        else:
            settled += matcher.number(row, path)
    inner = [
        (path, sorted(_signature(matcher, one) for one in rows))
        for path, rows in row.groups.items()
    ]
    return (tuple(sorted(map(str, settled))), tuple(sorted(counted)), repr(sorted(inner)))


def _pairs(matcher: Matcher, golds: Sequence[Group], preds: Sequence[Group]) -> int:
    if not _needs_comparing(matcher, golds[0]):
        return min(len(golds), len(preds))
    if len(golds) == 1 and len(preds) == 1:
        return int(_equal(matcher, golds[0], preds[0]))
    import numpy as np

    from docassay.align.assignment import assign

    equal = np.array([[int(_equal(matcher, gold, pred)) for pred in preds] for gold in golds])
    return sum(int(equal[i, j]) for i, j in assign((equal,)))


def _needs_comparing(matcher: Matcher, row: Group) -> bool:
    return bool(matcher.pairwise) and (
        not matcher.pairwise.isdisjoint(row.values)
        or any(_needs_comparing(matcher, one) for rows in row.groups.values() for one in rows)
    )


def _equal(matcher: Matcher, gold: Group, pred: Group) -> bool:
    """Return whether two rows of one signature agree in the values that keys do not settle."""
    return all(
        len(matcher.links(path, gold, pred)) == len(readings)
        for path, readings in gold.values.items()
        if path in matcher.pairwise
    ) and all(
        right_rows(matcher, rows, pred.groups[path]) == len(rows)
        for path, rows in gold.groups.items()
    )
