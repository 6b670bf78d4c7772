"""Equal values within a field: how many of gold's readings find an equal one among pred's."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from docassay.kernel.rows import equal_keys as equal_keys
from docassay.model.document import Group, Reading
from docassay.model.stats import PARTS
from docassay.values.field import BoundField

MAX_VALUE_CELLS = 4_000_000
"""Up to so many pairs of values of a field are compared; beyond that, neighbours by content."""
BLOCK = 2_000
"""Values a side that are compared all with all beyond the limit."""

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


def too_many(golds: Sequence[Reading], preds: Sequence[Reading]) -> bool:
    """Whether the values of a field are too many to compare all with all."""
    return len(golds) * len(preds) > MAX_VALUE_CELLS


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
    if too_many(golds, preds):
        return _in_blocks(field, golds, preds, link_by_equality)
    import numpy as np

    from docassay.matching.assignment import assign

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
    if too_many(golds, preds):
        links = _in_blocks(field, golds, preds, pair_the_wrong)
        met = ({i for i, _ in links}, {j for _, j in links})
        rest = (
            [at for at in _by_content(side) if at not in linked]
            for side, linked in zip((golds, preds), met, strict=True)
        )
        return [*links, *zip(*rest, strict=False)]
    import numpy as np

    from docassay.matching.assignment import assign

    left, right = _by_content(golds), _by_content(preds)
    similar = field.similarities([golds[i] for i in left], [preds[j] for j in right])
    parts = np.rint(similar * PARTS).astype(np.int64)
    return [(left[i], right[j]) for i, j in assign((parts,))]


def _in_blocks(
    field: BoundField,
    golds: Sequence[Reading],
    preds: Sequence[Reading],
    pair: Callable[[BoundField, Sequence[Reading], Sequence[Reading]], list[Link]],
) -> list[Link]:
    """Pair values that are neighbours in order of content, block by block."""
    from docassay.matching.large import blocks

    return [
        (left[i], right[j])
        for left, right in blocks(_by_content(golds), _by_content(preds), BLOCK)
        for i, j in pair(field, [golds[i] for i in left], [preds[j] for j in right])
    ]


def _by_content(readings: Sequence[Reading]) -> list[int]:
    return sorted(range(len(readings)), key=lambda i: (readings[i].canonical, readings[i].text))


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
