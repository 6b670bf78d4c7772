"""Numbers published with KIEval (ICDAR 2025): its figures, its tables and its released outputs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import docassay as da
from docassay.metrics.kieval import readouts
from docassay.metrics.metric import Context
from docassay.model.stats import f1

FIGURE_2_GOLD = [
    ("CHOCO PUFF", "29,091"),
    ("CREAMY BEEF CLS FTC", "42,727"),
    ("NEW ORIENTAL CHK RICE", "34,545"),
    ("LIPTON PITCHER", "54,545"),
    ("SC/P SUPER SUPREME", "47,273"),
    ("CB/P BLACK PEPP BEEF", "48,182"),
]
FIGURE_2_PRED = [
    ("CHOCO PUFF", "29,091"),
    ("CREAMY BEEF CLS FTC", None),
    ("NEW ORIENTAL CHK RICE", "34,545"),
    (None, "54,545"),
    ("LIPTON PITCHER", None),
    ("SC/P SUPER SUPREME", "47,273"),
    ("CB/P BLACK PEPP BEEF", "48,182"),
]


def menu(rows: list[tuple], keys: tuple[str, ...] = ("name", "price")) -> dict[str, object]:
    return {"menu": [dict(zip(keys, row, strict=True)) for row in rows]}


def test_figure_2_scores_ten_of_thirteen_and_four_of_seven() -> None:
    report = da.score({"r": menu(FIGURE_2_GOLD)}, {"r": menu(FIGURE_2_PRED)})
    assert report["entity.f1"].value == pytest.approx(22 / 23)  # 95.65 % in the figure
    assert report["kieval.aligned"].value == pytest.approx(10 / 13)
    assert report["kieval.group_aligned"].value == pytest.approx(4 / 7)
    assert report["kieval.entity_f1"].value == pytest.approx(20 / 23)
    assert report["kieval.group_f1"].value == pytest.approx(8 / 13)


@pytest.mark.parametrize(
    ("gold", "pred", "kind"),
    [
        pytest.param(["Americano", "Latte"], ["Americano"], "additions", id="scenario 1"),
        pytest.param(
            ["Americano", "Latte"], ["Americano", "Juice"], "substitutions", id="scenario 2"
        ),
        pytest.param(["Americano"], ["Americano", "Juice"], "deletions", id="scenario 3"),
    ],
)
def test_figure_3_asks_for_one_correction_in_each_scenario(
    gold: list[str], pred: list[str], kind: str
) -> None:
    report = da.score({"r": {"name": gold}}, {"r": {"name": pred}})
    assert report["kieval.aligned"].value == 0.5
    assert report["kieval.corrections"].value == 1
    assert report[f"kieval.{kind}"].value == 1


def test_figure_5_top_sees_that_values_stand_in_the_wrong_rows() -> None:
    keys = ("name", "count", "price")
    gold = [("SIAO MAI BABI", 4, "80,000"), ("CEKER AYAM", 3, "60,000"), ("BAKPAO", 2, "42,000")]
    pred = [("SIAO MAI BABI", 2, "60,000"), ("BAKPAO", 3, "80,000"), ("CEKER AYAM", 4, "42,000")]
    report = da.score({"r": menu(gold, keys)}, {"r": menu(pred, keys)})
    assert report["entity.f1"].value == 1.0
    assert report["kieval.entity_f1"].value == pytest.approx(1 / 3)
    assert report["kieval.group_f1"].value == 0.0
    assert report["kieval.structure_gap"].value == pytest.approx(2 / 3)


def test_figure_5_bottom_has_no_price_in_its_row() -> None:
    keys = ("name", "count", "price")
    gold = [
        ("BLACK PEPPER MEATBALL PAS", 1, "79,000"),
        ("TRUFFLE CREAM", 1, "77,000"),
        ("EARL GREY MILK TEA", 1, "59,000"),
    ]
    pred = [
        ("FOOD", None, None),
        ("BLACK PEPPER MEATBALL PAS", 1, "77,000"),
        ("TRUFFLE CREAM", 1, "59,000"),
        ("EARL GREY MILK TEA", 1, "215,000"),
    ]
    report = da.score({"r": menu(gold, keys)}, {"r": menu(pred, keys)})
    # as printed, two of the three prices are found; the figure says 1
    assert report["entity.f1@menu.price"].value == pytest.approx(2 / 3)
    assert report["kieval.entity_f1@menu.price"].value == 0.0


TABLE_3 = {
    "LayoutXLM SROIE": (231, 93, 7, 38, 138),
    "LayoutXLM CORD": (190, 37, 59, 57, 153),
    "LayoutXLM FUNSD": (637, 198, 126, 115, 439),
    "LayoutLMv3 SROIE": (226, 102, 9, 13, 124),
    "LayoutLMv3 CORD": (218, 53, 56, 56, 165),
    "LayoutLMv3 FUNSD": (566, 142, 136, 146, 424),
    "Donut SROIE": (447, 219, 9, 0, 228),
    "Donut CORD": (404, 124, 78, 78, 280),
}


@pytest.mark.parametrize(
    ("errors", "subs", "adds", "dels", "corrections"), TABLE_3.values(), ids=TABLE_3.keys()
)
def test_table_3_counts_corrections_as_we_do(
    errors: int, subs: int, adds: int, dels: int, corrections: int
) -> None:
    totals = {"fields": {"f": (1000, subs, adds, dels, 1000)}}
    found = {one.name: one.value for one in readouts(totals, Context(1, None, {})) if not one.key}
    assert found["corrections"] == corrections
    assert found["fp"] + found["fn"] == errors


@pytest.mark.parametrize(
    ("subs", "adds", "dels", "entity_f1", "aligned"),
    [
        pytest.param(93, 7, 38, 0.9177, 0.9032, id="LayoutXLM"),
        pytest.param(102, 9, 13, 0.9187, 0.9115, id="LayoutLMv3"),
        pytest.param(219, 9, 0, 0.8385, 0.8357, id="Donut"),
    ],
)
def test_table_1_follows_from_table_3_on_sroie(
    subs: int, adds: int, dels: int, entity_f1: float, aligned: float
) -> None:
    gold = 347 * 4  # test receipts times company, date, address and total
    tp = gold - subs - adds
    totals = {"fields": {"f": (tp, subs, adds, dels, tp)}}
    found = {one.name: one.value for one in readouts(totals, Context(1, None, {})) if not one.key}
    assert found["entity_f1"] == pytest.approx(entity_f1, abs=5e-5)
    assert found["aligned"] == pytest.approx(aligned, abs=5e-5)
    assert found["entity_f1"] == f1(tp, subs + dels, subs + adds)


CORD = {
    "entity.f1": 0.770684,
    "kieval.entity_f1": 0.770684,
    "kieval.aligned": 0.698630,
    "kieval.substitutions": 167,
    "kieval.additions": 114,
    "kieval.deletions": 159,
    "kieval.tp": 1020,
    "kieval.group_f1": 0.565820,
    "kieval.group_aligned": 0.540839,
    "kieval.documents_exact": 13,
}
CORD_OFFICIAL = {
    "kieval_official.entity_f1": 0.770684,
    "kieval_official.aligned": 0.698630,
    "kieval_official.label": 1301,
    "kieval_official.exact_match": 1020,
    "kieval_official.wrong_match": 167,
    "kieval_official.no_match": 273,
    "kieval_official.group_f1": 0.561283,
    "kieval_official.documents_exact": 10,
    "kieval_official.macro_f1": 0.497079,
}


def test_the_released_outputs_on_cord_give_the_published_numbers(shared: Path) -> None:
    folder = shared / "data" / "cord-qwen2vl"
    report = da.score(
        folder / "gold_csv", folder / "pred_csv", metrics=["entity", "kieval", "kieval_official"]
    )
    for address, published in {**CORD, **CORD_OFFICIAL}.items():
        assert report[address].value == pytest.approx(published, abs=5e-7), address


def test_the_same_outputs_as_json_score_alike_when_nested_groups_are_flattened(
    shared: Path,
) -> None:
    folder = shared / "data" / "cord-qwen2vl"
    report = da.score(folder / "gold_csv", folder / "pred_json", settings={"kieval.flatten": True})
    for address, published in CORD.items():
        assert report[address].value == pytest.approx(published, abs=5e-7), address


def test_each_document_has_the_counts_of_the_released_code(shared: Path) -> None:
    folder = shared / "data" / "cord-qwen2vl"
    expected = json.loads((folder / "expected.json").read_text())["per_document"]
    report = da.score(folder / "gold_csv", folder / "pred_csv", metrics=["kieval"])
    for line in report.lines:
        found = line.scores
        assert found["kieval.tp"] == expected[line.id]["TP"]
        assert found["kieval.aligned"] == pytest.approx(expected[line.id]["aligned"])
        assert found["kieval.substitutions"] == expected[line.id]["wrong_match"]
