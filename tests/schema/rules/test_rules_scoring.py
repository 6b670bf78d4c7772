"""Rules from end to end: counted, listed, kept in ledgers and shown, for gold and pred apart."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

import docassay as da
from docassay.api.score import Scorer
from docassay.matching.case import Layouts, make_case
from docassay.metrics.rules import suspicious, violations
from docassay.model.problem import Violation
from docassay.model.report import FORMATS
from docassay.report.folder import read_folder, write_folder
from docassay.report.rendering import render
from docassay.run.ledger import join
from docassay.run.plan import make_plan
from docassay.run.rows import decode_row, encode_row
from docassay.schema.source import check_schema, load_schema
from docassay.schema.write import to_plain, to_yaml

SCHEMA = {
    "currency": "AUD",
    "types": {
        "invoice": {"fields": ["DOCUMENT_TYPE", "ABN", "TOTAL", "lines"]},
        "statement": {"fields": ["DOCUMENT_TYPE", "moves"], "unscored": ["BALANCES"]},
    },
    "fields": {"ABN": "id", "TOTAL": "money"},
    "groups": {
        "lines": {"fields": {"name": "text", "total": "money"}},
        "moves": {
            "fields": {"amount": "money", "balance": "money"},
            "columns": {"amount": "AMOUNTS", "balance": "BALANCES"},
        },
    },
    "rules": [
        "sum(lines.total) == TOTAL",
        {"name": "ABN is real", "check": "abn(ABN)", "types": ["invoice"]},
        {"check": "running(moves.balance, moves.amount)", "types": ["statement"]},
    ],
}
SUM, ABN, RUNNING = "sum(lines.total) == TOTAL", "ABN is real", SCHEMA["rules"][2]["check"]
GOLD = {
    "good": {
        "DOCUMENT_TYPE": "invoice",
        "ABN": "51 824 753 556",
        "TOTAL": "$30",
        "lines": [{"name": "a", "total": "10"}, {"name": "b", "total": "20"}],
    },
    "odd": {
        "DOCUMENT_TYPE": "invoice",
        "ABN": "51 824 753 557",
        "TOTAL": "$31",
        "lines": [{"name": "a", "total": "10"}, {"name": "b", "total": "20"}],
    },
    "bank": {"DOCUMENT_TYPE": "statement", "AMOUNTS": "5 | -2", "BALANCES": "5 | 3"},
}
PRED = {
    "good": {**GOLD["good"], "TOTAL": "$300"},
    "bank": {"DOCUMENT_TYPE": "invoice", "AMOUNTS": "5 | -2", "BALANCES": "5 | 4"},
}


@pytest.fixture
def report() -> da.Report:
    return da.score(GOLD, PRED, schema=SCHEMA)


def test_violations_of_gold_and_pred_are_listed_with_reasons(report: da.Report) -> None:
    assert report.violations == (  # in gold order
        Violation("good", "pred", SUM, "sum(lines.total) is 30.00, TOTAL is 300.00"),
        Violation("odd", "gold", SUM, "sum(lines.total) is 30.00, TOTAL is 31.00"),
        Violation("odd", "gold", ABN, "'51824753557' is not an ABN"),
        Violation(
            "bank", "pred", RUNNING,
            "moves[1]: the balance is 4.00, what came before makes 3.00",
        ),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("address", "value", "support"),
    [
        ("rules.gold_checked", 5, 6),
        ("rules.gold_broken", 2, 6),
        ("rules.gold_skipped", 1, 6),
        ("rules.gold_holds", 0.6, 5),
        ("rules.pred_checked", 3, 4),
        ("rules.pred_broken", 2, 4),
        ("rules.pred_skipped", 1, 4),
        ("rules.documents_suspicious", 1, 3),
        (f"rules.gold_broken@{SUM}", 1, 3),
        (f"rules.gold_holds@{ABN}", 0.5, 2),
        (f"rules.pred_holds@{ABN}", 1.0, 1),
        (f"rules.pred_broken@{RUNNING}", 1, 1),
    ],
)
def test_outcomes_are_counted_overall_and_by_rule(
    report: da.Report, address: str, value: float, support: int
) -> None:
    assert (report[address].value, report[address].support) == (value, support)


def test_a_missing_prediction_breaks_no_rule(report: da.Report) -> None:
    assert [one for one in report.violations if (one.document, one.side) == ("odd", "pred")] == []


def test_fields_that_are_not_scored_are_there_for_rules_alone(report: da.Report) -> None:
    assert f"rules.gold_checked@{RUNNING}" in report
    assert "entity.f1@moves.balance" not in report


def test_rules_are_measured_by_default_when_the_schema_has_some() -> None:
    schema = load_schema(SCHEMA)
    assert make_plan(schema=schema).metrics[-1].name == "rules"
    without = [call.name for call in make_plan(schema=replace(schema, rules=())).metrics]
    assert "rules" not in without


def test_a_schema_without_rules_leaves_every_number_undefined() -> None:
    report = da.score(GOLD, PRED, metrics=["rules"])
    assert {score.value for score in report.scores} == {None}
    assert report.violations == ()
    assert "suspicious" not in render(report, "table")


def test_rules_change_no_other_number() -> None:
    plain = {key: value for key, value in SCHEMA.items() if key != "rules"}
    metrics = ["entity", "kieval"]
    with_rules = da.score(GOLD, PRED, schema=SCHEMA, metrics=[*metrics, "rules"])
    without = da.score(GOLD, PRED, schema=plain, metrics=metrics)
    assert [one for one in with_rules.scores if one.metric != "rules"] == [*without.scores]
    assert with_rules.problems == without.problems


def scorer_of(*names: str) -> Scorer:
    scorer = Scorer(schema=SCHEMA, metrics=["rules"])
    for name in names:
        scorer.add(name, GOLD[name], PRED.get(name))
    return scorer


def test_violations_survive_a_ledger_and_joining() -> None:
    whole = scorer_of("good", "odd", "bank")
    rows = [decode_row(encode_row(row)) for row in whole.ledger().rows]
    assert [row.violations for row in rows] == [row.violations for row in whole.ledger().rows]
    part = scorer_of("odd")
    part.merge(scorer_of("bank", "good"))
    assert part.report().violations == whole.report().violations
    assert join([whole.ledger(), part.ledger()]) == whole.ledger()


def test_a_row_without_violations_says_nothing_about_them() -> None:
    scorer = Scorer(metrics=["entity"])
    scorer.add("a", {"x": "1"}, {"x": "1"})
    assert b"violations" not in encode_row(scorer.ledger().rows[0])


def test_a_run_folder_keeps_violations(tmp_path: Path) -> None:
    report = da.score(GOLD, PRED, schema=SCHEMA, out=tmp_path)
    lines = (tmp_path / "violations.csv").read_text().splitlines()
    assert lines[0] == "document,side,rule,message"
    assert len(lines) == 1 + len(report.violations)
    stored = json.loads((tmp_path / "report.json").read_text())["violations"]
    assert stored == [one._asdict() for one in report.violations]
    assert read_folder(tmp_path).violations == report.violations
    assert SUM not in (tmp_path / "fields.csv").read_text()


def test_a_run_without_rules_writes_no_file_of_violations(tmp_path: Path) -> None:
    da.score(GOLD, PRED, out=tmp_path)
    assert not (tmp_path / "violations.csv").exists()


def test_violations_of_an_earlier_run_do_not_stay_beside_other_numbers(tmp_path: Path) -> None:
    da.score(GOLD, PRED, schema=SCHEMA, out=tmp_path)
    write_folder(tmp_path, da.score(GOLD, PRED))
    assert not (tmp_path / "violations.csv").exists()


@pytest.mark.parametrize("format", ["table", "markdown"])
def test_suspicious_gold_is_shown_with_its_reason(report: da.Report, format: str) -> None:
    text = render(report, format)
    assert "suspicious gold: 1 document, 2 broken rules" in text.lower()
    assert "odd: ABN is real: '51824753557' is not an ABN" in text
    assert "good: sum" not in text


@pytest.mark.parametrize("format", FORMATS)
def test_what_a_document_says_is_never_markup_or_control(format: str) -> None:
    evil = "=1+1\x1b[31m<b>[red]|`x`"
    schema = {"fields": {"a": "exact", "b": "exact"}, "rules": ["a == b"]}
    gold = {f"{n}{evil}": {"a": evil, "b": str(n)} for n in range(12)}
    report = da.score(gold, gold, schema=schema)
    assert report.violations
    text = render(report, format)
    assert "\x1b" not in text
    if format == "markdown":
        assert all("<b>" not in part for part in re.split("``.*?``", text))


def test_outcomes_are_worked_out_once_and_only_when_asked() -> None:
    layouts = Layouts(load_schema(SCHEMA))
    case = make_case("odd", GOLD["odd"], None, layouts)
    assert case.rule_outcomes is case.rule_outcomes
    assert [len(case.rule_outcomes[side].states) for side in ("gold", "pred")] == [2, 0]
    assert Layouts(load_schema({"fields": {"a": "id"}})).rules is None


def test_the_first_screen_tells_of_the_rules_that_gold_breaks() -> None:
    layouts = Layouts(load_schema({"fields": {"TOTAL": "money"}, "rules": ["TOTAL > 5"]}))
    for gold, pred in product(({"TOTAL": "1"}, {"TOTAL": "6"}, None), repeat=2):
        case = make_case("x", gold, pred, layouts)
        of_gold = [violation for violation in violations(case) if violation.side == "gold"]
        assert [*suspicious(case)] == of_gold
    assert [
        *suspicious(make_case("x", {}, {}, Layouts(load_schema({"fields": {"a": "id"}}))))
    ] == []


@pytest.mark.parametrize("tree", [None, {}, [], "text", 5, [{"TOTAL": 1}]], ids=repr)
def test_what_is_no_document_breaks_no_rule(tree: object) -> None:
    layouts = Layouts(load_schema({"fields": {"TOTAL": "money"}, "rules": ["TOTAL > 5"]}))
    outcomes = make_case("x", tree, tree, layouts).rule_outcomes
    assert {one.state for side in outcomes.values() for one in side} <= {"not applicable"}


def test_a_schema_with_rules_reads_back_as_it_was_written(tmp_path: Path) -> None:
    options = {"when": "TOTAL > 1", "tolerance": 0, "relative": 0.5, "types": ["invoice"]}
    quoted = {"check": "ABN == 'a \"quoted\" # text'", "tolerance": 0.25}
    rules = [*SCHEMA["rules"], {"check": "TOTAL > 2", "name": "two", **options}, quoted]
    schema = load_schema({**SCHEMA, "rules": rules})
    path = tmp_path / "schema.yaml"
    path.write_text(to_yaml(schema))
    assert check_schema(path) == []
    assert load_schema(path) == schema
    assert load_schema(to_plain(schema)) == schema
