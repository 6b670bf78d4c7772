"""Rows compared column by column agree as rows compared one by one, whatever their cells hold."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docassay.metrics.tree import anls_rows
from docassay.metrics.tree.anls_star import AnlsStar, anls_star

CELL = st.sampled_from(["tea", "tee", "", None, 1, "absent"])
NESTED = st.one_of(CELL, st.just(["tea", "rye"]), st.just({"k": "tea"}))


def row(cells: tuple[object, ...]) -> dict[str, object]:
    """Return a row whose keys stand in one order; "absent" leaves a key out."""
    return {key: cell for key, cell in zip("npq", cells, strict=True) if cell != "absent"}


def rows(cell: st.SearchStrategy[object]) -> st.SearchStrategy[list[dict[str, object]]]:
    return st.lists(st.tuples(cell, cell, cell).map(row), min_size=1, max_size=5)


def both_ways(gold: list[object], pred: list[object]) -> tuple[AnlsStar | None, ...]:
    found = []
    for few in (0, 10_000):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(anls_rows, "FEW", few)
            found.append(anls_star(gold, pred))
    return tuple(found)


@settings(max_examples=60)
@given(gold=rows(CELL), pred=rows(CELL))
def test_rows_in_one_order_of_keys_agree(gold: list[object], pred: list[object]) -> None:
    by_column, one_by_one = both_ways(gold, pred)
    assert by_column == one_by_one


@given(gold=rows(NESTED), pred=rows(NESTED))
def test_rows_that_hold_lists_and_objects_agree(gold: list[object], pred: list[object]) -> None:
    by_column, one_by_one = both_ways(gold, pred)
    assert by_column == one_by_one


@pytest.mark.parametrize(("ours", "theirs"), [*product(["tea", "", None, 1, "absent"], repeat=2)])
def test_any_two_cells_agree(ours: object, theirs: object) -> None:
    gold = [row(("x", ours, "absent")), row(("y", "z", "absent"))]
    pred = [row(("x", theirs, "absent")), row(("y", "z", "w"))]
    by_column, one_by_one = both_ways(gold, pred)
    assert by_column == one_by_one
