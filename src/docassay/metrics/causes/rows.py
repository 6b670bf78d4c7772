"""What became of whole rows: missing, hallucinated, in another place, split or merged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from docassay.matching.case import Case, Matching
from docassay.matching.groups import Matcher
from docassay.matching.verdicts import RIGHT, Fate, fates
from docassay.metrics.causes import HALLUCINATED_ROW, MISSING_ROW, OTHER, SPLIT, WRONG_ROW
from docassay.metrics.causes.values import cause_between, words_of
from docassay.model.document import NOTHING, Group, Reading


class Pair:
    """A group of gold and the group of pred that stands for it; one of them may be None."""

    __slots__ = ("_fates", "_matcher", "_wrong", "gold", "identical", "inside", "pred", "type")

    def __init__(
        self,
        matcher: Matcher,
        type: str,
        groups: tuple[Group | None, Group | None],
        inside: Mapping[str, tuple[Pair, ...]],
        *,
        identical: bool = False,
    ) -> None:
        self.type = type
        self.gold, self.pred = groups
        self.inside = inside
        """The pairs of the groups inside, by type."""
        self.identical = identical
        """Every value is right, which was known before any was looked at."""
        self._matcher = matcher
        self._fates: tuple[Fate, ...] | None = None
        self._wrong: tuple[Fate, ...] | None = () if identical else None

    @property
    def fates(self) -> tuple[Fate, ...]:
        """What became of each value."""
        if self._fates is None:
            self._fates = tuple(fates(self._matcher, self.gold, self.pred))
        return self._fates

    @property
    def wrong(self) -> tuple[Fate, ...]:
        """What became of the values that need correcting."""
        if self._wrong is None:
            self._wrong = tuple(fates(self._matcher, self.gold, self.pred, every=False))
        return self._wrong

    def readings(self, fate: Fate) -> tuple[Reading | None, Reading | None]:
        """Return the gold and the pred value of a fate."""
        path = fate.field.path
        return (
            None if fate.gold is None or self.gold is None else self.gold.values[path][fate.gold],
            None if fate.pred is None or self.pred is None else self.pred.values[path][fate.pred],
        )

    def walk(self) -> Iterator[Pair]:
        """Yield the pair itself and then all pairs inside it."""
        yield self
        for rows in self.inside.values():
            for row in rows:
                yield from row.walk()


def pairs_of(case: Case, *, flatten: bool = False) -> Pair:
    """Return the pair of the two documents, with all pairs of rows inside, flattened or not."""
    matching = case.matching(flatten=flatten)
    return _pair(matching, "", matching.gold, matching.pred)


def _pair(matching: Matching, type: str, gold: Group | None, pred: Group | None) -> Pair:
    matcher = matching.matcher
    inside = {
        path: (
            *(
                _pair(matching, path, *rows)
                if rows[0].groups
                else Pair(matcher, path, rows, NOTHING, identical=True)
                for rows in matched.settled.pairs
            ),
            *(_pair(matching, path, *rows) for rows in matched.others),
        )
        for path, matched in matching.inside(gold, pred)
    }
    return Pair(matcher, type, (gold, pred), inside)


class Seam(NamedTuple):
    """A pair that a row without a partner belongs to, and the fields in which that shows."""

    pair: Pair
    fields: frozenset[str]


class Seams:
    """The pairs of a type that a row without a partner may belong to; `gold`: a row of gold."""

    def __init__(self, pairs: Iterable[Pair], *, gold: bool) -> None:
        self._gold = gold
        self._texts = _RowWords()
        # by the words and by the values of the whole row, so that a row meets few pairs
        self._by_word: dict[tuple[str, str], list[Pair]] = {}
        self._by_value: dict[tuple[str, str], list[Pair]] = {}
        for pair in pairs:
            if pair.gold is not None and pair.pred is not None:
                whole = pair.pred if gold else pair.gold
                for path, readings in whole.values.items():
                    for word in {*self._texts.of(whole, path)}:
                        self._by_word.setdefault((path, word), []).append(pair)
                    for value in {reading.canonical for reading in readings}:
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
            fields = self._joined(row, partner, whole, pair) or _lent(row, partner, whole)
            if fields:
                seams.append(Seam(pair, fields))
        return seams

    def candidates(self, row: Group) -> list[Pair]:
        """Return the pairs that may hold a row: all of a field's words, or all of its values.

        What holds all of them holds the rarest, so that words which most rows have tell nothing.
        """
        words = (
            [self._by_word.get((path, word), ()) for word in self._texts.of(row, path)]
            for path in row.values
        )
        values = [
            self._by_value.get((path, reading.canonical), ())
            for path, readings in row.values.items()
            for reading in readings
        ]
        rarest = [min(places, key=len) for places in (*words, values) if places]
        return [*{id(pair): pair for pairs in rarest for pair in pairs}.values()]

    def _joined(self, row: Group, partner: Group, whole: Group, pair: Pair) -> frozenset[str]:
        """Return the wrong fields whose text in the whole row holds the words of both others."""
        words = self._texts.of
        return frozenset(
            path
            for path in row.values
            if path in partner.values
            and path in whole.values
            and _holds(words(whole, path), words(row, path), words(partner, path))
            and path in _wrong(pair)
        )


class _RowWords:
    """The words of the fields of rows, each looked at once; the rows live as long as their case."""

    def __init__(self) -> None:
        self._of: dict[tuple[int, str], list[str]] = {}

    def of(self, group: Group, path: str) -> list[str]:
        """Return the words of a field."""
        words = self._of.get((id(group), path))
        if words is None:
            words = self._of[id(group), path] = [
                word for value in group.values[path] for word in words_of(value.text)
            ]
        return words


def _wrong(pair: Pair) -> frozenset[str]:
    return frozenset(fate.field.path for fate in pair.wrong)


def _holds(whole: list[str], one: list[str], other: list[str]) -> bool:
    return (
        bool(one)
        and bool(other)
        and len(one) + len(other) <= len(whole)
        and _stretch(one, whole)
        and _stretch(other, whole)
    )


def _stretch(part: list[str], whole: list[str]) -> bool:
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
    alone = [pair for pair in pairs if _is_alone(pair)]
    kept = {path: _contents(alone, path) for path in {pair.type for pair in alone}}
    wrong: dict[str, list[Pair]] = {}
    for pair in pairs:
        if pair.wrong:
            wrong.setdefault(pair.type, []).append(pair)
    joints_of = {
        (path, gold): Seams(wrong.get(path, ()), gold=gold)
        for path in kept
        for gold in (True, False)
    }
    blame = RowCauses({}, set())
    for pair in alone:
        causes = []
        for gold, usual in ((True, MISSING_ROW), (False, HALLUCINATED_ROW)):
            own, other = (pair.gold, pair.pred) if gold else (pair.pred, pair.gold)
            joints = joints_of[pair.type, gold].of(pair)
            blame.seams.update((id(joint.pair), path) for joint in joints for path in joint.fields)
            # gold's rows are looked for among pred's, pred's among gold's
            elsewhere = kept[pair.type][1 if gold else 0]
            moved = own is not None and other is None and own.content() in elsewhere
            causes.append(SPLIT if joints else WRONG_ROW if moved else usual)
        blame.alone[id(pair)] = (causes[0], causes[1])
    return blame


def _contents(alone: Iterable[Pair], path: str) -> tuple[set[object], set[object]]:
    """Return what gold's and what pred's rows of a type say that have no partner."""
    rows = [pair for pair in alone if pair.type == path]
    return (
        {row.gold.content() for row in rows if row.gold is not None},
        {row.pred.content() for row in rows if row.pred is not None},
    )


def _is_alone(pair: Pair) -> bool:
    """Whether a row has no partner; a lone object that is in no list is no row."""
    if not pair.type or pair.identical:
        return False
    if pair.gold is not None and pair.pred is not None:
        return _in_list(pair.gold, pair.pred) and _are_strangers(pair)
    return _in_list(pair.gold, pair.pred)


def _in_list(*groups: Group | None) -> bool:
    return any(group is not None and group.index is not None for group in groups)


def _are_strangers(pair: Pair) -> bool:
    """Whether two rows have nothing right and more that is unlike than alike in common."""
    gold_values = {} if pair.gold is None else pair.gold.values
    pred_values = {} if pair.pred is None else pair.pred.values
    if any(pred_values.get(path) == values for path, values in gold_values.items()):
        return False  # the same text in both
    if len(pair.fates) < STRANGERS:
        return False
    if any(fate.verdict == RIGHT for node in pair.walk() for fate in node.fates):
        return False
    causes = [
        cause_between(gold, pred, fate.field)
        for fate in pair.fates
        for gold, pred in [pair.readings(fate)]
        if gold is not None and pred is not None
    ]
    return 2 * causes.count(OTHER) > len(causes)
