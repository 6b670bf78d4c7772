"""Verdicts: what became of every value of a case, one by one, with the reason.

The same matching that the counts come from, spelled out: right, substitution (pred has another
value than gold), addition (gold's value is missing), deletion (pred's value should not be there).
Which of several wrong values stands for which missing one: by similarity, then by content.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from docassay.kernel.readings import key_of
from docassay.kernel.rows import fields_of, in_file_order, row_path, starts_of, value_pairs
from docassay.matching.case import Case, Matching
from docassay.matching.groups import Matcher
from docassay.model.document import NOTHING, Group, Reading, Values
from docassay.values.field import BoundField
from docassay.values.similarity import explain_values

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
    """What it was read as; None where nobody has asked."""
    pred_read: str | None
    similarity: float | None
    """Of the two values; None where one side has none."""
    reason: str
    confidence: float | None


class VerdictBlock(NamedTuple):
    """The verdicts of one pair of groups: the root, a matched row, or a row left alone."""

    type: str
    gold: str | None
    """The row's path in gold, None when it has no partner there; "" for the root."""
    pred: str | None
    verdicts: tuple[Verdict, ...]
    groups: tuple[Group | None, Group | None] = (None, None)
    """The two groups, as far as there are any."""
    starts: tuple[str, str] = ("", "")
    """What the paths of the values of either group begin with."""
    marked: bool = True
    """Whether a value with a verdict may have marks of its own: a place, alternatives."""


class Asked(NamedTuple):
    """Which verdicts are wanted, and how much about them."""

    every: bool = True
    """Right values too, and rows in which all is right."""
    same: bool = True
    """Fields too that have one and the same text on both sides."""


def blocks(case: Case, *, every: bool = True, same: bool = True) -> Iterator[VerdictBlock]:
    """Return the root and then every pair of rows, parents before children, in gold's order.

    Without `every`, only what needs correcting: no right values, and no pairs of nothing else.
    Without `same`, all pairs, but no verdicts on fields that have one and the same text on both
    sides; of other values that are the same text, no reason is worked out.
    """
    matching = case.matching()
    walk = _Walk(case.id, matching, Asked(every, same))
    walk.add((matching.gold, matching.pred), ("", ""), "")
    return iter(walk.made)


def verdicts(case: Case) -> Iterator[Verdict]:
    """Yield every verdict of a case."""
    for block in blocks(case):
        yield from block.verdicts


Both = tuple[Group | None, Group | None]
"""Two groups that stand for each other, or one that stands alone."""


