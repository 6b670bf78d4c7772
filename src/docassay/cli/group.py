"""`docassay group`: flat entities into rows."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from docassay.cli.options import QUIET, STDIN, names, take
from docassay.cli.terminal import emit, say
from docassay.errors import ConfigurationError, DataError
from docassay.model.schema import GROUPINGS, Field, GroupSpec

if TYPE_CHECKING:
    from docassay.load.records import Records


@click.command("group")
@take(
    click.argument("file", metavar="FILE|-"),
    click.option(
        "--by",
        type=click.Choice(GROUPINGS),
        help="How rows are found.  [default: as in the schema, else repetition]",
    ),
    click.option(
        "--components",
        metavar="ROW=A,B",
        multiple=True,
        help="The names that make up a row; repeatable.",
    ),
    click.option("--schema", metavar="FILE", help="A schema with the groups instead."),
    click.option("--meta", metavar="FILE", help="A VRDU meta.json with the groups instead."),
    click.option(
        "--input-format", metavar="NAME", help="Format of FILE; else JSON with entities, or VRDU's."
    ),
    QUIET,
)
def command(
    file: str,
    by: str | None,
    components: tuple[str, ...],
    schema: str | None,
    meta: str | None,
    input_format: str | None,
    quiet: bool,
) -> None:
    """Group flat entities into rows: nested records as JSON lines on stdout.

    An entity is an object such as {"field": "desc", "text": "Pear", "page": 1, "box": [..]}, or a
    pair of name and text, in a list under `entities`. Fields with several values are grouped, too.
    """
    from docassay.load.entities import nest_document
    from docassay.load.format import Record
    from docassay.load.wire import encode

    specs = _groups(by, components, schema if meta is None else meta)
    rows: Counter[str] = Counter()
    left: Counter[str] = Counter()
    seen: set[str] = set()
    with _opened(file) as path:
        for item in _records(path, input_format):
            if not isinstance(item, Record):
                where = (item.where or "").replace(str(path), path.name)
                say([f"docassay: {item.document or where}: {item.message}"])
                continue
            if item.tree is None:
                continue
            nested, problems = nest_document(item.tree, specs)
            say([f"docassay: {item.id or path.name}: {problem.message}" for problem in problems])
            rows.update(nested.rows)
            left.update(nested.left)
            seen |= _names(nested.tree)
            own = {} if item.id is None else {"id": item.id}
            tags = {"tags": dict(item.tags)} if item.tags else {}
            emit(encode({**own, **tags, **nested.tree}))
    say(_absent(components, seen))
    say(_summary(specs, rows, left), quiet=quiet)


def _names(tree: object) -> set[str]:
    """Return the names at any depth of a tree, each without the group before it."""
    keys: set[str] = set()
    nodes = [tree]
    while nodes:
        node = nodes.pop()
        if isinstance(node, Mapping):
            keys |= {str(key).rpartition(".")[2] for key in node}
            nodes += node.values()
        elif isinstance(node, list):
            nodes += node
    return keys


def _absent(components: Sequence[str], seen: set[str]) -> list[str]:
    """Return a message for each component that no document has."""
    messages = []
    for row, parts in map(_row_and_parts, components):
        for part in parts:
            if part.rpartition(".")[2] not in seen:
                near = get_close_matches(part, sorted(seen), n=1)
                hint = f" (did you mean {near[0]!r}?)" if near else ""
                messages.append(f"docassay: {row}: no document has the component {part!r}{hint}")
    return messages


def _row_and_parts(given: str) -> tuple[str, list[str]]:
    """Return the row and the components of a text `ROW=A,B`."""
    row, sign, listed = given.partition("=")
    parts = names(listed) or []
    if not sign or not row.strip() or not parts:
        raise ConfigurationError(
            f"{given!r} does not name a row and its components", hint="write ROW=A,B"
        )
    return row.strip(), parts


def _summary(specs: Sequence[GroupSpec], rows: Counter[str], left: Counter[str]) -> list[str]:
    return [
        f"{spec.path}: grouped by {spec.grouping}; rows made: {rows[spec.path]:,}, "
        f"entities left over: {left[spec.path]:,}"
        for spec in specs
    ]


def _groups(by: str | None, components: Sequence[str], schema: str | None) -> list[GroupSpec]:
    """Return the groups to make, each with its way of grouping."""
    specs: list[GroupSpec] = []
    if schema is not None:
        from docassay.schema.source import load_schema

        specs += [group for group in load_schema(schema).groups if not group.section]
    for row, parts in map(_row_and_parts, components):
        specs.append(GroupSpec(row, tuple(Field(f"{row}.{part}") for part in parts)))
    if not specs:
        raise ConfigurationError(
            "the components of a row are not given",
            hint="give --components ROW=A,B, --schema or --meta",
        )
    return [replace(spec, grouping=by or spec.grouping or GROUPINGS[0]) for spec in specs]


def _records(path: Path, format: str | None) -> Records:
    from docassay.load.entities import read_entities
    from docassay.load.files import hold, read_head
    from docassay.load.formats.vrdu import looks_like
    from docassay.load.source import HEAD, at_least_one, open_records

    if format is None and not hold(path).is_dir() and looks_like(path, read_head(path, HEAD)):
        format = "vrdu"
    if format is not None:
        return open_records(path, format=format).records
    return at_least_one(read_entities(path), str(path))


@contextmanager
def _opened(file: str) -> Iterator[Path]:
    """Give the path of a file, or of a copy of stdin."""
    if file != STDIN:
        yield Path(file)
        return
    with TemporaryDirectory() as folder:
        path = Path(folder, "stdin")
        path.write_bytes(sys.stdin.buffer.read())
        try:
            yield path
        except DataError as error:
            where = None if error.where is None else error.where.replace(str(path), path.name)
            raise DataError(error.what, where=where, hint=error.hint) from error
