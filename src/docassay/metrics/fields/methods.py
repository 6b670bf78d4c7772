"""The methods by which `fields` scores one field of one document.

A single value is scored by likeness, a list by how many of its items match. Two items match when
the field's comparator accepts them; options let texts match that are alike enough besides, in
characters or in words.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from docassay.matching.values import Link, equal_keys
from docassay.model.document import Group, Reading
from docassay.model.schema import Field
from docassay.model.stats import f1
from docassay.values.field import BoundField

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


MAX_CELLS = 64_000_000
"""Pairs of items up to which two lists are compared all with all."""
BLOCK_CELLS = 4_000_000
"""Pairs of items in a part of longer lists."""
Position = tuple[int, ...]
Readings = tuple[Reading, ...]


class Items(NamedTuple):
    """The items of a field in one document, in file order, and their positions."""

    readings: tuple[Reading, ...] = ()
    positions: tuple[Position, ...] = ()
    group: str = ""
    """The group whose column the field is, "" for a field of the document itself."""


ABSENT = Items()


def items_of(root: Group) -> dict[str, Items]:
    """Return every field of a document that has a value, at any depth."""
    if not root.groups and root.single:
        return {path: Items(items, _FIRST) for path, items in root.values.items()}
    gathered: dict[str, _Gathered] = {}
    items: dict[str, Items] = {}
    for path, rows in root.groups.items():
        if not _add_columns(path, rows, items):
            _walk_rows(rows, (), gathered)
    if root.single:
        items |= {path: Items(own, _FIRST) for path, own in root.values.items()}
    else:
        _walk_values(root, (), gathered)
    if gathered:
        if not items.keys().isdisjoint(gathered):  # a field that stands in several places
            gathered = {}
            _walk_values(root, (), gathered)
            for rows in root.groups.values():
                _walk_rows(rows, (), gathered)
        for path, field in gathered.items():
            items[path] = Items(tuple(field.readings), tuple(field.positions), field.group)
    return items


def _add_columns(group: str, rows: list[Group], items: dict[str, Items]) -> bool:
    """Add the columns of rows that all have the same fields, each once; say whether they do."""
    first = rows[0]
    names = [*first.values]
    if rows[-1].index != len(rows) - 1 or not items.keys().isdisjoint(names):
        return False
    for row in rows:
        if row.groups or not row.single or [*row.values] != names:
            return False
    positions = _places(len(rows))
    for path, column in zip(names, zip(*[row.values.values() for row in rows]), strict=True):  # noqa: B905
        items[path] = Items(tuple([readings[0] for readings in column]), positions, group)
    return True


class _Gathered(NamedTuple):
    """The items of a field as they are gathered."""

    readings: list[Reading]
    positions: list[Position]
    group: str


_FIRST: tuple[Position, ...] = ((0,),)


@lru_cache(1024)
def _places(number: int) -> tuple[Position, ...]:
    """Return the positions of a column without gaps."""
    return tuple((place, 0) for place in range(number))


def _walk_values(group: Group, place: Position, gathered: dict[str, _Gathered]) -> None:
    first = (*place, 0)
    for path, readings in group.values.items():
        own = gathered.get(path)
        if own is None:
            own = gathered[path] = _Gathered([], [], group.type)
        if group.single:
            own.readings.append(readings[0])
            own.positions.append(first)
        else:
            own.readings.extend(readings)
            own.positions.extend((*place, slot) for slot in group.positions(path))


def _walk_rows(rows: list[Group], place: Position, gathered: dict[str, _Gathered]) -> None:
    last = -1
    for row in rows:
        # rows under two keys of one group go on counting where the first ended
        last = row.index if row.index is not None and row.index > last else last + 1
        here = (*place, last)
        _walk_values(row, here, gathered)
        for inner in row.groups.values():
            _walk_rows(inner, here, gathered)


FLOOR = 0.5
FLOORS = {"words": 0.8}
"""The similarity below which a comparator's score is no credit, where it is not FLOOR."""
TEXTUAL = frozenset({"edit", "words", "contains", "address"})
"""Comparators whose values are running text, so that options can let items be alike only."""


class Marks(NamedTuple):
    """What a field scored by each method, and its items right, hallucinated and missed."""

    exact: float
    anls: float
    f1: float
    order_aware_f1: float
    kieval_cost: float
    tp: int
    fp: int
    fn: int
    parted: bool = False
    """Whether there were too many items to compare all with all."""


