"""`docassay demo`: one question answered whole, on documents that were made up."""

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
    from docassay.model.report import Report, Score

DOCUMENTS = 200
SEED = 2025
DRAWS = 2_000
MODELS = ("careful", "hasty")
HOURS = "effort.hours_per_1000"


@click.command("demo")
@click.option("--out", metavar="DIR", default="docassay-demo", show_default=True)
def command(out: str) -> None:
    """Score a generated sample of invoices, receipts and bank statements.

    Two imperfect models read the same documents. Says which is better and how sure that is, why,
    what to fix first and what that would save; writes a report folder a model.
    """
    from docassay.api.decide import compare
    from docassay.api.score import score_run
    from docassay.report.charts.canvas import can_draw
    from docassay.report.comparison import verdict_sentence
    from docassay.report.first_screen import reasons, worst_documents
    from docassay.synth.corpus import write_corpus

    folder = Path(out)
    gold, *preds, _, schema = write_corpus(folder, docs=DOCUMENTS, seed=SEED, models=MODELS)
    emit(f"{DOCUMENTS} made-up documents, read by two models, are in {folder}.\n")
    reports = {}
    for model, pred in zip(MODELS, preds, strict=True):
        run = score_run(
            gold,
            pred,
            schema=schema,
            out=folder / f"run-{model}",
            charts=model == MODELS[-1] and can_draw(),
        )
        reports[model] = run.report
    worse = min(MODELS, key=lambda model: reports[model]["kieval.aligned"].value or 0.0)
    folders = [folder / f"run-{model}" for model in MODELS]
    emit("\n".join(_which(reports, verdict_sentence(compare(*folders, names=MODELS, draws=DRAWS)))))
    emit(f"\nWhy, and what to fix first? Here is the {worse} model:\n\n")
    emit(reasons(reports[worse], screen=screen()))
    emit("\n".join(_savings(reports, worse)))
    emit("\n".join(_open(folder / f"run-{worse}")))
    document = worst_documents(reports[worse]).first[0][0]
    emit("\n".join(_try(folder, gold, preds[MODELS.index(worse)], schema, worse, document)))


def _which(reports: dict[str, Report], verdict: str) -> Iterator[str]:
    """Yield the models beside each other, and whether their difference is sure."""
    from docassay.report.tables import amount

    yield "\nWhich model is better, and is that sure?\n"
    yield f"  {'model':<10}{'aligned':>9}  {'95 % interval':<16}{'fully correct':>15}{'hours*':>10}"
    for model, report in reports.items():
        aligned, exact = report["kieval.aligned"], report["kieval.documents_exact"]
        yield (
            f"  {model:<10}{aligned.value:>9.3f}  {_interval(aligned):<16}"
            f"{f'{exact.value} of {exact.support}':>15}{amount(_hours(report), 'hours'):>10}"
        )
    yield "  * of review and correction for 1,000 documents"
    yield f"\n  {verdict}."


def _interval(score: Score) -> str:
    ends = score.interval.ends
    return "" if ends is None else f"[{ends[0]:.3f}, {ends[1]:.3f}]"


def _savings(reports: dict[str, Report], worse: str) -> Iterator[str]:
    """Yield what the other model would save, and what fixing one field would."""
    yield "\nWhat would that save, for 1,000 documents?\n"
    own, (other,) = reports[worse], [reports[model] for model in MODELS if model != worse]
    hours, fewer = _hours(own), _hours(other)
    if hours is not None and fewer is not None:
        yield f"  The other model saves {hours - fewer:.1f} hours of work."
    fields = [score for score in own.scores if score.name == HOURS and score.key]
    for score in sorted(fields, key=lambda field: -float(field.value or 0.0))[:1]:
        yield f"  Fixing {score.key} alone saves {float(score.value or 0.0):.1f} hours."


def _hours(report: Report) -> float | None:
    return report[HOURS].value if HOURS in report else None


def _open(run: Path) -> Iterator[str]:
    yield "\nOpen\n"
    for name, what in (
        ("report.html", "the run as a page for your browser"),
        ("summary.md", "what the numbers say"),
        ("charts/dashboard.png", "the run in four pictures"),
        ("errors.csv", "every wrong value, with its cause"),
        ("documents.csv", "the documents, in gold order"),
        ("fields.csv", "the fields, weakest first"),
    ):
        if (run / name).exists():
            yield f"  {run / name}  ({what})"


def _try(
    folder: Path, gold: Path, pred: Path, schema: Path, model: str, document: str
) -> Iterator[str]:
    from docassay.report.first_screen import command_lines

    run = str(folder / f"run-{model}")
    runs = tuple(str(folder / f"run-{name}") for name in MODELS)
    inputs = (str(gold), str(pred))
    yield "\nTry\n"
    if shutil.which("docassay") is None:
        activate = shlex.quote(str(Path(sys.prefix, "bin", "activate")))
        yield f"  . {activate}   # so that docassay is found"
    for words in (
        ("score", *inputs, "--schema", str(schema)),
        ("explain", run, document),
        ("view", *runs),
        ("compare", *runs),
        ("gate", run, "--baseline", runs[0]),
        ("audit", *runs),
        ("thresholds", run, "--target-error", "0.05", "--by", "all"),
        ("report", run, "--format", "json"),
        ("schema", "show", str(schema)),
    ):
        yield from command_lines(("docassay", *words))
