"""The drop-in for `common.evaluation_metrics`: its names, arguments and keys, over our metric."""

from __future__ import annotations

import importlib
import inspect
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import docassay as da
from docassay.compat import evaluation_metrics as em

DOCUMENTED = [
    "_compare_dates_fuzzy",
    "_fuzzy_text_match",
    "_parse_boolean_value",
    "_transaction_item_matches",
    "calculate_correlation_aware_f1",
    "calculate_field_accuracy",
    "calculate_field_accuracy_f1",
    "calculate_field_accuracy_f1_position_agnostic",
    "calculate_field_accuracy_kieval",
    "calculate_field_accuracy_with_method",
    "create_field_accuracy_chart",
    "evaluate_extraction_results",
    "generate_executive_summary",
    "load_ground_truth",
    "parse_extraction_response",
]
SINGLE = ("order_aware_f1", "f1", "position_agnostic_f1", "kieval")
GROUND_TRUTH = """\
image_name,DOCUMENT_TYPE,SUPPLIER_NAME,INVOICE_DATE,IS_GST_INCLUDED,TOTAL_AMOUNT,\
LINE_ITEM_DESCRIPTIONS,LINE_ITEM_PRICES,TRANSACTION_DATES,TRANSACTION_AMOUNTS_PAID
invoice_001,INVOICE,Acme Pty Ltd,16/07/2025,True,$30.00,Chair | Lamp,$10.00 | $20.00,\
NOT_FOUND,NOT_FOUND
statement_001,BANK_STATEMENT,NOT_FOUND,NOT_FOUND,NOT_FOUND,NOT_FOUND,Coffee | Salary,NOT_FOUND,\
16/07/2025 | 17/07/2025,5.00 | NOT_FOUND
"""
NOTEBOOK = """\
import os
from pathlib import Path

import yaml
from docassay.compat.evaluation_metrics import (
    calculate_field_accuracy_with_method, load_ground_truth, parse_extraction_response,
)

os.environ['EVALUATION_METHOD'] = 'order_aware_f1'
ground_truth = load_ground_truth('ground_truth.csv', dtype=str)

field_defs_path = Path('config/field_definitions.yaml')
with open(field_defs_path, 'r') as f:
    field_defs = yaml.safe_load(f)

DOC_TYPE_FIELDS = {
    'invoice': field_defs['document_fields']['invoice']['fields'],
    'bank_statement': field_defs['document_fields']['bank_statement']['fields'],
}

response = '''DOCUMENT_TYPE: INVOICE
SUPPLIER_NAME: ACME PTY LTD
INVOICE_DATE: 16-Jul-25
IS_GST_INCLUDED: true
TOTAL_AMOUNT: 30.00
LINE_ITEM_DESCRIPTIONS: Lamp | Chair
LINE_ITEM_PRICES: $20.00 | $10.00
'''
extracted_data = parse_extraction_response(response)
gt_data = ground_truth['invoice_001']
relevant_fields = DOC_TYPE_FIELDS.get('invoice', [])

field_scores = {}
total_f1 = 0.0
fields_evaluated = 0
fields_matched = 0

for field in relevant_fields:
    extracted_value = extracted_data.get(field, "NOT_FOUND")
    gt_value = gt_data.get(field, "NOT_FOUND")

    if extracted_value == "NOT_FOUND" and gt_value == "NOT_FOUND":
        continue

    fields_evaluated += 1

    metrics = calculate_field_accuracy_with_method(
        extracted_value, gt_value, field,
        method=os.environ.get('EVALUATION_METHOD', 'order_aware_f1')
    )

    field_scores[field] = metrics
    total_f1 += metrics['f1_score']

    if metrics['f1_score'] > 0.9:
        fields_matched += 1

overall_accuracy = total_f1 / fields_evaluated if fields_evaluated > 0 else 0.0
print(fields_evaluated, fields_matched, round(overall_accuracy, 4))
"""
WORKFLOW = """\
from docassay.compat.evaluation_metrics import load_ground_truth
ground_truth_map = load_ground_truth("ground_truth.csv")

extraction_results = []
for name, values in ground_truth_map.items():
    extraction_results.append({"image_name": name + ".png", "extracted_data": values})

from docassay.compat.evaluation_metrics import evaluate_extraction_results
evaluation_summary = evaluate_extraction_results(
    extraction_results,
    ground_truth_map
)

from docassay.compat.evaluation_metrics import generate_executive_summary
generate_executive_summary(evaluation_summary, "model_name")

from docassay.compat.evaluation_metrics import create_field_accuracy_chart
create_field_accuracy_chart(evaluation_summary, "model_name")
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with ground truth to be in, and nothing said about the method."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("EVALUATION_METHOD", raising=False)
    (tmp_path / "ground_truth.csv").write_text(GROUND_TRUTH, encoding="utf-8")
    return tmp_path


def scored(extracted: object, truth: object, name: str, method: str) -> float:
    found = em.calculate_field_accuracy_with_method(extracted, truth, name, method=method)
    return float(found["f1_score"])


def evaluated(folder: Path, *changes: dict[str, str]) -> dict:
    """The summary of the ground truth extracted as it stands but for changes by document."""
    truth = em.load_ground_truth(folder / "ground_truth.csv")
    results = [
        {"image_name": f"{name}.png", "extracted_data": {**truth[name], **change}}
        for name, change in zip(truth, changes, strict=True)
    ]
    return em.evaluate_extraction_results(results, truth)


def test_every_documented_name_is_there() -> None:
    assert {*DOCUMENTED} <= {*em.__all__}
    assert all(callable(getattr(em, name)) for name in DOCUMENTED)


def test_the_router_takes_the_documented_arguments_in_their_order() -> None:
    names = [*inspect.signature(em.calculate_field_accuracy_with_method).parameters]
    assert names[:8] == [
        *("extracted_value", "ground_truth_value", "field_name", "method", "debug"),
        *("extracted_data", "ground_truth_data", "document_type"),
    ]


def test_a_notebook_runs_with_its_import_changed(folder: Path) -> None:
    kinds = {one.name: one for one in da.load_schema("business").types}
    listed = "\n".join(
        f"  {name}: {{count: {len(kind.fields)}, fields: [{', '.join(kind.fields)}]}}"
        for name, kind in kinds.items()
    )
    (folder / "config").mkdir()
    (folder / "config" / "field_definitions.yaml").write_text(f"document_fields:\n{listed}\n")
    ended = subprocess.run(
        [sys.executable, "-c", NOTEBOOK], capture_output=True, text=True, check=True, cwd=folder
    )
    # five single values right, two lists with both items in each other's place
    assert ended.stdout == f"7 5 {round(5 / 7, 4)}\n"


def test_the_documented_workflow_writes_a_summary_and_a_chart(folder: Path) -> None:
    pytest.importorskip("matplotlib", reason="charts are an extra")
    exec(compile(WORKFLOW, "workflow", "exec"), {})
    (written,) = folder.glob("model_name_executive_summary_*.md")
    assert "overall accuracy 1.0000 over 2 documents, at least deployment_ready" in (
        written.read_text(encoding="utf-8")
    )
    (chart,) = folder.glob("model_name_field_accuracy_bar_*.png")
    assert chart.read_bytes().startswith(b"\x89PNG")


# ground truth and responses


def test_ground_truth_is_text_by_image_name(folder: Path) -> None:
    truth = em.load_ground_truth("ground_truth.csv", dtype=str, keep_default_na=False)
    assert [*truth] == ["invoice_001", "statement_001"]
    assert truth["invoice_001"]["IS_GST_INCLUDED"] == "True"
    assert truth["invoice_001"]["LINE_ITEM_PRICES"] == "$10.00 | $20.00"
    assert truth["invoice_001"]["TRANSACTION_DATES"] == "NOT_FOUND"
    assert isinstance(truth, dict)


def test_a_cell_of_ground_truth_is_kept_as_it_stands(folder: Path) -> None:
    (folder / "cells.csv").write_text("image_file,A,B,C\na,, x ,1 |  | not_found\n")
    assert em.load_ground_truth("cells.csv")["a"] == {"A": "", "B": " x ", "C": "1 |  | not_found"}


def test_ground_truth_is_found_with_and_without_the_suffix(folder: Path) -> None:
    truth = em.load_ground_truth("ground_truth.csv")
    for name in ("invoice_001", "invoice_001.jpeg", "images/invoice_001.png"):
        assert name in truth
        assert truth[name] is truth.get(name) is truth["invoice_001"]
    assert "invoice_002" not in truth
    assert truth.get("invoice_002") is None
    with pytest.raises(KeyError):
        truth["invoice_002.png"]


def test_a_name_that_two_files_could_mean_is_not_guessed(folder: Path) -> None:
    (folder / "two.csv").write_text("image_file,A\na.png,1\na.jpg,2\n")
    truth = em.load_ground_truth("two.csv")
    assert truth["a.png"] == {"A": "1"}
    assert "a" not in truth


def test_a_flaw_of_the_file_is_a_warning(folder: Path) -> None:
    (folder / "flawed.csv").write_text("image_file,A\na.png,1\na.png,2\n")
    with pytest.warns(UserWarning, match="'a.png' stands twice"):
        assert em.load_ground_truth("flawed.csv")["a"] == {"A": "1"}


@pytest.mark.parametrize(
    ("given_", "error"),
    [({"dtype": float}, da.ConfigurationError), ({"keep_default_na": True}, da.ConfigurationError)],
)
def test_ground_truth_is_never_read_as_numbers(folder: Path, given_: dict, error: type) -> None:
    with pytest.raises(error, match="read as text"):
        em.load_ground_truth("ground_truth.csv", **given_)


@pytest.mark.parametrize(
    ("response", "wanted"),
    [
        pytest.param("A: 1\nB: x | y", {"A": "1", "B": "x | y"}, id="lines"),
        pytest.param(
            '{"A": 1.50, "B": ["x", null, "y"]}', {"A": "1.50", "B": "x | NOT_FOUND | y"}, id="JSON"
        ),
        pytest.param('{"A": null, "B": true}', {"A": "NOT_FOUND", "B": "true"}, id="null and true"),
        pytest.param("I cannot read this.", {}, id="a refusal"),
    ],
)
def test_a_response_becomes_fields_as_text(response: str, wanted: dict) -> None:
    assert em.parse_extraction_response(response) == wanted


def test_expected_fields_are_all_there_after_parsing() -> None:
    found = em.parse_extraction_response("TOTAL_AMOUNT: 5", ["TOTAL_AMOUNT", "GST_AMOUNT"])
    assert found == {"TOTAL_AMOUNT": "5", "GST_AMOUNT": "NOT_FOUND"}


def test_rows_of_a_response_stay_rows() -> None:
    found = em.parse_extraction_response('{"line_items": [{"description": "x"}]}')
    assert found == {"line_items": [{"description": "x"}]}


# one field


@pytest.mark.parametrize("method", SINGLE)
@pytest.mark.parametrize(
    ("name", "extracted", "truth"),
    [
        ("LINE_ITEM_PRICES", "10.00 | 20.00", "$10.00 | $20.00"),
        ("LINE_ITEM_QUANTITIES", "2.0 | 1.0", "2 | 1"),
        ("TRANSACTION_DATES", "16/07/2025 | 17/07/2025", "16-Jul-25 | 17 July 2025"),
        (
            "LINE_ITEM_TOTAL_PRICES",
            "NOT_FOUND | $111.69 | NOT_FOUND",
            "NOT_FOUND | $111.69 | NOT_FOUND",
        ),
        ("BUSINESS_ABN", "12 345 678 901", "12345678901"),
        ("IS_GST_INCLUDED", "1", "True"),
        ("DOCUMENT_TYPE", "statement", "BANK_STATEMENT"),
        ("SUPPLIER_NAME", "NOT_FOUND", "NOT_FOUND"),
        ("LINE_ITEM_DESCRIPTIONS", ["apple", "banana"], "apple | banana"),
    ],
)
def test_values_that_mean_the_same_score_one(
    method: str, name: str, extracted: object, truth: object
) -> None:
    assert scored(extracted, truth, name, method) == 1.0


@pytest.mark.parametrize("method", SINGLE)
def test_a_value_on_one_side_only_scores_nothing(method: str) -> None:
    assert scored("some value", "NOT_FOUND", "SUPPLIER_NAME", method) == 0.0
    assert scored("NOT_FOUND", "some value", "SUPPLIER_NAME", method) == 0.0


@pytest.mark.parametrize(
    ("method", "score", "precision", "recall", "counts"),
    [
        ("order_aware_f1", 1 / 3, 1 / 3, 1 / 3, (1, 2, 2)),
        ("f1", 1.0, 1.0, 1.0, (3, 0, 0)),
        ("kieval", 1.0, 1.0, 1.0, (3, 0, 0)),
    ],
)
def test_the_wrong_order_is_told_in_counts(
    method: str, score: float, precision: float, recall: float, counts: tuple
) -> None:
    found = em.calculate_field_accuracy_with_method(
        "banana | apple | cherry",
        "apple | banana | cherry",
        "LINE_ITEM_DESCRIPTIONS",
        method=method,
    )
    assert found["f1_score"] == pytest.approx(score)
    assert (found["precision"], found["recall"]) == pytest.approx((precision, recall))
    assert (found["tp"], found["fp"], found["fn"]) == counts


def test_the_cost_of_correction_is_told_by_kind() -> None:
    found = em.calculate_field_accuracy_kieval("a | x", "a | b | c", "NOTES")
    assert found["score"] == found["f1_score"] == pytest.approx(1 / 3)
    kinds = ("substitution", "addition", "deletion", "total_error")
    assert [found[kind] for kind in kinds] == [1, 1, 0, 2]


ITEMS = st.lists(st.sampled_from(["a", "b", "c", "NOT_FOUND"]), max_size=4)


@pytest.mark.parametrize("method", SINGLE)
@given(extracted=ITEMS, truth=ITEMS)
def test_precision_and_recall_follow_from_the_counts(
    method: str, extracted: list[str], truth: list[str]
) -> None:
    found = em.calculate_field_accuracy_with_method(extracted, truth, "NOTES", method=method)
    tp, fp, fn = found["tp"], found["fp"], found["fn"]
    assert tp + fp == sum(item != "NOT_FOUND" for item in extracted)
    assert tp + fn == sum(item != "NOT_FOUND" for item in truth)
    if tp + fp + fn:
        assert found["precision"] == (tp / (tp + fp) if tp + fp else 0.0)
        assert found["recall"] == (tp / (tp + fn) if tp + fn else 0.0)


def test_a_single_text_has_partial_credit() -> None:
    found = em.calculate_field_accuracy_f1("Acme Corp", "ACME CORPORATION", "SUPPLIER_NAME")
    assert found["f1_score"] == found["precision"] == found["recall"] == pytest.approx(9 / 16)


def test_the_environment_names_the_method_at_each_call(monkeypatch: pytest.MonkeyPatch) -> None:
    lists = ("banana | apple", "apple | banana", "LINE_ITEM_DESCRIPTIONS")
    monkeypatch.delenv("EVALUATION_METHOD", raising=False)
    assert em.calculate_field_accuracy(*lists) == 0.0
    for method, score in (("f1", 1.0), ("order_aware_f1", 0.0), ("correlation", 1.0)):
        monkeypatch.setenv("EVALUATION_METHOD", method)
        assert em.calculate_field_accuracy(*lists) == score
    assert scored(*lists, "order_aware_f1") == 0.0


def test_an_unknown_method_is_an_error_that_lists_the_methods(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(da.UnknownName, match="correlation_aware_f1, f1, kieval, order_aware_f1"):
        scored("a", "a", "NOTES", "levenshtein")
    monkeypatch.setenv("EVALUATION_METHOD", "fuzzy")
    with pytest.raises(da.UnknownName, match="EVALUATION_METHOD: unknown method 'fuzzy'"):
        em.calculate_field_accuracy("a", "a", "NOTES")


def test_a_schema_of_ones_own_gives_the_types(folder: Path) -> None:
    (folder / "mine.yaml").write_text("fields: {SUPPLIER_NAME: {type: contains}}\n")
    pair = ("Test Company", "Test Company Pty Ltd", "SUPPLIER_NAME")
    assert em.calculate_field_accuracy(*pair) == pytest.approx(0.6)
    assert em.calculate_field_accuracy(*pair, schema=str(folder / "mine.yaml")) == 0.9


def test_debug_says_what_was_compared(capsys: pytest.CaptureFixture[str]) -> None:
    em.calculate_field_accuracy_f1("5", "6", "TOTAL_AMOUNT", debug=True)
    assert capsys.readouterr().out.startswith("TOTAL_AMOUNT: '6' and '5': f1_score 0")


def test_the_small_helpers_answer_as_their_names_say() -> None:
    assert [em._parse_boolean_value(one) for one in ("True", "0", True, "maybe", None)] == [
        *(True, False, True, None, None)
    ]
    assert em._compare_dates_fuzzy("16/07/2025", "16-Jul-25")
    assert not em._compare_dates_fuzzy("16/07/2025", "17-Jul-25")
    assert em._transaction_item_matches("$5", "5.00", "TRANSACTION_AMOUNTS_PAID")
    assert not em._transaction_item_matches("$5", "NOT_FOUND", "TRANSACTION_AMOUNTS_PAID")
    assert em._fuzzy_text_match("Widget A", "Widget B")
    assert not em._fuzzy_text_match("Widget A", "Widget B", threshold=0.9)


# whole documents

WIDGETS = {
    "LINE_ITEM_DESCRIPTIONS": "Chair | Lamp | Table",
    "LINE_ITEM_PRICES": "$10.00 | $20.00 | $30.00",
    "LINE_ITEM_QUANTITIES": "2 | 1 | 3",
}


@pytest.mark.parametrize(
    ("change", "score", "rows"),
    [
        pytest.param({}, 1.0, 1.0, id="the same"),
        pytest.param(
            {
                "LINE_ITEM_DESCRIPTIONS": "Lamp | Chair | Table",
                "LINE_ITEM_PRICES": "20 | 10 | 30",
                "LINE_ITEM_QUANTITIES": "1 | 2 | 3",
            },
            1.0,
            1.0,
            id="whole rows in another order",
        ),
        pytest.param({"LINE_ITEM_PRICES": "20 | 10 | 30"}, 2 / 3, 1 / 3, id="prices swapped"),
    ],
)
@pytest.mark.parametrize("typed", [{}, {"DOCUMENT_TYPE": "invoice"}], ids=["told", "stated"])
def test_correlation_asks_whether_columns_go_together(
    change: dict, score: float, rows: float, typed: dict
) -> None:
    found = em.calculate_correlation_aware_f1({**WIDGETS, **change}, WIDGETS, "invoice")
    assert found["f1_score"] == found["combined_f1"] == pytest.approx(score)
    assert found["alignment_score"] == pytest.approx(rows)
    assert found["standard_f1"] == 1.0
    assert found["field_f1_scores"] == dict.fromkeys(WIDGETS, 1.0)
    routed = em.calculate_field_accuracy_with_method(
        *("", "", "LINE_ITEM_PRICES"),
        method="correlation",
        extracted_data={**WIDGETS, **change, **typed},
        ground_truth_data={**WIDGETS, **typed},
        document_type="invoice",
    )
    # a stated type is one more field, and right
    assert routed["f1_score"] == pytest.approx((score + 1) / 2 if typed else score)


def test_the_type_that_ground_truth_states_goes_before_the_one_that_is_told() -> None:
    truth = {"DOCUMENT_TYPE": {"value": "statement"}, "TRANSACTION_AMOUNTS_PAID": "5 | 6"}
    found = em.calculate_correlation_aware_f1({**truth, "TOTAL_AMOUNT": "5"}, truth, "invoice")
    assert found["f1_score"] == 1.0
    assert found["alignment_details"] == {"transactions": 1.0}


@pytest.mark.parametrize("odd", [None, 5, float("nan"), [["a"]], [{"a": 1}], {"value": "x"}, b"x"])
@pytest.mark.parametrize("method", SINGLE)
def test_odd_values_are_compared_and_not_refused(method: str, odd: object) -> None:
    assert 0 <= scored(odd, "a | b", "NOTES", method) <= 1
    assert scored(odd, odd, "NOTES", method) == 1.0


def test_correlation_without_documents_says_what_it_needs() -> None:
    with pytest.raises(da.ConfigurationError, match="give extracted_data and ground_truth_data"):
        scored("a | b", "a | b", "LINE_ITEM_PRICES", "correlation")


def test_the_summary_has_the_documented_keys(folder: Path) -> None:
    found = evaluated(folder, {"TOTAL_AMOUNT": "31.00"}, {})
    keys = {
        *("overall_accuracy", "overall_correct", "overall_total", "field_accuracies"),
        *("images_evaluated", "best_performing_image", "best_performance_accuracy"),
        *("worst_performing_image", "worst_performance_accuracy", "perfect_documents"),
        "summary_stats",
    }
    assert keys <= found.keys()
    assert found["overall_accuracy"] == pytest.approx((6 / 7 + 1) / 2)
    assert (found["overall_correct"], found["overall_total"]) == (10.0, 11)
    assert found["field_accuracies"]["TOTAL_AMOUNT"] == {
        "accuracy": 0.0,
        "correct": 0.0,
        "total": 1,
    }
    assert found["images_evaluated"] == 2
    assert found["best_performing_image"] == "statement_001.png"
    assert found["worst_performing_image"] == "invoice_001.png"
    assert found["perfect_documents"] == 1
    assert found["summary_stats"].keys() == {"best_fields", "worst_fields", "avg_field_accuracy"}
    assert found["summary_stats"]["worst_fields"][0][0] == "TOTAL_AMOUNT"


def test_a_column_of_two_document_types_is_one_field_of_the_summary(folder: Path) -> None:
    found = evaluated(folder, {"LINE_ITEM_DESCRIPTIONS": "qq | zz"}, {})
    one = found["field_accuracies"]["LINE_ITEM_DESCRIPTIONS"]
    assert one == {"accuracy": 0.5, "correct": 1.0, "total": 2}
    assert not any("." in name for name in found["field_accuracies"])
    accuracies = [one["accuracy"] for one in found["field_accuracies"].values()]
    assert found["summary_stats"]["avg_field_accuracy"] == pytest.approx(
        sum(accuracies) / len(accuracies)
    )


def test_a_statement_taken_for_an_invoice_does_not_gain(folder: Path) -> None:
    honest = evaluated(folder, {}, {"TRANSACTION_DATES": "NOT_FOUND"})
    hiding = evaluated(folder, {}, {"TRANSACTION_DATES": "NOT_FOUND", "DOCUMENT_TYPE": "INVOICE"})
    assert hiding["worst_performance_accuracy"] < honest["worst_performance_accuracy"] < 1


def test_the_environment_names_the_method_of_an_evaluation(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reordered = {"LINE_ITEM_DESCRIPTIONS": "Lamp | Chair", "LINE_ITEM_PRICES": "20 | 10"}
    assert evaluated(folder, reordered, {})["overall_accuracy"] == pytest.approx((5 / 7 + 1) / 2)
    for method in ("f1", "kieval", "correlation"):
        monkeypatch.setenv("EVALUATION_METHOD", method)
        assert evaluated(folder, reordered, {})["overall_accuracy"] == 1.0


def test_results_without_ground_truth_are_named(folder: Path) -> None:
    truth = em.load_ground_truth("ground_truth.csv")
    known = {"image_file": "invoice_001.png", "extracted_data": truth["invoice_001"]}
    stranger = {"image_name": "other.png", "extracted_data": {}}
    found = em.evaluate_extraction_results([known, stranger], dict(truth))
    assert found["images_without_ground_truth"] == ["other.png"]
    assert found["images_evaluated"] == 1
    with pytest.raises(da.DataError, match="no extraction result has ground truth"):
        em.evaluate_extraction_results([stranger], truth)
    with pytest.raises(da.DataError, match="extraction result 1: has no image_name"):
        em.evaluate_extraction_results([{"extracted_data": {}}], truth)


def test_a_result_given_twice_is_a_problem_that_the_summary_tells(folder: Path) -> None:
    truth = em.load_ground_truth("ground_truth.csv")
    result = {"image_name": "invoice_001.png", "extracted_data": truth["invoice_001"]}
    found = em.evaluate_extraction_results([result, result], truth)
    assert found["images_evaluated"] == 1
    assert any("twice" in problem for problem in found["problems"])


def test_a_result_without_extraction_is_all_missed(folder: Path) -> None:
    truth = em.load_ground_truth("ground_truth.csv")
    found = em.evaluate_extraction_results([{"image_name": "invoice_001"}], truth)
    assert found["overall_accuracy"] == 0.0


# files


def test_the_summary_file_is_written_where_asked_and_holds_no_markup(folder: Path) -> None:
    found = evaluated(folder, {"TOTAL_AMOUNT": "31.00"}, {})
    found["worst_performing_image"] = "<script>|evil|`x`.png"
    path = em.generate_executive_summary(found, "org/model v1", "out.md")
    text = Path(path).read_text(encoding="utf-8")
    assert path == "out.md"
    assert "- worst document: ``<script>|evil|`x`.png``, 0.8571" in text
    assert "| `TOTAL_AMOUNT` | 0.0000 | 0.0 | 1 | poor |" in text


def test_a_model_with_a_slash_in_its_name_stays_in_the_folder(folder: Path) -> None:
    path = em.generate_executive_summary(evaluated(folder, {}, {}), "../org/model")
    assert Path(path).parent == Path()
    assert Path(path).name.startswith("org_model_executive_summary_")


def test_a_file_that_cannot_be_written_is_said(folder: Path) -> None:
    with pytest.raises(da.FileError, match="cannot be written"):
        em.generate_executive_summary(evaluated(folder, {}, {}), "m", "no/such/folder/x.md")


def test_importing_the_drop_in_does_not_import_matplotlib() -> None:
    program = "import sys, docassay.compat.evaluation_metrics; print('matplotlib' in sys.modules)"
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert ended.stdout == "False\n"


def test_the_module_is_found_by_its_documented_path() -> None:
    assert importlib.import_module("docassay.compat.evaluation_metrics") is em
