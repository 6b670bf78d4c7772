"""Verdicts: what became of every value of a case, one by one, with the reason.

The same matching that the counts come from, spelled out: right, substitution (pred has another
value than gold), addition (gold's value is missing), deletion (pred's value should not be there).
Which of several wrong values stands for which missing one: by similarity, then by content.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from docassay.bound_field import BoundField
from docassay.case import Case, Matching
from docassay.likeness import explain_values
from docassay.model.document import Entity, Group
from docassay.model.stats import PARTS

RIGHT, SUBSTITUTION, ADDITION, DELETION = "right", "substitution", "addition", "deletion"


class Verdict(NamedTuple):
    """What became of a value: as found and as read on both sides, and why."""

    document: str
    field: str
    verdict: str
    gold_path: str | None
    pred_path: str | None
    gold: str | None
    pred: str | None
    gold_read: str | None
    pred_read: str | None
    similarity: float | None
    """Of the two values; None where one side has none."""
    reason: str
    confidence: float | None


class Block(NamedTuple):
    """The verdicts of one pair of groups: the root, a matched row, or a row left alone."""

    type: str
    gold: str | None
    """The row's path in gold, None when it has no partner there; "" for the root."""
    pred: str | None
    verdicts: tuple[Verdict, ...]


def blocks(case: Case) -> Iterator[Block]:
    """Yield the root and then every pair of rows, parents before children, in gold's order."""
    matching = case.matching()
    yield from _blocks(case, matching, (matching.gold, ""), (matching.pred, ""), "")


def verdicts(case: Case) -> Iterator[Verdict]:
    """Yield every verdict of a case."""
    for block in blocks(case):
        yield from block.verdicts


Placed = tuple[Group | None, str]


def _blocks(
    case: Case, matching: Matching, gold: Placed, pred: Placed, kind: str
) -> Iterator[Block]:
    found = tuple(_of_pair(case, gold, pred))
    if found or kind:
        yield Block(
            kind,
            None if gold[0] is None else gold[1].rstrip("."),
            None if pred[0] is None else pred[1].rstrip("."),
            found,
        )
    for path, matched in matching.inside(gold[0], pred[0]):
        placed = [
            (_place(one, gold[1], kind), _place(other, pred[1], kind))
            for one, other in (*matched.settled.pairs, *matched.others)
        ]
        placed.sort(key=_file_order)
        for one, other in placed:
            yield from _blocks(case, matching, one, other, path)


def _place(group: Group | None, parent: str, parent_type: str) -> Placed:
    return (group, "" if group is None else group.prefix(parent, parent_type))


def _file_order(pair: tuple[Placed, Placed]) -> tuple[bool, int, int]:
    gold, pred = pair[0][0], pair[1][0]
    ours = -1 if gold is None or gold.index is None else gold.index
    theirs = -1 if pred is None or pred.index is None else pred.index
    return (gold is None, ours, theirs)


def _of_pair(case: Case, gold: Placed, pred: Placed) -> Iterator[Verdict]:
    golds = _own_entities(*gold)
    preds = _own_entities(*pred)
    matcher = case.matching().matcher
    for path in sorted({*golds, *preds}):
        field = case.layout.field(path)
        ours, theirs = golds.get(path, []), preds.get(path, [])
        links = matcher.links(path, gold[0], pred[0])
        for i, j in links:
            yield _verdict(case.id, field, RIGHT, ours[i], theirs[j])
        left = [one for i, one in enumerate(ours) if i not in {link[0] for link in links}]
        right = [one for j, one in enumerate(theirs) if j not in {link[1] for link in links}]
        swaps = _substitutions(field, left, right)
        for i, j in swaps:
            yield _verdict(case.id, field, SUBSTITUTION, left[i], right[j])
        for i, one in enumerate(left):
            if i not in {swap[0] for swap in swaps}:
                yield _verdict(case.id, field, ADDITION, one, None)
        for j, one in enumerate(right):
            if j not in {swap[1] for swap in swaps}:
                yield _verdict(case.id, field, DELETION, None, one)


def _own_entities(group: Group | None, prefix: str) -> dict[str, list[Entity]]:
    if group is None:
        return {}
    own: dict[str, list[Entity]] = {}
    for entity in group.own_entities(prefix):
        own.setdefault(entity.field, []).append(entity)
    return own


def _substitutions(
    field: BoundField, golds: list[Entity], preds: list[Entity]
) -> list[tuple[int, int]]:
    if not golds or not preds:
        return []
    if len(golds) == 1 and len(preds) == 1:
        return [(0, 0)]
    import numpy as np

    from docassay.align.assignment import assign

    order = [
        sorted(range(len(side)), key=lambda i: (side[i].reading.canonical, side[i].reading.text))
        for side in (golds, preds)
    ]
    similar = field.similarities(
        [golds[i].reading for i in order[0]], [preds[j].reading for j in order[1]]
    )
    parts = np.rint(similar * PARTS).astype(np.int64)
    return [(order[0][i], order[1][j]) for i, j in assign((parts,))]


def _verdict(
    document: str, field: BoundField, verdict: str, gold: Entity | None, pred: Entity | None
) -> Verdict:
    similarity: float | None = None
    if gold is not None and pred is not None:
        similarity = field.similarity(gold.reading, pred.reading)
        reason = explain_values(
            field.comparator, field.options, gold.reading.value, pred.reading.value
        )
    else:
        reason = "missing from the prediction" if pred is None else "not in gold"
    return Verdict(
        document,
        field.path,
        verdict,
        None if gold is None else gold.path,
        None if pred is None else pred.path,
        None if gold is None else gold.reading.text,
        None if pred is None else pred.reading.text,
        None if gold is None else gold.reading.canonical,
        None if pred is None else pred.reading.canonical,
        similarity,
        reason,
        None if pred is None else pred.reading.confidence,
    )
