"""Records in HTML: tables of fields and of rows, and bounds for hostile ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docassay.load.response import html
from docassay.load.response.answer import parse_response

ROWS = [{"Name": "Tea", "Price": "2"}, {"Name": "Jam", "Price": "3"}]
HEAD = "<tr><th>Name</th><th>Price</th></tr>"
BODY = "<tr><td>Tea</td><td>2</td></tr><tr><td>Jam</td><td>3</td></tr>"


@pytest.mark.parametrize(
    ("text", "tree", "outcome"),
    [
        (f"<table>{HEAD}{BODY}</table>", {"rows": ROWS}, "clean"),
        (
            f"<TABLE>{HEAD.upper()}{BODY.upper()}</TABLE>",
            {"rows": [{"NAME": "TEA", "PRICE": "2"}, {"NAME": "JAM", "PRICE": "3"}]},
            "clean",
        ),
        (f"<table><caption>Items</caption>{HEAD}{BODY}</table>", {"Items": ROWS}, "clean"),
        (f"<table><tr><th colspan=2>Items</th></tr>{HEAD}{BODY}</table>", {"Items": ROWS}, "clean"),
        (f"<h3>Items</h3><table>{HEAD}{BODY}</table>", {"Items": ROWS}, "repaired"),
        (f"ITEMS:\n<table>{HEAD}{BODY}</table>\nTOTAL: 5", {"ITEMS": ROWS, "TOTAL": "5"}, "clean"),
        # a page break within a table
        (f"<table>{HEAD}{BODY}</table><table>{HEAD}{BODY}</table>", {"rows": ROWS * 2}, "clean"),
        (
            f"<table>{HEAD}{BODY}</table><table><tr><th>Day</th><th>Sum</th></tr>{BODY}</table>",
            {"rows": ROWS, "rows 2": [{"Day": "Tea", "Sum": "2"}, {"Day": "Jam", "Sum": "3"}]},
            "clean",
        ),
        # one row gives fields, as in Markdown
        (
            "<table><tr><th>A</th><th>B</th><th>C</th></tr><tr><td>1</td><td>2</td><td>3</td></tr></table>",
            {"A": "1", "B": "2", "C": "3"},
            "clean",
        ),
        (
            "<table><tr><th>Items</th></tr><tr><td>Tea</td></tr><tr><td>Jam</td></tr></table>",
            {"rows": [{"Items": "Tea"}, {"Items": "Jam"}]},
            "clean",
        ),
        (
            "<table><tr><th>A</th><td>1</td><th>B</th><td>2</td></tr></table>",
            {"A": "1", "B": "2"},
            "clean",
        ),
        (
            "<table><tr><td>A:</td><td>1</td></tr><tr><td>B :</td><td></td></tr></table>",
            {"A": "1", "B": ""},
            "clean",
        ),
        (
            "<table><tr><td>Key</td><td>Value</td></tr><tr><td>A</td><td>1</td></tr></table>",
            {"A": "1"},
            "clean",
        ),
        # names that repeat are a column
        (
            "<table><tr><td>Name</td><td>Price</td></tr><tr><td>Tea</td><td>2</td></tr><tr><td>Tea</td><td>3</td></tr></table>",
            {"rows": [{"Name": "Tea", "Price": "2"}, {"Name": "Tea", "Price": "3"}]},
            "clean",
        ),
        (
            "<table><tr><td>A</td><td>B</td><td>C</td></tr><tr><td>1</td><td>2</td><td>3</td></tr><tr><td>4</td><td>5</td></tr></table>",
            {"rows": [{"A": "1", "B": "2", "C": "3"}, {"A": "4", "B": "5", "C": ""}]},
            "clean",
        ),
        # no cell is lost: columns without a name, with the same name, and rows that are too long
        (
            "<table><tr><th></th><th>P</th><th>P</th></tr><tr><td>1</td><td>2</td><td>3</td><td>4</td></tr><tr><td>5</td><td>6</td><td>7</td></tr></table>",
            {
                "rows": [
                    {"column 1": "1", "P": "2", "P 3": "3", "column 4": "4"},
                    {"column 1": "5", "P": "6", "P 3": "7", "column 4": ""},
                ]
            },
            "clean",
        ),
        (
            f"<table>{HEAD}<tr><td rowspan=2>Tea</td><td>2</td></tr><tr><td>3</td></tr></table>",
            {"rows": [{"Name": "Tea", "Price": "2"}, {"Name": "Tea", "Price": "3"}]},
            "clean",
        ),
        (
            f"<table>{HEAD}<tr><td>Tea<td rowspan='9'>2<tr><td>Jam<tr><td>Pie</table>",
            {"rows": [{"Name": name, "Price": "2"} for name in ("Tea", "Jam", "Pie")]},
            "clean",
        ),
        (
            f"<table>{HEAD}<tr><td rowspan=2>Tea<td>2<tr><td>3<tr><td>Pie<td>4</table>",
            {
                "rows": [
                    *({"Name": "Tea", "Price": price} for price in "23"),
                    {"Name": "Pie", "Price": "4"},
                ]
            },
            "clean",
        ),
        (
            f"<table><thead>{HEAD}</thead><tbody>{BODY}</tbody><tfoot><tr><td>Total</td><td>5</td></tr></tfoot></table>",
            {"rows": ROWS, "Total": "5"},
            "clean",
        ),
        # a table in a cell, named by the cell before it
        (
            f"<table><tr><td>No</td><td>7</td></tr><tr><td>Items</td><td><table>{HEAD}{BODY}</table></td></tr></table>",
            {"Items": ROWS, "No": "7"},
            "clean",
        ),
        ("<dl><dt>A</dt><dd>1</dd><dt>B</dt><dd>2</dd></dl>", {"A": "1", "B": "2"}, "clean"),
        (
            "<ul><li>Total: 5</li><li>Date: today</li></ul>",
            {"Total": "5", "Date": "today"},
            "repaired",
        ),
        ("<p>Total: 5</p><p>Date: today</p>", {"Total": "5", "Date": "today"}, "repaired"),
        # cells whose ends are left out, as HTML allows
        ("<table><tr><td>A<td>1<tr><td>B<td>2</table>", {"A": "1", "B": "2"}, "clean"),
        (
            "<table><tr><td>A &lt; B</td><td>&#8364; 5 &amp; more</td></tr></table>",
            {"A < B": "€ 5 & more"},
            "clean",
        ),
        ("<table><tr><td>A</td><td>1<!-- <td>9</td> --></td></tr></table>", {"A": "1"}, "repaired"),
        (
            "<html><head><title>X</title><script>a: 1 <td>9</td></script><style>b: 2</style></head>"
            "<body><table><tr><td>A</td><td>1</td></tr></table></body></html>",
            {"A": "1"},
            "clean",
        ),
        ("<table><tr><td>A</td><td><p>1<br/>2</p></td></tr></table>", {"A": "1\n2"}, "clean"),
        (
            "<table><tr><td>A</td><td>1</td></tr><tr><td>B</td><td>2</td>",
            {"A": "1", "B": "2"},
            "partial",
        ),
        (
            f"<table>{HEAD}<tr><td>Tea</td><td>2</td></tr><tr><td>Jam</td><td>3",
            {"rows": [{"Name": "Tea", "Price": "2"}]},
            "partial",
        ),
        ("<table><tr></tr></table>", {}, "unparseable"),
        (f"<table>{HEAD}</table>", {}, "unparseable"),
        (
            '{"page": "<table><tr><td>A</td><td>1</td></tr></table>"}',
            {"page": "<table><tr><td>A</td><td>1</td></tr></table>"},
            "clean",
        ),
        (
            "<invoice><table><row>1</row><row>2</row></table></invoice>",
            {"row": ["1", "2"]},
            "repaired",
        ),
    ],
)
def test_a_page_gives_its_fields_and_rows(text: str, tree: dict[str, object], outcome: str) -> None:
    found = parse_response(text)
    assert found.tree == tree
    assert found.outcome == outcome


def test_the_form_and_what_was_taken_off_are_reported() -> None:
    found = parse_response("<table><tr><td><b>A</b></td><td>1</td></tr></table> x <table>")
    assert found.form == "html"
    assert found.repairs == ("HTML marks", "cut off: 1 table closed", "text around the fields")


def test_a_cell_that_is_cut_off_is_named() -> None:
    found = parse_response("<table><tr><td>A</td><td>1</td></tr><tr><td>Total</td><td>12")
    assert found.repairs == ("cut off: 1 table closed", "value cut off: Total")


def test_cells_and_nesting_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html, "MOST_CELLS", 6)
    wide = parse_response(
        f"<table><tr><td>A</td><td>1</td></tr>{'<tr><td>B</td><td>2</td></tr>' * 9}"
    )
    assert wide.outcome == "partial"
    assert "too long: more than 6 cells" in wide.repairs
    spans = parse_response("<table><tr><td colspan=9>A</td></tr><tr><td>B</td><td>1</td></table>")
    assert "too long: more than 6 cells" in spans.repairs
    deep = parse_response("<table><tr><td>" * 500 + "A")
    assert deep.outcome == "unparseable"


def test_rows_below_a_span_count_as_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html, "MOST_CELLS", 50)
    rows = "<tr><td>x</td></tr>" * 20
    found = parse_response(
        f"<table><tr><th>A</th><td rowspan=99 colspan=9>1</td></tr>{rows}</table>"
    )
    assert "too long: more than 50 cells" in found.repairs


FRAGMENTS = st.sampled_from(
    [
        *("<table>", "</table>", "<tr>", "</tr>", "<td>", "</td>", "<th>", "<td rowspan=3>", "<p>"),
        *("<td colspan='2'>", "<dl>", "<dt>", "<dd>", "</dl>", "<caption>", "<tfoot>", "<thead>"),
        *("A", "Total: 5", "12.50", " ", "\n", "<br>", "<li>", "<h3>", "</h3>", "<!--", "-->"),
        *("<script>", "</script>", "&amp;", "&#10;", "| a | b |\n", "|---|---|\n", "```", "<b>"),
    ]
)


@given(st.lists(FRAGMENTS, max_size=20).map("".join))
def test_whatever_the_page_a_response_has_an_outcome(text: str) -> None:
    found = parse_response(f"<tr>{text}")
    assert (found.outcome == "unparseable") == (found.form == "") == (found.tree == {})
    assert found.outcome != "clean" or {*found.repairs} <= {"code fence"}
