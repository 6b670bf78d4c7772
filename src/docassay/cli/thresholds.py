"""`docassay thresholds`: the automation trade-off of a stored run."""

from __future__ import annotations

import click

from docassay.analysis.thresholds.curves import BY, DOCUMENTS, INDEPENDENT
from docassay.cli.options import QUIET, format_option, take
from docassay.cli.terminal import emit, say, screen
from docassay.errors import ConfigurationError

CHOOSING = (
    click.option(
        "--target-error",
        metavar="SHARE",
        type=float,
        default=0.01,
        show_default=True,
        help="Wrong values allowed among those not reviewed.",
    ),
    click.option(
        "--confidence",
        metavar="SHARE",
        type=float,
        default=0.95,
        show_default=True,
        help="Of keeping the target on documents not yet seen.",
    ),
    click.option("--budget", metavar="SHARE", type=float, help="Values that can be reviewed."),
    click.option(
        "--price",
        metavar="review=A,correction=B,missed=C",
        help="What a review, a correction and a missed error cost.",
    ),
    click.option(
        "--by",
        type=click.Choice(BY),
        default=BY[0],
        show_default=True,
        help="A threshold for each field, or one for all.",
    ),
    click.option(
        "--independent",
        type=click.Choice(INDEPENDENT),
        default=DOCUMENTS,
        show_default=True,
        help="What does not share its fate with its like.",
    ),
)
SHOWN = (
    format_option(["table", "csv", "json", "yaml", "markdown"]),
    click.option("--out", metavar="DIR", help="Also keep tables, thresholds and charts."),
)


@click.command("thresholds")
@take(click.argument("run", metavar="RUN"), *CHOOSING, *SHOWN, QUIET)
def command(
    run: str,
    target_error: float,
    confidence: float,
    budget: float | None,
    price: str | None,
    by: str,
    independent: str,
    format: str,
    out: str | None,
    quiet: bool,
) -> None:
    """Say from which confidence on values need no review, and what that saves.

    RUN is a folder that `docassay score --out` wrote, of predictions with confidences.
    """
    from docassay.api.decide import thresholds
    from docassay.report.thresholds import render

    study = thresholds(
        run,
        target_error=target_error,
        confidence=confidence,
        budget=budget,
        prices=None if price is None else _prices(price),
        by=by,
        independent=independent,
        out=out,
    )
    say(study.notes, quiet=quiet)
    emit(render(study, format, screen=screen()))
    if out is not None:
        say([f"kept in {out}"], quiet=quiet)


def _prices(text: str) -> dict[str, float]:
    """Return prices written as `review=0.5,correction=2,missed=50`."""
    prices: dict[str, float] = {}
    for part in text.split(","):
        name, _, amount = (piece.strip() for piece in part.partition("="))
        if name in prices:
            raise ConfigurationError(f"the price of {name} is given twice")
        try:
            prices[name] = float(amount)
        except ValueError:
            raise ConfigurationError(
                f"{part.strip()!r} is no price", hint="write review=0.5,correction=2,missed=50"
            ) from None
    return prices
