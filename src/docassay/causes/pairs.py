"""The groups of a case as matched, as one tree of pairs, with the fate of every value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from docassay.case import Case, Matching
from docassay.model.document import Group, Reading
from docassay.verdicts import Fate, fates


class Pair(NamedTuple):
    """A group of gold and the group of pred that stands for it; one of them may be None."""

    type: str
    gold: Group | None
    pred: Group | None
    fates: tuple[Fate, ...]
    inside: Mapping[str, tuple[Pair, ...]]
    """The pairs of the groups inside, by type."""

    def readings(self, fate: Fate) -> tuple[Reading | None, Reading | None]:
        """Return the gold and the pred value of a fate."""
        path = fate.field.path
        return (
            None if fate.gold is None or self.gold is None else self.gold.values[path][fate.gold],
            None if fate.pred is None or self.pred is None else self.pred.values[path][fate.pred],
        )

    def walk(self) -> Iterator[Pair]:
        """Yield the pair itself and then all pairs inside it."""
        yield self
        for rows in self.inside.values():
            for row in rows:
                yield from row.walk()


def pairs_of(case: Case, *, flatten: bool = False) -> Pair:
    """Return the pair of the two documents, with all pairs of rows inside, flattened or not."""
    matching = case.matching(flatten=flatten)
    return _pair(matching, "", matching.gold, matching.pred)


def _pair(matching: Matching, type: str, gold: Group | None, pred: Group | None) -> Pair:
    inside = {
        path: tuple(
            _pair(matching, path, ours, theirs)
            for ours, theirs in (*matched.settled.pairs, *matched.others)
        )
        for path, matched in matching.inside(gold, pred)
    }
    return Pair(type, gold, pred, tuple(fates(matching.matcher, gold, pred)), inside)
