"""`valid`: counts by hand of documents that parse, keep types, are complete and add nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import docassay as da

SCHEMA = {
    "fields": {
        "number": {"type": "id", "required": True},
        "date": "date",
        "total": {"type": "money", "required": True},
    },
    "groups": {
        "items": {
            "required": True,
            "fields": {"name": {"type": "text", "required": True}, "price": "money"},
        }
    },
}
ROWS = [{"name": "Pear", "price": "1"}]
GOOD = {"number": "A1", "date": "2024-03-05", "total": "3", "items": ROWS}


def scores(pred: dict[str, object], schema: object = SCHEMA) -> dict[str, object]:
    report = da.score(None, pred, schema=schema, metrics=["valid"])
    return {
        score.address.removeprefix("valid."): score.value
        for score in report.scores
        if score.value != 1.0
    }


@pytest.mark.parametrize(
    ("change", "flawed"),
    [
        ({}, {}),
        ({"date": None}, {}),
        ({"date": "soon"}, {"typed": 0.0, "typed@date": 0.0}),
        ({"total": None}, {"required": 0.0, "required@total": 0.0}),
        ({"total": "NOT_FOUND"}, {"required": 0.0, "required@total": 0.0}),
        ({"items": []}, {"required": 0.0, "required@items": 0.0}),
        (
            {"items": [*ROWS, {"price": "x"}]},
            {
                "required": 0.0,
                "required@items.name": 0.0,
                "typed": 0.0,
                "typed@items.price": 0.0,
            },
        ),
        (
            {"total": {"net": "1"}},
            {"typed": 0.0, "typed@total": 0.0, "extra": 0.0, "required": 0.0},
        ),
        ({"items": "Pear"}, {"typed": 0.0, "typed@items": 0.0}),
        ({"vendor": "Acme"}, {"extra": 0.0, "extra@vendor": 0.0}),
        (
            {"items": [{**ROWS[0], "colour": "red"}]},
            {"extra": 0.0, "extra@items.colour": 0.0},
        ),
    ],
)
def test_one_flaw_is_counted_where_it_is(
    change: dict[str, object], flawed: dict[str, float]
) -> None:
    made = scores({"d": {**GOOD, **change}})
    for address, value in flawed.items():
        assert made.get(address) == value, address
    overall = {address for address in flawed if "@" not in address}
    assert {address for address in made if "@" not in address} == overall


def test_shares_are_of_documents_overall_and_of_those_that_have_the_field() -> None:
    pred = {
        "a": GOOD,
        "b": {**GOOD, "date": "soon", "vendor": "x"},
        "c": {**GOOD, "date": None, "total": ""},
        "d": {**GOOD, "date": "2024-03-06"},
    }
    report = da.score(None, pred, schema=SCHEMA, metrics=["valid"])
    by_address = {score.address: (score.value, score.support) for score in report.scores}
    assert by_address["valid.parsed"] == (1.0, 4)
    assert by_address["valid.typed"] == (0.75, 4)
    assert by_address["valid.required"] == (0.75, 4)
    assert by_address["valid.extra"] == (0.75, 4)
    assert by_address["valid.typed@date"] == (2 / 3, 3)
    assert by_address["valid.required@total"] == (0.75, 4)
    assert by_address["valid.extra@vendor"] == (0.75, 4)


def test_an_answer_that_cannot_be_read_whole_fails_everything(tmp_path: Path) -> None:
    pred = tmp_path / "pred.jsonl"
    answers = {
        "clean": json.dumps(GOOD),
        "fenced": f"Here it is:\n```json\n{json.dumps(GOOD)[:-1]},}}\n```",
        "cut off": json.dumps(GOOD)[:-30],
        "prose": "I am sorry, I cannot do that.",
    }
    lines = [json.dumps({"id": id, "response": text}) for id, text in answers.items()]
    pred.write_text("\n".join(lines))
    report = da.score(None, pred, pred_format="response", schema=SCHEMA, metrics=["valid"])
    parsed = {line.id: line.scores["valid.parsed"] for line in report.lines}
    assert parsed == {"clean": 1.0, "fenced": 1.0, "cut off": 0.0, "prose": 0.0}
    assert report["valid.typed"].value == 0.5
    assert report["valid.required@total"].value == 0.5


def test_a_prediction_that_is_missing_is_not_parsed() -> None:
    gold = {"a": GOOD, "b": GOOD}
    report = da.score(gold, {"a": GOOD}, schema=SCHEMA, metrics=["valid"])
    assert report["valid.parsed"].value == 0.5
    assert report["valid.required@number"].value == 0.5


def test_what_no_schema_says_is_undefined() -> None:
    report = da.score(None, {"d": {"a": "x"}}, types="text", metrics=["valid"])
    assert [(score.readout, score.value) for score in report.scores] == [
        ("parsed", 1.0),
        ("typed", None),
        ("required", None),
        ("extra", None),
    ]
    assert "required" in scores({"d": {"a": "x"}}, {"fields": {"a": "text"}})


def test_json_schema_says_what_is_required_and_what_may_be_null_is_not() -> None:
    schema = {
        "type": "object",
        "required": ["a", "b", "c"],
        "properties": {
            "a": {"type": "string"},
            "b": {"type": ["string", "null"]},
            "c": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "d": {"type": "string"},
        },
    }
    assert scores({"x": {"a": "x", "b": None}}, schema) == {}
    assert scores({"x": {"b": "x"}}, schema) == {"required": 0.0, "required@a": 0.0}


def test_what_all_of_several_schemas_require_is_required() -> None:
    part = {"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}}
    more = {"required": ["b"], "properties": {"b": {"type": "string"}}}
    schema = {"$schema": "x", "allOf": [part, more]}
    assert set(scores({"d": {}}, schema)) == {"required", "required@a", "required@b"}


def test_a_field_is_required_of_the_types_that_list_it() -> None:
    schema = {
        "types": {"bill": {"fields": ["a"]}, "note": {"fields": ["b"]}},
        "fields": {"a": {"type": "text", "required": True}, "b": "text"},
    }
    made = scores({"x": {"DOCUMENT_TYPE": "note", "b": "1"}}, schema)
    assert "required@a" not in made
    assert scores({"x": {"DOCUMENT_TYPE": "bill"}}, schema)["required@a"] == 0.0


def test_a_section_that_is_not_there_requires_nothing() -> None:
    inside = {"section": True, "fields": {"name": {"type": "text", "required": True}, "b": "text"}}
    schema = {"fields": {"a": "text"}, "groups": {"seller": inside}}
    assert "required@seller.name" not in scores({"x": {"a": "1"}}, schema)
    assert scores({"x": {"seller": {"b": "1"}}}, schema)["required@seller.name"] == 0.0
