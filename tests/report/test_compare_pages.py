"""A comparison as Markdown, LaTeX and HTML."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from docassay.model.comparison import BETTER, WORSE
from docassay.report.compare import render
from docassay.report.sheets import latex_table, latex_text
from tests.report.comparisons import ALIGNED, ODD, SPREADS, compared, comparison


def test_a_pull_request_is_told_the_verdict_first_and_can_open_the_rest() -> None:
    text = render(comparison(spreads=SPREADS), "markdown")
    assert text.startswith(
        "## `careful` is better than `hasty` by 0.083 [0.053, 0.103], p < 0.001\n"
    )
    assert "| aligned | 0.972 | 0.889 | -0.083 | [-0.103, -0.053] | < 0.001 | worse |" in text
    assert "| seconds a document | 1.25 | 1.25 | +0.00 |  |  |  |" in text
    assert "### 3 of 8 fields differ" in text
    before, *opened = text.split("<details><summary>")
    assert "field_7" in before
    assert "field_1" not in before
    assert [part.partition("</summary>")[0] for part in opened] == [
        "aligned by field, 8 fields",
        "Why: wrong values by cause, and what each contributes to the change",
        "Documents: 5 newly broken, 0 fixed",
    ]
    assert text.count("<details>") == text.count("</details>")
    assert "| `doc-0` | 1.000 | 0.500 | -0.500 | broken | `docassay explain hasty doc-0` |" in text


def test_slices_and_many_main_scores_are_opened_unless_they_were_asked_for() -> None:
    data = comparison()
    parts = (compared(ALIGNED, (0.9, 0.8), [WORSE], part="type=invoice"),)
    more = tuple(compared(f"plugged.x{at}", (0.5, 0.6), [BETTER]) for at in range(9))
    data = replace(data, scores=(*data.scores, *parts, *more))
    before = render(data, "markdown").partition("<details>")[0]
    assert "plugged.x5" in before
    assert "plugged.x6" not in before
    assert "type=invoice" not in before
    titles = re.findall("<summary>(.*?)</summary>", render(data, "markdown"))
    assert titles[:2] == ["All 11 main scores", "aligned by slice, 1 slice"]
    asked = render(replace(data, facts={"by": "type"}), "markdown")
    assert "`type=invoice`" in asked.partition("<details>")[0]
    assert asked.count("type=invoice") == 1
    latex = render(data, "latex")
    assert latex.count("plugged.x8") == latex.count("type=invoice") == 1


def test_of_many_documents_the_largest_changes_are_shown() -> None:
    text = render(comparison(documents=50), "markdown")
    assert "the 20 largest changes of 50" in text
    assert text.count("docassay explain") == 20


def test_many_runs_have_a_leaderboard_and_a_column_each() -> None:
    data = comparison("a", "b", "c", verdict=WORSE)
    data = replace(
        data, scores=(data.scores[0]._replace(winner=0), *data.scores[1:]), notes=("a note",)
    )
    text = render(data, "markdown")
    assert "| `a` | 1 | **0.972** | [0.952, 0.982] |  |  |" in text
    assert "| `b` | 2 | 0.889 | [0.869, 0.899] | worse |  |" in text
    assert "| aligned | **0.972** | 0.889 − | 0.806 − |" in text
    assert "> a note" in text


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a_b & 50% #1 $x {y} ~ ^ \\", None),
        ("-0.5 and [-0.1, -0.2] but a-1", "$-$0.5 and {[}$-$0.1, $-$0.2] but a{-}1"),
        ("--flag *star [x]", "{-}{-}flag {*}star {[}x]"),
        ("a\nb", r"a\textbackslash{}nb"),
    ],
    ids=["special signs", "numbers keep their minus", "options and ligatures", "one line"],
)
def test_text_is_set_by_latex_as_it_is(text: str, written: str | None) -> None:
    if written is None:
        assert latex_text(text) == (
            r"a\_b \& 50\% \#1 \$x \{y\} \textasciitilde{} \textasciicircum{} \textbackslash{}"
        )
    else:
        assert latex_text(text) == written


def test_a_tabular_needs_no_package_and_has_as_many_cells_as_columns() -> None:
    assert [*latex_table(["a", "b"], [["1", "2"]], "lr", ["x \\\\"])] == [
        r"\begin{tabular}{lr}",
        r"\hline",
        r"x \\",
        r"a & b \\",
        r"\hline",
        r"1 & 2 \\",
        r"\hline",
        r"\end{tabular}",
    ]


@pytest.mark.parametrize("names", [("careful", ODD), (ODD, "b", "c")], ids=["two", "three"])
def test_every_row_of_latex_fits_its_tabular(names: tuple[str, ...]) -> None:
    data = comparison(*names)
    odd = compared(ALIGNED, [0.9] * len(names), [BETTER] * (len(names) - 1), key=ODD)
    text = render(replace(data, scores=(*data.scores, odd)), "latex")
    tabulars = re.findall(r"\\begin\{tabular\}\{([lr]+)\}\n(.*?)\\end\{tabular\}", text, re.DOTALL)
    assert len(tabulars) >= 2
    for sides, body in tabulars:
        for row in body.split("\n"):
            if row and row != r"\hline":
                assert row.endswith(r" \\")
                assert len(re.findall(r"(?<!\\)&", row)) == len(sides) - 1, row
    for line in text.split("\n"):
        assert line.startswith(("%", "\\")) or line == "" or line.endswith(r" \\")
    assert "documents" not in text.split("tabular", 1)[1].partition("Documents")[2]
