"""A run folder holds the whole report, and gives it back."""

from __future__ import annotations

from pathlib import Path

import pytest

import docassay
from docassay import DataError, FileError
from docassay.model.report import FORMATS
from docassay.report.folder import read_folder, write_folder
from docassay.report.rendering import render

FILES = [
    *("summary.md", "report.json", "fields.csv", "documents.csv", "causes.csv"),
    *("problems.jsonl", "report.html"),
]
GOLD = {"a": {"total": "1"}, "b": {"total": "half \ud800"}}
PRED = {"a": {"total": "1"}, "x": {"total": "1"}}


def test_all_files_are_written(tmp_path: Path) -> None:
    report = docassay.score(GOLD | {"b": {"total": "2"}}, PRED)
    files = write_folder(tmp_path / "run", report)
    assert [file.name for file in files] == FILES
    assert all(file.is_file() for file in files)


@pytest.mark.parametrize("format", FORMATS)
def test_a_run_is_read_back_as_it_was(format: str, tmp_path: Path) -> None:
    gold = {"a": {"total": "1"}, "b": {"total": "2"}}
    report = docassay.score(gold, PRED, out=tmp_path)
    assert render(read_folder(tmp_path), format) == render(report, format)
    assert read_folder(tmp_path).problems == report.problems


def test_a_text_that_utf_8_cannot_carry_is_written_as_its_escape(tmp_path: Path) -> None:
    report = docassay.score(GOLD, {"a\ud800": {"total": "1"}, **GOLD})
    write_folder(tmp_path, report)
    assert "\\ud800" in (tmp_path / "problems.jsonl").read_text(encoding="utf-8")
    assert "\\ud800" in (tmp_path / "report.json").read_text(encoding="utf-8")


def test_missing_problems_are_said_to_be_missing(tmp_path: Path) -> None:
    docassay.score({"a": {"x": "1"}}, {"a": {"x": "1"}}, out=tmp_path)
    (tmp_path / "problems.jsonl").unlink()
    assert any("problems.jsonl is missing" in note for note in read_folder(tmp_path).notes)


def test_a_damaged_file_of_problems_is_an_error_with_its_line(tmp_path: Path) -> None:
    docassay.score({"a": {"x": "1"}}, {"a": {"x": "1"}}, out=tmp_path)
    (tmp_path / "problems.jsonl").write_text("{}\n")
    with pytest.raises(DataError, match=r"problems\.jsonl:1"):
        read_folder(tmp_path)


def test_a_folder_that_cannot_be_written_is_a_file_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    report = docassay.score({"a": {"x": "1"}}, {"a": {"x": "1"}})
    with pytest.raises(FileError):
        write_folder(tmp_path / "file", report)
