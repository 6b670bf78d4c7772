"""Matching thousands of wrong rows in bounded memory, and exactly as far as the limits below allow.

One matrix of all pairs of rows takes memory by the square of their number and time by its cube.
Where all pairs overlap alike, pairs that share no value are all worth the same: then only the pairs
that share one are listed, a best assignment is found among them, and the other rows are paired in
order of content. Otherwise all aims are packed into one matrix.

Beyond the limits the best matching is given up. Rows that share a value, directly or through other
rows, form clusters, joined by the rarest values first and limited in size; each cluster is assigned
exactly, and the rows that no cluster pairs are compared with their neighbours in order of content,
block by block. A matcher notes where that happened.

Values of a field that are told by their likeness are compared some rows of the table at a time.
Most pairs are nothing like each other, and the rest are few enough to list; where they are not, one
table holds the costs, and no second one is made of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from docassay.kernel.rows import Row, places, token_length
from docassay.matching.assignment import EXACT, assign
from docassay.matching.rows import overlap_table
from docassay.model.stats import PARTS

MAX_PLAIN_CELLS = 4_000_000
"""Up to so many pairs of rows, every aim has a matrix of its own."""
MAX_NESTED_CELLS = 1_000_000
"""The same where rows have rows inside: each pair of rows is a matching of its own."""
MAX_CELLS = 25_000_000
"""Up to so many pairs of rows, one packed matrix (8 bytes a pair) is assigned exactly."""
MAX_EDGES = 2_000_000
"""Up to so many pairs that share a value, large sides are assigned by the list of these pairs."""
BLOCK = 2_000
"""Rows a side that are compared all with all once a document is beyond the limits."""
NESTED_BLOCK = 50
"""The same where rows have rows inside."""
SLAB = 1_000_000
"""Pairs of values whose likeness is worked out at a time."""

Indices = list[int]
Cluster = tuple[Indices, Indices]
"""The places of the gold and of the pred rows that belong to one cluster."""
IndexPairs = list[tuple[int, int]]
Solve = Callable[[list[Row], list[Row]], IndexPairs]


class SharedToken(NamedTuple):
    """A token with the places of the gold and pred rows that share it, the rarest first."""

    cells: int
    token: str
    golds: Indices
    preds: Indices


def tokens_in_both(golds: list[Row], preds: list[Row]) -> list[SharedToken]:
    """Return the tokens that rows of both sides have; those of all rows tell no pairs apart."""
    there = places(preds)
    shared = (
        SharedToken(len(left) * len(there[token]), token, left, there[token])
        for token, left in places(golds).items()
        if token in there
    )
    return sorted(each for each in shared if each.cells < len(golds) * len(preds))


def clusters(golds: list[Row], preds: list[Row], cells: int) -> list[Cluster]:
    """Return the clusters of rows that share values, the rarest of which join first.

    No value joins a cluster of more than `cells` pairs.
    """
    count = len(golds)
    members: dict[int, Cluster] = {}
    home = [*range(count + len(preds))]
    for shared in tokens_in_both(golds, preds):
        homes = {home[i] for i in shared.golds} | {home[count + j] for j in shared.preds}
        parts = [members.get(at) or _alone(at, count) for at in sorted(homes)]
        if sum(len(left) for left, _ in parts) * sum(len(right) for _, right in parts) > cells:
            continue
        # the largest part takes the others in, so that no row moves often
        parts.sort(key=lambda part: -len(part[0]) - len(part[1]))
        largest = parts[0]
        at = home[largest[0][0] if largest[0] else count + largest[1][0]]
        for left, right in parts[1:]:
            for node in (*left, *(count + j for j in right)):
                members.pop(home[node], None)
                home[node] = at
            largest[0].extend(left)
            largest[1].extend(right)
        members[at] = largest
    # by content, as the rows are, so that ties fall alike
    return sorted((sorted(left), sorted(right)) for left, right in members.values())


def _alone(node: int, count: int) -> Cluster:
    return ([node], []) if node < count else ([], [node - count])


def uniform(golds: list[Row], preds: list[Row]) -> bool:
    """Whether all pairs of rows overlap alike, so that only shared values tell pairs apart."""
    table = overlap_table(golds, preds)[0]
    return bool((table == table[0, 0]).all())


def packable(golds: list[Row], preds: list[Row]) -> bool:
    """Whether the aims of any assignment of these rows fit into the digits of a float."""
    return _radices(golds, preds)[0] < EXACT


def _radices(golds: list[Row], preds: list[Row]) -> tuple[int, int, int]:
    """Return the bound of all three aims packed, of the last two and of the last: the length."""
    rows = golds if len(golds) <= len(preds) else preds
    size = len(rows)
    length = 1 + size * max(sum(map(token_length, tokens)) for tokens, _ in rows)
    overlap = 1 + size * int(overlap_table(golds, preds)[0].max())
    return (
        length * overlap * (1 + size * max(len(tokens) for tokens, _ in rows)),
        (length * overlap),
        length,
    )


def pack_rows(golds: list[Row], preds: list[Row]) -> NDArray[np.float64]:
    """Return the worth of every pair of rows as one number: equal values, overlap, then length.

    Equal values and their length are sums over shared tokens, so a token adds its digits where it
    is shared, and no aim needs a matrix of its own. No two of the rows may be identical.
    """
    _, equal, overlap = _radices(golds, preds)
    table, kinds = overlap_table(golds, preds)
    packed = np.empty((len(golds), len(preds)))
    worth = table.astype(np.float64) * overlap
    for i, kind in enumerate(kinds[0]):
        packed[i] = worth[kind, kinds[1]]
    there = places(preds)
    for token, left in places(golds).items():
        right = there.get(token)
        if right is not None:
            amount = float(equal + token_length(token))
            columns = np.array(right)
            for i in left:
                packed[i, columns] += amount
    return packed


def assign_packed(golds: list[Row], preds: list[Row]) -> IndexPairs:
    """Return the best pairs of rows without rows inside, of which none are identical."""
    from scipy.optimize import linear_sum_assignment

    if not golds or not preds:
        return []
    if len(golds) > len(preds):  # with more rows than columns scipy would take a copy
        return sorted((i, j) for j, i in assign_packed(preds, golds))
    packed = pack_rows(golds, preds)
    np.negative(packed, out=packed)  # in place: to maximise, scipy would take a copy
    rows, columns = linear_sum_assignment(packed)
    return list(zip(rows.tolist(), columns.tolist(), strict=True))


def count_edges(golds: list[Row], preds: list[Row]) -> int:
    """Return an upper bound of the number of pairs that share a token which not all rows have."""
    return sum(shared.cells for shared in tokens_in_both(golds, preds))


def assign_sparse(golds: list[Row], preds: list[Row]) -> IndexPairs:
    """Return the best pairs of rows that share a value, where all pairs overlap alike.

    Every gold row may also take a column of its own, which is worth nothing: it stays alone.
    """
    _, equal, _ = _radices(golds, preds)
    edges = Edges([], [], [])
    for shared in tokens_in_both(golds, preds):
        edges.rows.append(np.repeat(shared.golds, len(shared.preds)))
        edges.columns.append(np.tile(shared.preds, len(shared.golds)))
        edges.worths.append(np.full(shared.cells, float(equal + token_length(shared.token))))
    return _heaviest(edges, len(golds), len(preds))


class Edges(NamedTuple):
    """Pairs that are worth something, in portions; those of equal places add up."""

    rows: list[NDArray[np.intp]]
    columns: list[NDArray[np.intp]]
    worths: list[NDArray[np.float64]]


def _heaviest(edges: Edges, golds: int, preds: int) -> IndexPairs:
    """Return the pairs of the greatest worth in all."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    own = np.arange(golds)
    rows = np.concatenate([own, *edges.rows])
    columns = np.concatenate([own + preds, *edges.columns])
    # a worth of 1 stands for nothing, because 0 would be no edge at all
    worths = np.concatenate([np.ones(golds), *edges.worths])
    graph = coo_array((worths, (rows, columns)), shape=(golds, preds + golds)).tocsr()
    chosen = min_weight_full_bipartite_matching(graph, maximize=True)
    pairs = zip(*(side.tolist() for side in chosen), strict=True)
    return [(i, j) for i, j in pairs if j < preds]


