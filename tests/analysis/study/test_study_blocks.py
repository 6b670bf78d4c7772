"""Shuffling a document changes where its blocks stand, and nothing they say."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.analysis.draw import stream
from docassay.analysis.study.shuffle import count_blocks, shuffle
from docassay.matching.case import Layouts, make_case
from docassay.model.document import MAX_DEPTH, Block, TaggedText
from docassay.model.schema import Schema
from docassay.schema.layout import Layout
from docassay.schema.source import load_schema

PLAIN = Layout(Schema(), None)
LEAVES = st.text(max_size=3) | st.integers() | st.booleans() | st.none()
TREES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=20,
)
OBJECTS = st.dictionaries(st.text(max_size=3), TREES, max_size=5)


def unordered(node: object) -> object:
    """Return a tree in which order says nothing."""
    if isinstance(node, dict):
        return frozenset((key, unordered(value)) for key, value in node.items())
    if isinstance(node, list):
        return frozenset(Counter(map(unordered, node)).items())
    return (type(node).__name__, node)


@given(OBJECTS, st.integers(0, 9))
def test_a_shuffled_tree_says_the_same_in_another_order(tree: dict[str, object], seed: int) -> None:
    assert unordered(shuffle(tree, stream(seed, 1), PLAIN)) == unordered(tree)


@given(OBJECTS)
def test_a_shuffled_tree_has_the_same_blocks(tree: dict[str, object]) -> None:
    assert count_blocks(shuffle(tree, stream(0, 1), PLAIN)) == count_blocks(tree)


@given(OBJECTS, st.integers(0, 9))
def test_the_same_draws_make_the_same_order(tree: dict[str, object], seed: int) -> None:
    one, other = (json.dumps(shuffle(tree, stream(seed, 1), PLAIN)) for _ in range(2))
    assert one == other


def test_the_tree_given_is_left_alone() -> None:
    tree = {"a": [1, 2, 3], "b": {"c": 1, "d": 2}}
    shuffle(tree, stream(0, 1), PLAIN)
    assert json.dumps(tree) == '{"a": [1, 2, 3], "b": {"c": 1, "d": 2}}'


@pytest.mark.parametrize(
    "leaf",
    [
        {"value": "x", "box": [1, 2, 3, 4]},
        {"value": ["x", "y"], "page": 1},
        {"any_of": ["x", "y", "z"]},
    ],
    ids=["a value with its box", "values with their page", "alternatives"],
)
def test_a_leaf_with_its_facts_stays_whole(leaf: dict[str, object]) -> None:
    assert {str(shuffle({"a": leaf}, stream(seed, 1), PLAIN)) for seed in range(20)} == {
        str({"a": leaf})
    }


@pytest.mark.parametrize(
    ("tree", "blocks"),
    [
        (None, 0),
        ("text", 0),
        ([{"a": 1}], 0),
        ({}, 0),
        ({"a": None}, 0),
        ({"a": 1}, 1),
        ({"a": {"value": 1, "page": 2}}, 1),
        ({"a": [1, 2], "b": {"c": 3, "d": [{"e": 4}]}}, 4),
    ],
    ids=["no prediction", "a text", "a list", "empty", "null", "one", "a leaf", "nested"],
)
def test_blocks_are_counted(tree: object, blocks: int) -> None:
    assert count_blocks(tree) == blocks


def test_a_record_that_is_no_object_is_returned_as_it_is() -> None:
    assert [shuffle(tree, stream(0, 1), PLAIN) for tree in (None, "x", [1, 2])] == [
        None,
        "x",
        [1, 2],
    ]


def test_what_lies_too_deep_to_be_read_is_left_alone() -> None:
    tree: dict[str, object] = {"a": [1, 2, 3]}
    for _ in range(50 * MAX_DEPTH):
        tree = {"a": tree}
    assert count_blocks(shuffle(tree, stream(0, 1), PLAIN)) == 1


COLUMNS = load_schema(
    {
        "fields": {"total": {"type": "money"}},
        "groups": {
            "items": {
                "fields": {"name": {"type": "text"}, "price": {"type": "money"}},
                "columns": {"name": "NAMES", "price": "PRICES"},
            }
        },
    }
)


@pytest.mark.parametrize(
    "prices",
    [["1", "2", "3", "4"], "1 | 2 | 3 | 4", ["1", "2"]],
    ids=["a list", "a text with separators", "a shorter list"],
)
def test_columns_of_one_table_keep_their_rows(prices: object) -> None:
    tree = {"total": "9", "NAMES": ["a", "b", "c", "d"], "PRICES": prices}
    layouts = Layouts(COLUMNS)
    orders = set()
    for seed in range(20):
        mixed = shuffle(tree, stream(seed, 1), layouts.plain)
        assert isinstance(mixed, dict)
        orders.add(tuple(mixed["NAMES"]))
        case = make_case("x", tree, mixed, layouts)
        assert case.tally().exact
    assert len(orders) > 5


def test_every_order_of_three_items_comes_up() -> None:
    orders = {str(shuffle({"a": [1, 2, 3]}, stream(seed, 1), PLAIN)) for seed in range(100)}
    assert len(orders) == 6


TAGGED = TaggedText(
    [
        Block("date", "26 mai 1770"),
        Block(None, "signé par"),
        Block("name", "Jean Petit"),
        Block(None, "à"),
        Block("name", "Anne"),
    ]
)


def test_entities_and_runs_of_words_outside_are_the_blocks_of_a_tagged_text() -> None:
    mixed = [shuffle(TAGGED, stream(seed, 1), PLAIN) for seed in range(200)]
    assert all(isinstance(one, TaggedText) for one in mixed)
    assert {frozenset(one.blocks) for one in mixed if isinstance(one, TaggedText)} == {
        frozenset(TAGGED.blocks)
    }
    assert len({str(one) for one in mixed}) > 60
    assert count_blocks(TAGGED) == 5
