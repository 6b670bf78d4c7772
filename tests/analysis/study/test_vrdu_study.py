"""The benchmark as a whole: files found, splits applied, scores as `score` has them, flaws told."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

import docassay as da
from docassay.analysis.vrdu.study import vrdu_study
from docassay.errors import DataError, FileError
from docassay.load.entities import shape
from docassay.report.vrdu import render, write_benchmark
from tests.analysis.study.vrdu_corpus import BOX, META, right, split_name, write_data, write_pred

TEST = ("d0", "d1", "d2", "d3")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    names = [split_name(seed=seed, size=size) for seed in range(3) for size in (10, 50)]
    return write_data(tmp_path / "data", splits=dict.fromkeys(names, TEST))


def test_a_file_is_scored_on_the_test_documents_of_its_split(data: Path, tmp_path: Path) -> None:
    write_pred(tmp_path / "pred", split_name(), right("d0", "d1", "d2"))
    (one,) = vrdu_study(data, tmp_path / "pred").files
    assert (one.documents, one.unpredicted, one.absent) == (4, 1, 0)
    assert one.micro_f1 == pytest.approx(2 * 6 / (8 + 6))


def test_the_scores_are_those_of_the_verb_score(tmp_path: Path) -> None:
    from docassay.synth.vrdu.corpus import write_vrdu

    write_vrdu(tmp_path, docs=60, seed=1)
    study = vrdu_study(tmp_path, tmp_path / "predictions", official=True)
    for one in study.files:
        folder = "registration-form" if one.dataset == "FARA" else "ad-buy-form"
        split = one.file.removesuffix("-test_predictions.json")
        report = da.score(
            tmp_path / folder,
            tmp_path / "predictions" / one.file,
            metrics=[one.metric],
            settings={"vrdu.split": split},
        )
        assert one.micro_f1 == report[f"{one.metric}.micro_f1"].value
        assert one.macro_f1 == report[f"{one.metric}.macro_f1"].value


def test_only_documents_that_are_tested_on_are_put_into_shape(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shaped: list[str] = []

    def counting(items, place, *rest):  # type: ignore[no-untyped-def]
        shaped.append(place)
        return shape(items, place, *rest)

    monkeypatch.setattr("docassay.load.formats.vrdu.shape", counting)
    for seed in range(3):
        write_pred(tmp_path / "pred", split_name(seed=seed), right("d0", "d1"))
    study = vrdu_study(data, tmp_path / "pred")
    assert [file.documents for file in study.files] == [4, 4, 4]
    lines = (data / "main" / "dataset.jsonl").read_text().splitlines()
    assert len(lines) > len(TEST)
    assert (shaped.count("annotations"), shaped.count("results")) == (len(TEST), 3 * 2)


def test_the_released_toolkit_is_met_on_every_case_of_the_reference(
    shared: Path, tmp_path: Path
) -> None:
    vectors = json.loads((shared / "vectors" / "vrdu.json").read_text())
    for number, case in enumerate(vectors["end_to_end"]):
        if "metrics" not in case:
            continue  # the toolkit raises
        if case["annotations"].keys().isdisjoint(case["test"]):
            continue  # there is nothing to score
        name = split_name(test=len(case["test"]))
        data = write_data(
            tmp_path / f"data{number}",
            splits={name: case["test"]},
            meta=case["meta"],
            annotations=case["annotations"],
        )
        pred = tmp_path / f"pred{number}" / f"{name}-test_predictions.json"
        pred.parent.mkdir()
        pred.write_text(json.dumps(case["predictions"]))
        study = vrdu_study(data, pred.parent, official=True)
        found = next(one for one in study.files if one.metric == "vrdu_official")
        for readout in ("micro_f1", "macro_f1"):
            assert getattr(found, readout) == pytest.approx(case["metrics"][readout]), case["id"]


def test_a_single_file_is_scored_alone(data: Path, tmp_path: Path) -> None:
    file = write_pred(tmp_path / "pred", split_name(), right(*TEST))
    assert [one.micro_f1 for one in vrdu_study(data, file).files] == [1.0]


def test_a_model_that_finds_nothing_scores_nothing(data: Path, tmp_path: Path) -> None:
    write_pred(tmp_path / "pred", split_name(), {})
    (one,) = vrdu_study(data, tmp_path / "pred").files
    assert (one.micro_f1, one.unpredicted) == (0.0, 4)


def test_seeds_are_counted_against_the_splits_there_are(data: Path, tmp_path: Path) -> None:
    for seed in (0, 2):
        write_pred(tmp_path / "pred", split_name(seed=seed), right(*TEST))
    study = vrdu_study(data, tmp_path / "pred")
    (cell,) = study.families
    assert (cell.coverage, cell.seeds) == ("2 of 3 seeds", (0, 2))
    assert cell.scores["micro_f1"] == (1.0, 0.0)
    assert "4 of 6 splits have no predictions" in study.notes


def test_a_folder_of_several_data_sets_is_searched_for_the_split(tmp_path: Path) -> None:
    write_data(tmp_path / "all" / "one", splits={split_name("a"): TEST})
    write_data(tmp_path / "all" / "two", splits={split_name("b"): TEST})
    write_pred(tmp_path / "pred", split_name("a"), right(*TEST))
    write_pred(tmp_path / "pred", split_name("b"), right(*TEST))
    study = vrdu_study(tmp_path / "all", tmp_path / "pred")
    assert [one.task for one in study.files] == ["a", "b"]


@pytest.mark.parametrize(
    ("folder", "end"),
    [("pred/layout", ""), ("pred", "-layout")],
    ids=["a folder", "a file's name"],
)
def test_a_model_is_named_by(folder: str, end: str, data: Path, tmp_path: Path) -> None:
    write_pred(tmp_path / "pred", split_name(), right("d0"))
    write_pred(tmp_path / folder, split_name() + end, right(*TEST))
    study = vrdu_study(data, tmp_path / "pred")
    assert [(one.model, one.micro_f1) for one in study.files][1] == ("layout", 1.0)


def test_two_files_of_one_model_for_one_split_are_not_mixed(data: Path, tmp_path: Path) -> None:
    write_pred(tmp_path / "pred", split_name() + "-layout", right(*TEST))
    write_pred(tmp_path / "pred" / "layout", split_name(), right("d0"))
    study = vrdu_study(data, tmp_path / "pred")
    assert [one.micro_f1 for one in study.files] == [1.0]
    assert "model 'layout' has this split in" in study.problems[0].message


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("notes.json", "does not end in"),
        ("notes-test_predictions.json", "not the name of a split"),
        (f"{split_name('other')}-test_predictions.json", "no data set has its split"),
        (f"{split_name(seed=1)}-test_predictions.json", "is not JSON"),
    ],
    ids=["another file", "no name", "no split", "no JSON"],
)
def test_a_file_that_cannot_be_scored_is_said(
    name: str, message: str, data: Path, tmp_path: Path
) -> None:
    write_pred(tmp_path / "pred", split_name(), right(*TEST))
    (tmp_path / "pred" / name).write_text("{")
    study = vrdu_study(data, tmp_path / "pred")
    assert len(study.files) == 1
    assert [one.where for one in study.problems if message in one.message] == [
        str(tmp_path / "pred" / name)
    ]


def test_test_documents_that_the_data_set_lacks_are_counted(tmp_path: Path) -> None:
    name = split_name()
    data = write_data(tmp_path / "data", splits={name: ("d0", "d1", "gone")})
    write_pred(tmp_path / "pred", name, right("d0", "d1"))
    study = vrdu_study(data, tmp_path / "pred")
    assert (study.files[0].documents, study.files[0].absent) == (2, 1)
    assert any("not in the data set: gone" in one.message for one in study.problems)


def test_predictions_of_other_documents_are_said_and_not_scored(data: Path, tmp_path: Path) -> None:
    write_pred(tmp_path / "pred", split_name(), right(*TEST, "d7"))
    study = vrdu_study(data, tmp_path / "pred")
    assert study.files[0].micro_f1 == 1.0
    assert [one.document for one in study.problems] == ["d7"]


def test_a_document_that_stands_twice_in_the_data_set_is_said(data: Path, tmp_path: Path) -> None:
    lines = data / "main" / "dataset.jsonl"
    first, *others = lines.read_text().splitlines()
    lines.write_text("\n".join([first, first, *others]))
    write_pred(tmp_path / "pred", split_name(), right(*TEST))
    study = vrdu_study(data, tmp_path / "pred")
    assert [one.message for one in study.problems] == [
        "the file name occurs twice; the first is kept"
    ]


def test_nothing_to_score_is_an_error_that_says_why(data: Path, tmp_path: Path) -> None:
    write_pred(tmp_path / "pred", "notes", right("d0"))
    with pytest.raises(DataError, match="no prediction file that can be scored; the first of 1"):
        vrdu_study(data, tmp_path / "pred")


def test_a_folder_without_data_set_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no data set in the layout of VRDU"):
        vrdu_study(tmp_path, tmp_path)


def test_a_folder_that_is_not_there_is_refused(data: Path, tmp_path: Path) -> None:
    with pytest.raises(FileError, match="no such file"):
        vrdu_study(data, tmp_path / "none")


def test_a_broken_meta_json_is_told(tmp_path: Path) -> None:
    meta = {**META, "entity_name_to_match_func": ["NameMatch"]}
    data = write_data(tmp_path / "data", splits={split_name(): TEST}, meta=meta)
    write_pred(tmp_path / "pred", split_name(), right(*TEST))
    with pytest.raises(da.ConfigurationError, match="a list where a mapping belongs"):
        vrdu_study(data, tmp_path / "pred")


def test_an_unknown_match_function_is_said_and_read_as_default_match(tmp_path: Path) -> None:
    meta = {**META, "entity_name_to_match_func": {"name": "NumericalMatch"}}
    data = write_data(tmp_path / "data", splits={split_name(): TEST}, meta=meta)
    write_pred(tmp_path / "pred", split_name(), right(*TEST))
    notes = vrdu_study(data, tmp_path / "pred").notes
    assert any("name (NumericalMatch)" in note for note in notes)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a study with line items, three single templates and a hostile model name."""
    tmp_path = tmp_path_factory.mktemp("kept")
    meta = {
        "entity_name_to_match_func": {"name": "NameMatch", "part": "GeneralStringMatch"},
        "entity_appearance_pattern": {"name": "unrepeated", "part": "row"},
    }
    gold = {
        id: [["name", [["A", BOX, [[0, 1]]]]], [["part"], [[["x", BOX, [[2, 3]]]]]]] for id in TEST
    }
    names = [split_name(f"lv1-single_{one}") for one in "abc"] + [split_name()]
    data = write_data(
        tmp_path / "data", splits=dict.fromkeys(names, TEST), meta=meta, annotations=gold
    )
    for name in names[1:]:
        write_pred(tmp_path / "pred" / "=cmd|x", name, {id: {"name": "A"} for id in TEST})
    write_benchmark(tmp_path / "out", vrdu_study(data, tmp_path / "pred"))
    return tmp_path / "out"


