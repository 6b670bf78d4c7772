"""`docassay study`: reading order, metrics that go together, and thresholds."""

from __future__ import annotations

import click

from docassay.cli.options import (
    INPUTS,
    NO_PROGRESS,
    QUIET,
    READING,
    SETTING,
    names,
    settings,
    take,
)
from docassay.cli.terminal import emit, progress, say, screen
from docassay.report import FORMATS

SHOWN = (
    click.option(
        "--format",
        type=click.Choice(FORMATS),
        default="table",
        show_default=True,
        help="What to write to stdout.",
    ),
    click.option("--out", metavar="DIR", help="Also keep tables and charts in a folder."),
)


@click.group("study", invoke_without_command=True)
@click.pass_context
def command(context: click.Context) -> None:
    """Study the metrics: reading order, which go together, and what a threshold does."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@command.command("shuffle", short_help="Which readouts depend on reading order, and how much.")
@take(
    *INPUTS,
    *READING,
    click.option("--metrics", metavar="A,B", help="Metrics, or all.  [default: ner,entity,kieval]"),
    SETTING,
    click.option(
        "--seeds", metavar="N", type=int, default=10, show_default=True, help="Repetitions."
    ),
    click.option("--seed", metavar="S", type=int, default=0, show_default=True, help="Of chance."),
    *SHOWN,
    NO_PROGRESS,
    QUIET,
)
def shuffle(
    gold: str,
    pred: str,
    schema: str | None,
    gold_format: str | None,
    pred_format: str | None,
    id_key: str | None,
    metrics: str | None,
    given: tuple[str, ...],
    seeds: int,
    seed: int,
    format: str,
    out: str | None,
    no_progress: bool,
    quiet: bool,
) -> None:
    """Score predictions as they are and with their blocks shuffled, again and again.

    A block is an entity or a run of words outside entities; of JSON, a member or an item at every
    depth. A readout that does not depend on reading order keeps its every digit.
    """
    from docassay.report.study import render
    from docassay.study import shuffle_study

    with progress("scoring documents", wanted=not (no_progress or quiet)) as tell:
        study = shuffle_study(
            gold,
            pred,
            schema=schema,
            metrics=names(metrics),
            settings=settings(given),
            gold_format=gold_format,
            pred_format=pred_format,
            id_key=id_key,
            repetitions=seeds,
            seed=seed,
            out=out,
            progress=tell,
        )
    say(study.notes, quiet=quiet)
    _say_problems(len(study.problems), quiet=quiet)
    emit(render(study, format, screen=screen()))
    _tell(out, quiet=quiet)


@command.command("correlation", short_help="Which readouts go together, over documents and runs.")
@take(
    click.argument("runs", metavar="RUN...", nargs=-1, required=True),
    click.option("--readouts", metavar="A,B", help="Readouts or metrics; else all but counts."),
    *SHOWN,
    QUIET,
)
def correlation(
    runs: tuple[str, ...], readouts: str | None, format: str, out: str | None, quiet: bool
) -> None:
    """Correlate readouts over documents, and over runs when there are three or more.

    RUN is a folder that `docassay score --out` wrote.
    """
    from docassay.report.study import render
    from docassay.study import correlation_study

    study = correlation_study(runs, readouts=names(readouts), out=out)
    say(study.notes, quiet=quiet)
    emit(render(study, format, screen=screen()))
    _tell(out, quiet=quiet)


@command.command("sweep", short_help="Entities found, by how much their texts may differ.")
@take(
    *INPUTS,
    *READING,
    click.option(
        "--steps", metavar="N", type=int, default=100, show_default=True, help="From 0 to 100 %."
    ),
    click.option("--category", metavar="NAME", default="", help="One category instead of all."),
    *SHOWN,
    NO_PROGRESS,
    QUIET,
)
def sweep(
    gold: str,
    pred: str,
    schema: str | None,
    gold_format: str | None,
    pred_format: str | None,
    id_key: str | None,
    steps: int,
    category: str,
    format: str,
    out: str | None,
    no_progress: bool,
    quiet: bool,
) -> None:
    """Score Nerval at every threshold from perfect text (0) to tags alone (1)."""
    from docassay.report.study import render
    from docassay.study import sweep_study

    with progress("scoring documents", wanted=not (no_progress or quiet)) as tell:
        study = sweep_study(
            gold,
            pred,
            schema=schema,
            gold_format=gold_format,
            pred_format=pred_format,
            id_key=id_key,
            steps=steps,
            category=category,
            out=out,
            progress=tell,
        )
    say(study.notes, quiet=quiet)
    _say_problems(len(study.problems), quiet=quiet)
    emit(render(study, format, screen=screen()))
    _tell(out, quiet=quiet)


def _say_problems(found: int, *, quiet: bool) -> None:
    if found:
        told = "problem" if found == 1 else "problems"
        say([f"{found:,} {told} in the data: docassay score names them"], quiet=quiet)


def _tell(out: str | None, *, quiet: bool) -> None:
    if out is not None:
        say([f"kept in {out}"], quiet=quiet)
