"""Listing, filtering and paging documents."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

import docassay as da
from docassay.errors import ConfigurationError, DataError
from docassay.viewer.build import Inputs, open_index
from docassay.viewer.index import NAME, SORTS, DocumentIndex, Selection
from docassay.viewer.state import Viewer
from tests.viewer.conftest import Opening

ALL = ["a", "b/1", "c", "d", "e", "f % _"]


@pytest.fixture(scope="module")
def index(indexed: DocumentIndex) -> DocumentIndex:
    return indexed


def ids(index: DocumentIndex, **asked: object) -> list[str]:
    selection = Selection(**asked)  # type: ignore[arg-type]
    found = [entry.id for entry in index.lines(selection, ["a"])]
    assert index.count(selection, ["a"]) == len(found)
    return found


@pytest.mark.parametrize(
    ("asked", "selected"),
    [
        ({}, set(ALL)),
        ({"wrong": True}, {"a", "b/1", "c", "e", "f % _"}),
        ({"field": "total"}, {"a", "b/1"}),
        ({"field": "total", "verdict": "substituted"}, {"a", "b/1"}),
        ({"field": "total", "verdict": "added"}, set()),
        ({"cause": "hallucinated row"}, {"a", "b/1"}),
        ({"cause": "hallucinated row", "field": "items.name"}, {"a", "b/1"}),
        ({"cause": "hallucinated row", "field": "total"}, set()),
        ({"q": "HYPERLINK"}, {"c"}),
        ({"q": "hyperlink"}, {"c"}),
        ({"q": "<script>"}, {"b/1"}),
        ({"q": "%"}, {"f % _"}),
        ({"q": "_"}, {"f % _"}),
        ({"q": "' OR 1=1 --"}, set()),
        ({"q": "12.60", "field": "total"}, {"a"}),
        ({"least": 1.0}, {"d"}),
        ({"most": 0.6}, {"b/1", "c", "e", "f % _", "a"}),
        ({"least": 2.0}, set()),
        ({"decided": True}, {"a"}),
        ({"decided": False}, {"b/1", "c", "d", "e", "f % _"}),
        ({"type": "invoice"}, set()),
    ],
)
def test_a_selection_holds_the_documents_that_are_asked_for(
    index: DocumentIndex, asked: dict[str, object], selected: set[str]
) -> None:
    assert set(ids(index, **asked)) == selected


def test_documents_come_worst_first_and_the_right_one_last(index: DocumentIndex) -> None:
    scores = [cast(float, entry.score) for entry in index.lines(Selection())]
    assert scores == sorted(scores)
    assert ids(index)[-1] == "d"
    assert ids(index, sort="id") == sorted(ALL)
    assert ids(index, sort="id", desc=True) == sorted(ALL, reverse=True)
    assert ids(index, sort="wrong")[0] == "a"


@given(st.sampled_from(sorted(SORTS)), st.booleans(), st.integers(1, 4), st.sampled_from(["", "e"]))
def test_pages_together_are_the_whole_list_and_next_follows_it(
    index: DocumentIndex, sort: str, desc: bool, limit: int, q: str
) -> None:
    selection = Selection(sort=sort, desc=desc, q=q)
    whole = [entry.id for entry in index.lines(selection)]
    pages = [
        entry.id
        for offset in range(0, len(whole) + limit, limit)
        for entry in index.lines(selection, offset=offset, limit=limit)
    ]
    assert pages == whole
    flawed = [entry.id for entry in index.lines(selection) if entry.wrong]
    forward, at = [], index.next_wrong("", selection)
    while at is not None:
        forward.append(at)
        at = index.next_wrong(at, selection)
    assert forward == flawed
    back = [index.next_wrong(id, selection, back=True) for id in flawed]
    assert back == [None, *flawed[:-1]] if flawed else back == []


@pytest.mark.parametrize(
    "given_names",
    [{"sort": "id; DROP TABLE documents"}, {"least": "much"}, {"q": "x" * 5_000}],
)
def test_what_an_address_cannot_mean_is_an_error(given_names: dict[str, str]) -> None:
    with pytest.raises(ConfigurationError):
        Selection.read(given_names)


def test_an_index_is_made_once_and_anew_when_the_ledger_changes(
    run_folder: Path, opening: Opening
) -> None:
    said: list[str] = []
    for _ in range(2):
        open_index(run_folder, "run", Inputs(), say=said.append)
    assert len(said) == 1
    os.utime(run_folder / "ledger.jsonl", (1, 1))
    open_index(run_folder, "run", Inputs(), say=said.append)
    assert len(said) == 2


def test_a_damaged_index_is_made_anew(run_folder: Path) -> None:
    (run_folder / NAME).write_bytes(b"this is no database, but it is long enough" * 100)
    index = open_index(run_folder, "run", Inputs(), say=lambda words: None)
    assert index.count(Selection()) == len(ALL)


def test_an_index_with_triggers_in_it_is_made_anew(run_folder: Path) -> None:
    index = open_index(run_folder, "run", Inputs(), say=lambda words: None)
    with sqlite3.connect(index.file) as connection:
        connection.execute(
            "CREATE TRIGGER t AFTER UPDATE ON documents BEGIN DELETE FROM documents; END"
        )
    connection.close()
    said: list[str] = []
    open_index(run_folder, "run", Inputs(), say=said.append)
    assert len(said) == 1


def test_the_index_is_for_its_owner_alone(run_folder: Path) -> None:
    index = open_index(run_folder, "run", Inputs(), say=lambda words: None)
    assert index.file.stat().st_mode & 0o077 == 0


def test_a_damaged_ledger_is_refused_and_leaves_no_index(run_folder: Path) -> None:
    ledger = run_folder / "ledger.jsonl"
    ledger.write_bytes(ledger.read_bytes().replace(b'"id":"d"', b'"id":"z"'))
    with pytest.raises(DataError, match="checksum"):
        open_index(run_folder, "run", Inputs(), say=lambda words: None)
    assert not [*run_folder.glob("*.sqlite*")]


def test_the_index_of_a_folder_that_cannot_be_written_lies_in_the_cache(
    run_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("docassay.run.index.os.access", lambda path, mode: False)
    index = open_index(run_folder, "run", Inputs(), say=lambda words: None)
    assert index.file.is_relative_to(tmp_path / "cache")
    assert not (run_folder / NAME).exists()


def test_without_kept_values_they_are_worked_out(scored: Path, run_folder: Path) -> None:
    kept = open_index(run_folder, "run", Inputs(), say=lambda words: None)
    before = kept.wrong_values([1, 2, 3])
    for name in ("verdicts.jsonl", "errors.csv"):
        (run_folder / name).unlink()
    again = open_index(run_folder, "run", Inputs(), say=lambda words: None)
    assert again.wrong_values([1, 2, 3]) == before


def test_a_large_run_is_indexed_by_a_process_of_its_own(
    run_folder: Path, indexed: DocumentIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docassay.viewer.build.LARGE", 0)
    index = open_index(run_folder, "run", Inputs(), say=lambda words: None)
    assert index.lines(Selection()) == indexed.lines(Selection())
    ledger = run_folder / "ledger.jsonl"
    ledger.write_bytes(ledger.read_bytes()[:-10])
    with pytest.raises(DataError, match="not complete"):
        open_index(run_folder, "run", Inputs(), say=lambda words: None)


def test_of_all_values_that_a_run_has_kept_the_wrong_ones_count(
    scored: Path, indexed: DocumentIndex, tmp_path: Path
) -> None:
    da.score(
        scored / "gold.jsonl",
        scored / "pred.jsonl",
        schema=scored / "schema.yaml",
        out=tmp_path / "all",
        verdicts="all",
        draws=100,
    )
    index = open_index(tmp_path / "all", "all", Inputs(), say=lambda words: None)
    assert index.wrong_values([1, 2, 3]) == indexed.wrong_values([1, 2, 3])


def test_an_index_holds_nothing_but_tables(viewer: Viewer) -> None:
    with sqlite3.connect(viewer.runs[0].index.file) as connection:
        kinds = {kind for (kind,) in connection.execute("SELECT type FROM sqlite_master")}
    connection.close()
    assert kinds == {"table", "index"}
