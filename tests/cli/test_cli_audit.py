"""`docassay audit`, `docassay gold apply` and `--gold-patch`."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.cli.cli_corpus import Command, write_jsonl


class Runs(NamedTuple):
    folder: Path
    gold: str
    names: tuple[str, str]


@pytest.fixture
def runs(tmp_path: Path, docassay: Command) -> Runs:
    """Two models that agree, and gold with two mistakes, one of them hostile."""
    truth: dict[str, object] = {
        f"d{at:02}": {"total": f"${at}.00", "shop": f"Shop {at:03}"} for at in range(20)
    }
    gold = {
        **truth,
        "d03": {"total": "$3.00", "shop": "=HYPERLINK(1)\x1b[31m"},
        "d04": {"total": "$44.00", "shop": "Shop 004"},
    }
    gold_file = write_jsonl(tmp_path / "gold.jsonl", gold)
    schema = tmp_path / "schema.yaml"
    schema.write_text("fields: {total: money, shop: text}\n")
    names = []
    for name in ("north", "south"):
        pred = write_jsonl(tmp_path / f"{name}.jsonl", truth)
        names.append(str(tmp_path / name))
        docassay("score", gold_file, pred, "--schema", str(schema), "--out", names[-1], "-q")
    return Runs(tmp_path, gold_file, (names[0], names[1]))


def test_the_table_has_evidence_and_scores_in_80_columns(
    runs: Runs, docassay: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    ended = docassay("audit", *runs.names)
    assert ended.code == 0
    lines = ended.out.splitlines()
    assert lines[0] == "2 suspect values of gold in 2 of 20 documents"
    assert max(map(len, lines)) <= 80
    assert "\x1b" not in ended.out
    assert "       gold '$44.00', proposed '$4.00'" in lines
    assert "       - both models agree on another value" in lines
    assert any(line.split() == ["south", "kieval.aligned", "0.9500", "1.0000"] for line in lines)


def test_json_holds_every_suspect_with_its_correction(runs: Runs, docassay: Command) -> None:
    report = json.loads(docassay("audit", *runs.names, "--format", "json").out)
    assert [run["name"] for run in report["runs"]] == ["north", "south"]
    suspects = {(each["document"], each["path"]): each for each in report["suspects"]}
    assert suspects.keys() == {("d03", "shop"), ("d04", "total")}
    total = suspects["d04", "total"]
    assert (total["gold"], total["proposed"], total["action"]) == ("$44.00", "$4.00", "take_pred")
    assert total["models"] == ["north", "south"]
    assert 0.9 < total["score"] <= 1
    assert total["evidence"][0]["kind"] == "models"


def test_files_for_annotators_hold_no_formula_and_the_patch_corrects_gold(
    runs: Runs, docassay: Command
) -> None:
    out, new = runs.folder / "audit", runs.folder / "new.jsonl"
    ended = docassay("audit", *runs.names, "--out", str(out), "--format", "csv")
    assert ended.err.endswith("gold-suspects.csv is for annotators\n")
    text = (out / "gold-suspects.csv").read_text()
    assert text == ended.out
    rows = {row["document"]: row for row in csv.DictReader(text.splitlines())}
    assert rows["d03"]["gold"] == "'=HYPERLINK(1)\\x1b[31m"
    patch = str(out / "gold-patch.proposed.jsonl")
    assert docassay("gold", "apply", patch, runs.gold, "--out", str(new)).code == 0
    truth = (runs.folder / "north.jsonl").read_text().splitlines()
    assert [*map(json.loads, new.read_text().splitlines())] == [*map(json.loads, truth)]
    scored = docassay(
        *("score", runs.gold, str(runs.folder / "north.jsonl"), "--gold-patch", patch),
        *("--require", "aligned == 1", "-v"),
    )
    assert scored.code == 0
    assert "|patch:" in scored.out
    assert f"gold: 2 decisions of {patch} applied" in scored.err


def test_a_patch_that_does_not_fit_is_refused_with_every_decision(
    runs: Runs, docassay: Command
) -> None:
    patch = runs.folder / "patch.jsonl"
    patch.write_text(
        '{"document": "d04", "path": "total", "action": "set", "was": "$1.00", "value": "$2.00"}\n'
    )
    new = runs.folder / "new.jsonl"
    ended = docassay("gold", "apply", str(patch), runs.gold, "--out", str(new))
    assert ended.code == 3
    assert "1 decision does not fit" in ended.err
    assert "  d04: total: gold has $44.00, and had $1.00 when it was decided" in ended.err
    assert not new.exists()


def test_gold_alone_says_what_it_can_do_and_clean_gold_has_no_suspects(
    tmp_path: Path, docassay: Command
) -> None:
    ended = docassay("gold")
    assert (ended.code, ended.err) == (0, "")
    assert "apply  Write gold with the decisions of a patch applied." in ended.out
    gold = write_jsonl(tmp_path / "gold.jsonl", {"a": {"total": "1"}})
    docassay("score", gold, gold, "--out", str(tmp_path / "run"), "-q")
    shown = docassay("audit", str(tmp_path / "run")).out
    assert shown.startswith(
        "no suspect value of gold in 1 document\n1 value of gold looked at, 1 run"
    )


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["audit"], 2, "Missing argument"),
        (["audit", "nowhere"], 2, "there is no such run"),
        (["audit", "{run}", "{run}"], 2, "a run is named twice"),
        (["audit", "{run}", "--source", "nowhere"], 2, "is no folder"),
        (["audit", "{run}", "--min-score", "7"], 2, "min_score is 7"),
        (["gold", "apply", "nowhere", "{gold}", "--out", "new"], 74, "no such file"),
        (["gold", "apply", "{gold}", "{gold}", "--out", "new"], 3, "is no gold patch"),
        (["gold", "apply", "{gold}", "{gold}"], 2, "Missing option '--out'"),
        (["score", "{gold}", "{gold}", "--gold-patch", "nowhere"], 74, "no such file"),
    ],
)
def test_mistakes_of_use_are_one_sentence(
    words: list[str], code: int, message: str, runs: Runs, docassay: Command
) -> None:
    ended = docassay(*(word.format(run=runs.names[0], gold=runs.gold) for word in words))
    assert ended.code == code
    assert message in ended.err
    assert ended.out == ""
