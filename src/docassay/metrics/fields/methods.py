"""The methods by which `fields` scores one field of one document.

A single value is scored by likeness, a list by how many of its items match. Two items match when
the field's comparator accepts them; options let texts match that are alike enough besides, in
characters or in words.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from docassay.kernel.columns import UNKNOWN, Contrast, count_equal, have_keys, part_items
from docassay.kernel.marks import FieldJudge, Marks, all_right, mark_counts, mark_order
from docassay.kernel.readings import by_keys
from docassay.matching.values import equal_keys
from docassay.metrics.fields.contrast import Readings
from docassay.model.document import Reading
from docassay.values.field import BoundField

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from docassay.metrics.fields.likeness import Likeness


MAX_CELLS = 64_000_000
"""Pairs of items up to which two lists are compared all with all."""
BLOCK_CELLS = 4_000_000
"""Pairs of items in a part of longer lists."""
FLOOR = 0.5
FLOORS = {"words": 0.8}
"""The similarity below which a comparator's score is no credit, where it is not FLOOR."""
TEXTUAL = frozenset({"edit", "words", "contains", "address"})
"""Comparators whose values are running text, so that options can let items be alike only."""


WRONG = Marks(0.0, 0.0, 0.0, 0.0, 0.0, 0, 1, 1)
"""The marks of a single value that is not like the right one."""


class Rules(NamedTuple):
    """The settings that decide when items match and what a wrong one costs."""

    item_similarity: float = 0.0
    """The similarity from which two texts match besides; 0 for none."""
    item_words: float = 0.0
    """The share of common words from which two texts match besides; 0 for none."""
    substitution_is_fn: bool = False


STRICT = Rules()
"""Items match when the comparator accepts them, and not otherwise."""


