"""Layouts: a schema made ready to read trees, with every name looked up and every option checked.

A layout is a tree of bound groups, one for each document type of the schema. A bound group answers
for any key, also for keys no schema mentions, and remembers the answer.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from functools import cached_property
from typing import TypeVar
from weakref import WeakValueDictionary, ref

from docassay.kernel.readings import CACHE_SIZE, Readings
from docassay.model.document import LEAF_MARKS, Reading
from docassay.model.schema import EXTRAS, MISSING, DocumentType, Field, GroupSpec, Schema
from docassay.schema.grouping import component_names
from docassay.schema.listing import Listing, choice_of_type
from docassay.values.field import BoundField

EXTRA, IGNORED, UNLABELLED = "extra", "ignored", "unlabelled"
"""Why a member is left out of a document: not in the schema, asked for, not known in gold."""
FREE = ("best", "set")
"""Ways to match rows in which rows of the same texts belong together."""
NAMELESS = '""'
"""The path of a field whose key is the empty text: an empty path would mean the whole document."""
T = TypeVar("T")


def _alive(holder: ref[T]) -> T:
    """Return what holds an object that refers back to it."""
    held = holder()
    assert held is not None, "a group outlives its layout"
    return held


class Member:
    """What a key of a group stands for: a field, and a group should an object stand there."""

    __slots__ = (
        "_group",
        "_owner",
        "aside",
        "column",
        "counts",
        "field",
        "is_group",
        "key",
        "left_out",
        "numbers",
        "path",
        "readings",
        "splits",
    )

    def __init__(self, owner: BoundGroup, key: str) -> None:
        layout = owner.layout
        self._owner = ref(owner)
        self.key = key
        self.path = owner.path_of(key)
        self.column: tuple[BoundGroup, BoundField] | None = None
        target = layout.listing.columns.get(key) if owner.root else None
        if target is not None:
            group, path = target
            self.column = (layout.group(group), layout.field(path))
        self.field = layout.field(self.path)
        self.splits = self.field.spec.split and layout.knows(self.path)
        listing = layout.listing
        self.left_out = (
            listing.left_out(self.path, key) if owner.root else listing.cell_left_out(self.path)
        )
        self.readings = self.field.readings
        self.numbers = self.field.numbers
        self.is_group = layout.calls_group(self.path)
        """The schema says that an object under this key is a group, whatever its own keys say."""
        self.counts = self.column is None and self.left_out is None
        """A leaf under this key is a value of its field, nothing else to consider."""
        self.aside = layout.aside(self)
        """Why no metric sees the member (`selection`), None when they do."""
        self._group: BoundGroup | None = None

    @property
    def owner(self) -> BoundGroup:
        """The group that the member belongs to."""
        return _alive(self._owner)

    @property
    def names(self) -> set[str]:
        """The paths by which a user may ask for the member; a column is its field's as well."""
        key = self.key if self.owner.root else f"{self.owner.path}.{self.key}"
        if self.column is None:
            return {self.path, key}
        return {self.path, key, self.column[0].path, self.column[1].path}

    @property
    def group(self) -> BoundGroup:
        """The group that an object, or a list of objects, under this key belongs to."""
        if self._group is None:
            self._group = self.owner.layout.group(self.path, self.owner)
        return self._group


class Members(dict[str, Member]):
    """The members of a group by key, made when first asked for."""

    __slots__ = ("_owner",)

    def __init__(self, owner: BoundGroup) -> None:
        super().__init__()
        self._owner = ref(owner)

    @property
    def owner(self) -> BoundGroup:
        """The group."""
        return _alive(self._owner)

    def __missing__(self, key: str) -> Member:
        member = self[key] = Member(self.owner, key)
        return member


Step = tuple[str, Readings | None, Readings | None, bool, Member]
"""How to read one member of an object: its path, where a text and a number are looked up (None when
a leaf under this key is not simply a value), whether a text may hold several values, and the member
itself.
"""


class Steps(dict[tuple[str, ...], tuple[Step, ...]]):
    """The steps to read an object, by its keys: rows of a list mostly have the same."""

    __slots__ = ("members",)

    def __init__(self, members: Members) -> None:
        super().__init__()
        self.members = members

    def __missing__(self, keys: tuple[str, ...]) -> tuple[Step, ...]:
        members = [self.members[key if type(key) is str else str(key)] for key in keys]
        steps = tuple(
            (
                member.path,
                member.readings if member.counts else None,
                member.numbers if member.counts else None,
                member.splits,
                member,
            )
            for member in members
        )
        if len(self) < CACHE_SIZE and all(type(key) is str for key in keys):
            self[keys] = steps
        return steps


