"""Options of counting decide whether runs can be joined; options of display never do."""

from __future__ import annotations

from pathlib import Path

import pytest

import docassay as da
from docassay import ConfigurationError, UnknownName
from docassay.metrics.metric import METRICS
from docassay.report.folder import read_folder
from docassay.run.plan import bind, displayed, make_plan

GOLD = {"a": {"total": "1"}, "b": {"total": "2"}}
PRED = {"a": {"total": "1"}, "b": {"total": "3"}}
METRIC_NAMES = ["fields", "effort"]


def plan_of(**settings: object) -> bytes:
    given = {name.replace("__", "."): value for name, value in settings.items()}
    return make_plan(metrics=METRIC_NAMES, settings=given).to_json()


def test_plans_that_differ_only_in_display_count_the_same() -> None:
    assert plan_of(effort__hourly_rate=40, fields__good_field=0.85) == plan_of()
    assert plan_of(fields__method="exact") != plan_of()


def test_settings_and_signature_name_options_of_both_kinds() -> None:
    settings = {"effort.hourly_rate": "40", "fields.method": "exact"}
    bound = bind(make_plan(metrics=METRIC_NAMES, settings=settings))
    assert bound.settings["effort.hourly_rate"] == 40.0
    assert bound.settings["fields.method"] == "exact"
    assert "effort.hourly_rate=40.0" in bound.signature
    assert "fields.method=exact" in bound.signature


def test_every_option_is_of_counting_or_of_display() -> None:
    for entry in METRICS.entries():
        assert {*entry.options} == {*entry.counting_options} ^ {*entry.display_options}


@pytest.mark.parametrize(
    "option",
    ["effort.hourly_rate", "fields.pilot_ready", "kieval.tau", "hybrid.weight", "ner.macro"],
)
def test_what_only_shapes_the_display_is_no_option_of_counting(option: str) -> None:
    name, _, own = option.partition(".")
    assert own in METRICS.get(name).display_options


def test_a_stored_run_is_shown_with_other_options_of_display(tmp_path: Path) -> None:
    report = da.score(GOLD, PRED, metrics=METRIC_NAMES, out=tmp_path)
    priced = {"effort.hourly_rate": "40"}
    again = read_folder(tmp_path, display=priced)
    fresh = da.score(GOLD, PRED, metrics=METRIC_NAMES, settings=priced)
    assert again.scores == fresh.scores
    assert again.settings == fresh.settings
    assert again.signature == fresh.signature
    assert report["effort.cost_per_1000"].value is None


def test_a_run_keeps_its_options_of_display(tmp_path: Path) -> None:
    settings = {"effort.hourly_rate": 40, "fields.pilot_ready": 0.85}
    report = da.score(GOLD, PRED, metrics=METRIC_NAMES, settings=settings, out=tmp_path)
    assert read_folder(tmp_path).settings == report.settings


def test_a_run_is_resumed_with_other_options_of_display(tmp_path: Path) -> None:
    da.score(GOLD, PRED, metrics=METRIC_NAMES, out=tmp_path)
    resumed = da.score(
        GOLD,
        PRED,
        metrics=METRIC_NAMES,
        settings={"effort.hourly_rate": 40},
        out=tmp_path,
        resume=True,
    )
    assert resumed["effort.cost_per_1000"].value is not None


@pytest.mark.parametrize(
    ("setting", "error", "message"),
    [
        ("fields.method", ConfigurationError, "must be scored again"),
        ("fields.nonsense", UnknownName, "fields.nonsense"),
        ("kieval.tau", UnknownName, "kieval.tau"),
    ],
    ids=["of counting", "unknown", "of a metric that was not measured"],
)
def test_a_setting_that_is_not_of_display_is_refused(
    setting: str, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        displayed(make_plan(metrics=METRIC_NAMES), {setting: "exact"})


def test_a_wrong_value_of_a_display_option_is_refused(tmp_path: Path) -> None:
    da.score(GOLD, PRED, metrics=METRIC_NAMES, out=tmp_path)
    with pytest.raises(ConfigurationError, match="at least 0"):
        read_folder(tmp_path, display={"effort.hourly_rate": "-1"})
