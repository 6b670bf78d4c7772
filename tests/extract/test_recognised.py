"""Recognised text beside images: what is sent of it, and the boxes that values get."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from docassay.api.extract import extract_documents
from docassay.extract.documents import PageImage
from docassay.extract.ocr import OcrText, OcrWord
from tests.extract.recording import Request, answer, in_turn, recording

SCHEMA = {"fields": {"store": "name", "total": "money"}}
WORDS = ("ACME", "TOTAL", "12.50")


def recognise(pages: Sequence[PageImage]) -> OcrText:
    """Words side by side on the first page."""
    assert [page.number for page in pages] == [1]
    text = "\n".join(WORDS)
    words = tuple(
        OcrWord(
            *(word, text.index(word), text.index(word) + len(word)),
            *(1, (at / 10, 0.1, (at + 1) / 10, 0.2), 0.9),
        )
        for at, word in enumerate(WORDS)
    )
    return OcrText(text, words)


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr("docassay.extract.ocr.ocr_engine", lambda *_, **__: recognise)
    Image.new("RGB", (40, 30), "white").save(tmp_path / "scan.png")

    def ask(**options: Any) -> tuple[dict[str, Any], Request]:
        out = tmp_path / "pred.jsonl"
        with recording(in_turn(answer({"store": "ACME", "total": "12.50"}))) as server:
            given = {"endpoint": server.url, "model": "m", "ocr": "any", **options}
            extract_documents(tmp_path / "scan.png", schema=SCHEMA, out=out, **given)
        return json.loads(out.read_text()), server.requests[0]

    return ask


def test_a_model_gets_the_pages_and_their_text(asked: Any) -> None:
    _, request = asked()
    text, image = request.body["messages"][0]["content"]
    assert "with the text that was recognised" in text["text"]
    assert "<<<\nACME\nTOTAL\n12.50\n>>>" in text["text"]
    assert image["type"] == "image_url"


def test_a_model_gets_the_text_alone(asked: Any) -> None:
    _, request = asked(input="text")
    content = request.body["messages"][0]["content"]
    assert isinstance(content, str)
    assert "provided with the text of a document" in content


def test_text_that_is_not_sent_still_gives_boxes(asked: Any) -> None:
    line, request = asked(input="images")
    text, _ = request.body["messages"][0]["content"]
    assert "12.50" not in text["text"]
    assert line["record"]["total"]["page"] == 1
    assert line["record"]["total"]["box"] == pytest.approx([0.2, 0.1, 0.3, 0.2])
    assert line["record"]["store"]["value"] == "ACME"


def test_rules_answer_without_a_model(asked: Any, tmp_path: Path) -> None:
    out = tmp_path / "rules.jsonl"
    extract_documents(tmp_path / "scan.png", schema=SCHEMA, out=out, ocr_only=True, ocr="any")
    line = json.loads(out.read_text())
    assert (line["model"], line["pages"], line["prompt"]) == ("rules (any)", 1, "")
    assert line["record"]["total"]["value"] == "12.50"


def test_rules_over_texts_need_no_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("docassay.extract.ocr.first_engine", lambda: pytest.fail("asked for"))
    (tmp_path / "till.txt").write_text("ACME\nTOTAL 12.50\n")
    out = tmp_path / "rules.jsonl"
    extract_documents(tmp_path / "till.txt", schema=SCHEMA, out=out, ocr_only=True)
    assert json.loads(out.read_text())["record"]["total"]["value"] == "12.50"
