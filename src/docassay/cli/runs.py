"""`docassay runs`: the runs below a folder, their tags, and how a score went over time."""

from __future__ import annotations

import click

from docassay.cli.options import QUIET, format_option, take
from docassay.cli.terminal import emit, say, screen

FORMAT = format_option(["table", "json", "csv", "markdown"])
WHERE = click.option(
    "--where",
    metavar="NAME=VALUE",
    multiple=True,
    help="Only runs with this tag, model, schema, gold or name; * for any characters; repeatable.",
)


class RunsGroup(click.Group):
    """Lists runs unless one of its commands is named."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the name of the listing before what belongs to it."""
        if not args or (args[0] not in self.commands and args[0] not in ("-h", "--help")):
            args = ["list", *args]
        return super().parse_args(ctx, args)


@click.group("runs", cls=RunsGroup)
def command() -> None:
    """List the runs below a folder, the newest first: docassay runs [DIR].

    `docassay runs list --help` shows the options of the list. A folder that is called like a
    command is named as ./tag.
    """


@command.command("list")
@take(
    click.argument("folder", metavar="[DIR]", default="."),
    WHERE,
    click.option(
        "--sort",
        metavar="made|name|documents|score|TAG",
        default="made",
        show_default=True,
        help="The newest, the most documents or the best score first, or by name or tag.",
    ),
    click.option("--score", metavar="SCORE", help="Shown instead of the headline."),
    FORMAT,
    QUIET,
)
def list_command(
    folder: str,
    where: tuple[str, ...],
    sort: str,
    score: str | None,
    format: str,
    quiet: bool,
) -> None:
    """List the runs below DIR: when, documents, headline with its interval, model, tags, gold."""
    from docassay.api.decide import runs
    from docassay.report.runs import render_runs

    listing = runs(folder, where=where, sort=sort, score=score)
    say(listing.notes, quiet=quiet)
    if listing.runs or format != "table":
        emit(render_runs(listing, format, screen=screen()))


@command.command("tag")
@take(
    click.argument("run", metavar="RUN"),
    click.argument("tags", metavar="NAME=VALUE...", nargs=-1, required=True),
)
def tag_command(run: str, tags: tuple[str, ...]) -> None:
    """Give a run tags; NAME= takes one away.

    Tags lie in the run folder (tags.json) and are no part of what is scored.
    """
    from docassay.api.decide import tag_run

    for name, value in tag_run(run, tags).items():
        emit(f"{name}={value}")


@command.command("trend")
@take(
    click.argument("score", metavar="SCORE"),
    click.argument("folder", metavar="[DIR]", default="."),
    click.option("--by", metavar="TAG", help="A series for each value of a tag."),
    WHERE,
    click.option("--out", metavar="FILE.svg|FILE.png", help="Also draw it."),
    FORMAT,
    QUIET,
)
def trend_command(
    score: str,
    folder: str,
    by: str | None,
    where: tuple[str, ...],
    out: str | None,
    format: str,
    quiet: bool,
) -> None:
    """Show how a score went over the runs below DIR, the earliest first."""
    from docassay.api.decide import trend
    from docassay.report.runs import render_trend

    course = trend(score, folder, by=by, where=where, out=out)
    say(course.notes, quiet=quiet)
    emit(render_trend(course, format, screen=screen()))
    if out is not None:
        say([f"drawn in {out}"], quiet=quiet)
