"""A schema from examples: the fields and groups that trees hold, with types guessed from values.

`infer` writes a draft that a person reads: it also lists choices, and makes rows of parallel lists.
`guess_schema` is what a run without a schema is scored by: only what values prove, no choices, and
no rows where gold has none, because names and numbers of fields would then hang on chance. It looks
at the first `ENOUGH_VALUES` values of each field, while rare fields are found in all examples.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, takewhile
from typing import NamedTuple, cast

from docassay.errors import DataError
from docassay.kernel.counting import WaitingMembers, are_rows, gather
from docassay.model.document import LEAF_KEYS, LEAF_MARKS, MAX_DEPTH, SEPARATOR
from docassay.model.schema import DATE_ORDERS, Field, GroupSpec, Schema
from docassay.schema.guess import (
    ENOUGH_DISTINCT,
    ENOUGH_VALUES,
    Guess,
    ambiguous_date,
    date_order,
    guess,
)
from docassay.schema.listing import child_path
from docassay.schema.observed import EVERY, MOST_DISTINCT, ObservedValues

MOST_FIELDS = 5_000
"""Fields that types are guessed for; documents with more have keys that are values themselves."""
COUNTED_AT_ONCE = 2_000
"""Documents that are looked at together, and whose values are kept before they are counted."""
_DATED = frozenset({"date", "date_range"})
_LONGEST_EXAMPLE = 40
_Owned = Mapping[tuple[str, ...], tuple[list[str], list[str]]]
"""The paths of the fields and of the groups directly inside each group, by its way down."""
_NONE: tuple[list[str], list[str]] = ([], [])
_NO_PARTS = ([""], ["NOT_FOUND"], ["None"])
_ROWS = "rows"
"""What a group of parallel lists is called whose names have no beginning in common."""


class Inferred(NamedTuple):
    """A schema and, for each path, what was seen there: the comments of `to_yaml`."""

    schema: Schema
    notes: Mapping[str, str]


def infer(records: Iterable[object], *, name: str = "") -> Schema:
    """Return a schema of the fields in example trees, with types guessed from their values."""
    return infer_with_notes(records, name=name).schema


def infer_with_notes(records: Iterable[object], *, name: str = "") -> Inferred:
    """Return the schema of example trees and a note on what each field's values were."""
    seen = _Seen(strict=True)
    count = seen.take(records)
    if not seen.fields and not seen.groups:
        raise DataError("no values to infer a schema from", hint="give documents with fields")
    guesses = seen.guesses(choices=True)
    dates = _date_order(guesses, seen) or DATE_ORDERS[0]
    fields = {path: _field(path, guesses.get(path), dates, seen) for path in seen.fields}
    owned = seen.by_owner()
    rows = _parallel(seen, owned)
    in_rows = {path for spec in rows for path in spec.columns.values()}
    schema = Schema(
        name=name,
        fields=tuple(field for field in _fields((), owned, fields) if field.path not in in_rows),
        groups=(*_groups((), owned, fields), *(_filled(spec, fields) for spec in rows)),
        dates=dates,
    )
    notes = {path: _note(values, guesses.get(path)) for path, values in seen.fields.items()}
    notes |= {path: f"{number:,} rows" for path, number in seen.rows.items()}
    for spec in rows:
        notes[spec.path] = "rows of parallel lists, which have equal lengths in every document"
        notes |= {path: notes[column] for path, column in spec.columns.items()}
    for path in seen.mixed:
        notes[path] += ", and plain values in their place, which no field describes"
    notes[""] = f"Inferred from {count:,} documents. Every type is a guess from values: check it."
    return Inferred(schema, notes)


class GuessedSchema(NamedTuple):
    """The types that the values of gold prove, and what should be said about them."""

    schema: Schema | None
    """None when there is no value to guess from."""
    notes: tuple[str, ...]


