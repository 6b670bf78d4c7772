"""Where schemas come from: a file, a mapping, a Pydantic model, or a Schema as it is."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import NamedTuple

from docassay.errors import ConfigurationError, FileError, SchemaError
from docassay.model.schema import Schema
from docassay.schema.check import check
from docassay.schema.json_schema import convert_json_schema, is_json_schema
from docassay.schema.nodes import Mistakes, Node, from_plain
from docassay.schema.parse import parse
from docassay.schema.pydantic_model import is_model, model_schema
from docassay.schema.vrdu_meta import convert_vrdu_meta, is_vrdu_meta
from docassay.schema.write import to_plain
from docassay.schema.yaml_nodes import read_json, read_yaml

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
    schema, found = _examine(source)
    if not found:
        return schema
    first = found[0]
    if len(found) == 1:
        raise first
    others = f"{len(found) - 1} more mistake{'s' if len(found) > 2 else ''}"
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
    if is_json_schema(root):
        root = convert_json_schema(root, mistakes)
    elif is_vrdu_meta(root):
        root = convert_vrdu_meta(root, mistakes)
    parsed = parse(root, mistakes)
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