def test_tables_raw_scores_and_charts_are_kept(kept: Path) -> None:
    pytest.importorskip("matplotlib")
    names = {"table.csv", "table.md", "table.json", "gaps.csv", "raw.csv"}
    charts = {f"{name}.{end}" for name in ("f1", "hierarchical") for end in ("png", "svg")}
    assert {path.name for path in kept.iterdir()} == names | charts


def test_the_table_has_a_row_for_each_family_and_each_task(kept: Path) -> None:
    rows = [*csv.DictReader(io.StringIO((kept / "table.csv").read_text()))]
    assert [(one["level"], one["family"], one["files"], one["planned_files"]) for one in rows] == [
        ("family", "STL", "2", "3"),
        ("family", "MTL", "1", "1"),
        ("task", "STL", "1", "1"),
        ("task", "STL", "1", "1"),
        ("task", "MTL", "1", "1"),
    ]
    assert {one["model"] for one in rows} == {"'=cmd|x"}


def test_raw_scores_have_a_row_for_each_file(kept: Path) -> None:
    rows = [*csv.DictReader(io.StringIO((kept / "raw.csv").read_text()))]
    assert len(rows) == 3
    assert {(one["unrepeated_f1"], one["hierarchical_f1"]) for one in rows} == {("1.0", "0.0")}


def test_the_json_holds_everything(kept: Path) -> None:
    found = json.loads((kept / "table.json").read_text())
    assert [len(found[name]) for name in ("table", "files", "problems")] == [5, 3, 0]


def test_the_text_says_which_tasks_a_column_stands_for(kept: Path) -> None:
    text = (kept / "table.md").read_text()
    assert "STL: lv1-single_b, lv1-single_c; 2 of 3 tasks, 2 of 3 files" in text
    assert "| 0.00 | 100.00 | 100.00 |" in text


@pytest.mark.parametrize("format", ["table", "csv", "markdown", "json"])
def test_every_format_renders(format: str, data: Path, tmp_path: Path) -> None:
    write_pred(tmp_path / "pred", split_name(), {})
    assert split_name().partition("-train")[0].partition("-")[2] in render(
        vrdu_study(data, tmp_path / "pred"), format
    )
