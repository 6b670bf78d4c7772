"""`ner` on three pages of our own, every number worked out by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

import docassay as da

GOLD = {
    "a": "Anna B-PER\nBell I-PER\nlives O\nin O\nRome B-LOC\n",
    "b": "Rome B-LOC\nand O\nOslo B-LOC\n",
    "c": "Ida B-PER\nmet O\nOtto B-PER\n",
}
PRED = {
    "a": "Anna B-PER\nBall I-PER\nlives O\nin O\nRome B-PER\n",
    "b": "Oslo B-LOC\nand O\nRome B-LOC\n",
    "c": "Ida B-PER\nmet O\n",
}
"""a: one letter and one category are wrong; b: two entities exchanged; c: one is missing."""


def score(tmp_path: Path, *names: str, **settings: object) -> da.Report:
    for side, pages in (("gold", GOLD), ("pred", PRED)):
        (tmp_path / side).mkdir()
        for name in names:
            (tmp_path / side / f"{name}.bio").write_text(pages[name])
    told = {f"ner.{name}": value for name, value in settings.items()}
    return da.score(tmp_path / "gold", tmp_path / "pred", metrics=["ner"], settings=told)


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        pytest.param(
            "a",
            {
                # "Anna Bell lives in Rome" has 23 characters and 5 words
                "cer": 1 / 23,
                "wer": 1 / 5,
                # Anna Bell is wrong by one of 9 letters, or one of 2 words; Rome altogether
                "ecer": (1 / 9 + 1) / 2,
                "oiecer": (1 / 9 + 1) / 2,
                "ewer": (1 / 2 + 1) / 2,
                "oiewer": (1 / 2 + 1) / 2,
                "nerval_f1": 1 / 2,
                "oinerval_f1": 1 / 2,
                # of the 3 words of entities 2 are found, 1 with its tag; of 2 entities none
                "bow_f1": 2 / 3,
                "bt_f1": 1 / 3,
                "be_f1": 0,
            },
            id="a letter and a category",
        ),
        pytest.param(
            "b",
            {
                # Rome and Oslo have no letter in common place: one is removed, one put in
                "ecer": (1 + 1) / 2,
                "oiecer": 0,
                "oiewer": 0,
                "oinerval_f1": 1,
                "bow_f1": 1,
                "bt_f1": 1,
                "be_f1": 1,
            },
            id="two entities exchanged",
        ),
        pytest.param(
            "c",
            {
                # " Otto" is missing from "Ida met Otto"
                "cer": 5 / 12,
                "wer": 1 / 3,
                "ecer": 1 / 2,
                "oiecer": 1 / 2,
                "nerval_f1": 2 / 3,
                "oinerval_f1": 2 / 3,
                "bow_f1": 2 / 3,
                "bt_f1": 2 / 3,
                "be_f1": 2 / 3,
            },
            id="one entity missing",
        ),
        pytest.param(
            "abc",
            {
                "oiecer": (1 / 9 + 1 + 0 + 0 + 0 + 1) / 6,
                "oiewer": (1 / 2 + 1 + 0 + 0 + 0 + 1) / 6,
                "bow_f1": 2 * (2 + 2 + 1) / (7 + 6),
                "bt_f1": 2 * (1 + 2 + 1) / (7 + 6),
                "be_f1": 2 * (0 + 2 + 1) / (6 + 5),
            },
            id="all pages together",
        ),
    ],
)
def test_the_numbers_are_those_worked_out_by_hand(
    names: str, expected: dict[str, float], tmp_path: Path
) -> None:
    report = score(tmp_path, *names)
    for name, value in expected.items():
        assert report[f"ner.{name}"].value == pytest.approx(value, abs=1e-8), name


def test_categories_have_numbers_of_their_own(tmp_path: Path) -> None:
    report = score(tmp_path, *"abc")
    # people: Anna Bell by a ninth, Ida right, Otto missing; places: Rome once unmet, two right
    assert report["ner.oiecer@PER"].support == 3
    assert report["ner.oiecer@LOC"].support == 3
    assert report["ner.oinerval_recall@LOC"].value == pytest.approx(2 / 3)
    assert report["ner.oinerval_precision@LOC"].value == 1
    assert report["ner.oinerval_recall@PER"].value == pytest.approx(2 / 3)
    assert report["ner.oinerval_precision@PER"].value == pytest.approx(2 / 3)


@pytest.mark.parametrize(("threshold", "found"), [(0.12, 1), (0.11, 0), (0, 0), (1, 1)])
def test_the_threshold_decides_which_entities_meet(
    threshold: float, found: int, tmp_path: Path
) -> None:
    report = score(tmp_path, "a", threshold=threshold)
    recall = report["ner.oinerval_recall"]
    assert round((recall.value or 0) * recall.support) == found


def test_categories_stand_in_the_order_of_their_names(tmp_path: Path) -> None:
    report = score(tmp_path, *"abc")
    keys = [one.key for one in report.scores if one.readout == "oiecer"]
    assert keys == ["", "LOC", "PER"]
