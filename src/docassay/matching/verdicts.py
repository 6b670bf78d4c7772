"""Verdicts: what became of every value of a case, one by one, with the reason.

The same matching that the counts come from, spelled out: right, substitution (pred has another
value than gold), addition (gold's value is missing), deletion (pred's value should not be there).
Which of several wrong values stands for which missing one: by similarity, then by content.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from docassay.kernel.rows import other_fields
from docassay.matching.case import Case, Matching
from docassay.matching.groups import Matcher
from docassay.model.document import Group, Reading, Values
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
        verdicts, marked = self._verdicts(gold, pred)
        if verdicts or (every and (kind or _holds_values(gold_group, pred_group))):
            self.made.append(
                VerdictBlock(
                    kind,
                    None if gold_group is None else gold_start.rstrip("."),
                    None if pred_group is None else pred_start.rstrip("."),
                    verdicts,
                    (gold_group, pred_group),
                    (gold_start, pred_start),
                    marked,
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
        shown = fates(self._matching.matcher, gold_group, pred_group, every=every, same=same)
        if not shown:  # which is most rows
            return _NO_VERDICTS
        made, marked = [], False
        for fate in shown:
            field, _, i, j = fate
            own = other = _NO_VALUE
            if gold_group is not None and i is not None:
                own = _value(gold_group, gold_start, field.path, i)
            if pred_group is not None and j is not None:
                other = _value(pred_group, pred_start, field.path, j)
            made.append(_verdict(self._id, fate, own, other, explained=same))
            marked = marked or _is_marked(own[1]) or _is_marked(other[1])
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


PlacedValue = tuple[str | None, Reading | None]
"""The path of a value and what it is; None where there is none."""
_NO_VALUE: PlacedValue = (None, None)


def _value(group: Group, start: str, field: str, at: int) -> PlacedValue:
    """Return one value of a group, as `Group.own_entities` has it."""
    readings = group.values[field]
    path = start + field.removeprefix(f"{group.type}.") if start else field
    if len(readings) > 1:
        path = f"{path}[{group.positions(field)[at]}]"
    return path, readings[at]


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
    if gold is None or pred is None:
        return _alone(matcher, gold, pred)
    single = gold.single and pred.single
    if every and same:
        paths = sorted(gold.values.keys() | pred.values.keys())
    elif single:  # what is the same text on both sides is right
        paths = other_fields(gold, pred)
        if not paths:
            return []
    else:
        paths = sorted(_other_fields(gold.values, pred.values, several=every))
    gold_values, pred_values = gold.values, pred.values
    shown = []
    for path in paths:
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


def _alone(matcher: Matcher, gold: Group | None, pred: Group | None) -> list[Fate]:
    """Return what becomes of each value of a group that nothing stands for."""
    group = pred if gold is None else gold
    fields = [] if group is None else sorted(group.values.items())
    return [
        Fate(field, DELETION, None, at) if gold is None else Fate(field, ADDITION, at, None)
        for field, values in [(matcher.layout.field(path), values) for path, values in fields]
        for at in range(len(values))
    ]


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


def _verdict(
    document: str, fate: Fate, gold: PlacedValue, pred: PlacedValue, *, explained: bool
) -> Verdict:
    """Return what is said of a value; only if `explained`, also of one that is the same text."""
    field, verdict = fate.field, fate.verdict
    (gold_path, own), (pred_path, other) = gold, pred
    texts: tuple[str | None, str | None, str | None, str | None]
    said: tuple[float | None, str, float | None]
    if own is None:
        assert other is not None
        texts = (None, other.text, None, other.canonical)
        said = (None, "not in gold", other.confidence)
    elif other is None:
        texts = (own.text, None, own.canonical, None)
        said = (None, "missing from the prediction", None)
    elif not explained and verdict == RIGHT and own.text == other.text and not own.alternatives:
        texts = (own.text, other.text, None, None)
        said = (1.0, "", other.confidence)
    else:
        if own.alternatives:
            own = field.nearest(own, other)
        texts = (own.text, other.text, own.canonical, other.canonical)
        reason = explain_values(field.comparator, field.options, own.value, other.value)
        said = (field.similarity(own, other), reason, other.confidence)
    return Verdict(document, field.path, verdict, gold_path, pred_path, *texts, *said)
