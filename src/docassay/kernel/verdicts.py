"""Verdicts on the values of two documents: a walk through their groups as these were matched."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from docassay.kernel.readings import Group, Reading, key_of, sense_of, values_of
from docassay.kernel.rows import (
    Pairs,
    fields_of,
    in_file_order,
    row_path,
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


Told = tuple[
    str,
    str,
    str,
    str | None,
    str | None,
    str | None,
    str | None,
    str | None,
    str | None,
    float | None,
    str,
    float | None,
]
"""The members of a verdict: thousands of them are made that nobody but the kernel looks at."""
Both = tuple[Group | None, Group | None]
"""Two groups that stand for each other, or one that stands alone."""


class RowPlace:
    """Where two rows are that stand for each other, or one that stands alone."""

    __slots__ = ("_paths", "gold", "pred", "starts", "type")

    def __init__(
        self, type: str, gold: str | None, pred: str | None, starts: tuple[str, str] = ("", "")
    ) -> None:
        self.type = type
        self.gold = gold
        """The row's path in gold, None when it has no partner there; "" for the root."""
        self.pred = pred
        self.starts = starts
        """What the paths of the values of either row begin with."""
        self._paths: dict[str, tuple[str, str]] = {}

    def paths(self, field: str) -> tuple[str, str]:
        """Return the paths of a value in either row, if it is the only one of its field."""
        paths = self._paths.get(field)
        if paths is None:
            name = field.removeprefix(f"{self.type}.")
            left, right = self.starts
            paths = self._paths[field] = (
                left + name if left else field,
                right + name if right else field,
            )
        return paths


class RowPlaces:
    """The places of rows: most documents have rows of the same numbers."""

    def __init__(self, most: int) -> None:
        """Take how many to keep."""
        self._most = most
        self._known: dict[tuple[RowPlace, str, int, int], RowPlace] = {}

    def inside(
        self, parent: RowPlace, path: str, gold: Group | None, pred: Group | None
    ) -> RowPlace:
        """Return the place of two rows of a type inside two others."""
        key = (parent, path, _number(gold), _number(pred))
        place = self._known.get(key)
        if place is None:
            if len(self._known) >= self._most:
                self._known.clear()
            left = "" if gold is None else gold.prefix(parent.starts[0], parent.type)
            right = "" if pred is None else pred.prefix(parent.starts[1], parent.type)
            gold_path = None if gold is None else row_path(left)
            pred_path = None if pred is None else row_path(right)
            place = self._known[key] = RowPlace(path, gold_path, pred_path, (left, right))
        return place


NOT_THERE, UNNUMBERED = -2, -1


def _number(row: Group | None) -> int:
    """Return the number of a row in its file, or what stands for none."""
    if row is None:
        return NOT_THERE
    return UNNUMBERED if row.index is None else row.index


ROOT = RowPlace("", "", "")
_places = RowPlaces(most=1 << 12)


class VerdictBlock:
    """The verdicts of one pair of groups: the root, a matched row, or a row left alone."""

    __slots__ = ("groups", "marked", "place", "told")

    def __init__(
        self,
        place: RowPlace,
        verdicts: Iterable[Verdict],
        groups: Both = (None, None),
        marked: bool = True,
    ) -> None:
        self.place = place
        self.told: list[Told] = [verdict[:] for verdict in verdicts]
        """The verdicts, as their members."""
        self.groups = groups
        """The two groups, as far as there are any."""
        self.marked = marked
        """Whether a value with a verdict may have marks of its own: a place, alternatives."""

    @property
    def type(self) -> str:
        """The type of the rows, "" for the root."""
        return self.place.type

    @property
    def gold(self) -> str | None:
        """The row's path in gold, None when it has no partner there; "" for the root."""
        return self.place.gold

    @property
    def pred(self) -> str | None:
        """The row's path in pred, None when it has no partner there; "" for the root."""
        return self.place.pred

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """What became of each value."""
        return tuple([Verdict(*told) for told in self.told])


Settled = tuple[str, str, int | None, int | None]
"""A field, a verdict, and the places of the values that it is about among those of the field."""
Asked = tuple[str, Reading, Reading, tuple[str, str, str, str | None, str | None], list[Told], int]
"""A field and two values of it that are to be compared, how their verdict begins, and its place."""
_UNTOLD: Told = ("", "", "", None, None, None, None, None, None, None, "", None)
"""In the place of a verdict whose values are not compared yet."""


