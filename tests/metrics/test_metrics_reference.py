"""Metrics against their definitions written plainly, on predictions that are gold with mistakes."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

import docassay as da
from docassay.matching.case import Case, make_case
from docassay.matching.groups import Matcher
from docassay.metrics.tree import anls_rows, anls_star
from docassay.metrics.tree.anls_rows import Leaf, table_of_rows
from docassay.metrics.vrdu_rows import best_regrouping, right_rows
from docassay.model.document import Group
from docassay.run.open import prepare
from tests.matching.test_reference import SCHEMAS, Plain, case_of

SEEDS = st.integers(0, 10**6)


# ---------------------------------------------------------------- equal rows of vrdu


def are_equal(plain: Plain, gold: Group, pred: Group) -> bool:
    """Whether two rows have the same values, and rows inside that are equal one to one."""
    return all(
        plain.best_values(path, gold, pred)[0]
        == len(gold.values.get(path, ()))
        == len(pred.values.get(path, ()))
        for path in gold.values.keys() | pred.values.keys()
    ) and all(
        most_equal(plain, gold.groups.get(path, ()), pred.groups.get(path, ()))
        == len(gold.groups.get(path, ()))
        == len(pred.groups.get(path, ()))
        for path in gold.groups.keys() | pred.groups.keys()
    )


def most_equal(plain: Plain, golds: object, preds: object) -> int:
    left, right = [*golds], [*preds]  # type: ignore[misc]
    right += [None] * len(left)
    fits = [[pred is not None and are_equal(plain, gold, pred) for pred in right] for gold in left]
    orders = permutations(range(len(right)), len(left))
    return max(sum(fits[i][j] for i, j in enumerate(order)) for order in orders)


def rows_of(case: Case) -> list[tuple[Group, ...]]:
    return [tuple(root.groups.get("items", ())) for root in (case.gold.root, case.pred.root)]


@pytest.mark.parametrize("name", [*SCHEMAS][:4])
@hypothesis_settings(max_examples=25)
@given(seed=SEEDS)
def test_rows_are_right_as_often_as_equal_rows_pair_up(name: str, seed: int) -> None:
    case = case_of(seed, SCHEMAS[name], wrong=0.15)
    plain, matcher = Plain(case), Matcher(case.layout, case.pairwise)
    golds, preds = rows_of(case)
    assert right_rows(matcher, golds, preds) == most_equal(plain, golds, preds)
    assert right_rows(matcher, golds, golds) == len(golds)


# ---------------------------------------------------------------- rows of ANLS*, all at once

LEAVES = st.sampled_from(
    [None, Leaf("", ""), Leaf("a", "a"), Leaf("a", "A"), Leaf("abc", "abc"), Leaf("abd", "abd")]
)
ROW = st.fixed_dictionaries({}, optional={"a": LEAVES, "b": LEAVES, "c": LEAVES})
ROWS = st.one_of(st.lists(ROW, min_size=1, max_size=4), st.lists(LEAVES, min_size=1, max_size=4))


@hypothesis_settings(max_examples=100)
@given(golds=ROWS, preds=ROWS)
def test_rows_compared_all_at_once_agree_as_compared_one_by_one(golds: list, preds: list) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(anls_rows, "FEW", 0)
        table = table_of_rows(golds, preds)
    plain = anls_star._agreements(golds, preds)
    if table is not None:
        assert np.allclose(table.agreements.shares, plain.shares)
        assert table.agreements.exact.tolist() == plain.exact.tolist()


@pytest.mark.parametrize(
    ("golds", "preds", "made"),
    [
        ([{"a": Leaf("a", "a"), "b": None}], [{"b": Leaf("b", "b")}], True),
        ([Leaf("a", "a"), None], [None], True),
        ([Leaf("a", "a")], [{"a": Leaf("a", "a")}], False),
        ([{"a": [Leaf("a", "a")]}], [{"a": Leaf("a", "a")}], False),
        ([{"a": None, "b": None}, {"b": None, "a": None}], [{"a": None}], False),
        ([{}], [{}], False),
        ([{}], [{"a": None}], True),
    ],
)
def test_rows_of_plain_values_in_one_order_are_compared_all_at_once(
    golds: list, preds: list, made: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(anls_rows, "FEW", 0)
    assert (table_of_rows(golds, preds) is not None) is made


# ---------------------------------------------------------------- rows by hand

NEAR = {"type": "number", "absolute": "1"}
INSIDE = {
    "extra": "count",
    "groups": {"r": {"fields": {"b": NEAR}, "groups": {"s": {"fields": {"n": NEAR}}}}},
}


@pytest.mark.parametrize(
    ("golds", "preds", "right"),
    [
        pytest.param([{"b": "1"}], [{"b": "2"}], 1, id="a value that is near"),
        pytest.param([{"b": "1"}], [{"b": ["1", "5"]}], 0, id="a near value too many"),
        pytest.param([{"b": ["1", "5"]}], [{"b": "1"}], 0, id="a near value too few"),
        pytest.param(
            [{"s": [{"n": "1"}, {"q": "x"}]}],
            [{"s": [{"n": "5"}, {"q": "x"}]}],
            0,
            id="one of two rows inside is wrong",
        ),
        pytest.param(
            [{"s": [{"n": "1"}, {"q": "x"}]}],
            [{"s": [{"q": "x"}, {"n": "2"}]}],
            1,
            id="rows inside in another order",
        ),
    ],
)
def test_a_row_is_right_with_all_its_values_and_no_other(
    golds: list, preds: list, right: int
) -> None:
    case = make_case("x", {"r": golds}, {"r": preds}, prepare(schema=INSIDE).layouts)
    sides = (case.gold.root.groups["r"], case.pred.root.groups["r"])
    assert right_rows(Matcher(case.layout, case.pairwise), *sides) == right


def test_no_row_is_made_twice_of_what_is_scarce() -> None:
    golds = [*[{"a": "1", "b": "1"}] * 3, {"b": "1"}]
    preds = [{"a": "1", "b": "1"}, {"b": "1"}, {"b": "1"}]
    case = make_case("x", {"r": golds}, {"r": preds}, prepare().layouts)
    sides = (case.gold.root.groups["r"], case.pred.root.groups["r"])
    assert best_regrouping(Matcher(case.layout, case.pairwise), *sides) == (2, 3)


def test_alternatives_are_as_large_as_the_largest_of_them() -> None:
    leaf = Leaf("a", "a")
    assert anls_star._size((leaf, [leaf, leaf, leaf], {"a": leaf, "b": leaf})) == 3


def test_a_part_of_tree_that_is_not_asked_for_has_nothing_undefined_or_too_large() -> None:
    report = da.score(
        {"d": {"a": "1"}}, {"d": {"a": "1"}}, metrics=["tree"], settings={"tree.only": "anls_star"}
    )
    assert report["tree.anls_star"].value == 1.0
    assert report["tree.documents_too_large"].value == 0
    assert not report.problems
