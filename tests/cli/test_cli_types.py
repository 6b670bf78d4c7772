"""Types from the command line: guessed, text, and schemas of several kinds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.cli_corpus import Command

GOLD = '{"id": "a", "type": "note", "total": "$5.00"}\n{"id": "b", "type": "bill", "total": "$7"}\n'
PRED = '{"id": "a", "type": "note", "total": "5"}\n{"id": "b", "type": "bill", "total": "7.00"}\n'


@pytest.fixture
def paths(tmp_path: Path) -> tuple[str, str]:
    (tmp_path / "gold.jsonl").write_text(GOLD)
    (tmp_path / "pred.jsonl").write_text(PRED)
    return str(tmp_path / "gold.jsonl"), str(tmp_path / "pred.jsonl")


def aligned(ended) -> float:
    scores = json.loads(ended.out)["scores"]
    names = ("metric", "readout", "key")
    return next(
        score["value"]
        for score in scores
        if tuple(score[name] for name in names) == ("kieval", "aligned", "")
    )


@pytest.mark.parametrize(("types", "value"), [((), 1.0), (("--types", "text"), 0.5)])
def test_types_are_guessed_unless_text_is_asked_for(paths, docassay: Command, types, value) -> None:
    assert aligned(docassay("score", *paths, "--format", "json", *types)) == value


def test_the_other_choice_is_named_on_stderr(paths, docassay: Command) -> None:
    assert "--types text" in docassay("score", *paths).err


def test_another_word_is_a_usage_error(paths, docassay: Command) -> None:
    assert docassay("score", *paths, "--types", "texts").code == 2


def test_a_folder_of_schemas_is_one_option(tmp_path: Path, paths, docassay: Command) -> None:
    folder = tmp_path / "schemas"
    folder.mkdir()
    for kind in ("note", "bill"):
        (folder / f"{kind}.yaml").write_text("fields: {total: money, type: text}\n")
    ended = docassay("score", *paths, "--schema", str(folder), "--format", "json")
    assert aligned(ended) == 1.0
    required = docassay(
        "score", *paths, "--schema", str(folder), "--require", "kieval.aligned >= 1"
    )
    assert required.code == 0
    (folder / "bill.yaml").unlink()
    ended = docassay("score", *paths, "--schema", str(folder))
    assert ended.code == 3
    assert "document 'b' has no schema (its document type is 'bill'" in ended.err


def test_every_schema_of_a_folder_is_checked(tmp_path: Path, docassay: Command) -> None:
    (tmp_path / "a.yaml").write_text("fields: {a: monney}\n")
    (tmp_path / "b.yaml").write_text("felds: {}\n")
    ended = docassay("schema", "check", str(tmp_path))
    assert ended.code == 2
    assert "a.yaml:1" in ended.err
    assert "b.yaml:1" in ended.err


def test_explain_reads_values_by_guessed_types(paths, docassay: Command) -> None:
    assert "equal as amounts of" in docassay("explain", *paths, "a").out
    assert "equal as amounts of" not in docassay("explain", *paths, "a", "--types", "text").out
