"""Reading one text: the value and, when the text is not of its type, the problem to report."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import msgspec

from docassay.errors import UnknownName, Unreadable
from docassay.model.document import Number, Reading, Unread
from docassay.model.schema import Field, Schema
from docassay.values.comparator import COMPARATORS, Comparator, pairwise
from docassay.values.read.characters import fold, shortened
from docassay.values.reader import READERS, Reader
from docassay.values.types import field_type

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


ABSENT = frozenset({"", "not_found"})
TOLERANCES = frozenset({"relative", "absolute"})
"""Options by which a comparator forgives a difference."""
CACHE_SIZE = 65_536


class Readings(dict[str, Reading | None]):
    """The readings of a field by text; None stands for a text that means "no value"."""

    __slots__ = ("make",)

    def __init__(self, make: Callable[[str], Reading | None]) -> None:
        super().__init__()
        self.make = make

    def __missing__(self, text: str) -> Reading | None:
        if len(self) >= CACHE_SIZE:
            self.clear()
        if type(text) is not str:
            text = str(text)
        reading = self[text] = self.make(text)
        return reading


class BoundField:
    """A field with its reader and comparator: turns texts into readings and compares them."""

    def __init__(self, spec: Field, schema: Schema) -> None:
        self.spec = spec
        self.schema = schema
        self.path = spec.path
        kind = field_type(spec.type, where=spec.path)
        reader = READERS.get(kind.reader, where=spec.path)
        comparator = COMPARATORS.get(spec.compare or kind.comparator, where=spec.path)
        for name in spec.options:
            if name not in reader.options and name not in comparator.options:
                options = {*reader.options, *comparator.options}
                raise UnknownName(f"option of type {spec.type}", name, options, where=spec.path)
        shared: dict[str, object] = {"dates": schema.dates}
        if schema.currency is not None:
            shared["currency"] = schema.currency
        self.reader = reader
        self.reader_options = _options(reader, shared, spec)
        self.comparator = comparator
        self.options = _options(comparator, shared, spec)
        self._read = _with_options(reader.function, self.reader_options)
        # below full similarity "close to" is not transitive, so no key can stand for it
        keyed = spec.accept >= 1.0 or comparator.binary
        self._key = (
            None
            if comparator.key is None or not keyed
            else _with_options(comparator.key, self.options)
        )
        self._scope = (
            None if comparator.scope is None else _with_options(comparator.scope, self.options)
        )
        self._batch = comparator.batch
        self._absent = absent_texts(schema)
        self._prefix = f"{self.path}\x1f"
        self.as_text = spec.type == "exact" and spec.compare is None
        """Values count as the texts they are: any text can be read, and equal texts are equal."""
        self.readings = Readings(self._exact_maker() if self.as_text else self._make)
        self.numbers = self.readings if self.as_text else Readings(self._make_from_number)
        """The readings of JSON numbers: there 60.125 has a decimal point, whatever texts mean."""

    def means_absent(self, text: str) -> bool:
        """Whether a text stands for "no value"."""
        return " ".join(text.split()).casefold() in self._absent

    def _make(self, text: str) -> Reading | None:
        if self.means_absent(text):
            return None
        problem = None
        try:
            value = self._read(text)
        except Unreadable as error:
            value, problem = unread(text, error)
        key = scope = None
        if self._key is not None:
            key = self._key(value)
            if key is not None:
                key = self._prefix + key
        if self._scope is not None and problem is None:
            scope = self._scope(value)
        tame = key is not None and scope is None
        return Reading(text, value, key, scope, problem, tame, tame and problem is None)

    def _make_from_number(self, text: str) -> Reading | None:
        reading = self._make(Number(text))
        return None if reading is None else msgspec.structs.replace(reading, text=text)

    def _exact_maker(self) -> Callable[[str], Reading | None]:
        """Return what `_make` comes to for most texts of fields without a type, in fewer steps."""
        prefix, absent, general = self._prefix, self._absent, self._make
        longest = max(map(len, absent))

        def make(text: str) -> Reading | None:
            collapsed = " ".join(text.split())
            if len(collapsed) <= longest and collapsed.casefold() in absent:
                return None
            if not text.isascii():
                return general(text)
            return Reading(text, collapsed, prefix + collapsed, None, None, True, True)

        return make

    def similarity(self, gold: Reading, pred: Reading) -> float:
        """Return the similarity of two readings, of the best of gold's accepted alternatives."""
        compare = self.comparator.function
        return max(
            float(compare(accepted.value, pred.value, **self.options)) for accepted in gold.accepted
        )

    def nearest(self, gold: Reading, pred: Reading) -> Reading:
        """Return the one of gold's accepted alternatives that is most like pred."""
        return max(gold.accepted, key=lambda accepted: self.similarity(accepted, pred))

    def equal(self, gold: Reading, pred: Reading) -> bool:
        """Whether the comparator accepts pred for gold."""
        if gold.key is not None and gold.tame and pred.tame:
            return gold.key == pred.key
        return self.similarity(gold, pred) >= self.spec.accept

    def equal_matrix(self, golds: Sequence[Reading], preds: Sequence[Reading]) -> NDArray[np.bool_]:
        """Return which pairs are equal, a row a gold reading; compares in one batch if it can."""
        import numpy as np

        if self._batch is None or any(gold.alternatives for gold in golds):
            pairs = [[self.equal(gold, pred) for pred in preds] for gold in golds]
            return np.array(pairs, dtype=np.bool_).reshape(len(golds), len(preds))
        return self.similarities(golds, preds) >= self.spec.accept

    def similarities(
        self, golds: Sequence[Reading], preds: Sequence[Reading]
    ) -> NDArray[np.float64]:
        """Return the similarity of every pair, a row a gold reading; in one batch if it can."""
        if self._batch is None or any(gold.alternatives for gold in golds):
            return pairwise(lambda gold, pred: self.similarity(gold, pred), golds, preds)
        return self._batch(
            [gold.value for gold in golds], [pred.value for pred in preds], **self.options
        )

    @cached_property
    def without_tolerance(self) -> BoundField:
        """The same field, forgiving nothing: equal values have equal canonical forms."""
        options = {
            name: option for name, option in self.spec.options.items() if name not in TOLERANCES
        }
        if self.spec.accept >= 1.0 and len(options) == len(self.spec.options):
            return self
        return BoundField(replace(self.spec, options=options, accept=1.0), self.schema)


def absent_texts(schema: Schema) -> frozenset[str]:
    """Return the texts that mean "no value", white space collapsed and without case."""
    return ABSENT | {" ".join(text.split()).casefold() for text in schema.absent}


def _with_options(function: object, options: Mapping[str, object]) -> Callable[[object], Any]:
    """Return a function of one value with its options filled in."""
    assert callable(function)
    return partial(function, **options) if options else function


def _options(
    entry: Comparator | Reader, shared: Mapping[str, object], spec: Field
) -> dict[str, object]:
    given = {**shared, **spec.options}
    own = {name: value for name, value in given.items() if name in entry.options}
    return entry.check(own, where=spec.path)


def read_value(
    function: Callable[..., Hashable], options: Mapping[str, object], text: str
) -> tuple[Hashable, str | None]:
    """Return a text's value and no problem, or Unread and the sentence that says why."""
    try:
        return function(text, **options), None
    except Unreadable as error:
        return unread(text, error)


def unread(text: str, error: Unreadable) -> tuple[Unread, str]:
    """Return the value of a text that could not be read, and the sentence that says why."""
    return Unread(fold(text)), f"{shortened(text)} is {error.what}"
