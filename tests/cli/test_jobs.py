"""A newcomer's jobs: each one command with the right number, and a remedy when it goes wrong."""

from __future__ import annotations

import csv
import json
import re
import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from docassay.cli import run
from tests.cli.cli_corpus import Command, Ended

Tree = dict[str, object]
GOLD: dict[str, Tree] = {
    f"inv_{number:03}": {
        "invoice_number": f"A-{1000 + number}",
        "vendor": f"Vendor {number} Ltd",
        "total": f"{number * 13}.50",
        "line_items": [{"description": f"Item {number}", "amount": f"{number}.25"}],
    }
    for number in range(1, 7)
}
VALUES = 5
"""How many values a document has."""
WRONG = {**GOLD, "inv_002": {**GOLD["inv_002"], "total": "1.00"}}
"""Predictions with one wrong value."""
RIGHT = 1 - 1 / (VALUES * len(GOLD))


def write_folder(folder: Path, trees: Mapping[str, object], name: Callable[[str], str]) -> Path:
    folder.mkdir()
    for id, tree in trees.items():
        (folder / f"{name(id)}.json").write_text(json.dumps(tree))
    return folder


def write_lines(path: Path, records: list[object]) -> Path:
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return path


def write_table(path: Path, rows: list[dict[str, str]]) -> Path:
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, [*rows[0]])
        writer.writeheader()
        writer.writerows(rows)
    return path


def aligned(ended: Ended) -> float:
    """Return the headline of a run that went well."""
    assert ended.code == 0, ended.err
    scores = json.loads(ended.out)["scores"]
    (value,) = (
        score["value"]
        for score in scores
        if (score["readout"], score["key"], score["slice"]) == ("aligned", "", "")
    )
    return float(value)


def score(docassay: Command, gold: Path, pred: Path, *options: str) -> Ended:
    return docassay(
        "score", str(gold), str(pred), "--metrics", "kieval", "--format", "json", *options
    )


def remedy(ended: Ended, pattern: str = r"\(add (.+)\)$") -> list[str]:
    """Return the option that a refused run recommends."""
    assert (ended.code, ended.out) == (3, ""), ended
    match = re.search(pattern, ended.err.splitlines()[0])
    assert match is not None, ended.err
    return shlex.split(match[1])


# --- 1: a folder of predictions with other file names than gold's -------------------------------

NAMES: list[tuple[str, str]] = [
    ("{}", "{}_pred"),
    ("{}", "{}.pdf"),
    ("{}", "{}-response"),
    ("{}", "scan_{}.png"),
    ("{}", "run7_{}_gpt4o"),
    ("{}_gt", "{}"),
    ("{}_gt", "{}_pred"),
    ("gold_{}", "pred_{}"),
]


@pytest.mark.parametrize(("gold_name", "pred_name"), NAMES)
def test_files_with_an_affix_are_paired_and_it_is_said(
    tmp_path: Path, docassay: Command, gold_name: str, pred_name: str
) -> None:
    gold = write_folder(tmp_path / "gold", GOLD, gold_name.format)
    pred = write_folder(tmp_path / "pred", WRONG, pred_name.format)
    ended = score(docassay, gold, pred)
    assert aligned(ended) == pytest.approx(RIGHT)
    assert "paired by file name without" in ended.err


def test_how_files_were_paired_stands_in_the_report(tmp_path: Path, docassay: Command) -> None:
    gold = write_folder(tmp_path / "gold", GOLD, str)
    pred = write_folder(tmp_path / "pred", WRONG, "{}_pred".format)
    notes = json.loads(score(docassay, gold, pred).out)["notes"]
    assert "paired by file name without '_pred' of pred: 6" in notes


PATTERNS: list[Callable[[str], str]] = [
    lambda id: f"scan-{id[4:]}-final",
    lambda id: f"{id}_{int(id[4:]) * 7919}",
    lambda id: f"document {int(id[4:])}",
    lambda id: f"rec_{id[4:]}",
]


