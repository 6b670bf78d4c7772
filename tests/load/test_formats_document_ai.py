"""Documents of Google's Document AI: entities, properties as rows, pages and boxes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import docassay as da
from docassay.load.format import Record
from docassay.load.source import guess, open_records
from docassay.model.document import Problem


def anchor(page: object, *corners: tuple[float, float], kind: str = "normalizedVertices") -> object:
    # as the service writes them: coordinates and pages that are 0 are left out
    points = [{name: side for name, side in (("x", x), ("y", y)) if side != 0} for x, y in corners]
    number = {} if page is None else {"page": page}
    return {"pageRefs": [{**number, "boundingPoly": {kind: points}}]}


def entity(kind: str, text: str | None, *properties: object, **more: object) -> dict[str, object]:
    mention = {} if text is None else {"mentionText": text}
    inner = {"properties": [*properties]} if properties else {}
    return {"type": kind, **mention, **more, **inner, "id": "0", "textAnchor": {}}


def document(*entities: object, **more: object) -> dict[str, object]:
    return {"mimeType": "application/pdf", "text": "…", "entities": [*entities], **more}


def row(name: str, amount: str) -> dict[str, object]:
    return entity(
        "line_item",
        f"{name} {amount}",
        entity("line_item/description", name, confidence=0.5),
        entity(
            "line_item/amount", amount, normalizedValue={"text": amount.rstrip("0").rstrip(".")}
        ),
    )


ENTITIES = [
    entity(
        "invoice_id",
        " INV-1\n",
        confidence=0.97,
        pageAnchor=anchor(None, (0, 0.25), (0.5, 0.25), (0.5, 0.5), (0, 0.5)),
    ),
    entity(
        "invoice_date",
        "5 May 2024",
        confidence=0.25,
        normalizedValue={"text": "2024-05-05", "dateValue": {"year": 2024}},
        pageAnchor=anchor("1", (0.1, 0.2), (0.3, 0.4)),
    ),
    row("Tea", "2.50"),
    entity(
        "total_amount",
        "$12.50",
        normalizedValue={"moneyValue": {"currencyCode": "SGD", "units": "12", "nanos": 500000000}},
    ),
    row("Cake", "10.00"),
]
TREE = {
    "invoice_id": {"value": "INV-1", "confidence": 0.97, "page": 1, "box": [0.0, 0.25, 0.5, 0.5]},
    "invoice_date": {
        "value": "5 May 2024",
        "confidence": 0.25,
        "page": 2,
        "box": [0.1, 0.2, 0.3, 0.4],
        "normalised": "2024-05-05",
    },
    "total_amount": {"value": "$12.50", "normalised": "12.500000000 SGD"},
    "line_item": [
        {
            "description": {"value": "Tea", "confidence": 0.5},
            "amount": {"value": "2.50", "normalised": "2.5"},
        },
        {
            "description": {"value": "Cake", "confidence": 0.5},
            "amount": {"value": "10.00", "normalised": "10"},
        },
    ],
}


def read(path: Path) -> tuple[list[Record], list[str]]:
    items = [*open_records(path).records]
    problems = [item.message for item in items if isinstance(item, Problem)]
    return [item for item in items if isinstance(item, Record)], problems


def shaped(folder: Path, tree: object) -> tuple[object, list[str]]:
    (folder / "x.json").write_text(json.dumps(tree), encoding="utf-8")
    assert guess(folder) == "document-ai"
    records, problems = read(folder)
    assert [record.id for record in records] == ["x"]
    return records[0].tree, problems


@pytest.mark.parametrize("wrapped", [False, True])
def test_entities_are_fields_and_those_with_properties_rows(tmp_path: Path, wrapped: bool) -> None:
    tree: object = document(*ENTITIES)
    tree = {"document": tree, "humanReviewStatus": {"state": "SKIPPED"}} if wrapped else tree
    assert shaped(tmp_path, tree) == (TREE, [])


def test_a_single_row_is_a_group_too_and_properties_may_have_properties(tmp_path: Path) -> None:
    tax = entity("vat", None, entity("vat/rate", None, entity("vat/rate/percent", "20 %")))
    assert shaped(tmp_path, document(tax)) == ({"vat": [{"rate": [{"percent": "20 %"}]}]}, [])


def test_a_text_that_a_type_states_again_counts_once(tmp_path: Path) -> None:
    names = [
        entity("supplier_name", "Acme", confidence=0.5),
        entity("supplier_name", "Acme Inc.", confidence=0.75),
        entity("supplier_name", "Acme", confidence=0.625),
        entity("supplier_name", "Acme", confidence=0.125),
    ]
    tree, _ = shaped(tmp_path, document(*names))
    assert tree == {
        "supplier_name": [
            {"value": "Acme", "confidence": 0.625},
            {"value": "Acme Inc.", "confidence": 0.75},
        ]
    }


def test_where_nothing_is_printed_the_normalised_value_counts(tmp_path: Path) -> None:
    entities = [
        entity("currency", None, normalizedValue={"text": "EUR"}),
        entity("signed", None, normalizedValue={"booleanValue": True}),
        entity("logo", None),
        {"mentionText": "of no type"},
    ]
    assert shaped(tmp_path, document(*entities)) == (
        {"currency": "EUR", "signed": True},
        [
            "has an entity 'logo' without text; left out",
            "has an entity without type; left out",
        ],
    )


def test_a_row_without_properties_is_left_out(tmp_path: Path) -> None:
    tree, problems = shaped(tmp_path, document(row("Tea", "2.50"), entity("line_item", "Cake 10")))
    assert tree == {"line_item": TREE["line_item"][:1]}  # type: ignore[index]
    assert problems == ["has a row of 'line_item' without properties; left out"]


def test_pixels_become_fractions_of_the_page(tmp_path: Path) -> None:
    place = anchor(None, (0, 20), (50, 40), kind="vertices")
    total = entity("total", "5", pageAnchor=place)
    pages = [{"pageNumber": 1, "dimension": {"width": 100, "height": 200, "unit": "pixels"}}]
    tree, _ = shaped(tmp_path, document(total, pages=pages))
    assert tree == {"total": {"value": "5", "page": 1, "box": [0.0, 0.1, 0.5, 0.2]}}
    for missing in ([], [{"dimension": {"width": 100, "height": 0}}]):
        tree, _ = shaped(tmp_path, document(total, pages=missing))
        assert tree == {"total": {"value": "5", "page": 1}}


def test_a_value_on_several_pages_has_the_box_of_the_first(tmp_path: Path) -> None:
    refs = [
        {"page": "1", "boundingPoly": {"normalizedVertices": [{"x": 0.1, "y": 0.2}]}},
        {"page": "2", "boundingPoly": {"normalizedVertices": [{"x": 0.9, "y": 0.9}]}},
        {"page": "1", "boundingPoly": {"normalizedVertices": [{"x": 0.3, "y": 0.1}]}},
        {"page": "1"},
    ]
    tree, _ = shaped(tmp_path, document(entity("a", "x", pageAnchor={"pageRefs": refs})))
    assert tree == {"a": {"value": "x", "page": 2, "box": [0.1, 0.1, 0.3, 0.2]}}


def test_names_with_underscores_are_read_too(tmp_path: Path) -> None:
    place = {"page": 1, "bounding_poly": {"normalized_vertices": [{"x": 0.1, "y": 0.2}]}}
    found = {"type": "a", "mention_text": "x", "page_anchor": {"page_refs": [place]}}
    ticked = {"type": "b", "normalized_value": {"boolean_value": False}}
    tree, _ = shaped(tmp_path, {"mime_type": "image/png", "text": "x", "entities": [found, ticked]})
    assert tree == {"a": {"value": "x", "page": 2, "box": [0.1, 0.2, 0.1, 0.2]}, "b": False}


def test_a_document_without_entities_is_empty_and_said(tmp_path: Path) -> None:
    tree = {"mimeType": "application/pdf", "text": "words", "pages": []}
    assert shaped(tmp_path, tree) == ({}, ["has no entities"])


def test_a_part_of_a_document_is_said(tmp_path: Path) -> None:
    parts = {"shardIndex": "1", "shardCount": "3", "textOffset": "9"}
    tree, problems = shaped(tmp_path, document(entity("a", "x"), shardInfo=parts))
    assert tree == {"a": "x"}
    assert problems == ["is one of 3 parts of a document; each is read by itself"]
    whole = document(entity("a", "x"), shardInfo={"shardCount": "1"})
    assert shaped(tmp_path, whole) == ({"a": "x"}, [])


def test_a_document_in_which_nothing_was_found_is_guessed(tmp_path: Path) -> None:
    assert shaped(tmp_path, {"uri": "", "mimeType": "image/png", "entities": []}) == ({}, [])


@pytest.mark.parametrize(
    "tree",
    [{"mimeType": "x", "text": "y"}, {"text": "x", "pages": []}, {"entities": [], "total": "5"}],
)
def test_other_json_is_not_taken_for_it(tmp_path: Path, tree: object) -> None:
    (tmp_path / "x.json").write_text(json.dumps(tree))
    assert guess(tmp_path) == "json"


FAILURES = {
    "an error": (
        {"error": {"code": 8, "message": "Quota exceeded", "status": "RESOURCE_EXHAUSTED"}},
        "the service failed with 8: Quota exceeded",
    ),
    "an error in the document": (
        document(error={"code": 3, "message": "Bad PDF"}),
        "the service failed with 3: Bad PDF",
    ),
    "another shape": (
        {"total": "5"},
        "has no entities, and nothing else of a document of Document AI",
    ),
}


@pytest.mark.parametrize(("tree", "message"), FAILURES.values(), ids=FAILURES)
def test_a_result_that_is_none_cannot_be_read(tmp_path: Path, tree: object, message: str) -> None:
    (tmp_path / "a.json").write_text(json.dumps(document(entity("total", "1"))))
    (tmp_path / "b.json").write_text(json.dumps(tree))
    records, problems = read(tmp_path)
    assert [(record.id, record.tree) for record in records] == [("a", {"total": "1"}), ("b", None)]
    assert problems == [message]


def test_endless_properties_are_refused(tmp_path: Path) -> None:
    deep = entity("a", "x")
    for _ in range(30):
        deep = entity("a", "x", deep)
    assert shaped(tmp_path, document(deep)) == (None, ["is nested too deeply"])


def test_a_document_whose_pages_come_first_is_guessed(tmp_path: Path) -> None:
    image = {"content": "iVBORw0KGgo" * 9000, "mimeType": "image/png"}
    words = [{"layout": {"textAnchor": {}, "confidence": 0.9}}] * 3000
    for page in ({"pageNumber": 1, "image": image}, {"pageNumber": 1, "tokens": words}):
        tree = {"uri": "", "mimeType": "application/pdf", "text": "x", "pages": [page]}
        (tmp_path / "x.json").write_text(json.dumps({**tree, "entities": ENTITIES}))
        assert guess(tmp_path) == "document-ai"


def test_gold_is_scored_against_documents_of_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "google"
    folder.mkdir()
    for name in ("d-1", "d-2"):
        (folder / f"{name}.json").write_text(json.dumps(document(*ENTITIES)))
    gold_tree = {
        "invoice_id": "INV-1",
        "invoice_date": "5 May 2024",
        "total_amount": "$12.50",
        "line_item": [
            {"description": "Tea", "amount": "2.50"},
            {"description": "Cake", "amount": "10.00"},
        ],
    }
    gold = {"d-1": gold_tree, "d-2": {**gold_tree, "invoice_id": "INV-2"}}
    report = da.score(gold, folder, metrics=["kieval"])
    assert report["kieval.aligned"].value == pytest.approx(13 / 14)
    assert report["kieval.documents_exact"].value == 1
