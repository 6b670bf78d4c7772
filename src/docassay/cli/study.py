"""`docassay study`: reading order, metrics that go together, and thresholds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from docassay.cli.options import (
    INPUTS_OR_RUN,
    MOVED,
    NO_PROGRESS,
    QUIET,
    READING,
    SETTING,
    locate,
    names,
    names_given,
    settings,
    take,
)
from docassay.cli.terminal import emit, progress, say, screen
from docassay.report.rendering import FORMATS

if TYPE_CHECKING:
    from docassay.analysis.study.result import CorrelationStudy, ShuffleStudy, SweepStudy
    from docassay.run.open import ReadingArgs, StudyArgs

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


@command.command("shuffle", short_help="Which scores depend on reading order, and how much.")
@take(
    *INPUTS_OR_RUN,
    *MOVED,
    *READING,
    click.option(
        "--metrics",
        metavar="A,B",
        callback=names_given,
        help="Metrics, or all.  [default: ner,entity,kieval]",
    ),
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
    pred: str | None,
    moved_gold: str | None,
    moved_pred: str | None,
    given: tuple[str, ...],
    seeds: int,
    format: str,
    out: str | None,
    no_progress: bool,
    quiet: bool,
    **options: Unpack[StudyArgs],
) -> None:
    """Score predictions as they are and with their blocks shuffled, again and again.

    A block is an entity or a run of words outside entities; of JSON, a member or an item at every
    depth. A score that does not depend on reading order keeps its every digit.
    """
    from docassay.analysis.study.shuffle import shuffle_study

    place = locate(gold, pred, (moved_gold, moved_pred), options, settings(given))
    say(place.notes, quiet=quiet)
    measured: StudyArgs = {**options, **place.options, "settings": place.settings}
    with progress("scoring documents", wanted=not (no_progress or quiet)) as tell:
        study = shuffle_study(place.gold, place.pred, repetitions=seeds, progress=tell, **measured)
    _show(study, format, out, problems=len(study.problems), quiet=quiet)


@command.command("correlation", short_help="Which scores go together, over documents and runs.")
@take(
    click.argument("runs", metavar="RUN...", nargs=-1, required=True),
    click.option("--readouts", metavar="A,B", help="Scores or metrics; else all but counts."),
    *SHOWN,
    QUIET,
)
def correlation(
    runs: tuple[str, ...], readouts: str | None, format: str, out: str | None, quiet: bool
) -> None:
    """Correlate scores over documents, and over runs when there are three or more.

    RUN is a folder that `docassay score --out` wrote.
    """
    from docassay.analysis.study.correlation import correlation_study

    study = correlation_study(runs, readouts=names(readouts))
    _show(study, format, out, quiet=quiet)


@command.command("sweep", short_help="Entities found, by how much their texts may differ.")
@take(
    *INPUTS_OR_RUN,
    *MOVED,
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
    pred: str | None,
    moved_gold: str | None,
    moved_pred: str | None,
    steps: int,
    category: str,
    format: str,
    out: str | None,
    no_progress: bool,
    quiet: bool,
    **options: Unpack[ReadingArgs],
) -> None:
    """Score Nerval at every threshold from perfect text (0) to tags alone (1)."""
    from docassay.analysis.study.shuffle import sweep_study

    place = locate(gold, pred, (moved_gold, moved_pred), options, {})
    say(place.notes, quiet=quiet)
    with progress("scoring documents", wanted=not (no_progress or quiet)) as tell:
        study = sweep_study(
            place.gold,
            place.pred,
            steps=steps,
            category=category,
            settings=place.settings,
            progress=tell,
            **place.options,
        )
    _show(study, format, out, problems=len(study.problems), quiet=quiet)


def _show(
    study: ShuffleStudy | CorrelationStudy | SweepStudy,
    format: str,
    out: str | None,
    *,
    problems: int = 0,
    quiet: bool,
) -> None:
    """Write a study to stdout, to its folder, and what there is to say about it to stderr."""
    from docassay.report.study import render, write_study

    notes = () if out is None else write_study(Path(out), study)
    say([*study.notes, *notes], quiet=quiet)
    if problems:
        noun = "problem" if problems == 1 else "problems"
        say([f"{problems:,} {noun} in the data: docassay score names them"], quiet=quiet)
    emit(render(study, format, screen=screen()))
    if out is not None:
        say([f"kept in {out}"], quiet=quiet)
