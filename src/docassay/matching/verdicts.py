"""Verdicts: what became of every value of a case, one by one, with the reason.

The same matching that the counts come from, spelled out: right, substitution (pred has another
value than gold), addition (gold's value is missing), deletion (pred's value should not be there).
Which of several wrong values stands for which missing one: by similarity, then by content.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from docassay.kernel.readings import by_keys
from docassay.kernel.rows import value_pairs
from docassay.kernel.verdicts import ADDITION as ADDITION
from docassay.kernel.verdicts import DELETION as DELETION
from docassay.kernel.verdicts import RIGHT as RIGHT
from docassay.kernel.verdicts import (
    ROOT,
    Asked,
    Judges,
    PairWithFound,
    Walk,
    are_single,
    tell,
    verdict_on,
)
from docassay.kernel.verdicts import SUBSTITUTION as SUBSTITUTION
from docassay.kernel.verdicts import RowPlace as RowPlace
from docassay.kernel.verdicts import Verdict as Verdict
from docassay.kernel.verdicts import VerdictBlock as VerdictBlock
from docassay.matching.case import Case
from docassay.matching.groups import Matcher
from docassay.model.document import NOTHING, Group, Reading, Values
from docassay.values.field import BoundField
from docassay.values.similarity import explaining


def blocks(case: Case, *, same: bool = True) -> Iterator[VerdictBlock]:
    """Return the root and then every pair of rows, parents before children, in gold's order.

    Without `same`, all pairs, but no verdicts on fields that have one and the same text on both
    sides; of other values that are the same text, no reason is worked out.
    """
    (made,) = blocks_of([case], same=same)
    return iter(made)


def blocks_of(cases: Sequence[Case], *, same: bool = True) -> list[list[VerdictBlock]]:
    """Return the blocks of cases: all are walked through before the values of any are compared."""
    walks = [_walk(case, every=True, same=same) for case in cases]
    for case, walk in zip(cases, walks, strict=True):
        matching = case.matching()
        walk.add((matching.gold, matching.pred), ROOT)
    return _made(cases, walks)


def wrong_blocks_of(
    cases: Sequence[Case], roots: Sequence[PairWithFound]
) -> list[list[VerdictBlock]]:
    """Return the blocks of wrong values alone, which were found in pairs that begin with `roots`.

    Blocks without any are left out.
    """
    walks = [_walk(case, every=False, same=False) for case in cases]
    for root, walk in zip(roots, walks, strict=True):
        walk.add_wrong(root, ROOT)
    return _made(cases, walks)


def _walk(case: Case, *, every: bool, same: bool) -> Walk:
    """Return a walk through the groups of a case that has not begun."""
    matching = case.matching()
    matcher = matching.matcher
    several = partial(_settled, matcher, every=every, same=same)
    judges = Judges(matching.inside, several, matcher.are_equal)
    return Walk(case.id, matcher.pairwise, judges, same)


def _made(cases: Sequence[Case], walks: Sequence[Walk]) -> list[list[VerdictBlock]]:
    """Return the blocks of walks, once the values that they met are compared."""
    by_field: dict[BoundField, list[Asked]] = {}
    for case, walk in zip(cases, walks, strict=True):
        field_of = case.layout.field
        for asked in walk.asked:
            by_field.setdefault(field_of(asked[0]), []).append(asked)
    for field, pairs in by_field.items():
        _compare(field, pairs)
    return [walk.made for walk in walks]


def verdicts(case: Case) -> Iterator[Verdict]:
    """Yield every verdict of a case."""
    for block in blocks(case):
        yield from block.verdicts


def _settled(
    matcher: Matcher, gold: Group | None, pred: Group | None, *, every: bool, same: bool
) -> Iterator[tuple[str, str, int | None, int | None]]:
    """Yield what becomes of each value of two groups, as `fates` does."""
    for field, verdict, i, j in fates(matcher, gold, pred, every=every, same=same):
        yield field.path, verdict, i, j


def _compare(field: BoundField, pairs: Sequence[Asked]) -> None:
    """Say of pairs of values which of gold's readings was meant, how alike they are, and why."""
    why = explaining(field.comparator, field.options)
    binary = field.comparator.binary
    for asked in pairs:
        gold, pred = asked[1], asked[2]
        if gold.alternatives:
            gold = field.nearest(gold, pred)
        settled = by_keys(gold, pred) if binary else -1
        alike = field.similarity(gold, pred) if settled < 0 else float(settled)
        tell(asked, gold, alike, why(gold.value, pred.value))