class _Walk:
    """Makes the blocks of a case, a pair of groups at a time."""

    def __init__(self, id: str, matching: Matching, wanted: Asked) -> None:
        self._id, self._matching, self._wanted = id, matching, wanted
        self.made: list[VerdictBlock] = []

    def add(self, groups: Both, starts: tuple[str, str], kind: str) -> None:
        """Add the block of two groups, then those of the rows inside them."""
        gold, pred = groups
        every = self._wanted.every
        verdicts, marked = self._verdicts(groups, starts)
        if verdicts or (every and (kind or _holds_values(gold, pred))):
            gold_path = None if gold is None else row_path(starts[0])
            pred_path = None if pred is None else row_path(starts[1])
            block = VerdictBlock(kind, gold_path, pred_path, verdicts, groups, starts, marked)
            self.made.append(block)
        if not (gold and gold.groups) and not (pred and pred.groups):
            return
        for path, matched in self._matching.inside(gold, pred):
            settled = matched.settled.pairs if every else ()
            rows = in_file_order((*settled, *matched.others))
            for both, own_starts in zip(rows, starts_of(rows, starts, kind), strict=True):
                self.add(both, own_starts, path)

    def _verdicts(self, groups: Both, starts: tuple[str, str]) -> _OwnVerdicts:
        gold, pred = groups
        every, same = self._wanted
        if not _are_single(gold, pred):
            return self._several(groups, starts)
        pairs = value_pairs(gold, pred, every and same)
        if not pairs:  # which is most rows
            return _NO_VERDICTS
        matcher, made, marked = self._matching.matcher, [], False
        for path, own, other in pairs:
            verdict = _verdict_on(matcher, path, own, other)
            if verdict == RIGHT and not every:
                continue
            field = matcher.layout.field(path)
            gold_path = None if own is None else _path(gold, starts[0], path)
            pred_path = None if other is None else _path(pred, starts[1], path)
            made.append(self._verdict(field, verdict, (gold_path, own), (pred_path, other)))
            marked = marked or _is_marked(own) or _is_marked(other)
        return _OwnVerdicts(tuple(made), marked)

    def _several(self, groups: Both, starts: tuple[str, str]) -> _OwnVerdicts:
        """Return the verdicts of groups of which one has several values of a field."""
        gold, pred = groups
        every, same = self._wanted
        made, marked = [], False
        for fate in fates(self._matching.matcher, gold, pred, every=every, same=same):
            field, verdict, i, j = fate
            own = other = _NO_VALUE
            if gold is not None and i is not None:
                own = _value(gold, starts[0], field.path, i)
            if pred is not None and j is not None:
                other = _value(pred, starts[1], field.path, j)
            made.append(self._verdict(field, verdict, own, other))
            marked = marked or _is_marked(own[1]) or _is_marked(other[1])
        return _OwnVerdicts(tuple(made), marked)

    def _verdict(
        self, field: BoundField, verdict: str, gold: PlacedValue, pred: PlacedValue
    ) -> Verdict:
        """Return what is said of a value; without `same`, less of one that is the same text."""
        (gold_path, own), (pred_path, other) = gold, pred
        reads: tuple[str | None, str | None, float | None] = (None, None, 1.0)
        why = ""
        if own is None:
            assert other is not None
            reads, why = (None, other.canonical, None), "not in gold"
        elif other is None:
            reads, why = (own.canonical, None, None), "missing from the prediction"
        elif self._wanted.same or verdict != RIGHT or own.text != other.text or own.alternatives:
            if own.alternatives:
                own = field.nearest(own, other)
            why = explain_values(field.comparator, field.options, own.value, other.value)
            reads = (own.canonical, other.canonical, field.similarity(own, other))
        return Verdict(
            self._id,
            field.path,
            verdict,
            gold_path,
            pred_path,
            None if own is None else own.text,
            None if other is None else other.text,
            *reads,
            why,
            None if other is None else other.confidence,
        )


class _OwnVerdicts(NamedTuple):
    """The verdicts of two groups, and whether any of their values has marks of its own."""

    verdicts: tuple[Verdict, ...]
    marked: bool


_NO_VERDICTS = _OwnVerdicts((), False)


def _holds_values(*groups: Group | None) -> bool:
    return any(group is not None and fields_of(group) for group in groups)


def _are_single(gold: Group | None, pred: Group | None) -> bool:
    """Whether no field has more than one value in either group, which is most of them."""
    return (gold is None or gold.single) and (pred is None or pred.single)


PlacedValue = tuple[str | None, Reading | None]
"""The path of a value and what it is; None where there is none."""
_NO_VALUE: PlacedValue = (None, None)


def _value(group: Group, start: str, field: str, at: int) -> PlacedValue:
    """Return one value of a group, as `Group.own_entities` has it."""
    readings = group.values[field]
    path = _path(group, start, field)
    if len(readings) > 1:
        path = f"{path}[{group.positions(field)[at]}]"
    return path, readings[at]


def _path(group: Group | None, start: str, field: str) -> str:
    """Return the path of the one value of a field."""
    return start + field.removeprefix(f"{group.type}.") if start and group is not None else field


def _is_marked(reading: Reading | None) -> bool:
    return reading is not None and reading.origin is not None


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
    if _are_single(gold, pred):
        return [
            Fate(matcher.layout.field(path), verdict, *_only(own, other))
            for path, own, other in value_pairs(gold, pred, every and same)
            for verdict in [_verdict_on(matcher, path, own, other)]
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


def _verdict_on(matcher: Matcher, path: str, gold: Reading | None, pred: Reading | None) -> str:
    """Return what becomes of the only value of a field."""
    if pred is None:
        return ADDITION
    if gold is None:
        return DELETION
    if gold is pred:
        return RIGHT
    if path in matcher.pairwise:
        return RIGHT if matcher.are_equal(path, gold, pred) else SUBSTITUTION
    return RIGHT if key_of(gold) == key_of(pred) else SUBSTITUTION


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
