"""A Schema to plain data, to commented YAML that one edits by hand, and to the rows of a table.

What is at its default is left out. `load_schema` reads either form back to an equal Schema.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from docassay.model.schema import DocumentType, Field, GroupSpec, Rule, Schema
from docassay.schema.listing import short_name

_PLAIN = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_./%+ -]*[A-Za-z0-9_./%+-])?")
_SURPRISING = re.compile(r"0[0-9_]+|y|n|yes|no|on|off|null", re.IGNORECASE)
"""Texts that are texts to docassay but something else to other readers of YAML."""
_INDENT = "  "


class SchemaRow(NamedTuple):
    """A line of the table that shows a schema."""

    path: str
    type: str
    """The field's type, or `group` or `section`."""
    options: str
    weight: float | None
    """None for a group."""
    match: str


def to_plain(schema: Schema) -> dict[str, object]:
    """Return a schema as texts, numbers, lists and dicts, fit for JSON."""
    own = {**_heading(schema), "types": {type_.name: _type(type_) for type_ in schema.types}}
    members = _members(schema.fields, schema.groups, ())
    rules = {"rules": [*map(_rule, schema.rules)]}
    return {key: value for key, value in {**own, **members, **rules}.items() if value}


def to_yaml(schema: Schema, *, notes: Mapping[str, str] | None = None) -> str:
    """Return a schema as YAML; a note on a path stands as a comment above its line."""
    comments = {} if notes is None else notes
    lines = [*_comment(comments, "", "")]
    lines += [f"{key}: {_flow(value)}" for key, value in _heading(schema).items() if value]
    if schema.types:
        lines.append("types:")
        lines += [f"{_INDENT}{_flow(type_.name)}: {_flow(_type(type_))}" for type_ in schema.types]
    lines += _block(schema.fields, schema.groups, (), "", comments)
    if schema.rules:
        lines.append("rules:")
        lines += [f"{_INDENT}- {_flow(_rule(rule))}" for rule in schema.rules]
    return "\n".join(lines) + "\n"


def describe(schema: Schema) -> list[SchemaRow]:
    """Return a row for each field and group, in the order of the schema."""
    return [*_rows(schema.fields, schema.groups)]


def _heading(schema: Schema) -> dict[str, object]:
    default = Schema()
    return {
        "name": schema.name,
        "absent": list(schema.absent),
        "dates": schema.dates if schema.dates != default.dates else None,
        "currency": schema.currency,
        "type_field": schema.type_field if schema.type_field != default.type_field else None,
        "extra": schema.extra if schema.extra != default.extra else None,
        "missing": schema.missing if schema.missing != default.missing else None,
    }


def _type(type_: DocumentType) -> dict[str, object]:
    lists = {"aliases": type_.aliases, "fields": type_.fields, "unscored": type_.unscored}
    return {key: list(names) for key, names in lists.items() if names}


def _rule(rule: Rule) -> dict[str, object] | str:
    given = {
        "check": rule.check,
        "name": rule.name or None,
        "when": rule.when or None,
        "types": list(rule.types) or None,
        "tolerance": None if rule.tolerance is None else _number(rule.tolerance),
        "relative": _number(rule.relative) if rule.relative else None,
    }
    settings: dict[str, object] = {key: value for key, value in given.items() if value is not None}
    return settings if len(settings) > 1 else rule.check


def _field(field: Field) -> dict[str, object]:
    default = Field(field.path)
    given = {
        "compare": field.compare,
        "accept": _number(field.accept) if field.accept != default.accept else None,
        "weight": _number(field.weight) if field.weight != default.weight else None,
        "match": field.match if field.match != default.match else None,
        "list": None if field.split else False,
        "repeated": field.repeated,
        "category": field.category,
        "aliases": list(field.aliases) or None,
        "floor": None if field.floor is None else _number(field.floor),
        "method": field.method,
        "required": field.required or None,
        "description": field.description or None,
    }
    settings = {key: value for key, value in given.items() if value is not None}
    options = {name: _plain(value) for name, value in field.options.items()}
    return {"type": field.type, **settings, **options}


