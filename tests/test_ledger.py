"""Ledgers: written whole or not at all, joined without adding, resumed where they stopped."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import docassay as da
from docassay.api import score_run
from docassay.case import Case
from docassay.errors import ConfigurationError, DataError, FileError
from docassay.ledger import LEDGER, PART, join, read_ledger, writing
from docassay.plan import Plan
from docassay.run import serial
from docassay.scoring import Row

GOLD = {f"d{i}": {"total": str(i), "items": [{"n": "a"}, {"n": str(i)}]} for i in range(5)}
PRED = {name: {**tree, "total": "1"} for name, tree in GOLD.items()}


def test_a_ledger_reads_back_as_it_was_written(tmp_path: Path) -> None:
    run = score_run(GOLD, PRED, out=tmp_path)
    again = read_ledger(tmp_path)
    assert again.header.signature == run.ledger.header.signature
    assert again.rows == run.ledger.rows
    assert not (tmp_path / PART).exists()


def test_the_same_run_writes_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        da.score(dict(reversed(GOLD.items())) if name == "b" else GOLD, PRED, out=tmp_path / name)
    assert (tmp_path / "a" / LEDGER).read_bytes() == (tmp_path / "b" / LEDGER).read_bytes()


def test_rows_hold_no_places_and_no_times(tmp_path: Path) -> None:
    gold = tmp_path / "gold.jsonl"
    gold.write_text("".join(json.dumps({"id": k, **v}) + "\n" for k, v in GOLD.items()))
    da.score(gold, gold, out=tmp_path / "run")
    rows = (tmp_path / "run" / LEDGER).read_text().splitlines()[1:]
    assert all("gold.jsonl" not in row for row in rows)


def test_joining_is_a_union_and_equal_duplicates_merge() -> None:
    parts = [
        score_run({k: GOLD[k] for k in names}, PRED).ledger
        for names in (["d0", "d1"], ["d1", "d2"])
    ]
    assert [row.id for row in join(parts).rows] == ["d0", "d1", "d2"]


def test_different_rows_of_one_document_are_an_error() -> None:
    one = score_run({"d0": GOLD["d0"]}, PRED).ledger
    other = score_run({"d0": GOLD["d0"]}, {"d0": {}}).ledger
    with pytest.raises(DataError, match="scored twice with different results"):
        join([one, other])


def test_ledgers_of_different_plans_are_not_joined() -> None:
    one = score_run(GOLD, PRED).ledger
    other = score_run(GOLD, PRED, metrics=["entity"]).ledger
    with pytest.raises(ConfigurationError, match="different plans"):
        join([one, other])


def test_a_run_that_was_cut_off_is_resumed_from_its_rows(tmp_path: Path) -> None:
    whole = score_run(GOLD, PRED, out=tmp_path / "whole")
    cut = tmp_path / "cut"
    with writing(cut, whole.ledger.header.plan, resume=False) as writer:
        for row in whole.ledger.rows[:2]:
            writer.add(row)
    with (cut / PART).open("ab") as part:
        part.write(b'{"id": "half a r')
    with pytest.raises(FileError, match="cut off"):
        read_ledger(cut)
    da.score(GOLD, PRED, out=cut, resume=True)
    assert (cut / LEDGER).read_bytes() == (tmp_path / "whole" / LEDGER).read_bytes()


def test_resuming_scores_again_what_has_changed(tmp_path: Path) -> None:
    da.score(GOLD, PRED, out=tmp_path)
    report = da.score(GOLD, GOLD, out=tmp_path, resume=True)
    assert report["kieval.aligned"].value == 1.0


def test_resuming_another_plan_is_refused(tmp_path: Path) -> None:
    da.score(GOLD, PRED, out=tmp_path, metrics=["entity"])
    with pytest.raises(ConfigurationError, match="measured something else"):
        da.score(GOLD, PRED, out=tmp_path, resume=True)


def test_one_run_writes_at_a_time(tmp_path: Path) -> None:
    plan = Plan(())
    with (
        writing(tmp_path, plan, resume=False),
        pytest.raises(FileError, match="another run is writing"),
        writing(tmp_path, plan, resume=False),
    ):
        pass


@pytest.mark.parametrize("content", [b"", b"{}\n", b"not json\n", b'{"ledger": 99}\n'])
def test_a_file_that_is_no_ledger_is_said_to_be_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / LEDGER).write_bytes(content)
    with pytest.raises(DataError, match="not a whole ledger"):
        read_ledger(tmp_path)


def test_a_missing_run_says_what_would_make_one(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="score with --out"):
        read_ledger(tmp_path)


def test_resuming_scores_no_document_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    da.score(GOLD, PRED, out=tmp_path)
    scored: list[str] = []
    score_case = serial.score_case

    def counted(case: Case, *args: object, **options: object) -> Row:
        scored.append(case.id)
        return score_case(case, *args, **options)

    monkeypatch.setattr(serial, "score_case", counted)
    changed = {**PRED, "d3": {}}
    report = da.score(GOLD, changed, out=tmp_path, resume=True)
    assert scored == ["d3"]
    assert report["kieval.additions"].value == 3
