"""Comparing from Python: folders, ledgers and reports in memory; scoring them again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import docassay as da
from docassay.run.reopen import NamedRun

GOLD = {f"d{number}": {"total": f"${number}.00", "name": f"n{number}"} for number in range(1, 8)}
OLD = {id: {**tree, "total": tree["total"].strip("$")} for id, tree in GOLD.items()}
"""Right by types, wrong as text."""
NEW = {id: {**tree, "name": "?"} for id, tree in GOLD.items()}
DRAWS = 200


def values(comparison: object) -> tuple[float | None, ...]:
    return comparison["aligned"].values  # type: ignore[index, no-any-return]


def write(path: Path, trees: dict[str, dict[str, str]]) -> Path:
    path.write_text("".join(json.dumps({"id": id, **tree}) + "\n" for id, tree in trees.items()))
    return path


@pytest.fixture
def folders(tmp_path: Path) -> list[Path]:
    """Runs of files, the second by text."""
    gold = write(tmp_path / "gold.jsonl", GOLD)
    for name, trees, types in (("old", OLD, "auto"), ("new", NEW, "auto"), ("text", OLD, "text")):
        pred = write(tmp_path / f"{name}.jsonl", trees)
        da.score(gold, pred, types=types, out=tmp_path / name, metrics=["kieval"])
    return [tmp_path / "old", tmp_path / "new", tmp_path / "text"]


def test_reports_in_memory_are_compared() -> None:
    old, new = da.score(GOLD, OLD), da.score(GOLD, NEW)
    comparison = old.compare(new, draws=DRAWS)
    assert values(comparison) == (1, 0.5)
    assert [run.name for run in comparison.runs] == ["run 1", "run 2"]
    assert comparison["aligned"].differences[0].verdict == "worse"
    assert values(da.compare(new, old, draws=DRAWS)) == (0.5, 1)


def test_folders_ledgers_reports_and_named_runs_may_be_mixed(folders: list[Path]) -> None:
    home = folders[0].parent
    report = da.score(home / "gold.jsonl", home / "new.jsonl", metrics=["kieval"])
    kept = da.score(home / "gold.jsonl", home / "new.jsonl", metrics=["kieval"], out=home / "kept")
    ledger = report.ledger
    assert ledger is not None
    runs = (str(folders[0]), report, ledger, NamedRun("mine", ledger), kept)
    comparison = da.compare(*runs, draws=DRAWS)
    assert [run.name for run in comparison.runs] == ["old", "new", "run 3", "mine", "kept"]
    assert values(comparison) == (1, 0.5, 0.5, 0.5, 0.5)
    commands = comparison.documents[0].commands
    assert [bool(command) for command in commands] == [True, False, False, False, True]


def test_runs_can_be_named(folders: list[Path]) -> None:
    named = da.compare(*folders[:2], names=["a", "b"], draws=DRAWS)
    assert [run.name for run in named.runs] == ["a", "b"]
    with pytest.raises(da.ConfigurationError, match="2 runs and 1 names"):
        da.compare(*folders[:2], names=["a"])


def test_reports_on_files_of_one_name_are_told_apart(tmp_path: Path) -> None:
    gold = write(tmp_path / "gold.jsonl", GOLD)
    reports = []
    for name, trees in (("a", OLD), ("b", NEW)):
        (tmp_path / name).mkdir()
        reports.append(da.score(gold, write(tmp_path / name / "pred.jsonl", trees)))
    assert [run.name for run in da.compare(*reports, draws=DRAWS).runs] == ["run 1", "run 2"]


def test_the_baseline_is_one_of_the_runs_or_another(folders: list[Path]) -> None:
    old, new, _ = folders
    among = da.compare(old, new, baseline=str(new), draws=DRAWS)
    assert (len(among.runs), among.against) == (2, 1)
    assert da.compare(old, new, baseline=1, draws=DRAWS).against == 1
    beside = da.compare(new, baseline=old, draws=DRAWS)
    assert [run.name for run in beside.runs] == ["old", "new"]
    assert beside.against == 0
    named = da.compare(new, baseline=old, names=["later"], draws=DRAWS)
    assert [run.name for run in named.runs] == ["baseline", "later"]
    report = da.score(GOLD, OLD)
    assert da.compare(da.score(GOLD, NEW), report, baseline=report, draws=DRAWS).against == 1


def test_runs_of_other_types_are_compared_when_scored_again(folders: list[Path]) -> None:
    old, new, text = folders
    with pytest.raises(da.DataError, match="as text"):
        da.compare(old, text)
    assert values(da.compare(old, text, rescore=True, draws=DRAWS)) == (1, 1)
    assert values(da.compare(text, new, rescore=True, draws=DRAWS)) == (0.5, 0.5)
    schema = {"fields": {"total": "money", "name": "text"}}
    again = da.compare(text, new, rescore=True, schema=schema, draws=DRAWS)
    assert values(again) == (1, 0.5)


def test_scoring_again_measures_what_is_asked_for(folders: list[Path]) -> None:
    old, new, _ = folders
    comparison = da.compare(old, new, rescore=True, metrics=["entity"], draws=DRAWS)
    assert {entry.score.metric for entry in comparison.scores} == {"entity"}
    with pytest.raises(da.UnknownName, match="enttiy"):
        da.compare(old, new, rescore=True, metrics=["enttiy"])


def test_scoring_again_takes_another_gold(folders: list[Path], tmp_path: Path) -> None:
    right = {id: {**tree, "name": "?"} for id, tree in GOLD.items()}
    gold = write(tmp_path / "corrected.jsonl", right)
    comparison = da.compare(*folders[:2], rescore=True, gold=gold, draws=DRAWS)
    assert values(comparison) == (0.5, 1)
    assert not any("is not what was scored" in note for note in comparison.notes)
    in_memory = da.compare(
        da.score(GOLD, OLD), da.score(GOLD, NEW), rescore=True, gold=right, draws=DRAWS
    )
    assert values(in_memory) == (0.5, 1)


def test_decisions_about_another_gold_are_left_out_when_scored_again_by_one(tmp_path: Path) -> None:
    gold = write(tmp_path / "gold.jsonl", GOLD)
    id = next(iter(GOLD))
    decision = {"document": id, "path": "name", "action": "set", "value": "?"}
    patch = tmp_path / "patch.jsonl"
    patch.write_text(json.dumps({**decision, "was": GOLD[id]["name"], "who": "me"}) + "\n")
    for name, options in (("plain", {}), ("patched", {"gold_patch": patch})):
        da.score(gold, write(tmp_path / "pred.jsonl", OLD), out=tmp_path / name, **options)  # type: ignore[arg-type]
    runs = (tmp_path / "plain", tmp_path / "patched")
    with pytest.raises(da.DataError, match="gold differs in 1"):
        da.compare(*runs, draws=DRAWS)
    first, second = values(da.compare(*runs, rescore=True, gold=gold, draws=DRAWS))
    assert first == second


def test_inputs_that_changed_since_are_said(folders: list[Path]) -> None:
    write(folders[0].parent / "old.jsonl", NEW)
    comparison = da.compare(*folders[:2], rescore=True, draws=DRAWS)
    assert values(comparison) == (0.5, 0.5)
    assert any(
        note.startswith("old: pred:") and "has changed since" in note for note in comparison.notes
    )


def test_what_cannot_be_scored_again_is_refused() -> None:
    scorer = da.Scorer()
    scorer.add("d1", {"a": "x"}, {"a": "x"})
    with pytest.raises(da.DataError, match="run 1 cannot be scored again"):
        da.compare(scorer.report(), scorer.report(), rescore=True)

    def pairs() -> Iterator[tuple[str, dict[str, str]]]:
        yield from OLD.items()

    used_up = da.score(GOLD, pairs())
    with pytest.raises(da.DataError, match="run 2 cannot be scored again"):
        da.compare(da.score(GOLD, NEW), used_up, rescore=True)


@pytest.mark.parametrize("option", [{"schema": {"fields": {}}}, {"gold": "gold.jsonl"}])
def test_another_schema_or_gold_needs_scoring_again(option: dict[str, object]) -> None:
    report = da.score(GOLD, OLD)
    with pytest.raises(da.ConfigurationError, match="needs scoring again"):
        da.compare(report, report, **option)  # type: ignore[arg-type]


def test_what_is_no_run_is_refused() -> None:
    report = da.score(GOLD, OLD)
    with pytest.raises(da.ConfigurationError, match="run 2 is a int"):
        da.compare(report, 3)  # type: ignore[arg-type]
    with pytest.raises(da.ConfigurationError, match="two runs or more"):
        da.compare(report)
    with pytest.raises(da.ConfigurationError, match="two runs or more"):
        da.compare()


def test_what_needs_a_run_folder_takes_that_of_a_report_or_says_so(tmp_path: Path) -> None:
    kept = da.score(
        write(tmp_path / "gold.jsonl", GOLD),
        write(tmp_path / "pred.jsonl", OLD),
        metrics=["kieval"],
        out=tmp_path / "run",
    )
    assert da.verify(kept).equal
    assert da.sensitivity(kept, limit=2).documents == 2
    report = da.score(GOLD, OLD)
    for function in (da.verify, da.sensitivity):
        with pytest.raises(da.ConfigurationError, match=r"needs a run folder.*report in memory"):
            function(report)
    for function in (da.verify, da.sensitivity, da.audit):
        with pytest.raises(da.ConfigurationError, match=r"needs a run folder.*a int"):
            function(3)  # type: ignore[arg-type]
    with pytest.raises(da.ConfigurationError, match="run 1 is a int"):
        da.thresholds(3)  # type: ignore[arg-type]


def test_predictions_alone_have_no_gold_to_doubt(tmp_path: Path) -> None:
    pred = write(tmp_path / "pred.jsonl", OLD)
    report = da.score(None, pred, out=tmp_path / "run")
    for run in (report, tmp_path / "run"):
        with pytest.raises(da.DataError, match="measured predictions without gold"):
            da.audit(run)
    with pytest.raises(da.ConfigurationError, match="gold is given as well"):
        da.score(pred, pred, no_gold=True)
