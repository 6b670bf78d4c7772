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
        ([0.5, 1.0, True, "=1"], "<0.5>,1.0,(True),(=1)"),
        ([1, 0, -(10**30)], f"1,0,-{10**30}"),
        ([0.0, -0.0], "0.0,-0.0"),
        (["a,b", "-", "é"], "(a,b),(-),(é)"),
    ],
    ids=["nothing", "empty", "plain", "numbers", "whole", "zeros", "others"],
)
def test_a_row_is_its_cells_with_commas_between(row: list[object], line: str) -> None:
    for form in FORMS:
        assert form.cells.csv_row(row, "<{}>".format, "({})".format) == line


@pytest.mark.parametrize(
    ("rows", "cells"),
    [
        ([], {}),
        ([{"a": "x", "b": None}, {"a": 2}], {"a": "x | 2", "b": ""}),
        ([{}, {"b": ""}, {"b": "x", "a": "y"}], {"b": " |  | x", "a": " |  | y"}),
        ([{"a": "x|y"}], None),
        ([{"a": "é"}], None),
        ([{"a": "\t"}], None),
        ([{"a": True}], None),
        ([{"a": 1.5}], None),
        ([{"a": ["x"]}], None),
        ([{"value": "x"}], None),
        (["a"], None),
    ],
    ids=lambda value: repr(value) if isinstance(value, list) else "",
)
def test_rows_of_plain_texts_are_a_cell_a_member(
    rows: list[object], cells: dict[str, str] | None
) -> None:
    for form in FORMS:
        assert form.cells.plain_columns(rows, frozenset({"value"}), {}) == cells


def test_json_numbers_among_plain_texts_are_told_apart() -> None:
    for form in FORMS:
        one, two = (form.readings.Number(digits) for digits in ("1.50", "2e3"))
        numbers: dict[str, list[str]] = {}
        cells = form.cells.plain_columns([{"a": one}, {"a": "x", "b": two}], frozenset(), numbers)
        assert (cells, numbers) == ({"a": "1.50 | x", "b": " | 2e3"}, {"a": ["1.50"], "b": ["2e3"]})
