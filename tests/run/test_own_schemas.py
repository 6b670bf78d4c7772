"""One schema a document: beside the record, or a folder of schemas by id and document type."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import docassay as da
from docassay.api.score import score_run
from docassay.errors import ConfigurationError, DataError, FileError
from docassay.run.open import open_run
from docassay.run.options import Options
from docassay.schema.source import join_schemas, load_schema

INVOICE = "name: bill\nfields: {total: money, number: id}\n"
RECEIPT = "fields: {total: number, date: date}\n"
GOLD = [
    {"id": "d1", "type": "Invoice", "total": "$5.00", "number": "INV 7"},
    {"id": "d2", "type": "receipt", "total": "5.00", "date": "1 May 2025"},
]
PRED = [
    {"id": "d1", "type": "Invoice", "total": "5", "number": "INV-7"},
    {"id": "d2", "type": "receipt", "total": "5", "date": "2025-05-01"},
]


def write(path: Path, records: list[dict[str, object]]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "schemas"
    path.mkdir()
    (path / "invoice.yaml").write_text(INVOICE)
    (path / "receipt.yml").write_text(RECEIPT)
    write(tmp_path / "gold.jsonl", GOLD)
    write(tmp_path / "pred.jsonl", PRED)
    return path


def test_a_folder_has_a_schema_for_each_document_type(tmp_path: Path, folder: Path) -> None:
    report = da.score(tmp_path / "gold.jsonl", tmp_path / "pred.jsonl", schema=folder)
    assert report["kieval.aligned"].value == 1.0
    assert report["kieval.aligned@total"].support == 2
    assert report.about == "types from 2 schemas"


def test_a_schema_may_be_named_after_an_id(tmp_path: Path, folder: Path) -> None:
    (folder / "d2.yaml").write_text("fields: {total: exact, date: exact}")
    report = da.score(tmp_path / "gold.jsonl", tmp_path / "pred.jsonl", schema=folder)
    assert report["kieval.substitutions"].value == 2


@pytest.mark.parametrize("stated", ["bill", "BILL", "Tax_Invoice", "note"])
def test_names_and_aliases_of_types_find_a_schema(folder: Path, stated: str) -> None:
    (folder / "invoice.yaml").write_text(
        "name: bill\nfields: {total: money}\ntypes: {note: {aliases: [tax invoice]}}\n"
    )
    gold = {"x/scan.pdf": {"DOCUMENT_TYPE": stated, "total": "$5"}}
    report = da.score(gold, gold, schema=folder)
    assert report["kieval.aligned"].value == 1.0


@pytest.mark.parametrize(
    ("tree", "said"),
    [({"type": "Letter"}, "its document type is 'Letter'"), ({}, "it states no document type")],
)
def test_a_document_without_schema_is_an_error(folder: Path, tree: object, said: str) -> None:
    gold = {"d9": tree}
    with pytest.raises(DataError, match="document 'd9' has no schema") as caught:
        da.score(gold, gold, schema=folder)
    assert said in str(caught.value)
    assert "invoice, receipt" in str(caught.value)


def test_the_signature_covers_every_schema(tmp_path: Path, folder: Path) -> None:
    def signature() -> str:
        return open_run(
            tmp_path / "gold.jsonl", tmp_path / "pred.jsonl", Options(schema=folder)
        ).bound.signature

    before = signature()
    (folder / "receipt.yml").write_text("fields: {total: number, date: exact}\n")
    changed = signature()
    (folder / "other.yaml").write_text("fields: {total: money}\n")
    assert len({before, changed, signature()}) == 3


@pytest.mark.parametrize("names", [[], ["a.yaml", "a.json"]])
def test_a_folder_without_schemas_or_with_two_of_one_name_is_refused(tmp_path, names) -> None:
    for name in names:
        (tmp_path / name).write_text('{"fields": {"a": "text"}}')
    with pytest.raises((ConfigurationError, FileError)):
        da.score({"a": {}}, {"a": {}}, schema=tmp_path)


def beside(schema: object, record: dict[str, object]) -> dict[str, object]:
    fields = {key: value for key, value in record.items() if key != "id"}
    return {"id": record["id"], "schema": schema, "fields": fields}


def test_a_schema_may_stand_beside_the_record(tmp_path: Path, folder: Path) -> None:
    inline = {"fields": {"total": "number", "date": "date"}}
    records = [beside("schemas/invoice.yaml", GOLD[0]), beside(inline, GOLD[1])]
    gold = write(tmp_path / "gold.jsonl", records)
    run = score_run(gold, tmp_path / "pred.jsonl")
    assert run.report["kieval.aligned"].value == 1.0
    assert run.report.about == "types from 2 schemas"
    assert not run.ledger.header.plan.guessed
    assert "the schemas of documents stand beside them: 2" in run.notes


def test_the_name_of_a_schema_file_may_stand_among_the_fields(tmp_path: Path, folder: Path) -> None:
    gold = write(tmp_path / "gold.jsonl", [{**GOLD[0], "schema": "schemas/invoice.yaml"}])
    pred = write(tmp_path / "pred.jsonl", [{**PRED[0], "schema": "schemas/invoice.yaml"}])
    report = da.score(gold, pred)
    assert report["kieval.aligned"].value == 1.0
    assert "kieval.aligned@schema" not in report
    assert report.about == "types from 1 schema"


def test_a_field_called_schema_is_a_field() -> None:
    tree = {"a": {"schema": "public", "x": "1"}}
    assert "kieval.aligned@schema" in da.score(tree, tree)


def test_documents_without_a_schema_beside_them_take_the_one_given(
    tmp_path: Path, folder: Path
) -> None:
    gold = write(tmp_path / "gold.jsonl", [beside("schemas/invoice.yaml", GOLD[0]), GOLD[1]])
    given = folder / "receipt.yml"
    report = da.score(gold, tmp_path / "pred.jsonl", schema=given)
    assert report["kieval.aligned"].value == 1.0
    with pytest.raises(DataError, match="document 'd2' has no schema"):
        da.score(gold, tmp_path / "pred.jsonl")


@pytest.mark.parametrize("schema", ["missing.yaml", {"fields": {"a": "monney"}}, {"felds": {}}])
def test_a_wrong_schema_beside_a_record_names_its_document(tmp_path: Path, schema: object) -> None:
    gold = write(tmp_path / "gold.jsonl", [beside(schema, GOLD[0])])
    with pytest.raises(ConfigurationError, match="the schema of document 'd1'"):
        da.score(gold, gold)


def test_a_stream_may_have_schemas_too(folder: Path) -> None:
    tree = {**GOLD[0], "schema": str(folder / "invoice.yaml")}
    gold = iter([("d1", {key: value for key, value in tree.items() if key != "id"})])
    assert da.score(gold, {"d1": {**PRED[0]}})["kieval.aligned@total"].value == 1.0


def test_joined_schemas_have_every_field_once() -> None:
    first = load_schema({"fields": {"a": "money"}, "groups": {"g": {"fields": {"x": "text"}}}})
    second = load_schema(
        {"fields": {"a": "date", "b": "id"}, "groups": {"g": {"fields": {"y": "text"}}}}
    )
    joined = join_schemas({"first": first, "second": second})
    assert [(field.path, field.type) for field in joined.fields] == [("a", "money"), ("b", "id")]
    assert [field.path for field in joined.groups[0].fields] == ["g.x", "g.y"]


def test_a_folder_serves_documents_that_name_no_schema_themselves(
    tmp_path: Path, folder: Path
) -> None:
    inline = {"fields": {"total": "exact", "number": "exact"}}
    gold = write(tmp_path / "gold.jsonl", [beside(inline, GOLD[0]), GOLD[1]])
    report = da.score(gold, tmp_path / "pred.jsonl", schema=folder)
    assert report["kieval.substitutions"].value == 2
    assert report.about == "types from 3 schemas"