def tell(asked: Asked, meant: Reading, alike: float, why: str) -> None:
    """Say of two values which of gold's readings was meant, how alike they are, and why."""
    _, _, pred, (id, field, verdict, gold_path, pred_path), told, place = asked
    read = str(sense_of(meant).value)
    other_read = str(sense_of(pred).value)
    # one literal, of which no list is made on the way
    # fmt: off
    told[place] = (
        id, field, verdict, gold_path, pred_path, meant.text, pred.text, read, other_read,
        alike, why, pred.confidence,
    )
    # fmt: on


class IdenticalRows(Protocol):
    """Pairs of rows that are identical."""

    @property
    def pairs(self) -> Sequence[tuple[Group, Group]]:
        """All of them."""

    @property
    def twins(self) -> int:
        """How many of them, the first, have the same texts."""


Found = tuple[Any, Reading | None, Reading | None]
"""A wrong value: its field, and what gold and pred have."""


class PairWithFound(Protocol):
    """Two groups that stand for each other, of which it is known what is wrong in them."""

    @property
    def gold(self) -> Group | None:
        """The group of gold."""

    @property
    def pred(self) -> Group | None:
        """The group of pred."""

    @property
    def found(self) -> Sequence[Found] | None:
        """The wrong values."""

    @property
    def rows_inside(self) -> Mapping[str, Sequence[PairWithFound]] | None:
        """The pairs of rows inside that are not identical, if there are rows."""


class Judges:
    """Who is asked about what keys and texts do not settle."""

    def __init__(
        self,
        inside: Callable[
            [Group | None, Group | None], Iterable[tuple[str, tuple[IdenticalRows, Pairs]]]
        ],
        several: Callable[[Group | None, Group | None], Iterable[Settled]],
        equal: Callable[[str, Reading, Reading], bool],
    ) -> None:
        """Take three functions.

        `inside` gives the rows of two groups by type, as matched; `several` says what becomes of
        the values of groups that have several of a field; `equal` compares two values that no key
        settles.
        """
        self.inside = inside
        self.several = several
        self.equal = equal


