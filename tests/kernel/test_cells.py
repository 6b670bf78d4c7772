"""Cells: plain texts stand as they are, numbers and all others as they are told to."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernel.forms import FORMS

PLAIN = re.compile("[0-9A-Za-z][ !#-+\\--~]*|")
"""Letters and digits, then anything of ASCII that prints but quotes and commas."""
TEXTS = st.text(max_size=5) | st.text(alphabet='aZ09 ~\x1f\x7f!",-=@\n/:`{', max_size=5)


@given(text=TEXTS)
def test_plain_texts_are_those_that_need_no_guard_and_no_quotes(text: str) -> None:
    for form in FORMS:
        assert form.cells.is_plain(text) is (PLAIN.fullmatch(text) is not None)


@pytest.mark.parametrize(
    ("row", "line"),
    [
        ([], ""),
        ([""], ""),
        (["a", None, "b c"], "a,,b c"),
        ([0.5, 1, True, "=1"], "<0.5>,(1),(True),(=1)"),
        (["a,b", "-", "é"], "(a,b),(-),(é)"),
    ],
    ids=["nothing", "empty", "plain", "numbers", "others"],
)
def test_a_row_is_its_cells_with_commas_between(row: list[object], line: str) -> None:
    for form in FORMS:
        assert form.cells.csv_row(row, "<{}>".format, "({})".format) == line
