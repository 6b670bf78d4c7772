"""A small data set of the VRDU benchmark, of our own, with counts by hand, through the library.

| name       | gold | found | right | what happened                                     |
| ---------- | ---: | ----: | ----: | ------------------------------------------------- |
| advertiser |    2 |     2 |     1 | one misspelt                                      |
| staff      |    3 |     2 |     2 | one missed, one in other white space              |
| line items |    3 |     3 |     2 | one amount in another notation, one wrong program |
"""

from __future__ import annotations

import pytest

import docassay as da
from docassay.load.formats.vrdu import VrduDocument

META = {
    "entity_name_to_match_func": {
        "advertiser": "GeneralStringMatch",
        "staff": "NameMatch",
        "program": "GeneralStringMatch",
        "amount": "PriceMatch",
    },
    "entity_appearance_pattern": {
        "advertiser": "unrepeated",
        "staff": "repeated",
        "program": "line_item",
        "amount": "line_item",
    },
}
BOX = [0, 0.1, 0.1, 0.2, 0.2]


def gold(name: str, *texts: str) -> list[object]:
    return [name, [[text, BOX, [[0, 1]]] for text in texts]]


def gold_row(program: str, amount: str) -> list[object]:
    cells = [[text, BOX, [[0, 1]]] for text in (program, amount)]
    return [["program", "amount"], [cells]]


def pred(name: str, text: str, at: int = 0) -> list[object]:
    return [name, [text, BOX, [[at, at + 1]]]]


GOLD = {
    "one": [
        gold("advertiser", "Acme", "Acme Ltd"),
        gold("staff", "Ida Berg"),
        gold("staff", "Otto Lind"),
        gold_row("News", "$10.00"),
        gold_row("Sport", "$20.00"),
    ],
    "two": [gold("advertiser", "Bolt"), gold("staff", "Ada Holm"), gold_row("Quiz", "$5.00")],
}
PRED = {
    "one": [
        pred("advertiser", "Acme Ltd"),
        pred("staff", "IdaBerg"),
        pred("program", "News"),
        pred("amount", "10"),
        pred("program", "Sport", 1),
        pred("amount", "$20.00", 1),
    ],
    "two": [
        pred("advertiser", "Bold"),
        pred("staff", "Ada Holm"),
        pred("program", "Quiz show"),
        pred("amount", "$5.00"),
    ],
}


@pytest.fixture(scope="module")
def report() -> da.Report:
    scorer = da.Scorer(metrics=["vrdu_official"])
    for id in GOLD:
        scorer.add(id, VrduDocument({}, GOLD[id], META), VrduDocument({}, PRED[id]))
    return scorer.report()


def test_the_counts_are_those_by_hand(report: da.Report) -> None:
    counts = {name: report[f"vrdu_official.{name}"].value for name in ("tp", "fn", "fp")}
    assert counts == {"tp": 5, "fn": 3, "fp": 2}


def test_micro_adds_up_counts(report: da.Report) -> None:
    assert report["vrdu_official.micro_precision"].value == pytest.approx(5 / 7)
    assert report["vrdu_official.micro_recall"].value == pytest.approx(5 / 8)
    assert report["vrdu_official.micro_f1"].value == pytest.approx(10 / 15)


def test_macro_is_the_mean_over_names(report: da.Report) -> None:
    by_name = {"advertiser": 2 / 4, "staff": 4 / 5, "line_item": 4 / 6}
    found = {name: report[f"vrdu_official.f1@{name}"].value for name in by_name}
    assert found == pytest.approx(by_name)
    assert report["vrdu_official.macro_f1"].value == pytest.approx(sum(by_name.values()) / 3)
    assert report["vrdu_official.unrepeated_f1"].value == pytest.approx(2 / 4)
    assert report["vrdu_official.hierarchical_f1"].value == pytest.approx(4 / 6)
