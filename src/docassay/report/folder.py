"""A run folder: the files a report is kept in, and reading a stored run back without rescoring."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path

from docassay.analysis.aggregate import build
from docassay.errors import DataError, FileError
from docassay.model.problem import Problem, ProblemCode
from docassay.model.report import DRAWS, DocumentLine, KeptDiff, KeptDiffs, Report
from docassay.report.charts.pictures import draw
from docassay.report.csv import documents_csv, kind_csv, violations_csv
from docassay.report.html import render as render_page
from docassay.report.json import plain_problem
from docassay.report.json import render as render_json
from docassay.report.markdown import checklist as render_checklist
from docassay.report.markdown import summary as render_summary
from docassay.report.problems import VIOLATIONS
from docassay.report.tables import documents
from docassay.run.document_tables import DOCUMENTS, TableFiles
from docassay.run.extractions import EXTRACTIONS
from docassay.run.ledger import Ledger, read_ledger
from docassay.run.output import csv_text, refuse_link, write_lines, writing
from docassay.run.reopen import kept_values
from docassay.run.verdict_file import ERRORS, VERDICTS
from docassay.run.worst import MOST_KEPT, stored_diffs

PROBLEMS = "problems.jsonl"
CHECKLIST = "checklist.md"
CHARTS = "charts"
SUMMARY = "summary.md"
PAGE_FILE = "report.html"
_LINK = re.compile(r"\]\((?P<file>[^()\n]+)\)")
KEPT_BESIDE = (ERRORS, EXTRACTIONS, VERDICTS)
"""Files of a run that are written while it goes on."""


def write_folder(
    folder: Path,
    report: Report,
    *,
    tables: TableFiles | None = None,
    checklist: bool = False,
    charts: bool = False,
) -> list[Path]:
    """Write the report, its summary, its tables and its problems; return the files.

    `tables` are those of the documents of a run that was just made. Files that an earlier summary
    in the folder links to never stay beside other numbers.
    """
    texts = _texts(report, report.lines if tables is None else None)
    if checklist and report.details.checklist:
        texts[CHECKLIST] = iter([render_checklist(report)])
    lines = None
    if tables is not None:
        listed = (diff.line for diff in report.diffs.read())
        lines = [tables.counted(line) for line in listed if line is not None]
    texts[PAGE_FILE] = iter([render_page(report, name=folder.resolve().name, lines=lines)])
    pictures = folder / CHARTS
    drawn: list[Path] = []
    with writing(folder):
        refuse_link(pictures)
        for stale in _earlier_files(folder):
            stale.unlink(missing_ok=True)
        if charts:
            pictures.mkdir(parents=True, exist_ok=True)
            drawn = draw(report, pictures)
    saved = () if tables is None else tables.save(folder)
    beside = [name for name in KEPT_BESIDE if name not in saved and (folder / name).exists()]
    files = (*texts, *saved, *beside, *(f"{CHARTS}/{path.name}" for path in drawn))
    texts = {SUMMARY: iter([render_summary(report, files=files)]), **texts}
    written = [write_lines(folder / name, lines) for name, lines in texts.items()]
    return [*written, *(folder / name for name in saved), *drawn]


def _texts(report: Report, lines: Iterable[DocumentLine] | None = None) -> dict[str, Iterator[str]]:
    """Return the files of a report that hold data, by name, a few lines at a time.

    The table of documents is among them where their lines are given.
    """
    has_rules = any(score.kind == "rule" for score in report.scores)
    return {
        "report.json": iter([render_json(report)]),
        "fields.csv": iter([kind_csv(report)]),
        **({} if lines is None else {DOCUMENTS: documents_csv(lines)}),
        **({VIOLATIONS: violations_csv(report)} if has_rules else {}),
        **{
            section.records.name: iter([csv_text(section.records.head, section.records.rows)])
            for section in report.details.sections
            if section.records is not None
        },
        PROBLEMS: (f"{json.dumps(plain_problem(problem))}\n" for problem in report.problems),
    }


def stale_files(folder: Path, report: Report) -> tuple[str, ...]:
    """Return the tables of a folder, and its summary, that show other numbers than a report.

    The JSON report is left out: its scores are compared one by one. Files that are not there are
    not missed.
    """
    stale = [
        name
        for name, lines in _texts(report, report.lines).items()
        if name.endswith(".csv") and (content := _content(folder / name)) is not None
        if content != "".join(lines)
    ]
    summary = _content(folder / SUMMARY)
    if summary is not None:
        lines = {*summary.split("\n")}
        fresh = render_summary(report).split("\n")
        if any(line not in lines for line in fresh if line.startswith(("|", "# "))):
            stale.append(SUMMARY)
    return tuple(sorted(stale))


def _content(file: Path) -> str | None:
    try:
        return file.read_bytes().decode("utf-8", "replace")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise FileError(f"cannot be read: {error.strerror}", where=str(file)) from error


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
    cluster: str | None = None,
    draws: int = DRAWS,
    display: Mapping[str, object] | None = None,
    ledger: Ledger | None = None,
) -> Report:
    """Return the report of a stored run, from its ledger and its problems.

    A `ledger` that is in memory already is not read again.
    """
    ledger = read_ledger(folder) if ledger is None else ledger
    made = partial(build, ledger, by=by, seed=seed, cluster=cluster, draws=draws, display=display)
    report = _with_problems(folder, made)
    return replace(report, diffs=_stored_diffs(folder, report))


def _with_problems(folder: Path, made: Callable[..., Report]) -> Report:
    file = (folder if folder.is_dir() else folder.parent) / PROBLEMS
    if not file.exists():
        report = made()
        lost = f"{PROBLEMS} is missing: problems met while pairing documents are not shown"
        return replace(report, notes=(*report.notes, lost))
    return made(problems=_problems(file))


def _stored_diffs(folder: Path, report: Report) -> KeptDiffs:
    """Return the worst documents by the wrong values that a run has kept, none without these."""

    def read() -> Iterable[KeptDiff]:
        return stored_documents(
            folder, {line.id: line.type for line in documents(report, MOST_KEPT)}
        )

    return KeptDiffs(report.documents, read, whole=False)


def stored_documents(folder: Path, types: Mapping[str, str]) -> Iterable[KeptDiff]:
    """Return the first documents, of some by id and type, by the wrong values that a run has kept.

    There are none where a run has kept no values.
    """
    place = folder if folder.is_dir() else folder.parent
    if not (place / VERDICTS).exists():
        return ()
    return stored_diffs(kept_values(place), dict(islice(types.items(), MOST_KEPT)))


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
