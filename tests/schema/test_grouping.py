"""Grouping: flat entities into rows, four ways."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.api.score import Scorer
from docassay.errors import UnknownName
from docassay.model.document import Block, Number, TaggedText
from docassay.model.schema import GROUPINGS, Field, GroupSpec
from docassay.schema.grouping import (
    Flat,
    box_of,
    by_ids,
    by_position,
    by_repetition,
    by_slots,
    group_by,
    nest,
)

NAMES = st.sampled_from("ABC")
ENTITY = st.builds(
    Flat,
    NAMES,
    st.integers(0, 9).map(str),
    st.none() | st.integers(0, 20),
    st.none() | st.integers(1, 2),
    st.none() | st.tuples(*[st.floats(0, 10, allow_nan=False)] * 4),
    st.none() | st.sampled_from("xy"),
)


def names(rows: list[list[Flat]]) -> list[str]:
    return ["".join(one.name for one in row) for row in rows]


def flats(text: str) -> list[Flat]:
    return [Flat(name, name.lower()) for name in text]


@pytest.mark.parametrize(
    ("sequence", "rows"),
    [
        ("", []),
        ("A", ["A"]),
        ("ABCABC", ["ABC", "ABC"]),
        ("ABCBC", ["ABC", "BC"]),
        ("AAB", ["A", "AB"]),
        ("ABCA", ["ABC", "A"]),
    ],
    ids=["nothing", "the last row is there", "two rows", "a missing first", "twice", "a last one"],
)
def test_repetition_starts_a_row_where_a_name_comes_again(sequence: str, rows: list[str]) -> None:
    assert names(by_repetition(flats(sequence)).rows) == rows


@pytest.mark.parametrize(
    ("sequence", "rows"),
    [
        ("ABAB", ["AB", "AB"]),
        ("AAB", ["AB", "A"]),
        ("ABCBC", ["ABC", "BC"]),
        ("BBAA", ["BA", "BA"]),
    ],
    ids=["in turns", "the first free slot", "a missing first", "column by column"],
)
def test_slots_fill_the_first_row_that_lacks_the_name(sequence: str, rows: list[str]) -> None:
    assert names(by_slots(flats(sequence)).rows) == rows


def test_the_vectors_of_the_released_code_are_grouped_as_it_does(shared: Path) -> None:
    for one in json.loads((shared / "vectors" / "vrdu.json").read_text())["grouping"]:
        kept = [Flat(name, name) for name in one["sequence"] if name in one["group_names"]]
        expected = [group for group in one["code_groups"] if isinstance(group, list)]
        assert [[e.name for e in row] for row in by_repetition(kept).rows] == expected, one


def test_text_positions_decide_the_order_when_all_have_one() -> None:
    listed = [Flat("B", "b1", 5), Flat("A", "a1", 0), Flat("A", "a2", 10), Flat("B", "b2", 15)]
    assert names(by_repetition(listed).rows) == ["AB", "AB"]
    assert names(by_repetition([*listed, Flat("C", "c")]).rows) == ["BA", "ABC"]


def at(name: str, top: float, left: float = 0, page: int = 1) -> Flat:
    return Flat(name, name, None, page, (left, top, left + 5, top + 10))


def test_position_takes_what_stands_at_one_height() -> None:
    found = by_position([at("B", 2, 50), at("A", 0), at("A", 20), at("B", 24, 50)])
    assert names(found.rows) == ["AB", "AB"]


def test_position_measures_from_the_mean_of_the_row() -> None:
    # 4 below the first and 2 below the mean of the first two: the third is in, the fourth is not
    assert names(by_position([at("A", 0), at("B", 4), at("C", 6), at("D", 9)]).rows) == ["ABC", "D"]


def test_half_the_median_height_is_within_reach_and_more_is_not() -> None:
    assert names(by_position([at("A", 0), at("B", 5)]).rows) == ["AB"]
    assert names(by_position([at("A", 0), at("B", 5.1)]).rows) == ["A", "B"]


def test_a_page_ends_a_row() -> None:
    assert names(by_position([at("A", 0, page=2), at("B", 0, page=1)]).rows) == ["B", "A"]


def test_what_has_no_box_is_left_over() -> None:
    found = by_position([at("A", 0), Flat("B", "b")])
    assert names(found.rows) == ["A"]
    assert [one.name for one in found.left] == ["B"]


def test_ids_put_together_what_names_the_same_row() -> None:
    found = by_ids([Flat("A", "1", group="r2"), Flat("B", "2"), Flat("A", "3", group="r1"),
                    Flat("B", "4", group="r2")])  # fmt: skip
    assert [[one.leaf for one in row] for row in found.rows] == [["1", "4"], ["3"]]
    assert [one.leaf for one in found.left] == ["2"]


@pytest.mark.parametrize("way", GROUPINGS)
@given(entities=st.lists(ENTITY, max_size=12))
def test_no_entity_is_lost_or_made_up(way: str, entities: list[Flat]) -> None:
    found = group_by(way, entities)
    assert Counter([one for row in found.rows for one in row] + found.left) == Counter(entities)
    assert all(found.rows)


@pytest.mark.parametrize("way", ["repetition", "slots"])
@given(entities=st.lists(ENTITY, max_size=12))
def test_a_row_has_each_name_once(way: str, entities: list[Flat]) -> None:
    for row in group_by(way, entities).rows:
        assert len({one.name for one in row}) == len(row)


def test_an_unknown_way_lists_what_there_is() -> None:
    with pytest.raises(UnknownName, match="position"):
        group_by("boxes", [])


@pytest.mark.parametrize(
    "raw",
    [
        None,
        [],
        [1, 2, 3],
        ["a", 1, 2, 3],
        [None] * 4,
        "1234",
        [10**400, 1, 1, 1],
        ["NaN"] * 4,
        [Number("1e400")] * 4,
    ],
)
def test_what_is_no_box_is_none(raw: object) -> None:
    assert box_of(raw) is None


ITEM = GroupSpec("item", (Field("item.d"), Field("item.a", aliases=("amount",))), grouping="slots")


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        ({"d": ["x", "y"], "a": "1"}, {"item": [{"d": "x", "a": "1"}, {"d": "y"}]}),
        ({"item.d": "x", "amount": ["1"]}, {"item": [{"d": "x", "a": "1"}]}),
        ({"item": [{"d": "w"}], "d": "x"}, {"item": [{"d": "w"}, {"d": "x"}]}),
        ({"item": {"d": "w"}, "d": "x"}, {"item": [{"d": "w"}, {"d": "x"}]}),
        ({"other": ["x"]}, {"other": ["x"]}),
    ],
    ids=["by name", "by path and alias", "after rows", "after a lone row", "nothing loose"],
)
def test_loose_values_are_put_into_rows(tree: dict, expected: dict) -> None:
    assert nest(tree, [ITEM]).tree == expected


def test_a_name_that_means_something_else_is_left_alone() -> None:
    nested = nest({"d": "x", "item.d": "y"}, [ITEM], known={"d"})
    assert nested.tree == {"d": "x", "item": [{"d": "y"}]}


def test_ids_are_taken_off_the_values() -> None:
    spec = GroupSpec("item", ITEM.fields, grouping="ids", group_id="row")
    tree = {
        "d": [{"value": "x", "row": 1}, {"value": "y", "row": 2}],
        "a": {"value": "1", "row": 2},
    }
    rows = [{"d": {"value": "x"}}, {"d": {"value": "y"}, "a": {"value": "1"}}]
    assert nest(tree, [spec]).tree == {"item": rows}


def test_tagged_text_keeps_the_order_of_its_words() -> None:
    spec = GroupSpec("item", ITEM.fields, grouping="repetition")
    text = TaggedText([Block("d", "x"), Block(None, "and"), Block("d", "y"), Block("a", "1")])
    assert nest(text, [spec]).tree == {"item": [{"d": "x"}, {"d": "y", "a": "1"}]}


def score(pred: Mapping[str, object], grouping: str) -> tuple[object, list[str]]:
    schema = {"groups": {"item": {"grouping": grouping, "fields": {"d": "text", "a": "money"}}}}
    scorer = Scorer(schema=schema, metrics=["vrdu"])
    scorer.add("x", {"item": [{"d": "p", "a": "1"}, {"d": "q", "a": "2"}]}, pred)
    report = scorer.report()
    return report["vrdu.hierarchical_f1"].value, [one.message for one in report.problems]


def test_a_schema_groups_the_loose_values_of_a_document() -> None:
    assert score({"d": ["p", "q"], "item.a": ["1.00", "2.00"]}, "slots") == (1.0, [])


def test_values_that_cannot_be_placed_are_a_problem() -> None:
    _, problems = score({"d": ["p", "q"]}, "position")
    assert problems == ["2 of its values could not be put into rows by position"]
