"""Studies as text, as files and by command."""

from __future__ import annotations

import csv
import io
import json
import sys
from pathlib import Path

import pytest

from docassay.analysis.study.correlation import correlation_study
from docassay.analysis.study.result import CorrelationStudy, ShuffleStudy
from docassay.analysis.study.shuffle import shuffle_study
from docassay.cli import run
from docassay.errors import FileError, UnknownName
from docassay.report.study import render, write_study
from tests.analysis.study.study_corpus import GOLD, PRED, write_synth


@pytest.fixture
def shuffled(places: None) -> ShuffleStudy:
    return shuffle_study(GOLD, PRED, metrics=["places", "entity"])


@pytest.fixture(scope="module")
def correlated(runs: list[str]) -> CorrelationStudy:
    return correlation_study(runs)


def test_the_table_of_a_shuffle_says_what_moves(shuffled: ShuffleStudy) -> None:
    text = render(shuffled, "table")
    assert text.startswith("3 documents, 2 of them shuffled 10 times (seed 0): 2 scores move, ")
    moving, _, still = text.partition("\ndoes not move ")
    assert "places.share" in moving
    assert "  -0." in moving
    assert "entity.f1" in still
    assert "undefined before and after: places.nothing" in still


def test_the_csv_of_a_shuffle_has_a_row_a_readout(shuffled: ShuffleStudy) -> None:
    rows = [*csv.DictReader(io.StringIO(render(shuffled, "csv")))]
    assert len(rows) == len(shuffled.movements)
    assert [*rows[0]] == [
        *("metric", "readout", "before", "mean", "lowest", "highest", "deviation"),
        *("change", "word"),
    ]
    assert float(rows[0]["change"]) == pytest.approx(shuffled.movements[0].change, abs=1e-6)


def test_the_json_of_a_shuffle_holds_all_of_it(shuffled: ShuffleStudy) -> None:
    found = json.loads(render(shuffled, "json"))
    assert (found["study"], found["documents"], found["shuffled"]) == ("shuffle", 3, 2)
    assert len(found["readouts"]) == len(shuffled.movements)
    assert found["readouts"][0]["word"] == "moves"
    assert found["problems"][0]["document"] == "c"


def test_markdown_has_a_table(shuffled: ShuffleStudy, correlated: CorrelationStudy) -> None:
    assert "| `places.share` | " in render(shuffled, "markdown")
    assert "### Over 3 runs" in render(correlated, "markdown")


def test_the_table_of_correlations_shows_both_ends(correlated: CorrelationStudy) -> None:
    text = render(correlated, "table")
    assert f"{correlated.tested:,} correlations tested" in text
    assert "entity.f1 ~ " in text
    assert "\n…\n" in text
    assert "(csv and json have them all)" in text


def test_constant_readouts_are_named() -> None:
    from docassay.api.score import Scorer

    scorer = Scorer(metrics=["entity"])
    for number, pred in enumerate(({"a": "1"}, {"b": "1"}, {"a": "1", "b": "1"})):
        scorer.add(str(number), {"a": "1", "b": "1"}, pred)
    text = render(correlation_study({"run": scorer.ledger()}), "table")
    assert "Constant or undefined over all documents: entity.precision" in text


def test_the_csv_of_correlations_has_a_row_a_pair(correlated: CorrelationStudy) -> None:
    rows = [*csv.DictReader(io.StringIO(render(correlated, "csv")))]
    assert len(rows) == len(correlated.pairs)
    assert rows[0]["first"] == correlated.pairs[0].first
    assert float(rows[0]["pearson"]) == pytest.approx(correlated.pairs[0].pearson, abs=1e-6)


def test_the_json_of_correlations_says_null_for_undefined(correlated: CorrelationStudy) -> None:
    found = json.loads(render(correlated, "json"))
    assert found["tested"] == correlated.tested
    assert {one["pearson"] is None for one in found["pairs"]} == {True, False}
    assert all(one["why"] for one in found["pairs"] if one["pearson"] is None)


def test_an_unknown_format_is_answered_with_what_exists(shuffled: ShuffleStudy) -> None:
    with pytest.raises(UnknownName, match="there is: csv, json, markdown, table"):
        render(shuffled, "pdf")


def test_a_study_is_kept_with_its_charts(places: None, tmp_path: Path) -> None:
    study = shuffle_study(GOLD, PRED, metrics=["places"], repetitions=2)
    assert write_study(tmp_path / "kept", study) == ()
    names = {file.name for file in (tmp_path / "kept").iterdir()}
    assert names == {f"shuffle.{suffix}" for suffix in ("csv", "json", "md", "png", "svg")}


def test_correlations_are_kept_with_maps_over_documents_and_runs(
    runs: list[str], tmp_path: Path
) -> None:
    write_study(tmp_path, correlation_study(runs, readouts=["entity.f1", "kieval.aligned"]))
    tables = {f"correlation.{suffix}" for suffix in ("csv", "json", "md")}
    maps = {
        f"{kind}{scope}.{suffix}"
        for kind in ("pearson", "spearman")
        for scope in ("", "-runs")
        for suffix in ("png", "svg")
    }
    assert {file.name for file in tmp_path.iterdir()} == tables | maps


def test_without_matplotlib_the_tables_are_kept_and_it_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    notes = write_study(tmp_path, shuffle_study(GOLD, PRED, metrics=["entity"], repetitions=1))
    assert "pip install 'docassay[charts]'" in notes[-1]
    assert (tmp_path / "shuffle.csv").exists()


def test_a_folder_that_cannot_be_made_is_a_file_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    study = shuffle_study(GOLD, PRED, metrics=["entity"], repetitions=1)
    with pytest.raises(FileError, match="cannot be written"):
        write_study(tmp_path / "file", study)


def test_the_command_shuffles_and_keeps(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold, preds, schema = write_synth(tmp_path / "corpus")
    command = ["study", "shuffle", gold, preds[1], "--schema", schema, "--metrics", "entity"]
    assert run([*command, "--seeds", "2", "--seed", "5", "--out", str(tmp_path / "kept")]) == 0
    told = capsys.readouterr()
    assert told.out.startswith("20 documents, 20 of them shuffled 2 times (seed 5): 0 scores")
    assert "is read as jsonl" in told.err
    assert "problems in the data" in told.err
    assert (tmp_path / "kept" / "shuffle.png").exists()


def test_the_command_correlates(runs: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["study", "correlation", *runs, "--readouts", "entity", "--format", "csv"]) == 0
    told = capsys.readouterr()
    assert told.out.startswith("scope,run,first,second,points,pearson,pearson_p,spearman")
    assert told.err == ""


@pytest.mark.parametrize(
    ("code", "arguments"),
    [(2, ["correlation"]), (2, ["correlation", "nowhere"]), (2, ["shuffle", "x"])],
    ids=["no run", "no such run", "no pred"],
)
def test_what_goes_wrong_has_its_exit_code(code: int, arguments: list[str]) -> None:
    assert run(["study", *arguments]) == code
