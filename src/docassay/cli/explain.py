"""`docassay explain`: one document as a diff."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from docassay.cli.options import (
    MOVED,
    NO_GOLD,
    QUIET,
    READING,
    SETTING,
    refuse_moved,
    refuse_reading,
    settings,
    take,
)
from docassay.cli.terminal import emit, say, screen
from docassay.model.words import count, number

if TYPE_CHECKING:
    from docassay.run.options import ReadingArgs
    from docassay.run.reopen import StoredInputs

SIGNS = "✓ correct    ≠ pred has another value    + gold's value is missing    − not in gold"
MOST_DOCUMENTS = 10


# after a backspace click leaves a line as it is
@click.command("explain", epilog=f"\b\n{SIGNS}")
@take(
    click.argument("places", metavar="GOLD PRED ID | RUN [ID]", nargs=-1, required=True),
    NO_GOLD,
    *MOVED,
    *READING,
    SETTING,
    QUIET,
)
def command(
    places: tuple[str, ...],
    no_gold: bool,
    moved_gold: str | None,
    moved_pred: str | None,
    given: tuple[str, ...],
    quiet: bool,
    **options: Unpack[ReadingArgs],
) -> None:
    """Show one document: which values are correct, and which need correcting.

    RUN is a folder that `docassay score --out` wrote. Without ID its worst documents are listed.
    With --no-gold the two names are PRED and ID.
    """
    moved = (moved_gold, moved_pred)
    if no_gold:
        refuse_moved(moved)
        if len(places) != 2:
            raise click.UsageError(f"--no-gold takes PRED and ID, and {len(places)} are given")
        _explain_inputs((None, *places), settings(given), options, quiet=quiet)
        return
    if len(places) > 2:
        refuse_moved(moved)
        _explain_inputs(places, settings(given), options, quiet=quiet)
        return
    run, *ids = places
    refuse_reading(run)
    if ids:
        _explain_run(run, ids[0], moved, quiet=quiet)
    else:
        emit(_worst(run))


def _explain_inputs(
    places: Sequence[str | None], given: dict[str, object], options: ReadingArgs, *, quiet: bool
) -> None:
    from docassay.report.explain import render
    from docassay.run.find import find_document

    if len(places) > 3:
        raise click.UsageError(f"{len(places)} names are given: GOLD PRED ID are three")
    gold, pred, document = places
    match = find_document(gold, pred, str(document), settings=given, **options)
    say(match.notes, quiet=quiet)
    emit(render(match, screen=screen()))


def _explain_run(
    run: str, document: str, moved: tuple[str | None, str | None], *, quiet: bool
) -> None:
    from docassay.report.explain import render
    from docassay.run.find import find_in
    from docassay.run.reopen import open_stored, stored_inputs

    stored = stored_inputs(run, gold=moved[0], pred=moved[1])
    if not stored.whole:
        _explain_kept(run, document, stored)
        return
    match = find_in(open_stored(stored), document)
    say(match.notes, quiet=quiet)
    emit(render(match, screen=screen()))


def _explain_kept(run: str, document: str, stored: StoredInputs) -> None:
    """Show the wrong values that a run has kept of a document whose inputs are gone."""
    from docassay.report.explain import render_stored
    from docassay.run.find import unknown_document
    from docassay.run.reopen import stored_verdicts

    ids = [row.id for row in stored.ledger.rows]
    if document not in ids:
        raise unknown_document(document, ids, run)
    for side, path in (("gold", stored.gold), ("pred", stored.pred)):
        if path is None and not (side == "gold" and stored.without_gold):
            record = stored.header.inputs.get(side)
            place = "" if record is None else f" ({record.path or record.given})"
            say([f"{side} of the run is gone{place}: --{side} PATH says where it is now"])
    emit(render_stored(document, stored_verdicts(run, document), screen=screen()))


def _worst(run: str) -> str:
    """Return the worst documents of a run, each with the command that explains it."""
    from docassay.report.first_screen import Explain, command_lines, worst_documents
    from docassay.report.folder import read_folder
    from docassay.run.ledger import read_ledger

    report = read_folder(Path(run))
    flawed, worst = worst_documents(report)
    alone = read_ledger(Path(run)).header.plan.without_gold
    whole, wrong = "fully correct", "are not fully correct"
    if alone:
        whole, wrong = "without a flaw", "have a flaw"
    if not flawed:
        return f"all {count(report.documents, 'document')} are {whole}"
    explain = Explain(("docassay", "explain", run))
    lines = [f"{number(flawed)} of {count(report.documents, 'document')} {wrong}"]
    for id, value in worst[:MOST_DOCUMENTS]:
        lines += command_lines(explain.of(id), f"  {number(value)}  ")
    return "\n".join(lines)
