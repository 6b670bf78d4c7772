"""Results of Amazon Textract: expenses with line items, identity documents, queries and forms."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import docassay as da
from docassay.load.format import Record
from docassay.load.source import guess, open_records
from docassay.model.document import Problem

BOX = {"Left": 0.1, "Top": 0.2, "Width": 0.3, "Height": 0.05}
SIDES = [0.1, 0.2, 0.4, 0.25]


def detected(text: str, confidence: float | None = None, box: object = None) -> dict[str, object]:
    geometry = {"BoundingBox": box, "Polygon": [{"X": 0.1, "Y": 0.2}]}
    more = {} if confidence is None else {"Confidence": confidence}
    return {"Text": text, **more, **({"Geometry": geometry} if box else {})}


def field(
    kind: str, text: str, *more: object, label: str | None = None, **members: object
) -> object:
    confidence, box = (*more, None, None)[:2]
    assert confidence is None or isinstance(confidence, float)
    return {
        "Type": {"Text": kind, "Confidence": 99.9},
        "ValueDetection": detected(text, confidence, box),
        **({} if label is None else {"LabelDetection": detected(label, 90.0)}),
        **members,
    }


def expense(fields: list[object], *rows: list[object]) -> dict[str, object]:
    items = [{"LineItemExpenseFields": row} for row in rows]
    groups = [{"LineItemGroupIndex": 1, "LineItems": items}] if rows else []
    blocks = [{"BlockType": "LINE", "Text": "Acme", "Id": "b1"}]
    return {"ExpenseIndex": 1, "SummaryFields": fields, "LineItemGroups": groups, "Blocks": blocks}


def analysed(*expenses: object, **more: object) -> dict[str, object]:
    return {"DocumentMetadata": {"Pages": 1}, "ExpenseDocuments": [*expenses], **more}


SUMMARY = [
    field("VENDOR_NAME", "Acme\nPty Ltd", 97.5, BOX, PageNumber=2),
    field("TOTAL", "$12.50", 80.0, PageNumber=1),
    field("TOTAL", "$12.50", 99.0, PageNumber=2),
    field("TOTAL", "$10.00", 50.0),
    field("OTHER", "NET 30", label="Payment\nterms:"),
    field("OTHER", "42"),
    field("TAX", " "),
]
ROWS: list[list[object]] = [
    [
        field("ITEM", "Tea", 95.0, BOX, PageNumber=1),
        field("PRICE", "2.50"),
        field("EXPENSE_ROW", "Tea 2.50"),
    ],
    [field("ITEM", "Cake"), field("PRICE", "10.00"), field("EXPENSE_ROW", "Cake 10.00")],
    [field("EXPENSE_ROW", "Thank you")],
]


def read(path: Path) -> tuple[list[Record], list[str]]:
    items = [*open_records(path).records]
    problems = [item.message for item in items if isinstance(item, Problem)]
    return [item for item in items if isinstance(item, Record)], problems


def shaped(folder: Path, tree: object) -> tuple[object, list[str]]:
    (folder / "x.json").write_text(json.dumps(tree), encoding="utf-8")
    assert guess(folder) == "textract"
    records, problems = read(folder)
    assert [record.id for record in records] == ["x"]
    return records[0].tree, problems


def test_an_expense_has_fields_by_type_and_rows(tmp_path: Path) -> None:
    tree, problems = shaped(tmp_path, analysed(expense(SUMMARY, *ROWS)))
    assert tree == {
        "VENDOR_NAME": {"value": "Acme\nPty Ltd", "confidence": 0.975, "page": 2, "box": SIDES},
        "TOTAL": [
            {"value": "$12.50", "confidence": 0.99, "page": 2},
            {"value": "$10.00", "confidence": 0.5},
        ],
        "Payment terms": "NET 30",
        "line_items": [
            {
                "ITEM": {"value": "Tea", "confidence": 0.95, "page": 1, "box": SIDES},
                "PRICE": "2.50",
            },
            {"ITEM": "Cake", "PRICE": "10.00"},
        ],
    }
    assert problems == [
        "left out: 3 EXPENSE_ROW (the text of a whole row), 1 OTHER without a label"
    ]


def test_what_is_left_out_is_said_once_for_a_folder(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.json").write_text(json.dumps(analysed(expense(SUMMARY, *ROWS))))
    records, problems = read(tmp_path)
    assert [record.id for record in records] == ["a", "b"]
    assert problems == [
        "left out: 6 EXPENSE_ROW (the text of a whole row), 2 OTHER without a label"
    ]


def test_several_expenses_and_parts_are_said(tmp_path: Path) -> None:
    first = expense([field("TOTAL", "1")], [field("ITEM", "Tea")])
    second = expense([field("TOTAL", "2")], [field("ITEM", "Cake")])
    tree, problems = shaped(tmp_path, analysed(first, second, NextToken="abc"))
    assert tree == {"TOTAL": ["1", "2"], "line_items": [{"ITEM": "Tea"}, {"ITEM": "Cake"}]}
    assert problems == [
        "is one of several parts of a result (NextToken); the rest is missing",
        "has 2 expenses; their fields are read together",
    ]


def test_an_identity_document_has_fields_by_type(tmp_path: Path) -> None:
    fields = [field("FIRST_NAME", "ZOË", 98.0), field("MIDDLE_NAME", "")]
    card = {"DocumentIndex": 1, "IdentityDocumentFields": fields}
    assert shaped(tmp_path, {"IdentityDocuments": [card]}) == (
        {"FIRST_NAME": {"value": "ZOË", "confidence": 0.98}},
        [],
    )


def test_a_normalised_value_stands_beside_the_printed_text(tmp_path: Path) -> None:
    normal = {"Value": "2025-03-04T00:00:00", "ValueType": "Date"}
    printed = {"Text": "03/04/2025", "Confidence": 98.0, "NormalizedValue": normal}
    born = {"Type": {"Text": "DATE_OF_BIRTH"}, "ValueDetection": printed}
    card = {"DocumentIndex": 1, "IdentityDocumentFields": [born]}
    leaf = {"value": "03/04/2025", "confidence": 0.98, "normalised": "2025-03-04T00:00:00"}
    assert shaped(tmp_path, {"IdentityDocuments": [card]}) == ({"DATE_OF_BIRTH": leaf}, [])


def block(kind: str, name: str, *related: tuple[str, list[str]], **more: object) -> object:
    relations = [{"Type": relation, "Ids": ids} for relation, ids in related]
    return {"BlockType": kind, "Id": name, "Relationships": relations, **more}


QUERIES = [
    block("PAGE", "p"),
    block("QUERY", "q1", ("ANSWER", ["a1"]), Query={"Text": "What is due?", "Alias": "TOTAL"}),
    block("QUERY_RESULT", "a1", Page=3, **detected("$12.50", 87.0, BOX)),
    block("QUERY", "q2", ("ANSWER", ["a2", "gone"]), Query={"Text": "Who sells?"}),
    block("QUERY_RESULT", "a2", **detected("Acme", 50.0)),
    block("QUERY", "q3", Query={"Text": "Is there a date?", "Alias": "DATE"}),
    block("QUERY", "q4", ("ANSWER", ["a4"]), Query={"Text": "Is there a tax?", "Alias": "TAX"}),
    block("QUERY_RESULT", "a4", **detected(" ", 50.0)),
    block("QUERY", "q5", ("ANSWER", ["a2"]), Query={}),
]


def test_an_answer_to_a_query_has_its_alias_or_question_as_name(tmp_path: Path) -> None:
    tree, problems = shaped(tmp_path, {"DocumentMetadata": {"Pages": 3}, "Blocks": QUERIES})
    assert tree == {
        "TOTAL": {"value": "$12.50", "confidence": 0.87, "page": 3, "box": SIDES},
        "Who sells?": {"value": "Acme", "confidence": 0.5, "page": 1},
    }
    assert problems == []


def test_a_form_is_named_by_its_printed_keys(tmp_path: Path) -> None:
    key, value = {"EntityTypes": ["KEY"]}, {"EntityTypes": ["VALUE"], "Confidence": 60.0}
    blocks = [
        block("KEY_VALUE_SET", "k1", ("VALUE", ["v1"]), ("CHILD", ["w1", "w2"]), **key),
        block("KEY_VALUE_SET", "v1", ("CHILD", ["w3", "w4"]), Page=2, **value),
        block("KEY_VALUE_SET", "k2", ("VALUE", ["v2"]), ("CHILD", ["w5"]), **key),
        block("KEY_VALUE_SET", "v2", ("CHILD", ["s1"]), Page=2, **value),
        block("KEY_VALUE_SET", "k3", ("VALUE", ["v3"]), ("CHILD", ["w6"]), **key),
        block("KEY_VALUE_SET", "v3", **value),
        *(
            block("WORD", f"w{number}", Text=word)
            for number, word in enumerate(
                ["Full", "name:", "Zoë", "Doe", "Member", "Fax:"], start=1
            )
        ),
        block("SELECTION_ELEMENT", "s1", SelectionStatus="SELECTED"),
    ]
    tree, _ = shaped(tmp_path, {"Blocks": blocks})
    assert tree == {
        "Full name": {"value": "Zoë Doe", "confidence": 0.6, "page": 2},
        "Member": {"value": True, "confidence": 0.6, "page": 2},
    }


def test_a_result_of_text_alone_is_said(tmp_path: Path) -> None:
    said = "has text only: neither queries nor forms were asked for"
    assert shaped(tmp_path, {"Blocks": [block("WORD", "w", Text="x")]}) == ({}, [said])
    assert shaped(tmp_path, {"Blocks": [block("QUERY", "q", Query={"Text": "x"})]}) == ({}, [])


@pytest.mark.parametrize("tree", [{"Blocks": [1]}, {"BlockType": "x"}, {"JobStatus": "x"}])
def test_other_json_is_not_taken_for_it(tmp_path: Path, tree: object) -> None:
    (tmp_path / "x.json").write_text(json.dumps(tree))
    assert guess(tmp_path) == "json"


@pytest.mark.parametrize("status", ["SUCCEEDED", "PARTIAL_SUCCESS"])
def test_a_job_that_has_ended_is_read(tmp_path: Path, status: str) -> None:
    tree = analysed(expense([field("TOTAL", "1")]), JobStatus=status)
    assert shaped(tmp_path, tree) == ({"TOTAL": "1"}, [])


def test_a_folder_that_begins_with_a_failure_is_guessed(tmp_path: Path) -> None:
    failed = {"JobStatus": "FAILED", "StatusMessage": "bad"}
    (tmp_path / "a.json").write_text(json.dumps(failed))
    (tmp_path / "b.json").write_text(json.dumps(analysed(expense([field("TOTAL", "1")]))))
    assert [record.tree for record in read(tmp_path)[0]] == [None, {"TOTAL": "1"}]


FAILURES = {
    "nothing": (
        {"JobStatus": "SUCCEEDED", "Results": []},
        "has none of ExpenseDocuments, IdentityDocuments, Blocks",
    ),
    "failed": (
        {"JobStatus": "FAILED", "StatusMessage": "INVALID_IMAGE_TYPE", "Blocks": []},
        "the analysis has not succeeded: its status is FAILED, INVALID_IMAGE_TYPE",
    ),
    "running": (
        {"JobStatus": "IN_PROGRESS"},
        "the analysis has not succeeded: its status is IN_PROGRESS",
    ),
    "another shape": ({"total": "5"}, "has none of ExpenseDocuments, IdentityDocuments, Blocks"),
}


@pytest.mark.parametrize(("tree", "message"), FAILURES.values(), ids=FAILURES)
def test_a_result_that_is_none_cannot_be_read(tmp_path: Path, tree: object, message: str) -> None:
    (tmp_path / "a.json").write_text(json.dumps(analysed(expense([field("TOTAL", "1")]))))
    (tmp_path / "b.json").write_text(json.dumps(tree))
    records, problems = read(tmp_path)
    assert [(record.id, record.tree) for record in records] == [("a", {"TOTAL": "1"}), ("b", None)]
    assert problems == [message]


@pytest.mark.parametrize("missing", ["Left", "Top", "Width", "Height"])
def test_a_box_with_a_side_missing_is_left_out(tmp_path: Path, missing: str) -> None:
    box = {side: size for side, size in BOX.items() if side != missing}
    tree, _ = shaped(tmp_path, analysed(expense([field("TOTAL", "1", 50.0, box)])))
    assert tree == {"TOTAL": {"value": "1", "confidence": 0.5}}


def test_gold_is_scored_against_results_of_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "textract"
    folder.mkdir()
    fields = [field("VENDOR_NAME", "Acme", 97.0), field("TOTAL", "$12.50", 40.0)]
    for name in ("r-1", "r-2"):
        (folder / f"{name}.json").write_text(json.dumps(analysed(expense(fields, *ROWS))))
    rows = [{"ITEM": "Cake", "PRICE": "10.00"}, {"ITEM": "Tea", "PRICE": "2.50"}]
    tree = {"VENDOR_NAME": "Acme", "TOTAL": "$12.50", "line_items": rows}
    gold = tmp_path / "gold.jsonl"
    lines = [{"id": "r-1", **tree}, {"id": "r-2", **tree, "TOTAL": "$21.50"}]
    gold.write_text("\n".join(map(json.dumps, lines)))
    report = da.score(gold, folder, metrics=["kieval"])
    assert report["kieval.aligned"].value == pytest.approx(11 / 12)
    assert report["kieval.documents_exact"].value == 1
