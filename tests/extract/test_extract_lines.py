"""What is kept on disk: resumption, torn lines, other runs, failures, replay."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from docassay.api.extract import build_prompt, extract_documents
from docassay.errors import ConfigurationError, DataError, FileError
from docassay.extract.lines import line_file
from tests.extract.recording import Request, answer, error, in_turn, recording

SCHEMA = {"fields": {"store": "name", "total": "money"}}
RECORD = {"store": "ACME", "total": "12.50"}


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    folder = tmp_path / "documents"
    folder.mkdir()
    for name in "abcd":
        (folder / f"{name}.txt").write_text(f"receipt {name}")
    return folder


def extract(documents: Path, out: Path, **options: Any) -> list[Request]:
    """Extract with a server that always answers; return what it was asked."""
    with recording(in_turn(answer(RECORD))) as server:
        given = {"schema": SCHEMA, "model": "tiny", "endpoint": server.url, **options}
        extract_documents(documents, out=out, **given)
    return server.requests


def ids(out: Path) -> list[str]:
    return sorted(json.loads(line)["id"] for line in out.read_text().splitlines())


def test_nothing_is_asked_twice(documents: Path, tmp_path: Path) -> None:
    out = tmp_path / "pred.jsonl"
    assert len(extract(documents, out, limit=2)) == 2
    before = out.read_bytes()
    assert len(extract(documents, out, resume=True)) == 2
    assert out.read_bytes().startswith(before)
    assert ids(out) == ["a", "b", "c", "d"]
    assert extract(documents, out, resume=True) == []


def test_resuming_what_never_began_begins(documents: Path, tmp_path: Path) -> None:
    out = tmp_path / "new" / "pred.jsonl"
    assert len(extract(documents, out, resume=True)) == 4


def test_an_existing_file_is_not_touched_without_resume(documents: Path, tmp_path: Path) -> None:
    out = tmp_path / "pred.jsonl"
    out.write_text("precious")
    with pytest.raises(ConfigurationError, match="exists already"):
        extract(documents, out)
    assert out.read_text() == "precious"


@pytest.mark.parametrize("cut", [1, 5, 60, -2])
def test_a_torn_last_line_is_cut_off_and_asked_for_again(
    documents: Path, tmp_path: Path, cut: int
) -> None:
    out = tmp_path / "pred.jsonl"
    extract(documents, out, concurrency=1)
    *whole, last = out.read_bytes().splitlines(keepends=True)
    out.write_bytes(b"".join(whole) + last[:cut])
    requests = extract(documents, out, resume=True)
    assert len(requests) == 1
    assert ids(out) == ["a", "b", "c", "d"]


def test_a_last_line_that_lacks_only_its_end_is_kept(documents: Path, tmp_path: Path) -> None:
    out = tmp_path / "pred.jsonl"
    extract(documents, out, limit=2)
    out.write_bytes(out.read_bytes().rstrip(b"\n"))
    assert len(extract(documents, out, resume=True)) == 2
    assert ids(out) == ["a", "b", "c", "d"]


def test_a_broken_line_among_whole_ones_is_an_error(documents: Path, tmp_path: Path) -> None:
    out = tmp_path / "pred.jsonl"
    extract(documents, out, limit=2)
    first, second = out.read_bytes().splitlines(keepends=True)
    out.write_bytes(first[:30] + b"\n" + second)
    with pytest.raises(DataError, match=r"pred\.jsonl:1"):
        extract(documents, out, resume=True)


@pytest.mark.parametrize(
    ("change", "noun"),
    [
        ({"model": "large"}, "model"),
        ({"style": "lines"}, "prompt"),
        ({"schema": {"fields": {"store": "name", "total": "number"}}}, "prompt"),
        (
            {"schema": {"fields": {"store": "name", "total": {"type": "money", "weight": 3}}}},
            "schema",
        ),
    ],
    ids=["model", "prompt", "schema that changes the prompt", "schema alone"],
)
def test_another_run_is_not_gone_on_with(
    documents: Path, tmp_path: Path, change: dict[str, Any], noun: str
) -> None:
    out = tmp_path / "pred.jsonl"
    extract(documents, out, limit=2)
    before = out.read_bytes()
    with pytest.raises(ConfigurationError, match=f"another {noun}"):
        extract(documents, out, resume=True, **change)
    assert out.read_bytes() == before


def test_two_at_once_do_not_write_one_file(documents: Path, tmp_path: Path) -> None:
    out = tmp_path / "pred.jsonl"
    with line_file(out, resume=False), pytest.raises(FileError, match="another extraction"):
        extract(documents, out, resume=True)


def test_equal_stems_are_an_error_before_anything_is_asked(documents: Path, tmp_path: Path) -> None:
    (documents / "more").mkdir()
    (documents / "more" / "a.txt").write_text("receipt")
    out = tmp_path / "pred.jsonl"
    with recording(in_turn(answer(RECORD))) as server:
        with pytest.raises(DataError, match="--id path"):
            extract_documents(documents, schema=SCHEMA, out=out, model="m", endpoint=server.url)
        assert server.requests == []
    assert not out.exists()
    extract(documents, out, id="path")
    assert ids(out) == ["a.txt", "b.txt", "c.txt", "d.txt", "more/a.txt"]


def test_kept_answers_answer_without_a_server(documents: Path, tmp_path: Path) -> None:
    first, again = tmp_path / "pred.jsonl", tmp_path / "again.jsonl"
    extract(documents, first, limit=3, price=(1.0, 1.0))
    done = extract_documents(documents, schema=SCHEMA, out=again, replay=first)
    assert [line.id for line in done.failed] == ["d"]
    assert {*again.read_text().splitlines()} == {*first.read_text().splitlines()}


def test_a_replay_reads_answers_with_todays_parser(documents: Path, tmp_path: Path) -> None:
    first, again = tmp_path / "pred.jsonl", tmp_path / "again.jsonl"
    extract(documents, first, limit=1)
    line = json.loads(first.read_text())
    old = {**line, "record": {}, "outcome": "unparseable", "repairs": ["no record found"]}
    first.write_text(json.dumps(old) + "\n")
    extract_documents(documents, schema=SCHEMA, out=again, replay=first, limit=1)
    assert json.loads(again.read_text()) == line


def test_a_value_of_the_example_that_a_document_has_stays_in_a_replay(
    documents: Path, tmp_path: Path
) -> None:
    first, again = tmp_path / "pred.jsonl", tmp_path / "again.jsonl"
    total = build_prompt(SCHEMA, input="text").example["total"]
    (documents / "a.txt").write_text(f"receipt a\ntotal {total}\n")
    with recording(in_turn(answer({"store": "ACME", "total": total}))) as server:
        extract_documents(documents, schema=SCHEMA, out=first, model="tiny", endpoint=server.url)
    extract_documents(documents, schema=SCHEMA, out=again, replay=first)
    records = {
        line["id"]: line["record"] for line in map(json.loads, again.read_text().splitlines())
    }
    assert records["a"]["total"] == total
    assert records["b"]["total"] is None


def test_a_replay_of_another_file_is_an_error(documents: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    other.write_text('{"id": "a", "total": 1}\n')
    with pytest.raises(DataError, match="no line of an extraction"):
        extract_documents(documents, schema=SCHEMA, out=tmp_path / "p.jsonl", replay=other)


def test_a_place_that_cannot_be_written_is_an_error(documents: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError):
        extract(documents, tmp_path / "file" / "pred.jsonl")


@pytest.mark.parametrize(
    "options",
    [
        {"endpoint": None},
        {"extractor": "json:loads"},
        {"model": None},
        {"concurrency": 0},
        {"samples": 0},
        {"timeout": 0.0},
        {"style": "xml"},
        {"confidence": "median"},
        {"response_format": "yaml"},
        {"param": {"messages": []}},
        {"input": "both"},
        {"type": "a", "type_from": "b"},
        {"limmit": 3},
    ],
    ids=str,
)
def test_options_that_cannot_work_are_refused_before_anything_is_written(
    documents: Path, tmp_path: Path, options: dict[str, Any]
) -> None:
    out = tmp_path / "pred.jsonl"
    given = {"model": "m", "endpoint": "http://127.0.0.1:9/v1", **options}
    with pytest.raises(ConfigurationError):
        extract_documents(documents, schema=SCHEMA, out=out, **given)
    assert not out.exists()


def test_where_all_have_failed_there_is_a_file_to_go_on_with(
    documents: Path, tmp_path: Path
) -> None:
    out = tmp_path / "pred.jsonl"
    with recording(in_turn(error(413, "too large"))) as server:
        done = extract_documents(
            documents, schema=SCHEMA, out=out, model="tiny", endpoint=server.url
        )
    assert len(done.failed) == 4
    assert out.read_text() == ""
    assert len(extract(documents, out, resume=True)) == 4
    assert not Path(f"{out}.failed.jsonl").exists()
