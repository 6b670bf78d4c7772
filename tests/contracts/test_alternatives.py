"""Gold may list several right values for a leaf: each of them is right, in every metric."""

from __future__ import annotations

import pytest

import docassay as da
from docassay.metrics.metric import METRICS
from docassay.model.report import Report

GOLD = {
    "total": {"any_of": ["5.00", "7", "nine ten"]},
    "tags": ["u", {"any_of": ["v", "w"]}],
    "items": [
        {"n": {"any_of": ["a", "b"]}, "p": "1"},
        {"n": "c", "p": {"any_of": ["3", "4"], "page": 1}},
    ],
}
PREDS = [
    pytest.param(
        {
            "total": total,
            "tags": ["u", tag],
            "items": [{"n": name, "p": "1"}, {"n": "c", "p": price}],
        },
        id=f"{total}, {tag}, {name}, {price}",
    )
    for total, tag, name, price in [
        ("5.00", "v", "a", "3"),
        ("7", "w", "a", "4"),
        ("nine ten", "v", "b", "3"),
        ("7", "w", "b", "4"),
    ]
]
FIRST_ONLY = {
    "vrdu_official": "the released tool knows alternatives of unrepeated fields alone",
}
WHOLE_TEXT = {
    *("cer", "wer", "iehhr", "nerval_precision", "nerval_recall", "nerval_f1"),
    *("btwer", "bt_precision", "bt_recall", "bt_f1", "beer", "be_precision", "be_recall", "be_f1"),
    *("bwer", "bow_precision", "bow_recall", "bow_f1"),
}
"""Readouts of `ner` for which the first alternative is the text; entity costs take the least."""


@pytest.mark.parametrize("metric", [one for one in METRICS.names() if one not in FIRST_ONLY])
@pytest.mark.parametrize("pred", PREDS)
def test_a_value_equal_to_any_alternative_is_as_right_as_the_only_one(
    metric: str, pred: dict
) -> None:
    found, perfect = (da.score({"x": one}, {"x": pred}, metrics=[metric]) for one in (GOLD, pred))
    assert values(found) == values(perfect)


def values(report: Report) -> dict[str, object]:
    return {one.address: one.value for one in report.scores if one.readout not in WHOLE_TEXT}


@pytest.mark.parametrize("metric", ["entity", "hybrid", "kieval", "tree"])
def test_a_value_equal_to_no_alternative_is_wrong(metric: str) -> None:
    report = da.score({"x": GOLD}, {"x": {"total": "6"}}, metrics=[metric])
    headline = {"entity": "f1", "hybrid": "score", "kieval": "aligned", "tree": "nted"}[metric]
    assert report[f"{metric}.{headline}"].value < 0.2
