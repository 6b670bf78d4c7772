"""What is no answer: templates of the prompt, schemas, and errors of services."""

from __future__ import annotations

import pytest

from docassay.load.response.answer import parse_response
from docassay.load.response.judge import error_in, error_of, is_template
from docassay.model.document import Number

TEMPLATES: list[dict[str, object]] = [
    {"total": "extracted value"},
    {"total": "Extracted Value", "items": [{"name": "extracted value"}]},
    {"total": "<total amount>", "date": "YYYY-MM-DD"},
    {"total": "<value>"},
    {"total": "[total]"},
    {"total": "{{total}}"},
    {"total": "${total}"},
    {"total": "<string>"},
    {"vendor": "...", "total": "…"},
    {"vendor": "string"},
    {"vendor": "string or null", "total": 0},
    {"vendor": "str | None"},
    {"vendor": "list[string]"},
    {"key": "value"},
    {"field1": "value1"},
    {"vendor": "your_company"},
    {"vendor": "Insert vendor"},
    {"vendor": "vendor name here"},
    {"date": "DD/MM/YYYY"},
    {"date": "mm/dd/yyyy"},
    {"time": "HH:MM"},
    {"total": "$XX.XX"},
    {"vendor": "vendor name", "total": "The total amount that is due"},
    {"vendor": "text", "paid": "date"},
    {"vendor": "string", "po": None, "paid": False, "tax": Number("0.0"), "notes": "", "tip": 0},
    {"vendor": {"value": "extracted value", "confidence": Number("0.95"), "page": 1}},
    {"type": "object", "properties": {"total": {"type": "string"}}},
    {"properties": {"total": {"$ref": "#/x"}}},
    {"$schema": "https://json-schema.org/draft/2020-12/schema"},
    {"name": "invoice", "schema": {"type": "object", "properties": {}}},
]
RECORDS: list[dict[str, object]] = [
    {},
    {"total": ""},
    {"total": None, "paid": False},
    {"tip": "None", "tax": "null"},
    {"total": "9.99"},
    {"total": 9},
    {"total": Number("9.5"), "vendor": "string"},
    {"vendor": "Aldi", "total": "<total amount>"},
    {"label": "text"},
    {"label": "date"},
    {"name": "[illegible]", "date": "[illegible]"},
    {"status": "[VOID]"},
    {"smoker": "X", "driver": "X"},
    {"name": "Name"},
    {"address": "The Address Hotel"},
    {"signature": "Sign here"},
    {"items": [{"name": "Item 1"}, {"name": "Item 2"}]},
    {"properties": "two flats"},
    {"properties": {"house": {"rooms": 3}}},
    {"properties": {"total": {"value": "12", "type": "money"}}},
    {"schema": "public"},
    {"vendor": "the " + "vendor " * 40},
    {"value": "string", **{f"field {at}": "string" for at in range(500)}},
]


@pytest.mark.parametrize("tree", TEMPLATES, ids=str)
def test_a_template_has_no_value(tree: dict[str, object]) -> None:
    assert is_template(tree)


@pytest.mark.parametrize("tree", RECORDS, ids=lambda tree: str(tree)[:60])
def test_one_value_makes_a_record(tree: dict[str, object]) -> None:
    assert not is_template(tree)


ERRORS: list[tuple[dict[str, object], str]] = [
    ({"error": {"message": "Rate limit", "type": "tokens", "code": "x"}}, "Rate limit"),
    ({"error": "not a receipt"}, "not a receipt"),
    ({"errors": [{"message": "a"}, {"message": "b"}]}, "a"),
    ({"error": True, "message": "down"}, "True"),
    ({"Error": {"Code": "SlowDown"}, "ResponseMetadata": {}}, "SlowDown"),
    ({"id": "1", "choices": [], "error": {"message": "m", "code": 502}}, "m"),
    ({"type": "error", "error": {"type": "overloaded_error", "message": "Over"}}, "Over"),
    ({"object": "error", "message": "too long", "code": 400}, "too long"),
    ({"message": "too long", "type": "BadRequestError"}, "too long"),
    ({"__type": "ThrottlingException", "message": "slow"}, "slow"),
    ({"status": 503, "message": "x"}, "x"),
    ({"status": "Failed", "message": "x"}, "x"),
    ({"request_id": "1", "code": "DataInspectionFailed", "message": "x"}, "x"),
    ({"statusCode": "404", "message": "x"}, "x"),
    ({"success": False, "message": "x"}, "x"),
    ({"detail": "Not authenticated"}, "Not authenticated"),
    ({"message": "Too Many Requests"}, "Too Many Requests"),
    ({"detail": [{"loc": ["body"], "msg": "field required"}]}, "field required"),
    ({"error": {"nothing": "known"}}, "no message"),
]
NO_ERRORS: list[dict[str, object]] = [
    {},
    {"error": None},
    {"error": "none"},
    {"error": ""},
    {"error": "E404", "ticket": "7"},
    {"id": "7", "error": "E404", "model": "X"},
    {"message": "Happy birthday"},
    {"message": "Happy birthday", "status": 200},
    {"message": "Happy birthday", "status": 600},
    {"message": "Happy birthday", "code": "12"},
    {"type": "invoice", "code": "A1"},
    {"status": "failed"},
    {"message": "hello", "success": True},
    {"code": 404},
]


