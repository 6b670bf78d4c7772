"""Details of matching that wider tests pass over, each computed by hand."""

from __future__ import annotations

import pytest

from docassay.matching.case import Case, make_case
from docassay.matching.groups import Matcher
from docassay.matching.large import clusters
from docassay.matching.rows import Row
from docassay.matching.twins import set_aside
from docassay.model.document import Group
from docassay.run.open import prepare


def case_of(gold: object, pred: object, schema: object = None) -> Case:
    return make_case("x", gold, pred, prepare(schema=schema).layouts)


# ---------------------------------------------------------------- Tally


def test_values_of_a_list_that_stand_in_each_others_rows_are_equal_whatever_their_group() -> None:
    gold = {"items": [{"k": "1", "n": ["a", "b"]}, {"k": "2", "n": ["c", "d"]}]}
    pred = {"items": [{"k": "1", "n": ["a", "c"]}, {"k": "2", "n": ["b", "d"]}]}
    case = case_of(gold, pred)
    assert case.tally().fields["items.n"] == [2, 2, 0, 0]
    assert case.ungrouped == {"items.k": 2, "items.n": 4}


# ---------------------------------------------------------------- twins


def test_equal_rows_are_set_aside_from_thirty_two_on() -> None:
    layout = prepare(schema=None).layouts.plain
    for count, pairs in ((31, {}), (32, {"items": 32})):
        tree = {"items": [{"n": f"{number}"} for number in range(count)]}
        assert set_aside(tree, tree, layout).rows == pairs


def test_placeholders_of_equal_rows_are_no_values() -> None:
    layout = prepare(schema=None).layouts.plain
    rows = [{"n": f"{number}", "p": "NOT_FOUND"} for number in range(32)]
    tree = {"items": [*rows, {"n": "NOT_FOUND", "p": "NOT_FOUND"}]}
    twins = set_aside(tree, tree, layout)
    assert (twins.rows, twins.values) == ({"items": 32}, {"items.n": 32})
    nothing = {"items": [{f"n{number}": None} for number in range(32)]}
    assert set_aside(nothing, nothing, layout)[2:] == ({}, {})


def test_equal_rows_are_matched_as_any_beside_a_value_that_is_compared_pair_by_pair() -> None:
    schema = {"fields": {"total": {"type": "number", "absolute": "1"}}}
    rows = [{"n": f"{number}"} for number in range(32)]
    case = case_of({"total": "5", "items": rows}, {"total": "6", "items": rows}, schema)
    assert case.pairwise == {"total"}
    assert case.twins.rows == {}
    assert case.tally().fields == {"total": [1, 0, 0, 0], "items.n": [32, 0, 0, 0]}


# ---------------------------------------------------------------- rows


def test_matching_nothing_achieves_nothing() -> None:
    case = case_of({}, {})
    assert Matcher(case.layout, case.pairwise)._worth([], [], "items") == (0, 0, 0, 0)


@pytest.mark.parametrize("reverse", [False, True])
def test_of_equal_gold_rows_the_first_by_text_meets_the_first_of_pred(reverse: bool) -> None:
    golds, preds = [{"n": " a"}, {"n": "a"}], [{"n": " a"}, {"n": "a"}]
    case = case_of({"items": golds[::-1] if reverse else golds}, {"items": preds})
    matching = case.matching()
    ((_, matched),) = matching.inside(matching.gold, matching.pred)
    texts = [[row.values["items.n"][0].text for row in pair] for pair in matched.settled.pairs]
    assert texts == [[" a", " a"], ["a", "a"]]


# ---------------------------------------------------------------- clusters


def rows_of(*tokens: str) -> list[Row]:
    return [(frozenset(f"f\x1f{value}" for value in row), Group("g", 0, {})) for row in tokens]


@pytest.mark.parametrize(
    ("golds", "preds", "cells", "expected"),
    [
        (("a", "b", "c"), ("c", "b", "a"), 9, [([0], [2]), ([1], [1]), ([2], [0])]),
        (("ac", "b"), ("a", "bc"), 4, [([0, 1], [0, 1])]),
        (("ac", "b"), ("a", "bc"), 3, [([0], [0]), ([1], [1])]),
    ],
)
def test_rows_that_share_values_are_one_cluster_unless_it_grows_too_large(
    golds: tuple[str, ...],
    preds: tuple[str, ...],
    cells: int,
    expected: list[tuple[list[int], list[int]]],
) -> None:
    assert clusters(rows_of(*golds), rows_of(*preds), cells) == expected
