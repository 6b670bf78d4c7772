"""Where else in a document a value stands: in another row, or in another field.

Every value is looked for among those whose texts might mean the same, which their gists tell. There
are rarely any, so that few texts of a document are read as another field would read them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import chain
from operator import attrgetter

from docassay.kernel.senses import usual_text
from docassay.model.document import Group, Reading, Values
from docassay.values.field import BoundField
from docassay.values.read.characters import collapse, fold
from docassay.values.read.number import all_digits_of, digits_of
from docassay.values.reader import Gist

Standing = tuple[Group, Mapping[str, Values]]
"""A group, and values of it by field."""
Kind = tuple[Gist | None, Hashable]
"""A gist and what texts have in common by it; all texts are of one kind where it tells nothing."""
NO_KIND: Kind = (None, None)
Alike = Sequence[tuple[Reading, Kind]]
"""Forms of a value that others may have too, each with their kind."""
ALONE = (None,)
"""Stands for the forms of a value that has one."""
SAME_DIGITS = frozenset({digits_of, usual_text, collapse})
"""Gists of texts that have the same digits, which are told for all texts of a document at once."""

_text, _alternatives, _is_normalised = map(attrgetter, ("text", "alternatives", "normalised"))


class Places:
    """Some values of a document, to be asked where else a value stands."""

    __slots__ = (
        "_alternatives",
        "_by_kind",
        "_by_meaning",
        "_folded",
        "_forms",
        "_kinds",
        "_rows",
        "_standing",
        "_texts",
    )

    def __init__(self, rows: Iterable[Standing], texts: Sequence[str] | None = None) -> None:
        """Take values; `texts` are theirs, one by one, where they are nothing but texts."""
        self._rows: Iterable[Standing] = rows
        self._texts = texts
        self._forms: list[Reading] | None = None
        self._alternatives = False
        self._folded: tuple[str, ...] | None = None
        self._standing: list[tuple[Group, str]] = []
        self._kinds: dict[Gist, tuple[Sequence[Hashable], Mapping[Hashable, int]]] = {}
        self._by_kind: dict[Gist, dict[Hashable, list[int]]] = {}
        self._by_meaning: dict[tuple[object, Kind], dict[str | None, list[int]]] = {}

    def alike(self, field: BoundField, reading: Reading, besides: Reading | None) -> Alike:
        """Return what may be here of a value of a field: nothing, for most values.

        `besides` is the value that stands in its own place, if that is one of these.
        """
        alike: list[tuple[Reading, Kind]] = []
        for form in reading.alternatives or (reading,):
            gist, own = kind = kind_of(field, form)
            if gist is None:
                alike.append((form, kind))
                continue
            if (gist is usual_text or form.problem is not None) and self._lacks(form.canonical):
                continue
            amounts = (self._kinds.get(gist) or self._kinds_by(gist))[1]
            amount = amounts.get(own)
            if amount is not None and amount > _count(gist, own, besides):
                alike.append((form, kind))
            if None in amounts:
                alike.append((form, (gist, None)))
        return alike

    def in_other_row(self, row: Group | None, field: BoundField, alike: Alike) -> bool:
        """Whether the field has a value in another row."""
        forms, path = self._all_forms(), field.path

        def meaning(place: int) -> str | None:
            return forms[place].canonical if self._at(place)[1] == path else None

        return any(
            self._at(place)[0] is not row
            for form, kind in alike
            for place in self._same(path, kind, meaning, form.canonical)
        )

    def in_other_field(self, field: BoundField, alike: Alike) -> bool:
        """Whether another field has a value, its text read as this field reads it."""
        forms, canonical = self._all_forms(), field.canonical

        def meaning(place: int) -> str | None:
            return canonical[forms[place].text]

        return any(
            self._at(place)[1] != field.path
            for form, kind in alike
            for place in self._same(id(canonical), kind, meaning, form.canonical)
        )

    def _lacks(self, text: str) -> bool:
        """Whether no value has a text in it, and none is more than its text."""
        if self._folded is None:
            texts = self._texts
            if texts is None and not any(map(_is_normalised, self._all_forms())):
                texts = [*map(_text, self._all_forms())]
            self._folded = () if texts is None else (fold("\0".join(texts)),)
        return bool(self._folded) and text not in self._folded[0]

    def _same(
        self, way: object, kind: Kind, meaning: Callable[[int], str | None], canonical: str
    ) -> Sequence[int]:
        """Return the values of a kind that mean the same, in one way to say what they mean."""
        by_meaning = self._by_meaning.get((way, kind))
        if by_meaning is None:
            by_meaning = self._by_meaning[way, kind] = {}
            for place in self._of_kind(*kind):
                by_meaning.setdefault(meaning(place), []).append(place)
        return by_meaning.get(canonical, ())

    def _all_forms(self) -> list[Reading]:
        """Return all values, and what else is accepted for them."""
        if self._forms is None:
            self._rows = [*self._rows]
            values = [values.values() for _, values in self._rows]
            forms = [*chain.from_iterable(chain.from_iterable(values))]
            self._alternatives = any(map(_alternatives, forms))
            if self._alternatives:
                forms = [form for reading in forms for form in reading.accepted]
            self._forms = forms
        return self._forms

    def _at(self, place: int) -> tuple[Group, str]:
        """Return the group and the field of a value."""
        if not self._standing:
            self._standing = [
                (row, path)
                for row, values in self._rows
                for path, readings in values.items()
                for reading in readings
                for _ in (reading.accepted if self._alternatives else ALONE)
            ]
        return self._standing[place]

    def _kinds_by(self, gist: Gist) -> tuple[Sequence[Hashable], Mapping[Hashable, int]]:
        """Return the gist of each text, and how many have each."""
        texts = [*map(_text, self._all_forms())] if self._texts is None else self._texts
        kinds: Sequence[Hashable] = (
            all_digits_of(texts) if gist is digits_of else [*map(gist, texts)]
        )
        if self._texts is None and any(map(_is_normalised, self._all_forms())):
            told = zip(self._all_forms(), kinds, strict=True)
            kinds = [None if form.normalised else kind for form, kind in told]
        self._kinds[gist] = (kinds, Counter(kinds))
        return self._kinds[gist]

    def _of_kind(self, gist: Gist | None, kind: Hashable) -> Sequence[int]:
        """Return the values of a kind."""
        if gist is None:
            return range(len(self._all_forms()))
        places = self._by_kind.get(gist)
        if places is None:
            places = self._by_kind[gist] = {}
            for place, own in enumerate((self._kinds.get(gist) or self._kinds_by(gist))[0]):
                places.setdefault(own, []).append(place)
        return places.get(kind, ())


def _count(gist: Gist, kind: Hashable, reading: Reading | None) -> int:
    """Return how many forms of a value are of a kind."""
    if reading is None:
        return 0
    return sum([not form.normalised and gist(form.text) == kind for form in reading.accepted])


def kind_of(field: BoundField, form: Reading) -> Kind:
    """Return what all values have in common that may be the same to a field, by some gist."""
    if form.normalised:
        return NO_KIND
    gist = field.gist
    if gist in SAME_DIGITS:
        digits = digits_of(form.text)
        if digits:
            return digits_of, digits
    if gist is not None:
        # the canonical form is a text of the same value
        own = gist(form.text) or gist(form.canonical)
        if own is not None:
            return gist, own
    # what cannot be read is the same only as itself
    return NO_KIND if form.problem is None else (fold, form.canonical)