@lru_cache(1024)
def all_right(items: int) -> Marks:
    """Return the marks of a field whose items are all right and in their places."""
    return Marks(1.0, 1.0, 1.0, 1.0, 1.0, items, 0, 0)


class Rules(NamedTuple):
    """The settings that decide when items match and what a wrong one costs."""

    item_similarity: float = 0.0
    """The similarity from which two texts match besides; 0 for none."""
    item_words: float = 0.0
    """The share of common words from which two texts match besides; 0 for none."""
    substitution_is_fn: bool = False


STRICT = Rules()
"""Items match when the comparator accepts them, and not otherwise."""


class Judge:
    """Scores the values of one field."""

    def __init__(self, field: BoundField, rules: Rules) -> None:
        self.field = field
        self.rules = rules
        comparator = field.comparator.name
        self.textual = comparator in TEXTUAL
        self.binary = field.comparator.binary and field.spec.type != "exact"
        floor = field.spec.floor
        self._floor = FLOORS.get(comparator, FLOOR) if floor is None else floor
        self._anls_floor = FLOOR if floor is None else floor
        self._loose = self.textual and (rules.item_similarity > 0 or rules.item_words > 0)
        """Whether texts may match that the comparator does not accept."""
        options = field.spec.options if field.spec.type == "text" else {}
        self._as_text = BoundField(Field(field.path, "text", options), field.schema)

    def judge(self, gold: Items, pred: Items) -> Marks:
        """Return the marks of a field that is present on at least one side."""
        gold_count, pred_count = len(gold.readings), len(pred.readings)
        if not gold_count or not pred_count:
            return Marks(0.0, 0.0, 0.0, 0.0, 0.0, 0, pred_count, gold_count)
        if gold.positions == pred.positions:
            if gold.readings == pred.readings or self._evidently_equal(gold, pred):
                return all_right(gold_count)
            if gold_count == 1:
                return self._single(gold.readings[0], pred.readings[0])
        return self._lists(gold, pred)

    def score(self, gold: Items, pred: Items, method: str) -> float:
        """Return the mark by one method, without the work that only other methods need."""
        if method == "order_aware_f1" and len(gold.readings) > 1 and len(pred.readings) > 1:
            return self._ordered(gold, pred, _shared_places(gold, pred))
        return self.judge(gold, pred)[Marks._fields.index(method)]

    def item_matches(self, gold: Reading, pred: Reading) -> bool:
        """Whether two items are the same for a list or a row."""
        if self.field.equal(gold, pred):
            return True
        return self._loose and self._are_alike(gold, pred)

    def _are_alike(self, gold: Reading, pred: Reading) -> bool:
        """Whether two texts are alike enough for the options, in characters or in words."""
        similarity, words = self.rules.item_similarity, self.rules.item_words
        if similarity and self.field.similarity(gold, pred) >= similarity:
            return True
        return bool(words) and _shared_words(gold, set(pred.canonical.split())) >= words

    def all_match(self, golds: tuple[Reading, ...], preds: tuple[Reading, ...]) -> bool:
        """Whether two cells hold the same items, in any order."""
        if len(golds) != len(preds):
            return False
        if len(golds) == 1:
            return self.item_matches(golds[0], preds[0])
        return self._matched(golds, preds) == len(golds)

    def _evidently_equal(self, gold: Items, pred: Items) -> bool:
        for gold_reading, pred_reading in zip(gold.readings, pred.readings, strict=True):
            if gold_reading is pred_reading:
                continue
            if gold_reading.text != pred_reading.text:
                return False
            if not self.field.equal(gold_reading, pred_reading):
                return False
        return True

    def _single(self, gold: Reading, pred: Reading) -> Marks:
        score = self._floored(self.field.similarity(gold, pred))
        matches = self.item_matches(gold, pred)
        return Marks(
            exact=float(self._exact(gold, pred)),
            anls=self._anls(gold, pred),
            f1=score,
            order_aware_f1=score,
            kieval_cost=float(matches),
            tp=int(matches),
            fp=int(not matches),
            fn=int(not matches),
        )

    def _lists(self, gold: Items, pred: Items) -> Marks:
        golds, preds = gold.readings, pred.readings
        rest = _without_same(golds, preds)
        tp = len(golds) - len(rest[0]) + self._matched(*rest)
        longer = max(len(golds), len(preds))
        shared = _shared_places(gold, pred)
        exact = len(shared) == len(golds) == len(preds) and all(
            golds[i] is preds[j] or self._exact(golds[i], preds[j]) for i, j in shared
        )
        return Marks(
            exact=float(exact),
            anls=tp / longer if self.binary else self._anls_of_lists(golds, preds, rest) / longer,
            f1=f1(tp, len(preds) - tp, len(golds) - tp) or 0.0,
            order_aware_f1=self._ordered(gold, pred, shared),
            kieval_cost=tp / longer,
            tp=tp,
            fp=len(preds) - tp,
            fn=len(golds) - tp,
            parted=len(golds) * len(preds) > MAX_CELLS,
        )

    def _ordered(self, gold: Items, pred: Items, shared: Sequence[Link]) -> float:
        """Return the F1 of items that match in the same place."""
        golds, preds = gold.readings, pred.readings
        in_place = 0
        for i, j in shared:
            if golds[i] is preds[j] or self.item_matches(golds[i], preds[j]):
                in_place += 1
        extra, missing = len(preds) - in_place, len(golds) - in_place
        if self.rules.substitution_is_fn:
            extra = len(preds) - len(shared)
        return f1(in_place, extra, missing) or 0.0

    def _exact(self, gold: Reading, pred: Reading) -> bool:
        return self.field.without_tolerance.equal(gold, pred)

    def _floored(self, similarity: float) -> float:
        return similarity if similarity >= self._floor else 0.0

    def _anls(self, gold: Reading, pred: Reading) -> float:
        if self.binary:
            return float(self.field.equal(gold, pred))
        readings = self._as_text.readings
        own = _present(readings[pred.text])
        best = max(
            self._as_text.similarity(_present(readings[form.text]), own) for form in gold.accepted
        )
        return best if best >= self._anls_floor else 0.0

    def _anls_of_lists(
        self, golds: Readings, preds: Readings, rest: tuple[Readings, Readings]
    ) -> float:
        """Return the summed likeness of the best pairs of items."""
        if not rest[0] and not rest[1]:
            return float(len(golds))
        same = len(golds) - len(rest[0])
        if same and len(golds) * len(preds) <= MAX_CELLS and self._stand_apart(golds, preds, rest):
            return same + self._best_likeness(*rest)
        equal, blocks = parted(golds, preds)
        return float(equal) + sum(self._best_likeness(*block) for block in blocks)

    def _stand_apart(
        self, golds: Readings, preds: Readings, rest: tuple[Readings, Readings]
    ) -> bool:
        """Whether no item of the rest is like one that both sides have: then none is exchanged."""
        for some, others, own in ((rest[0], preds, rest[1]), (rest[1], golds, rest[0])):
            if some and len(others) > len(own):
                settled = _without(others, own)
                if self._anls_matrix(some, settled).any():
                    return False
        return True

    def _best_likeness(self, golds: Readings, preds: Readings) -> float:
        if not golds or not preds:
            return 0.0
        if len(golds) == len(preds) == 1:
            return self._anls(golds[0], preds[0])
        from docassay.matching.large import best_likeness

        return best_likeness(golds, preds, self._anls_matrix)

    def _anls_matrix(
        self, golds: tuple[Reading, ...], preds: tuple[Reading, ...]
    ) -> NDArray[np.float64]:
        """Return the likeness of every pair as texts, 0 below the floor."""
        import numpy as np

        texts = self._as_text
        pred_texts = [_present(texts.readings[pred.text]) for pred in preds]
        accepted = [gold.accepted for gold in golds]
        gold_texts = [_present(texts.readings[item.text]) for ones in accepted for item in ones]
        similar = texts.similarities(gold_texts, pred_texts)
        if len(gold_texts) > len(golds):
            # a gold item with alternatives is as like as the likest of them
            ends = np.cumsum([len(ones) for ones in accepted])
            similar = np.array([part.max(axis=0) for part in np.split(similar, ends[:-1])])
        return np.where(similar >= self._anls_floor, similar, 0.0)

    def _item_matrix(
        self, golds: tuple[Reading, ...], preds: tuple[Reading, ...]
    ) -> NDArray[np.bool_]:
        matches = self.field.equal_matrix(golds, preds)
        if not self._loose:
            return matches
        similarity, words = self.rules.item_similarity, self.rules.item_words
        if similarity:
            matches = matches | (self.field.similarities(golds, preds) >= similarity)
        if words:
            matches = matches | (_word_matrix(golds, preds) >= words)
        return matches

    def _matched(self, golds: tuple[Reading, ...], preds: tuple[Reading, ...]) -> int:
        """Return the size of a largest one-to-one set of matching items."""
        if not self._loose and all(item.tame for side in (golds, preds) for item in side):
            return equal_keys(golds, preds)
        from docassay.matching.large import best_likeness

        total, blocks = parted(golds, preds)
        for block in blocks:
            total += round(best_likeness(*block, self._item_matrix))
        return total


