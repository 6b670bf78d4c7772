"""Reading one text: the value and, when the text is not of its type, the problem to report."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cached_property, partial
from inspect import unwrap
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from docassay.errors import ConfigurationError, UnknownName, Unreadable
from docassay.kernel.readings import CACHE_SIZE, Readings, bare, by_keys
from docassay.kernel.senses import (
    DateSenses,
    ExactSenses,
    MoneySenses,
    NumberSenses,
    TextSenses,
    usual_number,
)
from docassay.model.document import Number, Reading, Sense, Senses, Unread
from docassay.model.schema import DATE_ORDERS, Field, Schema
from docassay.values.comparator import COMPARATORS, Comparator, pairwise, unread_key
from docassay.values.read.characters import fold, shortened
from docassay.values.read.number import Amount, amounts_in
from docassay.values.read.text import read_text
from docassay.values.reader import READERS, Reader, field_type

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


ABSENT = frozenset({"", "not_found"})
TOLERANCES = frozenset({"relative", "absolute"})
"""Options by which a comparator forgives a difference."""
ZERO = Decimal(0)
_NUMBERS: Mapping[str, Callable[[str], Hashable]] = {
    "number": Decimal,
    "quantity": amounts_in(None),
}
"""Readers of numbers, and what makes their values of the digits of a usual one."""


class CanonicalForms(dict[str, str | None]):
    """The canonical forms of what texts mean to a reader; None for a text that means "no value".

    Fields that read alike share them.
    """

    __slots__ = ("__weakref__", "absent", "read")

    def __init__(self, read: Callable[[str], Hashable], absent: frozenset[str]) -> None:
        super().__init__()
        self.read = read
        self.absent = absent

    def __missing__(self, text: str) -> str | None:
        if len(self) >= CACHE_SIZE:
            self.clear()
        form = None
        if bare(text) not in self.absent:
            try:
                form = str(self.read(text))
            except Unreadable as error:
                form = str(unread(text, error)[0])
        self[text] = form
        return form


_canonical: WeakValueDictionary[tuple[object, ...], CanonicalForms] = WeakValueDictionary()


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
        # what is stripped may be all that two texts differ in
        self.gist = None if self.reader_options.get("strip") else reader.gist
        """What tells most texts of different values apart without reading them, or None."""
        self._read = _with_options(reader.function, self.reader_options)
        self.comparator = comparator
        self.options = _options(comparator, shared, spec)
        # below full similarity "close to" is not transitive, so no key can stand for it
        keyed = spec.accept >= 1.0 or comparator.binary
        self._key = (
            None
            if comparator.key is None or not keyed
            else _with_options(unwrap(comparator.key), self.options)
        )
        self.keyed = self._key is not None
        """Whether a key settles the equality of values that are stated in the same."""
        self._scope = (
            None
            if comparator.scope is None
            else _with_options(unwrap(comparator.scope), self.options)
        )
        self._batch = comparator.batch
        self._absent = absent_texts(schema)
        self._prefix = f"{self.path}\x1f"
        self.plain_numbers = False
        """Whether a usual JSON number means what its digits do as a text, without a look at it."""
        self.as_text = spec.type == "exact" and spec.compare is None
        """Values count as the texts they are: any text can be read, and equal texts are equal."""
        of_texts, of_numbers = self._senses()
        self.readings = Readings(of_texts, self._absent)
        self.numbers = self.readings if self.as_text else Readings(of_numbers, self._absent)
        """The readings of JSON numbers: there 60.125 has a decimal point, whatever texts mean."""

    def means_absent(self, text: str) -> bool:
        """Whether a text stands for "no value"."""
        return bare(text) in self._absent

    def _of_value(self, value: Hashable) -> Sense:
        key = None if self._key is None else self._key(value)
        scope = None if self._scope is None else self._scope(value)
        return Sense(value, None if key is None else self._prefix + key, scope, None)

    @cached_property
    def canonical(self) -> CanonicalForms:
        """The canonical forms of texts, as this field reads them."""
        key = (self.reader.function, repr(sorted(self.reader_options.items())), self._absent)
        forms = _canonical.get(key)
        if forms is None:
            forms = _canonical[key] = CanonicalForms(self._read, self._absent)
        return forms

    def normalised(self, reading: Reading, stated: object) -> Reading:
        """Return a reading as the normalised value beside its text settles it.

        The text is what counts: the other value is taken where the text cannot be read, or where it
        is one of several things that the text may mean (03/04/2025, $, 1,234).
        """
        if self.as_text or isinstance(stated, bool) or not isinstance(stated, (str, int, float)):
            return reading
        # services write a decimal point, whatever the document's language
        point = {"decimal": "."} if "decimal" in self.reader_options else {}
        text = stated if isinstance(stated, str) else str(stated)
        try:
            value = self.reader.function(text, **{**self.reader_options, **point})
        except Unreadable:
            return reading
        if reading.problem is None:
            value = self._meant(reading, value)
        if str(value) == str(reading.value):
            return reading
        # a text equals itself whatever else is stated beside it, which no key can say
        settled = self._of_value(value)
        settled.key = None
        return Reading(reading.text, reading.make, settled, normalised=True)

    def _meant(self, reading: Reading, value: Hashable) -> Hashable:
        """Return the one of the meanings of a text that agrees with a value, else its own."""
        ways: list[dict[str, object]] = [{}]
        for name, choices in (("dates", DATE_ORDERS), ("decimal", (".", ","))):
            if name in self.reader_options:
                ways += [{**way, name: choice} for way in ways for choice in choices]
        unit = value.unit if isinstance(value, Amount) else None
        if unit is not None and "currency" in self.reader_options:
            ways += [{**way, "currency": unit} for way in ways]
        for way in ways:
            try:
                meaning = self.reader.function(reading.text, **{**self.reader_options, **way})
            except (Unreadable, ConfigurationError):
                continue
            if _agree(meaning, value):
                return meaning
        return reading.value

    def _senses(self) -> tuple[Senses, Senses]:
        """Return what gives the senses of texts and of JSON numbers, in few steps if it can."""
        general = general_senses(self._read, self._key, self._scope, self._prefix)
        from_number = _from_number(general)
        if self.as_text:
            return ExactSenses(self._prefix, general), general
        if self.reader.function is read_text and self.comparator.name == "edit":
            plain = self._key is not None and not self.reader_options.get("strip")
            return TextSenses(self._prefix, general) if plain else general, from_number
        if self.reader.name == "date" and self.comparator.name == "same":
            return self._senses_of_dates(general), from_number
        amounts = self.reader.name == self.comparator.name == "money"
        made = _NUMBERS.get(self.reader.name) if self.comparator.name == "within" else None
        if not amounts and made is None:
            return general, from_number
        if self._key is None or self._key(ZERO) != "0":  # a tolerance
            return general, from_number
        if made is None:
            return MoneySenses(self._prefix, general, amounts_in), from_number
        points = self.plain_numbers = self.reader_options.get("decimal") in (None, ".")
        signs = self.reader.name == "number"
        return (
            NumberSenses(self._prefix, general, made, signs=signs) if points else general,
            NumberSenses(self._prefix, from_number, made, signs=False),
        )

    def _senses_of_dates(self, general: Senses) -> Senses:
        order = self.reader_options["dates"]
        if order not in DATE_ORDERS:
            return general
        from docassay.values.read.date import day_of

        return DateSenses(self._prefix, general, day_of, day_first=order == DATE_ORDERS[0])

    def means_its_digits(self, number: str) -> bool:
        """Whether a JSON number means what its digits do as a text."""
        if self.plain_numbers and usual_number(number) is not None:
            return True
        own: Reading | None = self.numbers[number]
        text: Reading | None = self.readings[number]
        return (own and own.canonical) == (text and text.canonical)

    def similarity(self, gold: Reading, pred: Reading) -> float:
        """Return the similarity of two readings, of the best of gold's accepted alternatives."""
        compare = self.comparator.function
        if (gold.normalised or pred.normalised) and gold.text == pred.text:
            return 1.0
        if not gold.alternatives:
            return float(compare(gold.value, pred.value, **self.options))
        return max(
            float(compare(accepted.value, pred.value, **self.options)) for accepted in gold.accepted
        )

    def nearest(self, gold: Reading, pred: Reading) -> Reading:
        """Return the one of gold's accepted alternatives that is most like pred."""
        return max(gold.accepted, key=lambda accepted: self.similarity(accepted, pred))

    def equal(self, gold: Reading, pred: Reading) -> bool:
        """Whether the comparator accepts pred for gold."""
        settled = by_keys(gold, pred)
        return self.similarity(gold, pred) >= self.spec.accept if settled < 0 else settled > 0

    def equal_matrix(self, golds: Sequence[Reading], preds: Sequence[Reading]) -> NDArray[np.bool_]:
        """Return which pairs are equal, a row a gold reading; compares in one batch if it can."""
        import numpy as np

        if self._batch is None or _has_special(golds, preds):
            pairs = [[self.equal(gold, pred) for pred in preds] for gold in golds]
            return np.array(pairs, dtype=np.bool_).reshape(len(golds), len(preds))
        return self.similarities(golds, preds) >= self.spec.accept

    def similarities(
        self, golds: Sequence[Reading], preds: Sequence[Reading]
    ) -> NDArray[np.float64]:
        """Return the similarity of every pair, a row a gold reading; in one batch if it can."""
        if self._batch is None or _has_special(golds, preds):
            return pairwise(lambda gold, pred: self.similarity(gold, pred), golds, preds)
        return self._batch(
            [gold.value for gold in golds], [pred.value for pred in preds], **self.options
        )

    @property
    def without_tolerance(self) -> BoundField:
        """The same field, forgiving nothing: equal values have equal canonical forms."""
        return self._stricter or self

    @cached_property
    def _stricter(self) -> BoundField | None:
        """The field without what it forgives; None where that is nothing."""
        options = {
            name: option for name, option in self.spec.options.items() if name not in TOLERANCES
        }
        if self.spec.accept >= 1.0 and len(options) == len(self.spec.options):
            return None
        return BoundField(replace(self.spec, options=options, accept=1.0), self.schema)


