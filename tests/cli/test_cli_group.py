"""`docassay group`: flat entities into nested records."""

from __future__ import annotations

import io
import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.cli.cli_corpus import Command

COMPONENTS = ("--components", "item=name,price")
ENTITIES = [
    {"field": "shop", "text": "Corner", "confidence": 0.5},
    {"field": "name", "text": "Cake", "page": 1, "bbox": [0, 0, 9, 10], "line_item_id": 1},
    {"field": "price", "text": "4.50", "page": 1, "bbox": [20, 1, 29, 11], "line_item_id": 1},
    {"label": "name", "value": "Water", "page": 1, "bbox": [0, 20, 9, 30], "line_item_id": 2},
    {"type": "name", "text": "Tea", "page": 1, "bbox": [0, 40, 9, 50], "line_item_id": 3},
    {"category": "price", "text": "3.00", "page": 1, "bbox": [20, 40, 29, 50], "line_item_id": 3},
]


def write(path: Path, *documents: object) -> str:
    path.write_text("".join(json.dumps(one) + "\n" for one in documents))
    return str(path)


def texts(row: dict) -> dict:
    return {key: leaf["value"] if isinstance(leaf, dict) else leaf for key, leaf in row.items()}


@pytest.mark.parametrize(
    ("way", "rows"),
    [
        ("repetition", [("Cake", "4.50"), ("Water", None), ("Tea", "3.00")]),
        ("slots", [("Cake", "4.50"), ("Water", "3.00"), ("Tea", None)]),
        ("position", [("Cake", "4.50"), ("Water", None), ("Tea", "3.00")]),
        ("ids", [("Cake", "4.50"), ("Water", None), ("Tea", "3.00")]),
    ],
)
def test_each_way_makes_its_rows(way: str, rows: list, tmp_path: Path, docassay: Command) -> None:
    file = write(tmp_path / "flat.jsonl", {"id": "r1", "entities": ENTITIES})
    ended = docassay("group", file, *COMPONENTS, "--by", way)
    record = json.loads(ended.out)
    assert record["id"] == "r1"
    assert record["shop"] == {"value": "Corner", "confidence": 0.5}
    found = [texts(row) for row in record["item"]]
    assert [(row.get("name"), row.get("price")) for row in found] == rows
    assert ended.err == f"item: grouped by {way}; rows made: 3, entities left over: 0\n"


@pytest.mark.parametrize(
    "content",
    [
        '{"a": [["name", "Cake"], ["price", "1"]]}',
        '{"id": "a", "entities": [["name", "Cake"], ["price", "1"]]}',
        '[{"id": "a", "entities": [{"name": "name", "text": "Cake"}, ["price", "1"]]}]',
        '{"id": "a", "item.name": "Cake", "price": "1"}',
    ],
    ids=["by id", "one document", "a list of documents", "plain fields"],
)
def test_entities_come_in_several_shapes(
    content: str, docassay: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(content.encode())))
    ended = docassay("group", "-", *COMPONENTS, "-q")
    assert json.loads(ended.out) == {"id": "a", "item": [{"name": "Cake", "price": "1"}]}
    assert ended.err == ""


def test_numbers_keep_their_digits(tmp_path: Path, docassay: Command) -> None:
    file = tmp_path / "x.jsonl"
    file.write_text('{"id": "a", "entities": [{"field": "price", "value": 1.50, "score": 0.90}]}\n')
    assert '{"value":1.50,"confidence":0.90}' in docassay("group", str(file), *COMPONENTS).out


def test_start_decides_the_order(tmp_path: Path, docassay: Command) -> None:
    entities = [
        {"field": name, "text": text, "start": start}
        for name, text, start in [("price", "1", 5), ("name", "a", 0), ("name", "b", 9)]
    ]
    file = write(tmp_path / "x.jsonl", {"id": "a", "entities": entities})
    record = json.loads(docassay("group", file, *COMPONENTS).out)
    assert record["item"] == [{"name": "a", "price": "1"}, {"name": "b"}]


def test_what_is_no_entity_is_named(tmp_path: Path, docassay: Command) -> None:
    file = write(tmp_path / "x.jsonl", {"id": "a", "entities": [["name"], 3, {"field": "x"}]})
    said = docassay("group", file, *COMPONENTS).err
    assert said.count("has no name and text; left out") == 3