class Walk:
    """Makes the blocks of a case, a pair of groups at a time.

    What is `asked` on the way is left to be told afterwards: how alike two values are, and why.
    """

    def __init__(self, id: str, pairwise: frozenset[str], judges: Judges, same: bool) -> None:
        """Take a document, its fields that keys do not settle, and what is wanted.

        That is, with `same`, fields too that have one and the same text on both sides.
        """
        self.id = id
        self.pairwise = pairwise
        self.judges = judges
        self.same = same
        self.made: list[VerdictBlock] = []
        self.asked: list[Asked] = []

    def add(self, groups: Both, place: RowPlace, twins: bool = False) -> None:
        """Add the block of two groups, then those of the rows inside them.

        `twins` have the same texts and no rows inside.
        """
        gold, pred = groups
        told: list[Told] = []
        marked = False
        if self.same or not twins or not are_single(gold, pred):
            marked = self._add_verdicts(told, groups, place)
        if told or place is not ROOT or _hold_values(gold, pred):
            self._add_block(told, groups, place, marked)
        if (gold is None or not gold.groups) and (pred is None or not pred.groups):
            return
        for path, (settled, others) in self.judges.inside(gold, pred):
            pairs: Pairs = list(settled.pairs)
            pairs.extend(others)
            apart = {id(pair) for pair in pairs[settled.twins :]}
            for pair in in_file_order(pairs):
                own_place = _places.inside(place, path, pair[0], pair[1])
                self.add(pair, own_place, id(pair) not in apart)

    def add_wrong(self, pair: PairWithFound, place: RowPlace) -> None:
        """Add the wrong values of a pair in which they were found, and those of rows inside it."""
        found, groups = pair.found, (pair.gold, pair.pred)
        if found:
            told: list[Told] = []
            if are_single(groups[0], groups[1]):
                marked = self._add_found(told, found, place)
            else:
                marked = self._add_several(told, groups, place)
            self._add_block(told, groups, place, marked)
        if pair.rows_inside is None:
            return
        for path, others in pair.rows_inside.items():
            for gold, pred, own in in_file_order([(row.gold, row.pred, row) for row in others]):
                self.add_wrong(own, _places.inside(place, path, gold, pred))

    def _add_block(self, told: list[Told], groups: Both, place: RowPlace, marked: bool) -> None:
        # what the class does to its arguments, without a call of Python a row
        block = VerdictBlock.__new__(VerdictBlock)
        block.place = place
        block.told = told
        block.groups = groups
        block.marked = marked
        self.made.append(block)

    def _add_found(self, told: list[Told], found: Sequence[Found], place: RowPlace) -> bool:
        """Add wrong values of groups that have no more than one of a field."""
        marked = False
        for field, own, other in found:
            path = field.path
            verdict = ADDITION if other is None else DELETION if own is None else SUBSTITUTION
            gold_path, pred_path = place.paths(path)
            self._add_verdict(told, path, verdict, gold_path, own, pred_path, other)
            marked = marked or _is_marked(own) or _is_marked(other)
        return marked

    def _add_verdicts(self, told: list[Told], groups: Both, place: RowPlace) -> bool:
        """Add the verdicts of two groups; return whether any value has marks of its own."""
        gold, pred = groups
        if not are_single(gold, pred):
            return self._add_several(told, groups, place)
        marked = False
        for path, own, other in value_pairs(gold, pred, self.same):
            verdict = verdict_on(path, own, other, self.pairwise, self.judges.equal)
            gold_path, pred_path = place.paths(path)
            self._add_verdict(told, path, verdict, gold_path, own, pred_path, other)
            marked = marked or _is_marked(own) or _is_marked(other)
        return marked

    def _add_several(self, told: list[Told], groups: Both, place: RowPlace) -> bool:
        """Do so for groups of which one has several values of a field."""
        gold, pred = groups
        marked = False
        for path, verdict, i, j in self.judges.several(gold, pred):
            gold_path, pred_path = place.paths(path)
            own: Reading | None = None
            other: Reading | None = None
            if i is not None:
                gold_path, own = _value(gold, gold_path, path, i)
            if j is not None:
                pred_path, other = _value(pred, pred_path, path, j)
            self._add_verdict(told, path, verdict, gold_path, own, pred_path, other)
            marked = marked or _is_marked(own) or _is_marked(other)
        return marked

    def _add_verdict(
        self,
        told: list[Told],
        field: str,
        verdict: str,
        gold_path: str,
        gold: Reading | None,
        pred_path: str,
        pred: Reading | None,
    ) -> None:
        """Add what is said of a value; without `same`, less of one that is the same text."""
        # fmt: off
        id = self.id
        if gold is None:
            assert pred is not None
            read = str(sense_of(pred).value)
            told.append((
                id, field, verdict, None, pred_path, None, pred.text, None, read,
                None, NOT_IN_GOLD, pred.confidence,
            ))
        elif pred is None:
            read = str(sense_of(gold).value)
            told.append((
                id, field, verdict, gold_path, None, gold.text, None, read, None,
                None, MISSED, None,
            ))
        elif self.same or verdict != RIGHT or gold.text != pred.text or gold.alternatives:
            start = (id, field, verdict, gold_path, pred_path)
            self.asked.append((field, gold, pred, start, told, len(told)))
            told.append(_UNTOLD)
        else:
            told.append((
                id, field, verdict, gold_path, pred_path, gold.text, pred.text, None, None,
                1.0, "", pred.confidence,
            ))
        # fmt: on


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


def _value(group: Group | None, path: str, field: str, at: int) -> tuple[str, Reading]:
    """Return one value of a group with its path, as `Group.own_entities` has it."""
    assert group is not None
    readings = values_of(group)[field]
    if len(readings) > 1:
        path = f"{path}[{group.positions(field)[at]}]"
    return path, readings[at]


def _is_marked(reading: Reading | None) -> bool:
    return reading is not None and reading.origin is not None


def are_single(gold: Group | None, pred: Group | None) -> bool:
    """Whether no field has more than one value in either group, which is most of them."""
    return (gold is None or gold.single) and (pred is None or pred.single)


def _hold_values(gold: Group | None, pred: Group | None) -> bool:
    if gold is not None and fields_of(gold):
        return True
    return pred is not None and len(fields_of(pred)) > 0
