"""Listings: which fields and groups a schema has, which count for a type, and their paths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from docassay.model.schema import DocumentType, Field, GroupSpec, Schema


class Listing:
    """The parts of a schema by path, and what a document of one type (or of none) should have."""

    def __init__(self, schema: Schema, kind: DocumentType | None) -> None:
        self.schema = schema
        self.fields = {all_field.path: all_field for all_field in _all_fields(schema)}
        self.groups = {all_group.path: all_group for all_group in _all_groups(schema.groups)}
        self._kind = kind
        self._listed = frozenset() if kind is None else frozenset(kind.fields)
        self._unscored = frozenset() if kind is None else frozenset(kind.unscored)
        self.columns = _columns(schema, self._listed)
        """Column name -> the group and the field that its values belong to."""

    @cached_property
    def expected(self) -> tuple[str, ...]:
        """The fields that a document of this type should have: those listed, else all known.

        A group stands for its fields, and a column for the field that it holds.
        """
        if self._kind is None or not self._listed:
            return tuple(self.fields)
        paths: dict[str, None] = {}
        for name in self._kind.fields:
            column = self.columns.get(name)
            group = self.groups.get(name)
            if column is not None:
                paths[column[1]] = None
            elif group is not None:
                paths.update(dict.fromkeys(field.path for field in fields_of(group)))
            else:
                paths[name] = None
        return tuple(paths)

    @cached_property
    def expected_paths(self) -> frozenset[str]:
        """The expected fields, to look one up."""
        return frozenset(self.expected)

    def expects(self, path: str) -> bool:
        """Whether a field counts for this type, be it one that no schema mentions."""
        if self._kind is None or not self._listed or path in self.expected_paths:
            return True
        # a field that only the documents know counts where its whole group is listed
        return path not in self.fields and any(path.startswith(f"{name}.") for name in self._listed)

    def left_out(self, path: str, key: str) -> str | None:
        """Return "unscored" or "unlisted" for a root member that does not count, else None."""
        if self._kind is None:
            return None
        if path == self.schema.type_field and path not in self._listed:
            return "unscored"  # it says what the document is, whether or not it counts as a value
        names = {path, key, *self.columns.get(key, ())}
        if names & self._unscored:
            return "unscored"
        return "unlisted" if self._listed and not self._counts(names, path) else None

    def cell_left_out(self, path: str) -> str | None:
        """Return the same for a cell of a row: its column, or its whole group, may be listed."""
        if path in self._unscored or path in self._unscored_cells:
            return "unscored"
        return None if path in self.groups or self.expects(path) else "unlisted"

    @cached_property
    def _unscored_cells(self) -> frozenset[str]:
        return frozenset(path for name, (_, path) in self.columns.items() if name in self._unscored)

    def _counts(self, names: set[str], path: str) -> bool:
        if names & self._listed:
            return True
        # a group counts when any of its columns or fields is listed, a section likewise
        spec = self.groups.get(path)
        if spec is None:
            return False
        inside = {field.path for field in fields_of(spec)} | set(spec.columns.values())
        return bool(inside & self._listed)


def without_descriptions(schema: Schema) -> Schema:
    """Return a schema without the words that describe its parts, which shape no score."""
    parts: tuple[Field | GroupSpec, ...] = (*_all_groups(schema.groups), *_all_fields(schema))
    if not any(part.description for part in parts):
        return schema
    return replace(
        schema,
        fields=tuple(replace(field, description="") for field in schema.fields),
        groups=tuple(map(_undescribed, schema.groups)),
    )


def _undescribed(spec: GroupSpec) -> GroupSpec:
    return replace(
        spec,
        description="",
        fields=tuple(replace(field, description="") for field in spec.fields),
        groups=tuple(map(_undescribed, spec.groups)),
    )


def fields_of(spec: GroupSpec) -> list[Field]:
    """Return the fields of a group and of the groups inside it."""
    return [*spec.fields, *(field for inner in spec.groups for field in fields_of(inner))]


def _all_fields(schema: Schema) -> list[Field]:
    fields = [*schema.fields, *(member for spec in schema.groups for member in fields_of(spec))]
    if not schema.types:
        return fields
    # a document's type is itself a value to get right, and its aliases are the same type
    choice = choice_of_type(schema)
    given = next((field for field in fields if field.path == schema.type_field), None)
    if given is None:
        return [*fields, choice]
    if given.type != "choice" or given.options:
        return fields
    return [replace(field, options=choice.options) if field is given else field for field in fields]


def choice_of_type(schema: Schema) -> Field:
    """Return the field that names a document's type, as a choice among those of the schema."""
    names = {
        "choices": tuple(kind.name for kind in schema.types),
        "aliases": {kind.name: kind.aliases for kind in schema.types},
    }
    return Field(schema.type_field, "choice", names)


def _all_groups(specs: Sequence[GroupSpec]) -> list[GroupSpec]:
    return [group for spec in specs for group in (spec, *_all_groups(spec.groups))]


def _columns(schema: Schema, listed: frozenset[str]) -> dict[str, tuple[str, str]]:
    """Return column name -> (group, field path); a shared column goes to the group more listed."""
    columns: dict[str, tuple[str, str]] = {}
    strength: dict[str, int] = {}
    for spec in schema.groups:
        rank = len(listed & set(spec.columns.values())) + len(schema.groups) * (spec.path in listed)
        for path, column in spec.columns.items():
            if column not in columns or rank > strength[column]:
                columns[column] = (spec.path, path)
                strength[column] = rank
    return columns


def child_path(name: str, enclosing: Sequence[str]) -> str:
    """Return the path of a name inside groups (outermost first); a full path stays as it is.

    `nm` in `menu` is `menu.nm`; `menu.sub_nm` in `menu.sub` already begins with an enclosing path.
    """
    if not enclosing or any(name.startswith(f"{path}.") for path in enclosing):
        return name
    return f"{enclosing[-1]}.{name}"


def short_name(path: str, enclosing: Sequence[str]) -> str:
    """Return the shortest name that child_path turns into this path."""
    if not enclosing:
        return path
    name = path.removeprefix(f"{enclosing[-1]}.")
    return name if child_path(name, enclosing) == path else path
