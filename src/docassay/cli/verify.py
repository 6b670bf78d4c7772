"""`docassay verify`: the numbers of a run, made again and compared."""

from __future__ import annotations

import click

from docassay.cli.options import NO_PROGRESS, QUIET, format_option, take
from docassay.cli.terminal import emit, progress, say, screen


@click.command("verify")
@take(
    click.argument("run", metavar="RUN|REPORT"),
    click.option("--gold", metavar="PATH", help="Where GOLD is now."),
    click.option("--pred", metavar="PATH", help="Where PRED is now."),
    click.option(
        "--claim",
        "--score",
        "claims",
        metavar="SCORE=NUMBER",
        multiple=True,
        help="A quoted number, such as aligned=0.972; repeatable.",
    ),
    click.option("--signature", metavar="TEXT", help="The signature that was quoted with it."),
    format_option(["table", "json"]),
    NO_PROGRESS,
    QUIET,
)
def command(
    run: str,
    gold: str | None,
    pred: str | None,
    claims: tuple[str, ...],
    signature: str | None,
    format: str,
    no_progress: bool,
    quiet: bool,
) -> int:
    """Score a run again from its recorded inputs and compare every number.

    RUN is a folder that `docassay score --out` wrote; REPORT is a report.json. Prints "equal" and
    exits with 0, with 1 when a number differs, and with 3 when an input, the schema or a version
    has changed.
    """
    from docassay.api.decide import verify
    from docassay.report.runs import render_verification

    with progress("scoring documents", wanted=not (no_progress or quiet)) as tell:
        verification = verify(
            run, gold=gold, pred=pred, claims=claims, signature=signature, progress=tell
        )
    say(verification.notes, quiet=quiet)
    emit(render_verification(verification, format, screen=screen()))
    return verification.exit_code