class Fate(NamedTuple):
    """What became of one value: its places among the values of its field in two groups."""

    field: BoundField
    verdict: str
    gold: int | None
    pred: int | None


def fates(
    matcher: Matcher,
    gold: Group | None,
    pred: Group | None,
    *,
    every: bool = True,
    same: bool = True,
) -> list[Fate]:
    """Return what becomes of each value of two groups that stand for each other, field by field.

    Without `every`, of each value that is not right; without `same`, not of fields that have one
    and the same text on both sides.
    """
    if are_single(gold, pred):
        return [
            Fate(matcher.layout.field(path), verdict, *_only(own, other))
            for path, own, other in value_pairs(gold, pred, every and same)
            for verdict in [verdict_on(path, own, other, matcher.pairwise, matcher.are_equal)]
            if every or verdict != RIGHT
        ]
    gold_values = NOTHING if gold is None else gold.values
    pred_values = NOTHING if pred is None else pred.values
    if every and same:
        paths = sorted(gold_values.keys() | pred_values.keys())
    else:
        paths = sorted(_other_fields(gold_values, pred_values, several=every))
    shown = []
    for path in paths:
        field = matcher.layout.field(path)
        golds, preds = gold_values.get(path, ()), pred_values.get(path, ())
        if not preds:
            shown += [Fate(field, ADDITION, i, None) for i in range(len(golds))]
        elif not golds:
            shown += [Fate(field, DELETION, None, j) for j in range(len(preds))]
        else:
            several = _several(matcher, field, (gold, pred), (golds, preds))
            shown += several if every else [fate for fate in several if fate.verdict != RIGHT]
    return shown


def _only(gold: Reading | None, pred: Reading | None) -> tuple[int | None, int | None]:
    """Return the places of the only values of a field."""
    return None if gold is None else 0, None if pred is None else 0


def _other_fields(
    gold: Mapping[str, Values], pred: Mapping[str, Values], *, several: bool
) -> set[str]:
    """Return the fields that are not the same texts on both sides, those too of `several`."""
    other = {
        path
        for path, values in gold.items()
        if pred.get(path) != values or (several and len(values) > 1)
    }
    return other | (pred.keys() - gold.keys())


def _several(
    matcher: Matcher,
    field: BoundField,
    groups: tuple[Group | None, Group | None],
    values: tuple[Values, Values],
) -> Iterator[Fate]:
    """Yield what becomes of the values of a field that has several."""
    golds, preds = values
    links = matcher.links(field.path, *groups)
    yield from (Fate(field, RIGHT, i, j) for i, j in links)
    linked = [{link[side] for link in links} for side in (0, 1)]
    left = [i for i in range(len(golds)) if i not in linked[0]]
    right = [j for j in range(len(preds)) if j not in linked[1]]
    swaps = matcher.substitutions(field.path, [golds[i] for i in left], [preds[j] for j in right])
    yield from (Fate(field, SUBSTITUTION, left[i], right[j]) for i, j in swaps)
    swapped = [{swap[side] for swap in swaps} for side in (0, 1)]
    yield from (Fate(field, ADDITION, i, None) for n, i in enumerate(left) if n not in swapped[0])
    yield from (Fate(field, DELETION, None, j) for n, j in enumerate(right) if n not in swapped[1])
