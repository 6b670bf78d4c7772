"""Where else in a document a value stands: in another row, or in another field.

Every value is looked for among those whose texts might mean the same, which their prints tell.
There are rarely any, so that few texts of a document are read as another field would read them, and
of few it is found out where they stand.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence

from docassay.kernel.digits import digits_of
from docassay.kernel.prints import (
    WORDS,
    CurrencyPrinter,
    DatePrinter,
    DigitsPrinter,
    FiguresPrinter,
    Printer,
    places_of,
)
from docassay.kernel.rows import texts_in, value_at
from docassay.kernel.senses import usual_text
from docassay.model.document import Group, Reading
from docassay.values.field import BoundField
from docassay.values.read.address import FIGURES, figures_of
from docassay.values.read.characters import collapse
from docassay.values.read.currency import IN_NAMES, no_currency
from docassay.values.read.date import IN_DATES, date_or_text
from docassay.values.reader import Gist

Standing = tuple[Group, str, Reading]
"""A value with its group and its field."""
Kind = tuple[Printer | None, int]
"""A printer and a print; all texts are of one kind where no printer tells anything."""
UNTOLD = Printer().of("")
"""The print of texts of which a printer tells nothing."""
NO_KIND: Kind = (None, UNTOLD)
Alike = Sequence[tuple[Reading, Kind]]
"""Forms of a value that others may have too, each with their kind."""
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
"""Texts whose prints are not noted: few values are looked for, once the kernel told the others."""


class Places(ABC):
    """Some values of a document, to be asked where else a value stands."""

    __slots__ = (
        "_by_kind",
        "_columns",
        "_others",
        "_printed",
        "stated",
        "texts",
    )

    def __init__(self, texts: list[str], stated: Sequence[int] = ()) -> None:
        self.texts = texts
        """The texts of the values, and of what else is accepted for them."""
        self.stated = stated
        """Which of these values are not what their texts alone would be read as."""
        self._by_kind: dict[Kind, Sequence[int]] = {}
        self._printed: set[Printer] = set()
        """The printers of which all kinds are noted."""
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
        printer, told = kind = kind_of(field, form)
        if printer is None:
            return ((form, kind),)
        kinds = (kind,) if told == UNTOLD else (kind, (printer, UNTOLD))
        return [(form, own) for own in kinds if self._has_others(own, besides)]

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
            for group, own, form in map(self.at, self._of_kind(kind)):
                if own == path:
                    column.setdefault(form.canonical, []).append(group)
        return column

    def _is_beside(self, field: BoundField, form: Reading, kind: Kind) -> bool:
        """Whether another field has a value to the letter, so that no text has to be read."""
        if form.normalised:
            return False
        text, texts = form.text, self.texts
        same = [place for place in self._of_kind(kind) if texts[place] == text]
        return any([self.at(place)[1] != field.path for place in same])

    def _beside(self, field: BoundField, kind: Kind) -> set[str | None]:
        """Return what the values of a kind in other fields mean to this one."""
        others = self._others.get((field.path, kind))
        if others is None:
            standing = map(self.at, self._of_kind(kind))
            texts = [form.text for _, path, form in standing if path != field.path]
            others = self._others[field.path, kind] = {*map(field.canonical.__getitem__, texts)}
        return others

    def _has_others(self, kind: Kind, besides: Reading | None) -> bool:
        """Whether more values than the one in its own place are of a kind."""
        places = self._of_kind(kind)
        return bool(places) and len(places) > _count(kind, besides)

    def _of_kind(self, kind: Kind) -> Sequence[int]:
        """Return the values of a kind."""
        printer, told = kind
        if printer is None:
            return range(len(self.texts))
        if len(self.texts) > FEW or self.stated:
            self._note(printer)
            return self._by_kind.get(kind, ())
        places = self._by_kind.get(kind)
        if places is None:
            places = self._by_kind[kind] = places_of(told, printer, self.texts)
        return places

    def _note(self, printer: Printer) -> None:
        """Note the values of all kinds by a printer; what is stated has no print."""
        if printer in self._printed:
            return
        self._printed.add(printer)
        prints = [*map(printer.of, self.texts)]
        for place in self.stated:
            prints[place] = UNTOLD
        places: dict[Kind, list[int]] = {}
        for place, told in enumerate(prints):
            places.setdefault((printer, told), []).append(place)
        self._by_kind.update(places)


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


def _count(kind: Kind, reading: Reading | None) -> int:
    """Return how many forms of a value are of a kind."""
    printer, told = kind
    if reading is None or printer is None:
        return 0
    forms = reading.alternatives or (reading,)
    return sum([not form.normalised and printer.of(form.text) == told for form in forms])


def kind_of(field: BoundField, form: Reading) -> Kind:
    """Return what all values have in common that may be the same to a field, by some printer."""
    if form.normalised:
        return NO_KIND
    # what cannot be read is the same only as itself
    printer = PRINTERS.get(field.gist) if form.problem is None else WORDS
    if printer is None:
        return NO_KIND
    told = printer.of(form.text)
    if told == UNTOLD and not printer.apart:
        # the canonical form is a text of the same value
        told = printer.of(form.canonical)
        if told == UNTOLD:
            return NO_KIND
    return printer, told
