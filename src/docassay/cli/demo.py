"""`docassay demo`: the whole of it in one command, on documents that were made up."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from docassay.cli.terminal import emit, screen

if TYPE_CHECKING:
    from docassay.model.report import DocumentLine, Report

DOCUMENTS = 60
SEED = 2025
MODELS = ("careful", "hasty")
KINDS = ("kieval.substitutions", "kieval.additions", "kieval.deletions")


@click.command("demo")
@click.option("--out", metavar="DIR", default="docassay-demo", show_default=True)
def command(out: str) -> None:
    """Score a generated sample of invoices, receipts and bank statements.

    Two imperfect models read the same documents. Prints a table of each and one document in
    detail, writes the files and a report folder a model, and says what to try next.
    """
    from docassay.api import score_run
    from docassay.report.charts.canvas import can_draw
    from docassay.report.explain import render
    from docassay.report.table import brief
    from docassay.run.open import find_document
    from docassay.synth.corpus import write_corpus

    folder = Path(out)
    gold, *preds, _, schema = write_corpus(folder, docs=DOCUMENTS, seed=SEED, models=MODELS)
    emit(f"{DOCUMENTS} made-up documents and the readings of two models are in {folder}.\n\n")
    chosen = ""
    for model, pred in zip(MODELS, preds, strict=True):
        charts = model == MODELS[-1] and can_draw()
        run = score_run(gold, pred, schema=schema, out=folder / f"run-{model}", charts=charts)
        report = run.report
        emit(f"=== the {model} model\n\n{brief(report, screen=screen())}")
        chosen = telling(report)
    emit(f"=== one document of the {MODELS[-1]} model\n\n")
    emit(render(find_document(gold, preds[-1], chosen, schema=schema), screen=screen()))
    emit("\n".join(_next(folder, gold, preds[-1], schema, chosen)))


def telling(report: Report) -> str:
    """Return the document with most kinds of mistake and, of those, fewest mistakes."""

    def rank(line: DocumentLine) -> tuple[int, float, str]:
        amounts = [line.scores.get(kind) or 0 for kind in KINDS]
        return (-sum(amount > 0 for amount in amounts), sum(amounts), line.id)

    return min(report.lines, key=rank).id


def _next(folder: Path, gold: Path, pred: Path, schema: Path, document: str) -> Iterator[str]:
    run = folder / f"run-{MODELS[-1]}"
    inputs = f"{_quoted(gold)} {_quoted(pred)}"
    schema_option = f"--schema {_quoted(schema)}"
    yield "\nOpen"
    for name, what in (
        ("summary.md", "what the numbers say, and what to look at next"),
        ("charts/field-accuracy.png", "the fields, weakest first, with intervals"),
        ("charts/dashboard.png", "the run in four pictures"),
        ("documents.csv", "the documents, worst first"),
        ("fields.csv", "the fields, weakest first"),
        ("extractions.csv", "what was predicted, with the score of every field"),
    ):
        if (run / name).exists():
            yield f"  {run / name}  ({what})"
    yield "\nTry"
    if shutil.which("docassay") is None:
        yield f"  . {_quoted(Path(sys.prefix, 'bin', 'activate'))}   # so that docassay is found"
    yield f"  docassay score {inputs} {schema_option}"
    yield f"  docassay score {inputs} {schema_option} --by type --require 'kieval.aligned >= 0.9'"
    yield f"  docassay score {inputs}   # no schema: values must be equal as text"
    yield f"  docassay explain {inputs} {shlex.quote(document)} {schema_option}"
    yield f"  docassay report {_quoted(run)} --format json"
    yield f"  docassay thresholds {_quoted(run)} --target-error 0.05"
    yield f"  docassay schema show {_quoted(schema)}"


def _quoted(path: Path) -> str:
    return shlex.quote(str(path))
