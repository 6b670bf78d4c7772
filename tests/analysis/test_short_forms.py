"""What results print: a few lines, whatever they hold."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import docassay as da
from docassay.analysis.audit.result import Audit, Suspect
from docassay.analysis.runs import RunList, StoredRun
from docassay.analysis.sensitivity import AS_SCORED, Sensitivity, SettingLine
from docassay.analysis.verify import RunChange, ScoreMismatch, Verification
from docassay.model.report import LazyInterval, Score
from docassay.model.words import listed

GOLD = {f"d{number:02}": {"total": f"${number}.00", "name": "tea"} for number in range(12)}
PRED = {id: {**tree, "total": "$99"} if id < "d03" else tree for id, tree in GOLD.items()}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("short")
    for name, trees in (("gold", GOLD), ("old", GOLD), ("new", PRED)):
        lines = (json.dumps({"id": id, **tree}) + "\n" for id, tree in trees.items())
        (folder / f"{name}.jsonl").write_text("".join(lines))
    for name in ("old", "new"):
        da.score(
            folder / "gold.jsonl",
            folder / f"{name}.jsonl",
            metrics=["kieval"],
            out=folder / "runs" / name,
            tag={"model": name},
        )
    return folder / "runs"


def test_lines_are_cut_and_made_harmless() -> None:
    assert (
        listed("first", ["a", "b\x1b[2J", "c"], most=2) == "first\n  a\n  b\\x1b[2J\n  and 1 more"
    )
    assert listed("first", ["a", "b"], most=2) == "first\n  a\n  b"


@pytest.mark.parametrize(
    ("score", "text"),
    [
        (Score("m", "r", "a", "", 0.25, 8), "Score(m.r@a = 0.25, support 8)"),
        (
            Score("m", "r", "", "t=x", 1 / 3, 3, LazyInterval(lambda: (0.1, 0.5))),
            "Score(m.r[t=x] = 0.333333 [0.1, 0.5], support 3)",
        ),
        (Score("m", "n", "", "", None, 0), "Score(m.n = undefined, support 0)"),
    ],
)
def test_a_score_is_shown_with_its_interval(score: Score, text: str) -> None:
    assert repr(score) == text


def test_a_comparison_shows_differences_and_intervals(runs: Path) -> None:
    comparison = da.compare(runs / "old", runs / "new", draws=200)
    difference = comparison["aligned"].differences[0]
    line = f"new: 0.875 (tied, -0.1250 [{difference.low:+.4f}, {difference.high:+.4f}])"
    assert repr(comparison).splitlines()[-1] == line
    assert repr(comparison["aligned"]).startswith(
        "ComparedScore(kieval.aligned = 1, 0.875; run 1: tied, -0.1250 ["
    )


def test_a_forecast_shows_what_is_needed_and_what_is_there(runs: Path) -> None:
    study = da.power(runs / "old", runs / "new", difference=0.1)
    main = study["aligned"]
    assert repr(study).splitlines() == [
        f"kieval.aligned: {main.needed} documents show a difference of 0.1 (power 0.8, alpha 0.05)",
        f"12 documents at hand: a difference of {main.resolves:.4f} or more",
    ]
    assert "no forecast for a difference of 0.1" in repr(
        da.power(runs / "old", runs / "old", difference=0.1)
    )


def test_an_audit_shows_the_first_suspects() -> None:
    suspect = Suspect("d1", "total", "total", None, "7\x1b", 0.9, (), (), None)
    audit = Audit("1", ("a",), ("s",), 3, 9, 0.3, (suspect,) * 12, (), ())
    first, second, *_, last = repr(audit).splitlines()
    assert first == "12 suspect values of gold in 3 documents"
    assert second == r"  0.900 d1 total: gold nothing, proposed '7\x1b'"
    assert last == "  and 2 more"


def test_sensitivity_shows_who_leads_and_what_changes_that() -> None:
    def line(kind: str, label: str, values: tuple[float, float], winner: int) -> SettingLine:
        ranks = (1, 2) if winner == 0 else (2, 1)
        return SettingLine(kind, label, "m.r", values, ranks, winner, True, 1 - winner, 0.1, 0.01)

    lines = (
        line(AS_SCORED, "", (0.9, 0.8), 0),
        line("rows", "in order", (0.7, 0.8), 1),
        line("rows", "as a set", (0.9, 0.8), 0),
    )
    study = Sensitivity(("a", "b"), ("", ""), 5, "m.r", False, lines, 4)
    assert repr(study).splitlines() == [
        "m.r over 5 documents, 2 other settings",
        "  a: 0.9000",
        "  b: 0.8000",
        "a leads as scored",
        "  rows: in order: b leads",
    ]


def test_a_verification_shows_what_differs(runs: Path) -> None:
    assert repr(da.verify(runs / "new")).startswith("equal: ")
    mismatch = ScoreMismatch("m.r", "value", "0.5", 0.25, "report.json")
    change = RunChange("gold", "digest a", "digest b", "gold.jsonl")
    other = Verification("run", "s", 4, 9, (mismatch,), (change,), ("fields.csv",))
    assert repr(other).splitlines() == [
        "not equal: 9 scores of 4 documents",
        "  changed: gold gold.jsonl",
        "  stale: fields.csv",
        "  m.r: 0.5 → 0.25",
    ]


def test_lists_of_runs_and_trends_have_a_line_a_run(runs: Path) -> None:
    listing = da.runs(runs, sort="name")
    ends = [f"[{run.score.low:.3f}, {run.score.high:.3f}]" for run in listing.runs if run.score]
    first, *lines = repr(listing).splitlines()
    assert first == f"2 runs below {runs}"
    assert [line.partition(", 12 documents, 20")[0] for line in lines] == [
        f"  new: aligned 0.8750 {ends[0]}",
        f"  old: aligned 1.0000 {ends[1]}",
    ]
    assert repr(da.trend("aligned", runs, by="model")).splitlines() == [
        f"kieval.aligned of 2 runs below {runs}",
        f"  new new: aligned 0.8750 {ends[0]}",
        f"  old old: aligned 1.0000 {ends[1]}",
    ]
    broken = RunList(".", (StoredRun("x", "x", "", {}, problem="torn"),))
    assert repr(broken) == "1 run below .\n  x: torn"


def test_a_table_of_models_marks_the_best(runs: Path) -> None:
    names = {str(runs / name): "bills" for name in ("old", "new")}
    table = da.tabulate(runs / "old", runs / "new", draws=200, datasets=names)
    assert repr(table).splitlines() == [
        "2 models, 1 data set",
        "  kieval.aligned, bills, old: 1.0000 (best)",
        "  kieval.aligned, bills, new: 0.8750",
    ]


def test_patched_gold_shows_where_it_is(runs: Path, tmp_path: Path) -> None:
    decision = {"document": "d01", "path": "name", "action": "set", "was": "tea", "value": "Tea"}
    out = tmp_path / "gold.jsonl"
    patched = da.apply_gold_patch([decision], runs.parent / "gold.jsonl", out)
    assert repr(patched) == f"{out}: 1 decision, 1 document changed; log in {patched.log}"


def test_thresholds_show_what_needs_no_review() -> None:
    pred = {
        id: {"total": {"value": tree["total"], "confidence": 0.5 + number / 40}}
        for number, (id, tree) in enumerate(PRED.items())
    }
    study = da.thresholds(da.score(GOLD, pred, metrics=["kieval"]))
    assert repr(study).splitlines()[:2] == [
        "12 values of 12 documents, target error 0.01",
        "  no review: 1.0000 without review, 0.2500 of them wrong",
    ]