class Shapes(dict[tuple[str, ...], tuple[Step, ...] | None]):
    """The steps to read an object of plain leaves, by its keys.

    None for an object in which a leaf may be more than the one value of its field, or is left out,
    or which may be a leaf itself.
    """

    __slots__ = ("steps",)

    def __init__(self, steps: Steps) -> None:
        super().__init__()
        self.steps = steps

    def __missing__(self, keys: tuple[str, ...]) -> tuple[Step, ...] | None:
        steps = self.steps[keys]
        distinct = len({path for path, *_ in steps}) == len(keys)
        counted = all(texts is not None and member.aside is None for _, texts, *_, member in steps)
        shape = steps if distinct and counted and LEAF_MARKS.isdisjoint(keys) else None
        if keys in self.steps:
            self[keys] = shape
        return shape


class Inner(dict[tuple[str, ...], tuple[str, ...] | None]):
    """The keys under which something may be left out, by the keys of an object.

    None for an object that has a member which is left out itself.
    """

    __slots__ = ("members",)

    def __init__(self, members: Members) -> None:
        super().__init__()
        self.members = members

    def __missing__(self, keys: tuple[str, ...]) -> tuple[str, ...] | None:
        members = [self.members[str(key)] for key in keys]
        inner: tuple[str, ...] | None = None
        if all(member.aside is None for member in members):
            # the schema closes only the groups that it has; a pattern reaches anywhere
            anywhere = self.members.owner.layout.ignores
            pairs = zip(keys, members, strict=True)
            inner = tuple(key for key, member in pairs if anywhere or member.is_group)
        if len(self) < CACHE_SIZE:
            self[keys] = inner
        return inner


class BoundGroup:
    """A group type with the meaning of its keys and the way its rows pair up.

    A layout holds its groups, and these hold their members, which refer back weakly: so the texts
    that were read for a run are gone as soon as nobody has its layouts any more.
    """

    def __init__(self, layout: Layout, spec: GroupSpec, parent: BoundGroup | None) -> None:
        self._layout = ref(layout)
        self.spec = spec
        self.path = spec.path
        self.root = parent is None
        self._parent = None if parent is None else ref(parent)
        self.members = Members(self)
        self.steps = Steps(self.members)
        self.shapes = Shapes(self.steps)
        self.pairs_freely = not spec.section and spec.match in FREE
        """Whether its objects are rows, each of which may pair with any other."""
        self.inner = Inner(self.members)
        named: Sequence[Field | GroupSpec] = (*spec.fields, *spec.groups)
        self._aliases = {alias: field.path for field in named for alias in field.aliases}

    @property
    def layout(self) -> Layout:
        """The layout that the group is of."""
        return _alive(self._layout)

    @property
    def parent(self) -> BoundGroup | None:
        """The group around this one, None for the root."""
        return None if self._parent is None else _alive(self._parent)

    def path_of(self, key: str) -> str:
        """Return a key's path; one that names its group or an enclosing one is not prefixed."""
        if key in self._aliases:
            return self._aliases[key]
        around: BoundGroup | None = self
        while around is not None and not around.root:
            if key.startswith(around.path + "."):
                return key
            around = around.parent
        name = key or NAMELESS
        return name if self.root else f"{self.path}.{name}"


_bound_fields: WeakValueDictionary[tuple[int, int], BoundField] = WeakValueDictionary()


def _bound_field(spec: Field, schema: Schema) -> BoundField:
    """Return a field of a schema; its layouts share it, so that each text is read once for all."""
    # a field keeps its spec and its schema, so that neither number is given away while it lives
    key = (id(spec), id(schema))
    bound = _bound_fields.get(key)
    if bound is None:
        bound = _bound_fields[key] = BoundField(spec, schema)
    return bound


