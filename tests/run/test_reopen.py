"""A run folder opens again: the same documents, whatever became of its inputs."""

from __future__ import annotations

import csv
import json
import os
import shutil
from pathlib import Path

import pytest

import docassay as da
from docassay.errors import DataError, FileError
from docassay.matching import large
from docassay.model.problem import ProblemCode
from docassay.run.find import find_in
from docassay.run.ledger import LEDGER, read_ledger
from docassay.run.output import csv_line, shortened
from docassay.run.reopen import digest_of_input, is_run, reopen, stored_inputs, stored_verdicts
from docassay.run.score import digest_of_pair

SCHEMA = {
    "fields": {"total": "money"},
    "groups": {"items": {"fields": {"name": "text", "price": "money"}}},
}
GOLD = {
    "b": {"total": "$5.00", "items": [{"name": "Pear", "price": "2"}, {"name": "Fig"}]},
    "a": {"total": "$6.00", "items": []},
}
PRED = {
    "a": {"total": "6"},
    "b": {"total": "7", "items": [{"name": "Fig", "price": "9"}]},
}


def write(path: Path, trees: dict[str, dict[str, object]], key: str = "id") -> Path:
    lines = (json.dumps({key: name, "fields": tree}) for name, tree in trees.items())
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    gold, pred = write(tmp_path / "gold.jsonl", GOLD), write(tmp_path / "pred.jsonl", PRED)
    da.score(gold, pred, schema=SCHEMA, out=tmp_path / "run")
    return tmp_path / "run"


def digests(folder: Path, **moved: Path) -> dict[str, str]:
    return {pair.id: digest_of_pair(*pair.trees) for pair in reopen(folder, **moved).pairing}


def test_a_run_opens_with_its_plan_and_its_documents(kept: Path) -> None:
    prepared = reopen(kept)
    ledger = read_ledger(kept)
    assert prepared.bound.plan == ledger.header.plan
    assert digests(kept) == {row.id: row.digest for row in ledger.rows}
    assert not [note for note in prepared.notes if "changed" in note]


def test_the_header_records_paths_digests_and_options_and_rows_no_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(Path("gold.jsonl"), GOLD, key="key")
    write(Path("pred.jsonl"), PRED, key="key")
    da.score("gold.jsonl", "pred.jsonl", id_key="key", out="run", metrics=["entity"])
    header = read_ledger(Path("run")).header
    record = header.inputs["gold"]
    assert (record.given, record.path) == ("gold.jsonl", str(tmp_path / "gold.jsonl"))
    assert (record.format, record.digest) == ("jsonl", digest_of_input(Path("gold.jsonl")))
    assert header.reading == {"id_key": "key"}
    rows = (tmp_path / "run" / LEDGER).read_text().splitlines()[1:]
    assert not [row for row in rows if "jsonl" in row or str(tmp_path) in row]
    assert set(digests(tmp_path / "run")) == {"a", "b"}


def test_inputs_that_have_moved_are_found_where_one_says(kept: Path, tmp_path: Path) -> None:
    for name in ("gold", "pred"):
        (tmp_path / f"{name}.jsonl").rename(tmp_path / f"{name}-moved.jsonl")
    with pytest.raises(DataError, match=r"gold of the run is gone \(say where it is with --gold"):
        reopen(kept)
    moved = {name: tmp_path / f"{name}-moved.jsonl" for name in ("gold", "pred")}
    assert set(digests(kept, **moved)) == {"a", "b"}
    with pytest.raises(FileError, match="no such file"):
        reopen(kept, gold=tmp_path / "nowhere.jsonl")


@pytest.mark.parametrize("side", ["gold", "pred"])
def test_an_input_that_has_changed_is_reported(side: str, kept: Path, tmp_path: Path) -> None:
    write(tmp_path / f"{side}.jsonl", {**GOLD, "a": {"total": "8"}})
    (note,) = stored_inputs(kept).notes
    assert note.startswith(f"{side}: ")
    assert "changed since" in note
    assert note in reopen(kept).notes


def test_kept_inputs_outlive_the_originals(tmp_path: Path) -> None:
    gold, pred = tmp_path / "gold", tmp_path / "pred"
    for folder, trees in ((gold, GOLD), (pred, PRED)):
        (folder / "deep").mkdir(parents=True)
        for name, tree in trees.items():
            (folder / "deep" / f"{name}.json").write_text(json.dumps(tree))
    da.score(gold, pred, schema=SCHEMA, out=tmp_path / "run", keep_inputs=True)
    before = digests(tmp_path / "run")
    shutil.rmtree(gold)
    shutil.rmtree(pred)
    (tmp_path / "run").rename(tmp_path / "elsewhere")
    assert digests(tmp_path / "elsewhere") == before
    assert not stored_inputs(tmp_path / "elsewhere").notes


def test_what_was_read_from_a_pipe_or_from_python_is_not_read_again(tmp_path: Path) -> None:
    da.score(GOLD, PRED, out=tmp_path / "python")
    with pytest.raises(DataError, match="gold of the run is gone"):
        reopen(tmp_path / "python")
    gold = write(tmp_path / "gold.jsonl", GOLD)
    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    child = os.fork()
    if not child:
        pipe.write_text(write(tmp_path / "pred.jsonl", PRED).read_text())
        os._exit(0)
    da.score(gold, pipe, out=tmp_path / "piped", keep_inputs=True)
    os.waitpid(child, 0)
    assert read_ledger(tmp_path / "piped").header.inputs["pred"].path == ""
    assert set(digests(tmp_path / "piped")) == {"a", "b"}


