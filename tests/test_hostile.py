"""Predictions that are not what they should be are counted, never fatal."""

from __future__ import annotations

import json

import pytest

import docassay as da

GOLD = {"total": "5", "items": [{"name": "a", "price": "1"}, {"name": "b", "price": "2"}]}


def nested(levels: int) -> dict[str, object]:
    tree: object = "deep"
    for _ in range(levels):
        tree = {"total": tree}
    return tree  # type: ignore[return-value]


def nested_list(levels: int) -> dict[str, object]:
    tree: object = ["deep"]
    for _ in range(levels):
        tree = [tree]
    return {"total": tree}


@pytest.mark.parametrize(
    ("pred", "problems"),
    [
        pytest.param({}, 0, id="an empty object"),
        pytest.param(None, 0, id="null"),
        pytest.param([], 1, id="an empty list"),
        pytest.param([GOLD], 1, id="a list"),
        pytest.param("total: 5", 1, id="a text"),
        pytest.param(5, 1, id="a number"),
        pytest.param(True, 1, id="a truth value"),
        pytest.param(nested(10_000), 1, id="ten thousand levels of objects"),
        pytest.param(nested_list(10_000), 1, id="ten thousand levels of lists"),
    ],
)
def test_an_odd_prediction_counts_as_all_missed(pred: object, problems: int) -> None:
    scorer = da.Scorer(metrics=["entity", "kieval", "kieval_official"])
    scorer.add("x", GOLD, pred)
    report = scorer.report()
    assert report["kieval.additions"].value == 5
    assert report["kieval.tp"].value == 0
    assert report["entity.recall"].value == 0.0
    assert len(report.problems) == problems


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(
            '{"id": "x", "prediction": ' + '{"a":' * 10_000 + "1" + "}" * 10_001, id="objects"
        ),
        pytest.param('{"id": "x", "total": ' + "[" * 10_000 + "]" * 10_000 + "}", id="lists"),
        pytest.param('{"id": "x", "total": ', id="a line cut off"),
        pytest.param("not json at all", id="prose"),
    ],
)
def test_a_line_that_cannot_be_read_is_a_problem_and_its_document_all_missed(
    tmp_path: object, line: str
) -> None:
    gold, pred = tmp_path / "gold.jsonl", tmp_path / "pred.jsonl"  # type: ignore[operator]
    gold.write_text(json.dumps({"id": "x", **GOLD}) + "\n" + json.dumps({"id": "y", **GOLD}) + "\n")
    pred.write_text(line + "\n" + json.dumps({"id": "y", **GOLD}) + "\n")
    report = da.score(gold, pred)
    assert report.documents == 2
    assert report["kieval.additions"].value == 5
    assert report["kieval.tp"].value == 5
    assert any("pred.jsonl:1" in (one.where or "") for one in report.problems)


def test_a_tree_that_holds_itself_is_an_error_and_a_deep_one_is_cut_off() -> None:
    tree: dict[str, object] = {"total": "5"}
    tree["again"] = tree
    scorer = da.Scorer()
    with pytest.raises(da.DataError, match="pred document 'x': the document holds itself"):
        scorer.add("x", GOLD, tree)
    deep: dict[str, object] = {"total": "5"}
    for _ in range(3_000):
        deep = {"again": deep}
    scorer.add("x", GOLD, deep)
    assert any("nested deeper" in one.message for one in scorer.report().problems)
