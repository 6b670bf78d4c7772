"""`docassay gate`: whether a run may go out."""

from __future__ import annotations

from pathlib import Path

import click

from docassay.cli.options import QUIET, SEED, format_option, take
from docassay.cli.terminal import emit, say, screen
from docassay.errors import EXIT_FINE, EXIT_REQUIREMENT, ConfigurationError

CHOOSING = (
    click.option("--baseline", metavar="RUN", help="The run to compare with."),
    click.option(
        "--rules",
        metavar="FILE",
        help="Rules as YAML.  [default: gate of [tool.docassay] in pyproject.toml, else aligned "
        "must not drop]",
    ),
    click.option(
        "--max-drop",
        metavar="SHARE",
        type=float,
        help="The drop allowed by no_regression rules that state none.  [default: 0.01]",
    ),
    SEED,
)
SHOWN = (
    format_option(["table", "json", "junit", "markdown", "github"]),
    click.option("-v", "--verbose", is_flag=True, help="Show every score that was checked."),
    click.option(
        "--out",
        "files",
        metavar="FILE",
        multiple=True,
        help="Also write a file, by its name JUnit (.xml), Markdown (.md) or JSON; repeatable.",
    ),
)


@click.command("gate")
@take(click.argument("run", metavar="RUN"), *CHOOSING, *SHOWN, QUIET)
def command(
    run: str,
    baseline: str | None,
    rules: str | None,
    max_drop: float | None,
    seed: int,
    format: str,
    verbose: bool,
    files: tuple[str, ...],
    quiet: bool,
) -> int:
    """Pass or fail a run by rules: minimum values, no regression, newly broken documents.

    RUN is a folder that `docassay score --out` wrote. Exits with 1 when a rule does not hold.
    """
    from docassay.api.decide import gate
    from docassay.report.gate import render
    from docassay.run.output import write_bytes

    formats = {file: _format_of(file) for file in files}
    result = gate(
        run,
        baseline=baseline,
        rules=None if rules is None else Path(rules),
        max_drop=max_drop,
        seed=seed,
    )
    say([result.source, *(f"note: {note}" for note in result.notes)], quiet=quiet)
    emit(render(result, format, screen=screen(), all_checks=verbose))
    for file, own in formats.items():
        write_bytes(Path(file), render(result, own).encode("utf-8", "backslashreplace"))
    return EXIT_FINE if result.passed else EXIT_REQUIREMENT


def _format_of(file: str) -> str:
    from docassay.report.gate import SUFFIXES

    suffix = Path(file).suffix.lower()
    if suffix not in SUFFIXES:
        raise ConfigurationError(
            f"--out {file}: its format is not known", hint=f"end it in {', '.join(SUFFIXES)}"
        )
    return SUFFIXES[suffix]
