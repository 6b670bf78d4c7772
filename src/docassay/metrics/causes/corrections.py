"""The cause of every correction of a document: by the two texts, and by what stands around them.

Context goes before the texts where it is the surer evidence: a value that another field has is
rather taken from there than a misread digit. A few characters are no such evidence, because short
values repeat by chance; they count only where the other place misses its value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cached_property, partial
from typing import NamedTuple

from docassay.kernel.pairs import (
    Around,
    CauseNames,
    PlainCauses,
    RowCauses,
    count_by_kind,
    walk_others,
)
from docassay.kernel.senses import usual_text
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
from docassay.metrics.causes.places import SAME_DIGITS, Alike, Places, SomePlaces, all_places
from docassay.metrics.causes.rows import Pair, pairs_of, row_causes
from docassay.metrics.causes.values import SPELLINGS, words_of
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


PLAIN_CAUSES = PlainCauses(
    CauseNames(MISSING, HALLUCINATED, SPLIT, DOCUMENT_TYPE, SURE),
    SPELLINGS,
    SAME_DIGITS,
    usual_text,
)
"""Gives the causes of mistakes as if their values stood nowhere else."""


class Correction(NamedTuple):
    """A value to be corrected, where it stands, and why it is wrong."""

    pair: Pair
    fate: Fate
    cause: str


class ExplainedCase:
    """The pairs of a case, what is wrong in them, and the cause of each mistake."""

    def __init__(self, case: Case, root: Pair) -> None:
        self.root = root
        self.pairs: list[Pair] = walk_others(root)
        """All pairs in which something may be wrong."""
        self.causes = _causes(case, self.pairs)

    @cached_property
    def corrections(self) -> list[Correction]:
        """Every correction, in the order of the pairs."""
        fates = [(pair, fate) for pair in self.pairs for fate in pair.wrong]
        return [Correction(*each, cause) for each, cause in zip(fates, self.causes, strict=True)]

    def by_kind(self) -> dict[Parts, Counts]:
        """Return how many corrections of each kind a field and cause have."""
        return count_by_kind(self.pairs, self.causes)


def explained(case: Case, *, flatten: bool = False) -> ExplainedCase:
    """Return why values of a case are wrong, worked out once for all that ask."""
    key = (ExplainedCase, flatten)
    found = case.kept.get(key)
    if not isinstance(found, ExplainedCase):
        found = case.kept[key] = ExplainedCase(case, pairs_of(case, flatten=flatten))
    return found


def corrections(case: Case, root: Pair) -> list[Correction]:
    """Return every correction of a case, in the order of its pairs."""
    return ExplainedCase(case, root).corrections


def _causes(case: Case, pairs: list[Pair]) -> list[str]:
    """Return why each value is wrong."""
    if _says_nothing(case.pred.tree):
        return [UNPARSED for pair in pairs for _ in pair.mistakes]
    schema = case.layout.schema
    other = _other_form(case) if schema.types else None
    foreign = None if other is None else partial(_is_foreign, schema, other)
    around, rows = Around(pairs), row_causes(pairs)
    causes, unsure = PLAIN_CAUSES.of(pairs, around, rows, schema.type_field, foreign)
    if unsure:
        context = _Context(around, rows, pairs)
        for at in unsure:
            causes[at] = context.cause(*context.wrong[at], causes[at])
    return causes


def _says_nothing(tree: object) -> bool:
    """Whether there is no prediction at all: none was given, or its response had no record."""
    return not isinstance(tree, Mapping) or not tree


Wrong = tuple[Pair, BoundField, Reading | None, Reading | None]
"""A value to be corrected, with what gold and pred have."""


class _Context:
    """What stands around the values of a case."""

    def __init__(self, around: Around, rows: RowCauses, pairs: list[Pair]) -> None:
        self._around = around
        self.alone = rows.alone
        self.wrong: list[Wrong] = [
            (pair, field, gold, pred) for pair in pairs for field, gold, pred in pair.mistakes
        ]
        self.to_spare = len(around.spurious.texts)
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
            root = self._around.root
            self._golds = SomePlaces(()) if root is None else all_places(root, self._around.golds())
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

    def cause(
        self,
        pair: Pair,
        field: BoundField,
        gold: Reading | None,
        pred: Reading | None,
        plain: str,
    ) -> str:
        """Return why a value is wrong; `plain` is why it is if it stands nowhere else."""
        elsewhere = self._elsewhere(field, gold, pred)
        if elsewhere is None:
            return plain
        if self._in_wrong_row(pair, field, elsewhere):
            return WRONG_ROW
        if id(pair) in self.alone:
            return plain
        if self._in_wrong_field(field, pred, elsewhere):
            return WRONG_FIELD
        if gold is None or pred is None or not pair.type:
            return plain
        if plain in LIKELY or not elsewhere.pred:
            return plain
        copied = self.golds.in_other_row(pair.gold, field, elsewhere.pred)
        return WRONG_ROW if copied and _is_telling(field, pred) else plain

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


def _is_foreign(schema: Schema, kind: DocumentType, path: str) -> bool:
    """Whether the form of a document type has no such field."""
    return not _lists(schema, kind, path)


def _lists(schema: Schema, kind: DocumentType, path: str) -> bool:
    """Whether a document type has a field, by its name, its group's or its column's."""
    if not kind.fields:
        return True
    names = {path, *(group.columns[path] for group in schema.groups if path in group.columns)}
    return any(field in names or path.startswith(f"{field}.") for field in kind.fields)
