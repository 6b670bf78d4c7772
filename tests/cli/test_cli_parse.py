"""`docassay parse`: records on stdout, words on stderr, and an exit code that tells of nothing."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from tests.cli.cli_corpus import Command


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.txt").write_text("{'total': 1.50, 'n': 2}")
    (tmp_path / "b.txt").write_text("Sorry, I cannot.")
    return tmp_path


def test_a_line_is_written_for_every_response(docassay: Command, folder: Path) -> None:
    ended = docassay("parse", str(folder))
    first, second = ended.out.splitlines()
    assert first == (
        '{"id":"a","fields":{"total":1.50,"n":2},"outcome":"repaired",'
        '"repairs":["single quotes"],"form":"json"}'
    )
    assert json.loads(second)["outcome"] == "unparseable"
    assert ended.err.splitlines()[0] == "2 responses: 1 repaired, 1 unparseable"
    assert ended.code == 0


def test_one_list_may_be_written(docassay: Command, folder: Path) -> None:
    ended = docassay("parse", str(folder), "--format", "json", "--quiet")
    assert [one["id"] for one in json.loads(ended.out)] == ["a", "b"]
    assert ended.err == ""


def test_a_single_file_is_named_by_itself(docassay: Command, folder: Path) -> None:
    assert json.loads(docassay("parse", str(folder / "a.txt")).out)["id"] == "a"


def test_without_any_record_it_ends_with_3(docassay: Command, folder: Path) -> None:
    assert docassay("parse", str(folder / "b.txt")).code == 3


def test_a_response_is_read_from_stdin(docassay: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    stdin = io.TextIOWrapper(io.BytesIO("Café: 5 €".encode()), encoding="ascii")
    monkeypatch.setattr("sys.stdin", stdin)
    ended = docassay("parse", "-")
    assert json.loads(ended.out)["fields"] == {"Café": "5 €"}


def test_lines_say_which_keys_they_use(docassay: Command, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"page": "p1", "reply": "TOTAL: 5"}\n')
    ended = docassay("parse", str(path), "--id-key", "page", "--text-key", "reply")
    assert json.loads(ended.out)["id"] == "p1"
    assert json.loads(ended.out)["fields"] == {"TOTAL": "5"}


@pytest.mark.parametrize("content", [None, ""], ids=["no file", "an empty file"])
def test_what_cannot_be_read_is_said(
    docassay: Command, tmp_path: Path, content: str | None
) -> None:
    path = tmp_path / "x.txt"
    if content is not None:
        path.write_text(content)
    ended = docassay("parse", str(path))
    assert ended.code in (3, 74)
    assert str(path) in ended.err


def test_what_a_model_wrote_cannot_command_the_terminal(docassay: Command, tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text('{"a\x1b[31m": 1, "a\x1b[31m": "\x1b[2J"}')
    ended = docassay("parse", str(path))
    assert "\x1b" not in ended.out + ended.err