def guess_schema(records: Iterable[object]) -> GuessedSchema:
    """Return a schema of what gold's values prove; any other field is text, and extras count."""
    seen = _Seen(strict=False, most_texts=ENOUGH_DISTINCT, most_values=ENOUGH_VALUES)
    seen.take(records)
    guesses = seen.guesses(choices=False)
    if not guesses:
        return GuessedSchema(None, ())
    order = _date_order(guesses, seen)
    dates = order or DATE_ORDERS[0]
    fields = {path: _field(path, guesses.get(path), dates, seen) for path in seen.fields}
    # sorted, so that equal types are equal plans, whichever document came first
    owned = {inside: (sorted(own), sorted(rows)) for inside, (own, rows) in seen.by_owner().items()}
    schema = Schema(
        fields=_fields((), owned, fields),
        groups=_groups((), owned, fields),
        dates=dates,
        extra="count",
        unnamed="text",
    )
    example = None if order else ambiguous_date(_dated(guesses, seen))
    if example is None:
        return GuessedSchema(schema, ())
    note = f"no date in gold shows whether day or month stands first: {example!r} is read {dates}"
    return GuessedSchema(schema, (f"{note} (a schema with `dates:` decides)",))


def _date_order(guesses: Mapping[str, Guess], seen: _Seen) -> str | None:
    return date_order(_dated(guesses, seen))


def _dated(guesses: Mapping[str, Guess], seen: _Seen) -> Iterator[str]:
    """Yield the texts of every field that holds dates."""
    for path, kind in guesses.items():
        if kind.type in _DATED:
            yield from seen.fields[path].texts


