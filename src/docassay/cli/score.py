"""`docassay score`: predictions against gold."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from docassay.cli.options import (
    INPUTS,
    NO_PROGRESS,
    PRESENTING,
    QUIET,
    READING,
    SETTING,
    SHOWING,
    names,
    settings,
    take,
)
from docassay.cli.terminal import progress, say, settle, show, wants_charts
from docassay.errors import ConfigurationError

if TYPE_CHECKING:
    from docassay.report.require import Requirement

MEASURING = (
    click.option(
        "--metrics",
        metavar="A,B",
        help="Metrics, or all.  [default: entity,kieval,fields, and rules if the schema has any]",
    ),
    SETTING,
    click.option("--strict", is_flag=True, help="Stop at the first problem in the data."),
)
KEEPING = (
    click.option("--out", metavar="DIR", help="Keep the run and its report in a folder."),
    click.option("--resume", is_flag=True, help="Go on with a run in --out that was cut off."),
    click.option(
        "--verdicts",
        type=click.Choice(["none", "wrong", "all"]),
        help="Which compared values to keep in --out.  [default: all, up to 10,000 documents]",
    ),
    *PRESENTING,
)


@click.command("score")
@take(*INPUTS, *READING, *MEASURING, *SHOWING, *KEEPING, NO_PROGRESS, QUIET)
def command(
    gold: str,
    pred: str,
    schema: str | None,
    gold_format: str | None,
    pred_format: str | None,
    id_key: str | None,
    metrics: str | None,
    given: tuple[str, ...],
    strict: bool,
    format: str,
    all_fields: bool,
    by: str | None,
    seed: int,
    requirements: tuple[str, ...],
    out: str | None,
    resume: bool,
    verdicts: str | None,
    checklist: bool,
    no_charts: bool,
    no_progress: bool,
    quiet: bool,
) -> int:
    """Score predictions against gold.

    GOLD and PRED are files or folders. Results go to stdout, words and progress to stderr.
    """
    from docassay.api import score_run

    measured = names(metrics)
    required = _required(requirements, measured, schema)
    with progress("scoring documents", wanted=not (no_progress or quiet)) as tell:
        try:
            run = score_run(
                gold,
                pred,
                schema=schema,
                metrics=measured,
                settings=settings(given),
                gold_format=gold_format,
                pred_format=pred_format,
                id_key=id_key,
                by=by,
                seed=seed,
                strict=strict,
                out=out,
                verdicts=verdicts,
                resume=resume,
                checklist=checklist,
                charts=wants_charts(out, no_charts=no_charts, quiet=quiet),
                progress=tell,
            )
        except KeyboardInterrupt:
            if out is not None:
                say(["what was scored so far is kept: the same command with --resume goes on"])
            raise
    say(run.notes, quiet=quiet)
    show(run.report, format, all_fields=all_fields, by=by)
    if out is not None:
        say([f"kept in {out}; read {Path(out, 'summary.md')} first"], quiet=quiet)
    return settle(run.report, required)


def _required(
    texts: Sequence[str], measured: Sequence[str] | None, schema: str | None
) -> list[Requirement]:
    """Return the requirements; one on a metric that is not measured is told before scoring."""
    from docassay.plan import usual_metrics
    from docassay.report.require import requirement
    from docassay.schema import load_schema

    if not texts:
        return []
    if measured is None:
        measured = usual_metrics(None if schema is None else load_schema(schema))
    required = [requirement(text) for text in texts]
    for one in required:
        if one.metric not in measured and "all" not in measured:
            raise ConfigurationError(
                f"requirement {str(one)!r} is about a metric that is not measured",
                hint=f"measured: {', '.join(measured)}",
            )
    return required
