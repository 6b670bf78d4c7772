"""Readings and groups: what texts mean for a field, and rows of them.

A reading is what one text means for one field. There is one for each distinct text of a field,
shared by all documents that hold it, so that a leaf costs a look-up; and a row in which nothing
is unusual costs not even that before somebody asks for its values, because most rows of a good
prediction are equal to gold's to the letter. Neither readings nor groups can form cycles, so the
garbage collector need not look at them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple, Never, Protocol

SEPARATOR = " | "
"""Between the values of a list that stands in one text."""
CACHE_SIZE = 16_384
"""Texts of a field that are remembered at once."""
UNKNOWN = object()
"""In the place of the reading of a text that is not remembered, since None stands for no value."""


class Number(str):
    """A number as its digits were written in JSON: 1.50 stays 1.50, and 1e400 is no infinity."""

    __slots__ = ()


class Sense:
    """What a text means for a field."""

    __slots__ = ("_digits", "_value", "key", "problem", "scope")

    def __init__(
        self,
        value: Hashable,
        key: str | None,
        scope: Hashable | None,
        problem: str | None,
        digits: str | None = None,
    ) -> None:
        self._value = value
        self.key = key
        """Equal keys within one field are equal values; None: compare pair by pair."""
        self.scope = scope
        """What the value is stated in (a currency); None: left open, agrees with all."""
        self.problem = problem
        """Why the text could not be read, or None."""
        self._digits = digits
        """What the value is made from when somebody asks for it, by what stands in its place."""

    @property
    def value(self) -> Hashable:
        """The value that the text stands for."""
        if self._digits is not None:
            self._value, self._digits = self._value(self._digits), None  # type: ignore[operator]
        return self._value


def meant(
    value: Hashable, key: str, scope: Hashable | None = None, digits: str | None = None
) -> Sense:
    """Return the sense of a text that is read in few steps, made in as few."""
    sense = Sense.__new__(Sense)
    sense._value = value
    sense.key = key
    sense.scope = scope
    sense.problem = None
    sense._digits = digits
    return sense


Senses = Callable[[str], Sense]
"""Gives the sense of a text; it must not hold the readings that hold it (see `Reading`)."""


class UsualSenses:
    """Gives the senses of a field's texts; the keys of the field begin with `prefix`."""

    def __init__(self, prefix: str, general: Senses) -> None:
        self.prefix = prefix
        self.general = general

    def __call__(self, text: str) -> Sense:
        """Return what a text means."""
        return self.of(text)

    def of(self, text: str) -> Sense:
        """Return what a text means; those who give it in few steps know how."""
        return self.general(text)

    def key(self, text: object) -> str | None:
        """Return the key of a leaf that surely can be read, without reading it; None of others."""
        return None

    def scope(self, text: object) -> Hashable:
        """Return what a leaf with such a key is stated in: None, or the same for all of a field."""
        return None

    def differ(self, text: object, other: object) -> bool:
        """Whether two leaves mean different things, as far as that can be told unread."""
        return False

    def figure(self, text: str) -> tuple[str, Hashable] | None:
        """Return the digits of a number as most are written, and its scope; None for any other."""
        return None

    def whole(self, text: str) -> int | None:
        """Return the same number in ten-thousandths; None for any other, or one in finer parts."""
        return None

    def dollar(self, text: str) -> Hashable:
        """Return what the dollar sign of an amount stands for."""
        return None


