"""Documents as read: groups of readings. One object a row, none a leaf.

A reading is what one text means for one field. There is one for each distinct text of a field,
shared by all documents that hold it, so a document costs a look-up a leaf. Only a leaf that
carries more than a value (confidence, page, box, alternatives) gets an object of its own.
Neither readings nor groups can form cycles, so the garbage collector need not look at them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, Never

import msgspec
from msgspec.structs import replace

from docassay.model.problem import Problem

LEAF_KEYS = frozenset({"value", "confidence", "page", "box", "normalised"})
LEAF_MARKS = frozenset({"value", "any_of"})
"""Keys by which an object may be a leaf instead of a row."""
SEPARATOR = " | "
"""Between the values of a list that stands in one text."""
MAX_DEPTH = 64


def hash_of(id: str) -> int:
    """Return a number of 64 bits that stands for an id, or for another text."""
    data = id.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest())


class Number(str):
    """A number as its digits were written in JSON: 1.50 stays 1.50, and 1e400 is no infinity."""

    __slots__ = ()


class Unread(NamedTuple):
    """The value of a text that its reader could not read: equal only to the same text."""

    text: str

    def __str__(self) -> str:
        return self.text


class Sense(NamedTuple):
    """What a text means for a field."""

    value: Hashable
    key: str | None
    """Equal keys within one field are equal values; None: compare pair by pair."""
    scope: Hashable | None
    """What the value is stated in (a currency); None: left open, agrees with all."""
    problem: str | None
    """Why the text could not be read, or None."""


Senses = Callable[[str], Sense]
"""Gives the sense of a text; it must not hold the readings that hold it (see `Reading`)."""


class Reading(msgspec.Struct, gc=False, eq=False, repr_omit_defaults=True):
    """A text as a field reads it. What it means is worked out when first asked for.

    Texts that are equal need no reading to be equal, which is most of a good prediction: a field
    has one reading for each text, so these are the same object.
    """

    text: str
    make: Senses
    made: Sense | None = None
    confidence: float | None = None
    page: int | None = None
    box: tuple[float, ...] | None = None
    alternatives: tuple[Reading, ...] = ()
    """All values that are right, when gold lists several."""
    normalised: bool = False
    """The value is not what the text alone would be read as, but what its leaf states besides."""
    origin: Reading | None = None
    """The reading of the text alone, where this one has marks of its own."""

    @property
    def sense(self) -> Sense:
        """What the text means."""
        made = self.made
        if made is None:
            origin = self.origin
            made = self.made = self.make(self.text) if origin is None else origin.sense
        return made

    @property
    def value(self) -> Hashable:
        """The value that the text stands for."""
        return (self.made or self.sense).value

    @property
    def key(self) -> str | None:
        """The key of equal values; None: compare pair by pair."""
        return (self.made or self.sense).key

    @property
    def problem(self) -> str | None:
        """Why the text could not be read, or None."""
        return (self.made or self.sense).problem

    @property
    def tame(self) -> bool:
        """Whether equality with others is settled by the key alone."""
        sense = self.made or self.sense
        return sense.key is not None and sense.scope is None and len(self.alternatives) < 2

    @property
    def canonical(self) -> str:
        """The value in canonical form, as shown beside the text."""
        return str((self.made or self.sense).value)

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
        return replace(
            self,
            confidence=confidence,
            page=page,
            box=box,
            alternatives=alternatives,
            origin=self.origin or self,
        )


Values = tuple[Reading, ...]
"""The readings of a field in one group, in file order."""


class Entity(NamedTuple):
    """One value of a document: its field, where it stands in the tree, and what it means."""

    field: str
    path: str
    reading: Reading


NOTHING: Mapping[str, Never] = MappingProxyType({})
"""Shared by all groups that have no rows inside or no placeholders, which is most of them."""


class Group(msgspec.Struct, gc=False, eq=False):
    """Entities that belong together: a row of line items, or the root with a document's own fields.

    `values` maps a field path to its readings in file order, `groups` a group type to its rows.
    """

    type: str
    index: int | None
    """The row's number in the file, from 0; None for the root and for an object not in a list."""
    values: dict[str, Values]
    groups: Mapping[str, list[Group]] = NOTHING
    slots: Mapping[str, list[int]] = NOTHING
    """The positions of a list's values, kept where a placeholder stands between them."""
    single: bool = True
    """No field has more than one value, nor a placeholder beside it."""

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
        own = self.type.removeprefix(parent_type + ".") if parent else self.type
        number = "" if self.index is None else f"[{self.index}]"
        return f"{parent}{own}{number}."


class Document:
    """One side of a case: the tree as found, the groups as read, and what was wrong with it.

    A document in which nothing can be wrong is read when somebody asks for its groups.
    """

    __slots__ = ("_read", "_root", "confident", "problems", "tree")

    def __init__(
        self,
        tree: object,
        root: Group | Callable[[], Group],
        problems: Sequence[Problem] = (),
        *,
        confident: bool = False,
    ) -> None:
        self.tree = tree
        self.problems = problems
        self.confident = confident
        """Whether any value states how sure it is."""
        self._root = root if isinstance(root, Group) else None
        self._read = None if isinstance(root, Group) else root

    @property
    def root(self) -> Group:
        """The document's own fields, with all its groups inside."""
        if self._root is None:
            assert self._read is not None
            self._root = self._read()
        return self._root


class Block(NamedTuple):
    """An entity, or a run of words outside entities; white space in the text is collapsed."""

    category: str | None
    """None for words outside entities."""
    text: str
    others: tuple[str, ...] = ()
    """Further texts that are as right as `text`, when gold lists several."""


class Token(NamedTuple):
    """One word with its tag: `B` begins an entity, `I` goes on with it, `O` is outside."""

    word: str
    kind: str
    category: str | None


class TaggedText(Mapping[str, list[str]]):
    """A document of words and entities, in order; as a mapping, the entity texts by category."""

    __slots__ = ("_by_category", "blocks")

    def __init__(self, blocks: Iterable[Block]) -> None:
        self.blocks = tuple(blocks)
        self._by_category: dict[str, list[str]] | None = None

    @property
    def _fields(self) -> dict[str, list[str]]:
        # made when first asked for: metrics of sequences look at the blocks alone
        if self._by_category is None:
            self._by_category = {}
            for category, text, _ in self.blocks:
                if category is not None:
                    self._by_category.setdefault(category, []).append(text)
        return self._by_category

    @property
    def tokens(self) -> Iterator[Token]:
        """The words in order, those outside entities included."""
        for category, text, _ in self.blocks:
            first, *rest = text.split()
            if category is None:
                yield from (Token(word, "O", None) for word in (first, *rest))
            else:
                yield Token(first, "B", category)
                yield from (Token(word, "I", category) for word in rest)

    def __getitem__(self, category: str) -> list[str]:
        return self._fields[category]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def __str__(self) -> str:
        # digests are taken of this text, so it must tell every word and every tag
        return "\n".join([f"{category or ''}\t{text}" for category, text, _ in self.blocks])

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        if isinstance(other, TaggedText):
            return self.blocks == other.blocks
        return self._fields == other

    def __hash__(self) -> int:
        return hash(self.blocks)
