"""`docassay score`: predictions against gold."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from docassay.cli.options import (
    INPUTS,
    NO_PROGRESS,
    PRESENTING,
    QUIET,
    READING,
    SETTING,
    SHOWING,
    names_given,
    settings,
    take,
)
from docassay.cli.terminal import progress, say, settle, show, wants_charts
from docassay.errors import ConfigurationError

if TYPE_CHECKING:
    from docassay.report.require import Requirement
    from docassay.run.open import RunArgs

MEASURING = (
    click.option(
        "--metrics",
        metavar="A,B",
        callback=names_given,
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
    given: tuple[str, ...],
    format: str,
    all_fields: bool,
    requirements: tuple[str, ...],
    no_charts: bool,
    no_progress: bool,
    quiet: bool,
    **options: Unpack[RunArgs],
) -> int:
    """Score predictions against gold.

    GOLD and PRED are files or folders. Results go to stdout, words and progress to stderr.
    """
    from docassay.api import score_run

    out = options.get("out")
    required = _required(requirements, options.get("metrics"), options.get("schema"))
    options["settings"] = settings(given)
    options["charts"] = wants_charts(out, no_charts=no_charts, quiet=quiet)
    with progress("scoring documents", wanted=not (no_progress or quiet)) as tell:
        try:
            run = score_run(gold, pred, progress=tell, **options)
        except KeyboardInterrupt:
            if out is not None:
                say(["what was scored so far is kept: the same command with --resume goes on"])
            raise
    say(run.notes, quiet=quiet)
    show(run.report, format, all_fields=all_fields, by=options.get("by"))
    if out is not None:
        say([f"kept in {out}; read {Path(out, 'summary.md')} first"], quiet=quiet)
    return settle(run.report, required)


def _required(
    texts: Sequence[str], measured: Sequence[str] | None, schema: object
) -> list[Requirement]:
    """Return the requirements; one on a metric that is not measured is an error before scoring."""
    if not texts:
        return []
    from docassay.report.require import requirement
    from docassay.run.plan import usual_metrics

    if measured is None:
        from docassay.schema.source import load_schema

        measured = usual_metrics(None if schema is None else load_schema(schema))
    required = [requirement(text) for text in texts]
    for wanted in required:
        if wanted.metric not in measured and "all" not in measured:
            raise ConfigurationError(
                f"requirement {str(wanted)!r} is about a metric that is not measured",
                hint=f"measured: {', '.join(measured)}",
            )
    return required