def test_what_cannot_be_placed_stays_and_is_counted(tmp_path: Path, docassay: Command) -> None:
    file = write(tmp_path / "x.jsonl", {"id": "a", "entities": [["name", "Cake"]]})
    ended = docassay("group", file, *COMPONENTS, "--by", "position")
    assert json.loads(ended.out) == {"id": "a", "item.name": "Cake"}
    assert "entities left over: 1" in ended.err


@pytest.mark.parametrize("option", ["--schema", "--meta"])
def test_a_schema_names_the_components(option: str, tmp_path: Path, docassay: Command) -> None:
    file = write(tmp_path / "x.jsonl", {"id": "a", "entities": [["name", "b"], ["price", "1"]]})
    schema = {
        "groups": {"item": {"grouping": "slots", "fields": {"name": "text", "price": "money"}}}
    }
    meta = {
        "entity_name_to_match_func": {"name": "NameMatch", "price": "PriceMatch"},
        "entity_appearance_pattern": {"name": "item", "price": "item"},
    }
    chosen = write(tmp_path / "s.json", schema if option == "--schema" else meta)
    ended = docassay("group", file, option, chosen)
    assert json.loads(ended.out)["item"] == [{"name": "b", "price": "1"}]
    assert ("by slots" if option == "--schema" else "by repetition") in ended.err


def test_tagged_text_is_grouped_in_reading_order(tmp_path: Path, docassay: Command) -> None:
    (tmp_path / "a.bio").write_text("Cake B-name\n1 B-price\nTea B-name\n2 B-price\n")
    ended = docassay("group", str(tmp_path), *COMPONENTS, "--input-format", "bio")
    rows = [{"name": "Cake", "price": "1"}, {"name": "Tea", "price": "2"}]
    assert json.loads(ended.out) == {"id": "a", "item": rows}


def test_predictions_of_vrdu_are_grouped_in_the_order_of_their_text(
    tmp_path: Path, docassay: Command
) -> None:
    order = (("price", "2", 9), ("name", "Cake", 0), ("price", "1", 3), ("name", "Tea", 6))
    items = [[name, [text, None, [[start, start + 1]]]] for name, text, start in order]
    file = write(tmp_path / "p.json", {"meta": {}, "results": {"a.pdf": [*items, ["x", ["y"]]]}})
    ended = docassay("group", file, *COMPONENTS)
    rows = [{"name": "Cake", "price": "1"}, {"name": "Tea", "price": "2"}]
    assert json.loads(ended.out) == {"id": "a.pdf", "x": "y", "item": rows}
    assert ended.err == "item: grouped by repetition; rows made: 2, entities left over: 0\n"


def test_a_line_that_cannot_be_read_is_named_by_its_number(
    tmp_path: Path, docassay: Command
) -> None:
    (tmp_path / "x.jsonl").write_text('{"id": "a", "entities": []}\nbroken\n')
    assert (
        "docassay: x.jsonl:2: is not JSON"
        in docassay("group", str(tmp_path / "x.jsonl"), *COMPONENTS).err
    )


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ((), 2, "the components of a row are not given"),
        (("--components", "item"), 2, "does not name a row and its components"),
        (("--components", "=a"), 2, "does not name a row and its components"),
        (("--components", "item=a", "--by", "boxes"), 2, "boxes"),
    ],
)
def test_a_call_that_cannot_work_says_why(
    arguments: tuple[str, ...], code: int, said: str, tmp_path: Path, docassay: Command
) -> None:
    file = write(tmp_path / "x.jsonl", {"id": "a", "entities": []})
    ended = docassay("group", file, *arguments)
    assert ended.code == code
    assert said in ended.err


@pytest.mark.parametrize(("content", "code"), [("", 3), ("[1", 3), ('"x"', 3)])
def test_stdin_that_holds_no_documents_is_an_error(
    content: str, code: int, docassay: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(content.encode())))
    ended = docassay("group", "-", *COMPONENTS)
    assert ended.code == code
    assert ended.err.startswith("docassay: stdin: ")
