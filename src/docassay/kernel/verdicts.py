"""Verdicts on the values of two documents: a walk through their groups as these were matched."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from docassay.kernel.readings import Group, Reading, key_of, sense_of, values_of
from docassay.kernel.rows import (
    Pairs,
    fields_of,
    in_file_order,
    row_path,
    starts_of,
    value_pairs,
)

RIGHT, SUBSTITUTION, ADDITION, DELETION = "right", "substitution", "addition", "deletion"
NOT_IN_GOLD, MISSED = "not in gold", "missing from the prediction"
"""Why a value is wrong that one side alone has."""


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


Both = tuple[Group | None, Group | None]
"""Two groups that stand for each other, or one that stands alone."""


class VerdictBlock(NamedTuple):
    """The verdicts of one pair of groups: the root, a matched row, or a row left alone."""

    type: str
    gold: str | None
    """The row's path in gold, None when it has no partner there; "" for the root."""
    pred: str | None
    verdicts: tuple[Verdict, ...]
    groups: Both = (None, None)
    """The two groups, as far as there are any."""
    starts: tuple[str, str] = ("", "")
    """What the paths of the values of either group begin with."""
    marked: bool = True
    """Whether a value with a verdict may have marks of its own: a place, alternatives."""


Settled = tuple[str, str, int | None, int | None]
"""A field, a verdict, and the places of the values that it is about among those of the field."""
PlacedValue = tuple[str | None, Reading | None]
"""The path of a value and what it is; None where there is none."""
_NO_VALUE: PlacedValue = (None, None)
OwnVerdicts = tuple[tuple[Verdict, ...], bool]
"""The verdicts of two groups, and whether any of their values has marks of its own."""
_NO_VERDICTS: OwnVerdicts = ((), False)
# what the classes do to their arguments, without a call of Python a value
_new = tuple.__new__


class Judges:
    """Who is asked about what keys and texts do not settle."""

    def __init__(
        self,
        inside: Callable[[Group | None, Group | None], Iterable[tuple[str, tuple[object, Pairs]]]],
        several: Callable[[Group | None, Group | None], Iterable[Settled]],
        equal: Callable[[str, Reading, Reading], bool],
        compare: Callable[[str, Reading, Reading], tuple[Reading, float, str]],
    ) -> None:
        """Take four functions.

        `inside` gives the rows of two groups by type, as matched; `several` says what becomes of
        the values of groups that have several of a field; `equal` compares two values that no key
        settles; `compare` says which of gold's values was meant, how alike they are, and why.
        """
        self.inside = inside
        self.several = several
        self.equal = equal
        self.compare = compare


