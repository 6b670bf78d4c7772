"""Runs on disk: what is listed is what the folders hold, whatever became of the index."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

import docassay as da
from docassay.analysis import runs as module
from docassay.analysis.runs import RunShelf, StoredRun, find_runs
from docassay.errors import ConfigurationError, DataError, FileError, UnknownName
from docassay.run.index import FORM, INDEX, RunIndex, cache_folder
from docassay.run.ledger import LEDGER
from docassay.run.made import EPOCH, MADE

GOLD = {f"d{number}": {"total": str(number), "name": "x"} for number in range(8)}


def prediction(wrong: int) -> dict[str, object]:
    first = [*GOLD][:wrong]
    return {id: {**tree, "total": "99"} if id in first else tree for id, tree in GOLD.items()}


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shelf")
    made = [("b", 2, "v1", 1), ("sub/a", 1, "v2", 2), ("c", 3, "v2", 3)]
    with pytest.MonkeyPatch.context() as patch:
        for name, wrong, prompt, day in made:
            patch.setenv(EPOCH, str(1_700_000_000 + day * 86_400))
            pred = prediction(wrong)
            if name == "c":
                pred = {id: {"record": tree, "model": "m-1"} for id, tree in pred.items()}
            da.score(GOLD, pred, metrics=["kieval"], out=folder / name, tag={"prompt": prompt})
    return folder


@pytest.fixture
def home(shelf: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(shelf, tmp_path / "runs"))


def names(runs: Sequence[StoredRun]) -> list[str]:
    return [run.name for run in runs]


def test_runs_are_listed_newest_first_with_what_they_say(home: Path) -> None:
    listing = da.runs(home)
    assert names(listing.runs) == ["c", "sub/a", "b"]
    first = listing.runs[0]
    report = da.score(GOLD, prediction(3), metrics=["kieval"])
    score = report["aligned"]
    assert first.score is not None
    assert first.score[:5] == ("kieval.aligned", "aligned", score.value, score.low, score.high)
    assert (first.made[:10], first.documents, first.model) == ("2023-11-17", 8, "m-1")
    assert (first.schema, first.tags) == ("guessed", {"prompt": "v2"})
    assert f"gold:{first.gold}" in report.signature
    assert not listing.notes


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ({"prompt": "v2"}, ["c", "sub/a"]),
        ({"prompt": "v*", "name": "sub/*"}, ["sub/a"]),
        ({"model": "m-?"}, ["c"]),
        ({"prompt": "v1", "name": "c"}, []),
        ({"nothing": "x"}, []),
        ({"gold": ""}, ["c", "sub/a", "b"]),
    ],
)
def test_runs_are_chosen_by_tags_and_facts(
    home: Path, where: dict[str, str], expected: list[str]
) -> None:
    assert names(da.runs(home, where=where).runs) == expected


@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        ("name", ["b", "c", "sub/a"]),
        ("score", ["sub/a", "b", "c"]),
        ("prompt", ["b", "c", "sub/a"]),
        ("documents", ["c", "sub/a", "b"]),
    ],
)
def test_runs_are_sorted(home: Path, sort: str, expected: list[str]) -> None:
    assert names(da.runs(home, sort=sort).runs) == expected


def test_fewest_corrections_come_first(home: Path) -> None:
    assert names(da.runs(home, sort="score", score="corrections").runs) == ["sub/a", "b", "c"]


def test_unknown_names_are_answered_with_those_there_are(home: Path) -> None:
    with pytest.raises(UnknownName, match="prompt"):
        da.runs(home, sort="promt")
    with pytest.raises(UnknownName, match="did you mean 'aligned'"):
        da.runs(home, score="aligend")
    with pytest.raises(FileError):
        da.runs(home / "nowhere")
    with pytest.raises(FileError, match="no folder"):
        da.runs(home / "b" / LEDGER)


def test_a_folder_without_runs_is_left_as_it_is(tmp_path: Path) -> None:
    listing = da.runs(tmp_path)
    assert "there is no run below" in listing.notes[0]
    assert not [*tmp_path.iterdir()]


def test_runs_within_runs_are_found_and_copies_of_inputs_are_not(tmp_path: Path) -> None:
    for place in ("a", "a/b", "a/inputs/c", "a/charts/d", "inputs/e", ".hidden/f"):
        (tmp_path / place).mkdir(parents=True, exist_ok=True)
        (tmp_path / place / LEDGER).touch()
    assert [*find_runs(tmp_path)] == ["a", "a/b", "inputs/e"]
    assert [*find_runs(tmp_path / "a")] == [".", "b"]


def test_a_damaged_run_is_listed_with_the_reason(home: Path) -> None:
    (home / "b" / LEDGER).write_text("{}")
    listing = da.runs(home)
    assert names(listing.runs) == ["c", "sub/a", "b"]
    assert "no ledger of a run" in listing.runs[-1].problem
    assert listing.notes[0].startswith("b: ")


def test_the_index_spares_reading_ledgers_until_one_changes(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = da.runs(home)
    read: list[Path] = []
    original = module.read_ledger
    monkeypatch.setattr(module, "read_ledger", lambda path: (read.append(path), original(path))[1])
    assert da.runs(home) == before
    assert read == []
    da.score(GOLD, prediction(5), metrics=["kieval"], out=home / "b")
    after = {run.name: run for run in da.runs(home).runs}
    assert [path.name for path in read] == ["b"]
    assert after["b"].score != before.runs[-1].score
    monkeypatch.setattr(module, "VERSION", "another")
    read.clear()
    da.runs(home)
    assert {path.name for path in read} == {"a", "b", "c"}


def test_tags_and_times_are_read_from_the_folders_not_from_the_index(home: Path) -> None:
    da.runs(home)
    da.tag_run(home / "b", "prompt=v9")
    (home / "b" / MADE).write_text('{"made": "2030-01-01T00:00:00+00:00"}')
    first = da.runs(home).runs[0]
    assert (first.name, first.tags["prompt"], first.made[:4]) == ("b", "v9", "2030")


def test_a_copied_run_keeps_its_time_and_tags(home: Path) -> None:
    shutil.copytree(home / "b", home / "copy")
    runs = {run.name: run for run in da.runs(home).runs}
    assert runs["copy"][2:] == runs["b"][2:]


def truncated(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:1500])


def other_form(file: Path) -> None:
    with sqlite3.connect(file) as connection:
        connection.execute("PRAGMA user_version = 77")
        connection.execute("DROP TABLE scores")
    connection.close()


def odd_content(file: Path) -> None:
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE runs SET facts = 'nonsense'")
        connection.execute("UPDATE scores SET score = NULL")
    connection.close()


def lost_table(file: Path) -> None:
    with sqlite3.connect(file) as connection:
        connection.execute("DROP TABLE runs")
    connection.close()


def garbage(file: Path) -> None:
    file.write_bytes(b"this was a database once" * 100)


@pytest.mark.parametrize(
    "damage", [Path.unlink, garbage, truncated, other_form, odd_content, lost_table]
)
def test_a_damaged_index_is_made_anew(home: Path, damage: object) -> None:
    before = da.runs(home)
    assert callable(damage)
    damage(home / INDEX)
    assert da.runs(home) == before
    assert da.runs(home) == before
    with sqlite3.connect(home / INDEX) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (FORM,)
    connection.close()


def test_what_is_gone_is_forgotten(home: Path) -> None:
    da.runs(home)
    shutil.rmtree(home / "sub")
    assert names(da.runs(home).runs) == ["c", "b"]
    with sqlite3.connect(home / INDEX) as connection:
        stored = connection.execute("SELECT name FROM runs ORDER BY name").fetchall()
    connection.close()
    assert stored == [(b"b",), (b"c",)]


def test_a_folder_that_cannot_be_written_has_its_index_in_the_cache(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(os, "access", lambda _, mode: mode != os.W_OK)
    assert names(da.runs(home).runs) == ["c", "sub/a", "b"]
    assert not (home / INDEX).exists()
    assert [file.suffix for file in cache_folder().iterdir()] == [".sqlite"]


def test_an_index_is_not_written_through_a_link(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "victim").write_text("")
    (home / INDEX).symlink_to(tmp_path / "victim")
    assert len(da.runs(home).runs) == 3
    assert (tmp_path / "victim").read_text() == ""


def test_without_any_place_the_index_is_in_memory(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for place in (None, tmp_path / "folder", tmp_path / "nowhere" / "index"):
        index = RunIndex(place)
        index.remember("a", "1", {"b": 2})
        assert index.recall("a", "1", dict) == {"b": 2}
        assert index.recall("a", "2", dict) is None
        assert index.recall("b", "1", dict) is None
        index.close()


WRITER = """
import sys
from pathlib import Path
from docassay.run.index import RunIndex
for turn in range(10):
    index = RunIndex(Path(sys.argv[1]))
    for number in range(5):
        index.remember(f"{sys.argv[2]}-{turn}-{number}", "stamp", [turn, number])
    index.close()
