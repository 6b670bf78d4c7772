"""Public data sets in the layouts they are published in become gold, lists and schemas."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

import docassay as da
from docassay.cli import run
from docassay.errors import ConfigurationError, DataError, UnknownName
from docassay.extract.documents import list_documents, page_images


def image(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (30, 40), "white").save(path)


def pdf(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (30, 40), "white").save(path, "PDF")


def text(path: Path, content: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")


RECEIPT = {
    "menu": [{"nm": "Set lunch", "price": "60.000", "sub": {"nm": "Rice"}}, {"nm": "Tea"}],
    "total": {"total_price": "69.000"},
}
SHAPED = {
    "menu": [
        {"nm": "Set lunch", "price": "60.000", "sub": {"menu.sub_nm": "Rice"}},
        {"nm": "Tea"},
    ],
    "total": {"total_price": "69.000"},
}


def line(category: str, group: int, *words: str, key: str = "") -> dict[str, object]:
    quad = {f"{axis}{corner}": 0 for axis in "xy" for corner in range(1, 5)}
    listed = [{"quad": quad, "is_key": 0, "row_id": 1, "text": word} for word in words]
    if key:
        listed.insert(0, {"quad": quad, "is_key": 1, "row_id": 1, "text": key})
    return {"words": listed, "category": category, "group_id": group}


def cord_released(root: Path) -> None:
    lines = [
        line("menu.nm", 3, "Set", "lunch"),
        line("menu.price", 3, "60.000"),
        line("menu.sub_nm", 3, "Rice"),
        line("menu.nm", 4, "Tea"),
        line("total.total_price", 5, "69.000", key="TOTAL"),
    ]
    tree = {"valid_line": lines, "meta": {"split": "test", "image_id": 7}, "roi": {}}
    text(root / "CORD" / "test" / "json" / "receipt_00000.json", tree)
    image(root / "CORD" / "test" / "image" / "receipt_00000.png")


def cord_of_donut(root: Path) -> None:
    truth = json.dumps({"gt_parse": RECEIPT})
    text(root / "test" / "metadata.jsonl", {"file_name": "r1.png", "ground_truth": truth})
    image(root / "test" / "r1.png")


def cord_of_hugging_face(root: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    picture = io.BytesIO()
    Image.new("RGB", (30, 40), "white").save(picture, "PNG")
    kind = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
    truth = json.dumps({"gt_parse": RECEIPT, "meta": {"image_id": 0}, "valid_line": []})
    images = pa.array([{"bytes": picture.getvalue(), "path": None}], kind)
    table = pa.table({"image": images, "ground_truth": pa.array([truth])})
    (root / "data").mkdir(parents=True)
    parquet.write_table(table, root / "data" / "test-00000-of-00001-9c204eb3f4e11791.parquet")


KEYS = {"company": "ACME", "date": "01/02/2018", "address": "1 High Street", "total": "9.00"}


def sroie_by_split(root: Path) -> None:
    for split in ("train", "test"):
        text(root / split / "entities" / "X1.txt", KEYS | {"company": f"ACME {split}"})
        text(root / split / "box" / "X1.txt", "1,2,3,4,5,6,7,8,ACME")
        image(root / split / "img" / "X1.jpg")


def sroie_of_one_folder(root: Path) -> None:
    text(root / "data" / "key" / "000.json", KEYS)
    image(root / "data" / "img" / "000.jpg")


def funsd(root: Path) -> None:
    form = [
        {"id": 0, "label": "question", "text": "Name:", "box": [1, 2, 30, 40], "linking": [[0, 1]]},
        {"id": 1, "label": "answer", "text": "Ann", "box": [1, 2, 30, 40], "linking": [[0, 1]]},
        {"id": 2, "label": "other", "text": "x", "box": [1, 2, 30, 40], "linking": []},
    ]
    text(root / "dataset" / "testing_data" / "annotations" / "82092117.json", {"form": form})
    image(root / "dataset" / "testing_data" / "images" / "82092117.png")


def wildreceipt(root: Path) -> None:
    box = [550.0, 190.0, 937.0, 190.0, 937.0, 104.0, 550.0, 104.0]
    labels = [(1, "SAFE"), (1, "WAY"), (23, "9.00"), (24, "Total"), (11, "Tea"), (11, "Cake")]
    boxes = [{"box": box, "text": word, "label": label} for label, word in labels]
    name = "image_files/Image_16/11/d5de.jpeg"
    receipt = {"file_name": name, "height": 1200, "width": 1600, "annotations": boxes}
    text(root / "wildreceipt" / "test.txt", receipt)
    classes = {0: "Ignore", 1: "Store_name_value", 11: "Prod_item_value", 23: "Total_value"}
    text(
        root / "wildreceipt" / "class_list.txt",
        "\n".join(f"{number} {name}" for number, name in (classes | {24: "Total_key"}).items()),
    )
    image(root / "wildreceipt" / name)


def vrdu(root: Path) -> None:
    corpus = root / "registration-form"
    lines = [
        {"filename": f"{name}.pdf", "ocr": {}, "annotations": [
            ["file_date", [["1976-12-28\n", [0, 0.1, 0.1, 0.2, 0.2], [[0, 10]]]]]]}
        for name in ("a", "b")
    ]  # fmt: skip
    content = "".join(json.dumps(line) + "\n" for line in lines).encode()
    (corpus / "main").mkdir(parents=True)
    (corpus / "main" / "dataset.jsonl.gz").write_bytes(gzip.compress(content))
    text(
        corpus / "main" / "meta.json",
        {"entity_name_to_match_func": {"file_date": "DateMatch"}},
    )
    split = {"train": ["a.pdf"], "valid": [], "test": ["b.pdf"]}
    text(corpus / "few_shot-splits" / "FARA-lv1-split_0.json", split)
    for name in ("a", "b"):
        pdf(corpus / "main" / "pdfs" / f"{name}.pdf")


def docile(root: Path) -> None:
    field = {"fieldtype": "amount_due", "text": "9.00", "page": 0, "bbox": [0.1, 0.1, 0.2, 0.2]}
    row = {**field, "fieldtype": "line_item_description", "text": "Tea", "line_item_id": 1}
    for name in ("aa", "bb"):
        text(
            root / "annotations" / f"{name}.json",
            {"field_extractions": [field], "line_item_extractions": [row], "metadata": {}},
        )
        pdf(root / "pdfs" / f"{name}.pdf")
    text(root / "val.json", ["bb"])
    text(root / "train.json", ["aa"])


LEAF = {"page": 1, "box": [0.1, 0.1, 0.2, 0.2]}
WORDS = {"Store_name_value": "SAFE WAY", "Total_value": "9.00", "Prod_item_value": ["Tea", "Cake"]}
LAYOUTS: dict[str, tuple[str, Callable[[Path], None], str, object]] = {
    "CORD as released": ("cord", cord_released, "receipt_00000", SHAPED),
    "CORD as Donut keeps it": ("cord", cord_of_donut, "r1", SHAPED),
    "CORD of Hugging Face": ("cord", cord_of_hugging_face, "0", SHAPED),
    "SROIE by split": ("sroie", sroie_by_split, "X1", KEYS | {"company": "ACME test"}),
    "SROIE in one folder": ("sroie", sroie_of_one_folder, "000", KEYS),
    "FUNSD": ("funsd", funsd, "82092117", {"question": ["Name:"], "answer": ["Ann"]}),
    "WildReceipt": ("wildreceipt", wildreceipt, "Image_16/11/d5de", WORDS),
    "DocILE": (
        "docile",
        docile,
        "bb",
        {
            "amount_due": {"value": "9.00", **LEAF},
            "line_items": [{"line_item_description": {"value": "Tea", **LEAF}}],
        },
    ),
}


@pytest.mark.parametrize(("name", "lay_out", "id", "tree"), LAYOUTS.values(), ids=LAYOUTS)
def test_a_copy_becomes_gold_a_list_and_a_schema(
    tmp_path: Path, name: str, lay_out: Callable[[Path], None], id: str, tree: object
) -> None:
    lay_out(tmp_path / "copy")
    ready = da.prepare_benchmark(name, tmp_path / "copy", out=tmp_path / "out")
    assert json.loads(ready.gold.read_text()) == {"id": id, "fields": tree}
    (document,) = list_documents(ready.documents)
    assert document.id == id
    assert [page.number for page in page_images(document)] == [1]
    report = da.score(ready.gold, ready.gold, schema=ready.schema)
    assert report["kieval.aligned"].value == 1
    assert ready.size == 1


def test_texts_are_compared_as_they_are_unless_types_are_asked_for(tmp_path: Path) -> None:
    sroie_of_one_folder(tmp_path / "copy")
    plain = da.prepare_benchmark("sroie", tmp_path / "copy", out=tmp_path / "a")
    typed = da.prepare_benchmark("sroie", tmp_path / "copy", out=tmp_path / "b", typed=True)
    pred = {"000": KEYS | {"date": "1 Feb 2018"}}
    assert da.score(plain.gold, pred, schema=plain.schema)["kieval.corrections"].value == 1
    assert da.score(typed.gold, pred, schema=typed.schema)["kieval.corrections"].value == 0


def test_what_a_model_invents_counts_against_it(tmp_path: Path) -> None:
    sroie_of_one_folder(tmp_path / "copy")
    ready = da.prepare_benchmark("sroie", tmp_path / "copy", out=tmp_path / "out")
    report = da.score(ready.gold, {"000": KEYS | {"cashier": "Bob"}}, schema=ready.schema)
    assert report["kieval.deletions"].value == 1


def test_fields_of_cord_are_described_for_prompts(tmp_path: Path) -> None:
    cord_of_donut(tmp_path / "copy")
    ready = da.prepare_benchmark("cord", tmp_path / "copy", out=tmp_path / "out")
    assert "name of the item" in da.build_prompt(str(ready.schema)).instruction


@pytest.mark.parametrize("name", ["nm", "sub_nm", "menu.sub_nm"])
def test_a_sub_item_of_cord_goes_by_any_of_its_names(tmp_path: Path, name: str) -> None:
    cord_of_donut(tmp_path / "copy")
    ready = da.prepare_benchmark("cord", tmp_path / "copy", out=tmp_path / "out")
    pred = {
        "menu": [{"nm": "Set lunch", "price": "60.000", "sub": [{name: "Rice"}]}, {"nm": "Tea"}],
        "total": {"total_price": "69.000"},
    }
    given = {"kieval.flatten": True}
    report = da.score(ready.gold, {"r1": pred}, schema=ready.schema, settings=given)
    assert report["kieval.aligned"].value == 1


def test_vrdu_brings_its_match_functions_and_its_splits(tmp_path: Path) -> None:
    vrdu(tmp_path / "copy")
    ready = da.prepare_benchmark("vrdu", tmp_path / "copy", out=tmp_path / "out")
    assert ready.size == 2
    assert da.load_schema(ready.schema).fields[0].type == "date"
    split = da.prepare_benchmark(
        "vrdu", tmp_path / "copy", out=tmp_path / "one", split="FARA-lv1-split_0"
    )
    assert [document.id for document in list_documents(split.documents)] == ["b.pdf"]


@pytest.mark.parametrize(
    ("name", "lay_out", "splits"),
    [
        ("cord", cord_of_donut, "dev, test, train"),
        ("sroie", sroie_by_split, "test, train"),
        ("funsd", funsd, "test, train"),
        ("wildreceipt", wildreceipt, "test, train"),
        ("docile", docile, "train, val"),
        ("vrdu", vrdu, "FARA-lv1-split_0"),
    ],
)
def test_an_unknown_split_lists_those_there_are(
    tmp_path: Path, name: str, lay_out: Callable[[Path], None], splits: str
) -> None:
    lay_out(tmp_path / "copy")
    with pytest.raises(UnknownName, match=f"there is: {splits}"):
        da.prepare_benchmark(name, tmp_path / "copy", out=tmp_path / "out", split="all")


@pytest.mark.parametrize("name", ["cord", "sroie", "funsd", "wildreceipt", "vrdu", "docile"])
def test_a_folder_without_the_data_set_says_what_was_expected(tmp_path: Path, name: str) -> None:
    (tmp_path / "copy").mkdir()
    with pytest.raises(DataError, match=rf"holds no documents of {name} \(expected "):
        da.prepare_benchmark(name, tmp_path / "copy", out=tmp_path / "out")


def test_mistakes_in_the_call_are_named(tmp_path: Path) -> None:
    sroie_of_one_folder(tmp_path)
    with pytest.raises(UnknownName, match="did you mean 'cord'"):
        da.prepare_benchmark("kord", tmp_path, out=tmp_path / "out")
    with pytest.raises(ConfigurationError, match="is the data set itself"):
        da.prepare_benchmark("sroie", tmp_path, out=tmp_path)
    with pytest.raises(ConfigurationError, match="leaves no document"):
        da.prepare_benchmark("sroie", tmp_path, out=tmp_path / "out", limit=0)
    with pytest.raises(DataError, match="is a file"):
        da.prepare_benchmark("sroie", tmp_path / "data/key/000.json", out=tmp_path / "out")


def test_a_document_without_an_image_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sroie_of_one_folder(tmp_path / "copy")
    (tmp_path / "copy" / "data" / "img" / "000.jpg").unlink()
    code = run(["bench", "sroie", str(tmp_path / "copy"), "--out", str(tmp_path / "out")])
    printed = capsys.readouterr()
    assert code == 0
    assert "1 documents have no image: 000" in printed.err
    assert printed.out.split() == [
        str(tmp_path / "out" / name) for name in ("gold.jsonl", "documents.jsonl", "schema.yaml")
    ]
