"""Runs of predictions alone: what is measured, refused, kept and opened again."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

import docassay as da
from docassay.errors import ConfigurationError, DataError
from docassay.run.ledger import read_ledger
from docassay.run.reopen import reopen, stored_inputs

SCHEMA = {
    "fields": {"date": "date", "net": "money", "tax": "money", "total": "money"},
    "rules": ["net + tax == total"],
}
PRED = {
    "a": {"date": "2024-03-05", "net": "1", "tax": "2", "total": "3"},
    "b": {"date": "soon", "net": "1", "tax": "2", "total": "4"},
}
TEXTS = {"a": "5 March 2024 1.00 2.00 3.00", "b": "soon 1 2 3"}


@pytest.fixture
def pred(tmp_path: Path) -> Path:
    path = tmp_path / "pred.jsonl"
    path.write_text("".join(json.dumps({"id": id, **tree}) + "\n" for id, tree in PRED.items()))
    return path


def names(report: da.Report) -> set[str]:
    return {score.metric for score in report.scores}


def test_what_needs_no_gold_is_measured() -> None:
    assert names(da.score(None, PRED)) == {"valid"}
    assert names(da.score(None, PRED, schema=SCHEMA)) == {"valid", "rules"}
    report = da.score(PRED, no_gold=True, schema=SCHEMA, source=TEXTS)
    assert names(report) == {"valid", "rules", "grounded"}
    assert report.documents == 2
    assert report["valid.typed"].value == 0.5
    assert report["rules.pred_broken"].value == 1
    assert report["rules.gold_checked"].value == 0
    assert report["grounded.predicted"].value == 7 / 8
    assert report["grounded.gold"].value is None
    assert names(da.score(None, PRED, metrics=["all"])) == {"valid", "rules", "grounded"}


@pytest.mark.parametrize("metric", ["kieval", "entity", "fields", "located", "linking"])
def test_what_compares_with_gold_is_refused(metric: str) -> None:
    message = f"metric '{metric}' compares with gold.*grounded, rules, valid"
    with pytest.raises(ConfigurationError, match=message):
        da.score(None, PRED, metrics=["valid", metric])


def test_a_forgotten_prediction_is_an_error() -> None:
    with pytest.raises(ConfigurationError, match="pred is not given"):
        da.score(PRED)


def test_types_are_guessed_from_pred_and_said() -> None:
    pred = {str(n): {"date": f"2024-03-{n:02}", "total": f"${n}.00"} for n in range(1, 20)}
    report = da.score(None, pred)
    assert report.about.startswith("types guessed from pred: 1 date, 1 money")
    assert report["valid.typed"].value == 1.0
    plain = da.score(None, pred, types="text")
    assert plain["valid.typed"].value is None


def test_the_type_that_pred_states_decides_what_is_asked() -> None:
    schema = {
        "types": {"bill": {"fields": ["total"]}, "note": {"fields": ["text"]}},
        "fields": {"total": {"type": "money", "required": True}, "text": "text"},
    }
    pred = {"a": {"DOCUMENT_TYPE": "note", "text": "x"}, "b": {"DOCUMENT_TYPE": "other"}, "c": {}}
    report = da.score(None, pred, schema=schema)
    required = {line.id: line.scores["valid.required"] for line in report.lines}
    assert required == {"a": 1.0, "b": 0.0, "c": 0.0}
    assert [(problem.document, problem.side) for problem in report.problems] == [
        ("b", "pred"),
        ("c", "pred"),
    ]
    assert "pred has no DOCUMENT_TYPE" in report.problems[1].message
    assert {line.id: line.type for line in report.lines}["a"] == "note"


def test_documents_without_ids_are_numbered_and_a_second_of_an_id_is_a_problem(
    tmp_path: Path,
) -> None:
    report = da.score(None, [{"a": "1"}, {"a": "2"}], types="text")
    assert [line.id for line in report.lines] == ["1", "2"]
    path = tmp_path / "p.jsonl"
    path.write_text('{"id": "x", "a": "1"}\n{"id": "x", "a": "2"}\n')
    report = da.score(None, path)
    assert report.documents == 1
    assert report.problems[0].code == "duplicate-id"


@pytest.mark.parametrize("content", ["", "[]"])
def test_no_document_at_all_is_an_error(tmp_path: Path, content: str) -> None:
    path = tmp_path / "p.json"
    path.write_text(content)
    with pytest.raises(DataError):
        da.score(None, path)


def test_answers_none_of_which_can_be_read_are_measured(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text('{"id": "x", "response": "sorry"}\n{"id": "y", "response": "no"}\n')
    report = da.score(None, path, pred_format="response", schema=SCHEMA)
    assert report["valid.parsed"].value == 0.0


def test_a_line_of_which_nothing_can_be_read_is_a_document_that_does_not_parse(
    tmp_path: Path,
) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text('{"id": "x", "total": "1"}\nnot json\n{"id": "y", "total": "2"}\n')
    report = da.score(None, path, schema=SCHEMA)
    assert report["valid.parsed"].value == 2 / 3
    assert [line.id for line in report.lines] == ["x", "y", "p.jsonl:2"]


def test_a_kept_run_records_that_there_was_no_gold_and_opens_again(
    tmp_path: Path, pred: Path
) -> None:
    source = tmp_path / "source"
    source.mkdir()
    for id, text in TEXTS.items():
        (source / f"{id}.txt").write_text(text)
    folder = tmp_path / "run"
    report = da.score(None, pred, schema=SCHEMA, source=source, out=folder)
    assert not (folder / "verdicts.jsonl").exists()
    assert not (folder / "errors.csv").exists()
    ledger = read_ledger(folder)
    assert ledger.header.plan.without_gold
    assert [*ledger.header.inputs] == ["pred"]
    prepared = reopen(folder)
    pairs = [*prepared.pairing]
    assert [(pair.id, pair.gold) for pair in pairs] == [("a", None), ("b", None)]
    assert pairs[0].original is not None
    assert pairs[0].original().text == TEXTS["a"]
    with pytest.raises(DataError, match="predictions without gold"):
        stored_inputs(folder).both()
    again = da.score(None, pred, schema=SCHEMA, source=source, out=folder, resume=True)
    assert again.signature == report.signature


def test_a_source_that_is_gone_does_not_keep_a_run_from_being_opened(
    tmp_path: Path, pred: Path
) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "a.txt").write_text("text")
    folder = tmp_path / "run"
    da.score(None, pred, schema=SCHEMA, source=source, out=folder)
    (source / "a.txt").unlink()
    source.rmdir()
    assert len([*reopen(folder).pairing]) == 2


def test_explaining_shows_values_without_verdicts(tmp_path: Path, pred: Path) -> None:
    report = da.score(None, PRED, schema=SCHEMA, source=TEXTS)
    shown = report.explain("b")
    assert "not in the source" in shown
    assert "gold" not in shown
    assert "to delete" not in shown
    assert "7 of 8" not in shown
    assert "3 of 4 pred values in the source" in shown
    assert "soon" in da.explain(None, pred, "b", schema=SCHEMA)
    stored = da.score(None, pred, schema=SCHEMA)
    assert stored.explaining("b") == "docassay.explain(None, pred, 'b')"
    assert da.score(None, pred).explaining("b") == f"docassay explain --no-gold {pred} b"


def test_a_document_with_fields_that_the_schema_does_not_name_can_be_explained() -> None:
    pred = {"a": {**PRED["a"], "vendor": "Acme"}}
    assert "2024-03-05" in da.score(None, pred, schema=SCHEMA).explain("a")
    assert "2024-03-05" in da.score(pred, pred, schema=SCHEMA).explain("a")


def test_an_explained_document_with_gold_says_where_values_stand() -> None:
    report = da.score(PRED, PRED, schema=SCHEMA, source=TEXTS)
    shown = report.explain("b")
    assert "line 1" in shown
    assert "not in the source" in shown
    assert "3 of 4 gold values in the source" in shown


def test_gold_of_a_run_with_gold_is_as_it_was() -> None:
    report = da.score(PRED, PRED, schema=SCHEMA)
    assert report.ledger is not None
    assert not report.ledger.header.plan.without_gold
    assert "+" not in report.ledger.rows[0].digest


def test_an_envelope_is_opened_where_the_schema_names_what_is_in_it() -> None:
    wrapped = {id: {"status": "ok", "result": tree} for id, tree in PRED.items()}
    report = da.score(None, wrapped, schema=SCHEMA)
    assert report["valid.typed"].value == 0.5
    assert report["valid.extra"].value == 1.0
    assert "pred: records are read from 'result' (--pred-root result)" in report.notes
    beside = {id: {"date": "2024-03-05", "result": tree} for id, tree in PRED.items()}
    assert da.score(None, beside, schema=SCHEMA)["valid.extra"].value == 0.0


def test_an_envelope_that_no_schema_names_is_noted() -> None:
    wrapped = {id: {"status": "ok", "result": tree} for id, tree in PRED.items()}
    note = "pred: most fields stand in 'result'; --pred-root result measures these alone"
    assert note in da.score(None, wrapped).notes
    assert note not in da.score(None, wrapped, pred_root="result").notes
    assert not [*filter(note.__eq__, da.score(None, PRED).notes)]


def test_predictions_without_any_field_of_the_schema_are_an_error() -> None:
    pred = {id: {"answer sheet": tree} for id, tree in PRED.items()}
    with pytest.raises(DataError, match="no field that the schema names") as inside:
        da.score(None, pred, schema=SCHEMA)
    assert inside.value.hint == "add --pred-root 'answer sheet'"
    with pytest.raises(DataError, match=r"add --map PRED=FIELD") as other:
        da.score(None, {"a": {"x": "1"}}, schema=SCHEMA)
    assert other.value.details[1] == "  date                  x"
    assert da.score(None, {"a": {}, "b": {"TOTAL": "1"}}, schema=SCHEMA).documents == 2


def test_a_source_without_the_text_of_any_document_is_an_error() -> None:
    texts = {"scan-1": "x", "scan-2": "y"}
    pred = {"inv_1": PRED["a"], "inv_2": PRED["b"]}
    with pytest.raises(DataError, match="has the text of no document") as error:
        da.score(None, pred, source=texts)
    assert error.value.hint == r"add --id-pattern '(\d+)'"
    with pytest.raises(DataError, match="has the text of no document"):
        da.score(pred, pred, source=texts)
    report = da.score(None, pred, source=texts, id_pattern=r"(\d+)")
    assert report["grounded.predicted"].support == 8
    assert da.score(None, pred, source={**texts, "inv_1": "5 March 2024"}).documents == 2


@pytest.mark.parametrize("id", ["a_pred", "pred-a", "model.output.a_final", "a.json", "a"])
def test_the_text_of_a_document_goes_by_its_id_without_the_words_for_its_side(id: str) -> None:
    report = da.score(None, {id: PRED["a"]}, source=TEXTS, schema=SCHEMA)
    assert report["grounded.predicted"].value == 1.0


def test_instances_bring_the_types_and_the_required_fields_of_their_class() -> None:
    @dataclass
    class Bill:
        total: float
        paid: str | None = None

    report = da.score(None, {"a": Bill(7.5), "b": Bill("much")})  # type: ignore[arg-type]
    assert report["valid.typed"].value == 0.5
    assert report["valid.required@total"].value == 1
    note = "types are those that Bill declares; of its texts they are guessed from pred"
    assert note in report.notes
    assert "valid.required@total" not in da.score(None, {"a": Bill(7.5)}, types="text")
