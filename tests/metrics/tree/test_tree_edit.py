"""The tree edit distance equals its definition, whatever is shared, trimmed or cut in portions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.metrics.tree import distance as tree_edit
from docassay.metrics.tree.distance import Trees, edit_distance, trimmed
from tests.metrics.tree.definition import FOREST, TREE, distance, planted

ANY = 10**9


def found(gold: tuple, pred: tuple, *, max_cells: int = ANY) -> int | None:
    trees = Trees()
    return edit_distance(trees, planted(trees, gold), planted(trees, pred), max_cells=max_cells)


@given(gold=FOREST, pred=FOREST)
def test_the_distance_is_the_defined_one(gold: tuple, pred: tuple) -> None:
    assert found(gold, pred) == distance(gold, pred)


@given(start=FOREST, gold=FOREST, pred=FOREST, end=FOREST)
def test_equal_trees_at_either_end_change_nothing(
    start: tuple, gold: tuple, pred: tuple, end: tuple
) -> None:
    whole = (*start, *gold, *end), (*start, *pred, *end)
    assert distance(*whole) == distance(gold, pred) == found(*whole)


@given(gold=FOREST, pred=FOREST)
def test_below_nodes_of_equal_label_the_distance_is_the_same(gold: tuple, pred: tuple) -> None:
    if gold and pred:
        assert distance((("k", gold),), (("k", pred),)) == distance(gold, pred)


@given(row=TREE, rows=st.lists(TREE, min_size=1, max_size=2).map(tuple))
def test_many_rows_of_one_shape_are_compared_at_once(row: object, rows: tuple) -> None:
    gold = tuple(("k", (one, "a")) for one in (row, *rows))
    pred = tuple(("l", (one, "b")) for one in (*rows, row))
    assert found(gold, pred) == distance(gold, pred)


@given(gold=FOREST, pred=FOREST)
def test_tables_cut_in_portions_give_the_same(gold: tuple, pred: tuple) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tree_edit, "CELLS", 3)
        assert found(gold, pred) == distance(gold, pred)


@given(one=FOREST, other=FOREST, third=FOREST)
def test_the_distance_is_a_metric(one: tuple, other: tuple, third: tuple) -> None:
    apart = found(one, other)
    assert apart == found(other, one)
    assert apart <= found(one, third) + found(third, other)


def test_removing_equal_rows_from_the_middle_would_change_the_distance() -> None:
    # the reason why only the ends are trimmed: the kept row holds its neighbours apart
    assert distance(("aaaa", "x"), ("x", "aaaa")) == 2
    assert distance(("aaaa",), ("aaaa",)) == 0


def test_of_several_right_texts_the_nearest_counts() -> None:
    trees = Trees()
    gold = (trees.inner("k", (trees.leaf("abcdef", "xy"),)),)
    near = (trees.inner("k", (trees.leaf("xz"),)),)
    assert edit_distance(trees, gold, near, max_cells=ANY) == 1
    assert edit_distance(trees, gold, (), max_cells=ANY) == trees.weight(gold) == 1 + 2


def test_what_takes_too_many_cells_is_not_begun() -> None:
    gold, pred = (("k", ("a", "b")), "c"), (("l", ("b", "c")), "d")
    assert found(gold, pred, max_cells=10) is None
    assert found(gold, gold, max_cells=10) == 0


def test_what_is_left_after_trimming_is_all_that_differs() -> None:
    trees = Trees()
    gold = planted(trees, ("a", ("k", ("x", "b", "y")), "c"))
    pred = planted(trees, ("a", ("k", ("x", "d", "y")), "c"))
    assert trimmed(trees, gold, pred) == ((trees.leaf("b"),), (trees.leaf("d"),))
