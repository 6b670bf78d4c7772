"""nTED is Donut's: its answers on generated pairs, and the tree it makes of a document."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given

from docassay.metrics.tree.nted import nted
from docassay.model.document import Number
from tests.strategies import TREE

EMPTY_GOLD = {14, 35, 82}
"""Pairs whose gold is {}: Donut says 0, we that there is nothing to be right about."""


def accuracy(gold: object, pred: object) -> float | None:
    return nted(gold, pred).accuracy


def test_the_accuracy_is_donuts_on_every_pair(shared: Path) -> None:
    pairs = json.loads((shared / "vectors" / "tree.json").read_text(encoding="utf-8"))["pairs"]
    stated = {i: pair for i, pair in enumerate(pairs) if "donut_nted" in pair}
    ours = {i: accuracy(pair["gold"], pair["pred"]) for i, pair in stated.items()}
    assert {i for i, value in ours.items() if value is None} == EMPTY_GOLD
    for i in stated.keys() - EMPTY_GOLD:
        assert ours[i] == pytest.approx(stated[i]["donut_nted"], abs=1e-9), i


CASES = [
    pytest.param({"a": "xy"}, {"a": ["xy"]}, 0, 3, id="a value is a list of one"),
    pytest.param({"a": {"b": "x"}}, {"a": [{"b": "x"}]}, 0, 4, id="so is an object"),
    pytest.param({"bb": "1", "a": "2"}, {"a": "2", "bb": "1"}, 0, 4, id="keys have an order"),
    pytest.param({"a": ["x", "y"]}, {"a": ["y", "x"]}, 2, 3, id="lists keep theirs"),
    pytest.param({"a": " x  y "}, {"a": "x  y"}, 0, 5, id="stripped, not collapsed"),
    pytest.param({"a": "Abc"}, {"a": "abc"}, 1, 4, id="case counts"),
    pytest.param({"a": "x"}, {}, 2, 2, id="all missed"),
    pytest.param({"a": "x", "b": ""}, {"a": "x"}, 0, 2, id="an empty text has no node"),
    pytest.param({"a": "x", "b": None}, {"a": "x"}, 0, 2, id="nor has null"),
    pytest.param({"a": "x", "b": [{}]}, {"a": "x"}, 0, 2, id="nor an empty row"),
    pytest.param({"a": "x", "b": "  "}, {"a": "x"}, 1, 3, id="a blank text has, without length"),
    pytest.param({"a": ["x", " "]}, {"a": "x"}, 0, 2, id="but not in a list"),
    pytest.param({"a": 0}, {"a": "0"}, 0, 2, id="0 is a value, which Donut drops"),
    pytest.param({"a": False}, {"a": "False"}, 0, 6, id="false is a value, which Donut drops"),
    pytest.param({"a": Number("1.50")}, {"a": "1.50"}, 0, 5, id="digits as written"),
    pytest.param({"a": ("x", "yz")}, {"a": "yz"}, 0, 2, id="any of several texts is right"),
    pytest.param({"a": ("", "yz")}, {"a": "yz"}, 0, 3, id="an empty alternative is none"),
    pytest.param([{"a": "x"}], [{"a": "x"}], 0, 3, id="a list of rows is a document too"),
    pytest.param("x", None, 1, 1, id="and so is a text"),
]


@pytest.mark.parametrize(("gold", "pred", "distance", "whole"), CASES)
def test_a_document_becomes_donuts_tree(
    gold: object, pred: object, distance: int, whole: int
) -> None:
    assert nted(gold, pred)[:2] == (distance, whole)


def test_objects_beside_plain_values_have_no_place_and_are_counted() -> None:
    found = nted({"a": ["x", {"b": "y"}, ["z"]]}, {"a": ["x"]})
    assert found == (0, 2, 2)


@pytest.mark.parametrize("gold", [{}, {"a": ""}, {"a": [], "b": {"c": None}}, None])
def test_an_empty_gold_is_undefined(gold: object) -> None:
    assert accuracy(gold, {"a": "x"}) is None


def test_more_to_change_than_there_is_scores_nothing() -> None:
    assert accuracy({"a": "x"}, {"b": "long and wrong", "c": "more"}) == 0.0


@given(tree=TREE)
def test_nothing_is_to_be_changed_in_a_tree_to_make_it_itself(tree: dict) -> None:
    assert accuracy(tree, tree) in (1.0, None)


def test_a_document_that_takes_too_long_has_a_whole_but_no_distance() -> None:
    found = nted({"a": "x", "b": "y"}, {"a": "y", "b": "x"}, max_cells=3)
    assert found.distance is None
    assert found.accuracy is None
    assert found.whole == 4
