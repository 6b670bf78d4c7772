"""A schema as a table, and a schema inferred from a file of examples with what to say about it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click
from rich.console import RenderableType
from rich.text import Text

from docassay.cli.options import QUIET, take
from docassay.cli.terminal import emit, say, screen
from docassay.errors import EXIT_CONFIGURATION, EXIT_FINE
from docassay.load.beside import field_trees
from docassay.load.records import Records
from docassay.model.problem import Problem
from docassay.model.schema import Schema
from docassay.model.words import count
from docassay.report.screen import PLAIN, Screen, draw, grid, words
from docassay.run.open import open_source
from docassay.schema.infer import infer_with_notes
from docassay.schema.write import describe, to_yaml


class InferredFile(NamedTuple):
    """A schema as commented YAML, and sentences on how the examples were read."""

    yaml: str
    notes: tuple[str, ...]


def infer_file(
    examples: str | Path, *, format: str | None = None, id_key: str | None = None
) -> InferredFile:
    """Return a schema of example documents in any format."""
    source = open_source(examples, format=format, id_key=id_key)
    problems: list[Problem] = []

    def records() -> Records:
        for item in source.records:
            if isinstance(item, Problem):
                problems.append(item)
            else:
                yield item

    inferred = infer_with_notes(field_trees(records()), name=Path(examples).stem)
    notes = [f"{source.name} is read as {source.format}"] if source.guessed else []
    if problems:
        first = problems[0]
        note = f"{count(len(problems), 'problem')}, first: {first.where or source.name}"
        notes.append(f"{note}: {first.message}")
    return InferredFile(to_yaml(inferred.schema, notes=inferred.notes), tuple(notes))


def render(schema: Schema, *, screen: Screen = PLAIN) -> str:
    """Return a schema as a table."""
    return draw([*_parts(schema)], screen)


def _parts(schema: Schema) -> Iterator[RenderableType]:
    rows = describe(schema)
    yield words(schema.name or "(no name)", "bold")
    facts = [f"dates {schema.dates}"]
    if schema.currency is not None:
        facts.append(f"currency {schema.currency}")
    if schema.absent:
        facts.append(f"absent {', '.join(schema.absent)}")
    yield words("; ".join(facts), "dim")
    for type_ in schema.types:
        counted = f": {', '.join(type_.fields)}" if type_.fields else ""
        unscored = f" (not scored: {', '.join(type_.unscored)})" if type_.unscored else ""
        yield words(f"type {type_.name}{counted}{unscored}", "dim")
    for rule in schema.rules:
        yield words(f"rule {rule.title}", "dim")
    yield Text()
    table = grid("field", "type", "options", "weight", "match")
    for column in table.columns:
        column.justify = "left"
        column.no_wrap = False
    for row in rows:
        weight = "" if row.weight is None else f"{row.weight:g}"
        style = "bold" if row.weight is None else ""
        table.add_row(
            words(row.path, style), words(row.type), words(row.options), weight, words(row.match)
        )
    yield table


@click.group("schema", invoke_without_command=True)
@click.pass_context
def command(context: click.Context) -> None:
    """Make a schema from examples, check one, show one."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@command.command("infer", short_help="Make a schema from example documents.")
@take(
    click.argument("examples", metavar="EXAMPLES"),
    click.option("-o", "--out", metavar="FILE", help="Where to write it; else to stdout."),
    click.option("--format", "format_name", metavar="NAME", help="Format; else guessed."),
    click.option("--id-key", metavar="KEY", help="The key that holds a document's id."),
    QUIET,
)
def infer(
    examples: str, out: str | None, format_name: str | None, id_key: str | None, quiet: bool
) -> None:
    """Make a schema from example documents, in any format that can be scored.

    Every type is a guess from values, with what was seen as a comment: read it before using it.
    """
    from docassay.run.output import writing

    inferred = infer_file(examples, format=format_name, id_key=id_key)
    say(inferred.notes, quiet=quiet)
    if out is None:
        emit(inferred.yaml)
        return
    with writing(out):
        Path(out).write_text(inferred.yaml, encoding="utf-8", errors="backslashreplace")
    say([f"written to {out}; check the types, then: docassay schema check {out}"], quiet=quiet)


@command.command("check", short_help="Name every mistake in a schema.")
@click.argument("file", metavar="FILE")
@QUIET
def check(file: str, quiet: bool) -> int:
    """Name every mistake in a schema with its line; exits with 2 when there is one."""
    from docassay.schema.source import check_schema, schema_files

    mistakes = [mistake for each in schema_files(file) for mistake in check_schema(each)]
    say([f"docassay: {mistake}" for mistake in mistakes])
    if not mistakes:
        say([f"{file}: no mistakes"], quiet=quiet)
    return EXIT_CONFIGURATION if mistakes else EXIT_FINE


@command.command("show", short_help="Show a schema as a table.")
@click.argument("file", metavar="FILE")
def show(file: str) -> None:
    """Show a schema as a table: fields, types, options, weights and how rows pair up."""
    from docassay.schema.source import load_schema

    emit(render(load_schema(file), screen=screen()))
