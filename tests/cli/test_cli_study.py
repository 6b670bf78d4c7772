"""`docassay study` on runs, on several data sets and with columns from elsewhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.cli_corpus import Command

DATA = {
    name: {"total": total, "items": [{"name": "x"}, {"name": name}]}
    for name, total in (("a", "3.00"), ("b", "4"), ("c", "5.50"))
}
OTHER = {**DATA, "b": {"total": "9", "items": [{"name": "b"}]}}


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    names = []
    for name, trees in (("gold.json", DATA), ("pred.json", OTHER)):
        (tmp_path / name).write_text(json.dumps(trees), encoding="utf-8")
        names.append(str(tmp_path / name))
    return names[0], names[1]


def kept(docassay: Command, files: tuple[str, str], folder: Path) -> str:
    assert docassay("score", *files, "--out", str(folder), "-q").code == 0
    return str(folder)


def test_a_run_is_counted_like_its_gold(
    docassay: Command, files: tuple[str, str], tmp_path: Path
) -> None:
    gold, _ = files
    run = kept(docassay, files, tmp_path / "run")
    whole = json.loads(docassay("study", "data", gold, "--format", "json", "-q").out)
    again = json.loads(docassay("study", "data", run, "--format", "json", "-q").out)
    assert again["fields"] == whole["fields"]
    moved = str(Path(gold).rename(tmp_path / "elsewhere.json"))
    gone = docassay("study", "data", run)
    assert (gone.code, "--gold" in gone.err) == (3, True)
    assert docassay("study", "data", run, "--gold", moved).code == 0
    assert docassay("study", "data", moved, "--gold", moved).code == 2


def test_several_data_sets_are_shuffled_into_one_table(
    docassay: Command, files: tuple[str, str], tmp_path: Path
) -> None:
    gold, pred = files
    runs = [kept(docassay, files, tmp_path / name) for name in ("one", "two")]
    options = ("--metrics", "entity", "--seeds", "1", "-q")
    shown = docassay("study", "shuffle", *runs, *options).out
    assert "2 data sets, 6 documents" in shown
    head = next(line for line in shown.splitlines() if line.startswith("score"))
    assert head.split() == ["score", "one", "shuffled", "two", "shuffled"]
    pairs = (gold, pred, gold, gold)
    ended = docassay("study", "shuffle", *pairs, *options, "--format", "json")
    report = json.loads(ended.out)
    assert [part["name"] for part in report["datasets"]] == ["pred.json", "gold.json"]
    f1 = [entry["before"] for entry in report["readouts"] if entry["readout"] == "f1"]
    assert f1[0] < f1[1] == 1.0
    assert {entry["dataset"] for entry in report["readouts"]} == {"pred.json", "gold.json"}
    odd = docassay("study", "shuffle", gold, pred, gold)
    assert (odd.code, "GOLD PRED" in odd.err) == (2, True)
    moved = docassay("study", "shuffle", *runs, "--gold", gold)
    assert moved.code == 2


def test_columns_from_elsewhere_stand_beside_scores(
    docassay: Command, files: tuple[str, str], tmp_path: Path
) -> None:
    run = kept(docassay, files, tmp_path / "run")
    judged = tmp_path / "judged.csv"
    judged.write_text("id,quality\na,5\nb,1\nc,4\n", encoding="utf-8")
    options = ("--readouts", "aligned", "--columns", str(judged))
    shown = docassay("study", "correlation", run, *options).out
    assert "kieval.aligned ~ judged.quality" in shown
    judged.write_text("id,quality\na,good\n", encoding="utf-8")
    assert docassay("study", "correlation", run, *options).code == 3
