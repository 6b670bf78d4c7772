"""Where schemas come from: a file, a mapping, a class of records, or a Schema as it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeGuard, TypeVar

from docassay.errors import ConfigurationError, FileError, SchemaError
from docassay.model.schema import DocumentType, Field, GroupSpec, Schema
from docassay.schema.infer import guess_schema
from docassay.schema.json_schema import convert_json_schema, is_json_schema
from docassay.schema.listing import short_name
from docassay.schema.nodes import Mistakes, Node, from_plain, read_json, read_yaml
from docassay.schema.other_forms import (
    convert_field_definitions,
    convert_vrdu_meta,
    is_field_definitions,
    is_vrdu_meta,
)
from docassay.schema.parse import Parsed, check_rules, parse
from docassay.schema.write import to_plain

if TYPE_CHECKING:
    from pydantic.json_schema import JsonSchemaValue
    from pydantic_core.core_schema import DecimalSchema

JsonObject = Mapping[str, object]


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
    SchemaForm("field definitions", is_field_definitions, convert_field_definitions),
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
    mapping (docassay's own form or JSON Schema), a Pydantic, dataclass, msgspec or attrs class, or
    a Schema.
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


class SchemaSet(NamedTuple):
    """A schema, or several for documents of several kinds with what they come to together."""

    joined: Schema
    schemas: Mapping[str, Schema]
    """By name; empty where one schema is for all documents."""


def load_schemas(source: object) -> SchemaSet:
    """Return the schema of a source, or those of a folder by the names of their files."""
    if not isinstance(source, (str, PathLike)) or not Path(source).is_dir():
        return SchemaSet(load_schema(source), {})
    schemas: dict[str, Schema] = {}
    for file in schema_files(source):
        if file.stem in schemas:
            raise ConfigurationError(f"two schemas are named {file.stem!r}", where=str(source))
        schemas[file.stem] = load_schema(file)
    if not schemas:
        hint = f"schemas end in {', '.join(SUFFIXES)}"
        raise FileError("there are no schemas in this folder", where=str(source), hint=hint)
    return SchemaSet(join_schemas(schemas), schemas)


def schema_files(source: str | PathLike[str]) -> list[Path]:
    """Return the schemas of a folder, sorted, or the path itself."""
    path = Path(source)
    if not path.is_dir():
        return [path]
    return sorted(file for file in path.iterdir() if file.suffix.lower() in SUFFIXES)


def join_schemas(schemas: Mapping[str, Schema]) -> Schema:
    """Return what several schemas come to together; of two fields of one path the first stands."""
    each = [*schemas.values()]
    return Schema(
        name=f"{len(each)} schemas" if len(each) > 1 else each[0].name,
        fields=_first_of(field for schema in each for field in schema.fields),
        groups=_joined_groups([group for schema in each for group in schema.groups]),
        types=tuple({kind.name: kind for schema in each for kind in schema.types}.values()),
        type_field=each[0].type_field,
        absent=tuple(dict.fromkeys(text for schema in each for text in schema.absent)),
        dates=each[0].dates,
        currency=each[0].currency,
        rules=tuple({rule.title: rule for schema in each for rule in schema.rules}.values()),
        extra=each[0].extra,
        missing=each[0].missing,
    )


def _first_of(fields: Iterable[Field]) -> tuple[Field, ...]:
    named: dict[str, Field] = {}
    for field in fields:
        named.setdefault(field.path, field)
    return tuple(named.values())


def _joined_groups(groups: Sequence[GroupSpec]) -> tuple[GroupSpec, ...]:
    named: dict[str, list[GroupSpec]] = {}
    for group in groups:
        named.setdefault(group.path, []).append(group)
    return tuple(
        replace(
            alike[0],
            fields=_first_of(field for group in alike for field in group.fields),
            groups=_joined_groups([inner for group in alike for inner in group.groups]),
        )
        for alike in named.values()
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
        return from_plain(_model_schema_by_either_name(source), mistakes)
    if not isinstance(source, (str, PathLike)):
        raise ConfigurationError(
            f"{source!r:.80} is no schema",
            hint="give a path, a mapping, or a Pydantic, dataclass or msgspec class",
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


def is_model(source: object) -> TypeGuard[type]:
    """Whether something is a class of records: Pydantic's, a dataclass, msgspec's or attrs's.

    None of these packages need be there to ask.
    """
    marks = ("model_json_schema", "__dataclass_fields__", "__struct_fields__", "__attrs_attrs__")
    return isinstance(source, type) and any(hasattr(source, mark) for mark in marks)


def model_schema(model: type, *, by_alias: bool = True, dumped: bool = False) -> JsonObject:
    """Return the JSON Schema of a class of records; `dumped` is what its instances are dumped as.

    `by_alias` is for Pydantic alone; the others have one name a field.
    """
    if not hasattr(model, "model_json_schema"):
        return _struct_schema(model)
    from pydantic.errors import PydanticUserError
    from pydantic.json_schema import GenerateJsonSchema

    class PlainDecimals(GenerateJsonSchema):
        """Pydantic calls a Decimal "a number or a text", which would make it a text to us."""

        def decimal_schema(self, schema: DecimalSchema) -> JsonSchemaValue:
            return {"type": "number"}

    try:
        schema: JsonObject = model.model_json_schema(
            schema_generator=PlainDecimals,
            by_alias=by_alias,
            mode="serialization" if dumped else "validation",
        )
    except PydanticUserError as error:
        raise SchemaError(
            f"the model {model.__name__} has no JSON Schema: {error.message}",
            hint="leave out fields that hold no data",
        ) from error
    return schema


def _struct_schema(model: type) -> JsonObject:
    import msgspec

    try:
        return {key: _numeric(part) for key, part in msgspec.json.schema(model).items()}
    except (TypeError, NameError, RecursionError, ValueError) as error:
        raise SchemaError(
            f"the class {model.__name__} has no JSON Schema: {str(error).partition(chr(10))[0]}",
            hint="leave out fields that hold no data, or give a schema",
        ) from error


def _numeric(part: object) -> object:
    """Return a part of a JSON Schema in which a decimal is the number that it is."""
    if isinstance(part, dict):
        if part.get("format") == "decimal":
            return {"type": "number"}
        return {key: _numeric(inner) for key, inner in part.items()}
    return [_numeric(inner) for inner in part] if isinstance(part, list) else part


def declared_schema(model: type, *, by_alias: bool) -> Schema:
    """Return the schema of what instances of a class are dumped as.

    Fields that have an alias may also stand under it. What the class does not name counts too.
    """
    schema = model_schema(model, by_alias=by_alias, dumped=True)
    if not by_alias and hasattr(model, "model_json_schema"):
        schema = _with_aliases(schema, model_schema(model, by_alias=True, dumped=True))
    return replace(load_schema(schema), extra="count")


def _model_schema_by_either_name(model: type) -> JsonObject:
    """Return the JSON Schema of a class by its aliases, under which fields may have their names."""
    schema = model_schema(model)
    if not hasattr(model, "model_json_schema"):
        return schema
    return _with_aliases(schema, model_schema(model, by_alias=False))


def _with_aliases(named: JsonObject, aliased: JsonObject) -> JsonObject:
    """Return a JSON Schema whose properties also have the names of another, which it equals."""
    result = {**named}
    named_parts, aliased_parts = named.get("$defs"), aliased.get("$defs")
    if (
        isinstance(named_parts, dict)
        and isinstance(aliased_parts, dict)
        and named_parts.keys() == aliased_parts.keys()
    ):
        result["$defs"] = {
            key: _with_aliases(named_parts[key], aliased_parts[key])
            if "properties" in named_parts[key]
            else named_parts[key]
            for key in named_parts
        }
    properties, aliases = named.get("properties"), aliased.get("properties")
    if (
        isinstance(properties, dict)
        and isinstance(aliases, dict)
        and len(properties) == len(aliases)
    ):
        result["properties"] = {
            name: part if alias in properties else _aliased(part, alias)
            for (name, part), alias in zip(properties.items(), aliases, strict=True)
        }
    return result


def _aliased(part: object, alias: str) -> object:
    if not isinstance(part, dict):
        return part
    own = part.get("x-docassay")
    override = {"type": own} if isinstance(own, str) else own if isinstance(own, dict) else {}
    return {**part, "x-docassay": {"aliases": [alias], **override}}


REFINED = {
    "text": None,
    "number": frozenset({"money", "percent", "quantity"}),
}
"""Declared types that values may tell more about, and by which types; None for any."""


def refine(declared: Schema, trees: Sequence[object]) -> Schema:
    """Return a declared schema in which texts, and what numbers measure, are guessed from trees.

    So are fields that the class leaves open, such as those of a `dict[str, Decimal]`.
    """
    guessed = guess_schema(trees).schema
    if guessed is None:
        return declared
    groups = [group for group, _ in walk(guessed.groups)]
    fields = [*guessed.fields, *(field for group in groups for field in group.fields)]
    by_path = {field.path: field for field in fields}
    return replace(
        declared,
        fields=(*_refined(declared.fields, by_path), *_not_named(guessed.fields, declared)),
        groups=(
            *_refined_groups(declared.groups, by_path, {group.path: group for group in groups}),
            *_not_named(guessed.groups, declared),
        ),
        dates=guessed.dates,
    )


Part = TypeVar("Part", Field, GroupSpec)


def _not_named(parts: Sequence[Part], declared: Schema | GroupSpec) -> Iterator[Part]:
    """Yield the guessed parts of which a class says nothing."""
    own: tuple[Field | GroupSpec, ...] = (*declared.fields, *declared.groups)
    prefix = f"{declared.path}." if isinstance(declared, GroupSpec) else ""
    names = {part.path for part in own}
    names |= {f"{prefix}{alias}" for part in own for alias in part.aliases}
    return (part for part in parts if part.path not in names)


def _refined(fields: Sequence[Field], guesses: Mapping[str, Field]) -> tuple[Field, ...]:
    return tuple(
        replace(field, type=guess.type, options=guess.options)
        if (guess := guesses.get(field.path)) is not None and _tells_more(field, guess)
        else field
        for field in fields
    )


def _tells_more(field: Field, guess: Field) -> bool:
    if field.type not in REFINED or field.options:
        return False
    better = REFINED[field.type]
    return better is None or guess.type in better


def _refined_groups(
    groups: Sequence[GroupSpec], guesses: Mapping[str, Field], guessed: Mapping[str, GroupSpec]
) -> tuple[GroupSpec, ...]:
    return tuple(
        replace(
            group,
            fields=(
                *_refined(group.fields, guesses),
                *_not_named(guessed.get(group.path, group).fields, group),
            ),
            groups=(
                *_refined_groups(group.groups, guesses, guessed),
                *_not_named(guessed.get(group.path, group).groups, group),
            ),
        )
        for group in groups
    )


def names_of(schema: Schema) -> frozenset[str]:
    """Return the keys that a document may have at its top by a schema."""
    parts: tuple[Field | GroupSpec, ...] = (*schema.fields, *schema.groups)
    columns = (column for group in schema.groups for column in group.columns.values())
    return frozenset(
        {schema.type_field, *columns, *(name for part in parts for name in part.aliases)}
        | {part.path for part in parts}
    )
