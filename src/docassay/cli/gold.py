"""`docassay gold`: gold with decisions of a patch applied."""

from __future__ import annotations

import click

from docassay.cli.options import QUIET, take
from docassay.cli.terminal import emit, say


@click.group("gold", invoke_without_command=True)
@click.pass_context
def command(context: click.Context) -> None:
    """Apply decisions about gold."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@command.command("apply", short_help="Write gold with the decisions of a patch applied.")
@take(
    click.argument("patch", metavar="PATCH"),
    click.argument("gold", metavar="GOLD"),
    click.option("--out", metavar="NEW", required=True, help="The file or folder to write."),
    click.option("--format", metavar="NAME", help="Format of GOLD; else guessed."),
    click.option("--id-key", metavar="PATH", help="Where a document's id is, dotted."),
    click.option("--root", metavar="PATH", help="Where the record is, dotted."),
    QUIET,
)
def apply(
    patch: str,
    gold: str,
    out: str,
    format: str | None,
    id_key: str | None,
    root: str | None,
    quiet: bool,
) -> None:
    """Write GOLD with the decisions of PATCH applied, and a log of them beside it.

    GOLD is a file or folder of JSON, JSON lines or CSV, and stays as it is. Nothing is written
    unless every decision was made about the value that GOLD has now.
    """
    from docassay.api.gold import apply_gold_patch
    from docassay.report.audit import patched_line

    done = apply_gold_patch(patch, gold, out, format=format, id_key=id_key, root=root)
    emit(patched_line(done))
    say([f"written to {done.path}; {done.log} says what changed, by whom and why"], quiet=quiet)
