"""Six generated pages through each engine of text recognition, the rules and the score."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import docassay as da
from docassay.cli import run
from docassay.errors import ConfigurationError
from docassay.extract.ocr import ENGINES, ocr_engine
from docassay.synth.corpus import write_corpus
from docassay.synth.pages import write_pages

PAGES = 6
LEAST = 0.85
"""Aligned that each engine reaches on these pages; make bench-ocr measures 40 of them."""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("pages")
    write_corpus(out, docs=PAGES, rows=2, seed=5, kinds=("receipt", "invoice"))
    write_pages(out / "pages", docs=PAGES, rows=2, seed=5, kinds=("receipt", "invoice"))
    return out


def leaves(tree: object) -> Iterator[dict[str, object]]:
    if isinstance(tree, dict) and "value" in tree:
        yield tree
    elif isinstance(tree, dict | list):
        for inner in tree.values() if isinstance(tree, dict) else tree:
            yield from leaves(inner)


@pytest.mark.parametrize("engine", ENGINES)
def test_pictures_become_a_score_without_a_model(
    engine: str, corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        ocr_engine(engine)
    except ConfigurationError as error:
        pytest.skip(f"{engine} is not there: {error}")
    pred, schema = tmp_path / "pred.jsonl", str(corpus / "schema.yaml")
    options = ["--schema", schema, "--ocr-only", "--ocr", engine, "--out", str(pred)]
    assert run(["extract", str(corpus / "pages"), *options]) == 0, capsys.readouterr().err
    report = da.score(corpus / "gold.jsonl", pred, schema=schema)
    assert report["kieval.aligned"].value >= LEAST
    records = [json.loads(line)["record"] for line in pred.read_text().splitlines()]
    values = [leaf for record in records for leaf in leaves(record)]
    assert len(values) > 15 * PAGES
    for leaf in values:
        left, top, right, bottom = leaf["box"]  # type: ignore[misc]
        assert 0 <= left < right <= 1
        assert 0 <= top < bottom <= 1
        assert leaf["page"] == 1
        assert 0 <= leaf["confidence"] <= 1  # type: ignore[operator]
