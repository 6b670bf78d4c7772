"""What `fields` measures is told in every rendering: words, tables, the summary, CSV files."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import cast

import pytest

import docassay
from docassay import Report, Scorer
from docassay.metrics.fields.levels import (
    LeadDocument,
    document_levels,
    field_level,
    readiness,
)
from docassay.metrics.fields.summary import Summary
from docassay.model.problem import ResponseOutcome
from docassay.model.words import code
from docassay.report.csv import documents_csv, kind_csv
from docassay.report.first_screen import worst_documents
from docassay.report.folder import read_folder, write_folder
from docassay.report.markdown import checklist
from docassay.report.markdown import summary as render_summary
from docassay.report.rendering import render
from docassay.report.tables import table_of

SCHEMA = {
    "types": {
        "invoice": {"fields": ["DOCUMENT_TYPE", "NAME", "TOTAL", "TAX", "items"]},
        "letter": {"fields": ["DOCUMENT_TYPE", "NAME"]},
    },
    "fields": {
        "DOCUMENT_TYPE": "choice",
        "NAME": {"type": "text"},
        "TOTAL": {"type": "money", "category": "sums"},
        "TAX": {"type": "money", "category": "sums"},
    },
    "groups": {"items": {"fields": {"price": "money"}}},
}
INVOICE = {"DOCUMENT_TYPE": "invoice", "NAME": "Ann", "TOTAL": "3.00", "items": [{"price": "3"}]}
GOLD = {
    "a": INVOICE,
    "b": {**INVOICE, "NAME": "Bob"},
    "c": {"DOCUMENT_TYPE": "letter", "NAME": "Cy"},
    "d": {"DOCUMENT_TYPE": "letter", "NAME": "Di"},
}
PRED = {
    "a": INVOICE,
    "b": {**INVOICE, "NAME": "Eve", "TOTAL": "9.00", "TAX": "1.00"},
    "c": {"DOCUMENT_TYPE": "invoice", "NAME": "Cy"},
    "d": {},
}


@pytest.fixture(scope="module")
def report() -> Report:
    return docassay.score(GOLD, PRED, schema=SCHEMA, metrics=["fields"])


@pytest.fixture(scope="module")
def with_kieval() -> Report:
    return docassay.score(GOLD, PRED, schema=SCHEMA, metrics=["kieval", "fields"])


def summary(report: Report) -> Summary:
    return cast(Summary, report.details.facts["summary"])


def keys(report: Report, kind: str = "field") -> list[str]:
    return [line.name for line in table_of(report, kind).lines]


def confusions(report: Report) -> list[tuple[str, ...]]:
    return [one.parts for one in report.scores if one.kind == "type confusion"]


def rows_of(text: str) -> list[dict[str, str]]:
    return [*csv.DictReader(io.StringIO(text))]


def test_the_summary_has_the_keys_of_the_methodology(report: Report) -> None:
    found = summary(report)
    assert [*found] == [
        "overall_accuracy",
        "overall_correct",
        "overall_total",
        "field_accuracies",
        "images_evaluated",
        "best_performing_image",
        "best_performance_accuracy",
        "worst_performing_image",
        "worst_performance_accuracy",
        "perfect_documents",
        "summary_stats",
    ]
    assert [*found["summary_stats"]] == ["best_fields", "worst_fields", "avg_field_accuracy"]


def test_the_summary_counts_documents_and_fields(report: Report) -> None:
    found = summary(report)
    # a: 4 of 4; b: DOCUMENT_TYPE and items of 5; c: NAME of 2; d: none of 2
    assert found["overall_accuracy"] == pytest.approx((1 + 2 / 5 + 1 / 2 + 0) / 4)
    assert (found["overall_correct"], found["overall_total"]) == (7.0, 13)
    assert found["field_accuracies"]["NAME"] == {"accuracy": 0.5, "correct": 2.0, "total": 4}
    assert (found["images_evaluated"], found["perfect_documents"]) == (4, 1)
    assert (found["best_performing_image"], found["best_performance_accuracy"]) == ("a", 1.0)
    assert (found["worst_performing_image"], found["worst_performance_accuracy"]) == ("d", 0.0)
    assert found["summary_stats"]["best_fields"][0][0] == "items.price"
    assert found["summary_stats"]["worst_fields"][0][0] == "TAX"


def test_of_equal_documents_the_first_id_is_best_and_worst() -> None:
    found = summary(
        docassay.score({"b": {"x": "1"}, "a": {"x": "1"}}, {"a": {"x": "1"}, "b": {"x": "1"}})
    )
    assert (found["best_performing_image"], found["worst_performing_image"]) == ("a", "a")


def test_a_column_is_one_field_of_the_summary_whatever_the_document_type() -> None:
    schema = {
        "types": {"invoice": {"fields": ["items"]}, "statement": {"fields": ["lines"]}},
        "type_field": "KIND",
        "groups": {
            "items": {"fields": {"text": "text"}, "columns": {"text": "TEXTS"}},
            "lines": {"fields": {"text": "text"}, "columns": {"text": "TEXTS"}},
        },
    }
    gold = {"a": {"KIND": "invoice", "TEXTS": "x"}, "b": {"KIND": "statement", "TEXTS": "y"}}
    pred = {"a": {"KIND": "invoice", "TEXTS": "x"}, "b": {"KIND": "statement", "TEXTS": "q"}}
    found = summary(docassay.score(gold, pred, schema=schema, metrics=["fields"]))
    assert found["field_accuracies"] == {"TEXTS": {"accuracy": 0.5, "correct": 1.0, "total": 2}}
    assert found["summary_stats"]["avg_field_accuracy"] == 0.5


def test_at_most_five_fields_stand_at_either_end() -> None:
    tree = {f"f{number}": "1" for number in range(9)}
    found = summary(docassay.score({"a": tree}, {"a": {**tree, "f3": "2"}}))
    stats = found["summary_stats"]
    assert [name for name, _ in stats["best_fields"]] == ["f0", "f1", "f2", "f4", "f5"]
    assert [name for name, _ in stats["worst_fields"]] == ["f3", "f0", "f1", "f2", "f4"]


def test_what_is_undefined_is_null_in_the_summary() -> None:
    found = summary(docassay.score({"a": {}}, {"a": {}}))
    assert (found["overall_accuracy"], found["overall_correct"]) == (None, 0)
    assert (found["best_performing_image"], found["summary_stats"]["best_fields"]) == (None, [])


def test_a_report_without_fields_has_no_summary() -> None:
    report = docassay.score({"a": {"x": "1"}}, {"a": {"x": "1"}}, metrics=["entity"])
    assert "summary" not in report.details.facts
    assert "summary" not in json.loads(render(report, "json"))


def test_the_json_report_holds_the_summary(report: Report) -> None:
    found = json.loads(render(report, "json"))["summary"]
    assert found["field_accuracies"]["TOTAL"] == {"accuracy": 0.5, "correct": 1.0, "total": 2}
    assert found["summary_stats"]["worst_fields"][0] == [
        "TAX",
        {"accuracy": 0.0, "correct": 0.0, "total": 1},
    ]


def test_keys_are_fields_groups_categories_or_types(report: Report) -> None:
    paths = ["TAX", "DOCUMENT_TYPE", "NAME", "TOTAL", "items.price"]
    assert keys(report) == paths
    assert keys(report, "group") == ["items"]
    assert keys(report, "field category") == ["sums"]
    assert keys(report, "document type") == ["letter", "invoice"]


def test_types_taken_for_another_are_told_apart_from_right_ones(report: Report) -> None:
    assert confusions(report) == [
        ("invoice", "invoice"),
        ("letter", "(none)"),
        ("letter", "invoice"),
    ]
    (section,) = [one for one in report.details.sections if "taken for" in one.title]
    assert section.tables[0].rows == (("letter", "(none)", "1"), ("letter", "invoice", "1"))


def test_a_type_that_the_schema_does_not_have_is_no_mistake_when_pred_states_it_too() -> None:
    known = {"DOCUMENT_TYPE": "passport", "NAME": "Ann"}
    found = docassay.score({"a": known}, {"a": known}, schema=SCHEMA, metrics=["fields"])
    assert confusions(found) == [("(other)", "(other)")]
    assert not any("taken for" in one.title for one in found.details.sections)


def test_of_several_right_types_the_first_decides() -> None:
    gold = {"DOCUMENT_TYPE": {"any_of": ["letter", "invoice"]}, "NAME": "Ann"}
    found = docassay.score({"a": gold}, {"a": INVOICE}, schema=SCHEMA, metrics=["fields"])
    assert confusions(found) == [("letter", "invoice")]
    assert found["fields.total_fields"].value == 2


def test_a_field_without_an_accuracy_comes_after_those_that_have_one() -> None:
    pred = {**PRED, "a": {**INVOICE, "COLOUR": "red"}}
    schema = {**SCHEMA, "extra": "count"}
    found = docassay.score(GOLD, pred, schema=schema, metrics=["kieval", "fields"])
    assert keys(found)[0] == "COLOUR"
    assert [row["field"] for row in rows_of(kind_csv(found))] == keys(found)
    alone = docassay.score(GOLD, pred, schema=schema, metrics=["entity", "fields"])
    assert [row["field"] for row in rows_of(kind_csv(alone))][-1] == "COLOUR"


def test_without_kieval_fields_and_documents_are_sorted_by_accuracy(report: Report) -> None:
    assert keys(report)[:2] == ["TAX", "DOCUMENT_TYPE"]
    assert [entry[0] for entry in worst_documents(report).first] == ["d", "b", "c"]


def test_a_line_of_a_document_has_the_accuracy_of_each_field(report: Report) -> None:
    lines = {line.id: line for line in report.lines}
    assert lines["b"].fields == {
        "DOCUMENT_TYPE": 1.0,
        "NAME": 0.0,
        "TOTAL": 0.0,
        "TAX": 0.0,
        "items.price": 1.0,
    }
    assert lines["a"].fields["TAX"] is None
    assert [lines[name].pred_type for name in "acd"] == ["invoice", "invoice", "(none)"]


@pytest.mark.parametrize("format", ["table", "markdown"])
def test_the_headline_tells_the_numbers_of_fields_in_words(format: str, report: Report) -> None:
    text = " ".join(render(report, format).split())
    for told in (
        "mean of 4 documents, each the mean of its fields (auto)",
        "mean of 5 fields, each the mean of its documents",
        "mean of all 13 scores of fields",
        "of 13 scores are > 0.9",
        "10 of 12 fields in gold predicted",
        "1 of 2 fields absent in gold predicted",
        "of 4 fully correct",
    ):
        assert told in text


def test_the_tables_name_types_categories_and_confusions(report: Report) -> None:
    text = render(report, "table")
    assert "document types taken for another" in text
    assert "field category" in text


def test_a_run_without_fields_looks_as_it_did() -> None:
    report = docassay.score(GOLD, PRED, schema=SCHEMA, metrics=["entity", "kieval"])
    text = render(report, "table")
    assert "right" in text
    assert "field acc" not in text.replace("\n", " ")
    assert "document type" not in text
    assert "category" not in text


def test_fields_csv_has_mean_spread_and_number_first_and_the_weakest_on_top(report: Report) -> None:
    text = kind_csv(report)
    first = ["field", "mean", "standard_deviation", "low", "high", "n", "precision", "recall"]
    assert text.split("\n")[0].split(",")[:8] == first
    rows = rows_of(text)
    assert [row["field"] for row in rows][:2] == ["TAX", "DOCUMENT_TYPE"]
    name = next(row for row in rows if row["field"] == "NAME")
    assert (name["mean"], name["n"]) == ("0.5", "4")
    assert (name["low"], name["high"]) == ("", "")  # four documents are too few for an interval
    assert float(name["standard_deviation"]) == pytest.approx((1 / 3) ** 0.5)


def test_fields_csv_has_intervals_from_five_documents_on() -> None:
    gold, pred = ({**side, "e": side["a"], "f": side["b"]} for side in (GOLD, PRED))
    text = kind_csv(docassay.score(gold, pred, schema=SCHEMA, metrics=["fields"]))
    rows = {row["field"]: row for row in rows_of(text)}
    assert (rows["NAME"]["mean"], rows["NAME"]["n"]) == ("0.5", "6")
    assert float(rows["NAME"]["low"]) < 0.5 < float(rows["NAME"]["high"])
    assert (rows["TOTAL"]["n"], rows["TOTAL"]["low"]) == ("4", "")


def test_a_csv_of_fields_without_the_metric_fields_is_as_before() -> None:
    report = docassay.score({"a": {"x": "1"}}, {"a": {"x": "1"}}, metrics=["entity"])
    assert kind_csv(report).startswith("field,gold_values,entity.precision")


def test_documents_csv_has_both_types_and_stands_in_gold_order(with_kieval: Report) -> None:
    rows = rows_of("".join(documents_csv(with_kieval.lines)))
    assert [row["document"] for row in rows] == ["a", "b", "c", "d"]
    assert (rows[2]["type"], rows[2]["predicted_type"]) == ("letter", "invoice")
    assert rows[3]["fields.overall_accuracy"] == "0.0"
    assert "response" not in rows[0]


def test_documents_csv_tells_what_became_of_raw_responses(report: Report) -> None:
    lines = tuple(line._replace(outcome=ResponseOutcome("clean")) for line in report.lines)
    assert {row["response"] for row in rows_of("".join(documents_csv(lines)))} == {"clean"}


BOUNDS = {
    "deployment_ready": 0.9,
    "pilot_ready": 0.8,
    "needs_optimization": 0.7,
    "excellent_field": 0.9,
    "good_field": 0.8,
    "poor_field": 0.5,
    "perfect_from": 0.99,
}


@pytest.mark.parametrize(
    ("accuracy", "clause"),
    [
        (0.95, "at least deployment_ready (0.90)"),
        (0.9, "at least deployment_ready (0.90)"),
        (0.8712, "below deployment_ready (0.90) and at least pilot_ready (0.80)"),
        (0.7, "below pilot_ready (0.80) and at least needs_optimization (0.70)"),
        (0.1, "below needs_optimization (0.70)"),
    ],
)
def test_readiness_names_the_bounds_on_either_side(accuracy: float, clause: str) -> None:
    assert readiness(accuracy, BOUNDS) == clause


@pytest.mark.parametrize(
    ("accuracy", "level"),
    [(1.0, "excellent"), (0.9, "excellent"), (0.8, "good"), (0.5, "fair"), (0.49, "poor")],
)
def test_a_field_has_the_level_of_the_highest_bound_it_reaches(accuracy: float, level: str) -> None:
    assert field_level(accuracy, BOUNDS) == level


def test_every_document_with_an_accuracy_has_one_level() -> None:
    documents = [LeadDocument("", "", score, score == 1, {}) for score in (1.0, 0.4, 0.5, 0.0)]
    levels = document_levels(documents, BOUNDS)
    assert sum(levels.values()) == 4
    assert levels["fully correct"] == 1
    assert levels["below 0.70"] == 3


def test_the_summary_in_markdown_says_what_to_look_at_next(with_kieval: Report) -> None:
    text = render_summary(with_kieval, files=["fields.csv", "charts/dashboard.png"])
    assert text.startswith("# 4 documents, aligned 0.5385\n")
    for told in (
        "Aligned 0.5385 is below needs_optimization (0.70).",
        "| fair | at least 0.50 | 3 | `DOCUMENT_TYPE`, `NAME`, `TOTAL` |",
        "| `TAX` | 0.0000 | 1 |",
        "| `NAME` | 2 | 4 | another value (1 of 2) |",
        "| `d` | `letter` | 0.0000 |",
        "| `letter` | `invoice` | 1 |",
        "- [fields.csv](fields.csv): the fields, weakest first",
        "![dashboard](charts/dashboard.png)",
    ):
        assert told in text


def test_thresholds_are_those_of_the_settings() -> None:
    settings = {"fields.needs_optimization": 0.1, "fields.pilot_ready": 0.2}
    report = docassay.score(GOLD, PRED, schema=SCHEMA, metrics=["fields"], settings=settings)
    assert "at least pilot_ready (0.20)" in render_summary(report)


def test_gold_that_breaks_a_rule_is_something_to_look_at_next() -> None:
    schema = {**SCHEMA, "rules": ["sum(items.price) == TOTAL"]}
    gold = {"a": {**INVOICE, "TOTAL": "4.00"}}
    text = render_summary(docassay.score(gold, gold, schema=schema))
    assert "- suspicious gold: 1 document, 1 broken rule, listed below" in text


def test_a_summary_without_anything_scored_says_so() -> None:
    assert "No field could be scored" in render_summary(docassay.score({"a": {}}, {"a": {}}))


def test_the_checklist_has_an_unticked_box_a_field_with_its_number(report: Report) -> None:
    text = checklist(report)
    boxes = [line for line in text.splitlines() if line.startswith("- [")]
    assert all(line.startswith("- [ ] ") for line in boxes)
    assert "- [ ] deployment_ready: not reached, 0.4750 against 0.90" in boxes
    assert "- [ ] `NAME`: not reached, 0.5000 against 0.90, fair (4 documents)" in boxes
    assert "- [ ] `items.price`: reached, 1.0000 against 0.90, excellent (2 documents)" in boxes


def test_a_checklist_is_written_only_when_asked_for(tmp_path: Path) -> None:
    report = docassay.score(GOLD, PRED, schema=SCHEMA, out=tmp_path, checklist=True)
    assert (tmp_path / "checklist.md").is_file()
    assert "(checklist.md)" in (tmp_path / "summary.md").read_text(encoding="utf-8")
    write_folder(tmp_path, report)
    assert not (tmp_path / "checklist.md").exists()
    assert "(checklist.md)" not in (tmp_path / "summary.md").read_text(encoding="utf-8")


def test_a_stored_run_gives_the_same_summary_again(tmp_path: Path) -> None:
    report = docassay.score(GOLD, PRED, schema=SCHEMA, out=tmp_path)
    assert summary(read_folder(tmp_path)) == summary(report)


HOSTILE = ("=cmd()", "a|b", "`tick`", "[x](http://y)", "new\nline", "\x1b[31mred", "<b>")


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_is_only_text_in_the_summary_and_the_checklist(name: str) -> None:
    scorer = Scorer()
    scorer.add(name, {name: "1"}, {name: "2"})
    for text in (render_summary(scorer.report()), checklist(scorer.report())):
        assert all(line.isprintable() for line in text.split("\n"))
        told = code(name)
        assert told in text or told.replace("|", "\\|") in text
