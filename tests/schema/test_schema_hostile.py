"""Hostile schemas, rules and examples: each ends in a result or in an error that docassay names."""

from __future__ import annotations

from itertools import count

import pytest
import yaml

from docassay.errors import ConfigurationError, DataError, DocassayError, FileError, SchemaError
from docassay.load.response.answer import parse_response
from docassay.schema.infer import infer
from docassay.schema.nodes import MAX_DEPTH, _until_too_deep
from docassay.schema.source import check_schema, load_schema


def nested(levels: int, key: str = "groups") -> dict[str, object]:
    """A mapping inside a mapping, and so on."""
    tree: dict[str, object] = {}
    for _ in range(levels):
        tree = {key: {"g": tree}}
    return tree


@pytest.mark.parametrize(
    ("source", "error", "message"),
    [
        ("a\0b.yaml", FileError, "cannot be read"),
        ("a\0b", ConfigurationError, "is no schema file"),
        ("", ConfigurationError, "is no schema file"),
        (".", ConfigurationError, "is no schema file"),
        ("no/such.yaml", FileError, "cannot be read"),
        ("x" * 5000 + ".yaml", FileError, "cannot be read"),
        (None, ConfigurationError, "is no schema"),
        (3, ConfigurationError, "is no schema"),
        (b"a.yaml", ConfigurationError, "is no schema"),
        ([], ConfigurationError, "is no schema"),
        ({}, SchemaError, "an empty schema"),
        ({1: 2}, SchemaError, "the key 1 is not text"),
        ({"fields": {"": "text"}}, SchemaError, "a name that is empty"),
        ({"fields": {"a": object()}}, SchemaError, "is not text, a number"),
        ({"fields": {"a": float("nan")}}, SchemaError, "unknown type 'nan'"),
        ({"fields": "a"}, SchemaError, "where a mapping belongs"),
        ({"fields": {"a": {"weight": "1e999"}}}, SchemaError, "where a number"),
        ({"fields": {"a": {"accept": "-1"}}}, SchemaError, "where a number from 0 to 1"),
        ({"fields": {"a": "text"}, "rules": "a == " + "(" * 400}, SchemaError, "nested more than"),
        ({"fields": {"a": "text"}, "rules": ["a == '\0"]}, SchemaError, "is not understood"),
        ({"fields": {"a": "number"}, "rules": ["a == 1" + "0" * 2000]}, SchemaError, "1000"),
        (nested(60), SchemaError, "nested more than 50 deep"),
        (nested(3000), SchemaError, "nested more than 50 deep"),
        ({"$ref": "#/$ref"}, SchemaError, "describes no object"),
        ({"$schema": "x", "allOf": {"a": 1}}, SchemaError, "describes no object"),
        ({"type": "object", "properties": []}, SchemaError, "describes no object"),
        ({"$schema": "x", "properties": {"a": {"$ref": 3}}}, SchemaError, "outside this schema"),
        ({"$schema": "x", "properties": {"a": {"$ref": "#/~"}}}, SchemaError, "does not exist"),
    ],
)
def test_a_hostile_schema_is_a_clear_error(
    source: object, error: type[DocassayError], message: str
) -> None:
    with pytest.raises(error, match=message):
        load_schema(source)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("fields: &a {x: text}\ngroups: *a\n", "s.yaml:1: .*the anchor &a is not supported"),
        ("fields: {x: text}\nname: *a\n", "s.yaml:2: .*alias"),
        ("fields:\n  x: text\n  x: date\n", "s.yaml:3: .*the key 'x' stands twice"),
        ("name: " + "[" * 60 + "]" * 60, "s.yaml:1: .*nested more than 50 deep"),
        ("\n" + "[" * 100_000, "s.yaml:2: .*nested more than 50 deep"),
        ("{" * 100_000, "s.yaml:1: .*nested more than 50 deep"),
        ("fields:\n  b: !!python/object:os.system x\n", "s.yaml:2: .*the tag .* is not supported"),
        ("fields: {x: text}\n---\nfields: {}\n", "s.yaml:2: a second document"),
        ("\tfields: x\n", "s.yaml:1: not YAML"),
        ("fields: {x: 'text}\n", "not YAML"),
        ("fields: {x: text}\n\0", "not YAML"),
        ("? [a, b]\n: c\n", "a key that is not text"),
        ("", "an empty schema"),
    ],
)
def test_hostile_yaml_is_refused_with_its_line(tmp_path, text: str, message: str) -> None:
    path = tmp_path / "s.yaml"
    path.write_text(text)
    with pytest.raises(SchemaError, match=message):
        load_schema(path)


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[" * 100_000,
        '{"a": 1, "a": 2}',
        "nul",
        '"\\ud800"',
        "1e999",
        '{"fields": {"a\\u0000": 1}}',
    ],
)
def test_hostile_json_is_refused(tmp_path, text: str) -> None:
    path = tmp_path / "s.json"
    path.write_text(text)
    assert check_schema(path)


