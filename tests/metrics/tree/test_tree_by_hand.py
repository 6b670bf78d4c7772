"""`tree` on documents of our own, both scores worked out by hand.

nTED counts characters of values and one for every key and row; ANLS* is the mean over values.
"""

from __future__ import annotations

import pytest

import docassay as da

DOCUMENTS = [
    pytest.param(
        {"total": "10.50", "menu": [{"nm": "Tea"}]},
        {"total": "10.50", "menu": [{"nm": "Tee"}]},
        # total 1 + 5, menu 1, its row 1, nm 1, Tea 3: one of 12 is to be changed
        11 / 12,
        (1 + 2 / 3) / 2,
        id="one letter",
    ),
    pytest.param(
        {"a": "1234", "b": "12"},
        {"a": "1234"},
        # a 1 + 4, b 1 + 2: the 3 of b are missing
        5 / 8,
        1 / 2,
        id="a key missing",
    ),
    pytest.param(
        {"a": "1234"},
        {"a": "1234", "b": "12"},
        2 / 5,
        1 / 2,
        id="a key too many",
    ),
    pytest.param(
        {"menu": [{"nm": "Tea"}, {"nm": "Rye"}]},
        {"menu": [{"nm": "Rye"}, {"nm": "Tea"}]},
        # menu 1, rows 2, keys 2, letters 6: all three letters differ in both places
        (11 - 6) / 11,
        1,
        id="rows in another order",
    ),
    pytest.param(
        {"a": ["x", "y", "z"]},
        {"a": ["x", "z"]},
        3 / 4,
        2 / 3,
        id="an item missing",
    ),
    pytest.param(
        {"a": "abcd"},
        {"a": "abxy"},
        3 / 5,
        1 / 2,
        id="half a text",
    ),
    pytest.param({"a": "abcd"}, {"a": "axyz"}, 2 / 5, 0, id="less than half a text"),
    pytest.param({"a": "abc"}, {"b": "abc"}, 3 / 4, 0, id="a key with another name"),
    pytest.param({"a": "abc"}, {}, 0, 0, id="nothing"),
]


@pytest.mark.parametrize(("gold", "pred", "nted", "anls"), DOCUMENTS)
def test_the_scores_are_those_worked_out_by_hand(
    gold: object, pred: object, nted: float, anls: float
) -> None:
    scorer = da.Scorer(metrics=["tree"])
    scorer.add("d", gold, pred)
    report = scorer.report()
    assert report["tree.nted"].value == pytest.approx(nted)
    assert report["tree.anls_star"].value == pytest.approx(anls)


def test_scores_over_documents_are_means() -> None:
    rows = [entry.values for entry in DOCUMENTS]
    gold = {f"{number}": row[0] for number, row in enumerate(rows)}
    pred = {f"{number}": row[1] for number, row in enumerate(rows)}
    report = da.score(gold, pred, metrics=["tree"])
    assert report["tree.nted"].value == pytest.approx(sum(row[2] for row in rows) / len(rows))
    assert report["tree.anls_star"].value == pytest.approx(sum(row[3] for row in rows) / len(rows))
