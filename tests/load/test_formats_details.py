"""Services without a format: confidences and places that stand beside the record become leaves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from docassay.load.format import Record
from docassay.load.formats import service
from docassay.load.formats.service import with_details
from docassay.load.source import open_records
from docassay.model.problem import Problem

PAGE = {"number": 1, "width": 600, "height": 800}
CORNERS = [{"x": 60, "y": 80}, {"x": 120, "y": 80}, {"x": 120, "y": 160}, {"x": 60, "y": 160}]
BOX = [0.1, 0.1, 0.2, 0.2]
EXTEND = {
    "object": "extract_run",
    "id": "exr_7",
    "file": {"object": "file", "name": "lading.pdf"},
    "output": {
        "value": {
            "load": "A-1",
            "date": None,
            "items": [{"name": "Tea", "count": 2}],
            "tags": ["x"],
        },
        "metadata": {
            "load": {
                "logprobsConfidence": 0.875,
                "ocrConfidence": 0.5,
                "citations": [{"page": PAGE, "polygon": CORNERS}],
            },
            "date": {"logprobsConfidence": 0.25},
            "items[0].name": {"logprobsConfidence": None, "ocrConfidence": 0.75},
            "items[0].count": {"citations": [{"page": 2, "polygon": CORNERS}]},
            "tags[0]": {"ocrConfidence": 0.5, "citations": []},
        },
    },
}
LANDING = {
    "extraction": {"name": "Ann", "pay": {"gross": "12.50", "rows": [{"kind": "base"}]}},
    "extraction_metadata": {
        "name": {"value": "Ann", "references": ["c1"]},
        "pay": {
            "gross": {"chunk_references": ["c2"], "confidence": 0.75},
            "rows": [{"kind": {"references": []}}],
        },
    },
    "metadata": {"filename": "stub.pdf", "duration_ms": 812},
    "chunks": [
        {
            "id": "c1",
            "grounding": {"box": {"left": 0.1, "top": 0.1, "right": 0.2, "bottom": 0.2}, "page": 0},
        },
        {
            "chunk_id": "c2",
            "grounding": [{"box": {"l": 0.1, "t": 0.1, "r": 0.2, "b": 0.2}, "page": 1}],
        },
    ],
}
CITED = {
    "data": {"phone": "555"},
    "extraction_metadata": {
        "field_metadata": {
            "phone": {
                "confidence": 0.5,
                "citation": [
                    {
                        "page": 3,
                        "bounding_boxes": [{"x": 60, "y": 80, "w": 60, "h": 80}],
                        "page_dimensions": {"width": 600, "height": 800},
                    }
                ],
            }
        }
    },
}


def test_values_are_named_by_their_paths_as_extend_does() -> None:
    tree, remarks = with_details(EXTEND)
    assert tree["output"] == {
        "load": {"value": "A-1", "confidence": 0.875, "page": 1, "box": BOX},
        "date": None,
        "items": [{"name": {"value": "Tea", "confidence": 0.75}, "count": {"value": 2, "page": 2}}],
        "tags": [{"value": "x", "confidence": 0.5}],
    }
    assert (tree["id"], tree["file"]) == (EXTEND["id"], EXTEND["file"])
    assert [remark.message for remark in remarks] == [
        "1 box without the size of its page is left out"
    ]


def test_values_are_mirrored_and_chunks_looked_up_as_landing_ai_does() -> None:
    tree, remarks = with_details(LANDING)
    assert tree["extraction"] == {
        "name": {"value": "Ann", "page": 1, "box": BOX},
        "pay": {
            "gross": {"value": "12.50", "confidence": 0.75, "page": 2, "box": BOX},
            "rows": [{"kind": "base"}],
        },
    }
    assert "extraction_metadata" not in tree
    assert tree["metadata"] == LANDING["metadata"]
    assert remarks == []


def test_a_citation_may_hold_its_box_and_the_size_of_its_page() -> None:
    tree, _ = with_details(CITED)
    assert tree == {"data": {"phone": {"value": "555", "confidence": 0.5, "page": 3, "box": BOX}}}


@pytest.mark.parametrize(
    ("tree", "result"),
    [
        (
            {"id": "7", "vendor": "X", "total": "5", "confidences": {"vendor": 0.5}},
            {"id": "7", "vendor": {"value": "X", "confidence": 0.5}, "total": "5"},
        ),
        (
            {"fields": {"vendor": "X"}, "confidence_scores": {"vendor": 0.5}},
            {"fields": {"vendor": {"value": "X", "confidence": 0.5}}},
        ),
        (
            {"value": {"vendor": "X"}, "metadata": {"vendor": {"confidence": 0.5}}},
            {"vendor": {"value": "X", "confidence": 0.5}},
        ),
        (
            {
                "data": {"v": "X"},
                "metadata": {"v": {"box": {"xmin": 0, "ymin": 0, "xmax": 1, "ymax": 1}}},
            },
            {"data": {"v": {"value": "X", "box": [0.0, 0.0, 1.0, 1.0]}}},
        ),
    ],
)
def test_details_stand_beside_the_record_or_its_fields(tree: object, result: object) -> None:
    assert isinstance(tree, dict)
    assert with_details(tree) == (result, [])


@pytest.mark.parametrize(
    "tree",
    [
        {"vendor": "X", "metadata": {"pages": 2}},
        {"vendor": "X", "metadata": {"vendor": 0.5}},
        {"vendor": "X", "confidences": {"vendor": "high"}},
        {"vendor": "X", "confidences": {"vendor": True}},
        {"vendor": "X", "confidences": {"vendor": 0.5, "elsewhere": 0.5}},
        {"vendor": "X", "confidences": 0.5},
        {"data": {"vendor": "X"}, "metadata": {"vendor": {"source": "scan"}}},
        {"data": {"vendor": "X"}, "metadata": {}},
        {"data": {"vendor": "X"}, "metadata": {"vendor": {"citations": ["page 1"]}}},
        {"data": {"vendor": "X"}, "metadata": {"vendor": {"references": [["c1"]]}}},
    ],
)
def test_what_says_nothing_about_values_stays_as_it_is(tree: dict[str, object]) -> None:
    assert with_details(tree) == (tree, [])
    assert with_details(tree)[0] is tree


def test_details_are_read_in_json_and_in_lines(tmp_path: Path) -> None:
    folder = tmp_path / "pred"
    folder.mkdir()
    (folder / "a.json").write_text(json.dumps(LANDING))
    (folder / "b.json").write_text(json.dumps({**EXTEND, "id": None}))
    lines = tmp_path / "pred.jsonl"
    lines.write_text(
        json.dumps({"id": "a", "fields": {"v": "X"}, "confidences": {"v": 0.5}}) + "\n"
    )
    items = [*open_records(folder, format="json").records]
    records = [item for item in items if isinstance(item, Record)]
    assert [record.id for record in records] == ["a", "b"]
    assert [item.message for item in items if isinstance(item, Problem)] == [
        "1 box without the size of its page is left out"
    ]
    (record,) = open_records(lines, format="jsonl").records
    assert isinstance(record, Record)
    assert record.tree == {"v": {"value": "X", "confidence": 0.5}}


def test_details_are_looked_up_for_so_many_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "MOST_ANNOTATED", 2)
    values = {f"f{at}": "x" for at in range(5)}
    tree, remarks = with_details({"data": values, "confidences": dict.fromkeys(values, 0.5)})
    assert sum(isinstance(leaf, dict) for leaf in tree["data"].values()) == 3  # type: ignore[union-attr,attr-defined]
    assert "more than 2 values" in remarks[0].message


def test_envelopes_are_searched_so_deep() -> None:
    tree: dict[str, object] = {"data": {"v": "X"}, "confidences": {"v": 0.5}}
    for _ in range(4):
        tree = {"body": tree}
    assert with_details(tree)[0] is not tree
    assert with_details({"body": tree})[0] == {"body": tree}
