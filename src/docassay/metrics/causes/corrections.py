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
from docassay.kernel.pairs import count_by_kind
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
from docassay.metrics.causes.rows import Pair, Wrong, pairs_of, row_causes, wrong_in
from docassay.metrics.causes.values import cause_between, words_of
from docassay.model.document import Reading
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
        pairs = self.root.walk(every=False)
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
    walks = [root.walk(every=False) for root in roots]
    wrong = [wrong_in(pairs) for pairs in walks]
    contexts = [
        None if not own or _says_nothing(case.pred.tree) else _Context(case, pairs, own)
        for case, pairs, own in zip(cases, walks, wrong, strict=True)
    ]
    causes = [
        [UNPARSED] * len(own) if context is None else context.first_causes()
        for context, own in zip(contexts, wrong, strict=True)
    ]
    elsewhere = Elsewhere(PRINTERS)
    found = [() if context is None else context.elsewhere(elsewhere) for context in contexts]
    for context, own, places in zip(contexts, causes, found, strict=True):
        if context is not None and places:
            context.look_elsewhere(own, places)
    return [*map(ExplainedCase, roots, wrong, causes)]


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

    def __init__(self, case: Case, pairs: list[Pair], wrong: list[Wrong]) -> None:
        self.case = case
        self.schema = case.layout.schema
        self.alone, self.seams = row_causes(pairs)
        self.root = pairs[0].gold
        self.wrong = wrong
        self._doubtful: list[int] = []
        """Which of the wrong values may stand elsewhere, as far as their first cause tells."""

    @cached_property
    def other_type(self) -> DocumentType | None:
        """The type whose form pred filled in instead of gold's."""
        return _other_form(self.case)

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

    def first_causes(self) -> list[str]:
        """Return the first cause that holds, of each value that is wrong, if it is nowhere else."""
        causes: list[str] = []
        last: Pair | None = None
        row: tuple[str, str] | None = None
        for place, (pair, field, gold, pred) in enumerate(self.wrong):
            if pair is not last:
                last, row = pair, self.alone.get(id(pair))
            if gold is None or pred is None:
                cause, settled = self._of_one(pair, field, pred, row)
            else:
                cause, settled = self._of_two(pair, field, gold, pred, row)
            causes.append(cause)
            if not settled:
                self._doubtful.append(place)
        return causes

    def elsewhere(self, elsewhere: Elsewhere) -> Sequence[tuple[int, bool, bool]]:
        """Return which of the wrong values may stand in another place: gold's, or pred's."""
        if not self._doubtful:
            return ()
        return elsewhere.of(self.wrong, self._doubtful, self.root, self.alone)

    def look_elsewhere(self, causes: list[str], places: Sequence[tuple[int, bool, bool]]) -> None:
        """Replace the causes of values that stand in another place."""
        for place, of_gold, of_pred in places:
            causes[place] = self._by_place(causes[place], self.wrong[place], of_gold, of_pred)

    def _of_two(
        self,
        pair: Pair,
        field: BoundField,
        gold: Reading,
        pred: Reading,
        row: tuple[str, str] | None,
    ) -> tuple[str, bool]:
        """Return why a value is another, if it stands nowhere else, and whether that is settled.

        `row` has the causes of its rows, if these are alone.
        """
        by_text = cause_between(gold, pred, field)
        if by_text in SURE:
            return by_text, True
        if field.path == self.schema.type_field:
            return DOCUMENT_TYPE, True
        if self.seams and (id(pair), field.path) in self.seams:
            return SPLIT, True
        if row is None:
            return by_text, False
        return SPLIT if SPLIT in row else row[0], False

    def _of_one(
        self, pair: Pair, field: BoundField, pred: Reading | None, row: tuple[str, str] | None
    ) -> tuple[str, bool]:
        """Return the same of a value that is missing (pred is None) or should not be there."""
        if pred is None and self.schema.types:
            other = self.other_type
            if other is not None and not _lists(self.schema, other, field.path):
                return DOCUMENT_TYPE, True
        if row is not None:
            return row[0 if pred is None else 1], True
        if self.seams and (id(pair), field.path) in self.seams:
            return SPLIT, True
        return (MISSING if pred is None else HALLUCINATED), False

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


def _other_form(case: Case) -> DocumentType | None:
    """Return the type whose form pred filled in instead of gold's, None when it did not."""
    schema, name = case.layout.schema, case.pred_type
    stated = next((type_ for type_ in schema.types if type_.name == name), None)
    if stated is None or name == case.type:
        return None
    filled = {entity.field for entity in case.pred.root.entities()} - {schema.type_field}
    return stated if all(_lists(schema, stated, path) for path in filled) else None


def _lists(schema: Schema, kind: DocumentType, path: str) -> bool:
    """Whether a document type has a field, by its name, its group's or its column's."""
    if not kind.fields:
        return True
    names = {path, *(group.columns[path] for group in schema.groups if path in group.columns)}
    return any(field in names or path.startswith(f"{field}.") for field in kind.fields)
