"""A run folder says when it was made and how people call it; equal runs have equal ledgers."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

import docassay as da
from docassay.errors import ConfigurationError, DataError, FileError
from docassay.run.ledger import LEDGER
from docassay.run.made import EPOCH, MADE, TAGS, made_of, tags_given, tags_of
from docassay.run.output import locked

GOLD = {"a": {"total": "1"}, "b": {"total": "2"}}
PRED = {"a": {"total": "1"}, "b": {"total": "3"}}


def score(out: Path, pred: object = PRED, **options: object) -> da.Report:
    return da.score(GOLD, pred, metrics=["entity"], out=out, **options)  # type: ignore[arg-type]


def test_equal_runs_at_other_times_have_equal_ledgers(tmp_path: Path) -> None:
    score(tmp_path / "a", tag={"model": "x"})
    score(tmp_path / "b", tag="model=y")
    assert (tmp_path / "a" / LEDGER).read_bytes() == (tmp_path / "b" / LEDGER).read_bytes()
    assert (tmp_path / "a" / "report.json").read_bytes() == (
        tmp_path / "b" / "report.json"
    ).read_bytes()
    assert tags_of(tmp_path / "a") == {"model": "x"}


def test_the_time_is_that_of_the_run_in_utc(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(EPOCH, "1700000000")
    score(tmp_path)
    assert made_of(tmp_path) == "2023-11-14T22:13:20.000+00:00"
    (tmp_path / MADE).write_text('{"made": "2024-01-01T02:00:00+02:00"}')
    assert made_of(tmp_path) == "2024-01-01T00:00:00.000+00:00"
    (tmp_path / MADE).write_text('{"made": "2024-01-01T02:00:00"}')
    assert made_of(tmp_path) == "2024-01-01T02:00:00.000+00:00"


@pytest.mark.parametrize("content", [None, "", "{}", '{"made": 3}', '{"made": "yesterday"}'])
def test_without_a_time_it_is_when_the_ledger_was_written(
    tmp_path: Path, content: str | None
) -> None:
    score(tmp_path)
    if content is None:
        (tmp_path / MADE).unlink()
    else:
        (tmp_path / MADE).write_text(content)
    os.utime(tmp_path / LEDGER, (1_600_000_000, 1_600_000_000))
    assert datetime.fromisoformat(made_of(tmp_path)) == datetime.fromtimestamp(1_600_000_000, UTC)


def test_tags_are_added_changed_and_taken_away(tmp_path: Path) -> None:
    score(tmp_path, tag=["model=x"])
    assert da.tag_run(tmp_path, ["prompt=v 2=b", "owner=me"]) == {
        "model": "x",
        "owner": "me",
        "prompt": "v 2=b",
    }
    assert da.tag_run(tmp_path, {"model": "y", "prompt": "", "owner": ""}) == {"model": "y"}
    assert json.loads((tmp_path / TAGS).read_text()) == {"model": "y"}
    assert da.tag_run(tmp_path, "model=") == {}
    assert not (tmp_path / TAGS).exists()


def test_tags_stay_with_equal_numbers_and_go_with_other_ones(tmp_path: Path) -> None:
    score(tmp_path, tag="model=x")
    assert not [note for note in score(tmp_path, tag="by=me").notes if "tags" in note]
    assert tags_of(tmp_path) == {"by": "me", "model": "x"}
    again = score(tmp_path, {**PRED, "b": {"total": "4"}}, resume=True)
    assert not [note for note in again.notes if "tags" in note]
    assert tags_of(tmp_path) == {"by": "me", "model": "x"}
    other = score(tmp_path, GOLD, tag="model=z")
    assert "tags of the earlier run are gone: by=me, model=x" in other.notes
    assert tags_of(tmp_path) == {"model": "z"}


def test_run_tags_do_not_slice_documents(tmp_path: Path) -> None:
    report = score(tmp_path, tag="model=x", by="model")
    assert {each.slice for each in report.scores} == {"", "model=(none)"}


@pytest.mark.parametrize("given", ["model", "=x", " =x", {"": "x"}, {"a=b": "c"}, "a=b\x1b[1m"])
def test_what_is_no_tag_is_refused(given: str | dict[str, str]) -> None:
    with pytest.raises(ConfigurationError, match="tag"):
        tags_given(given)


def test_a_tag_with_two_values_is_refused_before_scoring(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="given twice"):
        score(tmp_path / "run", tag=["a=1", "a=2"])
    assert not (tmp_path / "run" / LEDGER).exists()
    with pytest.raises(ConfigurationError, match="need a folder"):
        da.score(GOLD, PRED, tag="a=1")


@pytest.mark.parametrize("content", ["", "[]", '{"a": 1}', "\xff"])
def test_damaged_tags_are_an_error_with_their_place(tmp_path: Path, content: str) -> None:
    score(tmp_path)
    (tmp_path / TAGS).write_text(content, encoding="latin-1")
    with pytest.raises(DataError, match="no tags"):
        da.tag_run(tmp_path, "a=1")


def test_only_a_run_can_be_tagged(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="no run folder"):
        da.tag_run(tmp_path, "a=1")
    assert not [*tmp_path.iterdir()]


def test_tagging_waits_for_the_run_that_writes_and_gives_up_in_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from docassay.run import made

    score(tmp_path)
    pauses: list[float] = []
    monkeypatch.setattr(made, "sleep", pauses.append)
    with locked(tmp_path), pytest.raises(FileError, match="another run is writing"):
        da.tag_run(tmp_path, "a=1")
    assert len(pauses) == made.TRIES - 1
    assert da.tag_run(tmp_path, "a=1") == {"a": "1"}