@pytest.mark.parametrize("name", PATTERNS)
def test_files_without_a_shared_id_exit_with_a_pattern_that_works(
    tmp_path: Path, docassay: Command, name: Callable[[str], str]
) -> None:
    gold = write_folder(tmp_path / "gold", GOLD, str)
    pred = write_folder(tmp_path / "pred", WRONG, name)
    ended = score(docassay, gold, pred)
    assert "inv_005" in ended.err
    assert name("inv_005") in ended.err
    option = remedy(ended)
    assert option[0] == "--id-pattern"
    assert aligned(score(docassay, gold, pred, *option)) == pytest.approx(RIGHT)


def test_ids_that_nothing_pairs_exit_without_a_false_promise(
    tmp_path: Path, docassay: Command
) -> None:
    gold = write_folder(tmp_path / "gold", GOLD, str)
    pred = write_folder(tmp_path / "pred", WRONG, lambda id: f"doc{hash(id) % 10**6 + 500}")
    ended = score(docassay, gold, pred)
    assert ended.code == 3
    assert "--gold-id" in ended.err
    assert "--id-pattern" not in ended.err


# --- 2: a spreadsheet against a model's CSV with other column names -----------------------------

COLUMNS = {"Invoice Number": "invoice_number", "Vendor": "vendor", "Total": "total"}


def table(trees: Mapping[str, Tree], id: str, names: Mapping[str, str]) -> list[dict[str, str]]:
    return [
        {id: key, **{name: str(tree[field]) for name, field in names.items()}}
        for key, tree in trees.items()
    ]


@pytest.mark.parametrize("id", ["image_file", "File Name", "Document", "doc_id", "id"])
def test_a_spreadsheet_with_other_column_names_is_one_command(
    tmp_path: Path, docassay: Command, id: str
) -> None:
    gold = write_table(tmp_path / "gold.csv", table(GOLD, id, COLUMNS))
    names = {"invoiceNumber": "invoice_number", "VENDOR": "vendor", "total": "total"}
    reordered = dict(reversed(WRONG.items()))
    pred = write_table(tmp_path / "pred.csv", table(reordered, "filename", names))
    ended = score(docassay, gold, pred)
    assert aligned(ended) == pytest.approx(1 - 1 / 18)
    assert "invoiceNumber = Invoice Number" in ended.err


def test_columns_with_nothing_in_common_exit_with_the_names_to_map(
    tmp_path: Path, docassay: Command
) -> None:
    gold = write_table(tmp_path / "gold.csv", table(GOLD, "id", COLUMNS))
    names = {"inv_no": "invoice_number", "seller": "vendor", "grand sum": "total"}
    pred = write_table(tmp_path / "pred.csv", table(WRONG, "id", names))
    ended = score(docassay, gold, pred)
    assert "gold and pred share no field" in ended.err
    assert remedy(ended)[::2] == ["--map"] * 3
    assert sorted(remedy(ended)[1::2]) == [
        "grand sum=Total",
        "inv_no=Invoice Number",
        "seller=Vendor",
    ]


def test_one_broken_row_of_gold_exits_and_one_of_pred_is_counted(
    tmp_path: Path, docassay: Command
) -> None:
    good = write_table(tmp_path / "good.csv", table(GOLD, "id", COLUMNS))
    lines = good.read_text().splitlines()
    broken = tmp_path / "broken.csv"
    broken.write_text("\n".join([*lines[:3], lines[3].replace("Vendor", "Ven,dor"), *lines[4:]]))
    ended = score(docassay, broken, good)
    assert ended.code == 3
    assert f"{broken}:4: gold document inv_003 has 5 cells for 4 columns" in ended.err
    assert aligned(score(docassay, good, broken)) == pytest.approx(1 - 1 / 6)


# --- 3: batch output of a model ------------------------------------------------------------------


