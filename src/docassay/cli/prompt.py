"""`docassay prompt`: the prompt that a schema makes."""

from __future__ import annotations

import click

from docassay.cli.extract import PROMPTING
from docassay.cli.options import QUIET, take
from docassay.cli.terminal import emit, say
from docassay.errors import EXIT_FINE


@click.command("prompt")
@take(
    click.argument("schema", metavar="SCHEMA"),
    *PROMPTING,
    click.option(
        "--input",
        type=click.Choice(["images", "text", "both"]),
        default="images",
        show_default=True,
        help="What a model gets.",
    ),
    click.option(
        "--show",
        type=click.Choice(["prompt", "template", "json-schema"]),
        default="prompt",
        show_default=True,
        help="The prompt, the template it is made of, or the JSON Schema of answers.",
    ),
    QUIET,
)
def command(
    schema: str,
    style: str,
    template: str | None,
    type: str | None,
    input: str,
    show: str,
    quiet: bool,
) -> int:
    """Print the prompt that a schema makes; nothing is sent.

    A template of your own may hold {{given}}, {{table}}, {{types}}, {{format}}, {{rules}},
    {{example}}, {{json_schema}} and {{text}}, the text of a document.
    """
    from docassay.api.extract import build_prompt
    from docassay.extract.prompt import TEMPLATES, shown_json

    prompt = build_prompt(schema, style=style, template=template, type=type, input=input)
    if show == "template":
        emit(TEMPLATES[style].rstrip())
    elif show == "json-schema":
        emit(shown_json(prompt.answer_schema))
    else:
        emit(prompt.instruction.rstrip())
    say([f"prompt {prompt.digest}"], quiet=quiet)
    return EXIT_FINE
