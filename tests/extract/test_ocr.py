"""Text recognition: lines and columns from the places of words, and engines that are not there."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.errors import ConfigurationError, DataError, UnknownName
from docassay.extract import ocr
from docassay.extract.documents import PageImage
from docassay.extract.ocr import Glyphs, lines_of, ocr_engine, ocr_text, slope_of, text_as_words

PAGE = PageImage(1, b"", "image/png", 1000, 500)
TABLE = (
    ("HARBOUR CAFE",),
    ("2 Flat White", "9.00"),
    ("1 Lemon Tart", "4.50"),
    ("TOTAL", "13.50"),
)


def glyphs(slope: float = 0.0, rows: tuple[tuple[str, ...], ...] = TABLE) -> list[Glyphs]:
    """Words of a table with letters of 10 by 20 pixels, lines 30 apart, falling by a slope."""
    words = []
    for number, row in enumerate(rows):
        for column, cell in enumerate(row):
            left = 50.0 + 600 * column
            for text in cell.split():
                width = 10.0 * len(text)
                top = 40 + 30 * number + slope * (left + width / 2)
                words.append(Glyphs(text, (left, top, left + width, top + 20), 0.9))
                left += width + 6
    return words


@pytest.mark.parametrize("slope", [0.0, 0.03, -0.03, 0.08, -0.08])
def test_lines_are_whole_on_a_page_that_was_scanned_askew(slope: float) -> None:
    words = glyphs(slope)
    assert slope_of(words) == pytest.approx(slope, abs=1e-9)
    lines = [" ".join(word.text for word in line) for line in lines_of(words[::-1])]
    assert lines == [" ".join(row) for row in TABLE]


def test_cells_are_two_spaces_apart_and_words_of_a_cell_one() -> None:
    text = ocr_text([(PAGE, glyphs())]).text
    lines = text.split("\n")
    assert lines[0] == "HARBOUR CAFE"
    assert [line.split("  ")[0] for line in lines] == [row[0] for row in TABLE]
    assert {line.index(row[1]) for line, row in zip(lines[1:], TABLE[1:], strict=True)} == {60}


def test_words_know_their_place_in_the_text_and_on_the_page() -> None:
    second = PAGE._replace(number=2)
    recognised = ocr_text([(PAGE, glyphs()), (second, []), (second, glyphs(rows=(("END",),)))])
    assert [recognised.text[word.start : word.end] for word in recognised.words] == [
        word.text for word in recognised.words
    ]
    assert recognised.text.count("\f") == 2
    assert recognised.words[0].box == (0.05, 0.08, 0.12, 0.12)
    assert [word.page for word in recognised.words[-2:]] == [1, 2]
    start = recognised.text.index("Flat White")
    assert recognised.original.box_of(start, start + 10) == (0.066, 0.14, 0.162, 0.18)


def test_a_page_without_words_is_an_empty_text() -> None:
    assert ocr_text([(PAGE, [])]) == ("", ())


@given(st.text(alphabet="ab \n\f", max_size=40))
def test_a_text_is_its_own_words(text: str) -> None:
    words = text_as_words(text).words
    assert [word.text for word in words] == text.split()
    assert all(text[word.start : word.end] == word.text for word in words)
    assert all(word.page == text.count("\f", 0, word.start) + 1 for word in words)


def test_many_words_take_steps_in_proportion() -> None:
    rows = tuple((f"item {number}", "1.00") for number in range(400))
    assert len(lines_of(glyphs(rows=rows))) == 400


def test_the_table_of_tesseract_is_read_word_by_word() -> None:
    head = "level page_num block_num par_num line_num word_num left top width height conf text"
    rows = [
        head,
        "1 1 0 0 0 0 0 0 700 420 -1 ",
        '5 1 1 1 1 1 42 35 118 18 95.5 12"',
        "5 1 1 1 1 2 170 35 8 18 -1 ",
    ]
    table = "\n".join(row.replace(" ", "\t") for row in rows)
    assert [*ocr._table(table)] == [Glyphs('12"', (42.0, 35.0, 160.0, 53.0), 0.955)]


def test_an_engine_that_is_not_there_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr.shutil, "which", lambda name: None)
    monkeypatch.setattr(ocr, "find_spec", lambda name: None)
    with pytest.raises(ConfigurationError, match=r"needs the program tesseract.*apt install"):
        ocr_engine("tesseract")
    with pytest.raises(ConfigurationError, match=r"pip install 'docassay\[ocr\]'"):
        ocr_engine("rapidocr")
    with pytest.raises(ConfigurationError, match="no engine of text recognition is there"):
        ocr.first_engine()
    with pytest.raises(UnknownName, match="there is: rapidocr, tesseract"):
        ocr_engine("abbyy")


def fake_tesseract(folder: Path, script: str) -> None:
    program = folder / "tesseract"
    listing = 'if [ "$1" = --list-langs ]; then echo "List of languages"; echo eng; exit; fi'
    program.write_text(f"#!/bin/sh\n{listing}\n{script}\n")
    program.chmod(0o755)


def test_a_language_or_a_page_that_tesseract_cannot_read_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_tesseract(tmp_path, "cat > /dev/null; echo 'Image file is bad' >&2; exit 1")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with pytest.raises(UnknownName, match=r"language of tesseract 'xyz'.*there is: eng"):
        ocr_engine("tesseract", language="eng+xyz")
    with pytest.raises(DataError, match="tesseract cannot read page 1: Image file is bad"):
        ocr_engine("tesseract")([PAGE])


def test_tesseract_that_does_not_end_is_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_tesseract(tmp_path, "exec sleep 60")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setattr(ocr, "TIME_LIMIT", 0.2)
    with pytest.raises(DataError, match="did not end page 1 in time"):
        ocr_engine("tesseract")([PAGE])