@pytest.mark.parametrize(("tree", "message"), ERRORS, ids=str)
def test_an_error_of_a_service_gives_its_message(tree: dict[str, object], message: str) -> None:
    assert error_of(tree) == message
    assert parse_response(str(tree)).repairs == (f"error instead of a record: {message}",)


@pytest.mark.parametrize("tree", NO_ERRORS, ids=str)
def test_a_record_may_speak_of_errors(tree: dict[str, object]) -> None:
    assert error_of(tree) is None


@pytest.mark.parametrize(
    "text",
    [
        "ERROR: quota",
        "Error - quota",
        "[ERROR] : quota",
        "error code: 429",
        "openai.RateLimitError: slow down",
        "RateLimitError(slow down)",
        "Exception: x",
        "Error calling API: x",
        "Error while reading page 3 - x",
        "API error: quota",
        "Request failed: x",
        "ERROR: NOT_FOUND",
        "```\nERROR: quota\n```",
        "Traceback (most recent call last):\n  x: 1",
        "HTTP/1.1 429 Too Many Requests\nDate: today\nServer: x",
        "HTTP 500\nDate: today",
        "status code: 503\nbody: none",
        "429 Client Error: x",
        "504 Gateway Timeout: x",
        "Too many requests: wait 20 s",
        "<Error><Code>SlowDown</Code></Error>",
        '<?xml version="1.0"?><Error><Code>SlowDown</Code></Error>',
        "<html><head><title>404 Not Found</title></head></html>",
        "<!DOCTYPE html><html><body><h1>Service Unavailable</h1></body></html>",
        'Error code: 400 - {"total": "5"}',
    ],
)
def test_a_text_that_begins_as_an_error_is_unparseable(text: str) -> None:
    assert error_in(text) is not None
    found = parse_response(text)
    assert (found.tree, found.outcome) == ({}, "unparseable")
    assert found.result.repairs[0].kind == "error instead of a record"


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("ERROR: none\nTOTAL: 5", {"ERROR": "none", "TOTAL": "5"}),
        ('Error: the logo cannot be read.\n{"total": "5"}', {"total": "5"}),
        ("ERROR_CODE: E12\nTOTAL: 5", {"ERROR_CODE": "E12", "TOTAL": "5"}),
        ("STATUS: 200\nTOTAL: 5", {"STATUS": "200", "TOTAL": "5"}),
        ("Error margin: 5 mm\nTotal: 5", {"Error margin": "5 mm", "Total": "5"}),
        ("TERROR_LEVEL: low\nTOTAL: 5", {"TERROR_LEVEL": "low", "TOTAL": "5"}),
    ],
)
def test_a_record_below_or_about_an_error_is_read(text: str, tree: dict[str, object]) -> None:
    assert parse_response(text).tree == tree


@pytest.mark.parametrize(
    ("text", "tree", "repair"),
    [
        ('{"a": "1"}\n{"a": "string"}', {"a": "1"}, "several objects: number 1 of 2 is taken"),
        ('{"a": "string"}\n{"a": "1"}', {"a": "1"}, "several objects: number 2 of 2 is taken"),
        (
            '{"a": "1", "b": "2"}\n{"a": "1"}',
            {"a": "1", "b": "2"},
            "several objects: number 1 of 2 is taken",
        ),
        ('{"a": "1", "b": "2"}\n{"a": "3"}', {"a": "3"}, "several objects: number 2 of 2 is taken"),
        ('{"a": "1"}\n{"error": "x"}', {"a": "1"}, "several objects: number 1 of 2 is taken"),
        ('In the form {"a": "string"}\nTOTAL: 5', {"TOTAL": "5"}, "template left out"),
        ('[{"a": "string"}, {"a": "1"}]', {"a": "1"}, "list of records: the second of 2 is taken"),
        ('[{"a": "1"}, {"a": "2"}]', {"a": "1"}, "list of records: the first of 2 is taken"),
    ],
)
def test_the_last_or_fullest_record_that_is_no_template_is_taken(
    text: str, tree: dict[str, object], repair: str
) -> None:
    found = parse_response(text)
    assert found.tree == tree
    assert repair in found.repairs


@pytest.mark.parametrize(
    "text",
    [
        '{"total": "extracted value"}',
        '```json\n{"total": "extracted value"}\n```',
        'Here: {"total": "extracted value"}',
        "TOTAL: [extracted value]\nDATE: [extracted value]",
        "<total>string</total>",
        '{"name": "f", "arguments": {"total": "extracted value"}}',
        '{"a": "string"}\n{"b": "string"}',
    ],
)
def test_the_example_alone_is_no_answer(text: str) -> None:
    found = parse_response(text)
    assert (found.tree, found.outcome) == ({}, "unparseable")
    assert found.repairs == ("only the prompt's example",)


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ('The result is {"a": "1"}.\n```python\nx = {"a": "2"}\n```', {"a": "1"}),
        ('```python\nx = {"a": "2"}\n```\nThe result is {"a": "1"}.', {"a": "1"}),
        ('```python\nx = {"a": "2"}\n```', {"a": "2"}),
        ('```js\nconst x = {"a": "2"}\n```\n```json\n{"a": "1"}\n```', {"a": "1"}),
    ],
)
def test_a_literal_in_a_program_comes_last(text: str, tree: dict[str, object]) -> None:
    assert parse_response(text).tree == tree
