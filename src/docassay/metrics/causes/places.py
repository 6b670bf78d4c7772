"""Where else in a document a value stands: in another row, or in another field.

Every value is looked for among those whose texts might mean the same, which their gists tell, so
that most texts of a document are never read as another field would read them.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from docassay.model.document import Group, Reading, Values
from docassay.values.field import BoundField
from docassay.values.read.characters import collapse, digits_of, gists_of
from docassay.values.read.text import usual_text
from docassay.values.reader import Gist

Standing = tuple[Group, Mapping[str, Values]]
"""A group, and values of it by field."""
Kind = tuple[Gist | None, Hashable]
"""A gist and what texts have in common by it; all texts are of one kind where it tells nothing."""
NO_KIND: Kind = (None, None)
KEEP_DIGITS = frozenset({usual_text, collapse})
"""Gists of texts that also have the same digits, which for all texts of a document is cheaper."""


class Places:
    """Some values of a document, to be asked where else a value stands."""

    __slots__ = ("_by_kind", "_by_meaning", "_forms", "_rows", "_standing")

    def __init__(self, rows: Sequence[Standing]) -> None:
        self._rows = rows
        self._forms = [
            form
            for _, values in rows
            for readings in values.values()
            for reading in readings
            for form in reading.alternatives or (reading,)
        ]
        self._standing: list[tuple[Group, str]] | None = None
        self._by_kind: dict[Gist, dict[Hashable, list[int]]] = {}
        self._by_meaning: dict[tuple[object, Kind], dict[str | None, list[int]]] = {}

    def in_other_row(self, row: Group | None, field: BoundField, reading: Reading) -> bool:
        """Whether the field has this value in another row."""
        path = field.path
        for form in reading.accepted:
            for kind, places in self._alike(field, form):
                key = (path, kind)
                values = self._by_meaning.get(key)
                if values is None:
                    values = self._by_meaning[key] = {}
                    for place in places:
                        if self._at(place)[1] == path:
                            values.setdefault(self._forms[place].canonical, []).append(place)
                same = values.get(form.canonical, ())
                if any(self._at(place)[0] is not row for place in same):
                    return True
        return False

    def in_other_field(self, field: BoundField, reading: Reading) -> bool:
        """Whether another field has this value, its text read as this field reads it."""
        canonical = field.canonical
        for form in reading.accepted:
            for kind, places in self._alike(field, form):
                key = (id(canonical), kind)
                values = self._by_meaning.get(key)
                if values is None:
                    values = self._by_meaning[key] = {}
                    for place in places:
                        values.setdefault(canonical[self._forms[place].text], []).append(place)
                same = values.get(form.canonical, ())
                if any(self._at(place)[1] != field.path for place in same):
                    return True
        return False

    def _at(self, place: int) -> tuple[Group, str]:
        """Return the group and the field of a value."""
        if self._standing is None:
            self._standing = [
                (row, path)
                for row, values in self._rows
                for path, readings in values.items()
                for reading in readings
                for _ in reading.accepted
            ]
        return self._standing[place]

    def _alike(self, field: BoundField, form: Reading) -> list[tuple[Kind, Sequence[int]]]:
        """Return the values of a text's kind, and those that are to be read to be told apart."""
        gist, own = NO_KIND if form.normalised else _kind(field, form.text)
        if gist is None or own is None:
            return [(NO_KIND, range(len(self._forms)))]
        kinds = self._by_kind.get(gist)
        if kinds is None:
            kinds = self._by_kind[gist] = self._kinds(gist)
        return [((gist, kind), kinds[kind]) for kind in (own, None) if kind in kinds]

    def _kinds(self, gist: Gist) -> dict[Hashable, list[int]]:
        """Return which values have which gist; what a leaf states besides its text has none."""
        kinds: dict[Hashable, list[int]] = {}
        gists = gists_of(gist, [form.text for form in self._forms])
        for place, (form, kind) in enumerate(zip(self._forms, gists, strict=True)):
            kinds.setdefault(None if form.normalised else kind, []).append(place)
        return kinds


def _kind(field: BoundField, text: str) -> Kind:
    """Return by which gist values are told apart from a text of a field, and its own."""
    gist = field.gist
    if gist in KEEP_DIGITS:
        digits = digits_of(text)
        if digits is not None:
            return digits_of, digits
    return gist, None if gist is None else gist(text)
