"""`docassay list`: what is registered, with one sentence and the options of each."""

from __future__ import annotations

import click

from docassay.cli.terminal import emit, screen


@click.command("list")
@click.argument("kind", metavar="metrics|formats|comparators|readers|types")
def command(kind: str) -> None:
    """List what there is, with plugins: names, what they do, and options with their defaults."""
    from docassay.report.catalogue import catalogue, render

    emit(render(catalogue(kind), screen=screen()))
