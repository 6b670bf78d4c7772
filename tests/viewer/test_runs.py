"""Documents of a stored run, opened again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import docassay as da
from docassay.errors import DataError
from docassay.matching.verdicts import verdicts
from docassay.run.diffs import WORDS
from docassay.run.find import find_in
from docassay.run.ledger import read_ledger
from docassay.run.reopen import reopen
from docassay.viewer.index import Selection
from docassay.viewer.runs import CHANGED, ViewedRun
from tests.viewer.conftest import GOLD, PRED, Opening, write_lines


def diff_of(run: ViewedRun, id: str) -> dict[str, object]:
    entry = run.index.entry(id)
    assert entry is not None
    return run.diff(entry)


def values_of(diff: dict[str, object]) -> list[dict[str, object]]:
    rows = diff["rows"]
    assert isinstance(rows, list)
    return [value for row in rows for value in row["values"]]


def test_a_page_shows_the_verdicts_that_were_scored(run_folder: Path, opening: Opening) -> None:
    run = opening(run_folder)
    for row in read_ledger(run_folder).rows:
        own = [
            (entry.field, WORDS[entry.verdict], entry.gold, entry.pred)
            for entry in verdicts(find_in(reopen(run_folder), row.id).case)
        ]
        diff = diff_of(run, row.id)
        shown = [
            (value["field"], value["verdict"], value["gold"], value["pred"])
            for value in values_of(diff)
        ]
        assert shown == own, row.id
        counts = [int(sum(tally[0] for tally in row.stats["kieval"]["fields"].values()))]
        assert counts == [sum(word == "right" for _, word, *_ in shown)]
        assert not diff.get("notes")


def test_a_row_that_stands_elsewhere_is_moved(run_folder: Path, opening: Opening) -> None:
    rows = diff_of(opening(run_folder), "a")["rows"]
    assert isinstance(rows, list)
    states = [(row["gold"], row["pred"], row["state"], row.get("moved", False)) for row in rows]
    assert states == [
        ("", "", "matched", False),
        ("items[0]", "items[1]", "matched", True),
        ("items[1]", "items[0]", "matched", False),
        (None, "items[2]", "deleted", False),
    ]


def test_values_say_where_they_stand_and_what_else_is_right(
    run_folder: Path, opening: Opening
) -> None:
    vendor, total = sorted(
        values_of(diff_of(opening(run_folder), "e")), key=lambda v: v["field"] == "total"
    )
    assert vendor["gold_at"] == {"page": 1, "box": [0.1, 0.2, 0.3, 0.4]}
    assert vendor["pred_at"] == vendor["gold_at"]
    assert total["any_of"] == ["5.00", "6.00"]
    assert total["verdict"] == "right"


def test_a_document_that_has_changed_says_so(tmp_path: Path, opening: Opening) -> None:
    gold = write_lines(tmp_path / "gold.jsonl", GOLD)
    pred = write_lines(tmp_path / "pred.jsonl", PRED)
    da.score(gold, pred, out=tmp_path / "run", draws=100)
    write_lines(gold, {**GOLD, "a": {**GOLD["a"], "total": "99.00"}})
    run = opening(tmp_path / "run")
    assert any("changed since" in note for note in run.notes)
    assert diff_of(run, "a")["notes"] == [CHANGED]
    assert "notes" not in diff_of(run, "d")


def test_what_was_scored_is_shown_though_a_file_changes_after_indexing(
    tmp_path: Path, opening: Opening
) -> None:
    gold = write_lines(tmp_path / "gold.jsonl", GOLD)
    pred = write_lines(tmp_path / "pred.jsonl", PRED)
    da.score(gold, pred, out=tmp_path / "run", draws=100)
    first = opening(tmp_path / "run")
    before = diff_of(first, "a")
    assert not before["run_notes"]
    write_lines(gold, {**GOLD, "a": {"total": "99.00"}})
    assert "since the viewer was started" in str(diff_of(first, "a")["run_notes"])
    again = opening(tmp_path / "run")
    assert diff_of(again, "a")["rows"] == before["rows"]
    assert any("changed since" in note for note in again.notes)


def test_without_inputs_the_wrong_values_are_shown(tmp_path: Path, opening: Opening) -> None:
    gold = write_lines(tmp_path / "gold.jsonl", GOLD)
    pred = write_lines(tmp_path / "pred.jsonl", PRED)
    da.score(gold, pred, out=tmp_path / "run", draws=100)
    pred.unlink()
    run = opening(tmp_path / "run")
    assert any("gone" in note for note in run.notes)
    diff = diff_of(run, "a")
    assert diff["whole"] is False
    lines = (tmp_path / "run" / "verdicts.jsonl").read_text().splitlines()
    kept = [json.loads(line) for line in lines]
    own = [(each["field"], each["gold"], each["pred"]) for each in kept if each["document"] == "a"]
    shown = [(value["field"], value["gold"], value["pred"]) for value in values_of(diff)]
    assert sorted(shown, key=str) == sorted(own, key=str)
    assert all(value["cause"] for value in values_of(diff))


def test_inputs_may_be_named_anew(tmp_path: Path, opening: Opening) -> None:
    gold = write_lines(tmp_path / "gold.jsonl", GOLD)
    pred = write_lines(tmp_path / "pred.jsonl", PRED)
    da.score(gold, pred, out=tmp_path / "run", draws=100)
    moved = pred.rename(tmp_path / "moved.jsonl")
    run = opening(tmp_path / "run", pred=str(moved))
    assert diff_of(run, "a")["whole"] is True
    assert run.notes == []


@pytest.mark.parametrize("form", ["csv", "bio"])
def test_documents_of_other_formats_open_too(tmp_path: Path, opening: Opening, form: str) -> None:
    if form == "csv":
        (tmp_path / "gold.csv").write_text("id,total,name\na,1.5,x | y\nb,2,z\n")
        (tmp_path / "pred.csv").write_text("id,total,name\na,1.50,x\nb,3,z\n")
        gold, pred = tmp_path / "gold.csv", tmp_path / "pred.csv"
    else:
        gold, pred = tmp_path / "gold", tmp_path / "pred"
        for folder, tag in ((gold, "B-name"), (pred, "B-place")):
            folder.mkdir()
            (folder / "a.bio").write_text(f"Anna {tag}\nsees O\n")
    da.score(gold, pred, out=tmp_path / "run", draws=100)
    run = opening(tmp_path / "run")
    diff = diff_of(run, "a")
    assert diff["whole"] is True
    assert "notes" not in diff
    entry = run.index.entry("a")
    assert entry is not None
    assert entry.wrong == sum(value["verdict"] != "right" for value in values_of(diff))


def test_a_run_without_gold_shows_its_values(tmp_path: Path, opening: Opening) -> None:
    pred = write_lines(tmp_path / "pred.jsonl", PRED)
    da.score(pred, no_gold=True, out=tmp_path / "run", draws=100)
    diff = diff_of(opening(tmp_path / "run"), "d")
    assert diff["alone"] is True
    assert {value["verdict"] for value in values_of(diff)} == {"value"}


def test_the_sums_of_the_index_give_the_scores_of_the_run(
    run_folder: Path, opening: Opening
) -> None:
    run = opening(run_folder)
    report = {
        f"{score['metric']}.{score['readout']}": score["value"]
        for score in json.loads((run_folder / "report.json").read_text())["scores"]
        if not score["key"] and not score["slice"]
    }
    assert run.scores(()) == report
    assert run.index.count(Selection()) == run.documents == len(GOLD)


def test_a_run_that_is_replaced_while_it_is_looked_at_is_said_to_be(
    run_folder: Path, opening: Opening
) -> None:
    run = opening(run_folder)
    entry = run.index.entry("d")
    assert entry is not None
    ledger = run_folder / "ledger.jsonl"
    ledger.write_bytes(ledger.read_bytes()[:-400])
    ledger.write_bytes(b"x" + ledger.read_bytes())
    with pytest.raises(DataError, match="replaced since the viewer was started"):
        run.diff(entry)
