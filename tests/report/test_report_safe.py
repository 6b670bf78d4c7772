"""Text from documents is harmless wherever it is shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.report.safe import cell, code, cut, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain [bold]x", "plain [bold]x"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("two\nlines", "two\\nlines"),
        ("abc\u202edef", "abc\\u202edef"),
        ("half \ud800", "half \\ud800"),
        ("茶 ✓ é", "茶 ✓ é"),
    ],
    ids=["as it is", "an ANSI escape", "a line break", "bidi", "a surrogate", "other scripts"],
)
def test_what_does_not_print_is_escaped(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(st.text())
def test_visible_text_is_printable(text: str) -> None:
    assert visible(text).isprintable()


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_a_formula_is_neutralised(start: str) -> None:
    assert cell(f"{start}1") == f"'{start}1"


@given(st.text())
def test_a_cell_never_begins_as_a_formula(text: str) -> None:
    assert not cell(text).startswith(("=", "+", "-", "@", "\t", "\r"))


@pytest.mark.parametrize(
    ("text", "shown"),
    [("a_b", "`a_b`"), ("a`b", "``a`b``"), ("`a", "`` `a ``"), ("", "`  `")],
    ids=["a name", "a tick inside", "a tick at the edge", "nothing"],
)
def test_markdown_code_is_closed_by_its_own_fence(text: str, shown: str) -> None:
    assert code(text) == shown


def test_a_long_text_is_cut_and_says_how_long_it_was() -> None:
    assert cut("x" * 2000, 3) == "xxx… (2,000 characters)"
