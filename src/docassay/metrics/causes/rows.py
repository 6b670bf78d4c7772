"""What became of whole rows: missing, hallucinated, in another place, split or merged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import NamedTuple

from docassay.kernel.mistakes import Mistake, Words
from docassay.kernel.pairs import (
    GroupPair,
    RowCauses,
    rows_alone,
    walk_others,
    wider_fields,
    words_in_group,
)
from docassay.matching.case import Case
from docassay.matching.verdicts import RIGHT, Fate, fates
from docassay.metrics.causes import HALLUCINATED_ROW, MISSING_ROW, OTHER, SPLIT, WRONG_ROW
from docassay.metrics.causes.values import SPELLINGS, cause_between
from docassay.model.document import Group, Reading
from docassay.values.field import BoundField


class Pair(GroupPair):
    """Two groups that stand for each other, with what became of each of their values."""

    __slots__ = ()

    @property
    def fates(self) -> Sequence[Fate]:
        """What became of each value."""
        if self._fates is None:
            self._fates = fates(self.matching.matcher, self.gold, self.pred)
        found: Sequence[Fate] = self._fates
        return found

    @property
    def wrong(self) -> Sequence[Fate]:
        """What became of the values that need correcting."""
        if self._wrong is None:
            same, matcher = self.identical, self.matching.matcher
            self._wrong = () if same else fates(matcher, self.gold, self.pred, every=False)
        found: Sequence[Fate] = self._wrong
        return found

    def compared_mistakes(self) -> list[Mistake[BoundField]]:
        """Return the mistakes of two groups that no keys tell."""
        return [(fate.field, *self.readings(fate)) for fate in self.wrong]

    @property
    def inside(self) -> Mapping[str, Sequence[Pair]]:
        """The pairs of the groups inside, by type."""
        if self._inside is None:
            matching = self.matching
            self._inside = {
                path: (
                    *(
                        Pair(matching, path, gold, pred, identical=True)
                        for gold, pred in matched.settled.pairs
                    ),
                    *self.others[path],
                )
                for path, matched in matching.inside(self.gold, self.pred)
            }
        inside: Mapping[str, Sequence[Pair]] = self._inside
        return inside

    def readings(self, fate: Fate) -> tuple[Reading | None, Reading | None]:
        """Return the gold and the pred value of a fate."""
        path = fate.field.path
        return (
            None if fate.gold is None or self.gold is None else self.gold.values[path][fate.gold],
            None if fate.pred is None or self.pred is None else self.pred.values[path][fate.pred],
        )

    def walk(self, *, every: bool = True) -> list[Pair]:
        """Return the pair itself and then all pairs inside; without `every`, no identical ones."""
        if not every:
            return walk_others(self)
        inside = (row for rows in self.inside.values() for row in rows)
        return [self, *(pair for row in inside for pair in row.walk())]


def pairs_of(case: Case, *, flatten: bool = False) -> Pair:
    """Return the pair of the two documents, with all pairs of rows inside, flattened or not."""
    matching = case.matching(flatten=flatten)
    return Pair(matching, "", matching.gold, matching.pred)


class Joint(NamedTuple):
    """A pair that a row without a partner may belong to, because one of its rows has more."""

    pair: Pair
    partner: Group
    """The row of the pair on the side of the other."""
    whole: Group
    """The row of the pair that may hold both."""
    wider: Mapping[str, tuple[Words, Words]]
    """The fields in which the whole row has more words than the partner, with the words of both."""
    lends: bool
    """Whether the whole row has fields that the partner has not."""


class Seam(NamedTuple):
    """A pair that a row without a partner belongs to, and the fields in which that shows."""

    pair: Pair
    fields: frozenset[str]


FEW_JOINTS = 8
"""Up to so many, a row is compared with all of them."""


class Seams:
    """The pairs of a type that a row without a partner may belong to; `gold`: a row of gold."""

    def __init__(self, pairs: Iterable[Pair], *, gold: bool) -> None:
        self._gold = gold
        self._joints = [joint for pair in pairs if (joint := _joint(pair, gold=gold)) is not None]
        # by the words and by the values of the whole row that are wrong in it, so that a row
        # meets few pairs
        self._by_word: dict[tuple[str, str], list[Joint]] = {}
        self._by_value: dict[tuple[str, str], list[Joint]] = {}
        if len(self._joints) > FEW_JOINTS:
            for joint in self._joints:
                self._add(joint)

    def _add(self, joint: Joint) -> None:
        for path, (words, _) in joint.wider.items():
            for word in {*words}:
                self._by_word.setdefault((path, word), []).append(joint)
        if joint.lends:
            for path, readings in joint.whole.values.items():
                if path not in joint.partner.values:
                    for value in {reading.canonical for reading in readings}:
                        self._by_value.setdefault((path, value), []).append(joint)

    def of(self, lost: Pair) -> list[Seam]:
        """Return where a row belongs that has no partner on the other side."""
        row = lost.gold if self._gold else lost.pred
        if row is None or not self._joints:
            return []
        seams = []
        for joint in self.candidates(row):
            if joint.pair is not lost:
                fields = _joined(row, joint) or _lent(row, joint)
                if fields:
                    seams.append(Seam(joint.pair, fields))
        return seams

    def candidates(self, row: Group) -> Sequence[Joint]:
        """Return the pairs that may hold a row: all of a field's words, or all of its values.

        What holds all of them holds the rarest, so that words which most rows have tell nothing.
        """
        if len(self._joints) <= FEW_JOINTS:
            return self._joints
        rarest: list[Sequence[Joint]] = []
        if self._by_word:
            for path in row.values:
                places = [self._by_word.get((path, word), ()) for word in _words(row, path)]
                rarest.append(min(places, key=len, default=()))
        if self._by_value:
            values = [
                self._by_value.get((path, reading.canonical), ())
                for path, readings in row.values.items()
                for reading in readings
            ]
            rarest.append(min(values, key=len, default=()))
        return [*{id(joint): joint for joints in rarest for joint in joints}.values()]


def _joint(pair: Pair, *, gold: bool) -> Joint | None:
    """Return how a pair may hold a row of gold, or one of pred; None where it cannot."""
    partner, whole = (pair.gold, pair.pred) if gold else (pair.pred, pair.gold)
    if partner is None or whole is None:
        return None
    wider, lends = wider_fields(partner, whole, pair.mistakes, SPELLINGS)
    return Joint(pair, partner, whole, wider, lends) if wider or lends else None


def _words(group: Group, path: str) -> Words:
    return words_in_group(group, path, SPELLINGS)


def _joined(row: Group, joint: Joint) -> frozenset[str]:
    """Return the wrong fields whose text in the whole row holds the words of both others."""
    return frozenset(
        [
            path
            for path, (words, fewer) in joint.wider.items()
            if path in row.values and _holds(words, _words(row, path), fewer)
        ]
    )


def _holds(whole: Sequence[str], one: Sequence[str], other: Sequence[str]) -> bool:
    return (
        bool(one)
        and bool(other)
        and len(one) + len(other) <= len(whole)
        and _stretch(one, whole)
        and _stretch(other, whole)
    )


def _stretch(part: Sequence[str], whole: Sequence[str]) -> bool:
    """Whether some words stand side by side in others."""
    return any(whole[i : i + len(part)] == part for i in range(len(whole) - len(part) + 1))


def _lent(row: Group, joint: Joint) -> frozenset[str]:
    """Return the row's fields, if it holds only values of the whole row that the partner lacks."""
    if not joint.lends:
        return frozenset()
    partner, whole = joint.partner.values, joint.whole.values
    lent = all(
        path not in partner
        and [reading.canonical for reading in readings]
        == [original.canonical for original in whole.get(path, ())]
        for path, readings in row.values.items()
    )
    return frozenset(row.values) if lent and row.values else frozenset()


