"""What became of whole rows: missing, hallucinated, in another place, split or merged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from docassay.matching.case import Case, Matching
from docassay.matching.verdicts import RIGHT, Fate, fates
from docassay.metrics.causes import HALLUCINATED_ROW, MISSING_ROW, OTHER, SPLIT, WRONG_ROW
from docassay.metrics.causes.values import cause_between, words_of
from docassay.model.document import Group, Reading


class Pair:
    """A group of gold and the group of pred that stands for it; one of them may be None."""

    __slots__ = (
        "_fates",
        "_inside",
        "_matching",
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
                for row in rows:
                    pairs += row.walk(every=every)
        return pairs

    def _is_nested(self) -> bool:
        gold, pred = self.gold, self.pred
        return bool((gold is not None and gold.groups) or (pred is not None and pred.groups))


def pairs_of(case: Case, *, flatten: bool = False) -> Pair:
    """Return the pair of the two documents, with all pairs of rows inside, flattened or not."""
    matching = case.matching(flatten=flatten)
    return Pair(matching, "", matching.gold, matching.pred)


class Seam(NamedTuple):
    """A pair that a row without a partner belongs to, and the fields in which that shows."""

    pair: Pair
    fields: frozenset[str]


class Seams:
    """The pairs of a type that a row without a partner may belong to; `gold`: a row of gold."""

    def __init__(self, pairs: Iterable[Pair], *, gold: bool) -> None:
        self._gold = gold
        # by the words and by the values of the whole row that are wrong in it, so that a row
        # meets few pairs
        self._by_word: dict[tuple[str, str], list[Pair]] = {}
        self._by_value: dict[tuple[str, str], list[Pair]] = {}
        for pair in pairs:
            if pair.gold is not None and pair.pred is not None:
                partner, whole = (pair.gold, pair.pred) if gold else (pair.pred, pair.gold)
                self._add(pair, partner, whole)

    def _add(self, pair: Pair, partner: Group, whole: Group) -> None:
        for path in _wrong(pair) & whole.values.keys():
            if path in partner.values:
                words = _words(whole, path)
                # of a text that holds another besides, some words are left over
                if len(words) > len(_words(partner, path)):
                    for word in {*words}:
                        self._by_word.setdefault((path, word), []).append(pair)
            else:
                for value in {reading.canonical for reading in whole.values[path]}:
                    self._by_value.setdefault((path, value), []).append(pair)

    def of(self, lost: Pair) -> list[Seam]:
        """Return where a row belongs that has no partner on the other side."""
        row = lost.gold if self._gold else lost.pred
        if row is None:
            return []
        seams = []
        for pair in self.candidates(row):
            if pair is lost:
                continue
            partner, whole = (pair.gold, pair.pred) if self._gold else (pair.pred, pair.gold)
            assert partner is not None
            assert whole is not None
            fields = _joined(row, partner, whole, pair) or _lent(row, partner, whole)
            if fields:
                seams.append(Seam(pair, fields))
        return seams

    def candidates(self, row: Group) -> list[Pair]:
        """Return the pairs that may hold a row: all of a field's words, or all of its values.

        What holds all of them holds the rarest, so that words which most rows have tell nothing.
        """
        rarest: list[Sequence[Pair]] = []
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
        return [*{id(pair): pair for pairs in rarest for pair in pairs}.values()]


def _words(group: Group, path: str) -> tuple[str, ...]:
    values = group.values[path]
    if len(values) == 1:
        return words_of(values[0].text)
    return tuple(word for value in values for word in words_of(value.text))


def _wrong(pair: Pair) -> set[str]:
    return {fate.field.path for fate in pair.wrong}


def _joined(row: Group, partner: Group, whole: Group, pair: Pair) -> frozenset[str]:
    """Return the wrong fields whose text in the whole row holds the words of both others."""
    return frozenset(
        path
        for path in _wrong(pair)
        if path in row.values
        and path in partner.values
        and path in whole.values
        and _holds(_words(whole, path), _words(row, path), _words(partner, path))
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


def _lent(row: Group, partner: Group, whole: Group) -> frozenset[str]:
    """Return the row's fields, if it holds only values of the whole row that the partner lacks."""
    lent = all(
        path not in partner.values
        and [reading.canonical for reading in readings]
        == [original.canonical for original in whole.values.get(path, ())]
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
        wrong = [pair for pair in pairs if pair.type == path and pair.wrong]
        _explain_rows(rows, wrong, blame)
    return blame


def _explain_rows(alone: Sequence[Pair], wrong: Sequence[Pair], blame: RowCauses) -> None:
    """Add why rows of a type have no partner, and which pairs hold or lack a piece of them."""
    golds = [pair.gold for pair in alone if pair.gold is not None]
    preds = [pair.pred for pair in alone if pair.pred is not None]
    both = golds and preds
    # gold's rows are looked for among pred's, pred's among gold's
    sides = (
        (
            MISSING_ROW,
            Seams(wrong if golds else (), gold=True),
            {row.content() for row in preds} if both else (),
        ),
        (
            HALLUCINATED_ROW,
            Seams(wrong if preds else (), gold=False),
            {row.content() for row in golds} if both else (),
        ),
    )
    for pair in alone:
        causes = []
        for (usual, seams, elsewhere), own in zip(sides, (pair.gold, pair.pred), strict=True):
            joints = seams.of(pair)
            blame.seams.update((id(joint.pair), path) for joint in joints for path in joint.fields)
            unpaired = pair.gold is None or pair.pred is None
            moved = elsewhere and unpaired and own is not None and own.content() in elsewhere
            causes.append(SPLIT if joints else WRONG_ROW if moved else usual)
        blame.alone[id(pair)] = (causes[0], causes[1])


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
    for path, values in gold.values.items():
        if pred.values.get(path) == values:  # the same text in both
            return False
    if len(pair.fates) < STRANGERS:
        return False
    if any(fate.verdict == RIGHT for node in pair.walk() for fate in node.fates):
        return False
    causes = [
        cause_between(own, other, fate.field)
        for fate in pair.fates
        for own, other in [pair.readings(fate)]
        if own is not None and other is not None
    ]
    return 2 * causes.count(OTHER) > len(causes)
