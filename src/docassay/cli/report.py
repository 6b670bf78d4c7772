"""`docassay report`: a stored run, rendered again."""

from __future__ import annotations

from pathlib import Path

import click

from docassay.cli.options import PRESENTING, SHOWING, settings, take
from docassay.cli.terminal import KEPT, settle, show, wants_charts
from docassay.errors import ConfigurationError


@click.command("report")
@take(
    click.argument("run", metavar="RUN"),
    *SHOWING,
    click.option(
        "--set",
        "given",
        metavar="METRIC.OPTION=VALUE",
        multiple=True,
        help="An option of display, such as effort.hourly_rate; repeatable.",
    ),
    click.option("--out", metavar="DIR", help="Also write the report, tables and charts there."),
    click.option(
        "--earlier",
        metavar="RUN",
        multiple=True,
        help="A run to be shown beside this one: accuracy, and losses by cause; repeatable.",
    ),
    *PRESENTING,
)
def command(
    run: str,
    format: str,
    verbose: bool,
    all_fields: bool,
    by: str | None,
    seed: int,
    requirements: tuple[str, ...],
    given: tuple[str, ...],
    out: str | None,
    earlier: tuple[str, ...],
    checklist: bool,
    no_charts: bool,
) -> int:
    """Render a stored run again, without rescoring.

    RUN is a folder that `docassay score --out` wrote, or its ledger.
    """
    from docassay.analysis.require import requirement
    from docassay.report.folder import read_folder, write_folder

    if out is None and (earlier or checklist):
        raise ConfigurationError("--earlier and --checklist need a folder", hint="say --out DIR")
    required = [requirement(text) for text in requirements]
    report = read_folder(Path(run), by=by, seed=seed, display=settings(given))
    if out is not None:
        charts = wants_charts(out, no_charts=no_charts)
        before = [(Path(folder).name, read_folder(Path(folder))) for folder in earlier]
        write_folder(Path(out), report, checklist=checklist, charts=charts, earlier=before)
    from docassay.report.first_screen import Explain

    show(
        report,
        format,
        all_fields=all_fields,
        by=by,
        verbose=verbose,
        explain=Explain(("docassay", "explain", run)),
        footer=KEPT,
    )
    return settle(report, required)
