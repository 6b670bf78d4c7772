"""A run folder: the files a report is kept in, and reading a stored run back without rescoring."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from docassay.analysis.aggregate import build
from docassay.errors import DataError, FileError
from docassay.model.problem import Problem, ProblemCode
from docassay.model.report import Report
from docassay.report.charts.pictures import draw
from docassay.report.csv import documents_csv, kind_csv, violations_csv
from docassay.report.extractions import EXTRACTIONS
from docassay.report.json import plain_problem
from docassay.report.json import render as render_json
from docassay.report.markdown import checklist as render_checklist
from docassay.report.markdown import summary as render_summary
from docassay.report.problems import VIOLATIONS
from docassay.run.ledger import read_ledger
from docassay.run.output import csv_text, refuse_link, write_texts, writing
from docassay.run.verdict_file import ERRORS, VERDICTS

PROBLEMS = "problems.jsonl"
CHECKLIST = "checklist.md"
CHARTS = "charts"
SUMMARY = "summary.md"
_LINK = re.compile(r"\]\((?P<file>[^()\n]+)\)")
KEPT_BESIDE = (ERRORS, EXTRACTIONS, VERDICTS)
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

    Files that an earlier summary in the folder links to never stay beside other numbers. `earlier`
    are other runs with their names, to be shown beside this one.
    """
    details = report.details
    has_rules = any(score.kind == "rule" for score in report.scores)
    texts = {
        "report.json": render_json(report),
        "fields.csv": kind_csv(report),
        "documents.csv": documents_csv(report),
        **({VIOLATIONS: violations_csv(report)} if has_rules else {}),
        **{
            section.records.name: csv_text(section.records.head, section.records.rows)
            for section in details.sections
            if section.records is not None
        },
        PROBLEMS: "".join(f"{json.dumps(plain_problem(problem))}\n" for problem in report.problems),
    }
    if checklist and details.checklist:
        texts[CHECKLIST] = render_checklist(report)
    pictures = folder / CHARTS
    drawn: list[Path] = []
    with writing(folder):
        refuse_link(pictures)
        for stale in _earlier_files(folder):
            stale.unlink(missing_ok=True)
        if charts:
            pictures.mkdir(parents=True, exist_ok=True)
            drawn = draw(report, pictures, earlier=earlier)
    beside = [name for name in KEPT_BESIDE if (folder / name).exists()]
    files = (*texts, *beside, *(f"{CHARTS}/{path.name}" for path in drawn))
    read_first = render_summary(report, files=files, earlier=earlier)
    return [*write_texts(folder, {SUMMARY: read_first, **texts}), *drawn]


def _earlier_files(folder: Path) -> Iterator[Path]:
    """Yield the files in a folder that the summary of an earlier run links to."""
    try:
        text = (folder / SUMMARY).read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return
    for match in _LINK.finditer(text):
        name = match["file"]
        if name in KEPT_BESIDE:
            continue
        if name == Path(name).name and name.endswith((".csv", ".md")):
            yield folder / name
        elif name.startswith(f"{CHARTS}/") and name == f"{CHARTS}/{Path(name).name}":
            yield from (folder / Path(name).with_suffix(suffix) for suffix in (".png", ".svg"))


def read_folder(
    folder: Path,
    *,
    by: str | None = None,
    seed: int = 0,
    display: Mapping[str, object] | None = None,
) -> Report:
    """Return the report of a stored run, from its ledger and its problems."""
    ledger = read_ledger(folder)
    file = (folder if folder.is_dir() else folder.parent) / PROBLEMS
    if not file.exists():
        report = build(ledger, by=by, seed=seed, display=display)
        lost = f"{PROBLEMS} is missing: problems met while pairing documents are not shown"
        return replace(report, notes=(*report.notes, lost))
    return build(ledger, problems=_problems(file), by=by, seed=seed, display=display)


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
        members = json.loads(line)
        return Problem(**{**members, "code": ProblemCode(members["code"])})
    except (ValueError, TypeError, KeyError):
        raise DataError("this is no problem that docassay wrote", where=where) from None
