"""The loss waterfall and the price of corrections, in every rendering."""

from __future__ import annotations

import csv
import io
from itertools import pairwise
from pathlib import Path

import pytest

import docassay as da
from docassay.metrics.causes import CAUSES
from docassay.metrics.causes.metric import Step, steps_of
from docassay.model.chart import Waterfall, Waterfalls
from docassay.model.report import Section
from docassay.report.charts.canvas import new_figure
from docassay.report.charts.pictures import draw, draw_waterfalls
from docassay.report.folder import read_folder, write_folder
from docassay.report.rendering import render
from docassay.synth.corpus import write_corpus
from tests.report.test_field_charts import apart, boxes

ODD = "=1+1 $x^2$ <b>|\x1b[31m"
PRICED = {"effort.hourly_rate": 45, "effort.currency": "AUD"}
METRICS = ["kieval", "fields", "causes", "effort"]


def steps(report: da.Report) -> list[Step]:
    return steps_of([*report.of("causes")])


def section(report: da.Report, start: str) -> Section:
    (found,) = [one for one in report.details.sections if one.title.startswith(start)]
    return found


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> da.Report:
    files = write_corpus(tmp_path_factory.mktemp("corpus"), docs=30, seed=7)
    return da.score(files[0], files[2], schema=files[-1], metrics=METRICS, settings=PRICED)


@pytest.fixture(scope="module")
def odd() -> da.Report:
    return da.score({"a": {ODD: "x", "b": "5"}}, {"a": {ODD: "y"}}, metrics=METRICS)


def test_causes_come_with_the_largest_first(report: da.Report) -> None:
    weights = [step.losses for step in steps(report)]
    assert all(one >= other and any(other) for one, other in pairwise(weights))


@pytest.mark.parametrize("format", ["table", "markdown"])
def test_the_report_says_why_points_are_lost_and_what_they_cost(
    format: str, report: da.Report
) -> None:
    text = render(report, format)
    assert "hy points are lost" in text
    assert "1,000 documents take" in text
    assert "AUD" in text
    assert all(step.cause in text for step in steps(report))
    assert "the worst field" in text


def test_the_advice_is_the_gain_of_the_worst_field(report: da.Report) -> None:
    field = max(
        (one for one in report.of("causes") if one.readout == "kieval_loss" and ": all" in one.key),
        key=lambda one: one.value,
    ).key
    gain = report[f"causes.kieval_gain@{field}"].value
    (sentence,) = section(report, "why").below
    assert f"by {gain:.4f}" in "".join(sentence)


def test_the_assumptions_are_stated(report: da.Report) -> None:
    assert "0.75 an addition" in section(report, "hours").above[1]


@pytest.mark.parametrize("format", ["table", "markdown"])
def test_nothing_is_said_of_what_was_not_measured(format: str) -> None:
    report = da.score({"a": {"b": "1"}}, {"a": {"b": "2"}}, metrics=["kieval", "fields"])
    text = render(report, format)
    assert "lost" not in text
    assert "hours" not in text


def test_causes_do_not_appear_as_fields(report: da.Report) -> None:
    text = render(report, "table")
    assert "line_items.description: all" not in text


def test_the_folder_has_a_table_of_causes_that_adds_up(report: da.Report, tmp_path: Path) -> None:
    write_folder(tmp_path, report)
    rows = [*csv.DictReader(io.StringIO((tmp_path / "causes.csv").read_text()))]
    for field in ("corrections", "kieval_loss", "fields_loss"):
        total = sum(float(row[field] or 0) for row in rows if not row["field"])
        assert total == pytest.approx(report[f"causes.{field}"].value, abs=1e-5)
    assert "causes.csv" in (tmp_path / "summary.md").read_text()


def test_a_stored_run_says_the_same_again(tmp_path: Path) -> None:
    run = tmp_path / "run"
    report = da.score({"a": {"b": "15"}}, {"a": {"b": "51"}}, metrics=METRICS, out=run)
    assert steps(read_folder(run)) == steps(report)


def test_files_of_an_earlier_run_do_not_stay(odd: da.Report, tmp_path: Path) -> None:
    write_folder(tmp_path, odd, charts=True)
    assert (tmp_path / "charts" / "loss-waterfall.png").exists()
    write_folder(tmp_path, da.score({"a": {"b": "1"}}, {"a": {"b": "1"}}))
    assert not (tmp_path / "causes.csv").exists()
    assert not (tmp_path / "charts" / "loss-waterfall.png").exists()


def test_the_bars_of_the_chart_lead_from_the_score_to_one(report: da.Report) -> None:
    drawings = [one.drawing for one in report.details.pictures]
    (falls,) = [one for one in drawings if isinstance(one, Waterfalls)]
    assert len(falls.panels) == 2
    for fall in falls.panels:
        assert fall.score + sum(part for _, part in fall.losses) == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("panels", [1, 2])
def test_the_names_of_causes_and_the_numbers_beside_them_never_meet(panels: int) -> None:
    fall = Waterfall("kieval.aligned", 0.83, tuple((cause, 0.01) for cause in CAUSES))
    with new_figure() as figure:
        draw_waterfalls(figure, [fall] * panels)
        figure.draw_without_rendering()
        for axes in figure.axes:
            names = boxes(axes.get_yticklabels())
            numbers = boxes(axes.texts)
            assert len(names) == len(numbers) == len(CAUSES) + 2
            assert apart(names, upright=True)
            assert apart(numbers, upright=True)


def test_the_charts_are_drawn_the_same_twice_and_hold_no_markup(
    odd: da.Report, tmp_path: Path
) -> None:
    first = [path.read_bytes() for path in draw(odd, tmp_path)]
    assert first == [path.read_bytes() for path in draw(odd, tmp_path)]
    names = {path.name for path in tmp_path.iterdir()}
    assert names >= {"loss-waterfall.png", "loss-by-field.svg"}
    assert "<b>" not in (tmp_path / "loss-by-field.svg").read_text()


def test_without_an_hourly_rate_there_is_no_column_of_costs(odd: da.Report) -> None:
    for format in ("table", "markdown"):
        assert "cost " not in render(odd, format).partition("to review and correct")[2]


def test_where_nothing_is_lost_nothing_is_drawn(tmp_path: Path) -> None:
    report = da.score({"a": {"b": "1"}}, {"a": {"b": "1"}}, metrics=METRICS)
    assert not any("loss" in path.name for path in draw(report, tmp_path))
    assert not any("lost" in one.title for one in report.details.sections)
    assert "1,000 documents take 16.7 hours" in section(report, "hours").above[0]


def test_odd_names_do_no_harm(odd: da.Report, tmp_path: Path) -> None:
    for format in ("table", "markdown"):
        assert "\x1b" not in render(odd, format)
    write_folder(tmp_path, odd)
    assert "\n'=1+1" in (tmp_path / "causes.csv").read_text()
