"""Which members of gold and pred count: extras, names to ignore, fields that were labelled."""

from __future__ import annotations

import pytest
from hypothesis import given

from docassay.matching.case import Case, Layouts, make_case
from docassay.model.document import Block, TaggedText
from docassay.model.problem import ProblemCode
from docassay.schema.layout import EXTRA, IGNORED, UNLABELLED
from docassay.schema.selection import Aside, PartialTree, select, values_in
from docassay.schema.source import load_schema
from docassay.schema.write import to_plain, to_yaml
from tests.strategies import TREE

SCHEMA = {
    "types": {"bill": {"fields": ["DOCUMENT_TYPE", "total", "items"], "unscored": ["balance"]}},
    "fields": {
        "total": {"type": "money", "aliases": ["amount"]},
        "address": "text",
        "balance": "money",
    },
    "groups": {
        "items": {
            "aliases": ["lines"],
            "fields": {"name": {"type": "text", "aliases": ["desc"]}, "price": "money"},
            "groups": {"taxes": {"fields": {"rate": "percent"}}},
            "columns": {"name": "NAMES", "price": "PRICES"},
        },
        "header": {"section": True, "fields": {"number": "id"}},
        "notes": {},
    },
}
LOOSE = {
    "fields": {"total": "money"},
    "groups": {"items": {"grouping": "repetition", "fields": {"name": "text"}}},
}


def chosen(tree: object, schema: object = SCHEMA, *ignore: str, gold: object = None) -> object:
    layout = Layouts(load_schema(schema), ignore=ignore).plain
    return select("x", {} if gold is None else gold, tree, layout).pred


def case_of(gold: object, pred: object, schema: object = SCHEMA, *ignore: str) -> Case:
    return make_case("x", gold, pred, Layouts(load_schema(schema), ignore=ignore))


@pytest.mark.parametrize(
    ("tree", "kept"),
    [
        pytest.param({"total": 1, "why": 2}, {"total": 1}, id="a field"),
        pytest.param({"amount": 1}, {"amount": 1}, id="an alias is named"),
        pytest.param({"NAMES": "a | b", "OTHERS": "c"}, {"NAMES": "a | b"}, id="so is a column"),
        pytest.param({"DOCUMENT_TYPE": "bill"}, {"DOCUMENT_TYPE": "bill"}, id="and the type"),
        pytest.param({"balance": 2}, {"balance": 2}, id="and what a type does not score"),
        pytest.param({"lines": [{"desc": 1, "x": 2}]}, {"lines": [{"desc": 1}]}, id="in a row"),
        pytest.param({"items": {"price": 1, "x": 2}}, {"items": {"price": 1}}, id="in an object"),
        pytest.param(
            {"items": [{"taxes": [{"rate": 1, "x": 2}], "y": 3}]},
            {"items": [{"taxes": [{"rate": 1}]}]},
            id="in a row of a row",
        ),
        pytest.param({"header": {"number": 1, "x": 2}}, {"header": {"number": 1}}, id="a section"),
        pytest.param({"notes": [{"x": 1}]}, {"notes": [{"x": 1}]}, id="a group without fields"),
        pytest.param(
            {"address": {"city": "Ulm"}}, {"address": {"city": "Ulm"}}, id="an object of a field"
        ),
        pytest.param(
            {"items": {"value": [{"price": 1, "x": 2}], "page": 1}},
            {},
            id="a leaf where the schema has a group is a row",
        ),
        pytest.param(
            {"address": {"value": "a", "confidence": 0.5}, "x": {"value": "b"}},
            {"address": {"value": "a", "confidence": 0.5}},
            id="a leaf with its confidence",
        ),
        pytest.param({7: 1, "total": 2}, {"total": 2}, id="a key that is no text"),
        pytest.param([1], [1], id="a list for a document"),
        pytest.param(None, None, id="nothing"),
    ],
)
def test_what_the_schema_does_not_name_is_left_out(tree: object, kept: object) -> None:
    assert chosen(tree) == kept
    assert chosen(tree, {**SCHEMA, "extra": "count"}) is tree


def test_loose_values_of_a_grouped_row_are_named() -> None:
    tree = {"name": "a", "items.name": "b", "other": "c"}
    assert chosen(tree, LOOSE) == {"name": "a", "items.name": "b"}