class _Seen:
    """What stands in the examples: values by field path, and where fields and groups belong."""

    def __init__(
        self, *, strict: bool, most_texts: int = MOST_DISTINCT, most_values: int = EVERY
    ) -> None:
        self._most_texts, self._most_values = most_texts, most_values
        self.fields: dict[str, ObservedValues] = {}
        self.groups: dict[str, tuple[str, ...]] = {}
        self.rows: dict[str, int] = {}
        self.mixed: set[str] = set()
        self.lengths: dict[str, dict[int, int]] = {}
        """How many values a field of the document itself has, by document."""
        self._owners: dict[str, tuple[str, ...]] = {}
        self._paths: dict[tuple[tuple[str, ...], object], str] = {}
        self._members: dict[tuple[tuple[str, ...], int], WaitingMembers] = {}
        """Where values wait by a key that holds a field and no group, by where it stands."""
        self._strict = strict
        """Whether what no schema can describe is an error, or left to who reads the documents."""

    def take(self, records: Iterable[object]) -> int:
        """Look at every tree and return how many there are."""
        count = 0
        rest = iter(records)
        while some := [*islice(rest, COUNTED_AT_ONCE)]:
            # most are dicts, and asking for any mapping takes long
            trees = [tree for tree in some if isinstance(tree, dict | Mapping)]
            self.members(trees, ())
            if self._strict:
                for document, tree in enumerate(trees, start=count):
                    self._measure(tree, document)
            if self._most_values == EVERY:
                self._count_values()
            count += len(some)
        self._count_values()
        for members in self._members.values():
            if members.rows:
                self.rows[members.enclosing[-1]] += members.rows
                members.rows = 0
        return count

    def _count_values(self) -> None:
        for values in self.fields.values():
            values.count_waiting()

    def _measure(self, tree: Mapping[object, object], document: int) -> None:
        for key, item in tree.items():
            parts = item.split(SEPARATOR) if type(item) is str else item
            if isinstance(parts, (list, tuple)) and parts and not isinstance(parts[0], Mapping):
                length = 0 if [*map(str, parts)] in _NO_PARTS else len(parts)
                if length:
                    self.lengths.setdefault(str(key), {})[document] = length

    def guesses(self, *, choices: bool) -> dict[str, Guess]:
        """Return the type of every field that has a value."""
        return {
            path: guess(values, choices=choices)
            for path, values in self.fields.items()
            if values.seen
        }

    def by_owner(self) -> _Owned:
        """Return the fields and the groups that stand directly in each group, by its way down."""
        owned: dict[tuple[str, ...], tuple[list[str], list[str]]] = {}
        for path in self.fields:
            owned.setdefault(self._owners[path], ([], []))[0].append(path)
        for path, owner in self.groups.items():
            owned.setdefault(owner, ([], []))[1].append(path)
        return owned

    def members(
        self, trees: Iterable[Mapping[object, object]], enclosing: tuple[str, ...], depth: int = 0
    ) -> None:
        # most leaves are texts and numbers of a field that was seen before: they wait in a list
        known = self._members_of(enclosing, depth)
        gather(trees, known, LEAF_MARKS, self._look, self._most_values)

    def _members_of(self, enclosing: tuple[str, ...], depth: int) -> WaitingMembers:
        """Return where the members of objects wait; what lies too deep has no place of its own."""
        members = self._members.get((enclosing, depth))
        if members is None:
            members = WaitingMembers(enclosing, depth)
            if depth < MAX_DEPTH:
                self._members[enclosing, depth] = members
        return members

    def _look(self, members: WaitingMembers, key: object, item: object) -> None:
        """Take a member of an object, and make its key known for those that follow."""
        enclosing, depth = members.enclosing, members.depth
        path = self._path(key, enclosing)
        if not path:
            return
        self.item(path, item, enclosing, depth + 1)
        values = self.fields.get(path)
        if values is not None:
            members.lists[key] = values.waiting
        elif type(item) is list and path in self.groups and depth + 2 < MAX_DEPTH:
            members.inner[key] = self._members_of((*enclosing, path), depth + 2)

    def _path(self, key: object, enclosing: tuple[str, ...]) -> str:
        """Return the path of a member, "" for one without a name."""
        path = self._paths.get((enclosing, key))
        if path is None:
            path = child_path(str(key), enclosing) if str(key).strip() else ""
            self._paths[enclosing, key] = path
        return path

    def item(self, path: str, item: object, enclosing: tuple[str, ...], depth: int) -> None:
        kind = type(item)
        if depth > MAX_DEPTH:
            self.refuse(f"an example is nested deeper than {MAX_DEPTH} levels", path)
        elif kind is dict or isinstance(item, Mapping):
            self.mapping(path, cast("Mapping[object, object]", item), enclosing, depth)
        elif isinstance(item, (list, tuple)):
            if depth < MAX_DEPTH and are_rows([*item], LEAF_MARKS):
                self.group(path, item, enclosing, depth + 1)
                return
            for part in item:
                self.item(path, part, enclosing, depth + 1)
        elif item is None or isinstance(item, (str, bool, int, float)):
            self.leaf(path, item, enclosing)
        else:
            self.refuse(f"{item!r} is not a value of JSON", path)

    def refuse(self, what: str, path: str) -> None:
        """Raise what no schema can describe, unless who reads the documents will report it."""
        if self._strict:
            raise DataError(what, where=path)

    def mapping(
        self, path: str, item: Mapping[object, object], enclosing: tuple[str, ...], depth: int
    ) -> None:
        if "value" in item and LEAF_KEYS.issuperset(map(str, item)):
            self.item(path, item["value"], enclosing, depth + 1)
        elif "any_of" in item and (LEAF_KEYS | {"any_of"}).issuperset(map(str, item)):
            self.item(path, item["any_of"], enclosing, depth + 1)
        else:
            self.group(path, (item,), enclosing, depth)

    def group(
        self,
        path: str,
        rows: Sequence[Mapping[object, object]],
        enclosing: tuple[str, ...],
        depth: int,
    ) -> None:
        self.groups.setdefault(path, enclosing)
        self.rows[path] = self.rows.get(path, 0) + len(rows)
        if self.fields.pop(path, None) is not None:
            self.mixed.add(path)
            for members in self._members.values():
                members.forget()
        self.members(rows, (*enclosing, path), depth)

    def leaf(
        self, path: str, leaf: str | bool | int | float | None, enclosing: tuple[str, ...]
    ) -> None:
        if path in self.groups:
            if leaf is not None:
                self.mixed.add(path)
            return
        values = self.fields.get(path)
        if values is None:
            if not self._strict and len(self.fields) >= MOST_FIELDS:
                return
            self._owners[path] = enclosing
            values = self.fields[path] = ObservedValues(self._most_texts, self._most_values)
        values.add(leaf)


