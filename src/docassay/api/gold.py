"""Doubting gold: values that are probably wrong, and decisions about them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from docassay.errors import ConfigurationError

if TYPE_CHECKING:
    from docassay.analysis.audit.observe import AuditedRun
    from docassay.analysis.audit.result import Audit
    from docassay.api.score import ScoredReport
    from docassay.run.patched import PatchedGold


def audit(
    *runs: str | Path | ScoredReport,
    source: str | Path | None = None,
    min_score: float = 0.3,
    gold: str | Path | None = None,
    out: str | Path | None = None,
) -> Audit:
    """Return values of gold that are probably wrong, with evidence, the most suspicious first.

    `runs` are folders that `score` has kept, or reports in memory, of models that were scored
    against the same gold. `source` is a folder with the text of each document as ID.txt,
    `min_score` the least probability to name a value, `gold` where gold is now. `out` keeps the
    suspects for annotators, and a patch that would take all proposals.
    """
    from docassay.analysis.audit.study import audit_runs

    opened, notes = _audited(runs, gold)
    suspects = audit_runs(
        opened, source=None if source is None else Path(source), min_score=min_score, notes=notes
    )
    if out is not None:
        from docassay.report.audit import write_audit

        write_audit(Path(out), suspects)
    return suspects


def _audited(
    runs: Sequence[str | Path | ScoredReport], gold: str | Path | None
) -> tuple[list[AuditedRun], list[str]]:
    """Return runs with their inputs opened again, as far as these are there."""
    from docassay.analysis.audit.observe import reopened
    from docassay.api.runs import stored_folder
    from docassay.api.score import ScoredReport
    from docassay.run.reopen import named_runs

    folders = [stored_folder(run, "audit") for run in runs if not isinstance(run, ScoredReport)]
    stored = iter(named_runs(folders))
    opened: list[AuditedRun] = []
    notes: list[str] = []
    for number, run in enumerate(runs, start=1):
        if isinstance(run, ScoredReport):
            opened.append(_in_memory(run, f"run {number}"))
            continue
        again, remarks = reopened(next(stored), gold)
        opened.append(again)
        notes += remarks
    return opened, notes


def _in_memory(report: ScoredReport, name: str) -> AuditedRun:
    from docassay.analysis.audit.observe import AuditedRun, check_gold
    from docassay.run.open import open_run

    inputs = report.inputs
    if inputs is None or report.ledger is None or any(isinstance(x, Iterator) for x in inputs[:2]):
        raise ConfigurationError(
            f"{name} does not know its documents any more",
            hint="audit folders that score(out=) has kept, or reports of lists, dicts or files",
        )
    check_gold(name, report.ledger)
    plan = report.ledger.header.plan
    prepared = open_run(inputs.gold, inputs.pred, replace(inputs.options, out=None), plan=plan)
    return AuditedRun(name, report.ledger, prepared)


def apply_gold_patch(
    patch: str | Path | Sequence[Mapping[str, object]],
    gold: str | Path,
    out: str | Path,
    *,
    format: str | None = None,
    id_key: str | None = None,
    root: str | None = None,
) -> PatchedGold:
    """Write gold with the decisions of a patch applied, and a log of them beside it.

    A decision that was made about another value than gold has now is an error, and nothing is
    written. `out` must not exist. `id_key` and `root` are dotted paths to ids and records.
    """
    from docassay.run.patched import write_patched

    return write_patched(patch, gold, out, format=format, id_key=id_key, root=root)
