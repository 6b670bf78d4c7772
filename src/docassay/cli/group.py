"""`docassay group`: flat entities into rows."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
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
        help="How rows are found.  [default: as the schema says, else repetition]",
    ),
    click.option(
        "--components",
        metavar="ROW=A,B",
        multiple=True,
        help="The names that make up a row; repeatable.",
    ),
    click.option("--schema", metavar="FILE", help="A schema whose groups say it instead."),
    click.option("--meta", metavar="FILE", help="A VRDU meta.json that says it instead."),
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
    """Put flat entities into rows: nested records as JSON lines on stdout.

    An entity is an object such as {"field": "desc", "text": "Pear", "page": 1, "box": [..]}, or a
    pair of name and text, in a list under `entities`. Fields with several values are grouped, too.
    """
    from docassay.load import Record
    from docassay.load.entities import nest_document
    from docassay.load.wire import encode

    specs = _groups(by, components, schema if meta is None else meta)
    rows: Counter[str] = Counter()
    left: Counter[str] = Counter()
    with _opened(file) as path:
        for item in _records(path, input_format):
            if not isinstance(item, Record):
                where = (item.where or "").replace(str(path), path.name)
                say([f"docassay: {item.document or where}: {item.message}"])
                continue
            if item.tree is None:
                continue
            nested, problems = nest_document(item.tree, specs)
            say([f"docassay: {item.id or path.name}: {problem}" for problem in problems])
            rows.update(nested.rows)
            left.update(nested.left)
            own = {} if item.id is None else {"id": item.id}
            tags = {"tags": dict(item.tags)} if item.tags else {}
            emit(encode({**own, **tags, **nested.tree}))
    say(_summary(specs, rows, left), quiet=quiet)


def _summary(specs: Sequence[GroupSpec], rows: Counter[str], left: Counter[str]) -> list[str]:
    return [
        f"{one.path}: grouped by {one.grouping}; rows made: {rows[one.path]:,}, "
        f"entities left over: {left[one.path]:,}"
        for one in specs
    ]


def _groups(by: str | None, components: Sequence[str], schema: str | None) -> list[GroupSpec]:
    """Return the groups to make, each with its way of grouping."""
    specs: list[GroupSpec] = []
    if schema is not None:
        from docassay.schema import load_schema

        specs += [one for one in load_schema(schema).groups if not one.section]
    for given in components:
        row, sign, listed = given.partition("=")
        parts = names(listed) or []
        if not sign or not row.strip() or not parts:
            raise ConfigurationError(
                f"{given!r} does not name a row and its components", hint="write ROW=A,B"
            )
        path = row.strip()
        specs.append(GroupSpec(path, tuple(Field(f"{path}.{part}") for part in parts)))
    if not specs:
        raise ConfigurationError(
            "nothing says what makes up a row", hint="give --components ROW=A,B, --schema or --meta"
        )
    return [replace(one, grouping=by or one.grouping or GROUPINGS[0]) for one in specs]


def _records(path: Path, format: str | None) -> Records:
    from docassay.load.entities import read_entities
    from docassay.load.files import existing, read_head
    from docassay.load.guess import HEAD
    from docassay.load.source import at_least_one, open_records
    from docassay.load.vrdu import looks_like

    if format is None and existing(path).is_file() and looks_like(path, read_head(path, HEAD)):
        format = "vrdu"
    if format is not None:
        return open_records(path, format=format).records
    return at_least_one(read_entities(path), str(path))


@contextmanager
def _opened(file: str) -> Iterator[Path]:
    """Give the path of a file, or of what stdin holds."""
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
