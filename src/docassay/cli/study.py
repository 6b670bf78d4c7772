"""`docassay study`: reading order, metrics that go together, and thresholds."""

from __future__ import annotations

from collections.abc import Sequence
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
    format_option,
    locate,
    names,
    names_given,
    refuse_moved,
    refuse_reading,
    settings,
    take,
)
from docassay.cli.terminal import emit, progress, say, screen
from docassay.errors import ConfigurationError
from docassay.model.report import FORMATS

if TYPE_CHECKING:
    from docassay.analysis.study.result import (
        CorrelationStudy,
        DataStudy,
        ShuffleStudies,
        ShuffleStudy,
        SweepStudy,
    )
    from docassay.run.options import ReadingArgs, StudyArgs

SHOWN = (
    format_option(FORMATS),
    click.option("--out", metavar="DIR", help="Also keep tables and charts in a folder."),
)


@click.group("study", invoke_without_command=True)
@click.pass_context
def command(context: click.Context) -> None:
    """Study metrics and data: reading order, which scores go together, what gold holds."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@command.command("shuffle", short_help="Which scores depend on reading order, and how much.")
@take(
    click.argument("inputs", metavar="GOLD PRED|RUN...", nargs=-1, required=True),
    *MOVED,
    *READING,
    click.option(
        "--metrics",
        metavar="A,B",
        callback=names_given,
        help="Metrics, or all.  [default: ner,entity,kieval,fields]",
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
    inputs: tuple[str, ...],
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
    depth. A score that does not depend on reading order keeps its every digit. Several pairs of
    GOLD PRED, or several RUNs, are data sets in one table.
    """
    from docassay.analysis.study.result import ShuffleStudies
    from docassay.analysis.study.shuffle import shuffle_study

    moved = (moved_gold, moved_pred)
    sets = _data_sets(inputs)
    if len(sets) > 1:
        refuse_moved(moved)
    places = [locate(gold, pred, moved, options, settings(given)) for gold, pred in sets]
    studies = []
    for name, place in zip(_set_names(sets), places, strict=True):
        say(place.notes, quiet=quiet)
        measured: StudyArgs = {**options, **place.options, "settings": place.settings}
        with progress("scoring documents", wanted=not (no_progress or quiet)) as tell:
            studies.append(
                shuffle_study(
                    *(place.gold, place.pred),
                    name=name,
                    repetitions=seeds,
                    progress=tell,
                    **measured,
                )
            )
    study = ShuffleStudies(tuple(studies)) if len(studies) > 1 else studies[0]
    _show(study, format, out, problems=len(study.problems), quiet=quiet)


def _data_sets(inputs: Sequence[str]) -> list[tuple[str, str | None]]:
    """Return each data set as a run, or as gold and pred."""
    from docassay.run.reopen import is_run

    if len(inputs) == 1 or all(map(is_run, inputs)):
        return [(run, None) for run in inputs]
    if len(inputs) % 2:
        raise ConfigurationError(
            f"{len(inputs)} inputs are no pairs of gold and pred",
            hint="name GOLD PRED for each data set, or folders of runs only",
        )
    return [*zip(inputs[::2], inputs[1::2], strict=True)]


def _set_names(sets: Sequence[tuple[str, str | None]]) -> list[str]:
    """Return what data sets are called: nothing for one, else the shortest ends that differ."""
    if len(sets) == 1:
        return [""]
    from docassay.run.reopen import short_names

    golds = [Path(gold) for gold, _ in sets]
    preds = [Path(gold if pred is None else pred) for gold, pred in sets]
    return short_names(golds if len({*golds}) == len(golds) else preds)


@command.command("correlation", short_help="Which scores go together, over documents and runs.")
@take(
    click.argument("runs", metavar="RUN...", nargs=-1, required=True),
    click.option("--readouts", metavar="A,B", help="Scores or metrics; else all but counts."),
    click.option(
        "--columns",
        metavar="FILE",
        multiple=True,
        help="Numbers from elsewhere by document id, by run, or both; repeatable.",
    ),
    *SHOWN,
    QUIET,
)
def correlation(
    runs: tuple[str, ...],
    readouts: str | None,
    columns: tuple[str, ...],
    format: str,
    out: str | None,
    quiet: bool,
) -> None:
    """Correlate scores over documents, and over runs when there are three or more.

    RUN is a folder that `docassay score --out` wrote.
    """
    from docassay.analysis.study.correlation import correlation_study

    study = correlation_study(runs, readouts=names(readouts), columns=columns)
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


@command.command("data", short_help="How many documents, values and rows a data set holds.")
@take(
    click.argument("gold", metavar="GOLD|RUN"),
    click.option("--gold", "moved_gold", metavar="PATH", help="Where GOLD of a RUN is now."),
    *READING,
    *SHOWN,
    QUIET,
)
def data(
    gold: str,
    moved_gold: str | None,
    format: str,
    out: str | None,
    quiet: bool,
    **options: Unpack[ReadingArgs],
) -> None:
    """Count documents, values and rows of a data set, by field and by group."""
    from docassay.analysis.study.data import data_study
    from docassay.run.reopen import is_run, stored_inputs

    if is_run(gold):
        refuse_reading(gold)
        stored = stored_inputs(gold, gold=moved_gold)
        say(stored.notes, quiet=quiet)
        place = stored.both()[0] if stored.gold is None else stored.gold
        study = data_study(place, settings=stored.settings(), **stored.args())
    else:
        refuse_moved((moved_gold, None))
        study = data_study(gold, **options)
    _show(study, format, out, problems=len(study.problems), quiet=quiet)


def _show(
    study: ShuffleStudy | ShuffleStudies | CorrelationStudy | SweepStudy | DataStudy,
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
