"""Where schemas come from: a file, a mapping, a Pydantic model, or a Schema as it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeGuard

from docassay.errors import ConfigurationError, FileError, SchemaError
from docassay.model.schema import DocumentType, Field, GroupSpec, Schema
from docassay.schema.json_schema import convert_json_schema, is_json_schema
from docassay.schema.nodes import Mistakes, Node, from_plain, read_json, read_yaml, short_name
from docassay.schema.parse import Parsed, check_rules, parse
from docassay.schema.vrdu_meta import convert_vrdu_meta, is_vrdu_meta
from docassay.schema.write import to_plain

if TYPE_CHECKING:
    from pydantic import BaseModel
    from pydantic.json_schema import JsonSchemaValue
    from pydantic_core.core_schema import DecimalSchema


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
    names = {*parsed.places, *_claims(parsed), parsed.schema.type_field}
    for key in ("fields", "unscored"):
        listed = given.get(key, Node((), "", None))
        seen: set[str] = set()
        for item in listed.value if isinstance(listed.value, tuple) else (listed,):
            name = item.value
            if not isinstance(name, str):
                continue
            if name not in names:
                mistakes.unknown(item, "field, column or group", name, names)
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


class SchemaForm(NamedTuple):
    """A kind of schema other than docassay's own: how to tell it, and how to convert it."""

    name: str
    fits: Callable[[Node], bool]
    convert: Callable[[Node, Mistakes], Node]


FORMS = (
    SchemaForm("JSON Schema", is_json_schema, convert_json_schema),
    SchemaForm("VRDU meta.json", is_vrdu_meta, convert_vrdu_meta),
)
"""Asked in this order, of files, mappings and Pydantic models alike; what fits none is our own."""
SUFFIXES = (".yaml", ".yml", ".json")
BUILTIN = Path(__file__).parent / "builtin"


def builtin_schemas() -> tuple[str, ...]:
    """Return the names of the schemas that come with docassay."""
    return tuple(sorted(file.stem for file in BUILTIN.glob("*.yaml")))


def load_schema(source: object) -> Schema:
    """Return the schema that a source describes; raises the first of its mistakes.

    A source is the path of a YAML or JSON file, the name of a schema that comes with docassay, a
    mapping (docassay's own form or JSON Schema), a Pydantic model class, or a Schema.
    """
    if isinstance(source, Schema):
        return source
    schema, mistakes = _examine(source)
    if not mistakes:
        return schema
    first = mistakes[0]
    if len(mistakes) == 1:
        raise first
    others = f"{len(mistakes) - 1} more mistake{'s' if len(mistakes) > 2 else ''}"
    hints = [first.hint, f"and {others}: `docassay schema check` lists all"]
    raise SchemaError(
        first.what, where=first.where, hint="; ".join(hint for hint in hints if hint is not None)
    )


def check_schema(source: object) -> list[SchemaError]:
    """Return every mistake in a schema, in the order of its lines."""
    return _examine(source).mistakes


class _Examined(NamedTuple):
    schema: Schema
    mistakes: list[SchemaError]


def _examine(source: object) -> _Examined:
    mistakes = Mistakes()
    root = _nodes(source, mistakes)
    if mistakes.found and root.value is None:
        return _Examined(Schema(), mistakes.found)
    form = next((form for form in FORMS if form.fits(root)), None)
    parsed = parse(root if form is None else form.convert(root, mistakes), mistakes)
    check(parsed, mistakes)
    return _Examined(parsed.schema, sorted(mistakes.found, key=_line))


def _nodes(source: object, mistakes: Mistakes) -> Node:
    if isinstance(source, Schema):
        return from_plain(to_plain(source), mistakes)
    if isinstance(source, Mapping):
        return from_plain(source, mistakes)
    if is_model(source):
        return from_plain(model_schema(source), mistakes)
    if not isinstance(source, (str, PathLike)):
        raise ConfigurationError(
            f"{source!r} is no schema", hint="give a path, a mapping or a Pydantic model class"
        )
    path = Path(source)
    if path.suffix.lower() not in SUFFIXES:
        path = _builtin(path)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise FileError(f"cannot be read: {error.strerror}", where=str(path)) from error
    except UnicodeDecodeError as error:
        nowhere = Node(None, "", str(path))
        mistakes.add(nowhere, f"not UTF-8 text: byte {error.start} cannot be read")
        return nowhere
    except ValueError as error:  # a NUL character in the path
        raise FileError(f"cannot be read: {error}", where=repr(str(path))) from error
    read = read_json if path.suffix.lower() == ".json" else read_yaml
    return read(text, mistakes, file=str(path))


def _builtin(path: Path) -> Path:
    """Return the file of a schema that comes with docassay and is asked for by its name."""
    names = builtin_schemas()
    if str(path) not in names:
        raise ConfigurationError(
            f"{path.name!r} is no schema file",
            where=str(path),
            hint=f"use {', '.join(SUFFIXES)} or a schema that comes with docassay: "
            + ", ".join(names),
        )
    return BUILTIN / f"{path}.yaml"


def _line(error: SchemaError) -> int:
    """Return the line of a mistake, so that they are listed as one reads the file."""
    line = (error.where or "").rpartition(":")[2]
    return int(line) if line.isdecimal() else 0


def is_model(source: object) -> TypeGuard[type[BaseModel]]:
    """Whether something is a Pydantic model class; Pydantic itself need not be there to ask."""
    return isinstance(source, type) and callable(getattr(source, "model_json_schema", None))


def model_schema(model: type[BaseModel]) -> Mapping[str, object]:
    """Return the JSON Schema of a model class."""
    from pydantic.errors import PydanticUserError
    from pydantic.json_schema import GenerateJsonSchema

    class PlainDecimals(GenerateJsonSchema):
        """Pydantic calls a Decimal "a number or a text", which would make it a text to us."""

        def decimal_schema(self, schema: DecimalSchema) -> JsonSchemaValue:
            return {"type": "number"}

    try:
        return model.model_json_schema(schema_generator=PlainDecimals)
    except PydanticUserError as error:
        raise SchemaError(
            f"the model {model.__name__} has no JSON Schema: {error.message}",
            hint="leave out fields that hold no data",
        ) from error
