"""What is shuffled: blocks at every level down to the depth that is read, and no deeper."""

from __future__ import annotations

import pytest

from docassay.analysis.draw import stream
from docassay.analysis.study.shuffle import count_blocks, shuffle
from docassay.matching.case import Layouts
from docassay.model.document import MAX_DEPTH
from docassay.schema.source import load_schema

LAYOUT, _ = Layouts(load_schema({"fields": {"a": "text"}})).of({})
MANY = [f"{number}" for number in range(40)]


def nested(value: object, depth: int, *, lists: bool) -> dict[str, object]:
    """Return a value that stands so many levels below the document."""
    for _ in range(depth - 1):
        value = [value] if lists else {"k": value}
    return {"k": value}


def inside(tree: object) -> object:
    while True:
        if isinstance(tree, dict) and tree.keys() == {"k"}:
            tree = tree["k"]
        elif isinstance(tree, list) and len(tree) == 1:
            tree = tree[0]
        else:
            return tree


@pytest.mark.parametrize("lists", [False, True], ids=["objects", "lists"])
@pytest.mark.parametrize(
    ("depth", "moves"), [(1, True), (2, True), (MAX_DEPTH, True), (MAX_DEPTH + 1, False)]
)
def test_lists_are_shuffled_down_to_the_depth_that_is_read(
    depth: int, moves: bool, lists: bool
) -> None:
    found = inside(shuffle(nested(MANY, depth, lists=lists), stream(0, 0), LAYOUT))
    assert isinstance(found, list)
    assert sorted(found) == sorted(MANY)
    assert (found != MANY) is moves
    objects = dict.fromkeys(MANY, "x")
    keys = inside(shuffle(nested(objects, depth, lists=lists), stream(0, 0), LAYOUT))
    assert isinstance(keys, dict)
    assert ([*keys] != MANY) is moves


@pytest.mark.parametrize("lists", [False, True], ids=["objects", "lists"])
def test_blocks_are_counted_down_to_the_depth_that_is_read(lists: bool) -> None:
    for depth in (1, 2, MAX_DEPTH):
        assert count_blocks(nested(MANY, depth, lists=lists)) == len(MANY)
    assert count_blocks(nested(MANY, MAX_DEPTH + 1, lists=lists)) == 1


@pytest.mark.parametrize(
    ("tree", "count"),
    [
        ({}, 0),
        ({"a": None}, 0),
        ({"a": "x"}, 1),
        ({"a": ["x", None, "y"]}, 2),
        ({"a": {"value": "x", "confidence": 0.5}}, 1),
        ({"a": {"any_of": ["x", "y"]}}, 1),
        ({"a": {"value": "x", "other": "y"}}, 2),
        ({"a": [{"b": "x", "c": "y"}, {"b": "z"}]}, 3),
        ("x", 0),
        (None, 0),
    ],
)
def test_a_block_is_a_value_with_what_is_known_about_it(tree: object, count: int) -> None:
    assert count_blocks(tree) == count


def test_a_value_with_what_is_known_about_it_stays_whole() -> None:
    leaf = {"value": "x", "confidence": 0.5}
    either = {"any_of": [*MANY]}
    found = shuffle({"a": leaf, "b": either}, stream(0, 0), LAYOUT)
    assert isinstance(found, dict)
    assert found == {"a": leaf, "b": either}
    assert [*found["a"]] == ["value", "confidence"]
    assert found["b"]["any_of"] == MANY


def test_the_cells_of_a_row_stay_side_by_side() -> None:
    columns = {"name": "NAMES", "price": "PRICES"}
    fields = {"name": "text", "price": "text"}
    schema = load_schema({"groups": {"items": {"fields": fields, "columns": columns}}})
    tree = {"NAMES": MANY, "PRICES": [f"${name}" for name in MANY[:-1]]}
    layout, _ = Layouts(schema).of(tree)
    found = shuffle(tree, stream(0, 0), layout)
    assert isinstance(found, dict)
    assert found["NAMES"] != MANY
    expected = [None if name == MANY[-1] else f"${name}" for name in found["NAMES"]]
    assert found["PRICES"] == expected
