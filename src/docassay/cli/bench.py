"""`docassay bench`: a public data set at hand, ready to extract from and to score."""

from __future__ import annotations

import shlex

import click

from docassay.cli.options import QUIET, take
from docassay.cli.terminal import emit, say

MOST_NOTES = 10


@click.command("bench")
@take(
    click.argument("name", metavar="NAME"),
    click.argument("path", metavar="PATH"),
    click.option("--out", metavar="DIR", help="Where to write.  [default: NAME-bench]"),
    click.option("--split", metavar="NAME", help="One of the data set's own.  [default: test]"),
    click.option("--limit", metavar="N", type=int, help="The first N documents only."),
    click.option("--typed", is_flag=True, help="Guess types from gold instead of plain text."),
    QUIET,
)
def command(
    name: str,
    path: str,
    out: str | None,
    split: str | None,
    limit: int | None,
    typed: bool,
    quiet: bool,
) -> None:
    """Prepare a copy of a public data set: cord, sroie, funsd, wildreceipt, vrdu or docile.

    PATH is the folder of the copy, as it is published; nothing is fetched. Writes gold.jsonl,
    documents.jsonl, which lists the images or PDFs, and schema.yaml into DIR.
    """
    from docassay.api.bench import prepare_benchmark

    folder = f"{name}-bench" if out is None else out
    ready = prepare_benchmark(name, path, out=folder, split=split, limit=limit, typed=typed)
    emit("\n".join(map(str, (ready.gold, ready.documents, ready.schema))))
    notes = [f"note: {note}" for note in ready.notes]
    more = len(notes) - MOST_NOTES
    say(notes[:MOST_NOTES] + ([f"and {more} more notes"] if more > 0 else []), quiet=quiet)
    documents, gold, schema = (
        shlex.quote(str(file)) for file in (ready.documents, ready.gold, ready.schema)
    )
    say(
        [
            f"{ready.size} document{'' if ready.size == 1 else 's'}",
            f"try: docassay extract {documents} --schema {schema} \\",
            "       --endpoint URL --model NAME --out pred.jsonl",
            f"     docassay score {gold} pred.jsonl --schema {schema} --out run",
        ],
        quiet=quiet,
    )
