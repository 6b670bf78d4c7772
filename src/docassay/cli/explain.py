"""`docassay explain`: one document as a diff."""

from __future__ import annotations

import click

from docassay.cli.options import INPUTS, QUIET, READING, take
from docassay.cli.terminal import emit, say, screen

SIGNS = "✓ right    ≠ pred has another value    + gold's value is missing    − not in gold"


# after a backspace click leaves a line as it is
@click.command("explain", epilog=f"\b\n{SIGNS}")
@take(*INPUTS, click.argument("document", metavar="ID"), *READING, QUIET)
def command(
    gold: str,
    pred: str,
    document: str,
    schema: str | None,
    gold_format: str | None,
    pred_format: str | None,
    id_key: str | None,
    quiet: bool,
) -> None:
    """Show one document: what is right, and what a person would put right."""
    from docassay.find import find_document
    from docassay.report.explain import render

    found = find_document(
        gold,
        pred,
        document,
        schema=schema,
        gold_format=gold_format,
        pred_format=pred_format,
        id_key=id_key,
    )
    say(found.notes, quiet=quiet)
    emit(render(found, screen=screen()))
