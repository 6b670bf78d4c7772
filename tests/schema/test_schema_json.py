"""JSON Schema and Pydantic models become schemas: objects are groups, formats name types."""

import datetime
import decimal
import enum
import json
from collections.abc import Callable
from typing import Literal

import pytest

from docassay.errors import SchemaError
from docassay.model.schema import Field, GroupSpec, Schema
from docassay.schema.json_schema import MOST_REFERENCES
from docassay.schema.source import check_schema, load_schema
from tests.counted import calls, growth


def of(properties, **rest):
    return load_schema({"type": "object", "properties": properties, **rest})


@pytest.mark.parametrize(
    ("described", "field"),
    [
        pytest.param({"type": "string"}, Field("a", "text"), id="string"),
        pytest.param({"type": "integer"}, Field("a", "number"), id="integer"),
        pytest.param({"type": "number"}, Field("a", "number"), id="number"),
        pytest.param({"type": "boolean"}, Field("a", "boolean"), id="boolean"),
        pytest.param({"type": "string", "format": "date"}, Field("a", "date"), id="date"),
        pytest.param({"type": "string", "format": "date-time"}, Field("a", "date"), id="date-time"),
        pytest.param({"type": "string", "format": "time"}, Field("a", "time"), id="time"),
        pytest.param({"type": "string", "format": "email"}, Field("a", "text"), id="other format"),
        pytest.param({"type": ["string", "null"]}, Field("a", "text"), id="may be null"),
        pytest.param({"type": ["integer", "number"]}, Field("a", "number"), id="both numbers"),
        pytest.param({"type": ["integer", "string"]}, Field("a", "text"), id="number or text"),
        pytest.param({}, Field("a", "text"), id="anything"),
        pytest.param(True, Field("a", "text"), id="true"),
        pytest.param(
            {"anyOf": [{"type": "number"}, {"type": "null"}]}, Field("a", "number"), id="any of"
        ),
        pytest.param(
            {"oneOf": [{"type": "string", "format": "date"}, {"type": "null"}]},
            Field("a", "date"),
            id="one of",
        ),
        pytest.param(
            {"anyOf": [{"type": "number"}, {"type": "string"}]},
            Field("a", "text"),
            id="number or any text",
        ),
        pytest.param(
            {"anyOf": [{"type": "number"}, {"type": "string", "pattern": r"^\d+\.?\d*$"}]},
            Field("a", "number"),
            id="number or its digits",
        ),
        pytest.param(
            {"anyOf": [{"type": "number"}, {"type": "string", "pattern": "("}]},
            Field("a", "text"),
            id="broken pattern",
        ),
        pytest.param(
            {"enum": ["x", "y", None]}, Field("a", "choice", {"choices": ("x", "y")}), id="enum"
        ),
        pytest.param({"enum": [True, False]}, Field("a", "boolean"), id="enum of truths"),
        pytest.param({"const": "x"}, Field("a", "choice", {"choices": ("x",)}), id="const"),
        pytest.param(
            {"type": "array", "items": {"type": "number"}},
            Field("a", "number"),
            id="several values",
        ),
        pytest.param({"type": "array"}, Field("a", "text"), id="several of anything"),
        pytest.param(
            {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
            Field("a", "text", match="set"),
            id="a set",
        ),
        pytest.param(
            {"type": "string", "x-docassay": {"type": "money", "weight": 2}},
            Field("a", "money", weight=2.0),
            id="override",
        ),
        pytest.param(
            {"type": "string", "docassay": {"accept": 0.8}},
            Field("a", "text", accept=0.8),
            id="override of a setting",
        ),
        pytest.param({"type": "string", "x-docassay": "id"}, Field("a", "id"), id="short override"),
        pytest.param(
            {"enum": ["x"], "x-docassay": {"type": "text"}},
            Field("a", "text"),
            id="override drops the options of the guess",
        ),
        pytest.param(
            {"type": "object", "x-docassay": "text"},
            Field("a", "text"),
            id="an object taken as a value",
        ),
        pytest.param(
            {"type": "object", "properties": {"value": {"type": "number"}, "confidence": {}}},
            Field("a", "number"),
            id="leaf object",
        ),
        pytest.param(
            {"allOf": [{"type": "number"}], "docassay": {"weight": 2}},
            Field("a", "number", weight=2.0),
            id="all of",
        ),
    ],
)
def test_a_property_becomes_a_field(described, field):
    assert of({"a": described}).fields == (field,)


def test_objects_and_arrays_of_objects_become_groups():
    row = {"type": "object", "properties": {"nm": {"type": "string"}}}
    schema = of(
        {
            "menu": {"type": "array", "items": row, "x-docassay": {"match": {"key": "nm"}}},
            "seller": {"type": "object", "properties": {"name": {}, "address": row}},
            "free": {"type": "object", "additionalProperties": True},
        },
        title="Receipt",
    )
    address = GroupSpec("seller.address", (Field("seller.address.nm", "text"),))
    assert schema == Schema(
        name="Receipt",
        groups=(
            GroupSpec("menu", (Field("menu.nm", "text"),), match="key", key="menu.nm"),
            GroupSpec("seller", (Field("seller.name", "text"),), (address,)),
            GroupSpec("free"),
        ),
    )


def test_references_are_followed_and_their_siblings_win():
    schema = of(
        {
            "net": {"$ref": "#/$defs/amount"},
            "gross": {"$ref": "#/$defs/amount", "docassay": {"type": "money", "weight": 3}},
            "odd": {"$ref": "#/definitions/a~1b"},
        },
        **{"$defs": {"amount": {"type": "number"}}, "definitions": {"a/b": {"type": "boolean"}}},
    )
    assert schema.fields == (
        Field("net", "number"),
        Field("gross", "money", weight=3.0),
        Field("odd", "boolean"),
    )


def test_one_definition_may_be_used_twice_side_by_side():
    person = {"type": "object", "properties": {"name": {"type": "string"}}}
    schema = of({k: {"$ref": "#/$defs/p"} for k in ("buyer", "seller")}, **{"$defs": {"p": person}})
    assert [group.fields[0].path for group in schema.groups] == ["buyer.name", "seller.name"]


@pytest.mark.parametrize(
    ("properties", "message"),
    [
        pytest.param({"a": {"$ref": "#"}}, "'#' contains itself", id="the whole"),
        pytest.param({"a": {"$ref": "#/$defs/t"}}, "'#/$defs/t' contains itself", id="recursion"),
        pytest.param({"a": {"$ref": "other.json"}}, "outside this schema", id="another file"),
        pytest.param({"a": {"$ref": "#/$defs/x"}}, "'#/$defs/x' does not exist", id="nowhere"),
        pytest.param(
            {"a": {"type": "strng"}}, "unknown JSON type 'strng' (did you mean", id="type"
        ),
        pytest.param({"a": {"type": ["object", "string"]}}, "different shape", id="mixed"),
        pytest.param({"a": "string"}, "no mapping describes", id="no mapping"),
        pytest.param(
            {"a": {"type": "array", "items": {"type": "array"}}}, "list of lists", id="lists"
        ),
        pytest.param(
            {"a": {"anyOf": [{"type": "object"}, {"type": "string"}]}}, "objects or lists", id="any"
        ),
        pytest.param({"a": {"x-docassay": {"type": "mony"}}}, "unknown type 'mony'", id="override"),
    ],
)
def test_what_cannot_be_converted_is_said(properties, message):
    tree = {
        "type": "object",
        "properties": {"l": {"$ref": "#/$defs/t"}, "r": {"$ref": "#/$defs/t"}},
    }
    found = check_schema({"type": "object", "properties": properties, "$defs": {"t": tree}})
    assert message in str(found[0])


def test_definitions_that_multiply_are_stopped():
    double = {
        f"d{i}": {
            "type": "object",
            "properties": {k: {"$ref": f"#/$defs/d{i + 1}"} for k in ("a", "b")},
        }
        for i in range(40)
    }
    whole = {"type": "object", "properties": {"x": {"$ref": "#/$defs/d0"}}}
    found = check_schema({**whole, "$defs": {**double, "d40": {"type": "string"}}})
    assert any("more than 10,000 properties" in str(error) for error in found)


def ladder(levels: int, step) -> dict[str, object]:
    """A schema whose definitions d0, d1, ... each stand for what a step makes of the next."""
    steps = {f"d{i}": step({"$ref": f"#/$defs/d{i + 1}"}) for i in range(levels)}
    last = {"type": "object", "properties": {"name": {"type": "string"}}}
    whole = {"type": "object", "properties": {"x": {"$ref": "#/$defs/d0"}}}
    return {**whole, "$defs": {**steps, f"d{levels}": last}}


COMBINED = [
    pytest.param(lambda below: {"allOf": [below, below]}, id="allOf twice"),
    pytest.param(lambda below: {"anyOf": [below, {"type": "null"}, below]}, id="anyOf twice"),
    pytest.param(lambda below: {"allOf": [below], "oneOf": [below]}, id="allOf and oneOf"),
    pytest.param(lambda below: {**below, "allOf": [below, below]}, id="a reference beside allOf"),
]


@pytest.mark.parametrize("step", COMBINED)
def test_references_that_double_at_every_level_are_folded_in_once(step):
    def work(levels: int) -> int:
        return calls(lambda: check_schema(ladder(levels, step)))

    assert growth(work, 20) < 1.3


def test_references_that_double_for_thirty_levels_have_a_result():
    schema = load_schema(ladder(30, lambda below: {"allOf": [below, below]}))
    assert schema.groups == (GroupSpec("x", (Field("x.name", "text"),)),)


@pytest.mark.parametrize("step", [pytest.param(lambda below: below, id="plain"), *COMBINED])
def test_a_chain_of_thousands_of_references_is_a_mistake(step):
    mistakes = check_schema(ladder(3000, step))
    assert "more than 100 references in a row" in str(mistakes[0])
    assert len(mistakes) <= 3


def test_a_chain_of_references_within_the_limit_has_a_result():
    schema = load_schema(ladder(MOST_REFERENCES - 2, lambda below: below))
    assert [group.path for group in schema.groups] == ["x"]


@pytest.mark.parametrize("step", [pytest.param(lambda below: below, id="plain"), *COMBINED])
def test_references_in_a_circle_are_a_mistake(step):
    given = ladder(5, step)
    given["$defs"]["d5"] = {"$ref": "#/$defs/d0"}
    assert "'#/$defs/d0' contains itself" in str(check_schema(given)[0])


def test_properties_of_many_parts_are_folded_in_linear_work():
    def work(count: int) -> int:
        parts = [{"properties": {f"p{i}": {"type": "string"}}} for i in range(count)]
        return calls(lambda: load_schema({"type": "object", "properties": {}, "allOf": parts}))

    assert growth(work, 500) < 1.2


def test_keywords_of_the_first_part_win_and_those_of_the_whole_win_over_all():
    first, second = ({"properties": {"a": {"type": kind}}} for kind in ("boolean", "number"))
    parts = {"type": "object", "allOf": [first, second]}
    assert load_schema({"$schema": "x", **parts}).fields == (Field("a", "boolean"),)
    own = {"properties": {"a": {"type": "string"}}}
    assert load_schema({"$schema": "x", **parts, **own}).fields == (Field("a", "text"),)


def test_every_reference_to_nothing_is_a_mistake_of_its_own():
    properties = {name: {"$ref": "#/$defs/no"} for name in ("a", "b")}
    assert len(check_schema({"type": "object", "properties": properties})) == 2


@pytest.mark.parametrize(
    "pattern",
    ["((.?){30}){30}!", ".?" * 500 + "!", "(" * 150, "a{99999999999}", "[", "(?P<a", "*"],
    ids=["counts", "options", "parentheses", "a count", "a class", "a name", "a star"],
)
def test_a_pattern_that_cannot_be_tried_is_that_of_a_text(pattern):
    choices = [{"type": "number"}, {"type": "string", "pattern": pattern}]
    schema = of({"a": {"anyOf": choices}})
    assert schema.fields == (Field("a", "text"),)


def test_thousands_of_mistakes_are_noted_in_linear_work():
    def work(count: int) -> int:
        fields = {f"f{i}": {"weight": -1} for i in range(count)}
        return calls(lambda: check_schema({"fields": fields}))

    assert growth(work, 200) < 1.3


def test_a_json_schema_file_keeps_its_lines(tmp_path):
    path = tmp_path / "s.json"
    described = {"a": {"type": "string"}, "b": {"type": "strng"}}
    root = {"$schema": "https://json-schema.org/draft/2020-12/schema", "properties": described}
    path.write_text(json.dumps(root, indent=2))
    with pytest.raises(SchemaError, match=r"s\.json:8: .*'strng'"):
        load_schema(path)


def test_docassays_own_form_may_be_json_too(tmp_path):
    path = tmp_path / "s.json"
    path.write_text('{"fields": {"a": {"type": "money", "list": false}}}')
    assert load_schema(path).fields == (Field("a", "money", split=False),)


def test_a_json_schema_without_properties_is_refused():
    assert "no object with properties" in str(check_schema({"$schema": "x", "type": "array"})[0])


pydantic = pytest.importorskip("pydantic")


class Kind(enum.Enum):
    INVOICE = "invoice"
    RECEIPT = "receipt"


class Line(pydantic.BaseModel):
    text: str
    price: decimal.Decimal | None = None
    tags: set[str]


class Invoice(pydantic.BaseModel):
    kind: Kind
    currency: Literal["AUD", "NZD"]
    issued: datetime.date | None = None
    paid: bool = False
    total: float = pydantic.Field(
        alias="Total", json_schema_extra={"docassay": {"type": "money", "currency": "AUD"}}
    )
    supplier: Line | None = pydantic.Field(None, json_schema_extra={"docassay": {"section": True}})
    lines: list[Line]


class Tree(pydantic.BaseModel):
    name: str
    children: list["Tree"]


class Callback(pydantic.BaseModel):
    call: Callable[[], None]


def test_a_pydantic_model_becomes_a_schema():
    def line(path):
        return (
            Field(f"{path}.text", "text", required=True),
            Field(f"{path}.price", "number"),
            Field(f"{path}.tags", "text", match="set", required=True),
        )

    assert load_schema(Invoice) == Schema(
        name="Invoice",
        fields=(
            Field("kind", "choice", {"choices": ("invoice", "receipt")}, required=True),
            Field("currency", "choice", {"choices": ("AUD", "NZD")}, required=True),
            Field("issued", "date"),
            Field("paid", "boolean"),
            Field("Total", "money", {"currency": "AUD"}, aliases=("total",), required=True),
        ),
        groups=(
            GroupSpec("supplier", line("supplier"), section=True),
            GroupSpec("lines", line("lines"), required=True),
        ),
    )


def test_a_mistake_in_a_definition_is_told_once(tmp_path):
    path = tmp_path / "s.json"
    kids = {"type": "array", "items": {"$ref": "#/$defs/n"}}
    node = {"type": "object", "properties": {"kids": kids}}
    given = {"type": "object", "properties": {"a": {"$ref": "#/$defs/n"}}, "$defs": {"n": node}}
    path.write_text(json.dumps(given))
    assert len(check_schema(path)) == 1


def test_a_recursive_model_is_refused():
    with pytest.raises(SchemaError, match="contains itself"):
        load_schema(Tree)


def test_a_model_without_a_json_schema_is_refused():
    with pytest.raises(SchemaError, match="Callback has no JSON Schema"):
        load_schema(Callback)
