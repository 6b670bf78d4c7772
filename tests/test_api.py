"""The library: score, Scorer, reports and verdicts."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import docassay as da
from docassay.kernel.readings import Readings
from docassay.matching.case import make_case
from docassay.matching.verdicts import blocks, verdicts
from docassay.run.open import prepare
from docassay.run.verdict_file import VERDICTS

GOLD = {
    "r1": {
        "total": "$10.00",
        "items": [{"name": "tea", "price": "4"}, {"name": "cake", "price": "6"}],
    }
}
PRED = {
    "r1": {
        "total": "10.00",
        "items": [{"name": "cake", "price": "6"}, {"name": "tee", "price": "4"}],
    }
}
SCHEMA = {
    "fields": {"total": "money"},
    "groups": {"items": {"fields": {"name": "text", "price": "money"}}},
}


def test_three_lines_of_python_score_two_dicts() -> None:
    report = da.score(GOLD, PRED)
    assert report["kieval.aligned"].value == pytest.approx(4 / 5)
    assert da.score(GOLD, PRED, types="text")["kieval.aligned"].value == pytest.approx(3 / 5)
    assert report["kieval.aligned@items.name"].value == 0.5
    assert report.documents == 1


def test_a_schema_makes_the_comparison_type_aware() -> None:
    report = da.score(GOLD, PRED, schema=SCHEMA)
    assert report["kieval.aligned"].value == pytest.approx(4 / 5)
    assert report["kieval.aligned@total"].value == 1.0


def test_without_types_the_report_says_that_values_are_compared_as_text() -> None:
    assert "no schema was given" in " ".join(da.score(GOLD, PRED, types="text").notes)
    assert da.score(GOLD, PRED, schema=SCHEMA).notes == ()


def test_fields_that_the_schema_does_not_know_are_named() -> None:
    pred = {"r1": {**PRED["r1"], "memo": "x"}}
    report = da.score(GOLD, pred, schema=SCHEMA)
    assert report.notes == ("left out, not in the schema: memo (1); --extra count scores them",)
    counted = da.score(GOLD, pred, schema=SCHEMA, extra="count")
    assert counted.notes[0] == "not in the schema, so equal only as text: memo"


def test_iterables_of_pairs_are_scored_too() -> None:
    report = da.score(iter(GOLD.items()), iter(PRED.items()))
    assert report.documents == 1


def test_a_missing_prediction_counts_as_all_missed_and_is_named() -> None:
    report = da.score({**GOLD, "r2": {"total": "5"}}, PRED)
    assert report.documents == 2
    assert report["kieval.additions@total"].value == 1
    assert [(one.document, one.side) for one in report.problems] == [("r2", "pred")]


def test_a_prediction_without_gold_is_named_and_not_scored() -> None:
    report = da.score(GOLD, {**PRED, "r9": {"total": "5"}})
    assert report.documents == 1
    assert [one.document for one in report.problems] == ["r9"]


@pytest.mark.parametrize(
    "pred", [{**PRED, "r9": {}}, {}, {"r1": [1]}], ids=["extra", "missing", "list"]
)
def test_strict_makes_a_problem_fatal(pred: dict) -> None:
    with pytest.raises(da.DataError):
        da.score(GOLD, pred or {"r9": {}}, strict=True)


def test_an_unknown_metric_or_setting_stops_before_anything_is_read() -> None:
    nowhere = "there/is/no/such/file"
    with pytest.raises(da.UnknownName, match="did you mean 'kieval'"):
        da.score(nowhere, nowhere, metrics=["kievl"])
    with pytest.raises(da.UnknownName, match=r"kieval\.flatten"):
        da.score(nowhere, nowhere, settings={"kievl.flatten": "true"})
    with pytest.raises(da.ConfigurationError, match="not measured"):
        da.score(nowhere, nowhere, metrics=["entity"], settings={"kieval.flatten": "true"})


def test_an_unknown_address_is_answered_with_what_exists() -> None:
    with pytest.raises(da.UnknownName, match=r"kieval\.aligned"):
        da.score(GOLD, PRED)["kieval.alined"]
    with pytest.raises(da.UnknownName, match=r"there is: (aligned@[^, )]+(, )?)+\)$"):
        da.score(GOLD, PRED)["aligned@nowhere"]


def test_the_signature_names_what_shaped_the_numbers() -> None:
    plain = da.score(GOLD, PRED, types="text").signature
    assert "metrics:entity.1+kieval.1+fields.3+causes.2+effort.1|schema:none" in plain
    flat = da.score(GOLD, PRED, settings={"kieval.flatten": True}).signature
    assert "kieval.flatten=true" in flat
    typed = da.score(GOLD, PRED, schema=SCHEMA).signature
    other = da.score(GOLD, GOLD, schema=SCHEMA).signature
    assert len({plain, flat, typed, other}) == 4


def test_the_data_digests_do_not_depend_on_order() -> None:
    gold = {**GOLD, "r2": {"total": "1"}}
    pred = {**PRED, "r2": {"total": "1"}}
    assert (
        da.score(gold, pred).signature
        == da.score(dict(reversed(gold.items())), dict(reversed(pred.items()))).signature
    )


def test_a_scorer_gives_what_score_gives_and_merges() -> None:
    one, other = da.Scorer(), da.Scorer()
    one.add("r1", GOLD["r1"], PRED["r1"])
    other.add("r2", {"total": "1"}, {"total": "1"})
    one.merge(other)
    assert len(one) == 2
    both = da.score({**GOLD, "r2": {"total": "1"}}, {**PRED, "r2": {"total": "1"}})
    assert [s[:6] for s in one.report().scores] == [s[:6] for s in both.scores]
    with pytest.raises(da.DataError, match="another content"):
        one.add("r1", GOLD["r1"], {})
    one.reset()
    assert len(one) == 0


def test_slices_hold_the_overall_readouts_of_their_documents() -> None:
    scorer = da.Scorer(metrics=["kieval"])
    scorer.add("a", {"t": "1"}, {"t": "1"}, tags={"vendor": "Acme"})
    scorer.add("b", {"t": "1"}, {"t": "2"}, tags={"vendor": "Bell"})
    report = scorer.report(by="vendor")
    assert report["kieval.aligned[vendor=Acme]"].value == 1.0
    assert report["kieval.aligned[vendor=Bell]"].value == 0.0


def test_weights_act_only_in_weighted_readouts() -> None:
    schema = {"fields": {"total": {"type": "money", "weight": 3}, "note": "text"}}
    report = da.score(
        {"x": {"total": "1", "note": "a"}}, {"x": {"total": "1", "note": "b"}}, schema=schema
    )
    assert report["kieval.aligned"].value == 0.5
    assert report["kieval.weighted_aligned"].value == 0.75
    assert report["entity.weighted_f1"].value == 0.75
    assert "kieval.weighted_aligned" not in da.score(GOLD, PRED)


def test_a_report_becomes_a_frame_with_a_row_a_score() -> None:
    frame = da.score(GOLD, PRED).to_frame()
    assert set(frame.columns) >= {"metric", "readout", "key", "value", "support"}
    assert frame.height == len(da.score(GOLD, PRED).scores)


def test_each_document_has_its_own_readouts() -> None:
    (line,) = da.score(GOLD, PRED).lines
    assert line.id == "r1"
    assert line.scores["kieval.corrections"] == 1


def test_verdicts_spell_out_what_the_counts_say() -> None:
    case = make_case("r1", GOLD["r1"], PRED["r1"], prepare(schema=SCHEMA).layouts)
    found = {(one.gold_path, one.pred_path): one for one in verdicts(case)}
    assert found["total", "total"].verdict == "right"
    assert found["items[0].name", "items[1].name"].verdict == "substitution"
    assert found["items[1].name", "items[0].name"].verdict == "right"
    assert found["total", "total"].gold_read is not None
    assert [block.type for block in blocks(case)] == ["", "items", "items"]


@pytest.mark.parametrize(
    ("pred", "verdict", "gold", "reason"),
    [("20.00", "right", "20", "equal as amounts of money"), ("21", "substitution", "10", "differ")],
)
def test_a_verdict_speaks_of_the_accepted_value_that_is_most_like_the_prediction(
    pred: str, verdict: str, gold: str, reason: str
) -> None:
    layouts = prepare(schema={"fields": {"y": "money"}}).layouts
    case = make_case("d", {"y": {"any_of": ["10", "20"]}}, {"y": pred}, layouts)
    (one,) = verdicts(case)
    assert (one.verdict, one.gold) == (verdict, gold)
    assert reason in one.reason


def test_verdicts_count_exactly_as_the_tally(tmp_path: Path) -> None:
    gold = {"x": {"a": ["1", "2", "3"], "items": [{"n": "a"}, {"n": "b", "p": "1"}]}}
    pred = {"x": {"a": ["2", "9"], "b": "1", "items": [{"n": "b"}, {"n": "c"}, {"n": "d"}]}}
    report = da.score(gold, pred, out=tmp_path, verdicts="all")
    lines = [json.loads(line) for line in (tmp_path / VERDICTS).read_text().splitlines()]
    kinds = [line["verdict"] for line in lines]
    assert kinds.count("right") == report["kieval.tp"].value
    assert kinds.count("substitution") == report["kieval.substitutions"].value
    assert kinds.count("addition") == report["kieval.additions"].value
    assert kinds.count("deletion") == report["kieval.deletions"].value


@pytest.mark.parametrize(
    ("choice", "expected"), [("all", 2), ("wrong", 1), (None, 1), ("none", None)]
)
def test_verdicts_are_kept_as_asked(
    tmp_path: Path, choice: str | None, expected: int | None
) -> None:
    da.score(
        {"x": {"a": "1", "b": "2"}}, {"x": {"a": "1", "b": "3"}}, out=tmp_path, verdicts=choice
    )
    file = tmp_path / VERDICTS
    assert (len(file.read_text().splitlines()) if file.exists() else None) == expected


def test_a_setting_may_be_an_option_of_a_format(tmp_path: Path) -> None:
    gold = tmp_path / "gold.csv"
    gold.write_text("key,total\nr1,5\n")
    report = da.score(gold, gold, settings={"csv.id_key": "key"})
    assert report.documents == 1
    assert "csv.id_key=key" in report.signature
    with pytest.raises(da.ConfigurationError, match="is for the format cord"):
        da.score(gold, gold, settings={"cord.id_key": "x"})


@pytest.mark.parametrize(
    ("metric", "setting"),
    [("ner", "ner.threshold=2"), ("kieval_official", "kieval_official.strategy=guess")],
)
def test_an_option_that_cannot_work_stops_before_anything_is_read(
    metric: str, setting: str
) -> None:
    nowhere = "there/is/no/such/file"
    with pytest.raises(da.ConfigurationError):
        da.score(nowhere, nowhere, metrics=[metric], settings=dict([setting.split("=")]))


def test_the_seed_decides_the_intervals_and_nothing_else() -> None:
    gold = {str(n): {"a": "abcdefgh", "b": "x"} for n in range(12)}
    pred = {str(n): {"a": "abcdefgh"[: n % 8 + 1], "b": "x"} for n in range(12)}
    first, again, other = (
        da.score(gold, pred, schema={"fields": {"a": "text"}}, metrics=["fields"], seed=seed)
        for seed in (0, 0, 1)
    )
    assert first.scores == again.scores
    assert first["fields.overall_accuracy"].high != other["fields.overall_accuracy"].high
    assert [one.value for one in first.scores] == [one.value for one in other.scores]


@pytest.fixture
def no_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def fields_in_memory() -> int:
    # by type: objects of other tests may answer nothing, not even what class they are of; and by
    # what holds the readings of a field, because the collector does not know readings themselves
    return sum(type(entry) is Readings for entry in gc.get_objects())


@pytest.mark.usefixtures("no_collector")
@pytest.mark.parametrize("kept", [False, True], ids=["not kept", "kept"])
def test_what_a_run_has_read_is_gone_with_its_report(tmp_path: Path, kept: bool) -> None:
    for name, documents in (("gold", GOLD), ("pred", PRED)):
        lines = [json.dumps({"id": id, **values}) for id, values in documents.items()]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines))
    before = fields_in_memory()
    report = da.score(
        tmp_path / "gold.jsonl", tmp_path / "pred.jsonl", out=tmp_path / "run" if kept else None
    )
    assert report.documents == 1
    del report
    assert fields_in_memory() == before
