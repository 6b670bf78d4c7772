"""`docassay extract`: documents through a model or another extractor, to predictions."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from docassay.cli.options import NO_PROGRESS, QUIET, take
from docassay.cli.terminal import emit, say
from docassay.errors import EXIT_FINE, EXIT_REQUIREMENT, ConfigurationError

if TYPE_CHECKING:
    from docassay.extract.job import Extraction
    from docassay.extract.options import ExtractArgs
    from docassay.extract.session import ExtractionProgress

SHOWN_FAILURES = 3
DOCUMENTS = click.argument("documents", metavar="DOCUMENTS")
WAYS = (
    click.option("--endpoint", metavar="URL", help="Base URL of a chat endpoint (…/v1)."),
    click.option("--model", metavar="NAME", help="The model to ask; else a name to keep."),
    click.option(
        "--extractor", metavar="MODULE:FUNCTION", help="A Python function of path and schema."
    ),
    click.option("--command", metavar="'TOOL {path}'", help="A command that prints an answer."),
    click.option("--ocr-only", is_flag=True, help="Rules over recognised text; no model."),
    click.option("--replay", metavar="FILE", help="Answer from kept answers; ask nobody."),
)


def parameters(
    _: click.Context, __: click.Parameter, given: tuple[str, ...]
) -> dict[str, object] | None:
    """Return `K=V` texts as a dict; what reads as JSON is JSON, anything else is text."""
    values: dict[str, object] = {}
    for text in given:
        name, sign, value = text.partition("=")
        if not sign or not name.strip():
            raise click.BadParameter(f"{text!r} is not K=V")
        try:
            values[name.strip()] = json.loads(value)
        except ValueError:
            values[name.strip()] = value
    return values or None


def price(
    _: click.Context, __: click.Parameter, given: str | None
) -> tuple[float | None, float | None]:
    """Return the prices of a million tokens of prompts and of answers."""
    if given is None:
        return None, None
    try:
        numbers = [float(part) for part in given.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) != 2 or not all(0 <= number < float("inf") for number in numbers):
        raise click.BadParameter(f"{given!r} is not two prices, such as 0.15,0.60")
    return numbers[0], numbers[1]


PROMPTING = (
    click.option(
        "--style",
        type=click.Choice(["json", "lines"]),
        default="json",
        show_default=True,
        help="Ask for one JSON object, or for `KEY: value` lines.",
    ),
    click.option("--template", metavar="FILE", help="A prompt of your own, with places to fill."),
    click.option("--type", metavar="NAME", help="The type of all documents."),
)
ASKING = (
    *PROMPTING,
    click.option("--type-from", metavar="GOLD", help="Documents that say which type each has."),
    click.option(
        "--input",
        type=click.Choice(["images", "text", "both"]),
        help="What a model gets.  [default: images, with --ocr both]",
    ),
    click.option("--ocr", metavar="tesseract|rapidocr", help="Recognise the text of images."),
    click.option("--ocr-language", metavar="CODE", default="eng", show_default=True),
    click.option("--max-side", metavar="N", type=int, help="Scale images down to N pixels."),
    click.option(
        "--response-format",
        type=click.Choice(["json_schema", "json_object", "none"]),
        help="Ask the server for structured output.  [default: json_schema]",
    ),
    click.option(
        "--param",
        metavar="K=V",
        multiple=True,
        callback=parameters,
        help="A parameter of requests, such as max_tokens=800; temperature is 0.  Repeatable.",
    ),
    click.option("--header", metavar="'NAME: VALUE'", multiple=True, help="A header.  Repeatable."),
    click.option("--key-env", metavar="NAME", help="The environment variable with the key."),
    click.option(
        "--key-header",
        metavar="NAME",
        default="Authorization",
        show_default=True,
        help="The header that the key goes in.",
    ),
)
CONFIDENCE = (
    click.option("--logprobs", is_flag=True, help="Confidences from token probabilities."),
    click.option(
        "--confidence",
        type=click.Choice(["minimum", "mean", "product"]),
        help="What the probabilities of a value's tokens come to.  [default: minimum]",
    ),
    click.option(
        "--samples",
        metavar="K",
        type=click.IntRange(min=1),
        default=1,
        help="Ask K times: confidence is the share of answers that agree.",
    ),
)
PACE = (
    click.option(
        "--id",
        type=click.Choice(["stem", "path", "folder"]),
        default="stem",
        show_default=True,
        help="What names a document.",
    ),
    click.option("--limit", metavar="N", type=click.IntRange(min=1), help="Only the first N."),
    click.option(
        "--concurrency",
        metavar="N",
        type=click.IntRange(min=1),
        default=4,
        show_default=True,
        help="Documents at a time.",
    ),
    click.option(
        "--timeout",
        metavar="SECONDS",
        type=float,
        default=120.0,
        show_default=True,
        help="For one answer.",
    ),
    click.option(
        "--retries",
        metavar="N",
        type=click.IntRange(min=0),
        default=4,
        show_default=True,
        help="Repetitions where no answer came.",
    ),
    click.option(
        "--price",
        metavar="IN,OUT",
        callback=price,
        help="What a million tokens of prompts and of answers cost.",
    ),
)
EXTRACTING = (*WAYS, *ASKING, *CONFIDENCE, *PACE)


@click.command("extract")
@take(
    DOCUMENTS,
    click.option("--schema", metavar="FILE", required=True, help="What the fields are."),
    click.option("--out", metavar="FILE", help="Where predictions go, as JSON lines."),
    click.option("--resume", is_flag=True, help="Go on with --out; nothing is asked twice."),
    click.option("--show-prompt", is_flag=True, help="Print the prompt and ask nobody."),
    *EXTRACTING,
    NO_PROGRESS,
    QUIET,
)
def command(
    documents: str,
    schema: str,
    out: str | None,
    show_prompt: bool,
    no_progress: bool,
    quiet: bool,
    logprobs: bool,
    **options: object,
) -> int:
    """Run a model, a function, a command or OCR over documents; the result is ready to score.

    DOCUMENTS is an image, a PDF, a text, a folder of such, or a JSON lines list. Each answer is
    kept as it arrives: Ctrl-C loses nothing. Keys come from the environment: DOCASSAY_API_KEY.
    """
    asked = extract_args(options, logprobs=logprobs)
    if show_prompt:
        from docassay.api.extract import show_prompt as first_prompt

        emit(first_prompt(documents, schema=schema, **asked).instruction.rstrip())
        return EXIT_FINE
    if out is None:
        raise click.UsageError("Missing option '--out'.")
    from docassay.api.extract import extract_documents

    with extraction_bar(wanted=not (no_progress or quiet)) as tell:
        try:
            extraction = extract_documents(
                documents, schema=schema, out=out, progress=tell, say=note, **asked
            )
        except KeyboardInterrupt:
            say([f"what was answered is kept in {out}: the same command with --resume goes on"])
            raise
    return conclude(extraction, quiet=quiet)


def extract_args(options: dict[str, object], *, logprobs: bool) -> ExtractArgs:
    """Return the options of an extraction out of those of a command."""
    from docassay.extract.options import ExtractArgs

    asked = {name: options[name] for name in ExtractArgs.__annotations__ if name in options}
    if logprobs and asked.get("confidence") is None:
        asked["confidence"] = "minimum"
    return cast(ExtractArgs, asked)


def note(text: str) -> None:
    """Write a note to stderr."""
    say([f"note: {text}"])


def conclude(extraction: Extraction, *, quiet: bool) -> int:
    """Say what an extraction came to and return the exit code."""
    say(_summary(extraction), quiet=quiet)
    say(_failures(extraction))
    return EXIT_REQUIREMENT if extraction.failed else EXIT_FINE


def _summary(extraction: Extraction) -> Iterator[str]:
    for note in extraction.notes:
        yield f"note: {note}"
    parts = [f"{extraction.answered:,} answered{_outcomes(extraction)}"]
    if extraction.kept:
        parts.append(f"{extraction.kept:,} kept from before")
    if extraction.failed:
        parts.append(f"{len(extraction.failed):,} failed")
    total = extraction.documents
    yield f"{total:,} document{'s'[: total != 1]}: {', '.join(parts)}"
    if extraction.answered:
        pace = f"{extraction.seconds:,.1f} s, {extraction.per_minute:,.1f} documents a minute"
        tokens = f", {extraction.tokens:,} tokens" if extraction.tokens else ""
        cost = "" if extraction.cost is None else f", cost {extraction.cost:,.6g}"
        yield f"{pace}{tokens}{cost}"
    if extraction.answered or extraction.kept:
        yield f"kept in {extraction.out}; score it: docassay score GOLD {extraction.out}"


def _outcomes(extraction: Extraction) -> str:
    counts = [f"{count:,} {name}" for name, count in sorted(extraction.outcomes.items())]
    return f" ({', '.join(counts)})" if counts else ""


def _failures(extraction: Extraction) -> Iterator[str]:
    from docassay.extract.lines import failed_path

    for line in extraction.failed[:SHOWN_FAILURES]:
        yield f"docassay: {line.id}: {line.error}"
    if extraction.failed:
        where = failed_path(Path(extraction.out))
        yield f"docassay: all failures are in {where}; --resume asks for them again"


@contextmanager
def extraction_bar(*, wanted: bool) -> Iterator[Callable[[ExtractionProgress], None]]:
    """Give a function to tell the progress, which a terminal shows as a bar."""
    if not wanted or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = ("extracting", BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[pace]}"))
    shown = Progress(*columns, console=Console(stderr=True), transient=True)
    task = shown.add_task("extracting", total=None, pace="")

    def tell(progress: ExtractionProgress) -> None:
        pace = " · ".join(pace_words(progress))
        shown.update(task, completed=progress.done, total=progress.total, pace=pace)

    with shown:
        yield tell


def pace_words(progress: ExtractionProgress) -> Sequence[str]:
    """Return throughput, failures, cost so far and time left, in words."""
    words = [f"{progress.per_minute:.1f}/min"]
    if progress.failed:
        words.append(f"{progress.failed:,} failed")
    if progress.tokens:
        words.append(f"{progress.tokens:,} tokens")
    if progress.cost is not None:
        words.append(f"cost {progress.cost:.4g}")
    left = progress.seconds_left
    if left is not None:
        minutes, seconds = divmod(round(left), 60)
        words.append(f"{minutes}:{seconds:02} left")
    return words


def refuse_without_schema(schema: object) -> None:
    """Refuse an extraction that nobody can be asked for."""
    if schema is None:
        raise ConfigurationError("nothing says what to extract", hint="say --schema FILE")
