"""The library calls behind every command: score two sources, or score document by document."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import NamedTuple, ParamSpec

from docassay.aggregate.build import build
from docassay.errors import ConfigurationError, DataError
from docassay.ledger import Header, Ledger, join, writing
from docassay.load.pairs import Pairing, pair
from docassay.load.source import Source
from docassay.model.report import Report
from docassay.plan import Bound
from docassay.prepare import Data, open_source, prepare, schema_of, with_split
from docassay.report.charts import can_draw, cannot_draw
from docassay.run.serial import Outcome, failure, run
from docassay.scoring import Row, score_trees
from docassay.verdict_file import VerdictFile

P = ParamSpec("P")


class Run(NamedTuple):
    """A finished run: its ledger, its report and what should be said about it."""

    ledger: Ledger
    report: Report
    notes: tuple[str, ...]


def score_run(
    gold: Data,
    pred: Data,
    *,
    schema: object = None,
    metrics: Sequence[str] | None = None,
    settings: Mapping[str, object] | None = None,
    gold_format: str | None = None,
    pred_format: str | None = None,
    id_key: str | None = None,
    by: str | None = None,
    seed: int = 0,
    strict: bool = False,
    out: str | Path | None = None,
    verdicts: str | None = None,
    resume: bool = False,
    checklist: bool = False,
    charts: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Run:
    """Score predictions against gold and return the run; `out` keeps it in a folder."""
    known, said = schema_of(schema, gold, format=gold_format)
    settings, also_said = with_split(settings, gold, pred)
    said += also_said
    bound = prepare(schema=known, metrics=metrics, settings=settings)
    if out is None and (resume or verdicts is not None or checklist or charts):
        what = "resume, verdicts, checklist and charts need a folder"
        raise ConfigurationError(what, hint="say --out DIR")
    if charts and not can_draw():
        raise cannot_draw()
    sources = [
        open_source(data, format=name, plan=bound.plan, id_key=id_key)
        for data, name in ((gold, gold_format), (pred, pred_format))
    ]
    check_formats(bound, sources)
    pairing = pair(sources[0], sources[1])
    pairing.notes += said
    if out is None:
        outcome = run(pairing, bound, progress=progress, strict=strict)
        return _finished(outcome, pairing, bound, sources, by, seed=seed, strict=strict)
    from docassay.report.extractions import ExtractionFile
    from docassay.report.folder import write_folder

    folder = Path(out)
    with (
        writing(folder, bound.plan, resume=resume) as writer,
        VerdictFile(folder, verdicts) as verdict_file,
        ExtractionFile(folder, bound) as extractions,
    ):
        looks = (verdict_file.add, extractions.add)
        outcome = run(pairing, bound, writer=writer, looks=looks, progress=progress, strict=strict)
        finished = _finished(outcome, pairing, bound, sources, by, seed=seed, strict=strict)
        extractions.finish(finished.report)
        writer.finish(finished.ledger.header, finished.ledger.rows)
    write_folder(folder, finished.report, checklist=checklist, charts=charts)
    return finished._replace(notes=(*finished.notes, *verdict_file.notes))


def check_formats(bound: Bound, sources: Sequence[Source]) -> None:
    """Refuse settings of a format that none of the sources has."""
    used = {source.format for source in sources}
    for call in bound.plan.formats:
        if call.name not in used:
            raise ConfigurationError(
                f"setting {call.name}.{next(iter(call.options))} is for the format {call.name}",
                hint=f"the files are read as {' and '.join(sorted(used))}",
            )


def _report_of(function: Callable[P, Run]) -> Callable[P, Report]:
    """Return the same function giving the report alone."""

    @wraps(function)
    def report_only(*args: P.args, **kwargs: P.kwargs) -> Report:
        return function(*args, **kwargs).report

    report_only.__name__ = report_only.__qualname__ = "score"
    report_only.__doc__ = "Score predictions against gold and return the report."
    return report_only


score = _report_of(score_run)


def _finished(
    outcome: Outcome,
    pairing: Pairing,
    bound: Bound,
    sources: Sequence[Source],
    by: str | None,
    *,
    seed: int,
    strict: bool,
) -> Run:
    if strict and pairing.problems:
        raise failure(pairing.problems[0])
    if not outcome.rows:
        raise DataError("there is no gold document to score", where=sources[0].name)
    signature = f"{bound.signature}|gold:{outcome.gold_digest}|pred:{outcome.pred_digest}"
    inputs = {"gold": sources[0].name, "pred": sources[1].name}
    ledger = Ledger(Header(signature, bound.plan, inputs), outcome.rows)
    problems = (*pairing.problems, *outcome.problems)
    report = build(ledger, problems=problems, by=by, seed=seed)
    return Run(ledger, report, tuple(pairing.notes))


class Scorer:
    """Scores document by document, for training and evaluation loops."""

    def __init__(
        self,
        *,
        schema: object = None,
        metrics: Sequence[str] | None = None,
        settings: Mapping[str, object] | None = None,
    ) -> None:
        self._bound = prepare(schema=schema, metrics=metrics, settings=settings)
        self._rows: dict[str, Row] = {}

    def add(
        self, id: str, gold: object, pred: object, *, tags: Mapping[str, str] | None = None
    ) -> None:
        """Score one document; the same id again must have scored the same."""
        row = score_trees(id, gold, pred, self._bound, tags=tags or {})
        if self._rows.setdefault(id, row) != row:
            raise DataError(f"document {id!r} was added before with another content")

    def merge(self, other: Scorer) -> None:
        """Take over the documents of another scorer of the same plan."""
        joined = join((self.ledger(), other.ledger()))
        self._rows = {row.id: row for row in joined.rows}

    def reset(self) -> None:
        """Forget all documents."""
        self._rows.clear()

    def __len__(self) -> int:
        return len(self._rows)

    def ledger(self) -> Ledger:
        """Return the rows so far as a ledger."""
        rows = tuple(self._rows[id] for id in sorted(self._rows))
        return Ledger(Header(self._bound.signature, self._bound.plan, {}), rows)

    def report(self, *, by: str | None = None) -> Report:
        """Return the report of the documents so far."""
        return build(self.ledger(), by=by)
