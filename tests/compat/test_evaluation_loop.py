"""The guide's loop from images to a comparison of two models runs with its imports changed."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

import pytest

import docassay.compat.evaluation_metrics as em
from docassay.errors import ConfigurationError, DataError, FileError
from docassay.synth.corpus import write_corpus
from docassay.synth.pages import write_pages

NOW = datetime(2025, 7, 16, 9, 30, 5)
COLUMNS = {
    "LINE_ITEM_DESCRIPTIONS": "description",
    "LINE_ITEM_QUANTITIES": "quantity",
    "LINE_ITEM_PRICES": "price",
    "LINE_ITEM_TOTAL_PRICES": "total",
}
DEFINITIONS = """\
document_fields:
  invoice:
    count: 2
    fields: [DOCUMENT_TYPE, TOTAL_AMOUNT]
  bank_statement:
    fields: [DOCUMENT_TYPE, ACCOUNT_BALANCE]
field_descriptions:
  TOTAL_AMOUNT: what is to be paid
evaluation:
  critical_fields: [TOTAL_AMOUNT]
"""


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Ground truth as CSV and six pages as texts."""
    write_corpus(tmp_path, docs=6, rows=2, seed=1, kinds=("invoice", "receipt"))
    write_pages(
        tmp_path / "images", docs=6, rows=2, seed=1, kinds=("invoice", "receipt"), form="txt"
    )
    lines = [json.loads(line) for line in (tmp_path / "gold.jsonl").read_text().splitlines()]
    rows = []
    for line in lines:
        fields = line["fields"]
        items = fields.pop("line_items")
        lists = {column: " | ".join(row[name] for row in items) for column, name in COLUMNS.items()}
        rows.append({"image_name": line["id"], **fields, **lists})
    names = [*dict.fromkeys(name for row in rows for name in row)]
    with (tmp_path / "ground_truth.csv").open("w", newline="") as file:
        table = csv.DictWriter(file, names, restval="NOT_FOUND")
        table.writeheader()
        table.writerows(rows)
    return tmp_path


def hasty(path: Path, schema: object) -> Mapping[str, object]:
    """A model that sees the type of a document and nothing else."""
    return {"DOCUMENT_TYPE": "RECEIPT" if "receipt" in Path(path).stem else "INVOICE"}


def test_the_documented_loop_runs_for_two_models(
    corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EVALUATION_METHOD", "order_aware_f1")
    ground_truth = em.load_ground_truth(corpus / "ground_truth.csv", dtype=str)
    processors = {
        "rules": em.ModelProcessor("rules", ocr_only=True),
        "hasty": em.ModelProcessor("hasty", extractor=hasty),
    }
    results: dict[str, list[dict[str, object]]] = {}
    for name, model_processor in processors.items():
        results[name] = []
        for image_path in sorted((corpus / "images").iterdir()):
            results[name].append(model_processor.process_single_image(image_path))
    first = results["rules"][0]
    assert {"image_name", "extracted_data", "processing_time", "document_type"} <= first.keys()
    assert isinstance(first["processing_time"], float)

    comparison = em.compare_models(results, ground_truth)
    rules, guess = comparison.models
    assert rules.accuracy is not None
    assert guess.accuracy is not None
    assert rules.accuracy > 0.9 > 0.3 > guess.accuracy
    assert rules.images == guess.images == 6
    assert rules.mean_time is not None
    assert comparison.differences[0].verdict == "worse"
    assert comparison.recommendations[0].startswith("use `rules`: its accuracy is higher")

    text = Path(em.generate_comparison_summary(comparison, corpus / "compared.md")).read_text()
    assert "## Recommendations" in text
    assert "| `TOTAL_AMOUNT` |" in text
    chart = Path(em.create_model_comparison_chart(comparison, corpus / "compared.png"))
    assert chart.read_bytes().startswith(b"\x89PNG")
    assert "hasty" in chart.with_suffix(".svg").read_text()


def test_files_are_named_by_model_and_time(corpus: Path) -> None:
    truth = em.load_ground_truth(corpus / "ground_truth.csv")
    results = em.ModelProcessor("org/rules", ocr_only=True).process_image_batch(
        corpus / "images", corpus / "kept.jsonl"
    )
    files = em.save_evaluation_outputs(results, truth, "org/rules", corpus / "out", now=NOW)
    names = {
        "batch_extraction": "csv",
        "evaluation_results": "json",
        "executive_summary": "md",
        "deployment_checklist": "md",
        "field_accuracy_bar": "png",
        "performance_dashboard": "png",
        "document_quality": "png",
    }
    assert {name: path.name for name, path in files.items()} == {
        name: f"org_rules_{name}_20250716_093005.{suffix}" for name, suffix in names.items()
    }
    assert all(path.stat().st_size for path in files.values())
    with files["batch_extraction"].open(newline="") as file:
        rows = [*csv.DictReader(file)]
    assert len(rows) == 6
    assert {row["model"] for row in rows} == {"org/rules"}
    assert all(float(row["overall_accuracy"]) > 0.5 for row in rows)
    assert all(" | " in row["LINE_ITEM_PRICES"] for row in rows)
    kept = json.loads(files["evaluation_results"].read_text())
    assert kept["overall_accuracy"] == pytest.approx(
        sum(kept["documents"].values()) / len(kept["documents"])
    )
    again = em.load_ground_truth(files["batch_extraction"])
    assert len(again) == 6


def test_kept_answers_become_results_again(corpus: Path) -> None:
    processor = em.ModelProcessor("rules", ocr_only=True)
    results = processor.process_image_batch(corpus / "images", corpus / "kept.jsonl")
    again = em.load_extraction_results(corpus / "kept.jsonl")
    assert [result["extracted_data"] for result in again] == [
        result["extracted_data"] for result in results
    ]
    (corpus / "odd.jsonl").write_text('{"id": "a"}\n')
    with pytest.raises(DataError, match=r"odd\.jsonl:1: is no kept answer"):
        em.load_extraction_results(corpus / "odd.jsonl")


def test_an_image_that_fails_is_a_result_with_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"no image")
    result = em.ModelProcessor("m", ocr_only=True, ocr="tesseract")
    try:
        failure = result.process_single_image(tmp_path / "a.png")
    except ConfigurationError as error:
        pytest.skip(str(error))
    assert failure["extracted_data"] == {}
    assert "is no image" in str(failure["error"])


