"""Kleister's expected.tsv and out.tsv: pairs on lines, and in.tsv that names the documents."""

from __future__ import annotations

import gzip
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest

import docassay as da
from docassay.errors import DataError, DocassayError
from docassay.load.format import Record
from docassay.load.source import guess, open_records
from docassay.model.document import Problem

EXPECTED = """\
address__postcode=WR12_7NL charity_name=Corner's_Trust,_Ltd. report_date=2018-07-31
party=Acme_Inc. party=Zoë_"Z"_Ltd. term=2_years
charity_number=1155074
"""
TREES = [
    {
        "address__postcode": "WR12 7NL",
        "charity_name": "Corner's Trust, Ltd.",
        "report_date": "2018-07-31",
    },
    {"party": ["Acme Inc.", 'Zoë "Z" Ltd.'], "term": "2 years"},
    {"charity_number": "1155074"},
]
INPUTS = "\n".join(f"{name}.pdf\tparty term\tsome text\t\\n" for name in "abc") + "\n"


def read(path: Path, **options: object) -> tuple[list[Record], list[Problem]]:
    items = [*open_records(path, options=options).records]
    records = [item for item in items if isinstance(item, Record)]
    return records, [item for item in items if isinstance(item, Problem)]


def written(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


@pytest.mark.parametrize("text", [EXPECTED, EXPECTED.replace("\n", "\r\n"), EXPECTED.rstrip()])
def test_a_line_is_a_document_without_id(tmp_path: Path, text: str) -> None:
    path = written(tmp_path / "expected.tsv", text)
    assert guess(path) == "kleister"
    records, problems = read(path)
    assert [(record.id, record.tree) for record in records] == [(None, tree) for tree in TREES]
    assert records[1].where == f"{path}:2"
    assert problems == []


def test_a_blank_line_is_a_document_without_values(tmp_path: Path) -> None:
    path = written(tmp_path / "out.tsv", "\nterm=2_years\n\n")
    assert guess(path) == "kleister"
    assert [record.tree for record in read(path)[0]] == [{}, {"term": "2 years"}, {}]


def test_what_is_no_pair_is_left_out_and_an_empty_value_is_none(tmp_path: Path) -> None:
    path = written(tmp_path / "out.tsv", "a=1\nterm=2 years =3 b= c=x=y\n")
    items = [*open_records(path, format="kleister").records]
    records = [item for item in items if isinstance(item, Record)]
    assert [record.tree for record in records] == [{"a": "1"}, {"term": "2", "c": "x=y"}]
    messages = [(item.where, item.message) for item in items if isinstance(item, Problem)]
    assert messages == [
        (f"{path}:2", "'years' is not key=value; left out"),
        (f"{path}:2", "'=3' is not key=value; left out"),
    ]


PACKED: dict[str, Callable[[bytes], bytes]] = {
    "in.tsv": bytes,
    "in.tsv.xz": lzma.compress,
    "in.tsv.gz": gzip.compress,
}


@pytest.mark.parametrize("name", PACKED)
@pytest.mark.parametrize("folder", [False, True])
def test_the_inputs_beside_name_the_documents(tmp_path: Path, name: str, folder: bool) -> None:
    path = written(tmp_path / "expected.tsv", EXPECTED)
    (tmp_path / name).write_bytes(PACKED[name](INPUTS.encode()))
    records, problems = read(tmp_path if folder else path)
    assert [record.id for record in records] == ["a.pdf", "b.pdf", "c.pdf"]
    assert problems == []


def test_the_inputs_may_be_named(tmp_path: Path) -> None:
    path = written(tmp_path / "out" / "mine.tsv", EXPECTED)
    inputs = written(tmp_path / "dev" / "in.tsv", INPUTS)
    assert [record.id for record in read(path, inputs=str(inputs))[0]] == [
        "a.pdf",
        "b.pdf",
        "c.pdf",
    ]
    with pytest.raises(DocassayError, match="no such file"):
        read(path, inputs=str(tmp_path / "in.tsv"))


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ("a.pdf\tx\n", "has 3 lines for 1 documents of in.tsv"),
        ("a.pdf\tx\n\tx\nc.pdf\tx\n", "a line without the name of a document"),
    ],
)
def test_inputs_of_other_documents_are_an_error(tmp_path: Path, inputs: str, message: str) -> None:
    path = written(tmp_path / "expected.tsv", EXPECTED)
    written(tmp_path / "in.tsv", inputs)
    with pytest.raises(DataError, match=message):
        read(path)


@pytest.mark.parametrize("name", ["in.tsv.xz", "in.tsv.gz"])
def test_inputs_that_cannot_be_unpacked_are_an_error(tmp_path: Path, name: str) -> None:
    path = written(tmp_path / "expected.tsv", EXPECTED)
    written(tmp_path / name, "not packed")
    with pytest.raises(DocassayError, match=r"in\.tsv"):
        read(path)


def test_of_a_folder_what_is_expected_is_read(tmp_path: Path) -> None:
    for split in ("dev-0", "train"):
        written(tmp_path / split / "expected.tsv", EXPECTED)
        written(tmp_path / split / "in.tsv", INPUTS.replace(".pdf", f"-{split}.pdf"))
    written(tmp_path / "dev-0" / "out.tsv", "a=1\n")
    records, problems = read(tmp_path)
    assert [record.id for record in records] == [
        f"{name}-{split}.pdf" for split in ("dev-0", "train") for name in "abc"
    ]
    assert [problem.message for problem in problems] == [
        "1 of its files are not read as kleister: out.tsv"
    ]


OTHERS = {
    "a table": ("a.tsv", "id\ta=b\nx\ty\n", "csv"),
    "a table of pairs": ("a.tsv", "x=1\ty=2\nx=3\ty=4\n", "csv"),
    "kieval": ("a.csv", "0\nm.a\tm.b\nx\ty\n", "kieval-csv"),
}


@pytest.mark.parametrize(("name", "text", "expected"), OTHERS.values(), ids=OTHERS)
def test_other_tables_are_not_taken_for_it(
    tmp_path: Path, name: str, text: str, expected: str
) -> None:
    assert guess(written(tmp_path / name, text)) == expected


def test_a_line_that_is_cut_off_does_not_hide_the_format(tmp_path: Path) -> None:
    path = written(tmp_path / "a.tsv", f"a=1\nb={'x' * 65528} long_key=1\n")
    assert guess(path) == "kleister"


def test_expected_is_scored_against_out_by_position_and_against_json_by_name(
    tmp_path: Path,
) -> None:
    gold = written(tmp_path / "gold.tsv", EXPECTED)
    wrong = EXPECTED.replace("2_years", "3_years")
    out = written(tmp_path / "out.tsv", wrong)
    report = da.score(gold, out, metrics=["kieval"])
    assert report["kieval.aligned"].value == pytest.approx(6 / 7)
    named = written(tmp_path / "dev" / "expected.tsv", EXPECTED)
    written(tmp_path / "dev" / "in.tsv", INPUTS)
    report = da.score(named, {"c": TREES[2], "a": TREES[0]}, metrics=["kieval"])
    assert report["kieval.aligned"].value == pytest.approx(4 / 7)
