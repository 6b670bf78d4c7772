"""Rows with their tokens: identical rows, obvious pairs, order by content, worth of pairs."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.kernel.alike import nested, pair_identical, sort_by_content
from docassay.kernel.rows import Row, count_rows, places, take_obvious, token_length, worth
from docassay.matching import rows as rows_module
from docassay.matching.case import Case, make_case
from docassay.matching.groups import Matcher
from docassay.matching.rows import overlap_table, overlaps, shared_tokens
from docassay.model.document import Group
from docassay.run.open import prepare

WORD = st.sampled_from(["a", "b", "cc", "ddd"])
CELL = st.one_of(WORD, st.lists(WORD, min_size=1, max_size=3))
ROWS = st.lists(st.dictionaries(st.sampled_from(["n", "p", "q"]), CELL, min_size=1), max_size=5)


def case_of(golds: list, preds: list, schema: object = None) -> Case:
    return make_case("x", {"items": golds}, {"items": preds}, prepare(schema=schema).layouts)


def rows_of(golds: list, preds: list) -> tuple[list[Row], list[Row]]:
    case = case_of(golds, preds)
    matcher = Matcher(case.layout, case.pairwise)
    return (
        matcher._rows(case.gold.root.groups.get("items", [])),
        matcher._rows(case.pred.root.groups.get("items", [])),
    )


def texts(group: Group) -> list[tuple[str, str]]:
    return sorted((entity.field, entity.reading.text) for entity in group.entities())


@pytest.mark.parametrize(
    ("token", "length"),
    [("f\x1f", 0), ("f\x1fabc", 3), ("long.field\x1fab\x1f\x1f2", 2), ("f\x1fab\x1f0", 2)],
)
def test_the_length_of_a_token_is_that_of_its_value(token: str, length: int) -> None:
    assert token_length(token) == length


def test_repeated_values_of_a_field_have_tokens_of_their_own() -> None:
    (row,), _ = rows_of([{"n": ["a", "b", "a", "a"]}], [])
    assert row[0] == {
        "items.n\x1fa",
        "items.n\x1fb",
        "items.n\x1fa\x1f\x1f2",
        "items.n\x1fa\x1f\x1f3",
    }


def test_values_that_count_in_order_have_tokens_of_their_places() -> None:
    schema = {"groups": {"items": {"fields": {"n": {"type": "exact", "match": "order"}}}}}
    case = case_of([{"n": ["a", "", "b"]}], [], schema)
    matcher = Matcher(case.layout, case.pairwise)
    (group,) = case.gold.root.groups["items"]
    assert matcher.number(group, "items.n") == ["items.n\x1fa\x1f0", "items.n\x1fb\x1f2"]


@given(golds=ROWS, preds=ROWS)
def test_identical_rows_are_paired_as_often_as_both_sides_have_them(
    golds: list, preds: list
) -> None:
    left, right = rows_of(golds, preds)
    pairs, gold_rest, pred_rest = pair_identical(left, right)
    have = [Counter(tokens for tokens, _ in side) for side in (left, right)]
    assert len(pairs) == (have[0] & have[1]).total()
    assert Counter(tokens for tokens, _ in gold_rest) == have[0] - have[1]
    assert Counter(tokens for tokens, _ in pred_rest) == have[1] - have[0]
    by_group = {id(group): tokens for tokens, group in (*left, *right)}
    assert all(by_group[id(gold)] == by_group[id(pred)] for gold, pred in pairs)
    paired = [id(group) for pair in pairs for group in pair]
    assert len({*paired, *(id(group) for _, group in (*gold_rest, *pred_rest))}) == len(by_group)


def test_rows_that_differ_only_inside_are_not_identical() -> None:
    golds = [{"n": "a", "sub": [{"x": "1"}]}, {"n": "a", "sub": [{"x": "2"}]}]
    left, right = rows_of(golds, [{"n": "a", "sub": [{"x": "2"}]}, {"n": "a"}])
    assert nested(left)
    assert nested(right)
    pairs, gold_rest, pred_rest = pair_identical(left, right)
    assert [(gold.index, pred.index) for gold, pred in pairs] == [(1, 0)]
    assert [row.index for _, row in gold_rest] == [0]
    assert [row.index for _, row in pred_rest] == [1]


@given(golds=ROWS, preds=ROWS)
def test_a_pair_is_obvious_when_two_rows_share_values_with_each_other_and_no_one_else(
    golds: list, preds: list
) -> None:
    left, right = rows_of(golds, preds)
    meets = [
        [(i, j) for j, (there, _) in enumerate(right) if here & there]
        for i, (here, _) in enumerate(left)
    ]
    edges = [pair for row in meets for pair in row]
    expected = [
        (left[i][1], right[j][1])
        for i, j in edges
        if sum(a == i for a, _ in edges) == 1 and sum(b == j for _, b in edges) == 1
    ]
    gold_groups, pred_groups = ([group for _, group in side] for side in (left, right))
    pairs = take_obvious(left, right)
    assert [(id(a), id(b)) for a, b in pairs] == [(id(a), id(b)) for a, b in expected]
    taken = {id(group) for pair in pairs for group in pair}
    assert [id(g) for _, g in left] == [id(g) for g in gold_groups if id(g) not in taken]
    assert [id(g) for _, g in right] == [id(g) for g in pred_groups if id(g) not in taken]


def test_a_row_that_two_rows_share_values_with_is_paired_once() -> None:
    golds = [{"n": "a", "p": "1"}, {"n": "a", "p": "2"}]
    case = case_of(golds, [{"n": "a", "p": "3"}])
    assert case.tally().fields == {"items.n": [1, 0, 1, 0], "items.p": [0, 1, 1, 0]}
    swapped = case_of([{"n": "a", "p": "3"}], golds)
    assert swapped.tally().fields == {"items.n": [1, 0, 0, 1], "items.p": [0, 1, 0, 1]}


@given(rows=ROWS, order=st.randoms(use_true_random=False))
def test_the_order_by_content_does_not_depend_on_the_order_in_the_file(
    rows: list, order: object
) -> None:
    first, _ = rows_of(rows, [])
    sort_by_content(first)
    order.shuffle(rows)  # type: ignore[attr-defined]
    second, _ = rows_of(rows, [])
    sort_by_content(second)
    assert [texts(row) for _, row in first] == [texts(row) for _, row in second]
    tokens = [sorted(tokens) for tokens, _ in first]
    assert tokens == sorted(tokens)


def test_no_value_is_not_the_text_none_whatever_order_the_keys_have() -> None:
    schema = {"absent": [], "groups": {"items": {"fields": {"n": "text", "p": "text"}}}}
    for pred in ({"n": None, "p": "x"}, {"p": "x", "n": None}):
        tally = case_of([{"n": "None", "p": None}], [pred], schema).tally()
        assert tally.fields == {"items.n": [0, 0, 1, 0], "items.p": [0, 0, 0, 1]}


@pytest.mark.parametrize("order", [*permutations(["a", "a", " a"])])
def test_of_rows_of_equal_tokens_some_of_which_are_the_same_the_lesser_text_comes_first(
    order: tuple[str, ...],
) -> None:
    rows, _ = rows_of([{"n": text} for text in order], [])
    sort_by_content(rows)
    assert [group.values["items.n"][0].text for _, group in rows] == [" a", "a", "a"]


@pytest.mark.parametrize("reverse", [False, True])
def test_of_rows_of_equal_tokens_text_and_then_the_more_confident_comes_first(
    reverse: bool,
) -> None:
    def row(text: str, confidence: float | None) -> dict:
        return {"n": {"value": text, "confidence": confidence} if confidence else text}

    written = [row("a", None), row("a", 0.2), row("a", 0.9), row(" a", 0.1)]
    rows, _ = rows_of(written[::-1] if reverse else written, [])
    sort_by_content(rows)
    readings = [group.values["items.n"][0] for _, group in rows]
    assert [(one.text, one.confidence) for one in readings] == [
        (" a", 0.1),
        ("a", 0.9),
        ("a", 0.2),
        ("a", None),
    ]


def test_of_rows_that_differ_by_a_tolerance_only_the_canonical_form_orders_them() -> None:
    schema = {"groups": {"items": {"fields": {"p": {"type": "number", "absolute": "1"}}}}}
    case = case_of([{"p": text} for text in ("3", "1.50", "1.5", "2")], [], schema)
    rows = Matcher(case.layout, case.pairwise)._rows(case.gold.root.groups["items"])
    sort_by_content(rows)
    assert [texts(row)[0][1] for _, row in rows] == ["1.5", "1.50", "2", "3"]


@pytest.mark.parametrize("reverse", [False, True])
def test_of_equal_predicted_rows_the_more_confident_is_the_right_one(reverse: bool) -> None:
    preds = [{"n": {"value": "a", "confidence": sure}} for sure in (0.3, 0.8)]
    case = case_of([{"n": "a"}], preds[::-1] if reverse else preds)
    matching = case.matching()
    ((_, matched),) = matching.inside(matching.gold, matching.pred)
    ((_, taken),) = matched.settled.pairs
    assert taken.values["items.n"][0].confidence == 0.8


@given(golds=ROWS, preds=ROWS, few=st.sampled_from([0, 1000]))
def test_shared_tokens_and_overlaps_of_all_pairs_are_those_of_each_pair(
    golds: list, preds: list, few: int
) -> None:
    left, right = rows_of(golds, preds)
    shape = (len(left), len(right))
    if not left or not right:
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rows_module, "FEW_CELLS", few)
        equal, length = shared_tokens(left, right)
    table, kinds = overlap_table(left, right)
    assert equal.shape == length.shape == shape
    both = np.broadcast_to(overlaps(left, right), shape)
    assert np.array_equal(both, table[np.ix_(*kinds)])
    for i, gold in enumerate(left):
        for j, pred in enumerate(right):
            shared = gold[0] & pred[0]
            sizes = [
                Counter({path: len(readings) for path, readings in row[1].values.items()})
                for row in (gold, pred)
            ]
            overlap = (sizes[0] & sizes[1]).total()
            assert (equal[i, j], length[i, j]) == (len(shared), sum(map(token_length, shared)))
            assert both[i, j] == overlap
            assert worth(gold, pred) == (equal[i, j], equal[i, j] + overlap, length[i, j])


@given(rows=ROWS)
def test_places_name_every_row_that_has_a_token(rows: list) -> None:
    left, _ = rows_of(rows, [])
    where = places(left)
    assert where == {
        token: [i for i, (tokens, _) in enumerate(left) if token in tokens]
        for token in set().union(*(tokens for tokens, _ in left))
    }


def test_values_and_rows_are_counted_at_any_depth() -> None:
    golds = [
        {"n": "a", "sub": [{"x": "1", "y": "2"}, {"x": ["3", "4"], "deep": [{"z": "5"}]}]},
        {"n": ["a", "b"]},
        {"n": "a"},
    ]
    case = case_of(golds, [])
    values, rows = count_rows(case.gold.root.groups["items"])
    assert values == {
        "items.n": 4,
        "items.sub.x": 3,
        "items.sub.y": 1,
        "items.sub.deep.z": 1,
    }
    assert rows == {"items.sub": 2, "items.sub.deep": 1}


def test_one_side_with_rows_inside_is_nested_alone() -> None:
    left, right = rows_of([{"n": "a", "sub": [{"x": "1"}]}], [{"n": "a"}])
    assert (nested(left), nested(right), nested([])) == (True, False, False)


def test_a_single_value_in_order_is_the_first_of_several() -> None:
    schema = {"groups": {"items": {"fields": {"n": {"type": "exact", "match": "order"}}}}}
    case = case_of([{"n": "c"}], [{"n": ["a", "z"]}, {"n": ["c", "z"]}], schema)
    assert case.tally().fields == {"items.n": [1, 0, 0, 3]}
