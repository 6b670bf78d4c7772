"""ANLS* is that of the package anls-star 1.0.1, which gave every number stated here."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from docassay.metrics.tree import anls_rows
from docassay.metrics.tree.anls_star import AnlsStar, anls_star, assign_first_come
from docassay.model.document import Number
from tests.strategies import TREE


def with_tuples(tree: object) -> object:
    if isinstance(tree, dict):
        if tree.keys() == {"any_of"}:
            return tuple(with_tuples(one) for one in tree["any_of"])
        return {key: with_tuples(value) for key, value in tree.items()}
    return [with_tuples(item) for item in tree] if isinstance(tree, list) else tree


def score(gold: object, pred: object) -> float:
    found = anls_star(gold, pred)
    assert found is not None
    return found.score


def test_the_score_is_the_packages_on_every_pair(shared: Path) -> None:
    pairs = json.loads((shared / "vectors" / "tree.json").read_text(encoding="utf-8"))["pairs"]
    for i, pair in enumerate(pairs):
        found = score(with_tuples(pair["gold"]), pair["pred"])
        assert found == pytest.approx(pair["anls_star"], abs=1e-9), i


CASES = [
    pytest.param("x", "  X ", 1.0, id="case and white space do not count"),
    pytest.param("abcd", "abxy", 0.5, id="half right is right by half"),
    pytest.param("abcd", "abxyz", 0.0, id="less than half is wrong"),
    pytest.param(0, "0", 1.0, id="a number is its digits"),
    pytest.param(1.5, "1.50", 0.75, id="and no more than those"),
    pytest.param(Number("1.50"), "1.50", 1.0, id="as they are written"),
    pytest.param(False, "false", 1.0, id="a truth value is a text"),
    pytest.param("", "  ", 1.0, id="a blank text is an empty one"),
    pytest.param(None, "  ", 0.0, id="but it is a value"),
    pytest.param({"a": None}, {}, 1.0, id="no value is met by no key"),
    pytest.param({"a": None}, {"a": []}, 1.0, id="and by an empty list"),
    pytest.param({"a": None}, {"a": "x"}, 0.0, id="but not by a value"),
    pytest.param({"a": ""}, {}, 0.0, id="an empty text is not met by no key"),
    pytest.param({"a": []}, {}, 0.0, id="nor is an empty list"),
    pytest.param({"a": []}, {"a": {}}, 1.0, id="two empty things have no places"),
    pytest.param({"a": "x"}, {"a": "x", "b": None}, 0.5, id="an extra key counts without a value"),
    pytest.param({}, {"a": "x"}, 0.0, id="all invented"),
    pytest.param({}, {}, 1.0, id="nothing at all"),
    pytest.param("x", ["x"], 0.0, id="a list is no text"),
    pytest.param({"a": ["x"]}, {"a": "x"}, 0.0, id="nor the other way round"),
    pytest.param({"a": "x"}, {"a": {"b": "x", "c": "y"}}, 0.0, id="nor is an object"),
    pytest.param(["a", "b"], "a", 1.0, id="answers to a question may be a list"),
    pytest.param(["a", "b"], ["a"], 0.5, id="a missing item"),
    pytest.param([["a", "b"], ["c"]], [["c"], ["b", "a"]], 1.0, id="lists have no order"),
    pytest.param([{"a": "x", "b": "y"}, {"a": "z"}], [{"a": "z"}], 1 / 3, id="a missing row"),
    pytest.param({"a": ("x", {"b": "y"})}, {"a": {"b": "y"}}, 1.0, id="alternatives of any kind"),
    pytest.param({"a": (None, "x")}, {}, 1.0, id="no value as an alternative"),
    pytest.param({"a": ("", "x")}, {}, 0.0, id="an empty text is a value there too"),
]


@pytest.mark.parametrize(("gold", "pred", "expected"), CASES)
def test_the_score_is_the_packages(gold: object, pred: object, expected: float) -> None:
    assert score(gold, pred) == pytest.approx(expected, abs=1e-12)


def test_every_key_has_the_mean_score_of_its_occurrences() -> None:
    menu = [{"nm": "tea", "p": "3"}, {"nm": "cake", "p": "4"}]
    gold = {"menu": menu, "total": "7", "x": "y"}
    read = [{"nm": "cake", "p": "5", "q": "1"}, {"nm": "tea", "p": "3"}]
    found = anls_star(gold, {"menu": read, "total": "7", "z": "", "w": "u"})
    assert found is not None
    assert found.score == pytest.approx(4 / 9)
    assert {".".join(path): value for path, value in found.keys.items()} == {
        "menu": 0.6,
        "menu.nm": 1.0,
        "menu.p": 0.5,
        "menu.q": 0.0,
        "total": 1.0,
        "x": 0.0,
        "w": 0.0,
    }


def test_no_alternatives_are_no_value() -> None:
    assert score({"a": ()}, {}) == 1.0


@given(tree=TREE)
def test_a_tree_agrees_with_itself(tree: dict) -> None:
    found = anls_star(tree, tree)
    assert found is not None
    assert {found.score, *found.keys.values()} == {1.0}


@given(gold=TREE, pred=TREE)
def test_scores_lie_between_nothing_and_all(gold: dict, pred: dict) -> None:
    found = anls_star(gold, pred)
    assert isinstance(found, AnlsStar)
    assert all(0 <= value <= 1 for value in (found.score, *found.keys.values()))


WORD = st.sampled_from(["tea", "tee", "cake", "cape", "x"])


@given(gold=st.lists(WORD, max_size=4), pred=st.lists(WORD, max_size=4))
def test_lists_of_texts_meet_as_well_as_any_pairing_allows(gold: list, pred: list) -> None:
    few, many = sorted((gold, pred), key=len)
    best = max(
        sum(score(*pair) for pair in zip(few, chosen, strict=True))
        for chosen in permutations(many, len(few))
    )
    assert score(gold, pred) == pytest.approx(best / len(many) if many else 1.0)


def test_a_document_that_takes_too_long_has_no_score() -> None:
    rows = [{"a": "x"}] * 10
    assert anls_star({"rows": rows}, {"rows": rows}, max_pairs=99) is None
    assert anls_star({"rows": rows}, {"rows": rows}, max_pairs=100) is not None


COSTS = st.integers(1, 6).flatmap(
    lambda width: st.lists(
        st.lists(st.integers(0, 3), min_size=width, max_size=width), min_size=1, max_size=6
    )
)


@given(costs=COSTS)
def test_an_assignment_where_the_first_come_first_is_as_cheap_as_any(costs: list) -> None:
    table = np.array(costs, dtype=np.float64)
    pairs = assign_first_come(table)
    rows, columns = zip(*pairs, strict=True)
    assert len({*rows}) == len({*columns}) == min(table.shape)
    assert table[rows, columns].sum() == table[linear_sum_assignment(table)].sum()


TIES = [
    pytest.param([[1, 1], [1, 1]], [(0, 0), (1, 1)], id="all alike"),
    pytest.param([[0, 0], [0, 9]], [(0, 1), (1, 0)], id="the first makes room"),
    pytest.param([[5, 5, 5]], [(0, 0)], id="one row"),
    pytest.param([[5], [5], [4]], [(2, 0)], id="one column"),
]


@pytest.mark.parametrize(("costs", "pairs"), TIES)
def test_ties_fall_to_the_first(costs: list, pairs: list) -> None:
    assert assign_first_come(np.array(costs, dtype=np.float64)) == pairs


CELL = st.one_of(
    st.sampled_from(["tea", "Tea", "tee", "cake", "", "  ", "1"]),
    st.none(),
    st.sampled_from([1, 1.0]),
)
ROWS = st.lists(
    st.one_of(
        st.fixed_dictionaries({}, optional={"n": CELL, "p": CELL, "q": CELL}),
        st.dictionaries(st.sampled_from("npqr"), CELL, max_size=3),
    ),
    min_size=1,
    max_size=5,
)


@given(gold=ROWS, pred=ROWS)
def test_rows_compared_by_column_agree_as_rows_compared_one_by_one(gold: list, pred: list) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(anls_rows, "FEW", 0)
        by_column = anls_star(gold, pred)
        patch.setattr(anls_rows, "FEW", 99)
        assert by_column == anls_star(gold, pred)
