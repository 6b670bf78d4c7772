"""Equal values within a field: how many of gold's readings find an equal one among pred's."""

from __future__ import annotations

from collections.abc import Sequence

from docassay.bound_field import BoundField
from docassay.model.document import Group, Reading
from docassay.model.stats import PARTS

Link = tuple[int, int]
"""(index of a gold reading, index of a pred reading)."""


def link(field: BoundField, gold: Group | None, pred: Group | None, *, by_key: bool) -> list[Link]:
    """Return a largest one-to-one set of equal values of a field in two groups.

    `by_key`: equality is settled by keys here. Of equal predicted values the more confident is
    taken.
    """
    golds = () if gold is None else gold.values.get(field.path, ())
    preds = () if pred is None else pred.values.get(field.path, ())
    if not golds or not preds or gold is None or pred is None:
        return []
    if field.spec.match == "order":
        return _link_in_order(field, gold, pred, by_key=by_key)
    if by_key:
        return link_by_key(golds, preds)
    return link_by_equality(field, golds, preds)


def link_by_key(golds: Sequence[Reading], preds: Sequence[Reading]) -> list[Link]:
    """Pair readings of equal key, most confident pred first."""
    if len(golds) == 1 and len(preds) == 1:
        return [(0, 0)] if golds[0].key == preds[0].key else []
    waiting: dict[str | None, list[int]] = {}
    for j in reversed(_by_confidence(preds)):
        waiting.setdefault(preds[j].key, []).append(j)
    links = []
    for i, gold in enumerate(golds):
        same = waiting.get(gold.key)
        if same:
            links.append((i, same.pop()))
    return links


def link_by_equality(
    field: BoundField, golds: Sequence[Reading], preds: Sequence[Reading]
) -> list[Link]:
    """Pair readings that the comparator accepts, as many as possible, then the most confident."""
    if len(golds) == 1 and len(preds) == 1:
        return [(0, 0)] if field.equal(golds[0], preds[0]) else []
    import numpy as np

    from docassay.align.assignment import assign

    equal = field.equal_matrix(golds, preds).astype(np.int64)
    # rank 0 is the least confident, so that ties go to the most confident
    rank = np.zeros(len(preds), dtype=np.int64)
    rank[_by_confidence(preds)] = np.arange(len(preds))[::-1]
    return [(i, j) for i, j in assign((equal, equal * rank[None, :])) if equal[i, j]]


def pair_the_wrong(
    field: BoundField, golds: Sequence[Reading], preds: Sequence[Reading]
) -> list[Link]:
    """Pair missed values with wrong ones, as many as there are: by likeness, then by content."""
    if not golds or not preds:
        return []
    if len(golds) == 1 and len(preds) == 1:
        return [(0, 0)]
    import numpy as np

    from docassay.align.assignment import assign

    order = [
        sorted(range(len(side)), key=lambda i: (side[i].canonical, side[i].text))
        for side in (golds, preds)
    ]
    similar = field.similarities([golds[i] for i in order[0]], [preds[j] for j in order[1]])
    parts = np.rint(similar * PARTS).astype(np.int64)
    return [(order[0][i], order[1][j]) for i, j in assign((parts,))]


def _by_confidence(preds: Sequence[Reading]) -> list[int]:
    return sorted(
        range(len(preds)),
        key=lambda j: (-(preds[j].confidence or 0.0), preds[j].canonical, preds[j].text),
    )


def _link_in_order(field: BoundField, gold: Group, pred: Group, *, by_key: bool) -> list[Link]:
    golds, preds = gold.values[field.path], pred.values[field.path]
    at = {slot: j for j, slot in enumerate(pred.positions(field.path))}
    links = []
    for i, slot in enumerate(gold.positions(field.path)):
        j = at.get(slot)
        if j is None:
            continue
        same = golds[i].key == preds[j].key if by_key else field.equal(golds[i], preds[j])
        if same:
            links.append((i, j))
    return links