def test_models_that_cannot_be_told_apart_are_told_by_their_time() -> None:
    truth = {f"d{number}": {"TOTAL_AMOUNT": "$1.00"} for number in range(4)}
    results = [
        {"image_name": name, "extracted_data": fields, "processing_time": 2.0}
        for name, fields in truth.items()
    ]
    fast = [{**result, "processing_time": 1.0} for result in results]
    comparison = em.compare_models({"slow": results, "fast": fast}, truth)
    assert "use `fast`, at 1.00 against 2.00 seconds an image" in comparison.recommendations[0]
    with pytest.raises(ConfigurationError, match="one model is no comparison"):
        em.compare_models({"slow": results}, truth)


def test_fields_follow_the_type_of_the_document() -> None:
    assert len(em.get_document_type_fields("invoice")) == 14
    assert em.get_document_type_fields("Tax Invoice") == em.get_document_type_fields("invoice")
    statement = em.get_document_type_fields("bank_statement")
    assert len(statement) == 5
    assert em.filter_evaluation_fields([*statement, "ACCOUNT_BALANCE"]) == statement
    with pytest.warns(UserWarning, match="'poem' is not known; it is taken as invoice"):
        assert em.get_document_type_fields("poem") == em.get_document_type_fields("invoice")


def test_definitions_come_from_a_file_or_from_the_built_in_schema(tmp_path: Path) -> None:
    file = tmp_path / "field_definitions.yaml"
    file.write_text(DEFINITIONS)
    own = em.SimpleFieldLoader(file)
    assert own.get_supported_document_types() == ["invoice", "bank_statement"]
    assert own.get_document_fields("invoice") == ["DOCUMENT_TYPE", "TOTAL_AMOUNT"]
    assert own.get_field_description("TOTAL_AMOUNT") == "what is to be paid"
    assert own.get_field_description("DOCUMENT_TYPE") == ""
    assert own.get_critical_fields() == ["TOTAL_AMOUNT"]
    usual = em.SimpleFieldLoader()
    assert "ACCOUNT_BALANCE" in usual.get_document_fields("statement")
    assert "TOTAL_AMOUNT" in usual.get_field_types()["money"]
    assert "LINE_ITEM_PRICES" in usual.get_field_types()["money"]
    with pytest.raises(FileError, match="no such file"):
        em.SimpleFieldLoader(tmp_path / "missing.yaml").get_critical_fields()
    file.write_text("a: [")
    with pytest.raises(DataError, match="is no YAML"):
        em.SimpleFieldLoader(file).get_critical_fields()


def test_the_evaluator_of_one_document_says_what_each_field_is() -> None:
    truth = {"DOCUMENT_TYPE": "INVOICE", "SUPPLIER_NAME": "Acme Pty Ltd", "TOTAL_AMOUNT": "$10.00",
             "BUSINESS_ABN": "12 345 678 901"}  # fmt: skip
    given = {"DOCUMENT_TYPE": "INVOICE", "SUPPLIER_NAME": "Acme Pty Lt", "TOTAL_AMOUNT": "$99.00",
             "PAYER_NAME": "Bob"}  # fmt: skip
    result = em.StandaloneEvaluator().evaluate_extraction(given, truth, "invoice", now=NOW)
    scores = result["field_scores"]
    assert isinstance(scores, dict)
    assert {name: scores[name]["match_type"] for name in (*truth, "PAYER_NAME", "GST_AMOUNT")} == {
        "DOCUMENT_TYPE": "exact",
        "SUPPLIER_NAME": "fuzzy",
        "TOTAL_AMOUNT": "mismatch",
        "BUSINESS_ABN": "false_negative",
        "PAYER_NAME": "false_positive",
        "GST_AMOUNT": "correct_not_found",
    }
    overall = result["overall_metrics"]
    assert isinstance(overall, dict)
    assert overall["total_fields_evaluated"] == 14
    assert overall["fields_matched"] == 11
    assert overall["fields_perfect"] == 10
    assert overall["critical_fields_perfect"] is False
    assert result["timestamp"] == "2025-07-16T09:30:05"


def test_the_thresholds_are_the_documented_ones() -> None:
    readiness = (
        em.DEPLOYMENT_READY_THRESHOLD,
        em.PILOT_READY_THRESHOLD,
        em.NEEDS_OPTIMIZATION_THRESHOLD,
    )
    levels = (em.EXCELLENT_FIELD_THRESHOLD, em.GOOD_FIELD_THRESHOLD, em.POOR_FIELD_THRESHOLD)
    assert readiness == (0.9, 0.8, 0.7)
    assert levels == (0.9, 0.8, 0.5)