class Walk:
    """Makes the blocks of a case, a pair of groups at a time."""

    def __init__(
        self, id: str, pairwise: frozenset[str], judges: Judges, every: bool, same: bool
    ) -> None:
        """Take a document, its fields that keys do not settle, and what is wanted.

        That is, with `every`, right values too, and rows in which all is right; with `same`, fields
        too that have one and the same text on both sides.
        """
        self.id = id
        self.pairwise = pairwise
        self.judges = judges
        self.every = every
        self.same = same
        self.made: list[VerdictBlock] = []

    def add(self, groups: Both, starts: tuple[str, str], kind: str) -> None:
        """Add the block of two groups, then those of the rows inside them."""
        gold, pred = groups
        verdicts, marked = self._verdicts(groups, starts)
        if verdicts or (self.every and (kind or _hold_values(gold, pred))):
            gold_path = None if gold is None else row_path(starts[0])
            pred_path = None if pred is None else row_path(starts[1])
            block = (kind, gold_path, pred_path, verdicts, groups, starts, marked)
            self.made.append(_new(VerdictBlock, block))
        if (gold is None or not gold.groups) and (pred is None or not pred.groups):
            return
        for path, (settled, others) in self.judges.inside(gold, pred):
            pairs: Pairs = list(settled.pairs) if self.every else []  # type: ignore[attr-defined]
            pairs.extend(others)
            rows = in_file_order(pairs)
            own_starts = starts_of(rows, starts, kind)
            for place in range(len(rows)):
                self.add(rows[place], own_starts[place], path)

    def _verdicts(self, groups: Both, starts: tuple[str, str]) -> OwnVerdicts:
        gold, pred = groups
        if (gold is not None and not gold.single) or (pred is not None and not pred.single):
            return self._several(groups, starts)
        pairs = value_pairs(gold, pred, self.every and self.same)
        if not pairs:  # which is most rows
            return _NO_VERDICTS
        made: list[Verdict] = []
        marked = False
        for path, own, other in pairs:
            verdict = verdict_on(path, own, other, self.pairwise, self.judges.equal)
            if verdict == RIGHT and not self.every:
                continue
            gold_path = None if own is None else _path(gold, starts[0], path)
            pred_path = None if other is None else _path(pred, starts[1], path)
            made.append(self._verdict(path, verdict, (gold_path, own), (pred_path, other)))
            marked = marked or _is_marked(own) or _is_marked(other)
        return tuple(made), marked

    def _several(self, groups: Both, starts: tuple[str, str]) -> OwnVerdicts:
        """Return the verdicts of groups of which one has several values of a field."""
        gold, pred = groups
        made: list[Verdict] = []
        marked = False
        for path, verdict, i, j in self.judges.several(gold, pred):
            own = _NO_VALUE if i is None else _value(gold, starts[0], path, i)
            other = _NO_VALUE if j is None else _value(pred, starts[1], path, j)
            made.append(self._verdict(path, verdict, own, other))
            marked = marked or _is_marked(own[1]) or _is_marked(other[1])
        return tuple(made), marked

    def _verdict(self, field: str, verdict: str, gold: PlacedValue, pred: PlacedValue) -> Verdict:
        """Return what is said of a value; without `same`, less of one that is the same text."""
        gold_path, own = gold
        pred_path, other = pred
        own_read: str | None = None
        other_read: str | None = None
        alike: float | None = 1.0
        why = ""
        if own is None:
            assert other is not None
            other_read, alike, why = str(sense_of(other).value), None, NOT_IN_GOLD
        elif other is None:
            own_read, alike, why = str(sense_of(own).value), None, MISSED
        elif self.same or verdict != RIGHT or own.text != other.text or own.alternatives:
            own, alike, why = self.judges.compare(field, own, other)
            own_read, other_read = str(sense_of(own).value), str(sense_of(other).value)
        said = (
            *(self.id, field, verdict, gold_path, pred_path),
            None if own is None else own.text,
            None if other is None else other.text,
            *(own_read, other_read, alike, why),
            None if other is None else other.confidence,
        )
        return _new(Verdict, said)


def verdict_on(
    path: str,
    gold: Reading | None,
    pred: Reading | None,
    pairwise: frozenset[str],
    equal: Callable[[str, Reading, Reading], bool],
) -> str:
    """Return what becomes of the only value of a field; `equal` compares those of `pairwise`."""
    if pred is None:
        return ADDITION
    if gold is None:
        return DELETION
    if gold is pred:
        return RIGHT
    if path in pairwise:
        return RIGHT if equal(path, gold, pred) else SUBSTITUTION
    return RIGHT if key_of(gold) == key_of(pred) else SUBSTITUTION


def _value(group: Group | None, start: str, field: str, at: int) -> PlacedValue:
    """Return one value of a group, as `Group.own_entities` has it."""
    assert group is not None
    readings = values_of(group)[field]
    path = _path(group, start, field)
    if len(readings) > 1:
        path = f"{path}[{group.positions(field)[at]}]"
    return path, readings[at]


def _path(group: Group | None, start: str, field: str) -> str:
    """Return the path of the one value of a field."""
    if not start or group is None:
        return field
    prefix = group.type + "."
    return start + (field[len(prefix) :] if field.startswith(prefix) else field)


def _is_marked(reading: Reading | None) -> bool:
    return reading is not None and reading.origin is not None


def _hold_values(gold: Group | None, pred: Group | None) -> bool:
    if gold is not None and fields_of(gold):
        return True
    return pred is not None and len(fields_of(pred)) > 0
