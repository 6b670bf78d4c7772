"""Groups of gold and pred that stand for each other, and why most of their values are wrong.

What stands around a value may say more about a mistake than its two texts do. Most values stand
nowhere else in their document, though, which their digits or letters tell: why these are wrong is
settled here, and only the others are looked at closer.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, NamedTuple

from docassay.kernel.digits import ToldTexts
from docassay.kernel.mistakes import Mistake, Spellings, Words, mistakes_in
from docassay.kernel.readings import Group, Reading, values_of
from docassay.kernel.rows import texts_in

Mistakes = Sequence[Mistake[Any]]
Counts = tuple[int, ...]


class GroupPair:
    """A group of gold and the group of pred that stands for it; one of them may be None."""

    __slots__ = (
        "_fates",
        "_inside",
        "_mistakes",
        "_others",
        "_wrong",
        "gold",
        "identical",
        "matching",
        "pred",
        "type",
    )

    def __init__(
        self,
        matching: Any,
        type: str,
        gold: Group | None,
        pred: Group | None,
        identical: bool = False,
    ) -> None:
        self.type = type
        self.gold = gold
        self.pred = pred
        self.identical = identical
        """Every value is right, which was known before any was looked at."""
        self.matching = matching
        """How the groups of the two documents go together (`matching.case`)."""
        self._mistakes: Mistakes | None = None
        self._others: dict[str, list[Any]] | None = None
        # what only those ask for who want more than what is wrong
        self._fates: Any = None
        self._wrong: Any = None
        self._inside: Any = None

    @property
    def mistakes(self) -> Mistakes:
        """The values that need correcting: of each its field, and what gold and pred have."""
        return mistakes_of(self)

    @property
    def others(self) -> Mapping[str, Sequence[Any]]:
        """The pairs of the groups inside that are not identical, by type.

        All that needs correcting is in them.
        """
        return others_of(self)

    def compared_mistakes(self) -> list[Mistake[Any]]:
        """Return the mistakes of two groups that no keys tell."""
        raise NotImplementedError


def mistakes_of(pair: GroupPair) -> Mistakes:
    """Return what is wrong in a pair, as `GroupPair.mistakes` does."""
    found = pair._mistakes
    if found is None:
        if pair.identical:
            found = []
        else:
            matcher = pair.matching.matcher
            found = mistakes_in(pair.gold, pair.pred, matcher.pairwise, matcher.layout.field)
            if found is None:
                found = pair.compared_mistakes()
        pair._mistakes = found
    return found


def others_of(pair: GroupPair) -> Mapping[str, Sequence[Any]]:
    """Return the pairs inside a pair that are not identical, as `GroupPair.others` does."""
    others = pair._others
    if others is None:
        others = pair._others = {}
        make, matching = type(pair), pair.matching
        for path, matched in matching.inside(pair.gold, pair.pred):
            others[path] = [make(matching, path, gold, pred) for gold, pred in matched.others]
    return others


def is_nested(pair: GroupPair) -> bool:
    """Whether there are groups inside a pair."""
    gold, pred = pair.gold, pair.pred
    return bool((gold is not None and gold.groups) or (pred is not None and pred.groups))


def walk_others(pair: GroupPair) -> list[Any]:
    """Return a pair and then all pairs inside it that are not identical."""
    pairs: list[Any] = [pair]
    if is_nested(pair):
        for rows in others_of(pair).values():
            for row in rows:
                if is_nested(row):
                    pairs += walk_others(row)
                else:
                    pairs.append(row)
    return pairs


STRANGERS = 2
"""Fields from which two rows can be told not to stand for each other; one may just be wrong."""


def rows_alone(
    pairs: Sequence[GroupPair], are_strangers: Callable[[Any], bool]
) -> dict[str, list[Any]]:
    """Return the pairs of rows of which one has no partner, or one that is none, by type.

    A lone object that is in no list is no row. `are_strangers` is asked about two rows that have
    nothing of their own right.
    """
    alone: dict[str, list[Any]] = {}
    for pair in pairs:
        gold, pred = pair.gold, pair.pred
        if not pair.type or pair.identical:
            continue
        in_list = (gold is not None and gold.index is not None) or (
            pred is not None and pred.index is not None
        )
        if not in_list:
            continue
        if gold is not None and pred is not None:
            mistakes = mistakes_of(pair)
            if len(mistakes) < STRANGERS or not _all_missed(gold, mistakes):
                continue
            if not are_strangers(pair):
                continue
        alone.setdefault(pair.type, []).append(pair)
    return alone


def _all_missed(gold: Group, mistakes: Mistakes) -> bool:
    """Whether all values of a group of gold are among mistakes."""
    missed = 0
    for _, own, _ in mistakes:
        if own is not None:
            missed += 1
    values = values_of(gold)
    if missed < len(values):
        return False
    if gold.single:
        return True
    return missed >= sum([len(readings) for readings in values.values()])


def words_in_group(group: Group, path: str, spellings: Spellings) -> Words:
    """Return the words of all values of a field in a group."""
    values = values_of(group)[path]
    if len(values) == 1:
        return spellings.words(values[0].text)
    return tuple([word for value in values for word in spellings.words(value.text)])


Wider = dict[str, tuple[Words, Words]]
"""The fields in which one of two rows has more words than the other, with the words of both."""


def wider_fields(
    partner: Group, whole: Group, mistakes: Mistakes, spellings: Spellings
) -> tuple[Wider, bool]:
    """Return the wrong fields in which a whole row has more words than its partner.

    And whether it has fields that the partner has not.
    """
    wider: Wider = {}
    lends = False
    own, others = values_of(partner), values_of(whole)
    for field, _, _ in mistakes:
        path = field.path
        if path not in others:
            continue
        if path not in own:
            lends = True
        elif path not in wider:
            words = words_in_group(whole, path, spellings)
            fewer = words_in_group(partner, path, spellings)
            # of a text that holds another besides, some words are left over
            if len(words) > len(fewer) > 0:
                wider[path] = (words, fewer)
    return wider, lends


class Around:
    """The texts of a document among which a value that is wrong may be found again."""

    def __init__(self, pairs: Sequence[GroupPair]) -> None:
        texts: list[str] = []
        whole = True
        for pair in pairs:
            for _, _, pred in mistakes_of(pair):
                if pred is not None:
                    texts.append(pred.text)
                    if pred.alternatives or pred.normalised:
                        whole = False
        self.spurious = ToldTexts(texts, whole)
        """Those of pred's values that are not right."""
        self.root = pairs[0].gold
        self._golds: ToldTexts | None = None

    def golds(self) -> ToldTexts:
        """Return those of all of gold's values."""
        if self._golds is None:
            texts: list[str] = []
            self._golds = ToldTexts(texts, self.root is None or texts_in(self.root, texts))
        return self._golds