class Reading:
    """A text as a field reads it. What it means is worked out when first asked for.

    Texts that are equal need no reading to be equal, which is most of a good prediction: a field
    has one reading for each text, so these are the same object. Only a leaf that carries more than
    a value (confidence, page, box, alternatives) has a reading of its own.
    """

    __slots__ = (
        "alternatives",
        "box",
        "confidence",
        "made",
        "make",
        "normalised",
        "origin",
        "page",
        "text",
    )

    def __init__(
        self,
        text: str,
        make: Senses,
        made: Sense | None = None,
        confidence: float | None = None,
        page: int | None = None,
        box: tuple[float, ...] | None = None,
        alternatives: tuple[Reading, ...] = (),
        normalised: bool = False,
        origin: Reading | None = None,
    ) -> None:
        self.text = text
        self.make = make
        self.made = made
        self.confidence = confidence
        self.page = page
        self.box = box
        self.alternatives = alternatives
        """All values that are right, when gold lists several."""
        self.normalised = normalised
        """The value is not what the text alone would be read as, but what its leaf states."""
        self.origin = origin
        """The reading of the text alone, where this one has marks of its own."""

    @property
    def sense(self) -> Sense:
        """What the text means."""
        return sense_of(self)

    @property
    def value(self) -> Hashable:
        """The value that the text stands for."""
        return sense_of(self).value

    @property
    def key(self) -> str | None:
        """The key of equal values; None: compare pair by pair."""
        return sense_of(self).key

    @property
    def problem(self) -> str | None:
        """Why the text could not be read, or None."""
        return sense_of(self).problem

    @property
    def tame(self) -> bool:
        """Whether equality with others is settled by the key alone."""
        sense = sense_of(self)
        return sense.key is not None and sense.scope is None and len(self.alternatives) < 2

    @property
    def canonical(self) -> str:
        """The value in canonical form, as shown beside the text."""
        return str(sense_of(self).value)

    @property
    def accepted(self) -> tuple[Reading, ...]:
        """The readings any of which is right: its alternatives, or else itself."""
        return self.alternatives or (self,)

    def located(
        self,
        *,
        confidence: float | None = None,
        page: int | None = None,
        box: tuple[float, ...] | None = None,
        alternatives: tuple[Reading, ...] = (),
    ) -> Reading:
        """Return the same reading with what its leaf says about it besides the value."""
        return Reading(
            self.text,
            self.make,
            self.made,
            confidence,
            page,
            box,
            alternatives,
            self.normalised,
            self.origin or self,
        )


def usual_reading(
    text: str, make: Senses, made: Sense | None, confidence: float | None, origin: Reading | None
) -> Reading:
    """Return a reading whose leaf says no more than this, made in few steps."""
    reading = Reading.__new__(Reading)
    reading.text = text
    reading.make = make
    reading.made = made
    reading.confidence = confidence
    reading.page = None
    reading.box = None
    reading.alternatives = ()
    reading.normalised = False
    reading.origin = origin
    return reading


def sense_of(reading: Reading) -> Sense:
    """Return what a text means, as `Reading.sense` does."""
    made = reading.made
    if made is None:
        make = reading.make
        if reading.origin is not None:
            made = sense_of(reading.origin)
        elif isinstance(make, UsualSenses):
            usual = make
            made = usual.of(reading.text)
        else:
            made = make(reading.text)
        reading.made = made
    return made


def key_of(reading: Reading) -> str | None:
    """Return the key of a reading, as `Reading.key` does."""
    return sense_of(reading).key


def texts_meant(readings: Iterable[Reading]) -> list[str] | None:
    """Return the values of readings that are texts; None where any is not, or not of its text."""
    texts: list[str] = []
    for reading in readings:
        value = sense_of(reading).value
        if reading.normalised or type(value) is not str:
            return None
        texts.append(value)
    return texts


def by_keys(gold: Reading, pred: Reading) -> int:
    """Return whether keys and scopes say that two readings are equal; −1 where they do not tell."""
    own = sense_of(gold)
    other = sense_of(pred)
    if own.key is None or other.key is None:
        return -1
    if len(gold.alternatives) > 1 or len(pred.alternatives) > 1:
        return -1
    if own.key != other.key:
        return 0
    return 1 if own.scope is None or other.scope is None or own.scope == other.scope else 0


Values = tuple[Reading, ...]
"""The readings of a field in one group, in file order."""
Step = tuple[str, "Readings | None", "Readings | None", bool, object]
"""How to read one member of an object: the path of its field, where a text and a number are looked
up (None when a leaf is not simply a value), whether a text may hold several values; the last is
for others (`schema.layout`).
"""
Steps = tuple[Step, ...]
Shapes = Mapping[tuple[str, ...], Steps | None]
"""The steps of an object by its keys; None where a leaf in it may be more than one value."""


class Entity(NamedTuple):
    """One value of a document: its field, where it stands in the tree, and what it means."""

    field: str
    path: str
    reading: Reading