def test_words_of_an_entity_that_does_not_count_stay_as_words() -> None:
    text = TaggedText([Block(None, "on"), Block("why", "a b"), Block("total", "5")])
    left = chosen(text)
    assert isinstance(left, TaggedText)
    assert left.blocks == (Block(None, "on a b"), Block("total", "5"))


@given(TREE)
def test_without_a_schema_a_tree_comes_back_as_it_is(tree: object) -> None:
    layout = Layouts(load_schema({"extra": "count", "fields": {"total": "money"}})).plain
    selected = select("x", tree, tree, layout)
    assert selected.gold is selected.pred is tree
    assert selected.aside == ()


@given(TREE)
def test_a_star_ignores_everything(tree: object) -> None:
    assert chosen(tree, SCHEMA, "*") == {}


@pytest.mark.parametrize(
    ("names", "kept"),
    [
        (["a"], {"b": {"a": 1, "c": 2}, "d": [{"a": 3}]}),
        (["b.a"], {"a": 0, "b": {"c": 2}, "d": [{"a": 3}]}),
        (["*a"], {"b": {"c": 2}}),
        (["*.a"], {"a": 0, "b": {"c": 2}}),
        (["d", "b.*"], {"a": 0}),
        (["A", ".", "[ab]", "b.a.c"], {"a": 0, "b": {"a": 1, "c": 2}, "d": [{"a": 3}]}),
    ],
)
def test_names_and_patterns_are_ignored_at_any_depth(names: list[str], kept: object) -> None:
    tree = {"a": 0, "b": {"a": 1, "c": 2}, "d": [{"a": 3}]}
    schema = {"extra": "count", "fields": {"zzz": "text"}}
    assert chosen(tree, schema, *names) == kept


@pytest.mark.parametrize(
    ("name", "columns", "rows"),
    [
        ("items", {}, {}),
        ("lines", {}, {}),
        ("items.name", {"PRICES": "1"}, {"items": [{"price": 1}]}),
        ("NAMES", {"PRICES": "1"}, {"items": [{"price": 1}]}),
        ("items.desc", {"PRICES": "1"}, {"items": [{"price": 1}]}),
    ],
)
def test_a_field_is_ignored_by_its_path_its_alias_and_its_column(
    name: str, columns: object, rows: object
) -> None:
    assert chosen({"NAMES": "a | b", "PRICES": "1"}, SCHEMA, name) == columns
    assert chosen({"items": [{"desc": "a", "price": 1}]}, SCHEMA, name) == rows


def partial(*names: str, **tree: object) -> PartialTree:
    return PartialTree(tree, names)


@pytest.mark.parametrize(
    ("labels", "kept"),
    [
        pytest.param(["total"], {"total": 1}, id="a field"),
        pytest.param(["amount"], {"total": 1}, id="by its alias"),
        pytest.param(["items"], {"items": [{"name": "a", "price": 2}]}, id="a whole group"),
        pytest.param(["lines"], {"items": [{"name": "a", "price": 2}]}, id="by its alias too"),
        pytest.param(["items.price"], {"items": [{"price": 2}]}, id="a field of its rows"),
        pytest.param(["PRICES"], {"items": [{"price": 2}]}, id="by its column"),
        pytest.param(["items.desc"], {"items": [{"name": "a"}]}, id="by an alias inside"),
        pytest.param([], {}, id="nothing"),
    ],
)
def test_only_labelled_fields_count(labels: list[str], kept: object) -> None:
    tree = {"total": 1, "items": [{"name": "a", "price": 2}], "address": "b"}
    gold = partial(*labels, **tree)
    layout = Layouts(load_schema(SCHEMA)).plain
    selected = select("x", gold, tree, layout)
    assert (selected.gold, selected.pred) == (kept, kept)
    assert type(selected.gold) is dict
    assert selected.problems == ()


def test_columns_count_where_their_field_or_group_is_labelled() -> None:
    tree = {"NAMES": "a | b", "PRICES": "1 | 2"}
    assert chosen(tree, gold=partial("items.name")) == {"NAMES": "a | b"}
    assert chosen(tree, gold=partial("items")) == tree
    assert chosen(tree, gold=partial("total")) == {}