def test_bytes_that_are_no_text_are_refused(tmp_path) -> None:
    path = tmp_path / "s.yaml"
    path.write_bytes(b"\xff\xfe\x00")
    assert "not UTF-8" in str(check_schema(path)[0])


def deep(levels: int) -> object:
    tree: object = "x"
    for _ in range(levels):
        tree = {"a": tree}
    return tree


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ([], "no values to infer"),
        ([None, 3, "x", []], "no values to infer"),
        ([{}], "no values to infer"),
        ([{"": 1, " ": 2}], "no values to infer"),
        ([{"a": {1, 2}}], "is not a value of JSON"),
        ([{"a": b"x"}], "is not a value of JSON"),
        ([deep(5000)], "nested deeper than"),
    ],
)
def test_hostile_examples_are_a_clear_error(records: list[object], message: str) -> None:
    with pytest.raises(DataError, match=message):
        infer(records)


@pytest.mark.parametrize(
    "value",
    [
        *("\0", "\ud800", "9" * 5000, "-" * 5000, "1/" * 2000, "+1" + "." * 5000 + "x", "€" * 5000),
        *(10**4000, float("nan"), float("inf"), -0.0, True, [[[]]], {"value": {"value": None}}),
        {"any_of": []},
    ],
    ids=lambda value: repr(value)[:12],
)
def test_hostile_values_have_a_type(value: object) -> None:
    schema = infer([{"a": value, "b": "x"}, {"a": [value, value], "b": "y"}])
    assert "b" in [field.path for field in schema.fields]


@pytest.mark.parametrize(
    "text",
    [
        *("", "\0" * 1000, "\ud800", "\ufeff", "{" * 5000, "[" * 5000, "[{" * 3000, '{"a":' * 3000),
        *("<s_a>" * 3000, "<a>" * 3000, "```" * 3000, "<think>" * 3000, "</think>" * 3000),
        *('"' + "\\" * 5001 + '"', "{" + "\\n" * 3000, "{&quot;" * 1000, '{"a": "\\ud800"}'),
        *("{'a': " + "(" * 5000, "{'a': " + "(1, " * 5000, "{'a': (((((" + ")" * 5000, "{'a': (}"),
        *("{'a': (1, 2]}", '{"a": ' + "9" * 5000 + "}", '{"a": 1e' + "9" * 5000, '{"a": -'),
        *("{a:" * 3000, "| " * 3000 + "\n" + "|-" * 3000, "- " * 3000, "  " * 3000 + "a: 1"),
        *("a: 1\n" * 30_000, "a:\n" + " b:\n" * 3000, "{,}" * 2000, '{"":""}', "{'': (,)}"),
    ],
    ids=lambda text: repr(text)[:12],
)
def test_a_hostile_response_is_parsed_or_unparseable(text: str) -> None:
    found = parse_response(text)
    assert found.outcome in ("clean", "repaired", "partial", "unparseable")
    assert (found.tree == {}) or found.form


def test_no_more_of_a_deep_text_is_parsed_than_is_needed_to_refuse_it() -> None:
    parsed = count()
    endless = (yaml.SequenceStartEvent(None, None, implicit=True) for _ in parsed)
    assert len([*_until_too_deep(endless)]) == MAX_DEPTH + 2
    assert next(parsed) == MAX_DEPTH + 2
