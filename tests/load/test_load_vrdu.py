"""The format vrdu: data sets, splits, prediction files, and what is wrong in them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from docassay.api.score import score_run
from docassay.errors import ConfigurationError, DataError, FileError
from docassay.load.format import Record
from docassay.load.formats.vrdu import VrduDocument, dataset_file, meta_file
from docassay.load.source import open_records
from docassay.model.problem import Problem

META = {
    "dataset_name": "ads",
    "entity_name_to_match_func": {
        "advertiser": "GeneralStringMatch",
        "program": "GeneralStringMatch",
        "amount": "PriceMatch",
    },
    "entity_appearance_pattern": {
        "advertiser": "unrepeated",
        "program": "line_item",
        "amount": "line_item",
    },
}
BOX = [0, 0.1, 0.2, 0.3, 0.4]
LEAF = {"value": "Acme", "page": 1, "box": [0.1, 0.2, 0.3, 0.4]}
SPLIT = "Ads-mixed-train_1-test_1-valid_1-SD_0"


def annotations(name: str) -> list:
    return [
        ["advertiser", [[name, BOX, [[0, 4]]], [f"{name} Inc", BOX, [[9, 12]]]]],
        [["program", "amount"], [[["News", None, []], ["$10", None, []]]]],
    ]


def write_dataset(folder: Path, *, packed: bool = False, meta: object = META) -> Path:
    main = folder / "main"
    main.mkdir(parents=True)
    lines = "".join(
        json.dumps({"filename": f"{n}.pdf", "ocr": {"pages": [1]}, "annotations": annotations(n)})
        + "\n"
        for n in ("Acme", "Bolt")
    ).encode()
    if packed:
        (main / "dataset.jsonl.gz").write_bytes(gzip.compress(lines))
    else:
        (main / "dataset.jsonl").write_bytes(lines)
    if meta is not None:
        (main / "meta.json").write_text(json.dumps(meta))
    splits = folder / "few_shot-splits"
    splits.mkdir()
    (splits / f"{SPLIT}.json").write_text(json.dumps({"train": [], "test": ["Bolt.pdf"]}))
    return folder


def write_predictions(path: Path, results: object, **more: object) -> Path:
    path.write_text(json.dumps({"meta": {}, "results": results, **more}))
    return path


def read(path: Path, **options: object) -> tuple[list[Record], list[str]]:
    found = [*open_records(path, format="vrdu", options=options).records]
    records = [one for one in found if isinstance(one, Record)]
    return records, [one.message for one in found if isinstance(one, Problem)]


@pytest.mark.parametrize("packed", [False, True], ids=["lines", "packed lines"])
@pytest.mark.parametrize("where", ["", "main", "main/lines"])
def test_a_data_set_is_read_from_its_folder_its_main_or_its_lines(
    tmp_path: Path, packed: bool, where: str
) -> None:
    folder = write_dataset(tmp_path / "ads", packed=packed)
    name = "dataset.jsonl.gz" if packed else "dataset.jsonl"
    records, problems = read(folder / where.replace("lines", name))
    assert [one.id for one in records] == ["Acme.pdf", "Bolt.pdf"]
    assert problems == []
    tree = records[0].tree
    assert isinstance(tree, VrduDocument)
    assert tree.meta == META
    assert json.loads(json.dumps(tree.items_as_found)) == json.loads(
        json.dumps(annotations("Acme")), parse_float=str
    )


def test_a_data_set_is_guessed(tmp_path: Path) -> None:
    folder = write_dataset(tmp_path / "ads", packed=True)
    assert open_records(folder).format == "vrdu"
    assert open_records(folder / "main").format == "vrdu"
    pred = write_predictions(tmp_path / "p.json", {"a": []})
    assert open_records(pred).format == "vrdu"


def test_candidates_are_alternatives_and_rows_have_the_name_of_their_pattern(
    tmp_path: Path,
) -> None:
    records, _ = read(write_dataset(tmp_path / "ads"))
    advertiser = {"any_of": ["Acme", "Acme Inc"], "page": 1, "box": [0.1, 0.2, 0.3, 0.4]}
    rows = [{"program": "News", "amount": "$10"}]
    assert records[0].tree == {"advertiser": advertiser, "line_item": rows}


@pytest.mark.parametrize("way", ["name", "file"])
def test_a_split_keeps_its_test_documents(tmp_path: Path, way: str) -> None:
    folder = write_dataset(tmp_path / "ads")
    file = folder / "few_shot-splits" / f"{SPLIT}.json"
    records, problems = read(folder, split=SPLIT if way == "name" else str(file))
    assert [one.id for one in records] == ["Bolt.pdf"]
    assert problems == []


def test_test_documents_that_are_not_there_are_counted(tmp_path: Path) -> None:
    folder = write_dataset(tmp_path / "ads")
    file = tmp_path / "s.json"
    file.write_text(json.dumps({"test": ["Bolt.pdf", "x", "y"]}))
    _, problems = read(folder, split=str(file))
    assert problems == ["2 test documents of the split are not in the data set: x, y"]


@pytest.mark.parametrize(
    ("content", "error"),
    [(None, "unknown split"), ({"train": []}, "no list `test`")],
    ids=["no such split", "no test list"],
)
def test_a_split_that_cannot_work_is_an_error(tmp_path: Path, content: object, error: str) -> None:
    folder = write_dataset(tmp_path / "ads")
    if content is not None:
        (tmp_path / "s.json").write_text(json.dumps(content))
    name = "nothing" if content is None else str(tmp_path / "s.json")
    with pytest.raises(ConfigurationError, match=error):
        read(folder, split=name)


ITEMS = [
    ["advertiser", ["Acme", BOX, [[0, 4]]]],
    ["program", ["News", None, [[5, 9]]]],
    ["amount", ["$10", None, [[10, 13]]]],
    ["program", ["Golf", None, [[14, 18]]]],
]


def test_predicted_components_are_put_into_rows(tmp_path: Path) -> None:
    folder = write_dataset(tmp_path / "ads")
    pred = write_predictions(tmp_path / "p.json", {"Acme.pdf": ITEMS})
    records, problems = read(pred, meta=str(folder / "main" / "meta.json"))
    rows = [{"program": "News", "amount": "$10"}, {"program": "Golf"}]
    assert records[0].tree == {"advertiser": LEAF, "line_item": rows}
    assert problems == []


def test_components_without_a_place_stay_alone_when_grouped_by_position(tmp_path: Path) -> None:
    pred = write_predictions(tmp_path / "p.json", {"x": ITEMS})
    groups = {"program": "line_item", "amount": "line_item"}
    records, problems = read(pred, groups=groups, grouping="position")
    assert records[0].tree == {
        "advertiser": LEAF,
        "line_item.program": ["News", "Golf"],
        "line_item.amount": "$10",
    }
    assert problems == ["3 components of line_item could not be put into rows"]


def test_rows_of_a_model_stay_as_they_are(tmp_path: Path) -> None:
    rows = [
        [["program", "amount"], [["News"], ["$10"]]],
        [["program", "amount"], [[["Golf"], ["$20"]]]],
    ]
    records, _ = read(write_predictions(tmp_path / "p.json", {"x": rows}))
    expected = [{"program": "News", "amount": "$10"}, {"program": "Golf", "amount": "$20"}]
    assert records[0].tree == {"line_item": expected}


@pytest.mark.parametrize(
    ("item", "message"),
    [
        (["a", [None, BOX, []]], "results[0] (a): has no text; left out"),
        (["a"], "results[0]: is not a pair of name and entity; left out"),
        ("a", "results[0]: is not a pair of name and entity; left out"),
        ([3, ["x"]], "results[0]: has no name; left out"),
        (["a", []], "results[0] (a): has no text; left out"),
        (["a", {}], "results[0] (a): has no text; left out"),
        (
            [["a", "b"], [["x"]]],
            "results[0]: does not have one entity for each of its 2 names; left out",
        ),
        ([["a"], [[None]]], "results[0] (a): has no text; left out"),
        (["a", ["x", [0, 1], []]], "results[0] (a): box is not [page, x1, y1, x2, y2]; left out"),
        (["a", ["x", 7, []]], "results[0] (a): box is not [page, x1, y1, x2, y2]; left out"),
        (
            ["a", "text"],
            "results[0] (a): a text where [text, box, segments] belongs; read as that text",
        ),
    ],
    ids=[
        *("null text", "one part", "a text", "a number as name", "an empty entity", "an object"),
        *("a row too short", "a row of nothing", "a short box", "a number as box", "a bare text"),
    ],
)
def test_a_flaw_is_named_with_its_place(tmp_path: Path, item: object, message: str) -> None:
    records, problems = read(write_predictions(tmp_path / "p.json", {"x": [item]}))
    assert len(records) == 1
    assert message in problems


def test_a_text_without_box_is_fine(tmp_path: Path) -> None:
    records, problems = read(write_predictions(tmp_path / "p.json", {"x": [["a", ["t"]]]}))
    assert records[0].tree == {"a": "t"}
    assert problems == []


def test_a_line_that_is_no_document_is_a_problem(tmp_path: Path) -> None:
    file = tmp_path / "dataset.jsonl"
    lines = ['{"filename": "a", "annotations": []}', "nonsense", '{"annotations": []}']
    file.write_text("\n".join([*lines, '{"filename": "b"}', "[1]", ""]))
    records, problems = read(file)
    assert [(one.id, one.tree) for one in records] == [
        ("a", {}),
        (None, None),
        ("b", None),
        (None, None),
    ]
    assert len(problems) == 4


def test_a_damaged_archive_is_said_to_be_so(tmp_path: Path) -> None:
    packed = gzip.compress(b'{"filename": "a", "annotations": []}\n' * 500)
    for name, content in (
        ("cut", packed[:-20]),
        ("not", b"no gzip"),
        ("bad", packed[:30] + b"x" * 30),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "dataset.jsonl.gz").write_bytes(content)
        with pytest.raises(FileError, match="cannot be read"):
            read(tmp_path / name)


@pytest.mark.parametrize("content", ["{}", "[]", '{"results": []}'])
def test_a_file_without_results_is_an_error(tmp_path: Path, content: str) -> None:
    (tmp_path / "p.json").write_text(content)
    with pytest.raises(DataError, match="results"):
        read(tmp_path / "p.json")


def test_a_folder_of_predictions_is_told_from_a_data_set(tmp_path: Path) -> None:
    write_predictions(tmp_path / "p.json", {})
    with pytest.raises(DataError, match="file by file"):
        read(tmp_path)


def test_meta_is_the_schema_when_none_is_given_and_the_map_is_told(tmp_path: Path) -> None:
    folder = write_dataset(tmp_path / "ads")
    items = [["advertiser", ["Acme"]], ["amount", ["10.00"]], ["program", ["NEWS"]]]
    pred = write_predictions(tmp_path / "p.json", {"Acme.pdf": items, "Bolt.pdf": []})
    run = score_run(folder, pred, metrics=["vrdu"])
    assert (
        "meta.json is used as the schema: GeneralStringMatch → alphanumeric (advertiser, program); "
        "PriceMatch → money absolute 0.01 (amount)"
    ) in run.notes
    assert run.report["vrdu.recall@advertiser"].value == 0.5
    assert run.report["vrdu.precision@line_item"].value == 0.0


def test_without_meta_and_schema_components_are_fields(tmp_path: Path) -> None:
    folder = write_dataset(tmp_path / "ads", meta=None)
    assert meta_file(folder) is None
    pred = write_predictions(tmp_path / "p.json", {"Acme.pdf": ITEMS})
    run = score_run(folder, pred, metrics=["vrdu"])
    assert run.report["vrdu.recall@line_item"].value == 0.0


def test_the_groups_of_a_schema_name_components(tmp_path: Path) -> None:
    folder = write_dataset(tmp_path / "ads", meta=None)
    schema = {"groups": {"line_item": {"fields": {"program": "text", "amount": "money"}}}}
    pred = write_predictions(tmp_path / "p.json", {"Acme.pdf": ITEMS[:3], "Bolt.pdf": ITEMS[:3]})
    run = score_run(folder, pred, schema=schema, metrics=["vrdu"])
    assert run.report["vrdu.f1@line_item"].value == 1.0


@pytest.mark.parametrize(
    ("said", "rows"), [(None, 1), ("repetition", 3)], ids=["by the schema", "by a setting"]
)
def test_the_grouping_of_a_schema_is_kept_unless_a_setting_says_otherwise(
    tmp_path: Path, said: str | None, rows: int
) -> None:
    folder = write_dataset(tmp_path / "ads")
    items = [[name, [text, BOX, []]] for name, text in (("amount", "1"), ("amount", "2"))]
    pred = write_predictions(tmp_path / "p.json", {"Acme.pdf": [*items, ["amount", ["3", BOX]]]})
    fields = {"program": "text", "amount": "money"}
    schema = {"groups": {"line_item": {"grouping": "position", "fields": fields}}}
    settings = {} if said is None else {"vrdu.grouping": said}
    run = score_run(folder, pred, schema=schema, metrics=["vrdu"], settings=settings)
    assert run.report["vrdu.precision@line_item"].support == rows


def test_a_folder_without_data_set_has_no_lines(tmp_path: Path) -> None:
    assert dataset_file(tmp_path) is None
    assert dataset_file(tmp_path / "nowhere") is None


@pytest.mark.parametrize(
    "content",
    [
        {"results": {"Acme.pdf": ITEMS}},
        {"results": {f"{n}.pdf": ITEMS for n in range(900)}, "meta": {}},
    ],
    ids=["no meta", "meta behind the part that is guessed from"],
)
def test_a_file_named_as_predictions_is_read_as_such(tmp_path: Path, content: object) -> None:
    pred = tmp_path / f"{SPLIT}-test_predictions.json"
    pred.write_text(json.dumps(content))
    assert open_records(pred).format == "vrdu"


def test_predictions_without_meta_are_read_and_said(tmp_path: Path) -> None:
    (tmp_path / "p.json").write_text(json.dumps({"results": {"Acme.pdf": ITEMS}}))
    records, problems = read(tmp_path / "p.json")
    assert [one.id for one in records] == ["Acme.pdf"]
    assert problems == ["has no `meta`, at which the released toolkit stops; read all the same"]


def test_a_split_without_test_documents_is_an_error(tmp_path: Path) -> None:
    folder = write_dataset(tmp_path / "ads")
    (tmp_path / "s.json").write_text(json.dumps({"test": []}))
    with pytest.raises(DataError, match="without test documents"):
        read(folder, split=str(tmp_path / "s.json"))


@pytest.mark.parametrize("packed", [False, True])
def test_the_words_of_the_pages_are_kept_when_asked_for(tmp_path: Path, packed: bool) -> None:
    folder = write_dataset(tmp_path / "ads", packed=packed)
    for kept, words in ((False, None), (True, {"pages": [1]})):
        options = {"ocr": kept}
        records = [*open_records(folder, format="vrdu", options=options).records]
        assert [one.tree.ocr for one in records] == [words, words]  # type: ignore[union-attr]


def test_predictions_are_scored_on_the_split_they_are_named_after(tmp_path: Path) -> None:
    folder = write_dataset(tmp_path / "ads")
    pred = tmp_path / f"{SPLIT}-test_predictions.json"
    results = {"Bolt.pdf": [["advertiser", ["Bolt", BOX, []]]]}
    pred.write_text(json.dumps({"meta": {}, "results": results}))
    run = score_run(folder, pred, metrics=["vrdu_official"])
    assert run.report.documents == 1
    assert run.report.settings["vrdu.split"] == SPLIT
    assert any(SPLIT in note for note in run.notes)


def test_another_name_is_scored_on_all_documents(tmp_path: Path) -> None:
    folder = write_dataset(tmp_path / "ads")
    pred = tmp_path / "other-test_predictions.json"
    results = {"Bolt.pdf": [["advertiser", ["Bolt", BOX, []]]]}
    pred.write_text(json.dumps({"meta": {}, "results": results}))
    assert score_run(folder, pred, metrics=["vrdu_official"]).report.documents == 2
