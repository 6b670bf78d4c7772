"""Where values stand: in another row of the same column, or in another field."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from docassay.bound_field import BoundField
from docassay.causes.pairs import Pair
from docassay.model.document import Reading
from docassay.verdicts import RIGHT


class Standing(NamedTuple):
    """A value with its field and the pair of groups that it belongs to."""

    pair: Pair
    path: str
    reading: Reading


class Places:
    """Some values of a document, to be asked where else a value stands."""

    def __init__(self, values: Iterable[Standing]) -> None:
        self._pairs: dict[tuple[str, str], set[int]] = {}
        self._fields: dict[str, set[str]] = {}
        self._read: dict[str, dict[str, set[str]]] = {}
        for pair, path, reading in values:
            for one in reading.accepted:
                self._pairs.setdefault((path, one.canonical), set()).add(id(pair))
                self._fields.setdefault(one.text, set()).add(path)

    def in_other_row(self, pair: Pair, field: BoundField, reading: Reading) -> bool:
        """Whether the field has this value in another pair."""
        return any(
            self._pairs.get((field.path, one.canonical), set()) - {id(pair)}
            for one in reading.accepted
        )

    def in_other_field(self, field: BoundField, reading: Reading) -> bool:
        """Whether another field has this value, its text read as this field reads it."""
        known = self._read.get(field.path)
        if known is None:
            known = self._read[field.path] = {}
            for text, paths in self._fields.items():
                found = field.readings[text]
                if found is not None:
                    known.setdefault(found.canonical, set()).update(paths)
        return any(known.get(one.canonical, set()) - {field.path} for one in reading.accepted)


def golds(pairs: Iterable[Pair], *, missed: bool) -> Places:
    """Return the places of gold's values: of all, or of those that pred misses."""
    return _places(pairs, 0, only_wrong=missed)


def spurious(pairs: Iterable[Pair]) -> Places:
    """Return the places of pred's values that are not right."""
    return _places(pairs, 1, only_wrong=True)


def _places(pairs: Iterable[Pair], side: int, *, only_wrong: bool) -> Places:
    return Places(
        Standing(pair, fate.field.path, reading)
        for pair in pairs
        for fate in pair.fates
        if not (only_wrong and fate.verdict == RIGHT)
        if (reading := pair.readings(fate)[side]) is not None
    )
