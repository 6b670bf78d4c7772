"""`--no-gold` and `--source` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.cli_corpus import Command


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    trees = {"a": {"total": "5"}, "b": {"total": "6"}, "-c d": {"total": "x"}}
    lines = [json.dumps({"id": id, **tree}) for id, tree in trees.items()]
    (tmp_path / "pred.jsonl").write_text("\n".join(lines))
    (tmp_path / "schema.yaml").write_text("fields: {total: {type: money, required: true}}")
    (tmp_path / "source").mkdir()
    for id in trees:
        (tmp_path / "source" / f"{id}.txt").write_text("in all 5.00\n")
    return tmp_path


def reading(corpus: Path) -> tuple[str, ...]:
    return ("--schema", str(corpus / "schema.yaml"), "--source", str(corpus / "source"))


def test_predictions_are_scored_explained_and_required_without_gold(
    corpus: Path, docassay: Command
) -> None:
    pred, options = str(corpus / "pred.jsonl"), reading(corpus)
    ended = docassay("score", "--no-gold", pred, *options)
    assert ended.code == 0
    assert "in the source  0.333" in ended.out
    assert all(len(line) <= 80 for line in ended.out.splitlines())
    assert "--no-gold" in ended.out
    ended = docassay("explain", "--no-gold", pred, "b", *options)
    assert ended.code == 0
    assert "not in the source" in ended.out
    for requirement, code in (("grounded >= 0.9", 1), ("valid.parsed == 1", 0)):
        words = ("score", "--no-gold", pred, "--require", requirement, *options)
        assert docassay(*words).code == code


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("score", "--no-gold", "PRED", "PRED"), "--no-gold takes PRED alone"),
        (("explain", "--no-gold", "PRED"), "--no-gold takes PRED and ID"),
        (("score", "--no-gold", "PRED", "--metrics", "kieval"), "compares with gold"),
        (("score", "--no-gold", "PRED", "--require", "kieval.aligned > 0"), "not measured"),
        (("score", "--no-gold", "PRED", "--gold", "x"), "are for a RUN"),
    ],
)
def test_what_makes_no_sense_is_refused(
    corpus: Path, docassay: Command, words: tuple[str, ...], message: str
) -> None:
    pred = str(corpus / "pred.jsonl")
    ended = docassay(*(pred if word == "PRED" else word for word in words), *reading(corpus))
    assert ended.code == 2
    assert message in ended.err


def test_a_kept_run_is_reported_explained_and_scored_again(corpus: Path, docassay: Command) -> None:
    folder, pred = str(corpus / "run"), str(corpus / "pred.jsonl")
    assert docassay("score", "--no-gold", pred, "--out", folder, *reading(corpus)).code == 0
    for words in (("report", folder), ("score", folder), ("explain", folder, "b")):
        assert docassay(*words).code == 0, words
    assert "2 of 3 documents have a flaw" in docassay("explain", folder).out
    refused = docassay("thresholds", folder)
    assert refused.code == 3
    assert "without gold" in refused.err
