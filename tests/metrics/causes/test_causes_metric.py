"""The metric `causes`: losses by cause and field, and gains that are worked out anew."""

from __future__ import annotations

import pytest

import docassay as da
from docassay import ConfigurationError, UnknownName

GOLD = {"a": {"total": "110.00", "tax": "10.00", "items": [{"n": "Tea"}, {"n": "Rye"}]}}
PRED = {"a": {"total": "-110.00", "fee": "4.17", "items": [{"n": "Tea"}, {"n": "Rye"}]}}


def score(gold: object = GOLD, pred: object = PRED, **settings: object) -> da.Report:
    told = {name.replace("__", "."): value for name, value in settings.items()}
    metrics = ["kieval", "fields", "causes"]
    return da.score(gold, pred, metrics=metrics, settings=told, types="text")


def test_losses_are_told_in_all_by_cause_and_by_field() -> None:
    report = score()
    assert report["causes.corrections"].value == 3
    assert report["causes.kieval_loss"].value == pytest.approx(3 / 5)
    assert report["causes.kieval_loss@sign"].value == pytest.approx(1 / 5)
    assert report["causes.corrections@total: sign"].value == 1
    assert report["causes.corrections@total: all"].value == 1
    assert report["causes.fields_loss@missing value"].value == pytest.approx(1 / 4)


def test_a_cause_that_takes_nothing_is_there_with_nothing() -> None:
    assert score()["causes.kieval_loss@truncated"].value == 0
    assert score()["causes.kieval_gain@truncated"].value == 0


def test_what_fixing_gives_is_not_the_share() -> None:
    report = score()
    share, gain = report["causes.kieval_loss@hallucinated value"], report["causes.kieval_gain@sign"]
    assert share.value == pytest.approx(1 / 5)
    assert gain.value == pytest.approx(1 / 5)
    # without the value that should not be there, only four are left to count: 2 of 4 for 2 of 5
    taken_away = report["causes.kieval_gain@hallucinated value"]
    assert taken_away.value == pytest.approx(2 / 4 - 2 / 5)


def test_a_document_with_nothing_left_to_score_leaves_the_mean() -> None:
    gold, pred = {"a": {"b": "1"}, "c": {}}, {"a": {"b": "1"}, "c": {"b": "7654"}}
    report = score(gold, pred)
    assert report["causes.fields_loss"].value == pytest.approx(1 / 2)
    assert report["causes.fields_gain@hallucinated value"].value == pytest.approx(1 / 2)
    assert report["causes.kieval_gain@hallucinated value"].value == pytest.approx(1 / 2)


def test_fixing_a_field_is_tried_too() -> None:
    gain = score()["causes.fields_gain@total: all"].value
    assert gain == pytest.approx(1 / 4)


def test_a_row_too_many_is_blamed_for_the_columns_that_it_shifts() -> None:
    gold = {"a": {"items": [{"n": "Tea", "p": "3"}, {"n": "Rye", "p": "7"}]}}
    pred = {"a": {"items": [{"n": "Sum"}, {"n": "Tea", "p": "3"}, {"n": "Rye", "p": "7"}]}}
    report = score(gold, pred, fields__method="order_aware_f1")
    lost = report["causes.fields_loss@items.p: hallucinated row"]
    assert lost.value == pytest.approx(0.5)
    assert report["causes.fields_gain@hallucinated row"].value == pytest.approx(
        report["causes.fields_loss"].value
    )


def test_rows_in_another_order_are_rows_in_the_wrong_place() -> None:
    gold = {"a": {"items": [{"n": "Tea"}, {"n": "Rye"}]}}
    pred = {"a": {"items": [{"n": "Rye"}, {"n": "Tea"}]}}
    report = score(gold, pred, fields__method="order_aware_f1")
    assert report["causes.kieval_loss"].value == 0
    assert report["causes.fields_loss@wrong row"].value == 1
    assert report["causes.fields_gain@wrong row"].value == 1


def test_a_field_named_like_a_cause_keeps_its_own_numbers() -> None:
    report = score({"a": {"sign": "x", "b": "-1"}}, {"a": {"sign": "y", "b": "1"}})
    assert report["causes.corrections@sign: other"].value == 1
    assert report["causes.corrections@sign"].value == 1
    assert report["causes.corrections@b: sign"].value == 1


def test_the_options_of_fields_go_for_the_causes_of_its_losses() -> None:
    report = score(fields__method="exact")
    assert report.settings["causes.method"] == "exact"
    told = score(fields__method="exact", causes__method="anls")
    assert told.settings["causes.method"] == "anls"


def test_options_that_cannot_work_are_refused() -> None:
    with pytest.raises(UnknownName):
        score(causes__method="best")
    with pytest.raises(ConfigurationError):
        score(causes__item_words="2")
