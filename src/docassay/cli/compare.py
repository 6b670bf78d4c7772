"""`docassay compare`: runs over the same gold, side by side."""

from __future__ import annotations

from collections.abc import Sequence

import click
from click.core import ParameterSource

from docassay.cli.options import NO_PROGRESS, QUIET, format_option, names_given, take
from docassay.cli.terminal import emit, progress, say, screen
from docassay.errors import ConfigurationError

FORMATS = ("table", "json", "markdown", "csv", "latex", "html")
TESTING = (
    click.option("--baseline", metavar="RUN", help="Compare with this run, not with the first."),
    click.option(
        "--metrics", metavar="A,B", callback=names_given, help="Metrics to compare; else all."
    ),
    click.option(
        "--by",
        metavar="TAG",
        multiple=True,
        help="Compare each value of a tag on its own as well; repeatable.",
    ),
    click.option(
        "--alpha",
        metavar="SHARE",
        type=float,
        default=0.05,
        show_default=True,
        help="The p from which on a difference counts as chance.",
    ),
    click.option(
        "--margin",
        metavar="POINTS",
        type=float,
        default=0.01,
        show_default=True,
        help="Differences within it make runs equivalent.",
    ),
    click.option(
        "--cluster",
        metavar="TAG",
        help="Draw and swap documents together that share its value, such as a template.",
    ),
    click.option(
        "--draws", metavar="N", type=int, default=10_000, show_default=True, help="Of chance."
    ),
    click.option(
        "--seed", metavar="N", type=int, default=0, show_default=True, help="Of the draws."
    ),
)
RESCORING = (
    click.option(
        "--rescore", is_flag=True, help="Score all runs again, by the schema of the first."
    ),
    click.option("--schema", metavar="FILE", help="With --rescore: the schema for all runs."),
    click.option("--gold", metavar="PATH", help="With --rescore: the gold for all runs."),
)
SHOWN = (
    format_option(FORMATS),
    click.option("-v", "--verbose", is_flag=True, help="Show every score."),
    click.option("--out", metavar="DIR", help="Also keep the comparison in all its forms."),
    click.option("--charts", is_flag=True, help="Also draw charts in --out, as PNG and SVG."),
)


def _named(_: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> dict[str, str]:
    """Return `RUN=NAME` texts as a dict."""
    names: dict[str, str] = {}
    for text in given:
        run, sign, name = (part.strip() for part in text.rpartition("="))
        if not (run and sign and name):
            raise click.BadParameter(f"{text!r} is not RUN=NAME", param=parameter)
        names[run] = name
    return names


TABULATING = (
    click.option(
        "--table",
        is_flag=True,
        help="Tabulate scores by model and data set; runs may be of several data sets.",
    ),
    click.option(
        "--scores",
        metavar="A,B",
        callback=names_given,
        help="With --table: scores, or sums of them such as 'kieval.fp + kieval.fn'.",
    ),
    click.option(
        "--dataset",
        "datasets",
        metavar="RUN=NAME",
        multiple=True,
        callback=_named,
        help="With --table: what the data set of a run is called; repeatable.",
    ),
    click.option(
        "--model",
        "models",
        metavar="RUN=NAME",
        multiple=True,
        callback=_named,
        help="With --table: what the model of a run is called; repeatable.",
    ),
    click.option(
        "--rows",
        type=click.Choice(["score", "model", "dataset"]),
        help="With --table: what has a row.  [default: score if there are several, else model]",
    ),
    click.option("--percent", is_flag=True, help="With --table: shares and rates in percent."),
    click.option(
        "--shuffled",
        metavar="N",
        type=click.IntRange(0),
        default=0,
        help="With --table: also the mean over N times with predictions in another order.",
    ),
)
TABLE_OPTIONS = ("scores", "datasets", "models", "rows", "percent", "shuffled")
TEST_OPTIONS = (
    *("baseline", "metrics", "by", "margin", "cluster", "rescore", "schema", "gold"),
    *("verbose", "charts"),
)
"""What only a table of runs has, and what only a comparison has."""


@click.command("compare")
@take(
    click.argument("runs", metavar="RUN [RUN ...]", nargs=-1, required=True),
    *TESTING,
    *RESCORING,
    *SHOWN,
    *TABULATING,
    NO_PROGRESS,
    QUIET,
)
def command(
    runs: tuple[str, ...],
    baseline: str | None,
    metrics: list[str] | None,
    by: tuple[str, ...],
    alpha: float,
    margin: float,
    cluster: str | None,
    draws: int,
    seed: int,
    rescore: bool,
    schema: str | None,
    gold: str | None,
    format: str,
    verbose: bool,
    out: str | None,
    charts: bool,
    table: bool,
    scores: list[str] | None,
    datasets: dict[str, str],
    models: dict[str, str],
    rows: str | None,
    percent: bool,
    shuffled: int,
    no_progress: bool,
    quiet: bool,
) -> None:
    """Say which of several runs is better, in what, by how much, and whether that is sure.

    RUN is a folder that `docassay score --out` wrote. All runs are compared with the first.
    """
    from docassay.api.decide import compare, tabulate

    _refuse(TEST_OPTIONS if table else TABLE_OPTIONS, table=table)
    if table:
        from docassay.report.tabulate import render as render_table

        tabulation = tabulate(
            *runs,
            scores=scores,
            datasets=datasets,
            models=models,
            shuffled=shuffled,
            alpha=alpha,
            seed=seed,
            draws=draws,
            rows=rows,
            percent=percent,
            out=out,
        )
        say([f"note: {note}" for note in tabulation.notes], quiet=quiet)
        shown = render_table(tabulation, format, rows=rows, percent=percent, screen=screen())
        if out is not None:
            say([f"kept in {out}"], quiet=quiet)
        emit(shown)
        return
    from docassay.report.compare import render

    if len(runs) < 2 and baseline is None:
        raise ConfigurationError("one run is compared with nothing", hint="name another run")
    with progress("scoring again", wanted=rescore and not no_progress) as update:
        comparison = compare(
            *runs,
            baseline=baseline,
            metrics=metrics,
            by=by,
            alpha=alpha,
            margin=margin,
            seed=seed,
            draws=draws,
            cluster=cluster,
            rescore=rescore,
            schema=schema,
            gold=gold,
            out=out,
            charts=charts,
            progress=update,
        )
    say([f"note: {note}" for note in comparison.notes], quiet=quiet)
    if out is not None:
        say([f"kept in {out}"], quiet=quiet)
    emit(render(comparison, format, screen=screen(), all_fields=verbose))


def _refuse(names: Sequence[str], *, table: bool) -> None:
    """Refuse options that a table of runs has no use for, or that need one."""
    context = click.get_current_context()
    for option in context.command.params:
        given = context.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE
        if given and option.name in names:
            if table:
                raise ConfigurationError(
                    f"{option.opts[-1]} is not for --table", hint="leave it out"
                )
            raise ConfigurationError(f"{option.opts[0]} is for --table", hint="add --table")
