"""`docassay audit`: values of gold that are probably wrong."""

from __future__ import annotations

import click

from docassay.cli.options import QUIET, format_option, take
from docassay.cli.terminal import emit, say, screen


@click.command("audit")
@take(
    click.argument("runs", metavar="RUN...", nargs=-1, required=True),
    click.option("--source", metavar="DIR", help="The text of each document, as ID.txt."),
    click.option("--gold", metavar="PATH", help="Where GOLD of the runs is now."),
    click.option(
        "--min-score",
        metavar="SHARE",
        type=float,
        default=0.3,
        show_default=True,
        help="The least probability of being wrong to name a value.",
    ),
    format_option(["table", "json", "csv"]),
    click.option("--out", metavar="DIR", help="Also keep gold-suspects.csv and a proposed patch."),
    QUIET,
)
def command(
    runs: tuple[str, ...],
    source: str | None,
    gold: str | None,
    min_score: float,
    format: str,
    out: str | None,
    quiet: bool,
) -> None:
    """Name values of gold that are probably wrong, with evidence.

    RUN is a folder that `docassay score --out` wrote. Several runs over the same gold, of different
    models, say much more than one.
    """
    from docassay.api.gold import audit
    from docassay.report.audit import render

    suspects = audit(*runs, source=source, min_score=min_score, gold=gold, out=out)
    say([f"note: {note}" for note in suspects.notes], quiet=quiet)
    emit(render(suspects, format, screen=screen()))
    if out is not None:
        say([f"kept in {out}; gold-suspects.csv is for annotators"], quiet=quiet)
