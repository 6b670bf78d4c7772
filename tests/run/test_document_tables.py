"""Tables of documents: the same lines however the documents are divided into parts."""

from __future__ import annotations

import csv
from pathlib import Path
from tempfile import gettempdir

import pytest
from hypothesis import given
from hypothesis import strategies as st

import docassay as da
from docassay.run import document_tables, parts
from docassay.run.document_tables import HeadedColumn, _Lines
from docassay.run.engines import serial
from docassay.run.extractions import EXTRACTIONS
from docassay.run.output import csv_line

GOLD = {
    "plain": {"a": "1", "b": "x"},
    'a "quoted", id': {"b": 'x, "y"', "c": "\n2", "rows": [{"n": "1"}, {"n": "2"}]},
    "=formula": {"a": "1"},
    "another": {"d": "4", "rows": [{"m": "1"}]},
    "the end": {"a": "1", "b": "x"},
}
PRED = {name: {**tree, "b": "y,z"} for name, tree in GOLD.items()}
TABLES = (document_tables.DOCUMENTS, EXTRACTIONS)


def tables(folder: Path) -> list[bytes]:
    da.score(GOLD, PRED, out=folder)
    return [(folder / name).read_bytes() for name in TABLES]


@pytest.mark.parametrize("chunk", [1 << 20, 7], ids=["in one piece", "a few bytes at a time"])
@pytest.mark.parametrize("size", [1, 2, 3])
def test_parts_with_other_columns_give_the_tables_of_one_part(
    size: int, chunk: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = tables(tmp_path / "whole")
    monkeypatch.setattr(serial, "PART_SIZE", size)
    monkeypatch.setattr(parts, "TOGETHER", size)  # a part has whole blocks
    monkeypatch.setattr(document_tables, "CHUNK", chunk)
    assert tables(tmp_path / "parts") == whole


@pytest.mark.parametrize("together", [1, 2, 3])
def test_documents_that_bring_other_columns_later_give_the_tables_of_one_block(
    together: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = tables(tmp_path / "whole")
    monkeypatch.setattr(parts, "TOGETHER", together)
    assert tables(tmp_path / "blocks") == whole


def test_problems_of_records_in_no_pair_are_counted_in_the_table(tmp_path: Path) -> None:
    gold, pred = tmp_path / "gold.jsonl", tmp_path / "pred.jsonl"
    gold.write_text('{"id": "=a", "x": "1"}\n{"id": "b", "x": "1"}\n{"id": "\'=a", "x": "1"}\n')
    pred.write_text('{"id": "=a", "x": "1"}\n{"id": "b", "x": "1"}\n{"id": "=a", "x": "2"}\n')
    da.score(gold, pred, out=tmp_path / "out")
    with (tmp_path / "out" / document_tables.DOCUMENTS).open(newline="") as file:
        rows = [*csv.DictReader(file)]
    assert [row["problems"] for row in rows] == ["1", "0", "1"]  # twice in pred, -, not in pred


TEXTS = st.text(alphabet="a,\"\n\r=' é", max_size=6)
NAMES = st.lists(st.sampled_from("abcdef"), unique=True, min_size=1, max_size=6)


@given(
    parts=st.lists(st.tuples(NAMES, st.lists(TEXTS, max_size=12)), max_size=5),
    wanted=NAMES,
    chunk=st.integers(min_value=1, max_value=40),
)
def test_cells_stand_below_their_heads(
    parts: list[tuple[list[str], list[str]]], wanted: list[str], chunk: int
) -> None:
    # a first column that no part lacks, as every table of documents has one
    columns = [HeadedColumn("", "id"), *(HeadedColumn("x", name) for name in wanted)]
    lines, expected = _Lines(Path(gettempdir())), b""
    with lines.file, pytest.MonkeyPatch.context() as patch:
        patch.setattr(document_tables, "CHUNK", chunk)
        for names, texts in parts:
            own = [HeadedColumn("", "id"), *(HeadedColumn("x", name) for name in names)]
            rows = [["1", *texts[at : at + len(names)]] for at in range(0, len(texts), len(names))]
            whole = [row for row in rows if len(row) == len(own)]
            lines.write("".join(map(csv_line, whole)).encode(), own)
            for row in whole:
                cells = dict(zip(own, row, strict=True))
                expected += csv_line([cells.get(column, "") for column in columns]).encode()
        assert b"".join(lines.arranged(columns)) == expected
        split = [b",".join(cells) + b"\n" for cells in lines.rows(columns)]
    assert b"".join(split) == expected
