"""What is left out of a run is said in its report, and kept with it; bookkeeping is summed up."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import docassay as da
from docassay.api.score import score_run
from docassay.errors import ConfigurationError
from docassay.model.report import Report
from docassay.report.folder import read_folder
from docassay.report.json import render
from docassay.run.find import find_document
from docassay.run.ledger import read_ledger
from docassay.schema.selection import Aside

GOLD = "image_file,DOCUMENT_TYPE,TOTAL_AMOUNT\na.png,invoice,$12.50\nb.png,receipt,$7.00\n"
PRED = "image_file,DOCUMENT_TYPE,TOTAL_AMOUNT\na.png,invoice,12.50\nb.png,receipt,8.00\n"
MORE = (
    "image_file,processing_time,DOCUMENT_TYPE,TOTAL_AMOUNT,prompt,response_length\n"
    "a.png,1.25s,invoice,12.50,p1,33\nb.png,850 ms,receipt,8.00,p1,34\n"
)
FIELDS = {"fields": {"total": "money", "date": "date"}}


def written(folder: Path, **texts: str) -> dict[str, str]:
    for name, text in texts.items():
        (folder / name).write_text(text)
    return {name: str(folder / name) for name in texts}


def lines(*records: dict[str, object]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def values(report: Report) -> dict[str, object]:
    return {score.address: score[4:] for score in report.scores}


def test_columns_that_the_schema_does_not_name_leave_the_scores_as_they_are(
    tmp_path: Path,
) -> None:
    files = written(tmp_path, gold=GOLD, pred=PRED, more=MORE)
    plain = da.score(files["gold"], files["pred"], schema="business")
    report = da.score(files["gold"], files["more"], schema="business", out=tmp_path / "run")
    assert values(report) == values(plain)
    assert [note for note in report.notes if "left out" in note] == [
        "left out, not in the schema: prompt (2), response_length (2); --extra count scores them",
        "left out of the scores, kept with the document: processing_time (2 documents)",
    ]
    assert [note for note in plain.notes if "left out" in note] == []
    counted = da.score(files["gold"], files["more"], schema="business", extra="count")
    assert counted["kieval.deletions"].value == plain["kieval.deletions"].value + 4  # type: ignore[operator]
    with pytest.raises(ConfigurationError):
        da.score(files["gold"], files["more"], schema="business", extra="some")


def test_a_kept_run_says_the_same_when_it_is_read_again(tmp_path: Path) -> None:
    files = written(tmp_path, gold=GOLD, more=MORE)
    run = tmp_path / "run"
    report = da.score(files["gold"], files["more"], schema="business", out=run, ignore=["prompt"])
    again = read_folder(run)
    assert {*again.notes} <= {*report.notes}
    assert again.facts == report.facts
    rows = read_ledger(run).rows
    assert rows[0].aside == (
        Aside("extra", "pred", "response_length", 1),
        Aside("ignored", "pred", "prompt", 1),
    )
    assert [row.meta for row in rows] == [{"processing_time": 1.25}, {"processing_time": 0.85}]
    facts = json.loads((run / "report.json").read_text())
    assert facts["left_out"] == [
        {
            "reason": "extra",
            "side": "pred",
            "field": "response_length",
            "documents": 2,
            "values": 2,
        },
        {"reason": "ignored", "side": "pred", "field": "prompt", "documents": 2, "values": 2},
    ]
    table = [*csv.DictReader((run / "documents.csv").read_text().splitlines())]
    assert {row["document"]: row["processing_time"] for row in table} == {
        "a.png": "1.25",
        "b.png": "0.85",
    }
    summary = (run / "summary.md").read_text()
    assert "- processing time: mean 1.05 s, median 1.05 s, 95 % within 1.23 s" in summary


def test_times_tokens_and_costs_are_summed_up(tmp_path: Path) -> None:
    gold = {f"{at}": {"total": "5"} for at in range(5)}
    pred = {
        "0": {"total": "5", "latency": 1, "tokens": {"prompt": 10, "completion": 5}},
        "1": {"total": "5", "latency": 2, "cost": "$0.50", "model": "m"},
        "2": {"total": "5", "latency": 3, "model": "m", "meta": {"tokens": 5}},
        "3": {"total": "5", "latency": 4, "model": "n"},
        "4": {"total": "5", "latency": "soon"},
    }
    report = da.score(gold, pred, schema=FIELDS)
    assert report["kieval.aligned"].value == 1
    assert report.facts["timing"] == {
        **{"documents": 4, "mean": 2.5, "median": 2.5, "p95": 3.85, "total": 10.0}
    }
    assert report.facts["tokens"] == {
        **{"documents": 2, "mean": 10.0, "median": 10.0, "p95": 14.5, "total": 20.0}
    }
    assert report.facts["cost"] == {
        **{"documents": 1, "mean": 0.5, "median": 0.5, "p95": 0.5, "total": 0.5}
    }
    assert report.facts["models"] == {"m": 2, "n": 1}
    assert [(flaw.code, flaw.document) for flaw in report.problems] == [("meta", "4")]
    assert json.loads(render(report))["timing"]["p95"] == 3.85


def test_an_extraction_file_brings_its_times_and_tokens(tmp_path: Path) -> None:
    record = {
        **{"id": "a", "record": {"total": "5"}, "raw": "…", "outcome": "clean", "model": "m"},
        **{"started": "2025-05-01T10:00:00+00:00", "ended": "2025-05-01T10:00:01.500000+00:00"},
        **{"tokens": {"prompt": 100, "completion": 20}, "prompt": "0f", "repairs": []},
    }
    files = written(tmp_path, gold=lines({"id": "a", "total": "5"}), pred=lines(record))
    report = da.score(files["gold"], files["pred"])
    assert report["kieval.aligned"].value == 1
    (line,) = report.lines
    assert line.meta == {
        **{"processing_time": 1.5, "prompt_tokens": 100, "completion_tokens": 20},
        **{"tokens": 120, "model": "m"},
    }


BATCHES = {
    "openai": {
        "custom_id": "a",
        "response": {
            "status_code": 200,
            "body": {
                "model": "gpt",
                "choices": [{"message": {"content": '{"total": "5"}'}}],
                "usage": {"prompt_tokens": 9, "completion_tokens": 4, "total_tokens": 13},
            },
        },
    },
    "anthropic": {
        "custom_id": "a",
        "result": {
            "type": "succeeded",
            "message": {
                "model": "claude",
                "content": [{"type": "text", "text": '{"total": "5"}'}],
                "usage": {"input_tokens": 9, "output_tokens": 4},
            },
        },
    },
    "gemini": {
        "key": "a",
        "response": {
            "modelVersion": "gemini",
            "candidates": [{"content": {"parts": [{"text": '{"total": "5"}'}]}}],
            "usageMetadata": {"promptTokenCount": 9, "candidatesTokenCount": 4},
        },
    },
}


@pytest.mark.parametrize("service", BATCHES)
def test_a_batch_brings_its_tokens_and_its_model(service: str, tmp_path: Path) -> None:
    files = written(tmp_path, gold=lines({"id": "a", "total": "5"}), pred=lines(BATCHES[service]))
    report = da.score(files["gold"], files["pred"], pred_format=f"{service}-batch")
    model = {"openai": "gpt", "anthropic": "claude"}.get(service, service)
    assert report.lines[0].meta == {
        **{"prompt_tokens": 9, "completion_tokens": 4, "tokens": 13, "model": model}
    }


def test_raw_responses_in_a_table_bring_their_times(tmp_path: Path) -> None:
    table = 'image_file,response,latency_ms\na,"{""total"": ""5""}",1500\n'
    files = written(tmp_path, **{"gold.jsonl": lines({"id": "a", "total": "5"}), "p.csv": table})
    report = da.score(files["gold.jsonl"], files["p.csv"], pred_format="response")
    assert report.lines[0].meta == {"processing_time": 1.5}


@pytest.mark.parametrize("names", ["total,date", "total | date", "date,nowhere"])
def test_a_column_says_which_fields_of_a_row_are_labelled(names: str, tmp_path: Path) -> None:
    gold = f'id,total,date,vendor,labelled\na,5,,,"{names}"\nb,6,2025-05-01,Acme,\n'
    pred = "id,total,date,vendor\na,5,2025-05-01,Acme\nb,6,2025-05-01,Acme\n"
    files = written(tmp_path, **{"gold.csv": gold, "pred.csv": pred})
    schema = {"fields": {"total": "money", "date": "date", "vendor": "text"}}
    report = da.score(files["gold.csv"], files["pred.csv"], schema=schema)
    others = 2 if names.startswith("total") else 1
    assert report["kieval.tp"].value == 2 + others
    assert report["kieval.deletions"].value == 1
    assert [flaw.field for flaw in report.problems] == ([] if others == 2 else ["nowhere"])
    total = "" if others == 2 else ", total (2)"
    left = {2: "1 predicted value (vendor (1))"}.get(
        others, f"2 predicted values and 1 gold value ({total[2:]}, vendor (1))"
    )
    assert f"left out, not labelled in gold: {left}" in report.notes


def test_the_list_of_labelled_fields_is_no_field_of_a_guess(tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl"
    path.write_text('{"id": "a", "total": "$5.00", "labelled": ["total"]}\n')
    assert da.score(path, path).about == "types guessed from gold: 1 money"


def test_a_field_of_the_schema_may_be_called_labelled() -> None:
    schema = {"fields": {"total": "money", "labelled": "text"}}
    gold = {"a": {"total": "5", "labelled": ["total"]}}
    report = da.score(gold, {"a": {"total": "5"}}, schema=schema)
    assert report["kieval.additions"].value == 1


def test_other_labels_are_another_document_to_a_run_that_goes_on(tmp_path: Path) -> None:
    pred, out = {"a": {"total": "5", "date": "1 May 2025"}}, tmp_path / "run"
    gold = {"total": "5"}
    first = da.score({"a": {**gold, "labelled": ["total"]}}, pred, schema=FIELDS, out=out)
    assert first["kieval.deletions"].value == 0
    again = da.score({"a": gold}, pred, schema=FIELDS, out=out, resume=True)
    assert again["kieval.deletions"].value == 1


def test_a_run_that_goes_on_takes_the_times_of_today(tmp_path: Path) -> None:
    gold, out = {"a": {"total": "5"}}, tmp_path / "run"
    for seconds in (1, 2):
        pred = {"a": {"total": "5", "latency": seconds}}
        report = da.score(gold, pred, schema=FIELDS, out=out, resume=seconds == 2)
        assert report.lines[0].meta == {"processing_time": seconds}


def test_fields_that_only_pred_has_are_named_with_the_option() -> None:
    gold, pred = {"a": {"total": "5"}}, {"a": {"total": "5", "why": "x", "a b": "y"}}
    note = "only pred has a b, why; --ignore 'a b,why' leaves them out"
    assert note in da.score(gold, pred).notes
    assert note not in da.score(gold, pred, ignore=["why", "a b"]).notes
    assert note not in da.score({"a": {**gold["a"], "why": ""}}, pred, schema=FIELDS).notes


def test_fields_that_only_gold_has_are_named_where_pred_has_others_in_their_place() -> None:
    gold = {"a": {"total": "5", "Datum": "x", **{f"f{at}": "y" for at in range(8)}}}
    note = "only gold has Datum, f0, f1, f2, f3, f4, f5, f6 and 1 more; --map PRED=GOLD"
    assert any(note in text for text in da.score(gold, {"a": {"total": "5", "date": "x"}}).notes)
    assert not any("only gold" in text for text in da.score(gold, {"a": {"total": "5"}}).notes)


@pytest.mark.parametrize(
    ("name", "matches"), [("why", True), ("w*", True), ("*.n", True), ("x", False), ("n", False)]
)
def test_a_name_to_ignore_that_matches_nothing_is_noted(name: str, matches: bool) -> None:
    tree = {"total": "5", "why": None, "rows": [{"n": "1"}]}
    report = da.score({"a": {"total": "5"}}, {"a": tree}, ignore=[name])
    assert (f"--ignore {name} matches nothing" in report.notes) is not matches
    assert f"|ignore={name}" in report.signature


@pytest.mark.parametrize("ignore", ["why", ["a", " "]])
def test_names_to_ignore_are_a_list_of_names(ignore: object) -> None:
    with pytest.raises(ConfigurationError):
        da.score({"a": {}}, {"a": {}}, ignore=ignore)  # type: ignore[arg-type]


def test_every_verb_renames_and_ignores(tmp_path: Path) -> None:
    gold = lines({"id": "a", "total": "5", "rows": [{"name": "x"}]})
    pred = lines({"id": "a", "sum": "5", "items": [{"desc": "x"}], "why": "z"})
    names = "sum: total\nitems.desc: rows.name\n"
    files = written(tmp_path, gold=gold, pred=pred, **{"map.yaml": names})
    given = {"sum": "total", "items.desc": "rows.name"}
    for renamings in (given, files["map.yaml"]):
        run = score_run(files["gold"], files["pred"], map=renamings, ignore=["why"])
        assert run.report["kieval.aligned"].value == 1
        assert not [note for note in run.notes if "--map" in note]
    unused = score_run(files["gold"], files["pred"], map={"sum": "total", "none": "x"})
    assert "--map none=x matches nothing: pred has no 'none', it has items, why" in unused.notes
    found = find_document(files["gold"], files["pred"], "a", map=given, ignore=["w*"])
    assert found.case.tally().fields == {"total": [1, 0, 0, 0], "rows.name": [1, 0, 0, 0]}
