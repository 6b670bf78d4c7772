"""The cause of every correction of a document: by the two texts, and by what stands around them.

Context goes before the texts where it is the surer evidence: a value that another field has is
rather taken from there than a misread digit. A few characters are no such evidence, because short
values repeat by chance; they count only where the other place misses its value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from docassay.kernel.elsewhere import TELLING, Elsewhere
from docassay.kernel.pairs import CauseWords, FirstCauses, count_by_kind
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
from docassay.metrics.causes.places import PRINTERS, Alike, Places, SomePlaces, all_places
from docassay.metrics.causes.rows import Pair, RowCauses, Wrong, pairs_of, row_causes, wrong_in
from docassay.metrics.causes.values import cause_between, words_of
from docassay.model.document import Group, Reading
from docassay.model.schema import DocumentType, Schema
from docassay.model.stats import Counts, Parts
from docassay.values.field import BoundField

SURE = frozenset({FORMATTING, SIGN})
"""Causes that the two texts settle, whatever stands around them."""
LIKELY = frozenset({FACTOR, TRANSPOSED, LOOK_ALIKE})
"""Causes that go before a mere coincidence with another row."""
FEW_VALUES = frozenset({"boolean", "choice"})
"""Types whose values are all over a document, so that none points to another field."""


class Correction(NamedTuple):
    """A value to be corrected, where it stands, and why it is wrong."""

    pair: Pair
    fate: Fate
    cause: str


class ExplainedCase:
    """The pairs of a case, what is wrong in them, and the cause of each mistake."""

    def __init__(self, root: Pair, wrong: list[Wrong], causes: list[str]) -> None:
        self.root = root
        self.wrong = wrong
        self.causes = causes

    @cached_property
    def corrections(self) -> list[Correction]:
        """Every correction, in the order of the pairs."""
        pairs = self.root.with_others()
        fates = [(pair, fate) for pair in pairs for fate in pair.wrong]
        return [Correction(*each, cause) for each, cause in zip(fates, self.causes, strict=True)]

    def by_kind(self) -> dict[Parts, Counts]:
        """Return how many corrections of each kind a field and cause have."""
        return count_by_kind(self.wrong, self.causes)


def explained(case: Case, *, flatten: bool = False) -> ExplainedCase:
    """Return why values of a case are wrong, worked out once for all that ask."""
    found = case.kept.get((ExplainedCase, flatten))
    if not isinstance(found, ExplainedCase):
        (found,) = explain([case], flatten=flatten)
    return found


def explain(cases: Sequence[Case], *, flatten: bool = False) -> list[ExplainedCase]:
    """Return why values of cases are wrong: all take a step before any takes the next."""
    roots = [pairs_of(case, flatten=flatten) for case in cases]
    every = _explained(cases, roots)
    for case, found in zip(cases, every, strict=True):
        case.kept[ExplainedCase, flatten] = found
    return every


def corrections(case: Case, root: Pair) -> list[Correction]:
    """Return every correction of a case, in the order of its pairs."""
    (found,) = _explained([case], [root])
    return found.corrections


def _explained(cases: Sequence[Case], roots: Sequence[Pair]) -> list[ExplainedCase]:
    walks = [root.with_others() for root in roots]
    wrong = [wrong_in(pairs) for pairs in walks]
    rows = [
        None if not own or _says_nothing(case.pred.tree) else row_causes(pairs)
        for case, pairs, own in zip(cases, walks, wrong, strict=True)
    ]
    first = [
        ([UNPARSED] * len(own), ()) if blame is None else _first_causes(case, own, blame)
        for case, own, blame in zip(cases, wrong, rows, strict=True)
    ]
    elsewhere = Elsewhere(PRINTERS)
    found = [
        elsewhere.of(own, doubtful, root.gold, blame.alone) if blame and doubtful else ()
        for root, own, blame, (_, doubtful) in zip(roots, wrong, rows, first, strict=True)
    ]
    for root, own, blame, (causes, _), places in zip(roots, wrong, rows, first, found, strict=True):
        if blame is not None and places:
            _Context(root.gold, own, blame.alone).look_elsewhere(causes, places)
    return [*map(ExplainedCase, roots, wrong, [causes for causes, _ in first])]


def _first_causes(
    case: Case, wrong: list[Wrong], blame: RowCauses
) -> tuple[list[str], Sequence[int]]:
    """Return the cause of each wrong value if it stands nowhere else, and which may stand there."""
    schema = case.layout.schema
    is_unlisted = OtherForm(case).leaves_out if schema.types else None
    return FIRST_CAUSES.of(wrong, blame.alone, blame.seams, schema.type_field, is_unlisted)


FIRST_CAUSES = FirstCauses(
    cause_between, SURE, CauseWords(DOCUMENT_TYPE, SPLIT, MISSING, HALLUCINATED)
)


def _says_nothing(tree: object) -> bool:
    """Whether there is no prediction at all: none was given, or its response had no record."""
    # of most it takes a glance to see
    return not tree or (type(tree) is not dict and not isinstance(tree, Mapping))


class _Context:
    """What stands around the values of a case."""

    _wrong_values: Mapping[str, int] | None = None
    _golds: Places | None = None
    _missed: Places | None = None
    _spurious: Places | None = None

    def __init__(self, root: Group | None, wrong: list[Wrong], alone: Mapping[int, object]) -> None:
        self.root = root
        self.wrong = wrong
        self.alone = alone

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

    def look_elsewhere(self, causes: list[str], places: Sequence[tuple[int, bool, bool]]) -> None:
        """Replace the causes of values that stand in another place."""
        for place, of_gold, of_pred in places:
            causes[place] = self._by_place(causes[place], self.wrong[place], of_gold, of_pred)

    def _by_place(self, cause: str, wrong: Wrong, of_gold: bool, of_pred: bool) -> str:
        """Return why a value is wrong that may stand elsewhere: gold's, or pred's.

        The cause given is the one if it does not.
        """
        pair, field, gold, pred = wrong
        elsewhere = _Elsewhere(
            self.spurious.alike(field, gold, pred) if gold is not None and of_gold else (),
            self.golds.alike(field, pred, gold) if pred is not None and of_pred else (),
        )
        if self._in_wrong_row(pair, field, elsewhere):
            return WRONG_ROW
        if id(pair) in self.alone:
            return cause
        if self._in_wrong_field(field, pred, elsewhere):
            return WRONG_FIELD
        if gold is None or pred is None or cause in LIKELY or not pair.type or not elsewhere.pred:
            return cause
        copied = self.golds.in_other_row(pair.gold, field, elsewhere.pred)
        return WRONG_ROW if copied and _is_telling(field, pred) else cause

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


class OtherForm:
    """The type whose form pred filled in instead of gold's, if it did."""

    def __init__(self, case: Case) -> None:
        self._case = case

    @cached_property
    def _type(self) -> DocumentType | None:
        case = self._case
        schema, name = case.layout.schema, case.pred_type
        stated = next((type_ for type_ in schema.types if type_.name == name), None)
        if stated is None or name == case.type:
            return None
        filled = {entity.field for entity in case.pred.root.entities()} - {schema.type_field}
        return stated if all(_lists(schema, stated, path) for path in filled) else None

    def leaves_out(self, path: str) -> bool:
        """Whether pred filled in another form, which has no such field."""
        other = self._type
        return other is not None and not _lists(self._case.layout.schema, other, path)


def _lists(schema: Schema, kind: DocumentType, path: str) -> bool:
    """Whether a document type has a field, by its name, its group's or its column's."""
    if not kind.fields:
        return True
    names = {path, *(group.columns[path] for group in schema.groups if path in group.columns)}
    return any(field in names or path.startswith(f"{field}.") for field in kind.fields)
