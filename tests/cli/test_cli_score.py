"""`score` and `report`: what goes where, requirements, and a stored run told again."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.cli.cli_corpus import GOLD, Command, Corpus, write_jsonl

SCORE_KEYS = ["metric", "readout", "key", "slice", "value", "support", "low", "high", "kind"]


def test_the_table_tells_the_headline_in_words(corpus: Corpus, docassay: Command) -> None:
    ended = docassay("score", corpus.gold, corpus.pred, "--schema", corpus.schema)
    assert ended.code == 0
    assert "3 documents" in ended.out
    assert "8 of 14 values need no correction" in ended.out
    said = " ".join(ended.out.split())
    assert "1 substitution, 3 additions, 2 deletions" in said
    assert "documents 1 of 3 fully correct" in said


def test_words_go_to_stderr_and_results_to_stdout(corpus: Corpus, docassay: Command) -> None:
    ended = docassay("score", corpus.gold, corpus.pred, "--format", "json")
    json.loads(ended.out)
    assert "is read as jsonl" in ended.err


def test_quiet_says_nothing_but_the_result(corpus: Corpus, docassay: Command) -> None:
    assert docassay("score", corpus.gold, corpus.pred, "-q").err == ""


def test_problems_that_the_screen_counts_are_described_beside_it(
    tmp_path: Path, docassay: Command
) -> None:
    gold, pred = tmp_path / "gold.jsonl", tmp_path / "pred.jsonl"
    gold.write_text('{"id": "a", "total": "5.00"}\n{"id": "b", "total": "5.00"}\n')
    pred.write_text('{"id": "a", "total": "5.00"}\n{"id": "c"}\n')
    files = ("score", str(gold), str(pred))
    what = "pred: has no gold document and is not scored"
    ended = docassay(*files)
    assert f"problem: {what} ({pred}:2, document c)\n" in ended.err
    assert "-v lists" not in ended.err
    assert "has no prediction" not in ended.err
    assert "problem:" not in docassay(*files, "-v").err
    assert "problem:" not in docassay(*files, "--format", "json").err
    with pred.open("a") as file:
        file.write('{"id": "d"}\n')
    ended = docassay(*files)
    assert f"problem: 2 × {what} ({pred}:2, document c, …)\n-v lists all 2 problems\n" in ended.err
    assert docassay(*files, "-q").err == ""


@pytest.mark.parametrize("options", [(), ("-v",), ("--format", "json")])
def test_a_note_is_written_once(tmp_path: Path, docassay: Command, options: Sequence[str]) -> None:
    gold, pred = tmp_path / "gold.jsonl", tmp_path / "pred.jsonl"
    gold.write_text('{"id": "a", "Total": "5.00"}\n')
    pred.write_text('{"id": "a", "total": "5.00"}\n')
    ended = docassay("score", str(gold), str(pred), *options)
    assert ended.err.count("fields compared under gold's names: total = Total") == 1
    assert ended.err.count("gold.jsonl is read as jsonl") == 1


def test_all_scores_begin_with_the_types_as_the_first_screen_does(
    corpus: Corpus, docassay: Command
) -> None:
    first = docassay("score", corpus.gold, corpus.pred).out.split("\n")[0]
    assert "types guessed from gold" in first
    assert docassay("score", corpus.gold, corpus.pred, "-v").out.split("\n")[0] == first


def test_no_colours_are_sent_to_a_pipe(corpus: Corpus, docassay: Command) -> None:
    assert "\x1b" not in docassay("score", corpus.gold, corpus.pred).out


def test_a_missing_prediction_is_named(corpus: Corpus, docassay: Command) -> None:
    ended = docassay("score", corpus.gold, corpus.pred, "--types", "text")
    assert ended.out.split("\n")[1] == "1 document without prediction"
    assert "has no prediction" in docassay("score", corpus.gold, corpus.pred, "-v").out


def test_the_json_report_has_the_agreed_shape(corpus: Corpus, docassay: Command) -> None:
    report = json.loads(docassay("score", corpus.gold, corpus.pred, "--format", "json").out)
    keys = ["docassay", "signature", "documents", "settings", "notes", "problem_counts"]
    keys += ["summary", "run", "scores", "problems", "violations"]
    assert list(report) == keys
    assert [*report["scores"][0]] == SCORE_KEYS
    assert [*report["problems"][0]] == ["code", "document", "side", "where", "field", "message"]


def test_csv_has_a_row_a_score(corpus: Corpus, docassay: Command) -> None:
    out = docassay("score", corpus.gold, corpus.pred, "--format", "csv").out
    rows = [*csv.reader(io.StringIO(out))]
    assert rows[0] == SCORE_KEYS
    assert all(len(row) == len(SCORE_KEYS) for row in rows)


def test_only_the_metrics_asked_for_are_measured(corpus: Corpus, docassay: Command) -> None:
    ended = docassay("score", corpus.gold, corpus.pred, "--metrics", "entity", "--format", "json")
    assert {score["metric"] for score in json.loads(ended.out)["scores"]} == {"entity"}


def test_all_metrics_can_be_asked_for(corpus: Corpus, docassay: Command) -> None:
    assert docassay("score", corpus.gold, corpus.pred, "--metrics", "all").code == 0


def test_a_setting_is_told_with_the_numbers(corpus: Corpus, docassay: Command) -> None:
    ended = docassay(
        "score", corpus.gold, corpus.pred, "--set", "kieval.flatten=true", "--format", "json"
    )
    assert json.loads(ended.out)["settings"]["kieval.flatten"] is True


def test_slices_are_scored_by_type(corpus: Corpus, docassay: Command) -> None:
    ended = docassay("score", corpus.gold, corpus.pred, "--schema", corpus.schema, "--by", "type")
    assert "type=bill" in ended.out


def test_slicing_by_what_no_document_has_is_said(corpus: Corpus, docassay: Command) -> None:
    ended = docassay("score", corpus.gold, corpus.pred, "--by", "shop")
    assert "no document has a shop" in ended.err


REQUIREMENTS = {
    "met": ("kieval.documents_exact >= 0", 0),
    "met without spaces": ("kieval.documents_exact>=0", 0),
    "met exactly": ("kieval.tp@kind == 2", 0),
    "not met": ("kieval.aligned > 0.99", 1),
    "not met by a field": ("kieval.aligned@items.name >= 1", 1),
    "of a slice": ("entity.f1[type=(none)] < 0", 1),
}


@pytest.mark.parametrize(("text", "code"), REQUIREMENTS.values(), ids=REQUIREMENTS.keys())
def test_a_requirement_decides_the_exit_code(
    text: str, code: int, corpus: Corpus, docassay: Command
) -> None:
    ended = docassay("score", corpus.gold, corpus.pred, "--by", "type", "--require", text)
    assert ended.code == code
    assert ("requirement not met" in ended.err) == (code == 1)


def test_every_failed_requirement_is_named_after_the_result(
    corpus: Corpus, docassay: Command
) -> None:
    asked = ("--require", "kieval.aligned > 0.99", "--require", "entity.f1 > 0.99")
    ended = docassay("score", corpus.gold, corpus.pred, *asked, "--format", "json")
    assert json.loads(ended.out)["documents"] == 3
    assert ended.err.count("requirement not met") == 2


def test_an_undefined_value_meets_no_requirement(tmp_path: Path, docassay: Command) -> None:
    gold = write_jsonl(tmp_path / "gold.jsonl", {"a": {"x": "1"}})
    ended = docassay("score", gold, gold, "--require", "kieval.group_f1 >= 0")
    assert ended.code == 1
    assert "it is undefined" in ended.err


@pytest.mark.parametrize("format", ["table", "json", "csv", "markdown"])
@pytest.mark.parametrize("by", [(), ("--by", "type")], ids=["whole", "by type"])
def test_a_stored_run_is_told_the_same_again(
    format: str, by: tuple[str, ...], corpus: Corpus, docassay: Command
) -> None:
    out = str(corpus.folder / "run")
    options = ("--format", format, *by)
    inputs = (corpus.gold, corpus.pred, "--schema", corpus.schema)
    first = docassay("score", *inputs, "--out", out, *options)
    assert docassay("report", out, *options).out == first.out


def test_a_stored_run_answers_requirements(corpus: Corpus, docassay: Command) -> None:
    out = str(corpus.folder / "run")
    docassay("score", corpus.gold, corpus.pred, "--out", out)
    assert docassay("report", out, "--require", "kieval.aligned > 0.99").code == 1


def test_a_finished_run_can_be_resumed(corpus: Corpus, docassay: Command) -> None:
    out = str(corpus.folder / "run")
    first = docassay("score", corpus.gold, corpus.pred, "--out", out)
    assert docassay("score", corpus.gold, corpus.pred, "--out", out, "--resume").out == first.out


def test_an_interrupted_run_says_how_to_go_on(
    corpus: Corpus, docassay: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("docassay.api.score.score_run", interrupted)
    ended = docassay("score", corpus.gold, corpus.pred, "--out", str(corpus.folder / "run"))
    assert ended.code == 130
    assert "--resume goes on" in ended.err


def test_documents_that_hold_nothing_are_scored(tmp_path: Path, docassay: Command) -> None:
    gold = write_jsonl(tmp_path / "gold.jsonl", {"a": {}})
    ended = docassay("score", gold, gold)
    assert ended.code == 0
    assert "–" in ended.out


def test_all_fields_are_shown_on_request(tmp_path: Path, docassay: Command) -> None:
    gold = write_jsonl(tmp_path / "gold.jsonl", {"a": {f"f{i:02}": "1" for i in range(50)}})
    some = docassay("score", gold, gold, "-v")
    assert "and 20 stronger fields" in some.out
    assert "f49" not in some.out
    assert "f49" not in docassay("score", gold, gold).out
    for options in (("-v", "--all-fields"), ("--all-fields",)):
        assert "f49" in docassay("score", gold, gold, *options).out


def test_perfect_predictions_need_no_correction(tmp_path: Path, docassay: Command) -> None:
    gold = write_jsonl(tmp_path / "gold.jsonl", dict(GOLD))
    assert "12 of 12 values need no correction" in docassay("score", gold, gold).out


def test_a_run_with_clusters_and_draws_is_reported_alike_from_its_folder(
    tmp_path: Path, docassay: Command
) -> None:
    sides: dict[str, list[dict[str, object]]] = {
        "gold": [{"id": f"d{i}", "tags": {"maker": f"m{i % 6}"}, "b": "y"} for i in range(18)],
        "pred": [{"id": f"d{i}", "b": "y" if i % 6 else "z"} for i in range(18)],
    }
    inputs = [str(tmp_path / f"{side}.jsonl") for side in sides]
    for file, lines in zip(inputs, sides.values(), strict=True):
        Path(file).write_text("\n".join(map(json.dumps, lines)))
    options = ("--cluster", "maker", "--draws", "300", "--format", "json")
    folder = str(tmp_path / "run")
    scored = docassay("score", *inputs, "--types", "text", *options, "--out", folder)
    report = json.loads(scored.out)
    whole = {"draws": 300, "seed": 0, "cluster": "maker", "clusters": 6, "alone": 0}
    assert report["intervals"] == whole
    assert json.loads(docassay("report", folder, *options).out)["scores"] == report["scores"]
    (aligned,) = (s for s in report["scores"] if s["readout"] == "aligned" and not s["key"])
    plain = json.loads(docassay("report", folder, "--format", "json").out)
    assert "intervals" not in plain
    (apart,) = (s for s in plain["scores"] if s["readout"] == "aligned" and not s["key"])
    assert apart["value"] == aligned["value"]
    assert apart["high"] - apart["low"] < aligned["high"] - aligned["low"]