class Layout:
    """A schema bound for one document type (or for documents of no stated type)."""

    def __init__(
        self, schema: Schema, kind: DocumentType | None, ignore: tuple[str, ...] = ()
    ) -> None:
        self.schema = schema
        self.kind = kind
        self.type_names = frozenset(kind.name for kind in schema.types)
        self._ignored = ignored_names(ignore)
        self.listing = Listing(schema, kind)
        self._fields: dict[str, BoundField] = {}
        self.keyless: set[str] = set()
        """Fields whose values are always compared pair by pair."""
        self._groups: dict[str, BoundGroup] = {}
        self.gathered = tuple(group for group in schema.groups if group.grouping is not None)
        """Groups whose values may stand loose in a document, to be put into rows."""
        self._closed = schema.extra == EXTRAS[0] and bool(schema.fields or schema.groups)
        self.ignores = bool(ignore)
        self.selective = self._closed or self.ignores
        """Whether a member may be left out because of its name."""
        self.partial = schema.missing == MISSING[1]
        """Whether gold need not know what it has no key for."""
        paths = {field.path for field in schema.fields}
        self._loose = {name for spec in self.gathered for name in component_names(spec, paths)}
        self.root = BoundGroup(self, GroupSpec("", schema.fields, schema.groups), None)
        listing = self.listing
        specs: list[Field | GroupSpec] = [*listing.fields.values(), *listing.groups.values()]
        self.has_sets = any(spec.match == "set" for spec in specs)
        self.has_order = any(field.match == "order" for field in listing.fields.values())
        """Whether the place of a value in its list counts."""
        self.simple = not (self.gathered or self.has_sets or self.has_order)
        """Whether values are read as they stand, whatever others stand beside them."""
        self.kept: dict[Hashable, object] = {}
        """What metrics have worked out for it, kept for the next document."""
        for path in listing.fields:
            self.field(path)

    @property
    def untyped(self) -> bool:
        """Whether every value is a text, so that any can be read and none needs comparing."""
        return not self.listing.fields

    def knows(self, path: str) -> bool:
        """Whether the schema describes this field."""
        return path in self.listing.fields

    def calls_group(self, path: str) -> bool:
        """Whether the schema says that an object under this path is a group."""
        return path in self.listing.groups

    def aside(self, member: Member) -> str | None:
        """Return why a member is left out on both sides, None when it is not."""
        if self._ignored is not None:
            # however one side spells it, a field is ignored on both
            names = {other for name in member.names for other in self.names_of(name)}
            if any(map(self._ignored.fullmatch, names)):
                return IGNORED
        return EXTRA if self._closed and not self._names(member) else None

    @cached_property
    def expected(self) -> tuple[str, ...]:
        """The fields that a document of this type should have, but for those to ignore."""
        ignored = self._ignored
        if ignored is None:
            return self.listing.expected
        return tuple(
            path
            for path in self.listing.expected
            if not any(
                ignored.fullmatch(name)
                for way in (path, *(path[:at] for at, sign in enumerate(path) if sign == "."))
                for name in self.names_of(way)
            )
        )

    def names_of(self, path: str) -> set[str]:
        """Return all that a user may call a path: itself, its column, its aliases.

        A column goes by the names of its field and of its group as well.
        """
        columns = self.listing.columns
        paths = {path, *columns.get(path, ())}
        paths |= {name for name, (_, field) in columns.items() if field == path}
        parts: Mapping[str, Field | GroupSpec] = {**self.listing.fields, **self.listing.groups}
        specs = [(name, parts.get(name)) for name in paths]
        aliases = ((name, alias) for name, spec in specs if spec for alias in spec.aliases)
        return paths | {f"{name[: name.rfind('.') + 1]}{alias}" for name, alias in aliases}

    def _names(self, member: Member) -> bool:
        """Whether the schema names a member, or says nothing about what its group holds."""
        path, owner, listing = member.path, member.owner, self.listing
        if path in listing.fields or path in listing.groups:
            return True
        if owner.root:
            return member.column is not None or member.key in self._loose
        return not owner.spec.fields and not owner.spec.groups

    def field(self, path: str) -> BoundField:
        """Return the field of a path; one that no schema mentions compares as exact text."""
        bound = self._fields.get(path)
        if bound is None:
            spec = self.listing.fields.get(path) or Field(path, self.schema.unnamed)
            bound = self._fields[path] = _bound_field(spec, self.schema)
            if not bound.keyed:
                self.keyless.add(path)
        return bound

    def group(self, path: str, parent: BoundGroup | None = None) -> BoundGroup:
        """Return the group of a path."""
        bound = self._groups.get(path)
        if bound is None:
            spec = self.listing.groups.get(path) or GroupSpec(path)
            bound = self._groups[path] = BoundGroup(self, spec, parent or self.root)
        return bound

    def stated_type(self, tree: object) -> Reading | None:
        """Return what a tree says its document type is, None when it says nothing."""
        raw = tree.get(self.schema.type_field) if isinstance(tree, Mapping) else None
        if isinstance(raw, Mapping):
            # of several right types the first decides
            given = raw.get("any_of")
            raw = given[0] if isinstance(given, list) and given else raw.get("value")
        return None if raw is None else self._type_choice.readings[str(raw)]

    @cached_property
    def _type_choice(self) -> BoundField:
        # by name or alias, whatever type the field itself is declared to have
        return BoundField(choice_of_type(self.schema), self.schema)


def ignored_names(patterns: Sequence[str]) -> re.Pattern[str] | None:
    """Return what matches the names of fields and groups to ignore; `*` is any characters."""
    if not patterns:
        return None
    return re.compile("|".join(f"(?:{_pattern(name)})" for name in patterns), re.DOTALL)


def _pattern(name: str) -> str:
    return ".*".join(map(re.escape, name.split("*")))
