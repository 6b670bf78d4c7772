"""What a schema says as a whole: names and aliases that clash, keys, columns and types that dangle.

A document type decides which columns and fields of a document are in play. Two groups may share a
column as long as no document type has both, since a cell can be read only once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from docassay.model.schema import DocumentType, Field, GroupSpec
from docassay.schema.nodes import Mistakes, Node
from docassay.schema.parse import Parsed
from docassay.schema.paths import short_name
from docassay.schema.rule_nodes import check_rules


def check(parsed: Parsed, mistakes: Mistakes) -> None:
    """Note every mistake that only shows when the parts of a schema are seen together."""
    schema = parsed.schema
    _level(schema.fields, schema.groups, (), parsed.places, mistakes)
    for group, inside in walk(schema.groups):
        _level(group.fields, group.groups, inside, parsed.places, mistakes)
        _group(group, inside, parsed.groups[group.path], mistakes)
        _grouping(group, inside, parsed, mistakes)
    _type_names(parsed, mistakes)
    for type_ in schema.types:
        _listed(type_, parsed, mistakes)
    if not schema.types:
        _read_once(parsed, (), mistakes)
    if schema.rules and not mistakes.found:
        # what a rule may ask for is known once the fields are right
        check_rules(schema, parsed.rules, mistakes)


def walk(
    groups: Sequence[GroupSpec], enclosing: tuple[str, ...] = ()
) -> Iterator[tuple[GroupSpec, tuple[str, ...]]]:
    """Yield every group with the paths of the groups down to itself, outermost first."""
    for group in groups:
        inside = (*enclosing, group.path)
        yield group, inside
        yield from walk(group.groups, inside)


def members(group: GroupSpec) -> Iterator[Field]:
    """Yield a group's own fields, with those of the sections inside it."""
    yield from group.fields
    for inner in group.groups:
        if inner.section:
            yield from members(inner)


def _level(
    fields: Sequence[Field],
    groups: Sequence[GroupSpec],
    enclosing: tuple[str, ...],
    places: Mapping[str, Node],
    mistakes: Mistakes,
) -> None:
    """Note the aliases of one level that clash: they are keys of one object."""
    parts: tuple[Field | GroupSpec, ...] = (*fields, *groups)
    named = {short_name(part.path, enclosing): part.path for part in parts}
    for part in parts:
        for alias in part.aliases:
            owner = named.setdefault(alias, part.path)
            if owner != part.path or part.aliases.count(alias) > 1:
                mistakes.add(places[part.path], f"the alias {alias!r} already stands for {owner!r}")


def _group(group: GroupSpec, inside: tuple[str, ...], node: Node, mistakes: Mistakes) -> None:
    own = [field.path for field in members(group)]
    names = [short_name(path, inside) for path in own]
    given = node.value if isinstance(node.value, Mapping) else {}
    if group.key is not None and group.key not in own:
        key = short_name(group.key, inside)
        mistakes.unknown(given.get("match", node), "key field", key, names)
    for path in group.columns:
        if path not in own:
            column = short_name(path, inside)
            mistakes.unknown(given.get("columns", node), "field for a column", column, names)
    if group.columns and len(inside) > 1:
        mistakes.add(given.get("columns", node), "columns of a group inside another group")
    taken = list(group.columns.values())
    for column in sorted({name for name in taken if taken.count(name) > 1}):
        mistakes.add(given.get("columns", node), f"the column {column!r} is used twice")


def _grouping(
    group: GroupSpec, inside: tuple[str, ...], parsed: Parsed, mistakes: Mistakes
) -> None:
    """Note what cannot be said of how a group's rows come about."""
    node = parsed.groups[group.path]
    given = node.value if isinstance(node.value, Mapping) else {}
    if group.grouping is not None:
        if len(inside) > 1:
            mistakes.add(given["grouping"], "grouping of a group inside another group")
        if group.columns:
            mistakes.add(given["grouping"], "grouping beside columns, which say it already")
    if group.group_id is not None and group.grouping != "ids":
        mistakes.add(given["group_id"], "group_id without grouping: ids")
    for field in () if group.section else members(group):
        if field.repeated is not None:
            what = "repeated of a field in a group, where rows are what repeats"
            mistakes.add(parsed.places[field.path], what)


def _type_names(parsed: Parsed, mistakes: Mistakes) -> None:
    owners = {type_.name.casefold(): type_.name for type_ in parsed.schema.types}
    for type_ in parsed.schema.types:
        for alias in type_.aliases:
            owner = owners.setdefault(alias.casefold(), type_.name)
            if owner != type_.name:
                what = f"the alias {alias!r} already stands for {owner!r}"
                mistakes.add(parsed.types[type_.name], what)


def _listed(type_: DocumentType, parsed: Parsed, mistakes: Mistakes) -> None:
    """Note what a document type lists that does not exist or stands twice."""
    node = parsed.types[type_.name]
    given = node.value if isinstance(node.value, Mapping) else {}
    known = {*parsed.places, *_claims(parsed), parsed.schema.type_field}
    for key in ("fields", "unscored"):
        listed = given.get(key, Node((), "", None))
        seen: set[str] = set()
        for item in listed.value if isinstance(listed.value, tuple) else (listed,):
            name = item.value
            if not isinstance(name, str):
                continue
            if name not in known:
                mistakes.unknown(item, "field, column or group", name, known)
            elif name in seen:
                mistakes.add(item, f"{name!r} is listed twice")
            seen.add(name)
    _read_once(parsed, type_.fields, mistakes, node=given.get("fields", node))


class _Claim(NamedTuple):
    """A field that reads a key of the document, and the group whose column it is (or itself)."""

    field: str
    owner: str


def _claims(parsed: Parsed) -> dict[str, list[_Claim]]:
    claims: dict[str, list[_Claim]] = {}
    for field in parsed.schema.fields:
        claims.setdefault(field.path, []).append(_Claim(field.path, field.path))
    for group in parsed.schema.groups:
        for path, column in group.columns.items():
            claims.setdefault(column, []).append(_Claim(path, group.path))
    return claims


def _read_once(
    parsed: Parsed, listed: tuple[str, ...], mistakes: Mistakes, *, node: Node | None = None
) -> None:
    """Note each key of a document that two of the listed parts read; none listed means all."""
    columns = {group.path: set(group.columns.values()) for group in parsed.schema.groups}
    for column, claims in _claims(parsed).items():
        named = [
            claim.owner
            for claim in claims
            if not listed or claim.owner in listed or claim.field in listed
        ]
        if column in listed and not named:
            # listed by its own name only: it goes to the group with the most columns listed
            ranks = [len(columns.get(claim.owner, set()) & {*listed}) for claim in claims]
            named = [c.owner for c, rank in zip(claims, ranks, strict=True) if rank == max(ranks)]
        if len(set(named)) > 1:
            both = " and ".join(map(repr, named))
            place = parsed.places[named[-1]] if node is None else node
            mistakes.add(place, f"the column {column!r} is used twice, by {both}")
