"""Files of output appear whole, under their own names, and never through a link."""

from __future__ import annotations

import csv
import io
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import docassay
from docassay.api.score import score_run
from docassay.errors import FileError
from docassay.model.words import cell
from docassay.report.folder import PAGE_FILE
from docassay.run.made import MADE
from docassay.run.output import (
    Cell,
    csv_line,
    new_file,
    refuse_link,
    shortened,
    write_bytes,
    write_texts,
    writing,
)

TREES = {"a": {"x": "1"}, "../../b": {"x": "2"}, "/c": {"x": "3"}, "d\0e": {"x": "4"}}


def test_a_file_is_written_aside_and_renamed(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("before")
    with new_file(path) as file:
        file.write(b"after")
        assert path.read_text() == "before"
    assert path.read_text() == "after"
    assert [*tmp_path.iterdir()] == [path]


def test_a_file_that_fails_half_way_leaves_the_earlier_one(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("before")
    with pytest.raises(TypeError), new_file(path) as file:
        file.writelines([b"half", None])  # type: ignore[list-item]
    assert path.read_text() == "before"
    assert [*tmp_path.iterdir()] == [path]


@pytest.mark.parametrize("name", ["table.csv", ".table.csv.part"], ids=["the file", "aside"])
def test_what_a_link_points_to_stays_as_it_was(name: str, tmp_path: Path) -> None:
    target, folder = tmp_path / "target", tmp_path / "out"
    target.write_text("precious")
    folder.mkdir()
    (folder / name).symlink_to(target)
    write_texts(folder, {"table.csv": "new"})
    assert target.read_text() == "precious"
    assert (folder / "table.csv").read_text() == "new"
    assert not (folder / "table.csv").is_symlink()


def test_a_file_left_aside_by_a_killed_run_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.with_name(f".{path.name}.part").write_text("left over")
    assert write_bytes(path, b"new").read_bytes() == b"new"
    assert [*tmp_path.iterdir()] == [path]


def test_an_output_folder_may_itself_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_texts(tmp_path / "link", {"a.txt": "text"})
    assert (tmp_path / "real" / "a.txt").read_text() == "text"


def test_a_folder_inside_the_output_that_is_a_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "charts").symlink_to(tmp_path)
    with pytest.raises(FileError, match=r"charts: is a link, .* \(remove it\)"):
        refuse_link(tmp_path / "charts")


def test_the_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "table.csv").mkdir()
    with pytest.raises(FileError, match=r"/table\.csv: cannot be written"):
        write_texts(tmp_path, {"table.csv": "text"})


def test_a_nul_in_a_path_is_an_error_of_the_path() -> None:
    with pytest.raises(FileError, match="NUL"):
        write_texts(Path("a\0b"), {"table.csv": "text"})


def test_another_value_error_is_not_hidden() -> None:
    with pytest.raises(ValueError, match="other"), writing("a"):
        raise ValueError("other")


def test_a_whole_run_writes_through_no_link_and_stays_in_its_folder(tmp_path: Path) -> None:
    plain, linked, target = tmp_path / "plain", tmp_path / "linked", tmp_path / "target"
    score_run(TREES, TREES, out=plain, checklist=True)
    names = [path.name for path in plain.iterdir() if not path.name.startswith("ledger")]
    target.write_text("precious")
    linked.mkdir()
    for name in names:
        for link in (linked / name, linked / f".{name}.part"):
            link.symlink_to(target)
    report = docassay.score(TREES, TREES, out=linked, checklist=True)
    assert report["kieval.aligned"].value == 1.0
    assert target.read_text() == "precious"
    assert {path.name for path in tmp_path.iterdir()} == {"plain", "linked", "target"}
    assert not [path for path in linked.iterdir() if path.is_symlink()]
    assert [*os.walk(linked)][1:] == []
    for name in names:
        # they say when the run was made, and what its folder is called
        if name not in (MADE, PAGE_FILE):
            assert (linked / name).read_bytes() == (plain / name).read_bytes()


CELLS = st.none() | st.integers() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=6)


ODD = ['a,"b"', "=1", "\r", " x", "", "-0.0", "a=1 +2 @3", "x\ty", "a,b", "Zoë", "z~"]


@given(row=st.lists(CELLS | st.sampled_from(ODD), min_size=1))
def test_a_row_of_csv_is_what_the_csv_module_writes(row: list[Cell]) -> None:
    shown = [
        cell(value)
        if isinstance(value, str)
        else shortened(value)
        if isinstance(value, float)
        else value
        for value in row
    ]
    line = io.StringIO()
    csv.writer(line, lineterminator="\r\n").writerow(shown)
    assert csv_line(row) == line.getvalue().removesuffix("\r\n") + "\n"


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "0.0"), (-0.0, "-0.0"), (1 / 3, "0.333333"), (1e-9, "1e-09"), (2.0, "2.0")],
)
def test_a_number_is_written_in_six_decimals_or_six_digits(value: float, text: str) -> None:
    assert shortened(value) == text
