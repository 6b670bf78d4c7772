"""The library calls behind every command: score two sources, or score document by document."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Unpack

from docassay.analysis.aggregate import build
from docassay.errors import ConfigurationError, DataError
from docassay.model.report import Report
from docassay.run.engines.serial import RunOutcome, ledger_of, run
from docassay.run.ledger import Header, Ledger, join, writing
from docassay.run.open import Data, Options, Prepared, RunArgs, open_run, prepare
from docassay.run.score import Row, score_trees

if TYPE_CHECKING:
    from docassay.analysis.thresholds.curves import Prices, Thresholds


class Run(NamedTuple):
    """A finished run: its ledger, its report and what should be said about it."""

    ledger: Ledger
    report: Report
    notes: tuple[str, ...]


def score(
    gold: Data,
    pred: Data,
    *,
    progress: Callable[[int], None] | None = None,
    **options: Unpack[RunArgs],
) -> Report:
    """Score predictions against gold and return the report.

    The options are those of `docassay score`: schema, metrics, settings, gold_format, pred_format,
    id_key, by, seed, strict, out, verdicts, resume, checklist, charts.
    """
    return score_run(gold, pred, progress=progress, **options).report


def score_run(
    gold: Data,
    pred: Data,
    *,
    progress: Callable[[int], None] | None = None,
    **options: Unpack[RunArgs],
) -> Run:
    """Score predictions against gold and return the run; `out` keeps it in a folder."""
    asked = Options(**options)
    _check_folder(asked)
    prepared = open_run(gold, pred, asked)
    if asked.out is not None:
        return _kept_run(prepared, Path(asked.out), progress)
    outcome = run(prepared.pairing, prepared.bound, progress=progress, strict=asked.strict)
    return _finished(prepared, outcome)


def _check_folder(options: Options) -> None:
    """Refuse what needs a folder without one, and charts that cannot be drawn."""
    needs = (options.resume, options.verdicts is not None, options.checklist, options.charts)
    if options.out is None and any(needs):
        what = "resume, verdicts, checklist and charts need a folder"
        raise ConfigurationError(what, hint="say --out DIR")
    if options.charts:
        from docassay.report.charts.canvas import can_draw, cannot_draw

        if not can_draw():
            raise cannot_draw()


def _kept_run(prepared: Prepared, folder: Path, progress: Callable[[int], None] | None) -> Run:
    """Score into a folder: ledger, verdicts, extractions, and the report in all its forms."""
    from docassay.report.extractions import ExtractionFile
    from docassay.report.folder import write_folder
    from docassay.run.verdict_file import VerdictFile

    bound, options = prepared.bound, prepared.options
    with (
        writing(folder, bound.plan, resume=options.resume) as writer,
        VerdictFile(folder, options.verdicts) as verdict_file,
        ExtractionFile(folder, bound) as extractions,
    ):
        outcome = run(
            prepared.pairing,
            bound,
            writer=writer,
            looks=(verdict_file.add, extractions.add),
            progress=progress,
            strict=options.strict,
        )
        finished = _finished(prepared, outcome)
        extractions.finish(finished.report)
        writer.finish(finished.ledger.header, finished.ledger.rows)
    write_folder(folder, finished.report, checklist=options.checklist, charts=options.charts)
    return finished._replace(notes=(*finished.notes, *writer.notes, *verdict_file.notes))


def _finished(prepared: Prepared, outcome: RunOutcome) -> Run:
    ledger = ledger_of(prepared, outcome)
    problems = (*prepared.pairing.problems, *outcome.problems)
    options = prepared.options
    report = build(ledger, problems=problems, by=options.by, seed=options.seed)
    return Run(ledger, report, prepared.notes)


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


def thresholds(
    run: str | Path | Ledger,
    *,
    target_error: float = 0.01,
    confidence: float = 0.95,
    budget: float | None = None,
    prices: Prices | Mapping[str, float] | None = None,
    by: str = "field",
    independent: str = "documents",
    out: str | Path | None = None,
) -> Thresholds:
    """Return from which confidence on values of a run need no review; `out` keeps it in a folder.

    `target_error` is the share of wrong values allowed among those not reviewed, which is kept for
    all fields together with this `confidence`. A `budget` is the share of values that can be
    reviewed, `prices` those of a review, a correction and a missed error.
    """
    from docassay.analysis.thresholds.analysis import find_thresholds

    study = find_thresholds(
        run,
        target_error=target_error,
        confidence=confidence,
        budget=budget,
        prices=prices,
        by=by,
        independent=independent,
    )
    if out is None:
        return study
    from docassay.report.thresholds import write_thresholds

    return replace(study, notes=(*study.notes, *write_thresholds(Path(out), study)))
