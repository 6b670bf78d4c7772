"""`docassay schema`: infer one from examples, check one, show one."""

from __future__ import annotations

from pathlib import Path

import click

from docassay.cli.options import QUIET, take
from docassay.cli.terminal import emit, say, screen
from docassay.errors import EXIT_CONFIGURATION, EXIT_FINE


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
    from docassay.report.files import writing
    from docassay.report.schema import infer_file

    found = infer_file(examples, format=format_name, id_key=id_key)
    say(found.notes, quiet=quiet)
    if out is None:
        emit(found.yaml)
        return
    with writing(out):
        Path(out).write_text(found.yaml, encoding="utf-8", errors="backslashreplace")
    say([f"written to {out}; check the types, then: docassay schema check {out}"], quiet=quiet)


@command.command("check", short_help="Name every mistake in a schema.")
@click.argument("file", metavar="FILE")
@QUIET
def check(file: str, quiet: bool) -> int:
    """Name every mistake in a schema with its line; exits with 2 when there is one."""
    from docassay.schema import check_schema

    mistakes = check_schema(file)
    say([f"docassay: {mistake}" for mistake in mistakes])
    if not mistakes:
        say([f"{file}: no mistakes"], quiet=quiet)
    return EXIT_CONFIGURATION if mistakes else EXIT_FINE


@command.command("show", short_help="Show a schema as a table.")
@click.argument("file", metavar="FILE")
def show(file: str) -> None:
    """Show a schema as a table: fields, types, options, weights and how rows pair up."""
    from docassay.report.schema import render
    from docassay.schema import load_schema

    emit(render(load_schema(file), screen=screen()))
