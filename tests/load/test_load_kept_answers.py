"""Lines of an extraction as predictions: what became of their answers is known, and not scored."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import docassay as da

LINE = {
    "id": "a",
    "record": {"total": "1.50"},
    "raw": '{"total": "1.50"}',
    "repairs": [],
    "outcome": "clean",
    "model": "tiny",
    "prompt": "0123456789abcdef",
    "schema_digest": "0123456789abcdef",
    "started": "2025-03-14T10:00:00.000000+00:00",
    "ended": "2025-03-14T10:00:02.500000+00:00",
    "attempts": 2,
    "tokens": {"prompt": 100, "completion": 20},
    "cost": 0.003,
    "pages": 1,
    "finish": "stop",
    "notes": ["a note"],
    "logprobs": [["1", -0.1]],
    "samples": ["{}"],
    "file": "a.png",
}


def scored(tmp_path: Path, **changes: object) -> da.Report:
    gold, pred = tmp_path / "gold.jsonl", tmp_path / "pred.jsonl"
    gold.write_text('{"id": "a", "total": "1.50"}\n')
    pred.write_text(json.dumps({**LINE, **changes}) + "\n")
    return da.score(gold, pred, metrics=["kieval", "valid"], types="text")


def test_only_the_record_is_scored(tmp_path: Path) -> None:
    report = scored(tmp_path)
    assert report["kieval.aligned"].value == 1.0
    assert report["kieval.fp"].value == 0
    assert report.problems == ()
    line = report.lines[0]
    assert line.meta == {
        "processing_time": 2.5,
        "prompt_tokens": 100.0,
        "completion_tokens": 20.0,
        "tokens": 120.0,
        "cost": 0.003,
        "model": "tiny",
    }
    assert line.outcome is not None
    assert line.outcome.kind == "clean"


@pytest.mark.parametrize(
    ("outcome", "record", "kind", "code", "parsed"),
    [
        ("repaired", {"total": "1.50"}, "repaired", None, 1.0),
        ("partial", {"total": "1.50"}, "partial", "partial-response", 0.0),
        ("truncated", {"total": "1.50"}, "partial", "partial-response", 0.0),
        ("truncated", {}, "unparseable", "unparseable-response", 0.0),
        ("unparseable", {}, "unparseable", "unparseable-response", 0.0),
    ],
)
def test_what_became_of_an_answer_is_counted(
    tmp_path: Path, outcome: str, record: object, kind: str, code: str | None, parsed: float
) -> None:
    report = scored(tmp_path, outcome=outcome, record=record, repairs=["cut off"])
    line = report.lines[0]
    assert line.outcome is not None
    assert line.outcome.kind == kind
    assert [str(problem.code) for problem in report.problems] == ([] if code is None else [code])
    assert report["valid.parsed"].value == parsed


def test_an_outcome_of_another_kind_is_left_alone(tmp_path: Path) -> None:
    report = scored(tmp_path, outcome="approved")
    assert report.lines[0].outcome is None
