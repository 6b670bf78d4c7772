"""A VRDU meta.json as a schema, and what a schema says about repeating and grouping."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import docassay as da
from docassay.errors import SchemaError
from docassay.schema.other_forms import FUNCTIONS, functions_of
from docassay.schema.source import check_schema, load_schema
from docassay.schema.write import to_plain, to_yaml

META = {
    "dataset_name": "ads",
    "entity_name_to_match_func": {
        "advertiser": "GeneralStringMatch",
        "staff": "NameMatch",
        "program": "GeneralStringMatch",
        "amount": "PriceMatch",
    },
    "entity_appearance_pattern": {
        "advertiser": "unrepeated",
        "staff": "repeated",
        "program": "line_item",
        "amount": "line_item",
    },
}


def test_a_file_named_by_its_path_becomes_a_schema(tmp_path: Path) -> None:
    (tmp_path / "meta.json").write_text(json.dumps(META))
    schema = load_schema(tmp_path / "meta.json")
    assert schema.name == "ads"
    assert schema.dates == "month-first"
    assert [(one.path, one.type, one.repeated) for one in schema.fields] == [
        ("advertiser", "alphanumeric", False),
        ("staff", "name", True),
    ]
    assert [(one.path, one.type) for one in schema.groups[0].fields] == [
        ("line_item.program", "alphanumeric"),
        ("line_item.amount", "money"),
    ]


def test_it_can_be_written_and_read_again() -> None:
    schema = load_schema(META)
    assert load_schema(to_plain(schema)) == schema


def test_without_patterns_all_names_are_unrepeated() -> None:
    functions = META["entity_name_to_match_func"]
    schema = load_schema({"entity_name_to_match_func": functions})
    assert {one.repeated for one in schema.fields} == {False}
    assert schema.groups == ()


@pytest.mark.parametrize(
    ("function", "gold", "pred", "equal"),
    [
        ("DateMatch", "07/01/2022", "July 1, 2022", True),
        ("DateMatch", "03/04/2020", "04/03/2020", False),
        ("PriceMatch", "$ 40,000", "40000.01", True),
        ("PriceMatch", "40,000", "40,000.02", False),
        ("AddressMatch", "4, Main St.", "40 Main St.", False),
        ("NumericalStringMatch", "No. 3712", "3712\n", True),
        ("NumericalStringMatch", "none", "nothing", False),
        ("GeneralStringMatch", "Vice-President", "Vice President", True),
        ("GeneralStringMatch", "東京", "大阪", False),
        ("NameMatch", "Acme\nInc.", "Acme Inc.", True),
        ("DefaultMatch", "a  b", "a b", True),
        ("DefaultMatch", "A", "a", False),
    ],
)
def test_a_function_is_sound(function: str, gold: str, pred: str, equal: bool) -> None:
    schema = load_schema({"entity_name_to_match_func": {"x": function}})
    report = da.score({"d": {"x": gold}}, {"d": {"x": pred}}, schema=schema, metrics=["vrdu"])
    assert report["vrdu.micro_f1"].value == float(equal)


def test_no_text_is_split_at_a_bar() -> None:
    schema = load_schema({"entity_name_to_match_func": {"x": "DefaultMatch"}})
    trees = {"d": {"x": "a | b"}}
    report = da.score(trees, trees, schema=schema, metrics=["entity"])
    assert report["entity.tp"].value == 1


@pytest.mark.parametrize(
    ("meta", "message"),
    [
        ({"entity_name_to_match_func": {"x": "NumericalMatch"}}, "unknown match function"),
        ({"entity_name_to_match_func": {"x": ["DateMatch"]}}, "a list where a text belongs"),
        ({"entity_name_to_match_func": ["x"]}, "where a mapping belongs"),
        ({"entity_name_to_match_func": {}}, "an empty schema"),
        (
            {
                "entity_name_to_match_func": {"x": "DateMatch"},
                "entity_appearance_pattern": {"y": "repeated"},
            },
            "unknown name with a match function",
        ),
    ],
    ids=["function", "list", "no mapping", "nothing", "pattern of no name"],
)
def test_a_mistake_is_named(meta: dict, message: str) -> None:
    with pytest.raises(SchemaError, match=message):
        load_schema(meta)


def test_an_unknown_function_lists_all_seven() -> None:
    (mistake,) = check_schema({"entity_name_to_match_func": {"x": "NoMatch"}})
    assert len(FUNCTIONS) == 7
    assert all(name in str(mistake) for name in FUNCTIONS)


ROWS = {"a": "exact"}


def test_grouping_and_repeating_survive_being_written() -> None:
    given = {
        "fields": {"x": {"type": "exact", "repeated": True}},
        "groups": {"r": {"grouping": "ids", "group_id": "row", "fields": ROWS}},
    }
    schema = load_schema(given)
    assert load_schema(to_plain(schema)) == schema
    assert "grouping: ids" in to_yaml(schema)


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ({"groups": {"r": {"grouping": "boxes", "fields": ROWS}}}, "unknown setting 'boxes'"),
        ({"groups": {"r": {"group_id": "x", "fields": ROWS}}}, "group_id without grouping"),
        (
            {"groups": {"r": {"grouping": "slots", "columns": {"a": "A"}, "fields": ROWS}}},
            "grouping beside columns",
        ),
        (
            {"groups": {"r": {"groups": {"s": {"grouping": "slots", "fields": ROWS}}}}},
            "grouping of a group inside another",
        ),
        (
            {"groups": {"r": {"fields": {"a": {"type": "exact", "repeated": True}}}}},
            "repeated of a field in a group",
        ),
        ({"fields": {"a": {"repeated": "often"}}}, "where true or false belongs"),
    ],
    ids=["way", "id alone", "beside columns", "inside", "repeated in a row", "no flag"],
)
def test_what_cannot_work_is_named(schema: dict, message: str) -> None:
    assert [one for one in check_schema(schema) if message in str(one)]


def test_the_match_functions_of_a_converted_meta_are_found_again() -> None:
    rows = {name: "line_item" for name in ("program", "amount")}
    functions = {name.lower(): name for name in FUNCTIONS} | META["entity_name_to_match_func"]
    schema = load_schema(
        {"entity_name_to_match_func": functions, "entity_appearance_pattern": rows}
    )
    expected = {
        f"line_item.{name}" if name in rows else name: function
        for name, function in functions.items()
    }
    assert functions_of(schema) == expected
    assert functions_of(load_schema(to_plain(schema))) == expected


@pytest.mark.parametrize(
    "change",
    [
        {"dates": "day-first"},
        {"fields": {"a": "date"}},
        {"fields": {"a": {"type": "money", "list": False}}},
        {"fields": {"a": {"type": "text", "list": False}}},
        {"fields": {"a": {"type": "name", "list": False}, "b": {"type": "id", "list": False}}},
    ],
    ids=["other dates", "a list", "money to the digit", "another type", "one of another type"],
)
def test_a_schema_that_no_meta_converts_to_has_no_match_functions(
    change: dict[str, object],
) -> None:
    plain: dict[str, object] = {
        "dates": "month-first",
        "fields": {"a": {"type": "name", "list": False}},
    }
    assert functions_of(load_schema(plain)) == {"a": "NameMatch"}
    assert functions_of(load_schema({**plain, **change})) == {}
