"""`docassay run`: extract and score in one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Unpack, cast

import click

from docassay.cli.extract import (
    DOCUMENTS,
    EXTRACTING,
    conclude,
    extract_args,
    extraction_bar,
    note,
    refuse_without_schema,
)
from docassay.cli.options import (
    NO_PROGRESS,
    PRESENTING,
    QUIET,
    READING,
    SHOWING,
    refuse_empty_junit,
    settings,
    take,
)
from docassay.cli.score import MEASURING
from docassay.cli.terminal import KEPT, say, settle, show

if TYPE_CHECKING:
    from docassay.run.options import RunArgs

KEEPING = (
    click.option(
        "--out",
        metavar="DIR",
        default="docassay-run",
        show_default=True,
        help="The folder of predictions.jsonl, the run and its report.",
    ),
    click.option("--resume", is_flag=True, help="Go on with --out; nothing is asked twice."),
    click.option(
        "--verdicts",
        type=click.Choice(["none", "wrong", "all"]),
        help="Which compared values to keep in --out.  [default: wrong]",
    ),
    *PRESENTING,
)


@click.command("run")
@take(
    DOCUMENTS,
    click.argument("gold", metavar="GOLD"),
    *EXTRACTING,
    *READING,
    *MEASURING,
    *SHOWING,
    *KEEPING,
    NO_PROGRESS,
    QUIET,
)
def command(
    documents: str,
    gold: str,
    given: tuple[str, ...],
    format: str,
    verbose: bool,
    all_fields: bool,
    requirements: tuple[str, ...],
    logprobs: bool,
    no_progress: bool,
    quiet: bool,
    **options: Unpack[RunArgs],
) -> int:
    """Extract records from DOCUMENTS and score them against GOLD.

    The options are those of extract and of score. A document without an answer counts as missed;
    the exit code is 1 then.
    """
    from docassay.analysis.require import requirement
    from docassay.api.extract import extract_and_score
    from docassay.report.first_screen import Explain
    from docassay.run.options import RunArgs

    refuse_without_schema(options.get("schema"))
    refuse_empty_junit(format, requirements)
    required = [requirement(text) for text in requirements]
    out = Path(str(options["out"]))
    asked = extract_args({**options}, logprobs=logprobs)
    # predictions may have been added since: all of them are scored
    every = {**options, "resume": False, "settings": settings(given)}
    scoring = {name: every[name] for name in RunArgs.__annotations__ if name in every}
    with extraction_bar(wanted=not (no_progress or quiet)) as tell:
        try:
            extraction, run = extract_and_score(
                documents,
                gold,
                extract=asked,
                progress=tell,
                say=note,
                **cast(RunArgs, scoring),
            )
        except KeyboardInterrupt:
            say([f"what was answered is kept in {out}: the same command with --resume goes on"])
            raise
    code = conclude(extraction, quiet=quiet)
    shown = run.report.notes if format == "table" else ()
    say([each for each in run.notes if each not in shown], quiet=quiet)
    show(
        run.report,
        format,
        all_fields=all_fields,
        by=options.get("by"),
        verbose=verbose,
        explain=Explain(("docassay", "explain", str(out))),
        footer=KEPT,
        quiet=quiet,
        requirements=required,
    )
    say([f"kept in {out}; read {out / 'summary.md'} first"], quiet=quiet)
    return max(code, settle(run.report, required))
