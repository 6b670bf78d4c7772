"""Every rendering shows the same report, however strange its names."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docassay import Report, Scorer, UnknownName, score
from docassay.model.problem import Problem, ProblemCode
from docassay.model.report import FORMATS, LazyInterval
from docassay.model.words import number
from docassay.report.csv import documents_csv, kind_csv
from docassay.report.problems import kinds
from docassay.report.rendering import render
from docassay.report.screen import Screen
from docassay.report.table import render as render_table
from docassay.report.tables import table_of

HOSTILE = ("=cmd()", "[bold]x[/]", "a|b", "\x1b[31mred", "new\nline", "`tick`", "@all", "\u202e")


def scored(gold: dict[str, object], pred: dict[str, object]) -> Report:
    scorer = Scorer()
    scorer.add("d", gold, pred)
    return scorer.report()


@pytest.mark.parametrize("format", FORMATS)
def test_a_report_of_nothing_is_rendered(format: str) -> None:
    assert render(Scorer().report(), format)


def test_an_unknown_rendering_lists_what_exists() -> None:
    with pytest.raises(UnknownName, match="markdown"):
        render(Scorer().report(), "pdf")


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("format", ["table", "markdown"])
def test_a_hostile_name_reaches_no_terminal_raw(format: str, name: str) -> None:
    text = render(scored({name: "1"}, {name: "2"}), format)
    assert all(line.isprintable() for line in text.split("\n"))


@pytest.mark.parametrize("name", ["\x1b[31mred", "\x9b31m", "bell\x07", "\u202eabc"])
def test_a_control_character_in_a_name_is_escaped_in_csv(name: str) -> None:
    text = render(scored({name: "1"}, {name: "2"}), "csv")
    assert all(line.isprintable() for line in text.split("\n"))


def test_markup_in_a_name_is_shown_literally() -> None:
    assert "[bold]x[/]" in render(scored({"[bold]x[/]": "1"}, {}), "table")


@given(st.dictionaries(st.text(min_size=1), st.text(), max_size=4))
@settings(max_examples=30, deadline=None)
def test_any_names_and_values_can_be_rendered(tree: dict[str, object]) -> None:
    report = scored(tree, {})
    assert all(render(report, format) for format in FORMATS)


def test_a_pipe_in_a_name_does_not_end_a_markdown_cell() -> None:
    text = render(scored({"a|b": "1"}, {"a|b": "1"}), "markdown")
    assert "| `a\\|b` |" in text


def test_a_formula_in_a_name_is_neutralised_in_every_csv() -> None:
    scorer = Scorer()
    scorer.add("=cmd()", {"=cmd()": "1"}, {})
    report = scorer.report()
    for text in (render(report, "csv"), kind_csv(report), "".join(documents_csv(report.lines))):
        cells = [one for row in csv.reader(io.StringIO(text)) for one in row]
        assert "'=cmd()" in cells
        assert "=cmd()" not in cells


def test_numbers_in_json_are_whole_where_they_count() -> None:
    report = json.loads(render(scored({"a": "1"}, {"a": "1"}), "json"))
    values = {one["readout"]: one["value"] for one in report["scores"] if not one["key"]}
    assert (values["tp"], values["group_f1"]) == (1, None)


def test_fields_come_weakest_first() -> None:
    text = kind_csv(scored({"good": "1", "bad": "1"}, {"good": "1", "bad": "2"}))
    assert [row[0] for row in csv.reader(io.StringIO(text))] == ["field", "bad", "good"]


def test_a_key_that_is_a_field_here_and_a_group_there_is_shown_as_both() -> None:
    tree: dict[str, object] = {"a": ["1", {"b": "2"}]}
    report = scored(tree, tree)
    assert [line.name for line in table_of(report, "field").lines] == ["a", "a.b"]
    assert [line.name for line in table_of(report, "group").lines] == ["a"]


def test_documents_come_in_gold_order() -> None:
    trees = {"right": {"a": "1"}, "wrong": {"a": "2"}, "best": {"a": "1"}}
    report = score({name: {"a": "1"} for name in trees}, trees)
    rows = [*csv.reader(documents_csv(report.lines))]
    assert [row[0] for row in rows] == ["document", *trees]


def test_an_interval_is_shown_when_there_is_one() -> None:
    report = scored({"a": "1"}, {"a": "1"})
    scores = tuple(entry._replace(interval=LazyInterval.of(0.25, 1.0)) for entry in report.scores)
    assert "[0.250, 1.000]" in render(replace(report, scores=scores), "table")


def test_colours_are_drawn_only_when_asked_for() -> None:
    report = scored({"a": "1"}, {"a": "2"})
    assert "\x1b[" in render_table(report, screen=Screen(80, True))
    assert "\x1b[" not in render_table(report, screen=Screen(80, False))


def test_problems_are_counted_by_kind() -> None:
    scorer = Scorer(schema={"fields": {"a": {"type": "money"}}})
    for i in range(5):
        scorer.add(f"d{i}", {"a": "1"}, {"a": f"O{i}"})
    text = render(scorer.report(), "table")
    assert "5 × pred: … is not an amount of money" in text
    assert "and 2 more" in text


def test_a_number_inside_a_name_does_not_tell_problems_apart() -> None:
    message = "byte {} is not UTF-8; read as Windows-1252"
    code = ProblemCode.ENCODING
    problems = [Problem(code, f"d{i}", "pred", "", message.format(i)) for i in range(2)]
    assert [kind.message for kind in kinds(problems)] == [message.format("…")]


def test_problems_of_different_codes_are_different_kinds_whatever_they_say() -> None:
    codes = (ProblemCode.NO_ID, ProblemCode.NO_TEXT, ProblemCode.NO_ID)
    problems = [Problem(code, "d", "pred", "", "same words") for code in codes]
    assert [(kind.code, kind.number) for kind in kinds(problems)] == [
        (ProblemCode.NO_ID, 2),
        (ProblemCode.NO_TEXT, 1),
    ]


@pytest.mark.parametrize(
    ("value", "shown"), [(None, "–"), (1234, "1,234"), (0.5, "0.5000"), (1.25, "1.2500")]
)
def test_a_number_is_shown_by_its_kind(value: float | int | None, shown: str) -> None:
    assert number(value) == shown


@pytest.mark.parametrize("metrics", [["entity"], ["kieval"], ["kieval_official"]])
@pytest.mark.parametrize("format", FORMATS)
def test_every_choice_of_metrics_is_rendered(metrics: list[str], format: str) -> None:
    scorer = Scorer(metrics=metrics)
    scorer.add("d", {"a": "1", "g": [{"x": "1"}]}, {"a": "2", "g": [{"x": "1"}, {"x": "3"}]})
    assert metrics[0] in render(scorer.report(), format)


def test_a_value_in_a_wrong_row_is_told_as_such() -> None:
    gold = {"g": [{"x": "1", "y": "1"}, {"x": "2", "y": "2"}]}
    pred = {"g": [{"x": "1", "y": "2"}, {"x": "2", "y": "1"}]}
    text = render(scored(dict(gold), dict(pred)), "table")
    assert "2 more values found, but in a wrong row" in text


@pytest.mark.parametrize("format", ["table", "markdown"])
def test_categories_of_ner_have_a_table_of_their_own(format: str) -> None:
    gold = {"p": {"name": ["Jean", "Marie"], "date": ["1770"]}}
    pred = {"p": {"name": ["Jean", "Mario"], "date": ["1770"]}}
    text = render(score(gold, pred, metrics=["ner"]), format)
    lines = text[text.index("category") :].splitlines()
    (name,) = [line for line in lines if "name" in line]
    assert "0.1000" in name  # one of the five letters of one of the two names
    assert "category" not in render(score(gold, pred), format)
