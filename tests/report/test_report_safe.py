"""Text from documents is harmless wherever it is shown."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.model.words import cell, code, cut, guarded, unguarded, visible
from docassay.run.output import csv_text


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


SIGNS = "=+-@\uff1d\uff0b\uff0d\uff20\t\r\n"
SKIPPED = " \xa0\u3000\ufeff\u200b\u200e\u200f\u2060'"
HOSTILE = st.text(
    st.sampled_from(f'{SIGNS}{SKIPPED}\u200c\u200d\x07\u202e\ud800a1,;"|'), max_size=8
)


@pytest.mark.parametrize("start", SIGNS)
@pytest.mark.parametrize("before", ["", *SKIPPED])
def test_a_formula_is_neutralised(before: str, start: str) -> None:
    assert guarded(f"{before}{start}1") == f"'{before}{start}1"


@pytest.mark.parametrize("text", ["", "a=1", "5 - 3", "'", "it's", " a", "\ufeffa", "'a'", "5"])
def test_other_texts_are_not_touched(text: str) -> None:
    assert guarded(text) == unguarded(text) == text


@given(HOSTILE | st.text())
def test_a_cell_never_begins_as_a_formula(text: str) -> None:
    begin = cell(text).lstrip(SKIPPED.replace("'", ""))
    assert not begin.startswith((*SIGNS,))


@given(HOSTILE | st.text())
def test_the_guard_can_be_taken_away(text: str) -> None:
    assert unguarded(guarded(text)) == text


def rows_of(text: str) -> list[list[str]]:
    """Return the rows as a reader sees them that ends a row at any line break outside quotes."""
    return [*csv.reader(io.StringIO(text, newline=""))]


@given(st.lists(st.lists(HOSTILE, min_size=2, max_size=2), min_size=1, max_size=3))
def test_no_text_breaks_a_row(rows: list[list[str]]) -> None:
    read = rows_of(csv_text(["a", "b"], rows))
    assert read == [["a", "b"], *([cell(text) for text in row] for row in rows)]


def test_a_carriage_return_is_quoted() -> None:
    assert csv_text(["a"], [["x\r=1+1"], ["x\n=1+1"]]) == 'a\n"x\r=1+1"\n"x\n=1+1"\n'


@pytest.mark.parametrize(
    ("text", "shown"),
    [("a_b", "`a_b`"), ("a`b", "``a`b``"), ("`a", "`` `a ``"), ("", "`  `")],
    ids=["a name", "a tick inside", "a tick at the edge", "nothing"],
)
def test_markdown_code_is_closed_by_its_own_fence(text: str, shown: str) -> None:
    assert code(text) == shown


def test_a_long_text_is_cut_and_says_how_long_it_was() -> None:
    assert cut("x" * 2000, 3) == "xxx… (2,000 characters)"
