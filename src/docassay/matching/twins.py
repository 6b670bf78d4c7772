"""Twins: rows of the same texts on both sides, paired before anything is read.

Most values of a good prediction are right to the letter. A field has one reading for each text, so
such values are the same object, and rows of nothing else are right whatever else a document
holds (see `groups`). What is left is read: there a value may be unreadable, or need comparing pair
by pair. Where one does, its rows have no twins after all, and all of them are read.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple

from docassay.model.document import Group, Reading

Unsettled = tuple[bool, str, Reading]
"""Whether it is gold's, the field, and the reading of a value that has no twin in its place."""


class TwinRows(NamedTuple):
    """The rows of a type that are twins, and the others in their order."""

    pairs: tuple[tuple[Group, Group], ...]
    golds: Sequence[Group]
    preds: Sequence[Group]


def twin_rows(golds: Sequence[Group], preds: Sequence[Group]) -> TwinRows:
    """Pair the rows that hold the same readings and no rows inside."""
    if not golds or not preds:
        return TwinRows((), golds, preds)
    pairs = []
    left, right = [], []
    for gold, pred in zip(golds, preds, strict=False):
        # most of them stand where they should
        if gold.values == pred.values and _is_flat(gold) and _is_flat(pred):
            pairs.append((gold, pred))
        else:
            left.append(gold)
            right.append(pred)
    both = min(len(golds), len(preds))
    left += golds[both:]
    right += preds[both:]
    if left and right:
        left, right = _anywhere(left, right, pairs)
    return TwinRows(tuple(pairs), left, right)


def _is_flat(row: Group) -> bool:
    return not row.groups and not row.slots


def _anywhere(
    golds: list[Group], preds: list[Group], pairs: list[tuple[Group, Group]]
) -> tuple[list[Group], list[Group]]:
    """Add the twins that stand in different places to the pairs, and return the other rows."""
    waiting: dict[frozenset[tuple[Reading, ...]], list[int]] = {}
    for place in range(len(preds) - 1, -1, -1):
        if _is_flat(preds[place]):
            waiting.setdefault(frozenset(preds[place].values.values()), []).append(place)
    left: list[Group] = []
    taken: set[int] = set()
    for gold in golds:
        places = waiting.get(frozenset(gold.values.values())) if _is_flat(gold) else None
        if places:
            taken.add(places[-1])
            pairs.append((gold, preds[places.pop()]))
        else:
            left.append(gold)
    if not taken:
        return golds, preds
    return left, [pred for place, pred in enumerate(preds) if place not in taken]


class Doubts:
    """The fields of a case whose equality no key settles: no key, or scopes that disagree."""

    __slots__ = ("_scopes", "pairwise")

    def __init__(self) -> None:
        self.pairwise: set[str] = set()
        self._scopes: dict[str, Hashable] = {}

    def add(self, path: str, reading: Reading) -> None:
        """Take a reading into account."""
        sense = reading.made or reading.sense
        special = reading.normalised or len(reading.alternatives) > 1
        if sense.key is None or special or self._differs(path, sense.scope):
            self.pairwise.add(path)

    def _differs(self, path: str, scope: Hashable | None) -> bool:
        return scope is not None and self._scopes.setdefault(path, scope) != scope


def unsettled(gold: Group, pred: Group) -> Iterator[Unsettled]:
    """Yield the values of two groups that are not the same in both, rows inside left out."""
    gold_values, pred_values = gold.values, pred.values
    for path, golds in gold_values.items():
        preds = pred_values.get(path, ())
        if golds != preds:
            for reading in golds:
                yield True, path, reading
            for reading in preds:
                yield False, path, reading
    for path, preds in pred_values.items():
        if path not in gold_values:
            for reading in preds:
                yield False, path, reading


def every_value(rows: Iterable[Group], *, gold: bool) -> Iterator[Unsettled]:
    """Yield all values of rows, at any depth."""
    for row in rows:
        for path, readings in row.values.items():
            for reading in readings:
                yield gold, path, reading
        for inner in row.groups.values():
            yield from every_value(inner, gold=gold)
