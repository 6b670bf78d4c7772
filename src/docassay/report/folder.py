"""A run folder: the files a report is kept in, and reading a stored run back without rescoring."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from docassay.aggregate.build import build
from docassay.errors import DataError, FileError
from docassay.ledger import read_ledger
from docassay.model.document import Problem
from docassay.model.report import Report
from docassay.report.csv import documents_csv, fields_csv
from docassay.report.json import plain_problem
from docassay.report.json import render as render_json
from docassay.report.markdown import render as render_markdown

PROBLEMS = "problems.jsonl"


def write_folder(folder: Path, report: Report) -> list[Path]:
    """Write the report, its summary, its tables and its problems; return the files."""
    texts = {
        "report.json": render_json(report),
        "summary.md": render_markdown(report),
        "fields.csv": fields_csv(report),
        "documents.csv": documents_csv(report),
        PROBLEMS: "".join(f"{json.dumps(plain_problem(one))}\n" for one in report.problems),
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            # what UTF-8 cannot carry (half of a surrogate pair) is written as its escape
            (folder / name).write_bytes(text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise FileError(
            f"cannot be written: {error.strerror}", where=str(error.filename or folder)
        ) from error
    return [folder / name for name in texts]


def read_folder(folder: Path, *, by: str | None = None) -> Report:
    """Return the report of a stored run, from its ledger and its problems."""
    ledger = read_ledger(folder)
    file = (folder if folder.is_dir() else folder.parent) / PROBLEMS
    if not file.exists():
        report = build(ledger, by=by)
        lost = f"{PROBLEMS} is missing: problems met while pairing documents are not shown"
        return replace(report, notes=(*report.notes, lost))
    return build(ledger, problems=_problems(file), by=by)


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