# What gives senses holds no field: a field holds its readings, and these what gives their senses.


def general_senses(
    read: Callable[[str], Hashable],
    key_of: Callable[[Any], str | None] | None,
    scope_of: Callable[[Any], Hashable] | None,
    prefix: str,
) -> Senses:
    """Return what gives the senses of texts, whatever a field's reader and comparator are."""

    def sense(text: str) -> Sense:
        try:
            value = read(text)
        except Unreadable as error:
            value, problem = unread(text, error)
            key = None if key_of is None else unread_key(value)
            return Sense(value, None if key is None else prefix + key, None, problem)
        key = None if key_of is None else key_of(value)
        scope = None if scope_of is None else scope_of(value)
        return Sense(value, None if key is None else prefix + key, scope, None)

    return sense


def _from_number(general: Senses) -> Senses:
    return lambda text: general(Number(text))


def _has_special(golds: Sequence[Reading], preds: Sequence[Reading]) -> bool:
    """Whether any of these is more than its one value."""
    return any(gold.alternatives or gold.normalised for gold in golds) or any(
        pred.normalised for pred in preds
    )


def _agree(meaning: Hashable, value: Hashable) -> bool:
    """Whether a meaning of a text is a value, a unit that either leaves open aside."""
    if isinstance(meaning, Amount) and isinstance(value, Amount):
        open_unit = meaning.unit is None or value.unit is None
        return meaning.number == value.number and (open_unit or meaning.unit == value.unit)
    return meaning == value


def absent_texts(schema: Schema) -> frozenset[str]:
    """Return the texts that mean "no value", white space collapsed and without case."""
    return ABSENT | {*map(bare, schema.absent)}


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
