"""Records out of answers: copies of the prompt, rows of lines, and how sure values are."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.errors import UnknownName
from docassay.extract.answers import (
    leaves_of,
    read_answer,
    repeats_example,
    rows_of_columns,
    with_agreement,
    with_places,
    with_token_confidences,
)
from docassay.extract.client import TokenChance
from docassay.extract.prompt import PromptMaker
from docassay.schema.source import load_schema

SCHEMA = load_schema(
    {
        "fields": {"store": "name", "date": "date", "total": "money", "paid": "boolean"},
        "groups": {"items": {"fields": {"name": "text", "price": "money"}}},
    }
)
JSON = PromptMaker(SCHEMA).prompt()
LINES = PromptMaker(SCHEMA, style="lines").prompt()


def chances(text: str, *tokens: tuple[str, float]) -> list[TokenChance]:
    """Tokens with probabilities: those named, and all other characters as sure ones."""
    parts: list[TokenChance] = []
    rest = text
    for token, chance in tokens:
        before, _, rest = rest.partition(token)
        parts += [TokenChance(letter, 0.0) for letter in before]
        parts.append(TokenChance(token, math.log(chance)))
    return parts + [TokenChance(letter, 0.0) for letter in rest]


@pytest.mark.parametrize(
    ("change", "repeats"),
    [
        ({}, True),
        ({"store": None}, True),
        ({"store": None, "date": None, "paid": None}, True),
        ({"store": "ACME"}, False),
        ({"items": []}, True),
        ({"items": [], "store": None, "date": None}, False),
    ],
    ids=[
        "the example",
        "one value less",
        "three values less",
        "a value of the document",
        "without rows",
        "two values that may be true",
    ],
)
def test_half_of_the_example_and_nothing_else_is_an_echo(
    change: dict[str, object], repeats: bool
) -> None:
    assert repeats_example({**JSON.example, **change}, JSON.example) is repeats


def test_an_empty_record_is_no_echo() -> None:
    assert not repeats_example({}, JSON.example)
    assert read_answer("{}", prompt=JSON).outcome == "clean"


def test_a_value_that_was_copied_from_the_example_is_left_out_and_noted() -> None:
    raw = json.dumps({**JSON.example, "store": "ACME", "items": []})
    answer = read_answer(raw, prompt=JSON)
    assert answer.record == {
        "store": "ACME",
        "date": None,
        "total": None,
        "paid": "true",
        "items": [],
    }
    assert answer.repairs == (
        "value of the prompt's example left out: date",
        "value of the prompt's example left out: total",
    )
    assert answer.outcome == "repaired"


def test_a_value_of_the_example_that_the_document_has_stays() -> None:
    total = JSON.example["total"]
    answer = read_answer(
        json.dumps({"store": "ACME", "total": total}), prompt=JSON, text_shown=f"TOTAL {total}"
    )
    assert answer.record["total"] == total
    assert answer.outcome == "clean"


def test_lines_become_rows() -> None:
    raw = "store: ACME\ntotal: 3.50\nitems.name: Tea | Milk\nitems.price: 2.00 | 1.50\n"
    answer = read_answer(raw, prompt=LINES, schema=SCHEMA)
    assert answer.record["items"] == [
        {"name": "Tea", "price": "2.00"},
        {"name": "Milk", "price": "1.50"},
    ]
    assert answer.record["store"] == "ACME"


def test_columns_of_unequal_length_keep_every_cell() -> None:
    record = rows_of_columns({"items.name": "Tea | Milk", "items.price": "2.00"}, SCHEMA)
    assert record == {"items": [{"name": "Tea", "price": "2.00"}, {"name": "Milk"}]}


def test_columns_with_names_of_their_own_are_left_to_the_reader() -> None:
    business = load_schema("business")
    record = {"LINE_ITEM_DESCRIPTIONS": "Tea | Milk", "LINE_ITEM_PRICES": "2.00 | 1.50"}
    assert rows_of_columns(record, business) == record


def test_the_example_of_lines_never_comes_back() -> None:
    answer = read_answer(LINES.example_text, prompt=LINES, schema=SCHEMA)
    assert (answer.record, answer.outcome) == ({}, "unparseable")


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ("minimum", 0.5),
        ("mean", round(math.sqrt(0.5 * 0.8), 4)),
        ("product", 0.4),
    ],
)
def test_a_confidence_is_made_of_the_tokens_of_its_value(how: str, expected: float) -> None:
    raw = '{"store": "ACME", "total": "12.50"}'
    record: dict[str, Any] = {"store": "ACME", "total": "12.50"}
    with_token_confidences(record, raw, chances(raw, ("AC", 0.9), ("12", 0.5), (".50", 0.8)), how)
    assert record["total"] == {"value": "12.50", "confidence": pytest.approx(expected, abs=1e-4)}
    assert record["store"]["confidence"] == pytest.approx(
        0.9 if how != "mean" else 0.9655, abs=1e-3
    )


def test_equal_values_have_confidences_of_their_own() -> None:
    raw = '{"items": [{"name": "Tea", "price": "2.00"}, {"name": "Tea", "price": "2.00"}]}'
    record: dict[str, Any] = json.loads(raw)
    tokens = (("Tea", 0.9), ("2.00", 0.8), ("Tea", 0.7), ("2.00", 0.6))
    with_token_confidences(record, raw, chances(raw, *tokens), "minimum")
    found = [leaf["confidence"] for row in record["items"] for leaf in row.values()]
    assert found == pytest.approx([0.9, 0.8, 0.7, 0.6])


def test_a_value_is_looked_for_behind_its_key() -> None:
    raw = '{"total": "1", "paid": "1"}'
    record: dict[str, Any] = {"paid": "1"}
    with_token_confidences(record, raw, chances(raw, ('"1"', 0.2), ('"1"', 0.7)), "minimum")
    assert record["paid"]["confidence"] == pytest.approx(0.7)


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        (r'{"store": "A \"B\" C"}', 'A "B" C'),
        (r'{"store": "M\u00fcller"}', "Müller"),
        ('{"store": "Müller"}', "Müller"),
        ('{"store": 12.50}', 12.5),
        ('{"store": true}', True),
        ("store: Müller\n", "Müller"),
    ],
)
def test_a_value_is_found_in_the_form_in_which_it_was_written(raw: str, value: object) -> None:
    record = read_answer(raw).record
    with_token_confidences(record, raw, [TokenChance(raw, math.log(0.25))], "minimum")
    (leaf,) = leaves_of(record)
    assert leaf.text == ("true" if value is True else "12.50" if value == 12.5 else value)
    assert leaf.marks == {"confidence": 0.25}


def test_null_has_no_confidence() -> None:
    record: dict[str, Any] = {"store": None}
    with_token_confidences(record, '{"store": null}', [TokenChance('{"store": null}', -1)], "mean")
    assert record == {"store": None}


def test_probabilities_of_another_text_are_not_used() -> None:
    record: dict[str, Any] = {"store": "ACME"}
    other = [TokenChance('{"total": "another text"}', -1)]
    with_token_confidences(record, '{"store": "ACME"}', other, "mean")
    assert record == {"store": "ACME"}


def test_tokens_around_the_answer_are_passed_over() -> None:
    raw = '{"store": "ACME"}'
    tokens = [
        TokenChance("```json\n", -3.0),
        *chances(raw, ("ACME", 0.5)),
        TokenChance("```", -2.0),
    ]
    record: dict[str, Any] = {"store": "ACME"}
    with_token_confidences(record, raw, tokens, "product")
    assert record["store"]["confidence"] == 0.5


def test_an_unknown_way_to_a_confidence_is_refused() -> None:
    with pytest.raises(UnknownName, match="minimum"):
        with_token_confidences({}, "", [], "median")


@given(
    values=st.lists(st.text(st.characters(codec="utf-8"), min_size=1, max_size=6), max_size=5),
    escaped=st.booleans(),
)
def test_confidences_change_no_value(values: list[str], escaped: bool) -> None:
    tree = {"rows": [{"name": value} for value in values]}
    raw = json.dumps(tree, ensure_ascii=escaped)
    record = json.loads(raw)
    with_token_confidences(record, raw, [TokenChance(letter, -0.1) for letter in raw], "mean")
    assert [leaf.value for leaf in leaves_of(record)] == values


def test_agreement_is_the_share_of_answers_that_read_the_same() -> None:
    record: dict[str, Any] = {"store": "ACME", "total": "1,234.50", "date": None}
    others = [
        {"store": "ACME", "total": "1234.50"},
        {"store": "Acme Ltd and others", "total": "$1,234.50"},
        {"total": "99"},
    ]
    with_agreement(record, others, SCHEMA)
    assert record["total"] == {"value": "1,234.50", "confidence": 0.75}
    assert record["store"]["confidence"] == 0.5
    assert record["date"] is None


def test_a_value_that_stands_twice_needs_two_that_agree() -> None:
    record: dict[str, Any] = {"items": [{"name": "Tea"}, {"name": "Tea"}]}
    with_agreement(record, [{"items": [{"name": "Tea"}]}], SCHEMA)
    assert [row["name"]["confidence"] for row in record["items"]] == [1.0, 0.5]


def test_rows_in_another_order_agree() -> None:
    record: dict[str, Any] = {"items": [{"name": "Tea"}, {"name": "Milk"}]}
    with_agreement(record, [{"items": [{"name": "Milk"}, {"name": "Tea"}]}], SCHEMA)
    assert [row["name"]["confidence"] for row in record["items"]] == [1.0, 1.0]


def test_places_stay_with_values_that_are_read_again() -> None:
    leaf = {"value": "ACME", "confidence": 0.4, "page": 1, "box": [0, 0, 1, 1]}
    record: dict[str, Any] = {"store": {"value": "ACME", "confidence": 0.9}, "total": "2"}
    with_places(record, {"store": leaf, "total": {"value": "3", "page": 1}})
    assert record == {
        "store": {"value": "ACME", "confidence": 0.9, "page": 1, "box": [0, 0, 1, 1]},
        "total": "2",
    }