def row_causes(pairs: list[Pair]) -> RowCauses:
    """Return what became of the rows of a document."""
    blame = RowCauses({}, set())
    alone = rows_alone(pairs, _are_strangers)
    for path, rows in alone.items():
        wrong = [pair for pair in pairs if pair.type == path and pair.mistakes]
        _explain_rows(rows, wrong, blame)
    return blame


def _explain_rows(alone: Sequence[Pair], wrong: Sequence[Pair], blame: RowCauses) -> None:
    """Add why rows of a type have no partner, and which pairs hold or lack a piece of them."""
    golds = [pair.gold for pair in alone if pair.gold is not None]
    preds = [pair.pred for pair in alone if pair.pred is not None]
    # gold's rows are looked for among pred's, pred's among gold's
    both = golds and preds
    gold_contents = {row.content() for row in golds} if both else NO_CONTENTS
    pred_contents = {row.content() for row in preds} if both else NO_CONTENTS
    gold_seams = Seams(wrong if golds else (), gold=True)
    pred_seams = Seams(wrong if preds else (), gold=False)
    for pair in alone:
        blame.alone[id(pair)] = (
            _row_cause(pair, pair.gold, gold_seams, pred_contents, blame) or MISSING_ROW,
            _row_cause(pair, pair.pred, pred_seams, gold_contents, blame) or HALLUCINATED_ROW,
        )


NO_CONTENTS: frozenset[tuple[object, ...]] = frozenset()


def _row_cause(
    pair: Pair, row: Group | None, seams: Seams, others: Set[tuple[object, ...]], blame: RowCauses
) -> str | None:
    """Return what became of a row that has no partner, if it is anywhere, and note its seams."""
    if row is None:
        return None
    joints = seams.of(pair)
    if joints:
        blame.seams.update((id(joint.pair), path) for joint in joints for path in joint.fields)
        return SPLIT
    unpaired = pair.gold is None or pair.pred is None
    return WRONG_ROW if others and unpaired and row.content() in others else None


def _are_strangers(pair: Pair) -> bool:
    """Whether rows that have nothing of their own right have more unlike than alike in common."""
    if _hold_right_rows(pair):
        return False
    causes = [
        cause_between(own, other, field)
        for field, own, other in pair.mistakes
        if own is not None and other is not None
    ]
    return 2 * causes.count(OTHER) > len(causes)


def _hold_right_rows(pair: Pair) -> bool:
    """Whether anything is right in the rows inside."""
    return any(fate.verdict == RIGHT for row in pair.walk()[1:] for fate in row.fates)
