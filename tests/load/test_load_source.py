"""Opening sources, and guessing their formats from content."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.errors import DataError, FileError, UnknownName
from docassay.load.format import FORMATS, may_be
from docassay.load.source import guess, open_records
from docassay.model.problem import Problem

GUESSES = [
    pytest.param("a.json", '{"x":{"total":"5"}}', "json", id="json"),
    pytest.param("a.txt", '{"id":"x"}\n{"id":"y"}\n', "jsonl", id="lines whatever the suffix"),
    pytest.param("a.jsonl", '{"id":"x","fields":{}}', "jsonl", id="a single line"),
    pytest.param("a.json", '{\n"id":"x",\n"a":{}\n}\n', "json", id="an object over lines"),
    pytest.param("a.csv", "image_file,total\nx,5\n", "csv", id="csv"),
    pytest.param("a.csv", "total;date\n5;1\n", "csv", id="csv without ids"),
    pytest.param("a.csv", "0\nmenu.nm\tmenu.cnt\nA\t1\n", "kieval-csv", id="kieval"),
    pytest.param("a.csv", "1\r\nsub_total.tax\r\n5\r\n", "kieval-csv", id="kieval, one key"),
    pytest.param("a.csv", "non_group\nstore\tX\n", "kieval-csv", id="kieval without groups"),
    pytest.param("a.jsonl", '{"ground_truth":"{\\"gt_parse\\":{}}"}', "cord", id="cord lines"),
    pytest.param("a.json", '{"gt_parse":{"menu":[]}}', "cord", id="cord"),
    pytest.param("a.txt", '{"company":"A","total":"5"}', "sroie", id="sroie"),
    pytest.param("a.json", '{"form":[{"label":"other","text":"x"}]}', "funsd", id="funsd"),
    pytest.param("a.json", '{"field_extractions":[]}', "docile", id="docile"),
    pytest.param(
        "a.json", '{"d":[{"fieldtype":"x","bbox":[]}]}', "docile", id="docile predictions"
    ),
    pytest.param("a.json", '[{"id":1,"data":{},"annotations":[]}]', "label-studio", id="tasks"),
]


@pytest.mark.parametrize("folder", [False, True], ids=["file", "folder"])
@pytest.mark.parametrize(("name", "content", "expected"), GUESSES)
def test_a_format_is_guessed_from_the_content(
    tmp_path: Path, name: str, content: str, expected: str, folder: bool
) -> None:
    (tmp_path / name).write_bytes(content.encode())
    assert guess(tmp_path if folder else tmp_path / name) == expected


def test_utf_16_is_understood_when_guessing(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes('{"gt_parse":{}}'.encode("utf-16"))
    assert guess(tmp_path / "a.json") == "cord"


def test_a_document_longer_than_the_look_is_guessed(tmp_path: Path) -> None:
    entity = '{"text":"x","label":"answer","box":[1,2,3,4]}'
    (tmp_path / "a.json").write_text(f'{{"form":[{",".join([entity] * 3000)}]}}')
    assert guess(tmp_path) == "funsd"


@pytest.mark.parametrize("content", [b"just words", b"\x00\x01\x02", b"\x89PNG\r\n"])
def test_content_of_no_format_is_an_error_that_lists_the_formats(
    tmp_path: Path, content: bytes
) -> None:
    (tmp_path / "a.json").write_bytes(content)
    with pytest.raises(DataError, match="kieval-csv, kleister, label-studio"):
        guess(tmp_path / "a.json")


def test_a_folder_without_documents_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "scan.png").write_bytes(b"x")
    with pytest.raises(DataError, match="no documents in this folder"):
        open_records(tmp_path)


@pytest.mark.skipif(getattr(os, "geteuid", int)() == 0, reason="the superuser may read everything")
def test_a_file_that_may_not_be_read_is_a_file_error(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("{}")
    path.chmod(0)
    with pytest.raises(FileError, match="check its permissions"):
        open_records(path)


def test_a_dict_of_trees_is_a_source() -> None:
    source = open_records({"a": {"total": 5}})
    assert [(record.id, record.tree) for record in source.records] == [("a", {"total": 5})]  # type: ignore[union-attr]
    assert (source.format, source.guessed) == ("python", False)


@pytest.mark.parametrize("source", [["abc"], [("a", {}, 1)], [5], 5])
def test_what_is_no_document_is_an_error_that_names_its_type(source: object) -> None:
    with pytest.raises(DataError, match=r"of type (str|tuple|int)"):
        [*open_records(source).records]  # type: ignore[arg-type]


def test_an_unknown_format_lists_what_exists(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="did you mean 'jsonl'"):
        open_records(tmp_path, format="jsnl")


def test_an_unknown_option_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="id_key"):
        open_records(tmp_path, format="json", options={"idkey": "x"})


def test_files_of_a_folder_that_its_format_does_not_read_are_named(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"x": "1"}')
    (tmp_path / "b.csv").write_text("id,x\n1,2\n")
    items = list(open_records(tmp_path, format="json").records)
    assert isinstance(items[-1], Problem)
    assert items[-1].message == "1 of its files are not read as json: b.csv"


FRAGMENTS = [
    *(b"{", b"}", b"[", b"]", b":", b",", b" ", b"\n", b"\r\n", b"\t", b"0", b"1", b"a.b", b"x"),
    *(b'"gt_parse":', b'"ground_truth":', b'"form":', b'"label":', b'"field_extractions":[]'),
    *(b'"fieldtype"', b'"data":', b'"annotations":', b'"predictions":', b'"filename":'),
    *(b'"results":', b'"meta":', b'"entity_name_to_match_func":', b'"company":"x"', b'"total":"1"'),
    *(b'"response":"{}"', b"id,total", b"non_group", b"word B-name", b"word O", b"<tag>", b"PAR1"),
    *(b'"custom_id":"x"', b'"result":{}', b'"response":{}', b'"key":"x"', b'"candidates":[]'),
    *(b'"analyzeResult":', b'"Blocks":', b'"BlockType"', b'"mimeType":""', b'"entities":[]'),
    *(b'"ocr":', b"\xd9\xa1", b'"filename":"x","annotations":[]', b'"data":{},"annotations":[]'),
]
NAMES = [
    *("a.json", "a.jsonl", "a.csv", "a.tsv", "a.txt", "a.bio", "a.tags", "a.md", "a.parquet"),
    *("meta.json", "dataset.jsonl", "dataset.jsonl.gz", "S-test_predictions.json", "A.TXT"),
    "few_shot-splits/a.json",
]


@given(
    st.sampled_from(NAMES),
    st.lists(st.sampled_from(FRAGMENTS), max_size=8).map(b"".join),
)
def test_a_clue_never_hides_a_file_from_a_format_that_takes_it(name: str, head: bytes) -> None:
    for entry in FORMATS.entries():
        if entry.sniff(Path(name), head):
            assert may_be(entry.name, Path(name), head)