def parted(golds: Readings, preds: Readings) -> tuple[int, list[tuple[Readings, Readings]]]:
    """Return how many items are settled, and the parts of the rest that are compared all with all.

    Up to MAX_CELLS pairs that is everything. Beyond it equal texts are settled first, and what is
    left is compared in parts of neighbours by text, so that memory stays bounded.
    """
    if len(golds) * len(preds) <= MAX_CELLS:
        return 0, [(golds, preds)]
    both = Counter(reading.text for reading in golds) & Counter(reading.text for reading in preds)
    rest_of_golds, rest_of_preds = (_rest(side, Counter(both)) for side in (golds, preds))
    number = math.isqrt(len(rest_of_golds) * len(rest_of_preds) // BLOCK_CELLS) + 1
    gold_cuts, pred_cuts = (
        [len(side) * place // number for place in range(number + 1)]
        for side in (rest_of_golds, rest_of_preds)
    )
    return both.total(), [
        (
            rest_of_golds[gold_cuts[place] : gold_cuts[place + 1]],
            rest_of_preds[pred_cuts[place] : pred_cuts[place + 1]],
        )
        for place in range(number)
        if gold_cuts[place] < gold_cuts[place + 1] and pred_cuts[place] < pred_cuts[place + 1]
    ]


def _rest(side: Readings, settled: Counter[str]) -> Readings:
    """Return the readings of a side that are not settled, in the order of their texts."""
    rest = []
    for reading in side:
        if settled[reading.text]:
            settled[reading.text] -= 1
        else:
            rest.append(reading)
    return tuple(sorted(rest, key=lambda reading: reading.text))


def _without_same(golds: Readings, preds: Readings) -> tuple[Readings, Readings]:
    """Return the items of both sides without those that are the same text in both."""
    if len(golds) == len(preds):  # in place first, which is most of them
        pairs = [pair for pair in zip(golds, preds, strict=True) if pair[0] is not pair[1]]
        golds = tuple([gold for gold, _ in pairs])
        preds = tuple([pred for _, pred in pairs])
    if not {*map(id, golds)}.isdisjoint(map(id, preds)):
        return _without(golds, preds), _without(preds, golds)
    return golds, preds


def _without(items: Readings, others: Readings) -> Readings:
    """Return the items that are left when each of the others has taken one that is the same."""
    waiting = Counter(map(id, others))
    left = []
    for item in items:
        if waiting[id(item)]:
            waiting[id(item)] -= 1
        else:
            left.append(item)
    return tuple(left)


def _shared_places(gold: Items, pred: Items) -> list[Link]:
    """Return the items that stand in the same place on both sides."""
    if gold.positions == pred.positions:
        return [(i, i) for i in range(len(gold.positions))]
    at = {position: j for j, position in enumerate(pred.positions)}
    return [(i, at[place]) for i, place in enumerate(gold.positions) if place in at]


def _present(reading: Reading | None) -> Reading:
    assert reading is not None, "an item of a field is never a placeholder"
    return reading


def _shared_words(gold: Reading, theirs: set[str]) -> float:
    """Return the share of all words that both have, of the best of gold's alternatives."""
    best = 0.0
    for reading in gold.accepted:
        gold_words = set(reading.canonical.split())
        best = max(best, len(gold_words & theirs) / (len(gold_words | theirs) or 1))
    return best


def _word_matrix(golds: tuple[Reading, ...], preds: tuple[Reading, ...]) -> NDArray[np.float64]:
    """Return the shared words of every pair, counted word by word: most pairs have none."""
    import numpy as np

    pred_words = [set(pred.canonical.split()) for pred in preds]
    sizes = np.array([len(words) for words in pred_words], dtype=np.int64)
    holders: dict[str, list[int]] = {}
    for j, words in enumerate(pred_words):
        for word in words:
            holders.setdefault(word, []).append(j)
    shares = np.zeros((len(golds), len(preds)))
    for row, gold in zip(shares, golds, strict=True):
        for reading in gold.accepted:
            gold_words = set(reading.canonical.split())
            both = np.zeros_like(sizes)
            for word in gold_words & holders.keys():
                both[holders[word]] += 1
            np.maximum(row, both / np.maximum(len(gold_words) + sizes - both, 1), out=row)
    return shares
