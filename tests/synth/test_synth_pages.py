"""Pages of generated documents: every value is printed, as a text and as a picture."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

from docassay.cli import run
from docassay.errors import UnknownName
from docassay.synth.corpus import ALL_KINDS
from docassay.synth.documents import gold_document
from docassay.synth.pages import FONTS, sheet_image, sheet_of, sheet_text, write_pages

INDICES = range(30)


def test_every_value_of_gold_is_printed() -> None:
    for index in INDICES:
        gold = gold_document(3, index, kinds=ALL_KINDS, rows=None)
        sheet = sheet_of(gold, seed=3, index=index)
        printed = " ".join(mark.text for mark in sheet.marks)
        days = {"INVOICE_DATE", "STATEMENT_DATE_RANGE", "IS_GST_INCLUDED"}
        own = [text for name, text in gold.fields.items() if name not in days]
        cells = [text for row in gold.rows for name, text in row.items() if name != "date"]
        parts = [part for text in own + cells for part in text.split(", ")]
        assert [part for part in parts if part not in printed] == []


def test_a_page_as_text_keeps_rows_on_lines() -> None:
    gold = gold_document(0, 4, kinds=("invoice",), rows=3)
    lines = sheet_text(sheet_of(gold, seed=0, index=4)).split("\n")
    for row in gold.rows:
        assert any(all(cell in line for cell in row.values()) for line in lines)


def test_styles_differ_and_the_same_seed_gives_the_same_page() -> None:
    sheets = [
        sheet_of(gold_document(0, index, kinds=("receipt",), rows=2), seed=0, index=index)
        for index in INDICES
    ]
    assert {sheet.font for sheet in sheets} == {*FONTS}
    image = sheet_image(sheets[0], seed=0, index=0)
    assert image == sheet_image(sheets[0], seed=0, index=0)
    picture = Image.open(io.BytesIO(image))
    dark = sum(picture.histogram()[:128])
    assert picture.format == "JPEG"
    assert 0.005 < dark / (picture.width * picture.height) < 0.2


def test_pages_are_written_beside_a_corpus(tmp_path: Path) -> None:
    done: list[int] = []
    paths = write_pages(
        tmp_path / "pages",
        docs=2,
        rows=1,
        seed=0,
        kinds=ALL_KINDS,
        form="txt",
        progress=done.append,
    )
    assert [path.suffix for path in paths] == [".txt", ".txt"]
    assert done == [1, 2]
    with pytest.raises(UnknownName, match="there is: jpg, txt"):
        write_pages(tmp_path, docs=1, rows=1, seed=0, kinds=ALL_KINDS, form="gif")


def test_the_command_writes_pages_beside_the_corpus(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "corpus"
    options = ["--out", str(out), "--docs", "2", "--kinds", "receipt", "--quiet"]
    assert run(["synth", *options, "--pages", "txt"]) == 0
    assert capsys.readouterr().out.split()[-1] == str(out / "pages")
    assert sorted(path.name for path in (out / "pages").iterdir()) == [
        "receipt_000001.txt",
        "receipt_000002.txt",
    ]
    assert run(["synth", "--out", str(out), "--pages", "txt", "--vrdu"]) == 2
    assert "do not go with --vrdu" in capsys.readouterr().err
