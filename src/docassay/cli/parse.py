"""`docassay parse`: raw model responses to records."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click

from docassay.cli.options import QUIET, STDIN, take
from docassay.cli.terminal import emit, say
from docassay.errors import EXIT_DATA, EXIT_FINE, ConfigurationError, DataError


@click.command("parse")
@take(
    click.argument("source", metavar="FILE|-"),
    click.option(
        "--format",
        "format_name",
        type=click.Choice(["jsonl", "json"]),
        default="jsonl",
        show_default=True,
        help="One object a line, or one list.",
    ),
    click.option("--id-key", metavar="KEY", help="The key or column that holds the id."),
    click.option("--text-key", metavar="KEY", help="The key or column that holds the text."),
    click.option(
        "--schema",
        metavar="FILE",
        help="Of answers that docassay extract has kept: to tell copies of its prompt's example.",
    ),
    QUIET,
)
def command(
    source: str,
    format_name: str,
    id_key: str | None,
    text_key: str | None,
    schema: str | None,
    quiet: bool,
) -> int:
    """Turn raw model responses into records, and report every repair.

    FILE is a text, a folder of texts, JSON lines or CSV; - reads one response from stdin. Answers
    that docassay extract has kept are read again, and all else in their lines stays. Exits with 3
    when no response holds a record.
    """
    from docassay.model.problem import OUTCOMES, TRUNCATED

    outcomes: Counter[str] = Counter()
    repairs: Counter[str] = Counter()
    lines: list[str] = []
    for line in _lines(source, id_key, text_key, schema, quiet=quiet):
        outcomes[line.outcome] += 1
        repairs.update(line.repairs)
        lines.append(line.text)
        if format_name == "jsonl":
            emit(lines.pop())
    if format_name == "json":
        emit("[" + ",\n ".join(lines) + "]")
    total = sum(outcomes.values())
    names = (*OUTCOMES, TRUNCATED)
    counts = ", ".join(f"{outcomes[name]} {name}" for name in names if outcomes[name])
    say([f"{total} response{'' if total == 1 else 's'}: {counts}"], quiet=quiet)
    common = sorted(repairs.items(), key=lambda item: (-item[1], item[0]))
    say([f"{count:>6} {name}" for name, count in common], quiet=quiet)
    return EXIT_DATA if outcomes["unparseable"] == total else EXIT_FINE


class ParsedResponse(NamedTuple):
    """A line of the result, what became of the response, and the kinds of repair."""

    text: str
    outcome: str
    repairs: frozenset[str]


def _lines(
    source: str, id_key: str | None, text_key: str | None, schema: str | None, *, quiet: bool
) -> Iterator[ParsedResponse]:
    from docassay.load.response.answer import parse_response
    from docassay.load.wire import encode

    if source != STDIN and id_key is None and text_key is None and _is_kept(Path(source)):
        yield from _kept_again(Path(source), schema)
        return
    if schema is not None:
        raise ConfigurationError("--schema is for answers that docassay extract has kept")
    for record_id, text in _responses(source, id_key, text_key, quiet=quiet):
        response = parse_response(text)
        line = {
            "id": record_id,
            "fields": response.tree,
            "outcome": response.outcome,
            "repairs": response.repairs,
            "form": response.form,
        }
        kinds = frozenset(repair.kind for repair in response.result.repairs)
        yield ParsedResponse(encode(line), response.outcome, kinds)


def _is_kept(path: Path) -> bool:
    from docassay.extract.again import is_kept_file

    return is_kept_file(path)


def _kept_again(path: Path, schema: str | None) -> Iterator[ParsedResponse]:
    """Yield the lines of an extraction with their answers read again."""
    from docassay.api.extract import read_kept

    for line in read_kept(path, schema=schema):
        kinds = frozenset(repair.partition(": ")[0] for repair in line.repairs)
        yield ParsedResponse(line.encoded().decode().rstrip(), line.outcome, kinds)


def _responses(
    source: str, id_key: str | None, text_key: str | None, *, quiet: bool
) -> Iterator[tuple[str | None, str]]:
    """Yield id and text of every response; problems of the files are reported."""
    from docassay.load.formats.response import TEXT_KEYS, raw_responses
    from docassay.load.wire import to_text
    from docassay.model.problem import Problem

    if source == STDIN:
        text, problems = to_text(sys.stdin.buffer.read())
        say([f"stdin: {problem.message}" for problem in problems], quiet=quiet)
        yield None, text
        return
    path = Path(source)
    keys = TEXT_KEYS if text_key is None else (text_key,)
    empty = True
    for item in raw_responses(path, id_key=id_key, text_keys=keys):
        if isinstance(item, Problem):
            say([f"{item.where}: {item.message}"], quiet=quiet)
            continue
        empty = False
        lone = None if path.is_dir() or item.where != source else path.stem
        yield item.id or lone, item.text
    if empty:
        raise DataError("holds no responses", where=source, hint="is it the right one?")