def _group(group: GroupSpec, enclosing: tuple[str, ...]) -> dict[str, object]:
    """Return what a group says besides its members."""
    key = None if group.key is None else short_name(group.key, enclosing)
    given = {
        "match": {"key": key} if key is not None else group.match,
        "columns": {short_name(path, enclosing): name for path, name in group.columns.items()},
        "section": group.section,
        "aliases": list(group.aliases),
        "grouping": group.grouping,
        "group_id": group.group_id,
        "required": group.required,
        "description": group.description,
    }
    return {name: value for name, value in given.items() if value and value != "best"}


def _members(
    fields: Sequence[Field], groups: Sequence[GroupSpec], enclosing: tuple[str, ...]
) -> dict[str, object]:
    inside = {group.path: (*enclosing, group.path) for group in groups}
    sections: dict[str, object] = {
        "fields": {short_name(field.path, enclosing): _field(field) for field in fields},
        "groups": {
            short_name(group.path, enclosing): {
                **_group(group, inside[group.path]),
                **_members(group.fields, group.groups, inside[group.path]),
            }
            for group in groups
        },
    }
    return {key: value for key, value in sections.items() if value}


def _block(
    fields: Sequence[Field],
    groups: Sequence[GroupSpec],
    enclosing: tuple[str, ...],
    indent: str,
    notes: Mapping[str, str],
) -> Iterator[str]:
    deeper = indent + _INDENT
    if fields:
        yield f"{indent}fields:"
    for field in fields:
        yield from _comment(notes, field.path, deeper)
        yield f"{deeper}{_flow(short_name(field.path, enclosing))}: {_flow(_field(field))}"
    if groups:
        yield f"{indent}groups:"
    for group in groups:
        inside = (*enclosing, group.path)
        yield from _comment(notes, group.path, deeper)
        yield f"{deeper}{_flow(short_name(group.path, enclosing))}:"
        for key, value in _group(group, inside).items():
            yield f"{deeper}{_INDENT}{key}: {_flow(value)}"
        yield from _block(group.fields, group.groups, inside, deeper + _INDENT, notes)


def _comment(notes: Mapping[str, str], path: str, indent: str) -> Iterator[str]:
    for line in notes.get(path, "").splitlines():
        # what is not printable would end the comment or the file for a reader of YAML
        yield f"{indent}# {''.join(c if c.isprintable() else '?' for c in line)}"


def _flow(value: object) -> str:
    """Return a value on one line of YAML."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_flow(key)}: {_flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_flow, value)) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    text = str(value)
    if _PLAIN.fullmatch(text) and not _SURPRISING.fullmatch(text):
        return text
    return '"' + "".join(map(_quoted, text)) + '"'


def _quoted(character: str) -> str:
    if character in '"\\':
        return f"\\{character}"
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _number(value: float) -> float | int:
    return int(value) if value == int(value) else value


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value if isinstance(value, (str, bool, int, float)) else str(value)


def _rows(fields: Sequence[Field], groups: Sequence[GroupSpec]) -> Iterator[SchemaRow]:
    shown_apart = ("type", "weight", "match", "description")
    for field in fields:
        given = {key: value for key, value in _field(field).items() if key not in shown_apart}
        yield SchemaRow(field.path, field.type, _listed(given), field.weight, field.match)
    for group in groups:
        settings = _group(group, (group.path,))
        shown = ("columns", "aliases", "grouping", "group_id", "required")
        given = {key: settings[key] for key in shown if key in settings}
        match = group.match if group.key is None else f"key {group.key}"
        yield SchemaRow(
            group.path, "section" if group.section else "group", _listed(given), None, match
        )
        yield from _rows(group.fields, group.groups)


def _listed(given: Mapping[str, object]) -> str:
    return ", ".join(f"{key}: {_flow(value)}" for key, value in given.items())
