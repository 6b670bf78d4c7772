"""Responses in the shapes that models give them: the record, the outcome and every repair."""

from __future__ import annotations

from pathlib import Path

import pytest

from docassay.load.response.answer import parse_response
from docassay.load.wire import decode, encode
from docassay.model.problem import OUTCOMES
from tests.load.response import json_responses, other_responses

CASES = [*json_responses.CASES, *other_responses.CASES]
# more of them, each with what a careful reader takes from it
JUDGED = [
    decode(line, "").tree
    for name in ("responses.jsonl", "real_shaped.jsonl")
    for line in Path(__file__).with_name(name).read_bytes().splitlines()
]


@pytest.mark.parametrize(
    ("text", "tree", "outcome", "repairs"),
    [case[1:] for case in CASES],
    ids=[case[0] for case in CASES],
)
def test_a_response_gives_its_record(
    text: str, tree: dict[str, object], outcome: str, repairs: tuple[str, ...]
) -> None:
    found = parse_response(text)
    assert found.tree == tree
    assert (found.outcome, found.repairs) == (outcome, repairs)


def test_the_table_is_large_and_has_every_outcome() -> None:
    assert len(CASES) >= 100
    assert {case[3] for case in CASES} == {*OUTCOMES}


@pytest.mark.parametrize("case", JUDGED, ids=[case["why"] for case in JUDGED])
def test_a_response_is_read_as_a_careful_reader_does(case: dict[str, str]) -> None:
    found = parse_response(case["text"])
    assert encode(found.tree) == encode(case["tree"])
    assert found.outcome == case["outcome"]
