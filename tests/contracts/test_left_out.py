"""What is left out of a document changes no score of any metric."""

from __future__ import annotations

import pytest

import docassay as da
from docassay.metrics.metric import METRICS
from docassay.model.report import Report

SCHEMA = {
    "fields": {"total": "money", "date": "date", "vendor": "text"},
    "groups": {"items": {"fields": {"name": "text", "price": "money"}}},
}
GOLD = {
    "total": "5.00",
    "vendor": "Acme",
    "items": [{"name": "pen", "price": "1"}, {"name": "ink", "price": "4"}],
}
PRED = {
    "total": {"value": "5", "confidence": 0.9},
    "vendor": "Acne",
    "items": [{"name": "pen", "price": "2"}, {"name": "ink", "price": "4"}],
}
NOISE = {"reasoning": "the total is 5", "steps": [{"n": "1"}, {"n": "2"}], "note": {"a": "b"}}


def scores(report: Report) -> dict[str, object]:
    return {score.address: (score.value, score.support) for score in report.scores}


def noisy(tree: dict[str, object], **more: object) -> dict[str, object]:
    rows = [{**row, **more} for row in tree["items"]]  # type: ignore[attr-defined]
    return {**tree, **NOISE, "items": rows}


@pytest.mark.parametrize("metric", [name for name in METRICS.names() if name != "valid"])
def test_fields_that_the_schema_does_not_name_change_nothing(metric: str) -> None:
    plain = da.score({"x": GOLD}, {"x": PRED}, schema=SCHEMA, metrics=[metric])
    for gold, pred in ((GOLD, noisy(PRED, why="x")), (noisy(GOLD, id="7"), noisy(PRED, why="x"))):
        report = da.score({"x": gold}, {"x": pred}, schema=SCHEMA, metrics=[metric])
        assert scores(report) == scores(plain)


@pytest.mark.parametrize("metric", METRICS.names())
def test_ignored_fields_change_nothing(metric: str) -> None:
    plain = da.score({"x": GOLD}, {"x": PRED}, metrics=[metric])
    ignore = ["reasoning", "st*s", "note.a", "*.why"]
    report = da.score({"x": GOLD}, {"x": noisy(PRED, why="x")}, metrics=[metric], ignore=ignore)
    assert scores(report) == scores(plain)


@pytest.mark.parametrize("metric", METRICS.names())
@pytest.mark.parametrize("schema", [None, SCHEMA])
def test_unlabelled_fields_change_nothing(metric: str, schema: object) -> None:
    known = {"labelled": ["total", "items.price"]}
    bare_gold = {"total": "5.00", "items": [{"price": "1"}, {"price": "4"}], **known}
    bare_pred = {"total": PRED["total"], "items": [{"price": "2"}, {"price": "4"}]}
    plain = da.score(
        {"x": bare_gold}, {"x": bare_pred}, schema=schema, metrics=[metric], types="text"
    )
    for gold in (bare_gold, {**GOLD, **known}):
        report = da.score({"x": gold}, {"x": PRED}, schema=schema, metrics=[metric], types="text")
        assert scores(report) == scores(plain)


@pytest.mark.parametrize("metric", METRICS.names())
def test_keys_that_gold_lacks_change_nothing_where_they_are_unlabelled(metric: str) -> None:
    schema = {**SCHEMA, "missing": "unlabelled"}
    gold = {"total": "5.00", "date": None, "items": [{"name": "pen"}, {"name": "ink"}]}
    pred = {"total": "5", "items": [{"name": "pen"}, {"name": "ink"}, {"name": "cap"}]}
    rows = [{**row, "price": "1"} for row in pred["items"]]  # type: ignore[union-attr]
    plain = da.score({"x": gold}, {"x": pred}, schema=schema, metrics=[metric], types="text")
    more = {**pred, "vendor": "Acme", "items": rows}
    report = da.score({"x": gold}, {"x": more}, schema=schema, metrics=[metric], types="text")
    assert scores(report) == scores(plain)
