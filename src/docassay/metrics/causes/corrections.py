"""The cause of every correction of a document: by the two texts, and by what stands around them.

Context goes before the texts where it is the surer evidence: a value that another field has is
rather taken from there than a misread digit. A few characters are no such evidence, because short
values repeat by chance; they count only where the other place misses its value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from operator import add
from typing import NamedTuple
from weakref import WeakKeyDictionary

from docassay.matching.case import Case
from docassay.matching.verdicts import Fate
from docassay.metrics.causes import (
    DOCUMENT_TYPE,
    FACTOR,
    FORMATTING,
    HALLUCINATED,
    LOOK_ALIKE,
    MISSING,
    SIGN,
    SPLIT,
    TRANSPOSED,
    UNPARSED,
    WRONG_FIELD,
    WRONG_ROW,
)
from docassay.metrics.causes.places import Alike, Places, SomePlaces, all_places
from docassay.metrics.causes.rows import Pair, pairs_of, row_causes
from docassay.metrics.causes.values import cause_between, words_of
from docassay.model.document import Reading
from docassay.model.schema import DocumentType, Schema
from docassay.model.stats import Counts, Parts
from docassay.values.field import BoundField

SURE = frozenset({FORMATTING, SIGN})
"""Causes that the two texts settle, whatever stands around them."""
LIKELY = frozenset({FACTOR, TRANSPOSED, LOOK_ALIKE})
"""Causes that go before a mere coincidence with another row."""
TELLING = 3
"""Letters and digits from which a value is hardly the same as another by chance."""
FEW_VALUES = frozenset({"boolean", "choice"})
"""Types whose values are all over a document, so that none points to another field."""


class Correction(NamedTuple):
    """A value to be corrected, where it stands, and why it is wrong."""

    pair: Pair
    fate: Fate
    cause: str


Wrong = tuple[Pair, BoundField, Reading | None, Reading | None]
"""A value to be corrected, with what gold and pred have."""


class ExplainedCase:
    """The pairs of a case, what is wrong in them, and the cause of each mistake."""

    def __init__(self, case: Case, root: Pair) -> None:
        self.root = root
        pairs = root.walk(every=False)
        self.wrong: list[Wrong] = [
            (pair, field, gold, pred) for pair in pairs for field, gold, pred in pair.mistakes
        ]
        self.causes = _causes(case, pairs, self.wrong)

    @cached_property
    def corrections(self) -> list[Correction]:
        """Every correction, in the order of the pairs."""
        pairs = self.root.walk(every=False)
        fates = [(pair, fate) for pair in pairs for fate in pair.wrong]
        return [Correction(*each, cause) for each, cause in zip(fates, self.causes, strict=True)]

    def by_kind(self) -> dict[Parts, Counts]:
        """Return how many corrections of each kind a field and cause have."""
        counts: dict[Parts, Counts] = {}
        for (_, field, gold, pred), cause in zip(self.wrong, self.causes, strict=True):
            key = (field.path, cause)
            one = DELETED if gold is None else ADDED if pred is None else SUBSTITUTED
            own = counts.get(key)
            # most are alone
            counts[key] = one if own is None else tuple(map(add, own, one))
        return counts


SUBSTITUTED, ADDED, DELETED = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
"""The counts of one correction, by its kind."""

_explained: WeakKeyDictionary[Case, dict[bool, ExplainedCase]] = WeakKeyDictionary()


def explained(case: Case, *, flatten: bool = False) -> ExplainedCase:
    """Return why values of a case are wrong, worked out once for all that ask."""
    ways = _explained.setdefault(case, {})
    if flatten not in ways:
        ways[flatten] = ExplainedCase(case, pairs_of(case, flatten=flatten))
    return ways[flatten]


def corrections(case: Case, root: Pair) -> list[Correction]:
    """Return every correction of a case, in the order of its pairs."""
    return ExplainedCase(case, root).corrections


def _causes(case: Case, pairs: Sequence[Pair], wrong: Sequence[Wrong]) -> list[str]:
    """Return why each value is wrong."""
    if not wrong:
        return []
    if _says_nothing(case.pred.tree):
        return [UNPARSED] * len(wrong)
    context = _Context(case, pairs, wrong)
    return [cause for pair in pairs for cause in context.causes(pair)]


def _says_nothing(tree: object) -> bool:
    """Whether there is no prediction at all: none was given, or its response had no record."""
    return not isinstance(tree, Mapping) or not tree


class _Context:
    """What stands around the values of a case."""

    def __init__(self, case: Case, pairs: Sequence[Pair], wrong: Sequence[Wrong]) -> None:
        self.schema = case.layout.schema
        self.type_field = self.schema.type_field
        self.other_type = _other_form(case) if self.schema.types else None
        """The type whose form pred filled in instead of gold's."""
        rows = row_causes(pairs)
        self.alone, self.seams = rows.alone, rows.seams
        self.root = pairs[0].gold
        self.wrong = wrong
        self.to_spare = len([1 for _, _, _, pred in wrong if pred is not None])
        """How many of pred's values are not right."""
        self._wrong_values: Mapping[str, int] | None = None
        self._golds: Places | None = None
        self._missed: Places | None = None
        self._spurious: Places | None = None

    @property
    def wrong_values(self) -> Mapping[str, int]:
        """How many values of a field are wrong."""
        if self._wrong_values is None:
            self._wrong_values = Counter([field.path for _, field, _, _ in self.wrong])
        return self._wrong_values

    @property
    def golds(self) -> Places:
        """Gold's values."""
        if self._golds is None:
            self._golds = SomePlaces(()) if self.root is None else all_places(self.root)
        return self._golds

    @property
    def missed(self) -> Places:
        """Those of gold's values that pred misses."""
        if self._missed is None:
            self._missed = SomePlaces(
                [
                    (pair.gold, field.path, gold)
                    for pair, field, gold, _ in self.wrong
                    if gold is not None and pair.gold is not None
                ]
            )
        return self._missed

    @property
    def spurious(self) -> Places:
        """Those of pred's values that are not right."""
        if self._spurious is None:
            self._spurious = SomePlaces(
                [
                    (pair.pred, field.path, pred)
                    for pair, field, _, pred in self.wrong
                    if pred is not None and pair.pred is not None
                ]
            )
        return self._spurious

    def causes(self, pair: Pair) -> list[str]:
        """Return the first cause that holds, of each value that is wrong in a pair."""
        if (pair.gold is None or pair.pred is None) and self.other_type is None:
            row = self.alone.get(id(pair))
            if row is not None:  # all values of a row share what became of it
                return [row[0 if pair.pred is None else 1]] * len(pair.mistakes)
        return [
            self._of_one(pair, field, gold, pred)
            if gold is None or pred is None
            else self._of_two(pair, field, gold, pred)
            for field, gold, pred in pair.mistakes
        ]

    def _of_two(self, pair: Pair, field: BoundField, gold: Reading, pred: Reading) -> str:
        by_text = cause_between(gold, pred, field)
        if by_text in SURE:
            return by_text
        if field.path == self.type_field:
            return DOCUMENT_TYPE
        if self.seams and (id(pair), field.path) in self.seams:
            return SPLIT
        elsewhere = self._elsewhere(field, gold, pred)
        if elsewhere is not None and self._in_wrong_row(pair, field, elsewhere):
            return WRONG_ROW
        if id(pair) in self.alone:
            causes = self.alone[id(pair)]
            return SPLIT if SPLIT in causes else causes[0]
        if elsewhere is None:
            return by_text
        if self._in_wrong_field(field, pred, elsewhere):
            return WRONG_FIELD
        if by_text in LIKELY or not pair.type or not elsewhere.pred:
            return by_text
        copied = self.golds.in_other_row(pair.gold, field, elsewhere.pred)
        return WRONG_ROW if copied and _is_telling(field, pred) else by_text

    def _of_one(
        self, pair: Pair, field: BoundField, gold: Reading | None, pred: Reading | None
    ) -> str:
        """Return why a value is missing (pred is None) or should not be there (gold is None)."""
        other = self.other_type
        if pred is None and other is not None and not _lists(self.schema, other, field.path):
            return DOCUMENT_TYPE
        if id(pair) in self.alone:
            return self.alone[id(pair)][0 if pred is None else 1]
        if self.seams and (id(pair), field.path) in self.seams:
            return SPLIT
        elsewhere = self._elsewhere(field, gold, pred)
        if elsewhere is not None:
            if self._in_wrong_row(pair, field, elsewhere):
                return WRONG_ROW
            if self._in_wrong_field(field, pred, elsewhere):
                return WRONG_FIELD
        return MISSING if pred is None else HALLUCINATED

    def _elsewhere(
        self, field: BoundField, gold: Reading | None, pred: Reading | None
    ) -> _Elsewhere | None:
        """Return what may be the value in other places, None where nothing is."""
        of_gold: Alike = ()
        of_pred: Alike = ()
        if gold is not None and self.to_spare > (pred is not None):
            of_gold = self.spurious.alike(field, gold, pred)
        if pred is not None:  # what it misses is among gold's values
            of_pred = self.golds.alike(field, pred, gold)
        return _Elsewhere(of_gold, of_pred) if of_gold or of_pred else None

    def _in_wrong_row(self, pair: Pair, field: BoundField, elsewhere: _Elsewhere) -> bool:
        """Whether the value is to spare, or missed, in the same column of another row."""
        if not pair.type or self.wrong_values[field.path] < 2:
            return False
        of_gold, of_pred = elsewhere
        if of_gold and self.spurious.in_other_row(pair.pred, field, of_gold):
            return True
        return bool(of_pred) and self.missed.in_other_row(pair.gold, field, of_pred)

    def _in_wrong_field(
        self, field: BoundField, pred: Reading | None, elsewhere: _Elsewhere
    ) -> bool:
        """Whether the value is to spare, or missed, in another field, or was copied from there."""
        if field.spec.type in FEW_VALUES:
            return False
        of_gold, of_pred = elsewhere
        if of_gold and self.spurious.in_other_field(field, of_gold):
            return True
        if pred is None or not of_pred or not self.golds.in_other_field(field, of_pred):
            return False
        return _is_telling(field, pred) or self.missed.in_other_field(field, of_pred)


class _Elsewhere(NamedTuple):
    """What may be gold's value among those to spare, and what pred's among gold's."""

    gold: Alike
    pred: Alike


def _is_telling(field: BoundField, reading: Reading) -> bool:
    """Whether a value is long enough not to be the same as another by chance."""
    return field.spec.type not in FEW_VALUES and len("".join(words_of(reading.text))) >= TELLING


def _other_form(case: Case) -> DocumentType | None:
    """Return the type whose form pred filled in instead of gold's, None when it did not."""
    schema = case.layout.schema
    stated = next((type_ for type_ in schema.types if type_.name == case.pred_type), None)
    if stated is None or stated.name == case.type:
        return None
    filled = {entity.field for entity in case.pred.root.entities()} - {schema.type_field}
    return stated if all(_lists(schema, stated, path) for path in filled) else None


def _lists(schema: Schema, kind: DocumentType, path: str) -> bool:
    """Whether a document type has a field, by its name, its group's or its column's."""
    if not kind.fields:
        return True
    names = {path, *(group.columns[path] for group in schema.groups if path in group.columns)}
    return any(field in names or path.startswith(f"{field}.") for field in kind.fields)
