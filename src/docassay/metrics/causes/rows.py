"""What became of whole rows: missing, hallucinated, in another place, split or merged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from functools import cached_property
from typing import NamedTuple

from docassay.kernel.mistakes import Mistake
from docassay.kernel.pairs import (
    Company,
    GroupPair,
    company_of,
    hold_rows,
    lone_rows,
    with_others,
    wrong_values,
)
from docassay.matching.case import Case, Matching
from docassay.matching.verdicts import RIGHT, Fate, fates
from docassay.metrics.causes import HALLUCINATED_ROW, MISSING_ROW, OTHER, SPLIT, WRONG_ROW
from docassay.metrics.causes.values import Words, cause_between, words_of
from docassay.model.document import NOTHING, Group, Reading
from docassay.values.field import BoundField


class Pair(GroupPair):
    """A group of gold and the group of pred that stands for it, as they were matched."""

    matching: Matching
    found: Sequence[Mistake[BoundField]] | None
    rows_inside: Mapping[str, Sequence[Pair]] | None

    @cached_property
    def fates(self) -> Sequence[Fate]:
        """What became of each value."""
        return fates(self.matching.matcher, self.gold, self.pred)

    @cached_property
    def wrong(self) -> Sequence[Fate]:
        """What became of the values that need correcting."""
        if self.identical:
            return ()
        return fates(self.matching.matcher, self.gold, self.pred, every=False)

    @cached_property
    def inside(self) -> Mapping[str, Sequence[Pair]]:
        """The pairs of the groups inside, by type."""
        matching = self.matching
        return {
            path: (
                *(Pair(matching, path, *rows, True) for rows in matched.settled.pairs),
                *self.others[path],
            )
            for path, matched in matching.inside(self.gold, self.pred)
        }

    @property
    def others(self) -> Mapping[str, Sequence[Pair]]:
        """Those of them that are not identical: all that needs correcting is in them."""
        self.with_others()
        return NOTHING if self.rows_inside is None else self.rows_inside

    def readings(self, fate: Fate) -> tuple[Reading | None, Reading | None]:
        """Return the gold and the pred value of a fate."""
        path = fate.field.path
        return (
            None if fate.gold is None or self.gold is None else self.gold.values[path][fate.gold],
            None if fate.pred is None or self.pred is None else self.pred.values[path][fate.pred],
        )

    def walk(self) -> list[Pair]:
        """Return the pair itself and then all pairs inside."""
        pairs = [self]
        if hold_rows(pairs):
            for rows in self.inside.values():
                for row in rows:
                    pairs += row.walk()
        return pairs

    def with_others(self) -> list[Pair]:
        """Return the pair itself and then all pairs inside that are not identical."""
        return with_others(self, Pair, self.matching.matcher.match)


Wrong = tuple[Pair, BoundField, Reading | None, Reading | None]
"""A value to be corrected, with what gold and pred have."""


def wrong_in(pairs: list[Pair]) -> list[Wrong]:
    """Return all values to be corrected in the pairs of a case, in their order."""
    matcher = pairs[0].matching.matcher
    return wrong_values(
        pairs, matcher.pairwise, matcher.layout.field, matcher.are_equal, _spelt_out
    )


def _spelt_out(pair: Pair) -> list[Mistake[BoundField]]:
    """Return the values to be corrected in a pair, whatever they are."""
    return [(fate.field, *pair.readings(fate)) for fate in pair.wrong]


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

    def __init__(self, pairs: Sequence[Pair], *, gold: bool) -> None:
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
    wider: dict[str, tuple[Words, Words]] = {}
    lends = False
    own, others = partner.values, whole.values
    for field, _, _ in pair.found or ():
        path = field.path
        if path in others and path not in own:
            lends = True
        elif path in others and path not in wider:
            words, fewer = _words(whole, path), _words(partner, path)
            # of a text that holds another besides, some words are left over
            if len(words) > len(fewer) > 0:
                wider[path] = (words, fewer)
    return Joint(pair, partner, whole, wider, lends) if wider or lends else None


def _words(group: Group, path: str) -> Words:
    values = group.values[path]
    if len(values) == 1:
        return words_of(values[0].text)
    return tuple(word for value in values for word in words_of(value.text))


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


class RowCauses(NamedTuple):
    """Why rows are wrong as a whole, by the identity of their pair."""

    alone: dict[int, tuple[str, str]]
    """Of rows without a partner, or with one that is none: what became of gold's, of pred's."""
    seams: set[tuple[int, str]]
    """The fields of pairs that hold, or lack, a piece of another row."""


NO_ROWS = RowCauses({}, set())
"""Where no row is alone."""


def row_causes(pairs: list[Pair]) -> RowCauses:
    """Return what became of the rows of a document, of whose pairs `wrong_in` was asked before."""
    alone = lone_rows(pairs, _are_strangers)
    if not alone:
        return NO_ROWS
    blame = RowCauses({}, set())
    for rows in alone.values():
        company = company_of(rows, pairs)
        if company is None:
            blame.alone.update([(id(pair), (MISSING_ROW, HALLUCINATED_ROW)) for pair in rows])
        else:
            _explain_rows(rows, company, blame)
    return blame


def _explain_rows(alone: Sequence[Pair], company: Company[Pair], blame: RowCauses) -> None:
    """Add why rows of a type have no partner, and which pairs hold or lack a piece of them."""
    golds, preds, gold_wholes, pred_wholes = company
    both = golds and preds
    gold_contents = {row.content() for row in golds} if both else NO_CONTENTS
    pred_contents = {row.content() for row in preds} if both else NO_CONTENTS
    gold_seams, pred_seams = Seams(gold_wholes, gold=True), Seams(pred_wholes, gold=False)
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
    """Whether two rows of which nothing is right have more that is unlike than alike in common."""
    if _hold_right_rows(pair):
        return False
    causes = [
        cause_between(own, other, field)
        for field, own, other in pair.found or ()
        if own is not None and other is not None
    ]
    return 2 * causes.count(OTHER) > len(causes)


def _hold_right_rows(pair: Pair) -> bool:
    """Whether anything is right in the rows inside."""
    return any(fate.verdict == RIGHT for row in pair.walk()[1:] for fate in row.fates)
