"""`docassay report`: a stored run, rendered again."""

from __future__ import annotations

from pathlib import Path

import click

from docassay.cli.options import SHOWING, take
from docassay.cli.terminal import settle, show


@click.command("report")
@take(click.argument("run", metavar="RUN"), *SHOWING)
def command(
    run: str,
    format: str,
    all_fields: bool,
    by: str | None,
    requirements: tuple[str, ...],
) -> int:
    """Render a stored run again, without rescoring.

    RUN is a folder that `docassay score --out` wrote, or its ledger.
    """
    from docassay.report.folder import read_folder
    from docassay.report.require import requirement

    required = [requirement(text) for text in requirements]
    report = read_folder(Path(run), by=by)
    show(report, format, all_fields=all_fields, by=by)
    return settle(report, required)