class RowCauses(NamedTuple):
    """Why rows are wrong as a whole, by the identity of their pair."""

    alone: dict[int, tuple[str, str]]
    """Of rows without a partner, or with one that is none: what became of gold's, of pred's."""
    seams: set[tuple[int, str]]
    """The fields of pairs that hold, or lack, a piece of another row."""


class CauseNames(NamedTuple):
    """What causes are called."""

    missing: str
    hallucinated: str
    split: str
    document_type: str
    sure: frozenset[str]
    """Causes that the two texts settle, whatever stands around them."""


class PlainCauses:
    """Gives the cause of each mistake as if its values stood nowhere else, which most do not."""

    def __init__(
        self,
        names: CauseNames,
        spellings: Spellings,
        of_digits: frozenset[Hashable],
        of_texts: Hashable,
    ) -> None:
        """Take gists: those of texts that have the same digits, and the one of words."""
        self.missing, self.hallucinated = names.missing, names.hallucinated
        self.split, self.document_type = names.split, names.document_type
        self.sure = names.sure
        self.spellings = spellings
        self.of_digits = of_digits
        self.of_texts = of_texts

    def of(
        self,
        pairs: Sequence[GroupPair],
        around: Around,
        rows: RowCauses,
        type_field: str | None,
        foreign: Callable[[str], bool] | None,
    ) -> tuple[list[str], list[int]]:
        """Return the causes of all mistakes, and which of them have to be looked at closer.

        `type_field` states the type of a document; `foreign` says which fields pred cannot have,
        where it filled in the form of another type.
        """
        causes: list[str] = []
        unsure: list[int] = []
        alone, seams = rows.alone, rows.seams
        for pair in pairs:
            mistakes = mistakes_of(pair)
            if not mistakes:
                continue
            row = alone.get(id(pair)) if alone else None
            if row is not None and foreign is None and (pair.gold is None or pair.pred is None):
                # all values of a row share what became of it
                causes += [row[0 if pair.pred is None else 1]] * len(mistakes)
                continue
            for field, gold, pred in mistakes:
                split = len(seams) > 0 and (id(pair), field.path) in seams
                if gold is None or pred is None:
                    other = pred is None and foreign is not None and foreign(field.path)
                    cause, sure = self._of_one(pred is None, row, split, other)
                else:
                    other = field.path == type_field
                    cause, sure = self._of_two(field, gold, pred, row, split, other)
                if not sure and not self._stands_alone(around, field.gist, gold, pred):
                    unsure.append(len(causes))
                causes.append(cause)
        return causes, unsure

    def _of_one(
        self, missing: bool, row: tuple[str, str] | None, split: bool, other_form: bool
    ) -> tuple[str, bool]:
        """Return why a value is missing or should not be there, and whether that is sure."""
        if other_form:
            return self.document_type, True
        if row is not None:
            return row[0 if missing else 1], True
        if split:
            return self.split, True
        return self.missing if missing else self.hallucinated, False

    def _of_two(
        self,
        field: Any,
        gold: Reading,
        pred: Reading,
        row: tuple[str, str] | None,
        split: bool,
        of_type: bool,
    ) -> tuple[str, bool]:
        """Return why a value is another, and whether that is sure."""
        cause = self.spellings.cause_between(gold, pred, field)
        if cause in self.sure:
            return cause, True
        if of_type:
            return self.document_type, True
        if split:
            return self.split, True
        if row is not None:
            return self.split if self.split in row else row[0], False
        return cause, False

    def _stands_alone(
        self, around: Around, gist: Hashable, gold: Reading | None, pred: Reading | None
    ) -> bool:
        """Whether gold's value surely is not among those to spare, nor pred's among gold's."""
        if pred is not None and not self._lack(around.golds(), gist, pred, gold):
            return False
        if gold is None or len(around.spurious.texts) <= (pred is not None):
            return True
        return self._lack(around.spurious, gist, gold, pred)

    def _lack(
        self, texts: ToldTexts, gist: Hashable, reading: Reading, besides: Reading | None
    ) -> bool:
        """Whether a value surely is not among texts, the one besides it left out of them."""
        if gist not in self.of_digits:
            return False
        return texts.lack(reading, besides) or (gist is self.of_texts and texts.lack_words(reading))


SUBSTITUTED, ADDED, DELETED = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
"""The counts of one correction, by its kind."""


def count_by_kind(
    pairs: Sequence[GroupPair], causes: Sequence[str]
) -> dict[tuple[str, ...], Counts]:
    """Return how many corrections of each kind a field and cause have."""
    counts: dict[tuple[str, ...], Counts] = {}
    place = 0
    for pair in pairs:
        for field, gold, pred in mistakes_of(pair):
            key = (field.path, causes[place])
            place += 1
            one = DELETED if gold is None else ADDED if pred is None else SUBSTITUTED
            own = counts.get(key)
            # most are alone
            counts[key] = (
                one if own is None else (own[0] + one[0], own[1] + one[1], own[2] + one[2])
            )
    return counts