def batch_line(id: str, content: str, number: int = 0) -> Tree:
    """Return a line as the batch service writes it."""
    choice = {"index": 0, "message": {"role": "assistant", "content": content}, "logprobs": None}
    body = {
        "id": f"chatcmpl-{number}",
        "object": "chat.completion",
        "model": "gpt-4o-mini",
        "choices": [{**choice, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1200, "completion_tokens": 80, "total_tokens": 1280},
    }
    response = {"status_code": 200, "request_id": f"req_{number}", "body": body}
    return {"id": f"batch_req_{number}", "custom_id": id, "response": response, "error": None}


def batch_error(id: str) -> Tree:
    error = {"code": "rate_limit_exceeded", "message": "Rate limit reached"}
    response = {"status_code": 429, "request_id": "req_9", "body": {"error": error}}
    return {"id": "batch_req_9", "custom_id": id, "response": response, "error": None}


def batch_lines(name: Callable[[str], str] = str) -> list[object]:
    answers = [f"Here it is:\n```json\n{json.dumps(tree)}\n```" for tree in WRONG.values()]
    lines = [batch_line(name(id), text) for id, text in zip(WRONG, answers, strict=True)]
    return [batch_error(name("inv_006")), *lines[4::-1]]


def test_batch_output_is_scored_and_an_error_of_the_service_counts_as_missed(
    tmp_path: Path, docassay: Command
) -> None:
    gold = write_folder(tmp_path / "gold", GOLD, str)
    pred = write_lines(tmp_path / "batch_output.jsonl", batch_lines())
    ended = score(docassay, gold, pred)
    assert aligned(ended) == pytest.approx(1 - 6 / 30)
    assert "rate_limit_exceeded" in ended.out


def test_batch_output_with_ids_of_requests_exits_with_a_pattern_that_works(
    tmp_path: Path, docassay: Command
) -> None:
    gold = write_folder(tmp_path / "gold", GOLD, str)
    lines = batch_lines(lambda id: f"request-{int(id[4:])}")
    pred = write_lines(tmp_path / "batch_output.jsonl", lines)
    option = remedy(score(docassay, gold, pred))
    assert aligned(score(docassay, gold, pred, *option)) == pytest.approx(1 - 6 / 30)


def test_a_broken_line_of_a_batch_is_counted_under_its_id(
    tmp_path: Path, docassay: Command
) -> None:
    gold = write_folder(tmp_path / "gold", GOLD, str)
    pred = write_lines(tmp_path / "batch_output.jsonl", batch_lines())
    lines = pred.read_text().splitlines()
    pred.write_text("\n".join([*lines[:-1], lines[-1][:200]]))
    ended = score(docassay, gold, pred)
    assert aligned(ended) == pytest.approx(1 - 11 / 30)
    problems = json.loads(ended.out)["problems"]
    assert [("inv_001", f"{pred}:6")] == [
        (problem["document"], problem["where"])
        for problem in problems
        if problem["code"] == "unreadable-record"
    ]


# --- 8: what services return ---------------------------------------------------------------------


def azure(tree: Tree) -> Tree:
    rows = tree["line_items"]
    assert isinstance(rows, list)
    items = [
        {"type": "object", "valueObject": {name: azure_text(text) for name, text in row.items()}}
        for row in rows
    ]
    fields = {name: azure_text(tree[name]) for name in ("invoice_number", "vendor", "total")}
    members = {**fields, "line_items": {"type": "array", "valueArray": items}}
    documents = [{"docType": "custom", "fields": members, "confidence": 0.9}]
    result = {
        "apiVersion": "2024-11-30",
        "modelId": "custom",
        "content": "",
        "documents": documents,
    }
    return {
        "status": "succeeded",
        "createdDateTime": "2025-01-01T00:00:00Z",
        "analyzeResult": result,
    }


def azure_text(text: object) -> Tree:
    return {"type": "string", "valueString": text, "content": text, "confidence": 0.98}


def textract(tree: Tree) -> Tree:
    rows = tree["line_items"]
    assert isinstance(rows, list)
    items = [
        {"LineItemExpenseFields": [textract_field(*cell) for cell in row.items()]} for row in rows
    ]
    summary = [textract_field(name, tree[name]) for name in ("invoice_number", "vendor", "total")]
    groups = [{"LineItemGroupIndex": 1, "LineItems": items}]
    expense = {"ExpenseIndex": 1, "SummaryFields": summary, "LineItemGroups": groups}
    return {"DocumentMetadata": {"Pages": 1}, "ExpenseDocuments": [expense]}


def textract_field(name: str, text: object) -> Tree:
    return {
        "Type": {"Text": name, "Confidence": 99.0},
        "ValueDetection": {"Text": text, "Confidence": 97.0},
        "PageNumber": 1,
    }


def document_ai(tree: Tree) -> Tree:
    rows = tree["line_items"]
    assert isinstance(rows, list)
    entities: list[Tree] = [
        {"type": name, "mentionText": tree[name], "confidence": 0.9}
        for name in ("invoice_number", "vendor", "total")
    ]
    for row in rows:
        properties = [
            {"type": f"line_items/{name}", "mentionText": text} for name, text in row.items()
        ]
        entities.append({"type": "line_items", "mentionText": "…", "properties": properties})
    return {"mimeType": "application/pdf", "text": "…", "entities": entities}


def landing(tree: Tree) -> Tree:
    details = {name: {"chunk_references": ["c1"]} for name in tree}
    return {"extraction": tree, "extraction_metadata": details, "metadata": {"version": "v1"}}


def extend(tree: Tree) -> Tree:
    details = {name: {"ocrConfidence": 0.9} for name in tree}
    return {"id": "exr_1", "status": "PROCESSED", "output": {"value": tree, "metadata": details}}


def wrapped(tree: Tree) -> Tree:
    return {"status": "ok", "model": "m1", "result": {"data": tree}}


def as_text(tree: Tree) -> Tree:
    return {"status": "ok", "data": f"```json\n{json.dumps(tree)}\n```"}


SERVICES = [azure, textract, document_ai, landing, extend, wrapped, as_text]


@pytest.mark.parametrize("service", SERVICES)
def test_the_results_of_a_service_are_one_command(
    tmp_path: Path, docassay: Command, service: Callable[[Tree], Tree]
) -> None:
    gold = write_folder(tmp_path / "gold", GOLD, str)
    results = {id: service(tree) for id, tree in WRONG.items()}
    pred = write_folder(tmp_path / "pred", results, "{}.pdf".format)
    assert aligned(score(docassay, gold, pred)) == pytest.approx(RIGHT)


def test_an_envelope_that_was_opened_is_said(tmp_path: Path, docassay: Command) -> None:
    gold = write_folder(tmp_path / "gold", GOLD, str)
    pred = write_folder(tmp_path / "pred", {id: wrapped(WRONG[id]) for id in WRONG}, str)
    ended = score(docassay, gold, pred)
    assert "pred: records are read from 'result.data'" in ended.err
    assert any("result.data" in note for note in json.loads(ended.out)["notes"])


def test_an_envelope_of_another_name_exits_with_the_root_that_works(
    tmp_path: Path, docassay: Command
) -> None:
    gold = write_folder(tmp_path / "gold", GOLD, str)
    trees = {id: {"status": "ok", "invoice": {"v2": tree}} for id, tree in WRONG.items()}
    pred = write_folder(tmp_path / "pred", trees, str)
    option = remedy(score(docassay, gold, pred))
    assert option == ["--pred-root", "invoice.v2"]
    assert aligned(score(docassay, gold, pred, *option)) == pytest.approx(RIGHT)


# --- what any job may stumble over ---------------------------------------------------------------


def records(trees: Mapping[str, Tree], **more: Callable[[str], object]) -> list[object]:
    return [{**{key: make(id) for key, make in more.items()}, **tree} for id, tree in trees.items()]


PLACES: list[tuple[Callable[[str], Tree], str]] = [
    (lambda id: {"id": f"r-{hash(id)}", "custom_id": id}, "custom_id"),
    (lambda id: {"metadata": {"file": {"name": f"in/{id}.pdf"}}}, "metadata.file.name"),
    (lambda id: {"id": f"r-{hash(id)}", "request": id, "fields": {}}, "request"),
]


@pytest.mark.parametrize(("beside", "path"), PLACES)
def test_ids_at_another_place_exit_with_the_path_that_works(
    tmp_path: Path, docassay: Command, beside: Callable[[str], Tree], path: str
) -> None:
    gold = write_lines(tmp_path / "gold.jsonl", records(GOLD, id=str))
    lines: list[object] = [
        {**beside(id), "fields": tree} if path != "custom_id" else {**beside(id), **tree}
        for id, tree in WRONG.items()
    ]
    pred = write_lines(tmp_path / "pred.jsonl", lines)
    option = remedy(score(docassay, gold, pred))
    assert option == ["--pred-id", path]
    assert aligned(score(docassay, gold, pred, *option)) == pytest.approx(RIGHT)
    assert remedy(score(docassay, pred, gold)) == ["--gold-id", path]


def test_a_file_with_a_list_inside_exits_with_the_root_that_works(
    tmp_path: Path, docassay: Command
) -> None:
    gold = write_lines(tmp_path / "gold.jsonl", records(GOLD, id=str))
    pred = tmp_path / "pred.json"
    pred.write_text(json.dumps({"status": "ok", "run": {"results": records(WRONG, id=str)}}))
    option = remedy(score(docassay, gold, pred))
    assert option == ["--pred-root", "run.results"]
    assert aligned(score(docassay, gold, pred, *option)) == pytest.approx(RIGHT)


def test_a_model_that_returned_nothing_scores_zero(tmp_path: Path, docassay: Command) -> None:
    gold = write_lines(tmp_path / "gold.jsonl", records(GOLD, id=str))
    pred = write_lines(tmp_path / "pred.jsonl", [{"id": id} for id in GOLD])
    assert aligned(score(docassay, gold, pred)) == 0
    pred = write_lines(tmp_path / "pred.jsonl", [{"id": id, "answer": None} for id in GOLD])
    assert aligned(score(docassay, gold, pred)) == 0


def test_few_predictions_are_said_first_with_the_option(tmp_path: Path, docassay: Command) -> None:
    gold = write_lines(tmp_path / "gold.jsonl", records(GOLD, id=str))
    pred = write_lines(
        tmp_path / "pred.jsonl",
        records(WRONG, id=lambda id: id if id == "inv_001" else f"{id[4:]}.{id[4:]}"),
    )
    ended = score(docassay, gold, pred)
    first = ended.err.splitlines()[0]
    assert first.startswith("only 1 of 6 gold documents have a prediction: add --id-pattern")
    assert first in json.loads(ended.out)["notes"]
    option = shlex.split(first.partition(": add ")[2])
    assert aligned(score(docassay, gold, pred, *option)) == pytest.approx(RIGHT)


BROKEN = [
    pytest.param('{"id": "inv_003", "total": "5', "inv_003", id="cut off"),
    pytest.param("Traceback (most recent call last):", "", id="no JSON"),
]


@pytest.mark.parametrize(("line", "document"), BROKEN)
def test_a_broken_line_exits_in_gold_and_is_counted_in_pred(
    tmp_path: Path, docassay: Command, line: str, document: str
) -> None:
    good = write_lines(tmp_path / "good.jsonl", records(GOLD, id=str))
    lines = good.read_text().splitlines()
    broken = tmp_path / "broken.jsonl"
    broken.write_text("\n".join([*lines[:2], line, *lines[3:]]))
    ended = score(docassay, broken, good)
    assert (ended.code, ended.out) == (3, "")
    assert f"{broken}:3: gold" in ended.err
    assert "is not JSON" in ended.err
    ended = score(docassay, good, broken)
    assert aligned(ended) == pytest.approx(1 - 1 / 6)
    problems = json.loads(ended.out)["problems"]
    assert (document, f"{broken}:3") in [(each["document"], each["where"]) for each in problems]


@pytest.mark.parametrize("side", ["gold", "pred"])
def test_a_file_without_a_readable_record_exits(
    tmp_path: Path, docassay: Command, side: str
) -> None:
    good = write_lines(tmp_path / "good.jsonl", records(GOLD, id=str))
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"id": "inv_001", \nnothing\n')
    ended = score(docassay, bad, good) if side == "gold" else score(docassay, good, bad)
    assert (ended.code, ended.out) == (3, "")
    assert f"{bad}:1" in ended.err


def test_two_files_of_one_document_need_no_ids_and_no_equal_names(
    tmp_path: Path, docassay: Command
) -> None:
    gold, pred = tmp_path / "truth.json", tmp_path / "answer.json"
    gold.write_text(json.dumps(GOLD["inv_002"]))
    pred.write_text(json.dumps(WRONG["inv_002"]))
    assert aligned(score(docassay, gold, pred)) == pytest.approx(1 - 1 / VALUES)
    pred.write_text("{}")
    assert aligned(score(docassay, gold, pred)) == 0


# --- 5: which of two models is better -----------------------------------------------------------

MANY: dict[str, Tree] = {
    f"inv_{number:03}": {
        "invoice_number": f"A-{1000 + number}",
        "invoice_date": f"2025-{number % 12 + 1:02}-{number % 28 + 1:02}",
        "total": f"${number * 13}.50",
        "line_items": [{"description": f"Item {number}", "amount": f"{number}.25"}],
    }
    for number in range(1, 61)
}


def answers(wrong_total: int, wrong_row: int = 60) -> dict[str, Tree]:
    """Return predictions with every so many totals wrong, and every so many rows missed."""
    return {
        id: {
            **tree,
            "total": "$1.00" if number % wrong_total == 0 else str(tree["total"]).strip("$"),
            "line_items": [] if number % wrong_row == 0 else tree["line_items"],
        }
        for number, (id, tree) in enumerate(MANY.items())
    }


class Models(NamedTuple):
    gold: Path
    old: Path
    new: Path


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Models:
    """Two runs without a schema: records in a file, and the batch output of another model."""
    home = tmp_path_factory.mktemp("models")
    gold = write_folder(home / "gold", MANY, str)
    records = [{"id": id, **tree} for id, tree in answers(4).items()]
    fenced = {id: f"```json\n{json.dumps(tree)}\n```" for id, tree in answers(30).items()}
    batch = [batch_line(id, text) for id, text in fenced.items()]
    preds = {
        "old": write_lines(home / "old.jsonl", records),
        "new": write_lines(home / "batch_output.jsonl", batch[::-1]),
    }
    for name, pred in preds.items():
        assert run(["score", str(gold), str(pred), "--out", str(home / name), "-q"]) == 0
    return Models(gold, home / "old", home / "new")


def compare(docassay: Command, *arguments: str | Path) -> Ended:
    return docassay("compare", *map(str, arguments), "--draws", "1500")


def test_two_models_are_compared_by_one_command(models: Models, docassay: Command) -> None:
    ended = compare(docassay, models.old, models.new)
    assert ended.code == 0, ended.err
    assert "new is better than old by 0.04" in ended.out.splitlines()[0]
    assert "docassay explain" in ended.out
    ended = compare(docassay, models.old, models.new, "--format", "json")
    comparison = json.loads(ended.out)
    scores = {score["address"]: score for score in comparison["scores"]}
    assert comparison["documents_compared"] == len(MANY)
    assert [run["name"] for run in comparison["runs"]] == ["old", "new"]
    assert comparison["runs"][1]["spreads"]["tokens"]["mean"] == 1280
    assert scores["kieval.aligned"]["values"] == pytest.approx([1 - 17 / 300, 1 - 4 / 300])
    (difference,) = scores["kieval.aligned"]["differences"]
    assert difference["verdict"] == "better"
    assert difference["value"] == pytest.approx(13 / 300)
    assert difference["low"] < difference["value"] < difference["high"]
    winners = {at: scores[f"kieval.aligned@{at}"]["winner"] for at in ("total", "invoice_date")}
    assert winners == {"total": 1, "invoice_date": None}
    assert sum(cause["differences"][0] for cause in comparison["causes"]) == pytest.approx(13 / 300)
    states = [document["states"][1] for document in comparison["documents"]]
    assert (states.count("fixed"), states.count("broken")) == (14, 1)


def test_runs_against_other_gold_exit_with_a_remedy_that_works(
    tmp_path: Path, models: Models, docassay: Command
) -> None:
    corrected = {**MANY, "inv_007": {**MANY["inv_007"], "total": "$7.00"}}
    gold = write_folder(tmp_path / "corrected", corrected, str)
    later = str(tmp_path / "later")
    assert docassay("score", str(gold), str(models.old) + ".jsonl", "--out", later).code == 0
    ended = compare(docassay, models.new, later)
    assert (ended.code, ended.out) == (3, "")
    assert "gold differs in 1 of 60 documents ('inv_007')" in ended.err
    option = remedy(ended, r"\(add (.+) to score all runs against one gold\)$")
    again = compare(docassay, models.new, later, *option, "--format", "json")
    assert again.code == 0, again.err
    (aligned_score,) = (
        score for score in json.loads(again.out)["scores"] if score["address"] == "kieval.aligned"
    )
    assert aligned_score["values"] == pytest.approx([1 - 4 / 300, 1 - 17 / 300])


def test_runs_by_other_types_exit_with_a_remedy_that_works(
    tmp_path: Path, models: Models, docassay: Command
) -> None:
    text = str(tmp_path / "text")
    pred = f"{models.old}.jsonl"
    assert docassay("score", str(models.gold), pred, "--types", "text", "--out", text).code == 0
    ended = compare(docassay, models.new, text)
    assert (ended.code, ended.out) == (3, "")
    assert "values are compared by types guessed from gold and as text" in ended.err
    option = remedy(ended, r"\(add (--rescore) ")
    again = compare(docassay, models.new, text, *option)
    assert "new is better than text by 0.04" in again.out


def test_documents_that_only_one_run_has_are_left_out_and_said(
    tmp_path: Path, models: Models, docassay: Command
) -> None:
    some = write_folder(tmp_path / "some", {id: MANY[id] for id in [*MANY][:50]}, str)
    part = str(tmp_path / "part")
    assert docassay("score", str(some), str(models.old) + ".jsonl", "--out", part).code == 0
    ended = compare(docassay, models.new, part)
    assert ended.code == 0, ended.err
    assert "note: 10 documents of new left out: not all runs have scored them" in ended.err
    assert "50 documents compared" in ended.out


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["{old}"], 2, "name another run"),
        (["{old}", "{missing}"], 2, "there is no such run"),
        (["{old}", "{gold}"], 2, "is no run folder"),
        (["{old}", "{new}", "--metrics", "ner"], 3, "--rescore measures what --metrics asks for"),
        (["{old}", "{new}", "--schema", "x.yaml"], 2, "ask for it with --rescore"),
        (["{old}", "{new}", "--alpha", "2"], 2, "it lies between 0 and 1"),
    ],
)
def test_a_mistake_in_a_comparison_is_answered_with_what_to_do(
    models: Models, docassay: Command, arguments: list[str], code: int, words: str
) -> None:
    places = {**models._asdict(), "missing": models.gold.parent / "missing"}
    ended = compare(docassay, *(argument.format(**places) for argument in arguments))
    assert (ended.code, ended.out) == (code, "")
    assert words in ended.err


