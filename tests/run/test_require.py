"""`--require`: the sign and every digit of the bound decide, and the answer says why."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from docassay.cli import run

GOLD = {"a": {"x": "1", "y": "2", "z": "3"}}
PRED = {"a": {"x": "1", "y": "2", "z": "4"}}
"""Two values of three are right: `entity.f1` is 2/3 and `entity.tp` is 2."""


class Answer(NamedTuple):
    code: int
    err: str


Gate = Callable[..., Answer]


@pytest.fixture
def gate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Gate:
    paths = []
    for name, trees in (("gold", GOLD), ("pred", PRED)):
        path = tmp_path / f"{name}.jsonl"
        lines = (json.dumps({"id": id, "fields": tree}) for id, tree in trees.items())
        path.write_text("\n".join(lines) + "\n")
        paths.append(f"{path}")

    def ask(*texts: str) -> Answer:
        asked = [word for text in texts for word in ("--require", text)]
        code = run(["score", *paths, "--metrics", "entity,kieval", *asked])
        return Answer(code, capsys.readouterr().err)

    return ask


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("entity.f1 >= 0.6666666", 0),
        ("entity.f1 >= 0.6666667", 1),
        ("entity.f1 <= 0.6666666", 1),
        ("entity.f1 <= 0.6666667", 0),
        ("entity.f1 > 0.6666666", 0),
        ("entity.f1 > 0.6666667", 1),
        ("entity.f1 < 0.6666666", 1),
        ("entity.f1 < 0.6666667", 0),
        ("entity.f1 == 0.6666666666666666", 0),
        ("entity.f1 == 0.66666666666", 1),
        ("entity.tp >= 2", 0),
        ("entity.tp > 2", 1),
        ("entity.tp <= 2", 0),
        ("entity.tp < 2", 1),
        ("entity.tp == 2", 0),
        ("entity.tp == 3", 1),
        ("entity.tp >= -1", 0),
        ("entity.tp >= 2e0", 0),
        ("  entity.tp>=2  ", 0),
    ],
)
def test_the_sign_and_every_digit_decide(text: str, code: int, gate: Gate) -> None:
    answer = gate(text)
    assert answer.code == code
    assert answer.err.count("requirement not met") == code


@pytest.mark.parametrize(
    "text",
    [
        "entity.tp",
        "entity.tp >=",
        ">= 2",
        "entity.tp => 2",
        "entity.tp = 2",
        "entity.tp != 2",
        "entity.tp >= two",
        "entity.tp >= nan",
        "entity.tp <= inf",
        "entity.tp >= 2 3",
        "entity.no_such >= 2",
        "fields.overall_accuracy >= 0",
    ],
)
def test_what_is_no_requirement_is_a_mistake_in_the_command(text: str, gate: Gate) -> None:
    assert gate(text).code == 2


def test_each_requirement_is_asked_for_itself(gate: Gate) -> None:
    answer = gate("entity.tp >= 3", "entity.tp >= 2", "entity.f1 > 0.9")
    assert answer.code == 1
    assert answer.err.count("requirement not met") == 2
    assert "entity.tp >= 3" in answer.err
    assert "entity.f1 > 0.9" in answer.err
    assert "entity.tp >= 2" not in answer.err


def test_the_value_has_as_many_digits_as_tell_it_from_the_bound(gate: Gate) -> None:
    near, far = gate("entity.f1 >= 0.6666667"), gate("entity.f1 >= 0.7")
    assert "0.6666666666666666" in near.err
    assert "0.6667" in far.err
    assert "0.66666" not in far.err


def test_an_undefined_value_meets_no_requirement(gate: Gate) -> None:
    for sign in (">=", "<=", "=="):
        answer = gate(f"kieval.group_f1 {sign} 0")
        assert answer.code == 1
        assert "undefined" in answer.err
