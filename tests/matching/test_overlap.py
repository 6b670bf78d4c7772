"""Boxes that overlap, and the largest choice of pairs, against all choices tried out."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.matching.overlap import BoxPlace, most_pairs, overlaps


@pytest.mark.parametrize(
    ("gold", "pred", "share"),
    [
        ((0, 0, 2, 2), (0, 0, 2, 2), 1.0),
        ((0, 0, 2, 2), (1, 0, 3, 2), 1 / 3),
        ((0, 0, 2, 2), (2, 0, 4, 2), None),
        ((0, 0, 2, 2), (1, 1, 1, 1), None),
        ((1, 1, 1, 1), (1, 1, 1, 1), 1.0),
        ((2, 2, 0, 0), (0, 0, 2, 2), 1.0),
    ],
)
def test_the_share_is_the_intersection_over_the_union(
    gold: tuple[float, ...], pred: tuple[float, ...], share: float | None
) -> None:
    (row,) = overlaps([BoxPlace(gold, 1)], [BoxPlace(pred, 1)])
    assert row.get(0) == (None if share is None else pytest.approx(share))


def test_boxes_of_other_pages_share_nothing_and_an_unstated_page_may_be_any() -> None:
    box = (0.0, 0.0, 1.0, 1.0)
    preds = [BoxPlace(box, 1), BoxPlace(box, 2), BoxPlace(box, None)]
    assert [*overlaps([BoxPlace(box, 2)], preds)[0]] == [1, 2]
    assert [*overlaps([BoxPlace(box, None)], preds)[0]] == [0, 1, 2]
    assert overlaps([BoxPlace(box, 1)], []) == [{}]


@given(st.lists(st.lists(st.integers(0, 4), max_size=5, unique=True), max_size=5))
def test_no_choice_has_more_pairs(neighbours: list[list[int]]) -> None:
    pairs = most_pairs(neighbours)
    assert all(right in neighbours[left] for right, left in pairs.items())
    assert len({*pairs.values()}) == len(pairs)
    best = max(
        sum(right in neighbours[left] for left, right in enumerate(order[: len(neighbours)]))
        for order in permutations(range(5))
    )
    assert len(pairs) == best
