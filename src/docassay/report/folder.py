"""A run folder: the files a report is kept in, and reading a stored run back without rescoring."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from docassay.aggregate.build import build
from docassay.errors import DataError, FileError
from docassay.ledger import read_ledger
from docassay.model.document import Problem
from docassay.model.report import Report
from docassay.report.csv import causes_csv, documents_csv, fields_csv, violations_csv
from docassay.report.extractions import EXTRACTIONS
from docassay.report.field_charts import FILES as CHART_FILES
from docassay.report.field_charts import draw
from docassay.report.files import write_texts, writing
from docassay.report.json import plain_problem
from docassay.report.json import render as render_json
from docassay.report.summary_md import checklist as render_checklist
from docassay.report.summary_md import render as render_summary
from docassay.report.violations import VIOLATIONS, has_rules
from docassay.report.waterfall import CAUSES_CSV
from docassay.report.waterfall_charts import FILES as LOSS_FILES
from docassay.report.waterfall_charts import draw_losses
from docassay.verdict_file import VERDICTS

PROBLEMS = "problems.jsonl"
CHECKLIST = "checklist.md"
CHARTS = "charts"
KEPT_BESIDE = (EXTRACTIONS, VERDICTS)
"""Files of a run that are written while it goes on."""


def write_folder(
    folder: Path,
    report: Report,
    *,
    checklist: bool = False,
    charts: bool = False,
    earlier: Sequence[tuple[str, Report]] = (),
) -> list[Path]:
    """Write the report, its summary, its tables and its problems; return the files.

    A checklist and charts need `fields`; those of an earlier run never stay beside other numbers.
    `earlier` are other runs with their names, to be shown beside this one.
    """
    measured = any(report.of("fields", key=""))
    explained = any(report.of("causes", key=""))
    texts = {
        "report.json": render_json(report),
        "fields.csv": fields_csv(report),
        "documents.csv": documents_csv(report),
        **({VIOLATIONS: violations_csv(report)} if has_rules(report) else {}),
        **({CAUSES_CSV: causes_csv(report)} if explained else {}),
        PROBLEMS: "".join(f"{json.dumps(plain_problem(one))}\n" for one in report.problems),
    }
    if checklist and measured:
        texts[CHECKLIST] = render_checklist(report)
    pictures = folder / CHARTS
    drawn: list[Path] = []
    with writing(folder):
        for stale in (CHECKLIST, CAUSES_CSV, VIOLATIONS):
            (folder / stale).unlink(missing_ok=True)
        for stale in (*CHART_FILES, *LOSS_FILES):
            (pictures / stale).unlink(missing_ok=True)
        if charts and (measured or explained):
            pictures.mkdir(parents=True, exist_ok=True)
        if charts and measured:
            drawn += draw(report, pictures, earlier=earlier)
        if charts and explained:
            drawn += draw_losses(report, pictures, earlier=earlier)
    beside = [name for name in KEPT_BESIDE if (folder / name).exists()]
    files = (*texts, *beside, *(f"{CHARTS}/{path.name}" for path in drawn))
    read_first = render_summary(report, files=files, earlier=earlier)
    return [*write_texts(folder, {"summary.md": read_first, **texts}), *drawn]


def read_folder(folder: Path, *, by: str | None = None, seed: int = 0) -> Report:
    """Return the report of a stored run, from its ledger and its problems."""
    ledger = read_ledger(folder)
    file = (folder if folder.is_dir() else folder.parent) / PROBLEMS
    if not file.exists():
        report = build(ledger, by=by, seed=seed)
        lost = f"{PROBLEMS} is missing: problems met while pairing documents are not shown"
        return replace(report, notes=(*report.notes, lost))
    return build(ledger, problems=_problems(file), by=by, seed=seed)


def _problems(file: Path) -> Iterator[Problem]:
    try:
        with file.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                yield _problem(line, f"{file}:{number}")
    except OSError as error:
        raise FileError(f"cannot be read: {error.strerror}", where=str(file)) from error
    except UnicodeDecodeError:
        raise DataError("is not UTF-8 text", where=str(file)) from None


def _problem(line: str, where: str) -> Problem:
    try:
        return Problem(**json.loads(line))
    except (ValueError, TypeError):
        raise DataError("this is no problem that docassay wrote", where=where) from None