@pytest.mark.parametrize("verb", ["score", "explain", "study"])
def test_every_verb_takes_the_same_places(tmp_path: Path, docassay: Command, verb: str) -> None:
    gold = write_lines(
        tmp_path / "gold.jsonl", [{"doc": {"no": id}, "gt": GOLD[id]} for id in GOLD]
    )
    pred = write_lines(
        tmp_path / "pred.jsonl", [{"ref": f"{id}-x", "r": [GOLD[id]]} for id in GOLD]
    )
    places = ["--gold-id", "doc.no", "--pred-id", "ref", "--gold-root", "gt", "--pred-root", "r.0"]
    places += ["--id-pattern", r"inv_(\d+)"]
    command = {
        "score": ["score", str(gold), str(pred)],
        "explain": ["explain", str(gold), str(pred), "inv_003"],
        "study": ["study", "shuffle", str(gold), str(pred), "--metrics", "entity"],
    }[verb]
    ended = docassay(*command, *places)
    assert ended.code == 0, ended.err
    assert "A-1003" in ended.out or verb != "explain"


def test_splits_take_the_same_places(tmp_path: Path, docassay: Command) -> None:
    lines: list[object] = [
        {"meta": {"no": id}, "gt": {**tree, "layout": "a"}} for id, tree in GOLD.items()
    ]
    gold = write_lines(tmp_path / "gold.jsonl", lines)
    places = ["--id-key", "meta.no", "--root", "gt", "--template", "layout"]
    sizes = ["--tasks", "single", "--sizes", "1", "--test", "1", "--valid", "1"]
    out = str(tmp_path / "splits")
    ended = docassay("splits", str(gold), *places, *sizes, "--out", out)
    assert ended.code == 0, ended.err


