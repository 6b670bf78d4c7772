"""A report in ten lines and as a table of HTML, its weakest fields and worst documents."""

from __future__ import annotations

import docassay as da
from docassay.report.notebook import headline, main_score, weakest, worst

GOLD = {name: {"a": "1", "b": "2", "c": "3"} for name in "xyz"}
PRED = {
    "x": {"a": "1", "b": "2", "c": "4"},
    "y": {"a": "1", "b": "3", "c": "4"},
    "z": {"a": "1", "b": "3", "c": "4", "d": "5"},
}


def test_fields_and_documents_are_ranked_by_the_main_score() -> None:
    report = da.score(GOLD, PRED)
    assert main_score(report) == "kieval.aligned"
    assert [score.key for score in weakest(report)] == ["c", "d", "b"]
    assert [line.id for line in worst(report)] == ["z", "y", "x"]
    assert [line.id for line in worst(report, 1)] == ["z"]
    assert worst(report, 0) == []


def test_the_headline_says_what_the_corrections_are() -> None:
    lines = [*headline(da.score(GOLD, PRED))]
    assert [(line.label, line.value) for line in lines][1:] == [
        ("corrections", "6"),
        ("documents", "0"),
    ]
    assert lines[1].meaning == "5 substitutions, 0 additions, 1 deletion"
    assert lines[2].meaning == "of 3 fully correct"


def test_without_kieval_the_headline_of_the_chosen_metric_stands_there() -> None:
    report = da.score(GOLD, PRED, metrics=["entity"])
    assert main_score(report).startswith("entity.")
    assert "entity" in report.scores[0].name
    assert 2 < len(repr(report).splitlines()) <= 10


def test_a_report_prints_ten_lines_and_shows_a_table_with_everything_escaped() -> None:
    gold = {"<b>&": {f"f{n}": "x" for n in range(9)}}
    report = da.score(gold, {"<b>&": {f"f{n}": "y" for n in range(9)}})
    lines = repr(report).splitlines()
    assert len(lines) == 10
    assert lines[1].split() == ["aligned", "0.0000"]
    assert lines[-2:] == ["worst document <b>&, aligned 0.0000", "  report.explain('<b>&')"]
    table = report._repr_html_()
    assert "<b>" not in table
    assert "&lt;b&gt;&amp;" in table
    assert len(repr(da.score(gold, gold)).splitlines()) == 4