NO_LEAVES: list[object] = []
NOTHING: Mapping[str, Never] = MappingProxyType({})
"""Shared by all groups that have no rows inside or no placeholders, which is most of them."""


class Group:
    """Entities that belong together: a row of line items, or the root with a document's own fields.

    `values` maps a field path to its readings in file order, `groups` a group type to its rows.
    """

    __slots__ = (
        "_count",
        "_leaves",
        "_steps",
        "_values",
        "groups",
        "index",
        "single",
        "slots",
        "type",
    )

    def __init__(
        self,
        type: str,
        index: int | None,
        values: dict[str, Values] | None,
        groups: Mapping[str, list[Group]] = NOTHING,
        slots: Mapping[str, list[int]] = NOTHING,
        single: bool = True,
    ) -> None:
        self.type = type
        self.index = index
        """The row's number in the file, from 0; None for the root and an object not in a list."""
        self._values = values
        self.groups = groups
        self.slots = slots
        """The positions of a list's values, kept where a placeholder stands between them."""
        self.single = single
        """No field has more than one value, nor a placeholder beside it."""
        self._leaves: list[object] = NO_LEAVES
        """What the values are read from, where they have not been asked for yet; None is none."""
        self._steps: Steps = ()
        self._count = 0
        """How many of the leaves of a row are not None."""

    @property
    def values(self) -> dict[str, Values]:
        """The readings of the group's own fields, in file order."""
        return values_of(self)

    def add_rows(self, path: str, rows: list[Group]) -> None:
        """Append rows of a type."""
        group = self.groups.get(path)
        if group is not None:
            group.extend(rows)
        elif rows:
            self.groups = {**self.groups, path: rows}

    @property
    def empty(self) -> bool:
        """Whether the group holds no value at any depth (empty rows are dropped when read)."""
        return not self.values and not self.groups

    @property
    def size(self) -> int:
        """The number of values at any depth."""
        own = len(self.values) if self.single else sum(map(len, self.values.values()))
        if not self.groups:
            return own
        return own + sum(row.size for rows in self.groups.values() for row in rows)

    def entities(self, prefix: str = "") -> Iterator[Entity]:
        """Yield every value at and below this group, with a path that names rows and positions."""
        yield from self.own_entities(prefix)
        for rows in self.groups.values():
            for row in rows:
                yield from row.entities(row.prefix(prefix, self.type))

    def own_entities(self, prefix: str = "") -> Iterator[Entity]:
        """Yield the values of this group alone."""
        for field, readings in self.values.items():
            name = f"{prefix}{field.removeprefix(self.type + '.')}" if prefix else field
            for position, reading in zip(self.positions(field), readings, strict=True):
                path = name if len(readings) == 1 else f"{name}[{position}]"
                yield Entity(field, path, reading)

    def positions(self, field: str) -> Sequence[int]:
        """Return where the values of a field stand in its list."""
        return self.slots.get(field) or range(len(self.values[field]))

    def content(self) -> tuple[object, ...]:
        """Return what the group says, canonical forms only: equal for equal groups."""
        values = sorted(
            (path, reading.canonical)
            for path, readings in self.values.items()
            for reading in readings
        )
        rows = sorted((path, row.content()) for path, rows in self.groups.items() for row in rows)
        return (tuple(values), tuple(rows))

    def prefix(self, parent: str, parent_type: str) -> str:
        """Return the start of the paths of this row's values: `menu[2].`."""
        return _row_start(self.type, self.index, parent, parent_type)


@lru_cache(maxsize=1 << 12)
def _row_start(kind: str, index: int | None, parent: str, parent_type: str) -> str:
    """Return what `Group.prefix` does: most documents have rows of the same numbers."""
    own = kind.removeprefix(parent_type + ".") if parent else kind
    number = "" if index is None else f"[{index}]"
    return f"{parent}{own}{number}."


def bare(text: str) -> str:
    """Return a text without case and white space around and between its words."""
    return " ".join(text.split()).casefold()


