"""`docassay sensitivity`: stored runs under other reasonable settings."""

from __future__ import annotations

import click

from docassay.cli.options import NO_PROGRESS, QUIET, format_option, take
from docassay.cli.terminal import emit, progress, say, screen
from docassay.model.words import count


@click.command("sensitivity")
@take(
    click.argument("runs", metavar="RUN...", nargs=-1, required=True),
    click.option(
        "--score", metavar="SCORE", help="The score that decides.  [default: the headline]"
    ),
    click.option(
        "--limit", metavar="N", type=click.IntRange(1), help="Only so many documents, drawn anew."
    ),
    click.option(
        "--seed",
        metavar="N",
        type=click.IntRange(0, 2**64 - 1),
        default=0,
        show_default=True,
        help="Of the sample and of the test.",
    ),
    click.option(
        "--alpha",
        metavar="SHARE",
        type=click.FloatRange(0, 1, min_open=True, max_open=True),
        default=0.05,
        show_default=True,
        help="The p up to which a lead is beyond chance.",
    ),
    click.option("--gold", metavar="PATH", help="Where GOLD of the runs is now."),
    format_option(["table", "json", "csv", "markdown"]),
    NO_PROGRESS,
    QUIET,
)
def command(
    runs: tuple[str, ...],
    score: str | None,
    limit: int | None,
    seed: int,
    alpha: float,
    gold: str | None,
    format: str,
    no_progress: bool,
    quiet: bool,
) -> None:
    """Score the inputs of stored runs again under other settings, and say whether another wins.

    RUNs are folders that `docassay score --out` wrote, over the same gold. Types, tolerances,
    absent values, rows, order, averages and options are changed one at a time.
    """
    from docassay.api.decide import sensitivity
    from docassay.report.sensitivity import render

    announced = False

    with progress("documents scored again", wanted=not (no_progress or quiet)) as tell:

        def hear(done: int, total: int) -> None:
            nonlocal announced
            if not announced:
                say([f"{count(total, 'document')} to be scored again"], quiet=quiet)
            announced = True
            tell(done)

        study = sensitivity(
            *runs,
            score=score,
            limit=limit,
            seed=seed,
            alpha=alpha,
            gold=gold,
            progress=hear,
        )
    say(study.notes, quiet=quiet)
    emit(render(study, format, screen=screen()))
