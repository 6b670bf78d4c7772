"""Files of output appear whole, under their own names, and never through a link."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import docassay
from docassay.api.score import score_run
from docassay.errors import FileError
from docassay.run.made import MADE
from docassay.run.output import new_file, refuse_link, write_bytes, write_texts, writing

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
        if name != MADE:  # it says when the run was made
            assert (linked / name).read_bytes() == (plain / name).read_bytes()
