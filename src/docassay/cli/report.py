"""`docassay report`: a stored run, rendered again."""

from __future__ import annotations

from pathlib import Path

import click

from docassay.cli.options import PRESENTING, SHOWING, refuse_empty_junit, settings, take
from docassay.cli.terminal import KEPT, settle, show
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
    click.option("--out", metavar="DIR", help="Also write the report and its tables there."),
    *PRESENTING,
)
def command(
    run: str,
    format: str,
    verbose: bool,
    all_fields: bool,
    by: str | None,
    seed: int,
    draws: int,
    cluster: str | None,
    requirements: tuple[str, ...],
    given: tuple[str, ...],
    out: str | None,
    checklist: bool,
    charts: bool,
) -> int:
    """Render a stored run again, without rescoring.

    RUN is a folder that `docassay score --out` wrote, or its ledger.
    """
    from docassay.analysis.require import requirement
    from docassay.report.folder import read_folder, write_folder

    if out is None and (checklist or charts):
        raise ConfigurationError("--checklist and --charts need a folder", hint="say --out DIR")
    if charts:
        from docassay.report.charts.canvas import check_drawing

        check_drawing()
    refuse_empty_junit(format, requirements)
    required = [requirement(text) for text in requirements]
    report = read_folder(
        Path(run), by=by, seed=seed, cluster=cluster, draws=draws, display=settings(given)
    )
    if out is not None:
        write_folder(Path(out), report, checklist=checklist, charts=charts)
    from docassay.report.first_screen import Explain

    show(
        report,
        format,
        all_fields=all_fields,
        by=by,
        verbose=verbose,
        explain=Explain(("docassay", "explain", run)),
        footer=KEPT,
        requirements=required,
        name=Path(run).name,
    )
    return settle(report, required)
