"""Options that several verbs take."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import click

from docassay.errors import ConfigurationError
from docassay.report.rendering import FORMATS

STDIN = "-"
"""What stands for standard input where a file is asked for."""
F = TypeVar("F", bound=Callable[..., object])


def _named(_: click.Context, parameter: click.Parameter, given: str | None) -> str | None:
    """Return a name as given, if it is one."""
    if given is not None and not given.strip():
        raise click.BadParameter("an empty name", param=parameter)
    return given


def names(text: str | None) -> list[str] | None:
    """Return names that commas separate, None for none given."""
    return None if text is None else [name.strip() for name in text.split(",") if name.strip()]


def names_given(_: click.Context, __: click.Parameter, given: str | None) -> list[str] | None:
    """Return the names of an option that takes several."""
    return names(given)


def renamings(
    _: click.Context, __: click.Parameter, given: tuple[str, ...]
) -> dict[str, str] | None:
    """Return `PRED=GOLD` texts as a dict, None for none given."""
    if not given:
        return None
    pairs = [text.partition("=") for text in given]
    for text, (pred_name, _sign, gold_name) in zip(given, pairs, strict=True):
        if not pred_name.strip() or not gold_name.strip():
            raise click.BadParameter(f"{text!r} is not PRED=GOLD")
    return {pred_name.strip(): gold_name.strip() for pred_name, _sign, gold_name in pairs}


INPUTS = (
    click.argument("gold", metavar="GOLD"),
    click.argument("pred", metavar="PRED"),
)
READING = (
    click.option("--schema", metavar="FILE", help="What the fields are; else all are text."),
    click.option("--gold-format", metavar="NAME", help="Format of GOLD; else guessed."),
    click.option("--pred-format", metavar="NAME", help="Format of PRED; else guessed."),
    click.option(
        "--types",
        type=click.Choice(["auto", "text"]),
        default="auto",
        show_default=True,
        help="Without a schema: guess types from gold, or compare values as text.",
    ),
    click.option("--id-key", metavar="KEY", help="The key that holds a document's id."),
    click.option("--gold-id", metavar="PATH", help="The same for GOLD only, dotted."),
    click.option("--pred-id", metavar="PATH", help="The same for PRED only, dotted."),
    click.option("--id-pattern", metavar="REGEX", help="Pair by its first group in both ids."),
    click.option("--gold-root", metavar="PATH", help="Where the record is in GOLD, dotted."),
    click.option("--pred-root", metavar="PATH", help="Where the record is in PRED, dotted."),
    click.option(
        "--map",
        metavar="PRED=GOLD",
        multiple=True,
        callback=renamings,
        help="Rename a field or group of PRED, or a YAML file of such; repeatable.",
    ),
    click.option(
        "--ignore",
        metavar="A,B",
        callback=names_given,
        help="Leave fields out on both sides; * stands for any characters.",
    ),
    click.option(
        "--extra",
        type=click.Choice(["ignore", "count"]),
        help="What becomes of fields that the schema does not name.  [default: ignore]",
    ),
)
SHOWING = (
    click.option(
        "--format",
        type=click.Choice(FORMATS),
        default="table",
        show_default=True,
        help="What to write to stdout.",
    ),
    click.option("--all-fields", is_flag=True, help="Show every field, however many."),
    click.option(
        "--by",
        metavar="type|TAG",
        callback=_named,
        help="Also score each document type or tag apart.",
    ),
    click.option(
        "--seed",
        metavar="N",
        type=click.IntRange(0, 2**64 - 1),
        default=0,
        show_default=True,
        help="Which documents the draws behind intervals take.",
    ),
    click.option(
        "--require",
        "requirements",
        metavar="'SCORE >= X'",
        multiple=True,
        help="Exit with 1 unless this holds (>= > <= < ==); repeatable.",
    ),
)
SETTING = click.option(
    "--set",
    "given",
    metavar="NAME.OPTION=VALUE",
    multiple=True,
    help="An option of a metric or of a format; repeatable.",
)
PRESENTING = (
    click.option(
        "--checklist", is_flag=True, help="Also write checklist.md: each field and its threshold."
    ),
    click.option("--no-charts", is_flag=True, help="Draw no charts."),
)
QUIET = click.option("-q", "--quiet", is_flag=True, help="Only results and errors, no words.")
NO_PROGRESS = click.option("--no-progress", is_flag=True, help="No progress bar.")


def take(*options: Callable[[F], F]) -> Callable[[F], F]:
    """Return a decorator that adds options in the order in which they are to be listed."""

    def decorate(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def settings(given: Sequence[str]) -> dict[str, object]:
    """Return `metric.option=value` texts as a dict."""
    values: dict[str, object] = {}
    for text in given:
        address, sign, value = text.partition("=")
        if not sign or not address.strip():
            raise ConfigurationError(
                f"{text!r} is not a setting", hint="write it as metric.option=value"
            )
        values[address.strip()] = value.strip()
    return values
