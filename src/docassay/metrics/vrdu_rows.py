"""The best regrouping: how many rows of gold the predicted values could make, however grouped.

A gold row can be made if every value in it finds an equal predicted value, and no predicted value
serves twice. Values fall into classes within which they may be equal. A row whose classes have
enough for all who ask is made at once. Rows that compete for a scarce class are tried out in all
combinations, set by set of rows that compete with each other. Finding the most rows is set packing,
for which no quick way is known, so after `LIMIT` trials of a set the best so far counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import count
from typing import NamedTuple

from docassay.matching.groups import Matcher
from docassay.model.document import Group, Reading

Signature = tuple[object, ...]


def right_rows(matcher: Matcher, golds: Sequence[Group], preds: Sequence[Group]) -> int:
    """Return the largest number of pairs of equal rows; a row is in one pair at most."""
    pred_rows = _filed(matcher, preds)
    total = 0
    for signature, gold_rows in _filed(matcher, golds).items():
        others = pred_rows.get(signature, ())
        if others:
            total += _pairs(matcher, gold_rows, others)
    return total


def _filed(matcher: Matcher, rows: Sequence[Group]) -> dict[Signature, list[Group]]:
    filed: dict[Signature, list[Group]] = {}
    for row in rows:
        filed.setdefault(_signature(matcher, row), []).append(row)
    return filed


def _signature(matcher: Matcher, row: Group) -> Signature:
    """Return the values that keys settle, and how many there are of the others."""
    pairwise = matcher.pairwise
    settled: list[str | None] = []
    counted: list[tuple[str, int]] = []
    for path, readings in row.values.items():
        if path in pairwise:
            counted.append((path, len(readings)))
        elif len(readings) == 1 and matcher.layout.field(path).spec.match != "order":
            settled.append(readings[0].key)
        else:
            settled += matcher.number(row, path)
    inner = [
        (path, sorted(_signature(matcher, child) for child in rows))
        for path, rows in row.groups.items()
    ]
    return (tuple(sorted(map(str, settled))), tuple(sorted(counted)), repr(sorted(inner)))


def _pairs(matcher: Matcher, golds: Sequence[Group], preds: Sequence[Group]) -> int:
    if not _needs_comparing(matcher, golds[0]):
        return min(len(golds), len(preds))
    if len(golds) == 1 and len(preds) == 1:
        return int(_equal(matcher, golds[0], preds[0]))
    import numpy as np

    from docassay.matching.assignment import assign

    equal = np.array([[int(_equal(matcher, gold, pred)) for pred in preds] for gold in golds])
    return sum(int(equal[i, j]) for i, j in assign((equal,)))


def _needs_comparing(matcher: Matcher, row: Group) -> bool:
    return bool(matcher.pairwise) and (
        not matcher.pairwise.isdisjoint(row.values)
        or any(_needs_comparing(matcher, child) for rows in row.groups.values() for child in rows)
    )


def _equal(matcher: Matcher, gold: Group, pred: Group) -> bool:
    """Return whether two rows of one signature agree in the values that keys do not settle."""
    return all(
        len(matcher.links(path, gold, pred)) == len(readings)
        for path, readings in gold.values.items()
        if path in matcher.pairwise
    ) and all(
        right_rows(matcher, rows, pred.groups[path]) == len(rows)
        for path, rows in gold.groups.items()
    )


LIMIT = 10_000


class Regrouped(NamedTuple):
    """What the best regrouping comes to: right rows, and rows in all."""

    right: int
    rows: int


class _Class:
    """Values of a field that may be equal: how many are predicted, and who equals whom."""

    __slots__ = ("edges", "supply")

    def __init__(self, supply: int, edges: dict[int, tuple[int, ...]] | None = None) -> None:
        self.supply = supply
        self.edges = edges
        """Pred values by gold value, where not every gold value equals every pred value."""

    def serves(self, asking: Sequence[int]) -> bool:
        """Whether each of these gold values can have a pred value of its own."""
        if len(asking) > self.supply:
            return False
        if self.edges is None:
            return True
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import maximum_bipartite_matching

        pairs = [(i, j) for i, gold in enumerate(asking) for j in self.edges[gold]]
        at = ([i for i, _ in pairs], [j for _, j in pairs])
        width = 1 + max(j for _, j in pairs)
        graph = csr_array(([1] * len(pairs), at), shape=(len(asking), width))
        return bool((maximum_bipartite_matching(graph, perm_type="column") >= 0).all())


_Cell = tuple[str, Reading]
_Need = tuple[_Class, int]
"""A class that a row asks for, and the gold value on whose behalf."""


def best_regrouping(matcher: Matcher, golds: Sequence[Group], preds: Sequence[Group]) -> Regrouped:
    """Return the most gold rows that the values of pred's rows can make, and the rows in all.

    What is left over is put into as few rows as can hold it, each field once a row.
    """
    gold_cells = [_cells(row) for row in sorted(golds, key=lambda row: repr(row.content()))]
    pred_cells = [cell for row in preds for cell in _cells(row)]
    needs = _needs(matcher, gold_cells, pred_cells)
    made = _most({i: need for i, need in enumerate(needs) if need is not None})
    left = Counter(path for path, _ in pred_cells)
    left.subtract(path for i in made for path, _ in gold_cells[i])
    return Regrouped(len(made), len(made) + max(left.values(), default=0))


def _cells(row: Group) -> list[_Cell]:
    """Return the values of a row, those of rows inside it included."""
    own = [(path, reading) for path, readings in row.values.items() for reading in readings]
    return own + [cell for rows in row.groups.values() for child in rows for cell in _cells(child)]


def _needs(
    matcher: Matcher, golds: Sequence[Sequence[_Cell]], preds: Sequence[_Cell]
) -> list[list[_Need] | None]:
    """Return what each gold row asks for; None when pred has nothing equal to one of its values."""
    asked, offered = _by_path(cell for row in golds for cell in row), _by_path(preds)
    classes = {
        path: iter(_classes(matcher, path, readings, offered.get(path, ())))
        for path, readings in asked.items()
    }
    places = {path: count() for path in asked}
    needs: list[list[_Need] | None] = []
    for row in golds:
        need = [(next(classes[path]), next(places[path])) for path, _ in row]
        pairs = [(kind, place) for kind, place in need if kind is not None]
        needs.append(pairs if len(pairs) == len(need) else None)
    return needs


def _by_path(cells: Iterable[_Cell]) -> dict[str, list[Reading]]:
    readings: dict[str, list[Reading]] = {}
    for path, reading in cells:
        readings.setdefault(path, []).append(reading)
    return readings


def _classes(
    matcher: Matcher, path: str, golds: Sequence[Reading], preds: Sequence[Reading]
) -> list[_Class | None]:
    """Return the class of each gold value, None where no predicted value equals it."""
    if path not in matcher.pairwise:
        by_key = {key: _Class(count) for key, count in Counter(pred.key for pred in preds).items()}
        return [by_key.get(gold.key) for gold in golds]
    if not preds:
        return [None] * len(golds)
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    equal = matcher.layout.field(path).equal_matrix(golds, preds)
    edges = {i: tuple(row.nonzero()[0].tolist()) for i, row in enumerate(equal)}
    size = len(golds) + len(preds)
    pairs = [(i, len(golds) + j) for i, others in edges.items() for j in others]
    at = ([i for i, _ in pairs], [j for _, j in pairs])
    graph = csr_array(([1] * len(pairs), at), shape=(size, size))
    labels = connected_components(graph, directed=False)[1].tolist()
    supply = Counter(labels[len(golds) :])
    whole = {label: True for label in labels}
    for i, others in edges.items():
        whole[labels[i]] &= len(others) == supply[labels[i]]
    made = {
        label: _Class(count, None if whole[label] else edges) for label, count in supply.items()
    }
    return [made.get(labels[i]) if edges[i] else None for i in range(len(golds))]


def _most(needs: dict[int, list[_Need]]) -> list[int]:
    """Return a largest set of rows whose needs can be met together."""
    asking: dict[_Class, list[int]] = {}
    for need in needs.values():
        for kind, place in need:
            asking.setdefault(kind, []).append(place)
    scarce = {kind for kind, places in asking.items() if not kind.serves(places)}
    made = [i for i, need in needs.items() if scarce.isdisjoint(kind for kind, _ in need)]
    contested = {
        i: [(kind, place) for kind, place in need if kind in scarce]
        for i, need in needs.items()
        if not scarce.isdisjoint(kind for kind, _ in need)
    }
    for rivals in _rivals(contested):
        made += _Search({i: contested[i] for i in rivals}).best
    return made


def _rivals(contested: dict[int, list[_Need]]) -> Iterable[list[int]]:
    """Yield the sets of rows that compete with each other, directly or through others."""
    by_class: dict[_Class, list[int]] = {}
    for i, need in contested.items():
        for kind, _ in need:
            by_class.setdefault(kind, []).append(i)
    seen: set[int] = set()
    for first in contested:
        rivals: list[int] = []
        near = [first]
        while near:
            i = near.pop()
            if i not in seen:
                seen.add(i)
                rivals.append(i)
                # whoever asks for a class is named once, so the walk takes no longer than the list
                near += [other for kind, _ in contested[i] for other in by_class.pop(kind, ())]
        if rivals:
            yield sorted(rivals)


class _Search:
    """Tries rows in and out, in first, and gives up a branch that cannot beat the best so far."""

    def __init__(self, needs: dict[int, list[_Need]]) -> None:
        self.needs = needs
        self.chosen: list[int] = []
        self.asking: dict[_Class, list[int]] = {}
        self.best: list[int] = []
        self._run([*needs])

    def _run(self, rows: list[int]) -> None:
        # a stack of its own: a set of rivals may be larger than Python likes to nest calls
        steps = [(0, False)]
        trials = 0
        while steps and trials < LIMIT:
            at, undo = steps.pop()
            if undo:
                self._give_back(self.needs[self.chosen.pop()])
                continue
            trials += 1
            if len(self.chosen) > len(self.best):
                self.best = [*self.chosen]
            if len(self.chosen) + len(rows) - at <= len(self.best):
                continue
            steps.append((at + 1, False))
            if self._take(self.needs[rows[at]]):
                self.chosen.append(rows[at])
                steps += [(at, True), (at + 1, False)]

    def _take(self, need: list[_Need]) -> bool:
        """Ask for what a row needs, and for nothing if not all of it can be had."""
        for kind, place in need:
            self.asking.setdefault(kind, []).append(place)
        if all(kind.serves(self.asking[kind]) for kind, _ in need):
            return True
        self._give_back(need)
        return False

    def _give_back(self, need: list[_Need]) -> None:
        for kind, _ in need:
            self.asking[kind].pop()
