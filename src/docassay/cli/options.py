"""Options that several verbs take."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import click
from click.core import ParameterSource

from docassay.errors import ConfigurationError
from docassay.model.report import FORMATS, PAGE

if TYPE_CHECKING:
    from docassay.run.options import ReadingArgs

JUNIT = "junit"
"""The format that shows requirements instead of scores."""
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
    """Return `PRED=GOLD` texts, or files of such, as a dict; None for none given."""
    names: dict[str, str] = {}
    for text in given:
        pred_name, sign, gold_name = (part.strip() for part in text.partition("="))
        if sign and pred_name and gold_name:
            pairs = {pred_name: gold_name}
        elif not sign and text.lower().endswith((".yaml", ".yml", ".json")):
            from docassay.load.renames import read_renames

            pairs = read_renames(Path(text))
        else:
            raise click.BadParameter(f"{text!r} is neither PRED=GOLD nor a YAML file")
        for name, new in pairs.items():
            if names.setdefault(name, new) != new:
                raise click.BadParameter(f"{name!r} is renamed to {names[name]!r} and to {new!r}")
    return names or None


INPUTS = (
    click.argument("gold", metavar="GOLD"),
    click.argument("pred", metavar="PRED"),
)
INPUTS_OR_RUN = (
    click.argument("gold", metavar="GOLD|RUN"),
    click.argument("pred", metavar="[PRED]", required=False),
)
MOVED = (
    click.option("--gold", "moved_gold", metavar="PATH", help="Where GOLD of a RUN is now."),
    click.option("--pred", "moved_pred", metavar="PATH", help="Where PRED of a RUN is now."),
)
READING = (
    click.option(
        "--schema",
        metavar="FILE",
        help="What the fields are, or a folder of such files; else guessed from GOLD.",
    ),
    click.option("--gold-format", metavar="NAME", help="Format of GOLD; else guessed."),
    click.option("--pred-format", metavar="NAME", help="Format of PRED; else guessed."),
    click.option(
        "--types",
        type=click.Choice(["auto", "text"]),
        default="auto",
        show_default=True,
        help="Without a schema: guess types from gold, or compare values as text.",
    ),
    click.option("--id-key", metavar="PATH", help="Where a document's id is, dotted."),
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
    click.option("--gold-patch", metavar="FILE", help="Decisions about gold to apply first."),
    click.option(
        "--source",
        metavar="DIR",
        help="Texts of the documents, ID.txt, or OCR words, ID.tsv and ID.json.",
    ),
)
NO_GOLD = click.option(
    "--no-gold", is_flag=True, help="There is no gold: PRED alone is named and measured."
)
SEED = click.option(
    "--seed",
    metavar="N",
    type=click.IntRange(0, 2**64 - 1),
    default=0,
    show_default=True,
    help="Which documents the draws behind intervals take.",
)


def format_option(
    choices: Sequence[str], help: str = "What to write to stdout."
) -> Callable[[F], F]:
    """Return the option that chooses among forms of a result, a table unless told."""
    return click.option(
        "--format", type=click.Choice(choices), default="table", show_default=True, help=help
    )


SHOWING = (
    format_option(
        [*FORMATS, PAGE, JUNIT], help="What to write to stdout; junit shows the requirements."
    ),
    click.option("-v", "--verbose", is_flag=True, help="Show all tables and the signature."),
    click.option("--all-fields", is_flag=True, help="Show every field, however many."),
    click.option(
        "--by",
        metavar="type|TAG",
        callback=_named,
        help="Also score each document type or tag apart.",
    ),
    SEED,
    click.option(
        "--draws",
        metavar="N",
        type=click.IntRange(100, 1_000_000),
        default=1_000,
        show_default=True,
        help="How many draws of documents an interval is made of.",
    ),
    click.option(
        "--cluster",
        metavar="type|TAG",
        callback=_named,
        help="Intervals draw documents of the same type or tag together.",
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
    click.option("--charts", is_flag=True, help="Also draw charts, as PNG and SVG."),
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


def refuse_empty_junit(format: str, requirements: Sequence[str]) -> None:
    """Refuse to write requirements where there are none."""
    if format == JUNIT and not requirements:
        raise ConfigurationError(
            "--format junit shows requirements, and there are none",
            hint="say --require 'aligned >= 0.9'",
        )


class Located(NamedTuple):
    """What a verb reads: two inputs, options of reading them, and what to say about them."""

    gold: str | Path | None
    pred: str | Path
    options: ReadingArgs
    settings: dict[str, object]
    notes: tuple[str, ...] = ()


def locate(
    gold: str,
    pred: str | None,
    moved: tuple[str | None, str | None],
    options: ReadingArgs,
    given: Mapping[str, object],
) -> Located:
    """Return the inputs that are named, or those that a run was scored from."""
    if pred is not None:
        refuse_moved(moved)
        return Located(gold, pred, options, {**given})
    from docassay.run.reopen import stored_inputs

    refuse_reading(gold)
    stored = stored_inputs(gold, gold=moved[0], pred=moved[1])
    gold_path, pred_path = stored.inputs()
    reading = stored.args()
    return Located(gold_path, pred_path, reading, {**stored.settings(), **given}, stored.notes)


def refuse_moved(moved: tuple[str | None, str | None]) -> None:
    """Refuse to be told where the inputs of a run are when there is no run."""
    if moved != (None, None):
        raise ConfigurationError("--gold and --pred are for a RUN", hint="name the folder of a run")


def refuse_reading(run: str) -> None:
    """Refuse what is no run folder, and options of reading, which a run has of its own."""
    from docassay.run.options import ReadingArgs
    from docassay.run.reopen import is_run

    if not is_run(run):
        raise ConfigurationError(
            "is no run folder", where=run, hint="name GOLD and PRED, or a folder of score --out"
        )
    context = click.get_current_context()
    for option in context.command.params:
        source = context.get_parameter_source(option.name or "")
        if option.name in ReadingArgs.__annotations__ and source is ParameterSource.COMMANDLINE:
            raise ConfigurationError(
                f"{option.opts[0]} is recorded in the run", where=run, hint="name GOLD and PRED"
            )


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