class Readings:
    """The readings of a field by text; None stands for a text that means "no value"."""

    def __init__(self, senses: Senses, absent: frozenset[str]) -> None:
        self.senses = senses
        self.absent = absent
        self.known: dict[str, Reading | None] = {}
        self._most = CACHE_SIZE
        self.sure = sure_starts(absent)
        """For the code of each character, whether no text that begins with it means "no value"."""
        self.sure_numbers = all(self.sure[ord(character)] for character in "-0123456789")
        """Whether no number means "no value"."""

    def __getitem__(self, text: str) -> Reading | None:
        return self.of(text)

    def of(self, text: str) -> Reading | None:
        """Return the reading of a text, the same one each time."""
        found = self.known.get(text, UNKNOWN)
        if found is not UNKNOWN:
            return found  # type: ignore[return-value]
        if len(self.known) >= self._most:
            self.known.clear()
        if type(text) is not str:
            text = str(text)
        reading = self.known[text] = self.fresh(text)
        return reading

    def fresh(self, text: str) -> Reading | None:
        """Return the reading of a text, which is not kept."""
        if not self.begins_surely(text) and bare(text) in self.absent:
            return None
        return usual_reading(text, self.senses, None, None, None)

    def begins_surely(self, text: str) -> bool:
        """Whether the first character clears a text of meaning "no value", as it does most."""
        if not text:
            return False
        code = ord(text[0])
        return code < len(self.sure) and self.sure[code] != 0


def sure_starts(absent: frozenset[str]) -> bytes:
    """Return for each character of ASCII, by its code, 1 if no text of `absent` begins with it."""
    starts = {text[:1] for text in absent}
    printed = range(33, 127)
    return bytes([code in printed and chr(code).lower() not in starts for code in range(128)])


class Confident(Protocol):
    """What hears that a value has said how sure it is."""

    confident: bool


def read_leaves(
    values: dict[str, Values],
    raws: list[object],
    steps: Steps,
    place: int,
    reader: Confident | None = None,
) -> int:
    """Add the plain leaves of an object from a place on to the values of its group.

    With a `reader` these may also be objects of a text and how sure it is. Returns the place of
    the first leaf that is more than the one value of a field, −1 when there is none.
    """
    for at in range(place, len(raws)):
        raw = raws[at]
        if raw is None:
            continue
        step = steps[at]
        path = step[0]
        if _is_single(step, raw):
            reading = reading_at(step, raw)
            if reading is None:
                continue
        elif reader is not None and type(raw) is dict:
            reading = _sure_reading(step, raw)
            if reading is None:
                return at
        else:
            return at
        if path in values:
            return at
        values[path] = (reading,)
        if reader is not None and reading.confidence is not None:
            reader.confident = True
    return -1


def _is_single(step: Step, leaf: object) -> bool:
    """Whether a leaf is plain, and no more than the one value of a field."""
    if step[1] is None:
        return False
    if type(leaf) is str:
        return not (step[3] and may_be_several(leaf))
    return type(leaf) is Number or type(leaf) is int


def _sure_reading(step: Step, leaf: dict[str, object]) -> Reading | None:
    """Return the reading of a leaf that has just one text and a confidence; None of any other."""
    texts = step[1]
    if texts is None or len(leaf) != 2 or step[4].is_group:  # type: ignore[attr-defined]
        return None
    text, confidence = leaf.get("value"), leaf.get("confidence")
    if type(text) is not str or type(confidence) is not Number:
        return None
    if step[3] and may_be_several(text):
        return None
    sure = float(confidence)
    reading = texts.of(text) if 0.0 <= sure <= 1.0 else None
    if reading is None:
        return None
    return usual_reading(reading.text, reading.make, reading.made, sure, reading)


def values_of(group: Group) -> dict[str, Values]:
    """Return the readings of a group, as `Group.values` does."""
    values = group._values
    if values is None:
        values = group._values = {}
        read_leaves(values, group._leaves, group._steps, 0)
    return values


def reading_at(step: Step, leaf: object) -> Reading | None:
    """Return the reading of a plain leaf; None if it means "no value"."""
    if type(leaf) is str:
        texts, text = step[1], leaf
    elif type(leaf) is Number:
        texts, text = step[2], leaf
    else:
        texts, text = step[1], str(leaf)
    return texts.of(text)  # type: ignore[union-attr]


