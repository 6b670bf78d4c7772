"""`docassay synth`: a generated corpus."""

from __future__ import annotations

from pathlib import Path

import click

from docassay.cli.options import NO_PROGRESS, QUIET, names, take
from docassay.cli.terminal import emit, progress, say
from docassay.errors import ConfigurationError


@click.command("synth")
@take(
    click.option("--out", metavar="DIR", required=True, help="Where to write the corpus."),
    click.option(
        "--docs", metavar="N", type=int, help="How many.  [default: 100, with --vrdu 600]"
    ),
    click.option("--rows", metavar="M", type=int, help="Rows a document; else one to twelve."),
    click.option("--seed", metavar="S", type=int, default=0, show_default=True, help="Of chance."),
    click.option(
        "--model", "models", metavar="NAME", multiple=True, help="careful or hasty; repeatable."
    ),
    click.option("--kinds", metavar="A,B", help="Kinds of document; else all."),
    click.option(
        "--pages",
        type=click.Choice(("jpg", "txt")),
        help="Also the pages, as pictures of scans or as texts, in DIR/pages.",
    ),
    click.option(
        "--vrdu", is_flag=True, help="A few-shot benchmark in the layout of VRDU instead."
    ),
    NO_PROGRESS,
    QUIET,
)
def command(
    out: str,
    docs: int | None,
    rows: int | None,
    seed: int,
    models: tuple[str, ...],
    kinds: str | None,
    pages: str | None,
    vrdu: bool,
    no_progress: bool,
    quiet: bool,
) -> None:
    """Write a generated corpus: gold, predictions of imperfect models, causes and a schema.

    The same seed writes the same documents, and a small corpus is the beginning of a large one.
    """
    if vrdu:
        if rows is not None or models or kinds is not None or pages is not None:
            raise ConfigurationError("--rows, --model, --kinds and --pages do not go with --vrdu")
        _write_vrdu(Path(out), 600 if docs is None else docs, seed, quiet=quiet)
        return
    from docassay.synth.corpus import ALL_KINDS, write_corpus

    docs = 100 if docs is None else docs
    chosen = ALL_KINDS if kinds is None else tuple(names(kinds) or ())
    with progress("writing documents", total=docs, wanted=not (no_progress or quiet)) as tell:
        paths = write_corpus(
            Path(out),
            docs=docs,
            rows=rows,
            seed=seed,
            models=models or ("careful", "hasty"),
            kinds=chosen,
            progress=tell,
        )
    emit("\n".join(map(str, paths)))
    if pages is not None:
        _write_pages(Path(out), pages, docs, rows, seed, chosen, wanted=not (no_progress or quiet))
    gold, pred, schema = paths[0], paths[1], paths[-1]
    if docs:
        say([f"try: docassay score {gold} {pred} --schema {schema}"], quiet=quiet)


def _write_pages(
    out: Path,
    form: str,
    docs: int,
    rows: int | None,
    seed: int,
    kinds: tuple[str, ...],
    *,
    wanted: bool,
) -> None:
    from docassay.synth.pages import write_pages

    folder = out / "pages"
    with progress("writing pages", total=docs, wanted=wanted) as tell:
        write_pages(folder, docs=docs, rows=rows, seed=seed, kinds=kinds, form=form, progress=tell)
    emit(str(folder))


def _write_vrdu(out: Path, docs: int, seed: int, *, quiet: bool) -> None:
    from docassay.synth.vrdu.corpus import write_vrdu

    paths = write_vrdu(out, docs=docs, seed=seed)
    folders = [*dict.fromkeys(out / path.relative_to(out).parts[0] for path in paths)]
    emit("\n".join(map(str, folders)))
    say([f"try: docassay vrdu {out} {out / 'predictions'}"], quiet=quiet)