# --- 6: fail the build when a field gets worse --------------------------------------------------

FORTY: dict[str, Tree] = {
    f"inv_{number:03}": {
        "invoice_number": f"A-{1000 + number}",
        "vendor": f"Vendor {number} Ltd",
        "total": f"{number * 13}.50",
        "line_items": [{"description": f"Item {number}", "amount": f"{number}.25"}],
    }
    for number in range(1, 41)
}
RULES = '- no_regression: {scores: ["aligned", "aligned@*"]}\n- newly_broken <= 3\n'


def spoilt(field: str, every: int) -> dict[str, Tree]:
    """Return predictions in which a field is wrong in every so many documents."""
    return {
        id: {**tree, field: "9.99"} if int(id[4:]) % every == 0 else tree
        for id, tree in FORTY.items()
    }


def kept(docassay: Command, folder: Path, name: str, pred: Path) -> str:
    """Score predictions into a folder and return it."""
    gold = folder / "gold.jsonl"
    if not gold.exists():
        write_lines(gold, [{"id": id, **tree} for id, tree in FORTY.items()])
    out = str(folder / name)
    words = ("--out", out, "--metrics", "kieval", "--verdicts", "none", "--quiet")
    ended = docassay("score", str(gold), str(pred), *words)
    assert ended.code == 0, ended.err
    return out


