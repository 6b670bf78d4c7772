"""The assignment against brute force, packed and in stages."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.matching import assignment
from docassay.matching.assignment import assign, assign_few, pack


@st.composite
def aims(draw: st.DrawFn, top: int = 3) -> list[np.ndarray]:
    rows, columns = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    cell = st.integers(0, top)
    return [
        np.array(
            draw(
                st.lists(
                    st.lists(cell, min_size=columns, max_size=columns), min_size=rows, max_size=rows
                )
            ),
            dtype=np.int64,
        )
        for _ in range(3)
    ]


def best_by_hand(found: list[np.ndarray]) -> tuple[int, ...]:
    rows, columns = found[0].shape
    if rows > columns:
        return best_by_hand([aim.T for aim in found])
    return max(
        tuple(int(sum(aim[i, j] for i, j in enumerate(order))) for aim in found)
        for order in permutations(range(columns), rows)
    )


def worth(found: list[np.ndarray], pairs: list[tuple[int, int]]) -> tuple[int, ...]:
    return tuple(int(sum(aim[i, j] for i, j in pairs)) for aim in found)


@given(aims())
def test_the_assignment_is_best_by_the_first_aim_then_the_second_then_the_third(
    found: list,
) -> None:
    pairs = assign(found)
    assert len(pairs) == min(found[0].shape)
    assert worth(found, pairs) == best_by_hand(found)


@given(aims())
def test_a_few_rows_in_plain_lists_are_assigned_alike(found: list) -> None:
    rows, columns = found[0].shape
    lists = [[tuple(int(aim[i, j]) for aim in found) for j in range(columns)] for i in range(rows)]
    assert worth(found, assign_few(lists)) == best_by_hand(found)


@given(st.lists(st.tuples(*[st.integers(0, 2)] * 3), min_size=1, max_size=5))
def test_of_equally_good_partners_of_a_single_row_the_first_is_taken(worths: list) -> None:
    best = worths.index(max(worths))
    assert assign_few([worths]) == [(0, best)]
    assert assign_few([[worth] for worth in worths]) == [(best, 0)]
    single = [np.array([[worth[aim] for worth in worths]]) for aim in range(3)]
    assert assign(single) == [(0, best)]
    assert assign([aim.T for aim in single]) == [(best, 0)]


@given(aims())
def test_aims_too_large_to_pack_are_settled_in_stages(found: list) -> None:
    huge = [aim * 2**40 for aim in found]
    rows, columns = found[0].shape
    pairs = assign(huge)
    assert worth(found, pairs) == best_by_hand(found)
    lists = [[tuple(int(aim[i, j]) for aim in huge) for j in range(columns)] for i in range(rows)]
    assert worth(found, assign_few(lists)) == best_by_hand(found)


def test_packing_is_refused_beyond_what_a_float_holds_exactly() -> None:
    small = np.array([[1, 2], [3, 4]], dtype=np.int64)
    assert pack([small, small]) is not None
    assert pack([small * 2**30, small * 2**30]) is None


@given(aims())
def test_the_staged_way_alone_agrees_with_brute_force(found: list) -> None:
    pairs = assignment._solve_in_stages(found)
    assert worth(found, pairs) == best_by_hand(found)


@pytest.mark.parametrize(("rows", "columns"), [(0, 3), (3, 0)])
def test_nothing_to_assign_gives_no_pairs(rows: int, columns: int) -> None:
    assert assign([np.zeros((rows, columns), dtype=np.int64)]) == []
