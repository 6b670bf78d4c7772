"""Large files of lines without ids are not held, and are read as small ones are."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from docassay.load import files
from docassay.load.files import certainly_lacks, sampling
from docassay.load.format import Record
from docassay.load.source import open_records
from docassay.model.problem import Problem

PLAIN = ['{"a": "1"}', '{"a": "id"', '{"tags": {"x": "y"}, "record": {"a": "2"}}', '{"a": "3"}']
NAMED = {
    "at the end": '{"id": "x", "a": "4"}',
    "as an escape": '{"\\u0069d": "x", "a": "4"}',
    "another key": '{"a": "4", "image_name": "x"}',
}


def read(path: Path) -> list[Record | Problem]:
    return [*open_records(path, format="jsonl").records]


@pytest.mark.parametrize("last", ["", *NAMED.values()], ids=["nowhere", *NAMED])
def test_records_are_the_same_whether_or_not_a_file_is_looked_through_for_ids(
    last: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "records.jsonl"
    path.write_text("\n".join([*PLAIN, last]))
    before = read(path)
    monkeypatch.setattr(files, "LARGE", 1)
    monkeypatch.setattr(files, "LOOKED_AT", 7)
    assert read(path) == before
    assert ({item.id for item in before if isinstance(item, Record)} == {None}) == (not last)


def test_the_first_record_of_a_large_file_without_ids_is_there_before_the_others_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "records.jsonl"
    path.write_text("\n".join(PLAIN))
    monkeypatch.setattr(files, "LARGE", 1)
    records = open_records(path, format="jsonl").records
    first = next(records)
    path.write_text("")
    assert first == Record(None, {"a": "1"}, f"{path}:1")


@pytest.mark.parametrize("size", [1, 2, 3, 64])
def test_a_word_is_found_wherever_it_stands(
    size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "LARGE", 1)
    monkeypatch.setattr(files, "LOOKED_AT", size)
    path = tmp_path / "text"
    path.write_bytes(b"0123456789")
    assert certainly_lacks(path, [b"890", b"x", b"6780", b"56789x"])
    for word in (b"012", b"9", b"4567", b"56789", *(b"0123456789"[at : at + 4] for at in range(7))):
        assert not certainly_lacks(path, [b"x", word])


def test_what_cannot_be_seen_at_a_glance_is_not_said_to_lack_anything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, packed, wide = tmp_path / "a.jsonl", tmp_path / "a.jsonl.gz", tmp_path / "wide.jsonl"
    plain.write_text("text")
    packed.write_bytes(gzip.compress(b"text"))
    wide.write_text("text", encoding="utf-16")
    assert not certainly_lacks(plain, [b"z"]), "it is small"
    monkeypatch.setattr(files, "LARGE", 1)
    assert certainly_lacks(plain, [b"z"])
    for path in (packed, wide, tmp_path):
        assert not certainly_lacks(path, [b"z"])
    with sampling(1):
        assert not certainly_lacks(plain, [b"z"])


def test_a_file_is_looked_through_again_in_another_run_and_once_it_was_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "LARGE", 1)
    path = tmp_path / "text"
    path.write_text("first")
    assert certainly_lacks(path, [b"other"])
    with monkeypatch.context() as patch:
        patch.setattr(files, "_may_hold", lambda text, words: pytest.fail("looked"))
        assert certainly_lacks(path, [b"other"])
        files.look_again()
        with pytest.raises(pytest.fail.Exception, match="looked"):
            certainly_lacks(path, [b"other"])
    path.write_text("other one")
    assert not certainly_lacks(path, [b"other"])
