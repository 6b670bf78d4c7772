"""`docassay power`: how many documents a comparison needs."""

from __future__ import annotations

import click

from docassay.cli.options import QUIET, format_option, take
from docassay.cli.terminal import emit, say, screen

ASKING = (
    click.option(
        "--difference",
        metavar="SHARE",
        type=float,
        default=0.01,
        show_default=True,
        help="The difference that is to be seen.",
    ),
    click.option(
        "--power",
        metavar="SHARE",
        type=float,
        default=0.8,
        show_default=True,
        help="How likely it is to be seen.",
    ),
    click.option(
        "--alpha",
        metavar="SHARE",
        type=float,
        default=0.05,
        show_default=True,
        help="How likely a difference is seen where there is none.",
    ),
    click.option(
        "--correlation",
        metavar="R",
        type=float,
        help="Of the errors of two runs in a document, with one RUN.  [default: 0]",
    ),
    click.option(
        "--cluster", metavar="TAG", help="Documents that share a value of it stand together."
    ),
)
SHOWN = (
    format_option(["table", "json", "markdown"]),
    click.option("-v", "--verbose", is_flag=True, help="Show every score and field."),
)


@click.command("power")
@take(click.argument("runs", metavar="RUN [RUN]", nargs=-1, required=True), *ASKING, *SHOWN, QUIET)
def command(
    runs: tuple[str, ...],
    difference: float,
    power: float,
    alpha: float,
    correlation: float | None,
    cluster: str | None,
    format: str,
    verbose: bool,
    quiet: bool,
) -> None:
    """Say how many documents show a difference between two models, overall and by field.

    RUN is a folder that `docassay score --out` wrote; two of the same documents show how much
    models differ by document, one leaves that to an assumption.
    """
    from docassay.api.decide import power as forecast
    from docassay.report.power import render

    study = forecast(
        *runs,
        difference=difference,
        power=power,
        alpha=alpha,
        correlation=correlation,
        cluster=cluster,
    )
    say([f"note: {note}" for note in study.notes], quiet=quiet)
    emit(render(study, format, screen=screen(), all_fields=verbose))
