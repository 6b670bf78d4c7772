"""`linking`: links between values, from FUNSD and from beside records, by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import docassay as da

RECORD = {"question": ["Name", "Age", "Sex"], "answer": ["Ann", "5", "5"], "header": "Form"}


def entity(id: int, label: str, text: str, *links: list[int], box: object = None) -> dict:
    made = {"id": id, "label": label, "text": text, "linking": [*links]}
    return made if box is None else {**made, "box": box}


def form(path: Path, *entities: dict) -> Path:
    path.mkdir(parents=True, exist_ok=True)
    (path / "d.json").write_text(json.dumps({"form": [*entities]}))
    return path


def scored(gold: object, pred: object, record: object = RECORD) -> dict[str, object]:
    sides = ([{"id": "d", "record": record, "links": links}] for links in (gold, pred))
    report = da.score(*sides, types="text", metrics=["linking"])
    return {score.address.removeprefix("linking."): score.value for score in report.scores}


def counts(made: dict[str, object]) -> tuple[object, ...]:
    return made["tp"], made["fp"], made["fn"]


def test_funsd_links_count_once_and_in_their_order(tmp_path: Path) -> None:
    gold = form(
        tmp_path / "gold",
        entity(0, "question", "Name:", [0, 1]),
        entity(1, "answer", "Ann", [0, 1]),
        entity(2, "header", "Form", [2, 0]),
        entity(3, "other", ""),
    )
    pred = form(
        tmp_path / "pred",
        # other ids and another order of the same entities
        entity(7, "answer", "Ann", [8, 7]),
        entity(8, "question", "Name:", [8, 7], [8, 9]),
        entity(9, "header", "Form", [8, 9]),
    )
    report = da.score(gold, pred, metrics=["linking", "entity"])
    made = {score.address: score.value for score in report.scores if score.metric == "linking"}
    assert made["linking.tp"] == 1
    assert made["linking.fp"] == 1
    assert made["linking.fn"] == 1
    assert made["linking.f1"] == 0.5
    assert made["linking.f1@question > answer"] == 1.0
    assert made["linking.recall@header > question"] == 0.0
    assert made["linking.precision@question > header"] == 0.0
    assert report["entity.f1"].value == 1.0


def test_equal_texts_are_told_apart_by_their_boxes(tmp_path: Path) -> None:
    def page(path: Path, *links: list[int]) -> Path:
        return form(
            path,
            entity(0, "question", "Name", *links, box=[0, 0, 10, 10]),
            entity(1, "answer", "5", box=[20, 0, 30, 10]),
            entity(2, "question", "Name", box=[0, 50, 10, 60]),
            entity(3, "answer", "5", box=[20, 50, 30, 60]),
        )

    gold = page(tmp_path / "gold", [0, 1], [2, 3])
    straight = da.score(gold, page(tmp_path / "a", [2, 3], [0, 1]), metrics=["linking"])
    crossed = da.score(gold, page(tmp_path / "b", [0, 3], [2, 1]), metrics=["linking"])
    assert straight["linking.f1"].value == 1.0
    assert crossed["linking.f1"].value == 0.0


@pytest.mark.parametrize(
    ("pred", "expected"),
    [
        ([["question[0]", "answer[0]"], ["question[1]", "answer[1]"]], (2, 0, 0)),
        # without boxes equal texts are one value
        ([["question[0]", "answer[0]"], ["question[1]", "answer[2]"]], (2, 0, 0)),
        ([{"head": "question[0]", "tail": "answer[0]"}], (1, 0, 1)),
        ([["answer[0]", "question[0]"]], (0, 1, 2)),
        ([["question[0]", "answer[0]"]] * 3, (1, 0, 1)),
        ([], (0, 0, 2)),
    ],
)
def test_links_beside_records_are_pairs_of_paths(pred: object, expected: tuple[int, ...]) -> None:
    gold = [["question[0]", "answer[0]"], ["question[1]", "answer[1]"]]
    assert counts(scored(gold, pred)) == expected


def test_a_stated_kind_must_be_right_as_well() -> None:
    gold = [["question[0]", "answer[0]", "has"]]
    made = scored(gold, [["question[0]", "answer[0]", "lacks"]])
    assert (made["fn@has"], made["fp@lacks"], made["tp"]) == (1, 1, 0)


def test_links_of_rows_and_leaves_with_boxes_resolve() -> None:
    record = {"rows": [{"k": {"value": "a", "box": [0, 0, 1, 1]}, "v": 5}]}
    made = scored([["rows[0].k", "rows[0].v"]], [["rows[0].k", "rows[0].v"]], record)
    assert made["f1@rows.k > rows.v"] == 1.0


@pytest.mark.parametrize("broken", [["question[9]", "answer[0]"], ["nope", "header"], "x", [1, 2]])
def test_a_link_to_nothing_is_left_out_and_a_problem(broken: object) -> None:
    links = [["header", "question[0]"]]
    gold = [{"id": "d", "record": RECORD, "links": links}]
    pred = [{"id": "d", "record": RECORD, "links": [*links, broken]}]
    report = da.score(gold, pred, types="text", metrics=["linking"])
    assert report["linking.f1"].value == 1.0
    assert "1 link between values that are not there" in report.problems[0].message


def test_no_links_at_all_are_undefined_and_said() -> None:
    report = da.score({"d": RECORD}, {"d": RECORD}, types="text", metrics=["linking"])
    assert report["linking.f1"].value is None
    assert report.details.sections[0].above == (
        "Neither gold nor pred states links between values.",
    )
