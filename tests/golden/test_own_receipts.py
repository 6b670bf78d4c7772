"""Receipts of our own, counted by hand, in every shape that their outputs may have.

| receipt | right | substituted | added | deleted | rows: right, wrong, too many |
| ------- | ----: | ----------: | ----: | ------: | ---------------------------- |
| cafe    |     4 |           1 |     0 |       0 | 1, 1, 0                      |
| grocer  |     2 |           0 |     1 |       2 | 1, 0, 1                      |
| kiosk   |     1 |           0 |     0 |       0 | none                         |
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

import docassay as da

Tree = Mapping[str, object]

GOLD: dict[str, Tree] = {
    "cafe": {
        "menu": [{"nm": "Tea", "price": "3.00"}, {"nm": "Rye bread", "price": "7.50"}],
        "total": "10.50",
    },
    "grocer": {"menu": [{"nm": "Salt", "price": "1.10"}], "total": "1.10"},
    "kiosk": {"total": "5.00"},
}
PRED: dict[str, Tree] = {
    "cafe": {
        "menu": [{"nm": "Rye bread", "price": "7.50"}, {"nm": "Tea", "price": "3.80"}],
        "total": "10.50",
    },
    "grocer": {"menu": [{"nm": "Salt", "price": "1.10"}, {"nm": "TOTAL", "price": "1.10"}]},
    "kiosk": {"total": "5.00"},
}
BY_HAND = {
    "entity.tp": 7,
    "entity.f1": 14 / 19,
    "kieval.tp": 7,
    "kieval.substitutions": 1,
    "kieval.additions": 1,
    "kieval.deletions": 2,
    "kieval.corrections": 4,
    "kieval.entity_f1": 14 / 19,
    "kieval.aligned": 7 / 11,
    "kieval.aligned@menu.nm": 3 / 4,
    "kieval.aligned@menu.price": 2 / 4,
    "kieval.aligned@total": 2 / 3,
    "kieval.group_f1": 4 / 7,
    "kieval.group_aligned": 2 / 4,
    "kieval.documents_exact": 1,
}
OFFICIAL = {
    "kieval_official.entity_f1": 14 / 19,
    "kieval_official.aligned": 7 / 11,
    "kieval_official.label": 9,
    "kieval_official.exact_match": 7,
    "kieval_official.wrong_match": 1,
    "kieval_official.no_match": 3,
    "kieval_official.group_f1": 4 / 7,
    "kieval_official.documents_exact": 1,
}
BY_DOCUMENT = {
    "cafe": {"kieval.tp": 4, "kieval.corrections": 1, "kieval.aligned": 4 / 5},
    "grocer": {"kieval.tp": 2, "kieval.corrections": 3, "kieval.aligned": 2 / 5},
    "kiosk": {"kieval.tp": 1, "kieval.corrections": 0, "kieval.aligned": 1.0},
}


def table(tree: Tree) -> str:
    """Return a receipt as a table of the released tool: rows under a header, then single lines."""
    blocks = []
    rows = tree.get("menu")
    if isinstance(rows, list):
        head = "\t".join(f"menu.{key}" for key in rows[0])
        blocks.append("\n".join(["0", head, *("\t".join(row.values()) for row in rows)]))
    if "total" in tree:
        blocks.append(f"total\t{tree['total']}")
    return "\n\n".join(blocks) + "\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("receipts")
    for side, trees in (("gold", GOLD), ("pred", PRED)):
        for name in (f"{side}_csv", f"{side}_json"):
            (folder / name).mkdir()
        for id, tree in trees.items():
            (folder / f"{side}_csv" / f"{id}.csv").write_text(table(tree))
            (folder / f"{side}_json" / f"{id}.json").write_text(json.dumps(tree))
        lines = (json.dumps({"id": id, "fields": tree}) for id, tree in trees.items())
        (folder / f"{side}.jsonl").write_text("\n".join(lines) + "\n")
    return folder


@pytest.mark.parametrize("gold", ["gold_csv", "gold_json", "gold.jsonl"])
@pytest.mark.parametrize("pred", ["pred_csv", "pred_json", "pred.jsonl"])
def test_every_shape_has_the_numbers_counted_by_hand(gold: str, pred: str, folder: Path) -> None:
    report = da.score(folder / gold, folder / pred, metrics=["entity", "kieval"])
    assert {address: report[address].value for address in BY_HAND} == pytest.approx(BY_HAND)


@pytest.mark.parametrize("shape", ["csv", "json"])
def test_the_released_tools_way_of_counting_has_them_too(shape: str, folder: Path) -> None:
    report = da.score(
        folder / f"gold_{shape}", folder / f"pred_{shape}", metrics=["kieval_official"]
    )
    assert {address: report[address].value for address in OFFICIAL} == pytest.approx(OFFICIAL)


def test_each_document_has_its_own_counts(folder: Path) -> None:
    report = da.score(folder / "gold_csv", folder / "pred_csv", metrics=["kieval"])
    assert [line.id for line in report.lines] == [*BY_DOCUMENT]
    for line in report.lines:
        expected = BY_DOCUMENT[line.id]
        assert {name: line.scores[name] for name in expected} == pytest.approx(expected)


def test_flattened_rows_inside_a_row_are_further_values_of_it() -> None:
    def receipt(*extras: tuple[str, str]) -> dict[str, Tree]:
        inside = [{"nm": name, "price": price} for name, price in extras]
        return {"r": {"menu": [{"nm": "Tea", "sub": inside}]}}

    gold, pred = receipt(("milk", "1"), ("sugar", "2")), receipt(("milk", "2"), ("sugar", "1"))
    counts = ("tp", "substitutions", "additions", "deletions")
    whole = da.score(gold, pred, metrics=["kieval"])
    assert [whole[f"kieval.{name}"].value for name in counts] == [3, 2, 0, 0]
    flat = da.score(gold, pred, metrics=["kieval"], settings={"kieval.flatten": True})
    assert [flat[f"kieval.{name}"].value for name in counts] == [5, 0, 0, 0]
