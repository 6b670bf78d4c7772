"""A schema from examples: the fields and groups that trees hold, with types guessed from values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from docassay.errors import DataError
from docassay.model.document import LEAF_KEYS, MAX_DEPTH, SEPARATOR, Number
from docassay.model.schema import DATE_ORDERS, Field, GroupSpec, Schema
from docassay.schema.guess import Guess, ObservedValues, date_order, guess
from docassay.schema.nodes import child_path

_DATED = frozenset({"date", "date_range"})
_LONGEST_EXAMPLE = 40
_Owned = Mapping[tuple[str, ...], tuple[list[str], list[str]]]
"""The paths of the fields and of the groups directly inside each group, by its way down."""
_NONE: tuple[list[str], list[str]] = ([], [])


class Inferred(NamedTuple):
    """A schema and, for each path, what was seen there: the comments of `to_yaml`."""

    schema: Schema
    notes: Mapping[str, str]


def infer(records: Iterable[object], *, name: str = "") -> Schema:
    """Return a schema of the fields in example trees, with types guessed from their values."""
    return infer_with_notes(records, name=name).schema


def infer_with_notes(records: Iterable[object], *, name: str = "") -> Inferred:
    """Return the schema of example trees and a note on what each field's values were."""
    seen = _Seen()
    count = 0
    for count, tree in enumerate(records, start=1):  # noqa: B007 - the last count is the total
        if isinstance(tree, Mapping):
            seen.members(tree, ())
    if not seen.fields and not seen.groups:
        raise DataError("no values to infer a schema from", hint="give documents with fields")
    guesses = {path: guess(values) for path, values in seen.fields.items() if values.seen}
    dated = {path: seen.fields[path].texts for path, kind in guesses.items() if kind.type in _DATED}
    dates = date_order(text for texts in dated.values() for text in texts) or DATE_ORDERS[0]
    fields = {path: _field(path, guesses.get(path), dates, seen) for path in seen.fields}
    owned = seen.by_owner()
    schema = Schema(
        name=name,
        fields=_fields((), owned, fields),
        groups=_groups((), owned, fields),
        dates=dates,
    )
    notes = {path: _note(values, guesses.get(path)) for path, values in seen.fields.items()}
    notes |= {path: f"{rows:,} rows" for path, rows in seen.rows.items()}
    for path in seen.mixed:
        notes[path] += ", and plain values in their place, which no field describes"
    notes[""] = f"Inferred from {count:,} documents. Every type is a guess from values: check it."
    return Inferred(schema, notes)


class _Seen:
    """What stands in the examples: values by field path, and where fields and groups belong."""

    def __init__(self) -> None:
        self.fields: dict[str, ObservedValues] = {}
        self.groups: dict[str, tuple[str, ...]] = {}
        self.rows: dict[str, int] = {}
        self.mixed: set[str] = set()
        self._owners: dict[str, tuple[str, ...]] = {}

    def by_owner(self) -> _Owned:
        """Return the fields and the groups that stand directly in each group, by its way down."""
        owned: dict[tuple[str, ...], tuple[list[str], list[str]]] = {}
        for path in self.fields:
            owned.setdefault(self._owners[path], ([], []))[0].append(path)
        for path, owner in self.groups.items():
            owned.setdefault(owner, ([], []))[1].append(path)
        return owned

    def members(
        self, tree: Mapping[object, object], enclosing: tuple[str, ...], depth: int = 0
    ) -> None:
        for key, item in tree.items():
            if str(key).strip():
                self.item(child_path(str(key), enclosing), item, enclosing, depth + 1)

    def item(self, path: str, item: object, enclosing: tuple[str, ...], depth: int) -> None:
        if depth > MAX_DEPTH:
            raise DataError(f"an example is nested deeper than {MAX_DEPTH} levels", where=path)
        if isinstance(item, Mapping):
            self.mapping(path, item, enclosing, depth)
        elif isinstance(item, (list, tuple)):
            for part in item:
                self.item(path, part, enclosing, depth + 1)
        elif isinstance(item, str) and not isinstance(item, Number):
            for part in item.split(SEPARATOR):
                self.leaf(path, part, enclosing)
        elif item is None or isinstance(item, (bool, int, float, Number)):
            self.leaf(path, item, enclosing)
        else:
            raise DataError(f"{item!r} is not a value of JSON", where=path)

    def mapping(
        self, path: str, item: Mapping[object, object], enclosing: tuple[str, ...], depth: int
    ) -> None:
        if "value" in item and LEAF_KEYS.issuperset(map(str, item)):
            self.item(path, item["value"], enclosing, depth + 1)
        elif "any_of" in item and (LEAF_KEYS | {"any_of"}).issuperset(map(str, item)):
            self.item(path, item["any_of"], enclosing, depth + 1)
        else:
            self.groups.setdefault(path, enclosing)
            self.rows[path] = self.rows.get(path, 0) + 1
            if self.fields.pop(path, None) is not None:
                self.mixed.add(path)
            self.members(item, (*enclosing, path), depth)

    def leaf(
        self, path: str, leaf: str | bool | int | float | None, enclosing: tuple[str, ...]
    ) -> None:
        if path in self.groups:
            if leaf is not None:
                self.mixed.add(path)
            return
        self._owners.setdefault(path, enclosing)
        values = self.fields.setdefault(path, ObservedValues())
        if leaf is None or (isinstance(leaf, str) and leaf.strip().casefold() in ("", "not_found")):
            return
        number = isinstance(leaf, (int, float, Number)) and not isinstance(leaf, bool)
        values.add(leaf, number=number)


def _field(path: str, guessed: Guess | None, dates: str, seen: _Seen) -> Field:
    if guessed is None:
        return Field(path, "text")
    field = Field(path, guessed.type, guessed.options)
    if guessed.type not in _DATED:
        return field
    own = date_order(seen.fields[path].texts)
    return field if own in (None, dates) else replace(field, options={"dates": own})


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
    return f"{many}{which}; {guessed.share:.0%} read as {guessed.type}"
