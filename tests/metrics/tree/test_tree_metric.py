"""The metric `tree` on documents: what it looks at, its readouts, options and limits."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import docassay as da
from docassay.errors import ConfigurationError
from docassay.matching.case import Layouts
from docassay.metrics.sides import Side
from docassay.metrics.tree.metric import plain_tree
from docassay.model.report import Report
from docassay.model.schema import Schema
from docassay.schema.source import load_schema
from tests.growth import growth

GOLD = {"menu": [{"nm": "tea", "p": "3"}, {"nm": "cake", "p": "4"}], "total": "7"}
PRED = {"menu": [{"nm": "cake", "p": "5"}, {"nm": "tea", "p": "3"}], "total": "7"}


def report_of(gold: object, pred: object, **settings: object) -> Report:
    schema = settings.pop("schema", None)
    told = {f"tree.{name}": value for name, value in settings.items()}
    return da.score({"x": gold}, {"x": pred}, metrics=["tree"], schema=schema, settings=told)


PLAIN = [
    pytest.param({"a": {"value": "x", "confidence": 0.5}}, {"a": "x"}, id="located leaf"),
    pytest.param({"a": {"value": {"b": "x"}}}, {"a": {"b": "x"}}, id="located object"),
    pytest.param({"a": {"any_of": ["x", 1]}}, {"a": ("x", 1)}, id="alternatives"),
    pytest.param({"a": [{"any_of": ["x"]}, "y"]}, {"a": [("x",), "y"]}, id="in a list"),
    pytest.param({"a": ("x", "y")}, {"a": ("x", "y")}, id="a tuple lists alternatives"),
    pytest.param({"a": None, "b": "NOT_FOUND"}, {"a": None, "b": "NOT_FOUND"}, id="as found"),
    pytest.param({"a": {"value": "x", "n": "y"}}, {"a": {"value": "x", "n": "y"}}, id="a row"),
    pytest.param({"any_of": ["a", "b"]}, ("a", "b"), id="a whole document with alternatives"),
    pytest.param(["x", {"a": {"value": 1}}], ["x", {"a": 1}], id="a document that is a list"),
    pytest.param(None, None, id="no document"),
]


@pytest.mark.parametrize(("tree", "expected"), PLAIN)
def test_a_document_is_plain_values(tree: object, expected: object) -> None:
    assert plain_tree(tree, Layouts(Schema()).plain, side=Side(gold=True)) == expected


def test_of_alternatives_in_a_prediction_the_first_is_taken() -> None:
    tree = {"a": {"any_of": ["x", "y"]}, "b": ("x", "y"), "c": {"any_of": []}}
    expected = {"a": "x", "b": "x", "c": None}
    assert plain_tree(tree, Layouts(Schema()).plain, side=Side(gold=False)) == expected


def test_an_object_that_the_schema_calls_a_group_is_no_leaf() -> None:
    layout = Layouts(load_schema({"groups": {"a": {"fields": {"value": "text"}}}})).plain
    assert plain_tree({"a": {"value": "x"}}, layout, side=Side(gold=True)) == {"a": {"value": "x"}}


def test_fields_that_do_not_count_are_left_out() -> None:
    schema = {
        "types": {"bill": {"fields": ["DOCUMENT_TYPE", "total"], "unscored": ["balance"]}},
        "fields": {"total": "money", "balance": "money", "other": "text"},
    }
    gold = {"DOCUMENT_TYPE": "bill", "total": "7", "balance": "1", "other": "x"}
    pred = {"DOCUMENT_TYPE": "bill", "total": "7", "balance": "2"}
    report = report_of(gold, pred, schema=schema)
    assert report["tree.nted"].value == report["tree.anls_star"].value == 1.0
    assert report_of(gold, {**pred, "other": "y"}, schema=schema)["tree.nted"].value == 1.0
    del gold["other"]
    invented = report_of(gold, {**pred, "other": "y"}, schema=schema)
    assert invented["tree.anls_star"].value == pytest.approx(2 / 3)


def test_types_of_fields_play_no_part() -> None:
    typed = report_of({"total": "7.00"}, {"total": "$7"}, schema={"fields": {"total": "money"}})
    assert typed["tree.anls_star"].value == 0.0


def test_scores_are_means_over_documents_with_their_number() -> None:
    gold = {"a": GOLD, "b": {"x": "y"}, "c": {}}
    pred = {"a": PRED, "b": {"x": "y"}, "c": {}}
    report = da.score(gold, pred, metrics=["tree"])
    assert report["tree.anls_star"].value == pytest.approx((0.8 + 1 + 1) / 3)
    assert report["tree.anls_star"].support == 3
    assert report["tree.nted"].support == 2
    assert report["tree.nted_undefined"].value == 1
    assert report["tree.anls_star@menu.p"].value == 0.5
    assert report["tree.anls_star@menu.p"].support == 1
    lines = {line.id: line.scores["tree.anls_star"] for line in report.lines}
    assert lines == {"a": 0.8, "b": 1.0, "c": 1.0}


def test_a_missing_prediction_is_all_wrong() -> None:
    report = da.score({"a": GOLD, "b": GOLD}, {"a": GOLD}, metrics=["tree"])
    assert report["tree.anls_star"].value == report["tree.nted"].value == 0.5


@pytest.mark.parametrize("part", ["nted", "anls_star"])
def test_one_part_may_be_measured_alone(part: str) -> None:
    report = report_of(GOLD, PRED, only=part)
    assert {one.readout for one in report.scores} & {"nted", "anls_star"} == {part}


def test_an_unknown_part_stops_the_run_before_it_starts() -> None:
    with pytest.raises(ConfigurationError, match="unknown part of tree 'ted'"):
        report_of(GOLD, PRED, only="ted")


@pytest.mark.parametrize("limit", ["max_cells", "max_pairs"])
def test_a_document_that_takes_too_long_is_counted_and_named(limit: str) -> None:
    report = report_of(GOLD, PRED, **{limit: 3})
    assert report["tree.documents_too_large"].value == 1
    left_out, kept = ("nted", "anls_star") if limit == "max_cells" else ("anls_star", "nted")
    assert report[f"tree.{left_out}"].value is None
    assert report[f"tree.{kept}"].value is not None
    assert "too large" in report.problems[0].message


def test_items_without_a_place_in_donuts_tree_are_named() -> None:
    report = report_of({"a": ["x", {"b": "y"}]}, {"a": ["x"]})
    assert [one.message for one in report.problems] == [
        "tree: nted leaves out 1 of the items in lists of plain values: objects or lists"
    ]


def rows(count: int, slip: int) -> list[dict[str, str]]:
    return [
        {"nm": f"item {i * slip % 101}", "n": f"{i % 7}", "p": f"{i * slip}.00", "q": f"A{i}"}
        for i in range(count)
    ]


def test_three_times_the_rows_are_about_nine_times_the_work() -> None:
    def score(count: int) -> Report:
        return report_of({"menu": rows(count, 7)}, {"menu": rows(count - 10, 9)})

    report = score(300)
    assert 0 < report["tree.nted"].value < 1
    assert 0 < report["tree.anls_star"].value < 1
    assert not report.problems
    assert growth(score, 100, 300) < 27


def test_a_document_of_endless_lists_is_refused() -> None:
    many = [f"text {i}" for i in range(5_000)]
    report = report_of({"tags": ["x", *many, "y"]}, {"tags": ["z", *many, "w"]})
    assert report["tree.documents_too_large"].value == 1


def test_a_document_nested_beyond_reading_is_no_crash() -> None:
    deep: object = "x"
    for _ in range(400):
        deep = {"a": [deep]}
    scorer = da.Scorer(metrics=["tree"])
    scorer.add("x", deep, deep)
    assert scorer.report()["tree.anls_star"].value in (1.0, None)


def test_every_document_has_the_scores_of_the_released_code(shared: Path) -> None:
    pairs = json.loads((shared / "vectors" / "tree.json").read_text(encoding="utf-8"))["pairs"]
    scorer = da.Scorer(metrics=["tree"])
    for number, pair in enumerate(pairs):
        scorer.add(f"{number}", pair["gold"], pair["pred"])
    for line in scorer.report().lines:
        pair = pairs[int(line.id)]
        assert line.scores["tree.anls_star"] == pytest.approx(pair["anls_star"], abs=1e-9)
        if pair.get("donut_nted") is not None and pair["gold"]:
            assert line.scores["tree.nted"] == pytest.approx(pair["donut_nted"], abs=1e-9)
