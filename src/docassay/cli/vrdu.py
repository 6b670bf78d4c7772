"""`docassay vrdu`: the few-shot tables of the VRDU benchmark."""

from __future__ import annotations

from pathlib import Path

import click

from docassay.cli.options import NO_PROGRESS, QUIET, SETTING, format_option, settings, take
from docassay.cli.terminal import emit, progress, say, screen
from docassay.model.report import FORMATS


@click.command("vrdu")
@take(
    click.argument("dataset", metavar="DATASET"),
    click.argument("predictions", metavar="PREDICTIONS"),
    click.option("--official", is_flag=True, help="Also the numbers of the released toolkit."),
    SETTING,
    format_option(FORMATS),
    click.option("--out", metavar="DIR", help="Also keep tables, raw scores and charts."),
    NO_PROGRESS,
    QUIET,
)
def command(
    dataset: str,
    predictions: str,
    official: bool,
    given: tuple[str, ...],
    format: str,
    out: str | None,
    no_progress: bool,
    quiet: bool,
) -> None:
    """Score all prediction files of a folder on their splits, and make the table of the paper.

    DATASET is a folder in the layout of VRDU, or one that holds several. PREDICTIONS holds files
    named SPLIT-test_predictions.json; a folder between is the name of a model.
    """
    from docassay.analysis.vrdu.study import vrdu_study
    from docassay.report.vrdu import render, write_benchmark

    with progress("scoring files", wanted=not (no_progress or quiet)) as tell:
        study = vrdu_study(
            dataset,
            predictions,
            official=official,
            settings=settings(given),
            progress=tell,
        )
    notes = () if out is None else write_benchmark(Path(out), study)
    say([*study.notes, *notes], quiet=quiet)
    emit(render(study, format, screen=screen()))
    if out is not None:
        say([f"kept in {out}"], quiet=quiet)
