"""`docassay view`: runs in a browser."""

from __future__ import annotations

import click

from docassay.cli.options import MOVED, QUIET, take
from docassay.cli.terminal import emit, say


@click.command("view")
@take(
    click.argument("runs", metavar="RUN...", nargs=-1, required=True),
    click.option(
        "--port",
        metavar="N",
        type=click.IntRange(0, 65535),
        default=0,
        help="Port on this machine.  [default: any that is free]",
    ),
    click.option(
        "--images",
        metavar="DIR",
        help="Pages of documents: ID.png, jpg, tif or pdf, or ID/PAGE.png.",
    ),
    click.option("--no-browser", is_flag=True, help="Print the link, open no browser."),
    click.option(
        "--patch",
        metavar="FILE",
        help="Where decisions about gold go.  [default: gold-patch.jsonl in the first RUN]",
    ),
    click.option(
        "--reviewer", metavar="NAME", default="", help="Who decides.  [default: your login name]"
    ),
    *MOVED,
    QUIET,
)
def command(
    runs: tuple[str, ...],
    port: int,
    images: str | None,
    no_browser: bool,
    patch: str | None,
    reviewer: str,
    moved_gold: str | None,
    moved_pred: str | None,
    quiet: bool,
) -> None:
    """Look at runs in a browser: documents, differences, thresholds, and decisions about gold.

    RUN is a folder that `docassay score --out` wrote. The server answers on this machine only and
    runs until Ctrl+C. Besides an index beside the run, only decisions that you make are written.
    """
    from docassay.api.view import view

    view(
        *runs,
        port=port,
        images=images,
        browser=not no_browser,
        patch=patch,
        reviewer=reviewer,
        gold=moved_gold,
        pred=moved_pred,
        tell=emit,
        say=lambda words: say([words], quiet=quiet),
    )
