"""`docassay convert`: documents of any format as JSON lines or as BIO files."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from docassay.cli.options import QUIET, SETTING, settings, take
from docassay.cli.terminal import emit, say
from docassay.errors import EXIT_DATA, EXIT_FINE, ConfigurationError

if TYPE_CHECKING:
    from docassay.load.records import Records

TARGETS = ("jsonl", "bio")
MOST_SHOWN = 20
"""Problems that are shown."""


@click.command("convert")
@take(
    click.argument("source", metavar="SOURCE"),
    click.option(
        "--to",
        "target",
        type=click.Choice(TARGETS),
        default=TARGETS[0],
        show_default=True,
        help="One JSON object a line on stdout, or a folder of ID.bio in IOB2.",
    ),
    click.option("--format", "format_name", metavar="NAME", help="Format of SOURCE; else guessed."),
    click.option("--id-key", metavar="KEY", help="The key that holds a document's id."),
    click.option("--out", metavar="DIR", help="The folder for BIO files; new or empty."),
    click.option(
        "--texts", metavar="DIR", help="A folder of ID.txt: mark values where they stand in it."
    ),
    SETTING,
    QUIET,
)
def command(
    source: str,
    target: str,
    format_name: str | None,
    id_key: str | None,
    out: str | None,
    texts: str | None,
    given: tuple[str, ...],
    quiet: bool,
) -> int:
    """Write the documents of SOURCE, a file or folder of any format, in another format.

    BIO files hold one word and its tag a line. What a format cannot hold is reported on stderr.
    Exits with 3 when no document can be written.
    """
    if target == "bio" and out is None:
        raise ConfigurationError("BIO files need a folder", hint="name one with --out DIR")
    if target == "jsonl" and (out is not None or texts is not None):
        raise ConfigurationError("--out and --texts need --to bio", hint="JSON lines go to stdout")
    folder = None if out is None else _new_folder(Path(out))
    records = _records(source, format_name, id_key, given, quiet=quiet)
    return _convert(records, folder, None if texts is None else Path(texts), quiet=quiet)


def _convert(records: Records, folder: Path | None, texts: Path | None, *, quiet: bool) -> int:
    from docassay.load.files import existing
    from docassay.load.formats.bio import write_folder
    from docassay.model.problem import Problem

    if texts is not None:
        existing(texts)
    written = 0
    problems: Counter[str] = Counter()
    for item in records if folder is None else write_folder(records, folder, texts):
        if isinstance(item, Problem):
            problems[item.code] += 1
            if problems.total() <= MOST_SHOWN:
                say([f"docassay: {item.document or item.where}: {item.message}"], quiet=quiet)
            continue
        if item.tree is None:
            continue
        written += 1
        if folder is None:
            emit(_line(item.id, item.tree, dict(item.tags)))
    if problems.total() > MOST_SHOWN:
        say([f"docassay: {problems.total() - MOST_SHOWN} more problems"], quiet=quiet)
    place = "" if folder is None else f" to {folder}"
    say([f"{written} document{'' if written == 1 else 's'} written{place}"], quiet=quiet)
    return EXIT_FINE if written else EXIT_DATA


def _line(record_id: str | None, tree: object, tags: dict[str, str]) -> str:
    """Return a document as one line that the format jsonl reads back."""
    from docassay.load.wire import encode
    from docassay.model.document import TaggedText

    own = {} if record_id is None else {"id": record_id}
    beside: dict[str, object] = {"tags": tags} if tags else {}
    return encode({**own, **beside, "fields": dict(tree) if isinstance(tree, TaggedText) else tree})


def _records(
    source: str, format_name: str | None, id_key: str | None, given: tuple[str, ...], *, quiet: bool
) -> Records:
    from docassay.load.files import hold
    from docassay.load.format import FORMATS
    from docassay.load.source import guess, open_records

    name = guess(hold(Path(source))) if format_name is None else format_name
    if format_name is None:
        say([f"docassay: {source} is read as {name}"], quiet=quiet)
    own = f"{FORMATS.get(name).name}."
    options: dict[str, object] = {}
    for address, value in settings(given).items():
        if not address.startswith(own):
            raise ConfigurationError(f"{address!r} is no option of the format {name}")
        options[address.removeprefix(own)] = value
    if id_key is not None:
        options["id_key"] = id_key
    return open_records(source, format=name, options=options).records


def _new_folder(folder: Path) -> Path:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ConfigurationError(
            "exists and is not empty", where=str(folder), hint="name another with --out"
        )
    folder.mkdir(parents=True, exist_ok=True)
    return folder
