"""The threshold sweep: Nerval from perfect text to tags alone."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

import docassay as da
from docassay.analysis.study.shuffle import sweep_study
from docassay.errors import ConfigurationError, UnknownName
from docassay.report.study import render, write_study

GOLD = {"p": {"name": ["Jean Bernard", "Marie"], "date": ["26 mai 1770"]}}
PRED = {"p": {"name": ["Jean Bernart", "Xyzzy"], "date": ["26 mai 1771"]}}


def test_the_ends_ask_for_perfect_text_and_for_tags_alone() -> None:
    points = sweep_study(GOLD, PRED, steps=10).points
    assert [point.threshold for point in points] == [step / 10 for step in range(11)]
    assert points[0].oinerval_f1 == 0.0
    assert points[1].oinerval_f1 == pytest.approx(2 / 3)
    assert points[-1].oinerval_f1 == 1.0


def test_a_looser_threshold_never_finds_fewer_entities() -> None:
    points = sweep_study(GOLD, PRED, steps=20).points
    for readout in ("nerval_f1", "oinerval_f1"):
        values = [getattr(point, readout) for point in points]
        assert values == sorted(values)


def test_a_point_is_what_a_run_at_its_threshold_gives() -> None:
    point = sweep_study(GOLD, PRED, steps=4).points[1]
    report = da.score(GOLD, PRED, metrics=["ner"], settings={"ner.threshold": "0.25"})
    assert point.nerval_recall == report["ner.nerval_recall"].value
    assert point.oinerval_precision == report["ner.oinerval_precision"].value


def test_one_category_is_swept_alone_and_an_unknown_one_is_an_error() -> None:
    study = sweep_study(GOLD, PRED, steps=10, category="date")
    assert study.points[1].oinerval_f1 == 1.0
    with pytest.raises(UnknownName, match="there is: date, name"):
        sweep_study(GOLD, PRED, category="place")


@pytest.mark.parametrize("steps", [0, 5000])
def test_a_sweep_has_steps(steps: int) -> None:
    with pytest.raises(ConfigurationError, match="no sweep"):
        sweep_study(GOLD, PRED, steps=steps)


def test_every_threshold_is_in_csv_and_json_and_a_few_in_the_table() -> None:
    study = sweep_study(GOLD, PRED, steps=100)
    rows = list(csv.DictReader(io.StringIO(render(study, "csv"))))
    assert len(rows) == len(json.loads(render(study, "json"))["points"]) == 101
    assert rows[30]["threshold"] == "0.3"
    assert "80 thresholds" in render(study, "table")


def test_the_folder_holds_tables_and_a_chart(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    write_study(tmp_path, sweep_study(GOLD, PRED, steps=10))
    found = {file.name for file in tmp_path.iterdir()}
    assert found == {"sweep.csv", "sweep.json", "sweep.md", "sweep.png", "sweep.svg"}
    assert "OINerval, F1" in (tmp_path / "sweep.svg").read_text()
