"""The best pairs of a few texts, and what better ones may come to, in both forms."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from tests.kernel.forms import FORMS, Form

BOTH = pytest.mark.parametrize("form", FORMS, ids=["imported", "source"])
TEXT = st.text(alphabet="ab", min_size=1, max_size=6)


@BOTH
@given(
    rows=st.tuples(st.integers(1, 4), st.integers(1, 3)).flatmap(
        lambda size: st.lists(
            st.lists(st.floats(0, 1), min_size=size[1], max_size=size[1]),
            min_size=size[0],
            max_size=size[0],
        )
    )
)
def test_the_best_of_few_pairs_is_the_best_of_all_ways(form: Form, rows: list[list[float]]) -> None:
    short, long = sorted((range(len(rows)), range(len(rows[0]))), key=len)
    across = len(rows) > len(rows[0])
    sums = [
        sum(rows[j][i] if across else rows[i][j] for i, j in zip(short, way, strict=True))
        for way in permutations(long, len(short))
    ]
    assert form.likeness.best_of_few(rows) == pytest.approx(max(sums), abs=1e-12)


@BOTH
@given(gold=TEXT, pred=TEXT, between=st.lists(TEXT, min_size=1, max_size=3))
def test_no_chain_of_texts_is_worth_more_than_its_bound(
    form: Form, gold: str, pred: str, between: list[str]
) -> None:
    alike = Levenshtein.normalized_similarity
    lengths = {*map(len, between)}
    [[bound]] = form.likeness.chain_bounds([gold], [pred], [[alike(gold, pred)]], lengths)
    assert bound >= alike(gold, pred)
    for size in range(1, len(between) + 1):
        for way in permutations(between, size):
            steps = zip((gold, *way), (*way, pred), strict=True)
            assert sum(alike(*step) for step in steps) - size <= bound + 1e-9


@BOTH
@given(gold=TEXT, pred=TEXT)
def test_lengths_that_are_not_known_are_those_that_are_worth_most(
    form: Form, gold: str, pred: str
) -> None:
    direct = [[Levenshtein.normalized_similarity(gold, pred)]]
    [[bound]] = form.likeness.chain_bounds([gold], [pred], direct)
    [[best]] = form.likeness.chain_bounds([gold], [pred], direct, {*range(1, 30)})
    assert bound == pytest.approx(best, abs=1e-12)


@BOTH
def test_what_is_less_alike_than_the_floor_is_not_alike(form: Form) -> None:
    likeness = form.likeness.likeness_of_few(["ab", "cd"], ["ab", "cx"], _shared)
    assert likeness == [[1.0, 0.0], [0.0, 0.5]]
    assert form.likeness.from_floor(likeness, 0.5) == likeness
    assert form.likeness.from_floor(likeness, 0.6) == [[1.0, 0.0], [0.0, 0.0]]


def _shared(text: str, other: str) -> float:
    return len({*text} & {*other}) / 2


@BOTH
def test_a_text_between_that_is_no_longer_is_no_better_way(form: Form) -> None:
    assert form.likeness.chain_bounds(["abcd"], ["abcx"], [[0.75]], {3, 4}) == [[0.75]]
    # one edit from either, of five letters each
    assert form.likeness.chain_bounds(["abcd"], ["abxd"], [[0.5]], {5}) == [[1 - 2 / 5]]
