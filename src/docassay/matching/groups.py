"""Group matching: which row of gold is which row of pred, recursively, the same for any row order.

Rows of one type are matched to have, in this order of importance, the most equal values, the
fewest corrections, the most exactly equal rows and the longest matched text. Each aim is a sum over
pairs of rows, so a matching is an assignment; rows inside rows add the worth of their own best
matching.

Where equality is settled by keys, identical rows are paired at once and only the rest is assigned:
swapping a pair of identical rows into any matching never makes it worse by any of the aims
(min(x, a) + min(x, b) <= x + min(a, b) for every token). With a tolerance that does not hold, so
then every row is assigned. Thousands of rows that differ are matched as `large` says.

Twins are rows of the same texts on both sides, paired before anything is read. Most values of a
good prediction are right to the letter, and rows of nothing else are right whatever else a document
holds. What is left is read: there a value may be unreadable, or need comparing pair by pair. Where
one does, its rows have no twins after all, and all of them are read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import repeat
from typing import NamedTuple

import numpy as np

from docassay.kernel.alike import nested, pair_identical, sort_by_content
from docassay.kernel.plain import Compared
from docassay.kernel.rows import (
    NO_WORTH,
    Pairs,
    Row,
    Worth,
    both_worths,
    count_rows,
    hold_any,
    pair_twins,
    plain_rows,
    take_obvious,
    with_the_rest,
    worth,
    worth_of_few,
    worth_of_pair,
)
from docassay.matching import large
from docassay.matching.assignment import Matrix, assign, assign_few
from docassay.matching.inside import InnerRows, inner_rows, near, spared_apart
from docassay.matching.rows import overlaps, shared_tokens
from docassay.matching.values import Link, link, pair_the_wrong, too_many
from docassay.model.document import NOTHING, Group, Reading
from docassay.schema.layout import FREE, Layout


class TwinRows(NamedTuple):
    """The rows of a type that are twins, and the others in their order."""

    pairs: Sequence[tuple[Group, Group]]
    golds: Sequence[Group]
    preds: Sequence[Group]


def twin_rows(golds: Sequence[Group], preds: Sequence[Group]) -> TwinRows:
    """Pair the rows that hold the same readings and no rows inside."""
    if not golds or not preds:
        return TwinRows((), golds, preds)
    return TwinRows(*pair_twins(golds, preds))


FEW = 64
"""Up to so many pairs of rows, plain lists are faster than arrays."""
MANY_MATCHES = 10_000
"""Matches of rows inside rows that are kept at once: only a few are asked for again."""


class Settled(NamedTuple):
    """Rows that are identical on both sides, paired, and the rows that remain."""

    pairs: Sequence[tuple[Group, Group]]
    values: Mapping[str, int]
    """The number of values in the pairs by field, at any depth."""
    rows: Mapping[str, int]
    """The number of rows inside the pairs by type, at any depth."""
    golds: Sequence[Row]
    preds: Sequence[Row]
    twins: int = 0
    """How many of the pairs, the first, have the same texts."""


class Matched(NamedTuple):
    """All rows of a type: the identical ones, and the others paired or alone."""

    settled: Settled
    others: Pairs


class Matcher:
    """Matches the groups of one case.

    `pairwise` names the fields whose values must be compared pair by pair in this case; which
    rows are twins can be asked before that is known. With confidences there are none, because of
    several equal rows the surest is taken.
    """

    __slots__ = (
        "_inner",
        "_matched",
        "_settled",
        "_twins",
        "confident",
        "layout",
        "pairwise",
        "parted",
    )

    def __init__(
        self, layout: Layout, pairwise: frozenset[str] = frozenset(), *, confident: bool = False
    ) -> None:
        self.confident = confident
        self.layout = layout
        self.pairwise = pairwise
        self.parted: set[str] = set()
        """Fields and group types too large for the best matching: matched in parts instead."""
        # keyed by the identity of the two lists of rows, which live as long as their case
        self._twins: dict[tuple[int, int], TwinRows] = {}
        self._settled: dict[tuple[int, int], Settled] = {}
        self._matched: dict[tuple[int, int], Matched] = {}
        self._inner: dict[int, InnerRows] = {}

    def twins(self, golds: Sequence[Group], preds: Sequence[Group]) -> TwinRows:
        """Return which rows of a type have the same texts."""
        twins = self._twins.get((id(golds), id(preds)))
        if twins is None:
            twins = TwinRows((), golds, preds) if self.confident else twin_rows(golds, preds)
            self._twins[id(golds), id(preds)] = twins
        return twins

    def settle(self, golds: Sequence[Group], preds: Sequence[Group]) -> Settled:
        """Pair the rows that are identical, where keys settle equality; else none."""
        settled = self._settled.get((id(golds), id(preds)))
        if settled is None:
            settled = self._settled[id(golds), id(preds)] = self._settle(golds, preds)
        return settled

    def match(self, golds: Sequence[Group], preds: Sequence[Group], path: str) -> Matched:
        """Return every row of a type once, paired or alone."""
        matched = self._matched.get((id(golds), id(preds)))
        if matched is None:
            matched = self._matched[id(golds), id(preds)] = self._match(golds, preds, path)
        return matched

    def take(self, compared: Compared) -> None:
        """Keep how the rows of two plain documents go together."""
        self.pairwise = compared.pairwise
        for rows in compared.rows:
            settled = Settled(rows.identical, rows.values, NOTHING, (), (), rows.twins)
            self._matched[id(rows.golds), id(rows.preds)] = Matched(settled, rows.others)

    def are_equal(self, path: str, gold: Reading, pred: Reading) -> bool:
        """Whether two values of a field are equal that have to be compared."""
        return self.layout.field(path).equal(gold, pred)

    def _settle(self, golds: Sequence[Group], preds: Sequence[Group]) -> Settled:
        if not golds or not preds or self._compares_pairwise((*golds, *preds)):
            return Settled((), NOTHING, NOTHING, self._rows(golds), self._rows(preds))
        twins = self.twins(golds, preds)
        pairs = [*twins.pairs]
        left, right = self._rows(twins.golds), self._rows(twins.preds)
        if left and right:
            identical, left, right = pair_identical(left, right)
            pairs += identical
        counts = count_rows([gold for gold, _ in pairs])
        return Settled(pairs, *counts, left, right, len(twins.pairs))

    def _match(self, golds: Sequence[Group], preds: Sequence[Group], path: str) -> Matched:
        how = self.layout.group(path).spec
        if how.match in FREE:
            settled = self.settle(golds, preds)
            pairs = self._assign([*settled.golds], [*settled.preds], path)
            left = [row for _, row in settled.golds]
            right = [row for _, row in settled.preds]
            return Matched(settled, with_the_rest(pairs, left, right))
        if how.match == "order":
            pairs = [*zip(golds, preds, strict=False)]
        else:
            pairs = self._by_key_field(golds, preds, how.key or "", path)
        return Matched(NONE_SETTLED, with_the_rest(pairs, golds, preds))

    def links(self, path: str, gold: Group | None, pred: Group | None) -> list[tuple[int, int]]:
        """Return the equal values of a field in two groups."""
        by_key = path not in self.pairwise
        if not by_key and gold is not None and pred is not None:
            self.note_size(path, gold.values.get(path, ()), pred.values.get(path, ()))
        return link(self.layout.field(path), gold, pred, by_key=by_key)

    def substitutions(
        self, path: str, missed: Sequence[Reading], wrong: Sequence[Reading]
    ) -> list[Link]:
        """Return which wrong value of a field stands for which missed one."""
        self.note_size(path, missed, wrong)
        return pair_the_wrong(self.layout.field(path), missed, wrong)

    def note_size(self, path: str, golds: Sequence[Reading], preds: Sequence[Reading]) -> None:
        """Note a field with more values than are compared all with all."""
        if too_many(golds, preds):
            self.parted.add(path)

    def number(self, group: Group, path: str) -> list[str]:
        """Return the tokens of a field's several values: its keys, told apart where they repeat."""
        readings = group.values[path]
        if self.layout.field(path).spec.match == "order":
            slots = group.positions(path)
            return [
                f"{reading.key}\x1f{slot}" for slot, reading in zip(slots, readings, strict=True)
            ]
        seen: Counter[str | None] = Counter()
        tokens = []
        for reading in readings:
            key = reading.key
            seen[key] += 1
            tokens.append(key if seen[key] == 1 else f"{key}\x1f\x1f{seen[key]}")
        return tokens  # type: ignore[return-value]

    def _assign(self, left: list[Row], right: list[Row], path: str) -> list[tuple[Group, Group]]:
        """Return the best pairs of rows; sorts what needs a choice, so that ties fall alike."""
        pairs: list[tuple[Group, Group]] = []
        deep = nested(left) and nested(right)
        flat = not deep and not self._compares_pairwise(row for _, row in (*left, *right))
        if flat and (len(left) > 1 or len(right) > 1):
            pairs = take_obvious(left, right)
        if not left or not right:
            return pairs
        if len(left) == 1 and len(right) == 1:
            return [*pairs, (left[0][1], right[0][1])]
        return [*pairs, *self.choose(left, right, path, flat=flat, deep=deep)]

    def choose(
        self, left: list[Row], right: list[Row], path: str, *, flat: bool = True, deep: bool = False
    ) -> list[tuple[Group, Group]]:
        """Return the best pairs of rows where there is a choice."""
        sort_by_content(left)
        sort_by_content(right)
        cells = len(left) * len(right)
        if flat and cells <= FEW:
            chosen = assign_few([[worth(gold, pred) for pred in right] for gold in left])
        elif cells <= (large.MAX_NESTED_CELLS if deep else large.MAX_PLAIN_CELLS):
            chosen = assign(_flat_aims(left, right) if flat else self._aims(left, right))
        elif flat:
            chosen = self._assign_many(left, right, path)
        else:
            chosen = self._assign_any(
                left, right, path, large.NESTED_BLOCK if deep else large.BLOCK
            )
        return [(left[i][1], right[j][1]) for i, j in chosen]

    def _assign_many(self, left: list[Row], right: list[Row], path: str) -> large.IndexPairs:
        """Assign thousands of rows without rows inside, exactly up to the limits in `large`."""
        if not left or not right:
            return []
        if not large.packable(left, right):
            return self._assign_any(left, right, path, large.BLOCK)
        if large.uniform(left, right) and large.count_edges(left, right) <= large.MAX_EDGES:
            return large.pair_the_rest(left, right, large.assign_sparse(left, right))
        if len(left) * len(right) <= large.MAX_CELLS:
            return large.assign_packed(left, right)
        self.parted.add(path)
        parts = large.clusters(left, right, large.BLOCK * large.BLOCK)
        return large.assign_in_parts(left, right, parts, large.assign_packed, large.BLOCK)

    def _assign_any(
        self, left: list[Row], right: list[Row], path: str, block: int
    ) -> large.IndexPairs:
        """Assign in parts rows that need comparing pair by pair."""
        self.parted.add(path)
        parts = large.clusters(left, right, block * block)
        return large.assign_in_parts(left, right, parts, self._assign_block, block)

    def _assign_block(self, left: list[Row], right: list[Row]) -> large.IndexPairs:
        chosen = assign(self._aims(left, right))
        self._forget()
        return chosen

    def _rows(self, groups: Sequence[Group]) -> list[Row]:
        """Return groups with their tokens: the values that a key settles."""
        # where places count, a single value has one too
        rows = None if self.layout.has_order else plain_rows(groups, self.pairwise)
        return [(self._tokens(group), group) for group in groups] if rows is None else rows

    def _tokens(self, group: Group) -> frozenset[str]:
        return frozenset(
            token
            for path in group.values
            if path not in self.pairwise
            for token in self.number(group, path)
        )

    def _compares_pairwise(self, groups: Iterable[Group]) -> bool:
        """Whether any of the rows holds, at any depth, a value that no key settles."""
        return bool(self.pairwise) and hold_any(groups, self.pairwise)

    def _by_key_field(
        self, golds: Sequence[Group], preds: Sequence[Group], key: str, path: str
    ) -> list[tuple[Group, Group]]:
        """Pair only rows whose key fields are equal; several rows of one key by best assignment."""
        pairs: list[tuple[Group, Group]] = []
        free = self._rows(preds)
        named: dict[str, list[Row]] = {}
        for row in self._rows(golds):
            if key in row[1].values:
                name = row[1].values[key][0].canonical
                named.setdefault(name, []).append(row)
        for name in sorted(named):
            rows = named[name]
            same = [row for row in free if self.links(key, rows[0][1], row[1])]
            chosen: list[tuple[Group, Group]] = []
            if not self._compares_pairwise(row for _, row in (*rows, *same)):
                # the worth of rows without rows inside takes it that none are identical
                chosen, rows, same = pair_identical(rows, same)
            chosen += self._assign(rows, same, path)
            pairs.extend(chosen)
            taken = {id(pred) for _, pred in chosen}
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
        if nested(golds) and nested(preds):
            self._add_nested(golds, preds, (equal, spared, exact, length))
        gold_sizes, pred_sizes = (
            np.array([row.size for _, row in rows]) for rows in (golds, preds)
        )
        exact += (equal == gold_sizes[:, None]) & (equal == pred_sizes[None, :])
        return equal, spared, exact, length

    def _pairwise_counts(
        self, path: str, golds: list[Row], preds: list[Row]
    ) -> tuple[Matrix, Matrix]:
        """Count the equal values of a field compared pair by pair, for all pairs of rows."""
        field = self.layout.field(path)
        lists = [[row.values.get(path, ()) for _, row in rows] for rows in (golds, preds)]
        equal = np.zeros((len(golds), len(preds)), dtype=np.int64)
        length = np.zeros_like(equal)
        single = all(len(readings) < 2 for side in lists for readings in side)
        if single and field.spec.match != "order":  # in order, a single value has a place too
            at = [[i for i, readings in enumerate(side) if readings] for side in lists]
            equal[np.ix_(at[0], at[1])] = field.equal_matrix(
                [lists[0][i][0] for i in at[0]], [lists[1][j][0] for j in at[1]]
            )
            length[at[0], :] = np.array([[len(lists[0][i][0].canonical)] for i in at[0]])
            return equal, length * equal
        for i, (_, gold) in enumerate(golds):
            for j, (_, pred) in enumerate(preds):
                links = self.links(path, gold, pred)
                equal[i, j] = len(links)
                length[i, j] = sum(len(lists[0][i][at].canonical) for at, _ in links)
        return equal, length

    def _add_nested(
        self, golds: list[Row], preds: list[Row], aims: tuple[Matrix, Matrix, Matrix, Matrix]
    ) -> None:
        """Add what the best matchings of rows inside are worth, for all pairs of rows."""
        paths = [{path for _, row in rows for path in row.groups} for rows in (golds, preds)]
        for path in sorted(paths[0] & paths[1]):
            left, right = (
                {i: row.groups[path] for i, (_, row) in enumerate(rows) if path in row.groups}
                for rows in (golds, preds)
            )
            worths = self._worths([*left.values()], [*right.values()], path)
            for aim, worth_of in zip(aims, worths, strict=True):
                aim[np.ix_([*left], [*right])] += worth_of

    def _worths(
        self, golds: Sequence[Sequence[Group]], preds: Sequence[Sequence[Group]], path: str
    ) -> Matrix:
        """Return the worth, one matrix for each aim, of all pairs of lists of rows."""
        worths = np.zeros((len(NO_WORTH), len(golds), len(preds)), dtype=np.int64)
        freely = self.layout.group(path).spec.match in FREE
        partners: Iterable[list[int]] = repeat([*range(len(preds))], len(golds))
        left, right = ([*map(self._inner_rows, lists)] for lists in (golds, preds))
        if freely:
            worths[1] = spared_apart(left, right)
            partners = near(left, right)
        for i, columns in enumerate(partners):
            if not columns:
                continue
            rows = left[i].rows
            worths[:, i, columns] = np.array(
                [
                    worth_of_few(rows, right[j].rows, assign_few)
                    if freely and 0 < len(rows) * len(right[j].rows) <= FEW
                    else self._worth(golds[i], preds[j], path)
                    for j in columns
                ]
            ).T
            if len(self._matched) > MANY_MATCHES:
                self._forget()
        return worths

    def _forget(self) -> None:
        """Drop what pairs of rows inside came to: too much to keep for all of them."""
        self._twins.clear()
        self._settled.clear()
        self._matched.clear()

    def _worth(self, golds: Sequence[Group], preds: Sequence[Group], path: str) -> Worth:
        """Return what the best matching of any rows achieves."""
        total = NO_WORTH
        matched = self.match(golds, preds, path)
        for gold, pred in (*matched.settled.pairs, *matched.others):
            if gold is not None and pred is not None:
                total = both_worths(total, self._worth_of_pair(gold, pred))
        return total

    def _inner_rows(self, groups: Sequence[Group]) -> InnerRows:
        inner = self._inner.get(id(groups))
        if inner is None:
            rows = [] if self._compares_pairwise(groups) else self._rows(groups)
            inner = self._inner[id(groups)] = inner_rows(rows)
        return inner

    def _worth_of_pair(self, gold: Group, pred: Group) -> Worth:
        golds, preds = self._rows([gold]), self._rows([pred])
        if (gold.groups and pred.groups) or self._compares_pairwise((gold, pred)):
            equal, spared, exact, length = (int(aim[0, 0]) for aim in self._aims(golds, preds))
            return equal, spared, exact, length
        # matrices of one cell would take most of the time of nested documents
        return worth_of_pair(golds[0], preds[0])


def _flat_aims(golds: list[Row], preds: list[Row]) -> tuple[Matrix, ...]:
    """Return the aims for rows without rows inside: none of them are identical any more."""
    equal, length = shared_tokens(golds, preds)
    return equal, equal + overlaps(golds, preds), length


NONE_SETTLED = Settled((), NOTHING, NOTHING, (), ())


def _paths(rows: Iterable[Row]) -> set[str]:
    return {path for _, row in rows for path in row.values}
