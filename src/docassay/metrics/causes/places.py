"""Where else in a document a value stands: in another row, or in another field.

Every value is looked for among those whose texts might mean the same, which their gists tell. There
are rarely any, so that few texts of a document are read as another field would read them, and of
few it is found out where they stand.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping, Sequence

from docassay.kernel.digits import are_told, digits_of, places_of
from docassay.kernel.prints import (
    WORDS,
    CurrencyPrinter,
    DatePrinter,
    DigitsPrinter,
    FiguresPrinter,
    Printer,
)
from docassay.kernel.rows import texts_in, value_at
from docassay.kernel.senses import usual_text
from docassay.model.document import Group, Reading
from docassay.values.field import BoundField
from docassay.values.read.address import FIGURES, figures_of
from docassay.values.read.characters import collapse, fold
from docassay.values.read.currency import IN_NAMES, no_currency
from docassay.values.read.date import IN_DATES, date_or_text
from docassay.values.reader import GISTS_AT_ONCE, Gist

Standing = tuple[Group, str, Reading]
"""A value with its group and its field."""
Kind = tuple[Gist | None, Hashable]
"""A gist and what texts have in common by it; all texts are of one kind where it tells nothing."""
NO_KIND: Kind = (None, None)
Alike = Sequence[tuple[Reading, Kind]]
"""Forms of a value that others may have too, each with their kind."""
SAME_DIGITS = frozenset({digits_of, usual_text, collapse})
"""Gists of texts that have the same digits, by which texts are found fastest."""
PRINTERS: dict[Gist | None, Printer] = {
    digits_of: DigitsPrinter(),
    usual_text: WORDS,
    collapse: WORDS,
    figures_of: FiguresPrinter(tuple(FIGURES)),
    date_or_text: DatePrinter(IN_DATES),
    no_currency: CurrencyPrinter(IN_NAMES),
}
"""What tells which texts are looked at, for the fields of a gist."""
FEW = 2048
"""Texts of which no notes are made: few values are looked for, once prints have told the others."""
TOLD_UNREADABLE = frozenset({"currency"})
"""Readers whose gist tells only what they cannot read: the rest is where it tells nothing."""


class Places(ABC):
    """Some values of a document, to be asked where else a value stands."""

    __slots__ = (
        "_by_digits",
        "_by_gist",
        "_columns",
        "_folded",
        "_others",
        "_scanned",
        "stated",
        "texts",
    )

    def __init__(self, texts: list[str], stated: Sequence[int] = ()) -> None:
        self.texts = texts
        """The texts of the values, and of what else is accepted for them."""
        self.stated = stated
        """Which of these values are not what their texts alone would be read as."""
        self._folded: str | None = None
        self._scanned = len(texts) <= FEW and not stated and are_told(texts)
        """Whether all texts are looked through for digits, which is faster than noting those."""
        self._by_digits: dict[str, list[int]] = {}
        self._by_gist: dict[Gist, dict[Hashable, list[int]]] = {}
        self._columns: dict[tuple[str, Kind], dict[str, list[Group]]] = {}
        self._others: dict[tuple[str, Kind], set[str | None]] = {}

    @abstractmethod
    def at(self, place: int) -> Standing:
        """Return a value."""

    def alike(self, field: BoundField, reading: Reading, besides: Reading | None) -> Alike:
        """Return what may be here of a value of a field: nothing, for most values.

        `besides` is the value that stands in its own place, if that is one of these.
        """
        forms = reading.alternatives
        if forms:
            return [each for form in forms for each in self._alike(field, form, besides)]
        return self._alike(field, reading, besides)

    def _alike(self, field: BoundField, form: Reading, besides: Reading | None) -> Alike:
        """Return the kinds that a form of a value is of, if others are too."""
        gist, own = kind = kind_of(field, form)
        if gist is None:
            return ((form, kind),)
        if (gist is usual_text or gist is fold) and self._lacks(form.canonical):
            return ()
        alike = []
        if self._has_others(gist, own, besides):
            alike.append((form, kind))
        if own is not None and not self._tells_all(gist) and self._has_others(gist, None, besides):
            alike.append((form, (gist, None)))
        if alike and form.problem is not None and self._lacks(form.canonical):
            return ()
        return alike

    def in_other_row(self, row: Group | None, field: BoundField, alike: Alike) -> bool:
        """Whether the field has a value in another row."""
        for form, kind in alike:
            groups = self._column(field.path, kind).get(form.canonical, ())
            if any(group is not row for group in groups):
                return True
        return False

    def in_other_field(self, field: BoundField, alike: Alike) -> bool:
        """Whether another field has a value, its text read as this field reads it."""
        for form, kind in alike:
            if self._is_beside(field, form, kind) or form.canonical in self._beside(field, kind):
                return True
        return False

    def _column(self, path: str, kind: Kind) -> Mapping[str, Sequence[Group]]:
        """Return the groups in which a field has a value of a kind, by its canonical form."""
        column = self._columns.get((path, kind))
        if column is None:
            column = self._columns[path, kind] = {}
            for group, own, form in map(self.at, self._of_kind(*kind)):
                if own == path:
                    column.setdefault(form.canonical, []).append(group)
        return column

    def _is_beside(self, field: BoundField, form: Reading, kind: Kind) -> bool:
        """Whether another field has a value to the letter, so that no text has to be read."""
        if form.normalised:
            return False
        text, texts = form.text, self.texts
        same = [place for place in self._of_kind(*kind) if texts[place] == text]
        return any([self.at(place)[1] != field.path for place in same])

    def _beside(self, field: BoundField, kind: Kind) -> set[str | None]:
        """Return what the values of a kind in other fields mean to this one."""
        others = self._others.get((field.path, kind))
        if others is None:
            standing = map(self.at, self._of_kind(*kind))
            texts = [form.text for _, path, form in standing if path != field.path]
            others = self._others[field.path, kind] = {*map(field.canonical.__getitem__, texts)}
        return others

    def _lacks(self, text: str) -> bool:
        """Whether no value has a text in it, and none is more than its text."""
        if self.stated:
            return False
        if self._folded is None:
            self._folded = _folded(self.texts)
        return text not in self._folded

    def _has_others(self, gist: Gist, own: Hashable, besides: Reading | None) -> bool:
        """Whether more values than the one in its own place are of a kind."""
        places = self._of_kind(gist, own)
        return bool(places) and len(places) > _count(gist, own, besides)

    def _of_kind(self, gist: Gist | None, own: Hashable) -> Sequence[int]:
        """Return the values of a kind."""
        if gist is None:
            return range(len(self.texts))
        if gist is digits_of and self._scanned and own:
            assert isinstance(own, str)
            places = self._by_digits.get(own)
            if places is None:
                places = self._by_digits[own] = places_of(own, self.texts)
            return places
        return self._by(gist).get(own, ())

    def _tells_all(self, gist: Gist) -> bool:
        """Whether a gist tells something of each value."""
        return (gist is digits_of and self._scanned) or None not in self._by(gist)

    def _by(self, gist: Gist) -> Mapping[Hashable, Sequence[int]]:
        """Return the values of all kinds by a gist; of those that it does not tell, by None."""
        places = self._by_gist.get(gist)
        if places is None:
            at_once = GISTS_AT_ONCE.get(gist)
            kinds = [*(map(gist, self.texts) if at_once is None else at_once(self.texts))]
            for place in self.stated:
                kinds[place] = None
            places = self._by_gist[gist] = {}
            for place, own in enumerate(kinds):
                places.setdefault(own, []).append(place)
        return places


class SomePlaces(Places):
    """Values that are picked out of a document."""

    __slots__ = ("_standing",)

    def __init__(self, values: Iterable[Standing]) -> None:
        standing = [
            (group, path, form)
            for group, path, value in values
            for form in value.alternatives or (value,)
        ]
        stated = [place for place, (_, _, form) in enumerate(standing) if form.normalised]
        super().__init__([form.text for _, _, form in standing], stated)
        self._standing = standing

    def at(self, place: int) -> Standing:
        """Return a value."""
        return self._standing[place]


class TextPlaces(Places):
    """All values of a document of which each is its text and nothing more."""

    __slots__ = ("_root",)

    def __init__(self, root: Group, texts: list[str]) -> None:
        super().__init__(texts)
        self._root = root

    def at(self, place: int) -> Standing:
        """Return a value; only the values of its group are read."""
        return value_at(self._root, place)


def all_places(root: Group) -> Places:
    """Return the places of all values of a document."""
    texts: list[str] = []
    return TextPlaces(root, texts) if texts_in(root, texts) else SomePlaces(all_values(root))


def all_values(group: Group) -> Iterable[Standing]:
    """Yield the values of a group and of all groups inside it."""
    for path, readings in group.values.items():
        for reading in readings:
            yield group, path, reading
    for rows in group.groups.values():
        for row in rows:
            yield from all_values(row)


def _folded(texts: Sequence[str]) -> str:
    """Return texts folded, in one line."""
    line = "\0".join(texts)
    if line.isascii():
        return fold(line)
    # of few texts not in ASCII, the others need not take a hundred times as long
    unusual = [text for text in texts if not text.isascii()]
    return "\0".join((fold("\0".join(filter(str.isascii, texts))), *map(fold, unusual)))


def _count(gist: Gist, kind: Hashable, reading: Reading | None) -> int:
    """Return how many forms of a value are of a kind."""
    if reading is None:
        return 0
    forms = reading.alternatives or (reading,)
    return sum([not form.normalised and gist(form.text) == kind for form in forms])


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
        if form.problem is None and field.reader.name in TOLD_UNREADABLE:
            return gist, None
    # what cannot be read is the same only as itself
    return NO_KIND if form.problem is None else (fold, form.canonical)
