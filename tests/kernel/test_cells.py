"""Cells: plain texts stand as they are, numbers and all others as they are told to."""

from __future__ import annotations

import re
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernel.forms import FORMS, Form

USUAL = re.compile("([$0-9A-Za-z][ -~]*)?")
"""Letters, digits and dollars, then anything of ASCII that prints."""
TEXTS = st.text(max_size=5) | st.text(alphabet='aZ09$ ~\x1f\x7f!",-=@\n/:`{', max_size=5)


@given(text=TEXTS)
def test_usual_texts_need_no_guard_and_stand_in_quotes_where_a_reader_needs_them(text: str) -> None:
    quoted = text.replace('"', '""')
    if USUAL.fullmatch(text) is None:
        cell = f"({text})"
    else:
        cell = f'"{quoted}"' if "," in text or '"' in text else text
    for form in FORMS:
        assert form.cells.csv_row([text], Numbers(), "({})".format) == cell
        assert form.cells.is_plain(text) is (cell == text)


class Numbers(dict[float, str]):
    """Texts that are seen to come from here."""

    def __missing__(self, value: float) -> str:
        return f"<{value}>"


@pytest.mark.parametrize(
    ("row", "line"),
    [
        ([], ""),
        ([""], ""),
        (["a", None, "b c"], "a,,b c"),
        ([0.5, 1.0, True, "=1"], "<0.5>,1.0,(True),(=1)"),
        ([1, 0, -(10**30)], f"1,0,-{10**30}"),
        ([255, 256, -1], "255,256,-1"),
        ([0.0, -0.0], "0.0,-0.0"),
        (["a,b", 'a"b"', "a\nb"], '"a,b","a""b""",(a\nb)'),
        (["-", ",", "é"], "(-),(,),(é)"),
    ],
    ids=["nothing", "empty", "plain", "numbers", "whole", "few", "zeros", "quoted", "others"],
)
def test_a_row_is_its_cells_with_commas_between(row: list[object], line: str) -> None:
    for form in FORMS:
        assert form.cells.csv_row(row, Numbers(), "({})".format) == line


def members(form: Form, **heads: str | None) -> dict[str, object]:
    """Return members with these heads whose numbers mean their digits, and `x`, whose do not."""
    own = {key: form.cells.CellMember(key, head, True, None) for key, head in heads.items()}
    return {**own, "x": form.cells.CellMember("x", "x", False, None)}


@pytest.mark.parametrize(
    ("rows", "cells"),
    [
        ([], {}),
        ([{"a": "x"}, {"a": "y,"}, {"b": '"', "a": "é"}], {"A": "(x | y, | é)", "B": '( |  | ")'}),
        ([{"a": "x"}, {"a": "y,"}], {"A": '"x | y,"'}),
        ([{"b": "x", "a": "=y"}, {"a": "z"}], {"B": "x | ", "A": "(=y | z)"}),
        ([{"a": "x", "b": None}, {"a": 2}], {"A": "x | 2"}),
        ([{}, {"b": ""}, {"b": "x", "a": "y"}], {"B": "( |  | x)", "A": "( |  | y)"}),
        ([{"a": "é"}], {"A": "(é)"}),
        ([{"a": "y"}, {"a": "x|y"}], None),
        ([{"a": "é|"}], None),
        ([{"a": "é\x85"}], None),
        ([{"a": "x\ny"}], {"A": "(x\ny)"}),
        ([{"a": "x\n\x07"}], None),
        ([{"a": "\t"}], None),
        ([{"a": True}], None),
        ([{"a": 1.5}], None),
        ([{"a": ["x"]}], None),
        ([{"value": "x"}], None),
        ([{"none": "x"}], None),
        (["a"], None),
    ],
    ids=lambda value: repr(value) if isinstance(value, list) else "",
)
def test_rows_of_plain_texts_are_a_cell_a_member(
    rows: list[object], cells: dict[str, str] | None
) -> None:
    for form in FORMS:
        inner = members(form, a="A", b="B", value="value", none=None)
        outer = {"rows": form.cells.CellMember("rows", "rows", True, inner)}
        for _ in range(2):  # nothing stays behind of rows that take a closer look
            others: list[str] = []
            made = form.cells.plain_cells(
                {"rows": rows}, outer, frozenset({"value"}), others, "({})".format
            )
            assert (made, others) == (cells or {}, [] if cells is not None else ["rows"])


def test_plain_values_are_cells_and_all_else_is_left_to_others() -> None:
    for form in FORMS:
        usual, long = (form.readings.Number(digits) for digits in ("1.50", "2e3"))
        tree = {
            "q": "y, z",
            "u": "=",
            "a": "y",
            "b": usual,
            "x": usual,
            "c": long,
            "none": "z",
            "d": [{}],
            "e": None,
        }
        own = members(form, q="Q", u="U", a="A", b="B", c="C", d="D", e="E", none=None)
        for further in (tree, {**tree, "q": "y", "u": "z"}):  # no sign of one text stays behind
            others: list[str] = []
            made = form.cells.plain_cells(further, own, frozenset(), others, "({})".format)
            cells = {"Q": '"y, z"', "U": "(=)"} if further is tree else {"Q": "y", "U": "z"}
            assert made == {**cells, "A": "y", "B": "1.50"}
            assert others == ["x", "c", "none", "d"]


def test_the_row_of_an_extraction_has_the_cells_of_all_heads_and_the_scores_of_all_paths() -> None:
    for form in FORMS:
        numbers, other = Numbers(), "({})".format
        fields = {"a": (1, 1), "b": (0, 0), "c": (1, 3)}
        shares = form.counting.Shares(fields, 0, (0, 1), 1)
        for scores in (shares, dict(shares), MappingProxyType(dict(shares))):
            row = form.cells.extraction_row(
                "=",
                {"y": '"1,"', "x": "=1"},
                ["x", "z", "y"],
                1.0,
                scores,
                [*"cdba"],
                numbers,
                other,
            )
            assert row == '(=),=1,,"1,",1.0,<0.25>,,,<0.5>\n'


@given(rows=st.lists(st.lists(TEXTS | st.none() | st.integers(0, 300) | st.floats(), max_size=3)))
def test_rows_are_lines_and_one_that_has_but_an_empty_cell_is_no_empty_line(rows: list) -> None:
    for form in FORMS:
        lines = [form.cells.csv_row(row, Numbers(), "({})".format) for row in rows]
        expected = [line or '""' * len(row) for line, row in zip(lines, rows, strict=True)]
        made = form.cells.csv_rows(rows, Numbers(), "({})".format)
        assert made == "".join(f"{line}\n" for line in expected)
