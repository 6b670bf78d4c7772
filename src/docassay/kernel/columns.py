"""Columns of two documents: which cells are the same in their places, which items equal by key."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from docassay.kernel.readings import Group, Reading, Values, by_keys, sense_of, values_of
from docassay.kernel.rows import are_twins, count_rows

Cells = list[Reading]
Changes = tuple[Cells, Cells, Cells, Cells]
"""The cells of a column that differ: of shared places on both sides, of gold's, of pred's alone."""


def compare_cells(
    golds: Sequence[Group], preds: Sequence[Group]
) -> tuple[dict[str, int], dict[str, Changes]]:
    """Return how many cells of each column of plain rows are the same, and the others."""
    equal: list[Group] = []
    others: list[tuple[Group, Group]] = []
    both = min(len(golds), len(preds))
    for place in range(both):
        gold = golds[place]
        pred = preds[place]
        if are_twins(gold, pred):
            equal.append(gold)
        else:
            others.append((gold, pred))
    same, _ = count_rows(equal)
    changes: dict[str, Changes] = {}
    for gold, pred in others:
        _add_cells(values_of(gold), values_of(pred), same, changes)
    for place in range(both, len(golds)):
        _add_cells(values_of(golds[place]), {}, same, changes)
    for place in range(both, len(preds)):
        _add_cells({}, values_of(preds[place]), same, changes)
    return same, changes


def _add_cells(
    golds: dict[str, Values],
    preds: dict[str, Values],
    same: dict[str, int],
    changes: dict[str, Changes],
) -> None:
    """Count the cells that are the same in two rows, and add those that differ."""
    for path, own in golds.items():
        other = preds.get(path)
        if other is not None and own[0] is other[0]:
            same[path] = same.get(path, 0) + 1
            continue
        change = changes.get(path)
        if change is None:
            change = changes[path] = ([], [], [], [])
        if other is None:
            change[2].append(own[0])
        else:
            change[0].append(own[0])
            change[1].append(other[0])
    for path, other in preds.items():
        if path not in golds:
            change = changes.get(path)
            if change is None:
                change = changes[path] = ([], [], [], [])
            change[3].append(other[0])


def column_of(rows: Sequence[Group], path: str) -> Values:
    """Return the values of a column of plain rows."""
    items: list[Reading] = []
    for row in rows:
        values = values_of(row).get(path)
        if values is not None:
            items.append(values[0])
    return tuple(items)


def count_equal(
    golds: Sequence[Reading], preds: Sequence[Reading], equal: Callable[[Reading, Reading], bool]
) -> int:
    """Return how many places hold equal items; `equal` tells where keys do not."""
    count = 0
    for place in range(len(golds)):
        gold = golds[place]
        pred = preds[place]
        settled = by_keys(gold, pred)
        if settled > 0 or (settled < 0 and equal(gold, pred)):
            count += 1
    return count


def have_keys(items: Values) -> bool:
    """Whether items are equal exactly where their keys are: none is stated in another scope."""
    stated: object = None
    for item in items:
        sense = sense_of(item)
        if sense.key is None or len(item.alternatives) > 1:
            return False
        scope = sense.scope
        if scope is not None:
            if stated is None:
                stated = scope
            elif scope != stated:
                return False
    return True
