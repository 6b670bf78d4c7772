"""Verdicts: what became of every value of a case, one by one, with the reason.

The same matching that the counts come from, spelled out: right, substitution (pred has another
value than gold), addition (gold's value is missing), deletion (pred's value should not be there).
Which of several wrong values stands for which missing one: by similarity, then by content.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeGuard

from docassay.matching.case import Case, Matching
from docassay.matching.groups import Matcher
from docassay.model.document import NOTHING, Entity, Group, Values
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
    walk.add((matching.gold, ""), (matching.pred, ""), "")
    return iter(walk.made)


def verdicts(case: Case) -> Iterator[Verdict]:
    """Yield every verdict of a case."""
    for block in blocks(case):
        yield from block.verdicts


Placed = tuple[Group | None, str]
"""A group, and what the paths of its values begin with."""


class _Walk:
    """Makes the blocks of a case, a pair of groups at a time."""

    def __init__(self, id: str, matching: Matching, wanted: Asked) -> None:
        self._id, self._matching, self._wanted = id, matching, wanted
        self.made: list[VerdictBlock] = []

    def add(self, gold: Placed, pred: Placed, kind: str) -> None:
        """Add the block of two groups, then those of the rows inside them."""
        (gold_group, gold_start), (pred_group, pred_start) = gold, pred
        every = self._wanted.every
        own = self._verdicts(gold, pred)
        if own.verdicts or (every and (kind or _holds_values(gold_group, pred_group))):
            self.made.append(
                VerdictBlock(
                    kind,
                    None if gold_group is None else gold_start.rstrip("."),
                    None if pred_group is None else pred_start.rstrip("."),
                    own.verdicts,
                    (gold_group, pred_group),
                    (gold_start, pred_start),
                    own.marked,
                )
            )
        if not (gold_group and gold_group.groups) and not (pred_group and pred_group.groups):
            return
        for path, matched in self._matching.inside(gold_group, pred_group):
            settled = matched.settled.pairs if every else ()
            for gold_row, pred_row in sorted((*settled, *matched.others), key=_file_order):
                self.add(
                    _place(gold_row, gold_start, kind), _place(pred_row, pred_start, kind), path
                )

    def _verdicts(self, gold: Placed, pred: Placed) -> _OwnVerdicts:
        (gold_group, gold_start), (pred_group, pred_start) = gold, pred
        every, same = self._wanted
        if not same and _is_one_row(gold_group, pred_group):  # which is most rows
            return _NO_VERDICTS
        made, marked = [], False
        shown = fates(self._matching.matcher, gold_group, pred_group, every=every, same=same)
        for field, verdict, i, j in shown:
            own = other = None
            if gold_group is not None and i is not None:
                own = _value(gold_group, gold_start, field.path, i)
                marked = marked or own.reading.origin is not None
            if pred_group is not None and j is not None:
                other = _value(pred_group, pred_start, field.path, j)
                marked = marked or other.reading.origin is not None
            if verdict == RIGHT and not same and _is_one_text(own, other):
                made.append(_plainly_right(self._id, field, own, other))
            else:
                made.append(_verdict(self._id, field, verdict, own, other))
        return _OwnVerdicts(tuple(made), marked)


class _OwnVerdicts(NamedTuple):
    """The verdicts of two groups, and whether any of their values has marks of its own."""

    verdicts: tuple[Verdict, ...]
    marked: bool


_NO_VERDICTS = _OwnVerdicts((), False)


def _holds_values(*groups: Group | None) -> bool:
    return any(group is not None and group.values for group in groups)


def _place(group: Group | None, parent: str, parent_type: str) -> Placed:
    return (group, "" if group is None else group.prefix(parent, parent_type))


def _file_order(pair: tuple[Group | None, Group | None]) -> tuple[bool, int, int]:
    gold, pred = pair
    gold_index = -1 if gold is None or gold.index is None else gold.index
    pred_index = -1 if pred is None or pred.index is None else pred.index
    return (gold is None, gold_index, pred_index)


def _value(group: Group, start: str, field: str, at: int) -> Entity:
    """Return one value of a group, as `Group.own_entities` has it."""
    readings = group.values[field]
    path = start + field.removeprefix(f"{group.type}.") if start else field
    if len(readings) > 1:
        path = f"{path}[{group.positions(field)[at]}]"
    return Entity(field, path, readings[at])


def _is_one_row(gold: Group | None, pred: Group | None) -> bool:
    """Whether two rows hold the same texts, one in each field."""
    if gold is None or pred is None:
        return False
    return gold.single and pred.single and gold.values == pred.values


def _is_one_text(gold: Entity | None, pred: Entity | None) -> TypeGuard[Entity]:
    if gold is None or pred is None:
        return False
    return gold.reading.text == pred.reading.text and not gold.reading.alternatives


def _plainly_right(id: str, field: BoundField, gold: Entity, pred: Entity | None) -> Verdict:
    assert pred is not None
    own, other = gold.reading, pred.reading
    paths = (gold.path, pred.path)
    texts = (own.text, other.text, None, None)
    return Verdict(id, field.path, RIGHT, *paths, *texts, 1.0, "", other.confidence)


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
    gold_values = NOTHING if gold is None else gold.values
    pred_values = NOTHING if pred is None else pred.values
    single = gold is not None and pred is not None and gold.single and pred.single
    if every and same:
        paths = gold_values.keys() | pred_values.keys()
    else:  # what is the same text on both sides is right
        paths = {
            path
            for path, values in gold_values.items()
            if pred_values.get(path) != values or (every and len(values) > 1)
        }
        paths |= pred_values.keys() - gold_values.keys()
    shown = []
    for path in sorted(paths):
        field = matcher.layout.field(path)
        golds, preds = gold_values.get(path, ()), pred_values.get(path, ())
        if not preds:
            shown += [Fate(field, ADDITION, i, None) for i in range(len(golds))]
        elif not golds:
            shown += [Fate(field, DELETION, None, j) for j in range(len(preds))]
        elif single:  # which is most values
            equal = golds[0] is preds[0] or (
                field.equal(golds[0], preds[0])
                if path in matcher.pairwise
                else golds[0].key == preds[0].key
            )
            if every or not equal:
                shown.append(Fate(field, RIGHT if equal else SUBSTITUTION, 0, 0))
        else:
            several = _several(matcher, field, (gold, pred), (golds, preds))
            shown += several if every else [fate for fate in several if fate.verdict != RIGHT]
    return shown


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


def _verdict(
    document: str, field: BoundField, verdict: str, gold: Entity | None, pred: Entity | None
) -> Verdict:
    similarity: float | None = None
    reading = None if gold is None else gold.reading
    if reading is not None and pred is not None:
        if reading.alternatives:
            reading = field.nearest(reading, pred.reading)
        similarity = field.similarity(reading, pred.reading)
        reason = explain_values(field.comparator, field.options, reading.value, pred.reading.value)
    else:
        reason = "missing from the prediction" if pred is None else "not in gold"
    return Verdict(
        document,
        field.path,
        verdict,
        None if gold is None else gold.path,
        None if pred is None else pred.path,
        None if reading is None else reading.text,
        None if pred is None else pred.reading.text,
        None if reading is None else reading.canonical,
        None if pred is None else pred.reading.canonical,
        similarity,
        reason,
        None if pred is None else pred.reading.confidence,
    )
