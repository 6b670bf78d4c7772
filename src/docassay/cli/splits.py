"""`docassay splits`: few-shot splits of one's own data, and a check for leaks."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from docassay.cli.options import QUIET, names, take
from docassay.cli.terminal import emit, say
from docassay.errors import EXIT_FINE, EXIT_REQUIREMENT, ConfigurationError, DataError
from docassay.model.words import first_names, visible

if TYPE_CHECKING:
    from docassay.analysis.splits.file import Split
    from docassay.analysis.splits.make import Documents

SHOWN = 3
"""Documents that a finding names, and templates that are counted aloud."""


def _numbers(_: click.Context, parameter: click.Parameter, given: str) -> tuple[int, ...]:
    try:
        return tuple(int(number) for number in names(given) or ())
    except ValueError:
        raise click.BadParameter(
            f"{given!r} is not a list of whole numbers", param=parameter
        ) from None


@click.command("splits")
@take(
    click.argument("data", metavar="[DATA]", required=False),
    click.option("--template", metavar="NAME", help="The tag or field that names the template."),
    click.option(
        "--template-in-id",
        metavar="REGEX",
        help="Else a pattern that finds it in a document's id (its first group).",
    ),
    click.option("--out", metavar="DIR", help="Where to write the splits."),
    click.option("--check", metavar="DIR", help="Look for leaks in these splits instead."),
    click.option("--dataset", metavar="NAME", help="In the files' names; else from DATA's."),
    click.option(
        "--tasks",
        metavar="A,B",
        default="single,mixed,unseen",
        show_default=True,
        help="Also held-out: unseen templates, several at a time.",
    ),
    click.option("--templates", metavar="A,B", help="Those of single and unseen; else all."),
    click.option(
        "--sizes",
        metavar="N,N",
        default="10,50,100,200",
        show_default=True,
        callback=_numbers,
        help="Documents to train on.",
    ),
    click.option("--test", metavar="N", default=300, show_default=True, help="To test on."),
    click.option("--valid", metavar="N", default=100, show_default=True, help="To validate on."),
    click.option(
        "--seeds",
        metavar="K,K",
        default="0,1,2",
        show_default=True,
        callback=_numbers,
        help="Draws of each training set.",
    ),
    click.option("--seed", metavar="S", default=0, show_default=True, help="Of all chance."),
    click.option("--format", metavar="NAME", help="Format of DATA; else guessed."),
    click.option("--id-key", metavar="PATH", help="Where a document's id is, dotted."),
    click.option("--root", metavar="PATH", help="Where the record is, dotted."),
    QUIET,
)
def command(
    data: str | None,
    template: str | None,
    template_in_id: str | None,
    out: str | None,
    check: str | None,
    dataset: str | None,
    tasks: str,
    templates: str | None,
    sizes: tuple[int, ...],
    test: int,
    valid: int,
    seeds: tuple[int, ...],
    seed: int,
    format: str | None,
    id_key: str | None,
    root: str | None,
    quiet: bool,
) -> int:
    """Make few-shot splits of DATA, or look for leaks in splits.

    Training, validation and test documents are disjoint, and a task has one test set for all sizes
    and seeds. --check exits with 1 when a test document, its content or its template was seen.
    """
    from docassay.analysis.splits.make import TemplatePlace, describe, make_splits

    place = TemplatePlace(template, template_in_id)
    if (check is None) == (out is None):
        raise ConfigurationError("nothing to do", hint="say either --out DIR or --check DIR")
    if out is not None and place == TemplatePlace():
        raise ConfigurationError(
            "no template was named", hint="say --template TAG, or --template-in-id REGEX"
        )
    documents = None
    if data is not None:
        documents = describe(data, place, format=format, id_key=id_key, root=root)
    if documents is not None:
        _say_problems(documents, quiet=quiet)
    if check is not None:
        return _check(Path(check), documents, unseen=place != TemplatePlace(), quiet=quiet)
    if data is None or documents is None or out is None:
        raise ConfigurationError("no DATA was given", hint="what is to be split?")
    made = make_splits(
        _to_split(documents, data, quiet=quiet),
        dataset=dataset or re.sub("[^a-zA-Z]", "", Path(data).stem),
        tasks=names(tasks) or (),
        only=names(templates),
        sizes=sizes,
        test=test,
        valid=valid,
        seeds=seeds,
        seed=seed,
    )
    _write(Path(out), made, documents, quiet=quiet)
    where = ("--template", template) if template else ("--template-in-id", template_in_id or "")
    again = shlex.join([data, "--check", out, *where])
    say([f"check them: docassay splits {again}"], quiet=quiet)
    return EXIT_FINE


def _to_split(documents: Documents, data: str, *, quiet: bool) -> Mapping[str, str]:
    """Return the templates of documents that have one, of each content once."""
    if not documents.templates:
        hint = "--template names a tag or a field, --template-in-id finds it in the id"
        raise DataError("no document says which template it has", where=data, hint=hint)
    twins = len(documents.templates) - len(documents.distinct)
    if twins:
        say([f"{twins} left out: the same content as another document"], quiet=quiet)
    return documents.distinct


def _write(out: Path, made: Sequence[Split], documents: Documents, *, quiet: bool) -> None:
    from docassay.analysis.splits.file import write_split

    emit("\n".join(str(write_split(out, split)) for split in made))
    counts = Counter(documents.distinct.values())
    listed = ", ".join(f"{name} {times}" for name, times in counts.most_common(SHOWN))
    more = f" and {len(counts) - SHOWN} more templates" if len(counts) > SHOWN else ""
    say([f"{len(made)} splits of {counts.total()} documents ({listed}{more})"], quiet=quiet)


def _check(folder: Path, documents: Documents | None, *, unseen: bool, quiet: bool) -> int:
    from docassay.analysis.splits.file import check_splits, read_splits

    splits, problems = read_splits(folder)
    leaks = check_splits(
        splits,
        digests=None if documents is None else documents.digests,
        templates=documents.templates if documents is not None and unseen else None,
    )
    lines = []
    for leak in leaks:
        named = first_names(leak.documents, SHOWN)
        detail = f" ({leak.detail})" if leak.detail else ""
        lines.append(f"{leak.split}: {leak.kind}{detail}: {named}".removesuffix(": "))
    lines += [f"{problem.where}: {problem.message}" for problem in problems]
    emit("\n".join([*map(visible, lines), _summary(len(splits), len(lines))]))
    if documents is None:
        say(["not checked without DATA: ids, and contents that are the same"], quiet=quiet)
    if documents is None or not unseen:
        say(["not checked without --template: templates that should be unseen"], quiet=quiet)
    return EXIT_REQUIREMENT if lines else EXIT_FINE


def _summary(splits: int, findings: int) -> str:
    from docassay.model.words import count

    return f"{count(splits, 'split')} read, {count(findings, 'finding') if findings else 'no leak'}"


def _say_problems(documents: Documents, *, quiet: bool) -> None:
    for problem in documents.problems[:SHOWN]:
        say([f"{problem.where}: {problem.document} {problem.message}"], quiet=quiet)
    more = len(documents.problems) - SHOWN
    if more > 0:
        say([f"and {more} more problems in the data"], quiet=quiet)