@pytest.fixture
def accepted(tmp_path: Path, docassay: Command, monkeypatch: pytest.MonkeyPatch) -> str:
    """The run in use: two vendors are wrong."""
    monkeypatch.setattr("docassay.analysis.gate_evidence.DRAWS", 400)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gate.yaml").write_text(RULES)
    pred = write_lines(
        tmp_path / "old.jsonl", [{"id": id, **tree} for id, tree in spoilt("vendor", 20).items()]
    )
    return kept(docassay, tmp_path, "old", pred)


def test_a_field_that_got_worse_fails_the_build_with_its_name_and_a_document(
    tmp_path: Path, docassay: Command, accepted: str
) -> None:
    """The new predictions come in another layout: a folder of files with an affix."""
    trees = spoilt("total", 3)
    pred = write_folder(tmp_path / "pred", trees, "{}_pred".format)
    new = kept(docassay, tmp_path, "new", pred)
    words = ("--baseline", accepted, "--rules", "gate.yaml", "--format", "json")
    ended = docassay("gate", new, *words)
    assert ended.code == 1
    gate = json.loads(ended.out)
    regression, broken = gate["rules"]
    failed = {check["address"]: check for check in regression["checks"]}
    failed = {name: check for name, check in failed.items() if check["state"] == "failed"}
    assert {*failed} == {"kieval.aligned", "kieval.aligned@total"}
    total = failed["kieval.aligned@total"]
    assert total["difference"] == pytest.approx(-13 / 40)
    assert total["low"] < total["difference"] < total["high"] < 0
    assert total["p_adjusted"] <= 0.05
    assert int(total["document"][4:]) % 3 == 0
    shown = docassay(*shlex.split(total["explain"])[1:])
    assert shown.code == 0
    assert "9.99" in shown.out
    assert broken["checks"][0]["value"] == len(gate["newly_broken"]) == 13


