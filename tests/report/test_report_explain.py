"""The diff of one document holds every value, at any depth and however strange."""

from __future__ import annotations

import pytest

from docassay import ConfigurationError
from docassay.report.explain import render
from docassay.report.screen import Screen
from docassay.run.find import find_document

GOLD = {"d": {"shop": "Ann", "menu": [{"nm": "tea", "sub": [{"nm": "milk"}, {"nm": "sugar"}]}]}}
PRED = {"d": {"shop": "Ann", "menu": [{"nm": "tea", "sub": [{"nm": "sugar"}]}]}}


def shown(gold: dict[str, object], pred: dict[str, object], width: int = 100) -> list[str]:
    text = render(find_document(gold, pred, "d"), screen=Screen(width, False))
    return [" ".join(line.split()) for line in text.splitlines()]


def test_nested_rows_stand_below_their_parents() -> None:
    lines = shown(dict(GOLD), dict(PRED))
    parent = lines.index("menu gold menu[0] pred menu[0] all correct")
    assert lines.index("menu.sub gold menu[0].sub[1] pred menu[0].sub[0] all correct") > parent
    assert lines.index("menu.sub gold menu[0].sub[0] pred – no such row in pred") > parent


@pytest.mark.parametrize(
    "value",
    ["[red]x[/red]", "\x1b]0;title\x07", "\u202egnp", "a\tb", "x" * 5000, "茶" * 200],
    ids=["markup", "a terminal command", "bidi", "a tab", "very long", "wide characters"],
)
@pytest.mark.parametrize("width", [40, 80])
def test_a_strange_value_is_shown_harmlessly(value: str, width: int) -> None:
    found = find_document({"d": {"a": value}}, {"d": {"a": "1", value[:30]: "1"}}, "d")
    text = render(found, screen=Screen(width, False))
    assert all(line.isprintable() for line in text.split("\n"))


def test_two_empty_documents_are_said_to_be_empty() -> None:
    assert "Neither gold nor pred has a value." in shown({"d": {}}, {"d": {}})


def test_a_value_equal_as_text_needs_no_reason() -> None:
    assert "✓ a 1 1" in shown({"d": {"a": "1"}}, {"d": {"a": "1"}})


def test_a_prediction_without_gold_is_told_so() -> None:
    with pytest.raises(ConfigurationError, match="has no gold document"):
        find_document({"d": {"a": "1"}}, {"d": {"a": "1"}, "e": {"a": "1"}}, "e")