def same_leaf(leaf: object, other: object) -> bool:
    """Whether two leaves are of one kind and equal."""
    if leaf is other:
        return True
    if type(leaf) is not type(other):
        return False
    if type(leaf) is str:
        text: str = leaf
        found: str = other  # type: ignore[assignment]
        return text == found
    return leaf == other


def usual_senses(step: Step, leaf: object) -> UsualSenses | None:
    """Return what gives the sense of a plain leaf, if it knows what usual ones mean."""
    texts = step[2] if type(leaf) is Number else step[1]
    senses = texts.senses  # type: ignore[union-attr]
    return senses if isinstance(senses, UsualSenses) else None


def surely_differ(step: Step, leaf: object, other: object) -> bool:
    """Whether two plain leaves mean different things, as far as that can be told unread."""
    if type(leaf) is not type(other):
        return False
    usual = usual_senses(step, leaf)
    return usual is not None and usual.differ(leaf, other)


def surely_alike(step: Step, leaf: object, other: object) -> bool:
    """Whether two plain leaves have equal keys, as far as that can be told unread."""
    usual, its = usual_senses(step, leaf), usual_senses(step, other)
    if usual is None or its is None:
        return False
    key = usual.key(leaf)
    return key is not None and key == its.key(other)


def may_be_several(text: str) -> bool:
    """Whether a text holds what stands between the values of a list."""
    return "|" in text and SEPARATOR in text  # one character is looked for in fewer steps


def presence(step: Step, leaf: object) -> int:
    """Return how many values a leaf is, 0 or 1; −1 if it is not plain, or may be several."""
    texts = step[1]
    if type(leaf) is str:
        if step[3] and may_be_several(leaf):
            return -1
        if texts.begins_surely(leaf):  # type: ignore[union-attr]
            return 1
    elif leaf is None:
        return 0
    elif type(leaf) is not Number and type(leaf) is not int:
        return -1
    elif texts.sure_numbers:  # type: ignore[union-attr]
        return 1
    return 0 if reading_at(step, leaf) is None else 1


def unread_group(
    type: str, index: int | None, leaves: list[object], steps: Steps, count: int
) -> Group:
    """Return a group of plain leaves, made in few steps: every row of a document is one."""
    group = Group.__new__(Group)
    group.type = type
    group.index = index
    group._values = None
    group.groups = NOTHING
    group.slots = NOTHING
    group.single = True
    group._leaves = leaves
    group._steps = steps
    group._count = count
    return group


def read_rows(items: list[object], path: str, shapes: Shapes) -> list[Group] | None:
    """Return the rows of a list of objects that hold plain leaves; None if any holds others.

    Rows without a value are left out.
    """
    rows: list[Group] = []
    keys: tuple[str, ...] = ()
    steps: Steps | None = ()
    for index in range(len(items)):
        item = items[index]
        if type(item) is not dict:
            return None
        leaves = leaves_under(keys, item)
        if leaves is None:
            keys = tuple(item)
            steps = shapes[keys]
            if steps is None:
                return None
            leaves = list(item.values())
        count = 0
        for place in range(len(leaves)):
            here = presence(steps[place], leaves[place])  # type: ignore[index]
            if here < 0:
                return None
            if here == 0:
                leaves[place] = None
            count += here
        if count:
            rows.append(unread_group(path, index, leaves, steps, count))  # type: ignore[arg-type]
    return rows


def leaves_under(keys: tuple[str, ...], item: dict[str, object]) -> list[object] | None:
    """Return the leaves of an object that has these keys in this order; None if it has others."""
    if len(item) != len(keys):
        return None
    leaves: list[object] = [None] * len(keys)
    for place, (key, leaf) in enumerate(item.items()):
        known = keys[place]
        # a decoder gives the same text for equal keys
        if key is not known and key != known:
            return None
        leaves[place] = leaf
    return leaves


def are_whole(items: list[object], known: Mapping[tuple[str, ...], object]) -> bool:
    """Whether all items are objects, with keys of which `known` says that nothing is in them."""
    keys: tuple[str, ...] | None = None
    for item in items:
        if type(item) is not dict:
            return False
        own = tuple(item)
        if own != keys:  # most rows of a list have the same keys
            if known[own] != ():
                return False
            keys = own
    return True
