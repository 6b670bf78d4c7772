"""The formats of tools and datasets: kieval-csv, cord, sroie, funsd, docile and label-studio."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from docassay.errors import ConfigurationError
from docassay.load.format import Record
from docassay.load.formats.kieval_csv import parse
from docassay.load.source import open_records
from docassay.model.problem import Problem, ProblemCode, Remark

SHARED = Path(__file__).resolve().parents[3] / "shared"


def load(path: Path, name: str, **options: object) -> tuple[list[Record], list[Problem]]:
    found = [*open_records(path, format=name, options=options).records]
    records = [item for item in found if isinstance(item, Record)]
    return records, [item for item in found if isinstance(item, Problem)]


def load_one(tmp_path: Path, name: str, tree: object, **options: object) -> object:
    (tmp_path / "x.json").write_text(json.dumps(tree))
    records, problems = load(tmp_path, name, **options)
    assert problems == []
    assert len(records) == 1
    return records[0].tree


KIEVAL = [
    pytest.param(
        "0\nmenu.nm\tmenu.cnt\nA\t1\nB\t<empty>\n\n",
        {"menu": [{"menu.nm": "A", "menu.cnt": "1"}, {"menu.nm": "B", "menu.cnt": None}]},
        id="an empty cell is no value",
    ),
    pytest.param(
        "0\nmenu.nm\tmenu.cnt\n<empty>\t<empty>\n",
        {"menu": [{"menu.nm": None, "menu.cnt": None}]},
        id="an all-empty row is kept",
    ),
    pytest.param("0\nmenu.nm\nA||B\n", {"menu": [{"menu.nm": ["A", "B"]}]}, id="several values"),
    pytest.param("0\nnm\tcnt\nA\t1\n", {"0": [{"nm": "A", "cnt": "1"}]}, id="type is the id"),
    pytest.param("0\na.x\tb.y\n1\t2\n", {"0": [{"a.x": "1", "b.y": "2"}]}, id="no shared segment"),
    pytest.param("10\na\n1\n\n1\na\n2\n", {"10": [{"a": "1"}], "1": [{"a": "2"}]}, id="long ids"),
    pytest.param(
        "0\na.x\n1\n2\n\n1\na.x\n3\n",
        {"0": [{"a.x": "1"}, {"a.x": "2"}], "1": [{"a.x": "3"}]},
        id="two blocks of one type keep their ids",
    ),
    pytest.param("non_group\nstore\tX\n", {"store": "X"}, id="entities outside groups"),
    pytest.param("store\tX\ndate\t1\n", {"store": "X", "date": "1"}, id="no header"),
    pytest.param("non_group\na\t1\na\t2||3\n", {"a": ["1", "2", "3"]}, id="a repeated key"),
    pytest.param("non_group\na\t<empty>\n", {"a": None}, id="an empty entity"),
    pytest.param("0\na.x\r\n1\r\n\r\n", {"a": [{"a.x": "1"}]}, id="windows line ends"),
    pytest.param('0\na.x\n"5"" pipe"\n', {"a": [{"a.x": '5" pipe'}]}, id="a quoted cell"),
    pytest.param("0\na.x\n\x85y\u2028z\n", {"a": [{"a.x": "\x85y\u2028z"}]}, id="odd spaces stay"),
    pytest.param("0\na.x\ta.x\n1\t2\n", {"a": [{"a.x": ["1", "2"]}]}, id="a repeated column"),
    pytest.param("", {}, id="an empty document"),
]


@pytest.mark.parametrize(("text", "tree"), KIEVAL)
def test_kieval_blocks_are_read(text: str, tree: object) -> None:
    problems: list[str] = []
    assert parse(text, problems) == tree
    assert problems == []


KIEVAL_FLAWS = [
    pytest.param("0\na.x\ta.y\n1\n", "line 3: 1 cells for 2 keys", id="a short row"),
    pytest.param("\n0\na.x\n1\t2\n", "line 4: 2 cells for 1 keys; ['2'] left out", id="a long row"),
    pytest.param("7\n", "line 1: group '7' has no keys", id="no keys"),
    pytest.param("non_group\na\n", "line 2: 1 cells where a key and a value", id="no value"),
    pytest.param("a\t1\n\n0\na.x\n1\n", "'a' is both a field and a group", id="field and group"),
]


@pytest.mark.parametrize(("text", "message"), KIEVAL_FLAWS)
def test_kieval_flaws_are_said(text: str, message: str) -> None:
    problems: list[Remark] = []
    parse(text, problems)
    assert [problem.message[: len(message)] for problem in problems] == [message]
    both = message.startswith("'a' is both")
    code = ProblemCode.BROKEN_ENTRY if both else ProblemCode.BROKEN_LINE
    assert [problem.code for problem in problems] == [code]


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared data are not beside the project")
def test_the_released_csv_and_json_predictions_hold_the_same_menu_names() -> None:
    folder = SHARED / "data" / "cord-qwen2vl"
    from_csv, problems = load(folder / "pred_csv", "kieval-csv")
    from_json, more = load(folder / "pred_json", "json")
    assert (problems, more, len(from_csv)) == ([], [], 100)

    def names(tree: object) -> list[str]:
        assert isinstance(tree, dict)
        return sorted(str(row["menu.nm"]) for row in tree.get("menu", []) if "menu.nm" in row)

    assert [(r.id, names(r.tree)) for r in from_csv] == [(r.id, names(r.tree)) for r in from_json]


RECEIPT = {
    "menu": [
        {"nm": "tea", "sub": [{"nm": "milk", "cnt": "2"}]},
        {"nm": "pie", "sub": {"nm": "ice"}},
    ],
    "total": {"total_price": "5"},
}
SHAPED = {
    "menu": [
        {"nm": "tea", "sub": [{"menu.sub_nm": "milk", "menu.sub_cnt": "2"}]},
        {"nm": "pie", "sub": {"menu.sub_nm": "ice"}},
    ],
    "total": {"total_price": "5"},
}


@pytest.mark.parametrize(
    "tree",
    [
        pytest.param({"gt_parse": RECEIPT, "meta": {"image_id": 3}}, id="gt_parse"),
        pytest.param({"ground_truth": json.dumps({"gt_parse": RECEIPT})}, id="as text"),
        pytest.param({"ground_truth": {"gt_parse": RECEIPT}}, id="as object"),
        pytest.param(RECEIPT, id="the receipt alone"),
        pytest.param(SHAPED, id="keys in full"),
    ],
)
def test_cord_receipts_name_the_keys_of_sub_in_full(tmp_path: Path, tree: object) -> None:
    assert load_one(tmp_path, "cord", tree) == SHAPED


def test_cord_lines_have_their_id_in_file_name(tmp_path: Path) -> None:
    path = tmp_path / "metadata.jsonl"
    path.write_text(json.dumps({"file_name": "r.png", "ground_truth": '{"gt_parse":{"menu":[]}}'}))
    assert [(r.id, r.tree) for r in load(path, "cord")[0]] == [("r.png", {"menu": []})]


def test_sroie_key_files_may_end_in_txt(tmp_path: Path) -> None:
    (tmp_path / "X1.txt").write_text('{"company": "A", "total": "9.00"}')
    records, _ = load(tmp_path, "sroie")
    assert [(r.id, r.tree) for r in records] == [("X1", {"company": "A", "total": "9.00"})]


FORM = {
    "form": [
        {"id": 0, "text": "Date:", "label": "question", "box": [1, 2, 3, 4], "words": []},
        {"id": 1, "text": "May", "label": "answer", "box": [5, 2, 9, 4], "words": []},
        {"id": 2, "text": " ", "label": "answer", "box": [0, 0, 0, 0], "words": []},
        {"id": 3, "text": "p. 1", "label": "other", "box": [0, 0, 1, 1], "words": []},
    ]
}


def test_funsd_entities_are_values_of_their_label(tmp_path: Path) -> None:
    assert load_one(tmp_path, "funsd", FORM) == {
        "question": [{"value": "Date:", "box": [1, 2, 3, 4]}],
        "answer": [{"value": "May", "box": [5, 2, 9, 4]}],
    }


def test_funsd_labels_can_be_chosen(tmp_path: Path) -> None:
    assert load_one(tmp_path, "funsd", FORM, labels="other") == {
        "other": [{"value": "p. 1", "box": [0, 0, 1, 1]}]
    }


def extraction(fieldtype: str, text: str, **more: object) -> dict[str, object]:
    return {"fieldtype": fieldtype, "text": text, "page": 0, "bbox": [0, 0, 1, 1], **more}


def leaf(text: str, **more: object) -> dict[str, object]:
    return {"value": text, **more, "page": 1, "box": [0, 0, 1, 1]}


def test_docile_extractions_are_fields_and_rows(tmp_path: Path) -> None:
    annotation = {
        "field_extractions": [extraction("date_issue", "1 May"), extraction("date_issue", "5/1")],
        "line_item_extractions": [
            extraction("line_item_code", "A", line_item_id=1),
            extraction("line_item_code", "B", line_item_id=2),
            extraction("line_item_quantity", "3", line_item_id=1),
        ],
        "metadata": {"page_count": 1},
    }
    assert load_one(tmp_path, "docile", annotation) == {
        "date_issue": [leaf("1 May"), leaf("5/1")],
        "line_items": [
            {"line_item_code": leaf("A"), "line_item_quantity": leaf("3")},
            {"line_item_code": leaf("B")},
        ],
    }


def test_docile_predictions_are_lists_by_document(tmp_path: Path) -> None:
    path = tmp_path / "predictions.json"
    listed = [
        extraction("vendor_name", "A", score=1),
        extraction("vendor_name", "B", use_only_for_ap=True),
        extraction("line_item_code", "C", line_item_id=4),
    ]
    path.write_text(json.dumps({"d1": listed, "d2": []}))
    records, problems = load(path, "docile")
    tree = {
        "vendor_name": leaf("A", confidence=1),
        "line_items": [{"line_item_code": leaf("C")}],
    }
    assert {record.id: record.tree for record in records} == {"d1": tree, "d2": {}}
    assert problems == []


def task(results: Sequence[object], **more: object) -> dict[str, object]:
    image = "/data/upload/3/0a1b2c3d-invoice.png"
    return {"id": 7, "data": {"ocr": image}, "annotations": [{"result": results}], **more}


BOX = {"x": 10, "y": 20.5, "width": 30, "height": 5, "rotation": 0}
REGION = [
    {"id": "r", "from_name": "bbox", "type": "rectangle", "value": BOX},
    {"id": "r", "from_name": "label", "type": "labels", "value": {**BOX, "labels": ["total"]}},
    {"id": "r", "from_name": "text", "type": "textarea", "value": {"text": ["5"]}, "score": 0.9},
]
STUDIO = [
    pytest.param(
        REGION,
        {"total": {"value": "5", "confidence": "0.9", "box": [10.0, 20.5, 40.0, 25.5]}},
        id="label, box and text of one region",
    ),
    pytest.param(
        [{"id": "a", "from_name": "vendor", "type": "textarea", "value": {"text": ["A"]}}],
        {"vendor": "A"},
        id="a text area on its own",
    ),
    pytest.param(
        [{"from_name": "kind", "type": "choices", "value": {"choices": ["invoice", "paid"]}}],
        {"kind": ["invoice", "paid"]},
        id="choices",
    ),
    pytest.param(
        [{"from_name": "pages", "type": "number", "value": {"number": 3}}],
        {"pages": "3"},
        id="number",
    ),
    pytest.param(
        [
            {"id": "1", "type": "labels", "value": {"text": "Bob", "labels": ["name"]}},
            {"id": "2", "type": "labels", "value": {"text": "Eve", "labels": ["name"]}},
            {"type": "relation", "from_id": "1", "to_id": "2"},
        ],
        {"name": ["Bob", "Eve"]},
        id="labelled text",
    ),
]


@pytest.mark.parametrize(("results", "tree"), STUDIO)
def test_label_studio_results_become_fields(
    tmp_path: Path, results: list[object], tree: object
) -> None:
    path = tmp_path / "export.json"
    path.write_text(json.dumps([task(results)]))
    records, problems = load(path, "label-studio")
    assert [(record.id, record.tree) for record in records] == [("invoice.png", tree)]
    assert problems == []


def test_label_studio_predictions_are_read_on_request(tmp_path: Path) -> None:
    path = tmp_path / "export.json"
    guess: list[object] = [{"from_name": "a", "type": "textarea", "value": {"text": "pred"}}]
    path.write_text(json.dumps([task([], predictions=[{"result": guess, "score": 0.5}])]))
    assert [record.tree for record in load(path, "label-studio")[0]] == [{}]
    records, _ = load(path, "label-studio", source="predictions")
    assert [record.tree for record in records] == [{"a": "pred"}]


def test_label_studio_says_what_it_leaves_out(tmp_path: Path) -> None:
    path = tmp_path / "export.json"
    results = [
        {"id": "r", "type": "rectanglelabels", "value": {**BOX, "rectanglelabels": ["logo"]}},
        {"id": "v", "type": "videorectangle", "value": {}},
    ]
    path.write_text(json.dumps([task(results), {"data": {}}]))
    messages = [problem.message for problem in load(path, "label-studio")[1]]
    assert messages == [
        "result 1 is of type 'videorectangle', which is not read; left out",
        "a region of 'logo' has no text; left out",
        "the task has no id; left out",
    ]


def test_label_studio_knows_where_a_served_file_came_from(tmp_path: Path) -> None:
    path = tmp_path / "export.json"
    served = {"image": "/data/local-files/?d=scans/x.png"}
    path.write_text(json.dumps([{"id": 1, "data": served, "annotations": [{"result": []}]}]))
    assert [record.id for record in load(path, "label-studio")[0]] == ["x.png"]


def test_an_unknown_label_studio_source_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "export.json"
    path.write_text("[]")
    with pytest.raises(ConfigurationError, match="there is: auto, annotations"):
        load(path, "label-studio", source="gold")
