"""The cause of every correction of a document: by the two texts, and by what stands around them.

Context goes before the texts where it is the surer evidence: a value that another field has is
rather taken from there than a misread digit. A few characters are no such evidence, because short
values repeat by chance; they count only where the other place misses its value.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cached_property
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
from docassay.metrics.causes.rows import Pair, RowCauses, pairs_of, row_causes
from docassay.metrics.causes.values import cause_between, words_of
from docassay.model.document import Reading
from docassay.model.schema import DocumentType, Schema
from docassay.values.field import BoundField
from docassay.values.read.characters import gists_of
from docassay.values.reader import Gist

Standing = tuple[Pair, str, Sequence[Reading]]
"""The pair of groups that values belong to, their field, and the values."""
NO_FIELDS: frozenset[str] = frozenset()
NO_PAIRS: frozenset[int] = frozenset()


class Places:
    """Some values of a document, to be asked where else a value stands."""

    def __init__(self, values: Iterable[Standing]) -> None:
        self._values = [*values]
        self._forms: dict[str, dict[str, set[int]]] = {}
        self._alike: dict[Gist, dict[Hashable, list[str]]] = {}
        self._read: dict[tuple[int, Hashable], dict[str | None, set[str]]] = {}

    @cached_property
    def _fields(self) -> dict[str, set[str]]:
        """The fields that hold a text."""
        fields: dict[str, set[str]] = {}
        for _, path, readings in self._values:
            for reading in readings:
                for form in reading.accepted:
                    fields.setdefault(form.text, set()).add(path)
        return fields

    def in_other_row(self, pair: Pair, field: BoundField, reading: Reading) -> bool:
        """Whether the field has this value in another pair."""
        forms = self._forms.get(field.path)
        if forms is None:
            forms = self._forms[field.path] = {}
            for own, path, readings in self._values:
                if path == field.path:
                    for entry in readings:
                        for form in entry.accepted:
                            forms.setdefault(form.canonical, set()).add(id(own))
        return any(forms.get(form.canonical, NO_PAIRS) - {id(pair)} for form in reading.accepted)

    def in_other_field(self, field: BoundField, reading: Reading) -> bool:
        """Whether another field has this value, its text read as this field reads it."""
        return any(
            self._meant(field, form.text).get(form.canonical, NO_FIELDS) - {field.path}
            for form in reading.accepted
        )

    def _meant(self, field: BoundField, text: str) -> dict[str | None, set[str]]:
        """Return the fields that hold what a field may read a text as, by canonical form."""
        gist = field.gist
        own = None if gist is None else gist(text)
        meant = self._read.get((id(field.canonical), own))
        if meant is None:
            meant = self._read[id(field.canonical), own] = {}
            canonical, fields = field.canonical, self._fields
            for each in fields if gist is None or own is None else self._candidates(gist, own):
                meant.setdefault(canonical[each], set()).update(fields[each])
        return meant

    def _candidates(self, gist: Gist, own: Hashable) -> Iterable[str]:
        """Return the texts of a gist, and those that are to be read to be told apart."""
        texts = self._alike.get(gist)
        if texts is None:
            texts = self._alike[gist] = {}
            for each, its_gist in zip(self._fields, gists_of(gist, [*self._fields]), strict=True):
                texts.setdefault(its_gist, []).append(each)
        return (*texts.get(own, ()), *texts.get(None, ()))


def golds(pairs: Iterable[Pair]) -> Places:
    """Return the places of gold's values."""
    return Places(
        (pair, path, readings)
        for pair in pairs
        if pair.gold is not None
        for path, readings in pair.gold.values.items()
    )


def missed(pairs: Iterable[Pair]) -> Places:
    """Return the places of gold's values that pred misses."""
    return _wrong(pairs, 0)


def spurious(pairs: Iterable[Pair]) -> Places:
    """Return the places of pred's values that are not right."""
    return _wrong(pairs, 1)


def _wrong(pairs: Iterable[Pair], side: int) -> Places:
    return Places(
        (pair, fate.field.path, (reading,))
        for pair in pairs
        for fate in pair.wrong
        if (reading := pair.readings(fate)[side]) is not None
    )


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


class ExplainedCase(NamedTuple):
    """The pairs of a case, and its corrections with their causes."""

    root: Pair
    corrections: list[Correction]


_explained: WeakKeyDictionary[Case, dict[bool, ExplainedCase]] = WeakKeyDictionary()


