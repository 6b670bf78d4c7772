"""Problem codes: each is documented and reported by something, and no text stands for them."""

from __future__ import annotations

import ast
import json
import re
from itertools import pairwise
from pathlib import Path

import pytest

import docassay as da
from docassay.metrics.metric import Flaw
from docassay.model import problem
from docassay.model.problem import Problem, ProblemCode, Repair, ResponseOutcome
from docassay.report.folder import read_folder
from docassay.report.json import render

ROOT = Path(__file__).resolve().parents[1]
SOURCES = [*(ROOT / "src").rglob("*.py")]


def documented() -> dict[str, str]:
    """Return the codes with the docstrings below them."""
    tree = ast.parse(Path(problem.__file__).read_text(encoding="utf-8"))
    body = next(
        node.body
        for node in tree.body
        if isinstance(node, ast.ClassDef) and node.name == ProblemCode.__name__
    )
    meanings = {}
    for line, below in pairwise(body):
        if isinstance(line, ast.Assign):
            assert isinstance(line.value, ast.Constant)
            assert isinstance(below, ast.Expr)
            assert isinstance(below.value, ast.Constant)
            meanings[str(line.value.value)] = str(below.value.value)
    return meanings


def test_the_reference_lists_every_code_with_its_meaning() -> None:
    page = (ROOT / "docs" / "reference" / "errors.md").read_text(encoding="utf-8")
    table = page.partition("| code | what it means")[2]
    rows = re.findall(r"^\| `([a-z-]+)` \| (.+) \|$", table, re.MULTILINE)
    assert rows == [*documented().items()]


@pytest.mark.parametrize("code", ProblemCode)
def test_every_code_is_used_and_lower_case(code: ProblemCode) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", code)
    assert any(f"ProblemCode.{code.name}" in file.read_text(encoding="utf-8") for file in SOURCES)


GOLD = {"a": {"t": "1"}, "b": {"t": "1"}, "c": {"t": "1"}}
SCHEMA = {"fields": {"t": {"type": "number"}}}


def test_problems_are_found_by_their_codes_in_the_report_and_in_a_stored_run(
    tmp_path: Path,
) -> None:
    pred = {"a": {"t": "few"}, "b": {"t": {"value": "1", "confidence": 7}}, "d": {"t": "1"}}
    report = da.score(GOLD, pred, schema=SCHEMA, out=tmp_path)
    codes = {(one.document, one.code) for one in report.problems}
    assert codes == {
        ("a", ProblemCode.UNREADABLE_VALUE),
        ("b", ProblemCode.CONFIDENCE_RANGE),
        ("c", ProblemCode.NO_PREDICTION),
        ("d", ProblemCode.NO_GOLD),
    }
    assert read_folder(tmp_path).problems == report.problems
    (first, *_) = json.loads(render(report))["problems"]
    assert set(first) == {"code", "document", "side", "where", "field", "message"}


def test_a_problem_of_a_row_is_not_reported_twice_when_loading_knows_its_place(
    tmp_path: Path,
) -> None:
    pred = {"a": {"t": "few"}, "b": {"t": "1"}, "c": {"t": "few"}}
    report = da.score(GOLD, pred, schema=SCHEMA, out=tmp_path)
    assert [(one.document, one.where) for one in report.problems] == [
        ("a", "item 1"),
        ("c", "item 3"),
    ]


def test_a_flaw_of_a_metric_has_a_code() -> None:
    report = da.score(GOLD, GOLD, metrics=["tree"], settings={"tree.max_cells": 1})
    assert Flaw("too large").code == ProblemCode.METRIC_LIMIT
    assert {one.code for one in report.problems} <= {ProblemCode.METRIC_LIMIT}


def test_a_problem_needs_a_code() -> None:
    with pytest.raises(TypeError):
        Problem(document="d", side="pred", field="", message="why")  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("outcome", "summary"),
    [
        (ResponseOutcome("clean", (Repair("code fence"),)), "clean"),
        (ResponseOutcome("repaired", (Repair("single quotes"),)), "repaired: single quotes"),
        (
            ResponseOutcome("partial", (Repair("value cut off", "a, b: c"), Repair("cut off"))),
            "partial: value cut off: a, b: c, cut off",
        ),
    ],
)
def test_an_outcome_is_shown_in_one_line(outcome: ResponseOutcome, summary: str) -> None:
    assert outcome.summary == summary


def test_repairs_are_counted_by_kind_whatever_their_subjects_say(tmp_path: Path) -> None:
    texts = {"a": "{'x': 1, 'a, b': 2, 'a, b': 3}", "b": '{"x": 1,}'}
    folder = tmp_path / "pred"
    folder.mkdir()
    for name, text in texts.items():
        (folder / f"{name}.txt").write_text(text)
    report = da.score({"a": {"x": "1"}, "b": {"x": "1"}}, folder, pred_format="response")
    assert report.outcomes == {"repaired": 2}
    assert report.repairs == {"duplicate key": 1, "single quotes": 1, "trailing comma": 1}
