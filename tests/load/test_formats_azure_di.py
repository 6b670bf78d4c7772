"""Results of Azure AI Document Intelligence: shapes of its versions, boxes, failures, scores."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import docassay as da
from docassay.load.format import Record
from docassay.load.source import guess, open_records
from docassay.model.document import Problem

PAGES = [
    {"pageNumber": 1, "width": 8.5, "height": 11, "unit": "inch", "words": []},
    {"pageNumber": 2, "width": 10, "height": 20, "unit": "inch"},
]


def region(page: int, *polygon: float) -> dict[str, object]:
    return {"pageNumber": page, "polygon": [*polygon]}


def text(content: str, **more: object) -> dict[str, object]:
    return {"type": "string", "valueString": content, "content": content, **more}


def money(content: str, amount: float, **more: object) -> dict[str, object]:
    value = {"currencySymbol": "$", "amount": amount, "currencyCode": "USD"}
    return {"type": "currency", "valueCurrency": value, "content": content, **more}


def item(**cells: object) -> dict[str, object]:
    return {"type": "object", "valueObject": cells, "content": "a row", "confidence": 0.9}


FIELDS = {
    "VendorName": text(
        "CONTOSO LTD.",
        confidence=0.938,
        boundingRegions=[region(1, 0.85, 1.1, 4.25, 1.1, 4.25, 2.2, 0.85, 2.2)],
    ),
    "InvoiceDate": {
        "type": "date",
        "valueDate": "2019-11-15",
        "content": "15/11/2019",
        "confidence": 0.971,
        "boundingRegions": [region(2, 1, 2, 5, 2, 5, 4, 1, 4)],
    },
    "InvoiceTotal": money("$1,110.00", 1110, confidence=0.973),
    "CustomerId": {"type": "string", "confidence": 0.1},
    "PurchaseOrder": None,
    "Items": {
        "type": "array",
        "valueArray": [
            item(Description=text("Consulting"), Amount=money("$60.00", 60)),
            item(Description=text("Printing"), Amount=money("$10.00", 10), Unit=None),
        ],
    },
    "Emails": {"type": "array", "valueArray": [text("a@x.org"), text("b@x.org"), text("a@x.org")]},
    "BillTo": {"type": "object", "valueObject": {"Name": text("Zoë"), "City": text("Bonn")}},
}
ROWS = [
    {"Description": "Consulting", "Amount": {"value": "$60.00", "normalised": "60 USD"}},
    {"Description": "Printing", "Amount": {"value": "$10.00", "normalised": "10 USD"}},
]


def result(*documents: object, **more: object) -> dict[str, object]:
    inner = {
        "apiVersion": "2023-07-31",
        "modelId": "prebuilt-invoice",
        "stringIndexType": "textElements",
        "content": "CONTOSO LTD. ...",
        "pages": PAGES,
        "tables": [],
        "documents": [*documents],
        **more,
    }
    return {
        "status": "succeeded",
        "createdDateTime": "2024-01-01T00:00:00Z",
        "analyzeResult": inner,
    }


def invoice(**fields: object) -> dict[str, object]:
    return {"docType": "invoice", "fields": fields, "confidence": 1, "spans": []}


def read(path: Path, **options: object) -> tuple[list[Record], list[str]]:
    items = [*open_records(path, options=options).records]
    problems = [item.message for item in items if isinstance(item, Problem)]
    return [item for item in items if isinstance(item, Record)], problems


def shaped(folder: Path, tree: object) -> tuple[object, list[str]]:
    (folder / "x.json").write_text(json.dumps(tree), encoding="utf-8")
    assert guess(folder) == "azure-di"
    records, problems = read(folder)
    assert [record.id for record in records] == ["x"]
    return records[0].tree, problems


def test_fields_keep_their_names_texts_and_places(tmp_path: Path) -> None:
    tree, problems = shaped(tmp_path, result(invoice(**FIELDS)))
    assert tree == {
        "VendorName": {
            "value": "CONTOSO LTD.",
            "confidence": 0.938,
            "page": 1,
            "box": [0.1, 0.1, 0.5, 0.2],
        },
        "InvoiceDate": {
            "value": "15/11/2019",
            "confidence": 0.971,
            "page": 2,
            "box": [0.1, 0.1, 0.5, 0.2],
            "normalised": "2019-11-15",
        },
        "InvoiceTotal": {"value": "$1,110.00", "confidence": 0.973, "normalised": "1110 USD"},
        "Items": ROWS,
        "Emails": ["a@x.org", "b@x.org", "a@x.org"],
        "BillTo": {"Name": "Zoë", "City": "Bonn"},
    }
    assert problems == []


def old_field(name: str, value: str, page: int | None = 1) -> dict[str, object]:
    corners = [85, 110, 425, 110, 425, 220, 85, 220]
    found = {
        "type": "string",
        name: value,
        "text": value,
        "boundingBox": corners,
        "confidence": 0.5,
    }
    return found if page is None else {**found, "page": page}


def test_version_2_1_is_read(tmp_path: Path) -> None:
    items = {
        "type": "array",
        "valueArray": [
            {"type": "object", "valueObject": {"Name": {"type": "string", "text": "Tea"}}}
        ],
    }
    fields = {"MerchantName": old_field("valueString", "Contoso"), "Items": items, "Tip": None}
    tree, problems = shaped(
        tmp_path,
        {
            "status": "succeeded",
            "analyzeResult": {
                "version": "2.1.0",
                "readResults": [{"page": 1, "width": 850, "height": 1100, "unit": "pixel"}],
                "documentResults": [{"docType": "prebuilt:receipt", "fields": fields}],
            },
        },
    )
    place = {"confidence": 0.5, "page": 1, "box": [0.1, 0.1, 0.5, 0.2]}
    assert tree == {"MerchantName": {"value": "Contoso", **place}, "Items": [{"Name": "Tea"}]}
    assert problems == []


def test_what_the_python_library_writes_is_read(tmp_path: Path) -> None:
    corners = [{"x": 0.85, "y": 1.1}, {"x": 4.25, "y": 1.1}, {"x": 4.25, "y": 2.2}]
    regions = [{"page_number": 1, "polygon": corners}]
    name = {"value_type": "string", "value": "Contoso", "content": "CONTOSO"}
    row = {"value_type": "dictionary", "value": {"Tax": {"value_type": "float", "value": 7}}}
    fields = {
        "VendorName": {**name, "bounding_regions": regions, "confidence": 0.9},
        "Items": {"value_type": "list", "value": [row], "content": None},
        "Paid": {"value_type": "selectionMark", "value": "selected", "content": None},
    }
    tree, problems = shaped(
        tmp_path,
        {
            "api_version": "2022-08-31",
            "model_id": "prebuilt-invoice",
            "pages": [{"page_number": 1, "width": 8.5, "height": 11.0}],
            "documents": [{"doc_type": "invoice", "fields": fields}],
        },
    )
    place = {"confidence": 0.9, "page": 1, "box": [0.1, 0.1, 0.5, 0.2]}
    assert tree == {
        "VendorName": {"value": "CONTOSO", **place},
        "Items": [{"Tax": 7}],
        "Paid": "selected",
    }
    assert problems == []


STATED = [
    ({"type": "number", "valueNumber": 3}, 3),
    ({"type": "currency", "valueCurrency": {"amount": 3, "currencyCode": "EUR"}}, "3 EUR"),
    ({"type": "currency", "valueCurrency": {"amount": 3}}, 3),
    (
        {"type": "currency", "valueCurrency": {"amount": 60.125, "currencyCode": "EUR"}},
        {"value": "60.125 EUR", "normalised": "60.125 EUR"},
    ),
    ({"type": "selectionMark", "valueSelectionMark": "selected"}, "selected"),
    ({"type": "address", "valueAddress": {"road": "Main St", "city": "Bonn"}}, "Main St, Bonn"),
]


@pytest.mark.parametrize(("field", "expected"), STATED)
def test_without_printed_text_the_stated_value_counts(
    tmp_path: Path, field: object, expected: object
) -> None:
    assert shaped(tmp_path, result(invoice(a=field))) == ({"a": expected}, [])


def test_boxes_of_several_regions_are_those_of_the_first_page(tmp_path: Path) -> None:
    regions = [
        region(2, 1, 2, 2, 4),
        region(1, 0, 0, 8.5, 11),
        region(2, 4, 10, 5, 12),
    ]
    tree, _ = shaped(tmp_path, result(invoice(a=text("x", boundingRegions=regions))))
    assert tree == {"a": {"value": "x", "page": 2, "box": [0.1, 0.1, 0.5, 0.6]}}


def test_a_box_stays_on_the_page(tmp_path: Path) -> None:
    regions = [region(2, -1, 2, 11, 30)]
    tree, _ = shaped(tmp_path, result(invoice(a=text("x", boundingRegions=regions))))
    assert tree == {"a": {"value": "x", "page": 2, "box": [0.0, 0.1, 1.0, 1.0]}}


def test_a_page_without_size_leaves_its_values_without_boxes(tmp_path: Path) -> None:
    place = [region(1, 1, 1, 2, 2)]
    fields = {"a": text("x", boundingRegions=place), "b": text("y", boundingRegions=place)}
    for pages in ([], [{"pageNumber": 1, "width": 0, "height": 11}], None):
        tree, problems = shaped(tmp_path, result(invoice(**fields), pages=pages))
        assert tree == {"a": {"value": "x", "page": 1}, "b": {"value": "y", "page": 1}}
        assert problems == ["has no size of page 1; its boxes are left out"]


def test_the_fields_of_several_documents_are_read_together(tmp_path: Path) -> None:
    first, second = invoice(a=text("x"), Items=FIELDS["Items"]), invoice(a=text("y"))
    tree, problems = shaped(tmp_path, result(first, second))
    assert tree == {"a": ["x", "y"], "Items": ROWS}
    assert problems == ["has 2 documents; their fields are read together"]


def test_key_value_pairs_count_where_there_are_no_documents(tmp_path: Path) -> None:
    pairs = [
        {
            "key": {"content": "Total:"},
            "value": {"content": "12.50", "boundingRegions": [region(2, 1, 2, 5, 4)]},
            "confidence": 0.8,
        },
        {"key": {"content": "Signature"}, "confidence": 0.5},
    ]
    tree, _ = shaped(tmp_path, result(keyValuePairs=pairs))
    assert tree == {
        "Total": {"value": "12.50", "confidence": 0.8, "page": 2, "box": [0.1, 0.1, 0.5, 0.2]}
    }
    assert shaped(tmp_path, result(invoice(a=text("x")), keyValuePairs=pairs))[0] == {"a": "x"}


def test_no_document_found_is_an_empty_document(tmp_path: Path) -> None:
    assert shaped(tmp_path, result()) == ({}, [])


FAILURES = {
    "failed": (
        {"status": "failed", "error": {"code": "InvalidRequest", "message": "Bad PDF"}},
        "the service failed with InvalidRequest: Bad PDF",
    ),
    "running": (
        {"status": "running", "analyzeResult": {}},
        "the analysis has not succeeded: its status is 'running'",
    ),
    "no fields": (
        {"status": "succeeded", "analyzeResult": {"modelId": "prebuilt-read", "pages": []}},
        "has no documents: results of the models read and layout have no fields",
    ),
    "another shape": ({"total": "5"}, "has no analyzeResult"),
}


@pytest.mark.parametrize(("tree", "message"), FAILURES.values(), ids=FAILURES)
def test_a_result_without_fields_cannot_be_read(tmp_path: Path, tree: object, message: str) -> None:
    (tmp_path / "a.json").write_text(json.dumps(result(invoice(a=text("x")))))
    (tmp_path / "b.json").write_text(json.dumps(tree))
    records, problems = read(tmp_path)
    assert [(record.id, record.tree) for record in records] == [("a", {"a": "x"}), ("b", None)]
    assert problems == [message]


def test_a_folder_that_begins_with_a_failure_is_guessed(tmp_path: Path) -> None:
    failed = {"status": "failed", "createdDateTime": "2024-01-01", "error": {"code": "x"}}
    (tmp_path / "a.json").write_text(json.dumps(failed))
    (tmp_path / "b.json").write_text(json.dumps(result(invoice(a=text("x")))))
    assert [record.tree for record in read(tmp_path)[0]] == [None, {"a": "x"}]


LAYOUTS = {
    "a lone file": (".json", result(invoice(a=text("x"))), [None]),
    "without envelope": (".json", result(invoice(a=text("x")))["analyzeResult"], [None]),
    "its envelope alone": (
        ".json",
        {"analyzeResult": result(invoice(a=text("x")))["analyzeResult"]},
        [None],
    ),
    "an envelope of somebody": (".json", {"data": result(invoice(a=text("x")))}, [None]),
    "by id": (
        ".json",
        {"p": result(invoice(a=text("x"))), "q": result(invoice(a=text("x")))},
        "pq",
    ),
    "a list with ids": (".json", [{"id": "p", **result(invoice(a=text("x")))}], "p"),
    "a line": (".jsonl", {"id": "p", **result(invoice(a=text("x")))}, "p"),
}


@pytest.mark.parametrize(("suffix", "tree", "ids"), LAYOUTS.values(), ids=LAYOUTS)
def test_results_stand_in_files_of_several_kinds(
    tmp_path: Path, suffix: str, tree: object, ids: list[str | None]
) -> None:
    path = tmp_path / f"result{suffix}"
    path.write_text(json.dumps(tree))
    assert guess(path) == "azure-di"
    records, problems = read(path)
    assert [(record.id, record.tree) for record in records] == [(name, {"a": "x"}) for name in ids]
    assert problems == []


@pytest.mark.parametrize("name", ["apiVersion", "modelId", "api_version", "model_id"])
@pytest.mark.parametrize("listed", ["pages", "readResults", "documents", "documentResults"])
def test_a_result_without_envelope_has_two_of_its_members(
    tmp_path: Path, name: str, listed: str
) -> None:
    (tmp_path / "x.json").write_text(json.dumps({name: "x", listed: []}))
    assert guess(tmp_path) == "azure-di"
    for tree in ({name: "x"}, {listed: []}, {"status": "paid", "total": "5"}):
        (tmp_path / "x.json").write_text(json.dumps(tree))
        assert guess(tmp_path) == "json"


def test_a_result_longer_than_the_look_is_guessed(tmp_path: Path) -> None:
    words = [{"content": "word", "polygon": [1, 1, 2, 2], "confidence": 0.9}] * 3000
    pages = [{**PAGES[0], "words": words}]
    long = result(invoice(a=text("x")))
    bare = {"apiVersion": "2023-07-31", "modelId": "m", "pages": pages, "documents": []}
    for tree in ({**long, "analyzeResult": {"pages": pages, "documents": []}}, bare):
        (tmp_path / "x.json").write_text(json.dumps(tree))
        assert guess(tmp_path) == "azure-di"


def test_gold_is_scored_against_a_folder_of_results(tmp_path: Path) -> None:
    folder = tmp_path / "azure"
    folder.mkdir()
    for name in ("inv-1", "inv-2"):
        (folder / f"{name}.json").write_text(json.dumps(result(invoice(**FIELDS))))
    tree = {
        "VendorName": "CONTOSO LTD.",
        "InvoiceDate": "15/11/2019",
        "InvoiceTotal": "$1,110.00",
        "Items": ROWS,
        "Emails": ["a@x.org", "b@x.org", "a@x.org"],
        "BillTo": {"Name": "Zoë", "City": "Bonn"},
    }
    gold = {"inv-1": tree, "inv-2": {**tree, "InvoiceTotal": "$1,100.00"}}
    report = da.score(gold, folder, metrics=["kieval", "confidence"])
    assert report["kieval.aligned"].value == pytest.approx(23 / 24)
    assert report["kieval.documents_exact"].value == 1
    assert report["kieval.aligned@InvoiceTotal"].value == 0.5
    assert report["confidence.brier"].value is not None
