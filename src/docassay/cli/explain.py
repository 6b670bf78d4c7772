"""`docassay explain`: one document as a diff."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

import click

from docassay.cli.options import INPUTS, QUIET, READING, take
from docassay.cli.terminal import emit, say, screen

if TYPE_CHECKING:
    from docassay.run.open import ReadingArgs

SIGNS = "✓ right    ≠ pred has another value    + gold's value is missing    − not in gold"


# after a backspace click leaves a line as it is
@click.command("explain", epilog=f"\b\n{SIGNS}")
@take(*INPUTS, click.argument("document", metavar="ID"), *READING, QUIET)
def command(
    gold: str,
    pred: str,
    document: str,
    quiet: bool,
    **options: Unpack[ReadingArgs],
) -> None:
    """Show one document: which values are correct, and which need correcting."""
    from docassay.report.explain import render
    from docassay.run.open import find_document

    match = find_document(gold, pred, document, **options)
    say(match.notes, quiet=quiet)
    emit(render(match, screen=screen()))