"""


def test_two_processes_may_write_to_one_index_at_the_same_time(tmp_path: Path) -> None:
    place = tmp_path / INDEX
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(place), name]) for name in ("x", "y")
    ]
    assert [writer.wait(60) for writer in writers] == [0, 0]
    index = RunIndex(place)
    for name in ("x", "y"):
        for turn in range(10):
            for number in range(5):
                stored = index.recall(f"{name}-{turn}-{number}", "stamp", list)
                assert stored == [turn, number]
    index.close()


def test_a_trend_begins_with_the_earliest_run(home: Path) -> None:
    course = da.trend("aligned", home)
    (series,) = course.series
    assert [point.run.name for point in series.points] == ["b", "sub/a", "c"]
    values = [point.score.value for point in series.points]
    assert values == [14 / 16, 15 / 16, 13 / 16]
    assert [point.change for point in series.points] == [None, 1 / 16, -2 / 16]
    assert (course.address, course.by, course.notes) == ("kieval.aligned", "", ())


def test_a_trend_has_a_series_for_each_value_of_a_tag(home: Path) -> None:
    da.tag_run(home / "b", "prompt=")
    course = da.trend("corrections", home, by="prompt")
    assert [(each.label, len(each.points)) for each in course.series] == [("", 1), ("v2", 2)]
    assert da.trend("aligned", home, where="prompt=v2").series[0].points[0].change is None
    with pytest.raises(ConfigurationError, match="tags: prompt"):
        da.trend("aligned", home, by="owner")
    with pytest.raises(UnknownName):
        da.trend("aligend", home)


def test_a_trend_over_other_gold_says_so(home: Path) -> None:
    da.score({**GOLD, "d0": {"total": "5"}}, prediction(0), metrics=["kieval"], out=home / "new")
    assert "scored against 2 versions of gold" in da.trend("aligned", home).notes[0]
    da.score(GOLD, prediction(0), metrics=["entity"], out=home / "entity")
    assert "1 run without aligned left out" in da.trend("aligned", home).notes


def test_a_trend_of_nothing_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no run has aligned"):
        da.trend("aligned", tmp_path)


def test_the_shelf_gives_none_for_a_score_that_a_run_lacks(home: Path) -> None:
    with RunShelf(home) as shelf:
        assert shelf.score("b", "entity.f1") is None
