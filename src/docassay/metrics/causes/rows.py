"""What became of whole rows: missing, hallucinated, in another place, split or merged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import NamedTuple

from docassay.kernel.mistakes import Mistake, mistakes_in
from docassay.matching.case import Case, Matching
from docassay.matching.verdicts import RIGHT, Fate, fates
from docassay.metrics.causes import HALLUCINATED_ROW, MISSING_ROW, OTHER, SPLIT, WRONG_ROW
from docassay.metrics.causes.values import Words, cause_between, words_of
from docassay.model.document import Group, Reading
from docassay.values.field import BoundField


class Pair:
    """A group of gold and the group of pred that stands for it; one of them may be None."""

    __slots__ = (
        "_fates",
        "_inside",
        "_matching",
        "_mistakes",
        "_others",
        "_wrong",
        "gold",
        "identical",
        "pred",
        "type",
    )

    def __init__(
        self,
        matching: Matching,
        type: str,
        gold: Group | None,
        pred: Group | None,
        *,
        identical: bool = False,
    ) -> None:
        self.type = type
        self.gold = gold
        self.pred = pred
        self.identical = identical
        """Every value is right, which was known before any was looked at."""
        self._matching = matching
        self._fates: Sequence[Fate] | None = None
        self._wrong: Sequence[Fate] | None = () if identical else None
        self._mistakes: Sequence[Mistake[BoundField]] | None = () if identical else None
        self._inside: Mapping[str, Sequence[Pair]] | None = None
        self._others: Mapping[str, Sequence[Pair]] | None = None

    @property
    def fates(self) -> Sequence[Fate]:
        """What became of each value."""
        if self._fates is None:
            self._fates = fates(self._matching.matcher, self.gold, self.pred)
        return self._fates

    @property
    def wrong(self) -> Sequence[Fate]:
        """What became of the values that need correcting."""
        if self._wrong is None:
            self._wrong = fates(self._matching.matcher, self.gold, self.pred, every=False)
        return self._wrong

    @property
    def mistakes(self) -> Sequence[Mistake[BoundField]]:
        """The same values: of each its field, and what gold and pred have."""
        if self._mistakes is None:
            matcher = self._matching.matcher
            found = mistakes_in(self.gold, self.pred, matcher.pairwise, matcher.layout.field)
            if found is None:
                found = [(fate.field, *self.readings(fate)) for fate in self.wrong]
            self._mistakes = found
            return found
        return self._mistakes

    @property
    def inside(self) -> Mapping[str, Sequence[Pair]]:
        """The pairs of the groups inside, by type."""
        if self._inside is None:
            matching = self._matching
            self._inside = {
                path: (
                    *(
                        Pair(matching, path, *rows, identical=True)
                        for rows in matched.settled.pairs
                    ),
                    *self.others[path],
                )
                for path, matched in matching.inside(self.gold, self.pred)
            }
        return self._inside

    @property
    def others(self) -> Mapping[str, Sequence[Pair]]:
        """Those of them that are not identical: all that needs correcting is in them."""
        if self._others is None:
            matching = self._matching
            self._others = {
                path: [Pair(matching, path, *rows) for rows in matched.others]
                for path, matched in matching.inside(self.gold, self.pred)
            }
        return self._others

    def readings(self, fate: Fate) -> tuple[Reading | None, Reading | None]:
        """Return the gold and the pred value of a fate."""
        path = fate.field.path
        return (
            None if fate.gold is None or self.gold is None else self.gold.values[path][fate.gold],
            None if fate.pred is None or self.pred is None else self.pred.values[path][fate.pred],
        )

    def walk(self, *, every: bool = True) -> list[Pair]:
        """Return the pair itself and then all pairs inside; without `every`, no identical ones."""
        pairs = [self]
        if self._is_nested():
            for rows in (self.inside if every else self.others).values():
                if any([row._is_nested() for row in rows]):
                    for row in rows:
                        pairs += row.walk(every=every)
                else:
                    pairs += rows
        return pairs

    def _is_nested(self) -> bool:
        gold, pred = self.gold, self.pred
        return bool((gold is not None and gold.groups) or (pred is not None and pred.groups))


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
    wider: dict[str, tuple[Words, Words]] = {}
    lends = False
    own, others = partner.values, whole.values
    for field, _, _ in pair.mistakes:
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


STRANGERS = 2
"""Fields from which two rows can be told not to stand for each other; one may just be wrong."""


class RowCauses(NamedTuple):
    """Why rows are wrong as a whole, by the identity of their pair."""

    alone: dict[int, tuple[str, str]]
    """Of rows without a partner, or with one that is none: what became of gold's, of pred's."""
    seams: set[tuple[int, str]]
    """The fields of pairs that hold, or lack, a piece of another row."""


def row_causes(pairs: Sequence[Pair]) -> RowCauses:
    """Return what became of the rows of a document."""
    blame = RowCauses({}, set())
    alone: dict[str, list[Pair]] = {}
    for pair in pairs:
        if _is_alone(pair):
            alone.setdefault(pair.type, []).append(pair)
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


def _is_alone(pair: Pair) -> bool:
    """Whether a row has no partner; a lone object that is in no list is no row."""
    gold, pred = pair.gold, pair.pred
    if not pair.type or pair.identical:
        return False
    in_list = (gold is not None and gold.index is not None) or (
        pred is not None and pred.index is not None
    )
    return in_list and (gold is None or pred is None or _are_strangers(pair, gold, pred))


def _are_strangers(pair: Pair, gold: Group, pred: Group) -> bool:
    """Whether two rows have nothing right and more that is unlike than alike in common."""
    mistakes = pair.mistakes
    if len(mistakes) < STRANGERS or len(mistakes) < len(gold.values):
        return False
    missed = len([1 for _, own, _ in mistakes if own is not None])
    if missed < sum(map(len, gold.values.values())) or _hold_right_rows(pair):
        return False
    causes = [
        cause_between(own, other, field)
        for field, own, other in mistakes
        if own is not None and other is not None
    ]
    return 2 * causes.count(OTHER) > len(causes)


def _hold_right_rows(pair: Pair) -> bool:
    """Whether anything is right in the rows inside."""
    return any(fate.verdict == RIGHT for row in pair.walk()[1:] for fate in row.fates)
