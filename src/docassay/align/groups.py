"""Group matching: which row of gold is which row of pred, recursively, the same for any row order.

Rows of one type are matched to have, in this order of importance, the most equal values, the
fewest corrections, the most exactly equal rows and the longest matched text. Each aim is a sum over
pairs of rows, so a matching is an assignment; rows inside rows add the worth of their own best
matching.

Where equality is settled by keys, identical rows are paired at once and only the rest is assigned:
swapping a pair of identical rows into any matching never makes it worse by any of the aims
(min(x, a) + min(x, b) <= x + min(a, b) for every token). With a tolerance that does not hold, so
then every row is assigned.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from docassay.align.assignment import Matrix, assign, assign_few
from docassay.align.rows import (
    Row,
    counts,
    nested,
    pair_identical,
    sort_by_content,
    take_obvious,
)
from docassay.align.values import link
from docassay.align.worth import overlaps, shared_tokens, worth
from docassay.layout import Layout
from docassay.model.document import NOTHING, Group

Pair = tuple[Group | None, Group | None]


class Worth(NamedTuple):
    """What matching a set of rows achieves, most important first."""

    equal: int = 0
    spared: int = 0
    """Corrections saved against leaving the rows unmatched."""
    exact: int = 0
    length: int = 0


FEW = 64
"""Up to so many pairs of rows, plain lists are faster than arrays."""


class Settled(NamedTuple):
    """Rows that are identical on both sides, paired, and the rows that remain."""

    pairs: tuple[tuple[Group, Group], ...]
    values: Mapping[str, int]
    """The number of values in the pairs by field, at any depth."""
    rows: Mapping[str, int]
    """The number of rows inside the pairs by type, at any depth."""
    golds: Sequence[Row]
    preds: Sequence[Row]


class Matched(NamedTuple):
    """All rows of a type: the identical ones, and the others paired or alone."""

    settled: Settled
    others: tuple[Pair, ...]


class Matcher:
    """Matches the groups of one case.

    `pairwise` names the fields whose values must be compared pair by pair in this case.
    """

    __slots__ = ("_matched", "_settled", "layout", "pairwise")

    def __init__(self, layout: Layout, pairwise: frozenset[str]) -> None:
        self.layout = layout
        self.pairwise = pairwise
        # keyed by the identity of the two lists of rows, which live as long as their case
        self._settled: dict[tuple[int, int], Settled] = {}
        self._matched: dict[tuple[int, int], Matched] = {}

    def settle(self, golds: Sequence[Group], preds: Sequence[Group]) -> Settled:
        """Pair the rows that are identical, where keys settle equality; else none."""
        known = self._settled.get((id(golds), id(preds)))
        if known is None:
            known = self._settled[id(golds), id(preds)] = self._settle(golds, preds)
        return known

    def match(self, golds: Sequence[Group], preds: Sequence[Group], path: str) -> Matched:
        """Return every row of a type once, paired or alone."""
        known = self._matched.get((id(golds), id(preds)))
        if known is None:
            known = self._matched[id(golds), id(preds)] = self._match(golds, preds, path)
        return known

    def _settle(self, golds: Sequence[Group], preds: Sequence[Group]) -> Settled:
        left, right = self._rows(golds), self._rows(preds)
        if not golds or not preds or self._compares_pairwise((*golds, *preds)):
            return Settled((), NOTHING, NOTHING, left, right)
        pairs, left, right = pair_identical(left, right)
        return Settled(tuple(pairs), *counts([gold for gold, _ in pairs]), left, right)

    def _match(self, golds: Sequence[Group], preds: Sequence[Group], path: str) -> Matched:
        how = self.layout.group(path).spec
        if how.match in ("best", "set"):
            settled = self.settle(golds, preds)
            pairs = self._assign([*settled.golds], [*settled.preds])
            ours = [one for _, one in settled.golds]
            theirs = [one for _, one in settled.preds]
            return Matched(settled, _with_the_rest(pairs, ours, theirs))
        if how.match == "order":
            pairs = [*zip(golds, preds, strict=False)]
        else:
            pairs = self._by_key_field(golds, preds, how.key or "")
        return Matched(NONE_SETTLED, _with_the_rest(pairs, golds, preds))

    def links(self, path: str, gold: Group | None, pred: Group | None) -> list[tuple[int, int]]:
        """Return the equal values of a field in two groups."""
        return link(self.layout.field(path), gold, pred, by_key=path not in self.pairwise)

    def number(self, group: Group, path: str) -> list[str]:
        """Return the tokens of a field's several values: its keys, told apart where they repeat."""
        readings = group.values[path]
        if self.layout.field(path).spec.match == "order":
            slots = group.positions(path)
            return [f"{one.key}\x1f{slot}" for slot, one in zip(slots, readings, strict=True)]
        seen: Counter[str | None] = Counter()
        tokens = []
        for one in readings:
            seen[one.key] += 1
            tokens.append(one.key if seen[one.key] == 1 else f"{one.key}\x1f\x1f{seen[one.key]}")
        return tokens  # type: ignore[return-value]

    def _assign(self, left: list[Row], right: list[Row]) -> list[tuple[Group, Group]]:
        """Return the best pairs of rows; sorts what needs a choice, so that ties fall alike."""
        pairs: list[tuple[Group, Group]] = []
        flat = not self.pairwise and not (nested(left) and nested(right))
        if flat and (len(left) > 1 or len(right) > 1):
            pairs = take_obvious(left, right)
        if not left or not right:
            return pairs
        if len(left) == 1 and len(right) == 1:
            return [*pairs, (left[0][1], right[0][1])]
        sort_by_content(left)
        sort_by_content(right)
        if flat and len(left) * len(right) <= FEW:
            found = assign_few([[worth(one, other) for other in right] for one in left])
        else:
            found = assign(self._aims(left, right))
        return [*pairs, *((left[i][1], right[j][1]) for i, j in found)]

    def _rows(self, groups: Sequence[Group]) -> list[Row]:
        """Return groups with their tokens: the values that a key settles."""
        if self.pairwise:
            return [(self._tokens(group), group) for group in groups]
        return [
            (frozenset([one[0].key for one in group.values.values()]), group)  # type: ignore[misc]
            if group.single
            else (self._tokens(group), group)
            for group in groups
        ]

    def _tokens(self, group: Group) -> frozenset[str]:
        return frozenset(
            token
            for path in group.values
            if path not in self.pairwise
            for token in self.number(group, path)
        )

    def _compares_pairwise(self, groups: Iterable[Group]) -> bool:
        return bool(self.pairwise) and any(
            entity.field in self.pairwise for row in groups for entity in row.entities()
        )

    def _by_key_field(
        self, golds: Sequence[Group], preds: Sequence[Group], key: str
    ) -> list[tuple[Group, Group]]:
        """Pair only rows whose key fields are equal; several rows of one key by best assignment."""
        pairs: list[tuple[Group, Group]] = []
        free = self._rows(preds)
        clusters: dict[str, list[Row]] = {}
        for row in self._rows(golds):
            if key in row[1].values:
                name = row[1].values[key][0].canonical
                clusters.setdefault(name, []).append(row)
        for name in sorted(clusters):
            rows = clusters[name]
            same = [row for row in free if self.links(key, rows[0][1], row[1])]
            found = self._assign(rows, same)
            pairs.extend(found)
            taken = {id(pred) for _, pred in found}
            free = [row for row in free if id(row[1]) not in taken]
        return pairs

    def _aims(self, golds: list[Row], preds: list[Row]) -> tuple[Matrix, ...]:
        equal, length = shared_tokens(golds, preds)
        for path in sorted(self.pairwise & _paths(golds) & _paths(preds)):
            more, longer = self._pairwise_counts(path, golds, preds)
            equal += more
            length += longer
        spared = equal + overlaps(golds, preds)
        exact = np.zeros_like(equal)
        if any(row.groups for _, row in golds) and any(row.groups for _, row in preds):
            self._add_nested(golds, preds, (equal, spared, exact, length))
        ours, theirs = (np.array([row.size for _, row in rows]) for rows in (golds, preds))
        exact += (equal == ours[:, None]) & (equal == theirs[None, :])
        return equal, spared, exact, length

    def _pairwise_counts(
        self, path: str, golds: list[Row], preds: list[Row]
    ) -> tuple[Matrix, Matrix]:
        """Count the equal values of a field compared pair by pair, for all pairs of rows."""
        field = self.layout.field(path)
        lists = [[row.values.get(path, ()) for _, row in rows] for rows in (golds, preds)]
        equal = np.zeros((len(golds), len(preds)), dtype=np.int64)
        length = np.zeros_like(equal)
        if all(len(readings) < 2 for side in lists for readings in side):
            at = [[i for i, readings in enumerate(side) if readings] for side in lists]
            found = field.equal_matrix(
                [lists[0][i][0] for i in at[0]], [lists[1][j][0] for j in at[1]]
            )
            equal[np.ix_(at[0], at[1])] = found
            length[at[0], :] = np.array([[len(lists[0][i][0].canonical)] for i in at[0]])
            return equal, length * equal
        for i, (_, gold) in enumerate(golds):
            for j, (_, pred) in enumerate(preds):
                links = self.links(path, gold, pred)
                equal[i, j] = len(links)
                length[i, j] = sum(len(lists[0][i][one].canonical) for one, _ in links)
        return equal, length

    def _add_nested(
        self, golds: list[Row], preds: list[Row], aims: tuple[Matrix, Matrix, Matrix, Matrix]
    ) -> None:
        for i, (_, gold) in enumerate(golds):
            for j, (_, pred) in enumerate(preds):
                for path in gold.groups.keys() & pred.groups.keys():
                    worth = self._worth(gold.groups[path], pred.groups[path], path)
                    for aim, amount in zip(aims, worth, strict=True):
                        aim[i, j] += amount

    def _worth(self, golds: Sequence[Group], preds: Sequence[Group], path: str) -> Worth:
        """Return what the best matching of nested rows achieves."""
        total = Worth()
        matched = self.match(golds, preds, path)
        for gold, pred in (*matched.settled.pairs, *matched.others):
            if gold is None or pred is None:
                continue
            aims = self._aims(self._rows([gold]), self._rows([pred]))
            total = Worth(*(a + int(b[0, 0]) for a, b in zip(total, aims, strict=True)))
        return total


NONE_SETTLED = Settled((), NOTHING, NOTHING, (), ())


def _with_the_rest(
    pairs: Sequence[tuple[Group, Group]], golds: Sequence[Group], preds: Sequence[Group]
) -> tuple[Pair, ...]:
    if len(pairs) == len(golds) == len(preds):
        return tuple(pairs)
    paired = {id(group) for pair in pairs for group in pair}
    return (
        *pairs,
        *((group, None) for group in golds if id(group) not in paired),
        *((None, group) for group in preds if id(group) not in paired),
    )


def _paths(rows: Iterable[Row]) -> set[str]:
    return {path for _, row in rows for path in row.values}