def test_a_run_inside_its_own_gold_folder_has_not_changed_it(tmp_path: Path) -> None:
    write(tmp_path / "gold.jsonl", GOLD)
    da.score(tmp_path, tmp_path, gold_format="jsonl", pred_format="jsonl", out=tmp_path / "run")
    assert not stored_inputs(tmp_path / "run").notes


def test_explaining_a_document_names_a_problem_of_matching(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = {"MAX_PLAIN_CELLS": 500, "MAX_CELLS": 500, "MAX_EDGES": 10, "BLOCK": 20}
    for name, limit in limits.items():
        monkeypatch.setattr(large, name, limit)
    rows = [{"n": f"item {at}", "q": str(at % 7), "t": str(at % 5)} for at in range(60)]
    near = [{**row, "n": f"itm {at}"} for at, row in enumerate(rows)]
    gold = write(tmp_path / "gold.jsonl", {"a": {"items": rows}})
    pred = write(tmp_path / "pred.jsonl", {"a": {"items": near}})
    report = da.score(gold, pred, out=tmp_path / "run")
    assert [problem.code for problem in report.problems] == [ProblemCode.METRIC_LIMIT]
    match = find_in(reopen(tmp_path / "run"), "a")
    assert [problem.code for problem in match.problems] == [ProblemCode.METRIC_LIMIT]


def test_stored_verdicts_are_those_of_the_document(kept: Path) -> None:
    verdicts = stored_verdicts(kept, "b")
    assert {verdict.document for verdict in verdicts} == {"b"}
    assert "right" not in {verdict.verdict for verdict in verdicts}
    assert stored_verdicts(kept, "a") == []
    (kept / "verdicts.jsonl").write_text("{}\n")
    with pytest.raises(DataError, match=r"verdicts\.jsonl:1: this is no verdict"):
        stored_verdicts(kept, "b")
    (kept / "verdicts.jsonl").unlink()
    with pytest.raises(DataError, match="kept no values"):
        stored_verdicts(kept, "b")


def test_a_run_is_a_folder_with_a_ledger_or_the_ledger(kept: Path, tmp_path: Path) -> None:
    assert is_run(kept)
    assert is_run(kept / LEDGER)
    assert not is_run(tmp_path)
    assert not is_run(tmp_path / "gold.jsonl")


def test_errors_have_a_line_a_wrong_value_in_the_order_of_gold(kept: Path) -> None:
    with (kept / "errors.csv").open(newline="") as file:
        rows = [*csv.DictReader(file)]
    head = "document,field,row,gold,pred,verdict,cause,reason,where"
    assert ",".join(rows[0]) == head
    assert {row["document"] for row in rows} == {"b"}
    by_field = {(row["field"], row["verdict"]): row for row in rows}
    wrong = by_field["total", "substitution"]
    assert (wrong["row"], wrong["gold"], wrong["pred"]) == ("", "$5.00", "7")
    assert wrong["where"].endswith("pred.jsonl:2")
    extra = by_field["items.price", "deletion"]
    assert (extra["row"], extra["gold"], extra["pred"]) == ("items[1]", "", "9")
    assert all(row["cause"] and row["reason"] for row in rows)
    assert sum(row["verdict"] == "addition" for row in rows) == 2


@pytest.mark.parametrize("seed", range(3))
def test_every_correction_has_its_line_with_the_cause_that_is_counted(
    seed: int, tmp_path: Path
) -> None:
    from docassay.synth.corpus import write_corpus

    gold, pred, _, schema = write_corpus(tmp_path, docs=12, seed=seed, models=("hasty",))
    report = da.score(gold, pred, schema=schema, metrics=["kieval", "causes"], out=tmp_path / "run")
    with (tmp_path / "run" / "errors.csv").open(newline="") as file:
        rows = [*csv.DictReader(file)]
    assert len(rows) == report["kieval.corrections"].value
    for cause in {row["cause"] for row in rows}:
        amount = sum(row["cause"] == cause for row in rows)
        assert report[f"causes.corrections@{cause}"].value == amount


def test_a_formula_in_a_value_is_guarded_and_none_keeps_nothing(tmp_path: Path) -> None:
    gold, pred = {"=a": {"x": "=1+1"}}, {"=a": {"x": "@SUM(1)"}}
    da.score(gold, pred, out=tmp_path)
    line = (tmp_path / "errors.csv").read_text().splitlines()[1]
    assert line.startswith("'=a,x,,'=1+1,'@SUM(1),substitution,")
    da.score(gold, pred, out=tmp_path, verdicts="none")
    assert not (tmp_path / "errors.csv").exists()
    assert not (tmp_path / "verdicts.jsonl").exists()


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.1 + 0.2, "0.3"),
        (1.0, "1.0"),
        (2 / 3, "0.666667"),
        (0.0, "0.0"),
        (1.23456789e-9, "1.23457e-09"),
        (-1 / 3, "-0.333333"),
        (12345.678901234, "12345.678901"),
    ],
)
def test_a_number_in_csv_has_at_most_six_decimals(value: float, shown: str) -> None:
    assert shortened(value) == shown
    assert csv_line((value, 7, None, "x")) == f"{shown},7,,x\n"


def test_the_json_report_has_the_first_problems_and_counts_all(tmp_path: Path) -> None:
    gold = {f"d{at:04}": {"x": "1"} for at in range(1_003)}
    da.score(gold, {"d0000": {"x": "1"}}, metrics=["entity"], out=tmp_path)
    report = json.loads((tmp_path / "report.json").read_text())
    assert len(report["problems"]) == 1_000
    assert report["problem_counts"] == {"no-prediction": 1_002}
    assert len((tmp_path / "problems.jsonl").read_text().splitlines()) == 1_002