def explained(case: Case, *, flatten: bool = False) -> ExplainedCase:
    """Return why values of a case are wrong, worked out once for all that ask."""
    ways = _explained.setdefault(case, {})
    if flatten not in ways:
        root = pairs_of(case, flatten=flatten)
        ways[flatten] = ExplainedCase(root, corrections(case, root))
    return ways[flatten]


def corrections(case: Case, root: Pair) -> list[Correction]:
    """Return every correction of a case, in the order of its pairs."""
    pairs = [*root.walk()]
    wrong = [(pair, fate) for pair in pairs for fate in pair.wrong]
    if wrong and _says_nothing(case.pred.tree):
        return [Correction(pair, fate, UNPARSED) for pair, fate in wrong]
    context = _Context(case, pairs)
    return [Correction(pair, fate, context.cause(pair, fate)) for pair, fate in wrong]


def _says_nothing(tree: object) -> bool:
    """Whether there is no prediction at all: none was given, or its response had no record."""
    return not isinstance(tree, Mapping) or not tree


class _Context:
    """What stands around the values of a case, worked out when first asked for."""

    def __init__(self, case: Case, pairs: Sequence[Pair]) -> None:
        self.schema = case.layout.schema
        self.pairs = pairs
        self.other_type = _other_form(case)

    @cached_property
    def golds(self) -> Places:
        return golds(self.pairs)

    @cached_property
    def missed(self) -> Places:
        return missed(self.pairs)

    @cached_property
    def spurious(self) -> Places:
        return spurious(self.pairs)

    @cached_property
    def rows(self) -> RowCauses:
        return row_causes(self.pairs)

    def cause(self, pair: Pair, fate: Fate) -> str:
        """Return the first cause that holds."""
        gold, pred = pair.readings(fate)
        if gold is not None and pred is not None:
            return self._of_two(pair, fate.field, gold, pred)
        return self._of_one(pair, fate.field, gold, pred)

    def _of_two(self, pair: Pair, field: BoundField, gold: Reading, pred: Reading) -> str:
        by_text = cause_between(gold, pred, field)
        if by_text in SURE:
            return by_text
        if field.path == self.schema.type_field:
            return DOCUMENT_TYPE
        if (id(pair), field.path) in self.rows.seams:
            return SPLIT
        if self._in_wrong_row(pair, field, gold, pred):
            return WRONG_ROW
        if id(pair) in self.rows.alone:
            causes = self.rows.alone[id(pair)]
            return SPLIT if SPLIT in causes else causes[0]
        if self._in_wrong_field(field, gold, pred):
            return WRONG_FIELD
        if by_text in LIKELY or not pair.type or not _is_telling(field, pred):
            return by_text
        return WRONG_ROW if self.golds.in_other_row(pair, field, pred) else by_text

    def _of_one(
        self, pair: Pair, field: BoundField, gold: Reading | None, pred: Reading | None
    ) -> str:
        """Return why a value is missing (pred is None) or should not be there (gold is None)."""
        other = self.other_type
        if pred is None and other is not None and not _lists(self.schema, other, field.path):
            return DOCUMENT_TYPE
        if id(pair) in self.rows.alone:
            return self.rows.alone[id(pair)][0 if pred is None else 1]
        if (id(pair), field.path) in self.rows.seams:
            return SPLIT
        if self._in_wrong_row(pair, field, gold, pred):
            return WRONG_ROW
        if self._in_wrong_field(field, gold, pred):
            return WRONG_FIELD
        return MISSING if pred is None else HALLUCINATED

    def _in_wrong_row(
        self, pair: Pair, field: BoundField, gold: Reading | None, pred: Reading | None
    ) -> bool:
        """Whether the value is to spare, or missed, in the same column of another row."""
        if not pair.type:
            return False
        if gold is not None and self.spurious.in_other_row(pair, field, gold):
            return True
        return pred is not None and self.missed.in_other_row(pair, field, pred)

    def _in_wrong_field(
        self, field: BoundField, gold: Reading | None, pred: Reading | None
    ) -> bool:
        """Whether the value is to spare, or missed, in another field, or was copied from there."""
        if field.spec.type in FEW_VALUES:
            return False
        if gold is not None and self.spurious.in_other_field(field, gold):
            return True
        if pred is None:
            return False
        if self.missed.in_other_field(field, pred):
            return True
        return _is_telling(field, pred) and self.golds.in_other_field(field, pred)


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