def test_a_label_that_nothing_is_known_by_is_a_problem() -> None:
    case = case_of(partial("total", "totl", "own", total="1", own="2"), {"total": "1"})
    assert [(flaw.code, flaw.field) for flaw in case.problems][:1] == [
        (ProblemCode.UNKNOWN_LABEL, "totl")
    ]
    assert len([flaw for flaw in case.problems if flaw.code == ProblemCode.UNKNOWN_LABEL]) == 1


@pytest.mark.parametrize(
    ("gold", "kept"),
    [
        pytest.param({"total": 1}, {"total": 1}, id="a key that is there"),
        pytest.param({"total": None}, {"total": 1}, id="null says: not there"),
        pytest.param({"amount": ""}, {"total": 1}, id="an alias, and an empty text"),
        pytest.param({"items": []}, {"items": [{"name": "a", "price": 2}]}, id="no rows"),
        pytest.param({"items": [{"price": 5}, {}]}, {"items": [{"price": 2}]}, id="a row's keys"),
        pytest.param({"PRICES": "1 | 2"}, {"items": [{"price": 2}]}, id="a column"),
        pytest.param({}, {}, id="an empty document"),
    ],
)
def test_a_key_that_gold_lacks_may_be_unlabelled(gold: object, kept: object) -> None:
    tree = {"total": 1, "items": [{"name": "a", "price": 2}], "address": "b"}
    assert chosen(tree, {**SCHEMA, "missing": "unlabelled"}, gold=gold) == kept


def test_what_is_left_out_is_counted_by_reason_side_and_field() -> None:
    gold = partial("total", "items.price", total="1", why="x", items=[{"name": "a", "price": "1"}])
    pred = {
        "total": "1",
        "address": {"city": "Ulm", "zip": None},
        "why": ["x", "", {"value": "y"}, {"any_of": ["a", "b"]}],
        "skip": None,
        "empty": "",
        "items": [{"name": "a"}, {"name": "b"}],
    }
    case = case_of(gold, pred, SCHEMA, "skip")
    assert case.aside == (
        Aside(EXTRA, "gold", "why", 1),
        Aside(UNLABELLED, "gold", "items.name", 1),
        Aside(EXTRA, "pred", "why", 3),
        Aside(IGNORED, "pred", "skip", 0),
        Aside(UNLABELLED, "pred", "address", 1),
        Aside(UNLABELLED, "pred", "items.name", 2),
    )
    assert case.given == (gold, pred)


def test_fields_that_do_not_count_are_not_expected_either() -> None:
    schema = {"fields": {"a": "text", "b": "text"}, "groups": {"g": {"fields": {"c": "text"}}}}
    assert case_of({}, {}, schema).expected == ("a", "b", "g.c")
    assert case_of({}, {}, schema, "b", "g").expected == ("a",)
    assert case_of({}, {}, schema, "g.*").expected == ("a", "b")
    assert case_of(partial("b", "g"), {}, schema).expected == ("b", "g.c")


def test_values_nested_deeper_than_can_be_read_do_not_matter() -> None:
    tree: dict[str, object] = {"x": "1"}
    for _ in range(3000):
        tree = {"notes": [tree]}
    chosen(tree)
    assert values_in(tree) == 1


@pytest.mark.parametrize("key", ["extra", "missing"])
def test_extra_and_missing_are_written_and_read_back(key: str, tmp_path: object) -> None:
    value = {"extra": "count", "missing": "unlabelled"}[key]
    schema = load_schema({"fields": {"total": "money"}, key: value})
    assert getattr(schema, key) == value
    assert f"{key}: {value}" in to_yaml(schema)
    assert load_schema(to_plain(schema)) == schema


@pytest.mark.parametrize(
    ("stated", "extra"),
    [(None, "ignore"), (False, "ignore"), (True, "count"), ({"type": "string"}, "count")],
)
def test_additional_properties_of_json_schema_count(stated: object, extra: str) -> None:
    given = {"type": "object", "properties": {"a": {"type": "string"}}}
    more = {} if stated is None else {"additionalProperties": stated}
    assert load_schema({**given, **more}).extra == extra
