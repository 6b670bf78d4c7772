"""Stored runs as text: lists, trends, verifications and sensitivity, safe in every format."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from docassay.analysis.ranking import SettingLine
from docassay.analysis.runs import RunList, RunScore, StoredRun, Trend, TrendPoint, TrendSeries
from docassay.analysis.sensitivity import AS_SCORED, Sensitivity
from docassay.analysis.verify import RunChange, ScoreMismatch, Verification, parse_claim
from docassay.errors import ConfigurationError, UnknownName
from docassay.report.charts.trend import CourseLine, CoursePoint, svg
from docassay.report.runs import (
    render_runs,
    render_trend,
    render_verification,
    sparkline,
    write_trend,
)
from docassay.report.screen import Screen
from docassay.report.sensitivity import render

ODD = "=1+1|<b>`$x`\x1b[1m"
NARROW = Screen(80)


def run(name: str, value: float | int | None, day: int = 1) -> StoredRun:
    ends = (None, None) if value is None else (value - 0.01, value + 0.01)
    return StoredRun(
        name,
        f"runs/{name}",
        f"2025-01-0{day}T10:20:30.000+00:00",
        {"prompt": ODD},
        1234,
        "m-1",
        "bills",
        "0123456789abcdef",
        "docassay:0",
        RunScore("kieval.aligned", "aligned", value, *ends),
    )


LISTING = RunList(
    "runs", (run("a", 0.91234), run(ODD, None), StoredRun("c", "c", "", {}, problem="x"))
)


def test_a_list_of_runs_shows_what_is_known_of_each() -> None:
    text = render_runs(LISTING, screen=NARROW)
    assert "0.912 [0.902, 0.922]" in text
    assert "2025-01-01 10:20" in text
    assert "1,234" in text
    assert "cannot be read" in text
    assert "\x1b" not in text
    assert max(map(len, text.split("\n"))) <= 80
    flat = "".join(text.split())
    assert "gold01234567" in flat
    assert "012345678" not in flat


def test_runs_that_show_different_scores_name_them() -> None:
    other = run("b", 3)._replace(score=RunScore("entity.f1", "entity F1", 3, 2, 4))
    text = render_runs(RunList("runs", (run("a", 0.5), other)), screen=Screen(120))
    assert "headline" in text
    assert "aligned 0.500" in text
    assert "entity F1 3 [2, 4]" in text


def test_lists_are_safe_as_csv_and_markdown_and_whole_as_json() -> None:
    rows = [*csv.DictReader(io.StringIO(render_runs(LISTING, "csv")))]
    assert rows[1]["name"].startswith("'=1+1")
    assert rows[0]["value"] == "0.91234"
    markdown = render_runs(LISTING, "markdown")
    assert "\\|<b>" in markdown
    assert "\x1b" not in markdown
    plain = json.loads(render_runs(LISTING, "json"))
    assert plain["runs"][0]["score"]["value"] == 0.91234
    assert plain["runs"][0]["tags"] == {"prompt": ODD}
    with pytest.raises(UnknownName):
        render_runs(LISTING, "yaml")


def course(by: str = "") -> Trend:
    runs = [run("a", 0.5, 1), run("b", 0.9, 2), run("c", None, 3), run(ODD, 0.6, 4)]
    scores = [each.score for each in runs]
    changes = (None, 0.4, None, -0.3)
    points = tuple(
        TrendPoint(each, score, change)
        for each, score, change in zip(runs, scores, changes, strict=True)
        if score is not None
    )
    series = (TrendSeries("v1", points[:2]), TrendSeries("", points[2:]))
    return Trend("kieval.aligned", "runs", by, series if by else (TrendSeries("", points),))


@pytest.mark.parametrize(
    ("values", "line"),
    [
        ([0.0, 0.5, 1.0], "▁▅█"),
        ([0.2, None, 0.2], "▂ ▂"),
        ([], ""),
    ],
)
def test_a_sparkline_spans_its_ends(values: list[float | None], line: str) -> None:
    assert sparkline(values, 0.0, 1.0) == line


def test_a_sparkline_without_range_is_level() -> None:
    assert sparkline([0.5, 0.5], 0.5, 0.5) == "▅▅"


def test_a_trend_shows_bars_values_and_changes() -> None:
    text = render_trend(course(), screen=NARROW)
    assert "▁█ ▃  0.5000 → 0.6000  4 runs" in text
    assert "+0.4000" in text
    assert "−0.3000" in text
    assert "\x1b" not in text
    by = render_trend(course("prompt"), screen=NARROW)
    assert "prompt=v1  ▁█  0.5000 → 0.9000  2 runs" in by
    assert "no prompt   ▃  0.6000 → 0.6000  2 runs" in by


def test_a_trend_is_data_in_other_formats() -> None:
    points = json.loads(render_trend(course("prompt"), "json"))["points"]
    assert [point["series"] for point in points] == ["v1", "v1", "", ""]
    assert [point["change"] for point in points] == [None, 0.4, None, -0.3]
    rows = [*csv.DictReader(io.StringIO(render_trend(course(), "csv")))]
    assert rows[3]["run"].startswith("'=1+1")
    assert "| `b` | 2025-01-02 10:20 |" in render_trend(course(), "markdown")


def test_a_trend_is_drawn_as_svg_of_the_same_bytes(tmp_path: Path) -> None:
    write_trend(tmp_path / "a" / "t.svg", course("prompt"))
    text = (tmp_path / "a" / "t.svg").read_text()
    write_trend(tmp_path / "t.svg", course("prompt"))
    assert text == (tmp_path / "t.svg").read_text()
    assert text.count("<circle") == 3 + 2
    assert "<b>" not in text
    assert "\x1b" not in text
    assert "2025-01-01 10:20" in text
    with pytest.raises(ConfigurationError, match=r"ends in \.svg or \.png"):
        write_trend(tmp_path / "t.gif", course())


def test_a_chart_puts_higher_values_higher_and_later_runs_to_the_right() -> None:
    points = tuple(
        CoursePoint(place, value, None, None, "run", "day")
        for place, value in ((0, 0.2), (1, 0.8), (2, 0.5))
    )
    drawn = svg("title", [CourseLine("", points)])
    corners = drawn.partition('polyline points="')[2].partition('"')[0].split()
    (x0, y0), (x1, y1), (x2, y2) = (tuple(map(float, corner.split(","))) for corner in corners)
    assert x0 < x1 < x2
    assert y1 < y2 < y0
    assert svg("title", []).endswith("</svg>\n")


def test_a_trend_is_drawn_as_png(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    write_trend(tmp_path / "t.png", course("prompt"))
    assert (tmp_path / "t.png").read_bytes().startswith(b"\x89PNG")


def verification(**changes: object) -> Verification:
    return Verification("run", "sig", 60, 966, inputs=("gold", "pred"), **changes)  # type: ignore[arg-type]


def test_an_equal_run_begins_with_equal() -> None:
    text = render_verification(verification(claims=(parse_claim("aligned=0.972"),)))
    assert text.split("\n")[0] == "equal"
    assert "aligned is 0.972, as quoted" in text
    assert "966 scores of 60 documents, scored again from gold and pred" in text
    assert json.loads(render_verification(verification(), "json"))["equal"] is True
    with pytest.raises(UnknownName):
        render_verification(verification(), "csv")


def test_a_differing_number_is_shown_with_both_values() -> None:
    wrong = ScoreMismatch("kieval.aligned", "value", "0.97", 0.9613466, "report.json")
    near = ScoreMismatch(f"x@{ODD}", "low", "0.96130001", 0.96130002, "claim")
    text = render_verification(verification(differing=(wrong, near)), screen=Screen(100))
    assert "2 numbers differ" in text
    assert "0.9700" in text
    assert "0.9613" in text
    assert "0.96130001" in text
    assert "0.96130002" in text
    assert "(low)" in text
    assert "\x1b" not in text
    many = render_verification(verification(differing=(wrong,) * 25))
    assert "and 5 more" in many


def test_what_has_changed_is_shown_from_what_to_what() -> None:
    change = RunChange("gold", "digest 1", "digest 2", "gold.jsonl")
    text = render_verification(verification(changes=(change,), stale=("summary.md",)))
    assert text.startswith("changed")
    assert "gold: gold.jsonl" in text
    assert "digest 1 → digest 2" in text
    assert "came out as they were" in text
    assert "summary.md shows other numbers" in text


def study(*runs: str) -> Sensitivity:
    most = len(runs)
    usual = SettingLine(AS_SCORED, "", "aligned", (0.9, 0.8, 0.7)[:most], (1, 2, 3)[:most], 0)
    usual = usual._replace(rival=1, difference=0.1, p=0.0001)
    other = usual._replace(kind="rows", label="in order", values=(0.7, 0.8, 0.75)[:most])
    other = other._replace(ranks=(3, 1, 2)[:most], winner=1, rival=0, p=0.2)
    tie = other._replace(label="as a set", winner=None, rival=None, p=None, difference=None)
    idle = usual._replace(kind="dates", label=ODD, effect=False)
    return Sensitivity(runs, ("s",) * most, 12, "aligned", False, (usual, other, tie, idle), 9)


def test_sensitivity_says_what_changes_the_winner_and_whether_that_is_sure() -> None:
    text = render(study("a", "a very long name of a run", "c"), screen=NARROW)
    assert "a leads as scored by 0.1000 over" in text
    assert "beyond chance (p < 0.001)" in " ".join(text.split())
    assert "rows: in order: a very long name of a run leads" in text
    assert "within chance (p 0.200)" in " ".join(text.split())
    assert "rows: as a set: no run leads" in text
    assert "0.8000 (1)" in text
    assert "…" in text
    assert "without effect: dates:" in text
    assert "\x1b" not in text
    assert max(map(len, text.split("\n"))) <= 80


def test_sensitivity_of_one_run_is_a_range() -> None:
    text = render(study("a"), screen=NARROW)
    assert "from 0.7000 to 0.9000" in text
    assert "winner" not in text


def test_sensitivity_is_data_in_other_formats() -> None:
    plain = json.loads(render(study("a", "b"), "json"))
    assert (plain["winner"], plain["stable"]) == ("a", False)
    assert [each["changes_winner"] for each in plain["settings"]] == [False, True, True, False]
    rows = [*csv.DictReader(io.StringIO(render(study("a", "b"), "csv")))]
    assert [row["rank"] for row in rows[:4]] == ["1", "2", "3", "1"]
    assert rows[-1]["setting"].startswith("'=1+1")
    assert "| rows | `in order` | `0.7000` | `0.8000` | `b !` | `0.200` |" in render(
        study("a", "b"), "markdown"
    )
    with pytest.raises(UnknownName):
        render(study("a"), "yaml")


def test_what_all_runs_share_stands_once_below_them() -> None:
    shared = render_runs(RunList("runs", (run("a", 0.5), run("b", 0.6))), screen=NARROW)
    assert shared.splitlines()[-1] == "all runs: 1,234 documents, gold 01234567, schema bills"
    assert shared.count("bills") == shared.count("gold") == 1
    assert "documents  " not in shared
    assert "tags, model" in shared
    other = run("b", 0.6)._replace(gold="fedcba9876543210", documents=7)
    text = render_runs(RunList("runs", (run("a", 0.5), other)), screen=Screen(120))
    assert text.splitlines()[-1] == "all runs: schema bills"
    assert "gold 01234567" in text
    assert "gold fedcba98" in text
    assert "documents  " in text
    alone = render_runs(RunList("runs", (run("a", 0.5),)), screen=NARROW)
    assert alone.splitlines()[-1] == "gold 01234567, schema bills"


def test_names_of_runs_are_not_folded_where_there_is_room() -> None:
    names = ["runs/a-rather-long-name", "x"]
    text = render_runs(RunList("runs", tuple(run(name, 0.5) for name in names)), screen=NARROW)
    assert "runs/a-rather-long-name " in text
