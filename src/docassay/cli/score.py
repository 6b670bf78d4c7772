"""`docassay score`: predictions against gold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click
from click.core import ParameterSource

from docassay.cli.options import (
    INPUTS_OR_RUN,
    MOVED,
    NO_GOLD,
    NO_PROGRESS,
    PRESENTING,
    QUIET,
    READING,
    SETTING,
    SHOWING,
    Located,
    locate,
    names_given,
    refuse_empty_junit,
    refuse_moved,
    settings,
    take,
)
from docassay.cli.terminal import FOOTER, KEPT, progress, say, settle, show
from docassay.errors import ConfigurationError
from docassay.model.report import PAGE

if TYPE_CHECKING:
    from docassay.analysis.require import Requirement
    from docassay.report.first_screen import Explain
    from docassay.run.options import RunArgs

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
        help="Which compared values to keep in --out.  [default: wrong]",
    ),
    click.option("--keep-inputs", is_flag=True, help="Copy GOLD and PRED into --out."),
    click.option(
        "--tag",
        metavar="NAME=VALUE",
        multiple=True,
        help="What to find the run by, in docassay runs; repeatable.",
    ),
    *PRESENTING,
)

RUNNING = (
    click.option(
        "--workers",
        type=int,
        metavar="N",
        help="Processes that score.  [default: all cores where there is enough to do]",
    ),
    click.option(
        "--engine",
        metavar="NAME",
        help="What runs them: local, dask, ray, spark, dask=tcp://HOST:PORT or ray=HOST:PORT.  "
        "[default: local]",
    ),
    click.option(
        "--storage-options",
        metavar="FILE",
        help="What the file systems of addresses such as s3://… need, as a JSON file.",
    ),
)


@click.command("score")
@take(
    *INPUTS_OR_RUN,
    NO_GOLD,
    *MOVED,
    *READING,
    *MEASURING,
    *SHOWING,
    *KEEPING,
    *RUNNING,
    NO_PROGRESS,
    QUIET,
)
def command(
    gold: str,
    pred: str | None,
    no_gold: bool,
    moved_gold: str | None,
    moved_pred: str | None,
    given: tuple[str, ...],
    format: str,
    verbose: bool,
    all_fields: bool,
    requirements: tuple[str, ...],
    no_progress: bool,
    quiet: bool,
    **options: Unpack[RunArgs],
) -> int:
    """Score predictions against gold.

    GOLD and PRED are files or folders, or a RUN that was kept is scored again. With --no-gold PRED
    alone is named. Results go to stdout, words and progress to stderr.
    """
    from docassay.api.score import score_run

    out = options.get("out")
    refuse_empty_junit(format, requirements)
    required = _required(requirements, options, without_gold=no_gold)
    if no_gold:
        place = _alone(gold, pred, (moved_gold, moved_pred), options, settings(given))
    else:
        place = locate(gold, pred, (moved_gold, moved_pred), options, settings(given))
    explain = _explain(gold, pred, options, no_gold=no_gold)
    options |= {**place.options, "settings": place.settings}  # type: ignore[typeddict-item]
    with progress("scoring documents", wanted=not (no_progress or quiet)) as tell:
        try:
            run = score_run(
                place.gold,
                place.pred,
                progress=tell,
                total=tell.expect,
                pages=format == PAGE,
                first_screen=format == "table" and not (verbose or all_fields or required),
                **options,
            )
        except KeyboardInterrupt:
            if out is not None:
                say(["what was scored so far is kept: the same command with --resume goes on"])
            raise
    shown = run.report.notes if format == "table" else ()
    say((*place.notes, *(note for note in run.notes if note not in shown)), quiet=quiet)
    show(
        run.report,
        format,
        all_fields=all_fields,
        by=options.get("by"),
        verbose=verbose,
        explain=explain,
        footer=FOOTER if out is None else KEPT,
        quiet=quiet,
        requirements=required,
        name=Path(out or place.pred).stem,
    )
    if out is not None:
        say([f"kept in {out}; open {Path(out, 'report.html')} in a browser"], quiet=quiet)
    return settle(run.report, required)


def _alone(
    pred: str,
    more: str | None,
    moved: tuple[str | None, str | None],
    options: RunArgs,
    given: dict[str, object],
) -> Located:
    """Return predictions to be measured without gold."""
    if more is not None:
        raise click.UsageError(f"--no-gold takes PRED alone, and {more!r} is given as well")
    refuse_moved(moved)
    return Located(None, pred, options, given)


def _explain(gold: str, pred: str | None, options: RunArgs, *, no_gold: bool) -> Explain:
    """Return the command that explains a document of the run, with the options of reading."""
    from docassay.report.first_screen import Explain

    out = options.get("out")
    if no_gold and out is None:
        return Explain(("docassay", "explain", "--no-gold", gold), tuple(_reading_words()))
    if out is not None or pred is None:
        return Explain(("docassay", "explain", gold if out is None else str(out)))
    return Explain(("docassay", "explain", gold, pred), tuple(_reading_words()))


def _reading_words() -> Iterator[str]:
    """Yield the options of reading that were given, as words of a command line."""
    from docassay.load.format import FORMATS
    from docassay.run.options import ReadingArgs

    context = click.get_current_context()
    for parameter in context.command.params:
        name = parameter.name or ""
        given = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if given and name in ReadingArgs.__annotations__:
            flag, value = parameter.opts[0], context.params[name]
            texts = (
                [f"{before}={after}" for before, after in value.items()]
                if isinstance(value, Mapping)
                else [value if isinstance(value, str) else ",".join(value)]
            )
            yield from (word for text in texts for word in (flag, text))
    for setting in context.params["given"]:
        if setting.partition(".")[0].strip() in FORMATS.names():
            yield from ("--set", setting)


def _required(texts: Sequence[str], options: RunArgs, *, without_gold: bool) -> list[Requirement]:
    """Return the requirements; one on a metric that is not measured is an error before scoring."""
    if not texts:
        return []
    from docassay.analysis.require import is_about, requirement
    from docassay.run.plan import usual_metrics

    measured, schema = options.get("metrics"), options.get("schema")
    if measured is None:
        from docassay.schema.source import load_schemas

        measured = usual_metrics(
            None if schema is None else load_schemas(schema).joined,
            without_gold=without_gold,
            originals=options.get("source") is not None,
        )
    required = [requirement(text) for text in texts]
    for wanted in required:
        if "all" not in measured and not is_about(wanted, measured):
            raise ConfigurationError(
                f"requirement {str(wanted)!r} is about a metric that is not measured",
                hint=f"measured: {', '.join(measured)}",
            )
    return required
