"""Prompts made of schemas: what they ask for, in which form, and what an answer may be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from docassay.api.extract import build_prompt
from docassay.errors import ConfigurationError, UnknownName
from docassay.extract.answers import leaves_of
from docassay.extract.prompt import Prompt, PromptMaker
from docassay.extract.shape import schema_title
from docassay.model.schema import Schema
from docassay.schema.source import load_schema

CORD = {
    "name": "CORD receipts",
    "fields": {"date": "date"},
    "groups": {
        "menu": {
            "fields": {
                "nm": {"type": "text", "description": "name of menu"},
                "price": {"type": "money", "description": "total price of menu"},
            },
            "groups": {"sub": {"fields": {"nm": "text"}}},
        },
        "total": {"section": True, "fields": {"total_price": "money"}},
    },
}


def prompt(style: str = "json", **schema: object) -> Prompt:
    return PromptMaker(load_schema({**CORD, **schema}), style).prompt()


def test_the_table_names_category_sub_category_entity_and_description() -> None:
    lines = prompt().template.splitlines()
    start = lines.index("| Category | Sub-Category (if applicable) | Entity | Description |")
    assert lines[start + 2 : start + 7] == [
        "| (document) | (not applicable) | date | date |",
        "| menu | (not applicable) | nm | name of menu |",
        "|  | (not applicable) | price | total price of menu |",
        "|  | sub | nm | nm |",
        "| total | (not applicable) | total_price | total price (amount of money) |",
    ]


def test_the_example_has_the_form_of_an_answer() -> None:
    made = prompt()
    example = made.example
    assert json.loads(made.example_text) == example
    assert [*example] == ["date", "menu", "total"]
    assert isinstance(example["total"], dict)
    rows = example["menu"]
    assert isinstance(rows, list)
    assert [[*row] for row in rows] == 2 * [["nm", "price", "sub"]]
    texts = [leaf.text for leaf in leaves_of(example)]
    assert len({*texts}) == len(texts)


def test_the_example_can_be_read_by_the_types_of_its_fields() -> None:
    types = {
        **dict.fromkeys(("text", "exact", "number", "quantity", "money", "percent", "date"), ""),
        **dict.fromkeys(("date_range", "time", "boolean", "id", "phone", "address", "name"), ""),
    }
    schema = load_schema({"fields": {f"a_{name}": name for name in types}})
    from docassay.values.field import BoundField

    example = PromptMaker(schema).prompt().example
    for field in schema.fields:
        reading = BoundField(field, schema).readings[str(example[field.path])]
        assert reading is not None
        assert reading.problem is None, (field.type, reading)


def test_an_answer_has_a_json_schema_of_its_own() -> None:
    schema = prompt().answer_schema
    assert schema["required"] == ["date", "menu", "total"]
    assert schema["additionalProperties"] is False
    properties = schema["properties"]
    assert isinstance(properties, dict)
    assert properties["date"] == {"type": ["string", "null"]}
    assert properties["menu"]["type"] == "array"
    assert properties["menu"]["items"]["properties"]["sub"]["type"] == "array"
    assert properties["total"]["type"] == "object"


def test_choices_and_repeated_fields_are_said_to_the_server() -> None:
    schema = load_schema(
        {
            "fields": {
                "kind": {"type": "choice", "choices": ["cash", "card"]},
                "tags": {"type": "text", "repeated": "true"},
            }
        }
    )
    made = PromptMaker(schema).prompt()
    properties = made.answer_schema["properties"]
    assert isinstance(properties, dict)
    assert properties["kind"]["enum"] == ["cash", "card", None]
    assert properties["tags"] == {"type": "array", "items": {"type": "string"}}
    assert "one of cash, card" in made.template


def test_lines_ask_for_the_columns_of_a_schema_by_their_names() -> None:
    made = PromptMaker(load_schema("business"), "lines").prompt("invoice")
    assert "LINE_ITEM_DESCRIPTIONS: <value>" in made.template
    assert 'separated by " | "' in made.template
    assert "NOT_FOUND" in made.template
    assert str(made.example["LINE_ITEM_PRICES"]).count(" | ") == 1


def test_lines_cannot_ask_for_rows_inside_rows() -> None:
    with pytest.raises(ConfigurationError, match="style json"):
        prompt("lines")


def test_a_type_has_a_prompt_of_its_own() -> None:
    business = load_schema("business")
    statement = PromptMaker(business).prompt("Account Statement")
    assert "STATEMENT_DATE_RANGE" in statement.template
    assert "SUPPLIER_NAME" not in statement.template
    assert "depends on its type" not in statement.template
    everything = PromptMaker(business).prompt()
    assert "- bank_statement (also: " in everything.template
    assert statement.digest != everything.digest
    assert {*statement.example} < {*everything.example}


def test_the_type_of_a_document_is_a_choice() -> None:
    made = PromptMaker(load_schema("business")).prompt()
    assert "document type: one of invoice, receipt, bank_statement" in made.template


def test_an_unknown_type_is_an_error_that_names_the_types() -> None:
    with pytest.raises(UnknownName, match="bank_statement"):
        PromptMaker(load_schema("business")).prompt("passport")


def test_a_template_of_ones_own_has_the_same_places(tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_text("Do it.\n{{ table }}\n{{example}}\n{{text}}\nNow!")
    made = build_prompt(CORD, template=file)
    assert made.template.startswith("Do it.\n| Category |")
    assert "<<<\nreceipt\n>>>" in made.for_text("receipt")
    assert made.for_text("receipt").endswith("\nNow!")


def test_a_template_without_a_place_for_the_text_gets_it_at_its_end(tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_text("Do it.")
    assert build_prompt(CORD, template=file).for_text("receipt").startswith("Do it.\n")
    assert "receipt" in build_prompt(CORD, template=file).for_text("receipt")


def test_an_unknown_place_in_a_template_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_text("{{tabel}}")
    with pytest.raises(UnknownName, match="table"):
        build_prompt(CORD, template=file)


def test_what_a_document_says_is_not_filled_in() -> None:
    made = prompt()
    shown = made.for_text("{{example}} {{text}}")
    assert "{{example}} {{text}}" in shown


def test_equal_prompts_have_equal_digests_and_documents_do_not_matter() -> None:
    assert prompt().digest == prompt().digest
    assert prompt().digest != prompt(fields={"date": "text"}).digest


@pytest.mark.parametrize(
    ("name", "title"), [("CORD receipts", "CORD_receipts"), ("", "record"), ("§", "record")]
)
def test_the_name_of_an_answer_has_only_letters_that_servers_allow(name: str, title: str) -> None:
    assert schema_title(Schema(name=name)) == title


def test_a_description_comes_from_json_schema_too() -> None:
    schema = load_schema(
        {
            "type": "object",
            "properties": {"total": {"type": "number", "description": "what is to be paid"}},
        }
    )
    assert schema.fields[0].description == "what is to be paid"


def test_a_description_shapes_no_signature() -> None:
    from docassay.run.plan import bind, make_plan

    plain = load_schema({"fields": {"a": "text"}, "groups": {"g": {"fields": {"b": "money"}}}})
    told = load_schema(
        {
            "fields": {"a": {"type": "text", "description": "words"}},
            "groups": {
                "g": {"description": "rows", "fields": {"b": {"type": "money", "description": "c"}}}
            },
        }
    )
    assert plain != told
    signatures = [bind(make_plan(schema=schema)).signature for schema in (plain, told)]
    assert signatures[0] == signatures[1]


def test_a_table_cell_holds_no_line_break_and_no_bar() -> None:
    schema = load_schema({"fields": {"a": {"type": "text", "description": "this | that\nmore"}}})
    assert r"| a | this \| that more |" in PromptMaker(schema).prompt().template
