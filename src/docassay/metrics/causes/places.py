"""Where else in a document a value stands: in another row, or in another field.

Every value is looked for among those whose texts might mean the same, which their gists tell. There
are rarely any, so that few texts of a document are read as another field would read them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

from docassay.model.document import Group, Reading, Values
from docassay.values.field import BoundField
from docassay.values.read.characters import collapse
from docassay.values.read.number import digits_of, gists_of
from docassay.values.read.text import usual_text
from docassay.values.reader import Gist

Standing = tuple[Group, Mapping[str, Values]]
"""A group, and values of it by field."""
Kind = tuple[Gist | None, Hashable]
"""A gist and what texts have in common by it; all texts are of one kind where it tells nothing."""
NO_KIND: Kind = (None, None)
Alike = Sequence[tuple[Reading, Kind]]
"""Forms of a value that others may have too, each with their kind."""
KEEP_DIGITS = frozenset({usual_text, collapse})
"""Gists of texts that also have the same digits, which for all texts of a document is cheaper."""


class Places:
    """Some values of a document, to be asked where else a value stands."""

    __slots__ = ("_by_kind", "_by_meaning", "_forms", "_gists", "_rows", "_standing")

    def __init__(self, rows: Iterable[Standing]) -> None:
        self._rows: Iterable[Standing] | list[Standing] = rows
        self._forms: list[Reading] | None = None
        self._standing: list[tuple[Group, str]] = []
        self._gists: dict[Gist, tuple[Sequence[Hashable], frozenset[Hashable]]] = {}
        self._by_kind: dict[Gist, dict[Hashable, list[int]]] = {}
        self._by_meaning: dict[tuple[object, Kind], dict[str | None, list[int]]] = {}

    def alike(self, field: BoundField, reading: Reading) -> Alike:
        """Return what may be here of a value of a field: nothing, for most values."""
        if not self._all_forms():
            return ()
        alike: list[tuple[Reading, Kind]] = []
        for form in reading.alternatives or (reading,):
            gist, own = NO_KIND if form.normalised else _kind(field, form.text)
            if gist is None or own is None:
                alike.append((form, NO_KIND))
                continue
            kinds = self._of_texts(gist)[1]
            alike += [(form, (gist, kind)) for kind in (own, None) if kind in kinds]
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
            self._forms = [
                form
                for _, values in self._rows
                for readings in values.values()
                for reading in readings
                for form in reading.alternatives or (reading,)
            ]
        return self._forms

    def _at(self, place: int) -> tuple[Group, str]:
        """Return the group and the field of a value."""
        if not self._standing:
            self._standing = [
                (row, path)
                for row, values in self._rows
                for path, readings in values.items()
                for reading in readings
                for _ in reading.accepted
            ]
        return self._standing[place]

    def _of_texts(self, gist: Gist) -> tuple[Sequence[Hashable], frozenset[Hashable]]:
        """Return the gist of each text, and all of them."""
        gists = self._gists.get(gist)
        if gists is None:
            of_texts = gists_of(gist, [form.text for form in self._all_forms()])
            gists = self._gists[gist] = (of_texts, frozenset(of_texts))
        return gists

    def _of_kind(self, gist: Gist | None, kind: Hashable) -> Sequence[int]:
        forms = self._all_forms()
        if gist is None:
            return range(len(forms))
        places = self._by_kind.get(gist)
        if places is None:
            places = self._by_kind[gist] = {}
            for place, own in enumerate(self._of_texts(gist)[0]):
                places.setdefault(own, []).append(place)
        return places.get(kind, ())


def _kind(field: BoundField, text: str) -> Kind:
    """Return by which gist values are told apart from a text of a field, and its own."""
    gist = field.gist
    if gist in KEEP_DIGITS:
        digits = digits_of(text)
        if digits:
            return digits_of, digits
    return gist, None if gist is None else gist(text)