class Judge(FieldJudge):
    """Scores the values of one field."""

    def __init__(self, field: BoundField, rules: Rules) -> None:
        self.field = field
        self.rules = rules
        comparator = field.comparator.name
        self.textual = comparator in TEXTUAL
        floor = field.spec.floor
        self._floor = FLOORS.get(comparator, FLOOR) if floor is None else floor
        self._loose = self.textual and (rules.item_similarity > 0 or rules.item_words > 0)
        """Whether texts may match that the comparator does not accept."""
        strict = field.without_tolerance is field and not self._loose
        binary = field.comparator.binary and field.spec.type != "exact"
        super().__init__(
            strict=strict,
            binary=binary,
            all_or_nothing=strict and binary and field.spec.accept > 0,
            by_letters=field.spec.type == "text" and field.spec.compare is None,
            substitution_is_fn=rules.substitution_is_fn,
            most=MAX_CELLS,
        )

    def make_likeness(self) -> Likeness:
        """Return what compares values as texts, whatever their type."""
        from docassay.metrics.fields.likeness import Likeness

        floor = self.field.spec.floor
        return Likeness(self.field, FLOOR if floor is None else floor, by_letters=self.by_letters)

    def compare(self, contrast: Contrast) -> Marks:
        """Return the marks of a field that has values on both sides, which are not all the same."""
        if contrast.same_places:
            may_be_equal = contrast.in_place in (contrast.golds, UNKNOWN)
            if may_be_equal and self._evidently_equal(*contrast.cells):
                return all_right(contrast.golds)
            if contrast.golds == 1:
                (gold,), (pred,) = contrast.items
                return self._single(gold, pred)
        return self._lists(contrast)

    def score(self, contrast: Contrast, method: str) -> float:
        """Return the mark by one method, without the work that only other methods need."""
        if method == "order_aware_f1" and contrast.golds > 1 and contrast.preds > 1:
            return self._ordered(contrast, self._in_place(contrast))
        marks = self.judge(contrast)
        return float(getattr(marks, method))

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

    def all_match(self, golds: Readings, preds: Readings) -> bool:
        """Whether two cells hold the same items, in any order."""
        if len(golds) != len(preds):
            return False
        if len(golds) == 1:
            return self.item_matches(golds[0], preds[0])
        return self._matched(golds, preds) == len(golds)

    def _evidently_equal(self, golds: Sequence[Reading], preds: Sequence[Reading]) -> bool:
        """Whether values are equal and of the same texts, one by one."""
        for gold, pred in zip(golds, preds, strict=True):
            if gold.text != pred.text or not self.field.equal(gold, pred):
                return False
        return True

    def _single(self, gold: Reading, pred: Reading) -> Marks:
        same = not gold.alternatives and by_keys(gold, pred) > 0
        matches = same or self.item_matches(gold, pred)
        if self.all_or_nothing:
            return all_right(1) if matches else WRONG
        exact = matches if self.strict else self._exact(gold, pred)
        likeness = float(matches) if self.binary else self.likeness().of(gold, pred)
        # a key is the same only where values are fully alike, which may take long to compare
        similarity = 1.0 if same else self.field.similarity(gold, pred)
        score = similarity if similarity >= self._floor else 0.0
        right, wrong = int(matches), int(not matches)
        return Marks(float(exact), likeness, score, score, float(right), right, wrong, wrong)

    def _lists(self, contrast: Contrast) -> Marks:
        golds, preds = contrast.golds, contrast.preds
        tp = self._matched_items(contrast)
        in_place = self._in_place(contrast)
        marks = mark_counts(contrast, in_place, tp, self.substitution_is_fn)
        if not self.strict:
            marks.exact = float(contrast.same_places and all(map(self._exact, *contrast.cells)))
        if not self.binary:
            marks.anls = self.likeness_of_lists(contrast) / max(golds, preds)
        marks.parted = golds * preds > self.most
        return marks

    def likeness_of_all(self, contrast: Contrast) -> float:
        """Return the summed likeness of the best pairs of items, all of them compared."""
        from docassay.metrics.fields.likeness import Likeness

        likeness = self.likeness()
        assert isinstance(likeness, Likeness)
        golds, preds = contrast.items
        equal, blocks = parted(golds, preds)
        return equal + sum([likeness.best(*block) for block in blocks])

    def _in_place(self, contrast: Contrast) -> int:
        """Return how many items match in the same place."""
        if self._loose:
            return contrast.same + sum(map(self.item_matches, *contrast.cells))
        if contrast.in_place >= 0:
            return contrast.in_place
        return contrast.same + count_equal(*contrast.cells, self.field.equal)

    def _ordered(self, contrast: Contrast, in_place: int) -> float:
        """Return the F1 of items that match in the same place."""
        return mark_order(contrast, in_place, self.substitution_is_fn)

    def _exact(self, gold: Reading, pred: Reading) -> bool:
        return self.field.without_tolerance.equal(gold, pred)

    def _item_matrix(self, golds: Readings, preds: Readings) -> NDArray[np.bool_]:
        matches = self.field.equal_matrix(golds, preds)
        if not self._loose:
            return matches
        similarity, words = self.rules.item_similarity, self.rules.item_words
        if similarity:
            matches = matches | (self.field.similarities(golds, preds) >= similarity)
        if words:
            matches = matches | (_word_matrix(golds, preds) >= words)
        return matches

    def _matched_items(self, contrast: Contrast) -> int:
        """Return the size of a largest one-to-one set of matching items of two lists."""
        if contrast.matched >= 0 and not self._loose:
            return contrast.matched
        every_gold, every_pred = contrast.items
        golds, preds, settled = part_items(every_gold, every_pred)
        # where matching is not transitive, items that are the same may do better apart;
        # what pred has beside its rest is among gold's items
        if settled and golds and preds and (self._loose or not have_keys(every_gold + preds)):
            return self._matched(every_gold, every_pred)
        return contrast.golds - len(golds) + self._matched(golds, preds)

    def _matched(self, golds: Readings, preds: Readings) -> int:
        """Return the size of a largest one-to-one set of matching items."""
        if not golds or not preds:
            return 0
        if len(golds) == len(preds) == 1:
            return int(self.item_matches(golds[0], preds[0]))
        if not self._loose and have_keys(golds + preds):
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


def _shared_words(gold: Reading, theirs: set[str]) -> float:
    """Return the share of all words that both have, of the best of gold's alternatives."""
    best = 0.0
    for reading in gold.accepted:
        gold_words = set(reading.canonical.split())
        best = max(best, len(gold_words & theirs) / (len(gold_words | theirs) or 1))
    return best


def _word_matrix(golds: Readings, preds: Readings) -> NDArray[np.float64]:
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
