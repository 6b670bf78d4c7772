"""`docassay synth`: a generated corpus."""

from __future__ import annotations

from pathlib import Path

import click

from docassay.cli.options import NO_PROGRESS, QUIET, names, take
from docassay.cli.terminal import emit, progress, say


@click.command("synth")
@take(
    click.option("--out", metavar="DIR", required=True, help="Where to write the corpus."),
    click.option("--docs", metavar="N", type=int, default=100, show_default=True, help="How many."),
    click.option("--rows", metavar="M", type=int, help="Rows a document; else one to twelve."),
    click.option("--seed", metavar="S", type=int, default=0, show_default=True, help="Of chance."),
    click.option(
        "--model", "models", metavar="NAME", multiple=True, help="careful or hasty; repeatable."
    ),
    click.option("--kinds", metavar="A,B", help="Kinds of document; else all."),
    NO_PROGRESS,
    QUIET,
)
def command(
    out: str,
    docs: int,
    rows: int | None,
    seed: int,
    models: tuple[str, ...],
    kinds: str | None,
    no_progress: bool,
    quiet: bool,
) -> None:
    """Write a generated corpus: gold, predictions of imperfect models, causes and a schema.

    The same seed writes the same documents, and a small corpus is the beginning of a large one.
    """
    from docassay.synth.corpus import ALL_KINDS, write_corpus

    with progress("writing documents", total=docs, wanted=not (no_progress or quiet)) as tell:
        paths = write_corpus(
            Path(out),
            docs=docs,
            rows=rows,
            seed=seed,
            models=models or ("careful", "hasty"),
            kinds=ALL_KINDS if kinds is None else names(kinds) or (),
            progress=tell,
        )
    emit("\n".join(map(str, paths)))
    gold, pred, schema = paths[0], paths[1], paths[-1]
    if docs:
        say([f"try: docassay score {gold} {pred} --schema {schema}"], quiet=quiet)