@pytest.mark.parametrize(
    ("field", "every", "code"),
    [
        pytest.param("vendor", 20, 0, id="nothing changed"),
        pytest.param("vendor", 100, 0, id="better"),
        pytest.param("total", 35, 0, id="one total more is chance"),
        pytest.param("invoice_number", 1, 1, id="one field is lost, the rest as before"),
    ],
)
def test_only_what_is_surely_worse_fails_the_build(
    tmp_path: Path, docassay: Command, accepted: str, field: str, every: int, code: int
) -> None:
    trees = spoilt(field, every)
    pred = write_lines(tmp_path / "new.jsonl", [{"id": id, **tree} for id, tree in trees.items()])
    new = kept(docassay, tmp_path, "new", pred)
    ended = docassay("gate", new, "--baseline", accepted, "--rules", "gate.yaml")
    assert ended.code == code, ended.out


def test_a_misspelt_field_or_a_lost_baseline_is_no_pass(
    tmp_path: Path, docassay: Command, accepted: str
) -> None:
    (tmp_path / "gate.yaml").write_text("- aligned >= 0.5\n- aligned@totl >= 0.9\n")
    ended = docassay("gate", accepted, "--rules", "gate.yaml")
    assert ended.code == 2
    assert "gate.yaml:2: unknown score 'aligned@totl' (did you mean 'aligned@total'?" in ended.err
    lost = docassay("gate", accepted, "--baseline", str(tmp_path / "none"))
    assert (lost.code, lost.out) == (2, "")
