"""`docassay compare`: its formats, its folder, and tables of models and data sets."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

import docassay as da
from tests.cli.cli_corpus import Command

WRONG = {"good": 1, "poor": 9}


FOLDERS = [f"runs/{dataset}/{model}" for dataset in ("cord", "sroie") for model in WRONG]


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs of two models on two data sets, in folders DATASET/MODEL."""
    home = tmp_path_factory.mktemp("stored")
    for dataset in ("cord", "sroie"):
        gold = {f"{dataset} {at}": {"total": str(at), "name": "x"} for at in range(12)}
        for model, wrong in WRONG.items():
            pred = {
                name: {**tree, "total": "?"} if at < wrong else tree
                for at, (name, tree) in enumerate(gold.items())
            }
            da.score(gold, pred, metrics=["kieval"], out=home / "runs" / dataset / model)
    return home


@pytest.fixture
def runs(stored: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    (tmp_path / "runs").symlink_to(stored / "runs")
    monkeypatch.chdir(tmp_path)
    return FOLDERS


def test_the_table_has_the_verdict_first_and_ends_with_what_explains_it(
    runs: list[str], docassay: Command
) -> None:
    ended = docassay("compare", *runs[:2], "-q")
    assert ended.code == 0
    lines = ended.out.splitlines()
    assert lines[0].startswith("good is better than poor by 0.333 [")
    assert "  docassay explain runs/cord/poor 'cord 1'" in lines
    whole = docassay("compare", *runs[:2], "-v", "-q").out
    assert "kieval.entity_" in whole, "a long name goes on in the next line"


@pytest.mark.parametrize(
    ("format", "start"),
    [
        ("json", '{"docassay":'),
        ("markdown", "## `good` is better than `poor` by 0.333"),
        ("csv", "score,kind,key"),
        ("latex", "% good is better than poor"),
        ("html", '<!doctype html>\n<html lang="en">'),
    ],
)
def test_every_format_goes_to_stdout(
    format: str, start: str, runs: list[str], docassay: Command
) -> None:
    assert docassay("compare", *runs[:2], "--format", format).out.startswith(start)


def test_a_folder_keeps_the_comparison(runs: list[str], docassay: Command, tmp_path: Path) -> None:
    ended = docassay("compare", *runs[:2], "--out", "kept")
    assert "kept in kept" in ended.err
    names = {path.name for path in (tmp_path / "kept").iterdir()}
    assert names == {
        *("comparison.json", "comparison.md", "comparison.csv", "comparison.html"),
        "documents.csv",
    }
    data = json.loads((tmp_path / "kept" / "comparison.json").read_text())
    assert [run["name"] for run in data["runs"]] == ["good", "poor"]
    refused = docassay("compare", *runs[:2], "--charts")
    assert refused.code == 2
    assert "--out DIR" in refused.err


def test_models_and_data_sets_are_tabulated(runs: list[str], docassay: Command) -> None:
    rows = [line.split() for line in docassay("compare", "--table", *runs).out.splitlines()]
    assert ["model", "cord", "sroie"] in rows
    assert ["good", ">0.9583", ">0.9583"] in rows
    assert ["poor", "0.6250*", "0.6250*"] in rows


def test_scores_rows_and_names_of_a_table_can_be_chosen(runs: list[str], docassay: Command) -> None:
    ended = docassay(
        *("compare", "--table", *runs, "--scores", "aligned,kieval.fp + kieval.fn"),
        *("--rows", "dataset", "--percent", "--format", "markdown"),
        *("--dataset", "runs/cord/good=CORD", "--model", "sroie/poor=Poor"),
        *("--model", "cord/poor=Poor"),
    )
    assert ended.code == 0, ended.err
    assert "| `CORD` | **95.83** | **2** | 62.50 \\* | 18 |" in ended.out
    assert "`Poor` `kieval.fp + kieval.fn`" in ended.out


def test_a_table_is_kept_in_every_form(runs: list[str], docassay: Command, tmp_path: Path) -> None:
    assert docassay("compare", "--table", *runs, "--out", "kept", "-q").code == 0
    names = {path.name for path in (tmp_path / "kept").iterdir()}
    assert names == {"table.csv", "table.json", "table.md", "table.tex"}
    rows = csv.DictReader(io.StringIO((tmp_path / "kept" / "table.csv").read_text()))
    assert {row["dataset"] for row in rows} == {"cord", "sroie"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--table", "--margin", "0.1"), "--margin is not for --table"),
        (("--table", "-v"), "--verbose is not for --table"),
        (("--percent",), "--percent is for --table"),
        (("--scores", "aligned"), "--scores is for --table"),
        (("--table", "--format", "html"), "there is: csv, json, latex, markdown, table"),
        (("--table", "--scores", "algned"), "did you mean 'aligned'"),
        (("--table", "--dataset", "x"), "'x' is not RUN=NAME"),
        (("--table", "--model", "nowhere=x"), "nowhere"),
    ],
)
def test_what_does_not_fit_together_is_refused(
    arguments: tuple[str, ...], said: str, runs: list[str], docassay: Command
) -> None:
    ended = docassay("compare", *runs, *arguments)
    assert ended.code == 2
    assert said in ended.err
    assert ended.out == ""
