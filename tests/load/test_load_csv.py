"""Wide tables: the work of reading and scoring a row grows with its columns, and no faster."""

from __future__ import annotations

from pathlib import Path

import pytest

import docassay
from docassay.load.format import Record
from docassay.load.formats.csv import load
from tests.counted import calls, growth


def wide(folder: Path, columns: int) -> Path:
    """A table of one document."""
    file = folder / f"{columns}.csv"
    names = ",".join(f"c{i}" for i in range(columns))
    cells = ",".join(f"v{i}" for i in range(columns))
    file.write_text(f"id,{names}\n1,{cells}\n")
    return file


def test_a_table_of_a_hundred_thousand_columns_is_read(tmp_path: Path) -> None:
    (record,) = load(wide(tmp_path, 100_000))
    assert isinstance(record, Record)
    assert record.tree is not None
    assert len(record.tree) == 100_000


@pytest.mark.parametrize(
    "header",
    [
        pytest.param(lambda n: ["id", *(f"c{i}" for i in range(n))], id="names"),
        pytest.param(lambda n: ["c"] * n, id="one name"),
        pytest.param(lambda n: [""] * n, id="no names"),
        pytest.param(lambda n: ["image_name", "score:overall", *["x[].y"] * n], id="kept by a run"),
    ],
)
def test_the_work_of_reading_a_table_grows_with_its_columns(tmp_path: Path, header) -> None:
    def work(columns: int) -> int:
        file = tmp_path / "t.csv"
        names = header(columns)
        file.write_text(f"{','.join(names)}\n{','.join(['v'] * len(names))}\n")
        return calls(lambda: [*load(file)])

    assert growth(work, 500) < 1.2


def test_the_work_of_scoring_a_wide_row_against_itself_grows_with_its_columns(
    tmp_path: Path,
) -> None:
    files = {size: wide(tmp_path, size) for size in (200, 400)}
    docassay.score(files[200], files[200])

    def work(columns: int) -> int:
        return calls(lambda: docassay.score(files[columns], files[columns]))

    assert growth(work, 200) < 1.2
    report = docassay.score(files[400], files[400])
    assert report["entity.f1"].value == 1.0
