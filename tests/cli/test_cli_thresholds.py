"""`docassay thresholds`."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from tests.cli.cli_corpus import Command, write_jsonl


@pytest.fixture
def run(tmp_path: Path, docassay: Command) -> str:
    gold = {f"d{at}": {"total": "1", "date": "2"} for at in range(80)}
    pred = {
        f"d{at}": {
            "total": {"value": "1", "confidence": 0.9},
            "date": {"value": "2" if at % 4 else "3", "confidence": 0.5 + (at % 4) / 10},
        }
        for at in range(80)
    }
    files = [write_jsonl(tmp_path / "gold.jsonl", dict(gold))]
    files += [write_jsonl(tmp_path / "pred.jsonl", dict(pred))]
    assert docassay("score", *files, "--out", str(tmp_path / "run"), "-q").code == 0
    return str(tmp_path / "run")


def test_the_table_shows_every_way(run: str, docassay: Command) -> None:
    ended = docassay(
        *("thresholds", run, "--target-error", "0.1", "--budget", "0.2"),
        *("--price", "review=0.5,correction=2,missed=50"),
    )
    lines = [" ".join(line.split()) for line in ended.out.splitlines()]
    assert ended.code == 0
    assert "field guaranteed naive budget cheapest" in lines
    assert "date 0.6 0.6 0.6 0.6" in lines


def test_yaml_is_what_to_deploy(run: str, docassay: Command) -> None:
    ended = docassay("thresholds", run, "--target-error", "0.1", "--format", "yaml")
    assert yaml.safe_load(ended.out)["thresholds"] == {"date": 0.6, "total": 0.9}


def test_words_go_to_stderr_unless_quiet(run: str, docassay: Command) -> None:
    assert "one confidence for all values" in docassay("thresholds", run).err
    assert docassay("thresholds", run, "-q").err == ""


def test_a_folder_keeps_it(run: str, tmp_path: Path, docassay: Command) -> None:
    ended = docassay("thresholds", run, "--out", str(tmp_path / "kept"))
    assert f"kept in {tmp_path / 'kept'}" in ended.err
    assert (tmp_path / "kept" / "thresholds.yaml").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        pytest.param(["--price", "review=much"], 2, "'review=much' is no price", id="no number"),
        pytest.param(
            ["--price", "review=1,review=2"], 2, "price of review is given twice", id="twice"
        ),
        pytest.param(["--price", "review=1"], 2, "the price of correction is missing", id="one"),
        pytest.param(["--target-error", "2"], 2, "the target error is 2.0", id="target"),
    ],
)
def test_an_option_that_cannot_work_is_one_line(
    arguments: list[str], code: int, told: str, run: str, docassay: Command
) -> None:
    ended = docassay("thresholds", run, *arguments)
    assert (ended.code, ended.out) == (code, "")
    assert told in ended.err


def test_a_folder_that_is_no_run_is_one_line(tmp_path: Path, docassay: Command) -> None:
    ended = docassay("thresholds", str(tmp_path))
    assert ended.code == 2
    assert "is no run folder" in ended.err


def test_a_run_without_confidences_is_one_line(tmp_path: Path, docassay: Command) -> None:
    gold = write_jsonl(tmp_path / "gold.jsonl", {"a": {"x": "1"}})
    docassay("score", gold, gold, "--out", str(tmp_path / "run"), "-q")
    ended = docassay("thresholds", str(tmp_path / "run"))
    assert ended.code == 3
    assert "no predicted value states a confidence" in ended.err