def pair_the_rest(golds: list[Row], preds: list[Row], pairs: IndexPairs) -> IndexPairs:
    """Return the pairs, and the rows that are left on both sides paired in order of content."""
    return [*pairs, *zip(*_rest(len(golds), len(preds), pairs), strict=False)]


def assign_in_parts(
    golds: list[Row], preds: list[Row], parts: Sequence[Cluster], solve: Solve, block: int
) -> IndexPairs:
    """Pair rows within clusters, then among neighbours in blocks, then what is left in order."""
    pairs: IndexPairs = []
    for left, right in parts:
        if left and right:
            for i, j in solve([golds[i] for i in left], [preds[j] for j in right]):
                # rows of one cluster that share nothing may find better partners outside
                if not golds[left[i]][0].isdisjoint(preds[right[j]][0]):
                    pairs.append((left[i], right[j]))
    left, right = _rest(len(golds), len(preds), pairs)
    for rows, columns in blocks(left, right, block):
        chosen = solve([golds[i] for i in rows], [preds[j] for j in columns])
        pairs += ((rows[i], columns[j]) for i, j in chosen)
    return pair_the_rest(golds, preds, pairs)


def blocks(left: Indices, right: Indices, block: int) -> list[Cluster]:
    """Cut two sides into as many parts each, none longer than a block; none if a side is empty."""
    count = -(-max(len(left), len(right)) // block) if left and right else 0
    cuts = [
        [side[k * len(side) // count : (k + 1) * len(side) // count] for k in range(count)]
        for side in (left, right)
    ]
    return [(rows, columns) for rows, columns in zip(*cuts, strict=True) if rows and columns]


def _rest(golds: int, preds: int, pairs: IndexPairs) -> Cluster:
    rows, columns = {i for i, _ in pairs}, {j for _, j in pairs}
    return [i for i in range(golds) if i not in rows], [j for j in range(preds) if j not in columns]


Value = TypeVar("Value")
Likeness = NDArray[np.float64] | NDArray[np.bool_]
Compare = Callable[[tuple[Value, ...], tuple[Value, ...]], Likeness]
"""How alike every value of one side is with every one of the other, from 0 to 1."""


def best_likeness(
    golds: tuple[Value, ...], preds: tuple[Value, ...], compare: Compare[Value]
) -> float:
    """Return how alike the values of two sides are in the best one-to-one pairs, summed up."""
    if len(golds) * len(preds) <= MAX_PLAIN_CELLS:
        similar = compare(golds, preds)
        pairs = assign((np.rint(similar * PARTS).astype(np.int64),))
        return sum([float(similar[i, j]) for i, j in pairs])
    pairs = _assign_alike(golds, preds, compare)
    return sum([float(compare((golds[i],), (preds[j],))[0, 0]) for i, j in pairs])


def _assign_alike(
    golds: tuple[Value, ...], preds: tuple[Value, ...], compare: Compare[Value]
) -> IndexPairs:
    """Return the best pairs, from a list of those that are alike, or from a table if that is long.

    Every worth is one more than the likeness, as that of a row alone is one and not nothing.
    """
    from scipy.optimize import linear_sum_assignment

    if len(golds) > len(preds):  # with more rows than columns scipy would take a copy
        turned = _assign_alike(preds, golds, lambda left, right: compare(right, left).T)
        return sorted((i, j) for j, i in turned)
    edges = Edges([], [], [])
    for start, parts in _slabs(golds, preds, compare):
        rows, columns = parts.nonzero()
        edges.rows.append(rows + start)
        edges.columns.append(columns)
        edges.worths.append(parts[rows, columns] + 1)
        if sum(map(len, edges.rows)) > MAX_EDGES:
            break
    else:
        return _heaviest(edges, len(golds), len(preds))
    costs = np.empty((len(golds), len(preds)))
    for start, parts in _slabs(golds, preds, compare):
        np.negative(parts, out=costs[start : start + len(parts)])
    chosen = linear_sum_assignment(costs)
    return list(zip(*(side.tolist() for side in chosen), strict=True))


def _slabs(
    golds: tuple[Value, ...], preds: tuple[Value, ...], compare: Compare[Value]
) -> Iterator[tuple[int, NDArray[np.float64]]]:
    """Yield some rows of the table at a time, as whole numbers, and where they start."""
    height = max(1, SLAB // len(preds))
    for start in range(0, len(golds), height):
        yield start, np.rint(compare(golds[start : start + height], preds) * PARTS)
