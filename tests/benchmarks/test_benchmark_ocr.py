"""The benchmark of text recognition scores what it reads, and names engines that are not there."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

import pytest

from docassay.extract.documents import list_documents
from docassay.synth.corpus import write_corpus
from docassay.synth.pages import write_pages

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def benchmark(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("ocr")


def test_a_row_holds_the_score_of_an_engine(benchmark: ModuleType, tmp_path: Path) -> None:
    write_corpus(tmp_path, docs=3, seed=1, kinds=benchmark.KINDS)
    write_pages(tmp_path / "txt", docs=3, rows=None, seed=1, kinds=benchmark.KINDS, form="txt")
    documents = list_documents(tmp_path / "txt")
    row = benchmark.row_of("text", tmp_path, documents, benchmark.text_of)
    name, aligned, _, corrections, right, seconds = row.strip("| ").split(" | ")
    assert (name, aligned, corrections, right) == ("text", "1.000", "0", "3 of 3")
    assert float(seconds) >= 0


def test_an_engine_that_is_not_there_is_not_measured(
    benchmark: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_corpus(tmp_path, docs=1, seed=1, kinds=benchmark.KINDS)
    write_pages(tmp_path / "txt", docs=1, rows=1, seed=1, kinds=benchmark.KINDS, form="txt")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("docassay.extract.ocr.find_spec", lambda name: None)
    rows = [*benchmark.rows(tmp_path)]
    assert rows[1].startswith("| tesseract | not measured: --ocr tesseract needs the program")
    assert rows[2].startswith("| rapidocr | not measured: --ocr rapidocr needs the package")