def _field(path: str, guessed: Guess | None, dates: str, seen: _Seen) -> Field:
    if guessed is None:
        return Field(path, "text")
    field = Field(path, guessed.type, guessed.options)
    if guessed.type not in _DATED:
        return field
    own = date_order(seen.fields[path].texts)
    return field if own in (None, dates) else replace(field, options={"dates": own})


def _parallel(seen: _Seen, owned: _Owned) -> list[GroupSpec]:
    """Return a group for each set of lists that are as long as each other in every document.

    Two lists belong together when they have equal lengths wherever both stand, and several values
    at least once.
    """
    clusters: list[list[str]] = []
    for column in owned.get((), _NONE)[0]:
        if max(seen.lengths.get(column, {0: 0}).values()) < 2:
            continue
        for cluster in clusters:
            if all(_alike(seen.lengths[column], seen.lengths[member]) for member in cluster):
                cluster.append(column)
                break
        else:
            clusters.append([column])
    taken = {*seen.fields, *seen.groups}
    specs = []
    for columns in clusters:
        if len(columns) < 2:
            continue
        start = _shared_start(columns)
        name = start.strip("_. -").lower() or _ROWS
        while name in taken:
            name += "_"
        taken.add(name)
        shorts = [column[len(start) :].strip("_. -") for column in columns]
        if "" in shorts or len({*shorts}) < len(shorts):
            shorts = columns
        named = {f"{name}.{short}": column for short, column in zip(shorts, columns, strict=True)}
        specs.append(GroupSpec(name, columns=named))
    return specs


def _alike(lengths: Mapping[int, int], others: Mapping[int, int]) -> bool:
    shared = lengths.keys() & others.keys()
    equal = all(lengths[document] == others[document] for document in shared)
    return equal and any(lengths[document] > 1 for document in shared)


def _shared_start(names: Sequence[str]) -> str:
    """Return the words that all names begin with, never a whole name."""
    first, last = min(names), max(names)
    alike = takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False))
    start = "".join(character for character, _ in alike)
    return start[: max(map(start.rfind, "_. -")) + 1]


def _filled(spec: GroupSpec, fields: Mapping[str, Field]) -> GroupSpec:
    """Return a group of columns with the fields that they hold."""
    members = (replace(fields[column], path=path) for path, column in spec.columns.items())
    return replace(spec, fields=tuple(members))


def _groups(
    enclosing: tuple[str, ...], owned: _Owned, fields: Mapping[str, Field]
) -> tuple[GroupSpec, ...]:
    return tuple(
        GroupSpec(
            path,
            _fields((*enclosing, path), owned, fields),
            _groups((*enclosing, path), owned, fields),
        )
        for path in owned.get(enclosing, _NONE)[1]
    )


def _fields(
    enclosing: tuple[str, ...], owned: _Owned, fields: Mapping[str, Field]
) -> tuple[Field, ...]:
    return tuple(fields[path] for path in owned.get(enclosing, _NONE)[0])


def _note(values: ObservedValues, guessed: Guess | None) -> str:
    if guessed is None:
        return "no values seen"
    example = min(values.texts, key=lambda text: (-values.texts[text], text))
    if len(example) > _LONGEST_EXAMPLE:
        example = f"{example[: _LONGEST_EXAMPLE - 3]}..."
    many = f"{values.seen:,} value{'' if values.seen == 1 else 's'}"
    distinct = len(values.texts)
    which = f": {example!r}" if distinct == 1 else f", {distinct:,} different, such as {example!r}"
    share = values.share(values.read_as(guessed.type).__contains__)
    return f"{many}{which}; {share:.0%} read as {guessed.type}"
