"""Group matching: which row of gold is which row of pred, recursively, the same for any row order.

Rows of one type are matched to have, in this order of importance, the most equal values, the fewest
corrections, the most exactly equal rows and the longest matched text. Each aim is a sum over pairs of
rows, so a matching is an assignment; rows inside rows add the worth of their own best matching.

A row becomes a list of tokens, one for each value (its key, numbered when it repeats), so that the
number of equal values of two rows is the number of tokens they share. Where equality is settled by
keys, identical rows are paired at once and only the rest is assigned: swapping a pair of identical
rows into any matching never makes it worse by any of the aims (min(x, a) + min(x, b) <= x + min(a, b)
for every token). With a tolerance that does not hold, so then every row is assigned.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from docassay.align.assignment import Matrix, assign, assign_few
from docassay.align.values import link
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


Row = tuple[frozenset[str], Group]
"""A group with its tokens."""
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
        left = [(self._tokens(group), group) for group in golds]
        right = [(self._tokens(group), group) for group in preds]
        if not golds or not preds or self._compares_pairwise((*golds, *preds)):
            return Settled((), NOTHING, NOTHING, left, right)
        pairs, left, right = _pair_identical(left, right)
        values: dict[str, int] = {}
        rows: dict[str, int] = {}
        for gold, _ in pairs:
            _count(gold, values, rows)
        return Settled(tuple(pairs), values, rows, left, right)

    def _match(self, golds: Sequence[Group], preds: Sequence[Group], path: str) -> Matched:
        how = self.layout.group(path).spec
        if how.match in ("best", "set"):
            settled = self.settle(golds, preds)
            left, right = [*settled.golds], [*settled.preds]
            pairs = [(left[i][1], right[j][1]) for i, j in self._assign(left, right)]
            ours, theirs = [one for _, one in left], [one for _, one in right]
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

    def _assign(self, left: list[Row], right: list[Row]) -> list[tuple[int, int]]:
        """Return the best pairs of rows; sorts the two lists first, so that ties fall alike."""
        if not left or not right:
            return []
        if len(left) == 1 and len(right) == 1:
            return [(0, 0)]
        _sort(left)
        _sort(right)
        nested = any(row.groups for _, row in left) and any(row.groups for _, row in right)
        if self.pairwise or nested or len(left) * len(right) > FEW:
            return assign(self._aims(left, right))
        return assign_few([[_worth(one, other) for other in right] for one in left])

    def _tokens(self, group: Group) -> frozenset[str]:
        """Return the values of a group that a key settles."""
        if group.single and not self.pairwise:
            return frozenset([readings[0].key for readings in group.values.values()])  # type: ignore[misc]
        return frozenset(
            token
            for path in group.values
            if path not in self.pairwise
            for token in self.number(group, path)
        )

    def _compares_pairwise(self, groups: Iterable[Group]) -> bool:
        return bool(self.pairwise) and any(entity.field in self.pairwise for row in groups for entity in row.entities())

    def _by_key_field(
        self, golds: Sequence[Group], preds: Sequence[Group], key: str
    ) -> list[tuple[Group, Group]]:
        """Pair only rows whose key fields are equal; several rows of one key by best assignment."""
        pairs: list[tuple[Group, Group]] = []
        free = [(self._tokens(row), row) for row in preds]
        clusters: dict[str, list[Row]] = {}
        for row in golds:
            if key in row.values:
                name = row.values[key][0].canonical
                clusters.setdefault(name, []).append((self._tokens(row), row))
        for name in sorted(clusters):
            rows = clusters[name]
            same = [row for row in free if self.links(key, rows[0][1], row[1])]
            found = [(rows[i][1], same[j][1]) for i, j in self._assign(rows, same)]
            pairs.extend(found)
            taken = {id(pred) for _, pred in found}
            free = [row for row in free if id(row[1]) not in taken]
        return pairs

    def _aims(self, golds: list[Row], preds: list[Row]) -> tuple[Matrix, ...]:
        equal, length = _shared_tokens(golds, preds)
        for path in sorted(self.pairwise & _paths(golds) & _paths(preds)):
            more, longer = self._pairwise_counts(path, golds, preds)
            equal += more
            length += longer
        spared = equal + _overlaps(golds, preds)
        exact = np.zeros_like(equal)
        if any(row.groups for _, row in golds) and any(row.groups for _, row in preds):
            self._add_nested(golds, preds, (equal, spared, exact, length))
        ours, theirs = (np.array([row.size for _, row in rows]) for rows in (golds, preds))
        exact += (equal == ours[:, None]) & (equal == theirs[None, :])
        return equal, spared, exact, length

    def _pairwise_counts(
        self, path: str, golds: list[Row], preds: list[Row]
    ) -> tuple[Matrix, Matrix]:
        """Count the equal values of a field that is compared pair by pair, for all pairs of rows."""
        field = self.layout.field(path)
        lists = [[row.values.get(path, []) for _, row in rows] for rows in (golds, preds)]
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
            aims = self._aims([(self._tokens(gold), gold)], [(self._tokens(pred), pred)])
            total = Worth(*(a + int(b[0, 0]) for a, b in zip(total, aims, strict=True)))
        return total


NONE_SETTLED = Settled((), NOTHING, NOTHING, (), ())


def _count(group: Group, values: dict[str, int], rows: dict[str, int]) -> None:
    for path, readings in group.values.items():
        values[path] = values.get(path, 0) + len(readings)
    for path, inner in group.groups.items():
        rows[path] = rows.get(path, 0) + len(inner)
        for row in inner:
            _count(row, values, rows)


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


def _pair_identical(
    golds: list[Row], preds: list[Row]
) -> tuple[list[tuple[Group, Group]], list[Row], list[Row]]:
    left = _by_identity(golds)
    right = _by_identity(preds)
    pairs: list[tuple[Group, Group]] = []
    rest: list[Row] = []
    for identity, ours in left.items():
        theirs = right.get(identity)
        if theirs is None:
            rest += ours
        elif len(ours) == 1 and len(theirs) == 1:
            pairs.append((ours[0][1], theirs[0][1]))
            del right[identity]
        else:
            _sort(ours)
            _sort(theirs)
            same = min(len(ours), len(theirs))
            pairs += ((ours[i][1], theirs[i][1]) for i in range(same))
            rest += ours[same:]
            del theirs[:same]
    return pairs, rest, [row for rows in right.values() for row in rows]


def _by_identity(rows: list[Row]) -> dict[object, list[Row]]:
    found: dict[object, list[Row]] = {}
    for row in rows:
        tokens, group = row
        identity = (tokens, group.content()[1]) if group.groups else tokens
        found.setdefault(identity, []).append(row)
    return found


def _sort(rows: list[Row]) -> None:
    """Sort rows by content, so that ties do not depend on their order in the file."""
    alike: dict[frozenset[str], list[Row]] = {}
    for row in rows:
        alike.setdefault(row[0], []).append(row)
    rows.clear()
    for tokens in sorted(alike, key=sorted):
        same = alike[tokens]
        if len(same) > 1:
            same.sort(key=_content)
        rows += same


def _content(row: Row) -> tuple[object, ...]:
    """Sort key: canonical forms, then texts, then the more confident first."""
    entities = sorted(
        (one.field, one.reading.canonical, one.reading.text, -(one.reading.confidence or 0.0))
        for one in row[1].entities()
    )
    return (
        tuple(one[:2] for one in entities),
        tuple(one[2] for one in entities),
        tuple(one[3] for one in entities),
    )


def _paths(rows: Iterable[Row]) -> set[str]:
    return {path for _, row in rows for path in row.values}


def _length(token: str) -> int:
    """Return the length of the value in a token: field, value, and perhaps a number."""
    start = token.index("\x1f") + 1
    end = token.find("\x1f", start)
    return (len(token) if end < 0 else end) - start


def _worth(gold: Row, pred: Row) -> tuple[int, int, int]:
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

    Corrections of a pair are, over its fields, max(gold, pred) - equal; left unmatched, the two rows
    cost gold + pred. The difference is min(gold, pred) + equal.
    """
    theirs = pred.values
    count = 0
    for path, readings in gold.values.items():
        others = theirs.get(path)
        if others is not None:
            count += min(len(readings), len(others))
    return count


def _overlaps(golds: list[Row], preds: list[Row]) -> Matrix:
    """Return the overlap of every pair of rows; rows that have the same fields share the work."""
    kinds: list[dict[tuple[tuple[str, int], ...], int]] = [{}, {}]
    models: list[list[Group]] = [[], []]
    index: list[list[int]] = [[], []]
    for side, rows in enumerate((golds, preds)):
        for _, row in rows:
            counts = tuple(sorted((path, len(one)) for path, one in row.values.items()))
            if counts not in kinds[side]:
                kinds[side][counts] = len(kinds[side])
                models[side].append(row)
            index[side].append(kinds[side][counts])
    table = np.array(
        [[_overlap(one, other) for other in models[1]] for one in models[0]], dtype=np.int64
    )
    return table[np.ix_(index[0], index[1])]


def _shared_tokens(golds: list[Row], preds: list[Row]) -> tuple[Matrix, Matrix]:
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
