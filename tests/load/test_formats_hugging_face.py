"""Parquet files of the Hugging Face hub: CORD, SROIE, words with tags, and images never scored."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import docassay as da
from docassay.load.format import Record
from docassay.load.source import open_records
from docassay.model.document import Block, Problem, TaggedText

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

PNG = b"\x89PNG\r\n\x1a\n\xff"
RECEIPTS = [
    {
        "menu": [{"nm": "Tea", "price": "2.50", "sub": {"nm": "Milk"}}],
        "total": {"total_price": "9"},
    },
    {"menu": {"nm": "Cake", "price": "3"}},
]


def image(path: str | None) -> dict[str, object]:
    return {"bytes": PNG, "path": path}


def written(folder: Path, columns: dict[str, object], features: object = None) -> Path:
    table = pa.table(columns)
    if features is not None:
        info = json.dumps({"info": {"features": features}})
        table = table.replace_schema_metadata({"huggingface": info})
    path = folder / "test.parquet"
    pq.write_table(table, path)
    return path


def read(path: Path, **options: object) -> tuple[list[Record], list[str]]:
    items = [*open_records(path, options=options).records]
    problems = [item.message for item in items if isinstance(item, Problem)]
    return [item for item in items if isinstance(item, Record)], problems


def truth(receipt: object) -> str:
    return json.dumps({"gt_parse": receipt, "meta": {"image_id": 0}, "valid_line": []})


def test_cord_is_read_from_its_ground_truth(tmp_path: Path) -> None:
    images = [image("r1.png"), image("r2.png")]
    path = written(tmp_path, {"image": images, "ground_truth": [*map(truth, RECEIPTS)]})
    records, problems = read(path)
    assert [(record.id, record.tree) for record in records] == [
        (
            "r1.png",
            {
                "menu": [{"nm": "Tea", "price": "2.50", "sub": {"menu.sub_nm": "Milk"}}],
                "total": {"total_price": "9"},
            },
        ),
        ("r2.png", {"menu": {"nm": "Cake", "price": "3"}}),
    ]
    assert problems == []


def test_cord_without_paths_has_no_ids(tmp_path: Path) -> None:
    images = [image(None), image(None)]
    path = written(tmp_path, {"image": images, "ground_truth": [*map(truth, RECEIPTS)]})
    assert [record.id for record in read(path)[0]] == [None, None]


def test_a_ground_truth_that_is_broken_is_a_document_that_cannot_be_read(tmp_path: Path) -> None:
    path = written(
        tmp_path, {"id": ["a", "b"], "ground_truth": ['{"gt_parse": {', truth({"a": "1"})]}
    )
    records, problems = read(path)
    assert [(record.id, record.tree) for record in records] == [("a", None), ("b", {"a": "1"})]
    assert len(problems) == 1
    assert problems[0].startswith("its ground_truth is not JSON")


def test_a_ground_truth_of_another_kind_is_a_field(tmp_path: Path) -> None:
    path = written(tmp_path, {"id": ["a"], "ground_truth": ["12.50"]})
    assert [record.tree for record in read(path)[0]] == [{"ground_truth": "12.50"}]


def test_entities_beside_words_or_an_image_are_the_tree(tmp_path: Path) -> None:
    keys = {"company": "ACME SDN BHD", "total": "9.00"}
    columns: dict[str, object] = {"key": ["X51"], "entities": [keys], "words": [["ACME", "9.00"]]}
    for extra in ({}, {"image": [image(None)]}):
        assert [
            (record.id, record.tree) for record in read(written(tmp_path, {**columns, **extra}))[0]
        ] == [("X51", keys)]
    alone = written(tmp_path, {"id": ["a"], "entities": [keys]})
    assert [record.tree for record in read(alone)[0]] == [{"entities": keys}]


def test_other_columns_beside_an_image_are_fields(tmp_path: Path) -> None:
    columns = {"image": [image("x.jpg")], "company": ["ACME"], "total": ["9.00"]}
    assert [(record.id, record.tree) for record in read(written(tmp_path, columns))[0]] == [
        ("x.jpg", {"company": "ACME", "total": "9.00"})
    ]
    columns["file"] = ["y"]  # type: ignore[list-item]
    assert [record.id for record in read(written(tmp_path, columns))[0]] == ["y"]
    assert [record.id for record in read(written(tmp_path, columns), id_key="company")[0]] == [
        "ACME"
    ]


def test_json_beside_an_image_is_the_tree(tmp_path: Path) -> None:
    columns = {"image": [image("x.jpg")], "fields": ['{"total": "9"}']}
    assert [(record.id, record.tree) for record in read(written(tmp_path, columns))[0]] == [
        ("x.jpg", {"total": "9"})
    ]


def test_images_in_lists_paths_and_bytes_are_never_scored(tmp_path: Path) -> None:
    columns = {
        "id": ["a"],
        "pages": [[image("1.png"), image("2.png")]],
        "scan": ["scans/a.png"],
        "raw": [PNG],
        "note": [b"text"],
        "total": ["9"],
    }
    features = {"scan": {"_type": "Image"}, "total": {"dtype": "string", "_type": "Value"}}
    records, _ = read(written(tmp_path, columns, features))
    assert [record.tree for record in records] == [{"raw": None, "note": "text", "total": "9"}]


WORDS = ["Acme", "Pty Ltd", "total", "9", ".00", "", "5", "Bonn"]
TAGS = ["B-company", "I-company", "O", "B-total", "I-total", "I-total", "B-total", "I-city"]
BLOCKS = (
    Block("company", "Acme Pty Ltd"),
    Block(None, "total"),
    Block("total", "9 .00"),
    Block("total", "5"),
    Block("city", "Bonn"),
)
NAMES = [*dict.fromkeys(TAGS)]
LABELS = {"names": NAMES, "_type": "ClassLabel"}
FEATURES = {
    "sequence": {"feature": LABELS, "length": -1, "_type": "Sequence"},
    "list": {"feature": LABELS, "_type": "List"},
    "old list": [LABELS],
}


@pytest.mark.parametrize("feature", FEATURES.values(), ids=FEATURES)
@pytest.mark.parametrize("name", ["words", "tokens"])
def test_words_with_numbered_tags_are_tagged_text(
    tmp_path: Path, feature: object, name: str
) -> None:
    numbers = [NAMES.index(tag) for tag in TAGS]
    columns = {"id": ["7"], name: [WORDS], "bboxes": [[[0, 0, 1, 1]]], "ner_tags": [numbers]}
    records, problems = read(written(tmp_path, columns, {"ner_tags": feature}))
    assert [(record.id, record.tree) for record in records] == [("7", TaggedText(BLOCKS))]
    assert problems == []


SCHEMES = {
    "iob2": TAGS,
    "iob1": ["I-company", "I-company", "O", "I-total", "I-total", "O", "B-total", "I-city"],
    "bioes": ["B-company", "E-company", "O", "B-total", "E-total", "O", "S-total", "S-city"],
    "categories": ["company", "company", "O", "total", "total", "O", "total", "city"],
}


@pytest.mark.parametrize("tags", SCHEMES.values(), ids=SCHEMES)
def test_tags_as_texts_may_be_of_several_schemes(tmp_path: Path, tags: list[str]) -> None:
    path = written(tmp_path, {"words": [WORDS], "ner_tags": [tags]})
    assert [(record.id, record.tree) for record in read(path)[0]] == [(None, TaggedText(BLOCKS))]


WRONG = {
    "no names": (
        [0, 1],
        None,
        "its ner_tags are numbers, and the file does not name their classes",
    ),
    "too high": ([0, 2], {"names": ["O", "B-a"]}, "2 is none of the 2 classes of ner_tags"),
    "negative": ([0, -1], {"names": ["O", "B-a"]}, "-1 is none of the 2 classes of ner_tags"),
    "too few": ([0], {"names": ["O", "B-a"]}, "has 2 words and 1 ner_tags"),
}


@pytest.mark.parametrize(("tags", "names", "message"), WRONG.values(), ids=WRONG)
def test_tags_that_fit_no_class_are_a_document_that_cannot_be_read(
    tmp_path: Path, tags: list[int], names: dict[str, object] | None, message: str
) -> None:
    features = None if names is None else {"ner_tags": [{**names, "_type": "ClassLabel"}]}
    path = written(tmp_path, {"id": ["a"], "words": [["x", "y"]], "ner_tags": [tags]}, features)
    records, problems = read(path)
    assert [(record.id, record.tree) for record in records] == [("a", None)]
    assert problems == [message]


@pytest.mark.parametrize("metadata", [b"{", b"[]", b'{"info": {"features": 5}}'])
def test_metadata_of_another_shape_is_passed_over(tmp_path: Path, metadata: bytes) -> None:
    table = pa.table({"id": ["a"], "total": ["9"]}).replace_schema_metadata(
        {"huggingface": metadata}
    )
    pq.write_table(table, tmp_path / "x.parquet")
    assert [record.tree for record in read(tmp_path)[0]] == [{"total": "9"}]


def test_gold_of_the_hub_is_scored(tmp_path: Path) -> None:
    images = [image("r1.png"), image("r2.png")]
    gold = written(tmp_path, {"image": images, "ground_truth": [*map(truth, RECEIPTS)]})
    pred = {
        "r2": {"menu": [{"nm": "Cake", "price": "3"}]},
        "r1": {
            "menu": [{"nm": "Tea", "price": "2.80", "sub": {"menu.sub_nm": "Milk"}}],
            "total": {"total_price": "9"},
        },
    }
    report = da.score(gold, pred, metrics=["kieval"])
    assert report["kieval.aligned"].value == pytest.approx(5 / 6)


def test_tagged_gold_of_the_hub_is_scored_by_entities(tmp_path: Path) -> None:
    gold = written(tmp_path, {"id": ["7"], "words": [WORDS], "ner_tags": [TAGS]})
    report = da.score(
        gold, {"7": {"company": ["Acme Pty Ltd"], "total": ["5"]}}, metrics=["entity"]
    )
    assert report["entity.recall"].value == 0.5
    assert report["entity.precision"].value == 1.0
